/* How games end by the rules. */

#ifndef ATOMIC_VARIANT_ENDINGS_H
#define ATOMIC_VARIANT_ENDINGS_H

#include "games.h"

/*
 * Sets how a game that has been read ended, in the order of chess.Board.outcome;
 * *halfmove_clock* is that of its last position.
 */
void find_ending(const Games *games, Game *game, const Start *start, uint32_t halfmove_clock);

#endif
