/* Counting the leaves of the tree of legal moves. */

#ifndef ATOMIC_VARIANT_PERFT_H
#define ATOMIC_VARIANT_PERFT_H

#include "position.h"

/* The stack of a thread may be small; a frame takes some two kilobytes. */
#define MAX_PERFT_DEPTH 64

typedef struct {
    uint64_t until_poll;
    bool (*poll)(void *context); /* Whether to stop. Called now and then. */
    void *context;
    bool stopped;
} Interrupt;

/* As perft.perft, for depths from 1 to MAX_PERFT_DEPTH. What it returns once *interrupt* stopped means nothing. */
uint64_t perft(const Position *position, int depth, Interrupt *interrupt);

#endif
