"""Why what somebody wrote is no move that can be played, in words."""

from __future__ import annotations

import chess

from ..text import one_line
from .endings import UNDECIDED, find_ending
from .notation import reason_of


def why_refused(error: ValueError, board: chess.Board) -> str:
    """
    Why a text cannot be played on *board*, of whatever rules.

    :param error: What :meth:`chess.Board.parse_san` or
        :meth:`chess.Board.parse_uci` raised for it.

    >>> board = chess.Board()
    >>> try:
    ...     board.parse_san("Nf9")
    ... except ValueError as error:
    ...     print(why_refused(error, board))
    not a move
    """
    if isinstance(error, chess.InvalidMoveError):
        return "not a move"
    if isinstance(error, chess.AmbiguousMoveError):
        return "more than one piece can make this move"
    if not isinstance(error, chess.IllegalMoveError):
        return one_line(error, 80)
    ending = UNDECIDED if any(board.generate_legal_moves()) else find_ending(board)
    if ending.outcome:
        return f"a move after the end of the game: {ending}"
    reason = reason_of(error)
    return f"illegal move: {reason}" if reason else "illegal move"
