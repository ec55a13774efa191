"""The sibling rule sets of atomic chess, rule by rule and against other implementations."""

from __future__ import annotations

import random
import runpy
from pathlib import Path

import chess
import chess.syzygy
import chess.variant
import pytest

import atomic_variant
from atomic_variant import AtomicBoard
from atomic_variant.boards.dialects import Buho21AtomicBoard, ChessPlayXAtomicBoard, IccAtomicBoard
from atomic_variant.perft import perft

from ..support.positions import constructed
from ..support.slow_boards import SlowBoard, SlowBuho21Board, SlowIccBoard, fen_of

DIALECTS = [AtomicBoard, ChessPlayXAtomicBoard, IccAtomicBoard, Buho21AtomicBoard]
LEGAL_BY_CHECK = [AtomicBoard, IccAtomicBoard, Buho21AtomicBoard]

# Position, move, whether it is legal as on Lichess, ICC and Buho21.
SEPARATING_MOVES = [
    # Contact with the enemy king.
    ("3k4/7r/3K4/8/8/8/8/8 w - - 0 1", "d6d7", "110", "a step next to the king onto a guarded square"),
    ("3k4/3K3r/8/8/8/P7/8/8 w - - 0 1", "a3a4", "110", "a quiet move while attacked in contact"),
    ("3k4/8/3K4/8/8/8/8/8 w - - 0 1", "d6d7", "111", "a step next to the king onto an unguarded square"),
    ("8/8/8/3k4/3K4/1B6/8/8 w - - 0 1", "b3d5", "000", "the capture of a touching king would kill both"),
    ("5r2/4k3/3K4/8/8/8/8/5R2 w - - 0 1", "f1f8", "111", "a blast that reaches only the enemy of two touching kings"),
    # The own king.
    ("8/8/8/2K5/2P5/2k1n3/8/2R5 b - - 0 1", "e3c4", "000", "both kings would explode"),
    ("k7/1R6/8/8/2K5/8/8/8 b - - 0 1", "a8b7", "000", "a king that captures"),
    ("k7/1R6/8/8/2K5/8/8/8 b - - 0 1", "a8a7", "010", "a king that steps into attack"),
    ("rnbqkbnr/pppNp1pp/5p2/3p4/8/8/PPPPPPPP/RNBQKB1R b KQkq - 1 3", "d8d7", "000", "a capture next to the own king"),
    ("7k/6Q1/8/8/8/8/8/K7 b - - 0 1", "h8g7", "000", "a king that captures the queen that mates"),
    # Check and what ends it.
    ("8/8/1Q2pk2/8/8/8/3K4/1n6 w - - 0 1", "b6e6", "111", "out of check, explode the enemy king"),
    ("8/8/1Q2pk2/8/8/8/3K4/1n6 w - - 0 1", "b6a7", "010", "out of check, a move that ignores it"),
    ("5k1r/p1ppq1pp/5p2/1B6/1b3P2/2P5/PP4PP/RNB1K2R w KQ - 0 12", "b5d7", "111", "a blast removes the checker"),
    ("k7/pp5R/8/8/3Q4/8/PP6/K1r5 w - - 1 2", "d4a7", "111", "a mate as in chess, refuted by an explosion"),
    ("k7/pp5R/8/8/3Q4/8/PP6/K1r5 w - - 1 2", "d4d1", "010", "a quiet move that ignores the check"),
    ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "e1e8", "111", "the capture of a king itself"),
    # Castling.
    ("8/8/8/8/8/8/4k3/R3K2q w Q - 0 1", "e1c1", "110", "castling attacked in contact, the rook shields"),
    ("8/8/8/8/8/8/5k2/R3K2r w Q - 0 1", "e1c1", "010", "castling through an attacked square without contact"),
    ("r3k2R/4K3/8/8/8/8/8/8 b q - 0 1", "e8c8", "110", "castling attacked in contact"),
    ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "e1g1", "010", "castling out of check"),
    ("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", "e1g1", "010", "castling through check"),
    ("4k3/8/8/8/8/8/6r1/R3K2R w KQ - 0 1", "e1g1", "010", "castling into check"),
    ("5b1r/1p5p/4ppp1/4Bn2/1PPP1PP1/4P2P/3k4/4K2R w K - 1 1", "e1g1", "111", "castling in contact without attack"),
    ("rnb1k2r/pppp1ppp/7n/8/8/2P5/PP1P1PPP/RNBKR3 b kq - 1 1", "e8g8", "010", "the escape by castling on ICC"),
    # En passant, promotion.
    ("8/5K2/8/3Pp3/8/8/8/k7 w - e6 0 1", "d5e6", "000", "en passant next to the own king"),
    ("8/8/8/3Pp3/4K3/8/8/k7 w - e6 0 1", "d5e6", "111", "en passant, the own king next to the captured pawn only"),
    ("rn2kb1r/2p1p2p/p2q1pp1/1pPP4/Q7/4P3/PP3P1P/R3K3 w Qkq b6 0 11", "c5b6", "111", "en passant that gives check"),
    ("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8n", "111", "promotion by capture"),
    ("Kn5k/P7/8/8/8/8/8/8 w - - 0 1", "a7b8q", "000", "promotion by capture next to the own king"),
    ("k7/8/8/2ppp3/2pn4/2p1p3/8/K2R4 w - - 0 1", "d1d4", "111", "a capture between pawns"),
]

