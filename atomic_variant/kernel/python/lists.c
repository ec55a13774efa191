/* Lists of legal moves, single moves, notation, checks and endings of Python's boards. */

#include "dispatch.h"
#include "san.h"

/* --- A lazy list ---------------------------------------------------------- */

/*
 * What movegen.generate_legal_moves returns: like a generator, it looks at the
 * board when the first move is asked for.
 */
typedef struct {
    PyObject_HEAD
    PyObject *module; /* Keeps the kernel. */
    Kernel *kernel;
    PyObject *board; /* NULL once looked at. */
    Bitboard from_mask, to_mask;
    PyObject *python; /* The generator of a board that is outside our ground. */
    Move *moves;
    Py_ssize_t next, count;
} MoveIterator;

static PyObject *new_iterator(Kernel *kernel, PyObject *board, Bitboard from_mask, Bitboard to_mask)
{
    MoveIterator *self = PyObject_GC_New(MoveIterator, kernel->move_iterator_type);
    if (!self) {
        return NULL;
    }
    self->module = Py_NewRef(kernel->module);
    self->kernel = kernel;
    self->board = Py_NewRef(board);
    self->from_mask = from_mask;
    self->to_mask = to_mask;
    self->python = NULL;
    self->moves = NULL;
    self->next = self->count = 0;
    PyObject_GC_Track(self);
    return (PyObject *)self;
}

static int iterator_start(MoveIterator *self)
{
    Kernel *kernel = self->kernel;
    Position position;
    PyObject *board = self->board;
    self->board = NULL;
    int status = 0;
    if (read_board(kernel, board, LEGALITY, &position)) {
        Spans list;
        generate_spans(&position, self->from_mask, self->to_mask, &list);
        self->count = count_moves(&list);
        self->moves = PyMem_New(Move, self->count ? self->count : 1);
        if (self->moves) {
            write_moves(&list, self->moves);
        } else {
            self->count = 0;
            PyErr_NoMemory();
            status = -1;
        }
    } else if (PyErr_Occurred()) {
        status = -1;
    } else if (!kernel->generate_legal_moves) {
        PyErr_SetString(PyExc_RuntimeError, "no Python function to fall back on");
        status = -1;
    } else {
        PyObject *generator = PyObject_CallFunction(kernel->generate_legal_moves, "OKK", board,
            (unsigned long long)self->from_mask, (unsigned long long)self->to_mask);
        self->python = generator ? PyObject_GetIter(generator) : NULL;
        Py_XDECREF(generator);
        status = self->python ? 0 : -1;
    }
    Py_DECREF(board);
    return status;
}

static PyObject *iterator_next(PyObject *object)
{
    MoveIterator *self = (MoveIterator *)object;
    if (self->board && iterator_start(self) < 0) {
        return NULL;
    }
    if (self->python) {
        return PyIter_Next(self->python);
    }
    return self->next < self->count ? shared_move(self->kernel, self->moves[self->next++]) : NULL;
}

static int iterator_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(((MoveIterator *)object)->module);
    Py_VISIT(((MoveIterator *)object)->board);
    Py_VISIT(((MoveIterator *)object)->python);
    return 0;
}

static int iterator_clear(PyObject *object)
{
    Py_CLEAR(((MoveIterator *)object)->board);
    Py_CLEAR(((MoveIterator *)object)->python);
    return 0;
}

static void iterator_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    iterator_clear(object);
    PyMem_Free(((MoveIterator *)object)->moves);
    Py_DECREF(((MoveIterator *)object)->module);
    PyObject_GC_Del(object);
    Py_DECREF(type);
}

static PyType_Slot iterator_slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("An iterator of legal moves, which looks at the board when the first is asked for.")},
    {Py_tp_dealloc, iterator_dealloc},
    {Py_tp_traverse, iterator_traverse},
    {Py_tp_clear, iterator_clear},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, iterator_next},
    {0, NULL},
};

PyType_Spec move_iterator_spec = {
    .name = "atomic_variant.kernel._kernel.MoveIterator",
    .basicsize = sizeof(MoveIterator),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = iterator_slots,
};

/* A mask given as an argument: masks are often complements, and so negative. */
static bool read_mask(PyObject *value, Bitboard *out)
{
    if (!PyLong_Check(value)) {
        return false;
    }
    *out = PyLong_AsUnsignedLongLongMask(value);
    return true;
}

