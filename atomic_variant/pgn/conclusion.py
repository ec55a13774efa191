"""What a whole game says: what is wrong with it, and how it ended."""

from __future__ import annotations

import re
from typing import NamedTuple

import chess
import chess.pgn

from .. import host
from ..boards.endings import UNDECIDED, Ending, EndingKind, find_ending
from ..text import one_line
from .errors import TEXT_LIMIT, GameError, are_lost
from .record import Record

_TIME = re.compile(r"time forfeit|forfeits? on time|ran out of time", re.IGNORECASE)
# Looked for one after the other: "time" may stand in a text ten thousand times.
_CLOCK = re.compile(r"\btime\b", re.IGNORECASE)
_WIN = re.compile(r"\bwins?\b", re.IGNORECASE)
# Lichess says "Normal" of mates and explosions, which the board tells, and of
# resignations.
_RESIGNATION = re.compile(r"\bresign|^normal\b", re.IGNORECASE)
_ABANDONED = re.compile(r"abandon|disconnect|rules infraction|forfeits? by", re.IGNORECASE)
_DRAW = re.compile(r"\bdraw|repetition|50.move", re.IGNORECASE)

ENDS = (
    *(kind.value for kind in EndingKind if kind is not EndingKind.NONE),
    "time", "resignation", "abandoned", "draw agreed", "unknown", "unfinished", "broken off",
)  # fmt: skip
"""What :func:`describe_end` may say, the board's reasons first."""


class Conclusion(NamedTuple):
    """What is to be said of a whole game."""

    ending: Ending
    """How it ended on the board."""
    end: str
    """How it ended, in a word or two, to count by; one of :data:`ENDS`: see :func:`describe_end`."""
    errors: list[Exception]
    """Everything that is wrong with it: see :func:`findings`."""


def conclude(game: Record | chess.pgn.Game, board: chess.Board | None = None) -> Conclusion:
    """
    How *game* ended and what is wrong with it; any game of python-chess will do.

    :param board: The last position with its moves, if it is at hand.
    """
    errors: list[Exception] = list(game.errors)
    # Where the moves break off, nobody claimed a draw.
    is_broken = are_lost(errors)
    result = "*" if is_broken else _result(game)
    if isinstance(game, Record):
        ending = game.ending
    else:
        try:
            ending = find_ending(board or game.end().board(), result=result)
        except ValueError as error:  # Only of python-chess; our games have some board.
            ending = UNDECIDED
            errors.append(ValueError(f"the starting position cannot be set up: {error}"))
    end = _end(game, ending, is_broken=are_lost(errors))
    if ending.contradicts(result):
        errors.append(_wrong(game, result, f"the result contradicts the moves: {ending}"))
    count = game.headers.get("PlyCount", "")
    if not is_broken and count.isdecimal() and len(count) < 10:
        plies = len(game.moves) if isinstance(game, Record) else game.end().ply() - game.ply()
        if int(count) != plies:
            errors.append(_wrong(game, f"PlyCount {count}", f"the game has {plies} plies"))
    return Conclusion(ending, end, errors)


def _wrong(game: Record | chess.pgn.Game, text: str, reason: str) -> GameError:
    number, line, source = (getattr(game, name, None) for name in ("number", "line", "source"))
    return GameError(number or 1, line or 1, one_line(text, TEXT_LIMIT), reason, source=source, severity="wrong")


def findings(game: Record | chess.pgn.Game) -> list[Exception]:
    """
    Everything that is wrong with a game: its errors, a result that its last
    position contradicts, and a ``PlyCount`` that is not so.

    What ``check`` lists. The result of a game with moves that could not be read is not judged, as
    its last position is not known.

    >>> import io
    >>> from atomic_variant import pgn
    >>> text = '[Variant "Atomic"]\\n\\n1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 0-1'
    >>> [record] = pgn.scan(io.StringIO(text))
    >>> for error in pgn.findings(record):
    ...     print(error)
    game 1, line 1: 0-1: the result contradicts the moves: White wins: the black king exploded on e8
    """
    return conclude(game).errors


def describe_end(game: Record | chess.pgn.Game) -> str:
    """
    How a game ended, in a word or two, to count by.

    What the board says comes first (:class:`EndingKind`), then the
    ``Termination`` header and the last comment
    (``"time"``, ``"resignation"``, ``"abandoned"``, ``"draw agreed"``).
    ``"unknown"`` for a result without a reason, ``"unfinished"`` for none,
    ``"broken off"`` if errors hide how the game went on.
    """
    return conclude(game).end


def _end(game: Record | chess.pgn.Game, ending: Ending, *, is_broken: bool) -> str:
    if ending.kind is not EndingKind.NONE:
        return ending.kind.value
    if is_broken:
        return "broken off"
    said = game.headers.get("Termination", "")
    said += f" {game.last_comment if isinstance(game, Record) else host.comment(game.end())}"
    result = _result(game)
    clock = _CLOCK.search(said)
    if _TIME.search(said) or (clock and _WIN.search(said, clock.end())):
        return "time"
    if result in ("1-0", "0-1") and _RESIGNATION.search(said):
        return "resignation"
    if _ABANDONED.search(said):
        return "abandoned"
    if result == "1/2-1/2" or (_DRAW.search(said) and result == "*"):
        return "draw agreed"
    return "unfinished" if result == "*" else "unknown"


def _result(game: Record | chess.pgn.Game) -> str:
    return game.result if isinstance(game, Record) else game.headers.get("Result", "*")
