/* Copies of boards, whether a position occurred before, and keys to find it by. */

#include "dispatch.h"
#include "zobrist.h"

/* The values that a copy shares; the lists are its own. */
static const Attr SHARED[] = {
    ATTR_PAWNS, ATTR_KNIGHTS, ATTR_BISHOPS, ATTR_ROOKS, ATTR_QUEENS, ATTR_KINGS, ATTR_PROMOTED, ATTR_OCCUPIED,
    ATTR_CHESS960, ATTR_EP_SQUARE, ATTR_CASTLING_RIGHTS, ATTR_TURN, ATTR_FULLMOVE_NUMBER, ATTR_HALFMOVE_CLOCK,
};

/* How many of the last moves a copy keeps. */
static bool read_stack_argument(PyObject *const *args, Py_ssize_t count, PyObject *keywords, Py_ssize_t *out)
{
    *out = PY_SSIZE_T_MAX;
    if (count != 1 || (keywords && PyTuple_GET_SIZE(keywords) != 1)) {
        return false;
    }
    if (!keywords) {
        return true;
    }
    if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords, 0), "stack") != 0) {
        return false;
    }
    if (args[1] == Py_True || args[1] == Py_False) {
        *out = args[1] == Py_True ? PY_SSIZE_T_MAX : 0;
        return true;
    }
    if (!PyLong_CheckExact(args[1])) {
        return false;
    }
    *out = PyLong_AsSsize_t(args[1]);
    if (*out < 0) {
        PyErr_Clear();
        return false;
    }
    return true;
}

/* The last *count* items of the list, which an attribute must be. */
static bool copy_list(Kernel *kernel, PyObject *board, PyObject *copy, Attr attr, Py_ssize_t count)
{
    PyObject *list = get_attr(kernel, board, attr);
    PyObject *last = NULL;
    if (list && PyList_CheckExact(list)) {
        const Py_ssize_t size = PyList_GET_SIZE(list);
        last = PyList_GetSlice(list, size < count ? 0 : size - count, size);
    }
    bool good = last && PyObject_SetAttr(copy, kernel->attrs[attr], last) == 0;
    Py_XDECREF(list);
    Py_XDECREF(last);
    return good;
}

PyObject *handle_copy(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Rules rules;
    Py_ssize_t kept;
    PyTypeObject *type = count ? Py_TYPE(args[0]) : NULL;
    if (!type || !read_stack_argument(args, count, keywords, &kept) || !is_on_ground(kernel, type, PLAY, &rules)) {
        return NULL;
    }
    PyObject *nothing = PyTuple_New(0);
    PyObject *copy = nothing ? type->tp_new(type, nothing, NULL) : NULL;
    Py_XDECREF(nothing);
    bool good = copy && copy_list(kernel, args[0], copy, ATTR_OCCUPIED_CO, 2);
    for (size_t i = 0; good && i < sizeof(SHARED) / sizeof(SHARED[0]); i++) {
        PyObject *value = get_attr(kernel, args[0], SHARED[i]);
        good = value && PyObject_SetAttr(copy, kernel->attrs[SHARED[i]], value) == 0;
        Py_XDECREF(value);
    }
    good = good && copy_list(kernel, args[0], copy, ATTR_MOVE_STACK, kept)
        && copy_list(kernel, args[0], copy, ATTR_STACK, kept);
    if (!good) {
        Py_CLEAR(copy);
    }
    return copy;
}

/* --- Repetitions ---------------------------------------------------------- */

enum { SAVED_OCCUPIED = 0, SAVED_KINGS = 8, SAVED_TURN = 10, SAVED_RIGHTS = 11, SAVED_EP = 12, SAVED_LENGTH = 15 };

static bool same_mask(PyObject *saved, Bitboard mask)
{
    Bitboard value;
    return to_bitboard(saved, &value) && value == mask;
}

/* Whether *times* - 1 earlier positions have men on the same squares; -1 where Python has to look. */
static int may_repeat(Kernel *kernel, PyObject *stack, Bitboard all, PyObject *turn, long times)
{
    const int most = popcount(all);
    for (Py_ssize_t i = PyList_GET_SIZE(stack) - 1; times > 1 && i >= 0; i--) {
        PyObject *state = PyList_GET_ITEM(stack, i);
        Bitboard before;
        if (!Py_IS_TYPE(state, kernel->state_class) || PyTuple_GET_SIZE(state) != SAVED_LENGTH) {
            return -1; /* A null move. */
        }
        if (PyTuple_GET_ITEM(state, SAVED_TURN) != turn) {
            continue;
        }
        if (!to_bitboard(PyTuple_GET_ITEM(state, SAVED_OCCUPIED), &before)) {
            return -1;
        }
        if (before == all) {
            times--;
        } else if (popcount(before) > most) {
            break; /* Before a capture: nothing there comes again. */
        }
    }
    return times <= 1;
}

