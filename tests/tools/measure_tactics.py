"""
What a search for forced wins costs on the positions of a file of games.

For every position that is not over, through the public function, in one run::

    python -m tests.tools.measure_tactics GAMES.pgn --moves 2 3 4

``--every N`` takes each Nth position only.
"""

import argparse
import time

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path")
    parser.add_argument("--moves", type=int, nargs="+", default=[2, 3])
    parser.add_argument("--every", type=int, default=1)
    args = parser.parse_args()
    boards = unfinished_positions(args.path)[:: args.every]
    print(f"{len(boards)} positions, kernel {'on' if kernel_active() else 'off'}")
    for moves in args.moves:
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