SEPARATING_MOVES_960 = [
    ("8/8/3B4/8/8/8/4k3/2q1KR2 w F - 0 1", "e1f1", "110", "a rook that castles without moving shields the king"),
    ("8/8/8/8/8/8/4k3/rR4KR w BH - 0 1", "g1b1", "010", "the castling rook uncovers an attack"),
    ("8/8/8/8/8/8/2k5/rR4KR w BH - 0 1", "g1b1", "110", "it does so, but the kings touch then"),
    ("8/8/8/8/8/8/6k1/R5Kr w A - 0 1", "g1a1", "010", "the king's path leaves contact under attack"),
    ("1r2k3/8/8/8/8/8/1P6/1R2K3 b B - 0 1", "b8b2", "111", "a castling rook explodes"),
]

# Position and numbers of legal moves as on Lichess, ICC and Buho21.
MOVE_COUNTS = [
    ("3k4/7r/3K4/8/8/8/8/8 w - - 0 1", (8, 8, 5)),
    ("3k4/3K3r/8/8/8/P7/8/8 w - - 0 1", (8, 8, 5)),
    ("8/8/8/2K5/2P5/2k1n3/8/2R5 b - - 0 1", (7, 14, 7)),
    ("k7/1R6/8/8/2K5/8/8/8 b - - 0 1", (0, 2, 0)),
    ("8/8/1Q2pk2/8/8/8/3K4/1n6 w - - 0 1", (9, 28, 9)),
    ("8/8/8/8/8/8/5k2/R3K2r w Q - 0 1", (13, 15, 2)),
    ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", (2, 25, 2)),
    ("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", (21, 25, 21)),
    ("4k3/8/8/8/8/8/6r1/R3K2R w KQ - 0 1", (22, 26, 22)),
    ("rnb1k2r/pppp1ppp/7n/8/8/2P5/PP1P1PPP/RNBKR3 b kq - 1 1", (2, 23, 2)),
    ("7k/6Q1/8/8/8/8/8/K7 b - - 0 1", (0, 2, 0)),
    ("5k1r/p1ppq1pp/5p2/1B6/1b3P2/2P5/PP4PP/RNB1K2R w KQ - 0 12", (7, 30, 7)),
    ("k7/pp5R/8/8/3Q4/8/PP6/K1r5 w - - 1 2", (2, 43, 2)),
    ("BQ6/Rk6/8/8/8/8/8/4K3 b - - 0 1", (0, 5, 0)),
]

