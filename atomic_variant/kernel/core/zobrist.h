/* Keys of positions, as Polyglot's books have them. */

#ifndef ATOMIC_VARIANT_ZOBRIST_H
#define ATOMIC_VARIANT_ZOBRIST_H

#include "position.h"

#define ZOBRIST_NUMBERS 781

/* As chess.polyglot.zobrist_hash, by its table of numbers. The castling rights must be clean. */
uint64_t zobrist_key(const Position *position, const uint64_t numbers[ZOBRIST_NUMBERS]);

#endif
