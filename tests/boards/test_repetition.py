"""Repetitions and claims, against the stock board, which takes its moves back to look."""

import random

import chess
import pytest

from atomic_variant import VARIANTS, AtomicBoard

from ..support.positions import snapshot, stock


def shuffled(rng, start, plies):
    """A game that goes to and fro, with null moves and castling rights to lose, on both boards."""
    board = AtomicBoard(start) if start else AtomicBoard.from_chess960_pos(rng.randrange(960))
    other = stock(board)
    for _ in range(plies):
        moves = [move for move in board.legal_moves if not board.is_capture(move)]
        back = [
            move for move in moves if board.piece_type_at(move.from_square) in (chess.KNIGHT, chess.KING, chess.ROOK)
        ]
        if not moves:
            return
        move = rng.choice(back if back and rng.random() < 0.93 else moves)
        if len(board.move_stack) > 3 and rng.random() < 0.6:
            before = board.move_stack[-2]
            undo = chess.Move(before.to_square, before.from_square)
            move = undo if undo in moves else move
        if rng.random() < 0.02 and not board.is_check():
            move = chess.Move.null()
        board.push(move)
        other.push(move)
        yield board, other


STARTS = [
    None, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "r3k2r/8/8/8/8/8/8/4K3 b KQkq - 5 9",
    "4k2n/8/8/2Pp4/8/8/8/N3K3 w - d6 0 1",
]  # fmt: skip


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("seed", range(4))
def test_repetitions_and_claims_are_those_of_the_stock_board(seed, start):
    rng = random.Random(seed)
    found = 0
    for _ in range(3):
        for board, other in shuffled(rng, start, 60):
            before = snapshot(board)
            for count in (1, 2, 3, 5):
                answer = other.is_repetition(count)
                assert board.is_repetition(count) == answer, (board.fen(), count)
                found += answer and count > 1
            assert board.is_fivefold_repetition() == other.is_fivefold_repetition()
            assert board.can_claim_threefold_repetition() == other.can_claim_threefold_repetition(), board.fen()
            assert board.can_claim_draw() == other.can_claim_draw()
            assert board.outcome(claim_draw=True) == other.outcome(claim_draw=True)
            assert snapshot(board) == before
    assert found > 20


@pytest.mark.parametrize("board_class", VARIANTS)
def test_looking_for_repetitions_takes_no_move_back(board_class, monkeypatch):
    board = board_class()
    for _ in range(2):
        for uci in ("g1f3", "g8f6", "f3g1", "f6g8"):
            board.push_uci(uci)
    if issubclass(board_class, AtomicBoard):
        monkeypatch.setattr(board_class, "pop", None)
    assert board.is_repetition(2)
    assert board.is_repetition(3)
    assert not board.is_repetition(4)


def test_copies_share_their_moves_and_nothing_else():
    board = AtomicBoard()
    for san in ("Nf3", "Nf6", "Ng1", "Ng8"):
        board.push_san(san)
    for stack, kept in ((True, 4), (False, 0), (0, 0), (1, 1), (3, 3), (9, 4)):
        copied = board.copy(stack=stack)
        assert type(copied) is AtomicBoard
        assert copied == board
        assert copied.move_stack == board.move_stack[4 - kept :]
        assert list(vars(copied)) == list(vars(board)) or set(vars(copied)) == set(vars(board))
        copied.push_san("e4")
        assert len(board.move_stack) == 4
        assert board.fen().split()[0] == chess.STARTING_BOARD_FEN


def test_a_class_with_a_state_of_its_own_is_copied_through_its_init():
    class Named(AtomicBoard):
        def __init__(self, fen=chess.STARTING_FEN, *, chess960=False):
            super().__init__(fen, chess960=chess960)
            self.name = "mine"

    assert Named().copy().name == "mine"


def test_the_key_is_that_of_opening_books():
    board = AtomicBoard()
    assert board.zobrist_key() == 0x463B96181691FC9C  # From Polyglot's own description.
    board.push_san("e4")
    assert board.zobrist_key() == 0x823C9B50FD114196
