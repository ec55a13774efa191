"""Opening PGN files: plain or compressed, in UTF-8, UTF-16 or Windows-1252."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import importlib
import io
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, TextIO, TypeAlias

from ..text import MAX_NAME, one_line
from ._texts import Texts, generate_json_games, looks_like_json_game
from .errors import SourceError

Source: TypeAlias = str | os.PathLike[str] | TextIO | BinaryIO | Iterable[str | os.PathLike[str]]
"""A path, a handle opened in text or binary mode, or an iterable whose strings are games and whose paths are files."""

PIECE_SIZE = 2**16
"""The most characters that are read at once; longer lines come in pieces."""

_GZIP_MAGIC = b"\x1f\x8b"
_BZ2_MAGIC = b"BZh"
_ZSTD_MAGICS = (b"\x28\xb5\x2f\xfd", *(bytes([byte]) + b"\x2a\x4d\x18" for byte in range(0x50, 0x60)))
_UTF16_TEXT = re.compile(rb"([^\0]\0[^\0]\0)|(?:\0[^\0]){2}")
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")

_IS_GAME = re.compile(r'\s*(?:\[\s*\w+\s+"|1\s*\.\s*\S|\{)')
_MAX_PATH = 4096

_NO_UTF_8 = re.compile("[\udc80-\udcff]")

# Bytes that are no UTF-8 reach us as surrogates; they mean Windows-1252, and Latin-1 in its gaps.
_AS_WINDOWS_1252 = {0xDC00 + byte: byte for byte in range(0x80, 0x100)} | {
    0xDC00 + byte: bytes([byte]).decode("cp1252")
    for byte in range(0x80, 0xA0)
    if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}


def source_name(source: Source) -> str | None:
    """The name of the file behind *source*, if it has one."""
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else None


def generate_lines(source: Source) -> Iterator[str]:
    """
    Generates the lines of *source*, each with its line end ``"\\n"``.

    A line longer than :data:`PIECE_SIZE` comes in several pieces, of which
    only the last ends with ``"\\n"``: memory stays constant whatever comes.
    Compression (gzip, bzip2, zstd) is recognised by content, not by name. A
    path is opened and closed here; a handle is left open.

    :raises: :exc:`OSError` if the file cannot be opened; :exc:`SourceError`
        where it cannot be read on; :exc:`ImportError` if it is compressed by
        zstd and nothing is installed that can read it.
    """
    name = source_name(source)
    count = 0
    with contextlib.ExitStack() as stack:
        handle = open_text(source, stack)
        while True:
            try:
                piece = read_piece(handle)
            except read_errors() as error:
                raise source_error(error, name, count + 1) from error
            if not piece:
                return
            count += piece.endswith("\n")
            yield as_text(piece)


def read_piece(handle: TextIO) -> str:
    """The next line of *handle*, or a piece of it."""
    try:
        return handle.readline(PIECE_SIZE)
    except TypeError:  # Some handles, such as fileinput, read only whole lines.
        return handle.readline()


def as_text(piece: str) -> str:
    """*piece* with what was no UTF-8 in it read as Windows-1252."""
    return piece if piece.isascii() or not _NO_UTF_8.search(piece) else piece.translate(_AS_WINDOWS_1252)


def read_errors() -> tuple[type[Exception], ...]:
    """What reading a damaged file may raise."""
    return UnicodeDecodeError, EOFError, OSError, zlib.error, _zstd_error()


def source_error(error: Exception, name: str | None, line: int) -> SourceError:
    """That *error* struck where *line* should have been read."""
    if isinstance(error, UnicodeDecodeError):
        what = f"not {error.encoding}; open it in binary mode instead"
    else:
        what = f"cannot read on: {error}"
    return SourceError(f"{one_line(name or 'the input', MAX_NAME)}: line {line}: {what}")


def open_text(source: Source, stack: contextlib.ExitStack) -> TextIO:
    """*source* itself if it is text already, or else a decoder of it, which *stack* closes."""
    if isinstance(source, str) and _IS_GAME.match(source) and not os.path.exists(source[:_MAX_PATH]):
        raise ValueError("expected a path, but this is the text of a game: pass it as [text], or in io.StringIO")
    if isinstance(source, str | os.PathLike):
        return _decode(stack.enter_context(open(source, "rb")), stack)
    if not callable(getattr(source, "readline", None)):
        raise TypeError(f"expected a path or an open file, got {type(source).__name__}")
    if not hasattr(source, "read") or isinstance(source.read(0), str):
        return source  # type: ignore[return-value]
    if hasattr(source, "peek"):
        return _decode(source, stack)
    buffered = io.BufferedReader(source)  # type: ignore[type-var]
    stack.callback(buffered.detach)
    return _decode(buffered, stack)


def _decode(handle: Any, stack: contextlib.ExitStack) -> TextIO:
    """The text of *handle*, a binary handle that can be peeked into."""
    magic = handle.peek(4)[:4]
    opened: Any = None
    if magic.startswith(_GZIP_MAGIC):
        opened = gzip.GzipFile(fileobj=handle)
    elif magic.startswith(_BZ2_MAGIC):
        opened = bz2.BZ2File(handle)
    elif magic in _ZSTD_MAGICS:
        opened = zstd().ZstdFile(handle)
    if opened:
        stack.enter_context(opened)
        handle = opened
    if magic.startswith(_UTF16_MARKS):
        text = io.TextIOWrapper(handle, encoding="utf-16", errors="replace")
    elif not opened and (match := _UTF16_TEXT.match(magic)):
        encoding = "utf-16-le" if match[1] else "utf-16-be"
        text = io.TextIOWrapper(handle, encoding=encoding, errors="replace")
    else:
        text = io.TextIOWrapper(handle, encoding="utf-8-sig", errors="surrogateescape")
    stack.callback(text.detach)  # Who opened the handle closes it.
    if magic.startswith(b'{"') and looks_like_json_game(handle.peek(4096)[:4096].decode("utf-8", "replace")):
        return Texts(generate_json_games(text))  # type: ignore[return-value] # It reads lines.
    return text


def zstd() -> Any:
    try:
        return importlib.import_module("compression.zstd")
    except ImportError:
        pass
    try:
        return importlib.import_module("backports.zstd")
    except ImportError:
        raise ImportError("zstd needs Python 3.14 or the extra: pip install 'atomic_variant[zstd]'") from None


def _zstd_error() -> type[Exception]:
    try:
        error: type[Exception] = zstd().ZstdError
    except ImportError:
        return EOFError
    return error
