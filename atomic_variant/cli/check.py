"""``check``: finds what is wrong with games, with place and reason."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Iterator
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
            findings = list(generate_findings(record))
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


def generate_findings(record: pgn.Record) -> Iterator[pgn.GameError]:
    """
    The errors of a game, and a result that the last position contradicts.

    A draw on the board contradicts nothing: not every server adjudicates the
    same draws, and a player may have lost on time.
    """
    yield from record.errors
    outcome = record.outcome
    if record.errors or outcome is None or outcome.winner is None:
        return
    if record.result not in ("*", outcome.result()):
        reason = f"the result contradicts the moves: {record.ending}"
        yield pgn.GameError(record.number, record.line, record.result, reason, source=record.source)
