/* Bitboards: one bit per square, a1 the lowest, h8 the highest, as in python-chess. */

#ifndef ATOMIC_VARIANT_BITBOARD_H
#define ATOMIC_VARIANT_BITBOARD_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t Bitboard;
typedef int Square; /* 0 to 63. */

enum { BLACK = 0, WHITE = 1 }; /* The values of chess.BLACK and chess.WHITE. */

enum { NO_PIECE = 0, PAWN = 1, KNIGHT = 2, BISHOP = 3, ROOK = 4, QUEEN = 5, KING = 6 }; /* As in python-chess. */

enum { A1 = 0, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7, A8 = 56, C8 = 58, E8 = 60, G8 = 62, H8 = 63 };

#define BB(square) ((Bitboard)1 << (square))

#define BB_ALL (~(Bitboard)0)
#define BB_EMPTY ((Bitboard)0)
#define BB_FILE_A ((Bitboard)0x0101010101010101)
#define BB_FILE_D ((Bitboard)0x0808080808080808)
#define BB_FILE_F ((Bitboard)0x2020202020202020)
#define BB_FILE_H ((Bitboard)0x8080808080808080)
#define BB_RANK_1 ((Bitboard)0xff)
#define BB_RANK_2 ((Bitboard)0xff00)
#define BB_RANK_3 ((Bitboard)0xff0000)
#define BB_RANK_4 ((Bitboard)0xff000000)
#define BB_RANK_5 ((Bitboard)0xff00000000)
#define BB_RANK_6 ((Bitboard)0xff0000000000)
#define BB_RANK_7 ((Bitboard)0xff000000000000)
#define BB_RANK_8 ((Bitboard)0xff00000000000000)
#define BB_BACKRANKS (BB_RANK_1 | BB_RANK_8)
#define BB_DARK_SQUARES ((Bitboard)0xaa55aa55aa55aa55)
#define BB_LIGHT_SQUARES ((Bitboard)0x55aa55aa55aa55aa)

/* --- Bits ----------------------------------------------------------------- */

#if defined(__GNUC__) || defined(__clang__)

static inline int popcount(Bitboard bb) { return __builtin_popcountll(bb); }

/* The highest and the lowest square of a mask that is not empty. */
static inline Square msb(Bitboard bb) { return 63 - __builtin_clzll(bb); }
static inline Square lsb(Bitboard bb) { return __builtin_ctzll(bb); }

/* The ranks in reverse order. */
static inline Bitboard flip_ranks(Bitboard bb) { return __builtin_bswap64(bb); }

#define LIKELY(condition) __builtin_expect(!!(condition), 1)

#else /* The same in plain C. */

static inline int popcount(Bitboard bb)
{
    bb -= bb >> 1 & 0x5555555555555555;
    bb = (bb & 0x3333333333333333) + (bb >> 2 & 0x3333333333333333);
    return (int)(((bb + (bb >> 4) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101) >> 56);
}

static inline Square lsb(Bitboard bb) { return popcount(~bb & (bb - 1)); }

static inline Square msb(Bitboard bb)
{
    for (int shift = 1; shift < 64; shift *= 2) {
        bb |= bb >> shift;
    }
    return popcount(bb) - 1;
}

static inline Bitboard flip_ranks(Bitboard bb)
{
    bb = (bb >> 8 & 0x00ff00ff00ff00ff) | (bb & 0x00ff00ff00ff00ff) << 8;
    bb = (bb >> 16 & 0x0000ffff0000ffff) | (bb & 0x0000ffff0000ffff) << 16;
    return bb >> 32 | bb << 32;
}

#define LIKELY(condition) (condition)

#endif

/* Whether exactly one bit of a mask that is not empty is set. */
static inline bool is_single(Bitboard bb) { return !(bb & (bb - 1)); }

/* The highest square of *bb*, which loses it: python-chess scans from h8 down to a1. */
static inline Square pop_msb(Bitboard *bb)
{
    Square square = msb(*bb);
    *bb ^= BB(square);
    return square;
}

/* --- Tables (tables.c) ---------------------------------------------------- */

extern Bitboard KING_ATTACKS[64];
extern Bitboard KNIGHT_ATTACKS[64];
extern Bitboard PAWN_ATTACKS[2][64];   /* By color of the pawn. */
extern Bitboard FILE_MASKS[64];        /* The lines through a square, without the square. */
extern Bitboard DIAGONAL_MASKS[64];
extern Bitboard ANTIDIAGONAL_MASKS[64];
extern Bitboard ROOK_RAYS[64];         /* What a rook attacks on an empty board. */
extern Bitboard BISHOP_RAYS[64];
extern Bitboard BETWEEN[64][64];       /* The squares strictly between two squares of a line. */
extern uint8_t RANK_ATTACKS[8][64];    /* Along a rank, by file and by the six inner squares. */

/* Fills the tables. Call once before anything else. */
void init_tables(void);

/* --- Sliding pieces ------------------------------------------------------- */

/*
 * Attacks along a file or a diagonal: subtracting the slider from the pieces
 * on its line borrows up to the first piece above it; the same on the board
 * turned upside down finds the first piece below.
 */
static inline Bitboard line_attacks(Square square, Bitboard occupied, Bitboard line)
{
    Bitboard forward = occupied & line;
    Bitboard backward = flip_ranks(forward);
    forward -= BB(square);
    backward -= BB(square ^ 56);
    return (forward ^ flip_ranks(backward)) & line;
}

static inline Bitboard rank_attacks(Square square, Bitboard occupied)
{
    int shift = square & 56;
    return (Bitboard)RANK_ATTACKS[square & 7][occupied >> (shift + 1) & 63] << shift;
}

static inline Bitboard rook_attacks(Square square, Bitboard occupied)
{
    return line_attacks(square, occupied, FILE_MASKS[square]) | rank_attacks(square, occupied);
}

static inline Bitboard bishop_attacks(Square square, Bitboard occupied)
{
    return line_attacks(square, occupied, DIAGONAL_MASKS[square])
        | line_attacks(square, occupied, ANTIDIAGONAL_MASKS[square]);
}

#endif
