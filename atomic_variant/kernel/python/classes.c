/* What Python hands over, and what is known of classes of boards. */

#include "boards.h"

/* --- What boards/atomic.py hands over ------------------------------------- */

/* Fills one table of moves from rows by origin square. */
static int take_moves(Kernel *kernel, PyObject *rows, int promotion)
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
            Py_XSETREF(kernel->moves[promotion][MOVE(from, to, 0)], Py_NewRef(PyList_GET_ITEM(row, to)));
        }
    }
    return 0;
}

static int take_promotions(Kernel *kernel, PyObject *promotion_rows)
{
    for (int promotion = KNIGHT; promotion <= QUEEN; promotion++) {
        PyObject *key = PyLong_FromLong(promotion);
        PyObject *table = key ? PyDict_GetItemWithError(promotion_rows, key) : NULL;
        Py_XDECREF(key);
        if (!table || !PyDict_Check(table)) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_ValueError, "expected moves of all promotions");
            }
            return -1;
        }
        if (take_moves(kernel, table, promotion) < 0) {
            return -1;
        }
    }
    return 0;
}

static void free_inherited(Inherited *inherited, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; inherited && i < count; i++) {
        Py_XDECREF(inherited[i].name);
        Py_XDECREF(inherited[i].value);
    }
    PyMem_Free(inherited);
}

/* One attribute of a ground, as the class of the boards has it. */
static int take_name(PyObject *board_class, PyObject *name, Ground ground, Inherited *out)
{
    if (!PyUnicode_CheckExact(name)) {
        PyErr_SetString(PyExc_TypeError, "expected the names of attributes");
        return -1;
    }
    PyObject *value = PyObject_GetAttr(board_class, name);
    PyObject *again = value ? PyObject_GetAttr(board_class, name) : NULL;
    if (!again || value != again) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_ValueError, "%R is made anew each time and cannot be compared", name);
        }
        Py_XDECREF(value);
        Py_XDECREF(again);
        return -1;
    }
    Py_DECREF(again);
    out->name = Py_NewRef(name);
    PyUnicode_InternInPlace(&out->name);
    out->value = value;
    out->ground = ground;
    return 0;
}

/* The grounds: a tuple of tuples of names. */
static int take_grounds(Kernel *kernel, PyObject *board_class, PyObject *grounds)
{
    if (PyTuple_GET_SIZE(grounds) != GROUND_COUNT) {
        PyErr_Format(PyExc_ValueError, "expected %d grounds", GROUND_COUNT);
        return -1;
    }
    Py_ssize_t count = 0;
    for (int i = 0; i < GROUND_COUNT; i++) {
        PyObject *names = PyTuple_GET_ITEM(grounds, i);
        if (!PyTuple_CheckExact(names)) {
            PyErr_SetString(PyExc_TypeError, "expected each ground as a tuple of names");
            return -1;
        }
        count += PyTuple_GET_SIZE(names);
    }
    Inherited *inherited = PyMem_Calloc((size_t)count + 1, sizeof(Inherited));
    if (!inherited) {
        PyErr_NoMemory();
        return -1;
    }
    Py_ssize_t taken = 0;
    for (int i = 0; i < GROUND_COUNT; i++) {
        PyObject *names = PyTuple_GET_ITEM(grounds, i);
        for (Py_ssize_t j = 0; j < PyTuple_GET_SIZE(names); j++) {
            if (take_name(board_class, PyTuple_GET_ITEM(names, j), (Ground)(1 << i), &inherited[taken++]) < 0) {
                free_inherited(inherited, count);
                return -1;
            }
        }
    }
    free_inherited(kernel->inherited, kernel->inherited_count);
    kernel->inherited = inherited;
    kernel->inherited_count = count;
    return 0;
}

