"""The reason in words why a move is illegal."""

import chess
import pytest

from atomic_variant import AtomicBoard, SparkBoard
from atomic_variant.boards.notation import reason_of

from ..support.pictures import uci

START = chess.STARTING_FEN

REASONS = [
    # The rule of atomic chess.
    ("rnbqkbnr/ppp1pppp/8/8/8/8/PPPpPPPP/RNBQKBNR w KQkq - 0 3", "d1d2",
     "the explosion on d2 would remove White's own king on e1"),
    ("k7/1R6/8/8/2K5/8/8/8 b - - 0 1", "a8b7",
     "a king may not capture: it would explode with the rook on b7"),
    ("8/8/8/2K5/2P5/2k1n3/8/2R5 b - - 0 1", "e3c4",
     "the explosion on c4 would remove Black's own king on c3"),
    # Check.
    ("k3r3/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", "the move leaves the king on e1 attacked by the rook on e8"),
    ("k3r3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a3", "the move leaves the king on e1 attacked by the rook on e8"),
    ("k3r3/8/8/8/8/5n2/P7/4K3 w - - 0 1", "a2a3",
     "the move leaves the king on e1 attacked by the rook on e8 and the knight on f3"),
    ("k3r3/8/8/8/7b/5n2/P7/4K3 w - - 0 1", "a2a3",
     "the move leaves the king on e1 attacked by the rook on e8, the bishop on h4 and the knight on f3"),
    ("k2r4/8/8/8/8/8/8/4K3 w - - 0 1", "e1d1", "the king on d1 would be attacked by the rook on d8"),
    ("8/8/8/r2Pp2K/8/8/8/k7 w - e6 0 1", "d5e6", "the move leaves the king on h5 attacked by the rook on a5"),
    # Castling.
    ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "e1g1",
     "castling out of check: the king on e1 is attacked by the rook on e2"),
    ("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", "e1g1", "castling through check: f1 is attacked by the rook on f2"),
    ("4k3/8/8/8/8/8/6r1/R3K2R w KQ - 0 1", "e1g1", "castling into check: g1 is attacked by the rook on g2"),
    ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1", "White has no right to castle with the rook on h1"),
    (START, "e1g1", "the knight on g1 stands in the way of castling"),
    ("4k3/8/8/8/8/8/8/R1R1K3 w Q - 0 1", "e1c1", "the rook on c1 stands in the way of castling"),
    ("4k3/8/8/8/8/8/8/R1R1K3 w - - 0 1", "e1c1", "White has no right to castle with the rook on c1"),
    ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1g1", "White has no rook on the king's side"),
    # How pieces move.
    (START, "c4c5", "no piece on c4"),
    (START, "e7e5", "the pawn on e7 is Black's, but it is White's turn"),
    (START, "g1e2", "White's own pawn stands on e2"),
    (START, "a1a3", "the rook on a1 cannot pass the pawn on a2 on its way to a3"),
    (START, "b1b3", "the knight on b1 does not move to b3"),
    (START, "e2e5", "the pawn on e2 does not move to e5"),
    (START, "e2d3", "the pawn on e2 has nothing to capture on d3"),
    (START, "b1c3q", "only a pawn promotes"),
    (START, "e2e4q", "the pawn on e2 promotes only on the last rank"),
    ("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e2e3", "the pawn on e2 is blocked by the knight on e3"),
    ("4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1", "e2e4", "the pawn on e2 is blocked by the knight on e4"),
    ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "the pawn on a7 must promote on a8"),
    ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8k", "a pawn does not promote to a king"),
    ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8p", "a pawn does not promote to a pawn"),
    ("k7/8/8/8/8/8/8/4K3 w - - 0 1", "e1e3", "the king on e1 does not move to e3"),
    # No moves at all.
    (START, "0000", "a null move is no move on the board"),
    (START, "P@e4", "no pieces are dropped in this game"),
    ("rnb1kbnr/ppp1pppp/8/8/8/8/PPP2PPP/RN3BNR w kq - 0 3", "a2a3", "the game is over, White has no king"),
    ("rnb2bnr/ppp1pppp/8/8/8/8/PPP2PPP/RN2KBNR b KQ - 0 3", "a7a6", "the game is over, Black has no king"),
]  # fmt: skip


@pytest.mark.parametrize(("fen", "move", "reason"), REASONS, ids=[reason for *_, reason in REASONS])
def test_an_illegal_move_has_its_reason(fen, move, reason):
    board = AtomicBoard(fen)
    assert not board.is_legal(uci(move))
    assert board.why_illegal(uci(move)) == reason
    assert board.fen() == AtomicBoard(fen).fen()


@pytest.mark.parametrize("squares", [(64, 0), (0, 64), (-1, 3), (3, -1), (1000, -1000)])
def test_a_move_off_the_board_names_the_square(squares):
    reason = AtomicBoard().why_illegal(chess.Move(*squares))
    outside = next(square for square in squares if not 0 <= square < 64)
    assert reason == f"there is no square number {outside}"


def test_a_piece_that_stays_where_it_is_makes_no_move():
    assert AtomicBoard().why_illegal(chess.Move(chess.E2, chess.E2)) == "the pawn on e2 would stay where it is"


def test_castling_in_chess960_has_its_reasons():
    board = AtomicBoard("8/8/8/8/8/8/4k3/rR4KR w BH - 0 1", chess960=True)
    assert board.why_illegal(uci("g1b1")) == "castling into check: c1 is attacked by the rook on a1"
    board = AtomicBoard("k7/8/8/8/8/8/8/4RRK1 w F - 0 1", chess960=True)
    assert board.why_illegal(uci("g1f1")) == "the rook on e1 stands in the way of castling"


