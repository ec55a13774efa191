#include <math.h>
#include <string.h>

#include "batch.h"
#include "fen.h"
#include "zobrist.h"

/* --- Rows ----------------------------------------------------------------- */

bool load_position(const Batch *batch, size_t row, Position *out)
{
    Bitboard boards[8]; /* What is looked at is what is taken, even if another thread writes to the arrays. */
    memcpy(boards, batch->bitboards + 8 * row, sizeof(boards));
    Bitboard seen = BB_EMPTY, twice = BB_EMPTY;
    for (int i = 0; i < 6; i++) {
        twice |= seen & boards[i];
        seen |= boards[i];
    }
    const Bitboard black = boards[6 + BLACK], white = boards[6 + WHITE];
    const Bitboard kings = boards[KING - 1];
    const int ep_square = batch->ep_squares[row];
    if (twice || black & white || seen != (black | white) || !is_single(kings & black) || !is_single(kings & white)
        || (ep_square >= 0 && (ep_square > H8 || !(BB(ep_square) & (BB_RANK_3 | BB_RANK_6))))) {
        return false;
    }
    out->occupied_co[BLACK] = black;
    out->occupied_co[WHITE] = white;
    out->pawns = boards[PAWN - 1];
    out->knights = boards[KNIGHT - 1];
    out->bishops = boards[BISHOP - 1];
    out->rooks = boards[ROOK - 1];
    out->queens = boards[QUEEN - 1];
    out->kings = kings;
    out->rules = batch->rules;
    out->turn = batch->turns[row] != 0;
    out->ep_square = (int8_t)(ep_square < 0 ? 0 : ep_square);
    out->chess960 = batch->chess960;
    const Bitboard rights = batch->castling_rights[row];
    out->castling_rights = rights ? clean_castling_rights(out, rights) : BB_EMPTY;
    return true;
}

void store_position(const Batch *batch, size_t row, const Position *position)
{
    Bitboard *boards = batch->bitboards + 8 * row;
    boards[PAWN - 1] = position->pawns;
    boards[KNIGHT - 1] = position->knights;
    boards[BISHOP - 1] = position->bishops;
    boards[ROOK - 1] = position->rooks;
    boards[QUEEN - 1] = position->queens;
    boards[KING - 1] = position->kings;
    boards[6 + BLACK] = position->occupied_co[BLACK];
    boards[6 + WHITE] = position->occupied_co[WHITE];
    batch->turns[row] = (uint8_t)position->turn;
    batch->castling_rights[row] = position->castling_rights;
    batch->ep_squares[row] = position->ep_square ? position->ep_square : -1;
}

bool are_positions(const Batch *batch)
{
    Position position;
    for (size_t row = 0; row < batch->count; row++) {
        if (!load_position(batch, row, &position)) {
            return false;
        }
    }
    return true;
}

/* --- Moves ---------------------------------------------------------------- */

bool count_all_moves(const Batch *batch, int32_t *out)
{
    Position position;
    Spans list;
    for (size_t row = 0; row < batch->count; row++) {
        if (!load_position(batch, row, &position)) {
            return false;
        }
        generate_spans(&position, BB_ALL, BB_ALL, &list);
        out[row] = count_moves(&list);
    }
    return true;
}

bool list_all_moves(const Batch *batch, const int64_t *offsets, int64_t total, Move *out)
{
    Position position;
    Spans list;
    int64_t start = 0;
    for (size_t row = 0; row < batch->count; row++) {
        if (!load_position(batch, row, &position)) {
            return false;
        }
        generate_spans(&position, BB_ALL, BB_ALL, &list);
        const int count = count_moves(&list);
        if (offsets[row] != start || count > total - start) {
            return false;
        }
        write_moves(&list, out + start);
        start += count;
    }
    return start == total;
}

bool mask_all_moves(const Batch *batch, Bitboard *out)
{
    Position position;
    Spans list;
    for (size_t row = 0; row < batch->count; row++, out += 64) {
        if (!load_position(batch, row, &position)) {
            return false;
        }
        memset(out, 0, 64 * sizeof(Bitboard));
        generate_spans(&position, BB_ALL, BB_ALL, &list);
        for (int i = 0; i < list.length; i++) {
            const Span *span = &list.spans[i];
            if (span->kind == FROM_SQUARE || span->kind == PROMOTIONS) {
                out[span->from] |= span->targets;
                continue;
            }
            Bitboard targets = span->targets;
            while (targets) {
                Square to = pop_msb(&targets);
                out[to - span->from] |= BB(to);
            }
        }
    }
    return true;
}

