#include "games.h"

#include <stdlib.h>
#include <string.h>

#include "endings.h"
#include "san.h"
#include "tokens.h"

/* Beyond these Python decides. */
#define MAX_HEADERS 100

/* --- Growing arrays ------------------------------------------------------- */

/* Makes room for one more item. *array* is the address of a pointer to items, which is copied as bytes. */
static bool grow(void *array, size_t *room, size_t count, size_t size)
{
    if (count < *room) {
        return true;
    }
    void *items;
    memcpy(&items, array, sizeof(items));
    size_t more = *room ? 2 * *room : 256;
    items = more < SIZE_MAX / size ? realloc(items, more * size) : NULL;
    if (!items) {
        return false; /* The old items are still there. */
    }
    memcpy(array, &items, sizeof(items));
    *room = more;
    return true;
}

#define GROW(array, count, room) grow(&(array), &(room), (count), sizeof(*(array)))

void clear_games(Games *games)
{
    free(games->games);
    free(games->headers);
    free(games->moves);
    free(games->events);
    free(games->occupied);
    free(games->lines);
    memset(games, 0, sizeof(*games));
}

/* --- Headers -------------------------------------------------------------- */

static Status read_headers(Reader *reader, Games *games, Game *game)
{
    game->first_header = (uint32_t)games->header_count;
    game->header_count = 0;
    while (!at_end(reader) && peek(reader) == '[') {
        if (game->header_count >= MAX_HEADERS || reader->position > reader->limit) {
            return UNUSUAL;
        }
        if (!GROW(games->headers, games->header_count, games->header_room)) {
            return NO_MEMORY;
        }
        Header *header = &games->headers[games->header_count];
        Status status = read_header(reader, header);
        if (status != OK) {
            return status;
        }
        /* A name that comes again may begin another game. */
        for (uint32_t i = 0; i < game->header_count; i++) {
            if (slices_equal(reader->text, games->headers[game->first_header + i].name, header->name)) {
                return UNUSUAL;
            }
        }
        games->header_count++;
        game->header_count++;
    }
    if (at_end(reader)) {
        return reader->is_all ? UNUSUAL : CUT; /* A game without moves. */
    }
    Status status = end_line(reader);
    return !game->header_count ? UNUSUAL : status;
}

/* The value of a header, at 0 where there is none. */
static Slice find_header(const char *text, const Games *games, const Game *game, const char *name)
{
    for (uint32_t i = 0; i < game->header_count; i++) {
        const Header *header = &games->headers[game->first_header + i];
        if (slice_equals(text, header->name, name)) {
            return header->value;
        }
    }
    return (Slice){0, 0};
}

/* --- Moves ---------------------------------------------------------------- */

typedef struct {
    size_t depth; /* Of the variation being read, among the lines of the games. */
    uint32_t halfmove_clock; /* Of the main line. */
    int64_t shifts[2]; /* By how many plies a move number may be ahead of the moves; as in _parser.py. */
} Play;

/* Whether a sign of check or mate after the move that led to *now* may be false. */
static bool is_doubtful(const Position *now, char sign)
{
    if ((sign != '+' && sign != '#') || is_variant_end(now)) {
        return false;
    }
    const bool check = check_mask(now, now->turn);
    return sign == '+' ? now->rules.has_checks && !check : !check || has_legal_moves(now);
}

static Status play_word(const char *text, Slice word, Games *games, Game *game, Play *play, uint32_t *out)
{
    San san;
    Move move;
    Line *line = &games->lines[play->depth];
    read_san(text + word.start, word.length, &san);
    if (san.kind == SAN_NULL || resolve_san(&line->now, &san, &move) != 1) {
        return UNUSUAL;
    }
    line->before = line->now;
    line->has_moves = true;
    make_move(&line->now, move);
    *out = move;
    if (play->depth) {
        return OK;
    }
    if (is_doubtful(&line->now, text[word.start + word.length - 1])) {
        return UNUSUAL;
    }
    if (!GROW(games->moves, games->move_count, games->move_room)
        || !GROW(games->occupied, game->move_count, games->occupied_room)) {
        return NO_MEMORY;
    }
    games->moves[games->move_count++] = move;
    games->occupied[game->move_count++] = occupied(&line->now);
    const int enemy = line->now.turn;
    const bool captures = line->now.occupied_co[enemy] != line->before.occupied_co[enemy];
    play->halfmove_clock = captures || line->before.pawns & BB(MOVE_FROM(move)) ? 0 : play->halfmove_clock + 1;
    return OK;
}

