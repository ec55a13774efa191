"""
The one door of the commands: what goes in, what comes out, and how it ended.

Every command takes its games, its variant and its positions from here, and
hands over here what it writes and says, so that the same words mean the same
everywhere, and what strangers wrote is cleaned before a person sees it.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import stat
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import BinaryIO, TextIO, TypeVar

import chess

from .. import files, variants
from ..pgn._source import Source
from . import _terminal
from ._output import Output, StandardOutput, find_format
from ._terminal import UnusableError, report, show_progress

__all__ = ["Door", "UnusableError", "add_files", "add_variant", "find_format", "run"]

GameT = TypeVar("GameT")


def add_files(parser: argparse.ArgumentParser) -> None:
    """The arguments of a command that reads games."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a PGN file, plain or compressed with gzip, bzip2 or zstd; - for standard input",
    )
    add_variant(parser)


def add_variant(
    parser: argparse.ArgumentParser,
    text: str = "the variant of games whose headers name none (default: standard chess)",
) -> None:
    """The option ``--variant``; *text* says what it is for."""
    ours = ", ".join(variant.aliases[0] for variant in variants.VARIANTS)
    parser.add_argument("--variant", type=_variant, metavar="NAME", help=f"{text}; {ours}, or any of python-chess")


def _variant(name: str) -> type[chess.Board]:
    try:
        return variants.find_variant(name)
    except ValueError:
        ours = ", ".join(variant.aliases[0] for variant in variants.VARIANTS)
        raise argparse.ArgumentTypeError(
            f"unknown variant {name!r}; known are {ours}, and those of python-chess"
        ) from None


class Door:
    """
    The door for one run of a command.

    :param files: The names of the files to read, ``-`` for standard input.
    """

    def __init__(self, files: Sequence[str] = ()) -> None:
        self.files = files
        self.status = 0
        """The exit status so far: 0, 1 if games have errors, 2 if something cannot be used."""
        self.stack = contextlib.ExitStack()
        """What to close when the command is done."""
        self._input: BinaryIO | None = None
        self._outputs = 0
        self._is_heard = True

    # --- In -------------------------------------------------------------------

    def games(
        self,
        read: Callable[[Source], Iterator[GameT]],
        *,
        progress: bool = True,
        again: bool = False,
        unit: str = "games",
    ) -> Iterator[GameT]:
        """
        Generates what *read* gives for each file, with a progress bar.

        A file that cannot be opened or read on is reported, and the next one
        is read; :attr:`status` tells.

        :param progress: Whether to show how many there are.
        :param again: Whether they were read before, and all is reported. For
            standard input :meth:`keep_input` must have been called.
        :param unit: What *read* gives, if that is not games.
        """
        for name in self.files:
            try:
                games = read(self._source(name))
                yield from show_progress(games, name, unit) if progress and not again else games
            except (OSError, ImportError) as error:
                if not again:
                    self.fail(describe_os_error(error) if isinstance(error, OSError) else f"{name}: {error}")

    def _source(self, name: str) -> Source:
        if name != "-":
            return name
        if self._input is not None:
            self._input.seek(0)
            return self._input
        if sys.stdin is None:
            raise OSError("there is no standard input")
        source: Source = getattr(sys.stdin, "buffer", sys.stdin)
        return source

    def keep_input(self) -> None:
        """Makes that standard input, if it is among the files, can be read more than once."""
        if "-" not in self.files or sys.stdin is None:
            return
        self._input = self.stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 -- By the stack.
        source = getattr(sys.stdin, "buffer", sys.stdin)
        try:
            while piece := source.read(2**16):
                self._input.write(piece if isinstance(piece, bytes) else piece.encode())
        except OSError as error:
            raise UnusableError(f"standard input: {error.strerror or error}") from error

    # --- Out ------------------------------------------------------------------

    @contextlib.contextmanager
    def output(self, name: str, *, compressed: bool = True) -> Iterator[Output]:
        """
        A file to write, which takes the place of an old one when all is done.

        Not if anything goes wrong, and not if a file could not be read: then
        the old file stays as it is.

        :param compressed: Whether the name may ask for compression.
        :raises: :exc:`UnusableError` if it cannot be written.
        """
        self._protect_input(name)
        output = _open(name, compressed=compressed)
        self._outputs += 1
        try:
            yield output
            if self.status < 2:
                output.commit()
            else:
                report(f"{name}: not written, as not everything could be read")
        except BrokenPipeError:
            raise
        except OSError as error:  # The disk is full, for example.
            raise UnusableError(f"{name}: {error.strerror or error}") from error
        finally:
            self._outputs -= 1
            output.discard()

    def try_output(self, name: str) -> None:
        """
        Tells before long work whether :meth:`output` could be opened.

        :raises: :exc:`UnusableError`.
        """
        self._protect_input(name)
        _open(name).discard()

    @contextlib.contextmanager
    def text_output(self, name: str | None) -> Iterator[TextIO | StandardOutput]:
        """As :meth:`output`, for text; standard output without a name or if it is ``-``."""
        if name is None or name == "-":
            self._protect_input(None)
            yield StandardOutput()
            return
        with self.output(name) as output:
            yield output.text

    def _protect_input(self, output: str | None) -> None:
        """Raises an error if the file *output*, or standard output, is one of the files to be read."""
        written = _stat(output) if output is not None else _stat_stream(sys.stdout)
        if written is None or not stat.S_ISREG(written.st_mode):
            return
        for name in self.files:
            read = _stat(name) if name != "-" else _stat_stream(sys.stdin)
            if read is not None and os.path.samestat(read, written):
                raise UnusableError(f"{output or 'standard output'}: would overwrite what is to be read")

    # --- Said -----------------------------------------------------------------

    def write(self, text: str) -> None:
        """Writes lines for people to standard output, above the progress bar if one is shown."""
        if not self._is_heard:
            return
        try:
            _terminal.write(text)
        except BrokenPipeError:
            # The reader has seen enough; but somebody may still want the file.
            if not self._outputs:
                raise
            self._is_heard = False
            _hush()

    def report(self, message: object) -> None:
        """Writes a message for the user on a line of its own, apart from the output."""
        report(message)

    def fail(self, message: object, status: int = 2) -> None:
        """Reports that something could not be used, or (*status* 1) that a game has errors."""
        self.status = max(self.status, status)
        report(message)


