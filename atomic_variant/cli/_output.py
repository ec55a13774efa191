"""What the commands write: whole files or none, and data on standard output."""

from __future__ import annotations

import bz2
import contextlib
import errno
import gzip
import io
import os
import secrets
import stat
import sys
from pathlib import PurePath
from typing import IO, Any, BinaryIO

from ..pgn._source import zstd
from ._terminal import UnusableError, is_terminal, write

COMPRESSIONS = (".gz", ".bz2", ".zst")

FORMATS = {
    ".pgn": "pgn", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".parquet": "parquet",
    ".html": "html", ".htm": "html", ".svg": "svg", ".png": "png", ".gif": "gif",
}  # fmt: skip
"""What the ending of a name says about the file."""


def find_format(name: str, formats: tuple[str, ...], chosen: str | None = None) -> str:
    """
    In which of *formats* a file is to be written, by the ending of its name.

    The first one if the name has no ending, or is no name but ``-``.

    :param chosen: The one that the user asked for, under whatever name; but
        no name may say that it is another one.
    :raises: :exc:`UnusableError` if the ending says something else.
    """
    ending = PurePath(_stem(name)).suffix.lower() if name != "-" else ""
    said = FORMATS.get(ending)
    if said in formats and chosen in (None, said):
        return said
    if not said and (chosen or not ending):
        return chosen or formats[0]
    endings = [ending for ending, meant in FORMATS.items() if meant in ([chosen] if chosen else formats)]
    raise UnusableError(f"{name}: what is written here ends in {' or '.join(endings)}")


def _stem(name: str) -> str:
    """*name* without the ending of a compression."""
    return name[: -len(_compression(name))] if _compression(name) else name


def _compression(name: str) -> str:
    return next((ending for ending in COMPRESSIONS if name.lower().endswith(ending)), "")


class Output:
    """
    A file that stands under its name only when it is complete.

    It is written beside, under another name, and takes its place with
    :meth:`commit`; until then an old file is as it was. A link stays one, and
    the permissions of an old file are kept. What is no file, such as
    ``/dev/null`` or a pipe, is written to directly.

    :raises: :exc:`OSError`, also from the methods; :exc:`ImportError` if
        nothing is installed that can compress it.
    """

    def __init__(self, name: str, *, compressed: bool = True) -> None:
        self.name = name
        self.path = os.path.realpath(name)
        self.beside: str | None = None
        compression = _compression(name) if compressed else ""
        if compression == ".zst":
            zstd()  # Before anything is done.
        try:
            old = os.stat(name)
        except FileNotFoundError:
            old = None
        if old is not None and stat.S_ISDIR(old.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
        if old is None or stat.S_ISREG(old.st_mode):
            self.raw = self._open_beside(old)
        else:
            self.raw = open(name, "wb")  # noqa: SIM115 -- Closed by commit() or discard().
        self.binary: BinaryIO = _compressor(compression, self.raw)
        """The file for bytes."""
        self.text = io.TextIOWrapper(self.binary, encoding="utf-8", errors="replace", newline="\n")
        """The file for text."""

    def _open_beside(self, old: os.stat_result | None) -> IO[bytes]:
        if old is not None and not os.access(self.path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), self.name)
        mode = stat.S_IMODE(old.st_mode) if old is not None else 0o666
        folder, base = os.path.split(self.path)
        self.beside = os.path.join(folder, f".{base[:40]}.{secrets.token_hex(4)}.new")
        try:
            # Nobody else's file of that name is touched, and nobody reads what the old file hid.
            opened = open(self.beside, "xb", opener=lambda path, flags: os.open(path, flags, mode))  # noqa: SIM115 -- As above.
        except OSError as error:
            self.beside = None
            raise type(error)(error.errno, error.strerror, self.name) from error
        if old is not None and hasattr(os, "fchmod"):
            for owner in ((old.st_uid, -1), (-1, old.st_gid)):
                with contextlib.suppress(OSError):  # One of them may be allowed.
                    os.fchown(opened.fileno(), *owner)
            with contextlib.suppress(OSError):
                os.fchmod(opened.fileno(), mode)
        return opened

    def commit(self) -> None:
        """Ends the file and puts it in its place."""
        self.text.close()
        self.binary.close()
        self.raw.close()
        if self.beside is not None:
            os.replace(self.beside, self.path)
            self.beside = None

    def discard(self) -> None:
        """Removes what has been written, unless it has taken its place. An old file stays."""
        for handle in (self.text, self.binary, self.raw):
            with contextlib.suppress(OSError, ValueError):
                handle.close()
        if self.beside is not None:
            with contextlib.suppress(OSError):
                os.unlink(self.beside)
            self.beside = None


def _compressor(compression: str, raw: IO[bytes]) -> Any:
    if compression == ".gz":
        return gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0)
    if compression == ".bz2":
        return bz2.BZ2File(raw, "wb")
    if compression == ".zst":
        return zstd().ZstdFile(raw, "wb")
    return raw


class StandardOutput:
    """
    Standard output for data.

    In UTF-8, whatever the locale; but on a terminal as everything that people
    look at.
    """

    def write(self, text: str) -> None:
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None or is_terminal(sys.stdout):
            write(text)
            return
        try:
            buffer.write(text.encode("utf-8", "replace"))
        except BrokenPipeError:
            raise
        except OSError as error:
            raise UnusableError(f"standard output: {error.strerror or error}") from error
