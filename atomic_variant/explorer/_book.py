"""Looking up what was played in a position."""

from __future__ import annotations

import dataclasses
import datetime
import importlib
import math
import os
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

import chess
import chess.pgn
import chess.polyglot
import chess.svg

from .. import host, variants
from ..files import replacing
from ..pgn import Game
from ..pgn._tables import rating_of
from ..pgn.arrays import unpack_move
from ..tactics import find_win, winning_moves
from ..text import counted, one_line
from . import _store
from ._rows import BANDS, SPEEDS

_Z = 1.96
"""Standard deviations of 95 % of the chance."""

_MAX_DIFFERENCE = 800
"""Points that a performance differs from the opponents' ratings at most."""


@dataclasses.dataclass(frozen=True, slots=True)
class Counts:
    """How games went on from a position, for the side to move there."""

    games: int
    """All games, with those that have no result."""
    wins: int
    draws: int
    losses: int
    rated: int
    """The games with a result and both ratings, of which the next three are."""
    average_rating: int | None
    """The mean rating of those who were to move."""
    average_opponent: int | None
    """The mean rating of their opponents."""
    performance: int | None
    """
    The rating at which the score against these opponents is what is to be
    expected: their mean, and 400 times the decimal logarithm of points won to
    points lost, at most 800 away.
    """

    @property
    def score(self) -> float | None:
        """Points for each game that has a result, from 0 to 1."""
        finished = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / finished if finished else None

    @property
    def margin(self) -> float | None:
        """Half the width of the interval in which the score is with 95 % of the chance, by Wilson's formula."""
        finished = self.wins + self.draws + self.losses
        if self.score is None:
            return None
        spread = self.score * (1 - self.score) / finished + _Z**2 / (4 * finished**2)
        return _Z * math.sqrt(spread) / (1 + _Z**2 / finished)


class KeptGame(NamedTuple):
    """What an explorer keeps of a game; texts are as they stood in its headers, shortened."""

    white: str
    black: str
    white_elo: int | None
    black_elo: int | None
    result: str
    date: str
    time_control: str
    site: str


@dataclasses.dataclass(frozen=True, slots=True)
class Row(Counts):
    """A move that was played in a position."""

    move: chess.Move
    san: str
    last: KeptGame | None
    """The last game."""
    forced: int | None = None
    """Moves in which this move wins by force, negative if it loses; ``None`` if it is not known."""


_SUMS = "sum(games), sum(wins), sum(draws), sum(losses), sum(rated), sum(points), sum(own), sum(other)"
_LAST = "max(month << 40 | last) & 0xffffffffff"


