/* The parts of a game as they stand in the text: headers, words, numbers, comments, signs and results. */

#ifndef ATOMIC_VARIANT_TOKENS_H
#define ATOMIC_VARIANT_TOKENS_H

#include <string.h>

#include "lexer.h"

/* Beyond these Python decides. */
#define MAX_WORD_LENGTH 16
#define MAX_SIGN 255
#define MAX_NUMBER_LENGTH 6

/* [Name "value"] on a line of its own. Values with quotes in them are for Python. */
static inline Status read_header(Reader *reader, Header *out)
{
    reader->position++;
    size_t start = reader->position;
    while (!at_end(reader)) {
        char c = peek(reader);
        if (!is_alphanumeric(c) && (reader->position == start || !memchr("_+#=:-", c, 6))) {
            break;
        }
        reader->position++;
    }
    out->name = slice(start, reader->position);
    size_t space = reader->position;
    skip_spaces(reader);
    if (at_end(reader)) {
        return reader->is_all ? UNUSUAL : CUT;
    }
    if (!out->name.length || reader->position == space || peek(reader) != '"') {
        return UNUSUAL;
    }
    start = ++reader->position;
    while (!at_end(reader) && peek(reader) != '"') {
        Status status = skip_character(reader);
        if (status != OK) {
            return status;
        }
    }
    out->value = slice(start, reader->position);
    if (reader->position + 1 >= reader->length) {
        return reader->is_all ? UNUSUAL : CUT;
    }
    if (reader->text[reader->position + 1] != ']') {
        return UNUSUAL;
    }
    reader->position += 2;
    skip_spaces(reader);
    return end_line(reader);
}

/* Whether a word ends here: what python-chess and our parser take for one. */
static inline bool ends_word(const Reader *reader)
{
    if (at_end(reader)) {
        return true;
    }
    switch (peek(reader)) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
    case '(':
    case ')':
    case '{':
    case '}':
    case ';':
    case '$':
    case '!':
    case '?':
        return true;
    default:
        return false;
    }
}

/* The next word, which may be empty. */
static inline Status read_word(Reader *reader, Slice *out)
{
    size_t start = reader->position;
    while (!ends_word(reader)) {
        char c = peek(reader);
        if (c <= ' ' || c > '~' || reader->position - start >= MAX_WORD_LENGTH) {
            return UNUSUAL;
        }
        reader->position++;
    }
    *out = slice(start, reader->position);
    return at_end(reader) ? ended(reader) : OK;
}

/*
 * Skips a move number with its dots. What else begins with a digit is no number.
 * Whether it names a *ply*, from 0.
 */
static inline bool skip_number(Reader *reader, int64_t *ply)
{
    const size_t start = reader->position;
    size_t position = start;
    int64_t number = 0;
    while (position < reader->length && is_digit(reader->text[position])) {
        if (position - start < MAX_NUMBER_LENGTH) {
            number = 10 * number + (reader->text[position] - '0');
        }
        position++;
    }
    const size_t end = position;
    if (end == start || end >= reader->length || reader->text[end] != '.') {
        return false;
    }
    while (position < reader->length && reader->text[position] == '.') {
        position++;
    }
    reader->position = position;
    *ply = 2 * number - 2 + (position - end > 1);
    return end - start <= MAX_NUMBER_LENGTH;
}

/*
 * A comment in braces. Python may find the next game in a comment that holds a blank line or
 * something like a header, in case its end was forgotten.
 */
static inline Status read_comment(Reader *reader, Slice *out)
{
    size_t start = ++reader->position;
    bool blank = false;
    while (!at_end(reader) && peek(reader) != '}') {
        char c = peek(reader);
        if (c == '\n') {
            reader->line++;
            reader->position++;
            if (blank) {
                return UNUSUAL;
            }
            blank = true;
        } else if (c == '[' && (blank || (reader->length - reader->position > 8
                                             && memcmp(reader->text + reader->position, "[Event \"", 8) == 0))) {
            return UNUSUAL;
        } else if (' ' <= c && c <= '~') {
            reader->position++;
            blank = blank && c == ' ';
        } else {
            Status status = skip_character(reader);
            if (status != OK) {
                return status;
            }
            blank = blank && is_space(c);
        }
    }
    if (reader->position > reader->limit) {
        return UNUSUAL;
    }
    if (at_end(reader)) {
        return reader->is_all ? UNUSUAL : CUT;
    }
    size_t end = reader->position++;
    if (start < end && reader->text[start] == ' ') {
        start++;
    }
    if (start < end && reader->text[end - 1] == ' ') {
        end--;
    }
    *out = slice(start, end);
    return OK;
}

/* A dollar and up to three digits, or one or two of ! and ?. */
static inline Status read_sign(Reader *reader, uint32_t *out)
{
    const char first = peek(reader);
    const size_t start = reader->position++;
    *out = 0;
    while (!at_end(reader) && (first == '$' ? is_digit(peek(reader)) : peek(reader) == '!' || peek(reader) == '?')) {
        *out = 10 * *out + (uint32_t)(peek(reader) - '0');
        if (reader->position++ - start > 2) {
            break;
        }
    }
    const size_t length = reader->position - start;
    if (at_end(reader) && !reader->is_all) {
        return CUT;
    }
    if (first == '$') {
        return length > 1 && *out <= MAX_SIGN && ends_word(reader) ? OK : UNUSUAL;
    }
    if (length > 2) {
        return UNUSUAL;
    }
    const char second = length > 1 ? reader->text[start + 1] : '\0';
    /* The numbers of python-chess: ! ? !! ?? !? ?! are 1 to 6. */
    *out = first == '!' ? (second == '!' ? 3 : second == '?' ? 5 : 1) : (second == '?' ? 4 : second == '!' ? 6 : 2);
    return OK;
}

static inline Result result_of(const char *text, Slice word)
{
    return slice_equals(text, word, "1-0")  ? WHITE_WINS
        : slice_equals(text, word, "0-1")   ? BLACK_WINS
        : slice_equals(text, word, "1/2-1/2") ? DRAW
        : slice_equals(text, word, "*")     ? UNKNOWN_RESULT
                                            : NO_RESULT;
}

#endif
