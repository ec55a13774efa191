/* The headers of many games, sorted into columns. */

#ifndef ATOMIC_VARIANT_COLUMNS_H
#define ATOMIC_VARIANT_COLUMNS_H

#include "games.h"

/*
 * The values of one header in all games, one after the other, with their
 * lengths; -1 where a game has no such header.
 */
typedef struct {
    Slice name;
    char *data;
    int32_t *lengths;
    size_t size, room;
} Column;

/* More names than these make tables that are too wide. */
#define MAX_COLUMNS 512
#define COLUMN_SLOTS 2048

typedef struct {
    Column columns[MAX_COLUMNS];
    size_t count;
    bool is_too_wide, has_no_memory;
    uint16_t slots[COLUMN_SLOTS]; /* The number of a column, from 1, by the hash of its name. */
} Columns;

/* The columns of all headers, to be given to free_columns(); NULL where there is no memory at all. */
Columns *sort_headers(const Games *games, const char *text);

void free_columns(Columns *columns);

static inline uint32_t hash_text(const char *text, Slice part)
{
    uint32_t hash = part.length;
    for (uint32_t i = 0; i < part.length; i++) {
        hash = hash * 31 + (unsigned char)text[part.start + i];
    }
    return hash;
}

#endif
