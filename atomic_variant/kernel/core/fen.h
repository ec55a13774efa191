/* FEN, as far as it is written in the usual way. */

#ifndef ATOMIC_VARIANT_FEN_H
#define ATOMIC_VARIANT_FEN_H

#include "position.h"

extern const char SYMBOLS[]; /* By piece type, of White. */

typedef struct {
    Bitboard types[KING + 1], sides[2], rights;
    Square ep_square; /* 0 if there is none. */
    bool turn;
    long halfmove_clock, fullmove_number;
} Fen;

/* As chess.Board.set_fen. False if anything in *text* is unusual: Python knows what it is. */
bool read_fen(const char *text, Fen *out);

#define FEN_SIZE 128 /* Room for a FEN without its two numbers. */

/* As chess.Board.fen up to the numbers. No king that may castle is missing. Returns the end. */
char *write_fen(const Position *position, char *out);

char *write_square(char *out, Square square);
/* As chess.Board.has_legal_en_passant. */
bool has_legal_en_passant(const Position *position);
int piece_type_at(const Position *position, Square square);

#endif
