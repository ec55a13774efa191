/*
 * Moves that threaten nothing. All masks here err on the side of a threat: a move that is called idle
 * is refuted by the reply; one that is not is searched.
 *
 * Let P be the position, r the reply, X an idle move: the position after X and r is that after r and X, and
 * r is legal after X, as X attacks no king. What wins there at once is an explosion or a mate, Y. An explosion has a
 * line, an attacker or a target that the position after r has not: X brought it, so X is not idle. A mate is a check, and
 * for a new check the same holds. A check that could be given after r already has been parried there once; whether X
 * changes that is tried out.
 */

#include "idle.h"

/* Whether the side that is not to move can make the move, captures nothing, and gets there by one plain move. */
static bool is_pseudo_legal(const Position *position, Move move)
{
    const Square from = MOVE_FROM(move), to = MOVE_TO(move);
    const Bitboard piece = BB(from), all = occupied(position);
    if (!(position->occupied_co[!position->turn] & piece) || BB(to) & all) {
        return false;
    }
    if (piece & position->pawns) {
        /* A double step could be answered en passant. */
        return to == from + (position->turn ? -8 : 8) && !(BB(to) & BB_BACKRANKS);
    }
    if (piece & position->knights) {
        return KNIGHT_ATTACKS[from] & BB(to);
    }
    if (piece & position->kings) {
        return KING_ATTACKS[from] & BB(to);
    }
    return slider_attacks(position, piece, from, all) & BB(to);
}

/* Adds *move* if it gives check. False if it may mate, or there is no room. */
static bool add_check(Solver *solver, Idleness *idleness, Move move)
{
    Position after = idleness->after;
    make_move(&after, move);
    if (!check_mask(&after, after.turn)) {
        return true;
    }
    if (idleness->length == MAX_STANDING_CHECKS) {
        return false;
    }
    const Move parry = find_parry(solver, &after, move);
    idleness->checks[idleness->length] = move;
    idleness->parries[idleness->length++] = parry;
    return parry;
}

/* Of what find_idle() asks, what concerns checks. False if it cannot be said, or there is a mate. */
static bool find_threats_of_check(Solver *solver, const Position *position, Idleness *out)
{
    const int turn = position->turn;
    const Bitboard own = position->occupied_co[turn];
    const Bitboard all = occupied(position);
    const Bitboard pawns = position->pawns & own;
    const Square king = msb(position->kings & position->occupied_co[!turn]);
    const Checks checks = find_checks(position);
    out->straight = ROOK_RAYS[king];
    out->diagonal = BISHOP_RAYS[king];
    /* The man in the way has too many moves to see which of them another move makes possible. */
    if (checks.discoverers || castling_may_check(position, &checks)) {
        return false;
    }
    const Bitboard promoting = turn ? pawns << 8 & BB_RANK_8 : pawns >> 8 & BB_RANK_1;
    if (promoting & (out->straight | out->diagonal | KNIGHT_ATTACKS[king])) {
        return false;
    }
    Spans list;
    list_checks(position, &checks, &list);
    for (int i = 0; i < list.length; i++) {
        Move moves[MAX_SPAN_MOVES];
        const Move *end = write_span(&list.spans[i], moves);
        for (const Move *move = moves; move < end; move++) {
            if (!add_check(solver, out, *move)) {
                return false;
            }
        }
    }

    out->knight |= checks.captures | checks.knight;
    out->bishop |= checks.captures | checks.bishop;
    out->rook |= checks.captures | checks.rook;
    out->pawn |= checks.captures;
    out->step = checks.pawn;
    /* Men on lines of the king, and on squares that others could check from. */
    out->openers |= checks.lines | rook_attacks(king, all) | bishop_attacks(king, all) | KNIGHT_ATTACKS[king]
        | PAWN_ATTACKS[!turn][king];
    if (checks.hidden) {
        out->openers |= position->kings & own;
    }
    if (checks.pawn) { /* Men that bar a double step. */
        out->openers |= turn ? (pawns & (BB_RANK_1 | BB_RANK_2)) << 8 : (pawns & (BB_RANK_8 | BB_RANK_7)) >> 8;
    }
    return true;
}

bool find_idle(Solver *solver, const Position *position, Move reply, Idleness *out)
{
    if (solver->stalemate_loses || !is_pseudo_legal(position, reply)) {
        return false;
    }
    const int turn = position->turn;
    Position *after = &out->after;
    *after = *position;
    after->turn = (int8_t)!turn;
    after->ep_square = 0;
    make_move(after, reply);
    const Bitboard own = after->occupied_co[turn];
    const Bitboard enemy = after->occupied_co[!turn];
    const Bitboard all = own | enemy;
    const Bitboard own_king = after->kings & own;
    const Square king = msb(after->kings & enemy);
    const Bitboard near = KING_ATTACKS[msb(own_king)];
    if (near & BB(king) || can_explode_king(after)) {
        return false;
    }
    const Bitboard around = enemy & (KING_ATTACKS[king] | BB(king));
    /* The own king may stand in the way of its own side. */
    out->openers = around & near ? own_king : BB_EMPTY;
    out->hindering = BB(MOVE_TO(reply)) | BETWEEN[MOVE_FROM(reply)][MOVE_TO(reply)];
    out->replier = BB(MOVE_FROM(reply)) | BB(MOVE_TO(reply));
    out->knight = out->bishop = out->rook = out->pawn = around & ~near;
    out->step = out->straight = out->diagonal = BB_EMPTY;
    out->length = 0;
    if (after->rules.has_checks && !find_threats_of_check(solver, after, out)) {
        return false;
    }

    Bitboard sliders = own & (after->bishops | after->rooks | after->queens);
    while (sliders) {
        const Square square = pop_msb(&sliders);
        const Bitboard piece = BB(square);
        const Bitboard attacks = slider_attacks(after, piece, square, all);
        const Bitboard threatened =
            (piece & ~after->rooks ? out->bishop : BB_EMPTY) | (piece & ~after->bishops ? out->rook : BB_EMPTY);
        Bitboard blockers = attacks & own & ~out->openers;
        while (blockers) {
            const Bitboard blocker = BB(pop_msb(&blockers));
            if (slider_attacks(after, piece, square, all ^ blocker) & ~attacks & threatened) {
                out->openers |= blocker;
            }
        }
    }
    return true;
}

