"""Castling: a king may not leave, cross or reach a square where it would be in check."""

import chess
import pytest

from atomic_variant import AtomicBoard

from ..support.pictures import board_of, uci

# What decides is the rule that Lichess took from FICS: kings that touch are
# not in check, on the way as well.
CASES = [
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", True, "nothing attacked"),
    ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "e1g1", False, "out of check"),
    ("r3k2R/4K3/8/8/8/8/8/8 b q - 0 1", "e8c8", True, "out of an attack while the kings touch"),
    ("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", "e1g1", False, "through check"),
    ("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", "e1c1", True, "away from the attacked side"),
    ("r3k1R1/pb2K2p/2n5/2pppr2/3P4/2P1P3/PP3P1P/R7 b q - 3 23", "e8c8", True, "attacked path next to the king"),
    ("8/8/8/8/8/8/5k2/R3K2r w Q - 0 1", "e1c1", False, "path leaves the enemy king under attack"),
    ("4k3/8/8/8/8/8/6r1/R3K2R w KQ - 0 1", "e1g1", False, "into check"),
    ("8/8/8/8/8/8/6rk/R3K2R w KQ - 0 1", "e1g1", True, "onto an attacked square next to the enemy king"),
    ("8/8/8/8/8/8/4k3/R3K2q w Q - 0 1", "e1c1", True, "the rook shields the king's last square"),
    ("5b1r/1p5p/4ppp1/4Bn2/1PPP1PP1/4P2P/3k4/4K2R w K - 1 1", "e1g1", True, "touching, nothing attacked"),
    ("rnb1k2r/pppp1ppp/7n/8/8/2P5/PP1P1PPP/RNBKR3 b kq - 1 1", "e8g8", False, "out of check on an open file"),
    ("4k3/8/8/8/8/8/1r6/R3K2R w KQ - 0 1", "e1c1", True, "only the rook crosses an attacked square"),
    ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1c1", False, "a man between king and rook"),
]  # fmt: skip


@pytest.mark.parametrize(("fen", "move", "legal"), [case[:3] for case in CASES], ids=[case[3] for case in CASES])
def test_castling_asks_whether_the_king_would_be_in_check_on_its_way(fen, move, legal):
    board = AtomicBoard(fen)
    assert board.is_legal(uci(move)) == legal
    assert (uci(move) in list(board.generate_castling_moves())) == legal
    assert (board.why_illegal(uci(move)) is None) == legal


CHESS960_CASES = [
    ("8/8/3B4/8/8/8/4k3/2q1KR2 w F - 0 1", "e1f1", True, "a rook that stays shields the king"),
    ("8/8/8/8/8/8/4k3/rR4KR w BH - 0 1", "g1b1", False, "the rook leaves the line of an attacker"),
    ("8/8/8/8/8/8/2k5/rR4KR w BH - 0 1", "g1b1", True, "the same, but the kings touch at the end"),
    ("8/8/8/8/8/8/6k1/R5Kr w A - 0 1", "g1a1", False, "the path leaves the enemy king under attack"),
    ("k7/8/8/8/8/8/8/RK5R w HA - 0 1", "b1a1", True, "the king steps to where it castles"),
    ("k7/8/8/8/8/8/8/R1K4R w HA - 0 1", "c1a1", True, "the king stays"),
    ("k7/8/8/8/8/8/8/5RK1 w F - 0 1", "g1f1", True, "to the left side with the rook next to it"),
    ("k7/8/8/8/8/8/8/4RRK1 w F - 0 1", "g1f1", False, "another rook in the way"),
    ("b1rkr1q1/pp3p2/n1p4p/6p1/1P2P1PP/8/PbR2P1Q/BN1KRN1B b Eec - 0 10", "d8c8", True, "as played"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("fen", "move", "legal"), [case[:3] for case in CHESS960_CASES], ids=[case[3] for case in CHESS960_CASES]
)
def test_castling_in_chess960_is_judged_before_and_after_the_rook_moved(fen, move, legal):
    board = AtomicBoard(fen, chess960=True)
    assert board.is_legal(uci(move)) == legal
    assert (uci(move) in list(board.generate_castling_moves())) == legal


def test_castling_moves_king_and_rook_to_the_squares_of_orthodox_chess():
    board = board_of(
        """
        . . . . k . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . R . . . . K R
        w HB
        """,
        chess960=True,
    )
    for rook, after in (("h1", "4k3/8/8/8/8/8/8/1R3RK1"), ("b1", "4k3/8/8/8/8/8/8/2KR3R")):
        board.push(uci(f"g1{rook}"))
        assert board.board_fen() == after
        assert not board.castling_rights & chess.BB_RANK_1
        board.pop()
    assert board.castling_rights == chess.BB_B1 | chess.BB_H1


def test_castling_is_legal_in_both_notations():
    board = AtomicBoard("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert {move.uci() for move in board.generate_castling_moves()} == {"e1g1", "e1c1"}
    for move in ("e1g1", "e1h1", "e1c1", "e1a1"):
        assert board.is_legal(uci(move))
        board.push(uci(move))
        assert not board.castling_rights
        board.pop()
    assert board.parse_uci("e1h1") == uci("e1g1")
    assert board.parse_san("O-O") == board.parse_san("0-0") == uci("e1g1")


def test_castling_with_touching_kings_is_written_without_a_check():
    board = AtomicBoard("8/8/8/8/8/8/3k4/R3K3 w Q - 0 1")
    assert board.san(uci("e1c1")) == "O-O-O"
    apart = AtomicBoard("8/8/8/8/8/3k4/8/R3K3 w Q - 0 1")
    assert apart.san(uci("e1c1")) == "O-O-O+"


def test_a_king_step_gives_up_both_rights_and_a_rook_step_one():
    board = AtomicBoard("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    board.push(uci("h1g1"))
    assert board.castling_xfen() == "Qkq"
    board.push(uci("e8d8"))
    assert board.castling_xfen() == "Q"
    board.pop()
    board.pop()
    assert board.castling_xfen() == "KQkq"


def test_no_castling_after_the_enemy_king_exploded():
    board = AtomicBoard("8/4p3/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert board.is_variant_end()
    assert not list(board.generate_castling_moves())
    assert not board.is_legal(uci("e1g1"))


def test_the_masks_select_castling_by_the_squares_of_king_and_rook():
    board = AtomicBoard("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert list(board.generate_castling_moves(chess.BB_E1, chess.BB_H1)) == [uci("e1g1")]
    assert not list(board.generate_castling_moves(chess.BB_E1, chess.BB_G1))
    assert not list(board.generate_castling_moves(chess.BB_H1, chess.BB_ALL))
