"""``check``: finds what is wrong with games, with place and reason."""

from __future__ import annotations

import argparse
import functools

from .. import pgn
from ..pgn.errors import are_serious
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
    games = broken = 0
    for record in door.games(functools.partial(pgn.scan, variant=args.variant)):
        games += 1
        findings = pgn.findings(record)
        broken += are_serious(findings)
        if not args.quiet:
            for finding in findings:
                door.write(f"{finding}\n")
    if not args.quiet:
        door.report(f"games: {games}, with errors: {broken}")
    return int(broken > 0)