# Position and perft to depth 3, computed by other programs.
PERFT = [
    ("7r/6Pb/1np5/1p2kp2/P1P1n3/1P2KP1B/5N2/8 w - - 0 1", ((26, 658, 14263), (27, 799, 19648), (26, 656, 13926))),
    ("5r2/8/4k1N1/4K2p/7P/p7/8/2q5 w - - 0 48", ((10, 386, 3513), (11, 429, 4906), (8, 278, 2020))),
    ("8/4N3/8/4K2p/1r3qkP/8/8/q7 w - - 16 59", ((3, 166, 1136), (13, 694, 8442), (2, 112, 679))),
    ("3r4/8/8/5k1p/4KN1P/p1p5/8/8 w - - 6 44", ((11, 227, 2472), (14, 304, 3927), (11, 217, 2219))),
    ("8/8/8/8/8/8/4k3/R3K2q w Q - 0 1", ((15, 345, 4951), (15, 355, 5769), (2, 50, 698))),
    ("r3k2R/4K3/8/8/8/8/8/8 b q - 0 1", ((15, 240, 3342), (15, 250, 4079), (2, 36, 577))),
    ("3k4/7r/3K4/8/8/8/8/8 w - - 0 1", ((8, 137, 932), (8, 137, 1045), (5, 95, 627))),
    ("k7/1R6/8/8/2K5/8/8/8 b - - 0 1", ((0, 0, 0), (2, 44, 190), (0, 0, 0))),
]


def _assert_legality(board: AtomicBoard, move: chess.Move, legal: bool) -> None:
    assert board.is_legal(move) == legal
    assert (move in list(board.legal_moves)) == legal
    assert (board.why_illegal(move) is None) == legal


@pytest.mark.parametrize(
    ("fen", "uci", "expected", "chess960"),
    [
        pytest.param(fen, uci, expected, chess960, id=what)
        for chess960, moves in ((False, SEPARATING_MOVES), (True, SEPARATING_MOVES_960))
        for fen, uci, expected, what in moves
    ],
)
def test_each_dialect_judges_the_moves_that_separate_them(fen: str, uci: str, expected: str, chess960: bool) -> None:
    move = chess.Move.from_uci(uci)
    for board_class, legal in zip(LEGAL_BY_CHECK, expected, strict=True):
        _assert_legality(board_class(fen, chess960=chess960), move, legal == "1")
    _assert_legality(ChessPlayXAtomicBoard(fen, chess960=chess960), move, expected[0] == "1")


@pytest.mark.parametrize(("fen", "counts"), MOVE_COUNTS)
def test_each_dialect_has_its_own_number_of_legal_moves(fen: str, counts: tuple[int, int, int]) -> None:
    assert tuple(board_class(fen).legal_moves.count() for board_class in LEGAL_BY_CHECK) == counts


@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_perft_of_each_dialect(fen: str, counts: tuple[tuple[int, int, int], ...]) -> None:
    for board_class, expected in zip(LEGAL_BY_CHECK, counts, strict=True):
        assert tuple(perft(board_class(fen), depth) for depth in (1, 2, 3)) == expected


def test_perft_from_the_start_differs_where_check_is_ignored() -> None:
    assert perft(IccAtomicBoard(), 4) == 197779
    assert perft(Buho21AtomicBoard(), 4) == perft(ChessPlayXAtomicBoard(), 4) == 197326


# --- Rules that all dialects share ---------------------------------------------


@pytest.mark.parametrize("board_class", DIALECTS)
def test_pawns_next_to_a_blast_survive_in_every_dialect(board_class: type[AtomicBoard]) -> None:
    board = board_class("k7/8/8/2ppp3/2pn4/2p1p3/8/K2R4 w - - 0 1")
    board.push_uci("d1d4")
    assert board.board_fen() == "k7/8/8/2ppp3/2p5/2p1p3/8/K7"


