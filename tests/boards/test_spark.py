"""Spark Chess, rule by rule, against its reference and against a second implementation."""

from __future__ import annotations

import io
import json
import pickle
import random
import xml.etree.ElementTree as ET
from typing import Any

import chess
import chess.pgn
import pytest

from atomic_variant import SparkBoard, dialects, host
from atomic_variant.perft import perft
from atomic_variant.pgn import read_game

from ..support import spark_reference as reference
from ..support.shared import shared_path

TWO_PIECES_MEET = "4k3/8/8/8/8/8/1B3P2/3RK3 w - - 0 1"
KNIGHT_ATTACKS_PAWN = "4k3/8/8/8/8/1N6/3P4/4K3 w - - 0 1"
TWO_KNIGHTS_RELAY = "7k/8/8/1P6/3N4/2N5/4R3/4K3 w - - 0 1"


def ucis(board: SparkBoard, **masks: chess.Bitboard) -> set[str]:
    return {move.uci() for move in board.generate_legal_moves(**masks)}


def is_legal(fen: str, uci: str) -> bool:
    board = SparkBoard(fen)
    move = chess.Move.from_uci(uci)
    legal = board.is_legal(move)
    assert (move in list(board.legal_moves)) == legal
    assert (board.why_illegal(move) is None) == legal
    return legal


def why_illegal(fen: str, uci: str) -> str | None:
    return SparkBoard(fen).why_illegal(chess.Move.from_uci(uci))


def played(fen: str, *sans: str) -> SparkBoard:
    board = SparkBoard(fen)
    for san in sans:
        move = board.parse_san(san)
        assert board.san(move) == san
        board.push(move)
    return board


# --- Moves ----------------------------------------------------------------------


def test_from_the_array_pawns_step_once_and_knights_jump_or_swap() -> None:
    pushes = {f"{file}2{file}3" for file in "abcdefgh"}
    assert ucis(SparkBoard()) == pushes | {"b1a3", "b1c3", "g1f3", "g1h3", "b1d2", "g1e2"}


def test_a_shift_takes_a_pawn_to_any_empty_square_where_two_pieces_meet() -> None:
    board = SparkBoard(TWO_PIECES_MEET)
    assert ucis(board, from_mask=chess.BB_F2) == {"f2a1", "f2c1", "f2d2", "f2d4", "f2f3"}
    assert board.nodes(chess.WHITE) == chess.SquareSet([chess.A1, chess.C1, chess.D2, chess.D4])
    assert board.legal_moves.count() == 27


def test_the_step_ahead_onto_a_node_is_an_ordinary_move_and_listed_once() -> None:
    board = SparkBoard("4k3/8/8/8/8/R7/3P4/1B2K3 w - - 0 1")
    assert chess.D3 in board.nodes(chess.WHITE)
    assert [board.san(move) for move in board.legal_moves if move.uci() == "d2d3"] == ["d3"]
    assert chess.Move.from_uci("d2d3") not in list(board.spark_moves())


def test_lines_run_on_through_own_pieces_of_their_kind() -> None:
    fen = "4k3/8/8/8/8/8/R2P4/R3K3 w - - 0 1"
    shifts = {"d2a3", "d2a4", "d2a5", "d2a6", "d2a7", "d2b1", "d2c1", "d2d1"}
    assert ucis(SparkBoard(fen), from_mask=chess.BB_D2) & shifts == {
        "d2a3", "d2a4", "d2a5", "d2a6", "d2a7", "d2d1",
    }  # fmt: skip
    board = SparkBoard("1k6/8/8/8/Q1n1R3/8/P7/6K1 w - - 0 1")
    assert chess.C4 in board.nodes(chess.WHITE), "an enemy stops a line after its own square"
    assert chess.F4 not in board.nodes(chess.WHITE)
    assert chess.F4 in SparkBoard("1k6/8/8/8/Q1R1R3/8/P7/6K1 w - - 0 1").nodes(chess.WHITE)


