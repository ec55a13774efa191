"""Applying a function to every game of a file, on many processes or machines."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import os
import pickle
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, TypeAlias, TypeVar

import chess

from ..text import one_line
from . import _bulk, _reading, _workers
from ._source import Source
from ._splitter import GameText
from ._texts import generate_parts
from .errors import TEXT_LIMIT, GameError, SourceError
from .game import Variant, resolve_variant

ResultT = TypeVar("ResultT")

_BATCH_SIZE = 2**20
"""The most characters of a batch, unless a single game has more."""


def map_games(
    function: Callable[[Any], ResultT],
    source: Source,
    *,
    executor: concurrent.futures.Executor | None = None,
    batch: int = 128,
    in_flight: int | None = None,
    records: bool = False,
    comments: bool = False,
    variant: Variant | None = None,
) -> Iterator[ResultT]:
    """
    Generates ``function(game)`` for every game of *source*, in order.

    This process finds where games begin; those of *executor* read them and
    call *function*. That is any :class:`concurrent.futures.Executor`: a
    :class:`concurrent.futures.ProcessPoolExecutor`, or
    ``Client.get_executor()`` of dask for several machines. With processes,
    *function* and its results must be picklable: a function at the top level
    of a module.

    Without an executor *function* is tried on the first games. Where it
    takes less than 0.3 ms, more processes do not pay, and all games are read
    here. Else a pool of processes is started for the call, one for each
    processor.

    *batch* games go out at once, and no more than *in_flight* batches are on
    their way (by default four for each processor of this machine), so memory
    does not grow with the file. With *records* the function gets a
    :class:`Record` (with *comments* if asked for), which is several times
    faster than a :class:`Game`. *source* and *variant* are those of
    :func:`read_games`.

    >>> import concurrent.futures, io
    >>> pgn = '[Variant "Atomic"]\\n\\n1. Nf3 *\\n\\n[Variant "Atomic"]\\n\\n1. e4 e5 *\\n'
    >>> with concurrent.futures.ThreadPoolExecutor() as executor:
    ...     list(map_games(lambda game: game.end().ply(), io.StringIO(pgn), executor=executor))
    [1, 2]

    :raises: :exc:`GameError` that names the game on which *function* raised,
        with its exception as ``__cause__``, after the results of all games
        before. What :func:`read_games` raises.
    """
    if batch < 1:
        raise ValueError(f"expected batches of at least one game, got {batch}")
    limit = in_flight or 4 * (os.cpu_count() or 1)
    task = _Task(function, records, comments, resolve_variant(variant))
    with contextlib.ExitStack() as stack:
        feed = stack.enter_context(contextlib.closing(_Feed(source, task)))
        tried: _Results | None = None
        if executor is None:
            tried = task(feed.take(min(batch, _TRIAL)))
            if tried[1] or task.quickest < _WORTH_SENDING:
                yield from _give(tried)
                for games in feed.read_all():
                    yield from _give(task.call(games))
                return
            executor = stack.enter_context(_own_pool())
        pending: collections.deque[_Batch] = collections.deque()
        # When the caller stops early or is interrupted, what waits is not begun.
        stack.callback(lambda: [future.cancel() for future, _ in pending])
        while True:
            while len(pending) < limit and (items := feed.take(batch)):
                pending.append((executor.submit(task, items), f"while {_describe(items)} were with the executor"))
            if tried:
                yield from _give(tried)
                tried = None
            if not pending:
                break
            yield from _give(_result_of(pending.popleft()))
        if feed.failure:
            raise feed.failure


@contextlib.contextmanager
def _own_pool() -> Iterator[concurrent.futures.Executor]:
    """A pool that is shut down whatever happens: an interrupted ``submit`` may leave work that nobody does."""
    pool = concurrent.futures.ProcessPoolExecutor(initializer=_workers.begin, initargs=(signal.SIG_DFL,))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


_TRIAL = 8
"""The games that a function is tried on."""

_WORTH_SENDING = 0.0003
"""The seconds that a function must take for more processes to pay."""


class _Feed:
    """The games of a source, to be sent or to be read here."""

    def __init__(self, source: Source, task: _Task) -> None:
        self.task = task
        self.failure: SourceError | None = None
        self.reader: _bulk.Reader[Any] | None = None
        self.limit = 1
        self.is_local = False
        self.items = self._generate(source)

    def _generate(self, source: Source) -> Generator[Any, None, None]:
        for part in generate_parts(source):
            pieces, self.reader = _reading.open_pieces(part, comments=self.task.comments, variant=self.task.variant)
            self._set_up()
            yield from pieces

    def _set_up(self) -> None:
        if self.reader:
            self.reader.limit = self.limit
            if self.is_local and self.task.records:
                self.reader.form = "records"

    def close(self) -> None:
        self.items.close()

    def take(self, count: int) -> list[_reading.Piece]:
        """Items that hold *count* games, or a large part of a file, or what is left."""
        items: list[_reading.Piece] = []
        games = size = 0
        while games < count and size < _BATCH_SIZE:
            self.limit = min(count - games, _bulk.MAX_BATCH)
            self._set_up()
            try:
                item = next(self.items, None)
            except SourceError as error:
                self.failure = error
                break
            if item is None:
                break
            items.append(item)
            if isinstance(item, GameText):
                games += 1
                size += len(item.headers) + len(item.moves)
            else:
                games += item.games
                size += len(item.data)
        return items

    def read_all(self) -> Iterator[Iterable[Any]]:
        """All games that are left, some at a time."""
        if self.failure:
            raise self.failure
        self.limit, self.is_local = _bulk.MAX_BATCH, True
        self._set_up()
        for item in self.items:
            yield item if isinstance(item, list) else self.task.read(item)


def _describe(items: list[_reading.Piece]) -> str:
    first, last = items[0], items[-1]
    return f"games {first.number} to {last.number + (0 if isinstance(last, GameText) else last.games - 1)}"


_Results: TypeAlias = tuple[list[Any], tuple[GameError, Exception] | None]
"""The results of a batch, and the error that ended it."""

_Batch: TypeAlias = tuple["concurrent.futures.Future[_Results]", str]
"""The results to come of a batch, and which games are in it."""


class _Task:
    """What a worker does with a batch of games."""

    def __init__(
        self, function: Callable[[Any], Any], records: bool, comments: bool, variant: type[chess.Board] | None
    ) -> None:
        self.function = function
        self.records = records
        self.comments = comments
        self.variant = variant
        self.quickest = 0.0
        """The seconds that a call took at least."""

    def __call__(self, items: list[_reading.Piece]) -> _Results:
        times: list[float] = []
        results = self.call((game for item in items for game in self.read(item)), times)
        self.quickest = min(times, default=0.0)
        return results

    def call(self, games: Iterable[Any], times: list[float] | None = None) -> _Results:
        """Calls the function for *games*; notes how long it took in *times*."""
        results = []
        for game in games:
            start = time.perf_counter()
            try:
                results.append(self.function(game))
            except Exception as error:
                return results, (self.describe(game, error), _picklable(error))
            if times is not None:
                times.append(time.perf_counter() - start)
        return results, None

    def read(self, item: _reading.Piece) -> Iterable[Any]:
        """The games that *item* holds."""
        if self.records:
            return _reading.records_of(item, comments=self.comments, variant=self.variant)
        return _reading.games_of(item, variant=self.variant)

    def describe(self, game: Any, error: Exception) -> GameError:
        names = f"{game.headers.get('White', '?')} - {game.headers.get('Black', '?')}"
        function = getattr(self.function, "__name__", repr(self.function))
        reason = f"{function} raised {type(error).__name__}: {one_line(str(error), TEXT_LIMIT)}"
        return GameError(game.number, game.line, one_line(names, TEXT_LIMIT), reason, source=game.source)


def _result_of(batch: _Batch) -> _Results:
    future, place = batch
    try:
        return future.result()
    except Exception as trouble:  # A worker that died, a result that cannot be sent.
        trouble.add_note(place)
        raise


def _give(results: _Results) -> Iterator[Any]:
    values, failure = results
    yield from values
    if failure:
        error, cause = failure
        raise error from cause


def _picklable(error: Exception) -> Exception:
    """*error*, or a description of it if it cannot come back from a worker."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(repr(error))
    return error
