/* perft() of Python's boards: other threads run meanwhile, and Ctrl-C works. */

#include "batches.h"
#include "perft.h"

PyObject *handle_perft(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    int depth;
    if (count != 2 || keywords || !read_board(kernel, args[0], PLAY, &position)
        || !to_number(args[1], 1, MAX_PERFT_DEPTH, &depth)) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    Interrupt interrupt = {0, poll_signals, &thread, false};
    uint64_t nodes = perft(&position, depth, &interrupt);
    PyEval_RestoreThread(thread);
    return interrupt.stopped ? NULL : PyLong_FromUnsignedLongLong(nodes);
}
