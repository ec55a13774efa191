"""What a board remembers of the positions before, and which of them came again."""

from __future__ import annotations

from operator import countOf, itemgetter
from typing import TYPE_CHECKING, Any

import chess

if TYPE_CHECKING:
    from .atomic import AtomicBoard


class State(tuple[Any, ...]):
    """What a move may change, for :meth:`AtomicBoard.pop`."""

    __slots__ = ()

    occupied = property(itemgetter(0))  # For python-chess's own way to look for repetitions.

    def restore(self, board: chess.Board) -> None:
        (
            board.occupied, black, white,
            board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings, board.promoted,
            board.turn, board.castling_rights, board.ep_square, board.halfmove_clock, board.fullmove_number,
        ) = self  # fmt: skip
        board.occupied_co[0] = black
        board.occupied_co[1] = white


_saved_occupied = itemgetter(0)

_NEAR = (4, 12, 30)
"""How many plies back :meth:`AtomicBoard.is_repetition` looks for more men than there are now."""


def is_repetition(board: AtomicBoard, count: int) -> bool:
    """As :meth:`chess.Board.is_repetition`, without taking back a move."""
    stack: list[Any] = board._stack
    recent = stack
    try:
        # Before a capture nothing comes again, and most often one is near.
        men = board.occupied.bit_count()
        for near in _NEAR:
            if len(stack) > near and stack[-near][0].bit_count() > men:
                recent = stack[-near:]
                break
        maybe = countOf(map(_saved_occupied, recent), board.occupied)
    except TypeError:
        return chess.Board.is_repetition(board.copy(), count)  # A null move, saved by python-chess.
    if maybe < count - 1 or count <= 1:
        return count <= 1
    key = board._transposition_key()
    before = board.copy(stack=False)
    for state in recent:
        if state[0] != board.occupied:
            continue
        state.restore(before)
        if state is stack[0]:
            before.castling_rights = before.clean_castling_rights()
        count -= before._transposition_key() == key
    return count <= 1


def can_claim_threefold_repetition(board: AtomicBoard) -> bool:
    """As :meth:`chess.Board.can_claim_threefold_repetition`, which tries out all moves, where one may repeat."""
    if board.is_repetition(3):
        return True
    # The next move makes the third time of a position only if that was there twice.
    stack: list[Any] = board._stack
    positions = [state[:9] for state in stack if type(state) is State and state[10] != board.turn]
    if len(positions) == len(set(positions)) and all(type(state) is State for state in stack):
        return False
    return chess.Board.can_claim_threefold_repetition(board.copy())