/* Keeps what was asked for beside the moves of the main line. */
static Status keep_event(Games *games, Game *game, const Play *play, const Event *event)
{
    if (!games->keep_events && (play->depth || event->kind != EVENT_COMMENT)) {
        if (!games->keep_comments && !play->depth && event->kind == EVENT_MOVE) {
            /* Only comments after the last move are wanted, and this is later than those so far. */
            games->event_count = game->first_event;
            game->event_count = 0;
        }
        return OK;
    }
    if (!GROW(games->events, games->event_count, games->event_room)) {
        return NO_MEMORY;
    }
    Event *kept = &games->events[games->event_count++];
    *kept = *event;
    if (event->kind == EVENT_COMMENT) {
        kept->value = game->move_count;
    }
    game->event_count++;
    return OK;
}

/* Whether there is a header at the start of this line. */
static Status see_header(const Reader *reader)
{
    Reader ahead = *reader;
    Header header;
    return read_header(&ahead, &header);
}

/* After the blank line that ends the moves: a header of the next game, or nothing more. */
static Status end_game(Reader *reader)
{
    for (;;) {
        skip_spaces(reader);
        if (at_end(reader)) {
            return ended(reader);
        }
        if (peek(reader) == '[') {
            return see_header(reader);
        }
        Status status = end_line(reader);
        if (status != OK) {
            return status;
        }
    }
}

/* From the first line of moves to the start of the next game. */
static Status read_moves(Reader *reader, Games *games, Game *game, Play *play)
{
    game->first_move = (uint32_t)games->move_count;
    game->move_count = 0;
    game->first_event = (uint32_t)games->event_count;
    game->event_count = 0;
    game->marker = NO_RESULT;
    bool at_line_start = true;
    bool is_empty = true;
    bool after_number = false;
    for (;;) {
        skip_spaces(reader);
        if (reader->position > reader->limit) {
            return UNUSUAL;
        }
        if (at_end(reader)) {
            if (!reader->is_all) {
                return CUT;
            }
            break;
        }
        char c = peek(reader);
        Status status = OK;
        if (c == '\n' || c == '\r') {
            status = end_line(reader);
            if (status != OK) {
                return status;
            }
            if (at_line_start) {
                if (is_empty) {
                    return UNUSUAL;
                }
                status = end_game(reader);
                if (status != OK) {
                    return status;
                }
                break;
            }
            at_line_start = true;
            continue;
        }
        if (game->marker != NO_RESULT || (at_line_start && (c == '[' || c == '%'))) {
            return UNUSUAL;
        }
        at_line_start = false;
        is_empty = false;
        Event event = {EVENT_NONE, 0, {0, 0}};
        bool is_number = false;
        if (c == '{') {
            event.kind = EVENT_COMMENT;
            status = read_comment(reader, &event.text);
        } else if (c == '(') {
            if (!games->lines[play->depth].has_moves || play->depth >= games->max_depth) {
                return UNUSUAL;
            }
            if (!GROW(games->lines, play->depth + 1, games->line_room)) {
                return NO_MEMORY;
            }
            games->lines[play->depth + 1].now = games->lines[play->depth].before;
            games->lines[play->depth + 1].has_moves = false;
            play->depth++;
            reader->position++;
            event.kind = EVENT_OPEN;
        } else if (c == ')') {
            if (!play->depth) {
                return UNUSUAL;
            }
            play->depth--;
            reader->position++;
            event.kind = EVENT_CLOSE;
        } else if (c == '$' || c == '!' || c == '?') {
            event.kind = EVENT_SIGN;
            status = read_sign(reader, &event.value);
        } else {
            Slice word;
            size_t start = reader->position;
            int64_t ply;
            if (!after_number && skip_number(reader, &ply) && !play->depth) {
                ply -= game->move_count;
                if (ply != play->shifts[0] && ply != play->shifts[1]) {
                    return UNUSUAL;
                }
                play->shifts[0] = play->shifts[1] = ply;
            }
            status = read_word(reader, &word);
            if (status == OK && !word.length) {
                /* A number belongs to what comes next, or this is a stray sign. */
                is_number = reader->position > start;
                status = is_number ? OK : UNUSUAL;
            } else if (status == OK) {
                Result result = reader->position - start == word.length ? result_of(reader->text, word) : NO_RESULT;
                if (result != NO_RESULT && !play->depth) {
                    game->marker = (uint8_t)result;
                } else {
                    event.kind = EVENT_MOVE;
                    status = play_word(reader->text, word, games, game, play, &event.value);
                }
            }
        }
        after_number = is_number;
        if (status == OK && event.kind != EVENT_NONE) {
            status = keep_event(games, game, play, &event);
        }
        if (status != OK) {
            return status;
        }
    }
    return play->depth || (!game->move_count && game->marker == NO_RESULT) ? UNUSUAL : OK;
}

