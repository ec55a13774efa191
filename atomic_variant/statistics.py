"""Tables of games: a row for each game, and statistics over many."""

from __future__ import annotations

import collections
import dataclasses
import functools
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import chess
import chess.pgn

from .boards.endings import EndingKind
from .pgn import Game, Record
from .pgn._tables import rating_of as rating_of
from .pgn._tables import speed_of, winner_of
from .pgn.conclusion import Conclusion, conclude
from .pgn.conclusion import describe_end as describe_end
from .pgn.errors import are_lost, are_serious
from .text import counted

Row: TypeAlias = dict[str, str | int | float | None]

RATING_BAND = 200
"""Rating points of a band in statistics."""

LENGTH_BAND = 10
"""Moves of a band in statistics."""


def make_row(record: Record) -> Row:
    """
    A game as a row of a table; every row has the same columns.

    Ratings are ``None`` where the game gives none; ``first_move`` is in UCI
    notation; ``moves`` are all moves, in UCI notation with spaces between, to be
    played from ``fen`` with or without ``chess960``;
    ``end`` is one of :data:`atomic_variant.pgn.conclusion.ENDS`.
    """
    headers = record.headers
    _, end, errors = conclude(record)
    return {
        "game": record.number,
        "line": record.line,
        "source": record.source,
        "event": headers.get("Event"),
        "site": headers.get("Site"),
        "date": headers.get("UTCDate", headers.get("Date")),
        "white": headers.get("White"),
        "black": headers.get("Black"),
        "white_elo": rating_of(headers.get("WhiteElo")),
        "black_elo": rating_of(headers.get("BlackElo")),
        "time_control": headers.get("TimeControl"),
        "speed": speed_of(headers.get("TimeControl")),
        "variant": record.variant.uci_variant if record.variant else None,
        "fen": record.fen,
        "chess960": record.chess960,
        "result": record.result,
        "winner": winner_of(record.result),
        "end": end,
        "plies": len(record.moves),
        "first_move": record.moves[0].uci() if record.moves else None,
        "moves": " ".join(move.uci() for move in record.moves),
        "errors": len(errors),
    }


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


_OUR_READING = dict.fromkeys(("default", "variant argument"), "without a variant read as")
_GUESS = "without a variant read as standard chess"


def name_rules(variant: type[chess.Board] | None) -> str:
    """
    What to call the rules of a board class.

    >>> name_rules(chess.Board), name_rules(None)
    ('standard chess', 'an unknown variant')
    """
    if variant is None:
        return "an unknown variant"
    return "standard chess" if variant.uci_variant == "chess" else variant.uci_variant or variant.__name__


@dataclasses.dataclass(slots=True)
class Tally:
    """How the games of one variant ended."""

    games: int = 0
    errors: int = 0
    """How many have errors: see :func:`atomic_variant.pgn.findings`."""
    draws: int = 0
    """How many the board says were drawn."""
    undecided: int = 0
    """How many the board does not decide."""
    wins: collections.Counter[EndingKind] = dataclasses.field(default_factory=collections.Counter)
    """How many were won on the board, by what."""

    def add(self, conclusion: Conclusion) -> None:
        """Counts one game."""
        ending = conclusion.ending
        self.games += 1
        self.errors += are_serious(conclusion.errors)
        if ending.winner is not None:
            self.wins[ending.kind] += 1
        elif ending.outcome is None:
            self.undecided += 1
        else:
            self.draws += 1


class Readings:
    """What games were read as, for summaries that say so; and how they ended, each variant on its own."""

    def __init__(self) -> None:
        self.tallies: dict[str, Tally] = {}
        """By the name of the rules."""
        self._counts: collections.Counter[tuple[type[chess.Board] | None, str]] = collections.Counter()
        self._suspects: collections.Counter[str] = collections.Counter()

    def add(self, game: Record | chess.pgn.Game, conclusion: Conclusion) -> str:
        """Counts one game, any of python-chess, and returns the name of its rules."""
        variant = _variant(game)
        if isinstance(game, Record | Game):
            source = game.variant_source
            if game.suspected_variant is not None:
                self._suspects[name_rules(game.suspected_variant)] += 1
        else:
            source = "Variant header" if "Variant" in game.headers else "default"
        self._counts[variant, source] += 1
        name = name_rules(variant)
        tally = self.tallies.get(name)
        if tally is None:
            tally = self.tallies[name] = Tally()
        tally.add(conclusion)
        return name

    @property
    def games(self) -> int:
        """How many games there are."""
        return sum(tally.games for tally in self.tallies.values())

    @property
    def errors(self) -> int:
        """How many of them have errors."""
        return sum(tally.errors for tally in self.tallies.values())

    def __str__(self) -> str:
        """Such as ``"150 games: 108 atomic, 42 without a variant read as standard chess"``."""
        counts: collections.Counter[str] = collections.Counter()
        for (variant, source), count in self._counts.items():
            how = f"{_OUR_READING[source]} " if source in _OUR_READING else "of " if variant is None else ""
            counts[how + name_rules(variant)] += count
        parts = []
        for part, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            parts.append(f"{count} {part}")
            if part == _GUESS and self._suspects:
                parts[-1] += "".join(
                    f" ({suspects} of these legal or decided only as {name})"
                    for name, suspects in self._suspects.items()
                )
        return f"{counted(self.games, 'game')}: {', '.join(parts) or 'none'}"

    @property
    def is_guessed(self) -> bool:
        """Whether any game names no variant and was read as standard chess."""
        return any(source == "default" for _, source in self._counts)

    def summary(self) -> str:
        """The same, with what to do on a command line."""
        return f"{self}; --variant atomic reads those without a variant as atomic" if self.is_guessed else str(self)