def test_batteries_make_nodes_but_no_longer_attacks() -> None:
    board = SparkBoard("r3k3/8/8/8/8/8/R2P4/R3K3 w - - 0 1")
    assert board.influence_mask(chess.A1) & chess.BB_A8
    assert not board.is_legal(chess.Move.from_uci("a1a8"))


def test_one_piece_is_no_pair() -> None:
    assert not is_legal("4k3/8/8/8/8/8/3P4/Q3K3 w - - 0 1", "d2c3")


def test_a_pawn_blocks_its_own_shift() -> None:
    # Both rooks would meet on d4 only if the pawn on d2 were gone.
    assert not is_legal("4k3/8/8/8/R7/8/3P4/3RK3 w - - 0 1", "d2d4")
    assert is_legal("4k3/8/8/8/R7/8/4P3/3RK3 w - - 0 1", "e2d4")


def test_a_knight_swaps_with_a_pawn_that_it_attacks() -> None:
    board = played(KNIGHT_ATTACKS_PAWN, "Nb3>d2")
    assert board.fen() == "4k3/8/8/8/8/1P6/3N4/4K3 b - - 1 1"


def test_a_piece_swaps_with_a_pawn_if_one_knight_attacks_both() -> None:
    board = SparkBoard(TWO_KNIGHTS_RELAY)
    assert [move.uci() for move in board.legal_moves].count("e2b5") == 1, "two witnesses, one move"
    assert played(TWO_KNIGHTS_RELAY, "Re2>b5").fen() == "7k/8/8/1R6/3N4/2N5/4P3/4K3 b - - 1 1"
    assert not is_legal("7k/8/8/1P6/3n4/2n5/4R3/4K3 w - - 0 1", "e2b5"), "enemy knights are no witnesses"


def test_a_king_swaps_unless_it_is_attacked() -> None:
    assert played("4k3/8/8/8/8/5N2/3P4/4K3 w - - 0 1", "Ke1>d2").fen() == "4k3/8/8/8/8/5N2/3K4/4P3 b - - 1 1"
    assert not is_legal("4k3/8/8/8/8/5N2/3P4/4K2r w - - 0 1", "e1d2")
    assert is_legal("4k3/8/8/8/8/5N2/3P4/4K2r w - - 0 1", "e1d1"), "but it may stay attacked"


def test_a_king_that_swaps_with_a_pawn_two_files_away_does_not_castle() -> None:
    fen = "4k3/8/8/8/8/5N2/8/4K1P1 w - - 0 1"
    board = played(fen, "Ke1>g1")
    assert board.fen() == "4k3/8/8/8/8/5N2/8/4P1K1 b - - 1 1"
    assert board.peek().uci() == "e1g1"
    assert board.pop() == chess.Move.from_uci("e1g1")
    assert board.fen() == fen


def test_no_spark_move_takes_a_pawn_to_the_rank_where_it_promotes() -> None:
    for uci in ("d7b8", "d7c8"):
        assert not is_legal("R2QK3/3P4/8/8/8/8/8/4k3 w - - 0 1", uci)
    assert not is_legal("R7/2N5/4P3/8/8/8/8/4K2k w - - 0 1", "a8e6"), "nor does a relay swap from there"
    assert not is_legal("3N4/1P3P2/2P1P3/8/8/8/8/4K2k w - - 0 1", "d8f7"), "nor a direct swap"


def test_pawns_promote_to_four_pieces_and_may_stand_on_their_own_first_rank() -> None:
    board = SparkBoard("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    assert [board.san(move) for move in board.generate_legal_moves(from_mask=chess.BB_A7)] == [
        "a8=Q+", "a8=R+", "a8=B", "a8=N",
    ]  # fmt: skip
    assert played(TWO_PIECES_MEET, "f2>a1").is_valid()
    assert is_legal("4k3/8/8/8/8/8/8/PPP1K3 w - - 0 1", "a1a2")
    assert not is_legal("4k3/8/8/8/8/8/8/PPP1K3 w - - 0 1", "a1a3")
    board = SparkBoard(TWO_PIECES_MEET)
    assert board.find_move(chess.F2, chess.A1) == chess.Move.from_uci("f2a1"), "no promotion on the own first rank"
    assert SparkBoard("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").find_move(chess.A7, chess.A8).promotion == chess.QUEEN