/* --- Games ---------------------------------------------------------------- */

/* Takes the result from the header and after the moves. What is written otherwise, or differs, is for Python. */
static Status find_result(const char *text, const Games *games, Game *game)
{
    Result given = UNKNOWN_RESULT;
    for (uint32_t i = 0; i < game->header_count; i++) {
        const Header *header = &games->headers[game->first_header + i];
        if (slice_equals(text, header->name, "Result")) {
            given = result_of(text, header->value);
        }
    }
    const Result marker = game->marker == NO_RESULT ? UNKNOWN_RESULT : (Result)game->marker;
    if (given == NO_RESULT || (given != marker && given != UNKNOWN_RESULT && marker != UNKNOWN_RESULT)) {
        return UNUSUAL;
    }
    game->result = (uint8_t)(given == UNKNOWN_RESULT ? marker : given);
    return OK;
}

static Status read_one(Reader *reader, Games *games, Game *game, Play *play, FindStart find_start, void *context)
{
    game->line = reader->line;
    Status status = read_headers(reader, games, game);
    if (status != OK) {
        return status;
    }
    const Slice values[4] = {
        find_header(reader->text, games, game, "Variant"),
        find_header(reader->text, games, game, "FEN"),
        find_header(reader->text, games, game, "Event"),
        find_header(reader->text, games, game, "Site"),
    };
    Start start;
    switch (find_start(context, reader->text, values, &game->start, &start)) {
    case FOUND_START:
        break;
    case UNUSUAL_START:
        return UNUSUAL;
    default:
        return FAILED;
    }
    if (!GROW(games->lines, 0, games->line_room)) {
        return NO_MEMORY;
    }
    play->depth = 0;
    play->halfmove_clock = start.halfmove_clock;
    play->shifts[0] = start.ply;
    play->shifts[1] = !start.position.turn;
    games->lines[0].now = start.position;
    games->lines[0].has_moves = false;
    status = read_moves(reader, games, game, play);
    if (status == OK) {
        status = find_result(reader->text, games, game);
    }
    if (status == OK) {
        find_ending(games, game, &start, play->halfmove_clock);
    }
    return status;
}

Stop read_games(Games *games, const char *text, size_t length, bool is_all, size_t limit, size_t until,
    FindStart find_start, void *context, size_t *position, uint32_t *line)
{
    Reader reader = {text, length, *position, 0, *line, is_all};
    Play play;
    if (length >= UINT32_MAX) {
        return STOPPED_NO_MEMORY;
    }
    while (games->game_count < limit) {
        Status status;
        for (;;) { /* Blank lines before a game belong to none. */
            *position = reader.position;
            *line = reader.line;
            skip_spaces(&reader);
            if (at_end(&reader)) {
                *position = is_all ? reader.position : *position;
                return STOPPED_AT_END;
            }
            if (peek(&reader) == '[') {
                if (*position >= until) {
                    return STOPPED_AT_END;
                }
                break;
            }
            status = end_line(&reader);
            if (status != OK) {
                return status == CUT ? STOPPED_AT_END : STOPPED_UNUSUAL;
            }
        }
        if (reader.position != *position) {
            return STOPPED_UNUSUAL; /* An indented header. */
        }

        if (!GROW(games->games, games->game_count, games->game_room)) {
            return STOPPED_NO_MEMORY;
        }
        const size_t header_count = games->header_count;
        const size_t move_count = games->move_count;
        const size_t event_count = games->event_count;
        reader.limit = reader.position + games->max_size;
        status = read_one(&reader, games, &games->games[games->game_count], &play, find_start, context);
        if (status == OK) {
            games->game_count++;
            continue;
        }
        games->header_count = header_count;
        games->move_count = move_count;
        games->event_count = event_count;
        switch (status) {
        case CUT:
            return reader.position > reader.limit ? STOPPED_UNUSUAL : STOPPED_AT_END;
        case UNUSUAL:
            return STOPPED_UNUSUAL;
        case NO_MEMORY:
            return STOPPED_NO_MEMORY;
        default:
            return STOPPED_FAILED;
        }
    }
    *position = reader.position;
    *line = reader.line;
    return STOPPED_AT_LIMIT;
}
