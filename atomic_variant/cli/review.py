"""``review``: reads every game, checks every move, says how each game ended."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import chess

from .. import pgn
from ..boards.endings import EndingKind
from ..pgn._parser import parse_game
from ..pgn._source import Source, generate_lines, source_name
from ..pgn._splitter import generate_texts
from ..pgn.conclusion import conclude
from ..report import Report
from . import _door as _files


def add_parser(subparsers: Any) -> None:
    """Describes the arguments of the command."""
    parser = subparsers.add_parser(
        "review",
        help="check every move and say how each game ended",
        description="Reads every game, checks every move, and prints a line for each game and a summary.",
    )
    _files.add_arguments(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="REPORT.html",
        help="also write a report: plots, a table to search, and a viewer for each game, in one file",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Reviews files; 0 if all games are sound, 1 if any has errors, 2 if a file cannot be used."""

    def read(source: Source) -> Iterator[tuple[pgn.Record, pgn.Game | None]]:
        return _read(source, args.variant, with_trees=page is not None)

    counts: Counter[str] = Counter()
    page = Report(" ".join(args.files)) if args.output else None
    start = time.perf_counter()
    try:
        for record, game in _files.generate_games(read, args.files):
            counts["games"] += 1
            ending, _, errors = conclude(record)
            counts["errors"] += bool(errors)
            counts[_key(ending)] += 1
            _files.write(f"{_line(counts['games'], record)}\n")
            for finding in errors:
                _files.write(f"       error: {finding}\n")
            if page and game:
                page.add(game)
    except _files.UnusableInput as error:
        _files.report(error)
        return 2
    if not counts["games"]:
        _files.report(f"{', '.join(args.files)}: no games found")
        return 2
    print(_summary(counts, time.perf_counter() - start))
    if page:
        try:
            page.write(args.output)
        except OSError as error:
            _files.report(_files.describe_os_error(error))
            return 2
    return 1 if counts["errors"] else 0


def _read(
    source: Source, variant: type[chess.Board] | None, *, with_trees: bool
) -> Iterator[tuple[pgn.Record, pgn.Game | None]]:
    """The record of each game, and for a report the game itself."""
    if not with_trees:
        yield from ((record, None) for record in pgn.scan(source, variant=variant))
        return
    for text in generate_texts(generate_lines(source), source_name(source)):
        yield pgn.read_record(text, variant=variant), parse_game(text, pgn.GameBuilder(), variant=variant)


def _key(ending: pgn.Ending) -> str:
    """What a game counts as in the summary."""
    if ending.is_draw:
        return "draw"
    return "undecided" if ending.winner is None else ending.kind


def _line(number: int, record: pgn.Record) -> str:
    headers = record.headers
    players = f"{_printable(headers.get('White', '?'))} - {_printable(headers.get('Black', '?'))}"
    return f"{number:5}  {players:<41} {len(record.moves):4} plies  {_printable(record.result):<7}  {record.ending}"


def _printable(text: str) -> str:
    """*text* without control characters, which could steer a terminal, and without excess."""
    return "".join(char if char.isprintable() else "?" for char in text[:80])


def _summary(counts: Counter[str], seconds: float) -> str:
    games = counts["games"]
    others = {kind: counts[kind] for kind in (EndingKind.KING_CAPTURED, EndingKind.VARIANT_RULE) if counts[kind]}
    return (
        f"{games} games: {counts[EndingKind.EXPLOSION]} explosions, {counts[EndingKind.CHECKMATE]} mates, "
        + "".join(f"{count} by {kind}, " for kind, count in others.items())
        + f"{counts['draw']} draws on the board, {counts['undecided']} not decided on the board; "
        f"{counts['errors']} with errors; {games / max(seconds, 1e-9):.0f} games per second"
    )
