"""Positions and moves as people type them on a command line."""

from __future__ import annotations

import chess

from ..boards import AtomicBoard
from ._terminal import UnusableError

START = "start"
"""Stands for the starting position."""


def looks_like_position(text: str) -> bool:
    """Whether *text* was meant as a position, not as the name of a file."""
    ranks = text.split(" ")[0].split("/")
    return text == START or " " in text.strip() or (len(ranks) > 2 and all(rank.isalnum() for rank in ranks))


def parse_position(text: str, variant: type[chess.Board] | None) -> chess.Board:
    """
    The board for a FEN, or for ``start``; without a *variant* of atomic chess.

    :raises: :exc:`UnusableError`.
    """
    board_class = variant or AtomicBoard
    try:
        return board_class() if text == START else board_class(text)
    except ValueError as error:
        raise UnusableError(f"{text}: no FEN: {error}") from None


def parse_move(board: chess.Board, text: str) -> chess.Move:
    """
    A legal move in UCI notation or SAN.

    :raises: :exc:`ValueError` as from :meth:`chess.Board.parse_san`.
    """
    try:
        return board.parse_uci(text)
    except chess.InvalidMoveError:
        return board.parse_san(text)