@pytest.mark.parametrize("board_class", DIALECTS)
def test_a_promoted_piece_dies_in_its_own_blast_whatever_it_is(board_class: type[AtomicBoard]) -> None:
    board = board_class("1n5k/P7/8/8/8/8/8/K7 w - - 0 1")
    captures = [move for move in board.legal_moves if board.is_capture(move)]
    assert [move.promotion for move in captures] == [chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT]
    for move in captures:
        after = board.copy()
        after.push(move)
        assert after.board_fen() == "7k/8/8/8/8/8/8/K7"


@pytest.mark.parametrize("board_class", DIALECTS)
def test_en_passant_explodes_on_the_square_that_the_pawn_reaches(board_class: type[AtomicBoard]) -> None:
    board = board_class("4n3/3b4/8/2RPp3/3R4/8/1k6/7K w - e6 0 1")
    assert board.explosion(chess.Move.from_uci("d5e6")) == chess.SquareSet([chess.D5, chess.E5, chess.D7])


@pytest.mark.parametrize("board_class", DIALECTS)
def test_an_exploded_rook_takes_its_castling_right_along(board_class: type[AtomicBoard]) -> None:
    board = board_class("r3k2r/6p1/8/8/8/8/1B5P/4K3 w kq - 0 1")
    board.push_uci("b2g7")
    assert board.castling_xfen() == "q"


@pytest.mark.parametrize("board_class", DIALECTS)
def test_an_exploded_king_takes_all_its_castling_rights_along(board_class: type[AtomicBoard]) -> None:
    board = board_class("rnb1kbnr/pppppppp/8/4q3/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")
    assert board.san(chess.Move.from_uci("e5e2")) == "Qxe2#"
    board.push_uci("e5e2")
    assert board.fen() == "rnb1kbnr/pppppppp/8/8/8/8/PPPP1PPP/RNB3NR w kq - 0 2"
    assert not list(board.legal_moves)
    assert board.outcome() == chess.Outcome(chess.Termination.VARIANT_LOSS, chess.BLACK)
    assert board.describe_outcome() == "Black wins: the white king exploded on e1"


# --- Check ---------------------------------------------------------------------


def test_on_icc_nothing_is_check() -> None:
    board = IccAtomicBoard("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1")
    assert not board.is_check()
    assert board.checkers_mask() == chess.BB_EMPTY
    assert board.pin_mask(chess.WHITE, chess.A1) == chess.BB_ALL
    assert board.is_valid()
    assert IccAtomicBoard("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1").is_valid(), "Black may leave the king attacked"
    assert not AtomicBoard("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1").is_valid()


def test_on_icc_no_move_gets_a_plus_but_the_capture_of_a_king_ends_the_game() -> None:
    board = IccAtomicBoard("4k3/8/8/8/8/8/8/3R2K1 w - - 0 1")
    assert AtomicBoard(board.fen()).san(chess.Move.from_uci("d1e1")) == "Re1+"
    assert [board.san_and_push(chess.Move.from_uci(uci)) for uci in ("d1e1", "e8e7", "e1e7")] == ["Re1", "Ke7", "Rxe7#"]
    assert board.result() == "1-0"


def test_on_icc_the_own_king_may_not_explode_either() -> None:
    board = IccAtomicBoard("k7/1R6/8/8/2K5/8/8/8 b - - 0 1")
    assert board.why_illegal(chess.Move.from_uci("a8b7")) == (
        "a king may not capture: it would explode with the rook on b7"
    )
    board = IccAtomicBoard("8/8/8/2K5/2P5/2k1n3/8/2R5 b - - 0 1")
    assert board.why_illegal(chess.Move.from_uci("e3c4")) == ("the explosion on c4 would remove Black's own king on c3")


