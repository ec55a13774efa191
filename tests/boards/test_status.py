"""What can arise in play is valid, what cannot is not."""

import chess
import pytest

from atomic_variant import AtomicBoard

from ..support.positions import played

VALID = [
    (chess.STARTING_FEN, "start"),
    ("rnb1kbnr/ppp1pppp/8/8/8/8/PPP2PPP/RN3BNR w kq - 0 3", "the king of the side to move exploded"),
    ("3k4/3K3r/8/8/8/8/8/8 w - - 0 1", "attacked while the kings touch"),
    ("3k4/3K3r/8/8/8/8/8/8 b - - 0 1", "the side that moved is attacked, but the kings touch"),
    ("8/3k4/3K4/8/8/8/8/3R4 w - - 0 1", "touching kings"),
    ("3N1NB1/2N1Q1N1/3RkR2/2NP1PN1/3NKN2/8/8/n7 w - - 0 1", "any number of attackers of kings that touch"),
    ("4r2k/8/8/8/1b6/3n1n2/8/R3K3 w - - 0 1", "kings that parted uncover many checks"),
    ("8/8/8/8/8/2k5/8/K7 w - - 0 1", "bare kings"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "castling rights"),
]


@pytest.mark.parametrize(("fen", "what"), VALID, ids=[what for _, what in VALID])
def test_what_arises_in_play_is_valid(fen, what):
    board = AtomicBoard(fen)
    assert board.status() == chess.STATUS_VALID
    assert board.is_valid()


REFUSED = [
    ("rnb1kbnr/ppp1pppp/8/8/8/8/PPP2PPP/RN3BNR b kq - 0 3", chess.STATUS_NO_WHITE_KING, "the mover has no king"),
    ("8/8/8/8/8/8/8/K7 w - - 0 1", chess.STATUS_NO_BLACK_KING, "no black king with White to move"),
    ("8/8/8/8/8/8/8/8 w - - 0 1", chess.STATUS_EMPTY, "empty"),
    ("k3K2r/8/8/8/8/8/8/8 b - - 0 1", chess.STATUS_OPPOSITE_CHECK, "the side that moved stayed in check"),
    ("kk6/8/8/8/8/8/8/7K w - - 0 1", chess.STATUS_TOO_MANY_KINGS, "three kings"),
    ("P6k/8/8/8/8/8/8/K7 w - - 0 1", chess.STATUS_PAWNS_ON_BACKRANK, "a pawn on the last rank"),
    ("7k/8/8/PPPPPPPP/P7/8/8/K7 w - - 0 1", chess.STATUS_TOO_MANY_WHITE_PAWNS, "nine pawns"),
    ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", chess.STATUS_BAD_CASTLING_RIGHTS, "castling rights without rooks"),
    ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", chess.STATUS_INVALID_EP_SQUARE, "en passant without a pawn"),
    ("nnnnnnnn/nnnnnnnn/8/8/8/8/8/k6K b - - 0 1", chess.STATUS_TOO_MANY_BLACK_PIECES, "seventeen pieces"),
]  # fmt: skip


@pytest.mark.parametrize(("fen", "flag", "what"), REFUSED, ids=[what for *_, what in REFUSED])
def test_what_cannot_arise_is_refused(fen, flag, what):
    board = AtomicBoard(fen)
    assert board.status() & flag
    assert not board.is_valid()


def test_more_than_two_attackers_are_accepted_with_either_side_to_move():
    # As in python-chess and Lichess: that kings touched and parted cannot be told from the turn.
    for turn in ("w", "b"):
        assert AtomicBoard(f"4r2k/8/8/8/1b6/3n1n2/8/R3K3 {turn} - - 0 1").is_valid()


def test_a_missing_king_excuses_the_side_to_move_only():
    board = AtomicBoard("8/8/8/8/8/8/8/K7 b - - 0 1")
    assert board.is_valid()
    board.turn = chess.WHITE
    assert board.status() == chess.STATUS_NO_BLACK_KING


def test_the_winner_may_have_ignored_a_check():
    board = AtomicBoard("8/8/2Q1pk2/8/8/8/3K4/1n6 w - - 0 1")
    assert board.is_check()
    board.push_san("Qxe6#")
    assert board.is_valid()


def test_en_passant_is_kept_after_a_double_step_that_uncovered_a_check():
    board = AtomicBoard("3b4/4pk2/8/3P4/7K/8/8/8 b - - 0 1")
    board.push_san("e5+")
    assert board.is_check()
    assert board.is_valid()


def test_a_board_stays_valid_through_a_game_to_the_explosion():
    board = AtomicBoard()
    for san in ("e4", "d5", "exd5", "Qxd2#"):
        board.push_san(san)
        assert board.is_valid()


def test_every_position_of_a_game_is_valid():
    for board in played(31, 1500):
        assert board.status() == chess.STATUS_VALID, board.fen()
