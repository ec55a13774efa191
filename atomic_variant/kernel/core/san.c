#include "san.h"

#include <string.h>

#include "fen.h"

static int piece_type_of(char symbol)
{
    switch (symbol) {
    case 'N':
        return KNIGHT;
    case 'B':
        return BISHOP;
    case 'R':
        return ROOK;
    case 'Q':
        return QUEEN;
    case 'K':
        return KING;
    default:
        return NO_PIECE;
    }
}

static bool is_file(char c) { return 'a' <= c && c <= 'h'; }
static bool is_rank(char c) { return '1' <= c && c <= '8'; }

static bool equals(const char *text, size_t length, const char *other)
{
    return length == strlen(other) && memcmp(text, other, length) == 0;
}

/* Castling with letters or zeros, with at most one suffix. */
static SanKind read_castling(const char *text, size_t length)
{
    if (length && (text[length - 1] == '+' || text[length - 1] == '#')) {
        length--;
    }
    if (equals(text, length, "O-O") || equals(text, length, "0-0")) {
        return SAN_KINGSIDE;
    }
    if (equals(text, length, "O-O-O") || equals(text, length, "0-0-0")) {
        return SAN_QUEENSIDE;
    }
    return SAN_INVALID;
}

/* Read from the end: the target square is the last thing that must be there, and all before it may be missing. */
static bool read_move(const char *text, size_t length, San *out)
{
    const char *end = text + length;
    if (end > text && (end[-1] == '+' || end[-1] == '#')) {
        end--;
    }
    out->promotion = NO_PIECE;
    if (end > text && !is_rank(end[-1])) {
        char symbol = end[-1];
        if ('a' <= symbol && symbol <= 'z') {
            symbol = (char)(symbol - 'a' + 'A');
        }
        out->promotion = piece_type_of(symbol);
        if (!out->promotion) {
            return false;
        }
        end--;
        if (end > text && end[-1] == '=') {
            end--;
        }
    }
    if (end - text < 2 || !is_rank(end[-1]) || !is_file(end[-2])) {
        return false;
    }
    out->to = (end[-2] - 'a') + 8 * (end[-1] - '1');
    end -= 2;
    if (end > text && (end[-1] == 'x' || end[-1] == '-')) {
        end--;
    }
    out->rank = -1;
    out->file = -1;
    if (end > text && is_rank(end[-1])) {
        out->rank = *--end - '1';
    }
    if (end > text && is_file(end[-1])) {
        out->file = *--end - 'a';
    }
    out->piece_type = PAWN;
    if (end > text && piece_type_of(end[-1])) {
        out->piece_type = piece_type_of(*--end);
        out->kind = SAN_MOVE;
    } else {
        out->kind = out->file >= 0 && out->rank >= 0 ? SAN_COORDINATES : SAN_MOVE;
    }
    return end == text;
}

void read_san(const char *text, size_t length, San *out)
{
    if (read_move(text, length, out)) {
        return;
    }
    out->kind = read_castling(text, length);
    if (out->kind == SAN_INVALID
        && (equals(text, length, "--") || equals(text, length, "Z0") || equals(text, length, "0000")
            || equals(text, length, "@@@@"))) {
        out->kind = SAN_NULL;
    }
}

static int resolve_castling(const Position *position, bool kingside, Move *out)
{
    Bitboard king = position->kings & position->occupied_co[position->turn];
    if (!(position->castling_rights & position->occupied_co[position->turn]) || !king || is_variant_end(position)) {
        return 0;
    }
    Spans list;
    list.length = 0;
    generate_castling(position, msb(king), BB_ALL, &list);
    for (int i = 0; i < list.length; i++) {
        Square to = msb(list.spans[i].targets);
        if (kingside == ((to & 7) > (msb(king) & 7))) {
            *out = MOVE(msb(king), to, NO_PIECE);
            return 1;
        }
    }
    return 0;
}

/* As chess.Board.find_move, which python-chess uses here; a promotion has to be said. */
static int resolve_coordinates(const Position *position, const San *san, Move *out)
{
    Square from = san->file + 8 * san->rank;
    *out = castling_notation(position, MOVE(from, san->to, san->promotion));
    return is_legal(position, *out);
}

