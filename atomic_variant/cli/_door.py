"""What the commands that read games have in common."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator
from typing import TextIO, TypeVar

import chess

from .. import variants
from ..pgn._source import Source

GameT = TypeVar("GameT")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a PGN file, plain or compressed with gzip, bzip2 or zstd; - for standard input",
    )
    parser.add_argument(
        "--variant",
        type=_variant,
        metavar="NAME",
        help="the variant of games whose headers name none (default: standard chess)",
    )


def _variant(name: str) -> type[chess.Board]:
    try:
        return variants.find_variant(name)
    except ValueError:
        raise argparse.ArgumentTypeError(f"unknown variant {name!r}") from None


class UnusableInput(Exception):  # noqa: N818 # It ends a command, it is no error of ours.
    """A file that cannot be opened or read on; the text is for the user."""


def generate_games(read: Callable[[Source], Iterator[GameT]], files: list[str]) -> Iterator[GameT]:
    """
    Generates what *read* gives for each of *files*, with a progress bar.

    :raises: :exc:`UnusableInput`.
    """
    for name in files:
        source = sys.stdin.buffer if name == "-" else name
        try:
            yield from show_progress(read(source), name)
        except OSError as error:
            raise UnusableInput(describe_os_error(error)) from error
        except ImportError as error:
            raise UnusableInput(f"{name}: {error}") from error


def describe_os_error(error: OSError) -> str:
    """*error* without its number."""
    return f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)


def show_progress(games: Iterator[GameT], name: str) -> Iterator[GameT]:
    """*games*, counted on the terminal if there is one and tqdm is installed."""
    if sys.stderr is None or not sys.stderr.isatty():
        return games
    with contextlib.suppress(ImportError):
        tqdm = importlib.import_module("tqdm").tqdm
        return iter(tqdm(games, desc=name, unit=" games", file=sys.stderr, leave=False))
    return games


def write(text: str) -> None:
    """Writes to standard output, above the progress bar if one is shown."""
    _write(text, sys.stdout)


def report(message: object) -> None:
    """Writes a message for the user, apart from the output."""
    _write(f"{message}\n", sys.stderr)


def _write(text: str, out: TextIO) -> None:
    tqdm = sys.modules.get("tqdm")
    if tqdm is not None and sys.stderr is not None and sys.stderr.isatty():
        tqdm.tqdm.write(text, file=out, end="")
    else:
        out.write(text)
