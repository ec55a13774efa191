/* Between Python's boards and moves and ours. */

#ifndef ATOMIC_VARIANT_DOOR_H
#define ATOMIC_VARIANT_DOOR_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "position.h"

/*
 * What a class of boards may not have overridden, so that a compiled function
 * does the same as the Python function in its place.
 */
typedef enum {
    LEGALITY = 1, /* What the legality of moves is made of. */
    LISTS = 2,    /* The legality of moves itself, too. */
    PLAY = 4,     /* Checks and making moves, too. */
    ENDINGS = 8   /* How games end, too. */
} Ground;

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

extern PyObject *ATTRS[ATTR_COUNT];

/* The class of saved positions, board._State. */
extern PyTypeObject *state_class;

int init_door(void);

/*
 * kernel.set_up(board_class, state_class, moves, promotion_moves): what board.py
 * hands over once it is defined. Until then every function is Python's.
 */
PyObject *set_up(PyObject *module, PyObject *args);

/* Whether boards of this class are on the *ground*; then *rules* are theirs. */
bool is_on_ground(PyTypeObject *type, Ground ground, Rules *rules);

/*
 * Read an attribute of a board, a bitboard, or a whole board. False if it is not what we
 * expect, without an exception: Python takes over and raises what there is to raise.
 */
PyObject *get_attr(PyObject *object, Attr attr);
bool to_bitboard(PyObject *value, Bitboard *out);
bool read_bitboard(PyObject *board, Attr attr, Bitboard *out);
bool read_board(PyObject *board, Ground ground, Position *out);

/*
 * As read_board, and keeps references to the values of attributes that it has
 * read, also when it fails; the rest of *values*, of length ATTR_COUNT, stays NULL.
 */
bool read_board_values(PyObject *board, Ground ground, Position *out, PyObject **values);

/* Reads a chess.Move without drop; squares must be squares. False otherwise. */
bool read_move(PyObject *object, Move *out);

/* The shared chess.Move, a new reference. */
PyObject *shared_move(Move move);

#endif