def test_pins_do_not_exist_and_the_king_may_be_captured() -> None:
    board = played("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", "Rxe1")
    assert board.outcome() == chess.Outcome(chess.Termination.VARIANT_LOSS, chess.BLACK)
    assert board.describe_outcome() == "Black wins: the white king was captured on e1"
    assert not list(board.legal_moves)
    assert board.why_illegal(chess.Move.from_uci("c3b5")) == "the game is over, White has no king"


# --- Check, notation --------------------------------------------------------------


def test_check_is_a_mark_in_the_notation_only() -> None:
    board = played("4k3/8/8/8/B7/8/1P6/3RK3 w - - 0 1", "b2>d7+")
    assert board.is_check()
    assert not board.is_checkmate()
    assert board.san(chess.Move.from_uci("e8f8")) == "Kf8"
    assert played("3Rk3/8/8/8/8/8/8/4K3 w - - 0 1", "Rxe8").result() == "1-0"


def test_touching_kings_attack_each_other() -> None:
    board = SparkBoard("8/8/8/8/3k4/8/1K6/8 w - - 0 1")
    assert board.is_variant_end(), "bare kings apart"
    board = SparkBoard("8/8/8/8/3k4/8/1K5P/8 w - - 0 1")
    assert board.san(chess.Move.from_uci("b2c3")) == "Kc3+"
    assert SparkBoard("8/8/8/8/4k3/8/3K4/7R w - - 0 1").gives_check(chess.Move.from_uci("d2e3"))


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        (TWO_PIECES_MEET, "f2>d4", "f2d4"),
        (TWO_PIECES_MEET, "f2-d4", "f2d4"),
        (TWO_PIECES_MEET, "f2d4", "f2d4"),
        (TWO_PIECES_MEET, "f3", "f2f3"),
        (TWO_PIECES_MEET, "Bb2-d4", "b2d4"),
        (KNIGHT_ATTACKS_PAWN, "Nb3-d2", "b3d2"),
        (KNIGHT_ATTACKS_PAWN, "Nb3>d2+", "b3d2"),
    ],
)
def test_spark_moves_are_read_in_several_spellings(fen: str, text: str, uci: str) -> None:
    assert SparkBoard(fen).parse_san(text).uci() == uci


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        (TWO_PIECES_MEET, "d4", "White has no pawn on the d-file"),
        (TWO_PIECES_MEET, "f2>f3", "an ordinary move is written without >"),
        (TWO_PIECES_MEET, "Bb2>d4", "an ordinary move is written without >"),
        (TWO_PIECES_MEET, "Nb2>d4", "no knight on b2"),
        (TWO_PIECES_MEET, "f2>e4", "e4 is not a node: no piece of White's reaches it"),
        (KNIGHT_ATTACKS_PAWN, "Nd2", "a Spark move is written with its origin and >"),
        (KNIGHT_ATTACKS_PAWN, "O-O", "there is no castling in Spark Chess"),
        ("4k3/8/8/8/8/8/3P4/Q3K3 w - - 0 1", "d2>c3", "c3 is not a node: only the queen on a1 reaches it"),
    ],
)
def test_what_is_no_legal_san_is_refused_with_the_reason(fen: str, text: str, reason: str | None) -> None:
    with pytest.raises(chess.IllegalMoveError) as caught:
        SparkBoard(fen).parse_san(text)
    assert str(caught.value) == f"illegal san: {text!r} in {fen}" + (f": {reason}" if reason else "")


def test_an_ambiguous_san_is_refused_and_the_shielding_knight_counts() -> None:
    board = SparkBoard("k3r3/8/8/8/8/8/4N3/1N2K3 w - - 0 1")
    with pytest.raises(chess.AmbiguousMoveError):
        board.parse_san("Nc3")
    assert board.san(chess.Move.from_uci("e2c3")) == "Nec3"
    with pytest.raises(chess.InvalidMoveError):
        board.parse_san("Nb1>>c3")


