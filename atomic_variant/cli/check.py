"""``check``: finds what is wrong with games, with place and reason."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Iterator

from .. import pgn
from ._door import Door, add_files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command."""
    parser.description = (
        "Lists what is wrong with games, one finding on a line, with place and reason. "
        "The exit status is 1 if there is any."
    )
    add_files(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing, only set the exit status")


def run(args: argparse.Namespace, door: Door) -> int:
    games = broken = 0
    for record in door.games(functools.partial(pgn.scan, variant=args.variant)):
        games += 1
        findings = list(generate_findings(record))
        broken += bool(findings)
        if not args.quiet:
            for finding in findings:
                door.write(f"{finding}\n")
    if not args.quiet:
        door.report(f"games: {games}, with errors: {broken}")
    return int(broken > 0)


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
