"""What can be wrong with a game, and with the file that it stands in."""

from __future__ import annotations

import dataclasses

from ..text import MAX_NAME, one_line

TEXT_LIMIT = 80
"""Characters of a faulty text that an error quotes."""


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

    def __post_init__(self) -> None:
        super().__init__(*(getattr(self, field.name) for field in dataclasses.fields(self)))  # For pickling.

    def __str__(self) -> str:
        source = f"{one_line(self.source, MAX_NAME)}, " if self.source else ""
        ply = f", ply {self.ply}" if self.ply is not None else ""
        text = f"{self.text}: " if self.text else ""
        fen = f" (position: {self.fen})" if self.fen else ""
        return f"{source}game {self.game}, line {self.line}{ply}: {text}{self.reason}{fen}"


class SourceError(OSError):
    """A file that cannot be read on: damaged, cut off, or in no readable encoding."""
