/* Compiled functions that take the place of Python functions. */

#ifndef ATOMIC_VARIANT_FUNCTIONS_H
#define ATOMIC_VARIANT_FUNCTIONS_H

#include "boards.h"

/*
 * Does what a Python function would do. NULL without an exception means that
 * the call is outside our ground: then the Python function is called. A new one
 * is declared below, listed in HANDLERS in dispatch.c, and its Python function
 * decorated with @compiled.
 */
typedef PyObject *(*Handler)(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);

/* dispatch.c: kernel.Function(name, function). */
extern PyType_Spec function_spec;

/* lists.c, perft_functions.c, push.c, tactics.c: the handlers. */
extern PyType_Spec move_iterator_spec;

/*
 * Whether a move is one that board.push() takes: by an own piece, onto no own
 * piece unless it castles, promoting pawns only.
 */
bool is_playable(const Position *position, Move move);

PyObject *handle_generate_legal_moves(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_is_legal(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_gives_check(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_view_iter(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_view_bool(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_view_contains(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_view_count(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_parse_san(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_checkers_mask(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_is_checkmate(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_is_stalemate(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_has_insufficient_material(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_perft(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_solve(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_judge(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_scan(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_push(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_fen(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_set_fen(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_algebraic(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_copy(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_zobrist_key(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_is_repetition(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_pop(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);

/* batches.c, and the last in tactics.c: the functions of positions/_bulk.py. */
PyObject *handle_count_moves(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_list_moves(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_mask_moves(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_count_explosions(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_find_checks(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_find_touching(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_find_keys(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_find_kinds(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_count_leaves(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_play_moves(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_replay(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_play_out(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_read_fens(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_write_fens(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);
PyObject *handle_search_wins(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords);

#endif
