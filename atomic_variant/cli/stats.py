"""``stats``: how games end, first moves, lengths, results by rating."""

from __future__ import annotations

import argparse
import csv
import functools
import importlib
import sys
from typing import Any

from .. import pgn
from ..statistics import Row, Statistics
from . import _door as _files

_TITLES = {"end": "How games end", "first move": "First move", "moves": "Moves", "rating": "Average rating"}


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "stats",
        help="count how games end, first moves, lengths, results by rating",
        description="Counts games by how they end, by first move, by length and by the average rating of the players.",
    )
    _files.add_arguments(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--csv", metavar="OUT", help="write one long table as CSV, to standard output if OUT is -")
    output.add_argument("--parquet", metavar="OUT", help="write one long table as Parquet (needs polars)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    polars = None
    if args.parquet:
        try:
            polars = importlib.import_module("polars")
        except ImportError:
            _files.report("writing Parquet needs polars: pip install 'atomic_variant[tables]'")
            return 2
    statistics = Statistics()
    status = 0
    try:
        read = functools.partial(pgn.scan, comments=True, variant=args.variant)
        for record in _files.generate_games(read, args.files):
            statistics.add(record)
    except _files.UnusableInput as error:
        _files.report(error)
        status = 2
    rows = list(statistics.rows())
    if args.csv == "-":
        _write_csv(sys.stdout, rows)
    elif args.csv or polars is not None:
        try:
            if polars is not None:
                polars.DataFrame(rows, schema=_schema(polars)).write_parquet(args.parquet)
            else:
                with open(args.csv, "w", encoding="utf-8", newline="") as out:
                    _write_csv(out, rows)
        except OSError as error:
            _files.report(_files.describe_os_error(error))
            return 2
    else:
        _print_tables(statistics, rows)
    if statistics.errors:
        _files.report(f"games with errors: {statistics.errors}; the command check lists them")
    return status or int(statistics.errors > 0)


_COLUMNS = ("table", "key", "games", "white", "draws", "black", "score", "plies")


def _schema(polars: Any) -> dict[str, Any]:
    types = dict.fromkeys(_COLUMNS, polars.Int64)
    return types | {"table": polars.String, "key": polars.String, "score": polars.Float64, "plies": polars.Float64}


def _write_csv(out: Any, rows: list[Row]) -> None:
    writer = csv.DictWriter(out, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _print_tables(statistics: Statistics, rows: list[Row]) -> None:
    print(f"games: {statistics.total.games}")
    width = max((len(str(row["key"])) for row in rows), default=0)
    for table, title in _TITLES.items():
        print(
            f"\n{title:<{max(width, 15)}} {'games':>9} {'share':>6} {'White':>6} {'draw':>6} {'Black':>6} {'plies':>6}"
        )
        for row in rows:
            if row["table"] == table:
                games = int(row["games"] or 0)
                shares = " ".join(f"{int(row[side] or 0) / games:6.1%}" for side in ("white", "draws", "black"))
                share = f"{games / statistics.total.games:6.1%}"
                print(f"{row['key']!s:<{max(width, 15)}} {games:9} {share} {shares} {row['plies']:6.1f}")
