"""The positions of the games of a file."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import chess
import chess.engine

from ..boards import AtomicBoard
from ..kernel import kernel
from ..pgn import _threads
from ..pgn._remarks import MATE_SCORE, clocks_by_elapsed_times
from ..pgn._tables import rating_of
from ..pgn._texts import generate_parts
from ..pgn.arrays import Part, TextColumn, part_of_record
from ..pgn.game import Variant, resolve_variant
from ..pgn.readers import scan
from ..pgn.record import Record, read_record
from . import _bulk
from ._positions import Positions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..pgn._source import Source

RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}
"""What a result is for White."""


class Choice(NamedTuple):
    """Which positions of a game are taken, and what beside them."""

    every: int
    skip: int
    sample: int | None
    seed: int
    clocks: bool
    evaluations: bool


def scan_positions(
    source: Source, *, variant: Variant | None, choice: Choice, workers: int, batch: int
) -> Iterator[Positions]:
    """As :func:`atomic_variant.pgn.scan_positions`."""
    waiting: dict[tuple[type[chess.Board], bool], _Waiting] = {}
    base = 0
    for file in generate_parts(source):
        number = 0
        for first, made in _generate_made(file, resolve_variant(variant), choice, workers):
            for count, positions in made:
                number = max(number, first + count - 1)
                if positions is None or not len(positions):
                    continue
                assert positions.numbers is not None
                positions.numbers += base + first
                group = waiting.setdefault((positions.variant, positions.chess960), _Waiting())
                group.add(positions)
                while group.count >= batch:
                    yield group.take(batch)
        base += number
    for group in waiting.values():
        while group.count:
            yield group.take(batch)


class _Waiting:
    """Positions of one variant that wait to make up a batch."""

    def __init__(self) -> None:
        self.parts: list[Positions] = []
        self.count = 0

    def add(self, positions: Positions) -> None:
        self.parts.append(positions)
        self.count += len(positions)

    def take(self, size: int) -> Positions:
        taken, left = [], size
        while self.parts and left:
            part = self.parts[0]
            if len(part) > left:
                taken.append(part[:left])
                self.parts[0] = part[left:]
                left = 0
            else:
                taken.append(self.parts.pop(0))
                left -= len(part)
        made = Positions.concatenate(taken)
        self.count -= len(made)
        return made


Made = list[tuple[int, Positions | None]]
"""How many games there are, and the positions of those of one variant."""


def _generate_made(
    source: Source, variant: type[chess.Board] | None, choice: Choice, workers: int
) -> Iterator[tuple[int, Made]]:
    """What is made of some games each, with the number of the first of them."""
    comments = choice.clocks or choice.evaluations
    if kernel is None:
        for record in scan(source, comments=comments, variant=variant):
            yield record.number, _make(record, choice)
        return
    reader = _threads.ThreadedReader(
        source,
        "columns",
        functools.partial(read_record, comments=comments, variant=variant),
        functools.partial(_make, choice=choice),
        workers=workers,
        comments=comments,
        variant=variant,
    )
    yield from reader.generate()


def _make(games: Record | tuple[Any, ...], choice: Choice) -> Made:
    """The positions of some games: of the kernel's columns, or of one record."""
    import numpy as np

    if isinstance(games, Record):
        part = part_of_record(games)
        return _take(part, games.clocks, games.evaluations and list(map(_centipawns, games.evaluations)), choice)
    part = Part(*games[:7])
    if not (choice.clocks or choice.evaluations):
        return _take(part, None, None, choice)
    clocks, elapsed, evaluations = np.frombuffer(games[7]).reshape(-1, 3).T
    return _take(part, _add_elapsed_times(part, clocks, elapsed), evaluations, choice)


def _centipawns(score: chess.engine.PovScore | None) -> int | None:
    return None if score is None else score.white().score(mate_score=MATE_SCORE)


def _add_elapsed_times(part: Part, clocks: NDArray[np.float64], elapsed: NDArray[np.float64]) -> NDArray[np.float64]:
    """As :meth:`Record._add_elapsed_times`."""
    import numpy as np

    lengths = np.frombuffer(part.lengths, np.int64)
    starts = np.cumsum(lengths) - lengths
    some = lengths > 0
    some[some] = np.isnan(clocks[starts[some]]) & ~np.isnan(elapsed[starts[some]])
    if not some.any():
        return clocks
    clocks = clocks.copy()
    controls = _texts(part, "TimeControl", len(lengths))
    for game in some.nonzero()[0].tolist():
        here = slice(int(starts[game]), int(starts[game] + lengths[game]))
        times = [None if math.isnan(time) else time for time in elapsed[here].tolist()]
        clocks[here] = [
            math.nan if clock is None else clock for clock in clocks_by_elapsed_times(times, controls[game])
        ]
    return clocks


