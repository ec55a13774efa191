#include "dispatch.h"

#include <stddef.h>
#include <string.h>

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
    {"perft", handle_perft},
};

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    Handler handler;
    PyObject *function; /* The Python function in whose place this one stands. */
    PyObject *dict;     /* For functools.update_wrapper. */
    PyObject *weak_references;
} Function;

static PyObject *function_call(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *keywords)
{
    Function *function = (Function *)self;
    PyObject *result = function->handler(args, PyVectorcall_NARGS(nargsf), keywords);
    if (!result && !PyErr_Occurred()) {
        return PyObject_Vectorcall(function->function, args, nargsf, keywords);
    }
    return result;
}

static PyObject *function_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(keywords))
{
    const char *name;
    PyObject *python;
    if (!PyArg_ParseTuple(args, "sO:Function", &name, &python)) {
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
        self->function = Py_NewRef(python);
        if (handler == handle_generate_legal_moves) {
            Py_XSETREF(python_generate_legal_moves, Py_NewRef(python));
        }
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
    Py_VISIT(((Function *)self)->function);
    Py_VISIT(((Function *)self)->dict);
    return 0;
}

static int function_clear(PyObject *self)
{
    Py_CLEAR(((Function *)self)->function);
    Py_CLEAR(((Function *)self)->dict);
    return 0;
}

static void function_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    if (((Function *)self)->weak_references) {
        PyObject_ClearWeakRefs(self);
    }
    function_clear(self);
    Py_TYPE(self)->tp_free(self);
}

/* Pickled by name, like a Python function. */
static PyObject *function_reduce(PyObject *self, PyObject *Py_UNUSED(args))
{
    return PyObject_GetAttrString(self, "__qualname__");
}

static PyMethodDef function_methods[] = {
    {"__reduce__", function_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef function_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject FunctionType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "atomic_variant.kernel._kernel.Function",
    .tp_basicsize = sizeof(Function),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_new = function_new,
    .tp_dealloc = function_dealloc,
    .tp_traverse = function_traverse,
    .tp_clear = function_clear,
    .tp_repr = function_repr,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(Function, vectorcall),
    .tp_dictoffset = offsetof(Function, dict),
    .tp_weaklistoffset = offsetof(Function, weak_references),
    .tp_descr_get = function_get,
    .tp_methods = function_methods,
    .tp_getset = function_getset,
};
