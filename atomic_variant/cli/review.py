"""``review``: reads every game, checks every move, says how each game ended."""

from __future__ import annotations

import argparse
import contextlib
import time
from collections import Counter
from collections.abc import Iterator

import chess

from .. import pgn
from ..boards.endings import EndingKind
from ..pgn._parser import parse_game
from ..pgn._source import Source, generate_lines, source_name
from ..pgn._splitter import generate_texts
from ..pgn.conclusion import conclude
from ..pgn.errors import are_serious
from ..report import Report
from ..text import one_line
from ._door import Door, UnusableError, add_files, find_format


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command."""
    parser.description = "Reads every game, checks every move, and prints a line for each game and a summary."
    add_files(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="REPORT.html",
        help="also write a report: plots, a table to search, and a viewer for each game, in one file",
    )


def run(args: argparse.Namespace, door: Door) -> int:
    """Reviews files; 0 if all games are sound, 1 if any has errors, 2 if a file cannot be used."""

    def read(source: Source) -> Iterator[tuple[pgn.Record, pgn.Game | None]]:
        return _read(source, args.variant, with_trees=page is not None)

    counts: Counter[str] = Counter()
    page = None
    start = time.perf_counter()
    with contextlib.ExitStack() as stack:
        if args.output:
            find_format(args.output, ("html",), "html")
            out = stack.enter_context(door.output(args.output, compressed=False))
            page = Report(" ".join(args.files))
        for record, game in door.games(read):
            counts["games"] += 1
            ending, _, errors = conclude(record)
            counts["errors"] += are_serious(errors)
            counts[_key(ending)] += 1
            door.write(f"{_line(counts['games'], record)}\n")
            for finding in errors:
                door.write(f"       error: {finding}\n")
            if page and game:
                page.add(game)
        if counts["games"]:
            door.write(f"{_summary(counts, time.perf_counter() - start)}\n")
        elif door.status < 2:
            raise UnusableError(f"{', '.join(args.files)}: no games found")
        if page:
            page.write(out.text)
    return int(counts["errors"] > 0)


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
    players = f"{one_line(headers.get('White', '?'), 80)} - {one_line(headers.get('Black', '?'), 80)}"
    return f"{number:5}  {players:<41} {len(record.moves):4} plies  {one_line(record.result, 80):<7}  {record.ending}"


def _summary(counts: Counter[str], seconds: float) -> str:
    games = counts["games"]
    others = {kind: counts[kind] for kind in (EndingKind.KING_CAPTURED, EndingKind.VARIANT_RULE) if counts[kind]}
    return (
        f"{games} games: {counts[EndingKind.EXPLOSION]} explosions, {counts[EndingKind.CHECKMATE]} mates, "
        + "".join(f"{count} by {kind}, " for kind, count in others.items())
        + f"{counts['draw']} draws on the board, {counts['undecided']} not decided on the board; "
        f"{counts['errors']} with errors; {games / max(seconds, 1e-9):.0f} games per second"
    )
