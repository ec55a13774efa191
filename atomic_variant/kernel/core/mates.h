/* Winning at once, and the moves that may give check. */

#ifndef ATOMIC_VARIANT_MATES_H
#define ATOMIC_VARIANT_MATES_H

#include "position.h"

typedef struct Solver Solver;

/* The enemy king, and which moves may attack it. */
typedef struct {
    Bitboard knight, bishop, rook, pawn; /* Where such a man gives check, if it captures nothing. */
    Bitboard discoverers;                /* Men that block the only line of a slider. */
    Bitboard captures;                   /* Capture squares whose blast may open a line, not that of the own king. */
    Bitboard hidden;                     /* Those next to the own king. */
    Bitboard lines;                      /* What lies between the king and sliders that look its way. */
} Checks;

/* The checks that the side to move may give. It attacks the enemy king not yet, and does not touch it. */
Checks find_checks(const Position *position);

/*
 * All pseudo-legal moves that give check, and some more. None explodes a king. Castling is listed where
 * it is legal.
 */
void list_checks(const Position *position, const Checks *checks, Spans *out);

/* Whether castling may give check, now or with other men out of its way. */
bool castling_may_check(const Position *position, const Checks *checks);

/*
 * Whether the side to move can explode the enemy king. Such a move is legal
 * whatever it leaves behind, if only the own king is out of the blast.
 */
bool can_explode_king(const Position *position);

/* Whether a move mates, or takes all moves from the opponent where that wins. No move may explode the king. */
bool can_end_the_game(Solver *solver, const Position *position);

/* A legal move of *position*, which came from *move*; NULL_MOVE if there is none. */
Move find_parry(Solver *solver, const Position *position, Move move);

/* What the slider *piece* attacks from *square*. */
static inline Bitboard slider_attacks(const Position *position, Bitboard piece, Square square, Bitboard all)
{
    Bitboard attacks = BB_EMPTY;
    if (piece & ~position->rooks) {
        attacks |= bishop_attacks(square, all);
    }
    if (piece & ~position->bishops) {
        attacks |= rook_attacks(square, all);
    }
    return attacks;
}

#endif
