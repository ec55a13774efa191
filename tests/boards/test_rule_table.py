"""
Positions that tell rule sets of atomic chess apart, with the answer of Lichess.

Other rule sets (no check, no castling out of an attack on touching kings, the
own king may explode) answer some of them otherwise. Castling has its own file.
"""

import pytest

from atomic_variant import AtomicBoard

from ..support.pictures import uci

TABLE = [
    ("3k4/7r/3K4/8/8/8/8/8 w - - 0 1", "d6d7", True, 8, "step next to the king onto a guarded square"),
    ("3k4/3K3r/8/8/8/P7/8/8 w - - 0 1", "a3a4", True, 8, "attacked while touching is no check"),
    ("3k4/8/3K4/8/8/8/8/8 w - - 0 1", "d6d7", True, 8, "contact without guards"),
    ("8/8/8/3k4/3K4/1B6/8/8 w - - 0 1", "b3d5", False, None, "the capture of a touching king kills both"),
    ("5r2/4k3/3K4/8/8/8/8/5R2 w - - 0 1", "f1f8", True, None, "the blast reaches only the enemy king"),
    ("8/8/8/2K5/2P5/2k1n3/8/2R5 b - - 0 1", "e3c4", False, 7, "both kings in the blast"),
    ("k7/1R6/8/8/2K5/8/8/8 b - - 0 1", "a8b7", False, 0, "a king captures"),
    ("k7/1R6/8/8/2K5/8/8/8 b - - 0 1", "a8a7", False, 0, "step into check"),
    ("rnbqkbnr/pppNp1pp/5p2/3p4/8/8/PPPPPPPP/RNBQKB1R b KQkq - 1 3", "d8d7", False, None, "capture next to the king"),
    ("8/8/1Q2pk2/8/8/8/3K4/1n6 w - - 0 1", "b6e6", True, 9, "in check, explode the king"),
    ("8/8/1Q2pk2/8/8/8/3K4/1n6 w - - 0 1", "b6a7", False, 9, "ignore a check"),
    ("8/5K2/8/3Pp3/8/8/8/k7 w - e6 0 1", "d5e6", False, None, "en passant next to the own king"),
    ("8/8/8/3Pp3/4K3/8/8/k7 w - e6 0 1", "d5e6", True, None, "en passant, the own king next to the captured pawn only"),
    ("rn2kb1r/2p1p2p/p2q1pp1/1pPP4/Q7/4P3/PP3P1P/R3K3 w Qkq b6 0 11", "c5b6", True, None, "en passant with check"),
    ("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8n", True, 11, "promotion by capture"),
    ("Kn5k/P7/8/8/8/8/8/8 w - - 0 1", "a7b8q", False, 1, "promotion by capture next to the own king"),
    ("k7/8/8/2ppp3/2pn4/2p1p3/8/K2R4 w - - 0 1", "d1d4", True, None, "capture among pawns"),
    ("r3k2r/6p1/8/8/8/8/1B5P/4K3 w kq - 0 1", "b2g7", True, None, "a rook explodes as a neighbour"),
    ("rnb1kbnr/pppppppp/8/4q3/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "e5e2", True, None, "explode the king"),
    ("7k/6Q1/8/8/8/8/8/K7 b - - 0 1", "h8g7", False, 0, "a lone queen mates"),
    ("5k1r/p1ppq1pp/5p2/1B6/1b3P2/2P5/PP4PP/RNB1K2R w KQ - 0 12", "b5d7", True, 7, "a blast next to the checker"),
    ("k7/pp5R/8/8/3Q4/8/PP6/K1r5 w - - 1 2", "d4a7", True, 2, "a mate of chess refuted by an explosion"),
    ("k7/pp5R/8/8/3Q4/8/PP6/K1r5 w - - 1 2", "d4d1", False, 2, "a quiet move that ignores the check"),
    ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "e1e8", True, None, "the capture of the king itself"),
    ("BQ6/Rk6/8/8/8/8/8/4K3 b - - 0 1", "b7a7", False, 0, "mated among pieces that may not be captured"),
]  # fmt: skip


@pytest.mark.parametrize(("fen", "move", "legal", "count", "what"), TABLE, ids=[what for *_, what in TABLE])
def test_a_position_that_tells_rule_sets_apart_is_judged_as_on_lichess(fen, move, legal, count, what):
    board = AtomicBoard(fen)
    assert board.is_legal(uci(move)) == legal
    assert (uci(move) in list(board.legal_moves)) == legal
    assert count is None or board.legal_moves.count() == count
