"""
How fast batches of positions are beside boards, in one run.

    python -m tests.tools.benchmark_positions [--rounds N] [--games FILE.pgn]

Each round runs every operation on batches and on boards in turn; of each the
fastest round counts. Printed are millions of positions a second, and how many
times as fast batches are as our boards and as python-chess's own.
"""

import argparse
import concurrent.futures
import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import chess.variant

import atomic_variant
from atomic_variant import AtomicBoard, pgn
from atomic_variant.positions import Positions

from ..support.random_games import random_pgn

ROWS = 16_384
"""Positions of a batch: its masks of moves take eight megabytes."""

BOARDS = 400
"""Positions that boards are asked about."""

STOCK = chess.variant.AtomicBoard


def explosions(board: chess.Board) -> int:
    """How many legal moves explode the enemy king, on any board."""
    count = 0
    for move in list(board.legal_moves):
        board.push(move)
        count += not board.kings & board.occupied_co[board.turn]
        board.pop()
    return count


def masks(board: chess.Board) -> list[int]:
    found = [0] * 64
    for move in board.legal_moves:
        found[move.from_square] |= chess.BB_SQUARES[move.to_square]
    return found


def stock_positions(text: str, moves: int) -> list[chess.Board]:
    """The positions of games by python-chess alone, up to so many moves."""
    found: list[chess.Board] = []
    handle = io.StringIO(text)
    while len(found) < moves and (game := chess.pgn.read_game(handle)):
        board = game.board()
        for move in game.mainline_moves():
            found.append(board.copy(stack=False))
            board.push(move)
    return found


def our_positions(text: str, moves: int) -> list[chess.Board]:
    found: list[chess.Board] = []
    for record in pgn.scan(io.StringIO(text)):
        board = record.board()
        for move in record.moves:
            found.append(board.copy(stack=False))
            board.push(move)
        if len(found) >= moves:
            break
    return found


def measure(operations: dict[str, list[Callable[[], int]]], rounds: int) -> None:
    """Prints a line for each operation: on a batch, on our boards, on boards of python-chess."""
    best: dict[tuple[str, int], float] = {}
    for _ in range(rounds):
        for name, ways in operations.items():
            for index, run in enumerate(ways):
                start = time.perf_counter()
                done = run()
                seconds = (time.perf_counter() - start) / done
                best[name, index] = min(best.get((name, index), seconds), seconds)
    print(f"{'':26}{'M/s':>8}{'x ours':>9}{'x python-chess':>16}")
    for name, ways in operations.items():
        own, *others = (best[name, index] for index in range(len(ways)))
        ratios = [other / own for other in others]
        print(f"{name:26}{1e-6 / own:8.2f}{ratios[0]:9.0f}{ratios[1]:16.0f}")


def count(function: Callable[[], Any], number: int) -> Callable[[], int]:
    """A run of *function* that says how many positions that were."""

    def run() -> int:
        function()
        return number

    return run


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=Path, metavar="FILE.pgn", help="default: random games")
    args = parser.parse_args()
    rounds = args.rounds
    text = args.games.read_text() if args.games else random_pgn(200, Variant="Atomic")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.pgn")
        path.write_text(text * 150)
        whole = Positions.concatenate(pgn.scan_positions(io.StringIO(text * 2)))
        batch = whole[[index % len(whole) for index in range(ROWS)]]
        fens = batch.to_fens()
        ours = [AtomicBoard(fen) for fen in fens[:BOARDS]]
        stock = [STOCK(fen) for fen in fens[:BOARDS]]

        def scan(workers: int) -> int:
            return sum(map(len, pgn.scan_positions(path, workers=workers)))

        def ask(question: Callable[[chess.Board], Any], boards: list[Any]) -> Callable[[], int]:
            return count(lambda: [question(board) for board in boards], len(boards))

        operations: dict[str, list[Callable[[], int]]] = {
            "positions of games": [
                lambda: scan(1),
                lambda: len(our_positions(text, 3000)),
                lambda: len(stock_positions(text, 500)),
            ],
            "from_fens": [
                count(lambda: Positions.from_fens(fens), ROWS),
                count(lambda: [AtomicBoard(fen) for fen in fens[:BOARDS]], BOARDS),
                count(lambda: [STOCK(fen) for fen in fens[:BOARDS]], BOARDS),
            ],
            "to_fens": [
                count(batch.to_fens, ROWS),
                ask(lambda board: board.fen(), ours),
                ask(lambda board: board.fen(), stock),
            ],
            "count_legal_moves": [
                count(batch.count_legal_moves, ROWS),
                ask(lambda board: board.legal_moves.count(), ours),
                ask(lambda board: board.legal_moves.count(), stock),
            ],
            "legal_moves": [
                count(batch.legal_moves, ROWS),
                ask(lambda board: list(board.legal_moves), ours),
                ask(lambda board: list(board.legal_moves), stock),
            ],
            "legal_masks": [count(batch.legal_masks, ROWS), ask(masks, ours), ask(masks, stock)],
            "king_explosions": [
                count(batch.king_explosions, ROWS),
                count(lambda: [sum(1 for _ in board.generate_king_explosions()) for board in ours], BOARDS),
                ask(explosions, stock),
            ],
            "endings": [
                count(batch.endings, ROWS),
                ask(lambda board: board.outcome(), ours),
                ask(lambda board: board.outcome(), stock),
            ],
        }
        measure(operations, rounds)

        def ask_twice(pool: concurrent.futures.Executor | None, half: Positions) -> None:
            run = pool.map if pool else map
            list(run(lambda part: [part.count_legal_moves() for _ in range(10)], [half, half]))

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            times: dict[str, list[float]] = {}
            for _ in range(rounds):
                for name, work in {
                    "scan, one thread": lambda: scan(1),
                    "scan, two": lambda: scan(2),
                    "count_legal_moves, one": lambda: ask_twice(None, batch),
                    "count_legal_moves, two": lambda: ask_twice(pool, batch),
                }.items():
                    start = time.perf_counter()
                    work()
                    times.setdefault(name, []).append(time.perf_counter() - start)
        one, two, single, both = (min(some) for some in times.values())
        print(f"two threads: scan_positions {one / two:.2f} times as fast, count_legal_moves {single / both:.2f} times")


if __name__ == "__main__":
    print(f"kernel: {atomic_variant.kernel_active()}")
    main()