def test_on_icc_a_captured_king_is_reported_as_captured() -> None:
    board = IccAtomicBoard("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1")
    assert list(board.generate_king_explosions()) == [chess.Move.from_uci("e1e8")]
    assert board.push_san("Rxe8#") == chess.Move.from_uci("e1e8")
    assert board.describe_outcome() == "White wins: the black king was captured on e8"


def test_on_buho21_kings_guard_nothing() -> None:
    board = Buho21AtomicBoard("8/8/3k4/8/3K4/8/8/8 w - - 0 1")
    assert board.is_legal(chess.Move.from_uci("d4d5"))
    board.push_uci("d4d5")
    assert board.kings_touch()
    assert not board.is_check()


def test_on_buho21_a_touching_king_is_in_check_like_any_other() -> None:
    fen = "3k4/3K3r/8/8/8/P7/8/8 w - - 0 1"
    assert not AtomicBoard(fen).is_check()
    assert Buho21AtomicBoard(fen).checkers() == chess.SquareSet([chess.H7])


def test_buho21_says_that_contact_does_not_protect() -> None:
    board = Buho21AtomicBoard("3k4/3K3r/8/8/8/P7/8/8 w - - 0 1")
    assert board.why_illegal(chess.Move.from_uci("a3a4")) == (
        "the move leaves the king on d7 attacked by the rook on h7, and touching the other king does not protect it"
    )
    board = Buho21AtomicBoard("8/8/8/8/8/8/4k3/R3K2q w Q - 0 1")
    assert board.why_illegal(chess.Move.from_uci("e1c1")) == (
        "castling out of check: the king on e1 is attacked by the queen on h1, "
        "and touching the other king does not protect it"
    )
    board = Buho21AtomicBoard("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1")
    assert board.why_illegal(chess.Move.from_uci("e1g1")) == (
        "castling out of check: the king on e1 is attacked by the rook on e2"
    )


# --- Endings --------------------------------------------------------------------

STALEMATE = "k7/1R6/8/8/2K5/8/7P/8 b - - 0 1"
MATES = ["7k/6Q1/8/8/8/8/8/K7 b - - 0 1", "BQ6/Rk6/8/8/8/8/8/4K3 b - - 0 1"]


@pytest.mark.parametrize("board_class", [AtomicBoard, ChessPlayXAtomicBoard])
def test_without_a_legal_move_and_without_check_the_game_is_drawn(board_class: type[AtomicBoard]) -> None:
    board = board_class(STALEMATE)
    assert board.is_stalemate()
    assert board.outcome() == chess.Outcome(chess.Termination.STALEMATE, None)
    assert board.describe_outcome() == "Draw: stalemate, Black has no legal move"


def test_on_buho21_the_player_without_a_legal_move_loses() -> None:
    board = Buho21AtomicBoard(STALEMATE)
    assert board.is_stalemate()
    assert board.is_variant_loss()
    assert not board.is_variant_win()
    assert not board.is_variant_draw()
    assert not board.is_variant_end(), "as python-chess has it for stalemates with a special result"
    assert not board.is_checkmate()
    assert board.outcome() == chess.Outcome(chess.Termination.VARIANT_LOSS, chess.WHITE)
    assert board.result() == "1-0"
    assert board.describe_outcome() == "White wins: Black has no legal move"


def test_on_buho21_a_move_that_leaves_none_is_marked_as_winning() -> None:
    fen = "k7/7R/8/8/2K5/8/7P/8 w - - 0 1"
    move = chess.Move.from_uci("h7b7")
    assert AtomicBoard(fen).san(move) == "Rb7"
    board = Buho21AtomicBoard(fen)
    assert board.san(move) == "Rb7#"
    assert board.parse_san("Rb7") == board.parse_san("Rb7#") == move


