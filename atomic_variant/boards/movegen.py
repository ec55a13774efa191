"""
The legal moves of a whole position, as masks.

The same rules as in :mod:`atomic_variant.boards.rules`, in a very different form: what
they ask of every single move is turned, once per position, into masks of
squares. The tests hold the two forms against each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

import chess
from chess import (
    BB_ALL,
    BB_BACKRANKS,
    BB_DIAG_ATTACKS,
    BB_DIAG_MASKS,
    BB_EMPTY,
    BB_FILE_A,
    BB_FILE_ATTACKS,
    BB_FILE_H,
    BB_FILE_MASKS,
    BB_KING_ATTACKS,
    BB_KNIGHT_ATTACKS,
    BB_PAWN_ATTACKS,
    BB_RANK_1,
    BB_RANK_3,
    BB_RANK_4,
    BB_RANK_5,
    BB_RANK_6,
    BB_RANK_8,
    BB_RANK_ATTACKS,
    BB_RANK_MASKS,
    BB_SQUARES,
    SQUARES,
    Bitboard,
    Move,
    Square,
)

from .rules import BETWEEN, BISHOP_RAYS, CASTLING, ROOK_RAYS, is_safe

if TYPE_CHECKING:
    from .atomic import AtomicBoard

Row: TypeAlias = list[Move]
"""Moves by target square."""

# Making a chess.Move costs more than finding it, so all of them are made once.
# Rows by origin square; for advances of pawns by color and length of the step.
_MOVES: dict[Square, Row] = {a: [Move(a, b) for b in SQUARES] for a in SQUARES}
_PROMOTION_MOVES: dict[chess.PieceType, dict[Square, Row]] = {
    piece_type: {a: [Move(a, b, piece_type) for b in SQUARES] for a in SQUARES if 8 <= a < 16 or 48 <= a < 56}
    for piece_type in (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)
}
_STEPS: dict[int, Row] = {step: [_MOVES[max(0, min(63, b - step))][b] for b in SQUARES] for step in (8, 16, -8, -16)}


_STEPPER_RANGE = [BB_KNIGHT_ATTACKS[a] | BB_PAWN_ATTACKS[True][a] | BB_PAWN_ATTACKS[False][a] for a in SQUARES]


def generate_spans(
    board: AtomicBoard, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
) -> Iterator[tuple[Row, Bitboard]]:
    """
    The legal moves as pairs of a row of moves and a mask of target squares.

    From each row, the moves on the squares of the mask, highest square first,
    are legal. All rows together give the order of moves of python-chess:
    pieces, castling, captures of pawns, advances, en passant. As there, a
    castling move is selected by *to_mask* through the square of its rook.
    """
    turn = board.turn
    if turn:
        enemy, own = board.occupied_co
    else:
        own, enemy = board.occupied_co
    kings = board.kings
    own_king = kings & own
    enemy_king = kings & enemy
    if not own_king or not enemy_king or not own & from_mask:
        return  # A king has exploded, so the game is over; or nothing is asked for.
    if board._has_own_end and board.is_variant_end():
        return
    promoted = board.promoted
    if kings.bit_count() > 2 or (promoted and kings & promoted):
        yield from _generate_spans_of_many_kings(board, from_mask, to_mask)
        return

    occupied = board.occupied
    pawns = board.pawns
    knights = board.knights
    queens = board.queens
    straight = board.rooks | queens
    diagonal = board.bishops | queens
    king_square = own_king.bit_length() - 1
    near_own = BB_KING_ATTACKS[king_square]

    # Where the own king cannot be in check.
    if not type(board).has_checks:
        haven = BB_ALL
    elif type(board).touching_kings_immune:
        haven = BB_KING_ATTACKS[enemy_king.bit_length() - 1]
    else:
        haven = BB_EMPTY

    # Quiet moves may go where they end a check, captures need a test whether
    # they do. But a capture next to the own king would explode it (and a king
    # that captures explodes itself), and a capture on or next to the enemy
    # king wins, whatever it leaves behind.
    quiet = empty = ~occupied & to_mask
    captures = enemy & to_mask & ~near_own
    doubtful = pinned = BB_EMPTY
    if not haven & own_king:
        lines: list[tuple[Bitboard, Bitboard, Bitboard]] = []  # A slider, the squares between, the men on them.
        # Knights and pawns that give check; sliders that would on an empty board.
        steppers = enemy & (BB_KNIGHT_ATTACKS[king_square] & knights | BB_PAWN_ATTACKS[turn][king_square] & pawns)
        if steppers:
            quiet = BB_EMPTY
        sliders = enemy & (ROOK_RAYS[king_square] & straight | BISHOP_RAYS[king_square] & diagonal)
        if sliders:
            between = BETWEEN[king_square]
            while sliders:
                square = sliders.bit_length() - 1
                slider = BB_SQUARES[square]
                sliders ^= slider
                line = between[square]
                men = line & occupied
                lines.append((slider, line, men))
                if not men:
                    quiet &= line
                elif not men & (men - 1):
                    pinned |= men & own
        if captures and (lines or steppers):
            doubtful = captures & ~(BB_KING_ATTACKS[enemy_king.bit_length() - 1] | enemy_king)
            exploding = occupied & ~pawns
            # The first test of a doubtful capture square serves all pieces.
            barred: dict[Bitboard, Bitboard] = {}
    sure = captures ^ doubtful
    allowed = quiet | sure

    # Pieces.
    not_own = BB_ALL ^ own
    pieces = own & ~pawns & from_mask
    while pieces:
        square = pieces.bit_length() - 1
        piece = BB_SQUARES[square]
        pieces ^= piece
        if square == king_square:
            steps = near_own & empty
            unsure = steps & ~haven
            if unsure:
                # Lifted off the board, the king hides no square behind itself.
                others = occupied ^ own_king
                enemy_straight = enemy & straight
                enemy_diagonal = enemy & diagonal
                enemy_knights = enemy & knights
                enemy_pawns = enemy & pawns
                while unsure:
                    step_square = unsure.bit_length() - 1
                    step = BB_SQUARES[step_square]
                    unsure ^= step
                    if (
                        BB_KNIGHT_ATTACKS[step_square] & enemy_knights
                        or BB_PAWN_ATTACKS[turn][step_square] & enemy_pawns
                        or (
                            ROOK_RAYS[step_square] & enemy_straight
                            and enemy_straight
                            & (
                                BB_RANK_ATTACKS[step_square][BB_RANK_MASKS[step_square] & others]
                                | BB_FILE_ATTACKS[step_square][BB_FILE_MASKS[step_square] & others]
                            )
                        )
                        or (
                            BISHOP_RAYS[step_square] & enemy_diagonal
                            and enemy_diagonal & BB_DIAG_ATTACKS[step_square][BB_DIAG_MASKS[step_square] & others]
                        )
                    ):
                        steps ^= step
            if steps:
                yield _MOVES[square], steps
            continue
        if piece & knights:
            attacks = BB_KNIGHT_ATTACKS[square]
        elif not BB_KING_ATTACKS[square] & not_own:
            continue  # Hemmed in.
        elif piece & straight:
            attacks = (
                BB_RANK_ATTACKS[square][BB_RANK_MASKS[square] & occupied]
                | BB_FILE_ATTACKS[square][BB_FILE_MASKS[square] & occupied]
            )
            if piece & diagonal:
                attacks |= BB_DIAG_ATTACKS[square][BB_DIAG_MASKS[square] & occupied]
        else:
            attacks = BB_DIAG_ATTACKS[square][BB_DIAG_MASKS[square] & occupied]
        targets = attacks & allowed
        if pinned and piece & pinned:
            targets &= _pin_line(lines, piece) | sure
        if doubtful and attacks & doubtful:
            targets |= _unbarred(piece, own, attacks & doubtful, exploding, steppers, lines, barred)
        if targets:
            yield _MOVES[square], targets

    if board.castling_rights & own and from_mask & own_king:
        for move in generate_castling_moves(board, from_mask, to_mask):
            yield _MOVES[king_square], BB_SQUARES[move.to_square]

    pawns &= own & from_mask
    if not pawns:
        return

    if captures:
        if turn:
            capturers = pawns & (captures >> 7 & ~BB_FILE_A | captures >> 9 & ~BB_FILE_H)
        else:
            capturers = pawns & (captures << 7 & ~BB_FILE_H | captures << 9 & ~BB_FILE_A)
        attack_table = BB_PAWN_ATTACKS[turn]
        while capturers:
            square = capturers.bit_length() - 1
            piece = BB_SQUARES[square]
            capturers ^= piece
            attacks = attack_table[square]
            targets = attacks & sure
            if doubtful and attacks & doubtful:
                targets |= _unbarred(piece, own, attacks & doubtful, exploding, steppers, lines, barred)
            if targets & BB_BACKRANKS:
                yield from _promotion_spans(square, targets)
            elif targets:
                yield _MOVES[square], targets

    if turn:
        single = pawns << 8 & (BB_ALL ^ occupied)
        double = single << 8 & quiet & (BB_RANK_3 | BB_RANK_4)
    else:
        single = pawns >> 8 & ~occupied
        double = single >> 8 & quiet & (BB_RANK_5 | BB_RANK_6)
    single &= quiet
    step = 8 if turn else -8
    if pinned and pinned & pawns:
        # A pinned pawn may advance towards the slider, not off the line.
        for pawn in chess.scan_forward(pinned & pawns):
            ahead = BB_SQUARES[pawn] << 8 if turn else BB_SQUARES[pawn] >> 8
            if not _pin_line(lines, BB_SQUARES[pawn]) & ahead:
                single &= ~ahead
                double &= ~(ahead << 8 if turn else ahead >> 8)
    promoting = single & BB_BACKRANKS
    if promoting and turn:
        yield from _promotion_step_spans(promoting, step)
    if single ^ promoting:
        yield _STEPS[step], single ^ promoting
    if promoting and not turn:
        yield from _promotion_step_spans(promoting, step)
    if double:
        yield _STEPS[2 * step], double

    if board.ep_square:
        for move in generate_legal_ep(board, from_mask, to_mask):
            yield _MOVES[move.from_square], BB_SQUARES[move.to_square]


def _unbarred(
    piece: Bitboard,
    own: Bitboard,
    targets: Bitboard,
    exploding: Bitboard,
    steppers: Bitboard,
    lines: list[tuple[Bitboard, Bitboard, Bitboard]],
    barred: dict[Bitboard, Bitboard],
) -> Bitboard:
    """
    Those of *targets* where a capture by *piece* leaves no check.

    What a capture removes depends on its square, not on the capturer, except
    for the capturer itself: so a square is tested once, and *barred* holds
    for it which capturers are barred.
    """
    safe = targets
    while targets:
        target = targets & -targets
        targets ^= target
        bar = barred.get(target)
        if bar is None:
            gone = BB_KING_ATTACKS[target.bit_length() - 1] & exploding | target
            bar = BB_ALL if steppers & ~gone else BB_EMPTY
            for slider, _, men in lines:
                if not slider & gone:
                    left = men & ~gone
                    if not left:
                        bar = BB_ALL
                    elif not left & (left - 1):
                        bar |= left & own  # It would explode too.
            barred[target] = bar
        if bar & piece:
            safe ^= target
    return safe


def _pin_line(lines: list[tuple[Bitboard, Bitboard, Bitboard]], piece: Bitboard) -> Bitboard:
    """The squares between the king and the slider that pins *piece*."""
    return next(line for _, line, men in lines if men == piece)


def _promotion_spans(square: Square, targets: Bitboard) -> Iterator[tuple[Row, Bitboard]]:
    for target in chess.scan_reversed(targets):
        for rows in _PROMOTION_MOVES.values():
            yield rows[square], BB_SQUARES[target]


def _promotion_step_spans(targets: Bitboard, step: int) -> Iterator[tuple[Row, Bitboard]]:
    for target in chess.scan_reversed(targets):
        yield from _promotion_spans(target - step, BB_SQUARES[target])


def _generate_spans_of_many_kings(
    board: AtomicBoard, from_mask: Bitboard, to_mask: Bitboard
) -> Iterator[tuple[Row, Bitboard]]:
    """Legal moves where a color has several kings: each move by itself."""
    for move in board.generate_pseudo_legal_moves(from_mask, to_mask):
        if is_safe(board, move):
            rows = _PROMOTION_MOVES[move.promotion] if move.promotion else _MOVES
            yield rows[move.from_square], BB_SQUARES[move.to_square]


def generate_legal_moves(
    board: AtomicBoard, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
) -> Iterator[Move]:
    """The legal moves in the order of python-chess, lazily."""
    for row, targets in generate_spans(board, from_mask, to_mask):
        while targets:
            square = targets.bit_length() - 1
            targets ^= BB_SQUARES[square]
            yield row[square]


def generate_legal_ep(board: AtomicBoard, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL) -> Iterator[Move]:
    """The legal en passant captures: at most two, so each by itself."""
    if board.is_variant_end():
        return
    for move in board.generate_pseudo_legal_ep(from_mask, to_mask):
        if is_safe(board, move):
            yield move


def count_legal_moves(board: AtomicBoard) -> int:
    """How many legal moves there are, without making a move object."""
    return sum([targets.bit_count() for _, targets in generate_spans(board)])


def is_legal(board: AtomicBoard, move: Move | None) -> bool:
    """Whether *move* is legal, in the same words as the list of legal moves."""
    if move is None:
        return False  # As in python-chess: the move of a root node, or of an engine that resigns.
    from_square = move.from_square
    to_square = move.to_square
    if not (0 <= from_square < 64 and 0 <= to_square < 64) or move.drop:
        return False
    from_bb = BB_SQUARES[from_square]
    to_bb = BB_SQUARES[to_square]
    black, white = board.occupied_co
    own = white if board.turn else black
    if not own & from_bb:
        return False
    if board.kings & from_bb and (own & to_bb or not BB_KING_ATTACKS[from_square] & to_bb):
        castling = board._from_chess960(board.chess960, from_square, to_square, move.promotion)
        # Of several kings, the same one as in the list, and the others must be safe too.
        return castling in board.generate_castling_moves() and (
            board.kings.bit_count() <= 2 or is_safe(board, castling)
        )
    if own & to_bb:
        return False
    promotion = move.promotion
    for row, _ in generate_spans(board, from_bb, to_bb):  # noqa: SIM110 -- any() costs a third more.
        if row[to_square].promotion == promotion:
            return True
    return False


def generate_castling_moves(
    board: AtomicBoard, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL
) -> Iterator[Move]:
    """
    The legal castling moves, selected by the squares of king and rook.

    The king may not leave, cross or reach a square where it would be in
    check. What it leaves and crosses is judged with the rook at home, its
    arrival with the rook moved: there the rook may shield it.
    """
    turn = board.turn
    backrank = BB_RANK_1 if turn else BB_RANK_8
    rights = board.castling_rights & backrank & to_mask
    king = board.kings & ~board.promoted & board.occupied_co[turn] & backrank & from_mask
    if not rights or not king:
        return
    king_square = (king & -king).bit_length() - 1
    occupied = board.occupied
    while rights:
        rook_square = rights.bit_length() - 1
        rights ^= BB_SQUARES[rook_square]
        way = CASTLING.get((king_square, rook_square))
        if way is None:
            continue
        empty, crossed, king_to, rook_to = way
        if empty & occupied or not board.clean_castling_rights() & BB_SQUARES[rook_square] or board.is_variant_end():
            continue
        without_king = occupied ^ BB_SQUARES[king_square]
        if not board._attacked_for_king(crossed, without_king) and not board._attacked_for_king(
            king_to, without_king ^ BB_SQUARES[rook_square] ^ rook_to
        ):
            yield board._from_chess960(board.chess960, king_square, rook_square)
