/*
 * Moves that threaten nothing, refuted all at once.
 *
 * With two moves to win in, most first moves threaten nothing that was not threatened before, and then any quiet
 * reply refutes them that does not itself open the way for an attack. Such a reply is made once, as
 * if the attacker had passed; if he cannot win at once then, masks say which of his moves could change that:
 * those that open a line, attack something new, or hinder the reply. All others are refuted by it.
 */

#ifndef ATOMIC_VARIANT_IDLE_H
#define ATOMIC_VARIANT_IDLE_H

#include "tactics.h"

#define MAX_STANDING_CHECKS 8

/* What a position asks of a move that is not to be idle. */
typedef struct {
    Position after;                      /* The reply is made, and the attacker to move. */
    Bitboard openers;                    /* Men of the attacker that may open a line or make room when they go. */
    Bitboard hindering;                  /* Where a man would hinder the reply. */
    Bitboard replier;                    /* Where the reply comes from and goes to. */
    Bitboard knight, bishop, rook, pawn; /* What such a man threatens if it attacks it next. */
    Bitboard step;                       /* What a pawn threatens by stepping there next. */
    Bitboard straight, diagonal;         /* Lines of the defender's king, if it can be in check. */
    int length;
    Move checks[MAX_STANDING_CHECKS];  /* Those that can be given without a move before. */
    Move parries[MAX_STANDING_CHECKS]; /* A reply to each. */
} Idleness;

/* Whether *reply*, which is pseudo-legal, is of the kind that find_idle() takes. */
static inline bool is_quiet_reply(const Position *position, Move reply)
{
    return !MOVE_PROMOTION(reply) && !(BB(MOVE_TO(reply)) & occupied(position));
}

/*
 * Finds what moves must do lest *reply* refutes them, where the side to move has two moves to win in, and does
 * not win with the first. False if *reply* is not possible, or no help.
 */
bool find_idle(Solver *solver, const Position *position, Move reply, Idleness *out);

/* Whether the reply of *idleness* refutes the legal move *move*; false also if that is not seen at once. */
bool is_refuted(Solver *solver, const Idleness *idleness, const Position *position, Move move);

/* Those of the targets of *span*, of legal moves, to which the move is idle. */
Bitboard idle_targets(const Idleness *idleness, const Position *position, const Span *span);

#endif
