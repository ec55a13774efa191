/* perft() of Python's boards: other threads run meanwhile, and Ctrl-C works. */

#include "batches.h"
#include "perft.h"

PyObject *handle_perft(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    if (count != 2 || keywords || !PyLong_CheckExact(args[1]) || !read_board(kernel, args[0], PLAY, &position)) {
        return NULL;
    }
    int overflow;
    long depth = PyLong_AsLongAndOverflow(args[1], &overflow);
    if (overflow || depth < 1 || depth > MAX_PERFT_DEPTH) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    Interrupt interrupt = {0, poll_signals, &thread, false};
    uint64_t nodes = perft(&position, (int)depth, &interrupt);
    PyEval_RestoreThread(thread);
    return interrupt.stopped ? NULL : PyLong_FromUnsignedLongLong(nodes);
}
