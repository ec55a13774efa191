/* Games as columns, one number or text per game. */

#include "remarks.h"
#include "scanner.h"

#include <math.h>

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

/* --- Remarks -------------------------------------------------------------- */

/* The comments after one move. */
typedef struct {
    uint32_t game, first_event;
} Place;

/* Reads all comments of the usual form, and keeps the places of others. Returns how many these are. */
static size_t read_all_remarks(const Games *games, const char *text, Remarks *out, Place *unusual)
{
    size_t count = 0;
    for (size_t i = 0; i < games->move_count; i++) {
        out[i] = (Remarks){NAN, NAN, NAN};
    }
    for (size_t i = 0; i < games->game_count; i++) {
        const Game *game = &games->games[i];
        const uint32_t end = game->first_event + game->event_count;
        for (uint32_t first = game->first_event, next; first < end; first = next) {
            const Event *event = &games->events[first];
            for (next = first + 1; next < end && games->events[next].value == event->value; next++) {
            }
            if (event->value
                && (next > first + 1
                    || !read_remarks(text + event->text.start, event->text.length,
                        &out[game->first_move + event->value - 1]))) {
                unusual[count++] = (Place){(uint32_t)i, first};
            }
        }
    }
    return count;
}

/* What a Python function makes of a comment: a number, NaN for None. */
static bool ask_for_number(PyObject *function, PyObject *comment, double *out)
{
    PyObject *made = PyObject_CallOneArg(function, comment);
    *out = !made || made == Py_None ? NAN : PyFloat_AsDouble(made);
    Py_XDECREF(made);
    return made && !PyErr_Occurred();
}

static bool read_unusual(const Scanner *self, const char *text, Place place, Remarks *all)
{
    const Game *game = &self->games.games[place.game];
    const uint32_t ply = self->games.events[place.first_event].value;
    Remarks *out = &all[game->first_move + ply - 1];
    uint32_t next;
    Py_ssize_t length;
    PyObject *comment = join_comments(self, text, place.first_event, game->first_event + game->event_count, &next);
    const char *joined = comment ? PyUnicode_AsUTF8AndSize(comment, &length) : NULL;
    bool good = joined
        && (read_remarks(joined, (size_t)length, out)
            || (ask_for_number(self->read_clock, comment, &out->clock)
                && ask_for_number(self->read_evaluation, comment, &out->evaluation)));
    Py_XDECREF(comment);
    return good;
}

/* Bytes of three numbers for each move: see Remarks. */
static PyObject *make_remarks(Scanner *self, const char *text)
{
    const Games *games = &self->games;
    PyObject *column = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(games->move_count * sizeof(Remarks)));
    Place *unusual = PyMem_New(Place, games->event_count + 1);
    if (!column || !unusual) {
        Py_XDECREF(column);
        PyMem_Free(unusual);
        return PyErr_NoMemory();
    }
    Remarks *remarks = (Remarks *)PyBytes_AS_STRING(column);
    size_t count;
    Py_BEGIN_ALLOW_THREADS
    count = read_all_remarks(games, text, remarks, unusual);
    Py_END_ALLOW_THREADS
    for (size_t i = 0; column && i < count; i++) {
        if (!read_unusual(self, text, unusual[i], remarks)) {
            Py_CLEAR(column);
        }
    }
    PyMem_Free(unusual);
    return column;
}

/* (lines, lengths, moves, headers, starts, endings, results), and with comments (..., remarks). */
PyObject *make_columns(Scanner *self, const char *text, Py_ssize_t line, const Columns *columns)
{
    const size_t count = self->games.game_count;
    PyObject *parts[8] = {NULL};
    const int part_count = self->games.keep_comments ? 8 : 7;
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
        && fill_lists(self, count, parts[4], parts[5], parts[6])
        && (part_count == 7 || (parts[7] = make_remarks(self, text)))) {
        result = PyTuple_New(part_count);
        for (int i = 0; result && i < part_count; i++) { /* Nothing runs meanwhile. */
            PyTuple_SET_ITEM(result, i, Py_NewRef(parts[i]));
        }
    }
done:
    for (int i = 0; i < 8; i++) {
        Py_XDECREF(parts[i]);
    }
    return result;
}
