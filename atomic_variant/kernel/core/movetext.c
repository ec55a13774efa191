#include "movetext.h"

#include <stdlib.h>
#include <string.h>

#include "san.h"

#define NUMBER_SIZE 16 /* Of a move, with dots and a blank. */
#define SIGN_SIZE 5
#define BRACES_SIZE 6
#define MAX_SIGNS 256

/* Room enough for all events, 0 if there is a variation. */
static size_t measure(const Games *games, const Game *game)
{
    size_t size = 1;
    for (uint32_t i = 0; i < game->event_count; i++) {
        const Event *event = &games->events[game->first_event + i];
        switch (event->kind) {
        case EVENT_MOVE:
            size += NUMBER_SIZE + SAN_SIZE + 1;
            break;
        case EVENT_SIGN:
            size += SIGN_SIZE;
            break;
        case EVENT_COMMENT:
            size += event->text.length + BRACES_SIZE + 1;
            break;
        default:
            return 0;
        }
    }
    return size;
}

static bool is_blank(char c)
{
    return c == ' ' || ('\t' <= c && c <= '\r') || ('\x1c' <= c && c <= '\x1f');
}

/* Whether the character at *text* begins as the blanks of Unicode that take two or three bytes do. */
static bool may_be_blank(const char *text)
{
    return memcmp(text, "\xc2", 1) == 0 || memcmp(text, "\xe1\x9a", 2) == 0 || memcmp(text, "\xe2\x80", 2) == 0
        || memcmp(text, "\xe2\x81", 2) == 0 || memcmp(text, "\xe3\x80", 2) == 0;
}

/* Takes the blanks away at both ends of the text between *start* and *end*. Returns the end, NULL for Python. */
static char *strip(char *start, char *end)
{
    const char *first = start;
    while (first < end && is_blank(*first)) {
        first++;
    }
    while (end > first && is_blank(end[-1])) {
        end--;
    }
    const size_t length = (size_t)(end - first);
    if ((length > 1 && (may_be_blank(first) || may_be_blank(end - 2))) || (length > 2 && may_be_blank(end - 3))) {
        return NULL;
    }
    memmove(start, first, length);
    return start + length;
}

/* Whether a line within a comment could be taken for more than a comment: see pgn.game.Game.accept. */
static bool begins_anew(const char *text, const char *end)
{
    while ((text = memchr(text, '\n', (size_t)(end - text)))) {
        text++;
        while (text < end && (*text == ' ' || *text == '\t')) {
            text++;
        }
        if (text < end && (*text == '\n' || *text == '[' || *text == '%')) {
            return true;
        }
    }
    return false;
}

/* The comments from the event *i* on in one pair of braces; nothing if they are empty. */
static char *write_comments(const Games *games, const char *text, uint32_t *i, uint32_t end, char *out)
{
    char *const start = out;
    memcpy(out, "{ ", 2);
    char *const content = out += 2;
    for (; *i < end && games->events[*i].kind == EVENT_COMMENT; ++*i) {
        const Slice comment = games->events[*i].text;
        if (comment.length && out > content) {
            *out++ = ' ';
        }
        memcpy(out, text + comment.start, comment.length);
        out += comment.length;
    }
    if (out == content) {
        return start;
    }
    out = begins_anew(content, out) ? NULL : strip(content, out);
    if (!out) {
        return NULL;
    }
    memcpy(out, " } ", 3);
    return out + 3;
}

/* In decimal digits. */
static char *write_number(char *out, unsigned int number)
{
    char digits[NUMBER_SIZE];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    while (count) {
        *out++ = digits[--count];
    }
    return out;
}

/* The signs from the event *i* on, each once, in their order. */
static char *write_signs(const Games *games, uint32_t *i, uint32_t end, char *out)
{
    bool signs[MAX_SIGNS] = {false};
    uint32_t last = 0;
    for (; *i < end && games->events[*i].kind == EVENT_SIGN; ++*i) {
        const uint32_t sign = games->events[*i].value % MAX_SIGNS;
        signs[sign] = true;
        last = sign > last ? sign : last;
    }
    for (uint32_t sign = 0; sign <= last; sign++) {
        if (signs[sign]) {
            *out++ = '$';
            out = write_number(out, sign);
            *out++ = ' ';
        }
    }
    return out;
}

static char *write_events(const Games *games, const Game *game, const Start *start, const char *text, char *out)
{
    Position position = start->position, after;
    unsigned int number = (unsigned int)(start->ply / 2 + 1);
    bool needs_number = true;
    uint32_t i = game->first_event;
    const uint32_t end = i + game->event_count;
    while (i < end) {
        const Event *event = &games->events[i];
        const char *before = out;
        switch (event->kind) {
        case EVENT_MOVE:
            if (position.turn == WHITE || needs_number) {
                out = write_number(out, number);
                const char *dots = position.turn == WHITE ? ". " : "... ";
                const size_t size = strlen(dots);
                memcpy(out, dots, size);
                out += size;
            }
            number += position.turn == BLACK;
            out = write_san(&position, (Move)event->value, out, &after);
            if (!out) {
                return NULL;
            }
            *out++ = ' ';
            position = after;
            needs_number = false;
            i++;
            break;
        case EVENT_SIGN:
            if (i == game->first_event || games->events[i - 1].kind == EVENT_COMMENT) {
                return NULL; /* Of no move, or written before the comment. */
            }
            out = write_signs(games, &i, end, out);
            break;
        default:
            out = write_comments(games, text, &i, end, out);
            if (!out) {
                return NULL;
            }
            needs_number = needs_number || out > before;
        }
    }
    return out;
}

Writing write_movetext(
    const Games *games, const Game *game, const Start *start, const char *text, char **out, size_t *length)
{
    const size_t size = measure(games, game);
    if (!size) {
        return FOR_PYTHON;
    }
    *out = malloc(size);
    if (!*out) {
        return NO_ROOM;
    }
    const char *end = write_events(games, game, start, text, *out);
    if (!end) {
        free(*out);
        return FOR_PYTHON;
    }
    *length = (size_t)(end - *out);
    return WRITTEN;
}
