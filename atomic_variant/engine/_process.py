"""
Engine processes that cannot harm: the protocols of :mod:`chess.engine`, guarded.

:mod:`chess.engine` speaks UCI and XBoard and is trusted to. What this module
adds is distrust of the program at the other end. An engine that stays silent,
dies, answers an illegal move or floods us with output is stopped together
with every process that it started, and the command that was waiting for it
raises an error that says what happened.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import functools
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import chess
import chess.engine
from chess.engine import ConfigMapping, Limit, PlayResult

from ..text import one_line
from ._errors import (
    EngineMoveError,
    EngineNotFoundError,
    EngineOutputError,
    EngineTimeoutError,
)
from ._rules import Way

T = TypeVar("T")

LOGGER = logging.getLogger(__name__)

# What an engine may print: a burst, then so much a second. Busy engines stay
# far below. A line costs extra, since each is parsed, and often kept.
_BURST = 8 * 2**20
_BYTES_PER_SECOND = 2 * 2**20
_LINE_COST = 256
_MAX_LINE = 2**20

# A search without a time limit may take so many times the timeout, as long
# as the engine keeps reporting.
_PATIENCE = 100

_ALWAYS_SHOWN = re.compile(rb"Error \(unknown command\): (post|nopost|\.)\s*$")


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
        self.last_words: collections.deque[str] = collections.deque(maxlen=5)
        """The last lines of its standard error."""
        self._watches: set[asyncio.Future[None]] = set()
        self._allowance = float(_BURST)
        self._heard = self._refilled = self.loop.time()

    @property
    def name(self) -> str:
        """What the engine calls itself, or else its command."""
        return one_line(self.id.get("name") or " ".join(self.recipe.command))

    @property
    def variants(self) -> list[str]:
        """The variants that the engine announces."""
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

    def _died(self, err: chess.engine.EngineTerminatedError) -> chess.engine.EngineError:
        """The error to raise for a dead engine."""
        if self.fault is not None:
            return self.fault
        words = f": {one_line(' / '.join(self.last_words))}" if self.last_words else ""
        code = self.returncode.result() if self.returncode.done() else None
        return chess.engine.EngineTerminatedError(f"{self.name} died (exit code {code}){words}")

    # --- Output ---------------------------------------------------------------

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        if self.fault is not None:
            return
        assert isinstance(data, bytes)
        *lines, rest = data.split(b"\n")
        if not self._afford(len(data) + _LINE_COST * len(lines)):
            self.blame(EngineOutputError(f"{self.name} floods its output and was stopped"))
            return
        try:
            # A line at a time: the host copies what is left after each line.
            for line in lines:
                super().pipe_data_received(fd, self._edited(line) + b"\n")
            super().pipe_data_received(fd, rest)
        except chess.engine.EngineError as err:
            self.blame(err)
        except Exception as err:
            # A line that the host does not expect must not stop the reading.
            self.blame(EngineOutputError(f"{self.name} sent nonsense and was stopped: {one_line(str(err))}"))
        if len(self.buffer[fd]) > _MAX_LINE:
            self.blame(EngineOutputError(f"{self.name} sent a line without an end and was stopped"))

    def _edited(self, line: bytes) -> bytes:
        """*line* without what the host would stumble over."""
        return line

    def _afford(self, cost: int) -> bool:
        now = self.loop.time()
        self._allowance = min(_BURST, self._allowance + (now - self._refilled) * _BYTES_PER_SECOND) - cost
        self._refilled = now
        return self._allowance >= 0

    def error_line_received(self, line: str) -> None:
        LOGGER.debug("%s: stderr >> %s", self, line)
        if line.strip():
            self.last_words.append(one_line(line, 200))

    # --- Commands -------------------------------------------------------------

    async def guard(self, command: Awaitable[T], what: str, seconds: float | None = 0.0) -> T:
        """
        Runs *command*, and stops the engine if it does not do *what* in time.

        It may take *seconds* and the timeout on top. If ``None``, a search
        without a time limit, it may go on as long as the engine reports, up
        to a hundred timeouts; it may be silent for one.
        """
        started = self.loop.time()
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
            raise self._died(err) from err
        finally:
            task.cancel()

    def _time_left(self, started: float, seconds: float | None) -> float | None:
        timeout = self.recipe.timeout
        if timeout is None:
            return None
        if seconds is not None:
            deadline = started + timeout + seconds
        else:
            deadline = min(max(started, self._heard) + timeout, started + timeout * _PATIENCE)
        return deadline - self.loop.time()

    async def initialize(self) -> None:
        hint = f"speak {'UCI' if self.recipe.protocol == 'uci' else 'XBoard'} (is that its protocol?)"
        try:
            await self.guard(super().initialize(), hint)  # type: ignore[safe-super]
        except chess.engine.EngineTerminatedError:
            raise
        except chess.engine.EngineError as err:
            raise EngineOutputError(f"{self.name} did not {hint}: {one_line(str(err))}") from err

    async def ping(self) -> None:
        await self.guard(super().ping(), "answer a ping")  # type: ignore[safe-super]

    async def configure(self, options: ConfigMapping) -> None:
        await self.guard(super().configure(options), "take its options")  # type: ignore[safe-super]

    async def quit(self) -> None:
        await self.guard(super().quit(), "quit")  # type: ignore[safe-super]

    async def play(self, board: chess.Board, limit: Limit, **kwargs: Any) -> PlayResult:
        board = self.translate(board)
        self._restrict(board, kwargs)
        seconds = _seconds(limit, board.turn)
        return await self.guard(super().play(board, limit, **kwargs), "find a move", seconds)  # type: ignore[safe-super]

    async def analyse(self, board: chess.Board, limit: Limit, **kwargs: Any) -> Any:
        seconds = _seconds(limit, board.turn)
        return await self.guard(super().analyse(board, limit, **kwargs), "analyse a position", seconds)

    async def analysis(self, board: chess.Board, limit: Limit | None = None, **kwargs: Any) -> Any:
        board = self.translate(board)
        self._restrict(board, kwargs)
        analysis = await self.guard(super().analysis(board, limit, **kwargs), "start to analyse")  # type: ignore[safe-super]
        if limit is not None:
            # Reading the analysis must come to an end too.
            watch = asyncio.ensure_future(self._watch(analysis, _seconds(limit, board.turn)))
            self._watches.add(watch)
            watch.add_done_callback(self._watches.discard)
        return analysis

    async def _watch(self, analysis: chess.engine.AnalysisResult, seconds: float | None) -> None:
        with contextlib.suppress(chess.engine.EngineError):  # Raised to the reader.
            await self.guard(asyncio.shield(analysis.wait()), "finish its analysis", seconds)

    # --- Dialects -------------------------------------------------------------

    def translate(self, board: chess.Board) -> chess.Board:
        """*board* under the name by which the engine knows its variant."""
        way = self.recipe.way
        if way is None or type(board).uci_variant != self.recipe.board_class.uci_variant:
            return board
        renamed = _renamed(type(board), way.uci, way.xboard)  # type: ignore[arg-type] # Classes are hashable.
        if renamed is not type(board):
            board = board.copy()
            board.__class__ = renamed
        return board

    def _restrict(self, board: chess.Board, kwargs: dict[str, Any]) -> None:
        """Keeps an engine with other rules to our legal moves, where its protocol can."""


class GuardedUci(GuardedProtocol, chess.engine.UciProtocol):
    """:class:`chess.engine.UciProtocol`, guarded."""

    def line_received(self, line: str) -> None:
        token, _, rest = line.lstrip().partition(" ")
        if token == "info":
            if not rest.lstrip().startswith("string"):
                self._heard = self.loop.time()
        elif token == "bestmove":
            self._heard = self.loop.time()
            move = (rest.split() or ["(none)"])[0]
            _check_move(self, self.board, None if move in ("(none)", "NULL", "0000") else move.lower())

    def _restrict(self, board: chess.Board, kwargs: dict[str, Any]) -> None:
        way = self.recipe.way
        if way is not None and way.limit is not None and kwargs.get("root_moves") is None:
            kwargs["root_moves"] = list(board.legal_moves)

    def _edited(self, line: bytes) -> bytes:
        # Lines of an engine with other rules may hold moves that ours forbid.
        way = self.recipe.way
        if way is None or way.limit is None or not line.startswith(b"info"):
            return line
        return _legal_start(line.decode("utf-8", "replace"), self.board).encode()

    @property
    def variants(self) -> list[str]:
        option = self.options.get("UCI_Variant")
        return list(option.var or []) if option is not None else []


class GuardedXBoard(GuardedProtocol, chess.engine.XBoardProtocol):
    """:class:`chess.engine.XBoardProtocol`, guarded."""

    def _edited(self, line: bytes) -> bytes:
        # The host gives up on any error. Fairy-Stockfish always shows what it
        # thinks, and does not know the commands that ask for it.
        return b"# " + line if _ALWAYS_SHOWN.match(line) else line

    def line_received(self, line: str) -> None:
        self._heard = self.loop.time()
        token, _, rest = line.strip().partition(" ")
        if token == "move" and self.initialized:
            _check_move(self, self.board, rest)

    @property
    def variants(self) -> list[str]:
        return [name for name in str(self.features.get("variants", "")).split(",") if name]


# --- Helpers ------------------------------------------------------------------


def _seconds(limit: Limit, turn: chess.Color) -> float | None:
    """How long *limit* lets the engine think, if it says."""
    if limit.time is not None:
        return limit.time
    clock, increment = (limit.white_clock, limit.white_inc) if turn else (limit.black_clock, limit.black_inc)
    return clock + (increment or 0.0) if clock is not None else None


@functools.lru_cache(maxsize=64)
def _renamed(board_class: type[chess.Board], uci: str, xboard: str) -> type[chess.Board]:
    if (board_class.uci_variant, board_class.xboard_variant) == (uci, xboard):
        return board_class
    names = {"uci_variant": uci, "xboard_variant": xboard, "__module__": __name__}
    return type(board_class.__name__, (board_class,), names)


def _check_move(protocol: GuardedProtocol, board: chess.Board, text: str | None) -> None:
    """Raises an error unless *text* is a legal move, or there are none to answer."""
    if text is None:
        if not board.is_game_over():
            raise EngineMoveError(f"{protocol.name} answered no move in {board.fen()} and was stopped")
        return
    try:
        legal = bool(board.parse_uci(text) if isinstance(protocol, GuardedUci) else board.parse_xboard(text))
    except ValueError:
        legal = False
    if not legal:
        raise EngineMoveError(
            f"{protocol.name} answered the illegal move {one_line(text, 20)!r} in {board.fen()} and was stopped"
        )


def _legal_start(line: str, root: chess.Board) -> str:
    """An info *line* with its principal variation cut before the first illegal move."""
    head, separator, tail = line.partition(" pv ")
    board = root.copy(stack=False)
    legal: list[str] = []
    for text in tail.split():
        try:
            board.push_uci(text)
        except ValueError:
            break
        legal.append(text)
    return head + separator + " ".join(legal) if legal else head
