"""The phases of a game."""

from __future__ import annotations

import chess

PHASES = ("opening", "middlegame", "endgame")

_OPENING_MOVES = 10
_ENDGAME_MEN = 6


def phase(board: chess.Board) -> str:
    """
    ``"opening"``, ``"middlegame"`` or ``"endgame"``, in the words of the Lichess puzzle file.

    Endgame if at most six queens, rooks, bishops and knights are left,
    which in atomic chess may be soon; else opening for the first ten moves.

    >>> phase(chess.Board())
    'opening'
    """
    men = board.occupied & ~board.pawns & ~board.kings
    if men.bit_count() <= _ENDGAME_MEN:
        return "endgame"
    return "opening" if board.fullmove_number <= _OPENING_MOVES else "middlegame"
