/* Standard algebraic notation. */

#ifndef ATOMIC_VARIANT_SAN_H
#define ATOMIC_VARIANT_SAN_H

#include <stddef.h>

#include "position.h"

typedef enum {
    SAN_INVALID,
    SAN_MOVE,        /* Of a piece to a square. */
    SAN_COORDINATES, /* Both squares, no piece. */
    SAN_KINGSIDE,
    SAN_QUEENSIDE,
    SAN_NULL
} SanKind;

typedef struct {
    SanKind kind;
    int piece_type;
    int file, rank; /* Of the origin, -1 where not given. */
    Square to;
    int promotion; /* Piece type or 0. */
} San;

/* Reads a whole text as python-chess does (chess.SAN_REGEX, and castling and null moves before it). */
void read_san(const char *text, size_t length, San *out);

/* Finds the one legal move that *san* means. Returns how many there are, up to 2; castling with two rooks is 1. */
int resolve_san(const Position *position, const San *san, Move *out);

#define SAN_SIZE 16

/*
 * Writes a pseudo-legal move as AtomicBoard.san does, where no rule but a lost king ends the game, and makes it.
 * Returns the end, or NULL if it is for Python: no legal move, or one that python-chess writes otherwise.
 */
char *write_san(const Position *position, Move move, char *out, Position *after);

#endif
