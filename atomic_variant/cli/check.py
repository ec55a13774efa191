"""``check``: finds what is wrong with games, with place and reason."""

from __future__ import annotations

import argparse
import functools
from typing import Any

from .. import pgn
from . import _door as _files


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "check",
        help="list what is wrong with games, with place and reason",
        description="Lists what is wrong with games, one finding on a line, with place and reason. "
        "The exit status is 1 if there is any.",
    )
    _files.add_arguments(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing, only set the exit status")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    games = broken = 0
    status = 0
    try:
        for record in _files.generate_games(functools.partial(pgn.scan, variant=args.variant), args.files):
            games += 1
            findings = pgn.findings(record)
            broken += bool(findings)
            if not args.quiet:
                for finding in findings:
                    _files.write(f"{finding}\n")
    except _files.UnusableInput as error:
        _files.report(error)
        status = 2
    if not args.quiet:
        _files.report(f"games: {games}, with errors: {broken}")
    return status or int(broken > 0)
