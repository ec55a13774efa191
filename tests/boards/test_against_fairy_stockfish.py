"""
Against Fairy-Stockfish, through pyffish.

Left out is what it does in its own way: suffixes of SAN, insufficient
material, the en passant field of FEN, and castling in Chess960 where the rook
stays on its square (it takes the rook off before it looks for attackers).
"""

import random
from functools import partial

import chess
import pytest

from atomic_variant import AtomicBoard

from ..support.positions import constructed, played

pyffish = pytest.importorskip("pyffish")

PARTS = 4


def engine_fen(board: AtomicBoard) -> str:
    return board.fen(shredder=board.chess960, en_passant="fen", promoted=False)


def engine_moves(board: AtomicBoard) -> set[str]:
    return set(pyffish.legal_moves("atomic", engine_fen(board), [], board.chess960))


def our_moves(board: AtomicBoard) -> set[str]:
    return {board.uci(move) for move in board.legal_moves}


def staying_rooks(board: AtomicBoard) -> set[str]:
    """Castling moves of a rook that already stands where it castles to."""
    return {
        chess.Move(king, rook).uci()
        for king in chess.scan_forward(board.kings & board.occupied_co[board.turn])
        for rook in chess.scan_forward(board.clean_castling_rights() & board.occupied_co[board.turn])
        if board.chess960 and chess.square_file(rook) == (3 if rook < king else 5)
    }


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("source", [partial(constructed, number=400), partial(played, number=200)])
def test_the_legal_moves_are_those_of_fairy_stockfish(source, part):
    compared = 0
    for board in source(9000 + part):
        if board.is_variant_end():
            continue
        assert our_moves(board) ^ engine_moves(board) <= staying_rooks(board), (engine_fen(board), board.chess960)
        compared += 1
    assert compared > 50


@pytest.mark.parametrize("part", range(PARTS))
def test_explosions_leave_what_they_leave_in_fairy_stockfish(part):
    rng = random.Random(part)
    for board in constructed(9100 + part, 60):
        captures = [move for move in board.legal_moves if board.is_capture(move)]
        others = [move for move in board.legal_moves if not board.is_capture(move)]
        for move in rng.sample(captures, min(3, len(captures))) + rng.sample(others, min(1, len(others))):
            fen, uci = engine_fen(board), board.uci(move)
            after = pyffish.get_fen("atomic", fen, [uci], board.chess960).split()
            board.push(move)
            ours = engine_fen(board).split()
            assert ours[:3] == after[:3], (fen, uci)
            assert ours[4:] == after[4:], (fen, uci)
            if board.is_variant_end():
                assert pyffish.is_immediate_game_end("atomic", fen, [uci], board.chess960)[0], (fen, uci)
            board.pop()


@pytest.mark.parametrize("part", range(PARTS))
def test_a_king_is_in_check_where_it_is_in_fairy_stockfish(part):
    for board in constructed(9200 + part, 300):
        if not board.is_variant_end():
            engine = pyffish.gives_check("atomic", engine_fen(board), [], board.chess960)
            assert board.is_check() == engine, engine_fen(board)


@pytest.mark.parametrize("part", range(PARTS))
def test_san_is_that_of_fairy_stockfish_but_for_the_suffix(part):
    rng = random.Random(part)
    for board in constructed(9300 + part, 60):
        moves = [move for move in board.legal_moves if board.uci(move) not in staying_rooks(board)]
        for move in rng.sample(moves, min(3, len(moves))):
            engine = pyffish.get_san("atomic", engine_fen(board), board.uci(move), board.chess960)
            assert board.san(move).rstrip("+#") == engine, (engine_fen(board), move)


def test_castling_of_a_rook_that_stays_is_judged_by_where_the_rook_stands():
    # Fairy-Stockfish refuses it; Lichess and python-chess do not.
    board = AtomicBoard("8/8/3B4/8/8/8/4k3/2q1KR2 w F - 0 1", chess960=True)
    assert our_moves(board) - engine_moves(board) == staying_rooks(board) == {"e1f1"}
