/*
 * Forced wins. The reference is the search of tactics/_search.py, which asks
 * the board how each game ended. Here the last move of a win is found by masks.
 *
 * Every move of both sides is looked at: what is proved holds against any
 * defence, and that there is no win holds for every attack. What makes it fast
 * is the order. A reply that refuted one move refutes most others too, so each
 * move is first answered by the replies that refuted before.
 */

#include <string.h>

#include "tactics.h"

#include "idle.h"

#define POLL_INTERVAL 20000

/* Counts a position. False if the search is to stop. */
static inline bool visit(Solver *solver)
{
    if (solver->nodes >= solver->node_limit && solver->state == RUNNING) {
        solver->state = OUT_OF_NODES;
    }
    solver->nodes++;
    Interrupt *interrupt = solver->interrupt;
    if (interrupt->until_poll-- == 0) {
        interrupt->until_poll = POLL_INTERVAL;
        if (interrupt->poll(interrupt->context)) {
            interrupt->stopped = true;
            solver->state = INTERRUPTED;
        }
    }
    return solver->state == RUNNING;
}

/* --- Proofs --------------------------------------------------------------- */

static inline uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}

/* The entry of a position, emptied if it was another's; NULL without a table. */
static Proof *find_proof(const Solver *solver, const Position *position)
{
    if (!solver->proofs) {
        return NULL;
    }
    const Bitboard words[5] = {
        position->occupied_co[WHITE],
        position->pawns | position->bishops | position->queens,
        position->knights | position->bishops | position->kings,
        position->rooks | position->queens | position->kings,
        position->castling_rights,
    };
    uint64_t hash = (uint64_t)position->turn << 6 | (uint64_t)position->ep_square;
    for (int i = 0; i < 5; i++) {
        hash = mix(hash, words[i]);
    }
    Proof *proof = &solver->proofs[hash >> 20 & solver->proof_mask];
    if (memcmp(proof->words, words, sizeof(words)) || proof->turn != position->turn
        || proof->ep_square != position->ep_square) {
        memcpy(proof->words, words, sizeof(words));
        proof->turn = position->turn;
        proof->ep_square = position->ep_square;
        proof->wins = proof->loses = UINT8_MAX;
        proof->wins_not = proof->loses_not = 0;
    }
    return proof;
}

/* --- The search ----------------------------------------------------------- */

static bool attack(Solver *solver, const Position *position, int moves);

/* Whether the defender is lost after *reply*. A reply that explodes the attacker's king is no loss. */
static bool loses_after(Solver *solver, const Position *position, Move reply, int moves)
{
    Position after = *position;
    make_move(&after, reply);
    return !is_variant_end(&after) && attack(solver, &after, moves);
}

/* Keeps that *reply* refuted the move *answered*. */
static inline void remember(Solver *solver, const Position *position, int moves, Move answered, Move reply)
{
    const int turn = position->turn;
    Move *refutations = solver->refutations[moves];
    if (refutations[0] != reply) {
        refutations[1] = refutations[0];
        refutations[0] = reply;
    }
    solver->answers[turn][answered & 4095] = reply;
    if (moves == 1 && is_quiet_reply(position, reply)) {
        Move *quiet = solver->quiet[!turn];
        int place = 0;
        while (place < QUIET_REPLIES - 1 && quiet[place] != reply) {
            place++;
        }
        for (; place > 0; place--) {
            quiet[place] = quiet[place - 1];
        }
        quiet[0] = reply;
    }
}

/* Whether the side to move, having been answered *answered*, loses within *moves* moves of the other side. */
static bool defend(Solver *solver, const Position *position, int moves, Move answered)
{
    if (!visit(solver)) {
        return false;
    }
    Proof *proof = find_proof(solver, position);
    if (proof && proof->loses <= moves) {
        return true;
    }
    if (proof && proof->loses_not >= moves) {
        return false;
    }

    const int turn = position->turn;
    const Move tried[3] = {
        solver->refutations[moves][0], solver->refutations[moves][1], solver->answers[turn][answered & 4095],
    };
    bool lost = true;
    for (int i = 0; i < 3 && lost; i++) {
        if (tried[i] && (i == 0 || tried[i] != tried[0]) && (i < 2 || tried[2] != tried[1]) && is_legal(position, tried[i])) {
            lost = loses_after(solver, position, tried[i], moves);
            if (!lost && solver->state == RUNNING) {
                remember(solver, position, moves, answered, tried[i]);
            }
        }
    }

    if (lost && can_explode_king(position)) {
        lost = false;
    }
    if (lost) {
        Spans list;
        generate_spans(position, BB_ALL, BB_ALL, &list);
        if (!list.length) {
            lost = solver->stalemate_loses || check_mask(position, turn);
        }
        for (int i = 0; i < list.length && lost; i++) {
            Move replies[MAX_SPAN_MOVES];
            const Move *end = write_span(&list.spans[i], replies);
            for (const Move *reply = replies; reply < end && lost; reply++) {
                if (*reply == tried[0] || *reply == tried[1] || *reply == tried[2]) {
                    continue;
                }
                lost = loses_after(solver, position, *reply, moves);
                if (!lost && solver->state == RUNNING) {
                    remember(solver, position, moves, answered, *reply);
                }
            }
        }
    }

    if (proof && solver->state == RUNNING) {
        if (moves > 1) { /* Else nothing was looked up meanwhile. */
            proof = find_proof(solver, position);
        }
        if (lost) {
            proof->loses = (uint8_t)moves;
        } else {
            proof->loses_not = (uint8_t)moves;
        }
    }
    return lost;
}