def test_the_stalemate_rule_of_buho21_is_a_switch() -> None:
    class DrawnStalemate(Buho21AtomicBoard):
        stalemate_loses = False

    board = DrawnStalemate(STALEMATE)
    assert board.outcome() == chess.Outcome(chess.Termination.STALEMATE, None)
    assert board.describe_outcome() == "Draw: stalemate, Black has no legal move"
    assert DrawnStalemate("k7/7R/8/8/2K5/8/7P/8 w - - 0 1").san(chess.Move.from_uci("h7b7")) == "Rb7"
    assert board.has_insufficient_material(chess.BLACK)
    assert not Buho21AtomicBoard(STALEMATE).has_insufficient_material(chess.BLACK)


@pytest.mark.parametrize("fen", MATES)
def test_mate_is_mate_where_there_is_check(fen: str) -> None:
    for board_class in (AtomicBoard, ChessPlayXAtomicBoard, Buho21AtomicBoard):
        board = board_class(fen)
        assert board.is_checkmate()
        assert board.outcome() == chess.Outcome(chess.Termination.CHECKMATE, chess.WHITE)
        assert board.describe_outcome() == "White wins: checkmate"
    board = IccAtomicBoard(fen)
    assert not board.is_checkmate()
    assert board.outcome() is None


def test_on_icc_the_player_without_a_legal_move_draws() -> None:
    # Every capture would explode the own king, and every step is blocked.
    board = IccAtomicBoard("7K/8/8/8/8/8/pp6/kN6 b - - 0 1")
    assert not list(board.legal_moves)
    assert board.outcome() == chess.Outcome(chess.Termination.STALEMATE, None)
    assert board.describe_outcome() == "Draw: stalemate, Black has no legal move"


@pytest.mark.parametrize("board_class", DIALECTS)
def test_bare_kings_draw_in_every_dialect(board_class: type[AtomicBoard]) -> None:
    board = board_class("8/3k4/8/8/8/8/3K4/8 b - - 0 1")
    assert board.outcome() == chess.Outcome(chess.Termination.INSUFFICIENT_MATERIAL, None)
    assert board.describe_outcome() in ("Draw: insufficient material", "Draw: only the kings are left")


@pytest.mark.parametrize("board_class", [ChessPlayXAtomicBoard, IccAtomicBoard, Buho21AtomicBoard])
@pytest.mark.parametrize(
    "fen",
    [
        "8/3k4/8/8/2N5/8/3K4/8 b - - 0 1",
        "8/4rk2/8/8/8/8/3K4/8 w - - 0 1",
        "8/4bk2/8/8/8/8/3KB3/8 w - - 0 1",
    ],
)
def test_only_bare_kings_draw_by_material(board_class: type[AtomicBoard], fen: str) -> None:
    assert AtomicBoard(fen).outcome() == chess.Outcome(chess.Termination.INSUFFICIENT_MATERIAL, None)
    assert board_class(fen).outcome() is None


@pytest.mark.parametrize("board_class", [ChessPlayXAtomicBoard, IccAtomicBoard, Buho21AtomicBoard])
def test_moves_without_progress_draw_only_by_claim(board_class: type[AtomicBoard]) -> None:
    fen = "8/3k4/8/8/2N5/8/3K4/8 b - - 150 120"
    board = board_class(fen)
    assert board.outcome() is None
    assert board.outcome(claim_draw=True) == chess.Outcome(chess.Termination.FIFTY_MOVES, None)
    assert board.describe_outcome() is None
    assert board.can_claim_draw()


@pytest.mark.parametrize("board_class", [ChessPlayXAtomicBoard, IccAtomicBoard, Buho21AtomicBoard])
def test_repetition_draws_only_by_claim(board_class: type[AtomicBoard]) -> None:
    board = board_class()
    for uci in ["g1f3", "g8f6", "f3g1", "f6g8"] * 5:
        board.push_uci(uci)
    assert board.is_repetition(5)
    assert board.outcome() is None
    assert board.outcome(claim_draw=True) == chess.Outcome(chess.Termination.THREEFOLD_REPETITION, None)
    assert AtomicBoard.from_epd(board.epd())[0].outcome() is None, "no history, no repetition"


