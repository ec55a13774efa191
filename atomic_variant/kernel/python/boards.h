/* Between Python's boards and moves and ours. */

#ifndef ATOMIC_VARIANT_DOOR_H
#define ATOMIC_VARIANT_DOOR_H

#include "kernel.h"

/*
 * kernel.set_up(): what boards/atomic.py hands over once it is defined. Until
 * then, and once the module is taken down, every function is Python's.
 */
PyObject *set_up(PyObject *module, PyObject *args, PyObject *keywords);

/* For the collector. */
int visit_handed_over(Kernel *kernel, visitproc visit, void *arg);
void give_back(Kernel *kernel);

/*
 * Whether boards of this class are on the *ground*; then *rules* are theirs. False with an
 * exception if one came up. Here and below Python takes over where there is none.
 */
bool is_on_ground(Kernel *kernel, PyTypeObject *type, Ground ground, Rules *rules);
int start_watching(Kernel *kernel);
void stop_watching(Kernel *kernel);
void forget_classes(Kernel *kernel);

int init_attrs(Kernel *kernel);

/* Clears the exception if it is an AttributeError. Any other is for the caller. */
bool clear_attribute_error(void);

/*
 * Read an attribute of a board, a bitboard, or a whole board. False if it is not what we
 * expect: Python takes over and raises what there is to raise. But what an attribute raises
 * when it is read, other than AttributeError, is left set.
 */
PyObject *get_attr(Kernel *kernel, PyObject *object, Attr attr);
bool to_bitboard(PyObject *value, Bitboard *out);
/* A plain number from *least* to *most*; false for anything else. */
bool to_number(PyObject *value, int least, int most, int *out);
bool read_bitboard(Kernel *kernel, PyObject *board, Attr attr, Bitboard *out);
bool read_board(Kernel *kernel, PyObject *board, Ground ground, Position *out);

/*
 * As read_board, and keeps references to the values of attributes that it has
 * read, also when it fails; the rest of *values*, of length ATTR_COUNT, stays NULL.
 */
bool read_board_values(Kernel *kernel, PyObject *board, Ground ground, Position *out, PyObject **values);

/* Reads a chess.Move without drop; squares must be squares. False otherwise. */
bool read_move(Kernel *kernel, PyObject *object, Move *out);

/* The shared chess.Move, a new reference. */
PyObject *shared_move(Kernel *kernel, Move move);

/*
 * A list that others may see has no empty slots: the collector shows it to anyone
 * from the moment it is made, and Python may run while we make what goes into it.
 * So it grows item by item, or the collector does not know it before it is full.
 * The first takes the reference; false if there is no *item*.
 */
static inline bool append_new(PyObject *list, PyObject *item)
{
    bool good = item && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return good;
}

/* A list of empty slots, to be filled by PyList_SET_ITEM(). */
static inline PyObject *new_hidden_list(Py_ssize_t size)
{
    PyObject *list = PyList_New(size);
    if (list) {
        PyObject_GC_UnTrack(list);
    }
    return list;
}

/* The list when it is full. NULL for NULL. */
static inline PyObject *show_list(PyObject *list)
{
    if (list) {
        PyObject_GC_Track(list);
    }
    return list;
}

#endif
