"""``puzzles``: positions of real games with one way to win, proved on the rules."""

from __future__ import annotations

import argparse
import collections
import itertools
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from ..tactics import Puzzle, puzzles
from ..tactics._puzzle_files import STUDY_CHAPTERS, studies, write_csv
from ..tactics._puzzle_page import MAX_PUZZLES, write_page
from ..text import counted
from . import _work
from ._door import Door, add_files, find_format


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command."""
    parser.description = (
        "Finds positions of games where every move of the solver but the last is the only one that wins, "
        "and writes them with their solutions. Every win is proved against every defence; no engine is needed."
    )
    add_files(parser)
    parser.add_argument(
        "--moves", type=_range, default=(1, 3), metavar="N-M", help="how many moves the solver makes (default: 1-3)"
    )
    parser.add_argument("--number", type=_number, metavar="N", help="stop after so many puzzles")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        default="-",
        help="a file whose name ends in .csv (the columns of the Lichess puzzle file; to standard output by default), "
        f".pgn (chapters of studies, {STUDY_CHAPTERS} a file), or .html (a page to solve them on)",
    )
    _work.add_jobs(parser)


def _range(text: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    lowest, highest = _work.moves(low), _work.moves(high or low)
    if lowest > highest:
        raise argparse.ArgumentTypeError(f"expected a range of moves such as 1-3, got {text!r}")
    return lowest, highest


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise argparse.ArgumentTypeError(f"expected a number of puzzles, got {text!r}")
    return int(text)


def run(args: argparse.Namespace, door: Door) -> int:
    work = _work.Work(door, args.jobs)
    chosen = find_format(args.output, ("csv", "pgn", "html"))
    lengths: collections.Counter[int] = collections.Counter()

    def found() -> Iterator[Puzzle]:
        executor = work.executor()
        every = door.games(
            lambda source: puzzles(source, args.moves, executor=executor, variant=args.variant), unit="puzzles"
        )
        for puzzle in itertools.islice(work.until_interrupted(every), args.number):
            lengths[puzzle.moves] += 1
            yield puzzle

    if chosen == "pgn":
        _write_studies(args.output, found(), door)
    else:
        with door.text_output(args.output) as out:
            if chosen == "html":
                title = ", ".join(PurePath(name).name for name in args.files)
                left_out = write_page(found(), out, title)  # type: ignore[arg-type] # It writes text.
                if left_out:
                    door.report(f"{args.output}: a page holds {MAX_PUZZLES} puzzles; {left_out} more are left out")
            else:
                write_csv(found(), out)  # type: ignore[arg-type] # It writes text.
    parts = ", ".join(f"{number} in {length}" for length, number in sorted(lengths.items()))
    door.report(f"{counted(sum(lengths.values()), 'puzzle')}{f': {parts}' if parts else ''}")
    return work.status


def _write_studies(name: str, found: Iterable[Puzzle], door: Door) -> None:
    """A file for each study: ``x.pgn``, ``x-2.pgn`` and so on."""
    path = PurePath(name)
    for number, text in enumerate(studies(found), 1):
        file = name if number == 1 else str(path.with_name(f"{path.stem}-{number}{path.suffix}"))
        with door.text_output(file) as out:
            out.write(text)