@pytest.mark.parametrize("board_class", [ChessPlayXAtomicBoard, IccAtomicBoard, Buho21AtomicBoard])
def test_closed_positions_are_adjudicated_on_lichess_alone(board_class: type[AtomicBoard]) -> None:
    fen = "8/8/6p1/3K2P1/8/2k5/8/8 b - - 0 1"
    assert AtomicBoard(fen).outcome(closed_draw=True)
    assert board_class(fen).outcome(closed_draw=True) is None


# --- Against other implementations ------------------------------------------------


def test_the_legal_moves_of_buho21_lichess_and_icc_nest() -> None:
    fewer_on_buho21 = more_on_icc = en_passant = castling = 0
    for position in constructed(seed=7, number=20_000):
        fen = fen_of(position)
        lichess, icc, buho21 = (
            set(board_class(fen, chess960=position.chess960).legal_moves) for board_class in LEGAL_BY_CHECK
        )
        assert buho21 <= lichess <= icc, fen
        fewer_on_buho21 += buho21 < lichess
        more_on_icc += icc > lichess
        en_passant += position.ep_square is not None
        castling += bool(position.castling_rights)
    assert min(fewer_on_buho21, more_on_icc, en_passant, castling) > 2_000, "the positions separate the dialects"


@pytest.mark.parametrize(
    ("board_class", "slow_class"),
    [
        (AtomicBoard, SlowBoard),
        (ChessPlayXAtomicBoard, SlowBoard),
        (IccAtomicBoard, SlowIccBoard),
        (Buho21AtomicBoard, SlowBuho21Board),
    ],
)
def test_legal_moves_are_those_found_by_making_every_move(
    board_class: type[AtomicBoard], slow_class: type[SlowBoard]
) -> None:
    for position in constructed(seed=11, number=1_000):
        board = board_class(fen_of(position), chess960=position.chess960)
        moves = list(board.legal_moves)
        assert set(moves) == slow_class(fen_of(position), chess960=position.chess960).moves(), board
        assert len(set(moves)) == len(moves) == board.legal_moves.count()
        for move in board.generate_pseudo_legal_moves():
            assert board.is_legal(move) == (move in moves) == (board.why_illegal(move) is None), (board, move)


def test_icc_is_nocheckatomic_less_the_explosions_of_the_own_king() -> None:
    pyffish = pytest.importorskip("pyffish")
    self_explosions = 0
    for position in constructed(seed=13, number=600):
        fen = fen_of(position)
        board = IccAtomicBoard(fen, chess960=position.chess960)
        if board.is_variant_end():
            continue  # A king has exploded.
        own_king = chess.BB_SQUARES[board.king(board.turn)]
        moves = {chess.Move.from_uci(uci) for uci in pyffish.legal_moves("nocheckatomic", fen, [], position.chess960)}
        suicides = {move for move in moves if board.explosion_mask(move) & own_king}
        assert moves - suicides == set(board.legal_moves), fen
        self_explosions += len(suicides)
    assert self_explosions, "the difference was there to see"


def test_fairy_stockfish_taught_that_stalemate_loses_confirms_the_results_of_buho21() -> None:
    pyffish = pytest.importorskip("pyffish")
    pyffish.load_variant_config("[atomic-buho21:atomic]\nstalemateValue = loss\n")
    assert Buho21AtomicBoard.uci_variant in pyffish.variants()
    lost_without_check = 0
    for position in _hunted_kings(3_000, seed=17):
        fen = position.fen()
        board = Buho21AtomicBoard(fen)
        if board.legal_moves or board.was_into_check() or pyffish.legal_moves(board.uci_variant, fen, []):
            continue  # Fairy-Stockfish has moves that Buho21 lacks, so it can confirm only some.
        outcome = board.outcome()
        assert outcome is not None, fen
        assert outcome.winner is not board.turn, fen
        assert pyffish.game_result(board.uci_variant, fen, []) < 0, "lost for the side to move"
        lost_without_check += board.is_stalemate()
    assert lost_without_check > 20


