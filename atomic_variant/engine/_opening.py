"""Opening an engine: finding it, starting it, teaching it, making it prove itself."""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import dataclasses
import os
import shlex
import shutil
import tempfile
import threading
import warnings
from collections.abc import Coroutine, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import chess
import chess.engine
from chess.engine import ConfigMapping, Limit

from ..boards import AtomicBoard
from ..text import one_line
from . import _rules as rules
from ._errors import (
    EngineApproximationWarning,
    EngineMoveError,
    EngineNotFoundError,
    EngineOutputError,
    UnsupportedVariantError,
)
from ._process import GuardedProtocol, Recipe
from ._protocols import GuardedUci, GuardedXBoard

Command = str | os.PathLike[str] | Sequence[str]

COMMAND_VARIABLE = "ATOMIC_VARIANT_ENGINE"
"""The environment variable with the command line of the engine to use."""

_USUAL_PROGRAMS = (
    "atomic-stockfish",
    "fairy-stockfish",
    "fairy-stockfish-largeboard",
    "fairy-stockfish-largeboard_x86-64",
    "multi-variant-stockfish",
    "stockfish",
)


def open_engine(
    command: Command | None = None,
    board_class: type[chess.Board] = AtomicBoard,
    *,
    protocol: Literal["uci", "xboard"] = "uci",
    options: ConfigMapping | None = None,
    timeout: float | None = 20.0,
) -> Engine:
    """
    Opens an engine that plays the variant of *board_class*.

    The engine must announce the variant, or one that comes close
    (:mod:`atomic_variant.engine` lists them), and prove on a position or two
    that it plays it: some engines ignore the variant that they are told.

    >>> with open_engine("fairy-stockfish") as engine:  # doctest: +SKIP
    ...     engine.play(AtomicBoard(), chess.engine.Limit(time=0.1)).move
    Move.from_uci('g1f3')

    :param command: The program, as a path, a command line, or a list of
        arguments. Without one, the engines of :func:`usual_commands` are
        tried in turn.
    :param protocol: What the engine speaks, ``"uci"`` or ``"xboard"``.
    :param options: Options to set, as in :meth:`chess.engine.SimpleEngine.configure`.
    :param timeout: Seconds that the engine may take for an answer on top of
        the time in a :class:`chess.engine.Limit`. In a search limited by
        depth or nodes it may be silent so long, may take ten times that
        (200 seconds) from one depth to the next, and a hundred times that in
        all. ``None`` waits without end.
    :raises: :exc:`EngineNotFoundError`, :exc:`UnsupportedVariantError`,
        :exc:`EngineTimeoutError`, or another :exc:`chess.engine.EngineError`
        if the engine fails at the start or does not take *options*.

    An :exc:`EngineApproximationWarning` tells of an engine that comes close
    only.

    An engine that is not closed ends with the program, whether that comes to
    its end, to an error, or to Ctrl-C. Closed or not, its whole process group
    is stopped; only a child that the engine gave a session of its own, which
    engines do not do, would outlive it.
    """
    errors = []
    for recipe in _recipes(command, board_class, protocol, options, timeout):
        try:
            engine = Engine.launch(_open(recipe))
        except chess.engine.EngineError as err:
            errors.append(err)
        else:
            _warn(engine.recipe)
            return engine
    raise _summary(errors)


async def open_engine_async(
    command: Command | None = None,
    board_class: type[chess.Board] = AtomicBoard,
    *,
    protocol: Literal["uci", "xboard"] = "uci",
    options: ConfigMapping | None = None,
    timeout: float | None = 20.0,
) -> tuple[asyncio.SubprocessTransport, chess.engine.Protocol]:
    """
    As :func:`open_engine`, for use with :mod:`asyncio`.

    Returns a transport and a protocol, as :func:`chess.engine.popen_uci` does.
    The protocol keeps *timeout* itself. Closing the transport stops the
    engine and every process that it started.
    """
    errors = []
    for recipe in _recipes(command, board_class, protocol, options, timeout):
        try:
            transport, opened = await _open(recipe)
        except chess.engine.EngineError as err:
            errors.append(err)
        else:
            _warn(opened.recipe)
            return transport, opened
    raise _summary(errors)