@pytest.mark.parametrize(
    ("fen", "uci", "reason"),
    [
        (TWO_PIECES_MEET, "f2d1", "a swap goes from the piece to the pawn, not from the pawn on f2 to the rook on d1"),
        (TWO_PIECES_MEET, "d1f2", "no knight of White's attacks d1 or f2"),
        (TWO_PIECES_MEET, "f2g3", "g3 is not a node: no piece of White's reaches it"),
        (TWO_PIECES_MEET, "e8e7", "the king on e8 is Black's, but it is White's turn"),
        (TWO_PIECES_MEET, "b2b3", "the bishop on b2 does not move to b3"),
        (TWO_PIECES_MEET, "d1g1", "the rook on d1 cannot pass the king on e1 on its way to g1"),
        (TWO_PIECES_MEET, "d1e1", "the rook on d1 swaps with pawns only, not with the king on e1"),
        (TWO_PIECES_MEET, "a5a6", "no piece on a5"),
        (KNIGHT_ATTACKS_PAWN, "0000", "a null move is no move on the board"),
        (KNIGHT_ATTACKS_PAWN, "d2d3q", "the pawn on d2 promotes only on the last rank"),
        ("4k3/8/8/8/8/1N6/4P3/4K3 w - - 0 1", "b3e2",
         "the knight on b3 swaps only with a pawn that it attacks, not with the pawn on e2"),
        ("4k3/8/8/8/8/5N2/3P4/4K2r w - - 0 1", "e1d2",
         "the king on e1 is attacked by the rook on h1, so it may not swap"),
        ("3N4/1P3P2/2P1P3/8/8/8/8/4K2k w - - 0 1", "d8f7", "the swap would take the pawn to d8, where it cannot stand"),
        ("8/8/8/2N2N2/4P3/3B1R2/2Q5/k3K3 w - - 0 1", "c2e4", "no knight of White's attacks c2"),
        ("4k3/8/8/8/8/N3N3/8/P1QK3P w - - 0 1", "c1h1", "no knight of White's attacks c1 or h1"),
        ("4k3/8/8/8/8/1N2N3/6P1/2QK4 w - - 0 1", "c1g2", "no single knight attacks both c1 and g2"),
        ("R2QK3/3P4/8/8/8/8/8/4k3 w - - 0 1", "d7b8",
         "no Spark move takes a pawn to the rank where it promotes, so not to b8"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "the pawn on a7 must promote on a8"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8k", "a pawn does not promote to a king"),
        ("4k3/8/8/8/8/p7/P7/4K3 w - - 0 1", "a2a3", "the pawn on a2 is blocked by the pawn on a3"),
        ("4k3/8/8/8/8/p7/P7/4K3 w - - 0 1", "e1a2", "no knight of White's attacks e1 or a2"),
        ("8/8/8/8/8/8/2k5/K7 w - - 0 1", "a1a2", "the game is over, only the kings are left, and they do not touch"),
    ],
)  # fmt: skip
def test_an_illegal_move_is_explained(fen: str, uci: str, reason: str) -> None:
    assert why_illegal(fen, uci) == reason


def test_illegal_uci_is_refused_with_the_reason() -> None:
    with pytest.raises(chess.IllegalMoveError, match=r"illegal uci: 'f2g3' in .*: g3 is not a node"):
        SparkBoard(TWO_PIECES_MEET).parse_uci("f2g3")
    assert not SparkBoard().parse_uci("0000")


# --- Endings ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "described"),
    [
        ("8/8/8/8/8/8/2k5/K7 w - - 0 1", "Draw: only the kings are left, and they do not touch"),
        ("8/8/8/8/8/8/2k5/1K6 b - - 0 1", None),
        ("8/8/8/8/8/k7/8/6NK b - - 0 1", None),
        ("8/8/8/8/1k6/8/8/6NK w - - 0 1", "Draw: the knight on g1 alone does not catch the king on b4"),
        ("4k3/8/8/8/8/8/8/KN6 w - - 0 1", "Draw: the knight on b1 alone does not catch the king on e8"),
        ("3k4/8/8/8/8/8/8/K1B5 w - - 0 1", None),
        ("8/8/6k1/8/8/8/8/K1B5 b - - 0 1", "Draw: the bishop on c1 alone does not catch the king on g6"),
        ("8/8/8/8/4k3/8/8/KB6 w - - 0 1", None),
        ("7k/8/8/8/8/8/8/KR6 w - - 0 1", None),
        ("8/8/8/4k3/8/8/8/KNN5 b - - 0 1", None),
        ("BBBBBBBB/PPPPPPPP/PP6/PP6/PP6/PP6/PP6/KP5k w - - 0 1", "Draw: White has no legal move"),
    ],
)
def test_material_and_want_of_moves_draw_at_once(fen: str, described: str | None) -> None:
    board = SparkBoard(fen)
    assert board.describe_outcome() == described
    assert board.is_game_over() == (described is not None)
    mirrored = board.mirror()
    assert mirrored.is_game_over() == board.is_game_over()
    assert mirrored.legal_moves.count() == board.legal_moves.count()


