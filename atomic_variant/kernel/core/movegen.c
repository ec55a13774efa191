/*
 * The legal moves of a position: movegen.py, line by line where that helps.
 *
 * The reasons stand there. In short: what the rules ask of every single move
 * is turned, once per position, into masks of squares. Quiet moves may go
 * where they end a check. A capture next to the own king would explode it.
 * A capture on or next to the enemy king wins, whatever it leaves behind.
 * Other captures are tested once per target square.
 */

#include "position.h"

/* An enemy slider that looks at the king, the squares between, and the men on them. */
typedef struct {
    Bitboard slider, between, men;
} Line;

/* What captures must be tested against. */
typedef struct {
    Line lines[64];
    int line_count;
    Bitboard own;
    Bitboard steppers;  /* Knights and pawns that give check. */
    Bitboard exploding; /* What explodes next to a capture: all but pawns. */
    Bitboard tested;    /* Target squares that *barred* knows. */
    Bitboard barred[64];
} Danger;

/* Of the men that may not capture on *target*, because that would leave a check. */
static Bitboard barred_capturers(const Danger *danger, Square target)
{
    Bitboard gone = (KING_ATTACKS[target] & danger->exploding) | BB(target);
    if (danger->steppers & ~gone) {
        return BB_ALL;
    }
    Bitboard barred = BB_EMPTY;
    for (int i = 0; i < danger->line_count; i++) {
        const Line *line = &danger->lines[i];
        if (line->slider & gone) {
            continue;
        }
        Bitboard left = line->men & ~gone;
        if (!left) {
            return BB_ALL;
        }
        if (is_single(left)) {
            barred |= left & danger->own; /* It would explode too. */
        }
    }
    return barred;
}

/* Those of *targets* where a capture by *piece* leaves no check. */
static Bitboard unbarred(Danger *danger, Bitboard piece, Bitboard targets)
{
    Bitboard safe = targets;
    while (targets) {
        Square target = pop_msb(&targets);
        if (!(danger->tested & BB(target))) {
            danger->tested |= BB(target);
            danger->barred[target] = barred_capturers(danger, target);
        }
        if (danger->barred[target] & piece) {
            safe ^= BB(target);
        }
    }
    return safe;
}

/* The squares between the king and the slider that pins *piece*. */
static Bitboard pin_line(const Danger *danger, Bitboard piece)
{
    for (int i = 0; i < danger->line_count; i++) {
        if (danger->lines[i].men == piece) {
            return danger->lines[i].between;
        }
    }
    return BB_ALL;
}

static inline void add(Spans *out, SpanKind kind, int from, Bitboard targets)
{
    Span *span = &out->spans[out->length++];
    span->targets = targets;
    span->from = (int8_t)from;
    span->kind = (int8_t)kind;
}

/*
 * Castling as the board writes it, if it is written as king takes rook. As
 * chess.Board._from_chess960.
 */
Move castling_notation(const Position *position, Move move)
{
    Square from = MOVE_FROM(move);
    Square to = MOVE_TO(move);
    if (position->chess960 || MOVE_PROMOTION(move) || (from != E1 && from != E8) || !(position->kings & BB(from))) {
        return move;
    }
    if (to == from + 3) {
        return MOVE(from, from + 2, NO_PIECE);
    }
    if (to == from - 4) {
        return MOVE(from, from - 2, NO_PIECE);
    }
    return move;
}

/* As movegen.generate_castling_moves. Rules and order are those of python-chess. */
void generate_castling(const Position *position, Square king, Bitboard to_mask, Spans *out)
{
    Bitboard backrank = position->turn ? BB_RANK_1 : BB_RANK_8;
    Bitboard rights = position->castling_rights & backrank & to_mask & ~BB(king);
    if (!(BB(king) & backrank)) {
        return;
    }
    Bitboard all = occupied(position);
    while (rights) {
        Square rook = pop_msb(&rights);
        Square rank = king & 56;
        Square king_to = rank + (rook < king ? 2 : 6);
        Square rook_to = rank + (rook < king ? 3 : 5);
        Bitboard path = BETWEEN[king][king_to];
        Bitboard empty = (path | BETWEEN[rook][rook_to] | BB(king_to) | BB(rook_to)) & ~BB(king) & ~BB(rook);
        if (empty & all) {
            continue;
        }
        /*
         * What the king leaves and crosses is judged with the rook at home, its
         * arrival with the rook moved: there the rook may shield it.
         */
        Bitboard without_king = all ^ BB(king);
        if (is_attacked_for_king(position, path | BB(king), without_king)
            || is_attacked_for_king(position, BB(king_to), without_king ^ BB(rook) ^ BB(rook_to))) {
            continue;
        }
        add(out, FROM_SQUARE, king, BB(MOVE_TO(castling_notation(position, MOVE(king, rook, NO_PIECE)))));
    }
}

