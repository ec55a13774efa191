/* push() and pop() of Python's boards: AtomicBoard.push and pop, on the same attributes and saved positions. */

#include "dispatch.h"

/* The attributes that history.State saves, in its order. */
static const Attr SAVED[] = {
    ATTR_OCCUPIED, ATTR_OCCUPIED_CO /* Black. */, ATTR_OCCUPIED_CO /* White. */, ATTR_PAWNS, ATTR_KNIGHTS, ATTR_BISHOPS,
    ATTR_ROOKS, ATTR_QUEENS, ATTR_KINGS, ATTR_PROMOTED, ATTR_TURN, ATTR_CASTLING_RIGHTS, ATTR_EP_SQUARE,
    ATTR_HALFMOVE_CLOCK, ATTR_FULLMOVE_NUMBER,
};

#define SAVED_COUNT ((Py_ssize_t)(sizeof(SAVED) / sizeof(SAVED[0])))

enum { SAVED_BLACK = 1, SAVED_WHITE = 2 };

/* A list that the attribute of a board must be. A new reference, or NULL without an exception. */
static PyObject *get_list(Kernel *kernel, PyObject *board, Attr attr)
{
    PyObject *list = get_attr(kernel, board, attr);
    if (list && !PyList_CheckExact(list)) {
        Py_CLEAR(list);
    }
    return list;
}

static bool set_attr(Kernel *kernel, PyObject *board, Attr attr, PyObject *value)
{
    bool good = value && PyObject_SetAttr(board, kernel->attrs[attr], value) == 0;
    Py_XDECREF(value);
    return good;
}

static bool set_bitboard(Kernel *kernel, PyObject *board, Attr attr, Bitboard before, Bitboard after)
{
    return before == after || set_attr(kernel, board, attr, PyLong_FromUnsignedLongLong(after));
}

static bool set_side(PyObject *sides, int color, Bitboard before, Bitboard after)
{
    if (before == after) {
        return true;
    }
    PyObject *value = PyLong_FromUnsignedLongLong(after);
    return value && PyList_SetItem(sides, color, value) == 0;
}

/* A capture always takes its capturer along. */
static bool captures(const Position *before, const Position *after)
{
    return popcount(occupied(after)) < popcount(occupied(before));
}

/* The position as it is, as a history.State. */
static PyObject *save(Kernel *kernel, PyObject **values)
{
    PyObject *sides = values[ATTR_OCCUPIED_CO];
    PyObject *saved = PyTuple_New(SAVED_COUNT);
    if (saved && PyList_GET_SIZE(sides) != 2) {
        Py_CLEAR(saved); /* It has changed since it was read: for Python. */
    }
    for (Py_ssize_t i = 0; saved && i < SAVED_COUNT; i++) { /* Nothing runs meanwhile. */
        PyObject *value = i == SAVED_BLACK ? PyList_GET_ITEM(sides, BLACK)
            : i == SAVED_WHITE             ? PyList_GET_ITEM(sides, WHITE)
                                           : values[SAVED[i]];
        PyTuple_SET_ITEM(saved, i, Py_NewRef(value));
    }
    PyObject *state = saved ? PyObject_CallOneArg((PyObject *)kernel->state_class, saved) : NULL;
    Py_XDECREF(saved);
    return state;
}

/* A count that has room to grow. */
static bool to_count(PyObject *value, long *out)
{
    int overflow = 0;
    *out = PyLong_Check(value) ? PyLong_AsLongAndOverflow(value, &overflow) : -1;
    return !overflow && 0 <= *out && *out < 1000000000;
}