def test_the_first_repetition_draws_although_pawns_moved() -> None:
    fen = "7k/8/8/8/8/1N6/3P4/K7 w - - 0 1"
    board = SparkBoard(fen)
    for uci in ("b3d2", "h8h7", "d2b3"):
        board.push_uci(uci)
        assert board.outcome() is None
    board.push_uci("h7h8")
    assert board.outcome() == chess.Outcome(chess.Termination.VARIANT_DRAW, None)
    assert board.describe_outcome() == "Draw: the position occurred before"
    assert board.halfmove_clock == 4
    assert board.fen() == "7k/8/8/8/8/1N6/3P4/K7 w - - 4 3", "asking for the outcome leaves the board alone"
    assert SparkBoard(board.fen()).outcome() is None, "a FEN starts without history"


def test_a_position_with_the_other_side_to_move_is_no_repetition() -> None:
    board = SparkBoard("4k3/8/8/8/8/8/8/R2QK3 w - - 0 1")
    for uci in ("a1a2", "e8e7", "a2a3", "e7e8", "a3a1"):
        board.push_uci(uci)
    assert board.board_fen() == "4k3/8/8/8/8/8/8/R2QK3"
    assert board.outcome() is None


def test_any_earlier_position_may_repeat() -> None:
    board = SparkBoard("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1")
    for uci in ("e2e3", "e7e6", "e1d1", "e8d8", "d1e1", "d8e8"):
        assert board.outcome() is None
        board.push_uci(uci)
    assert board.result() == "1/2-1/2"


def test_captures_and_promotions_alone_reset_the_clock() -> None:
    board = SparkBoard("4k3/8/8/8/8/2N5/4P3/4K2R w - - 98 120")
    for uci in ("c3e2", "e8e7", "e2c3"):
        assert not board.is_zeroing(chess.Move.from_uci(uci))
        board.push_uci(uci)
    assert board.halfmove_clock == 101
    assert not board.is_game_over(claim_draw=True)
    assert not board.can_claim_draw()
    assert SparkBoard("4k3/P7/8/8/8/8/8/4K3 w - - 5 9").is_zeroing(chess.Move.from_uci("a7a8q"))
    assert not SparkBoard("4k3/8/8/8/8/8/P7/4K3 w - - 200 200").is_seventyfive_moves()


def test_no_claim_is_ever_needed() -> None:
    board = SparkBoard()
    for uci in ("g1f3", "g8f6", "f3g1"):
        board.push_uci(uci)
    assert not board.can_claim_threefold_repetition()
    assert board.outcome(claim_draw=True) is None