PyObject *set_up(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {
        "board_class", "state_class", "moves", "promotion_moves", "generate_legal_moves", "grounds", NULL,
    };
    Kernel *kernel = PyModule_GetState(module);
    PyTypeObject *board, *state;
    PyObject *rows, *promotion_rows, *generate, *grounds;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "$O!O!O!O!OO!:set_up", names, &PyType_Type, &board, &PyType_Type,
            &state, &PyDict_Type, &rows, &PyDict_Type, &promotion_rows, &generate, &PyTuple_Type, &grounds)) {
        return NULL;
    }
    if (!PyType_IsSubtype(state, &PyTuple_Type)) {
        PyErr_SetString(PyExc_TypeError, "expected a tuple class for saved positions");
        return NULL;
    }
    if (take_moves(kernel, rows, NO_PIECE) < 0 || take_promotions(kernel, promotion_rows) < 0
        || take_grounds(kernel, (PyObject *)board, grounds) < 0) {
        return NULL;
    }
    Py_XSETREF(kernel->generate_legal_moves, Py_NewRef(generate));
    Py_XSETREF(kernel->state_class, (PyTypeObject *)Py_NewRef(state));
    Py_XSETREF(kernel->board_class, (PyTypeObject *)Py_NewRef(board));
    forget_classes(kernel);
    Py_RETURN_NONE;
}

int visit_handed_over(Kernel *kernel, visitproc visit, void *arg)
{
    Py_VISIT(kernel->board_class);
    Py_VISIT(kernel->state_class);
    Py_VISIT(kernel->generate_legal_moves);
    for (int promotion = NO_PIECE; promotion <= QUEEN; promotion++) {
        for (int i = 0; i < 64 * 64; i++) {
            Py_VISIT(kernel->moves[promotion][i]);
        }
    }
    for (Py_ssize_t i = 0; i < kernel->inherited_count; i++) {
        Py_VISIT(kernel->inherited[i].value);
    }
    return 0;
}

void give_back(Kernel *kernel)
{
    Inherited *inherited = kernel->inherited;
    const Py_ssize_t count = kernel->inherited_count;
    kernel->inherited = NULL;
    kernel->inherited_count = 0;
    Py_CLEAR(kernel->board_class); /* From here on every class is off all grounds. */
    Py_CLEAR(kernel->state_class);
    Py_CLEAR(kernel->generate_legal_moves);
    free_inherited(inherited, count);
    for (int promotion = NO_PIECE; promotion <= QUEEN; promotion++) {
        for (int i = 0; i < 64 * 64; i++) {
            Py_CLEAR(kernel->moves[promotion][i]);
        }
    }
    forget_classes(kernel);
}

/* --- Classes -------------------------------------------------------------- */

/*
 * To judge a class takes some dozens of look-ups, so what came out is kept until
 * the class or one of its bases changes, as when a method is replaced at run
 * time. The interpreter tells of that from 3.12 on. Before, there is only the
 * version tag of a class: a new number, never used before, after each change,
 * or 0.
 */
#if PY_VERSION_HEX >= 0x030C0000

/* How often any class that is watched has changed. All interpreters that may import us share a lock. */
static unsigned long change_count = 1;

static int count_change(PyTypeObject *Py_UNUSED(type))
{
    change_count++;
    return 0;
}

int start_watching(Kernel *kernel)
{
    kernel->watcher = PyType_AddWatcher(count_change);
    if (kernel->watcher < 0) { /* There are only a few, and they may be gone: then nothing is kept. */
        if (!PyErr_ExceptionMatches(PyExc_RuntimeError)) {
            return -1;
        }
        PyErr_Clear();
    }
    return 0;
}

void stop_watching(Kernel *kernel)
{
    if (kernel->watcher >= 0 && PyType_ClearWatcher(kernel->watcher) < 0) {
        PyErr_WriteUnraisable(NULL);
    }
    kernel->watcher = -1;
}

static bool is_current(const ClassEntry *entry, PyTypeObject *type)
{
    if (entry->type != type || entry->stamp != change_count) {
        return false;
    }
#if PY_VERSION_HEX >= 0x030D0000
    PyObject *alive = NULL;
    (void)PyWeakref_GetRef(entry->reference, &alive);
    Py_XDECREF(alive);
#else
    PyObject *alive = PyWeakref_GetObject(entry->reference);
#endif
    return alive == (PyObject *)type;
}

