#include "columns.h"

#include <stdlib.h>
#include <string.h>

/* The column of a name, made if there is none. NULL if that cannot be. */
static Column *find_column(Columns *all, const char *text, Slice name, size_t game_count)
{
    uint32_t slot = hash_text(text, name) % COLUMN_SLOTS;
    for (; all->slots[slot]; slot = (slot + 1) % COLUMN_SLOTS) {
        Column *column = &all->columns[all->slots[slot] - 1];
        if (column->name.length == name.length
            && memcmp(text + column->name.start, text + name.start, name.length) == 0) {
            return column;
        }
    }
    if (all->count == MAX_COLUMNS) {
        all->is_too_wide = true;
        return NULL;
    }
    Column *column = &all->columns[all->count];
    column->lengths = malloc(game_count * sizeof(int32_t));
    if (!column->lengths) {
        all->has_no_memory = true;
        return NULL;
    }
    memset(column->lengths, 0xff, game_count * sizeof(int32_t));
    column->name = name;
    all->slots[slot] = (uint16_t)++all->count;
    return column;
}

static bool append(Column *column, const char *value, uint32_t length)
{
    if (column->room - column->size < length) {
        size_t room = 2 * column->room + length + 256;
        char *data = realloc(column->data, room);
        if (!data) {
            return false;
        }
        column->data = data;
        column->room = room;
    }
    if (length) { /* Else there may be no data yet. */
        memcpy(column->data + column->size, value, length);
    }
    column->size += length;
    return true;
}

Columns *sort_headers(const Games *games, const char *text)
{
    Columns *all = calloc(1, sizeof(Columns));
    for (size_t i = 0; all && i < games->game_count; i++) {
        const Game *game = &games->games[i];
        for (uint32_t j = 0; j < game->header_count; j++) {
            const Header *header = &games->headers[game->first_header + j];
            Column *column = find_column(all, text, header->name, games->game_count);
            if (!column) {
                return all;
            }
            if (!append(column, text + header->value.start, header->value.length)) {
                all->has_no_memory = true;
                return all;
            }
            column->lengths[i] = (int32_t)header->value.length;
        }
    }
    return all;
}

void free_columns(Columns *all)
{
    for (size_t i = 0; all && i < all->count; i++) {
        free(all->columns[i].data);
        free(all->columns[i].lengths);
    }
    free(all);
}