# --- FEN and the host -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        (chess.STARTING_FEN, SparkBoard.starting_fen),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 4 12", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w - - 4 12"),
        ("q3b1k1/1p6/2p1p2p/2PpP1pn/1P1P1pP1/3B1P2/4NK1P/1Q6 b - g3 0 32",
         "q3b1k1/1p6/2p1p2p/2PpP1pn/1P1P1pP1/3B1P2/4NK1P/1Q6 b - - 0 32"),
        ("4k3/8/8/8/8/8/8/4K2R", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R b", "4k3/8/8/8/8/8/8/4K2R b - - 0 1"),
    ],
)  # fmt: skip
def test_castling_rights_and_en_passant_of_a_fen_are_ignored(fen: str, expected: str) -> None:
    board = SparkBoard(fen)
    for spelling in ({}, {"en_passant": "fen"}, {"shredder": True}):
        assert board.fen(**spelling) == expected
    assert board == SparkBoard(expected)
    assert not list(board.generate_castling_moves())
    assert not list(board.generate_legal_ep())


@pytest.mark.parametrize(
    "fen", ["", "8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w XX - 0 1", "4k3/8/8/8/8/8/8/4K3 w - e9 0 1"]
)
def test_what_is_no_fen_is_refused(fen: str) -> None:
    with pytest.raises(ValueError, match="fen"):
        SparkBoard(fen)


@pytest.mark.parametrize(
    ("fen", "status"),
    [
        ("QQQQkQQQ/PPPPPPPP/PPPPPPPP/8/8/pppppppp/pppppppp/qqqqKqqq b - - 0 1", chess.STATUS_VALID),
        ("ppp1k3/8/8/8/8/8/8/PPP1K3 w - - 0 1", chess.STATUS_VALID),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", chess.STATUS_VALID),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", chess.STATUS_VALID),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", chess.STATUS_PAWNS_ON_BACKRANK),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", chess.STATUS_PAWNS_ON_BACKRANK),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", chess.STATUS_NO_WHITE_KING),
        ("4k2k/8/8/8/8/8/8/4K3 w - - 0 1", chess.STATUS_TOO_MANY_KINGS),
    ],
)
def test_a_position_needs_one_king_a_side_and_pawns_short_of_promotion(fen: str, status: chess.Status) -> None:
    assert SparkBoard(fen).status() == status
    assert SparkBoard(fen).is_valid() == (status == chess.STATUS_VALID)


def test_chess960_positions_are_set_up_without_castling() -> None:
    board = SparkBoard.from_chess960_pos(0)
    assert board.fen() == "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w - - 0 1"
    assert board.is_valid()


def test_copies_pickles_mirrors_and_pops_are_faithful() -> None:
    board = played(KNIGHT_ATTACKS_PAWN, "Nb3>d2", "Kd8", "Nd2>b3")
    assert pickle.loads(pickle.dumps(board)) == board == board.copy()
    assert type(board.copy()) is type(board.mirror()) is type(board.root()) is SparkBoard
    assert board.mirror().mirror() == board
    assert board.root().fen() == KNIGHT_ATTACKS_PAWN
    while board.move_stack:
        board.pop()
    assert board.fen() == KNIGHT_ATTACKS_PAWN


def test_a_promoted_piece_keeps_that_mark_in_a_swap() -> None:
    board = SparkBoard("4k3/8/8/8/8/1N6/3P4/4K3 w - - 0 1")
    board.promoted = chess.BB_B3
    board.push_san("Nb3>d2")
    assert board.promoted == chess.BB_D2
    assert board.pop() == chess.Move.from_uci("b3d2")
    assert board.promoted == chess.BB_B3


# --- PGN, SVG --------------------------------------------------------------------------


def test_a_game_is_written_to_pgn_and_read_back() -> None:
    board = SparkBoard()
    for san in ("Nb1>d2", "Ng8>e7", "b3", "d6", "Bb2"):
        board.push_san(san)
    game = chess.pgn.Game.from_board(board)
    host.set_comment(game, "Nb1>d2 {is a swap")
    host.set_comment(game.variations[0], "not g1>e2;")
    dialects.register()
    try:
        text = str(game)
    finally:
        dialects.unregister()
    assert '[Variant "Spark Chess"]' in text
    assert "1. Nb1>d2" in text
    read = read_game(io.StringIO(text))
    assert read is not None
    assert read.errors == []
    assert read.end().board() == board
    assert host.comment(read.variations[0]) == "not g1>e2;"