/* The squares that count as promoted after the move. */
static Bitboard promoted_after(
    Bitboard promoted, const Position *before, const Position *after, Move move, const Castling *castling)
{
    const Bitboard from = BB(MOVE_FROM(move));
    const Bitboard to = BB(MOVE_TO(move));
    if (castling) {
        return promoted & ~(BB(castling->king) | BB(castling->rook));
    }
    if (captures(before, after)) {
        return promoted & ~(occupied(before) & ~occupied(after));
    }
    if (MOVE_PROMOTION(move)) {
        return (promoted & ~from) | to;
    }
    return promoted & from ? promoted ^ (from | to) : promoted;
}

static bool update(Kernel *kernel, PyObject *board, PyObject *sides, const Position *before, const Position *after, Bitboard rights,
    Bitboard promoted, Bitboard promoted_now)
{
    return set_bitboard(kernel, board, ATTR_OCCUPIED, occupied(before), occupied(after))
        && set_side(sides, BLACK, before->occupied_co[BLACK], after->occupied_co[BLACK])
        && set_side(sides, WHITE, before->occupied_co[WHITE], after->occupied_co[WHITE])
        && set_bitboard(kernel, board, ATTR_PAWNS, before->pawns, after->pawns)
        && set_bitboard(kernel, board, ATTR_KNIGHTS, before->knights, after->knights)
        && set_bitboard(kernel, board, ATTR_BISHOPS, before->bishops, after->bishops)
        && set_bitboard(kernel, board, ATTR_ROOKS, before->rooks, after->rooks)
        && set_bitboard(kernel, board, ATTR_QUEENS, before->queens, after->queens)
        && set_bitboard(kernel, board, ATTR_KINGS, before->kings, after->kings)
        && set_bitboard(kernel, board, ATTR_PROMOTED, promoted, promoted_now)
        && set_bitboard(kernel, board, ATTR_CASTLING_RIGHTS, rights, after->castling_rights)
        && set_attr(kernel, board, ATTR_TURN, Py_NewRef(after->turn ? Py_True : Py_False))
        && set_attr(kernel, board, ATTR_EP_SQUARE, after->ep_square ? PyLong_FromLong(after->ep_square) : Py_NewRef(Py_None));
}

/* Everything that was read before anything is written. */
typedef struct {
    PyObject *values[ATTR_COUNT]; /* Of the board. */
    PyObject *state;
    Position before;
    Bitboard rights, promoted;
    Move move;
    long halfmove_clock, fullmove_number;
} Push;

static bool prepare(Kernel *kernel, PyObject *board, PyObject *move, Push *push)
{
    static const Attr MORE[] = {
        ATTR_OCCUPIED, ATTR_HALFMOVE_CLOCK, ATTR_FULLMOVE_NUMBER, ATTR_STACK, ATTR_MOVE_STACK,
    };
    PyObject **values = push->values;
    Bitboard all;
    if (!read_board_values(kernel, board, LEGALITY, &push->before, values) || !read_move(kernel, move, &push->move)
        || !is_playable(&push->before, push->move)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(MORE) / sizeof(MORE[0]); i++) {
        if (!values[MORE[i]] && !(values[MORE[i]] = get_attr(kernel, board, MORE[i]))) {
            return false;
        }
    }
    return to_bitboard(values[ATTR_OCCUPIED], &all) && all == occupied(&push->before)
        && to_bitboard(values[ATTR_CASTLING_RIGHTS], &push->rights)
        && to_bitboard(values[ATTR_PROMOTED], &push->promoted) && PyList_CheckExact(values[ATTR_STACK])
        && PyList_CheckExact(values[ATTR_MOVE_STACK]) && to_count(values[ATTR_HALFMOVE_CLOCK], &push->halfmove_clock)
        && to_count(values[ATTR_FULLMOVE_NUMBER], &push->fullmove_number) && (push->state = save(kernel, values));
}