int resolve_san(const Position *position, const San *san, Move *out)
{
    switch (san->kind) {
    case SAN_MOVE:
        break;
    case SAN_COORDINATES:
        return resolve_coordinates(position, san, out);
    case SAN_KINGSIDE:
    case SAN_QUEENSIDE:
        return resolve_castling(position, san->kind == SAN_KINGSIDE, out);
    case SAN_NULL:
        *out = NULL_MOVE;
        return 1;
    default:
        return 0;
    }

    Bitboard from_mask = position->occupied_co[position->turn];
    switch (san->piece_type) {
    case PAWN:
        from_mask &= position->pawns;
        break;
    case KNIGHT:
        from_mask &= position->knights & KNIGHT_ATTACKS[san->to];
        break;
    case BISHOP:
        from_mask &= position->bishops & BISHOP_RAYS[san->to];
        break;
    case ROOK:
        from_mask &= position->rooks & ROOK_RAYS[san->to];
        break;
    case QUEEN:
        from_mask &= position->queens & (BISHOP_RAYS[san->to] | ROOK_RAYS[san->to]);
        break;
    default:
        from_mask &= position->kings;
        break;
    }
    if (san->file >= 0) {
        from_mask &= BB_FILE_A << san->file;
    } else if (san->piece_type == PAWN) {
        from_mask &= BB_FILE_A << (san->to & 7); /* Only captures may leave the file, and they name it. */
    }
    if (san->rank >= 0) {
        from_mask &= BB_RANK_1 << 8 * san->rank;
    }

    Spans list;
    generate_spans(position, from_mask, BB(san->to) & ~position->occupied_co[position->turn], &list);
    int found = 0;
    for (int i = 0; i < list.length && found < 2; i++) {
        const Span *span = &list.spans[i];
        const bool promotes = span->kind == PROMOTIONS || span->kind == PROMOTION_STEPS;
        const bool relative = span->kind == STEPS || span->kind == PROMOTION_STEPS;
        if (promotes ? KNIGHT <= san->promotion && san->promotion <= QUEEN : !san->promotion) {
            *out = MOVE(relative ? san->to - span->from : span->from, san->to, san->promotion);
            found++;
        }
    }
    return found;
}

/* --- Writing -------------------------------------------------------------- */

/* The other pieces of the same kind that may go to *to*, as a mask of their squares. */
static Bitboard rivals(const Position *position, Bitboard kind, Square from, Square to)
{
    Spans list;
    Bitboard found = BB_EMPTY;
    const Bitboard others = kind & position->occupied_co[position->turn] & ~BB(from);
    if (!(others & (KNIGHT_ATTACKS[to] | BISHOP_RAYS[to] | ROOK_RAYS[to]))) {
        return BB_EMPTY; /* None is in sight. */
    }
    generate_spans(position, others, BB(to), &list);
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

char *write_san(const Position *position, Move move, char *out, Position *after)
{
    const Square from = MOVE_FROM(move);
    const Square to = MOVE_TO(move);
    Castling castling;
    char *end;
    if (castling_squares(position, from, to, &castling)) {
        const char *text = castling.rook < castling.king ? "O-O-O" : "O-O";
        end = out + strlen(strcpy(out, text));
    } else {
        const bool is_king = position->kings & BB(from);
        if (is_king && !(KING_ATTACKS[from] & BB(to))) {
            return NULL; /* Castling without a rook, in words of python-chess. */
        }
        if (to == position->ep_square && position->pawns & BB(from) && (from & 7) != (to & 7)
            && !explosion_mask(position, from, to)) {
            return NULL; /* An en passant square that no pawn has passed. */
        }
        end = write_piece_move(position, move, out);
    }
    *after = *position;
    make_move(after, move);
    if (!(after->kings & after->occupied_co[position->turn])) {
        return NULL; /* No legal move. */
    }
    if (!(after->kings & after->occupied_co[after->turn])) {
        *end++ = '#';
    } else if (check_mask(after, after->turn)) {
        *end++ = has_legal_moves(after) ? '+' : '#';
    }
    return end;
}
