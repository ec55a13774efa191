/*
 * Games in PGN, as long as nothing about them is unusual.
 *
 * The Python modules atomic_variant.pgn._splitter and ._parser say what a game is,
 * where it ends and what is wrong with it. Here are read only games on which
 * there can be no two opinions: headers, a blank line, moves that can all be
 * played, a blank line. Whatever else comes is left to Python, from the first
 * byte of the game in question.
 */

#ifndef ATOMIC_VARIANT_PGN_H
#define ATOMIC_VARIANT_PGN_H

#include <stddef.h>

#include "position.h"

/* A piece of the text. */
typedef struct {
    uint32_t start, length;
} Slice;

typedef struct {
    Slice name, value;
} Header;

typedef enum { EVENT_NONE, EVENT_MOVE, EVENT_COMMENT, EVENT_SIGN, EVENT_OPEN, EVENT_CLOSE } EventKind;

/* What stands in the moves, in its order. */
typedef struct {
    EventKind kind;
    uint32_t value; /* A move; the number of a sign; the ply after which a comment stands. */
    Slice text;     /* Of a comment. */
} Event;

typedef enum { NO_RESULT, WHITE_WINS, BLACK_WINS, DRAW, UNKNOWN_RESULT } Result; /* UNKNOWN_RESULT is "*". */

typedef enum {
    GOES_ON,
    EXPLOSION,
    CHECKMATE,
    INSUFFICIENT_MATERIAL,
    STALEMATE,
    REPEATED,    /* Goes on, unless the game was drawn: then by claim, a position stands for the third time. */
    CLAIMABLE,   /* Goes on, unless the game was drawn: then perhaps by claim. Python knows. */
    OTHER_ENDING /* Perhaps: by the number of moves or by repetition. Python knows. */
} Ending;

typedef struct {
    uint32_t line;         /* From 0 at the start of the text. */
    uint32_t first_header, header_count;
    uint32_t first_move, move_count;
    uint32_t first_event, event_count;
    uint32_t start;        /* The number of the starting position. */
    uint8_t result;        /* By the Result header, or else after the moves. */
    uint8_t marker;        /* After the moves. */
    uint8_t ending;
    uint8_t king;          /* The square of the king that exploded. */
    uint8_t turn;          /* Who is to move at the end. */
} Game;

/* A starting position: what the headers that tell it make of the board. */
typedef struct {
    Position position;
    uint32_t halfmove_clock;
    int64_t ply; /* As chess.Board.ply. */
} Start;

typedef enum {
    FOUND_START,
    UNUSUAL_START, /* Another variant, or something wrong: the game is left to Python. */
    FAILED_START   /* An exception. */
} StartStatus;

/*
 * Asks for the starting position of a game. Gets the values of the headers
 * Variant, FEN, Event and Site, at 0 where there are none.
 */
typedef StartStatus (*FindStart)(void *context, const char *text, const Slice values[4], uint32_t *number, Start *out);

/* The main line or a variation. */
typedef struct {
    Position before, now; /* Before the last move, and after it. */
    bool has_moves;
} Line;

typedef struct {
    /* Beyond these a game is left to Python, which says what it makes of the rest. */
    size_t max_size;  /* Of a game, in bytes: at most as many characters as Python reads of one. */
    size_t max_depth; /* Of variations. */

    Game *games;
    size_t game_count, game_room;
    Header *headers;
    size_t header_count, header_room;
    Move *moves;
    size_t move_count, move_room;
    Event *events;
    size_t event_count, event_room;
    Bitboard *occupied; /* After every ply of the game being read. */
    size_t occupied_room;
    Line *lines; /* That is being read, and the lines around it. */
    size_t line_room;
    bool keep_comments; /* All of the main line, as events; if not, those after its last move. */
    bool keep_events;   /* All of them. */
} Games;

typedef enum {
    STOPPED_AT_LIMIT, /* Enough games. */
    STOPPED_AT_END,   /* All that is complete, or begins before *until*, has been read. */
    STOPPED_UNUSUAL,  /* The next game is one for Python. */
    STOPPED_NO_MEMORY,
    STOPPED_FAILED    /* find_start failed. */
} Stop;

/*
 * Reads games from *text*, which begins where a game may begin, up to *limit*,
 * and none that begins at *until* or later. Sets *position* and *line* to where
 * it stopped, between two games. *is_all* says that no text follows.
 */
Stop read_games(Games *games, const char *text, size_t length, bool is_all, size_t limit, size_t until,
    FindStart find_start, void *context, size_t *position, uint32_t *line);

void clear_games(Games *games);

#endif
