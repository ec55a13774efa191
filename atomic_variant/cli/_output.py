"""What the commands write: whole files or none, and data on standard output."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import sys
from pathlib import PurePath
from typing import IO, Any, BinaryIO

from ..files import Replacement
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
    A file that stands under its name only when it is complete; see :class:`~atomic_variant.files.Replacement`.

    :raises: :exc:`OSError`, also from the methods; :exc:`ImportError` if
        nothing is installed that can compress it.
    """

    def __init__(self, name: str, *, compressed: bool = True) -> None:
        self.name = name
        compression = _compression(name) if compressed else ""
        if compression == ".zst":
            zstd()  # Before anything is done.
        self.file = Replacement(name)
        try:
            self.raw = open(self.file.path, "wb")  # noqa: SIM115 -- Closed by commit() or discard().
        except BaseException:
            self.file.discard()
            raise
        self.binary: BinaryIO = _compressor(compression, self.raw)
        """The file for bytes."""
        self.text = io.TextIOWrapper(self.binary, encoding="utf-8", errors="replace", newline="\n")
        """The file for text."""

    def commit(self) -> None:
        """Ends the file and puts it in its place."""
        self.text.close()
        self.binary.close()
        self.raw.close()
        self.file.commit()

    def discard(self) -> None:
        """Removes what has been written, unless it has taken its place. An old file stays."""
        for handle in (self.text, self.binary, self.raw):
            with contextlib.suppress(OSError, ValueError):
                handle.close()
        self.file.discard()


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
