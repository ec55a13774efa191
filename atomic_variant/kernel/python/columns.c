/* Games as columns, one number or text per game. */

#include "scanner.h"

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
