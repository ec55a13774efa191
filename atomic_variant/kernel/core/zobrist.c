#include "zobrist.h"

/* Where the numbers begin of rights to castle, of files of en passant and of White to move. */
enum { CASTLING = 768, EN_PASSANT = 772, TURN = 780 };

static uint64_t key_of_pieces(Bitboard pieces, const uint64_t *numbers)
{
    uint64_t key = 0;
    while (pieces) {
        key ^= numbers[pop_msb(&pieces)];
    }
    return key;
}

/* Kingside before queenside: by where the rooks stand beside the king. */
static uint64_t key_of_rights(const Position *position, int color, const uint64_t *numbers)
{
    const Bitboard backrank = color ? BB_RANK_1 : BB_RANK_8;
    const Bitboard king = position->kings & position->occupied_co[color] & backrank;
    const Bitboard rights = position->castling_rights & backrank;
    if (!king) {
        return 0;
    }
    return (rights > king ? numbers[0] : 0) ^ (rights & (king - 1) ? numbers[1] : 0);
}

uint64_t zobrist_key(const Position *position, const uint64_t numbers[ZOBRIST_NUMBERS])
{
    const Bitboard kinds[] = {
        position->pawns, position->knights, position->bishops, position->rooks, position->queens, position->kings,
    };
    uint64_t key = position->turn ? numbers[TURN] : 0;
    for (int kind = 0; kind < 6; kind++) {
        for (int color = BLACK; color <= WHITE; color++) {
            key ^= key_of_pieces(kinds[kind] & position->occupied_co[color], numbers + 64 * (2 * kind + color));
        }
    }
    if (position->castling_rights) {
        key ^= key_of_rights(position, WHITE, numbers + CASTLING) ^ key_of_rights(position, BLACK, numbers + CASTLING + 2);
    }
    if (position->ep_square) {
        /* Only if a pawn stands beside the one that passed; whether it may capture does not matter. */
        const int turn = position->turn;
        const Bitboard beside = PAWN_ATTACKS[!turn][(int)position->ep_square];
        if (beside & position->pawns & position->occupied_co[turn]) {
            key ^= numbers[EN_PASSANT + (position->ep_square & 7)];
        }
    }
    return key;
}
