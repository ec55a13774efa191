"""
Reading one file by several threads, in the order of its games.

The text is cut where games seem to begin. Each thread reads from its cut to
the next, and a part counts only if the part before ended exactly where it
begins; else it is read again from there. So the answers are those of one thread.
"""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import chess

from ..variants import version
from ._bulk import MAX_BATCH, Form, Reader
from ._source import Source
from ._splitter import MAX_GAME_SIZE, GameText
from .record import Record

if TYPE_CHECKING:
    from ..kernel._kernel import Scanner

T = TypeVar("T")

_PART_SIZE = 2**18
"""What a thread reads in one go, in bytes."""

_MAX_SIZE = 2**22
"""A text in which no game seems to begin is read by one thread from this size on."""


class _NoThreads(concurrent.futures.Executor):
    """Does at once what is handed to it: some systems have no threads."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        try:
            future.set_result(function(*args, **kwargs))
        except BaseException as error:  # Raised where the result is asked for.
            future.set_exception(error)
        return future


class _Read(NamedTuple, Generic[T]):
    """A part of the text that a thread has read."""

    batches: list[tuple[int, T]]
    """How many games each has, and what they were made to."""
    position: int
    line: int
    """Where it stopped."""
    is_unusual: bool
    """Whether the next game is one for Python."""


class _Task(NamedTuple, Generic[T]):
    """A part of the text that a thread is reading."""

    text: bytes
    base: int
    """Where the text begins in the file."""
    end: int
    """Where the next part begins in the text."""
    is_last: bool
    """Whether no more of the text has been handed out."""
    scanner: tuple[int, Scanner]
    future: concurrent.futures.Future[_Read[T]]


class ThreadedReader(Reader[Record], Generic[T]):
    """
    A :class:`Reader` that makes *make* of what the kernel reads, in threads.

    *make* gets a batch of the kernel or a single record that Python read, and
    may run in several threads at once.
    """

    def __init__(
        self,
        source: Source,
        form: Form,
        read: Callable[[GameText], Record],
        make: Callable[[Any], T],
        *,
        workers: int,
        comments: bool = False,
        variant: type[chess.Board] | None = None,
    ) -> None:
        super().__init__(source, form, read, comments=comments, variant=variant)
        self.make = make
        self.workers = workers
        self.base = 0  # Where the text begins in the file.
        self.is_handed_out = False  # The text, to its end. Its position is where the next part begins.
        self.scanners = [(self.version, self.scanner)]

    def generate(self) -> Generator[tuple[int, T], None, None]:
        """What *make* makes, each with the number of its first game."""
        tasks: collections.deque[_Task[T]] = collections.deque()
        threads = concurrent.futures.ThreadPoolExecutor(self.workers) if self.workers > 1 else _NoThreads()
        with contextlib.closing(self.chunks), threads as pool:
            while True:
                while len(tasks) <= self.workers and not self.is_handed_out:
                    tasks.append(self._hand_out(pool))
                task = tasks.popleft()
                part = task.future.result()
                self.scanners.append(task.scanner)
                for count, made in part.batches:
                    yield self.number, made
                    self.number += count
                if not (part.is_unusual or task.is_last) and part.position == task.end:
                    continue
                self._go_back(task, part, tasks)
                is_stuck = not part.batches and len(self.text) > 2 * MAX_GAME_SIZE
                if part.is_unusual or (task.is_last and (self.failure or is_stuck)):
                    for record in self.read_unusual():
                        yield record.number, self.make(record)
                elif task.is_last and self.is_all:
                    return
                elif task.is_last:
                    self.fetch()

    def fetch(self) -> None:
        self.base += self.position
        super().fetch()

    def _hand_out(self, pool: concurrent.futures.Executor) -> _Task[T]:
        """Has a thread read from the position to where the next game seems to begin."""
        while True:
            end = self.text.find(b"\n[Event ", self.position + _PART_SIZE) + 1
            is_last = self.is_all or self.failure is not None or len(self.text) - self.position > _MAX_SIZE
            if end or is_last:
                break
            self.fetch()
        self.is_handed_out = not end
        end = end or len(self.text)
        scanner = self._take_scanner()
        future = pool.submit(self._read_part, scanner[1], self.text, self.position, self.line, end, self.is_all)
        task = _Task(self.text, self.base, end, self.is_handed_out, scanner, future)
        self.line += self.text.count(b"\n", self.position, end)
        self.position = end
        return task

    def _take_scanner(self) -> tuple[int, Scanner]:
        if self.version != version():  # A scanner remembers what the names of variants meant.
            self.version = version()
            self.scanners.clear()
        while self.scanners:
            scanner = self.scanners.pop()
            if scanner[0] == self.version:
                return scanner
        return self.version, self.make_scanner()

    def _go_back(self, task: _Task[T], part: _Read[T], tasks: collections.deque[_Task[T]]) -> None:
        """Forgets what else was handed out: the text begins where *part* stopped."""
        concurrent.futures.wait([other.future for other in tasks])
        pieces = [task.text[part.position :]]
        covered = task.base + len(task.text)
        for text, base in (*((other.text, other.base) for other in tasks), (self.text, self.base)):
            if base + len(text) > covered:
                pieces.append(text[covered - base :])
                covered = base + len(text)
        self.scanners += (other.scanner for other in tasks)
        tasks.clear()
        self.text = b"".join(pieces)
        self.base = task.base + part.position
        self.position, self.line = 0, part.line
        self.is_handed_out = False

    def _read_part(self, scanner: Scanner, text: bytes, position: int, line: int, until: int, is_all: bool) -> _Read[T]:
        batches: list[tuple[int, T]] = []
        limit = MAX_BATCH
        while True:
            try:
                batch, count, position, line, is_unusual = scanner.scan(
                    text, position, self.form, is_all, 1, line, limit, until
                )
            except OverflowError:  # Too many different headers for a table.
                limit = 1
                continue
            if count:
                batches.append((count, self.make(batch)))
            if is_unusual or count < limit:
                return _Read(batches, position, line, is_unusual)
