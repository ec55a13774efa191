"""
How fast our board is beside the board of python-chess, in one run.

    python tests/tools/benchmark.py [--rounds N] [--only legal_list,push_pop]

Each round runs every operation on both boards in turn, so that a slow stretch
of the machine hits both. The clock is the processor time of this process; a
ratio is the median of the ratios within each round. Above 1 is faster than
chess.variant.AtomicBoard.
"""

import argparse
import gc
import io
import random
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import chess
import chess.pgn
import chess.polyglot
import chess.variant

import atomic_variant
from atomic_variant import pgn
from atomic_variant.perft import perft

OURS = atomic_variant.AtomicBoard
STOCK = chess.variant.AtomicBoard


def random_positions(count: int, seed: int) -> list[str]:
    """Positions from random games, none of them over."""
    rng = random.Random(seed)
    fens: list[str] = []
    while len(fens) < count:
        board = OURS()
        for _ in range(rng.randrange(4, 60)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if board.outcome() is None:
            fens.append(board.fen())
    return fens


def random_games(count: int, seed: int) -> list[list[str]]:
    """Random games of some length, in SAN."""
    rng = random.Random(seed)
    games: list[list[str]] = []
    while len(games) < count:
        board = OURS()
        sans: list[str] = []
        while len(sans) < 80 and (moves := list(board.legal_moves)):
            sans.append(board.san_and_push(rng.choice(moves)))
        if len(sans) > 30:
            games.append(sans)
    return games


class Data:
    """The same positions and games for both boards."""

    def __init__(self) -> None:
        self.fens = random_positions(150, seed=1)
        self.games = random_games(25, seed=2)
        self.pgn = "\n".join(f'[Variant "Atomic"]\n\n{" ".join(sans)} *\n' for sans in self.games)
        self.moves: list[list[tuple[chess.Move, str]]] = []
        for fen in self.fens:
            board = OURS(fen)
            self.moves.append([(move, board.san(move)) for move in list(board.legal_moves)[::3]])


Prepare: TypeAlias = Callable[[type[chess.Board], Data], Callable[[], None]]
"""Gives the work that is timed, on one of the boards."""


def for_boards(work: Callable[[chess.Board], Any]) -> Prepare:
    """An operation on each position, the boards made before the clock starts."""

    def prepare(board_class: type[chess.Board], data: Data) -> Callable[[], None]:
        boards = [board_class(fen) for fen in data.fens]

        def run() -> None:
            for board in boards:
                work(board)

        return run

    return prepare


def for_moves(work: Callable[[chess.Board, chess.Move, str], Any]) -> Prepare:
    """An operation on some moves of each position."""

    def prepare(board_class: type[chess.Board], data: Data) -> Callable[[], None]:
        boards = [board_class(fen) for fen in data.fens]

        def run() -> None:
            for board, moves in zip(boards, data.moves, strict=True):
                for move, san in moves:
                    work(board, move, san)

        return run

    return prepare


def for_fens(work: Callable[[chess.Board, str], Any]) -> Prepare:
    """An operation on a board and the FEN of each position."""

    def prepare(board_class: type[chess.Board], data: Data) -> Callable[[], None]:
        board = board_class()

        def run() -> None:
            for fen in data.fens:
                work(board, fen)

        return run

    return prepare


def for_long_games(work: Callable[[chess.Board], Any]) -> Prepare:
    """An operation on boards with sixty moves on the stack, or as many as the game has."""

    def prepare(board_class: type[chess.Board], data: Data) -> Callable[[], None]:
        boards = []
        for sans in data.games:
            board = board_class()
            for san in sans[:60]:
                board.push_san(san)
            boards.append(board)

        def run() -> None:
            for _ in range(20):  # Some take less than the clock can tell.
                for board in boards:
                    work(board)

        return run

    return prepare


def push_pop(board: chess.Board, move: chess.Move, san: str) -> None:
    board.push(move)
    board.pop()


def prepare_perft(board_class: type[chess.Board], data: Data) -> Callable[[], None]:
    return lambda: (perft(board_class(), 3), None)[1]


def prepare_replay(board_class: type[chess.Board], data: Data) -> Callable[[], None]:
    def run() -> None:
        for sans in data.games:
            board = board_class()
            for san in sans:
                list(board.legal_moves)
                board.push_san(san)

    return run


def prepare_pgn(board_class: type[chess.Board], data: Data) -> Callable[[], None]:
    def run() -> None:
        if board_class is OURS:
            atomic_variant.register()
        handle = io.StringIO(data.pgn)
        while game := chess.pgn.read_game(handle):
            assert type(game.board()) is board_class
            assert not game.errors
        atomic_variant.unregister()

    return run


def prepare_reader(read: Callable[[io.StringIO], Iterable[Any]]) -> Prepare:
    """A reader of ours, against :func:`chess.pgn.read_game` on the stock board."""

    def prepare(board_class: type[chess.Board], data: Data) -> Callable[[], None]:
        if board_class is STOCK:
            return prepare_pgn(board_class, data)
        return lambda: deque(read(io.StringIO(data.pgn)), maxlen=0) and None

    return prepare


OPERATIONS: dict[str, Prepare] = {
    "legal_list": for_boards(lambda board: list(board.legal_moves)),
    "legal_count": for_boards(lambda board: board.legal_moves.count()),
    "legal_any": for_boards(lambda board: any(board.legal_moves)),
    "push_pop": for_moves(push_pop),
    "is_legal": for_moves(lambda board, move, san: board.is_legal(move)),
    "gives_check": for_moves(lambda board, move, san: board.gives_check(move)),
    "parse_san": for_moves(lambda board, move, san: board.parse_san(san)),
    "san": for_moves(lambda board, move, san: board.san(move)),
    "is_checkmate": for_boards(lambda board: board.is_checkmate()),
    "outcome": for_boards(lambda board: board.outcome()),
    "outcome_claim": for_boards(lambda board: board.outcome(claim_draw=True)),
    "fen": for_boards(lambda board: board.fen()),
    "set_fen": for_fens(lambda board, fen: board.set_fen(fen)),
    "fen_legal": for_fens(lambda board, fen: list(type(board)(fen).legal_moves)),
    "zobrist_key": for_boards(
        lambda board: chess.polyglot.zobrist_hash(board) if type(board) is STOCK else board.zobrist_key()
    ),
    "copy": for_boards(lambda board: board.copy()),
    "copy_60": for_long_games(lambda board: board.copy()),
    "repetition": for_long_games(lambda board: board.is_repetition()),
    "fivefold": for_long_games(lambda board: board.is_fivefold_repetition()),
    "claim_draw": for_long_games(lambda board: board.can_claim_draw()),
    "outcome_claim_60": for_long_games(lambda board: board.outcome(claim_draw=True)),
    "perft3": prepare_perft,
    "replay_legal": prepare_replay,
    "chess.pgn": prepare_pgn,
    "scan": prepare_reader(pgn.scan),
    "scan_comments": prepare_reader(lambda handle: pgn.scan(handle, comments=True)),
    "read_game": prepare_reader(lambda handle: iter(lambda: pgn.read_game(handle), None)),
    "read_games": prepare_reader(pgn.read_games),
}


def seconds(run: Callable[[], None]) -> float:
    """Processor time of one run, without garbage collection."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        run()
        return time.process_time() - start
    finally:
        gc.enable()


def main() -> None:
    """Measures and prints a line for each operation."""
    parser = argparse.ArgumentParser(description="Our board beside chess.variant.AtomicBoard.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", help="operations, with commas between")
    args = parser.parse_args()
    names = args.only.split(",") if args.only else list(OPERATIONS)
    data = Data()
    print(f"kernel active: {atomic_variant.kernel_active()}")
    print(f"{'operation':<14}{'stock ms':>10}{'ours ms':>10}{'ratio':>8}")
    for name in names:
        prepare = OPERATIONS[name]
        ours, stock = [], []
        for number in range(args.rounds):
            pair = [(STOCK, stock), (OURS, ours)]
            for board_class, times in pair if number % 2 else pair[::-1]:
                times.append(seconds(prepare(board_class, data)))
        ratio = statistics.median(b / a for a, b in zip(ours, stock, strict=True))
        print(f"{name:<14}{statistics.median(stock) * 1e3:>10.1f}{statistics.median(ours) * 1e3:>10.1f}{ratio:>8.1f}")


if __name__ == "__main__":
    main()
