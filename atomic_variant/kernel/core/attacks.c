/* The tables of attacks, filled square by square. */

#include "bitboard.h"

Bitboard KING_ATTACKS[64];
Bitboard KNIGHT_ATTACKS[64];
Bitboard PAWN_ATTACKS[2][64];
Bitboard FILE_MASKS[64];
Bitboard DIAGONAL_MASKS[64];
Bitboard ANTIDIAGONAL_MASKS[64];
Bitboard ROOK_RAYS[64];
Bitboard BISHOP_RAYS[64];
Bitboard BETWEEN[64][64];
uint8_t RANK_ATTACKS[8][64];

/* The square *ranks* up and *files* to the right, as a mask; empty off the board. */
static Bitboard offset(Square square, int files, int ranks)
{
    int file = (square & 7) + files;
    int rank = (square >> 3) + ranks;
    return 0 <= file && file < 8 && 0 <= rank && rank < 8 ? BB(8 * rank + file) : BB_EMPTY;
}

/* Walks from *square* to the edge, and fills BETWEEN on the way. */
static Bitboard ray(Square square, int files, int ranks)
{
    Bitboard passed = BB_EMPTY;
    for (int step = 1; step < 8; step++) {
        Bitboard next = offset(square, step * files, step * ranks);
        if (!next) {
            break;
        }
        BETWEEN[square][lsb(next)] = passed;
        passed |= next;
    }
    return passed;
}

static void init_rank_attacks(void)
{
    for (int file = 0; file < 8; file++) {
        for (int inner = 0; inner < 64; inner++) {
            int occupied = inner << 1;
            int attacks = 0;
            for (int right = file + 1; right < 8; right++) {
                attacks |= 1 << right;
                if (occupied >> right & 1) {
                    break;
                }
            }
            for (int left = file - 1; left >= 0; left--) {
                attacks |= 1 << left;
                if (occupied >> left & 1) {
                    break;
                }
            }
            RANK_ATTACKS[file][inner] = (uint8_t)attacks;
        }
    }
}

void init_tables(void)
{
    static bool is_done;
    if (is_done) {
        return; /* Threads of another interpreter may be reading them. */
    }
    for (Square square = 0; square < 64; square++) {
        KING_ATTACKS[square] = BB_EMPTY;
        KNIGHT_ATTACKS[square] = BB_EMPTY;
        for (int a = -1; a <= 1; a++) {
            for (int b = -1; b <= 1; b++) {
                if (a || b) {
                    KING_ATTACKS[square] |= offset(square, a, b);
                }
            }
        }
        for (int a = -1; a <= 1; a += 2) {
            for (int b = -2; b <= 2; b += 4) {
                KNIGHT_ATTACKS[square] |= offset(square, a, b) | offset(square, b, a);
            }
        }
        PAWN_ATTACKS[WHITE][square] = offset(square, -1, 1) | offset(square, 1, 1);
        PAWN_ATTACKS[BLACK][square] = offset(square, -1, -1) | offset(square, 1, -1);
        FILE_MASKS[square] = ray(square, 0, 1) | ray(square, 0, -1);
        DIAGONAL_MASKS[square] = ray(square, 1, 1) | ray(square, -1, -1);
        ANTIDIAGONAL_MASKS[square] = ray(square, -1, 1) | ray(square, 1, -1);
        ROOK_RAYS[square] = FILE_MASKS[square] | ray(square, 1, 0) | ray(square, -1, 0);
        BISHOP_RAYS[square] = DIAGONAL_MASKS[square] | ANTIDIAGONAL_MASKS[square];
    }
    init_rank_attacks();
    is_done = true;
}