/* Before a class is judged: what is kept of it counts until the next change. 0 if nothing can be kept. */
static int begin_judging(Kernel *kernel, PyTypeObject *type, unsigned long *stamp)
{
    *stamp = 0;
    if (kernel->watcher < 0) {
        return 0;
    }
    if (PyType_Watch(kernel->watcher, (PyObject *)type) < 0) {
        return -1;
    }
    /* A class without a valid tag changes unnoticed. */
    *stamp = PyUnstable_Type_AssignVersionTag(type) ? change_count : 0;
    return 0;
}

static unsigned long end_judging(PyTypeObject *Py_UNUSED(type), unsigned long stamp) { return stamp; }

#else

int start_watching(Kernel *kernel)
{
    kernel->watcher = -1;
    return 0;
}

void stop_watching(Kernel *Py_UNUSED(kernel)) {}

static bool is_current(const ClassEntry *entry, PyTypeObject *type)
{
    return entry->type == type && entry->stamp && entry->stamp == type->tp_version_tag;
}

static int begin_judging(Kernel *Py_UNUSED(kernel), PyTypeObject *type, unsigned long *stamp)
{
    PyObject *found = PyObject_GetAttrString((PyObject *)type, "__mro__"); /* Gives the class a tag. */
    *stamp = type->tp_version_tag;
    Py_XDECREF(found);
    return found ? 0 : -1;
}

static unsigned long end_judging(PyTypeObject *type, unsigned long stamp)
{
    return stamp == type->tp_version_tag ? stamp : 0;
}

#endif

/* A class attribute that must be True or False. */
static bool read_switch(PyTypeObject *type, const char *name, bool *out)
{
    PyObject *value = PyObject_GetAttrString((PyObject *)type, name);
    if (!value) {
        clear_attribute_error();
    }
    *out = value == Py_True;
    bool good = value == Py_True || value == Py_False;
    Py_XDECREF(value);
    return good;
}

static bool judge_class(const Kernel *kernel, PyTypeObject *type, ClassEntry *out)
{
    out->ground = 0;
    if (!read_switch(type, "has_checks", &out->rules.has_checks)
        || !read_switch(type, "touching_kings_immune", &out->rules.touching_kings_immune)) {
        return !PyErr_Occurred();
    }
    unsigned int ground = LEGALITY | LISTS | PLAY | ENDINGS;
    for (Py_ssize_t i = 0; i < kernel->inherited_count; i++) {
        const Inherited inherited = kernel->inherited[i];
        Py_INCREF(inherited.name); /* A metaclass may run anything, set_up() too. */
        PyObject *value = PyObject_GetAttr((PyObject *)type, inherited.name);
        Py_DECREF(inherited.name);
        if (!value && !clear_attribute_error()) {
            return false;
        }
        if (value != inherited.value) {
            ground &= inherited.ground - 1; /* Only the grounds before this one are left. */
        }
        Py_XDECREF(value);
    }
    out->ground = ground;
    return true;
}

bool is_on_ground(Kernel *kernel, PyTypeObject *type, Ground ground, Rules *rules)
{
    ClassEntry *known = &kernel->classes[(uintptr_t)type / 64 % CLASS_CACHE];
    if (is_current(known, type)) {
        *rules = known->rules;
        return known->ground & ground;
    }
    if (!kernel->board_class || !PyType_IsSubtype(type, kernel->board_class)) {
        return false;
    }
    ClassEntry entry = {.type = type};
    if (begin_judging(kernel, type, &entry.stamp) < 0 || !judge_class(kernel, type, &entry)
        || !(entry.reference = PyWeakref_NewRef((PyObject *)type, NULL))) {
        return false;
    }
    entry.stamp = end_judging(type, entry.stamp);
    PyObject *before = known->reference;
    *known = entry;
    Py_XDECREF(before);
    *rules = entry.rules;
    return entry.ground & ground;
}

void forget_classes(Kernel *kernel)
{
    for (int i = 0; i < CLASS_CACHE; i++) {
        kernel->classes[i].type = NULL;
        kernel->classes[i].stamp = 0;
        Py_CLEAR(kernel->classes[i].reference);
    }
}
