/*
 * kernel.Scanner: reads games out of bytes, as records, as columns or as what
 * builds trees. While it reads, other threads run; then it makes the objects.
 */

#ifndef ATOMIC_VARIANT_SCANNER_H
#define ATOMIC_VARIANT_SCANNER_H

#include "boards.h" /* Python.h comes first. */

#include <string.h>

#include "columns.h"

/* A starting position, by the headers that tell it. */
typedef struct {
    char *key;
    size_t key_length;
    StartStatus status;
    Start start;
    bool knows_endings;
    bool knows_notation;
    PyObject *board;
    PyObject *fields; /* What a record says of it. */
    PyObject *endings; /* A dictionary: endings of games of this board class, by ending, turn and king. */
} KnownStart;

#define NAME_CACHE 64

typedef struct {
    PyObject_HEAD
    PyObject *module;          /* Keeps the kernel. */
    Kernel *kernel;
    PyObject *find_start;      /* (variant, fen, event, site) -> (board, fields, endings) or None */
    PyObject *find_ending;     /* (board, moves, result) -> ending */
    PyObject *read_clock;      /* (comment) -> clock */
    PyObject *read_evaluation; /* (comment) -> evaluation */
    PyObject *record_class;
    PyObject *source;            /* The name of the file. */
    PyObject *names[NAME_CACHE]; /* Of headers. */
    PyObject *results[UNKNOWN_RESULT + 1];
    Games games;
    KnownStart *starts;
    size_t start_count, start_room;
    bool is_busy;
    PyThreadState *thread; /* While other threads may run. */
} Scanner;

extern PyType_Spec scanner_spec;

extern const char *const RESULT_TEXTS[]; /* By Result. */

/* records.c: objects for games that have been read. */
bool has_our_fields(PyObject *record_class);
PyObject *make_name(Scanner *self, const char *text, Slice name);
/* The comments from *first* on that stand after the same move, with a space between; *next* is the event after them. */
PyObject *join_comments(const Scanner *self, const char *text, uint32_t first, uint32_t end, uint32_t *next);
PyObject *make_ending(Scanner *self, const Game *game, PyObject *result);
PyObject *make_record(Scanner *self, const char *text, const Game *game, Py_ssize_t number, Py_ssize_t line);
PyObject *make_tree(Scanner *self, const char *text, const Game *game, Py_ssize_t line);
PyObject *make_written(Scanner *self, const char *text, const Game *game, Py_ssize_t number, Py_ssize_t line);

/* columns.c: all games at once, for arrays. */
PyObject *make_columns(Scanner *self, const char *text, Py_ssize_t line, const Columns *columns);

static inline PyObject *make_text(const char *text, Slice part)
{
    return PyUnicode_DecodeUTF8(text + part.start, part.length, "strict");
}

#endif
