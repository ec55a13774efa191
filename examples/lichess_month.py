"""
A month of atomic games from Lichess: a table of games, and a plot of how they end.

The months are at https://database.lichess.org (Variants, Atomic). A file can be
read as it is, compressed:

    python examples/lichess_month.py lichess_db_atomic_rated_2026-01.pgn.zst

writes ``lichess_db_atomic_rated_2026-01.parquet``, a row for each game, and
``lichess_db_atomic_rated_2026-01.svg``, how games end and which first moves win.
With ``--dask`` the games are read by a dask cluster: one on this machine, or the
one at the address that follows.

Needs ``pip install 'atomic_variant[zstd,tables,plot]'``, and ``dask`` for a cluster.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import itertools
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import matplotlib.axes
import matplotlib.figure
import matplotlib.ticker
import polars as pl

import atomic_variant
from atomic_variant import pgn
from atomic_variant import statistics as tables

SCHEMA = {
    "game": pl.Int64,
    "line": pl.Int64,
    "source": pl.String,
    "event": pl.String,
    "site": pl.String,
    "date": pl.String,
    "white": pl.String,
    "black": pl.String,
    "white_elo": pl.Int32,
    "black_elo": pl.Int32,
    "time_control": pl.String,
    "speed": pl.String,
    "variant": pl.String,
    "fen": pl.String,
    "chess960": pl.Boolean,
    "result": pl.String,
    "winner": pl.String,
    "end": pl.String,
    "plies": pl.Int32,
    "first_move": pl.String,
    "moves": pl.String,
    "errors": pl.Int32,
}

ROWS_AT_ONCE = 20_000
"""The rows that are kept in memory."""

RESULTS = {"1-0": ("White wins", "#e8e4da"), "1/2-1/2": ("Draw", "#9a9a94"), "0-1": ("Black wins", "#3a3a38")}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Makes a table and a plot of a month of atomic games.")
    parser.add_argument("month", type=Path, metavar="MONTH.pgn.zst")
    parser.add_argument("--table", type=Path, metavar="OUT.parquet", help="default: beside the month")
    parser.add_argument("--plot", type=Path, metavar="OUT.svg", help="default: beside the month; or a name in .png")
    parser.add_argument(
        "--dask", nargs="?", const="", metavar="ADDRESS", help="read on a dask cluster: a local one, or that at ADDRESS"
    )
    args = parser.parse_args(argv)
    stem = args.month.name.partition(".pgn")[0]
    table = args.table or args.month.with_name(f"{stem}.parquet")
    plot = args.plot or args.month.with_name(f"{stem}.svg")

    start = time.perf_counter()
    with open_executor(args.dask) as executor:
        count = write_table(args.month, table, executor)
    seconds = time.perf_counter() - start
    print(f"{count} games in {table}, in {seconds:.1f} s ({count / seconds:.0f} games per second)")
    draw_plot(table, plot)
    print(f"How they end in {plot}")
    return 0


@contextlib.contextmanager
def open_executor(address: str | None) -> Iterator[concurrent.futures.Executor | None]:
    """An executor of the dask cluster at *address*, of a new one if it is empty; ``None`` for this machine alone."""
    if address is None:
        yield None
        return
    import distributed

    with distributed.Client(address or None) as client:
        yield client.get_executor()


def write_table(month: Path, table: Path, executor: concurrent.futures.Executor | None) -> int:
    """Writes a row for each game of *month* and returns how many there are."""
    rows: Iterator[tables.Row]
    if executor is None and atomic_variant.kernel_active():
        # The kernel reads faster than processes could be handed the games.
        rows = map(tables.make_row, pgn.scan(month, variant="atomic"))
    else:
        rows = pgn.map_games(tables.make_row, month, executor=executor, records=True, variant="atomic")
    count = 0
    # Parts first, so that a month need not fit into the memory.
    with tempfile.TemporaryDirectory(dir=table.parent) as folder:
        for number in itertools.count():
            part = list(itertools.islice(rows, ROWS_AT_ONCE))
            if number and not part:
                break
            count += len(part)
            pl.DataFrame(part, schema=SCHEMA).write_parquet(f"{folder}/{number:06}.parquet")
        pl.scan_parquet(f"{folder}/*.parquet").sink_parquet(table)
    return count


def count_by(table: Path, column: str, fen: str | None = None) -> pl.DataFrame:
    """The games in *table* (those from *fen*) by *column*, most first, and how many of them ended with each result."""
    return (
        pl.scan_parquet(table)
        .filter(pl.col(column).is_not_null() if fen is None else pl.col(column).is_not_null() & (pl.col("fen") == fen))
        .group_by(column)
        .agg(pl.len().alias("games"), *((pl.col("result") == result).sum().alias(result) for result in RESULTS))
        .sort(["games", column], descending=[True, False])
        .collect()
    )


def draw_plot(table: Path, plot: Path, first_moves: int = 12) -> None:
    """Draws how games end, and the results of the most frequent first moves."""
    board = atomic_variant.AtomicBoard()
    ends = count_by(table, "end")
    openings = count_by(table, "first_move", board.fen()).head(first_moves)
    names = [
        f"{board.san(board.parse_uci(uci))} ({games})"
        for uci, games in zip(openings["first_move"], openings["games"], strict=True)
    ]

    figure = matplotlib.figure.Figure(figsize=(11, 5), layout="constrained")
    left, right = figure.subplots(1, 2)
    total = max(ends["games"].sum(), 1)
    draw_bars(left, ends, list(ends["end"]), [total] * len(ends))
    left.set_title("How games end")
    left.set_xlabel("share of all games, by result")
    draw_bars(right, openings, names, list(openings["games"]))
    right.set_title("First moves from the normal start, most frequent first")
    right.set_xlabel("share of the games with the move, by result")
    handles, labels = right.get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="outside lower center", ncols=len(RESULTS), frameon=False)
    figure.suptitle(f"{total} games of atomic chess")
    figure.savefig(plot)


def draw_bars(axes: matplotlib.axes.Axes, counts: pl.DataFrame, names: list[str], totals: list[int]) -> None:
    """Draws a bar for each row of *counts*, in parts by result, as a share of *totals*."""
    starts = [0.0] * len(names)
    for result, (label, color) in RESULTS.items():
        shares = [count / total for count, total in zip(counts[result], totals, strict=True)]
        axes.barh(names, shares, left=starts, label=label, color=color, edgecolor="#3a3a38", linewidth=0.5)
        starts = [start + share for start, share in zip(starts, shares, strict=True)]
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(matplotlib.ticker.PercentFormatter(1, decimals=0))
    axes.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    sys.exit(main())