/* As movegen.generate_legal_ep: at most two captures, so each by itself. */
static void add_en_passant(
    const Position *position, Bitboard own_king, Bitboard enemy_king, Bitboard from_mask, Spans *out)
{
    Square to = position->ep_square;
    int turn = position->turn;
    Bitboard own = position->occupied_co[turn];
    Bitboard enemy = position->occupied_co[!turn];
    Bitboard capturers = position->pawns & own & from_mask & PAWN_ATTACKS[!turn][to] & (turn ? BB_RANK_5 : BB_RANK_4);
    while (capturers) {
        Square from = pop_msb(&capturers);
        /* The explosion is on the square of arrival, not on that of the captured pawn. */
        Bitboard gone = explosion_mask(position, from, to);
        if (own_king & gone) {
            continue;
        }
        Square king = msb(own_king);
        /* Without a pawn to capture, it is a mere step. */
        Bitboard blockers = gone ? (own | enemy) & ~gone : (own | enemy) ^ BB(from) ^ BB(to);
        if (!(enemy_king & gone) && position->rules.has_checks
            && !(position->rules.touching_kings_immune && KING_ATTACKS[king] & enemy_king)
            && attackers_of_king(position, turn, king, enemy & ~gone, blockers)) {
            continue;
        }
        add(out, FROM_SQUARE, from, BB(to));
    }
}

