/* Games as columns, one number or text per game. */

#include "scanner.h"

/* --- Columns -------------------------------------------------------------- */

/* Makes bytes of one number per game. */
#define COLUMN(type, expression)                                                    \
    PyObject *column = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * sizeof(type))); \
    for (size_t i = 0; column && i < count; i++) {                                  \
        const Game *game = &self->games.games[i];                                   \
        ((type *)PyBytes_AS_STRING(column))[i] = (type)(expression);                \
    }                                                                               \
    return column

static PyObject *line_column(const Scanner *self, size_t count, Py_ssize_t line)
{
    COLUMN(int64_t, line + (Py_ssize_t)game->line);
}

static PyObject *length_column(const Scanner *self, size_t count)
{
    COLUMN(int64_t, game->move_count);
}

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

struct Columns {
    Column columns[MAX_COLUMNS];
    size_t count;
    bool is_too_wide, has_no_memory;
    uint16_t slots[COLUMN_SLOTS]; /* The number of a column, from 1, by the hash of its name. */
};

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
    column->lengths = PyMem_RawMalloc(game_count * sizeof(int32_t));
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
        char *data = PyMem_RawRealloc(column->data, room);
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

/* Sorts the headers of all games into columns. Called while other threads run. */
Columns *sort_headers(const Games *games, const char *text)
{
    Columns *all = PyMem_RawCalloc(1, sizeof(Columns));
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
        PyMem_RawFree(all->columns[i].data);
        PyMem_RawFree(all->columns[i].lengths);
    }
    PyMem_RawFree(all);
}

/* {name: (values, lengths)} */
static PyObject *header_columns(Scanner *self, const char *text, const Columns *all)
{
    if (!all || all->has_no_memory) {
        return PyErr_NoMemory();
    }
    if (all->is_too_wide) {
        PyErr_SetString(PyExc_OverflowError, "too many different headers");
        return NULL;
    }
    PyObject *result = PyDict_New();
    for (size_t i = 0; result && i < all->count; i++) {
        const Column *column = &all->columns[i];
        PyObject *name = make_name(self, text, column->name);
        PyObject *pair = name ? Py_BuildValue("(y#y#)", column->data ? column->data : "", (Py_ssize_t)column->size,
                                    (const char *)column->lengths, (Py_ssize_t)(self->games.game_count * sizeof(int32_t)))
                              : NULL;
        if (!pair || PyDict_SetItem(result, name, pair) < 0) {
            Py_CLEAR(result);
        }
        Py_XDECREF(name);
        Py_XDECREF(pair);
    }
    return result;
}

/* Lists of what each game has from its starting position, its ending and its result. */
static bool fill_lists(Scanner *self, size_t count, PyObject *starts, PyObject *endings, PyObject *results)
{
    for (size_t i = 0; i < count; i++) {
        const Game *game = &self->games.games[i];
        PyObject *result = self->results[game->result];
        if (PyList_Append(starts, self->starts[game->start].fields) < 0 || PyList_Append(results, result) < 0
            || !append_new(endings, make_ending(self, game, result))) {
            return false;
        }
    }
    return true;
}

/* (lines, lengths, moves, headers, starts, endings, results) */
PyObject *make_columns(Scanner *self, const char *text, Py_ssize_t line, const Columns *columns)
{
    const size_t count = self->games.game_count;
    PyObject *parts[7] = {NULL};
    PyObject *result = NULL;
    for (int i = 4; i < 7; i++) {
        if (!(parts[i] = PyList_New(0))) {
            goto done;
        }
    }
    if ((parts[0] = line_column(self, count, line)) && (parts[1] = length_column(self, count))
        && (parts[2] = PyBytes_FromStringAndSize(
                (const char *)self->games.moves, (Py_ssize_t)(self->games.move_count * sizeof(Move))))
        && (parts[3] = header_columns(self, text, columns))
        && fill_lists(self, count, parts[4], parts[5], parts[6])) {
        result = PyTuple_New(7);
        for (int i = 0; result && i < 7; i++) { /* Nothing runs meanwhile. */
            PyTuple_SET_ITEM(result, i, Py_NewRef(parts[i]));
        }
    }
done:
    for (int i = 0; i < 7; i++) {
        Py_XDECREF(parts[i]);
    }
    return result;
}
