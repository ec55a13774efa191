#ifndef ATOMIC_VARIANT_SCANNER_H
#define ATOMIC_VARIANT_SCANNER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* kernel.Scanner; see _kernel.pyi. */
extern PyTypeObject ScannerType;

#endif
