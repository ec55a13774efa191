"""From games to rows: the position, the move played, and the game, as arrays."""

from __future__ import annotations

import concurrent.futures
import functools
import itertools
import os
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import chess

from ..boards import AtomicBoard
from ..kernel import kernel
from ..pgn import _bulk as reading
from ..pgn import _threads, mapping
from ..pgn._tables import SPEEDS as SPEEDS
from ..pgn._tables import rating_of, speed_of
from ..pgn.arrays import Part, TextColumn, part_of_record
from ..pgn.errors import are_lost
from ..pgn.readers import scan
from ..pgn.record import Record, read_record
from ..positions import Positions, _bulk
from ..positions._games import RESULTS, _start

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..pgn._source import Source

BANDS = (0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500)
"""Where the bands of ratings begin, as Lichess has them; the last one has no end."""

WHITE_TO_MOVE = 1 << 15
"""Beside a move of 15 bits."""

NO_RESULT = 2
"""Beside those of :data:`RESULTS`."""

KEPT = ("White", "Black", "WhiteElo", "BlackElo", "UTCDate", "Date", "TimeControl", "Site")
"""The headers that count, or that are kept of some games."""

_MAX_TEXT = 200
_BATCH = 512


class Choice(NamedTuple):
    """Which games count, and how far."""

    variant: type[AtomicBoard]
    chess960: bool
    set_up: bool
    """Whether games may begin elsewhere than at the start."""
    broken: bool
    """Whether games count up to their first error, or not at all."""
    plies: int


class Rows(NamedTuple):
    """Some games, and a row for each of their positions. The games are numbered from 0."""

    keys: NDArray[np.int64]
    moves: NDArray[np.uint16]
    """The moves, castling as the king on its rook, with :data:`WHITE_TO_MOVE`."""
    games: NDArray[np.uint32]
    results: NDArray[np.int8]
    """Of each game: 1, 0, -1 for White, or :data:`NO_RESULT`."""
    ratings: NDArray[np.int16]
    """Of each game: Black's and White's, column ``int(color)``; 0 if one is not known."""
    speeds: NDArray[np.uint8]
    """Of each game: from 1 in :data:`SPEEDS`, 0 if it is not known."""
    months: NDArray[np.int32]
    """Of each game: the year times 100 and the month, 0 if it is not known."""
    texts: list[bytes]
    """What is kept of each game: see :func:`_write_text`."""
    seen: int
    """How many games there were, with those that do not count."""


def generate_rows(
    source: Source,
    choice: Choice,
    variant: type[chess.Board] | None,
    executor: concurrent.futures.Executor | None,
) -> Iterator[Rows]:
    """
    The rows of one file, in its order.

    :param variant: Of games whose headers name none.
    """
    make = functools.partial(make_rows, choice=choice)
    if executor is not None:
        yield from _generate_elsewhere(source, _Task(choice, variant), executor)
    elif kernel is None:
        records = scan(source, variant=variant)
        while some := list(itertools.islice(records, _BATCH)):
            yield make(some)
    else:
        reader = _threads.ThreadedReader(
            source,
            "columns",
            functools.partial(read_record, variant=variant),
            make,
            workers=os.cpu_count() or 1,
            variant=variant,
        )
        for _, rows in reader.generate():
            yield rows


class _Task(NamedTuple):
    """What a process of an executor does."""

    choice: Choice
    variant: type[chess.Board] | None

    def __call__(self, items: list[Any]) -> list[Rows]:
        return [make_rows(games, self.choice) for item in items for games in self._read(item)]

    def _read(self, item: Any) -> Iterator[Any]:
        if not isinstance(item, reading.Slice):
            yield [read_record(item, variant=self.variant)]
        elif kernel is None:
            yield list(item.read_records(comments=False, variant=self.variant))
        else:
            try:
                yield item._scan("columns", False, self.variant)
            except OverflowError:  # Too many different headers for a table.
                yield list(item.read_records(comments=False, variant=self.variant))


def _generate_elsewhere(source: Source, task: _Task, executor: concurrent.futures.Executor) -> Iterator[Rows]:
    feed = mapping._Feed(source, mapping._Task(len, True, False, task.variant))
    pending: deque[concurrent.futures.Future[list[Rows]]] = deque()
    try:
        while True:
            while len(pending) < 4 * (os.cpu_count() or 1) and (items := feed.take(_BATCH)):
                pending.append(executor.submit(task.__call__, items))
            if not pending:
                break
            yield from pending.popleft().result()
        if feed.failure:
            raise feed.failure
    finally:
        for future in pending:
            future.cancel()
        feed.close()


def make_rows(games: Record | list[Record] | tuple[Any, ...], choice: Choice) -> Rows:
    """The rows of the kernel's columns, of records, or of one record."""
    if isinstance(games, tuple):
        part = Part(*games)
        return _make(part, [True] * len(part.starts), choice)
    records = [games] if isinstance(games, Record) else games
    parts = [part_of_record(record) for record in records]
    whole = Part(
        b"".join(part.lines for part in parts),
        b"".join(part.lengths for part in parts),
        b"".join(part.moves for part in parts),
        {name: _join_texts(records, name) for name in KEPT},
        [part.starts[0] for part in parts],
        [part.endings[0] for part in parts],
        [part.results[0] for part in parts],
    )
    return _make(whole, [choice.broken or not are_lost(record.errors) for record in records], choice)


