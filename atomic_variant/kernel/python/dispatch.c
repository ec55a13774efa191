#include "dispatch.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h> /* Of Python, for the offsets; 3.12 has them in Python.h. */

/* By the qualified names of the Python functions. */
static const struct {
    const char *name;
    Handler handler;
} HANDLERS[] = {
    {"generate_legal_moves", handle_generate_legal_moves},
    {"is_legal", handle_is_legal},
    {"gives_check", handle_gives_check},
    {"LegalMoveGenerator.__iter__", handle_view_iter},
    {"LegalMoveGenerator.__bool__", handle_view_bool},
    {"LegalMoveGenerator.__contains__", handle_view_contains},
    {"LegalMoveGenerator.count", handle_view_count},
    {"AtomicBoard.parse_san", handle_parse_san},
    {"AtomicBoard.checkers_mask", handle_checkers_mask},
    {"AtomicBoard.is_checkmate", handle_is_checkmate},
    {"AtomicBoard.is_stalemate", handle_is_stalemate},
    {"AtomicBoard.has_insufficient_material", handle_has_insufficient_material},
    {"AtomicBoard.push", handle_push},
    {"AtomicBoard.pop", handle_pop},
    {"AtomicBoard.fen", handle_fen},
    {"AtomicBoard.set_fen", handle_set_fen},
    {"AtomicBoard._algebraic", handle_algebraic},
    {"AtomicBoard.copy", handle_copy},
    {"AtomicBoard.is_repetition", handle_is_repetition},
    {"AtomicBoard.zobrist_key", handle_zobrist_key},
    {"perft", handle_perft},
    {"solve", handle_solve},
    {"judge", handle_judge},
    {"scan_wins", handle_scan},
    {"count_moves", handle_count_moves},
    {"list_moves", handle_list_moves},
    {"mask_moves", handle_mask_moves},
    {"count_explosions", handle_count_explosions},
    {"find_checks", handle_find_checks},
    {"find_touching", handle_find_touching},
    {"find_keys", handle_find_keys},
    {"find_kinds", handle_find_kinds},
    {"count_leaves", handle_count_leaves},
    {"play_moves", handle_play_moves},
    {"replay", handle_replay},
    {"play_out", handle_play_out},
    {"read_fens", handle_read_fens},
    {"write_fens", handle_write_fens},
    {"search_wins", handle_search_wins},
};

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    Handler handler;
    PyObject *module; /* Keeps the kernel. */
    Kernel *kernel;
    PyObject *function; /* The Python function in whose place this one stands. */
    PyObject *dict;     /* For functools.update_wrapper. */
    PyObject *weak_references;
} Function;

static PyObject *function_call(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *keywords)
{
    Function *function = (Function *)self;
    PyObject *result = function->handler(function->kernel, args, PyVectorcall_NARGS(nargsf), keywords);
    if (result || PyErr_Occurred()) {
        return result;
    }
    if (!function->function) {
        PyErr_SetString(PyExc_RuntimeError, "the kernel has been taken down");
        return NULL;
    }
    return PyObject_Vectorcall(function->function, args, nargsf, keywords);
}

static PyObject *function_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(keywords))
{
    const char *name;
    PyObject *python;
    PyObject *module = PyType_GetModule(type);
    if (!module || !PyArg_ParseTuple(args, "sO:Function", &name, &python)) {
        return NULL;
    }
    Handler handler = NULL;
    for (size_t i = 0; i < sizeof(HANDLERS) / sizeof(HANDLERS[0]); i++) {
        if (strcmp(name, HANDLERS[i].name) == 0) {
            handler = HANDLERS[i].handler;
        }
    }
    if (!handler) {
        PyErr_Format(PyExc_LookupError, "no compiled %s", name);
        return NULL;
    }
    Function *self = (Function *)type->tp_alloc(type, 0);
    if (self) {
        self->vectorcall = function_call;
        self->handler = handler;
        self->module = Py_NewRef(module);
        self->kernel = PyModule_GetState(module);
        self->function = Py_NewRef(python);
    }
    return (PyObject *)self;
}

