#include "boards.h"

static const char *const ATTR_NAMES[ATTR_COUNT] = {
    "turn", "occupied_co", "pawns", "knights", "bishops", "rooks", "queens", "kings", "promoted", "occupied",
    "castling_rights", "ep_square", "halfmove_clock", "fullmove_number", "chess960", "_stack", "move_stack",
    "from_square", "to_square", "promotion", "drop", "board",
};

int init_attrs(Kernel *kernel)
{
    for (int i = 0; i < ATTR_COUNT; i++) {
        kernel->attrs[i] = PyUnicode_InternFromString(ATTR_NAMES[i]);
        if (!kernel->attrs[i]) {
            return -1;
        }
    }
    return 0;
}

/* --- Boards and moves ----------------------------------------------------- */

bool clear_attribute_error(void)
{
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return false;
    }
    PyErr_Clear();
    return true;
}

PyObject *get_attr(Kernel *kernel, PyObject *object, Attr attr)
{
    PyObject *value = PyObject_GetAttr(object, kernel->attrs[attr]);
    if (!value) {
        clear_attribute_error();
    }
    return value;
}

bool to_bitboard(PyObject *value, Bitboard *out)
{
    if (!PyLong_Check(value)) {
        return false;
    }
    *out = PyLong_AsUnsignedLongLong(value);
    if (*out != BB_ALL || !PyErr_Occurred()) {
        return true;
    }
    if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear(); /* Negative or too long. */
    }
    return false;
}

bool to_number(PyObject *value, int least, int most, int *out)
{
    if (!PyLong_CheckExact(value)) {
        return false;
    }
    int overflow;
    const long number = PyLong_AsLongAndOverflow(value, &overflow);
    *out = (int)number;
    return !overflow && least <= number && number <= most;
}

/* Gives up a value that was read, or keeps it among *values*. */
static void release(PyObject *value, Attr attr, PyObject **values)
{
    if (values) {
        Py_XSETREF(values[attr], value);
    } else {
        Py_XDECREF(value);
    }
}

static bool read_mask(Kernel *kernel, PyObject *board, Attr attr, Bitboard *out, PyObject **values)
{
    PyObject *value = get_attr(kernel, board, attr);
    bool good = value && to_bitboard(value, out);
    release(value, attr, values);
    return good;
}

bool read_bitboard(Kernel *kernel, PyObject *board, Attr attr, Bitboard *out) { return read_mask(kernel, board, attr, out, NULL); }

static bool read_bool(Kernel *kernel, PyObject *object, Attr attr, bool *out, PyObject **values)
{
    PyObject *value = get_attr(kernel, object, attr);
    *out = value == Py_True;
    bool good = value == Py_True || value == Py_False;
    release(value, attr, values);
    return good;
}

/* A small number from 0 to *limit*, or None, which is *none*. */
static bool read_small(Kernel *kernel, PyObject *object, Attr attr, long limit, long none, long *out, PyObject **values)
{
    PyObject *value = get_attr(kernel, object, attr);
    bool good = true;
    if (value == Py_None) {
        *out = none;
    } else if (value && PyLong_Check(value)) {
        int overflow;
        *out = PyLong_AsLongAndOverflow(value, &overflow);
        good = !overflow && 0 <= *out && *out <= limit;
    } else {
        good = false;
    }
    release(value, attr, values);
    return good;
}

static bool read_sides(Kernel *kernel, PyObject *board, Position *out, PyObject **values)
{
    PyObject *sides = get_attr(kernel, board, ATTR_OCCUPIED_CO);
    bool good = sides && PyList_CheckExact(sides) && PyList_GET_SIZE(sides) == 2
        && to_bitboard(PyList_GET_ITEM(sides, BLACK), &out->occupied_co[BLACK])
        && to_bitboard(PyList_GET_ITEM(sides, WHITE), &out->occupied_co[WHITE]);
    release(sides, ATTR_OCCUPIED_CO, values);
    return good;
}

