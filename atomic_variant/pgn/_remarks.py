"""Comments: how they come together, and what programs write into them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

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


MATE_SCORE = 100_000
"""A mate in *k* is worth so many centipawns less *k*, where evaluations are numbers."""


def evaluation_as_number(comment: str) -> int | None:
    """What :func:`parse_evaluation` finds, in centipawns for White."""
    score = parse_evaluation(comment)
    return None if score is None else score.white().score(mate_score=MATE_SCORE)


_TIME_CONTROL = re.compile(r"(\d{1,6})(?:\+(\d{1,4}))?", re.ASCII)


def base_and_increment(time_control: str | None) -> tuple[int, int] | None:
    """The seconds at the start and for each move, if the ``TimeControl`` says just these."""
    match = _TIME_CONTROL.fullmatch(time_control or "")
    return (int(match[1]), int(match[2] or 0)) if match else None


_ELAPSED = re.compile(r"\[%emt (?:(?:(\d{1,4}):)?(\d{1,4}):)?(\d{1,6}(?:\.\d{0,6})?)\]", re.ASCII)


def elapsed_time(comment: str) -> float | None:
    """
    How long the move took, in seconds; FICS writes ``[%emt 2.5]``.

    >>> elapsed_time("[%emt 2.5]"), elapsed_time("[%emt 0:01:02]")
    (2.5, 62.0)
    """
    match = _ELAPSED.search(comment)
    return int(match[1] or 0) * 3600 + int(match[2] or 0) * 60 + float(match[3]) if match else None


def clocks_by_elapsed_times(times: Iterable[float | None], time_control: str | None) -> list[float | None]:
    """
    The clock after each move, by how long the moves took.

    As long as every move of a player tells, and the ``TimeControl`` is a base
    and an increment.
    """
    clocks: list[float | None] = []
    known = base_and_increment(time_control)
    left: list[float | None] = [known[0], known[0]] if known else [None, None]
    for index, elapsed in enumerate(times):
        clock = left[index % 2]
        if elapsed is None or clock is None or known is None:
            clock = None
        else:
            clock = round(clock - elapsed + known[1], 3)
            if clock < 0:
                clock = None  # It was another time control.
        left[index % 2] = clock
        clocks.append(clock)
    return clocks
