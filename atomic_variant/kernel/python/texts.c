/* FEN in and out, and moves as SAN: what chess.Board.fen and set_fen and notation.algebraic do, in usual cases. */

#include "dispatch.h"
#include "fen.h"
#include "san.h"

#include <string.h>

PyObject *handle_fen(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    PyObject *values[ATTR_COUNT] = {NULL};
    Position position;
    PyObject *result = NULL;
    if (count != 1 || keywords || !read_board_values(kernel, args[0], PLAY, &position, values)) {
        goto done;
    }
    PyObject *occupied_mask = get_attr(kernel, args[0], ATTR_OCCUPIED);
    PyObject *halfmoves = get_attr(kernel, args[0], ATTR_HALFMOVE_CLOCK);
    PyObject *moves = get_attr(kernel, args[0], ATTR_FULLMOVE_NUMBER);
    Bitboard all;
    if (occupied_mask && halfmoves && moves && PyLong_CheckExact(halfmoves) && PyLong_CheckExact(moves)
        && to_bitboard(occupied_mask, &all) && all == occupied(&position)
        && !(all
            & ~(position.pawns | position.knights | position.bishops | position.rooks | position.queens
                | position.kings))) {
        char buffer[FEN_SIZE];
        *write_fen(&position, buffer) = '\0';
        result = PyUnicode_FromFormat("%s %S %S", buffer, halfmoves, moves);
    }
    Py_XDECREF(occupied_mask);
    Py_XDECREF(halfmoves);
    Py_XDECREF(moves);
done:
    for (int i = 0; i < ATTR_COUNT; i++) {
        Py_XDECREF(values[i]);
    }
    return result;
}

/* --- FEN in --------------------------------------------------------------- */

static bool set_attr(Kernel *kernel, PyObject *board, Attr attr, PyObject *value)
{
    bool good = value && PyObject_SetAttr(board, kernel->attrs[attr], value) == 0;
    Py_XDECREF(value);
    return good;
}

static bool set_mask(Kernel *kernel, PyObject *board, Attr attr, Bitboard mask)
{
    return set_attr(kernel, board, attr, PyLong_FromUnsignedLongLong(mask));
}

PyObject *handle_set_fen(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Fen fen;
    Rules rules;
    if (count != 2 || keywords || !PyUnicode_CheckExact(args[1]) || !PyUnicode_IS_COMPACT_ASCII(args[1])
        || !is_on_ground(kernel, Py_TYPE(args[0]), PLAY, &rules)) {
        return NULL;
    }
    const char *text = (const char *)PyUnicode_1BYTE_DATA(args[1]);
    if (strlen(text) != (size_t)PyUnicode_GET_LENGTH(args[1]) || !read_fen(text, &fen)) {
        return NULL;
    }
    PyObject *board = args[0];
    PyObject *stack = get_attr(kernel, board, ATTR_STACK);
    PyObject *move_stack = stack ? get_attr(kernel, board, ATTR_MOVE_STACK) : NULL;
    bool good = move_stack && PyList_CheckExact(stack) && PyList_CheckExact(move_stack);
    if (good) {
        static const Attr TYPES[] = {
            ATTR_PAWNS, ATTR_KNIGHTS, ATTR_BISHOPS, ATTR_ROOKS, ATTR_QUEENS, ATTR_KINGS,
        };
        for (int type = PAWN; good && type <= KING; type++) {
            good = set_mask(kernel, board, TYPES[type - PAWN], fen.types[type]);
        }
        good = good
            && set_attr(kernel, board, ATTR_OCCUPIED_CO,
                Py_BuildValue("[KK]", (unsigned long long)fen.sides[BLACK], (unsigned long long)fen.sides[WHITE]))
            && set_mask(kernel, board, ATTR_OCCUPIED, fen.sides[BLACK] | fen.sides[WHITE])
            && set_mask(kernel, board, ATTR_PROMOTED, BB_EMPTY)
            && set_attr(kernel, board, ATTR_TURN, PyBool_FromLong(fen.turn))
            && set_mask(kernel, board, ATTR_CASTLING_RIGHTS, fen.rights)
            && set_attr(kernel, board, ATTR_EP_SQUARE,
                fen.ep_square ? PyLong_FromLong(fen.ep_square) : Py_NewRef(Py_None))
            && set_attr(kernel, board, ATTR_HALFMOVE_CLOCK, PyLong_FromLong(fen.halfmove_clock))
            && set_attr(kernel, board, ATTR_FULLMOVE_NUMBER,
                PyLong_FromLong(fen.fullmove_number ? fen.fullmove_number : 1))
            && PyList_SetSlice(stack, 0, PyList_GET_SIZE(stack), NULL) == 0
            && PyList_SetSlice(move_stack, 0, PyList_GET_SIZE(move_stack), NULL) == 0;
    }
    Py_XDECREF(stack);
    Py_XDECREF(move_stack);
    return good ? Py_NewRef(Py_None) : NULL;
}

/* --- SAN ------------------------------------------------------------------ */

PyObject *handle_algebraic(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position, after;
    Move move;
    if (count != 2 || keywords || !read_board(kernel, args[0], ENDINGS, &position) || !read_move(kernel, args[1], &move)
        || !is_playable(&position, move)) {
        return NULL;
    }
    char buffer[SAN_SIZE];
    const char *end = write_san(&position, move, buffer, &after);
    return end ? PyUnicode_FromStringAndSize(buffer, end - buffer) : NULL;
}
