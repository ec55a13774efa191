/* Many positions at once: columns of numbers, as atomic_variant.positions keeps them. */

#ifndef ATOMIC_VARIANT_BATCH_H
#define ATOMIC_VARIANT_BATCH_H

#include <stddef.h>

#include "perft.h"
#include "position.h"

/* The columns, each with a row for each position. They may hold anything. */
typedef struct {
    size_t count;
    Rules rules;
    bool chess960;
    Bitboard *bitboards;       /* Eight a row: pawns to kings, Black, White. */
    uint8_t *turns;            /* 1 where White is to move. */
    Bitboard *castling_rights;
    int8_t *ep_squares;        /* -1 if there is none. */
    int32_t *halfmove_clocks;  /* These two are NULL where they are not asked for. */
    int32_t *plies;
} Batch;

/*
 * Reads a row. False if it is no position for the kernel: if kinds or sides
 * overlap, a side has several kings, or the en passant square is on another rank
 * than the third and the sixth.
 */
bool load_position(const Batch *batch, size_t row, Position *out);
void store_position(const Batch *batch, size_t row, const Position *position);

/* How games end by themselves. */
typedef struct {
    bool is_claimed;      /* Only bare kings draw; repetitions and moves without progress must be claimed. */
    bool stalemate_loses;
} EndRules;

/* As positions.KINDS. */
typedef enum {
    KIND_NONE,
    KIND_EXPLOSION,
    KIND_CHECKMATE = 3,
    KIND_STALEMATE = 4,
    KIND_INSUFFICIENT_MATERIAL = 5,
    KIND_REPETITION = 6,
    KIND_SEVENTYFIVE_MOVES = 8,
    KIND_VARIANT_RULE = 11
} Kind;

/*
 * How the game ended in a position, apart from repetition; *result* is that of
 * the side to move: 1, 0 or -1. As chess.Board.outcome without claims.
 */
Kind find_kind(const Position *position, EndRules rules, int32_t halfmove_clock, bool has_moves, int *result);

/* Makes a pseudo-legal move or a null move in all that a row holds. */
void play_move(Position *position, Move move, int32_t *halfmove_clock, int32_t *ply);

/*
 * Answers for all positions: *out* has a row for each. They stop and return false where load_position() does.
 */
bool count_all_moves(const Batch *batch, int32_t *out);
/* False too if *offsets*, which end at *total*, are not theirs. */
bool list_all_moves(const Batch *batch, const int64_t *offsets, int64_t total, Move *out);
bool mask_all_moves(const Batch *batch, Bitboard *out); /* 64 a row: the targets from each square. */
bool count_all_explosions(const Batch *batch, int32_t *out);
bool find_all_checks(const Batch *batch, uint8_t *out);
bool find_all_touching(const Batch *batch, uint8_t *out);
bool find_all_keys(const Batch *batch, const uint64_t *numbers, uint64_t *out); /* See zobrist.h. */
bool find_all_kinds(const Batch *batch, EndRules rules, uint8_t *kinds, float *results);
bool count_all_leaves(const Batch *batch, int depth, Interrupt *interrupt, uint64_t *out);

/* Whether all rows are positions for the kernel. */
bool are_positions(const Batch *batch);

/* Makes one move in each position. Returns the first row whose move is illegal, or the number of rows. */
size_t play_all(const Batch *batch, const Move *moves);

/*
 * Plays games, the moves of game *i* from offsets[i] on, and writes the
 * positions before the moves *rows*, in their order, to *out*. False if the
 * numbers do not fit together.
 */
bool replay_games(const Batch *starts, const Move *moves, size_t move_count, const int64_t *offsets, const int64_t *rows,
    const Batch *out);

/* Plays random moves to the end of each game, or *limit* of them; the result is NaN if it goes on then. */
bool play_out(const Batch *batch, EndRules rules, uint64_t seed, int limit, Interrupt *interrupt, float *results,
    int32_t *lengths);

#endif