PyObject *handle_is_repetition(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    Rules rules;
    long times = 3;
    if (count < 1 || count > 2 || keywords || !is_on_ground(kernel, Py_TYPE(args[0]), PLAY, &rules)) {
        return NULL;
    }
    if (count == 2) {
        int overflow;
        times = PyLong_CheckExact(args[1]) ? PyLong_AsLongAndOverflow(args[1], &overflow) : 0;
    }
    Bitboard all;
    PyObject *stack = times > 1 && read_bitboard(kernel, args[0], ATTR_OCCUPIED, &all)
        ? get_attr(kernel, args[0], ATTR_STACK) : NULL;
    PyObject *whose = stack ? get_attr(kernel, args[0], ATTR_TURN) : NULL;
    const int maybe = whose && PyBool_Check(whose) && PyList_CheckExact(stack) ? may_repeat(kernel, stack, all, whose, times) : -1;
    Py_XDECREF(whose);
    if (maybe < 1 || !read_board(kernel, args[0], PLAY, &position) || !PyList_CheckExact(stack)) {
        Py_XDECREF(stack);
        return maybe ? NULL : Py_NewRef(Py_False);
    }
    const Bitboard masks[] = {
        occupied(&position), position.occupied_co[BLACK], position.occupied_co[WHITE], position.pawns,
        position.knights, position.bishops, position.rooks, position.queens, position.kings,
    };
    const int most = popcount(masks[SAVED_OCCUPIED]);
    PyObject *const turn = position.turn ? Py_True : Py_False;
    PyObject *result = NULL;
    long seen = 1;
    Py_ssize_t i = PyList_GET_SIZE(stack);
    /* An exception that is cleared may have run a finalizer, which may have changed the list. */
    while (seen < times && --i >= 0 && i < PyList_GET_SIZE(stack)) {
        PyObject *state = PyList_GET_ITEM(stack, i);
        if (!Py_IS_TYPE(state, kernel->state_class) || PyTuple_GET_SIZE(state) != SAVED_LENGTH
            || !to_bitboard(PyTuple_GET_ITEM(state, SAVED_OCCUPIED), &all)) {
            goto done;
        }
        if (popcount(all) > most) {
            break;
        }
        if (all != masks[SAVED_OCCUPIED] || PyTuple_GET_ITEM(state, SAVED_TURN) != turn) {
            continue;
        }
        bool same = true;
        for (int j = SAVED_OCCUPIED + 1; same && j <= SAVED_KINGS; j++) {
            same = same_mask(PyTuple_GET_ITEM(state, j), masks[j]);
        }
        if (!same) {
            continue;
        }
        if (position.ep_square || PyTuple_GET_ITEM(state, SAVED_EP) != Py_None || i == 0) {
            goto done; /* Python asks whether en passant is legal, and cleans the rights of the first position. */
        }
        if (same_mask(PyTuple_GET_ITEM(state, SAVED_RIGHTS), position.castling_rights)) {
            seen++;
        }
    }
    result = PyBool_FromLong(seen >= times);
done:
    Py_DECREF(stack);
    return result;
}

/* --- Keys ----------------------------------------------------------------- */

/* The table of chess.polyglot, read once; NULL with or without an exception if it is not what it was. */
static const uint64_t *read_numbers(Kernel *kernel)
{
    if (kernel->zobrist_numbers) {
        return kernel->zobrist_numbers;
    }
    PyObject *polyglot = PyImport_ImportModule("chess.polyglot");
    PyObject *table = polyglot ? PyObject_GetAttrString(polyglot, "POLYGLOT_RANDOM_ARRAY") : NULL;
    PyObject *list = table ? PySequence_List(table) : NULL;
    uint64_t *numbers = list && PyList_GET_SIZE(list) == ZOBRIST_NUMBERS
        ? PyMem_Malloc(ZOBRIST_NUMBERS * sizeof(uint64_t)) : NULL;
    for (Py_ssize_t i = 0; numbers && i < ZOBRIST_NUMBERS; i++) {
        if (!to_bitboard(PyList_GET_ITEM(list, i), &numbers[i])) {
            PyMem_Free(numbers);
            numbers = NULL;
        }
    }
    Py_XDECREF(list);
    Py_XDECREF(table);
    Py_XDECREF(polyglot);
    if (kernel->zobrist_numbers) { /* By another thread, while we imported. */
        PyMem_Free(numbers);
        return kernel->zobrist_numbers;
    }
    kernel->zobrist_numbers = numbers;
    return numbers;
}

/* Whether each square holds one kind of man, and the kinds are those of the two sides. */
static bool is_clean(const Position *position)
{
    const Bitboard kinds[] = {
        position->pawns, position->knights, position->bishops, position->rooks, position->queens, position->kings,
    };
    Bitboard seen = BB_EMPTY;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (kinds[i] & seen) {
            return false;
        }
        seen |= kinds[i];
    }
    return seen == occupied(position);
}

PyObject *handle_zobrist_key(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    if (count != 1 || keywords || !read_board(kernel, args[0], PLAY, &position) || !is_clean(&position)) {
        return NULL;
    }
    const uint64_t *numbers = read_numbers(kernel);
    return numbers ? PyLong_FromUnsignedLongLong(zobrist_key(&position, numbers)) : NULL;
}
