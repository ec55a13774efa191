#include "boards.h"

static const char *const ATTR_NAMES[ATTR_COUNT] = {
    "turn", "occupied_co", "pawns", "knights", "bishops", "rooks", "queens", "kings", "promoted", "occupied",
    "castling_rights", "ep_square", "halfmove_clock", "fullmove_number", "chess960", "_stack", "move_stack",
    "from_square", "to_square", "promotion", "drop", "board",
};

PyObject *ATTRS[ATTR_COUNT];

/* Attributes that a class must have from AtomicBoard, by ground; each ground includes those before it. */
static const struct {
    const char *name;
    Ground ground;
} INHERITED[] = {
    {"is_variant_end", LEGALITY},
    {"clean_castling_rights", LEGALITY},
    {"generate_castling_moves", LEGALITY},
    {"generate_legal_ep", LEGALITY},
    {"generate_pseudo_legal_ep", LEGALITY},
    {"is_en_passant", LEGALITY},
    {"is_castling", LEGALITY},
    {"king", LEGALITY},
    {"piece_type_at", LEGALITY},
    {"_attacked_for_king", LEGALITY},
    {"_from_chess960", LEGALITY},
    {"_to_chess960", LEGALITY},
    {"generate_legal_moves", LISTS},
    {"is_legal", LISTS},
    {"find_move", LISTS},
    {"legal_moves", PLAY},
    {"checkers_mask", PLAY},
    {"is_check", PLAY},
    {"push", PLAY},
    {"pop", PLAY},
    {"outcome", ENDINGS},
    {"describe_outcome", ENDINGS},
    {"is_variant_win", ENDINGS},
    {"is_variant_loss", ENDINGS},
    {"is_variant_draw", ENDINGS},
    {"is_checkmate", ENDINGS},
    {"is_stalemate", ENDINGS},
    {"is_insufficient_material", ENDINGS},
    {"has_insufficient_material", ENDINGS},
    {"is_seventyfive_moves", ENDINGS},
    {"is_fivefold_repetition", ENDINGS},
    {"can_claim_draw", ENDINGS},
    {"can_claim_fifty_moves", ENDINGS},
    {"can_claim_threefold_repetition", ENDINGS},
    {"is_closed_position", ENDINGS},
};

#define INHERITED_COUNT ((int)(sizeof(INHERITED) / sizeof(INHERITED[0])))

static PyTypeObject *board_class;
PyTypeObject *state_class;
static PyObject *inherited[INHERITED_COUNT];
static PyObject *moves[6][64 * 64]; /* By promotion. */

int init_door(void)
{
    for (int i = 0; i < ATTR_COUNT; i++) {
        ATTRS[i] = PyUnicode_InternFromString(ATTR_NAMES[i]);
        if (!ATTRS[i]) {
            return -1;
        }
    }
    return 0;
}

/* Fills one table of moves from rows by origin square. */
static int take_moves(PyObject *rows, int promotion)
{
    for (int from = 0; from < 64; from++) {
        PyObject *key = PyLong_FromLong(from);
        PyObject *row = key ? PyDict_GetItemWithError(rows, key) : NULL;
        Py_XDECREF(key);
        if (!row) {
            if (PyErr_Occurred()) {
                return -1;
            }
            continue; /* No pawn promotes from here. */
        }
        if (!PyList_Check(row) || PyList_GET_SIZE(row) != 64) {
            PyErr_SetString(PyExc_ValueError, "expected a list of 64 moves");
            return -1;
        }
        for (int to = 0; to < 64; to++) {
            Py_XSETREF(moves[promotion][MOVE(from, to, 0)], Py_NewRef(PyList_GET_ITEM(row, to)));
        }
    }
    return 0;
}

