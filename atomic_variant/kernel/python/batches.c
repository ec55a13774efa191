/* The functions of positions/_bulk.py: other threads run meanwhile. */

#include "batches.h"
#include "fen.h"
#include "zobrist.h"

#include <string.h>

/* --- Arguments ------------------------------------------------------------ */

void *open_any_array(Call *call, PyObject *array, size_t item_size, size_t *count)
{
    if (call->view_count == MAX_VIEWS) {
        PyErr_SetString(PyExc_TypeError, "too many arrays");
        return NULL;
    }
    Py_buffer *view = &call->views[call->view_count];
    if (PyObject_GetBuffer(array, view, PyBUF_C_CONTIGUOUS) < 0) {
        return NULL;
    }
    call->view_count++;
    *count = (size_t)view->len / item_size;
    return view->buf;
}

void *open_array(Call *call, PyObject *array, size_t item_size, size_t count, bool is_writable)
{
    if (call->view_count == MAX_VIEWS) {
        PyErr_SetString(PyExc_TypeError, "too many arrays");
        return NULL;
    }
    Py_buffer *view = &call->views[call->view_count];
    if (PyObject_GetBuffer(array, view, PyBUF_C_CONTIGUOUS | (is_writable ? PyBUF_WRITABLE : 0)) < 0) {
        return NULL;
    }
    call->view_count++;
    if ((size_t)view->len != item_size * count) {
        PyErr_Format(PyExc_ValueError, "expected %zu bytes in an array, but got %zd", item_size * count, view->len);
        return NULL;
    }
    return view->buf;
}

static bool open_columns(Call *call, PyObject *const *columns, bool is_writable, Batch *out)
{
    size_t count;
    Py_ssize_t length = PyObject_Length(columns[1]); /* Of the sides to move. */
    if (length < 0) {
        return false;
    }
    out->count = count = (size_t)length;
    return (out->bitboards = open_array(call, columns[0], 8 * sizeof(Bitboard), count, is_writable))
        && (out->turns = open_array(call, columns[1], 1, count, is_writable))
        && (out->castling_rights = open_array(call, columns[2], sizeof(Bitboard), count, is_writable))
        && (out->ep_squares = open_array(call, columns[3], 1, count, is_writable));
}

static bool open_clocks(Call *call, PyObject *const *columns, bool is_writable, Batch *out)
{
    return (out->halfmove_clocks = open_array(call, columns[0], sizeof(int32_t), out->count, is_writable))
        && (out->plies = open_array(call, columns[1], sizeof(int32_t), out->count, is_writable));
}

static bool open_batch(Kernel *kernel, PyObject *const *args, Ground ground, bool is_writable, Call *out)
{
    memset(out, 0, sizeof(*out));
    if (!PyType_Check(args[0]) || !PyBool_Check(args[1])
        || !is_on_ground(kernel, (PyTypeObject *)args[0], ground, &out->batch.rules)) {
        return false;
    }
    out->batch.chess960 = args[1] == Py_True;
    return open_columns(out, args + 2, is_writable, &out->batch);
}

bool open_call(Kernel *kernel, PyObject *const *args, Ground ground, Call *out)
{
    return open_batch(kernel, args, ground, false, out);
}

void close_call(Call *call)
{
    while (call->view_count > 0) {
        PyBuffer_Release(&call->views[--call->view_count]);
    }
}

static PyObject *none_if(bool good) { return good ? Py_NewRef(Py_None) : NULL; }

bool poll_signals(void *context)
{
    PyThreadState **thread = context;
    PyEval_RestoreThread(*thread);
    bool stop = PyErr_CheckSignals() < 0;
    *thread = PyEval_SaveThread();
    return stop;
}

/* --- One number or mask for each position --------------------------------- */