static bool read_rights(Kernel *kernel, PyObject *board, Position *out, PyObject **values)
{
    if (!read_mask(kernel, board, ATTR_CASTLING_RIGHTS, &out->castling_rights, values)) {
        return false;
    }
    out->chess960 = false;
    if (!out->castling_rights) {
        return true; /* Chess960 differs in castling only. */
    }
    if (!read_bool(kernel, board, ATTR_CHESS960, &out->chess960, values)) {
        return false;
    }
    PyObject *stack = get_attr(kernel, board, ATTR_STACK);
    bool good = stack && PyList_CheckExact(stack);
    if (good && !PyList_GET_SIZE(stack)) {
        out->castling_rights = clean_castling_rights(out, out->castling_rights); /* Later on, they are clean. */
    }
    release(stack, ATTR_STACK, values);
    return good;
}

/* Whether this is a position that the rest of the kernel is made for: see Position. */
static bool is_regular(const Position *position, Bitboard promoted)
{
    const Bitboard white_king = position->kings & position->occupied_co[WHITE];
    const Bitboard black_king = position->kings & position->occupied_co[BLACK];
    if (position->kings & promoted || !is_single(white_king) || !is_single(black_king)
        || position->kings != (white_king | black_king)
        || position->occupied_co[WHITE] & position->occupied_co[BLACK]) {
        return false;
    }
    /* A pawn captured from elsewhere may stand off the board. */
    return !position->ep_square || BB(position->ep_square) & (BB_RANK_3 | BB_RANK_6);
}

bool read_board_values(Kernel *kernel, PyObject *board, Ground ground, Position *out, PyObject **values)
{
    bool turn;
    long ep_square;
    Bitboard promoted;
    if (!is_on_ground(kernel, Py_TYPE(board), ground, &out->rules) || !read_bool(kernel, board, ATTR_TURN, &turn, values)
        || !read_sides(kernel, board, out, values) || !read_mask(kernel, board, ATTR_PAWNS, &out->pawns, values)
        || !read_mask(kernel, board, ATTR_KNIGHTS, &out->knights, values)
        || !read_mask(kernel, board, ATTR_BISHOPS, &out->bishops, values) || !read_mask(kernel, board, ATTR_ROOKS, &out->rooks, values)
        || !read_mask(kernel, board, ATTR_QUEENS, &out->queens, values) || !read_mask(kernel, board, ATTR_KINGS, &out->kings, values)
        || !read_mask(kernel, board, ATTR_PROMOTED, &promoted, values)
        || !read_small(kernel, board, ATTR_EP_SQUARE, 63, 0, &ep_square, values)) {
        return false;
    }
    out->turn = turn;
    out->ep_square = (int8_t)ep_square;
    return is_regular(out, promoted) && read_rights(kernel, board, out, values);
}

bool read_board(Kernel *kernel, PyObject *board, Ground ground, Position *out) { return read_board_values(kernel, board, ground, out, NULL); }

bool read_move(Kernel *kernel, PyObject *object, Move *out)
{
    long from, to, promotion;
    PyObject *drop = get_attr(kernel, object, ATTR_DROP);
    bool good = drop == Py_None;
    Py_XDECREF(drop);
    if (!good || !read_small(kernel, object, ATTR_FROM_SQUARE, 63, -1, &from, NULL) || !read_small(kernel, object, ATTR_TO_SQUARE, 63, -1, &to, NULL)
        || !read_small(kernel, object, ATTR_PROMOTION, QUEEN, -1, &promotion, NULL) || from < 0 || to < 0) {
        return false;
    }
    if (promotion < 0) {
        promotion = NO_PIECE;
    } else if (promotion < KNIGHT) {
        return false;
    }
    *out = MOVE(from, to, promotion);
    return true;
}

PyObject *shared_move(Kernel *kernel, Move move)
{
    PyObject *object = kernel->moves[MOVE_PROMOTION(move)][move & 4095];
    if (!object) {
        PyErr_Format(PyExc_RuntimeError, "no move object for %d", (int)move);
        return NULL;
    }
    return Py_NewRef(object);
}
