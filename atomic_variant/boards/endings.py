"""
How a game ended: who won and why, once for every board.

:func:`find_ending` answers for boards of this package and of python-chess
alike; readers, commands, reports and viewers ask it and nobody else.
"""

from __future__ import annotations

import dataclasses
import enum
from typing import TYPE_CHECKING, Any

import chess
import chess.variant
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


class EndingKind(enum.StrEnum):
    """
    What ended a game, to count by and to compare with.

    >>> EndingKind.EXPLOSION == "explosion"
    True
    """

    EXPLOSION = "explosion"
    """A king exploded."""
    KING_CAPTURED = "king captured"
    """A king was the captured piece itself, where rules without check allow that."""
    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    """A draw; where having no move loses, it is :attr:`VARIANT_RULE`."""
    INSUFFICIENT_MATERIAL = "insufficient material"
    REPETITION = "repetition"
    """A repetition that draws by itself: the fifth occurrence, in Spark Chess the second."""
    CLAIMED_REPETITION = "claimed repetition"
    """The third occurrence, in a game that was drawn."""
    SEVENTYFIVE_MOVES = "seventy-five moves"
    FIFTY_MOVES = "fifty moves"
    """Fifty moves without progress, in a game that was drawn."""
    CLOSED = "closed position"
    """Nothing can explode any more, in a game that was drawn."""
    VARIANT_RULE = "variant rule"
    """Any other rule of the variant."""
    NONE = "none"
    """The board does not say: the game goes on, was resigned, lost on time or agreed drawn."""


_KINDS = {
    chess.Termination.CHECKMATE: EndingKind.CHECKMATE,
    chess.Termination.STALEMATE: EndingKind.STALEMATE,
    chess.Termination.INSUFFICIENT_MATERIAL: EndingKind.INSUFFICIENT_MATERIAL,
    chess.Termination.SEVENTYFIVE_MOVES: EndingKind.SEVENTYFIVE_MOVES,
    chess.Termination.FIVEFOLD_REPETITION: EndingKind.REPETITION,
    chess.Termination.FIFTY_MOVES: EndingKind.FIFTY_MOVES,
    chess.Termination.THREEFOLD_REPETITION: EndingKind.CLAIMED_REPETITION,
}

_CLAIMED = frozenset({EndingKind.CLAIMED_REPETITION, EndingKind.FIFTY_MOVES, EndingKind.CLOSED})


@dataclasses.dataclass(frozen=True, slots=True)
class Ending:
    """
    How a game ended on the board.

    >>> ending = find_ending(chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"))
    >>> ending.kind, str(ending), ending.contradicts("0-1")
    (<EndingKind.CHECKMATE: 'checkmate'>, 'White wins: checkmate', True)
    >>> str(find_ending(chess.Board()))
    'not decided on the board'
    """

    outcome: chess.Outcome | None = None
    """As python-chess has it, ``None`` if the board does not decide the game."""
    kind: EndingKind = EndingKind.NONE
    """What ended the game."""
    words: str | None = None
    """Who won and why, as a sentence; ``None`` if the board does not decide the game."""

    def __str__(self) -> str:
        return self.words or "not decided on the board"

    @property
    def winner(self) -> Color | None:
        """The side that won, ``None`` for a draw and where the board does not decide."""
        return self.outcome.winner if self.outcome else None

    @property
    def is_draw(self) -> bool:
        """Whether the board says that the game is drawn."""
        return self.outcome is not None and self.outcome.winner is None

    @property
    def is_claimed(self) -> bool:
        """Whether this draw needed a claim or a server to adjudicate it."""
        return self.kind in _CLAIMED

    def contradicts(self, result: str) -> bool:
        """
        Whether the board says that somebody won, and *result* says otherwise.

        A draw on the board contradicts no result: not every server
        adjudicates the same draws, and a player may have lost on time. The
        result ``"*"`` says nothing.
        """
        return self.winner is not None and result not in ("*", chess.Outcome.result(self.outcome))  # type: ignore[arg-type]


UNDECIDED = Ending()
"""The ending of a game that the board does not decide."""


def find_ending(board: chess.Board, *, result: str = "*") -> Ending:
    """
    How the game on *board* ended, by whatever rules.

    Draws that need a claim, or are adjudicated by a server, count only if
    *result* says that the game was drawn.

    >>> from atomic_variant import AtomicBoard
    >>> board = AtomicBoard("4k3/8/1r6/8/8/5R2/3K4/8 w - - 100 90")
    >>> find_ending(board).kind, find_ending(board, result="1/2-1/2").kind
    (<EndingKind.NONE: 'none'>, <EndingKind.FIFTY_MOVES: 'fifty moves'>)

    :param board: The last position, with the moves that led to it.
    :param result: The result of the game, as in PGN.
    """
    return judge(board, claim_draw=result == "1/2-1/2")


