#include "endings.h"

/* Whether the last position may have occurred five times: as chess.Board.is_repetition asks first. */
static bool may_repeat(const Games *games, const Game *game, const Start *start, Bitboard last)
{
    int times = occupied(&start->position) == last;
    for (uint32_t i = 0; i < game->move_count; i++) {
        times += games->occupied[i] == last;
    }
    return times >= 5;
}

/* The occupied squares so many plies before the end. */
static Bitboard occupied_before(const Games *games, const Game *game, const Start *start, uint32_t plies)
{
    return plies == game->move_count ? occupied(&start->position) : games->occupied[game->move_count - 1 - plies];
}

/*
 * Whether a position may have occurred twice from which one stands now that has
 * a piece elsewhere, or three times the one that stands now: as
 * chess.Board.can_claim_threefold_repetition asks, but of the squares only.
 */
static bool may_claim_repetition(const Games *games, const Game *game, const Start *start, uint32_t window)
{
    const Bitboard last = occupied_before(games, game, start, 0);
    for (uint32_t i = 0; i + 2 <= window; i++) {
        const Bitboard one = occupied_before(games, game, start, i);
        const bool is_claimed = i == 0;
        if (!is_claimed && !(i % 2 && popcount(one ^ last) == 2)) {
            continue;
        }
        int times = 0;
        for (uint32_t j = i; j <= window; j += 2) {
            times += occupied_before(games, game, start, j) == one;
        }
        if (times >= (is_claimed ? 3 : 2)) {
            return true;
        }
    }
    return false;
}

static bool positions_equal(const Position *a, const Position *b)
{
    return a->turn == b->turn && a->castling_rights == b->castling_rights && a->pawns == b->pawns
        && a->knights == b->knights && a->bishops == b->bishops && a->rooks == b->rooks && a->queens == b->queens
        && a->kings == b->kings && a->occupied_co[WHITE] == b->occupied_co[WHITE]
        && a->occupied_co[BLACK] == b->occupied_co[BLACK];
}

#define MAX_NEXT 256

/*
 * Whether the last position surely stood twice before, or one did that a move
 * leads to, and no other claim comes first. A position with an en passant square
 * is for Python: it may be another.
 */
static bool is_repeated(const Games *games, const Game *game, const Start *start, uint32_t clock)
{
    const Position *last = &games->lines[0].now;
    if (clock >= 99 || last->ep_square) {
        return false;
    }
    Spans list;
    generate_spans(last, BB_ALL, BB_ALL, &list);
    const size_t count = (size_t)count_moves(&list);
    if (count >= MAX_NEXT) {
        return false;
    }
    Move moves[MAX_NEXT];
    Position next[MAX_NEXT]; /* The last position and those after it. */
    int times[MAX_NEXT] = {0};
    write_moves(&list, moves);
    size_t reached = 0;
    for (size_t i = 0; i < count; i++) {
        next[reached] = *last;
        make_move(&next[reached], moves[i]);
        reached += !next[reached].ep_square;
    }
    next[reached++] = *last;

    Position position = start->position;
    for (uint32_t i = 0;; i++) {
        for (size_t j = 0; !position.ep_square && j < reached; j++) {
            times[j] += positions_equal(&position, &next[j]);
        }
        if (i == game->move_count) {
            break;
        }
        make_move(&position, games->moves[game->first_move + i]);
    }
    for (size_t j = 0; j + 1 < reached; j++) {
        if (times[j] >= 2) {
            return true;
        }
    }
    return times[reached - 1] >= 3;
}

/* Whether a drawn game may have been drawn by a claim, or by a server that saw the position closed. */
static bool may_claim(const Games *games, const Game *game, const Start *start, uint32_t clock)
{
    const Position *now = &games->lines[0].now;
    return clock >= 99 || !(occupied(now) & ~(now->kings | now->pawns | now->bishops))
        || may_claim_repetition(games, game, start, clock < game->move_count ? clock : game->move_count);
}

void find_ending(const Games *games, Game *game, const Start *start, uint32_t clock)
{
    const Line *line = &games->lines[0];
    const Position *now = &line->now;
    game->turn = (uint8_t)now->turn;
    game->king = 0;
    if (is_variant_end(now)) {
        Bitboard lost = line->has_moves ? line->before.kings & ~now->kings & line->before.occupied_co[now->turn] : 0;
        game->ending = lost ? EXPLOSION : OTHER_ENDING;
        game->king = lost ? (uint8_t)msb(lost) : 0;
        return;
    }
    const bool has_moves = has_legal_moves(now);
    if (!has_moves && check_mask(now, now->turn)) {
        game->ending = CHECKMATE;
    } else if (has_insufficient_material(now, WHITE) && has_insufficient_material(now, BLACK)) {
        game->ending = INSUFFICIENT_MATERIAL;
    } else if (!has_moves) {
        game->ending = STALEMATE;
    } else if (clock >= 150 || may_repeat(games, game, start, occupied(now))) {
        game->ending = OTHER_ENDING;
    } else {
        const bool claims = may_claim(games, game, start, clock);
        game->ending = !claims ? GOES_ON : is_repeated(games, game, start, clock) ? REPEATED : CLAIMABLE;
    }
}