def test_the_picture_marks_the_pair_and_the_transferred_pawn() -> None:
    def marks(board: SparkBoard) -> tuple[list[str], int]:
        root = ET.fromstring(board._repr_svg_())
        ns = "{http://www.w3.org/2000/svg}"
        filled = [el.get("class", "") for el in root.iter(f"{ns}rect") if el.get("fill") == "#e6a000"]
        return filled, sum(el.get("class") == "arrow" for el in root.iter(f"{ns}line"))

    plain, shift, relay, direct = (
        marks(played(fen, *sans))
        for fen, sans in (
            (TWO_PIECES_MEET, ["f3"]),
            (TWO_PIECES_MEET, ["f2>d4"]),
            (TWO_KNIGHTS_RELAY, ["Re2>b5"]),
            (KNIGHT_ATTACKS_PAWN, ["Nb3>d2"]),
        )
    )
    assert (len(plain[0]), plain[1]) == (0, 0)
    assert (len(shift[0]), shift[1]) == (2, 1)
    assert (len(relay[0]), relay[1]) == (2, 1)
    assert (len(direct[0]), direct[1]) == (1, 1)


# --- Against the reference and a second implementation ------------------------------------

PERFT = [
    (SparkBoard.starting_fen, [14, 196, 4536, 104942]),
    (TWO_PIECES_MEET, [27, 135, 3472, 23280]),
    ("4k3/8/8/8/8/8/R2P4/R3K3 w - - 0 1", [22, 110, 2980]),
    (TWO_KNIGHTS_RELAY, [40, 120, 4487]),
    ("nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBNR w HAha - 0 1", [13, 169, 3757, 83499]),
    ("4k3/8/8/3n4/8/2P5/1P6/4K3 w - - 0 1", [7, 91, 752, 9448, 79969]),
    pytest.param("4k3/8/8/1P6/8/2N5/8/3QK3 w - - 0 1", [35, 175, 6030, 40613, 1443446], marks=pytest.mark.slow),
    pytest.param(
        "rnbqkbnr/pppp1ppp/4p3/8/8/2N2N2/PPPPPPPP/R1BQKB1R b - - 3 2",
        [39, 1638, 68363, 3108350],
        marks=pytest.mark.slow,
    ),
]


@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_perft(fen: str, counts: list[int]) -> None:
    assert [perft(SparkBoard(fen), depth) for depth in range(1, len(counts) + 1)] == counts


def _end(board: SparkBoard) -> str | None:
    outcome = board.outcome()
    if outcome is None:
        return None
    return {chess.WHITE: "white", chess.BLACK: "black", None: "draw"}[outcome.winner]


def _cases() -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads(shared_path("cases", "spark.json").read_text())
    return cases


def test_moves_san_and_ends_are_those_of_the_reference() -> None:
    for case in _cases():
        board = SparkBoard(case["fen"])
        assert ucis(board) == set(case["moves"]), case["note"]
        assert {uci: board.san(chess.Move.from_uci(uci)) for uci in case["san"]} == case["san"], case["note"]
        assert {san: board.parse_san(san).uci() for san in case["san"].values()} == {
            san: uci for uci, san in case["san"].items()
        }
        assert (_end(board), board.is_check(), board.is_valid()) == (case["end"], case["check"], True), case["note"]


def test_perft_is_that_of_the_reference() -> None:
    for case in _cases():
        counts = [count for count in case["perft"] if count < 20_000]
        board = SparkBoard(case["fen"])
        assert [perft(board, depth) for depth in range(1, len(counts) + 1)] == counts, case["note"]


def test_lines_lead_to_the_positions_and_ends_of_the_reference() -> None:
    endings = set()
    for case in _cases():
        for line in case.get("after", []):
            board = SparkBoard(case["fen"])
            for uci in line["moves"]:
                board.push_uci(uci)
            assert (board.fen(), _end(board)) == (line["fen"], line["end"]), (case["note"], line)
            described = board.describe_outcome() or ""
            words = {
                "material": ("kings are left", "alone"),
                "repetition": ("occurred",),
                "king captured": ("captured",),
            }
            assert not line["reason"] or any(word in described for word in words[line["reason"]]), described
            endings.add(line["reason"])
    assert endings == {None, "material", "repetition", "king captured"}