def judge(board: chess.Board, *, claim_draw: bool = False, closed_draw: bool | None = None) -> Ending:
    """
    :func:`find_ending` with *claim_draw* as in :meth:`chess.Board.outcome`.

    *closed_draw* is as in :meth:`AtomicBoard.outcome`; as *claim_draw* if it
    is not given.
    """
    options: dict[str, Any] = {"claim_draw": claim_draw}
    if hasattr(board, "is_closed_position"):
        options["closed_draw"] = claim_draw if closed_draw is None else closed_draw
    outcome = board.outcome(**options)
    if outcome is None:
        return UNDECIDED
    describe = getattr(board, "describe_outcome", None)
    words = describe(**options) if describe is not None else _describe_stock(board, outcome)
    return Ending(outcome, _kind(board, outcome), words)


def _kind(board: chess.Board, outcome: chess.Outcome) -> EndingKind:
    kind = _KINDS.get(outcome.termination)
    if kind is not None:
        return kind
    find_kind = getattr(board, "_kind_of_variant_end", None)
    if find_kind is not None:
        found: EndingKind = find_kind(outcome)
        return found
    if isinstance(board, chess.variant.AtomicBoard) and outcome.winner is not None:
        return EndingKind.EXPLOSION
    return EndingKind.VARIANT_RULE


def kind_of_variant_end(board: AtomicBoard, outcome: chess.Outcome) -> EndingKind:
    """What ended a game on our board that python-chess calls a win, loss or draw of the variant."""
    if outcome.winner is None:
        return EndingKind.CLOSED if board.is_closed_position() else EndingKind.VARIANT_RULE
    loser = not outcome.winner
    if board.king(loser) is not None:
        return EndingKind.VARIANT_RULE
    return EndingKind.KING_CAPTURED if _lost_king(board, loser)[1] else EndingKind.EXPLOSION


def _lost_king(board: chess.Board, loser: Color) -> tuple[chess.Square | None, bool]:
    """Where the king of *loser* stood before the last move, and whether it was the captured piece itself."""
    if not board.move_stack:
        return None, False
    before = board.copy(stack=1)
    before.pop()
    square = before.king(loser)
    return square, square == board.peek().to_square


def _describe_stock(board: chess.Board, outcome: chess.Outcome) -> str:
    """Who won and why, on a board that does not say so itself."""
    why = ENDINGS.get(outcome.termination)
    if why is None:
        why = "stalemate" if outcome.termination is chess.Termination.STALEMATE else _by_rules(board)
    return f"Draw: {why}" if outcome.winner is None else f"{side_name(outcome.winner)} wins: {why}"


def describe_outcome(board: AtomicBoard, *, claim_draw: bool = False, closed_draw: bool = False) -> str | None:
    """Who won and why; see :meth:`AtomicBoard.describe_outcome`."""
    outcome = board.outcome(claim_draw=claim_draw, closed_draw=closed_draw)
    if outcome is None:
        return None
    if outcome.winner is None:
        return f"Draw: {type(board).endings.get(outcome.termination) or _draw(board)}"
    loser = not outcome.winner
    return f"{side_name(outcome.winner)} wins: {type(board).endings.get(outcome.termination) or _loss(board, loser)}"


def _draw(board: AtomicBoard) -> str:
    if not any(board.kings & board.occupied_co[color] & ~board.promoted for color in chess.COLORS):
        return "there is no king on the board"
    if board.is_stalemate():
        return f"stalemate, {side_name(board.turn)} has no legal move"
    if board.is_closed_position():
        return "the position is closed, no pawn can move or capture now"
    return _by_rules(board)


def _by_rules(board: chess.Board) -> str:
    return f"by the rules of {board.aliases[0]}"


def _loss(board: AtomicBoard, loser: Color) -> str:
    if board.king(loser) is not None:
        if board.is_stalemate():
            return f"{side_name(loser)} has no legal move"
        return _by_rules(board)
    square, was_captured = _lost_king(board, loser)
    if square is None:
        return f"the {chess.COLOR_NAMES[loser]} king has exploded"
    # Where there is no check, a king may be the captured piece itself.
    fate = "was captured" if was_captured else "exploded"
    return f"the {chess.COLOR_NAMES[loser]} king {fate} on {square_name(square)}"
