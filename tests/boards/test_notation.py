"""How moves and positions are written."""

import chess
import pytest

from atomic_variant import AtomicBoard

from ..support.pictures import uci

SANS = [
    ("8/8/8/7K/8/6kp/6N1/7R w - - 16 1", "h1h3", "Rxh3#", "an explosion of the king"),
    ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "e1e8", "Rxe8#", "a capture of the king itself"),
    ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g7", "Qg7#", "mate that no king may capture"),
    ("7k/8/8/8/8/8/8/K5R1 w - - 0 1", "g1h1", "Rh1+", "check"),
    ("7k/6K1/8/8/8/8/8/1R6 w - - 0 1", "b1h1", "Rh1", "no check while the kings touch"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O", "castling"),
    ("k7/7P/8/8/8/8/8/K7 w - - 0 1", "h7h8q", "h8=Q+", "promotion with check"),
    ("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8q", "axb8=Q", "a promoted piece that exploded gives no check"),
    ("4k3/8/8/8/8/8/4N3/N3K3 w - - 0 1", "a1b3", "Nb3", "one knight can go there"),
    ("4k3/8/8/8/8/1N6/8/4KN2 w - - 0 1", "b3d2", "Nbd2", "two knights can go there"),
    ("k3r3/8/8/8/8/8/4N3/N3K3 w - - 0 1", "a1c2", "Nc2", "quiet"),
    ("k3r3/8/8/8/8/8/4N3/1N2K3 w - - 0 1", "b1c3", "Nc3", "the other knight is pinned"),
    ("8/8/8/8/4r3/8/3kN3/1N2K3 w - - 0 1", "b1c3", "Nbc3", "no knight is pinned while the kings touch"),
]  # fmt: skip


@pytest.mark.parametrize(("fen", "move", "san", "what"), SANS, ids=[what for *_, what in SANS])
def test_san_follows_the_rules_of_atomic_chess(fen, move, san, what):
    board = AtomicBoard(fen)
    assert board.san(uci(move)) == san
    assert board.parse_san(san) == uci(move)
    assert board.fen() == fen


@pytest.mark.parametrize("san", ["Qxd2", "Qxd2+", "Qxd2#", "Qd2", "Qd8xd2", "Q8xd2", "Qdxd2#", "Qd8d2"])
def test_suffixes_and_superfluous_origins_are_read(san):
    board = AtomicBoard("rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2")
    assert board.parse_san(san) == uci("d8d2")


def test_a_pin_that_an_explosion_lifts_makes_san_ambiguous():
    # Both knights may take on f5: the pinning rook would explode.
    board = AtomicBoard("7k/8/8/4rn2/8/4N1N1/8/4K3 w - - 0 1")
    assert {board.san(move) for move in board.generate_legal_captures()} == {"Nexf5", "Ngxf5"}
    with pytest.raises(chess.AmbiguousMoveError):
        board.parse_san("Nxf5")


def test_the_fen_after_an_explosion_lacks_the_king_and_its_rights():
    board = AtomicBoard()
    for san in ("e4", "d5", "exd5", "Qxd2#"):
        board.push_san(san)
    assert board.fen() == "rnb1kbnr/ppp1pppp/8/8/8/8/PPP2PPP/RN3BNR w kq - 0 3"
    assert AtomicBoard(board.fen()) == board


def test_castling_rights_are_written_in_both_ways_in_chess960():
    board = AtomicBoard("qrkbbnrn/pppppppp/8/8/8/8/PPPPPPPP/QRKBBNRN w GBgb - 0 1", chess960=True)
    assert board.fen().split()[2] == "KQkq"
    assert board.fen(shredder=True).split()[2] == "GBgb"
    for fen in (board.fen(), board.fen(shredder=True)):
        assert AtomicBoard(fen, chess960=True) == board


def test_long_algebraic_notation_has_the_same_suffixes():
    board = AtomicBoard("8/8/8/7K/8/6kp/6N1/7R w - - 16 1")
    assert board.lan(uci("h1h3")) == "Rh1xh3#"
    assert board.lan(uci("g2e1")) == "Ng2-e1"
