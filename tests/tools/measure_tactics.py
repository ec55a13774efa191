"""
What a search for forced wins costs on the positions of a file of games.

For every position that is not over, through the public function, in one run::

    python -m tests.tools.measure_tactics GAMES.pgn --moves 2 3 4

``--every N`` takes each Nth position only. ``--threads 2`` says how many times
as fast so many threads are as one, that take turns, a ratio of each round:
first for a table of the whole games, in which a thread gives up the lock of
the interpreter once a game, then for searches of single positions, which pass
it on and back every time.
"""

import argparse
import concurrent.futures
import statistics
import time
from collections.abc import Callable

import chess

from atomic_variant import kernel_active, pgn, tactics


def unfinished_positions(path: str) -> list[chess.Board]:
    """The positions that the games of *path* pass through, with an empty stack."""
    boards = []
    for record in pgn.scan(path):
        board = record.board()
        for move in [*record.moves, None]:
            if board.outcome() is None:
                boards.append(board.copy(stack=False))
            if move is not None:
                board.push(move)
    return boards


def speedups(work: Callable[[concurrent.futures.Executor], object], threads: int, rounds: int) -> str:
    """How many times as fast *threads* do the *work* as one, in words."""
    found = []
    for _ in range(rounds):
        times, results = [], []
        for number in (1, threads):
            with concurrent.futures.ThreadPoolExecutor(number) as executor:
                start = time.perf_counter()
                results.append(work(executor))
                times.append(time.perf_counter() - start)
        assert results[0] == results[1]
        found.append(times[0] / times[1])
    each = ", ".join(f"{ratio:.2f}" for ratio in found)
    return f"{threads} threads are {statistics.median(found):.2f} times one ({each})"


def compare_threads(path: str, boards: list[chess.Board], moves: int, threads: int, rounds: int) -> None:
    # Parts of many positions each, handed out as threads get free.
    parts = [boards[start : start + 25] for start in range(0, len(boards), 25)]

    def search(part: list[chess.Board]) -> int:
        return sum(tactics.find_win(board, moves) is not None for board in part)

    def table(executor: concurrent.futures.Executor) -> object:
        return list(tactics.table(path, moves, executor=executor))

    def single(executor: concurrent.futures.Executor) -> object:
        return list(executor.map(search, parts))

    print(f"moves={moves}, a table of whole games: {speedups(table, threads, rounds)}")
    print(f"moves={moves}, single positions: {speedups(single, threads, rounds)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path")
    parser.add_argument("--moves", type=int, nargs="+", default=[2, 3])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--threads", type=int, help="compare so many threads with one")
    parser.add_argument("--rounds", type=int, default=5, help="how often to compare threads")
    args = parser.parse_args()
    boards = unfinished_positions(args.path)[:: args.every]
    print(f"{len(boards)} positions, kernel {'on' if kernel_active() else 'off'}")
    for moves in args.moves if args.threads else ():
        compare_threads(args.path, boards, moves, args.threads, args.rounds)
    for moves in args.moves if not args.threads else ():
        times = []
        wins = 0
        used = time.process_time()
        for board in boards:
            start = time.perf_counter()
            wins += tactics.find_win(board, moves) is not None
            times.append(time.perf_counter() - start)
        used = time.process_time() - used
        times.sort()
        mean, median = sum(times) / len(times), times[len(times) // 2]
        print(
            f"moves={moves}: mean {mean * 1e6:.1f} us, of the processor {used / len(times) * 1e6:.1f} us, "
            f"median {median * 1e6:.1f} us, longest {times[-1] * 1e3:.2f} ms, {wins} wins"
        )


if __name__ == "__main__":
    main()
