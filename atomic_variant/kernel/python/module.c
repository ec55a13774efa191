/* The module atomic_variant.kernel._kernel. */

#include "dispatch.h"
#include "scanner.h"

static PyMethodDef methods[] = {
    {"set_up", set_up, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "atomic_variant.kernel._kernel",
    .m_size = -1,
    .m_methods = methods,
};

PyMODINIT_FUNC PyInit__kernel(void)
{
    init_tables();
    if (init_door() < 0 || PyType_Ready(&MoveIteratorType) < 0) {
        return NULL;
    }
    PyObject *module = PyModule_Create(&definition);
    if (module && (PyModule_AddType(module, &FunctionType) < 0 || PyModule_AddType(module, &ScannerType) < 0)) {
        Py_CLEAR(module);
    }
    return module;
}
