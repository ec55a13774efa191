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

/* --- Winning at once ------------------------------------------------------ */

/*
 * Whether the side to move can explode the enemy king. Such a move is legal
 * whatever it leaves behind, if only the own king is out of the blast.
 */
static bool can_explode_king(const Position *position)
{
    const int turn = position->turn;
    const Bitboard own = position->occupied_co[turn];
    const Bitboard enemy = position->occupied_co[!turn];
    const Bitboard all = own | enemy;
    const Bitboard own_king = position->kings & own;
    const Bitboard enemy_king = position->kings & enemy;
    const Bitboard far = ~KING_ATTACKS[msb(own_king)];
    const Bitboard near = KING_ATTACKS[msb(enemy_king)];
    const Bitboard targets = enemy & (near | enemy_king) & far;

    const Bitboard pawns = position->pawns & own;
    const Bitboard attacked = turn ? (pawns & ~BB_FILE_A) << 7 | (pawns & ~BB_FILE_H) << 9
                                   : (pawns & ~BB_FILE_H) >> 7 | (pawns & ~BB_FILE_A) >> 9;
    if (attacked & targets) {
        return true;
    }
    Bitboard knights = position->knights & own;
    while (knights) {
        if (KNIGHT_ATTACKS[pop_msb(&knights)] & targets) {
            return true;
        }
    }
    Bitboard straight = (position->rooks | position->queens) & own;
    while (straight) {
        Square square = pop_msb(&straight);
        Bitboard seen = ROOK_RAYS[square] & targets;
        while (seen) {
            if (!(BETWEEN[square][pop_msb(&seen)] & all)) {
                return true;
            }
        }
    }
    Bitboard diagonal = (position->bishops | position->queens) & own;
    while (diagonal) {
        Square square = pop_msb(&diagonal);
        Bitboard seen = BISHOP_RAYS[square] & targets;
        while (seen) {
            if (!(BETWEEN[square][pop_msb(&seen)] & all)) {
                return true;
            }
        }
    }

    if (position->ep_square && near & far & ~all & BB(position->ep_square)) {
        const Square to = position->ep_square;
        Bitboard capturers = pawns & PAWN_ATTACKS[!turn][to] & (turn ? BB_RANK_5 : BB_RANK_4);
        while (capturers) {
            if (explosion_mask(position, pop_msb(&capturers), to) & enemy_king) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the opponent is lost after *move*, which explodes no king: mated, or without a move where that loses. */
static bool is_last_move(Solver *solver, const Position *position, Move move)
{
    Position after = *position;
    make_move(&after, move);
    if (!solver->stalemate_loses && !check_mask(&after, after.turn)) {
        return false;
    }
    /* What parried the move before mostly does again. */
    Move *parry = &solver->parries[move & 4095];
    if (*parry && is_legal(&after, *parry)) {
        return false;
    }
    Spans list;
    generate_spans(&after, BB_ALL, BB_ALL, &list);
    if (!list.length) {
        return true;
    }
    Move moves[MAX_SPAN_MOVES];
    write_span(&list.spans[0], moves);
    *parry = moves[0];
    return false;
}

static bool any_is_last(Solver *solver, const Position *position, const Span *span)
{
    Move moves[MAX_SPAN_MOVES];
    const Move *end = write_span(span, moves);
    for (const Move *move = moves; move < end; move++) {
        if (is_last_move(solver, position, *move)) {
            return true;
        }
    }
    return false;
}

/* The enemy king, and which moves may attack it. */
typedef struct {
    Bitboard knight, bishop, rook, pawn; /* Where such a man gives check, if it captures nothing. */
    Bitboard discoverers;                /* Men that block the only line of a slider. */
    Bitboard captures;                   /* Capture squares whose blast may open a line. */
} Checks;

/* *squares* and those next to them. */
static Bitboard surroundings(Bitboard squares)
{
    const Bitboard rows = squares | (squares << 1 & ~BB_FILE_A) | (squares >> 1 & ~BB_FILE_H);
    return rows | rows << 8 | rows >> 8;
}

static Checks find_checks(const Position *position)
{
    const int turn = position->turn;
    const Bitboard own = position->occupied_co[turn];
    const Bitboard enemy = position->occupied_co[!turn];
    const Bitboard all = own | enemy;
    const Bitboard exploding = all & ~position->pawns;
    const Square king = msb(position->kings & enemy);
    Checks checks = {
        KNIGHT_ATTACKS[king] & ~all, bishop_attacks(king, all) & ~all, rook_attacks(king, all) & ~all,
        PAWN_ATTACKS[!turn][king] & ~all, BB_EMPTY, BB_EMPTY,
    };
    Bitboard sliders = own
        & ((ROOK_RAYS[king] & (position->rooks | position->queens))
            | (BISHOP_RAYS[king] & (position->bishops | position->queens)));
    while (sliders) {
        Square slider = pop_msb(&sliders);
        Bitboard men = BETWEEN[king][slider] & all;
        if (men && is_single(men)) {
            checks.discoverers |= men & own;
        }
        /* Elsewhere a blast opens no line, but for the man that captures: if it is the only one, it is known already. */
        Bitboard targets = enemy & surroundings(men) & ~checks.captures & ~KING_ATTACKS[slider];
        while (targets) {
            Square target = pop_msb(&targets);
            Bitboard left = men & ~((KING_ATTACKS[target] & exploding) | BB(target));
            if (!left || (left & own && is_single(left))) {
                checks.captures |= BB(target);
            }
        }
    }
    return checks;
}

/* The men of the mover whose moves may give check, and some more. */
static Bitboard may_give_check(const Position *position, const Checks *checks, Bitboard castling)
{
    const int turn = position->turn;
    const Bitboard own = position->occupied_co[turn];
    const Bitboard captures = checks->captures;
    Bitboard found = castling | checks->discoverers;
    Bitboard knights = position->knights & own;
    while (knights) {
        const Square square = pop_msb(&knights);
        if (KNIGHT_ATTACKS[square] & (checks->knight | captures)) {
            found |= BB(square);
        }
    }
    Bitboard sliders = (position->bishops | position->rooks | position->queens) & own;
    while (sliders) {
        const Square square = pop_msb(&sliders);
        const Bitboard piece = BB(square);
        Bitboard reached = BB_EMPTY, giving = captures;
        if (piece & ~position->rooks) {
            reached |= BISHOP_RAYS[square];
            giving |= checks->bishop;
        }
        if (piece & ~position->bishops) {
            reached |= ROOK_RAYS[square];
            giving |= checks->rook;
        }
        if (reached & giving) {
            found |= piece;
        }
    }
    const Bitboard steps = checks->pawn;
    const Bitboard en_passant = position->ep_square ? BB(position->ep_square) : BB_EMPTY;
    const Bitboard taken = captures | en_passant;
    const Bitboard from = turn ? steps >> 8 | steps >> 16 | (taken >> 7 & ~BB_FILE_A) | (taken >> 9 & ~BB_FILE_H)
                               : steps << 8 | steps << 16 | (taken << 7 & ~BB_FILE_H) | (taken << 9 & ~BB_FILE_A);
    return found | (position->pawns & own & (from | (turn ? BB_RANK_7 : BB_RANK_2)));
}

/* Whether a move mates, or takes all moves from the opponent where that wins. No move may explode the king. */
static bool can_end_the_game(Solver *solver, const Position *position)
{
    const int turn = position->turn;
    const Bitboard own = position->occupied_co[turn];
    const Bitboard enemy_king = position->kings & position->occupied_co[!turn];
    const Bitboard own_king = position->kings & own;
    const Rules rules = position->rules;
    Spans list;
    if (!solver->stalemate_loses && !rules.has_checks) {
        return false;
    }
    const bool protected = rules.touching_kings_immune && KING_ATTACKS[msb(own_king)] & enemy_king;
    if (solver->stalemate_loses || protected || attackers_of_king(position, !turn, msb(enemy_king), own, own | position->occupied_co[!turn])) {
        /* Any move, or any that parts the kings. */
        generate_spans(position, solver->stalemate_loses || !protected ? BB_ALL : own_king, BB_ALL, &list);
        for (int i = 0; i < list.length; i++) {
            if (any_is_last(solver, position, &list.spans[i])) {
                return true;
            }
        }
        return false;
    }

    const Checks checks = find_checks(position);
    const Bitboard direct = checks.knight | checks.bishop | checks.rook | checks.pawn;
    const Bitboard castling = position->castling_rights & own ? own_king : BB_EMPTY;
    const Bitboard special = BB_BACKRANKS | (position->ep_square ? BB(position->ep_square) : BB_EMPTY);
    const Bitboard to_mask = checks.discoverers | castling ? BB_ALL : direct | checks.captures | special;
    generate_spans(position, may_give_check(position, &checks, castling), to_mask, &list);
    for (int i = 0; i < list.length; i++) {
        Span span = {list.spans[i].targets, list.spans[i].from, list.spans[i].kind};
        if (span.kind == STEPS) {
            Bitboard discoverers = checks.discoverers & position->pawns;
            span.targets &= checks.pawn
                | (span.from > 0 ? discoverers << span.from : discoverers >> -span.from);
        } else if (span.kind == FROM_SQUARE && !(BB(span.from) & checks.discoverers)) {
            const Bitboard piece = BB(span.from);
            Bitboard giving = checks.captures;
            if (piece & position->knights) {
                giving |= checks.knight;
            } else if (piece & position->bishops) {
                giving |= checks.bishop;
            } else if (piece & position->rooks) {
                giving |= checks.rook;
            } else if (piece & position->queens) {
                giving |= checks.rook | checks.bishop;
            } else if (piece & position->kings) {
                giving = castling ? BB_ALL : BB_EMPTY;
            } else if (position->ep_square) {
                giving |= BB(position->ep_square);
            }
            span.targets &= giving;
        }
        if (span.targets && any_is_last(solver, position, &span)) {
            return true;
        }
    }
    return false;
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

static inline void remember(Solver *solver, int moves, Move answered, Move reply, int turn)
{
    Move *refutations = solver->refutations[moves];
    if (refutations[0] != reply) {
        refutations[1] = refutations[0];
        refutations[0] = reply;
    }
    solver->answers[turn][answered & 4095] = reply;
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
                remember(solver, moves, answered, tried[i], turn);
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
                    remember(solver, moves, answered, *reply, turn);
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
    const Move favourite = solver->winners[moves];
    if (favourite && is_legal(position, favourite) && wins_after(solver, position, favourite, moves)) {
        return true;
    }
    Spans list;
    generate_spans(position, BB_ALL, BB_ALL, &list);
    for (int i = 0; i < list.length; i++) {
        Move choices[MAX_SPAN_MOVES];
        const Move *end = write_span(&list.spans[i], choices);
        for (const Move *move = choices; move < end; move++) {
            if (*move != favourite && wins_after(solver, position, *move, moves)) {
                solver->winners[moves] = *move;
                return true;
            }
            if (solver->state != RUNNING) {
                return false;
            }
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
