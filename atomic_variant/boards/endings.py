"""How a game ended: who won and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess
from chess import Color

from .reasons import side_name, square_name

if TYPE_CHECKING:
    from .atomic import AtomicBoard

ENDINGS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient material",
    chess.Termination.SEVENTYFIVE_MOVES: "seventy-five moves without a capture or pawn move",
    chess.Termination.FIVEFOLD_REPETITION: "the position occurred for the fifth time",
    chess.Termination.FIFTY_MOVES: "fifty moves without a capture or pawn move, by claim",
    chess.Termination.THREEFOLD_REPETITION: "threefold repetition, by claim",
}


def describe_outcome(board: AtomicBoard, *, claim_draw: bool = False, closed_draw: bool = False) -> str | None:
    """Who won and why; see :meth:`AtomicBoard.describe_outcome`."""
    outcome = board.outcome(claim_draw=claim_draw, closed_draw=closed_draw)
    if outcome is None:
        return None
    if outcome.winner is None:
        return f"Draw: {board.endings.get(outcome.termination) or _draw(board)}"
    loser = not outcome.winner
    return f"{side_name(outcome.winner)} wins: {board.endings.get(outcome.termination) or _loss(board, loser)}"


def verdict(board: chess.Board, *, claim_draw: bool = False) -> tuple[chess.Outcome | None, str | None]:
    """
    How the game ended on *board*, of whatever rules, and in words.

    With *claim_draw* draws count that need a claim, or are adjudicated by a
    server: for games that were drawn.

    >>> verdict(chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"))[1]
    'White wins: checkmate'
    """
    if hasattr(board, "is_closed_position"):
        outcome = board.outcome(claim_draw=claim_draw, closed_draw=claim_draw)  # type: ignore[call-arg]
    else:
        outcome = board.outcome(claim_draw=claim_draw)
    if outcome is None:
        return None, None
    if hasattr(board, "describe_outcome"):
        return outcome, board.describe_outcome(claim_draw=claim_draw, closed_draw=claim_draw)
    winner = "Draw" if outcome.winner is None else f"{side_name(outcome.winner)} wins"
    return (
        outcome,
        f"{winner}: {ENDINGS.get(outcome.termination) or outcome.termination.name.lower().replace('_', ' ')}",
    )


def _draw(board: AtomicBoard) -> str:
    if not any(board.kings & board.occupied_co[color] & ~board.promoted for color in chess.COLORS):
        return "there is no king on the board"
    if board.is_stalemate():
        return f"stalemate, {side_name(board.turn)} has no legal move"
    if board.is_closed_position():
        return "the position is closed, nothing can explode"
    return f"by the rules of {board.aliases[0]}"


def _loss(board: AtomicBoard, loser: Color) -> str:
    if board.king(loser) is not None:
        if board.is_stalemate():
            return f"{side_name(loser)} has no legal move"
        return f"by the rules of {board.aliases[0]}"
    if board.move_stack:
        before = board.copy(stack=1)
        before.pop()
        square = before.king(loser)
        if square is not None:
            # Where there is no check, a king may be the captured piece itself.
            fate = "was captured" if square == board.peek().to_square else "exploded"
            return f"the {chess.COLOR_NAMES[loser]} king {fate} on {square_name(square)}"
    return f"the {chess.COLOR_NAMES[loser]} king has exploded"