/* The squares from which a knight attacks one of *squares*. */
static Bitboard knight_origins(Bitboard squares)
{
    const Bitboard near = (squares >> 1 & ~BB_FILE_H) | (squares << 1 & ~BB_FILE_A);
    const Bitboard far = (squares >> 2 & ~(BB_FILE_H | BB_FILE_H >> 1)) | (squares << 2 & ~(BB_FILE_A | BB_FILE_A << 1));
    return near << 16 | near >> 16 | far << 8 | far >> 8;
}

/* Of *targets*, where the slider on *from* threatens something. */
static Bitboard threatening(const Idleness *idleness, Square from, Bitboard targets)
{
    const Position *after = &idleness->after;
    const Bitboard piece = BB(from);
    const Bitboard all = occupied(after) ^ piece;
    Bitboard threatened = BB_EMPTY, lines = BB_EMPTY;
    if (piece & ~after->rooks) {
        threatened |= idleness->bishop;
        lines |= idleness->diagonal;
    }
    if (piece & ~after->bishops) {
        threatened |= idleness->rook;
        lines |= idleness->straight;
    }
    Bitboard found = targets & lines;
    targets ^= found;
    while (targets) {
        const Square to = pop_msb(&targets);
        if (slider_attacks(after, piece, to, all) & threatened) {
            found |= BB(to);
        }
    }
    return found;
}

/* Whether a check that could be given before *move* is not parried after it as it was. */
static bool disturbs(const Idleness *idleness, Move move)
{
    Position moved = idleness->after;
    make_move(&moved, move);
    moved.turn = idleness->after.turn;
    moved.ep_square = 0;
    for (int i = 0; i < idleness->length; i++) {
        const Move check = idleness->checks[i];
        /* Another man cannot give it, and what the same man can do now was looked at. */
        if (MOVE_FROM(check) == MOVE_FROM(move) || MOVE_TO(check) == MOVE_TO(move)) {
            continue;
        }
        Position after = moved;
        make_move(&after, check);
        if (check_mask(&after, after.turn) && !is_legal(&after, idleness->parries[i])) {
            return true;
        }
    }
    return false;
}

Bitboard idle_targets(const Idleness *idleness, const Position *position, const Span *span)
{
    const int turn = position->turn;
    Bitboard idle = span->targets & ~(occupied(position) | idleness->hindering);
    if (span->kind == STEPS) {
        const Bitboard origins = idleness->openers;
        const Bitboard taken = idleness->pawn;
        idle &= ~(span->from > 0 ? origins << span->from : origins >> -span->from);
        idle &= turn ? ~((taken & ~BB_FILE_H) >> 7 | (taken & ~BB_FILE_A) >> 9 | idleness->step >> 8)
                     : ~((taken & ~BB_FILE_A) << 7 | (taken & ~BB_FILE_H) << 9 | idleness->step << 8);
        idle &= ~(BB_RANK_2 | BB_RANK_7); /* A double step, or a promotion, may be next. */
    } else if (span->kind == FROM_SQUARE && !(BB(span->from) & (idleness->openers | position->pawns))) {
        const Bitboard piece = BB(span->from);
        if (piece & position->kings) {
            const Square king = msb(idleness->after.kings & idleness->after.occupied_co[!turn]);
            idle &= KING_ATTACKS[span->from] & ~KING_ATTACKS[king]; /* No castling, and no touching of kings. */
        } else if (piece & position->knights) {
            idle &= ~knight_origins(idleness->knight);
        } else {
            idle &= ~threatening(idleness, span->from, idle);
        }
    } else {
        return BB_EMPTY;
    }
    Bitboard doubtful = idleness->length ? idle : BB_EMPTY;
    while (doubtful) {
        const Square to = pop_msb(&doubtful);
        if (disturbs(idleness, MOVE(span->kind == STEPS ? to - span->from : span->from, to, NO_PIECE))) {
            idle ^= BB(to);
        }
    }
    return idle;
}

bool is_refuted(Solver *solver, const Idleness *idleness, const Position *position, Move move)
{
    const Square from = MOVE_FROM(move), to = MOVE_TO(move);
    const Bitboard target = BB(to);
    if (target & idleness->hindering || (position->ep_square && to == position->ep_square)
        || (position->kings & BB(from) && !(KING_ATTACKS[from] & target))) {
        return false; /* Also en passant and castling, which are more than a man that goes from square to square. */
    }
    if (target & occupied(position) && (target | KING_ATTACKS[to]) & idleness->replier) {
        return false;
    }
    Position after = idleness->after;
    make_move(&after, move);
    after.turn = idleness->after.turn;
    after.ep_square = 0;
    if (position->kings & BB(from) && KING_ATTACKS[to] & after.kings & after.occupied_co[!after.turn]) {
        return false;
    }
    return !can_explode_king(&after) && !can_end_the_game(solver, &after);
}