def usual_commands() -> Iterator[tuple[str, ...]]:
    """
    The engines that :func:`open_engine` tries without a command.

    The command line in the environment variable ``ATOMIC_VARIANT_ENGINE``, if
    it is set, and nothing else then; otherwise the usual names of
    Atomic-Stockfish, Fairy-Stockfish and Stockfish, where they are installed.

    >>> import os
    >>> os.environ["ATOMIC_VARIANT_ENGINE"] = "node uci.js"  # doctest: +SKIP
    >>> list(usual_commands())  # doctest: +SKIP
    [('node', 'uci.js')]
    """
    command = os.environ.get(COMMAND_VARIABLE)
    if command:
        yield _split(command)
        return
    # Debian keeps games out of root's path.
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games"])
    for program in _USUAL_PROGRAMS:
        found = shutil.which(program, path=path)
        if found:
            yield (found,)


class Engine(chess.engine.SimpleEngine):
    """
    A :class:`chess.engine.SimpleEngine` that is known to play its variant.

    Comes from :func:`atomic_variant.engine.open_engine`. Everything works as
    there; beyond it, commands that time out or meet a misbehaving engine stop
    the engine and all its processes, and :meth:`restart` starts it anew.
    """

    protocol: GuardedProtocol

    @property
    def name(self) -> str:
        """What the engine calls itself, or else its command."""
        return self.protocol.name

    @property
    def recipe(self) -> Recipe:
        """How the engine was started."""
        return self.protocol.recipe

    @classmethod
    def launch(cls, opening: Opening, again: Engine | None = None) -> Engine:
        """Runs the coroutine that opens an engine, and then the engine, on a thread of its own."""
        return _EngineThread(opening, again or cls.__new__(cls)).launch()

    def restart(self) -> None:
        """
        Stops the engine, if it still runs, and starts it again in place.

        :raises: As :func:`atomic_variant.engine.open_engine`.
        """

        self.close()
        Engine.launch(_reopen(self.recipe), again=self)

    def close(self) -> None:
        """Stops the engine and every process in its group, and waits until they are gone."""
        with contextlib.suppress(RuntimeError):  # Its loop has ended already.
            self.protocol.loop.call_soon_threadsafe(self.protocol.kill)
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            with contextlib.suppress(concurrent.futures.TimeoutError, concurrent.futures.CancelledError):
                self.returncode.result(timeout=5.0)
        super().close()

    @contextlib.contextmanager
    def _not_shut_down(self) -> Generator[None, None, None]:
        # All calls of the host pass here; it only says that its loop is dead.
        if self._shutdown:
            raise self.protocol.obituary()
        with super()._not_shut_down():
            yield


Opening = Coroutine[Any, Any, tuple[asyncio.SubprocessTransport, GuardedProtocol]]

_threads: set[_EngineThread] = set()


