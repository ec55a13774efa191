/* Forced wins, proved by searching every move of both sides. */

#ifndef ATOMIC_VARIANT_TACTICS_H
#define ATOMIC_VARIANT_TACTICS_H

#include "mates.h"
#include "perft.h"
#include "position.h"

/* The most moves that a win may take: two frames each, of some two kilobytes, on the stack of a thread. */
#define MAX_WIN_MOVES 50

/* How many replies are tried on all moves at once. */
#define QUIET_REPLIES 2

/* A position and what was proved of it. Positions are compared whole, so no answer can be another position's. */
typedef struct {
    Bitboard words[5];
    int8_t turn, ep_square;
    uint8_t wins, wins_not;   /* The side to move wins within so many moves; does not within so many. */
    uint8_t loses, loses_not; /* The side that is not to move wins so. */
} Proof;

typedef enum { RUNNING, OUT_OF_NODES, INTERRUPTED } SolverState;

struct Solver {
    bool stalemate_loses; /* Whether a player without a legal move loses even if not in check. */
    uint64_t nodes, node_limit;
    Interrupt *interrupt;
    SolverState state;
    Proof *proofs; /* NULL, or a table of proof_mask + 1 entries, at first zero. */
    uint64_t proof_mask;
    /* By the moves left: the reply that refuted most lately, and that by the move it answered; the latest winning move. */
    Move refutations[MAX_WIN_MOVES + 1][2];
    Move winners[MAX_WIN_MOVES + 1];
    Move answers[2][64 * 64];
    Move parries[64 * 64]; /* What was found to be legal after a move that might have ended the game. */
    Move quiet[2][QUIET_REPLIES]; /* By whose win they refuted last, with one move left: for find_idle(). */
};

/*
 * Whether the side to move wins within *moves* of its own moves, from 1 to
 * MAX_WIN_MOVES, whatever the other side does: by exploding the king, by mate,
 * or by stalemate where that loses. Neither the repetition of positions nor
 * moves without progress count. What this and the others return means nothing
 * once solver->state is no longer RUNNING.
 */
bool wins_within(Solver *solver, const Position *position, int moves);

/* Whether the side to move loses so within *moves* moves of the other side; 0 if it has lost already. */
bool loses_within(Solver *solver, const Position *position, int moves);

/* The fewest moves that the side to move wins in, up to *moves*, or 0. */
int find_win(Solver *solver, const Position *position, int moves);

/*
 * The line of a win that takes exactly *moves* moves: always the first move in
 * the order of the legal moves that wins as soon as can be, and the first reply that
 * holds out as long as can be. Writes 2 * moves - 1 moves.
 */
void win_line(Solver *solver, const Position *position, int moves, Move *out);

#endif
