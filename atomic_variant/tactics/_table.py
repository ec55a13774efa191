"""Missed and allowed wins of many games as a table."""

from __future__ import annotations

import collections
import concurrent.futures
import dataclasses
import functools
from collections.abc import Iterable, Iterator

import chess

from .. import pgn
from ..boards import AtomicBoard
from ..boards.endings import EndingKind, judge
from ..pgn._source import Source
from ..pgn.game import Variant
from ..statistics import RATING_BAND, Row, band, rating_of
from ._phases import PHASES, phase
from ._search import BATCH, find_win
from ._turning import find, numbered_san

COLUMNS = {
    "game": int, "white": str, "black": str, "date": str, "site": str, "ply": int, "move": str, "uci": str, "fen": str,
    "player": str, "opponent": str, "rating": int, "phase": str,
    "had": int, "had_by": str, "missed": bool,
    "allowed": int, "allowed_by": str, "avoidable": bool, "safe": int,
}  # fmt: skip
"""The columns of :func:`table`, with the types of what they hold beside ``None``."""


def table(
    source: Source,
    moves: int = 2,
    *,
    executor: concurrent.futures.Executor | None = None,
    variant: Variant | None = None,
) -> Iterator[Row]:
    """
    Generates a row for every move before or after which somebody had a proved win.

    * ``game`` (its number in the file), ``white``, ``black``, ``date``,
      ``site``: the game; ``ply``, ``move``, ``uci``, ``fen``: the move, and
      the position before it.
    * ``player`` and ``rating`` of who moved, ``opponent``; ``phase``, one of
      opening, middlegame and endgame.
    * ``had``: in how many moves the mover could win, or ``None``; ``missed``:
      whether the move gave that away.
    * ``allowed``: in how many moves the opponent can win now, or ``None``;
      ``avoidable``: whether other moves allow no win; ``safe``: how many.
    * ``had_by``, ``allowed_by``: how these wins end against the longest
      defence, in the words of :class:`atomic_variant.pgn.EndingKind`; by
      ``explosion`` if by that among others.

    What is missed, allowed and safe is defined by :func:`turning_points`.

    >>> import io
    >>> from atomic_variant import tactics
    >>> source = io.StringIO('[Variant "Atomic"]\\n[White "Ann"]\\n[Black "Bob"]\\n\\n1. Nf3 e6 2. e4 f6 *')
    >>> for row in tactics.table(source):
    ...     print(row["player"], row["move"], row["had"], row["missed"], row["allowed"], row["avoidable"], row["safe"])
    Bob 1... e6 None False 2 True 6
    Ann 2. e4 2 True None False None

    :param executor: As for :func:`atomic_variant.pgn.map_games`; by default
        this process does it all.
    :raises: What :func:`atomic_variant.pgn.scan` raises, and
        :exc:`ValueError` if *moves* is out of range.
    """
    make = functools.partial(rows, moves=moves)
    games: Iterable[list[Row]]
    if executor is None:
        games = map(make, pgn.scan(source, variant=variant))
    else:
        games = pgn.map_games(make, source, executor=executor, batch=BATCH, records=True, variant=variant)
    for game in games:
        yield from game


def rows(record: pgn.Record, moves: int) -> list[Row]:
    """The rows of one game."""
    headers = record.headers
    shared: Row = {
        "game": record.number,
        "white": headers.get("White"),
        "black": headers.get("Black"),
        "date": headers.get("UTCDate", headers.get("Date")),
        "site": headers.get("Site"),
    }
    found = []
    for finding in find(record.board(), record.moves, moves):
        board = finding.board
        after = board
        if finding.allows:
            after = board.copy()
            after.push(finding.move)
        side, other = ("White", "Black") if board.turn else ("Black", "White")
        found.append(
            shared
            | {
                "ply": finding.ply,
                "move": numbered_san(board, finding.move),
                "uci": finding.move.uci(),
                "fen": board.fen(),
                "player": headers.get(side),
                "opponent": headers.get(other),
                "rating": rating_of(headers.get(f"{side}Elo")),
                "phase": phase(board),
                "had": finding.had or None,
                "had_by": end_of_win(board, finding.had),
                "missed": finding.missed,
                "allowed": finding.allows or None,
                "allowed_by": end_of_win(after, finding.allows),
                "avoidable": finding.blundered,
                "safe": len(finding.safe) if finding.allows else None,
            }
        )
    return found


def end_of_win(board: chess.Board, moves: int) -> str | None:
    """How a win in so many *moves* ends; ``None`` if there are none."""
    win = find_win(board, moves) if moves else None
    if win is None:
        return None
    board = board.copy(stack=False)
    for move in win.line[:-1]:
        board.push(move)
    if isinstance(board, AtomicBoard) and any(board.generate_king_explosions()):
        return EndingKind.EXPLOSION.value
    board.push(win.line[-1])
    return judge(board).kind.value


@dataclasses.dataclass(slots=True)
class Count:
    """How often wins were at hand and what became of them."""

    had: int = 0
    missed: int = 0
    allowed: int = 0
    avoidable: int = 0

    def add(self, row: Row) -> None:
        self.had += row["had"] is not None
        self.missed += bool(row["missed"])
        self.allowed += row["allowed"] is not None
        self.avoidable += bool(row["avoidable"])


class Tally:
    """
    Counts the rows of :func:`table` by length of the win, player, phase and rating.

    Memory grows with the number of players, not with the games.
    """

    def __init__(self) -> None:
        self.total = Count()
        self.tables: dict[str, collections.defaultdict[str, Count]] = {
            name: collections.defaultdict(Count) for name in ("length", "phase", "rating", "player")
        }

    def add(self, row: Row) -> None:
        self.total.add(row)
        nothing: Row = {"had": None, "missed": False, "allowed": None, "avoidable": False}
        if row["had"] is not None:
            part = nothing | {"had": row["had"], "missed": row["missed"]}
            self.tables["length"][f"{row['had']} by {row['had_by']}"].add(part)
        if row["allowed"] is not None:
            part = nothing | {"allowed": row["allowed"], "avoidable": row["avoidable"]}
            self.tables["length"][f"{row['allowed']} by {row['allowed_by']}"].add(part)
        rating = row["rating"]
        self.tables["phase"][str(row["phase"])].add(row)
        self.tables["rating"][band(int(rating), RATING_BAND) if rating is not None else "unknown"].add(row)
        self.tables["player"][str(row["player"] or "?")].add(row)

    def items(self, name: str) -> list[tuple[str, Count]]:
        """The counts of one table, in the order of its keys; players by the number of wins missed and allowed."""
        items = self.tables[name].items()
        if name == "player":
            return sorted(items, key=lambda item: (-item[1].missed - item[1].avoidable, item[0]))
        if name == "phase":
            return sorted(items, key=lambda item: PHASES.index(item[0]))
        if name == "length":
            return sorted(items, key=lambda item: (int(item[0].split()[0]), item[0]))
        return sorted(items, key=lambda item: (not item[0][0].isdigit(), len(item[0]), item[0]))


def polars_schema(polars: object) -> dict[str, object]:
    """:data:`COLUMNS` in the types of polars."""
    types = {int: "Int64", str: "String", bool: "Boolean"}
    return {name: getattr(polars, types[kind]) for name, kind in COLUMNS.items()}
