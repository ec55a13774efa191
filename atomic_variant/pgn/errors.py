"""What can be wrong with a game, and with the file that it stands in."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Literal, TypeAlias

from ..text import MAX_NAME, one_line

TEXT_LIMIT = 80
"""Characters of a faulty text that an error quotes."""


Severity: TypeAlias = Literal["lost", "wrong", "odd"]


@dataclasses.dataclass(unsafe_hash=True)
class GameError(ValueError):
    """
    Something wrong with one game, with its place and the reason in words.

    >>> print(GameError(game=3, line=40, ply=4, text="Qxd2", reason="the queen on d8 does not move to d2"))
    game 3, line 40, ply 4: Qxd2: the queen on d8 does not move to d2
    """

    game: int
    """The number of the game in its file, from 1."""
    line: int
    """The line of the file, from 1."""
    text: str
    """The faulty text, shortened if it is long."""
    reason: str
    """What is wrong, in words."""
    ply: int | None = None
    """The ply that a faulty move would have led to, as :meth:`chess.Board.ply` counts."""
    fen: str | None = None
    """The position before a faulty move."""
    source: str | None = None
    """The name of the file."""
    severity: Severity = "lost"
    """
    ``"lost"``: moves, a header or a game could not be read. ``"wrong"``: what
    stands there is false, such as a result that contradicts the board.
    ``"odd"``: it was read all the same.
    """

    def __post_init__(self) -> None:
        super().__init__(*(getattr(self, field.name) for field in dataclasses.fields(self)))  # For pickling.

    def __str__(self) -> str:
        source = f"{one_line(self.source, MAX_NAME)}, " if self.source else ""
        ply = f", ply {self.ply}" if self.ply is not None else ""
        text = f"{self.text}: " if self.text else ""
        fen = f" (position: {self.fen})" if self.fen else ""
        return f"{source}game {self.game}, line {self.line}{ply}: {text}{self.reason}{fen}"


def are_lost(errors: Iterable[Exception]) -> bool:
    """Whether moves or a game could not be read, so that nobody knows how the game went on."""
    return any(getattr(error, "severity", "lost") == "lost" for error in errors)


def are_serious(errors: Iterable[Exception]) -> bool:
    """Whether any of *errors* is more than odd: the exit status of commands is then 1."""
    return any(getattr(error, "severity", "lost") != "odd" for error in errors)


class SourceError(OSError):
    """A file that cannot be read on: damaged, cut off, or in no readable encoding."""