def test_the_reason_reaches_who_parses_moves():
    board = AtomicBoard("rnbqkbnr/ppp1pppp/8/8/8/8/PPPpPPPP/RNBQKBNR w KQkq - 0 3")
    for parse, text in ((board.parse_san, "Qxd2"), (board.parse_san, "Q1xd2+"), (board.parse_uci, "d1d2")):
        with pytest.raises(chess.IllegalMoveError, match="the explosion on d2 would remove White's own king on e1"):
            parse(text)
    with pytest.raises(chess.IllegalMoveError, match="a king may not capture"):
        board.parse_san("Kxd2")


def test_each_of_several_meant_moves_gives_its_reason():
    board = AtomicBoard("k3r3/8/8/8/8/8/4N3/rN2K3 w - - 0 1")
    with pytest.raises(chess.IllegalMoveError) as error:
        board.parse_san("Nc3")
    assert "the move leaves the king on e1 attacked by the rook on a1" in str(error.value)
    assert "the move leaves the king on e1 attacked by the rook on e8" in str(error.value)


def test_castling_that_is_illegal_gives_its_reason_from_san():
    board = AtomicBoard("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1")
    for text in ("O-O", "0-0", "O-O+"):
        with pytest.raises(chess.IllegalMoveError, match="castling through check: f1 is attacked by the rook on f2"):
            board.parse_san(text)


def board_after(line, board_class=AtomicBoard):
    board = board_class()
    for san in line.split():
        board.push_san(san)
    return board


HOME = "4k3/8/8/8/8/8/P7/R3K2R w KQ - 0 1"
LOST_ROOK = board_after("b3 d5 Bb2 Qd6 a3 Qxh2")
ROOK_MOVED = board_after("h4 a6 Rh3 a5 Rh1 a4 Nf3 a3 Ne5 b6 g3 b5 Bg2 b4")
TEXTS = [
    # What is gone, and since when.
    (LOST_ROOK, "O-O", "White has no rook on the king's side: it exploded on h1 at 3... Qxh2"),
    (LOST_ROOK, "e1g1", "White has no rook on the king's side: it exploded on h1 at 3... Qxh2"),
    (LOST_ROOK, "Rhh2", "White has no rook on the h-file: it exploded on h1 at 3... Qxh2"),
    (LOST_ROOK, "hxg3", "White has no pawn on the h-file: it exploded on h2 at 3... Qxh2"),
    (board_after("b3 d5 Bb2 Qd6 a3 Qxh2 a4"), "Qd1", "Black has no queen: it exploded on h2 at 3... Qxh2"),
    (ROOK_MOVED, "O-O", "White has no right to castle with the rook on h1"),
    (AtomicBoard(HOME), "Nf3", "White has no knight"),
    (AtomicBoard(HOME), "exd5", "White has no pawn on the e-file"),
    (AtomicBoard("4k3/8/8/8/8/8/P7/R3K3 w Q - 0 1"), "O-O", "White has no rook on the king's side"),
    # What stays where it is, on a1 too.
    (AtomicBoard("4k3/8/8/8/8/8/P7/R3K3 w Q - 0 1"), "Ra1", "the rook on a1 would stay where it is"),
    (AtomicBoard(HOME), "Ra1", "the rook on a1 would stay where it is"),
    (AtomicBoard("4k3/8/8/8/8/8/8/K7 w - - 0 1"), "Ka1", "the king on a1 would stay where it is"),
    # Castling as a move of the king.
    (AtomicBoard(HOME), "Kg1", "castling is written O-O"),
    (AtomicBoard(HOME), "Kxh1", "castling is written O-O"),
    (AtomicBoard(HOME), "Kc1", "castling is written O-O-O"),
    (AtomicBoard(HOME), "Kf8", "the king on e1 does not move to f8"),
    # Coordinates, and what is no single move.
    (AtomicBoard(), "e7e5", "the pawn on e7 is Black's, but it is White's turn"),
    (AtomicBoard(), "e3e4", "no piece on e3"),
    (AtomicBoard(), "what", "not a move"),
    (AtomicBoard("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1"), "Nb3", "more than one piece can make this move"),
    (SparkBoard(), "O-O", "there is no castling in Spark Chess"),
    (SparkBoard("4k3/8/8/8/8/8/3P4/Q3K3 w - - 0 1"), "d2c3", "c3 is not a node: only the queen on a1 reaches it"),
    (SparkBoard("4k3/8/8/8/8/8/3P4/Q3K3 w - - 0 1"), "e7e5", "no piece on e7"),
]


@pytest.mark.parametrize(("board", "text", "reason"), TEXTS)
def test_a_text_that_means_no_legal_move_has_the_same_reason_everywhere(board, text, reason):
    before = board.fen()
    assert board.why_illegal(text) == reason
    if reason not in ("not a move", "more than one piece can make this move"):
        for parse in (board.parse_san, board.push_san):
            with pytest.raises(chess.IllegalMoveError) as raised:
                parse(text)
            assert str(raised.value) == f"illegal san: {text!r} in {before}: {reason}"
            assert reason_of(raised.value) == reason
    assert board.fen() == before


def test_a_text_that_means_a_legal_move_has_no_reason():
    board = AtomicBoard(HOME)
    for text in ("O-O", "0-0-0+", "e1g1", "e1h1", "Rh8+", "a4", "a2a4"):
        assert board.why_illegal(text) is None


def test_questions_about_explosions_take_text():
    board = AtomicBoard("rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3")
    assert board.explodes_king("Nxe7")
    assert not board.explodes_king("Nf4")
    assert board.explosion("Nxe7#") == board.explosion(uci("d5e7"))
    assert chess.E8 in board.exploded_pieces("Nxe7")
    with pytest.raises(chess.IllegalMoveError):
        board.explodes_king("Qxe7")
