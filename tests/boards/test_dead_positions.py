"""Positions that nobody can win, by exhaustive search, against brute force on the stock board."""

import random
from collections import Counter, deque

import chess
import pytest

from atomic_variant import AtomicBoard, Buho21AtomicBoard

from ..support.positions import snapshot, stock

EXAMPLES = [
    ("8/8/6p1/3K2P1/8/2k5/8/8 b - - 0 1", True),
    # Closed for Lichess at this moment, but a king may step aside and let a pawn capture.
    ("8/8/4K2p/2pp3P/2Pp4/2kP2p1/6P1/8 b - - 0 1", False),
    ("8/p7/ppKp4/Pp1P4/kP6/2p1p3/2P1P3/8 b - - 0 1", False),
    ("8/p3p3/P3P1Kp/6pp/6PP/3p2k1/3P4/8 b - - 0 1", False),
    ("8/p1p2K2/P1P1pp1p/4PP1P/3pk3/3p4/3P4/8 w - - 0 1", False),
    # Bare material.
    ("8/3k4/8/8/8/8/3K4/8 w - - 0 1", True),
    ("8/3k4/8/8/2N5/8/3K4/8 b - - 0 1", True),
    ("8/4rk2/8/8/8/8/3K4/8 w - - 0 1", True),
    ("8/4bk2/8/8/8/8/3K4/8 w - - 0 1", True),
    ("8/1nn5/1k6/8/8/8/3K4/8 w - - 0 1", True),
    ("8/4bk2/8/8/8/8/3KB3/8 w - - 0 1", True),
    ("8/7k/8/2Q5/8/8/3K4/8 w - - 0 1", False),
    ("7k/8/8/2B5/2B5/8/3K4/8 w - - 0 1", False),
    ("8/7k/8/2B5/2N5/8/3K4/8 w - - 0 1", False),
    ("8/7k/8/2R5/2N5/8/3K4/8 w - - 0 1", False),
    ("7k/8/8/2R5/2B5/8/3K4/8 w - - 0 1", False),
    ("8/8/8/8/8/3B4/7b/K5bk w - - 0 1", False),
    ("8/8/8/8/8/1k6/3P4/K7 w - - 0 1", False),
    ("8/8/8/8/8/1k6/2q5/K7 b - - 0 1", False),
    # What is over is not dead, it is won.
    ("7k/6Q1/8/8/8/8/8/K7 b - - 0 1", False),
    ("8/8/8/8/8/8/8/K7 b - - 0 1", False),
    (chess.STARTING_FEN, False),
]


@pytest.mark.parametrize(("fen", "dead"), EXAMPLES)
def test_a_position_is_dead_if_no_play_wins(fen, dead):
    board = AtomicBoard(fen)
    before = snapshot(board)
    assert board.is_dead_position() is dead
    assert snapshot(board) == before


def test_past_the_bound_there_is_no_answer():
    board = AtomicBoard("8/8/6p1/3K2P1/8/2k5/8/8 b - - 0 1")
    assert board.is_dead_position(limit=100) is None
    assert board.is_dead_position(limit=8064) is True
    assert AtomicBoard("8/8/2k1p3/4Pp2/5P2/1b6/4K3/8 b - - 0 1").is_dead_position(limit=500) is None
    with pytest.raises(ValueError, match="limit of 1 or more"):
        board.is_dead_position(limit=0)


def test_a_stalemate_that_loses_keeps_a_position_alive():
    board = Buho21AtomicBoard("k7/1R6/8/8/2K5/8/8/8 b - - 0 1")
    assert board.is_dead_position() is False


@pytest.mark.slow
def test_a_bishop_behind_blocked_pawns_wins_nothing():
    assert AtomicBoard("8/8/2k1p3/4Pp2/5P2/1b6/4K3/8 b - - 0 1").is_dead_position(limit=400_000) is True


def brute_force(board, limit=4000):
    """Whether no line of play explodes a king or mates, on the stock board, None after *limit* positions."""
    seen, todo = set(), deque([stock(board)])
    while todo:
        if len(seen) > limit:
            return None
        position = todo.popleft()
        key = position.board_fen(), position.turn, position.ep_square
        if key in seen:
            continue
        seen.add(key)
        moves = list(position.legal_moves)
        if position.is_variant_end() or (not moves and position.is_check()):
            return False
        for move in moves:
            after = position.copy(stack=False)
            after.push(move)
            todo.append(after)
    return True


def blocked(rng):
    """A wall of rams, most often without a capture in it, between two kings, and now and then a bishop."""
    board = AtomicBoard.empty()
    row = rng.choice([2, 3])
    odd, uneven = rng.randrange(2), rng.random() < 0.3
    for file in range(8):
        at = row + (file + odd) % 2 - (uneven and rng.random() < 0.2)
        board.set_piece_at(chess.square(file, at), chess.Piece(chess.PAWN, chess.WHITE))
        board.set_piece_at(chess.square(file, at + 1), chess.Piece(chess.PAWN, chess.BLACK))
    for color, rank in ((chess.WHITE, 0), (chess.BLACK, 7)):
        square, other = (chess.square(file, rank) for file in rng.sample(range(8), 2))
        board.set_piece_at(square, chess.Piece(chess.KING, color))
        if rng.random() < 0.3:
            board.set_piece_at(other, chess.Piece(chess.BISHOP, color))
    board.turn = rng.choice(chess.COLORS)
    return board


@pytest.mark.slow
def test_blocked_structures_are_judged_as_by_brute_force():
    rng = random.Random(7)
    agreed = Counter()
    for _ in range(40):
        board = blocked(rng)
        if (expected := brute_force(board)) is not None:
            assert board.is_dead_position() is expected, board.fen()
            agreed[expected] += 1
    assert min(agreed[True], agreed[False]) >= 8, agreed
