"""
Perft: counting the leaves of the tree of legal moves.

Works for every board with the interface of :class:`chess.Board`. Also reads
the file format in which the community passes such counts on::

    id atomic-start
    epd rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -
    perft 1 20
    perft 2 400
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import chess

from .kernel import compiled

MAX_DEPTH = 64
"""The deepest search. Far below it no machine would come to an end, but where almost nothing can move."""


@compiled
def perft(board: chess.Board, depth: int) -> int:
    """
    The number of move sequences of length *depth* from *board*.

    The last move is only counted, not made. The board is the same afterwards,
    also when the search is interrupted or a method of the board raises.

    >>> from atomic_variant import AtomicBoard
    >>> perft(AtomicBoard(), 3)
    8902

    :raises: :exc:`ValueError` unless *depth* is from 0 to :data:`MAX_DEPTH`,
        :exc:`TypeError` if it is no integer.
    """
    return _count(board.copy(), _checked(depth, 0))


def _checked(depth: int, least: int) -> int:
    depth = operator.index(depth)
    if not least <= depth <= MAX_DEPTH:
        raise ValueError(f"expected a depth from {least} to {MAX_DEPTH}, but got {depth}")
    return depth


def _count(board: chess.Board, depth: int) -> int:
    """:func:`perft` on a board that may be left anywhere."""
    if depth == 0:
        return 1
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += _count(board, depth - 1)
        board.pop()
    return nodes


def divide(board: chess.Board, depth: int) -> dict[chess.Move, int]:
    """
    :func:`perft` by first move, to find where two move generators part.

    >>> from atomic_variant import AtomicBoard
    >>> sum(divide(AtomicBoard(), 2).values())
    400

    :raises: :exc:`ValueError` unless *depth* is from 1 to :data:`MAX_DEPTH`,
        :exc:`TypeError` if it is no integer.
    """
    depth = _checked(depth, 1)
    board = board.copy()
    counts = {}
    for move in board.legal_moves:
        board.push(move)
        counts[move] = perft(board, depth - 1)
        board.pop()
    return counts


@dataclass
class PerftRecord:
    """One position of a perft file."""

    id: str
    epd: str
    counts: dict[int, int] = field(default_factory=dict)
    """Node counts by depth."""


def read_perft_file(lines: Iterable[str]) -> Iterator[PerftRecord]:
    """
    Reads the perft file format, for example from an open text file.

    Blank lines and lines that start with ``#`` are skipped.

    >>> [record.counts for record in read_perft_file(["id start", "epd 8/8/8/8/8/8/8/8 w - -", "perft 1 0"])]
    [{1: 0}]

    :raises: :exc:`ValueError` with the line number if a line is malformed.
    """
    record: PerftRecord | None = None
    number = 0
    for number, line in enumerate(lines, 1):
        keyword, _, value = line.strip().partition(" ")
        value = value.strip()
        if not keyword or keyword.startswith("#"):
            continue
        if keyword == "id":
            if record:
                yield _complete(record, number)
            record = PerftRecord(value, "")
        elif record is None:
            raise ValueError(f"line {number}: expected an id before {keyword!r}")
        elif keyword == "epd" and value:
            record.epd = value
        elif keyword == "perft":
            try:
                depth, nodes = map(int, value.split())
                if depth < 0 or nodes < 0:
                    raise ValueError
            except ValueError:
                raise ValueError(f"line {number}: expected a depth and a node count, but got {value!r}") from None
            record.counts[depth] = nodes
        else:
            raise ValueError(f"line {number}: expected id, epd or perft, but got {line.strip()!r}")
    if record:
        yield _complete(record, number + 1)


def _complete(record: PerftRecord, number: int) -> PerftRecord:
    if not record.epd:
        raise ValueError(f"line {number}: expected an epd before the end of the record {record.id!r}")
    return record