/* As AtomicBoard.generate_king_explosions, counted. */
static int count_explosions(const Position *position)
{
    const int turn = position->turn;
    const Bitboard own = position->occupied_co[turn];
    const Bitboard enemy = position->occupied_co[!turn];
    const Bitboard own_king = position->kings & own;
    const Bitboard enemy_king = position->kings & enemy;
    if (!own_king || !enemy_king) {
        return 0;
    }
    int count = 0;
    const Bitboard targets = enemy & (KING_ATTACKS[msb(enemy_king)] | enemy_king) & ~KING_ATTACKS[msb(own_king)];
    if (targets) {
        Spans list;
        generate_spans(position, own & ~own_king, targets, &list);
        count = count_moves(&list);
    }
    if (position->ep_square && !((own | enemy) & BB(position->ep_square))) {
        const Square to = position->ep_square;
        Bitboard capturers =
            position->pawns & own & PAWN_ATTACKS[!turn][to] & (turn ? BB_RANK_5 : BB_RANK_4);
        while (capturers) {
            const Bitboard gone = explosion_mask(position, pop_msb(&capturers), to);
            count += gone & enemy_king && !(gone & own_king);
        }
    }
    return count;
}

/* Fills *out* with a value for each *position* of *batch*. */
#define FILL(value)                                          \
    Position position;                                       \
    for (size_t row = 0; row < batch->count; row++) {        \
        if (!load_position(batch, row, &position)) {         \
            return false;                                    \
        }                                                    \
        out[row] = (value);                                  \
    }                                                        \
    return true

bool count_all_explosions(const Batch *batch, int32_t *out) { FILL(count_explosions(&position)); }

bool count_all_leaves(const Batch *batch, int depth, Interrupt *interrupt, uint64_t *out)
{
    Position position;
    for (size_t row = 0; row < batch->count && !interrupt->stopped; row++) {
        if (!load_position(batch, row, &position)) {
            return false;
        }
        out[row] = perft(&position, depth, interrupt);
    }
    return true;
}

/* --- Checks and endings --------------------------------------------------- */

static bool kings_touch(const Position *position)
{
    const Bitboard white = position->kings & position->occupied_co[WHITE];
    return white && KING_ATTACKS[msb(white)] & position->kings;
}

bool find_all_checks(const Batch *batch, uint8_t *out) { FILL(check_mask(&position, position.turn) != BB_EMPTY); }

bool find_all_touching(const Batch *batch, uint8_t *out) { FILL(kings_touch(&position)); }

bool find_all_keys(const Batch *batch, const uint64_t *numbers, uint64_t *out) { FILL(zobrist_key(&position, numbers)); }

Kind find_kind(const Position *position, EndRules rules, int32_t halfmove_clock, bool has_moves, int *result)
{
    const int turn = position->turn;
    *result = 0;
    if (is_variant_end(position)) {
        if (!position->kings) {
            return KIND_VARIANT_RULE;
        }
        *result = position->kings & position->occupied_co[turn] ? 1 : -1;
        return KIND_EXPLOSION;
    }
    if (!has_moves && (rules.stalemate_loses || check_mask(position, turn))) {
        *result = -1;
        return check_mask(position, turn) ? KIND_CHECKMATE : KIND_VARIANT_RULE;
    }
    if (rules.is_claimed ? !(occupied(position) & ~position->kings)
                         : has_insufficient_material(position, WHITE) && has_insufficient_material(position, BLACK)) {
        return KIND_INSUFFICIENT_MATERIAL;
    }
    if (!has_moves) {
        return KIND_STALEMATE;
    }
    return !rules.is_claimed && halfmove_clock >= 150 ? KIND_SEVENTYFIVE_MOVES : KIND_NONE;
}

bool find_all_kinds(const Batch *batch, EndRules rules, uint8_t *kinds, float *results)
{
    Position position;
    for (size_t row = 0; row < batch->count; row++) {
        if (!load_position(batch, row, &position)) {
            return false;
        }
        int result;
        kinds[row] = (uint8_t)find_kind(
            &position, rules, batch->halfmove_clocks[row], has_legal_moves(&position), &result);
        results[row] = kinds[row] == KIND_NONE ? NAN : (float)result;
    }
    return true;
}

/* --- Playing -------------------------------------------------------------- */

void play_move(Position *position, Move move, int32_t *halfmove_clock, int32_t *ply)
{
    *ply = *ply < INT32_MAX ? *ply + 1 : *ply;
    *halfmove_clock = *halfmove_clock < INT32_MAX ? *halfmove_clock + 1 : *halfmove_clock;
    if (MOVE_FROM(move) == MOVE_TO(move)) {
        position->turn = (int8_t)!position->turn;
        position->ep_square = 0;
        return;
    }
    if (position->pawns & BB(MOVE_FROM(move)) || position->occupied_co[!position->turn] & BB(MOVE_TO(move))) {
        *halfmove_clock = 0;
    }
    make_move(position, move);
}

