"""Tables of games: a row for each game, and statistics over many."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from .pgn import Record
from .pgn.conclusion import conclude
from .pgn.conclusion import describe_end as describe_end
from .pgn.errors import are_serious

Row: TypeAlias = dict[str, str | int | float | None]

RATING_BAND = 200
"""Rating points of a band in statistics."""

LENGTH_BAND = 10
"""Moves of a band in statistics."""


def make_row(record: Record) -> Row:
    """
    A game as a row of a table; every row has the same columns.

    Ratings are ``None`` where the game gives none; ``first_move`` is in UCI
    notation; ``moves`` are all moves, in UCI notation with spaces between;
    ``end`` is one of :data:`atomic_variant.pgn.conclusion.ENDS`.
    """
    headers = record.headers
    _, end, errors = conclude(record)
    return {
        "game": record.number,
        "event": headers.get("Event"),
        "site": headers.get("Site"),
        "date": headers.get("UTCDate", headers.get("Date")),
        "white": headers.get("White"),
        "black": headers.get("Black"),
        "white_elo": rating_of(headers.get("WhiteElo")),
        "black_elo": rating_of(headers.get("BlackElo")),
        "time_control": headers.get("TimeControl"),
        "variant": record.variant.uci_variant if record.variant else None,
        "result": record.result,
        "end": end,
        "plies": len(record.moves),
        "first_move": record.moves[0].uci() if record.moves else None,
        "moves": " ".join(move.uci() for move in record.moves),
        "errors": len(errors),
    }


def rating_of(text: str | None) -> int | None:
    """A rating; servers write 0 or nothing for players that have none."""
    return int(text) if text and len(text) <= 5 and text.isascii() and text.isdigit() and int(text) else None


@dataclasses.dataclass(slots=True)
class Count:
    """The games with something in common."""

    games: int = 0
    white: int = 0
    draws: int = 0
    black: int = 0
    plies: int = 0

    def add(self, result: str, plies: int) -> None:
        self.games += 1
        self.white += result == "1-0"
        self.draws += result == "1/2-1/2"
        self.black += result == "0-1"
        self.plies += plies

    @property
    def score(self) -> float | None:
        """White's points for each game that has a result, from 0 to 1."""
        finished = self.white + self.draws + self.black
        return (self.white + self.draws / 2) / finished if finished else None


class Statistics:
    """
    Counts games by how they end, first move, length and rating.

    Memory grows with the number of different keys, not with the games.
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self.tables: dict[str, collections.defaultdict[str, Count]] = {
            table: collections.defaultdict(Count) for table in ("end", "first move", "moves", "rating")
        }
        self.total = Count()
        self.errors = 0
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        """Counts one game."""
        plies = len(record.moves)
        self.total.add(record.result, plies)
        _, end, errors = conclude(record)
        self.errors += are_serious(errors)
        first_move = record.board().san(record.moves[0]) if record.moves else "none"
        ratings = [
            rating for tag in ("WhiteElo", "BlackElo") if (rating := rating_of(record.headers.get(tag))) is not None
        ]
        for table, key in (
            ("end", end),
            ("first move", first_move),
            ("moves", band((plies + 1) // 2, LENGTH_BAND)),
            ("rating", band(sum(ratings) // len(ratings), RATING_BAND) if ratings else "unknown"),
        ):
            self.tables[table][key].add(record.result, plies)

    def rows(self) -> Iterator[Row]:
        """
        Generates all counts as one long table.

        Columns: ``table`` and ``key``; ``games``, and how many of them White
        won, nobody won and Black won; ``score`` of White, from 0 to 1;
        ``plies``, the average length.
        """
        for table, counts in self.tables.items():
            in_order = _numeric_order if table in ("moves", "rating") else _by_number_of_games
            for key, count in sorted(counts.items(), key=in_order):
                yield {
                    "table": table,
                    "key": key,
                    "games": count.games,
                    "white": count.white,
                    "draws": count.draws,
                    "black": count.black,
                    "score": count.score,
                    "plies": count.plies / count.games,
                }


def band(number: int, width: int) -> str:
    low = number // width * width
    return f"{low}-{low + width - 1}"


def _by_number_of_games(item: tuple[str, Count]) -> tuple[int, str]:
    return -item[1].games, item[0]


def _numeric_order(item: tuple[str, Count]) -> tuple[bool, int]:
    low = item[0].partition("-")[0]
    return not low.isdigit(), int(low) if low.isdigit() else 0
