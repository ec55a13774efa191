/* Writing the moves of games that have been read. */

#ifndef ATOMIC_VARIANT_MOVETEXT_H
#define ATOMIC_VARIANT_MOVETEXT_H

#include "games.h"

typedef enum { WRITTEN, FOR_PYTHON, NO_ROOM } Writing;

/*
 * The moves of a game, all of whose events have been kept, with signs and comments, as chess.pgn.StringExporter
 * writes them on one line, without the result. FOR_PYTHON if there are variations, or comments of which
 * Python knows what becomes of their blanks and line ends. *out* is to be freed.
 */
Writing write_movetext(const Games *games, const Game *game, const Start *start, const char *text, char **out, size_t *length);

#endif