/* Opens *name*, an array with a row for each position as the last argument, and fills it. */
#define ANSWER(type, per_row, function)                                                                      \
    Call call;                                                                                               \
    bool good = false;                                                                                       \
    type *out;                                                                                               \
    if (count != BATCH_ARGS + 1 || keywords) {                                                               \
        return NULL;                                                                                         \
    }                                                                                                        \
    if (open_call(kernel, args, PLAY, &call)                                                                 \
        && (out = open_array(&call, args[BATCH_ARGS], (per_row) * sizeof(type), call.batch.count, true))) {  \
        Py_BEGIN_ALLOW_THREADS                                                                               \
        good = function(&call.batch, out);                                                                   \
        Py_END_ALLOW_THREADS                                                                                 \
    }                                                                                                        \
    close_call(&call);                                                                                       \
    return none_if(good)

PyObject *handle_count_moves(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    ANSWER(int32_t, 1, count_all_moves);
}

PyObject *handle_mask_moves(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    ANSWER(Bitboard, 64, mask_all_moves);
}

PyObject *handle_count_explosions(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    ANSWER(int32_t, 1, count_all_explosions);
}

PyObject *handle_find_checks(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    ANSWER(uint8_t, 1, find_all_checks);
}

PyObject *handle_find_touching(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    ANSWER(uint8_t, 1, find_all_touching);
}

/* find_keys(..., numbers, keys) */
PyObject *handle_find_keys(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Call call;
    bool good = false;
    uint64_t *numbers, *keys;
    if (count != BATCH_ARGS + 2 || keywords) {
        return NULL;
    }
    if (open_call(kernel, args, PLAY, &call)
        && (numbers = open_array(&call, args[BATCH_ARGS], sizeof(uint64_t), ZOBRIST_NUMBERS, false))
        && (keys = open_array(&call, args[BATCH_ARGS + 1], sizeof(uint64_t), call.batch.count, true))) {
        Py_BEGIN_ALLOW_THREADS
        good = find_all_keys(&call.batch, numbers, keys);
        Py_END_ALLOW_THREADS
    }
    close_call(&call);
    return none_if(good);
}

/* list_moves(..., offsets, moves) */
PyObject *handle_list_moves(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Call call;
    bool good = false;
    int64_t *offsets;
    Move *moves;
    if (count != BATCH_ARGS + 2 || keywords) {
        return NULL;
    }
    if (open_call(kernel, args, PLAY, &call)
        && (offsets = open_array(&call, args[BATCH_ARGS], sizeof(int64_t), call.batch.count + 1, false))) {
        const int64_t total = offsets[call.batch.count];
        if (total >= 0
            && (moves = open_array(&call, args[BATCH_ARGS + 1], sizeof(Move), (size_t)total, true))) {
            Py_BEGIN_ALLOW_THREADS
            good = list_all_moves(&call.batch, offsets, total, moves);
            Py_END_ALLOW_THREADS
        }
    }
    close_call(&call);
    return none_if(good);
}

static bool read_end_rules(PyObject *const *args, EndRules *out)
{
    out->is_claimed = args[0] == Py_True;
    out->stalemate_loses = args[1] == Py_True;
    return PyBool_Check(args[0]) && PyBool_Check(args[1]);
}

/* find_kinds(..., halfmove_clock, ply, is_claimed, stalemate_loses, kinds, results) */
PyObject *handle_find_kinds(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Call call;
    bool good = false;
    EndRules rules;
    uint8_t *kinds;
    float *results;
    PyObject *const *rest = args + BATCH_ARGS;
    if (count != BATCH_ARGS + 6 || keywords || !read_end_rules(rest + 2, &rules)) {
        return NULL;
    }
    if (open_call(kernel, args, PLAY, &call) && open_clocks(&call, rest, false, &call.batch)
        && (kinds = open_array(&call, rest[4], 1, call.batch.count, true))
        && (results = open_array(&call, rest[5], sizeof(float), call.batch.count, true))) {
        Py_BEGIN_ALLOW_THREADS
        good = find_all_kinds(&call.batch, rules, kinds, results);
        Py_END_ALLOW_THREADS
    }
    close_call(&call);
    return none_if(good);
}