void generate_spans(const Position *position, Bitboard from_mask, Bitboard to_mask, Spans *out)
{
    out->length = 0;
    const int turn = position->turn;
    const Bitboard own = position->occupied_co[turn];
    const Bitboard enemy = position->occupied_co[!turn];
    const Bitboard own_king = position->kings & own;
    const Bitboard enemy_king = position->kings & enemy;
    if (!own_king || !enemy_king || !(own & from_mask)) {
        return; /* A king has exploded, so the game is over; or nothing is asked for. */
    }

    const Bitboard all = own | enemy;
    const Bitboard knights = position->knights;
    const Bitboard straight = position->rooks | position->queens;
    const Bitboard diagonal = position->bishops | position->queens;
    const Square king = msb(own_king);
    const Bitboard near_own = KING_ATTACKS[king];
    const Bitboard near_enemy = KING_ATTACKS[msb(enemy_king)];

    /* Where the own king cannot be in check. */
    Bitboard haven = BB_EMPTY;
    if (!position->rules.has_checks) {
        haven = BB_ALL;
    } else if (position->rules.touching_kings_immune) {
        haven = near_enemy;
    }

    const Bitboard empty = ~all & to_mask;
    Bitboard quiet = empty;
    Bitboard captures = enemy & to_mask & ~near_own;
    Bitboard doubtful = BB_EMPTY;
    Bitboard pinned = BB_EMPTY;
    Danger danger;
    danger.line_count = 0;
    danger.own = own;
    danger.steppers = BB_EMPTY;
    danger.exploding = all & ~position->pawns;
    danger.tested = BB_EMPTY;
    if (!(haven & own_king)) {
        danger.steppers = enemy & ((KNIGHT_ATTACKS[king] & knights) | (PAWN_ATTACKS[turn][king] & position->pawns));
        if (danger.steppers) {
            quiet = BB_EMPTY;
        }
        Bitboard sliders = enemy & ((ROOK_RAYS[king] & straight) | (BISHOP_RAYS[king] & diagonal));
        while (sliders) {
            Square square = pop_msb(&sliders);
            Bitboard between = BETWEEN[king][square];
            Bitboard men = between & all;
            danger.lines[danger.line_count++] = (Line){BB(square), between, men};
            if (!men) {
                quiet &= between;
            } else if (is_single(men)) {
                pinned |= men & own;
            }
        }
        if (danger.line_count || danger.steppers) {
            doubtful = captures & ~(near_enemy | enemy_king);
        }
    }
    const Bitboard sure = captures ^ doubtful;
    const Bitboard allowed = quiet | sure;

    Bitboard pieces = own & ~position->pawns & from_mask;
    while (pieces) {
        Square square = pop_msb(&pieces);
        Bitboard piece = BB(square);
        if (square == king) {
            Bitboard steps = near_own & empty;
            Bitboard unsure = steps & ~haven;
            while (unsure) {
                Square step = pop_msb(&unsure);
                /* Lifted off the board, the king hides no square behind itself. */
                if (attackers_of_king(position, turn, step, enemy, all ^ own_king)) {
                    steps ^= BB(step);
                }
            }
            if (steps) {
                add(out, FROM_SQUARE, square, steps);
            }
            continue;
        }
        Bitboard attacks = BB_EMPTY;
        if (piece & knights) {
            attacks = KNIGHT_ATTACKS[square];
        } else {
            if (piece & straight) {
                attacks = rook_attacks(square, all);
            }
            if (piece & diagonal) {
                attacks |= bishop_attacks(square, all);
            }
        }
        Bitboard targets = attacks & allowed;
        if (piece & pinned) {
            targets &= pin_line(&danger, piece) | sure;
        }
        if (attacks & doubtful) {
            targets |= unbarred(&danger, piece, attacks & doubtful);
        }
        if (targets) {
            add(out, FROM_SQUARE, square, targets);
        }
    }

    if (position->castling_rights & own && from_mask & own_king) {
        generate_castling(position, king, to_mask, out);
    }

    const Bitboard pawns = position->pawns & own & from_mask;
    if (!pawns) {
        return;
    }

    if (captures) {
        Bitboard capturers = pawns
            & (turn ? (captures >> 7 & ~BB_FILE_A) | (captures >> 9 & ~BB_FILE_H)
                    : (captures << 7 & ~BB_FILE_H) | (captures << 9 & ~BB_FILE_A));
        while (capturers) {
            Square square = pop_msb(&capturers);
            Bitboard attacks = PAWN_ATTACKS[turn][square];
            Bitboard targets = attacks & sure;
            if (attacks & doubtful) {
                targets |= unbarred(&danger, BB(square), attacks & doubtful);
            }
            if (targets) {
                add(out, targets & BB_BACKRANKS ? PROMOTIONS : FROM_SQUARE, square, targets);
            }
        }
    }

    Bitboard single = (turn ? pawns << 8 : pawns >> 8) & ~all;
    Bitboard twice =
        (turn ? single << 8 & (BB_RANK_3 | BB_RANK_4) : single >> 8 & (BB_RANK_5 | BB_RANK_6)) & quiet;
    single &= quiet;
    const int step = turn ? 8 : -8;
    Bitboard pinned_pawns = pinned & pawns;
    while (pinned_pawns) {
        /* A pinned pawn may advance towards the slider, not off the line. */
        Square square = pop_msb(&pinned_pawns);
        Bitboard line = pin_line(&danger, BB(square));
        Bitboard ahead = turn ? BB(square) << 8 : BB(square) >> 8;
        if (!(line & ahead)) {
            single &= ~ahead;
            twice &= ~(turn ? ahead << 8 : ahead >> 8);
        }
    }
    Bitboard promoting = single & BB_BACKRANKS;
    if (promoting && turn) {
        add(out, PROMOTION_STEPS, step, promoting);
    }
    if (single ^ promoting) {
        add(out, STEPS, step, single ^ promoting);
    }
    if (promoting && !turn) {
        add(out, PROMOTION_STEPS, step, promoting);
    }
    if (twice) {
        add(out, STEPS, 2 * step, twice);
    }

    if (position->ep_square && BB(position->ep_square) & to_mask & ~all) {
        add_en_passant(position, own_king, enemy_king, from_mask, out);
    }
}

Move *write_span(const Span *span, Move *out)
{
    const bool relative = span->kind == STEPS || span->kind == PROMOTION_STEPS;
    const bool promotes = span->kind == PROMOTIONS || span->kind == PROMOTION_STEPS;
    Bitboard targets = span->targets;
    while (targets) {
        Square to = pop_msb(&targets);
        Square from = relative ? to - span->from : span->from;
        if (!promotes) {
            *out++ = MOVE(from, to, NO_PIECE);
            continue;
        }
        for (int promotion = QUEEN; promotion >= KNIGHT; promotion--) {
            *out++ = MOVE(from, to, promotion);
        }
    }
    return out;
}

