"""
Reading the games of a file: as trees, as records, as arrays.

Whether the compiled kernel reads, or Python, is decided in :mod:`._reading`.
"""

from __future__ import annotations

import importlib
import itertools
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TextIO, TypeVar, overload

import chess.pgn

from ..text import MAX_NAME, one_line
from . import _reading, _single
from ._source import Source, source_name
from ._texts import generate_parts, is_missing, write_row
from .arrays import MAX_WIDTH, ArraysBuilder, GameArrays
from .errors import TEXT_LIMIT, SourceError
from .game import Game, GameBuilder, Variant, resolve_variant
from .record import Record

if TYPE_CHECKING:
    from ..positions import Positions

ResultT = TypeVar("ResultT")


def read_games(source: Source, *, variant: Variant | None = None) -> Iterator[Game]:
    """
    Generates every game in *source*, in order, each exactly once.

    *source* is a path or a handle opened in text or binary mode, or an
    iterable whose strings are texts of games and whose path objects are
    files. Lines of JSON from the Lichess API are games too. Plain text
    and gzip, bzip2 and zstd are recognised by content; text is UTF-8 or
    UTF-16, with Windows-1252 where it is no UTF-8. Memory does not grow with the file.

    A broken game comes out with its good part; :attr:`Game.errors` lists what
    is wrong as :exc:`GameError`, with place and reason. Games are told apart
    by their headers and move numbers, so a blank line too many or a missing
    one does no harm. *variant*, a board class or a name, is for games whose
    headers name none.

    >>> import io
    >>> pgn = '[Event "Rated Atomic game"]\\n\\n\\n1. Nf3 f6 2. Nd4 Qd7 *\\n'
    >>> for game in read_games(io.StringIO(pgn)):
    ...     print(game.variant_source, [move.uci() for move in game.mainline_moves()])
    ...     print(game.errors[0].line, game.errors[0].reason)
    Event header ['g1f3', 'f7f6', 'f3d4']
    4 illegal move: Black's own pawn stands on d7

    :raises: :exc:`ValueError` if nobody knows the name *variant*,
        :exc:`OSError` if *source* cannot be opened, :exc:`SourceError`
        if it cannot be read on (after all games before that place),
        :exc:`ImportError` if it is compressed by zstd and Python is older
        than 3.14 and the extra ``zstd`` is not installed.
    """
    yield from build_games(source, GameBuilder, variant=variant)


def build_games(
    source: Source, builder: Callable[[], GameBuilder], *, variant: Variant | None = None
) -> Iterator[Game]:
    """As :func:`read_games`, those games that are not usual made by *builder*."""
    board_class = resolve_variant(variant)
    for part in generate_parts(source):
        yield from _reading.generate_games(part, variant=board_class, builder=builder)


def skim(source: Source, *, variant: Variant | None = None) -> Iterator[_reading.Piece]:
    """The games of *source* as text, many in a piece, for whom wants only some of them."""
    board_class = resolve_variant(variant)
    for part in generate_parts(source):
        yield from _reading.open_pieces(part, variant=board_class)[0]


def read_skimmed(item: _reading.Piece, index: int, *, variant: Variant | None = None) -> Game | None:
    """The game with the *index*, from 0, of what :func:`skim` gave, if it has so many."""
    board_class = resolve_variant(variant)
    return next(itertools.islice(_reading.games_of(item, variant=board_class), index, None), None)


def scan(source: Source, *, comments: bool = False, variant: Variant | None = None) -> Iterator[Record]:
    """
    Generates a :class:`Record` of every game in *source*, in order.

    For files of many games: several times faster than :func:`read_games`, on
    whose moves, endings and errors it agrees. With *comments* it reads
    comments, clocks and evaluations too. For *source* and *variant* see
    :func:`read_games`.

    :raises: What :func:`read_games` raises.
    """
    board_class = resolve_variant(variant)
    for part in generate_parts(source):
        yield from _reading.generate_records(part, comments=comments, variant=board_class)


def scan_arrays(source: Source, *, variant: Variant | None = None, batch: int = 50_000) -> Iterator[GameArrays]:
    """
    Generates the games in *source* as arrays of up to *batch* games each, in order.

    Fewer where the games have very many different headers.

    The same games, moves, endings and errors as :func:`scan` gives, which see.

    >>> import io
    >>> [games] = scan_arrays(io.StringIO('[Variant "atomic"]\\n\\n1. e4 e5 *\\n\\n[Variant "atomic"]\\n\\n1. d4 *'))
    >>> len(games), games.offsets.tolist(), games.headers
    (2, [0, 2, 3], {'Variant': TextColumn(['atomic', 'atomic'])})
    >>> games.game_moves(0)
    [Move.from_uci('e2e4'), Move.from_uci('e7e5')]

    :raises: What :func:`scan` raises; :exc:`ImportError` without numpy.
    """
    import numpy  # noqa: F401 -- Says at once that it is missing.

    if batch < 1:
        raise ValueError(f"scan_arrays expects a batch of 1 or more, but got {batch}")
    builder = ArraysBuilder()
    board_class = resolve_variant(variant)
    for file in generate_parts(source):
        name = source_name(file)
        for part in _reading.generate_columns(file, variant=board_class):
            builder.add(part, name)
            while len(builder) >= batch or len(builder.headers) > MAX_WIDTH:
                yield builder.take(batch)
    if len(builder):
        yield builder.take(batch)