/* count_leaves(..., depth, nodes) */
PyObject *handle_count_leaves(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Call call;
    bool good = false;
    uint64_t *nodes;
    int depth;
    if (count != BATCH_ARGS + 2 || keywords || !to_number(args[BATCH_ARGS], 1, MAX_PERFT_DEPTH, &depth)) {
        return NULL;
    }
    if (open_call(kernel, args, PLAY, &call)
        && (nodes = open_array(&call, args[BATCH_ARGS + 1], sizeof(uint64_t), call.batch.count, true))) {
        PyThreadState *thread = PyEval_SaveThread();
        Interrupt interrupt = {0, poll_signals, &thread, false};
        good = count_all_leaves(&call.batch, depth, &interrupt, nodes);
        PyEval_RestoreThread(thread);
        good = good && !interrupt.stopped;
    }
    close_call(&call);
    return none_if(good);
}

/* --- Playing -------------------------------------------------------------- */

/* play_moves(..., halfmove_clock, ply, moves): the first row whose move is illegal, or how many there are. */
PyObject *handle_play_moves(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Call call;
    size_t row = 0;
    bool good = false;
    Move *moves;
    if (count != BATCH_ARGS + 3 || keywords) {
        return NULL;
    }
    if (open_batch(kernel, args, PLAY, true, &call) && open_clocks(&call, args + BATCH_ARGS, true, &call.batch)
        && (moves = open_array(&call, args[BATCH_ARGS + 2], sizeof(Move), call.batch.count, false))) {
        Py_BEGIN_ALLOW_THREADS
        good = are_positions(&call.batch); /* Python must find the rows as they were. */
        row = good ? play_all(&call.batch, moves) : 0;
        Py_END_ALLOW_THREADS
    }
    close_call(&call);
    return good ? PyLong_FromSize_t(row) : NULL;
}

/* replay(..., halfmove_clock, ply, moves, offsets, rows, and the six columns that the positions go to) */
PyObject *handle_replay(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Call call;
    Batch out;
    bool good = false;
    size_t move_count, row_count;
    Move *moves;
    int64_t *offsets, *rows;
    PyObject *const *rest = args + BATCH_ARGS;
    if (count != BATCH_ARGS + 11 || keywords) {
        return NULL;
    }
    memset(&out, 0, sizeof(out));
    if (open_call(kernel, args, PLAY, &call) && open_clocks(&call, rest, false, &call.batch)
        && (moves = open_any_array(&call, rest[2], sizeof(Move), &move_count))
        && (offsets = open_array(&call, rest[3], sizeof(int64_t), call.batch.count + 1, false))
        && (rows = open_any_array(&call, rest[4], sizeof(int64_t), &row_count))
        && open_columns(&call, rest + 5, true, &out) && open_clocks(&call, rest + 9, true, &out)
        && out.count == row_count) {
        Py_BEGIN_ALLOW_THREADS
        good = replay_games(&call.batch, moves, move_count, offsets, rows, &out);
        Py_END_ALLOW_THREADS
    }
    close_call(&call);
    return none_if(good);
}

/* play_out(..., halfmove_clock, ply, is_claimed, stalemate_loses, seed, limit, results, lengths) */
PyObject *handle_play_out(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Call call;
    bool good = false;
    EndRules rules;
    Bitboard seed;
    float *results;
    int32_t *lengths;
    int limit;
    PyObject *const *rest = args + BATCH_ARGS;
    if (count != BATCH_ARGS + 8 || keywords || !read_end_rules(rest + 2, &rules) || !to_bitboard(rest[4], &seed)
        || !to_number(rest[5], 0, INT32_MAX, &limit)) {
        return NULL;
    }
    if (open_call(kernel, args, PLAY, &call) && open_clocks(&call, rest, false, &call.batch)
        && (results = open_array(&call, rest[6], sizeof(float), call.batch.count, true))
        && (lengths = open_array(&call, rest[7], sizeof(int32_t), call.batch.count, true))) {
        PyThreadState *thread = PyEval_SaveThread();
        Interrupt interrupt = {0, poll_signals, &thread, false};
        good = play_out(&call.batch, rules, seed, limit, &interrupt, results, lengths);
        PyEval_RestoreThread(thread);
        good = good && !interrupt.stopped;
    }
    close_call(&call);
    return none_if(good);
}

