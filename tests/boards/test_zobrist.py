"""A board's key is the one that Polyglot's books have."""

import chess
import chess.polyglot
import pytest

from atomic_variant import VARIANTS, AtomicBoard

from ..support.positions import constructed, constructed_odd, played

DIALECTS = [variant for variant in VARIANTS if issubclass(variant, AtomicBoard)]


@pytest.mark.parametrize("positions", [constructed, constructed_odd, played])
def test_a_key_is_that_of_python_chess(positions):
    seen = 0
    for board in positions(5, 400):
        expected = chess.polyglot.zobrist_hash(board)
        for variant in DIALECTS:
            other = board.copy(stack=False)
            other.__class__ = variant
            assert other.zobrist_key() == expected, board.fen()
        assert board.zobrist_key() == expected, board.fen()
        seen += 1
    assert seen


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/3Pp3/8/8/4K3 b - d3",
        "4k3/8/8/8/3P4/8/8/4K3 b - d3",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
        "8/8/8/8/8/8/8/R3K2R w KQkq -",
        "8/8/8/8/8/8/8/8 w - -",
        "K~6k/8/8/8/8/8/8/K7 w - -",
    ],
)
def test_en_passant_rights_and_missing_kings_count_as_in_python_chess(fen):
    board = AtomicBoard(fen)
    assert board.zobrist_key() == chess.polyglot.zobrist_hash(board)


def test_two_ways_to_a_position_have_one_key():
    one, other = AtomicBoard(), AtomicBoard()
    for one_san, other_san in zip(["Nf3", "Nf6", "Nc3", "Nc6"], ["Nc3", "Nc6", "Nf3", "Nf6"], strict=True):
        one.push_san(one_san)
        other.push_san(other_san)
        assert (one.zobrist_key() == other.zobrist_key()) == (one == other)
    assert one == other


def test_who_says_otherwise_about_rights_has_other_keys():
    class WithoutRights(AtomicBoard):
        aliases = ["Without rights"]

        def has_kingside_castling_rights(self, color):
            return False

    board = WithoutRights()
    assert board.zobrist_key() == chess.polyglot.zobrist_hash(board) != AtomicBoard().zobrist_key()


def test_an_irregular_board_has_the_key_of_python_chess():
    board = AtomicBoard()
    board.knights |= chess.BB_E2
    assert board.zobrist_key() == chess.polyglot.zobrist_hash(board)