PyObject *set_up(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyTypeObject *board, *state;
    PyObject *rows, *promotion_rows;
    if (!PyArg_ParseTuple(args, "O!O!O!O!:set_up", &PyType_Type, &board, &PyType_Type, &state, &PyDict_Type, &rows,
            &PyDict_Type, &promotion_rows)) {
        return NULL;
    }
    if (!PyType_IsSubtype(state, &PyTuple_Type)) {
        PyErr_SetString(PyExc_TypeError, "expected a tuple class for saved positions");
        return NULL;
    }
    for (int promotion = KNIGHT; promotion <= QUEEN; promotion++) {
        PyObject *key = PyLong_FromLong(promotion);
        PyObject *table = key ? PyDict_GetItemWithError(promotion_rows, key) : NULL;
        Py_XDECREF(key);
        if (!table || !PyDict_Check(table)) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_ValueError, "expected moves of all promotions");
            }
            return NULL;
        }
        if (take_moves(table, promotion) < 0) {
            return NULL;
        }
    }
    if (take_moves(rows, NO_PIECE) < 0) {
        return NULL;
    }
    for (int i = 0; i < INHERITED_COUNT; i++) {
        PyObject *attribute = PyObject_GetAttrString((PyObject *)board, INHERITED[i].name);
        if (!attribute) {
            return NULL;
        }
        Py_XSETREF(inherited[i], attribute);
    }
    Py_XSETREF(state_class, (PyTypeObject *)Py_NewRef(state));
    Py_XSETREF(board_class, (PyTypeObject *)Py_NewRef(board));
    Py_RETURN_NONE;
}

/* --- Classes -------------------------------------------------------------- */

/*
 * What is known of a class. The interpreter gives a class a new version tag
 * whenever it or one of its bases changes, and never uses a tag twice: so a
 * method that is replaced at run time is noticed.
 */
typedef struct {
    PyTypeObject *type; /* Compared only, so it may be gone. */
    unsigned int version;
    unsigned int ground;
    Rules rules;
} ClassEntry;

static ClassEntry classes[16];

/* A class attribute that must be True or False. */
static bool read_switch(PyTypeObject *type, const char *name, bool *out)
{
    PyObject *value = PyObject_GetAttrString((PyObject *)type, name);
    PyErr_Clear();
    *out = value == Py_True;
    bool good = value == Py_True || value == Py_False;
    Py_XDECREF(value);
    return good;
}

static ClassEntry judge_class(PyTypeObject *type)
{
    ClassEntry entry = {type, 0, 0, {true, true}};
    if (!board_class || !PyType_IsSubtype(type, board_class)
        || !read_switch(type, "has_checks", &entry.rules.has_checks)
        || !read_switch(type, "touching_kings_immune", &entry.rules.touching_kings_immune)) {
        return entry;
    }
    unsigned int ground = LEGALITY | LISTS | PLAY | ENDINGS;
    for (int i = 0; i < INHERITED_COUNT; i++) {
        PyObject *attribute = PyObject_GetAttrString((PyObject *)type, INHERITED[i].name);
        PyErr_Clear();
        if (attribute != inherited[i]) {
            ground &= INHERITED[i].ground - 1; /* Only the grounds before this one are left. */
        }
        Py_XDECREF(attribute);
    }
    entry.ground = ground;
    entry.version = type->tp_version_tag;
    return entry;
}

bool is_on_ground(PyTypeObject *type, Ground ground, Rules *rules)
{
    ClassEntry *known = &classes[(uintptr_t)type / 64 % (sizeof(classes) / sizeof(classes[0]))];
    if (known->type != type || !known->version || known->version != type->tp_version_tag) {
        *known = judge_class(type);
    }
    *rules = known->rules;
    return known->ground & ground;
}

/* --- Boards and moves ----------------------------------------------------- */

PyObject *get_attr(PyObject *object, Attr attr)
{
    PyObject *value = PyObject_GetAttr(object, ATTRS[attr]);
    if (!value) {
        PyErr_Clear();
    }
    return value;
}