/* --- FEN ------------------------------------------------------------------ */

/* read_fens(..., halfmove_clock, ply, fens, row): the first row from *row* on that is left to Python, or how many there are. */
PyObject *handle_read_fens(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Call call;
    PyObject *result = NULL;
    PyObject *const *rest = args + BATCH_ARGS;
    if (count != BATCH_ARGS + 4 || keywords || !PyList_CheckExact(rest[2]) || !PyLong_CheckExact(rest[3])) {
        return NULL;
    }
    if (open_batch(kernel, args, PLAY, true, &call) && open_clocks(&call, rest, true, &call.batch)) {
        Batch *batch = &call.batch;
        size_t row = PyLong_AsSize_t(rest[3]);
        for (; row < batch->count && row < (size_t)PyList_GET_SIZE(rest[2]); row++) {
            PyObject *text = PyList_GET_ITEM(rest[2], (Py_ssize_t)row);
            Fen fen;
            if (!PyUnicode_CheckExact(text) || !PyUnicode_IS_COMPACT_ASCII(text)) {
                break;
            }
            const char *characters = (const char *)PyUnicode_1BYTE_DATA(text);
            if (strlen(characters) != (size_t)PyUnicode_GET_LENGTH(text) || !read_fen(characters, &fen)) {
                break;
            }
            Position position;
            Bitboard *boards = batch->bitboards + 8 * row;
            memcpy(boards, fen.types + PAWN, 6 * sizeof(Bitboard));
            memcpy(boards + 6, fen.sides, 2 * sizeof(Bitboard));
            batch->turns[row] = fen.turn;
            batch->castling_rights[row] = fen.rights;
            batch->ep_squares[row] = (int8_t)(fen.ep_square ? fen.ep_square : -1);
            batch->halfmove_clocks[row] = (int32_t)fen.halfmove_clock;
            batch->plies[row] = (int32_t)(2 * (fen.fullmove_number ? fen.fullmove_number - 1 : 0) + !fen.turn);
            if (!load_position(batch, row, &position)) {
                break;
            }
            batch->castling_rights[row] = position.castling_rights;
        }
        result = PyErr_Occurred() ? NULL : PyLong_FromSize_t(row);
    }
    close_call(&call);
    return result;
}

/* write_fens(..., halfmove_clock, ply): a list. */
PyObject *handle_write_fens(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Call call;
    PyObject *list = NULL;
    if (count != BATCH_ARGS + 2 || keywords) {
        return NULL;
    }
    if (open_call(kernel, args, PLAY, &call) && open_clocks(&call, args + BATCH_ARGS, false, &call.batch)) {
        const Batch *batch = &call.batch;
        list = PyList_New(0);
        for (size_t row = 0; list && row < batch->count; row++) {
            Position position;
            if (!load_position(batch, row, &position) || batch->halfmove_clocks[row] < 0 || batch->plies[row] < 0) {
                Py_CLEAR(list);
                break;
            }
            char buffer[FEN_SIZE + 32];
            char *end = write_fen(&position, buffer);
            end += snprintf(end, 32, " %d %d", (int)batch->halfmove_clocks[row], (int)(batch->plies[row] / 2 + 1));
            if (!append_new(list, PyUnicode_FromStringAndSize(buffer, end - buffer))) {
                Py_CLEAR(list);
            }
        }
    }
    close_call(&call);
    return list;
}