def hint(game: Record | Game) -> str | None:
    """
    What to say of a game that names no variant and is no game of the variant that it was read as.

    >>> import io
    >>> from atomic_variant import pgn
    >>> [record] = pgn.scan(io.StringIO("1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0"))
    >>> hint(record)
    'game 1, line 1: names no variant and is decided only as atomic; --variant atomic reads it so'
    """
    if game.suspected_variant is None:
        return None
    name = name_rules(game.suspected_variant)
    place = f"{game.source}, " if game.source else ""
    what = "legal" if are_lost(game.errors) else "decided"
    return (
        f"{place}game {game.number}, line {game.line}: names no variant and is {what} only as {name}; "
        f"--variant {name} reads it so"
    )


def _variant(game: Record | chess.pgn.Game) -> type[chess.Board] | None:
    if isinstance(game, Record):
        return game.variant
    try:
        return game.headers.variant()
    except ValueError:
        return None


Tables: TypeAlias = dict[str, collections.defaultdict[str, Count]]


class Statistics:
    """
    Counts games by how they end, first move, length and rating, each variant on its own.

    Memory grows with the number of different keys, not with the games.
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self.variants: dict[str, Tables] = {}
        """The tables of each variant, by the name of its rules."""
        self.total = Count()
        self.readings = Readings()
        """What the games were read as."""
        self._first_moves: dict[Any, str] = {}
        for record in records:
            self.add(record)

    @property
    def errors(self) -> int:
        """How many games have errors."""
        return self.readings.errors

    def add(self, record: Record) -> None:
        """Counts one game."""
        plies, result = len(record.moves), record.result
        self.total.add(result, plies)
        conclusion = conclude(record)
        self.readings.add(record, conclusion)
        name = name_rules(record.variant)
        tables = self.variants.get(name)
        if tables is None:
            tables = self.variants[name] = {
                table: collections.defaultdict(Count) for table in ("end", "first move", "moves", "rating")
            }
        tables["end"][conclusion.end].add(result, plies)
        tables["first move"][self._first_move(record)].add(result, plies)
        tables["moves"][band((plies + 1) // 2, LENGTH_BAND)].add(result, plies)
        tables["rating"][_rating_band(record.headers.get("WhiteElo"), record.headers.get("BlackElo"))].add(
            result, plies
        )

    def _first_move(self, record: Record) -> str:
        """The first move in SAN; few different ones, so they are remembered."""
        if not record.moves:
            return "none"
        key = record.variant, record.fen, record.chess960, record.moves[0]
        san = self._first_moves.get(key)
        if san is None:
            if len(self._first_moves) >= _MAX_FIRST_MOVES:
                self._first_moves.clear()
            san = self._first_moves[key] = record.board().san(record.moves[0])
        return san

    def rows(self) -> Iterator[Row]:
        """
        Generates all counts as one long table.

        Columns: ``table`` and ``key``; ``games``, and how many of them White
        won, nobody won and Black won; ``score`` of White, from 0 to 1;
        ``plies``, the average length; ``variant``, the rules of these games.
        """
        for variant, tables in self.variants.items():
            for table, counts in tables.items():
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
                        "variant": variant,
                    }


_MAX_FIRST_MOVES = 4096


@functools.lru_cache(maxsize=4096)
def _rating_band(white: str | None, black: str | None) -> str:
    """The band of the average rating of those who have one."""
    ratings = [rating for text in (white, black) if (rating := rating_of(text)) is not None]
    return band(sum(ratings) // len(ratings), RATING_BAND) if ratings else "unknown"


@functools.lru_cache(maxsize=1024)
def band(number: int, width: int) -> str:
    low = number // width * width
    return f"{low}-{low + width - 1}"


def _by_number_of_games(item: tuple[str, Count]) -> tuple[int, str]:
    return -item[1].games, item[0]


def _numeric_order(item: tuple[str, Count]) -> tuple[bool, int]:
    low = item[0].partition("-")[0]
    return not low.isdigit(), int(low) if low.isdigit() else 0