class Book:
    """
    An opening explorer, opened by :func:`atomic_variant.explorer.open`.

    A context manager. It may be used by several threads, one at a time.

    *rating*, *speed*, *since* and *until* mean the same everywhere. *rating*
    is from the one to below the other, of the mean of both players' ratings;
    both must be of 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500, or
    ``None``. *speed* is some of ``ultrabullet``, ``bullet``, ``blitz``,
    ``rapid``, ``classical`` and ``correspondence``. *since* and *until* are
    months, both included, as ``"2026-08"`` or a date. Games of which it is
    not known are left out where it is asked for.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._database = _store.connect(path)
        try:
            with _store.broken(self.path):
                self._read_facts()
        except BaseException:
            self._database.close()
            raise

    def _read_facts(self) -> None:
        facts = dict(self._database.execute("SELECT name, value FROM facts"))
        try:
            self.plies = int(facts["plies"])
            """How many half-moves of each game count."""
            self.min_games = int(facts["min_games"])
            """Positions of fewer games are left out."""
            self.chess960 = facts["chess960"] == "1"
            """Whether the games are of Chess960."""
            name = facts["variant"]
        except (KeyError, ValueError):
            raise ValueError(f"{self.path}: no file of an opening explorer, or damaged: facts are missing") from None
        self.variant = variants.find_variant(name)
        """The board class of the games."""
        self.sources: dict[str, int] = {}
        """How many games came from which file."""
        for source, games in self._database.execute("SELECT name, sum(games) FROM sources GROUP BY name"):
            self.sources[source] = games

    def __enter__(self) -> Book:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._database.close()

    def __repr__(self) -> str:
        return f"<Book of {counted(sum(self.sources.values()), 'game')}, {self.plies} plies: {one_line(self.path)}>"

    # --- Questions ----------------------------------------------------------

    def moves(
        self,
        board: chess.Board,
        *,
        rating: tuple[int | None, int | None] = (None, None),
        speed: Collection[str] | None = None,
        since: str | datetime.date | None = None,
        until: str | datetime.date | None = None,
        wins: int = 0,
    ) -> list[Row]:
        """
        The moves played in the position on *board*, the most frequent first.

        :param wins: Search for wins by force within so many moves, see
            :func:`atomic_variant.tactics.find_win`, and tell of each move
            whether it wins or loses by force. 2 costs milliseconds.
        :raises: :exc:`ValueError` for another variant, and for filters that
            are none; if the file is damaged.
        """
        condition, values = _condition(rating, speed, since, until)
        found = self._ask(
            f"SELECT move, {_SUMS}, {_LAST} FROM moves WHERE key = ?{condition} "
            "GROUP BY move ORDER BY sum(games) DESC, move",
            [self._key(board), *values],
        )
        winning = winning_moves(board, wins) if wins else {}
        rows = []
        for code, *sums, last in found:
            try:
                move = board.parse_uci(unpack_move(code).uci())
                san = board.san(move)
            except (ValueError, AssertionError, IndexError):
                continue  # Another position has the same key, or someone made the file by hand.
            forced = _judge(board, move, wins, winning) if wins else None
            rows.append(Row(**_counts(sums), move=move, san=san, last=self._game(last), forced=forced))
        return rows

    def position(
        self,
        board: chess.Board,
        *,
        rating: tuple[int | None, int | None] = (None, None),
        speed: Collection[str] | None = None,
        since: str | datetime.date | None = None,
        until: str | datetime.date | None = None,
    ) -> Counts:
        """How all games went on that made a move in the position. Arguments and errors as for :meth:`moves`."""
        condition, values = _condition(rating, speed, since, until)
        [sums] = self._ask(f"SELECT {_SUMS} FROM moves WHERE key = ?{condition}", [self._key(board), *values])
        return Counts(**_counts([number or 0 for number in sums]))

    def games(self, board: chess.Board, limit: int = 8) -> list[KeptGame]:
        """
        What the file kept of the games in which a move was made in the position, those of the highest ratings first.

        Of each move, month, band of ratings and speed these are the last and the best game.
        """
        found = self._ask(
            "SELECT id, max(rating) FROM (SELECT best AS id, best_rating AS rating FROM moves WHERE key = :key "
            "UNION ALL SELECT last, 0 FROM moves WHERE key = :key) GROUP BY id ORDER BY 2 DESC, 1 DESC LIMIT :limit",
            {"key": self._key(board), "limit": limit},
        )
        return [game for number, _ in found if (game := self._game(number)) is not None]

    def tree(
        self,
        board: chess.Board | None = None,
        *,
        depth: int = 6,
        min_games: int = 10,
        rating: tuple[int | None, int | None] = (None, None),
        speed: Collection[str] | None = None,
        since: str | datetime.date | None = None,
        until: str | datetime.date | None = None,
    ) -> Game:
        """
        The moves of at least *min_games* games from *board* on, *depth* half-moves deep, as a game with variations.

        Comments tell the number of games and the mover's score, and green
        arrows in each position the three moves that were played most.
        """
        start = self.variant() if board is None else board.copy(stack=False)
        game = Game.without_tag_roster()
        game.headers["Event"] = "Opening explorer"
        game.setup(start)
        waiting: list[tuple[chess.pgn.GameNode, chess.Board]] = [(game, start)]
        while waiting:
            node, position = waiting.pop()
            rows = [
                row
                for row in self.moves(position, rating=rating, speed=speed, since=since, until=until)
                if row.games >= min_games
            ]
            if rows:
                node.set_arrows([chess.svg.Arrow(row.move.from_square, row.move.to_square) for row in rows[:_ARROWS]])
            for row in rows:
                child = node.add_variation(row.move)
                score = "" if row.score is None else f", {row.score:.1%}"
                host.set_comment(child, f"{counted(row.games, 'game')}{score}")
                if child.ply() - game.ply() < depth:
                    after = position.copy(stack=False)
                    after.push(row.move)
                    waiting.append((child, after))
        return game

    # --- Other forms --------------------------------------------------------

    def polyglot(self, path: str | os.PathLike[str], *, min_games: int = 1) -> int:
        """
        Writes a book in the form of Polyglot, which :mod:`chess.polyglot` and engines read; returns its entries.

        A move weighs two for each win and one for each draw of the mover,
        less in proportion where that is more than a weight can be. Moves of
        fewer than *min_games* games, and those without a point, are left out.

        :raises: :exc:`OSError` if it cannot be written; :exc:`ValueError` if the file is damaged.
        """
        entries = 0
        with replacing(path) as new, open(new, "wb") as out:
            # As unsigned numbers those below zero come last.
            for condition in ("key >= 0", "key < 0"):
                rows = self._ask(
                    f"SELECT key, move, 2 * sum(wins) + sum(draws) AS weight FROM moves WHERE {condition} "
                    "GROUP BY key, move HAVING sum(games) >= ? AND weight > 0 ORDER BY key, weight DESC, move",
                    [min_games],
                )
                highest: tuple[int, int] = (0, 0)
                for key, code, weight in rows:
                    if highest[0] != key or not highest[1]:
                        highest = (key, weight)
                    if highest[1] > _MAX_WEIGHT:
                        weight = max(1, weight * _MAX_WEIGHT // highest[1])
                    promotion = max((code >> 12) - 1, 0)
                    move = code >> 6 & 63 | (code & 63) << 6 | promotion << 12
                    out.write(chess.polyglot.ENTRY_STRUCT.pack(key & 2**64 - 1, move, weight, 0))
                    entries += 1
        return entries

    def to_polars(self) -> Any:
        """
        All that is counted as a ``polars.DataFrame``, a row for each position, move, month, band of ratings and speed.

        ``key`` is Polyglot's, ``uci`` the move with castling as the king on its
        rook, ``month`` as 202608, ``rating`` where the band begins; ``null``
        where something is not known. ``wins``, ``draws`` and ``losses`` are the
        mover's, ``points`` the mover's in the ``rated`` games, and ``own`` and
        ``other`` the sums of the ratings in these.

        :raises: :exc:`ImportError` without polars.
        """
        try:
            polars = importlib.import_module("polars")
        except ImportError:
            raise ImportError("data frames need polars: pip install 'atomic_variant[tables]'") from None
        names = ("month", "games", "wins", "draws", "losses", "rated", "points", "own", "other")
        whole = dict.fromkeys(names, polars.Int64)
        types = {"key": polars.UInt64, "uci": polars.String, "rating": polars.Int64, "speed": polars.String}
        rows = [
            (
                key & 2**64 - 1,
                unpack_move(code).uci(),
                BANDS[band - 1] if 0 < band <= len(BANDS) else None,
                SPEEDS[speed - 1] if 0 < speed <= len(SPEEDS) else None,
                month or None,
                *counts,
                points / 2,
                *sums,
            )
            for key, code, month, band, speed, *counts, points, own, other in self._ask(
                "SELECT key, move, month, band, speed, games, wins, draws, losses, rated, points, own, other "
                "FROM moves", []
            )
            for sums in [(own, other)]
        ]  # fmt: skip
        return polars.DataFrame(rows, schema={**types, **whole, "points": polars.Float64}, orient="row")

    # --- Inside -------------------------------------------------------------

    def _key(self, board: chess.Board) -> int:
        if type(board).uci_variant != self.variant.uci_variant:
            raise ValueError(f"the explorer is of {self.variant.uci_variant}, not of {type(board).uci_variant}")
        key = chess.polyglot.zobrist_hash(board)
        return key - 2**64 if key >> 63 else key

    def _ask(self, query: str, values: Any) -> Iterator[tuple[Any, ...]]:
        with _store.broken(self.path):
            yield from self._database.execute(query, values)

    def _game(self, number: int) -> KeptGame | None:
        for (text,) in self._ask("SELECT text FROM games WHERE id = ?", [number]):
            fields = str(text).split("\t")
            if len(fields) == len(KeptGame._fields):
                white, black, white_elo, black_elo, *others = fields
                return KeptGame(white, black, rating_of(white_elo), rating_of(black_elo), *others)
        return None


_ARROWS = 3
_MAX_WEIGHT = 0xFFFF


def _judge(board: chess.Board, move: chess.Move, wins: int, winning: dict[chess.Move, int]) -> int | None:
    """In how many moves *move* wins, or (negative) loses."""
    if move in winning:
        return winning[move]
    after = board.copy(stack=False)
    after.push(move)
    lost = find_win(after, wins) if after.outcome() is None else None
    return -lost.moves if lost else None


def _counts(sums: list[int]) -> dict[str, Any]:
    games, wins, draws, losses, rated, points, own, other = sums
    counts = {"games": games, "wins": wins, "draws": draws, "losses": losses, "rated": rated}
    if not rated:
        return counts | dict.fromkeys(("average_rating", "average_opponent", "performance"))
    lost = 2 * rated - points
    difference = 400 * math.log10(points / lost) if points and lost else math.copysign(_MAX_DIFFERENCE, points - lost)
    difference = max(-_MAX_DIFFERENCE, min(_MAX_DIFFERENCE, difference))
    return counts | {
        "average_rating": round(own / rated),
        "average_opponent": round(other / rated),
        "performance": round(other / rated + difference),
    }


def _condition(
    rating: tuple[int | None, int | None],
    speed: Collection[str] | None,
    since: str | datetime.date | None,
    until: str | datetime.date | None,
) -> tuple[str, list[int]]:
    """The filters in SQL, and the values in it."""
    parts: list[str] = []
    values: list[int] = []
    low, high = rating
    for bound in (low, high):
        if bound is not None and bound not in BANDS:
            known = ", ".join(map(str, BANDS[1:]))
            raise ValueError(f"games are counted apart by ratings of {known}, but got {bound}")
    if low is not None or high is not None:
        parts += ["band >= ?", "band <= ?"]
        values += [BANDS.index(low or 0) + 1, len(BANDS) if high is None else BANDS.index(high)]
    if speed is not None:
        chosen = {speed} if isinstance(speed, str) else set(speed)
        if unknown := chosen - set(SPEEDS):
            raise ValueError(f"speeds are {', '.join(SPEEDS)}, not {', '.join(sorted(map(repr, unknown)))}")
        parts.append(f"speed IN ({', '.join(str(SPEEDS.index(name) + 1) for name in sorted(chosen))})")
    if since is not None or until is not None:
        parts += ["month >= ?", "month <= ?"]
        values += [1 if since is None else _month(since), 999912 if until is None else _month(until)]
    return "".join(f" AND {part}" for part in parts), values


def _month(month: str | datetime.date) -> int:
    """
    A month as it stands in the file.

    >>> _month("2026-08"), _month(datetime.date(2026, 8, 31))
    (202608, 202608)
    """
    if isinstance(month, str):
        try:
            month = datetime.datetime.strptime(month, "%Y-%m")
        except ValueError:
            raise ValueError(f"expected a month such as 2026-08, but got {month!r}") from None
    return month.year * 100 + month.month


def open_book(path: str | os.PathLike[str]) -> Book:
    """
    Opens a file that :func:`build` or :func:`merge` made, to read only.

    :raises: :exc:`OSError` if it cannot be read; :exc:`ValueError` if it is no
        such file, of another version, damaged, or of a variant that nobody knows.
    """
    return Book(path)
