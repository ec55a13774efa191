"""Comments: how they come together, and what programs write into them."""

from __future__ import annotations

from collections.abc import Callable

import chess
import chess.engine
import chess.pgn

MAX_COMMENTS = 100
"""The most comments in a row that a visitor gets one by one; further ones come together."""


class CommentRun:
    """
    Comments that follow one another, on their way to a visitor.

    A visitor joins each to those before it, which costs time by the square of
    their number; so it gets only so many one by one.
    """

    __slots__ = ("_count", "_held", "_visit")

    def __init__(self, visit: Callable[[str], object]) -> None:
        self._visit = visit
        self._count = 0
        self._held: list[str] = []

    def __bool__(self) -> bool:
        return self._count > 0

    def add(self, comment: str) -> None:
        self._count += 1
        if self._count <= MAX_COMMENTS:
            self._visit(comment)
        else:
            self._held.append(comment)

    def end(self) -> None:
        """Hands over what was held back; the next comment stands elsewhere."""
        if self._held:
            self._visit(" ".join(filter(None, self._held)))
            self._held.clear()
        self._count = 0


_MAX_REMARK_SIZE = 40  # Longer clocks and evaluations are nonsense.


def parse_clock(comment: str) -> float | None:
    """As :meth:`chess.pgn.GameNode.clock`."""
    match = chess.pgn.CLOCK_REGEX.search(comment)
    if match is None or len(match[0]) > _MAX_REMARK_SIZE:
        return None
    return int(match["hours"]) * 3600 + int(match["minutes"]) * 60 + float(match["seconds"])


def parse_evaluation(comment: str) -> chess.engine.PovScore | None:
    """As :meth:`chess.pgn.GameNode.eval`."""
    match = chess.pgn.EVAL_REGEX.search(comment)
    if match is None or len(match[0]) > _MAX_REMARK_SIZE:
        return None
    score: chess.engine.Score
    if match["mate"]:
        mate = int(match["mate"])
        score = chess.engine.MateGiven if mate == 0 else chess.engine.Mate(mate)
    else:
        score = chess.engine.Cp(round(float(match["cp"]) * 100))
    return chess.engine.PovScore(score, chess.WHITE)