static bool make(Kernel *kernel, PyObject *board, PyObject *object, Push *push)
{
    const Position *before = &push->before;
    const Square from = MOVE_FROM(push->move);
    Position after = *before;
    Castling castling;
    const bool castles = castling_squares(before, from, MOVE_TO(push->move), &castling);
    if (castles) {
        /* Written down in the notation of the board. */
        push->move = castling_notation(before, MOVE(castling.king, castling.rook, NO_PIECE));
        object = shared_move(kernel, push->move);
    } else {
        Py_INCREF(object);
    }
    make_move(&after, push->move);
    /* Castling captures nothing, even where a man that should not be there is pushed off. */
    const bool zeroing = (!castles && captures(before, &after)) || before->pawns & BB(from);
    bool good = object && PyList_Append(push->values[ATTR_STACK], push->state) == 0
        && PyList_Append(push->values[ATTR_MOVE_STACK], object) == 0
        && update(kernel, board, push->values[ATTR_OCCUPIED_CO], before, &after, push->rights, push->promoted,
            promoted_after(push->promoted, before, &after, push->move, castles ? &castling : NULL))
        && set_attr(kernel, board, ATTR_HALFMOVE_CLOCK, PyLong_FromLong(zeroing ? 0 : push->halfmove_clock + 1))
        && (before->turn || set_attr(kernel, board, ATTR_FULLMOVE_NUMBER, PyLong_FromLong(push->fullmove_number + 1)));
    Py_XDECREF(object);
    return good;
}

PyObject *handle_push(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    if (count != 2 || keywords) {
        return NULL;
    }
    Push push = {0};
    PyObject *result = NULL;
    if (prepare(kernel, args[0], args[1], &push)) {
        result = make(kernel, args[0], args[1], &push) ? Py_NewRef(Py_None) : NULL;
    }
    for (int i = 0; i < ATTR_COUNT; i++) {
        Py_XDECREF(push.values[i]);
    }
    Py_XDECREF(push.state);
    return result;
}

/* Takes the last item off a list. A new reference. */
static PyObject *pop_last(PyObject *list)
{
    Py_ssize_t last = PyList_GET_SIZE(list) - 1;
    PyObject *item = PySequence_GetItem(list, last);
    if (item && PyList_SetSlice(list, last, last + 1, NULL) < 0) {
        Py_CLEAR(item);
    }
    return item;
}

static bool restore(Kernel *kernel, PyObject *board, PyObject *sides, PyObject *state)
{
    for (Py_ssize_t i = 0; i < SAVED_COUNT; i++) {
        PyObject *value = Py_NewRef(PyTuple_GET_ITEM(state, i));
        if (i == SAVED_BLACK || i == SAVED_WHITE) {
            if (PyList_SetItem(sides, i == SAVED_WHITE ? WHITE : BLACK, value) < 0) {
                return false;
            }
        } else if (!set_attr(kernel, board, SAVED[i], value)) {
            return false;
        }
    }
    return true;
}

PyObject *handle_pop(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Rules rules;
    if (count != 1 || keywords || !is_on_ground(kernel, Py_TYPE(args[0]), LEGALITY, &rules)) {
        return NULL;
    }
    PyObject *board = args[0];
    PyObject *sides = get_list(kernel, board, ATTR_OCCUPIED_CO);
    PyObject *stack = get_list(kernel, board, ATTR_STACK);
    PyObject *move_stack = get_list(kernel, board, ATTR_MOVE_STACK);
    PyObject *result = NULL;
    if (sides && PyList_GET_SIZE(sides) == 2 && stack && PyList_GET_SIZE(stack) && move_stack
        && PyList_GET_SIZE(move_stack)) {
        PyObject *state = PyList_GET_ITEM(stack, PyList_GET_SIZE(stack) - 1);
        if (Py_IS_TYPE(state, kernel->state_class) && PyTuple_GET_SIZE(state) == SAVED_COUNT && (state = pop_last(stack))) {
            if (restore(kernel, board, sides, state)) {
                result = pop_last(move_stack);
            }
            Py_DECREF(state);
        }
    }
    Py_XDECREF(sides);
    Py_XDECREF(stack);
    Py_XDECREF(move_stack);
    return result;
}
