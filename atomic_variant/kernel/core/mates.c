/* The last move of a win: explosions of the king by masks, mates among the moves that may give check. */

#include "mates.h"

#include "tactics.h"

/*
 * Whether the side to move can explode the enemy king. Such a move is legal
 * whatever it leaves behind, if only the own king is out of the blast.
 */
bool can_explode_king(const Position *position)
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

/* --- Checks --------------------------------------------------------------- */

/* *squares* and those next to them. */
static Bitboard surroundings(Bitboard squares)
{
    const Bitboard rows = squares | (squares << 1 & ~BB_FILE_A) | (squares >> 1 & ~BB_FILE_H);
    return rows | rows << 8 | rows >> 8;
}

Checks find_checks(const Position *position)
{
    const int turn = position->turn;
    const Bitboard own = position->occupied_co[turn];
    const Bitboard enemy = position->occupied_co[!turn];
    const Bitboard all = own | enemy;
    const Bitboard exploding = all & ~position->pawns;
    const Bitboard safe = enemy & ~KING_ATTACKS[msb(position->kings & own)];
    const Square king = msb(position->kings & enemy);
    Checks checks = {
        KNIGHT_ATTACKS[king] & ~all, bishop_attacks(king, all) & ~all, rook_attacks(king, all) & ~all,
        PAWN_ATTACKS[!turn][king] & ~all, BB_EMPTY, BB_EMPTY, BB_EMPTY, BB_EMPTY,
    };
    Bitboard sliders = own
        & ((ROOK_RAYS[king] & (position->rooks | position->queens))
            | (BISHOP_RAYS[king] & (position->bishops | position->queens)));
    while (sliders) {
        const Square slider = pop_msb(&sliders);
        const Bitboard between = BETWEEN[king][slider];
        const Bitboard men = between & all;
        checks.lines |= between;
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
    checks.hidden = checks.captures & ~safe;
    checks.captures &= safe;
    return checks;
}

bool castling_may_check(const Position *position, const Checks *checks)
{
    const int turn = position->turn;
    const Bitboard own = position->occupied_co[turn];
    const Bitboard own_king = position->kings & own;
    const Bitboard rooks = position->castling_rights & own;
    const Square king = msb(position->kings & position->occupied_co[!turn]);
    const Bitboard backrank = turn ? BB_RANK_1 : BB_RANK_8;
    if (!rooks) {
        return false;
    }
    if (BB(king) & backrank || checks->lines & (own_king | rooks)) {
        return true;
    }
    const Bitboard arrival = ROOK_RAYS[king] & backrank & (BB_FILE_D | BB_FILE_F);
    return arrival && !(BETWEEN[king][msb(arrival)] & occupied(position));
}

static inline void add_span(Spans *out, SpanKind kind, int from, Bitboard targets)
{
    if (targets) {
        out->spans[out->length++] = (Span){targets, (int8_t)from, (int8_t)kind};
    }
}

/* The moves of pawns for list_checks(). */
static void list_checks_by_pawns(const Position *position, const Checks *checks, Bitboard safe, Spans *out)
{
    const int turn = position->turn;
    const Bitboard all = occupied(position);
    const Bitboard pawns = position->pawns & position->occupied_co[turn];
    const Square king = msb(position->kings & position->occupied_co[!turn]);
    const Bitboard en_passant = position->ep_square ? BB(position->ep_square) & ~all : BB_EMPTY;
    const Bitboard taken = checks->captures | en_passant;
    Bitboard capturers = pawns
        & ((turn ? (taken >> 7 & ~BB_FILE_A) | (taken >> 9 & ~BB_FILE_H)
                 : (taken << 7 & ~BB_FILE_H) | (taken << 9 & ~BB_FILE_A)) | checks->discoverers);
    while (capturers) {
        const Square square = pop_msb(&capturers);
        const Bitboard targets =
            PAWN_ATTACKS[turn][square] & (BB(square) & checks->discoverers ? safe | en_passant : taken);
        add_span(out, targets & BB_BACKRANKS ? PROMOTIONS : FROM_SQUARE, square, targets);
    }

    const int step = turn ? 8 : -8;
    const Bitboard discoverers = checks->discoverers & pawns;
    const Bitboard single = (turn ? pawns << 8 : pawns >> 8) & ~all;
    const Bitboard twice = (turn ? single << 8 & (BB_RANK_3 | BB_RANK_4) : single >> 8 & (BB_RANK_5 | BB_RANK_6)) & ~all;
    const Bitboard promoting = single & BB_BACKRANKS;
    const Bitboard discovering = turn ? discoverers << 8 : discoverers >> 8;
    add_span(out, PROMOTION_STEPS, step,
        promoting & (discovering | ROOK_RAYS[king] | BISHOP_RAYS[king] | KNIGHT_ATTACKS[king]));
    add_span(out, STEPS, step, single & ~promoting & (checks->pawn | discovering));
    add_span(out, STEPS, 2 * step, twice & (checks->pawn | (turn ? discovering << 8 : discovering >> 8)));
}

void list_checks(const Position *position, const Checks *checks, Spans *out)
{
    const int turn = position->turn;
    const Bitboard own = position->occupied_co[turn];
    const Bitboard enemy = position->occupied_co[!turn];
    const Bitboard all = own | enemy;
    const Bitboard own_king = position->kings & own;
    const Bitboard near = KING_ATTACKS[msb(own_king)];
    const Bitboard safe = enemy & ~near; /* To capture there explodes the own king not. */
    out->length = 0;

    Bitboard pieces = own & ~position->pawns & ~own_king;
    while (pieces) {
        const Square square = pop_msb(&pieces);
        const Bitboard piece = BB(square);
        const bool discovers = piece & checks->discoverers;
        Bitboard giving = checks->captures;
        if (piece & position->knights) {
            giving = discovers ? safe | ~all : giving | checks->knight;
            add_span(out, FROM_SQUARE, square, KNIGHT_ATTACKS[square] & giving);
            continue;
        }
        Bitboard rays = BB_EMPTY;
        if (piece & ~position->bishops) {
            giving |= checks->rook;
            rays |= ROOK_RAYS[square];
        }
        if (piece & ~position->rooks) {
            giving |= checks->bishop;
            rays |= BISHOP_RAYS[square];
        }
        if (discovers) {
            giving = safe | ~all;
        }
        if (rays & giving) {
            add_span(out, FROM_SQUARE, square, slider_attacks(position, piece, square, all) & giving);
        }
    }
    if (own_king & checks->discoverers) {
        add_span(out, FROM_SQUARE, msb(own_king), near & ~all);
    }
    if (castling_may_check(position, checks)) {
        generate_castling(position, msb(own_king), BB_ALL, out);
    }
    list_checks_by_pawns(position, checks, safe, out);
}

/* --- Ends ----------------------------------------------------------------- */

Move find_parry(Solver *solver, const Position *position, Move move)
{
    /* What parried the move before mostly does again. */
    Move *parry = &solver->parries[move & 4095];
    if (!*parry || !is_legal(position, *parry)) {
        Spans list;
        generate_spans(position, BB_ALL, BB_ALL, &list);
        if (!list.length) {
            return NULL_MOVE;
        }
        Move moves[MAX_SPAN_MOVES];
        write_span(&list.spans[0], moves);
        *parry = moves[0];
    }
    return *parry;
}

/* Whether the opponent is lost after one of *list*, of which none explodes a king: mated, or without a move where that loses. */
static bool any_is_last(Solver *solver, const Position *position, const Spans *list, bool legal)
{
    for (int i = 0; i < list->length; i++) {
        Move moves[MAX_SPAN_MOVES];
        const Move *end = write_span(&list->spans[i], moves);
        for (const Move *move = moves; move < end; move++) {
            Position after = *position;
            make_move(&after, *move);
            if ((solver->stalemate_loses || check_mask(&after, after.turn)) && !find_parry(solver, &after, *move)
                && (legal || is_legal(position, *move))) {
                return true;
            }
        }
    }
    return false;
}

bool can_end_the_game(Solver *solver, const Position *position)
{
    const int turn = position->turn;
    const Bitboard own = position->occupied_co[turn];
    const Bitboard enemy = position->occupied_co[!turn];
    const Bitboard own_king = position->kings & own;
    const Square enemy_king = msb(position->kings & enemy);
    const Rules rules = position->rules;
    Spans list;
    if (!solver->stalemate_loses && !rules.has_checks) {
        return false;
    }
    const bool protected = rules.touching_kings_immune && KING_ATTACKS[enemy_king] & own_king;
    if (solver->stalemate_loses || protected || attackers_of_king(position, !turn, enemy_king, own, own | enemy)) {
        /* Any move, or any that parts the kings. */
        generate_spans(position, solver->stalemate_loses || !protected ? BB_ALL : own_king, BB_ALL, &list);
        return any_is_last(solver, position, &list, true);
    }
    const Checks checks = find_checks(position);
    list_checks(position, &checks, &list);
    return any_is_last(solver, position, &list, false);
}
