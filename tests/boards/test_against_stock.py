"""
Against the stock atomic board of python-chess, an independent implementation.

Left out is what the stock board gets wrong: en passant wherever it asks for
legal en passant captures, pins of touching kings, opposite check, and bishops
that never meet but hem in their own king.
"""

import random

import chess
import pytest

from atomic_variant import AtomicBoard

from ..support.positions import FIELDS, constructed, constructed_odd, played, snapshot, stock
from ..support.shared import shared_path

LISTS = 10_000
PARTS = 8


def has_other_material(board):
    """Whether the stock board is right about the material."""
    return board.occupied != board.kings | board.bishops


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("source", [constructed, played])
def test_the_legal_moves_are_those_of_the_stock_board_in_its_order(source, part):
    number = 0
    for board in source(part, LISTS // PARTS):
        assert list(board.legal_moves) == list(stock(board).legal_moves), board.fen(en_passant="fen")
        number += 1
    assert number == LISTS // PARTS


@pytest.mark.parametrize("part", range(PARTS))
def test_every_move_is_judged_as_by_the_stock_board(part):
    rng = random.Random(part)
    for board in constructed(1000 + part, 60):
        other = stock(board)
        legal = set(other.legal_moves)
        for move in other.pseudo_legal_moves:
            where = board.fen(en_passant="fen"), move
            assert board.is_legal(move) == (move in legal), where
            assert board.gives_check(move) == other.gives_check(move), where
            assert board.is_into_check(move) == other.is_into_check(move), where
            assert board.is_capture(move) == other.is_capture(move), where
        promotions = (None, None, None, chess.PAWN, chess.KNIGHT, chess.QUEEN, chess.KING)
        for _ in range(20):
            move = chess.Move(rng.randrange(64), rng.randrange(64), rng.choice(promotions))
            assert board.is_legal(move) == other.is_legal(move), (board.fen(en_passant="fen"), move)


@pytest.mark.parametrize("part", range(PARTS))
def test_the_masks_select_what_they_select_on_the_stock_board(part):
    rng = random.Random(part)
    for board in constructed(2000 + part, 60):
        other = stock(board)
        for _ in range(3):
            masks = rng.getrandbits(64), rng.getrandbits(64)
            assert list(board.generate_legal_moves(*masks)) == list(other.generate_legal_moves(*masks)), board.fen()
            castling = list(board.generate_castling_moves(*masks))
            assert castling == list(other.generate_castling_moves(*masks)), board.fen()


@pytest.mark.parametrize("part", range(PARTS))
def test_what_a_move_leads_to_is_what_it_leads_to_on_the_stock_board(part):
    for board in constructed(3000 + part, 60):
        other = stock(board)
        for move in list(other.legal_moves):
            where = board.fen(en_passant="fen"), move
            assert board.san(move) == other.san(move), where
            assert board.lan(move) == other.lan(move), where
            assert board.uci(move) == other.uci(move), where
            assert board.parse_san(other.san(move)) == move, where
            assert board.parse_uci(move.uci()) == other.parse_uci(move.uci()), where
            board.push(move)
            other.push(move)
            for name in (*FIELDS, "occupied_co", "move_stack"):
                assert getattr(board, name) == getattr(other, name), (name, where)
            if has_other_material(board):
                assert board.outcome() == other.outcome(), where
            assert board.checkers_mask() == other.checkers_mask(), where
            for color in chess.COLORS if has_other_material(board) else ():
                assert board.has_insufficient_material(color) == other.has_insufficient_material(color), where
            board.pop()
            other.pop()


@pytest.mark.parametrize("part", range(PARTS))
def test_a_position_is_judged_as_by_the_stock_board(part):
    questions = (
        "is_check", "was_into_check", "checkers_mask", "is_checkmate", "is_stalemate", "is_variant_end",
        "is_variant_win", "is_variant_loss", "is_insufficient_material", "outcome", "is_game_over", "result",
        "clean_castling_rights", "castling_xfen", "castling_shredder_fen", "board_fen",
    )  # fmt: skip
    for board in constructed(4000 + part, 150):
        other = stock(board)
        judging = ("is_insufficient_material", "outcome", "is_game_over", "result")
        for question in questions:
            if question in judging and not has_other_material(board):
                continue
            assert getattr(board, question)() == getattr(other, question)(), (question, board.fen(en_passant="fen"))
        assert board.legal_moves.count() == other.legal_moves.count()
        assert bool(board.legal_moves) == bool(other.legal_moves)
        assert board.status() & ~chess.STATUS_OPPOSITE_CHECK == other.status(), board.fen(en_passant="fen")


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_run_as_on_the_stock_board_and_back(seed):
    rng = random.Random(seed)
    for _ in range(8):
        number = rng.randrange(960)
        board, other = AtomicBoard.from_chess960_pos(number), stock(AtomicBoard.from_chess960_pos(number))
        passed = [snapshot(board)]
        while (moves := list(board.legal_moves)) and len(passed) < 100:
            # Games without captures would be long and dull.
            captures = [move for move in moves if board.is_capture(move)]
            move = rng.choice(captures if captures and rng.random() < 0.3 else moves)
            board.push(move)
            other.push(move)
            assert board.fen(en_passant="fen") == other.fen(en_passant="fen")
            assert board.is_repetition(2) == other.is_repetition(2)
            passed.append(snapshot(board))
        if has_other_material(board):
            assert board.outcome() == other.outcome()
        while board.move_stack:
            assert snapshot(board) == passed.pop()
            assert board.pop() == other.pop()
        assert [snapshot(board)] == passed


def test_san_in_any_shape_is_read_as_on_the_stock_board():
    rng = random.Random(7)
    strange = ["O-O", "0-0-0", "--", "Z0", "0000", "e8=Q", "e8", "exd6 e.p.", "P@e4", "Kxe8", "bxc6", "bc6", "e7-e8=Q",
               "Ng1-f3", "", "K", "??", "Nf3+#", "Pe4"]  # fmt: skip

    def read(board, text):
        try:
            return board.parse_san(text)
        except ValueError as error:
            return type(error)

    for board in constructed(5000, 400):
        other = stock(board)
        sans = [other.san(move) for move in other.legal_moves]
        for _ in range(12):
            text = list(rng.choice(sans + strange))
            for _ in range(rng.randrange(3)):
                at = rng.randrange(len(text) + 1)
                text[at : at + rng.randrange(2)] = rng.choice("abcdefgh12345678KQRBNxO-0=+#! k")
            san = "".join(text)
            assert read(board, san) == read(other, san), (san, board.fen(en_passant="fen"))


@pytest.mark.parametrize("part", range(PARTS))
def test_odd_positions_are_played_as_on_the_stock_board(part):
    # Pawns on the first and last ranks, pawns that count as promoted, en passant squares that
    # nobody passed, rights without king and rook, several kings: whatever an editor may hold.
    asked = 0
    for board in constructed_odd(6000 + part, 250):
        kings = [board.kings & side for side in board.occupied_co]
        if hasattr(chess.Board, "_effective_promoted") and (
            board.kings & board.promoted or any(chess.popcount(mask) > 1 for mask in kings)
        ):
            continue  # The coming python-chess has another idea of which king is the king.
        asked += 1
        other = stock(board)
        before = snapshot(board)
        where = board.fen(en_passant="fen", promoted=True), board.ep_square
        legal = list(other.legal_moves)
        assert list(board.legal_moves) == legal, where
        assert board.legal_moves.count() == len(legal), where
        assert bool(board.legal_moves) == bool(legal), where
        for move in [*board.pseudo_legal_moves, chess.Move.null(), None]:
            assert board.is_pseudo_legal(move) == other.is_pseudo_legal(move), (where, move)
            assert board.is_legal(move) == (move in board.legal_moves) == (move in legal), (where, move)
        for name in ("board_fen", "clean_castling_rights", "is_check", "is_checkmate", "is_stalemate"):
            assert getattr(board, name)() == getattr(other, name)(), (name, where)
        for move in legal:
            assert board.san(move) == other.san(move), (where, move)
            assert board.gives_check(move) == other.gives_check(move), (where, move)
            captures_king = board.kings & board.occupied_co[not board.turn] & chess.BB_SQUARES[move.to_square]
            board.push(move)
            other.push(move)
            for name in (*FIELDS, "occupied_co", "move_stack"):
                # The stock board takes castling rights for a king beside ground zero, not for one on it.
                if name != "castling_rights" or not captures_king:
                    assert getattr(board, name) == getattr(other, name), (name, where, move)
            assert board.pop() == other.pop() == move
            assert snapshot(board) == before, (where, move)
    assert asked > 25


def test_the_openings_of_engine_books_have_the_moves_of_the_stock_board():
    path = shared_path("data", "positions", "ianfab_atomic_openings_333.epd")
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) > 300
    for line in lines:
        board = AtomicBoard(line.rstrip("; "))
        assert board.is_valid(), line
        assert list(board.legal_moves) == list(stock(board).legal_moves), line