PyObject *handle_generate_legal_moves(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Bitboard masks[2] = {BB_ALL, BB_ALL};
    Rules rules;
    if (count < 1 || count > 3 || !is_on_ground(kernel, Py_TYPE(args[0]), LEGALITY, &rules)) {
        return NULL;
    }
    for (Py_ssize_t i = 1; i < count; i++) {
        if (!read_mask(args[i], &masks[i - 1])) {
            return NULL;
        }
    }
    for (Py_ssize_t i = 0; keywords && i < PyTuple_GET_SIZE(keywords); i++) {
        PyObject *keyword = PyTuple_GET_ITEM(keywords, i);
        int which = PyUnicode_CompareWithASCIIString(keyword, "from_mask") == 0 ? 0
            : PyUnicode_CompareWithASCIIString(keyword, "to_mask") == 0         ? 1
                                                                                : -1;
        if (which < 0 || which < count - 1 || !read_mask(args[count + i], &masks[which])) {
            return NULL;
        }
    }
    return new_iterator(kernel, args[0], masks[0], masks[1]);
}

/* --- LegalMoveGenerator, the view ----------------------------------------- */

static bool read_view(Kernel *kernel, PyObject *view, Position *out)
{
    PyObject *board = get_attr(kernel, view, ATTR_BOARD);
    bool good = board && read_board(kernel, board, LISTS, out);
    Py_XDECREF(board);
    return good;
}

PyObject *handle_view_iter(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Rules rules;
    PyObject *board = count == 1 && !keywords ? get_attr(kernel, args[0], ATTR_BOARD) : NULL;
    PyObject *result = NULL;
    if (board && is_on_ground(kernel, Py_TYPE(board), LISTS, &rules)) {
        result = new_iterator(kernel, board, BB_ALL, BB_ALL);
    }
    Py_XDECREF(board);
    return result;
}

PyObject *handle_view_bool(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    return count == 1 && !keywords && read_view(kernel, args[0], &position) ? PyBool_FromLong(has_legal_moves(&position)) : NULL;
}

PyObject *handle_view_count(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    if (count != 1 || keywords || !read_view(kernel, args[0], &position)) {
        return NULL;
    }
    Spans list;
    generate_spans(&position, BB_ALL, BB_ALL, &list);
    return PyLong_FromLong(count_moves(&list));
}

PyObject *handle_view_contains(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    Move move;
    if (count != 2 || keywords || !read_view(kernel, args[0], &position) || !read_move(kernel, args[1], &move)) {
        return NULL;
    }
    return PyBool_FromLong(is_legal(&position, move));
}

/* --- Single moves --------------------------------------------------------- */

PyObject *handle_is_legal(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    Move move;
    if (count != 2 || keywords || !read_board(kernel, args[0], LEGALITY, &position) || !read_move(kernel, args[1], &move)) {
        return NULL;
    }
    return PyBool_FromLong(is_legal(&position, move));
}

PyObject *handle_parse_san(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    if (count != 2 || keywords || !PyUnicode_CheckExact(args[1]) || !PyUnicode_IS_COMPACT_ASCII(args[1])
        || !read_board(kernel, args[0], LISTS, &position)) {
        return NULL;
    }
    San san;
    Move move;
    read_san((const char *)PyUnicode_1BYTE_DATA(args[1]), (size_t)PyUnicode_GET_LENGTH(args[1]), &san);
    /* Python says what is wrong. */
    return resolve_san(&position, &san, &move) == 1 ? shared_move(kernel, move) : NULL;
}

bool is_playable(const Position *position, Move move)
{
    Square from = MOVE_FROM(move);
    Square to = MOVE_TO(move);
    Bitboard own = position->occupied_co[position->turn];
    Castling castling;
    return from != to && own & BB(from) && (!MOVE_PROMOTION(move) || position->pawns & BB(from))
        && (!(own & BB(to)) || castling_squares(position, from, to, &castling));
}

PyObject *handle_gives_check(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    Move move;
    if (count != 2 || keywords || !read_board(kernel, args[0], LEGALITY, &position) || !read_move(kernel, args[1], &move)
        || !is_playable(&position, move)) {
        return NULL;
    }
    make_move(&position, move);
    return PyBool_FromLong(check_mask(&position, position.turn) != 0);
}

/* --- Checks and endings --------------------------------------------------- */

PyObject *handle_checkers_mask(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    if (count != 1 || keywords || !read_board(kernel, args[0], LEGALITY, &position)) {
        return NULL;
    }
    return PyLong_FromUnsignedLongLong(check_mask(&position, position.turn));
}

PyObject *handle_is_checkmate(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    if (count != 1 || keywords || !read_board(kernel, args[0], PLAY, &position)) {
        return NULL;
    }
    return PyBool_FromLong(check_mask(&position, position.turn) && !has_legal_moves(&position));
}

PyObject *handle_is_stalemate(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    if (count != 1 || keywords || !read_board(kernel, args[0], PLAY, &position)) {
        return NULL;
    }
    return PyBool_FromLong(
        !is_variant_end(&position) && !check_mask(&position, position.turn) && !has_legal_moves(&position));
}

PyObject *handle_has_insufficient_material(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    if (count != 2 || keywords || !PyBool_Check(args[1]) || !read_board(kernel, args[0], LEGALITY, &position)) {
        return NULL;
    }
    return PyBool_FromLong(has_insufficient_material(&position, args[1] == Py_True));
}