Move *write_moves(const Spans *list, Move *out)
{
    for (int i = 0; i < list->length; i++) {
        out = write_span(&list->spans[i], out);
    }
    return out;
}

bool has_legal_moves(const Position *position)
{
    Spans list;
    generate_spans(position, BB_ALL, BB_ALL, &list);
    return list.length > 0;
}

/* Whether a piece that is no pawn may go to an empty square, other than by castling. */
static bool is_legal_step(const Position *position, Square from, Square to)
{
    const int turn = position->turn;
    const Bitboard piece = BB(from), target = BB(to);
    const Bitboard enemy = position->occupied_co[!turn];
    const Bitboard all = occupied(position);
    Square king = msb(position->kings & position->occupied_co[turn]);
    if (piece & position->kings) {
        king = to;
    } else if (piece & position->knights) {
        if (!(KNIGHT_ATTACKS[from] & target)) {
            return false;
        }
    } else if (BETWEEN[from][to] & all
        || !((piece & ~position->bishops ? ROOK_RAYS[from] & target : BB_EMPTY)
            | (piece & ~position->rooks ? BISHOP_RAYS[from] & target : BB_EMPTY))) {
        return false;
    }
    if (!position->rules.has_checks
        || (position->rules.touching_kings_immune && KING_ATTACKS[king] & position->kings & enemy)) {
        return true;
    }
    return !attackers_of_king(position, turn, king, enemy, all ^ piece ^ target);
}

/* As movegen.is_legal. */
bool is_legal(const Position *position, Move move)
{
    Square from = MOVE_FROM(move);
    Square to = MOVE_TO(move);
    Bitboard own = position->occupied_co[position->turn];
    if (!(own & BB(from))) {
        return false;
    }
    Spans list;
    if (position->kings & BB(from) && (own & BB(to) || !(KING_ATTACKS[from] & BB(to)))) {
        /* Castling, in either notation. */
        if (MOVE_PROMOTION(move) || is_variant_end(position)) {
            return false;
        }
        to = MOVE_TO(castling_notation(position, move));
        list.length = 0;
        generate_castling(position, from, BB_ALL, &list);
        for (int i = 0; i < list.length; i++) {
            if (list.spans[i].targets == BB(to)) {
                return true;
            }
        }
        return false;
    }
    if (own & BB(to)) {
        return false;
    }
    if (!(occupied(position) & BB(to)) && !(position->pawns & BB(from)) && !is_variant_end(position)) {
        return !MOVE_PROMOTION(move) && is_legal_step(position, from, to);
    }
    generate_spans(position, BB(from), BB(to), &list);
    if (!list.length) {
        return false;
    }
    const bool promotes = list.spans[0].kind == PROMOTIONS || list.spans[0].kind == PROMOTION_STEPS;
    int promotion = MOVE_PROMOTION(move);
    return promotes ? KNIGHT <= promotion && promotion <= QUEEN : !promotion;
}

/* Those of the castling rights that belong to a king and a rook at home. */
Bitboard clean_castling_rights(const Position *position, Bitboard rights)
{
    Bitboard clean = BB_EMPTY;
    for (int color = BLACK; color <= WHITE; color++) {
        Bitboard backrank = color ? BB_RANK_1 : BB_RANK_8;
        Bitboard king = position->kings & position->occupied_co[color] & backrank;
        Bitboard rooks = rights & position->rooks & position->occupied_co[color] & backrank;
        if (!king || !rooks) {
            continue;
        }
        if (!position->chess960) {
            if (king & (BB(E1) | BB(E8))) {
                clean |= rooks & (BB_FILE_A | BB_FILE_H);
            }
            continue;
        }
        /* There are two ways of castling, with the outermost rooks, the king between them. */
        Square a_side = lsb(rooks);
        Square h_side = msb(rooks);
        if (a_side < msb(king)) {
            clean |= BB(a_side);
        }
        if (h_side > msb(king)) {
            clean |= BB(h_side);
        }
    }
    return clean;
}
