/* FEN in and out, and moves as SAN: what chess.Board.fen and set_fen and notation.algebraic do, in usual cases. */

#include "dispatch.h"
#include "fen.h"

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

/* The other pieces of the same kind that may go to *to*, as a mask of their squares. */
static Bitboard rivals(const Position *position, Bitboard kind, Square from, Square to)
{
    Spans list;
    Bitboard found = BB_EMPTY;
    generate_spans(position, kind & position->occupied_co[position->turn] & ~BB(from), BB(to), &list);
    for (int i = 0; i < list.length; i++) {
        found |= BB(list.spans[i].from);
    }
    return found;
}

static char *write_piece_move(const Position *position, Move move, char *out)
{
    const Square from = MOVE_FROM(move);
    const Square to = MOVE_TO(move);
    const int type = piece_type_at(position, from);
    const bool takes = explosion_mask(position, from, to);
    if (type == PAWN) {
        if (takes) {
            *out++ = (char)('a' + (from & 7));
        }
    } else {
        const Bitboard kinds[] = {
            [KNIGHT] = position->knights, [BISHOP] = position->bishops, [ROOK] = position->rooks,
            [QUEEN] = position->queens, [KING] = BB_EMPTY,
        };
        *out++ = SYMBOLS[type];
        const Bitboard others = kinds[type] ? rivals(position, kinds[type], from, to) : BB_EMPTY;
        if (others) {
            const bool same_file = others & (BB_FILE_A << (from & 7));
            const bool same_rank = others & (BB_RANK_1 << (from & 56));
            if (same_rank || !same_file) {
                *out++ = (char)('a' + (from & 7));
            }
            if (same_file) {
                *out++ = (char)('1' + (from >> 3));
            }
        }
    }
    if (takes) {
        *out++ = 'x';
    }
    out = write_square(out, to);
    if (MOVE_PROMOTION(move)) {
        *out++ = '=';
        *out++ = SYMBOLS[MOVE_PROMOTION(move)];
    }
    return out;
}

PyObject *handle_algebraic(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    Move move;
    if (count != 2 || keywords || !read_board(kernel, args[0], ENDINGS, &position) || !read_move(kernel, args[1], &move)
        || !is_playable(&position, move)) {
        return NULL;
    }
    const Square from = MOVE_FROM(move);
    const Square to = MOVE_TO(move);
    Castling castling;
    char buffer[16];
    char *end = buffer;
    if (castling_squares(&position, from, to, &castling)) {
        const char *text = castling.rook < castling.king ? "O-O-O" : "O-O";
        end = buffer + strlen(strcpy(buffer, text));
    } else {
        const bool is_king = position.kings & BB(from);
        if (is_king && !(KING_ATTACKS[from] & BB(to))) {
            return NULL; /* Castling without a rook, in words of python-chess. */
        }
        if (to == position.ep_square && position.pawns & BB(from) && (from & 7) != (to & 7)
            && !explosion_mask(&position, from, to)) {
            return NULL; /* An en passant square that no pawn has passed. */
        }
        end = write_piece_move(&position, move, buffer);
    }
    Position after = position;
    make_move(&after, move);
    if (!(after.kings & after.occupied_co[position.turn])) {
        return NULL; /* No legal move. */
    }
    if (!(after.kings & after.occupied_co[after.turn])) {
        *end++ = '#';
    } else if (check_mask(&after, after.turn)) {
        *end++ = has_legal_moves(&after) ? '+' : '#';
    }
    return PyUnicode_FromStringAndSize(buffer, end - buffer);
}
