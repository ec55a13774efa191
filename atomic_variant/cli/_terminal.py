"""What the commands say to people, and the progress of long work."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any, TextIO, TypeVar

from ..text import MAX_NAME, one_line, printable

ItemT = TypeVar("ItemT")

_MAX_MESSAGE = 2 * MAX_NAME


class UnusableError(Exception):
    """What a command cannot work with, such as a file or an engine; its arguments are lines for the user."""


def write(text: str) -> None:
    """
    Writes to standard output for people, above the progress bar if one is shown.

    Nothing in *text* steers the terminal, and no locale is too small for it.
    """
    try:
        _write(text, sys.stdout)
    except BrokenPipeError:
        raise
    except OSError as error:  # The disk is full, for example.
        raise UnusableError(f"standard output: {error.strerror or error}") from error


def report(message: object) -> None:
    """Writes a message for the user on a line of its own, apart from the output."""
    with contextlib.suppress(OSError):  # Nobody listens.
        _write(f"{one_line(message, _MAX_MESSAGE)}\n", sys.stderr)


def _write(text: str, out: TextIO | None) -> None:
    if out is None:  # A program without a console.
        return
    text = printable(text)
    if not text.isascii():
        encoding = getattr(out, "encoding", None) or "utf-8"
        text = text.encode(encoding, "backslashreplace").decode(encoding)
    tqdm = sys.modules.get("tqdm")
    if tqdm is not None and is_terminal(sys.stderr):
        tqdm.tqdm.write(text, file=out, end="")
    else:
        out.write(text)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person looks at *stream*."""
    return stream is not None and stream.isatty()


def show_progress(items: Iterator[ItemT], name: str, unit: str = "games") -> Iterator[ItemT]:
    """*items*, counted on the terminal if there is one and tqdm is installed."""
    bar = _bar(name, unit, items)
    return iter(bar) if bar is not None else items


@contextlib.contextmanager
def progress(name: str, unit: str) -> Iterator[Callable[[], object]]:
    """A function to call after each *unit* of work; it counts on the terminal, as :func:`show_progress`."""
    bar = _bar(name, unit)
    if bar is None:
        yield lambda: None
    else:
        with bar:
            yield bar.update


def _bar(name: str, unit: str, items: Iterator[Any] | None = None) -> Any:
    if not is_terminal(sys.stderr):
        return None
    try:
        tqdm = importlib.import_module("tqdm").tqdm
    except ImportError:
        return None
    return tqdm(items, desc=one_line(name, MAX_NAME), unit=f" {unit}", file=sys.stderr, leave=False)