def _join_texts(records: list[Record], name: str) -> tuple[bytes, bytes]:
    import numpy as np

    texts = [record.headers.get(name, "").encode("utf-8", "replace") for record in records]
    return b"".join(texts), np.array([len(text) for text in texts], np.int32).tobytes()


def _make(part: Part, is_whole: list[bool], choice: Choice) -> Rows:
    import numpy as np

    seen = len(part.starts)
    lengths = np.frombuffer(part.lengths, np.int64)
    usable = {start: _use(start, choice) for start in dict.fromkeys(part.starts)}
    counts = [
        ok and usable[start] is not None and length > 0
        for ok, start, length in zip(is_whole, part.starts, lengths.tolist(), strict=True)
    ]
    chosen = np.flatnonzero(np.array(counts, np.bool_))
    every = np.frombuffer(part.moves, np.uint16)
    begins = (np.cumsum(lengths) - lengths)[chosen]
    offsets = np.zeros(len(chosen) + 1, np.int64)
    np.cumsum(lengths[chosen].clip(max=choice.plies), out=offsets[1:])
    games = np.repeat(np.arange(len(chosen)), np.diff(offsets))
    moves = every[np.arange(offsets[-1]) - offsets[games] + begins[games]]
    keys = np.zeros(0, np.int64)
    if len(chosen):
        starts = {start: number for number, start in enumerate(filter(usable.get, usable))}
        table = Positions.concatenate([usable[start] for start in starts])  # type: ignore[misc] # None is none of them.
        before = table[np.array([starts[part.starts[index]] for index in chosen.tolist()])]
        positions = Positions._empty(len(moves), choice.variant, choice.chess960)
        columns = positions._columns(clocks=True)[2:]
        _bulk.replay(*before._columns(clocks=True), moves, offsets, np.arange(len(moves)), *columns)
        keys = positions.keys().view(np.int64)
        moves = _onto_rooks(positions, moves) | positions.turn.astype(np.uint16) * np.uint16(WHITE_TO_MOVE)
    texts = {name: _texts(part, name, chosen, seen) for name in KEPT}
    results = [part.results[index] for index in chosen.tolist()]
    ratings = np.array(
        [[_rating(text) for text in texts[f"{color}Elo"]] for color in ("Black", "White")], np.int16
    ).T.reshape(len(chosen), 2)
    dates = [utc or date for utc, date in zip(texts["UTCDate"], texts["Date"], strict=True)]
    return Rows(
        keys,
        moves,
        games.astype(np.uint32),
        np.array([RESULTS.get(result, NO_RESULT) for result in results], np.int8),
        ratings,
        np.array([_speed(text) for text in texts["TimeControl"]], np.uint8),
        np.array([_month(text) for text in dates], np.int32),
        [
            _write_text(*row)
            for row in zip(
                texts["White"], texts["Black"], texts["WhiteElo"], texts["BlackElo"], results, dates,
                texts["TimeControl"], texts["Site"], strict=True,
            )
        ],
        seen,
    )  # fmt: skip


def _use(start: tuple[Any, str, str, bool], choice: Choice) -> Positions | None:
    """The starting position, if games from there count."""
    variant, _, fen, chess960 = start
    if variant is not choice.variant or chess960 != choice.chess960:
        return None
    if not (choice.set_up or chess960 or fen == choice.variant.starting_fen):
        return None
    return _start(*start)


def _onto_rooks(positions: Positions, moves: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """The moves with castling as the king on its rook, which is how Polyglot has it."""
    import numpy as np

    if positions.chess960:
        return moves
    origins, targets = moves & 63, moves >> 6 & 63
    kings = positions.bitboards[:, chess.KING - 1] >> origins.astype(np.uint64) & np.uint64(1)
    files = (targets & 7).astype(np.int8) - (origins & 7).astype(np.int8)
    castles = (kings == 1) & (np.abs(files) > 1)
    rooks = origins & 56 | np.where(files > 0, 7, 0).astype(np.uint16)
    return np.where(castles, origins | rooks << 6, moves).astype(np.uint16)


def _texts(part: Part, name: str, chosen: NDArray[np.int64], count: int) -> list[str]:
    import numpy as np

    if name not in part.headers:
        return [""] * len(chosen)
    data, sizes = part.headers[name]
    texts = TextColumn(bytes(data), np.frombuffer(bytes(sizes), np.int32)).to_list()
    if len(chosen) == count:
        return [text or "" for text in texts]
    return [texts[index] or "" for index in chosen.tolist()]


@functools.lru_cache(maxsize=4096)
def _rating(text: str) -> int:
    rating = rating_of(text) or 0
    return rating if rating < 10_000 else 0


@functools.lru_cache(maxsize=4096)
def _speed(text: str) -> int:
    speed = speed_of(text) if text else None
    return SPEEDS.index(speed) + 1 if speed else 0


@functools.lru_cache(maxsize=4096)
def _month(text: str) -> int:
    """
    The month of a date, of which more need not be known.

    >>> _month("2026.08.??"), _month("????.??.??")
    (202608, 0)
    """
    year, month = text[:4], text[5:7]
    if len(year) == 4 and (year + month).isascii() and (year + month).isdigit() and 1 <= int(month) <= 12:
        return int(year) * 100 + int(month)
    return 0


def _write_text(*fields: str) -> bytes:
    """The fields with tabs between, on one line each: White, Black, ratings, result, date, time control, site."""
    text = "\t".join(fields)
    if len(text) > _MAX_TEXT or not text.isprintable():
        text = "\t".join(" ".join(field[:_MAX_TEXT].split()) for field in fields)
    return text.encode("utf-8", "replace")
