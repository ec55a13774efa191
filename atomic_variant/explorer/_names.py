"""Names of openings, found by position."""

from __future__ import annotations

import os
from importlib import resources
from typing import NamedTuple

import chess
import chess.polyglot

from ..boards import AtomicBoard
from ..text import one_line

_MAX_LINE = 10_000


class Opening(NamedTuple):
    """A name of an opening."""

    eco: str
    """The code of the list that the name is from, empty if it has none."""
    name: str
    ply: int
    """The half-moves to the position that has the name, as :meth:`chess.Board.ply` counts."""


class OpeningNames:
    """
    Names of openings by their positions, so that other orders of moves count too.

    Without *paths* those that come with the package: a few whose source is
    public, each cited in the file. Files are tables with tabs, with a line
    of titles, in the form of https://github.com/lichess-org/chess-openings:
    code, name, and moves as in PGN; what more columns hold does not matter.
    Later files win.

    >>> names = OpeningNames()
    >>> board = AtomicBoard()
    >>> for san in ["e4", "f6", "Nf3", "c5"]:
    ...     move = board.push_san(san)
    >>> names.find(board)
    Opening(eco='C31', name='Center Attack', ply=3)

    :raises: :exc:`OSError`; :exc:`ValueError` that names the file and the line
        of what is no name with a line of legal moves.
    """

    def __init__(self, *paths: str | os.PathLike[str]) -> None:
        self._names: dict[int, tuple[str, str]] = {}
        if not paths:
            with resources.as_file(resources.files(__package__) / "names.tsv") as shipped:
                self.add(shipped)
        for path in paths:
            self.add(path)

    def __len__(self) -> int:
        return len(self._names)

    def add(self, path: str | os.PathLike[str]) -> None:
        """Adds the names of a file. Errors are those of the class; then nothing is added."""
        names: dict[int, tuple[str, str]] = {}
        with open(path, encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if number == 1 or not line.strip():
                    continue
                eco, name, moves, *_ = [*line.rstrip("\r\n")[:_MAX_LINE].split("\t"), "", "", ""]
                try:
                    if not (name.strip() and moves.strip()):
                        raise ValueError("expected a code, a name and moves, with tabs between")
                    names[chess.polyglot.zobrist_hash(_play(moves))] = (eco.strip(), name.strip())
                except ValueError as error:
                    raise ValueError(f"{os.fspath(path)}: line {number}: {one_line(error)}") from None
        self._names |= names

    def find(self, board: chess.Board) -> Opening | None:
        """The name of the position on *board*, or of the last one before it that has one."""
        board = board.copy()
        while True:
            named = self._names.get(chess.polyglot.zobrist_hash(board))
            if named:
                return Opening(*named, board.ply())
            if not board.move_stack:
                return None
            board.pop()


def _play(moves: str) -> AtomicBoard:
    """The position after *moves*, SAN with or without numbers."""
    board = AtomicBoard()
    for word in moves.split():
        san = word.lstrip("0123456789").lstrip(".") if word[0].isdigit() and not word.startswith("0-") else word
        if san:
            board.push_san(san)
    return board
