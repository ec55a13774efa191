"""
What a month of games costs to search for puzzles and turning points.

Makes a file of games, of players who see two moves ahead and else play by
chance, so that they are as long as those of people and give away as many wins,
and runs the commands on it as a user does, in processes of their own::

    python -m tests.tools.measure_month [--games 500000] [--moves 2] [--jobs 2] [--file MONTH.pgn]

So many games are made from ``--different`` ones by repeating them under other
names; each is searched all the same. A file that is named is kept, and made
only if there is none. For a part of a month the times of the
whole are given too, in proportion. Memory is the most that all processes of a
command hold together, pages that they share counted once.
"""

import argparse
import concurrent.futures
import functools
import itertools
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from atomic_variant import AtomicBoard, pgn, tactics

MONTH = 500_000
LONGEST = 120


def played_game(seed: int) -> str:
    """The headers, but for the names and the site, and the moves of a game."""
    chance = random.Random(seed)
    sees = [tactics.player(2, seed), tactics.player(2, seed + 1)]
    board = AtomicBoard()
    while len(board.move_stack) < LONGEST and board.outcome(claim_draw=False) is None:
        # Now and then somebody overlooks everything, as people do.
        blind = chance.random() < 0.1
        board.push(chance.choice(list(board.legal_moves)) if blind else sees[len(board.move_stack) % 2](board))
    game = pgn.Game.from_board(board)
    game.headers["WhiteElo"], game.headers["BlackElo"] = (str(chance.randrange(1200, 2400)) for _ in "wb")
    for name in ("Event", "Site", "White", "Black", "Date", "Round"):
        del game.headers[name]
    return str(game)


def games(number: int, different: int, jobs: int) -> Iterator[str]:
    """The text of so many games."""
    with concurrent.futures.ProcessPoolExecutor(jobs) as executor:
        made = list(executor.map(played_game, range(min(number, different)), chunksize=50))
    for index, text in enumerate(itertools.islice(itertools.cycle(made), number)):
        players = f'[White "player{index % 9973}"]\n[Black "player{(index * 7 + 1) % 9973}"]\n'
        yield f'[Event "Rated Atomic game"]\n[Site "https://lichess.org/{index:08}"]\n{players}{text}\n\n'


class Cost(NamedTuple):
    """What a command took."""

    seconds: float
    processor: float
    memory: float
    """In bytes."""


def run(arguments: list[str]) -> Cost:
    """Runs a command of ours."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "atomic_variant", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    most = used = 0.0
    ended = threading.Event()

    def watch() -> None:
        nonlocal most, used
        while not ended.wait(0.5):
            tree = list(_tree(process.pid))
            most = max(most, sum(map(_memory, tree)))
            used = max(used, sum(map(_processor, tree)))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    errors = process.communicate()[1]
    seconds = time.perf_counter() - began
    ended.set()
    watcher.join()
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)}: {errors.decode()}")
    return Cost(seconds, used, most)


def _tree(pid: int) -> Iterator[int]:
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in _read(task).split():
            yield from _tree(int(child))


def _memory(pid: int) -> float:
    lines = _read(Path(f"/proc/{pid}/smaps_rollup")).splitlines()
    return sum(1024.0 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def _processor(pid: int) -> float:
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100 if fields else 0.0


def _read(path: Path) -> str:
    """What a file of the system says; nothing once the process is gone."""
    try:
        return path.read_text()
    except OSError:
        return ""


def describe(cost: Cost, scale: float, jobs: int) -> str:
    """*cost*, and in proportion that of *scale* times as many games."""

    def minutes(seconds: float) -> str:
        return f"{seconds / 60:.1f} min" if seconds > 100 else f"{seconds:.1f} s"

    parts = [f"{minutes(cost.seconds)}, of the processor {minutes(cost.processor)}, {cost.memory / 1e6:.0f} MB"]
    if scale > 1.01:
        whole, free = minutes(cost.seconds * scale), minutes(cost.processor * scale / jobs)
        parts.append(f"a whole month in proportion {whole} as here, {free} on {jobs} free cores")
    return "; ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("--games", type=int, default=MONTH)
    parser.add_argument("--different", type=int, default=20_000)
    parser.add_argument("--moves", type=int, default=2, help="how long wins may be")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--file", type=Path, help="where the games are, or are put")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        month = args.file or Path(folder, "month.pgn")
        if not month.exists():
            with month.open("w", encoding="utf-8") as handle:
                handle.writelines(games(args.games, args.different, args.jobs))
        count = plies = 0
        for record in pgn.scan(month):
            plies += len(record.moves)
            count += 1
        size = month.stat().st_size / 1e6
        print(f"{count} games of {plies / count:.0f} plies, {size:.0f} MB; {args.jobs} processes", flush=True)
        measure = functools.partial(describe, scale=MONTH / count, jobs=args.jobs)
        total = Cost(0, 0, 0)
        commands = {
            "puzzles": ["puzzles", "--moves", f"1-{args.moves}", "-o", f"{folder}/puzzles.csv"],
            "turning points": ["tactics", "--moves", f"{args.moves}", "--csv", f"{folder}/rows.csv"],
        }
        for name, command in commands.items():
            cost = run([*command, "--jobs", str(args.jobs), str(month)])
            total = Cost(*map(sum, zip(total[:2], cost[:2], strict=True)), max(total.memory, cost.memory))
            rows = Path(command[-1]).read_bytes().count(b"\n") - 1
            print(f"{name} with moves={args.moves}: {measure(cost)}; {rows} rows", flush=True)
        print(f"both: {measure(total)}")


if __name__ == "__main__":
    main()
