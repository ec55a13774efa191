/*
 * What the module keeps: one Kernel for each time it is imported, so that the
 * interpreters of a process share nothing but constant tables.
 */

#ifndef ATOMIC_VARIANT_KERNEL_H
#define ATOMIC_VARIANT_KERNEL_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "position.h"

/* The attributes of boards and moves that are read or written. */
typedef enum {
    ATTR_TURN,
    ATTR_OCCUPIED_CO,
    ATTR_PAWNS,
    ATTR_KNIGHTS,
    ATTR_BISHOPS,
    ATTR_ROOKS,
    ATTR_QUEENS,
    ATTR_KINGS,
    ATTR_PROMOTED,
    ATTR_OCCUPIED,
    ATTR_CASTLING_RIGHTS,
    ATTR_EP_SQUARE,
    ATTR_HALFMOVE_CLOCK,
    ATTR_FULLMOVE_NUMBER,
    ATTR_CHESS960,
    ATTR_STACK,
    ATTR_MOVE_STACK,
    ATTR_FROM_SQUARE,
    ATTR_TO_SQUARE,
    ATTR_PROMOTION,
    ATTR_DROP,
    ATTR_BOARD,
    ATTR_COUNT
} Attr;

/*
 * What a class of boards may not have overridden, so that a compiled function
 * does the same as the Python function in its place: the grounds of
 * boards/atomic.py, in their order. Each includes those before it.
 */
typedef enum {
    LEGALITY = 1, /* What the legality of moves is made of. */
    LISTS = 2,    /* The legality of moves itself, too. */
    PLAY = 4,     /* Checks and making moves, too. */
    ENDINGS = 8   /* How games end, too. */
} Ground;

#define GROUND_COUNT 4

/* An attribute that a class must have from AtomicBoard to be on a ground. */
typedef struct {
    PyObject *name, *value;
    Ground ground;
} Inherited;

/* What is known of a class: see classes.c. */
typedef struct {
    PyTypeObject *type; /* Compared only: it may be gone, and another may have its address. */
    PyObject *reference; /* A weak one, to tell. */
    unsigned long stamp;
    unsigned int ground;
    Rules rules;
} ClassEntry;

#define CLASS_CACHE 16

typedef struct {
    PyObject *attrs[ATTR_COUNT]; /* Their names. */
    PyObject *module; /* Whose state this is; not a reference. */
    PyTypeObject *move_iterator_type;

    /* What set_up() was given; NULL before. */
    PyTypeObject *board_class;
    PyTypeObject *state_class;             /* Of saved positions, boards.atomic._State. */
    PyObject *generate_legal_moves;        /* The Python function that a MoveIterator falls back on. */
    PyObject *moves[QUEEN + 1][64 * 64];   /* The shared chess.Move, by promotion. */
    Inherited *inherited;
    Py_ssize_t inherited_count;

    uint64_t *zobrist_numbers; /* Polyglot's, from when a board is first asked for its key. */

    ClassEntry classes[CLASS_CACHE];
    int watcher; /* Of classes; -1 if there is none. */
} Kernel;

#endif
