"""Positions that nobody can win any more, or that a server takes for such."""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess
from chess import Color, Move

if TYPE_CHECKING:
    from .atomic import AtomicBoard


def has_insufficient_material(board: AtomicBoard, color: Color) -> bool:
    """Whether *color* cannot win with the pieces that are left, wherever they stand."""
    own = board.occupied_co[color]
    enemy = board.occupied_co[not color]
    kings = board.kings & ~board.promoted
    if not kings & enemy:
        return False  # Has won already.
    if not own & ~kings:
        return True  # A king captures nothing, so it explodes nothing.
    if not type(board).has_checks:
        return False  # A king may walk into its own capture.
    if enemy & ~kings:
        # Whatever may be captured may explode next to the king: only
        # bishops that never meet cannot capture each other.
        white_bishops = board.bishops & board.occupied_co[True]
        black_bishops = board.bishops & board.occupied_co[False]
        if board.occupied != board.bishops | kings or not any(
            not white_bishops & squares and not black_bishops & ~squares
            for squares in (chess.BB_DARK_SQUARES, chess.BB_LIGHT_SQUARES)
        ):
            return False
        # They may mate a king in the corner if other men stand on the two
        # squares beside it that they do not reach: bishops of its own, or the
        # other king where touching does not end the check.
        return (enemy & ~kings).bit_count() < (2 if type(board).touching_kings_immune else 1)
    # Against a bare king only mate is left, without help of the own king,
    # unless that may stand beside it.
    if board.queens or board.pawns or (board.rooks and not type(board).touching_kings_immune):
        return False
    if board.occupied == board.knights | kings:
        return board.knights.bit_count() <= (2 if type(board).touching_kings_immune else 1)
    return (board.occupied & ~kings).bit_count() == 1


def is_closed_position(board: AtomicBoard) -> bool:
    """Whether Lichess adjudicates a draw; see :meth:`AtomicBoard.is_closed_position`."""
    if board.is_variant_end() or board.occupied & ~(board.kings | board.pawns | board.bishops):
        return False
    if board.bishops:
        color = bool(board.bishops & board.occupied_co[True])
        on_dark = bool(board.bishops & chess.BB_DARK_SQUARES)
        squares = chess.BB_DARK_SQUARES if on_dark else chess.BB_LIGHT_SQUARES
        enemy_pawns = board.pawns & board.occupied_co[not color]
        if board.bishops & ~(board.occupied_co[color] & squares) or enemy_pawns & squares:
            return False
    white_pawns = board.pawns & board.occupied_co[True]
    black_pawns = board.pawns & board.occupied_co[False]
    if white_pawns << 8 & ~board.pawns or black_pawns >> 8 & ~board.pawns:
        return False
    board = board.copy(stack=False)
    for _ in chess.COLORS:
        if any(board.generate_legal_moves(from_mask=board.pawns)):
            return False
        board.push(Move.null())
    return True


def _is_won(board: AtomicBoard) -> bool:
    return board.is_variant_end() or board.is_checkmate() or board.is_variant_loss()


def is_dead_position(board: AtomicBoard, limit: int) -> bool | None:
    """Whether nobody can win any more, by any play; see :meth:`AtomicBoard.is_dead_position`."""
    start = board.copy(stack=False)
    if _is_won(start):
        return False
    todo = [start]
    seen = {start._transposition_key()}
    while todo:
        position = todo.pop()
        if position.is_insufficient_material():
            continue  # For good: there is no pawn left to promote.
        quiet: list[AtomicBoard] = []
        forcing: list[AtomicBoard] = []
        for move in list(position.legal_moves):
            if position.explodes_king(move):
                return False
            position.push(move)
            after = position.copy(stack=False)
            position.pop()
            key = after._transposition_key()
            if key not in seen:
                if len(seen) >= limit:
                    return None
                if _is_won(after):
                    return False
                seen.add(key)
                (forcing if position.is_zeroing(move) else quiet).append(after)
        todo += quiet + forcing  # What changes the structure is looked at first.
    return True
