"""``annotate``: evaluations, better lines and verdicts of an engine for every game."""

from __future__ import annotations

import argparse
import contextlib
import functools
import hashlib
import json
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

import chess
import chess.engine
import chess.pgn

from .. import engine as engines
from .. import host, pgn
from ..engine._annotation import evaluated_by
from ..statistics import hint
from ..text import counted, one_line
from ._door import Door, UnusableError, add_files, describe_os_error, find_format
from ._journal import Journal
from ._terminal import progress

# So many games in a row that the engine fails to annotate end the work.
_MAX_FAILURES = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command."""
    parser.description = (
        "Annotates every game of a file. Each finished game is kept at once, in a file beside OUT.pgn; "
        "after an interruption the same command goes on where it stopped."
    )
    add_files(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT.pgn",
        required=True,
        help="where to write; .gz, .bz2 and .zst compress",
    )
    parser.add_argument("--engine", metavar="COMMAND", help="the command line of the engine; a usual one by default")
    parser.add_argument("--protocol", choices=["uci", "xboard"], default="uci", help="what the engine speaks")
    parser.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], type=_option, help="an option of the engine"
    )
    limit = parser.add_mutually_exclusive_group(required=True)
    limit.add_argument("--time", metavar="SECONDS", type=_positive(float), help="time for each position")
    limit.add_argument("--depth", metavar="PLIES", type=_positive(int), help="depth of search for each position")
    limit.add_argument("--nodes", metavar="N", type=_positive(int), help="nodes searched for each position")
    parser.add_argument("--multipv", metavar="N", type=_positive(int), default=1, help="lines shown at a bad move")
    parser.add_argument(
        "--keep-evaluations",
        action="store_true",
        help="believe the EvaluatedBy headers of the files that name this engine and limit",
    )
    parser.add_argument("--jobs", metavar="N", type=_positive(int), default=1, help="engines side by side")
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=_positive(float), default=20.0, help="when to give up on a silent engine"
    )


def run(args: argparse.Namespace, door: Door) -> int:
    """
    Annotates files.

    Returns 0 if all games are annotated, 1 if some could not be; with the
    door, 2 if a file or the engine cannot be used.
    """
    find_format(args.output, ("pgn",), "pgn")
    door.try_output(args.output)
    door.keep_input()
    journal = Journal(args.output)
    try:
        _Annotator(args, door, journal).run()
    finally:
        journal.close()
        if journal.is_kept:
            door.report(f"{journal.path} keeps what is done; run the same command again to go on")
    return door.status


class _StopError(Exception):
    """The work is to be interrupted."""


class _Annotator:
    """Works through a file with several engines, a thread each."""

    def __init__(self, args: argparse.Namespace, door: Door, journal: Journal) -> None:
        self.args = args
        self.door = door
        self.journal = journal
        self.read = functools.partial(pgn.read_games, variant=args.variant)
        self.old: set[str] = set()
        """The games that an old output holds."""
        self.limit = chess.engine.Limit(time=args.time, depth=args.depth, nodes=args.nodes)
        self.stop = threading.Event()
        self.local = threading.local()
        self.opened: list[engines.Engine] = []
        self.refused: dict[type[chess.Board], chess.engine.EngineError] = {}
        self.failures = 0
        self.evaluated = 0
        """Games that came with evaluations."""
        self.tick: Callable[[], object] = bool

    def run(self) -> None:
        self.take_old()
        executor = ThreadPoolExecutor(self.args.jobs)
        pending: set[Future[None]] = set()
        try:
            with progress(self.args.output, "positions") as self.tick:
                for number, key, game in _numbered(self.door.games(self.read, progress=False)):
                    pending.add(executor.submit(self.work, number, key, game))
                    if len(pending) >= 2 * self.args.jobs:
                        pending = self.collect(pending)
                    if self.failures >= _MAX_FAILURES:
                        raise chess.engine.EngineError("the engine failed in one game after another")
                while pending:
                    pending = self.collect(pending)
        except BaseException as error:
            self.stop.set()
            executor.shutdown(cancel_futures=True)
            try:
                self.write_finished()
            except UnusableError as trouble:  # What ends the work is what matters.
                self.door.report(trouble)
            if isinstance(error, chess.engine.EngineError):
                raise UnusableError(*str(error).splitlines()) from error
            raise
        else:
            self.write()
            if self.evaluated:
                what = "this engine's own are kept" if self.args.keep_evaluations else "they are replaced"
                self.door.report(f"{counted(self.evaluated, 'game')} came with evaluations; {what}")
        finally:
            executor.shutdown(cancel_futures=True)
            for opened in self.opened:
                opened.close()

    def take_old(self) -> None:
        """Takes what is annotated already in an old output."""
        output = self.args.output
        if not os.path.isfile(output):
            return
        try:
            for _, key, game in _numbered(self.read(output)):
                self.old.add(key)
                if key not in self.journal.places and engines.EVALUATED_BY in game.headers:
                    self.journal.put(key, game, finished=True, is_copy=True)
        except OSError as error:
            raise UnusableError(describe_os_error(error, output)) from error

    def write(self) -> None:
        """Writes the output: the games of the files in their order, annotated as far as they are."""
        with self.door.output(self.args.output) as output:
            for _, key, game in _numbered(self.door.games(self.read, again=True)):
                output.text.write((self.journal.text(key) or game.unread or str(game)) + "\n\n")
        if self.door.status < 2:
            self.journal.remove()

    def write_finished(self) -> None:
        """Writes the games that are finished, unless the old output has others, which would be lost."""
        if self.door.status == 2:
            return
        keys = (key for _, key, _ in _numbered(self.door.games(self.read, again=True)))
        finished = [key for key in keys if key in self.journal.finished]
        if finished and self.old <= set(finished):
            with self.door.output(self.args.output) as output:
                for key in finished:
                    output.text.write(f"{self.journal.text(key)}\n\n")

    def collect(self, pending: set[Future[None]]) -> set[Future[None]]:
        done, pending = wait(pending, return_when=FIRST_COMPLETED)
        for future in done:
            future.result()
        return pending

    def work(self, number: int, key: str, game: pgn.Game) -> None:
        """Annotates one game and keeps it, even if only a part could be done."""
        players = " - ".join(one_line(game.headers.get(color, "?"), 80) for color in ("White", "Black"))
        label = f"game {number}: {players}"
        for error in game.errors:
            self.door.fail(f"{label}: {error}", 1)
        if game.unread is not None:
            return  # Nobody knows what its moves are.
        if advice := hint(game):
            self.door.report(advice)
        try:
            opened = self.engine_for(type(game.board()))
            kept = self.journal.get(key)
            if kept is not None and kept.headers.get(engines.EVALUATED_BY) == evaluated_by(
                opened, self.limit, self.args.multipv
            ):
                game, resume = kept, True
            else:
                resume = self.args.keep_evaluations
                self.evaluated += any("[%eval " in host.comment(node) for node in game.mainline())
            engines.annotate(game, opened, self.limit, multipv=self.args.multipv, progress=self.check, resume=resume)
        except engines.EngineNotFoundError:
            raise
        except engines.UnsupportedVariantError as err:
            self.door.fail(f"{label}: {err}", 1)
        except ValueError as err:
            self.door.fail(f"{label}: {err}", 1)
        except _StopError:
            self.journal.put(key, game, finished=False)
        except engines.AnnotationError as err:
            self.door.fail(f"{label}: {err}", 1)
            self.journal.put(key, game, finished=False)
            self.failures += 1
            self.forget(type(game.board()))
        else:
            self.journal.put(key, game, finished=True)
            self.failures = 0
            self.door.report(label)

    def check(self, done: int, total: int) -> None:
        self.tick()
        if self.stop.is_set():
            raise _StopError

    def engine_for(self, board_class: type[chess.Board]) -> engines.Engine:
        """The engine of this thread for *board_class*."""
        if board_class in self.refused:
            raise self.refused[board_class]
        mine: dict[type[chess.Board], engines.Engine] = self.local.__dict__.setdefault("engines", {})
        if board_class not in mine:
            args = self.args
            try:
                mine[board_class] = engines.open_engine(
                    args.engine, board_class, protocol=args.protocol, options=dict(args.option), timeout=args.timeout
                )
            except engines.UnsupportedVariantError as err:
                self.refused[board_class] = err
                raise
            self.opened.append(mine[board_class])
        return mine[board_class]

    def forget(self, board_class: type[chess.Board]) -> None:
        self.local.engines.pop(board_class).close()


# --- Games and arguments --------------------------------------------------------


def _numbered(games: Iterator[pgn.Game]) -> Iterator[tuple[int, str, pgn.Game]]:
    """*games* with their numbers, and names that stay the same when they are annotated."""
    seen: Counter[str] = Counter()
    for number, game in enumerate(games, start=1):
        roster = [game.headers.get(name, "") for name in (*chess.pgn.TAG_ROSTER, "Variant", "FEN")]
        moves = [move.uci() for move in game.mainline_moves()]
        key = hashlib.sha256(json.dumps([roster, moves]).encode()).hexdigest()
        seen[key] += 1
        yield number, f"{key}-{seen[key]}", game


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got {text!r}")
    return name, value


def _positive(kind: type[float] | type[int]) -> Any:
    def parse(text: str) -> float:
        with contextlib.suppress(ValueError):
            number = kind(text)
            if 0 < number < float("inf"):
                return number
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")

    return parse
