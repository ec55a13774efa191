/* FEN in and out. */

#include <string.h>

#include "fen.h"

const char SYMBOLS[] = " PNBRQK";

int piece_type_at(const Position *position, Square square)
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

char *write_square(char *out, Square square)
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

bool has_legal_en_passant(const Position *position)
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

char *write_fen(const Position *position, char *out)
{
    out = write_placement(position, out);
    *out++ = ' ';
    *out++ = position->turn ? 'w' : 'b';
    *out++ = ' ';
    out = write_rights(position, out);
    *out++ = ' ';
    if (has_legal_en_passant(position)) {
        return write_square(out, position->ep_square);
    }
    *out++ = '-';
    return out;
}

/* --- FEN in --------------------------------------------------------------- */

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

bool read_fen(const char *at, Fen *out)
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
