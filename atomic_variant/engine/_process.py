"""
Engine processes that cannot harm: the protocols of :mod:`chess.engine`, guarded.

:mod:`chess.engine` speaks UCI and XBoard and is trusted to. What this module
adds is distrust of the program at the other end. An engine that stays silent,
dies, answers an illegal move or floods us with output is stopped together
with every process in its group, and the command that was waiting for it
raises an error that says what happened; so does every later one.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import functools
import logging
import math
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeVar

import chess
import chess.engine
from chess.engine import ConfigMapping, Limit, PlayResult

from ..text import one_line
from ._errors import (
    EngineNotFoundError,
    EngineOutputError,
    EngineTimeoutError,
    UnsupportedVariantError,
)
from ._rules import Way, ways_to_play

T = TypeVar("T")

LOGGER = logging.getLogger(__name__)

# What an engine may print: a burst, then so much a second. Busy engines stay
# far below. A line costs extra, since each is parsed, and often kept.
_BURST = 8 * 2**20
_BYTES_PER_SECOND = 2 * 2**20
_LINE_COST = 256
_MAX_LINE = 2**20

# A search without a time limit may take so many times the timeout to get
# deeper, and so many in all. Lines that tell nothing new gain no time.
_STUCK = 10
_PATIENCE = 100

# Lines of standard error that are kept from the beginning, and from the end.
_WORDS = 5


@dataclass(frozen=True)
class Recipe:
    """How to start an engine, and what to expect from it."""

    command: tuple[str, ...]
    board_class: type[chess.Board]
    protocol: Literal["uci", "xboard"] = "uci"
    options: ConfigMapping = field(default_factory=dict)
    timeout: float | None = None
    way: Way | None = None
    """How the engine plays the variant of *board_class*, once that is known."""


class GuardedProtocol(chess.engine.Protocol):
    """A protocol whose engine is stopped as soon as it misbehaves."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        self.recipe = recipe
        self.fault: chess.engine.EngineError | None = None
        """Why the engine was stopped."""
        self.closed = False
        """Whether the engine was stopped because we wanted it."""
        self.remedy = "open it again"
        """What helps when the engine has ended."""
        self.first_words: list[str] = []
        """The first lines of its standard error: scripts name the fault there."""
        self.last_words: collections.deque[str] = collections.deque(maxlen=_WORDS)
        """The last lines of its standard error: most programs name it there."""
        self._watches: set[asyncio.Future[None]] = set()
        self._allowance = float(_BURST)
        self._heard = self._deepened = self._refilled = self.loop.time()
        self._depth = 0
        self._begun = {1: bytearray(), 2: bytearray()}
        """Lines that have no end yet, of its output and its standard error."""

    @property
    def name(self) -> str:
        """What the engine calls itself, or else its command."""
        return one_line(self.id.get("name") or " ".join(self.recipe.command))

    @property
    def variants(self) -> list[str]:
        """The variants that the engine announces."""
        raise NotImplementedError

    def plays(self, way: Way) -> bool:
        """Whether the engine announces the variant of *way*."""
        raise NotImplementedError

    @classmethod
    async def start(cls, recipe: Recipe) -> tuple[asyncio.SubprocessTransport, GuardedProtocol]:
        """Starts the engine in a process group of its own, and initializes it."""
        loop = asyncio.get_running_loop()
        popen_args: dict[str, Any] = {"process_group": 0}
        if os.name == "nt":
            popen_args = {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
        try:
            transport, protocol = await loop.subprocess_exec(
                lambda: cls(recipe), *recipe.command, stderr=subprocess.PIPE, **popen_args
            )
        except OSError as err:
            command = " ".join(recipe.command)
            raise EngineNotFoundError(f"cannot start the engine {command!r}: {err.strerror or err}") from err
        try:
            await protocol.initialize()
        except BaseException:
            await protocol.stop()
            raise
        return transport, protocol

    # --- Stopping -------------------------------------------------------------

    def kill(self) -> None:
        """Kills the engine and every process in its group, at once."""
        if self.transport is not None:
            running = self.transport.get_returncode() is None
            self.closed = self.closed or running
            # First the engine, by the loop, which then knows its end. This
            # closes the pipes too, which a stray process may hold open.
            self.transport.close()
            if running:
                self._kill_group()

    async def stop(self) -> None:
        """Kills the engine and waits until it is gone."""
        self.kill()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self.returncode), 5.0)

    def _kill_group(self) -> None:
        assert self.transport is not None
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.transport.get_pid(), signal.SIGKILL)

    def process_exited(self) -> None:
        super().process_exited()
        assert self.transport is not None
        self._kill_group()  # Its children, if any: they keep the group alive.
        self.loop.call_later(1.0, self.transport.close)

    def blame(self, fault: chess.engine.EngineError) -> None:
        """Stops the engine because of *fault*; the command under way raises it."""
        if self.fault is None:
            self.fault = fault
            LOGGER.debug("%s: %s", self, fault)
        self.kill()

    def ending(self) -> str:
        """How the engine came to its end, in words."""
        if self.fault is not None:
            return str(self.fault)
        if self.closed:
            return f"{self.name} was closed"
        code = self.returncode.result() if self.returncode.done() else None
        words = self._dying_words()
        return f"{self.name} died (exit code {code}){': ' if words else ''}{words}"

    def _dying_words(self) -> str:
        said = [*self.first_words, *self.last_words]
        if self._begun[2]:
            said.append(self._begun[2].decode("utf-8", "replace"))
        if any("Failed to parse URL" in line for line in said):
            # Node.js 18 and newer fetch files as if they were web pages.
            return "under Node.js it has to be started as 'node --no-experimental-fetch SCRIPT'"
        return " / ".join(one_line(line, 150) for line in said)

    # --- Output ---------------------------------------------------------------

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        if self.fault is not None:
            return
        assert isinstance(data, bytes)
        *lines, rest = data.split(b"\n")
        if lines:
            lines[0], self._begun[fd] = bytes(self._begun[fd] + lines[0]), bytearray()
        self._begun[fd] += rest
        if not self._afford(len(data) + _LINE_COST * len(lines)):
            self.blame(EngineOutputError(f"{self.name} floods its output and was stopped"))
            return
        try:
            # A line at a time: the host copies what is left after each line.
            for line in lines:
                edited = self._edited(line) if fd == 1 else line
                if edited is None:
                    LOGGER.debug("%s: >> %s (passed over)", self, line)
                else:
                    super().pipe_data_received(fd, edited + b"\n")
        except chess.engine.EngineError as err:
            self.blame(err)
        except Exception as err:
            # A line that the host does not expect must not stop the reading.
            self.blame(EngineOutputError(f"{self.name} sent nonsense and was stopped: {one_line(err)}"))
        if len(self._begun[fd]) > _MAX_LINE:
            self.blame(EngineOutputError(f"{self.name} sent a line without an end and was stopped"))

    def _edited(self, line: bytes) -> bytes | None:
        """*line* without what the host would stumble over, or ``None`` if it is better not shown at all."""
        return line

    def _hear(self, depth: int | None) -> None:
        """Notes that the engine reports of a search, at *depth* if it says."""
        self._heard = self.loop.time()
        if depth is not None and depth > self._depth:
            self._depth = depth
            self._deepened = self._heard

    def _serves_host(self) -> bool:
        """Whether the command under way is one of python-chess: commands of others may expect any line."""
        return type(self.command).__module__ == chess.engine.__name__

    def _is_pinged(self) -> bool:
        """Whether python-chess waits for no more than a sign of life."""
        return self._serves_host() and "Ping" in type(self.command).__name__

    def _afford(self, cost: int) -> bool:
        now = self.loop.time()
        self._allowance = min(_BURST, self._allowance + (now - self._refilled) * _BYTES_PER_SECOND) - cost
        self._refilled = now
        return self._allowance >= 0

    def error_line_received(self, line: str) -> None:
        LOGGER.debug("%s: stderr >> %s", self, line)
        if line.strip():
            (self.first_words if len(self.first_words) < _WORDS else self.last_words).append(line[:200])

    # --- Commands -------------------------------------------------------------

    async def guard(self, command: Awaitable[T], what: str, seconds: float | None = 0.0) -> T:
        """
        Runs *command*, and stops the engine if it does not do *what* in time.

        It may take *seconds* and the timeout on top. If ``None``, a search
        without a time limit, it may be silent for one timeout, get no deeper
        for ten, and take a hundred in all.
        """
        started = self.loop.time()
        late = self.fault is not None or self.returncode.done()
        task = asyncio.ensure_future(command)
        try:
            while not task.done() and not self.returncode.done():
                left = self._time_left(started, seconds)
                if left is not None and left <= 0:
                    took = self.loop.time() - started
                    self.blame(EngineTimeoutError(f"{self.name} did not {what} within {took:.1f} s and was stopped"))
                    break
                waiting: set[asyncio.Future[Any]] = {task, self.returncode}
                await asyncio.wait(waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                # The death of the engine ends its commands, except those that it had not begun.
                await asyncio.wait({task}, timeout=0.2 if self.returncode.done() else 5.0)
            if not task.done():
                raise chess.engine.EngineTerminatedError("engine process dead")
            return task.result()
        except chess.engine.EngineTerminatedError as err:
            if late:
                raise self.obituary() from err
            raise self.fault or chess.engine.EngineTerminatedError(self.ending()) from err
        finally:
            task.cancel()

    def obituary(self) -> chess.engine.EngineTerminatedError:
        """The error for whoever calls an engine that has ended."""
        return chess.engine.EngineTerminatedError(f"{self.ending()}; {self.remedy}")

    def _time_left(self, started: float, seconds: float | None) -> float | None:
        timeout = self.recipe.timeout
        if timeout is None:
            return None
        if seconds is not None:
            deadline = started + timeout + seconds
        else:
            deadline = min(
                max(started, self._heard) + timeout,
                max(started, self._deepened) + timeout * _STUCK,
                started + timeout * _PATIENCE,
            )
        return deadline - self.loop.time()

    async def initialize(self) -> None:
        hint = f"speak {'UCI' if self.recipe.protocol == 'uci' else 'XBoard'} (is that its protocol?)"
        try:
            await self.guard(super().initialize(), hint)  # type: ignore[safe-super]
        except chess.engine.EngineTerminatedError:
            raise
        except chess.engine.EngineError as err:
            raise EngineOutputError(f"{self.name} did not {hint}: {one_line(err)}") from err

    async def ping(self) -> None:
        await self.guard(super().ping(), "answer a ping")  # type: ignore[safe-super]

    async def configure(self, options: ConfigMapping) -> None:
        await self.guard(super().configure(options), "take its options")  # type: ignore[safe-super]

    async def quit(self) -> None:
        self.closed = True
        await self.guard(super().quit(), "quit")  # type: ignore[safe-super]

    async def play(self, board: chess.Board, limit: Limit, **kwargs: Any) -> PlayResult:
        board = self._prepared(board, limit, kwargs)
        self._restrict(board, kwargs, analysing=False)
        seconds = _seconds(limit, board.turn)
        return await self.guard(super().play(board, limit, **kwargs), "find a move", seconds)  # type: ignore[safe-super]

    async def analyse(self, board: chess.Board, limit: Limit, **kwargs: Any) -> Any:
        seconds = _seconds(limit, board.turn)
        return await self.guard(super().analyse(board, limit, **kwargs), "analyse a position", seconds)

    async def analysis(self, board: chess.Board, limit: Limit | None = None, **kwargs: Any) -> Any:
        board = self._prepared(board, limit, kwargs)
        self._restrict(board, kwargs, analysing=True)
        analysis = await self.guard(super().analysis(board, limit, **kwargs), "start to analyse")  # type: ignore[safe-super]
        watch = asyncio.ensure_future(self._watch(analysis, limit, board.turn))
        self._watches.add(watch)
        watch.add_done_callback(self._watches.discard)
        return analysis

    async def _watch(self, analysis: chess.engine.AnalysisResult, limit: Limit | None, turn: chess.Color) -> None:
        """Sees to it that reading an analysis with a limit comes to an end too."""
        finished = analysis.wait()
        with contextlib.suppress(chess.engine.EngineError):  # Raised to the reader, if there is one.
            if limit is None:
                await finished
            else:
                await self.guard(asyncio.shield(finished), "finish its analysis", _seconds(limit, turn))

    def _prepared(self, board: chess.Board, limit: Limit | None, kwargs: dict[str, Any]) -> chess.Board:
        """
        *board* as the engine knows it, with *kwargs* that it can follow.

        What the caller did wrong is said here, before the engine hears of it.
        """
        if limit is not None:
            _check_limit(limit)
        if kwargs.get("root_moves") is not None:
            kwargs["root_moves"] = _checked(board, kwargs["root_moves"])
        return self.translate(board)

    # --- Dialects -------------------------------------------------------------

    def translate(self, board: chess.Board) -> chess.Board:
        """
        *board* under the name by which the engine knows its variant.

        :raises: :exc:`UnsupportedVariantError` for a board of another class
            than the engine was opened for, unless it plays that exactly too.
        """
        way = self._way(type(board))
        if way is None:
            return board
        renamed = _renamed(type(board), way.uci, way.xboard)  # type: ignore[arg-type] # Classes are hashable.
        if renamed is not type(board):
            board = board.copy()
            board.__class__ = renamed
        return board

    def _way(self, board_class: type[chess.Board]) -> Way | None:
        way, opened_for = self.recipe.way, self.recipe.board_class
        if way is None or board_class.uci_variant == opened_for.uci_variant:
            return way
        for other in ways_to_play(board_class):
            if other.limit is None and other.config is None and self.plays(other):
                return other
        raise UnsupportedVariantError(
            f"{self.name} was opened for {opened_for.aliases[0]} and cannot play {board_class.aliases[0]} as it is: "
            f"open an engine for that with open_engine(command, {board_class.__name__})"
        )

    def _restrict(self, board: chess.Board, kwargs: dict[str, Any], *, analysing: bool) -> None:
        """Keeps an engine with other rules to our legal moves, where its protocol can."""


# --- Helpers ------------------------------------------------------------------


def _seconds(limit: Limit, turn: chess.Color) -> float | None:
    """How long *limit* lets the engine think, if it says."""
    if limit.time is not None:
        return limit.time
    clock, increment = (limit.white_clock, limit.white_inc) if turn else (limit.black_clock, limit.black_inc)
    return clock + (increment or 0.0) if clock is not None else None


def _check_limit(limit: Limit) -> None:
    """Raises an error for a limit that could not be written down for an engine."""
    for part in fields(limit):
        value = getattr(limit, part.name)
        if part.name != "clock_id" and value is not None and not math.isfinite(value):
            raise ValueError(f"the {part.name} of the limit is {value}")


def _checked(board: chess.Board, root_moves: Iterable[chess.Move]) -> list[chess.Move]:
    """*root_moves* as the engine would write them, all of them legal."""
    moves = []
    for move in root_moves:
        try:
            moves.append(board.parse_uci(move.uci()))
        except ValueError:
            moves.append(chess.Move.null())
        if not moves[-1]:
            raise chess.IllegalMoveError(f"the root move {move.uci()} is illegal in {board.fen()}")
    if not moves:
        raise ValueError("root_moves is empty: leave it out to let the engine consider all moves")
    return moves


@functools.lru_cache(maxsize=64)
def _renamed(board_class: type[chess.Board], uci: str, xboard: str) -> type[chess.Board]:
    if (board_class.uci_variant, board_class.xboard_variant) == (uci, xboard):
        return board_class
    names = {"uci_variant": uci, "xboard_variant": xboard, "__module__": __name__}
    return type(board_class.__name__, (board_class,), names)