def run(command: ModuleType, args: argparse.Namespace) -> int:
    """Runs a command, a module of this package, and returns the exit status."""
    door = Door(getattr(args, "files", ()))
    try:
        with _leaving_nothing(), door.stack, warnings.catch_warnings():
            warnings.showwarning = lambda message, *_: report(message)
            status: int = command.run(args, door)
        status = max(status, door.status)
    except BrokenPipeError:
        # The reader of our output has seen enough.
        _hush()
        return 0
    except UnusableError as error:
        for line in error.args:
            report(line)
        status = 2
    except KeyboardInterrupt:
        report("interrupted")
        status = 130
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _hush()
    except OSError as error:
        report(f"standard output: {error.strerror or error}")
        _hush()
        status = 2
    return status


@contextlib.contextmanager
def _leaving_nothing() -> Iterator[None]:
    """Removes what is half written, also if the process is told to end meanwhile, or its terminal is closed."""
    caught = []
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Not everywhere are both.
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _end)
                caught.append(number)
    try:
        yield
    finally:
        for number in caught:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, frame: object) -> None:
    files.discard_all()
    # As if nobody had caught it: whoever sent it sees what it did, and nothing is waited for.
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _hush() -> None:
    """Gives standard output up, with what is not yet flushed."""
    sys.stdout = None


def describe_os_error(error: OSError, name: str | None = None) -> str:
    """*error* without its number, of the file *name* if it says no other."""
    name = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else name
    return f"{name}: {error.strerror}" if name and error.strerror else str(error)


def _open(name: str, *, compressed: bool = True) -> Output:
    if name == "-":
        raise UnusableError("-: this is not written to standard output; name a file")
    try:
        return Output(name, compressed=compressed)
    except OSError as error:
        raise UnusableError(describe_os_error(error, name)) from error
    except ImportError as error:
        raise UnusableError(f"{name}: {error}") from error


def _stat(name: str) -> os.stat_result | None:
    try:
        return os.stat(name)
    except OSError:
        return None


def _stat_stream(stream: TextIO | None) -> os.stat_result | None:
    try:
        return os.fstat(stream.fileno()) if stream is not None else None
    except (OSError, ValueError, AttributeError):  # No file behind it.
        return None
