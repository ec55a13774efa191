"""Applying a function to every game of a file, on many processes or machines."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import os
import pickle
import signal
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import chess

from ..text import one_line
from ._parser import parse_game
from ._source import Source, generate_lines, source_name
from ._splitter import GameText, generate_texts
from .errors import TEXT_LIMIT, GameError
from .game import GameBuilder, Variant, resolve_variant
from .record import read_record

ResultT = TypeVar("ResultT")

_BATCH_SIZE = 2**20
"""The most characters of a batch, unless a single game has more."""


def map_games(
    function: Callable[[Any], ResultT],
    source: Source,
    *,
    executor: concurrent.futures.Executor | None = None,
    batch: int = 64,
    in_flight: int | None = None,
    records: bool = False,
    comments: bool = False,
    variant: Variant | None = None,
) -> Iterator[ResultT]:
    """
    Generates ``function(game)`` for every game of *source*, in order.

    This process cuts the file into games; those of *executor* read them and
    call *function*. That is any :class:`concurrent.futures.Executor`: a
    :class:`~concurrent.futures.ProcessPoolExecutor`, or
    ``Client.get_executor()`` of dask for several machines. Without one, a
    pool of processes is started for the call, one for each processor. With
    processes, *function* and its results must be picklable: a function at
    the top level of a module.

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
        if executor is None:
            executor = stack.enter_context(
                concurrent.futures.ProcessPoolExecutor(
                    initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_DFL)
                )
            )
        pending: collections.deque[_Batch] = collections.deque()
        # When the caller stops early or is interrupted, what waits is not begun.
        stack.callback(lambda: [future.cancel() for future, _ in pending])
        for texts in _generate_batches(source, batch):
            place = f"while games {texts[0].number} to {texts[-1].number} were with the executor"
            pending.append((executor.submit(task, texts), place))
            if len(pending) >= limit:
                yield from _unpack(pending.popleft())
        while pending:
            yield from _unpack(pending.popleft())


def _generate_batches(source: Source, batch: int) -> Iterator[list[GameText]]:
    texts: list[GameText] = []
    size = 0
    for text in generate_texts(generate_lines(source), source_name(source)):
        texts.append(text)
        size += len(text.headers) + len(text.moves)
        if len(texts) >= batch or size >= _BATCH_SIZE:
            yield texts
            texts, size = [], 0
    if texts:
        yield texts


_Results = tuple[list[Any], tuple[GameError, Exception] | None]
"""The results of a batch, and the error that ended it."""

_Batch = tuple["concurrent.futures.Future[_Results]", str]
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

    def __call__(self, texts: list[GameText]) -> _Results:
        results = []
        for text in texts:
            game = self.read(text)
            try:
                results.append(self.function(game))
            except Exception as error:
                return results, (self.describe(text, game, error), _picklable(error))
        return results, None

    def read(self, text: GameText) -> Any:
        if self.records:
            return read_record(text, comments=self.comments, variant=self.variant)
        return parse_game(text, GameBuilder(), variant=self.variant)

    def describe(self, text: GameText, game: Any, error: Exception) -> GameError:
        names = f"{game.headers.get('White', '?')} - {game.headers.get('Black', '?')}"
        function = getattr(self.function, "__name__", repr(self.function))
        reason = f"{function} raised {type(error).__name__}: {one_line(str(error), TEXT_LIMIT)}"
        return GameError(text.number, text.line, one_line(names, TEXT_LIMIT), reason, source=text.source)


def _unpack(batch: _Batch) -> Iterator[Any]:
    future, place = batch
    try:
        values, failure = future.result()
    except Exception as trouble:  # A worker that died, a result that cannot be sent.
        trouble.add_note(place)
        raise
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