def _hunted_kings(count: int, seed: int) -> list[chess.Board]:
    """A bare king on the edge against a king and three pieces."""
    rnd = random.Random(seed)
    boards = []
    for _ in range(count):
        board = chess.Board.empty()
        edge = rnd.choice(list(chess.SquareSet(chess.BB_BACKRANKS | chess.BB_FILE_A | chess.BB_FILE_H)))
        squares = rnd.sample([square for square in chess.SQUARES if square != edge], 4)
        board.set_piece_at(edge, chess.Piece(chess.KING, chess.BLACK))
        board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
        for square in squares[1:]:
            board.set_piece_at(square, chess.Piece(rnd.choice([chess.ROOK, chess.QUEEN]), chess.WHITE))
        board.turn = chess.BLACK
        boards.append(board)
    return boards


# --- Tablebases ---------------------------------------------------------------------


def test_tables_serve_the_dialects_with_their_moves_and_results_only(tmp_path: Path) -> None:
    assert ChessPlayXAtomicBoard.tbw_suffix == AtomicBoard.tbw_suffix
    assert ChessPlayXAtomicBoard.tbz_magic == AtomicBoard.tbz_magic
    with chess.syzygy.open_tablebase(str(tmp_path), VariantBoard=AtomicBoard) as tables:
        for board_class in (IccAtomicBoard, Buho21AtomicBoard, atomic_variant.SparkBoard):
            assert not any(
                getattr(board_class, prefix + name)
                for prefix in ("", "pawnless_")
                for name in ("tbw_suffix", "tbz_suffix", "tbw_magic", "tbz_magic")
            )
            board = board_class("8/8/8/8/8/1k6/8/KQ6 w - - 0 1")
            with pytest.raises(KeyError, match=f"opened for atomic, probed with: {board_class.uci_variant}"):
                tables.probe_wdl(board)


# --- A dialect of one's own ------------------------------------------------------------


def test_the_example_of_an_own_dialect_runs(capsys: pytest.CaptureFixture[str]) -> None:
    variants = atomic_variant.VARIANTS.copy()
    try:
        runpy.run_path(str(Path(__file__).parents[2] / "examples" / "own_dialect.py"), run_name="__main__")
    finally:
        atomic_variant.unregister()
        atomic_variant.VARIANTS[:] = variants
    out = capsys.readouterr().out
    assert '[Variant "Atomic King of the Hill"]' in out
    assert "White wins: by the rules of Atomic King of the Hill - 0 legal moves are left" in out


def test_a_dialect_with_an_ending_of_its_own_has_no_moves_after_it() -> None:
    class FirstCheckWins(AtomicBoard):
        """Who gives check has won."""

        def is_variant_end(self) -> bool:
            return super().is_variant_end() or self.is_check()

        def is_variant_loss(self) -> bool:
            return super().is_variant_loss() or self.is_check()

    board = FirstCheckWins("4k3/8/8/8/8/8/8/3RK2R w K - 0 1")
    assert board.san(chess.Move.from_uci("h1h8")) == "Rh8#"
    assert board.san(chess.Move.from_uci("h1h7")) == "Rh7"
    board.push_san("Rh8")
    assert not board.legal_moves
    assert board.legal_moves.count() == 0
    assert not list(board.generate_legal_captures())
    assert board.why_illegal(chess.Move.from_uci("e8e7")) == "the game is over"
    assert board.outcome() == chess.Outcome(chess.Termination.VARIANT_LOSS, chess.WHITE)
    assert list(AtomicBoard(board.fen()).legal_moves), "the dialect alone ends here"
