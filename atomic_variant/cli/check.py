"""``check``: finds what is wrong with games, with place and reason."""

from __future__ import annotations

import argparse
import functools

from .. import pgn
from ..pgn.conclusion import conclude
from ..statistics import Readings, hint
from ._door import Door, add_files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command."""
    parser.description = (
        "Lists what is wrong with games, one finding on a line, with place and reason. "
        "The exit status is 1 if there is any that is more than odd, that is, read all the same."
    )
    add_files(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing, only set the exit status")


def run(args: argparse.Namespace, door: Door) -> int:
    readings = Readings()
    for record in door.games(functools.partial(pgn.scan, variant=args.variant)):
        conclusion = conclude(record)
        readings.add(record, conclusion)
        if not args.quiet:
            for finding in conclusion.errors:
                door.write(f"{finding}\n")
            if advice := hint(record):
                door.write(f"{advice}\n")
    if not args.quiet:
        door.report(readings.summary())
        door.report(f"games: {readings.games}, with errors: {readings.errors}")
    return int(readings.errors > 0)
