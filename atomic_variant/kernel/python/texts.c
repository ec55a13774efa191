/* FEN in and out, and moves as SAN: what chess.Board.fen and set_fen and notation.algebraic do, in usual cases. */

#include "dispatch.h"

#include <string.h>

static const char SYMBOLS[] = " PNBRQK";

static int piece_type_at(const Position *position, Square square)
{
    const Bitboard mask = BB(square);
    return position->pawns & mask ? PAWN
        : position->knights & mask ? KNIGHT
        : position->bishops & mask ? BISHOP
        : position->rooks & mask   ? ROOK
        : position->queens & mask  ? QUEEN
        : position->kings & mask   ? KING
                                   : NO_PIECE;
}

static char *write_square(char *out, Square square)
{
    *out++ = (char)('a' + (square & 7));
    *out++ = (char)('1' + (square >> 3));
    return out;
}

/* --- FEN out -------------------------------------------------------------- */

static char *write_placement(const Position *position, char *out)
{
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            const Square square = 8 * rank + file;
            const int type = piece_type_at(position, square);
            if (type == NO_PIECE) {
                empty++;
                continue;
            }
            if (empty) {
                *out++ = (char)('0' + empty);
                empty = 0;
            }
            const char symbol = SYMBOLS[type];
            *out++ = position->occupied_co[WHITE] & BB(square) ? symbol : (char)(symbol - 'A' + 'a');
        }
        if (empty) {
            *out++ = (char)('0' + empty);
        }
        if (rank) {
            *out++ = '/';
        }
    }
    return out;
}

/* As chess.Board.castling_xfen: a letter of a file only where another rook stands further out. */
static char *write_rights(const Position *position, char *out)
{
    char *const start = out;
    for (int color = WHITE; color >= BLACK; color--) {
        const Bitboard backrank = color ? BB_RANK_1 : BB_RANK_8;
        Bitboard rights = position->castling_rights & backrank;
        /* No rights without a king. */
        const Square king = rights ? msb(position->kings & position->occupied_co[color]) : 0;
        while (rights) {
            const Square rook = pop_msb(&rights);
            const bool a_side = (rook & 7) < (king & 7);
            Bitboard others = position->rooks & position->occupied_co[color] & backrank & ~BB(rook);
            others &= a_side ? BB(rook) - 1 : ~(BB(rook) - 1);
            char flag = a_side ? 'Q' : 'K';
            if (others) {
                flag = (char)('A' + (rook & 7));
            }
            *out++ = color ? flag : (char)(flag - 'A' + 'a');
        }
    }
    if (out == start) {
        *out++ = '-';
    }
    return out;
}

static bool has_legal_en_passant(const Position *position)
{
    if (!position->ep_square || occupied(position) & BB(position->ep_square)) {
        return false;
    }
    Spans list;
    generate_spans(position, position->pawns, BB(position->ep_square), &list);
    for (int i = 0; i < list.length; i++) {
        if (list.spans[i].kind == FROM_SQUARE) {
            return true; /* A step is of another kind. */
        }
    }
    return false;
}

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
        char buffer[128];
        char *end = write_placement(&position, buffer);
        *end++ = ' ';
        *end++ = position.turn ? 'w' : 'b';
        *end++ = ' ';
        end = write_rights(&position, end);
        *end++ = ' ';
        if (has_legal_en_passant(&position)) {
            end = write_square(end, position.ep_square);
        } else {
            *end++ = '-';
        }
        *end = '\0';
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

typedef struct {
    Bitboard types[KING + 1], sides[2], rights;
    Square ep_square;
    bool turn;
    long halfmove_clock, fullmove_number;
} Fen;

static bool read_placement(const char **text, Fen *out)
{
    const char *at = *text;
    for (int rank = 7; rank >= 0; rank--) {
        int file = 0;
        bool was_digit = false;
        for (; *at && *at != ' ' && *at != '/'; at++) {
            if ('1' <= *at && *at <= '8' && !was_digit) {
                file += *at - '0';
                was_digit = true;
                continue;
            }
            const bool white = 'A' <= *at && *at <= 'Z';
            const char upper = (char)(white ? *at : *at - 'a' + 'A');
            const char *found = strchr(SYMBOLS + 1, upper);
            if (!found || !upper || file > 7) {
                return false;
            }
            const Bitboard mask = BB(8 * rank + file++);
            out->types[found - SYMBOLS] |= mask;
            out->sides[white] |= mask;
            was_digit = false;
        }
        if (file != 8 || *at != (rank ? '/' : ' ')) {
            return false;
        }
        at++;
    }
    *text = at;
    return true;
}

/* Some of KQkq, in this order, for one king each: as chess.Board._set_castling_fen. */
static bool read_rights(const char **text, Fen *out)
{
    const char *at = *text;
    if (at[0] == '-' && at[1] == ' ') {
        *text = at + 2;
        return true;
    }
    const char *order = "KQkq";
    if (*at == ' ') {
        return false;
    }
    for (; *at && *at != ' '; at++) {
        const char *found = strchr(order, *at);
        if (!found) {
            return false;
        }
        order = found + 1;
        const int color = *at < 'a' ? WHITE : BLACK;
        const Bitboard backrank = color ? BB_RANK_1 : BB_RANK_8;
        const Bitboard king = out->types[KING] & out->sides[color];
        const Bitboard rooks = out->types[ROOK] & out->sides[color] & backrank;
        if (!king || !is_single(king) || !rooks) {
            return false;
        }
        if (*at == 'Q' || *at == 'q') {
            out->rights |= lsb(rooks) < msb(king) ? BB(lsb(rooks)) : BB_FILE_A & backrank;
        } else {
            out->rights |= msb(king) < msb(rooks) ? BB(msb(rooks)) : BB_FILE_H & backrank;
        }
    }
    *text = *at ? at + 1 : at;
    return *at == ' ';
}

static bool read_number(const char **text, char end, long *out)
{
    const char *at = *text;
    long value = 0;
    int digits = 0;
    for (; '0' <= *at && *at <= '9' && digits < 7; at++, digits++) {
        value = 10 * value + (*at - '0');
    }
    if (!digits || *at != end) {
        return false;
    }
    *text = at + 1;
    *out = value;
    return true;
}

static bool parse_fen(const char *at, Fen *out)
{
    memset(out, 0, sizeof(*out));
    if (!read_placement(&at, out) || (at[0] != 'w' && at[0] != 'b') || at[1] != ' ') {
        return false;
    }
    out->turn = at[0] == 'w';
    at += 2;
    if (!read_rights(&at, out)) {
        return false;
    }
    if (at[0] == '-' && at[1] == ' ') {
        at += 2;
    } else if ('a' <= at[0] && at[0] <= 'h' && (at[1] == '3' || at[1] == '6') && at[2] == ' ') {
        out->ep_square = (at[0] - 'a') + 8 * (at[1] - '1');
        at += 3;
    } else {
        return false;
    }
    return read_number(&at, ' ', &out->halfmove_clock) && read_number(&at, '\0', &out->fullmove_number);
}

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
    if (strlen(text) != (size_t)PyUnicode_GET_LENGTH(args[1]) || !parse_fen(text, &fen)) {
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