bool to_bitboard(PyObject *value, Bitboard *out)
{
    if (!PyLong_Check(value)) {
        return false;
    }
    *out = PyLong_AsUnsignedLongLong(value);
    if (*out == BB_ALL && PyErr_Occurred()) {
        PyErr_Clear(); /* Negative or too long. */
        return false;
    }
    return true;
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

static bool read_mask(PyObject *board, Attr attr, Bitboard *out, PyObject **values)
{
    PyObject *value = get_attr(board, attr);
    bool good = value && to_bitboard(value, out);
    release(value, attr, values);
    return good;
}

bool read_bitboard(PyObject *board, Attr attr, Bitboard *out) { return read_mask(board, attr, out, NULL); }

static bool read_bool(PyObject *object, Attr attr, bool *out, PyObject **values)
{
    PyObject *value = get_attr(object, attr);
    *out = value == Py_True;
    bool good = value == Py_True || value == Py_False;
    release(value, attr, values);
    return good;
}

/* A small number from 0 to *limit*, or None, which is *none*. */
static bool read_small(PyObject *object, Attr attr, long limit, long none, long *out, PyObject **values)
{
    PyObject *value = get_attr(object, attr);
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

static bool read_sides(PyObject *board, Position *out, PyObject **values)
{
    PyObject *sides = get_attr(board, ATTR_OCCUPIED_CO);
    bool good = sides && PyList_CheckExact(sides) && PyList_GET_SIZE(sides) == 2
        && to_bitboard(PyList_GET_ITEM(sides, BLACK), &out->occupied_co[BLACK])
        && to_bitboard(PyList_GET_ITEM(sides, WHITE), &out->occupied_co[WHITE]);
    release(sides, ATTR_OCCUPIED_CO, values);
    return good;
}

static bool read_rights(PyObject *board, Position *out, PyObject **values)
{
    if (!read_mask(board, ATTR_CASTLING_RIGHTS, &out->castling_rights, values)) {
        return false;
    }
    out->chess960 = false;
    if (!out->castling_rights) {
        return true; /* Chess960 differs in castling only. */
    }
    if (!read_bool(board, ATTR_CHESS960, &out->chess960, values)) {
        return false;
    }
    PyObject *stack = get_attr(board, ATTR_STACK);
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

bool read_board_values(PyObject *board, Ground ground, Position *out, PyObject **values)
{
    bool turn;
    long ep_square;
    Bitboard promoted;
    if (!is_on_ground(Py_TYPE(board), ground, &out->rules) || !read_bool(board, ATTR_TURN, &turn, values)
        || !read_sides(board, out, values) || !read_mask(board, ATTR_PAWNS, &out->pawns, values)
        || !read_mask(board, ATTR_KNIGHTS, &out->knights, values)
        || !read_mask(board, ATTR_BISHOPS, &out->bishops, values) || !read_mask(board, ATTR_ROOKS, &out->rooks, values)
        || !read_mask(board, ATTR_QUEENS, &out->queens, values) || !read_mask(board, ATTR_KINGS, &out->kings, values)
        || !read_mask(board, ATTR_PROMOTED, &promoted, values)
        || !read_small(board, ATTR_EP_SQUARE, 63, 0, &ep_square, values)) {
        return false;
    }
    out->turn = turn;
    out->ep_square = (int8_t)ep_square;
    return is_regular(out, promoted) && read_rights(board, out, values);
}

bool read_board(PyObject *board, Ground ground, Position *out) { return read_board_values(board, ground, out, NULL); }

bool read_move(PyObject *object, Move *out)
{
    long from, to, promotion;
    PyObject *drop = get_attr(object, ATTR_DROP);
    bool good = drop == Py_None;
    Py_XDECREF(drop);
    if (!good || !read_small(object, ATTR_FROM_SQUARE, 63, -1, &from, NULL) || !read_small(object, ATTR_TO_SQUARE, 63, -1, &to, NULL)
        || !read_small(object, ATTR_PROMOTION, QUEEN, -1, &promotion, NULL) || from < 0 || to < 0) {
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

PyObject *shared_move(Move move)
{
    PyObject *object = moves[MOVE_PROMOTION(move)][move & 4095];
    if (!object) {
        PyErr_Format(PyExc_RuntimeError, "no move object for %d", (int)move);
        return NULL;
    }
    return Py_NewRef(object);
}
