"""``annotate``: evaluations, better lines and verdicts of an engine for every game."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn

from .. import engine as engines
from .. import pgn
from ..engine._annotation import evaluated_by

# So many games in a row that the engine fails to annotate end the work.
_MAX_FAILURES = 3


def add_parser(subparsers: Any) -> None:
    """Describes the arguments of the command."""
    parser = subparsers.add_parser(
        "annotate",
        help="add evaluations and better lines of an engine",
        description="Annotates every game of a file. Each finished game is kept at once, in a file beside OUT.pgn; "
        "after an interruption the same command goes on where it stopped.",
    )
    parser.add_argument("file", metavar="GAMES.pgn", type=Path, help="a PGN file")
    parser.add_argument("-o", "--output", metavar="OUT.pgn", type=Path, required=True, help="where to write")
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
    parser.add_argument("--jobs", metavar="N", type=_positive(int), default=1, help="engines side by side")
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=_positive(float), default=20.0, help="when to give up on a silent engine"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """
    Annotates a file.

    Returns 0 if all games are annotated, 1 if some could not be, 2 if the
    file or the engine cannot be used.
    """
    if args.output.exists() and args.output.samefile(args.file):
        return _fail(f"{args.output}: would overwrite the games; name another file")
    try:
        with _Journal(args.output) as journal:
            return _Annotator(args, journal).run()
    except OSError as err:
        return _fail(f"{err.filename or args.file}: {err.strerror or err}")
    except ImportError as err:
        return _fail(f"{args.file}: {err}")


class _StopError(Exception):
    """The work is to be interrupted."""


class _Annotator:
    """Works through a file with several engines, a thread each."""

    def __init__(self, args: argparse.Namespace, journal: _Journal) -> None:
        self.args = args
        self.journal = journal
        self.limit = chess.engine.Limit(time=args.time, depth=args.depth, nodes=args.nodes)
        self.stop = threading.Event()
        self.local = threading.local()
        self.opened: list[engines.Engine] = []
        self.refused: dict[type[chess.Board], chess.engine.EngineError] = {}
        self.failures = 0
        self.status = 0

    def run(self) -> int:
        executor = ThreadPoolExecutor(self.args.jobs)
        pending: set[Future[None]] = set()
        try:
            for number, key, game in _numbered(self.args.file):
                pending.add(executor.submit(self.work, number, key, game))
                if len(pending) >= 2 * self.args.jobs:
                    pending = self.collect(pending)
                if self.failures >= _MAX_FAILURES:
                    raise chess.engine.EngineError("the engine failed in one game after another")
            while pending:
                pending = self.collect(pending)
        except chess.engine.EngineError as err:
            self.interrupt(executor)
            return _fail(str(err))
        except BaseException:
            self.interrupt(executor)
            print(f"{self.journal.path} keeps what is done; run the same command again to go on", file=sys.stderr)
            raise
        else:
            self.journal.finish(self.args.file)
        finally:
            executor.shutdown(cancel_futures=True)
            for opened in self.opened:
                opened.close()
        return self.status

    def interrupt(self, executor: ThreadPoolExecutor) -> None:
        """Stops after the positions that are being searched, and writes out what there is."""
        self.stop.set()
        executor.shutdown(cancel_futures=True)
        if self.journal.finished:
            self.journal.write(self.args.file, only_finished=True)

    def collect(self, pending: set[Future[None]]) -> set[Future[None]]:
        done, pending = wait(pending, return_when=FIRST_COMPLETED)
        for future in done:
            future.result()
        return pending

    def work(self, number: int, key: str, game: chess.pgn.Game) -> None:
        """Annotates one game and keeps it, even if only a part could be done."""
        label = f"game {number}: {game.headers.get('White', '?')} - {game.headers.get('Black', '?')}"
        for error in game.errors:
            self.complain(f"{label}: {error}")
        try:
            opened = self.engine_for(type(game.board()))
            kept = self.journal.get(key)
            if kept is not None and kept.headers.get(engines.EVALUATED_BY) == evaluated_by(
                opened, self.limit, self.args.multipv
            ):
                game = kept
            engines.annotate(game, opened, self.limit, multipv=self.args.multipv, progress=self.check)
        except engines.EngineNotFoundError:
            raise
        except engines.UnsupportedVariantError as err:
            self.complain(f"{label}: {err}")
        except ValueError as err:
            self.complain(f"{label}: {err}")
        except _StopError:
            self.journal.put(key, game, finished=False)
        except engines.AnnotationError as err:
            self.complain(f"{label}: {err}")
            self.journal.put(key, game, finished=False)
            self.failures += 1
            self.forget(type(game.board()))
        else:
            self.journal.put(key, game, finished=True)
            self.failures = 0
            print(label, file=sys.stderr)

    def check(self, done: int, total: int) -> None:
        if self.stop.is_set():
            raise _StopError

    def complain(self, text: str) -> None:
        self.status = 1
        print(text, file=sys.stderr)

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


class _Journal:
    """
    The games annotated so far, in a file beside the output.

    A line for each game, written when it is finished, so that nothing is lost
    however the work ends. A last line that was cut off is ignored.
    """

    def __init__(self, output: Path) -> None:
        self.output = output
        self.path = output.with_name(output.name + ".part")
        self.lock = threading.Lock()
        self.places: dict[str, int] = {}
        self.finished: set[str] = set()

    def __enter__(self) -> _Journal:
        self.handle = open(self.path, "a+b")  # Closed by __exit__.
        self.handle.seek(0)
        place = 0
        for line in self.handle:
            try:
                record = json.loads(line)
                self._note(record["key"], place, record["finished"])
            except (ValueError, KeyError, TypeError):
                pass  # Cut off.
            place += len(line)
        if place and not line.endswith(b"\n"):
            self.handle.write(b"\n")
        if self.output.exists():
            for _, key, game in _numbered(self.output):
                if key not in self.places and engines.EVALUATED_BY in game.headers:
                    self.put(key, game, finished=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.handle.close()
        if not self.places:
            self.path.unlink(missing_ok=True)

    def put(self, key: str, game: chess.pgn.Game, *, finished: bool) -> None:
        record = json.dumps({"key": key, "finished": finished, "pgn": str(game)})
        with self.lock:
            place = self.handle.seek(0, os.SEEK_END)
            self.handle.write(record.encode() + b"\n")
            self.handle.flush()
            self._note(key, place, finished)

    def _note(self, key: str, place: int, finished: bool) -> None:
        self.places[key] = place
        (self.finished.add if finished else self.finished.discard)(key)

    def get(self, key: str) -> chess.pgn.Game | None:
        text = self._text(key)
        return pgn.read_game(io.StringIO(text)) if text is not None else None

    def _text(self, key: str) -> str | None:
        with self.lock:
            if key not in self.places:
                return None
            self.handle.seek(self.places[key])
            text: str = json.loads(self.handle.readline())["pgn"]
            return text

    def write(self, source: Path, *, only_finished: bool = False) -> None:
        """Writes the output: the games of *source* in their order, annotated as far as they are."""
        temporary = self.output.with_name(self.output.name + ".new")
        with open(temporary, "w", encoding="utf-8") as handle:
            for _, key, game in _numbered(source):
                if key in self.finished or not only_finished:
                    handle.write((self._text(key) or str(game)) + "\n\n")
        os.replace(temporary, self.output)

    def finish(self, source: Path) -> None:
        self.write(source)
        self.handle.close()
        self.path.unlink()


# --- Games and arguments --------------------------------------------------------


def _numbered(source: Path) -> Iterator[tuple[int, str, chess.pgn.Game]]:
    """The games with their numbers, and names that stay the same when they are annotated."""
    seen: Counter[str] = Counter()
    for number, game in enumerate(pgn.read_games(source), start=1):
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


def _fail(text: str) -> int:
    print(text, file=sys.stderr)
    return 2
