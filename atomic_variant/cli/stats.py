"""``stats``: how games end, first moves, lengths, results by rating."""

from __future__ import annotations

import argparse
import csv
import functools
import importlib
import importlib.util
import io
import itertools
from collections.abc import Callable
from typing import Any

from .. import pgn
from ..statistics import Row, Statistics
from ..text import counted
from ._door import Door, UnusableError, add_files, find_format

_TITLES = {"end": "How games end", "first move": "First move", "moves": "Moves", "rating": "Average rating"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command."""
    parser.description = (
        "Counts games by how they end, by first move, by length and by the average rating of the players."
    )
    add_files(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--csv", metavar="OUT", help="write one long table as CSV, to standard output if OUT is -")
    output.add_argument("--parquet", metavar="OUT", help="write one long table as Parquet (needs polars)")


def run(args: argparse.Namespace, door: Door) -> int:
    statistics = Statistics()
    read = functools.partial(pgn.scan, variant=args.variant)

    def rows() -> list[Row]:
        for record in door.games(read):
            statistics.add(record)
        return list(statistics.rows())

    if args.csv:
        find_format(args.csv, ("csv",), "csv")
        with door.text_output(args.csv) as out:
            _write_csv(out, rows())
    elif args.parquet:
        _write_parquet(args.parquet, rows, door)
    else:
        door.write(_tables(statistics, rows()))
    if args.csv or args.parquet:
        door.report(statistics.readings.summary())
    if statistics.errors:
        door.report(f"games with errors: {statistics.errors}; the command check lists them")
    return int(statistics.errors > 0)


def _write_parquet(name: str, rows: Callable[[], list[Row]], door: Door) -> None:
    if importlib.util.find_spec("polars") is None:
        raise UnusableError("writing Parquet needs polars: pip install 'atomic_variant[tables]'")
    find_format(name, ("parquet",), "parquet")
    with door.output(name, compressed=False) as output:
        # Few rows; and so polars knows nothing of files. It starts threads, one of which
        # would get the signal of Ctrl-C: it comes when all is read.
        counted = rows()
        polars = importlib.import_module("polars")
        table = io.BytesIO()
        polars.DataFrame(counted, schema=_schema(polars)).write_parquet(table)
        output.binary.write(table.getvalue())


_COLUMNS = ("table", "key", "games", "white", "draws", "black", "score", "plies", "variant")


def _schema(polars: Any) -> dict[str, Any]:
    types = dict.fromkeys(_COLUMNS, polars.Int64)
    types |= dict.fromkeys(("table", "key", "variant"), polars.String)
    return types | {"score": polars.Float64, "plies": polars.Float64}


def _write_csv(out: Any, rows: list[Row]) -> None:
    writer = csv.DictWriter(out, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _tables(statistics: Statistics, rows: list[Row]) -> str:
    lines = [f"games: {statistics.total.games}", statistics.readings.summary()]
    width = max((len(str(row["key"])) for row in rows), default=0)
    for (name, tally), (table, title) in itertools.product(statistics.readings.tallies.items(), _TITLES.items()):
        if len(statistics.variants) > 1 and table == "end":
            lines += ["", f"{name}: {counted(tally.games, 'game')}"]
        lines.append("")
        lines.append(
            f"{title:<{max(width, 15)}} {'games':>9} {'share':>6} {'White':>6} {'draw':>6} {'Black':>6} {'plies':>6}"
        )
        for row in rows:
            if row["table"] == table and row["variant"] == name:
                games = int(row["games"] or 0)
                shares = " ".join(f"{int(row[side] or 0) / games:6.1%}" for side in ("white", "draws", "black"))
                share = f"{games / tally.games:6.1%}"
                lines.append(f"{row['key']!s:<{max(width, 15)}} {games:9} {share} {shares} {row['plies']:6.1f}")
    return "\n".join(lines) + "\n"