def scan_positions(
    source: Source,
    *,
    variant: Variant | None = None,
    every: int = 1,
    skip: int = 0,
    sample: int | None = None,
    seed: int = 0,
    clocks: bool = False,
    evaluations: bool = False,
    workers: int = 1,
    batch: int = 65_536,
) -> Iterator[Positions]:
    """
    Generates the positions of the games in *source*, each before a move was played, as arrays of up to *batch*.

    The games of our boards, in the order of the file; broken ones as far as
    they can be played. Games of other variants, and those that begin with
    several kings of one color, are left out. Each variant makes its own
    batches, and so does Chess960. Besides the positions there are the games'
    numbers, the moves played, results and ratings; see
    :class:`atomic_variant.positions.Positions`.

    >>> import io
    >>> [positions] = scan_positions(io.StringIO('[Variant "atomic"]\\n\\n1. Nf3 f6 2. Nd4 Nc6 1-0'), skip=1)
    >>> positions.ply.tolist(), positions.results.tolist(), positions.legal_masks().shape
    ([1, 2, 3], [-1.0, 1.0, -1.0], (3, 64))

    :param every: Take only each so many-th position of a game.
    :param skip: Leave out so many positions at the start of each game.
    :param sample: Take at most so many of these from each game, by chance.
    :param seed: What *sample* depends on, beside the line that a game begins on.
    :param clocks: Read the clocks too, or work them out as :attr:`Record.clocks`.
    :param evaluations: Read the evaluations too.
    :param workers: How many threads read, with the compiled kernel; the answers are the same.
    :raises: What :func:`scan` raises; :exc:`ValueError` for numbers out of
        range; :exc:`ImportError` without numpy.
    """
    import numpy  # noqa: F401 -- Says at once that it is missing.

    from ..positions._games import Choice
    from ..positions._games import scan_positions as generate

    least = {"every": (every, 1), "skip": (skip, 0), "workers": (workers, 1), "batch": (batch, 1)}
    if sample is not None:
        least["sample"] = (sample, 1)
    for name, (value, low) in least.items():
        if value < low:
            raise ValueError(f"scan_positions expects {name} of {low} or more, but got {value}")
    choice = Choice(every, skip, sample, seed & 2**64 - 1, clocks, evaluations)
    yield from generate(source, variant=variant, choice=choice, workers=workers, batch=batch)


def scan_table(
    table: Any, moves: str = "movetext", *, comments: bool = False, variant: Variant | None = None
) -> Iterator[Record]:
    """
    Generates a :class:`Record` of every row of a table of games, in order.

    *table* is a data frame of polars or pandas, or the path of a Parquet file
    (needs polars), of which some thousand rows are in memory at a time. The
    column *moves* holds the moves as in PGN; the other columns become
    headers. The rest is as for :func:`scan`.

    >>> import polars
    >>> table = polars.DataFrame({"White": ["Ann", "Ben"], "movetext": ["1. Nf3 f6 *", "1. e4 *"]})
    >>> for record in scan_table(table, variant="atomic"):
    ...     print(record.number, record.headers["White"], len(record.moves))
    1 Ann 2
    2 Ben 1

    :raises: :exc:`ValueError` if there is no such column; :exc:`SourceError`
        where a file cannot be read on. What :func:`scan` raises.
    """
    texts = (write_row(row, text) for text, row in _generate_rows(table, moves))
    yield from scan(texts, comments=comments, variant=variant)


def _generate_rows(table: Any, moves: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for frame in [table] if hasattr(table, "columns") else _generate_frames(table):
        names = [str(name) for name in frame.columns]
        if moves not in names:
            raise ValueError(f"the table has no column {moves!r}, but {', '.join(names)}")
        rows = frame.iter_rows() if hasattr(frame, "iter_rows") else frame.itertuples(index=False, name=None)
        for values in rows:
            row = dict(zip(names, values, strict=True))
            text = row.pop(moves)
            yield "" if is_missing(text) else str(text), row


def _generate_frames(path: Any) -> Iterator[Any]:
    """The rows of a Parquet file, some thousand at a time."""
    try:
        polars = importlib.import_module("polars")
    except ImportError:
        raise ImportError("reading Parquet needs polars: pip install 'atomic_variant[tables]'") from None
    rows = polars.scan_parquet(path)
    for start in itertools.count(step=_ROWS):
        try:
            frame = rows.slice(start, _ROWS).collect()
        except polars.exceptions.PolarsError as error:
            name = one_line(os.fspath(path), MAX_NAME)
            raise SourceError(
                f"{name}: cannot read on after row {start}: {one_line(str(error), TEXT_LIMIT)}"
            ) from error
        if not len(frame):
            return
        yield frame


_ROWS = 20_000


@overload
def read_game(handle: TextIO, *, variant: Variant | None = None) -> Game | None: ...
@overload
def read_game(
    handle: TextIO,
    *,
    Visitor: Callable[[], chess.pgn.BaseVisitor[ResultT]],  # noqa: N803 # As in chess.pgn.
    variant: Variant | None = None,
) -> ResultT | None: ...
def read_game(
    handle: TextIO,
    *,
    Visitor: Any = GameBuilder,  # noqa: N803 # As in chess.pgn.
    variant: Variant | None = None,
) -> Any:
    """
    Reads the next game from *handle*, or returns ``None`` at its end.

    As :func:`chess.pgn.read_game`, on our boards and without registration;
    what else is different stands under :func:`read_games`. Games and lines
    are counted from the first call on *handle*.

    >>> import io
    >>> game = read_game(io.StringIO('[Variant "atomic 960"]\\n\\n1. Nf3 f6 *'))
    >>> type(game.board()), game.board().chess960
    (<class 'atomic_variant.boards.atomic.AtomicBoard'>, True)
    """
    return _single.read_game(handle, Visitor, variant=resolve_variant(variant))
