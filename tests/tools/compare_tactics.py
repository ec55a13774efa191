"""
Holds the searches for forced wins, compiled and in Python, against brute force.

The test run compares some hundreds of positions. For more::

    python -m tests.tools.compare_tactics 5000
"""

import argparse
import itertools
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import chess

from atomic_variant import AtomicBoard, kernel_active, pgn, tactics
from atomic_variant.tactics import _search

from ..support.positions import snapshot
from ..tactics.reference import lengths_of_wins, shortest_win
from .compare_kernel import CLASSES, as_board, generate_boards, python

GAMES = Path(__file__).parents[2] / "examples" / "games.pgn"

_WIDEST = 50  # Two moves in Python take minutes on a board of many queens.

_ENDING_MEN = ["Q", "R", "RR", "Qp", "QP", "Pp", "RP", "PPpp", "BN", "QQ", "Pr", "PPp", "NNp", "BBp", "RBp"]


def endings(seed: int, number: int) -> Iterator[AtomicBoard]:
    """Positions of few men, where mates, stalemates and the duty to move decide; a third with touching kings."""
    rng = random.Random(seed)
    while number:
        board = AtomicBoard.empty()
        white = rng.randrange(64)
        near = [square for square in range(64) if chess.square_distance(square, white) == 1]
        black = rng.choice(near) if rng.random() < 0.33 else rng.choice([s for s in range(64) if s != white])
        board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
        for symbol in rng.choice(_ENDING_MEN):
            ranks = range(1, 7) if symbol in "Pp" else range(8)
            square = chess.square(rng.randrange(8), rng.choice(ranks))
            if not board.piece_at(square):
                board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        if rng.random() < 0.5:
            board = board.mirror()
        board.turn = rng.choice(chess.COLORS)
        if board.is_valid() and board.outcome() is None:
            number -= 1
            yield board


def real(seed: int, number: int) -> Iterator[chess.Board]:
    """Positions of real games, of the project's examples."""
    rng = random.Random(seed)
    records = [record for record in pgn.scan(str(GAMES)) if record.moves]
    while number:
        record = rng.choice(records)
        board = record.board()
        for move in record.moves[: rng.randrange(len(record.moves))]:
            board.push(move)
        if board.outcome() is None:
            number -= 1
            yield board


def positions(seed: int, number: int) -> Iterator[chess.Board]:
    """*number* positions of all kinds, dialects and Chess960 among them; the game is never over."""

    def mixed() -> Iterator[chess.Board]:
        for index in itertools.count():
            yield from real(seed + index, 10)
            yield from itertools.islice(generate_boards(seed + index, 40), 10, 30)
            for place, board in enumerate(endings(seed + index, 10)):
                yield as_board(CLASSES[(index + place) % len(CLASSES)], board)

    return itertools.islice((board.copy(stack=False) for board in mixed() if board.outcome() is None), number)


def compare(board: chess.Board, moves: int) -> int | None:
    """The length of the win; raises an :exc:`AssertionError` where the searches differ on *board*."""
    before = snapshot(board)
    expected = lengths_of_wins(board, moves)
    length = min((length for length in expected.values() if length is not None), default=None)
    place = (type(board).__name__, board.fen(), moves)
    win = tactics.find_win(board, moves)
    assert (win.moves if win else None) == length, place
    by_python = python(_search.solve)(board, moves, None, None) if kernel_active() else (length or 0, win and win.line)
    assert by_python == ((win.moves, win.line) if win else (0, [])) or not win, (place, by_python, win)
    assert by_python[0] == (length or 0), place
    winning = {move: length for move, length in expected.items() if length is not None}
    assert list(tactics.winning_moves(board, moves).items()) == list(winning.items()), place
    if kernel_active() and board.legal_moves.count() <= _WIDEST:
        known = _search.stalemate_loses(board, moves)
        judged = _search.judge(board, 1, None, known, _search.ALL, True)
        assert judged == python(_search.judge)(board, 1, None, known, _search.ALL, True), place
        first = _search.judge(board, 1, None, known, 2, True)
        assert first == python(_search.judge)(board, 1, None, known, 2, True) == judged[: len(first)], place
    two = _search.judge_moves(board, moves, winners=2, opponent=False)
    assert [move for move, value in two.items() if value] == list(winning)[:2], place
    assert snapshot(board) == before, (place, "the search has changed the board")
    if win:
        check_line(board, win)
    return length


def check_line(board: chess.Board, win: tactics.Win) -> None:
    """Plays the line: it ends with the win, when it says so, and every reply in it is among the best."""
    board = board.copy()
    winner = board.turn
    assert len(win.line) in (2 * win.moves - 1, 2 * win.moves), (board.fen(), win)
    for ply, move in enumerate(win.line):
        assert board.outcome() is None, (board.fen(), win)
        assert board.is_legal(move), (board.fen(), win)
        board.push(move)
        if ply % 2 and ply + 1 < len(win.line):
            assert shortest_win(board, win.moves - (ply + 1) // 2) == win.moves - (ply + 1) // 2, (board.fen(), win)
    outcome = board.outcome()
    assert outcome is not None, (board.fen(), win)
    assert outcome.winner == winner, (board.fen(), win)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("number", type=int, nargs="?", default=1000, help="positions to compare")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tree", type=float, default=2e5, help="how large a tree may be that brute force walks")
    args = parser.parse_args()
    wins = {1: 0, 2: 0, 3: 0, None: 0}
    depths = {1: 0, 2: 0, 3: 0}
    for number, board in enumerate(positions(args.seed, args.number), 1):
        moves = depth_for(board, args.tree)
        depths[moves] += 1
        wins[compare(board, moves)] += 1
        if number % 500 == 0:
            print(f"{number} positions agree", flush=True)
    print(f"all {args.number} positions agree; searched to {depths} moves; wins by length {wins}")
    return 0


def depth_for(board: chess.Board, tree: float) -> int:
    """The deepest search, up to three moves, in whose tree brute force gets lost for no longer than wanted."""
    other = board.copy(stack=False)
    other.push(chess.Move.null())
    own, replies = max(2, board.legal_moves.count()), max(2, other.legal_moves.count())
    return next((moves for moves in (3, 2) if own**moves * replies ** (moves - 1) <= tree), 1)


if __name__ == "__main__":
    sys.exit(main())
