/* Compiled functions that take the place of Python functions. */

#ifndef ATOMIC_VARIANT_FUNCTIONS_H
#define ATOMIC_VARIANT_FUNCTIONS_H

#include "boards.h"

/*
 * Does what a Python function would do. NULL without an exception means that
 * the call is outside our ground: then the Python function is called.
 */
typedef PyObject *(*Handler)(PyObject *const *args, Py_ssize_t count, PyObject *keywords);

/* functions.c: kernel.Function(name, function). */
extern PyTypeObject FunctionType;

/* lists.c, perft_door.c, push.c: the handlers. */
extern PyTypeObject MoveIteratorType;

/* The Python function that a MoveIterator falls back on. */
extern PyObject *python_generate_legal_moves;

/*
 * Whether a move is one that board.push() takes: by an own piece, onto no own
 * piece unless it castles, promoting pawns only.
 */
bool is_playable(const Position *position, Move move);

PyObject *handle_generate_legal_moves(PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_is_legal(PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_gives_check(PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_view_iter(PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_view_bool(PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_view_contains(PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_view_count(PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_parse_san(PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_checkers_mask(PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_is_checkmate(PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_is_stalemate(PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_has_insufficient_material(PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_perft(PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_push(PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_pop(PyObject *const *args, Py_ssize_t count, PyObject *keywords);

#endif