/* A method of the board that it is looked up on, like a Python function. */
static PyObject *function_get(PyObject *self, PyObject *instance, PyObject *Py_UNUSED(owner))
{
    return !instance || instance == Py_None ? Py_NewRef(self) : PyMethod_New(self, instance);
}

static PyObject *function_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<compiled %R>", ((Function *)self)->function);
}

static int function_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Function *)self)->module);
    Py_VISIT(((Function *)self)->function);
    Py_VISIT(((Function *)self)->dict);
    return 0;
}

/* The module stays: who still calls the function finds the kernel. Its circles end with what give_back() gives up. */
static int function_clear(PyObject *self)
{
    Py_CLEAR(((Function *)self)->function);
    Py_CLEAR(((Function *)self)->dict);
    return 0;
}

static void function_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    if (((Function *)self)->weak_references) {
        PyObject_ClearWeakRefs(self);
    }
    function_clear(self);
    Py_CLEAR(((Function *)self)->module);
    type->tp_free(self);
    Py_DECREF(type);
}

/* Remembers the class that it is defined in, where inspect looks for documentation to inherit. */
static PyObject *function_set_name(PyObject *self, PyObject *args)
{
    PyObject *owner, *name;
    if (!PyArg_ParseTuple(args, "OU:__set_name__", &owner, &name)
        || PyObject_SetAttrString(self, "__objclass__", owner) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* Pickled by name, like a Python function; a method as what its class has under that name. */
static PyObject *function_reduce(PyObject *self, PyObject *Py_UNUSED(args))
{
    PyObject *owner = PyObject_GetAttrString(self, "__objclass__");
    if (!owner) {
        return clear_attribute_error() ? PyObject_GetAttrString(self, "__qualname__") : NULL;
    }
    PyObject *builtins = PyImport_ImportModule("builtins");
    PyObject *get = builtins ? PyObject_GetAttrString(builtins, "getattr") : NULL;
    PyObject *name = get ? PyObject_GetAttrString(self, "__name__") : NULL;
    PyObject *what = name ? PyTuple_Pack(2, owner, name) : NULL;
    PyObject *result = what ? PyTuple_Pack(2, get, what) : NULL;
    Py_XDECREF(what);
    Py_XDECREF(name);
    Py_XDECREF(get);
    Py_XDECREF(builtins);
    Py_DECREF(owner);
    return result;
}

static PyMethodDef function_methods[] = {
    {"__set_name__", function_set_name, METH_VARARGS,
        PyDoc_STR("__set_name__($self, owner, name, /)\n--\n\nTakes note of the class whose method this is.")},
    {"__reduce__", function_reduce, METH_NOARGS, PyDoc_STR("__reduce__($self, /)\n--\n\nThe name to be pickled by.")},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef function_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef function_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Function, vectorcall), READONLY, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(Function, dict), READONLY, NULL},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Function, weak_references), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

PyDoc_STRVAR(function_doc,
    "Function(name, function, /)\n"
    "--\n"
    "\n"
    "A compiled function that falls back on the Python function in whose place it stands.\n"
    "\n"
    "*name* is the qualified name of the Python function.\n"
    "\n"
    ":raises: :exc:`LookupError` if there is no compiled function of that name.");

static PyType_Slot function_slots[] = {
    {Py_tp_doc, (void *)function_doc},
    {Py_tp_new, function_new},
    {Py_tp_dealloc, function_dealloc},
    {Py_tp_traverse, function_traverse},
    {Py_tp_clear, function_clear},
    {Py_tp_repr, function_repr},
    {Py_tp_call, PyVectorcall_Call},
    {Py_tp_descr_get, function_get},
    {Py_tp_methods, function_methods},
    {Py_tp_getset, function_getset},
    {Py_tp_members, function_members},
    {0, NULL},
};

/* Immutable: only then does the interpreter call methods of such a type without binding them. */
PyType_Spec function_spec = {
    .name = "atomic_variant.kernel._kernel.Function",
    .basicsize = sizeof(Function),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR
        | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = function_slots,
};
