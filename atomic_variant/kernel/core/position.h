/* Positions of atomic chess, and what can be asked of them. */

#ifndef ATOMIC_VARIANT_POSITION_H
#define ATOMIC_VARIANT_POSITION_H

#include "bitboard.h"

/*
 * The rules of a dialect: the class attributes has_checks and
 * touching_kings_immune of AtomicBoard.
 */
typedef struct {
    bool has_checks;
    bool touching_kings_immune;
} Rules;

/*
 * A position with at most one king of each color, none of them promoted from
 * a pawn. Everything else about the board may be odd: pawns on the back
 * ranks, sixty queens, castling rights without a rook.
 */
typedef struct {
    Bitboard occupied_co[2];
    Bitboard pawns, knights, bishops, rooks, queens, kings;
    Bitboard castling_rights; /* Clean: squares of rooks. */
    Rules rules;
    int8_t turn;
    int8_t ep_square; /* On the third or sixth rank; 0 if there is none. */
    bool chess960;
} Position;

static inline Bitboard occupied(const Position *position)
{
    return position->occupied_co[BLACK] | position->occupied_co[WHITE];
}

/* --- Moves ---------------------------------------------------------------- */

/*
 * A move in 15 bits: origin, target, and the piece type of the promotion or 0.
 * Castling is written as python-chess writes it: king by two squares, or king
 * takes rook in Chess960.
 */
typedef uint16_t Move;

#define MOVE(from, to, promotion) ((Move)((from) | (to) << 6 | (promotion) << 12))
#define MOVE_FROM(move) ((Square)((move) & 63))
#define MOVE_TO(move) ((Square)((move) >> 6 & 63))
#define MOVE_PROMOTION(move) ((move) >> 12)
#define NULL_MOVE ((Move)0)

/*
 * Legal moves as python-chess orders them. From each span come the moves to
 * its targets, highest square first.
 */
typedef enum {
    FROM_SQUARE,    /* By the piece on *from*. */
    PROMOTIONS,     /* Four moves to each target, queen first. */
    STEPS,          /* By the pawn that is *from* squares away. */
    PROMOTION_STEPS /* The same, four moves to each target. */
} SpanKind;

typedef struct {
    Bitboard targets;
    int8_t from;
    int8_t kind;
} Span;

/*
 * Each of at most 63 men beside the king has one span, a pawn that captures;
 * the rest are the king's, castling with up to seven rooks, four for steps of pawns
 * and two for en passant.
 */
#define MAX_SPANS 80
#define MAX_SPAN_MOVES (4 * 64)

typedef struct {
    int length;
    Span spans[MAX_SPANS];
} Spans;

/* movegen.c */
void generate_spans(const Position *position, Bitboard from_mask, Bitboard to_mask, Spans *out);
void generate_castling(const Position *position, Square king, Bitboard to_mask, Spans *out);
Move castling_notation(const Position *position, Move move);
bool has_legal_moves(const Position *position);
bool is_legal(const Position *position, Move move);
Bitboard clean_castling_rights(const Position *position, Bitboard rights);

static inline int count_span(const Span *span)
{
    int targets = popcount(span->targets);
    return span->kind == PROMOTIONS || span->kind == PROMOTION_STEPS ? 4 * targets : targets;
}

static inline int count_moves(const Spans *list)
{
    int count = 0;
    for (int i = 0; i < list->length; i++) {
        count += count_span(&list->spans[i]);
    }
    return count;
}

/* Writes the moves of one span, at most MAX_SPAN_MOVES, or of all, as many as count_moves() says. Return the end. */
Move *write_span(const Span *span, Move *out);
Move *write_moves(const Spans *list, Move *out);

/* play.c */
typedef struct {
    Square king, rook;
    Square king_to, rook_to;
} Castling;

Bitboard explosion_mask(const Position *position, Square from, Square to);
bool castling_squares(const Position *position, Square from, Square to, Castling *out);
void make_move(Position *position, Move move);
Bitboard check_mask(const Position *position, int color);
bool has_insufficient_material(const Position *position, int color);

static inline bool is_variant_end(const Position *position)
{
    return !(position->kings & position->occupied_co[WHITE]) || !(position->kings & position->occupied_co[BLACK]);
}

/* --- Attacks on kings ----------------------------------------------------- */

/* As rules.attackers_of_king: kings are no attackers, because they never capture. */
static inline Bitboard attackers_of_king(
    const Position *position, int color, Square square, Bitboard attackers, Bitboard blockers)
{
    Bitboard found =
        (KNIGHT_ATTACKS[square] & position->knights) | (PAWN_ATTACKS[color][square] & position->pawns);
    Bitboard straight = (position->rooks | position->queens) & attackers;
    if (ROOK_RAYS[square] & straight) {
        found |= straight & rook_attacks(square, blockers);
    }
    Bitboard diagonal = (position->bishops | position->queens) & attackers;
    if (BISHOP_RAYS[square] & diagonal) {
        found |= diagonal & bishop_attacks(square, blockers);
    }
    return found & attackers;
}

/* As rules.attacked_for_king, for the side to move. */
static inline bool is_attacked_for_king(const Position *position, Bitboard path, Bitboard blockers)
{
    if (!position->rules.has_checks) {
        return false;
    }
    Bitboard enemy = position->occupied_co[!position->turn];
    Bitboard enemy_king = position->kings & enemy;
    if (position->rules.touching_kings_immune && enemy_king) {
        path &= ~KING_ATTACKS[msb(enemy_king)];
    }
    while (path) {
        if (attackers_of_king(position, position->turn, pop_msb(&path), enemy, blockers)) {
            return true;
        }
    }
    return false;
}

#endif