static bool wins_after(Solver *solver, const Position *position, Move move, int moves)
{
    Position after = *position;
    make_move(&after, move);
    return defend(solver, &after, moves - 1, move);
}

/* Whether the side to move wins within *moves*, all of which can be seen to take more than one. */
static bool attack_slowly(Solver *solver, const Position *position, int moves)
{
    const Move *quiet = solver->quiet[position->turn];
    Move tried = quiet[0];
    Idleness idleness;
    bool is_known = false;
    for (int i = 0; i < QUIET_REPLIES && moves == 2 && !is_known && quiet[i]; i++) {
        is_known = find_idle(solver, position, quiet[i], &idleness);
    }
    /* Where the idle moves are known, few others are left, and their order matters little. */
    const Move favourite = is_known ? NULL_MOVE : solver->winners[moves];
    if (favourite && is_legal(position, favourite) && wins_after(solver, position, favourite, moves)) {
        return true;
    }
    Spans list;
    generate_spans(position, BB_ALL, BB_ALL, &list);
    for (int i = 0; i < list.length; i++) {
        Move choices[MAX_SPAN_MOVES];
        Span span = list.spans[i];
        if (is_known) {
            span.targets &= ~idle_targets(&idleness, position, &span);
        }
        const Move *end = write_span(&span, choices);
        for (const Move *move = choices; move < end; move++) {
            if (is_known) {
                if (!visit(solver)) {
                    return false;
                }
                if (is_refuted(solver, &idleness, position, *move)) {
                    continue;
                }
            }
            if (*move != favourite && wins_after(solver, position, *move, moves)) {
                solver->winners[moves] = *move;
                return true;
            }
            if (solver->state != RUNNING) {
                return false;
            }
        }
        if (moves == 2 && !is_known && quiet[0] != tried) {
            tried = quiet[0];
            is_known = find_idle(solver, position, tried, &idleness);
        }
    }
    return false;
}

static bool attack(Solver *solver, const Position *position, int moves)
{
    if (!visit(solver)) {
        return false;
    }
    if (can_explode_king(position) || can_end_the_game(solver, position)) {
        return true;
    }
    if (moves == 1) {
        return false;
    }
    Proof *proof = find_proof(solver, position);
    if (proof && proof->wins <= moves) {
        return true;
    }
    if (proof && proof->wins_not >= moves) {
        return false;
    }
    bool won = attack_slowly(solver, position, moves);
    if (proof && solver->state == RUNNING) {
        proof = find_proof(solver, position);
        if (won) {
            proof->wins = (uint8_t)moves;
        } else {
            proof->wins_not = (uint8_t)moves;
        }
    }
    return won;
}

/* --- For others ----------------------------------------------------------- */

bool wins_within(Solver *solver, const Position *position, int moves)
{
    return !is_variant_end(position) && attack(solver, position, moves);
}

bool loses_within(Solver *solver, const Position *position, int moves)
{
    const Bitboard own_king = position->kings & position->occupied_co[position->turn];
    if (is_variant_end(position)) {
        return !own_king && position->kings;
    }
    if (moves == 0) {
        return (solver->stalemate_loses || check_mask(position, position->turn)) && !has_legal_moves(position);
    }
    return defend(solver, position, moves, NULL_MOVE);
}

int find_win(Solver *solver, const Position *position, int moves)
{
    for (int within = 1; within <= moves; within++) {
        if (wins_within(solver, position, within)) {
            return within;
        }
        if (solver->state != RUNNING) {
            break;
        }
    }
    return 0;
}

/* The first legal move of *position* after which *is_sought* says so of the position. */
static Move first_move(Solver *solver, const Position *position, int moves, bool attacking, Position *after)
{
    Spans list;
    generate_spans(position, BB_ALL, BB_ALL, &list);
    for (int i = 0; i < list.length; i++) {
        Move choices[MAX_SPAN_MOVES];
        const Move *end = write_span(&list.spans[i], choices);
        for (const Move *move = choices; move < end && solver->state == RUNNING; move++) {
            *after = *position;
            make_move(after, *move);
            if (attacking ? loses_within(solver, after, moves - 1) : moves == 1 || !wins_within(solver, after, moves - 1)) {
                return *move;
            }
        }
    }
    return NULL_MOVE;
}

void win_line(Solver *solver, const Position *position, int moves, Move *out)
{
    Position current = *position, after;
    for (; moves > 0; moves--) {
        *out++ = first_move(solver, &current, moves, true, &after);
        current = after;
        if (moves > 1 && solver->state == RUNNING) {
            *out++ = first_move(solver, &current, moves - 1, false, &after);
            current = after;
        }
        if (solver->state != RUNNING) {
            return;
        }
    }
}