size_t play_all(const Batch *batch, const Move *moves)
{
    Position position;
    for (size_t row = 0; row < batch->count; row++) {
        const Move move = moves[row];
        if (!load_position(batch, row, &position) || !is_legal(&position, move)) {
            return row;
        }
        play_move(&position, move, &batch->halfmove_clocks[row], &batch->plies[row]);
        store_position(batch, row, &position);
    }
    return batch->count;
}

bool replay_games(const Batch *starts, const Move *moves, size_t move_count, const int64_t *offsets, const int64_t *rows,
    const Batch *out)
{
    Position position;
    size_t next = 0;
    for (size_t game = 0; game < starts->count && next < out->count; game++) {
        const int64_t start = offsets[game], end = offsets[game + 1];
        if (start < 0 || end < start || (uint64_t)end > move_count || rows[next] < start) {
            return false;
        }
        if (rows[next] >= end) {
            continue;
        }
        if (!load_position(starts, game, &position)) {
            return false;
        }
        int32_t clock = starts->halfmove_clocks[game], ply = starts->plies[game];
        for (int64_t i = start; i < end && next < out->count && rows[next] < end; i++) {
            if (rows[next] == i) {
                store_position(out, next, &position);
                out->halfmove_clocks[next] = clock;
                out->plies[next] = ply;
                next++;
            }
            play_move(&position, moves[i], &clock, &ply);
        }
    }
    return next == out->count;
}

/* --- Random games --------------------------------------------------------- */

#define GOLDEN 0x9e3779b97f4a7c15u

/* Numbers as in the Python twin: splitmix64. */
static uint64_t scramble(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A position, as far as repetition goes. */
typedef struct {
    Bitboard words[5];
    uint8_t turn_and_ep;
} Seen;

static Seen remember(const Position *position)
{
    return (Seen){
        {
            position->occupied_co[WHITE],
            position->pawns | position->bishops | position->queens,
            position->knights | position->bishops | position->kings,
            position->rooks | position->queens | position->kings,
            position->castling_rights,
        },
        (uint8_t)((has_legal_en_passant(position) ? position->ep_square : 0) << 1 | position->turn),
    };
}

/* Whether the last of *seen* stands there five times. */
static bool is_fivefold(const Seen *seen, int count)
{
    const Seen *last = &seen[count - 1];
    int times = 1;
    for (int i = count - 3; i >= 0; i -= 2) {
        times += last->turn_and_ep == seen[i].turn_and_ep && memcmp(last->words, seen[i].words, sizeof(last->words)) == 0;
    }
    return times >= 5;
}

/* Moves without progress are at most 150, then the game ends; those before the start are not known. */
#define MAX_SEEN 160

bool play_out(const Batch *batch, EndRules rules, uint64_t seed, int limit, Interrupt *interrupt, float *results,
    int32_t *lengths)
{
    Seen seen[MAX_SEEN];
    Spans list;
    Position position;
    for (size_t row = 0; row < batch->count && !interrupt->stopped; row++) {
        if (!load_position(batch, row, &position)) {
            return false;
        }
        const int mover = position.turn;
        int32_t clock = batch->halfmove_clocks[row], ply = 0;
        uint64_t state = scramble(seed + (row + 1) * GOLDEN);
        int count = 0, result = 0;
        for (;;) {
            if (interrupt->until_poll-- == 0) {
                interrupt->until_poll = 100000;
                interrupt->stopped = interrupt->stopped || interrupt->poll(interrupt->context);
            }
            generate_spans(&position, BB_ALL, BB_ALL, &list);
            const int moves = count_moves(&list);
            Kind kind = find_kind(&position, rules, clock, moves > 0, &result);
            if (kind == KIND_NONE && !rules.is_claimed) {
                if (clock == 0 || count == MAX_SEEN) {
                    count = 0;
                }
                seen[count++] = remember(&position);
                kind = clock >= 8 && is_fivefold(seen, count) ? KIND_REPETITION : KIND_NONE;
            }
            lengths[row] = ply;
            if (kind != KIND_NONE || ply >= limit || interrupt->stopped) {
                results[row] = kind == KIND_NONE ? NAN : (float)(position.turn == mover ? result : -result);
                break;
            }
            state += GOLDEN;
            int choice = (int)((scramble(state) >> 32) * (uint64_t)moves >> 32);
            for (int i = 0; i < list.length; i++) {
                const int here = count_span(&list.spans[i]);
                if (choice < here) {
                    Move choices[MAX_SPAN_MOVES];
                    write_span(&list.spans[i], choices);
                    play_move(&position, choices[choice], &clock, &ply);
                    break;
                }
                choice -= here;
            }
        }
    }
    return true;
}
