/* Reading a text by characters and lines. */

#ifndef ATOMIC_VARIANT_READER_H
#define ATOMIC_VARIANT_READER_H

#include <string.h>

#include "games.h"

typedef enum {
    OK,
    UNUSUAL,
    CUT, /* The text ends here, and more may come. */
    NO_MEMORY,
    FAILED
} Status;

typedef struct {
    const char *text;
    size_t length;
    size_t position;
    size_t limit; /* Where the game becomes too long. */
    uint32_t line;
    bool is_all;
} Reader;

static inline bool at_end(const Reader *reader) { return reader->position >= reader->length; }

static inline char peek(const Reader *reader) { return reader->text[reader->position]; }

static inline bool is_space(char c) { return c == ' ' || c == '\t'; }

static inline bool is_digit(char c) { return '0' <= c && c <= '9'; }

static inline bool is_alphanumeric(char c) { return is_digit(c) || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); }

static inline void skip_spaces(Reader *reader)
{
    while (!at_end(reader) && is_space(peek(reader))) {
        reader->position++;
    }
}

/* What to say at the end of the text. */
static inline Status ended(const Reader *reader) { return reader->is_all ? OK : CUT; }

/* Takes the end of a line. UNUSUAL if something else stands here. The end of the last line may be missing. */
static inline Status end_line(Reader *reader)
{
    if (!at_end(reader) && peek(reader) == '\r') {
        if (reader->position + 1 >= reader->length) {
            return reader->is_all ? UNUSUAL : CUT;
        }
        if (reader->text[reader->position + 1] != '\n') {
            return UNUSUAL;
        }
        reader->position++;
    }
    if (at_end(reader)) {
        return ended(reader);
    }
    if (peek(reader) != '\n') {
        return UNUSUAL;
    }
    reader->position++;
    reader->line++;
    return OK;
}

/*
 * The length of the UTF-8 sequence at *text*, 0 if it is none. Python reads
 * bytes that are no UTF-8 as Latin-1.
 */
static inline size_t utf8_length(const unsigned char *text, size_t room)
{
    unsigned char c = text[0];
    size_t length = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    if (!length || length > room) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    /* Overlong, surrogates, and beyond Unicode. */
    if ((c == 0xe0 && text[1] < 0xa0) || (c == 0xed && text[1] > 0x9f) || (c == 0xf0 && text[1] < 0x90)
        || (c == 0xf4 && text[1] > 0x8f)) {
        return 0;
    }
    return length;
}

/* Moves on by one character that is no line end and not NUL. */
static inline Status skip_character(Reader *reader)
{
    unsigned char c = (unsigned char)peek(reader);
    if (c < 0x80) {
        if (c == '\r' || c == '\n' || c == '\0') {
            return UNUSUAL;
        }
        reader->position++;
        return OK;
    }
    size_t room = reader->length - reader->position;
    size_t length = utf8_length((const unsigned char *)reader->text + reader->position, room);
    if (!length) {
        return room < 4 && !reader->is_all ? CUT : UNUSUAL;
    }
    reader->position += length;
    return OK;
}

static inline bool slice_equals(const char *text, Slice slice, const char *other)
{
    return slice.length == strlen(other) && memcmp(text + slice.start, other, slice.length) == 0;
}

static inline bool slices_equal(const char *text, Slice a, Slice b)
{
    return a.length == b.length && memcmp(text + a.start, text + b.start, a.length) == 0;
}

static inline Slice slice(size_t start, size_t end) { return (Slice){(uint32_t)start, (uint32_t)(end - start)}; }

#endif
