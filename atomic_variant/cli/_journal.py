"""The journal of ``annotate``: what is done, kept in a file beside the output."""

from __future__ import annotations

import contextlib
import io
import json
import os
import stat
import sys
import threading
from typing import IO

import chess.pgn

from .. import pgn
from ._door import describe_os_error
from ._terminal import UnusableError

if sys.platform != "win32":
    import fcntl

_TITLE = b'{"journal": "atomic-variant annotate"}\n'
"""The first line: what has another one is not ours to write to, and not to delete."""


class Journal:
    """
    The games annotated so far.

    A line for each game, written when it is finished, so that nothing is lost
    however the work ends. A line that was cut off, or that is none of ours,
    is ignored. One process at a time has the journal of an output.

    :param output: The name of the output; that of the journal ends in ``.part``.
    :raises: :exc:`UnusableError` if there is another file of that name, or
        another process at work.
    """

    def __init__(self, output: str) -> None:
        self.path = f"{output}.part"
        self.lock = threading.Lock()
        self.is_kept = True
        """Whether it stays when it is closed."""
        self.has_news = False
        """Whether it holds what stands nowhere else."""
        self.places: dict[str, int] = {}
        self.finished: set[str] = set()
        try:
            self.handle = self._open(output)
            self._read()
        except OSError as error:
            raise UnusableError(describe_os_error(error, self.path)) from error
        self.has_news = bool(self.places)

    def _open(self, output: str) -> IO[bytes]:
        # What the old output hid, the journal hides too.
        try:
            mode = stat.S_IMODE(os.stat(output).st_mode)
        except FileNotFoundError:
            mode = 0o666

        def opener(path: str, flags: int) -> int:
            return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), mode)

        while True:
            with contextlib.suppress(FileNotFoundError):
                if not stat.S_ISREG(os.lstat(self.path).st_mode):
                    raise UnusableError(f"{self.path}: in the way of the journal, and no file")
            handle = open(self.path, "a+b", opener=opener)  # noqa: SIM115 -- Closed by close().
            try:
                if sys.platform != "win32":
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # Whoever had it before us may have removed it when he was done.
                if os.path.samestat(os.fstat(handle.fileno()), os.lstat(self.path)):
                    return handle
            except FileNotFoundError:
                pass
            except BlockingIOError:
                handle.close()
                raise UnusableError(f"{output}: another run of this command works on it") from None
            except BaseException:
                handle.close()
                raise
            handle.close()

    def _read(self) -> None:
        self.handle.seek(0)
        title = self.handle.readline(len(_TITLE))
        if not title:
            self.handle.write(_TITLE)
            self.handle.flush()  # At once: whoever looks sees that it is locked, and whose it is.
            return
        if title != _TITLE:
            self.handle.close()
            raise UnusableError(f"{self.path}: no journal of this command; move it away or name another output")
        place = len(_TITLE)
        line = title
        for line in self.handle:
            try:
                record = json.loads(line)
                if isinstance(record["key"], str) and isinstance(record["pgn"], str):
                    self._note(record["key"], place, record["finished"] is True)
            except (ValueError, KeyError, TypeError, RecursionError):
                pass
            place += len(line)
        if not line.endswith(b"\n"):
            self.handle.write(b"\n")

    def close(self) -> None:
        """Closes the journal, and removes it if there is nothing in it but copies."""
        if self.is_kept and not self.has_news:
            self.remove()
        with contextlib.suppress(OSError):  # Of what could not be written, and was told.
            self.handle.close()

    def remove(self) -> None:
        """Removes the journal: all that it kept stands in the output."""
        self.is_kept = False
        if sys.platform == "win32":
            self.handle.close()
        with contextlib.suppress(OSError):
            os.unlink(self.path)

    def put(self, key: str, game: chess.pgn.Game, *, finished: bool, is_copy: bool = False) -> None:
        """Keeps a game, which may be a copy of one in the output."""
        record = json.dumps({"key": key, "finished": finished, "pgn": str(game)})
        with self.lock:
            try:
                place = self.handle.seek(0, os.SEEK_END)
                self.handle.write(record.encode() + b"\n")
                self.handle.flush()
            except OSError as error:  # The disk is full, for example.
                raise UnusableError(describe_os_error(error, self.path)) from error
            self._note(key, place, finished)
            self.has_news |= not is_copy

    def _note(self, key: str, place: int, finished: bool) -> None:
        self.places[key] = place
        (self.finished.add if finished else self.finished.discard)(key)

    def get(self, key: str) -> pgn.Game | None:
        """The game as far as it is annotated, if anything of it is kept."""
        text = self.text(key)
        return pgn.read_game(io.StringIO(text)) if text is not None else None

    def text(self, key: str) -> str | None:
        """As :meth:`get`, in PGN."""
        with self.lock:
            if key not in self.places:
                return None
            self.handle.seek(self.places[key])
            text: str = json.loads(self.handle.readline())["pgn"]
            return text
