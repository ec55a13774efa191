"""
What the commands cost beside a bare scan of the same games, in one run.

    python -m tests.tools.command_costs [--games N] [--report-games N] [--rounds N]

Generated games, half of them with clocks and evaluations, are repeated to so
many. Each round runs everything in turn, so that a slow stretch of the machine
hits all; a ratio is the median of those within each round. ``check``,
``review`` and ``stats`` are measured against :func:`atomic_variant.pgn.scan`,
by the processor time of this process; ``review -o`` against ``review`` as a
user runs them, by the processor time of processes of their own.
"""

import argparse
import collections
import contextlib
import itertools
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atomic_variant
from atomic_variant import pgn
from atomic_variant.__main__ import main as run_command

from ..support.random_games import random_pgn

DIFFERENT = 2000
"""So many games are made; more are the same again."""


def write_games(path: Path, count: int) -> None:
    """Writes *count* games."""
    half = min(count, DIFFERENT) // 2
    texts = [random_pgn(1, first_seed=seed, clocks=seed < half) for seed in range(min(count, DIFFERENT))]
    with path.open("w", encoding="utf-8") as handle:
        handle.writelines(itertools.islice(itertools.cycle(texts), count))


def command(*args: str) -> Callable[[], None]:
    """Runs a command whose output nobody reads."""

    def run() -> None:
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            run_command(list(args))

    return run


def process(*args: str) -> Callable[[], None]:
    """Runs a command in a process of its own."""

    def run() -> None:
        subprocess.run(
            [sys.executable, "-m", "atomic_variant", *args],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=600,
        )

    return run


def scan(path: Path) -> None:
    """Reads everything and keeps nothing."""
    collections.deque(pgn.scan(path), maxlen=0)


def seconds(run: Callable[[], None]) -> float:
    """Processor time of one run, that of processes included that it starts and waits for."""
    start = processor_time()
    run()
    return processor_time() - start


def processor_time() -> float:
    """Of this process and of those that it waited for."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def compare(base: str, works: dict[str, Callable[[], None]], rounds: int) -> None:
    """Prints a line for each of *works*, as a multiple of the one called *base*."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(seconds(work))
    for name in works:
        ratio = statistics.median(a / b for a, b in zip(times[name], times[base], strict=True))
        print(f"{name:<12}{statistics.median(times[name]):>9.2f} s{ratio:>8.2f} x {base}")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="What the commands cost beside a bare scan.")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--report-games", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    print(f"kernel active: {atomic_variant.kernel_active()}")
    with tempfile.TemporaryDirectory() as folder:
        many, few, page = Path(folder, "many.pgn"), Path(folder, "few.pgn"), Path(folder, "page.html")
        write_games(many, args.games)
        write_games(few, args.report_games)
        print(f"{args.games} games, {many.stat().st_size >> 20} MB:")
        works: dict[str, Callable[[], None]] = {"scan": lambda: scan(many)}
        works |= {name: command(name, str(many)) for name in ("check", "review", "stats")}
        compare("scan", works, args.rounds)
        print(f"{args.report_games} games:")
        works = {"review": process("review", str(few)), "review -o": process("review", str(few), "-o", str(page))}
        compare("review", works, args.rounds)


if __name__ == "__main__":
    main()
