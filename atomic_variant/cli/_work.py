"""What the commands have in common that search for wins: how far, on how many processes, and until when."""

from __future__ import annotations

import argparse
import concurrent.futures
import signal
import threading
from collections.abc import Iterable, Iterator
from typing import TypeVar

from ..pgn import _workers
from ..tactics._search import MAX_MOVES
from ._door import Door

T = TypeVar("T")


def moves(text: str) -> int:
    """The length of a win, as an argument."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    if not 1 <= number <= MAX_MOVES:
        raise argparse.ArgumentTypeError(f"expected from 1 to {MAX_MOVES} moves, got {text!r}")
    return number


def add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jobs", type=_jobs, default=1, metavar="N", help="processes that search at once (default: 1)")


def _jobs(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number of processes, got {text!r}")
    return number


class Work:
    """A long search: on several processes, and with what was found if it is interrupted."""

    def __init__(self, door: Door, jobs: int) -> None:
        self.door = door
        self.jobs = jobs
        self.status = 0
        """The exit status: 130 once it was interrupted."""

    def executor(self) -> concurrent.futures.Executor | None:
        """Processes to search on, until the command is done; ``None`` for this one alone."""
        if self.jobs == 1:
            return None
        # Ctrl-C goes to all processes; this one alone says what it means.
        executor = concurrent.futures.ProcessPoolExecutor(
            self.jobs, initializer=_workers.begin, initargs=(signal.SIG_IGN,)
        )
        return self.door.stack.enter_context(executor)

    def until_interrupted(self, items: Iterable[T]) -> Iterator[T]:
        """
        *items*, to Ctrl-C at the latest, after which what was found is kept.

        The first Ctrl-C waits for the game that is searched, the second does not.
        """
        is_ours = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        if is_ours:
            signal.signal(signal.SIGINT, self._interrupt)
        try:
            for item in items:
                yield item
                if self.status:
                    break
        except KeyboardInterrupt:
            self.status = 130
        finally:
            if is_ours:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            if self.status:
                self.door.report("interrupted; what was found until then is kept")

    def _interrupt(self, number: int, frame: object) -> None:
        # Raised just anywhere, an exception could end the writing of a row.
        if self.status:
            raise KeyboardInterrupt
        self.status = 130