class _EngineThread(threading.Thread):
    """
    The loop of an engine, on a thread that does not keep the program alive.

    The thread of the host does, so that a script without ``close()`` never
    ends: the engine is in a process group of its own, where the Ctrl-C of a
    terminal does not reach it.
    """

    def __init__(self, opening: Opening, engine: Engine) -> None:
        super().__init__(name=type(engine).__name__, daemon=True)
        self.opening = opening
        self.engine = engine
        self.opened: concurrent.futures.Future[Engine] = concurrent.futures.Future()
        self.task: asyncio.Task[None] | None = None

    def launch(self) -> Engine:
        """Starts the thread and waits for the engine."""
        if not _threads:
            # Called when the other threads of the program have ended too.
            atexit.unregister(_end_all)
            atexit.register(_end_all)
        _threads.add(self)
        self.start()
        try:
            return self.opened.result()
        except BaseException:
            if not self.opened.done() or self.opened.exception() is None:
                self.end()  # We were interrupted, not the engine.
            raise

    def run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as err:
            if not self.opened.done():
                self.opened.set_exception(err)
        finally:
            _threads.discard(self)

    async def _serve(self) -> None:
        self.task = asyncio.current_task()
        transport, protocol = await self.opening
        protocol.remedy = "restart() starts it again"
        engine = self.engine
        # The protocol has the timeouts: it knows how to stop an engine.
        chess.engine.SimpleEngine.__init__(engine, transport, protocol, timeout=None)
        returncode, shutdown_event = engine.returncode, engine.shutdown_event
        self.opened.set_result(engine)
        code = await protocol.returncode
        engine.close()
        returncode.set_result(code)  # Last: who waits for it may start the engine again.
        await shutdown_event.wait()

    def end(self) -> None:
        """Stops the engine, whether it is open already or not, and waits until it is gone."""
        if self.opened.done():
            self.engine.close()
        elif self.task is not None:
            with contextlib.suppress(RuntimeError):  # Its loop has ended already.
                self.task.get_loop().call_soon_threadsafe(self.task.cancel)
        self.join(timeout=10.0)


def _end_all() -> None:
    for thread in list(_threads):
        thread.end()


if hasattr(os, "register_at_fork"):
    # A child of the program has the threads no more, and the engines are not its own.
    os.register_at_fork(after_in_child=_threads.clear)


# --- Opening ------------------------------------------------------------------


def _recipes(
    command: Command | None,
    board_class: type[chess.Board],
    protocol: Literal["uci", "xboard"],
    options: ConfigMapping | None,
    timeout: float | None,
) -> Iterator[Recipe]:
    for words in usual_commands() if command is None else [_words(command)]:
        yield Recipe(words, board_class, protocol, dict(options or {}), timeout)


def _words(command: Command) -> tuple[str, ...]:
    if isinstance(command, os.PathLike):
        words: tuple[str, ...] = (os.fspath(command),)
    elif not isinstance(command, str):
        words = tuple(os.fspath(word) for word in command)
    elif command.strip() and (os.path.lexists(os.path.expanduser(command)) or shutil.which(command)):
        words = (command,)
    else:
        return _split(command)
    return _checked_words(words)


def _split(command: str) -> tuple[str, ...]:
    try:
        return _checked_words(tuple(shlex.split(command)))
    except ValueError as err:
        raise EngineNotFoundError(f"not a command line: {command!r} ({err})") from err


def _checked_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """*words* with ``~`` written out, as a shell would."""
    words = tuple(os.path.expanduser(word) for word in words)
    if not words or not words[0]:
        raise EngineNotFoundError("the command of the engine is empty")
    if os.path.isdir(words[0]):
        raise EngineNotFoundError(f"cannot start the engine {words[0]!r}: it is a folder, not a program")
    return words


def _summary(errors: Sequence[chess.engine.EngineError]) -> chess.engine.EngineError:
    """One error for all engines that were tried."""
    if len(errors) == 1:
        return errors[0]
    if not errors:
        return EngineNotFoundError(
            f"no engine found: name one, or set {COMMAND_VARIABLE} to its command line. {rules.advice(AtomicBoard)}"
        )
    return UnsupportedVariantError("no engine found that plays the variant:\n" + "\n".join(str(err) for err in errors))


def _warn(recipe: Recipe) -> None:
    if recipe.way is not None and recipe.way.limit is not None:
        name = recipe.board_class.aliases[0]
        kept = "kept to legal moves" if recipe.protocol == "uci" else "not kept to legal moves (XBoard has no way to)"
        warnings.warn(
            f"{' '.join(recipe.command)} plays {name} as {recipe.way.uci}, {kept}: {recipe.way.limit}",
            EngineApproximationWarning,
            stacklevel=3,
        )


