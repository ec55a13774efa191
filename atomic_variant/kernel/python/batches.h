/* Between numpy's arrays, as buffers, and batches of positions. */

#ifndef ATOMIC_VARIANT_BATCHES_H
#define ATOMIC_VARIANT_BATCHES_H

#include "dispatch.h"

#include "batch.h"

#define MAX_VIEWS 16

/* What a function of positions/_bulk.py was called with. To be closed whatever happens. */
typedef struct {
    Batch batch;
    Py_buffer views[MAX_VIEWS];
    int view_count;
} Call;

/* The arguments that each of them begins with: variant, chess960, bitboards, turn, castling_rights, ep_square. */
#define BATCH_ARGS 6

/* False if the class is not on the *ground*, or with an exception if an array has another size. */
bool open_call(Kernel *kernel, PyObject *const *args, Ground ground, Call *out);
void close_call(Call *call);

/* An array of *count* items; NULL with an exception. One that is to be written to is in the right order in memory. */
void *open_array(Call *call, PyObject *array, size_t item_size, size_t count, bool is_writable);

/* The items of an array of any length. */
void *open_any_array(Call *call, PyObject *array, size_t item_size, size_t *count);

/* For a context that is the address of a thread's state: whether Ctrl-C was pressed. */
bool poll_signals(void *context);

#endif