def _take(part: Part, clocks: Any, evaluations: Any, choice: Choice) -> Made:
    import numpy as np

    lengths = np.frombuffer(part.lengths, np.int64)
    moves = np.frombuffer(part.moves, np.uint16)
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    rows = _choose(part, lengths, offsets, choice)
    distinct = list(dict.fromkeys(part.starts))
    starts = [_start(*start) for start in distinct]
    places = {start: index for index, start in enumerate(distinct)}
    start_of_game = np.array([places[start] for start in part.starts])
    made: Made = []
    kinds = {(start.variant, start.chess960) for start in starts if start is not None}
    for variant, chess960 in sorted(kinds, key=lambda kind: (kind[0].__name__, kind[1])):
        is_ours = [start is not None and (start.variant, start.chess960) == (variant, chess960) for start in starts]
        ours = rows
        if not all(is_ours):
            ours = rows[np.repeat(np.array(is_ours)[start_of_game], lengths)[rows]]
        table = Positions.concatenate(
            [start for start, ok in zip(starts, is_ours, strict=True) if start is not None and ok]
        )
        index = (np.cumsum(is_ours) - 1).clip(0)[start_of_game]  # Games of others have no rows.
        positions = _replay(table[index], part, moves, offsets, ours)
        if choice.clocks:
            positions.clocks = _remarks(clocks, len(moves))[ours]
        if choice.evaluations:
            scores = _remarks(evaluations, len(moves))[ours]
            positions.evaluations = np.where(positions.turn, scores, 0 - scores)
        made.append((len(lengths), positions))
    return made or [(len(lengths), None)]


def _remarks(values: Any, count: int) -> NDArray[np.float32]:
    """What stands after each move, NaN where there is nothing."""
    import numpy as np

    if values is None:
        return np.full(count, np.nan, np.float32)
    return np.array(values, np.float32).reshape(count)  # None becomes NaN.


def _start(variant: type[chess.Board] | None, source: str, fen: str, chess960: bool) -> Positions | None:
    """A starting position as a batch of one; ``None`` if it is none of ours."""
    if variant is None or not issubclass(variant, AtomicBoard):
        return None
    return _known_start(variant, fen, chess960)  # type: ignore[arg-type] # Classes are hashable.


@functools.lru_cache(maxsize=4096)
def _known_start(variant: type[AtomicBoard], fen: str, chess960: bool) -> Positions | None:
    try:
        return Positions.from_boards([variant(fen, chess960=chess960)])
    except ValueError:
        return None


def _choose(part: Part, lengths: NDArray[np.int64], offsets: NDArray[np.int64], choice: Choice) -> NDArray[np.int64]:
    """Which moves of all are those before which a position is taken."""
    import numpy as np

    rows: NDArray[np.int64] = np.arange(offsets[-1])
    if choice.every == 1 and choice.skip == 0 and choice.sample is None:
        return rows
    plies = rows - np.repeat(offsets[:-1], lengths)
    rows = rows[(plies >= choice.skip) & ((plies - choice.skip) % choice.every == 0)]
    if choice.sample is None:
        return rows
    # By the line of the game: so a choice depends on nothing but the file and the seed.
    games = np.repeat(np.arange(len(lengths)), np.diff(np.searchsorted(rows, offsets)))
    lines = np.frombuffer(part.lines, np.int64)[games].astype(np.uint64)
    order = np.lexsort((_scramble(_scramble(lines + np.uint64(choice.seed)) + plies[rows].astype(np.uint64)), games))
    ranks = np.arange(len(rows)) - np.searchsorted(games, games)
    chosen: NDArray[np.int64] = np.sort(rows[order[ranks < choice.sample]])
    return chosen


def _scramble(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """As splitmix64 mixes its state."""
    import numpy as np

    z = z * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return z ^ z >> np.uint64(31)


def _replay(
    starts: Positions,
    part: Part,
    moves: NDArray[np.uint16],
    offsets: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> Positions:
    """The positions before the moves *rows*."""
    import numpy as np

    made = Positions._empty(len(rows), starts.variant, starts.chess960)
    _bulk.replay(*starts._columns(clocks=True), moves, offsets, rows, *made._columns(clocks=True)[2:])
    count = len(starts)
    counts = np.diff(np.searchsorted(rows, offsets))  # The positions of each game.
    made.numbers = np.repeat(np.arange(count), counts)
    made.moves = moves if len(rows) == len(moves) else moves[rows]
    results = np.repeat(np.array([RESULTS.get(result, math.nan) for result in part.results], np.float32), counts)
    made.results = np.where(made.turn, results, 0 - results)
    ratings = [[_rating(text) for text in _texts(part, f"{color}Elo", count)] for color in ("Black", "White")]
    made.ratings = np.repeat(np.array(ratings, np.int32).T, counts, axis=0)
    return made


@functools.lru_cache(maxsize=4096)
def _rating(text: str | None) -> int:
    return rating_of(text) or 0


def _texts(part: Part, name: str, count: int) -> list[str | None]:
    """The values of one header."""
    import numpy as np

    column = part.headers.get(name)
    if column is None:
        return [None] * count
    return TextColumn(bytes(column[0]), np.frombuffer(column[1], np.int32)).to_list()