async def _open(recipe: Recipe) -> tuple[asyncio.SubprocessTransport, GuardedProtocol]:
    transport, protocol = await _start(recipe)
    try:
        for way in rules.ways_to_play(recipe.board_class):
            if way.config is not None:
                taught = await _teach(recipe, protocol, way)
                if taught is not None:
                    await protocol.stop()
                    transport, protocol = taught
                    break
            elif protocol.plays(way):
                break
        else:
            raise UnsupportedVariantError(_refusal(protocol))
        return transport, await _prepare(protocol, dataclasses.replace(recipe, way=way))
    except BaseException:
        await protocol.stop()
        raise


async def _reopen(recipe: Recipe) -> tuple[asyncio.SubprocessTransport, GuardedProtocol]:
    """Starts an engine again as it was opened, without looking for the way to play."""
    if recipe.way is None or recipe.way.config is not None:
        return await _open(recipe)
    transport, protocol = await _start(recipe)
    try:
        return transport, await _prepare(protocol, recipe)
    except BaseException:
        await protocol.stop()
        raise


async def _start(recipe: Recipe) -> tuple[asyncio.SubprocessTransport, GuardedProtocol]:
    protocol_class: type[GuardedProtocol] = GuardedUci if recipe.protocol == "uci" else GuardedXBoard
    return await protocol_class.start(recipe)


async def _teach(
    recipe: Recipe, untaught: GuardedProtocol, way: rules.Way
) -> tuple[asyncio.SubprocessTransport, GuardedProtocol] | None:
    """
    Starts the engine with a configuration file, or returns ``None`` if it learns nothing.

    Setting ``VariantPath`` in a running engine would not do: the protocol
    lets an engine announce its variants only once.
    """
    if way.base not in untaught.variants or "fairy-stockfish" not in untaught.name.lower():
        return None
    assert way.config is not None
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, f"{way.uci}.ini")
        path.write_text(way.config, encoding="ascii")
        try:
            taught = await _start(dataclasses.replace(recipe, command=(*recipe.command, "load", str(path))))
        except chess.engine.EngineError:
            return None  # Builds without a file system know no configuration files.
    if taught[1].plays(way):
        return taught
    await taught[1].stop()
    return None


async def _prepare(protocol: GuardedProtocol, recipe: Recipe) -> GuardedProtocol:
    """Sets the options and makes the engine prove itself."""
    protocol.recipe = recipe
    if recipe.options:
        await protocol.configure(recipe.options)
    for probe in rules.probes(recipe.board_class):
        board = recipe.board_class(probe.fen)
        moves = [chess.Move.from_uci(move) for move in probe.moves]
        if moves and recipe.protocol == "xboard":
            continue  # Cannot be told what to consider.
        asked = {"root_moves": moves} if moves else {}
        try:
            answer = (await protocol.play(board, Limit(depth=1), **asked)).move
        except (EngineMoveError, EngineOutputError) as err:
            if isinstance(protocol, GuardedUci) and any("network" in complaint for complaint in protocol.complaints):
                raise UnsupportedVariantError(
                    f"{protocol.name} has no network to judge positions by: name its file in options={{'EvalFile': "
                    "PATH}, or do without in options={'Use NNUE': 'false'}"
                ) from err
            raise UnsupportedVariantError(_lie(protocol, str(err))) from err
        if moves and answer not in moves:
            raise UnsupportedVariantError(
                _lie(protocol, f"asked for {probe.moves[0]} in {probe.fen}, it said {answer}")
            )
    return protocol


def _refusal(protocol: GuardedProtocol) -> str:
    board_class = protocol.recipe.board_class
    offers = one_line(", ".join(protocol.variants)) or "standard chess only"
    return (
        f"{protocol.name} ({' '.join(protocol.recipe.command)}) does not play {board_class.aliases[0]}. "
        f"It offers: {offers}. {rules.advice(board_class)}"
    )


def _lie(protocol: GuardedProtocol, what: str) -> str:
    board_class = protocol.recipe.board_class
    return (
        f"{protocol.name} ({' '.join(protocol.recipe.command)}) announces {board_class.aliases[0]} but does not play "
        f"it: {what}. {rules.advice(board_class)}"
    )