def _compare(board: SparkBoard, rnd: random.Random) -> None:
    position, white = reference.read(board.fen())
    moves = reference.legal_moves(position, white)
    assert ucis(board) == moves, board.fen()
    assert board.legal_moves.count() == len(moves)
    assert {chess.square_name(square) for square in board.nodes(board.turn)} == reference.nodes(position, white)
    assert board.is_check() == reference.king_is_attacked(position, white)
    over = board.is_variant_end()
    assert over == reference.is_over(position)
    sparks = set() if over else reference.shifts(position, white) | reference.swaps(position, white)
    assert {move.uci() for move in board.spark_moves()} == sparks
    from_mask, to_mask = rnd.getrandbits(64), rnd.getrandbits(64)
    masked = list(board.generate_legal_moves(from_mask, to_mask))
    assert masked == [
        move
        for move in board.legal_moves
        if chess.BB_SQUARES[move.from_square] & from_mask and chess.BB_SQUARES[move.to_square] & to_mask
    ]
    for move in rnd.sample(sorted(moves), min(4, len(moves))):
        _compare_move(board, position, chess.Move.from_uci(move))
    for _ in range(10):
        move = chess.Move(rnd.randrange(64), rnd.randrange(64), rnd.choice([None, None, chess.QUEEN, chess.KING]))
        assert board.is_legal(move) == (move.uci() in moves) == (board.why_illegal(move) is None), (board.fen(), move)


def _compare_move(board: SparkBoard, position: reference.Position, move: chess.Move) -> None:
    fen = board.fen()
    assert board.parse_san(board.san(move)) == move
    assert board.parse_san(board.lan(move)) == move
    assert board.parse_uci(board.uci(move)) == move
    after = reference.play(position, move.uci())
    attacked = {"K", "k"} <= set(after.values()) and reference.king_is_attacked(after, not board.turn)
    assert board.gives_check(move) == board.san(move).endswith("+") == attacked, (fen, move)
    assert (">" in board.san(move)) == board.is_spark_move(move) == bool(board.sparking_pieces(move))
    assert board.fen() == fen
    zeroing = board.is_zeroing(move)
    board.push(move)
    assert reference.read(board.fen()) == (after, board.turn)
    assert board.ep_square is None
    assert (board.halfmove_clock == 0) == zeroing == (len(after) < len(position) or bool(move.promotion))
    board.pop()
    assert board.fen() == fen


def test_constructed_positions_agree_with_the_second_implementation() -> None:
    rnd = random.Random(19)
    over = 0
    for _ in range(250):
        board = SparkBoard.empty()
        squares = rnd.sample(chess.SQUARES, rnd.randrange(2, 4) if rnd.random() < 0.3 else rnd.randrange(4, 26))
        for number, square in enumerate(squares):
            color = rnd.random() < 0.5 if number > 1 else bool(number)
            piece_type = rnd.choice("PPPNNBRQ") if number > 1 else "K"
            if piece_type != "P" or chess.square_rank(square) != (7 if color else 0):
                board.set_piece_at(square, chess.Piece(chess.Piece.from_symbol(piece_type).piece_type, color))
        board.turn = rnd.random() < 0.5
        assert board.is_valid()
        over += board.is_variant_end()
        _compare(board, rnd)
    assert over > 10


def test_random_games_agree_with_the_second_implementation() -> None:
    rnd = random.Random(23)
    ends = set()
    for number in range(8):
        board = SparkBoard() if number % 2 else SparkBoard("4k3/1p3n2/8/8/8/8/1P3N2/4K2B w - - 0 1")
        positions = [reference.read(board.fen())]
        while _end(board) is None and board.ply() < 120:
            if board.ply() % 6 == 0:
                _compare(board, rnd)
            board.push(rnd.choice(list(board.legal_moves)))
            positions.append(reference.read(board.fen()))
            assert _end(board) == reference.result(positions), board.fen()
        ends.add(_end(board))
    assert ends >= {"draw"}
    assert ends & {"white", "black"}
