/* The module atomic_variant.kernel._kernel. */

#include "dispatch.h"
#include "scanner.h"

/* Of the sources, by kernel/_build.py; kernel/__init__.py compares it. */
#ifndef ATOMIC_VARIANT_FINGERPRINT
#define ATOMIC_VARIANT_FINGERPRINT "unknown"
#endif

static PyTypeObject *add_type(PyObject *module, PyType_Spec *spec)
{
    PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    if (type && PyModule_AddType(module, type) < 0) {
        Py_CLEAR(type);
    }
    return type;
}

static int module_exec(PyObject *module)
{
    Kernel *kernel = PyModule_GetState(module);
    init_tables();
    kernel->module = module;
    kernel->watcher = -1;
    if (PyModule_AddStringConstant(module, "FINGERPRINT", ATOMIC_VARIANT_FINGERPRINT) < 0) {
        return -1;
    }
    PyType_Spec *const specs[] = {&function_spec, &scanner_spec}; /* A new type comes here. */
    for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
        PyTypeObject *type = add_type(module, specs[i]);
        if (!type) {
            return -1;
        }
        Py_DECREF(type); /* The module has it. */
    }
    kernel->move_iterator_type = add_type(module, &move_iterator_spec);
    return !kernel->move_iterator_type || init_attrs(kernel) < 0 ? -1 : start_watching(kernel);
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    Kernel *kernel = PyModule_GetState(module);
    Py_VISIT(kernel->move_iterator_type);
    return visit_handed_over(kernel, visit, arg);
}

static int module_clear(PyObject *module)
{
    give_back(PyModule_GetState(module));
    return 0;
}

/* Last of all: functions of this module may be called until then. */
static void module_free(void *module)
{
    Kernel *kernel = PyModule_GetState(module);
    stop_watching(kernel);
    give_back(kernel);
    Py_CLEAR(kernel->move_iterator_type);
    PyMem_Free(kernel->zobrist_numbers);
    for (int i = 0; i < ATTR_COUNT; i++) {
        Py_CLEAR(kernel->attrs[i]);
    }
}

PyDoc_STRVAR(set_up_doc,
    "set_up($module, /, *, board_class, state_class, moves, promotion_moves, generate_legal_moves, grounds)\n"
    "--\n"
    "\n"
    "Hands over what the functions work with. Until then all of them are Python's.\n"
    "\n"
    "*board_class* is the board that they are made for, *state_class* the class of\n"
    "its saved positions; *moves* and *promotion_moves* are the shared moves;\n"
    "*generate_legal_moves* is the Python function that lists of moves fall back\n"
    "on; *grounds* names the attributes that a class of boards must have from\n"
    "*board_class*, in four tuples.");

static PyMethodDef methods[] = {
    {"set_up", (PyCFunction)(void (*)(void))set_up, METH_VARARGS | METH_KEYWORDS, set_up_doc},
    {NULL, NULL, 0, NULL},
};

/*
 * Interpreters that share the lock of the process may each have a kernel. One
 * with a lock of its own gets an ImportError, and so pure Python.
 */
static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, module_exec},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_SUPPORTED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "atomic_variant.kernel._kernel",
    .m_doc = PyDoc_STR("The compiled twin of some functions of atomic_variant; see atomic_variant.kernel."),
    .m_size = sizeof(Kernel),
    .m_methods = methods,
    .m_slots = slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__kernel(void) { return PyModuleDef_Init(&definition); }
