"""``tactics``: wins that were missed or allowed, proved on the rules."""

from __future__ import annotations

import argparse
import concurrent.futures
import csv
import functools
import importlib
import io
from collections.abc import Iterable, Iterator
from typing import Any

from .. import pgn
from ..pgn._source import Source
from ..statistics import Row
from ..tactics import annotate, table
from ..tactics._search import BATCH
from ..tactics._table import COLUMNS, Tally, polars_schema
from ..text import csv_text, one_line
from . import _work
from ._door import Door, UnusableError, add_files, find_format

_TITLES = {"length": "Wins in", "phase": "Phase", "rating": "Rating of the player", "player": "Player"}
_PLAYERS = 20
"""Players that are printed; files have all."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command."""
    parser.description = (
        "Counts the wins that were at hand, missed, and allowed, by length, phase, rating and player. "
        "Every win is proved against every defence; no engine is needed."
    )
    add_files(parser)
    parser.add_argument("--moves", type=_work.moves, default=2, metavar="N", help="how long wins may be (default: 2)")
    parser.add_argument("--player", metavar="NAME", help="count the moves of this player only, in any case of letters")
    parser.add_argument(
        "--list", action="store_true", help="print each move that missed a win, or allowed one needlessly"
    )
    _work.add_jobs(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        "--csv", metavar="OUT", help="write a row for each such move as CSV, to standard output if OUT is -"
    )
    output.add_argument("--parquet", metavar="OUT", help="write the same as Parquet (needs polars)")
    output.add_argument("-o", "--output", metavar="OUT.pgn", help="write the games with signs, comments and variations")


def run(args: argparse.Namespace, door: Door) -> int:
    work = _work.Work(door, args.jobs)
    if args.output:
        find_format(args.output, ("pgn",))
        with door.text_output(args.output) as out:
            for text in work.until_interrupted(_annotated(args, door, work.executor())):
                out.write(text)
        return work.status
    tally = Tally()

    def rows() -> Iterator[Row]:
        executor = work.executor()
        found = door.games(
            lambda source: table(source, args.moves, executor=executor, variant=args.variant), unit="moves"
        )
        for row in work.until_interrupted(found):
            if args.player is None or str(row["player"]).casefold() == args.player.casefold():
                tally.add(row)
                if args.list and (row["missed"] or row["avoidable"]):
                    door.write(_describe(row))
                yield row

    if args.csv:
        find_format(args.csv, ("csv",), "csv")
        with door.text_output(args.csv) as out:
            _write_csv(out, rows())
    elif args.parquet:
        _write_parquet(args.parquet, rows(), door)
    else:
        for _ in rows():
            pass
    if args.csv != "-":
        door.write(_tables(tally))
    return work.status


def _annotated(args: argparse.Namespace, door: Door, executor: concurrent.futures.Executor | None) -> Iterator[str]:
    """The games with their turning points, as text."""
    make = functools.partial(_annotate, moves=args.moves)

    def texts(source: Source) -> Iterator[str]:
        if executor is None:
            return map(make, pgn.read_games(source, variant=args.variant))
        return pgn.map_games(make, source, executor=executor, batch=BATCH, variant=args.variant)

    return door.games(texts)


def _annotate(game: pgn.Game, moves: int) -> str:
    annotate(game, moves)
    return f"{game}\n\n"


def _describe(row: Row) -> str:
    words = []
    if row["missed"]:
        words.append(f"misses a win in {row['had']}")
    if row["avoidable"]:
        safe = int(row["safe"] or 0)
        words.append(f"allows a win in {row['allowed']} ({safe} safe move{'s' if safe != 1 else ''})")
    players = f"{one_line(row['white'] or '?', 40)} - {one_line(row['black'] or '?', 40)}"
    return f"{row['game']:5}  {players}: {row['move']} {', '.join(words)}\n"


def _write_csv(out: Any, rows: Iterable[Row]) -> None:
    writer = csv.DictWriter(out, list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: csv_text(value) for name, value in row.items()} for row in rows)


def _write_parquet(name: str, rows: Iterable[Row], door: Door) -> None:
    try:
        polars = importlib.import_module("polars")
    except ImportError:
        raise UnusableError("writing Parquet needs polars: pip install 'atomic_variant[tables]'") from None
    find_format(name, ("parquet",), "parquet")
    with door.output(name, compressed=False) as output:
        # Columns of plain values take a fraction of the memory of rows.
        columns: dict[str, list[Any]] = {column: [] for column in COLUMNS}
        for row in rows:
            for column, values in columns.items():
                values.append(row[column])
        written = io.BytesIO()
        polars.DataFrame(columns, schema=polars_schema(polars)).write_parquet(written)
        output.binary.write(written.getvalue())


def _tables(tally: Tally) -> str:
    lines = []
    names = {name: tally.items(name) for name in _TITLES}
    names["player"] = names["player"][:_PLAYERS]
    width = (
        max(24, *(len(one_line(key, 40)) for items in names.values() for key, _ in items)) if tally.total.had else 24
    )
    for name, title in _TITLES.items():
        lines.append(
            f"{title:<{width}} {'at hand':>9} {'missed':>9} {'share':>6} {'allowed':>9} {'avoidable':>9} {'share':>6}"
        )
        for key, count in [*names[name], *([("all", tally.total)] if name == "length" else [])]:
            missed, avoidable = _share(count.missed, count.had), _share(count.avoidable, count.allowed)
            lines.append(
                f"{one_line(key, 40):<{width}} {count.had:9} {count.missed:9} {missed} "
                f"{count.allowed:9} {count.avoidable:9} {avoidable}"
            )
        lines.append("")
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:6.1%}" if whole else f"{'':6}"
