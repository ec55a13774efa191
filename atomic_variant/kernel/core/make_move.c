/* Making moves, checks and endings: rules.py and the parts of board.py that play. */

#include "position.h"

/*
 * What a capture empties: the capturer (from its origin), the captured piece and
 * every piece next to the capture square that is not a pawn. An en passant
 * capture explodes on the square that the pawn arrives at.
 * As rules.explosion_mask.
 */
Bitboard explosion_mask(const Position *position, Square from, Square to)
{
    Bitboard all = occupied(position);
    Bitboard victim;
    if (position->occupied_co[!position->turn] & BB(to)) {
        victim = BB(to);
    } else if (position->ep_square && to == position->ep_square && position->pawns & BB(from) && !(all & BB(to))
        && (PAWN_ATTACKS[WHITE][from] | PAWN_ATTACKS[BLACK][from]) & BB(to)) {
        victim = BB(position->turn ? to - 8 : to + 8) & all;
    } else {
        return BB_EMPTY;
    }
    if (!victim) {
        return BB_EMPTY; /* An en passant square that no pawn has passed. */
    }
    return victim | BB(from) | (KING_ATTACKS[to] & all & ~position->pawns);
}

/* King and rook before and after castling, in either notation. As rules.castling_squares. */
bool castling_squares(const Position *position, Square from, Square to, Castling *out)
{
    if (!(position->kings & BB(from))) {
        return false;
    }
    if ((from == E1 || from == E8) && !(position->rooks & BB(to))) {
        if (to == from + 2) {
            to = from + 3;
        } else if (to == from - 2) {
            to = from - 4;
        }
    }
    Square rank = from & 56;
    if (!(position->rooks & position->occupied_co[position->turn] & BB(to)) || (to & 56) != rank
        || (rank != 0 && rank != 56)) {
        return false;
    }
    out->king = from;
    out->rook = to;
    out->king_to = rank + (to < from ? 2 : 6);
    out->rook_to = rank + (to < from ? 3 : 5);
    return true;
}

static void explode(Position *position, Bitboard gone)
{
    Bitboard keep = ~gone;
    position->castling_rights &= keep;
    /* An exploded king takes both rights along. */
    if (gone & position->kings & position->occupied_co[WHITE]) {
        position->castling_rights &= ~BB_RANK_1;
    }
    if (gone & position->kings & position->occupied_co[BLACK]) {
        position->castling_rights &= ~BB_RANK_8;
    }
    position->occupied_co[WHITE] &= keep;
    position->occupied_co[BLACK] &= keep;
    position->pawns &= keep;
    position->knights &= keep;
    position->bishops &= keep;
    position->rooks &= keep;
    position->queens &= keep;
    position->kings &= keep;
}

/* Makes a pseudo-legal move. As AtomicBoard.push. */
void make_move(Position *position, Move move)
{
    const Square from = MOVE_FROM(move);
    const Square to = MOVE_TO(move);
    const int turn = position->turn;
    Bitboard *own = &position->occupied_co[turn];
    Bitboard gone = BB_EMPTY;
    if (position->occupied_co[!turn] & BB(to) || to == position->ep_square) {
        gone = explosion_mask(position, from, to);
    }
    Castling castling;
    const bool castles = position->kings & BB(from) && castling_squares(position, from, to, &castling);
    position->turn = (int8_t)!turn;
    position->ep_square = 0;
    if (gone) {
        explode(position, gone);
        return;
    }

    const Bitboard path = BB(from) ^ BB(to);
    if (position->pawns & BB(from)) {
        *own ^= path;
        position->castling_rights &= ~path;
        switch (MOVE_PROMOTION(move)) {
        case KNIGHT:
            position->knights |= BB(to);
            break;
        case BISHOP:
            position->bishops |= BB(to);
            break;
        case ROOK:
            position->rooks |= BB(to);
            break;
        case QUEEN:
            position->queens |= BB(to);
            break;
        default:
            position->pawns ^= path;
            if (to == from + 16 && BB(from) & BB_RANK_2) {
                position->ep_square = (int8_t)(from + 8);
            } else if (to == from - 16 && BB(from) & BB_RANK_7) {
                position->ep_square = (int8_t)(from - 8);
            }
            return;
        }
        position->pawns ^= BB(from);
        return;
    }

    if (position->kings & BB(from)) {
        position->castling_rights &= turn ? ~BB_RANK_1 : ~BB_RANK_8;
        if (castles) {
            const Bitboard keep = ~(BB(castling.king) | BB(castling.rook));
            *own = (*own & keep) | BB(castling.king_to) | BB(castling.rook_to);
            position->kings = (position->kings & keep) | BB(castling.king_to);
            position->rooks = (position->rooks & keep) | BB(castling.rook_to);
            return;
        }
        position->kings ^= path;
    } else if (position->knights & BB(from)) {
        position->knights ^= path;
    } else if (position->bishops & BB(from)) {
        position->bishops ^= path;
    } else if (position->rooks & BB(from)) {
        position->rooks ^= path;
    } else if (position->queens & BB(from)) {
        position->queens ^= path;
    }
    *own ^= path;
    position->castling_rights &= ~path;
}

/* The pieces that give check to the king of *color*. As rules.check_mask. */
Bitboard check_mask(const Position *position, int color)
{
    Bitboard king = position->kings & position->occupied_co[color];
    Bitboard enemy = position->occupied_co[!color];
    if (!position->rules.has_checks || !king) {
        return BB_EMPTY;
    }
    Square square = msb(king);
    /* An attack on a king that touches the enemy king would explode that one too. */
    if (position->rules.touching_kings_immune && KING_ATTACKS[square] & position->kings & enemy) {
        return BB_EMPTY;
    }
    return attackers_of_king(position, color, square, enemy, occupied(position));
}

/* As draws.has_insufficient_material, where the reasons are. */
bool has_insufficient_material(const Position *position, int color)
{
    const Bitboard kings = position->kings;
    const Bitboard own = position->occupied_co[color];
    const Bitboard enemy = position->occupied_co[!color];
    const Bitboard all = own | enemy;
    const bool immune = position->rules.touching_kings_immune;
    if (!(kings & enemy)) {
        return false;
    }
    if (!(own & ~kings)) {
        return true;
    }
    if (!position->rules.has_checks) {
        return false;
    }
    if (enemy & ~kings) {
        Bitboard white = position->bishops & position->occupied_co[WHITE];
        Bitboard black = position->bishops & position->occupied_co[BLACK];
        bool meet = (white & BB_DARK_SQUARES || black & BB_LIGHT_SQUARES)
            && (white & BB_LIGHT_SQUARES || black & BB_DARK_SQUARES);
        return all == (position->bishops | kings) && !meet && popcount(enemy & ~kings) < (immune ? 2 : 1);
    }
    if (position->queens || position->pawns || (position->rooks && !immune)) {
        return false;
    }
    if (all == (position->knights | kings)) {
        return popcount(position->knights) <= (immune ? 2 : 1);
    }
    return popcount(all & ~kings) == 1;
}
