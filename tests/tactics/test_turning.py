"""Turning points, threats, annotation, the player: what is said is proved."""

import io
import itertools
import random

import chess
import chess.pgn
import pytest

from atomic_variant import AtomicBoard, IccAtomicBoard, engine, host, kernel_active, pgn, tactics

from ..tools.compare_tactics import GAMES, positions, real
from .reference import lengths_of_wins, shortest_win

TRAP = '[Variant "Atomic"]\n\n1. Nf3 e6 2. e4 f6 *'


def read(text: str) -> pgn.Game:
    game = pgn.read_game(io.StringIO(text))
    assert game is not None
    return game


MANY = kernel_active()
"""Without the kernel two moves take some hundredths of a second."""


def games(number: int) -> list[pgn.Game]:
    found = [game for game in pgn.read_games(str(GAMES)) if not game.errors and game.next()]
    return random.Random(4).sample(found, number)


# --- Turning points -------------------------------------------------------------


def test_turning_points_are_those_of_brute_force():
    """Wins in one, on whole games, by the definition."""
    told = 0
    for game in games(5):
        expected = {}
        board = game.board()
        for ply, move in enumerate(game.mainline_moves()):
            had = shortest_win(board.copy(), 1) if board.outcome() is None else None
            allowed, safe = {}, []
            for other in list(board.legal_moves):
                board.push(other)
                allowed[other] = shortest_win(board.copy(), 1) if board.outcome() is None else None
                if allowed[other] is None:
                    safe.append(other)
                board.pop()
            missed = had is not None and lengths_of_wins(board.copy(), 2)[move] is None
            if missed or (allowed[move] and safe):
                expected[ply] = (had if missed else None, safe if allowed[move] and safe else [])
            board.push(move)
        points = tactics.turning_points(game, moves=1)
        found = {point.ply: (point.missed.moves if point.missed else None, point.safe) for point in points}
        assert found == expected
        told += len(found)
    assert told > 1


def test_a_turning_point_tells_its_move_lines_and_safe_moves():
    first, second = tactics.turning_points(read(TRAP))
    assert (first.ply, first.san, first.color, first.missed) == (1, "1... e6", chess.BLACK, None)
    board = chess.Board(first.fen)
    after = AtomicBoard(first.fen)
    after.push(first.move)
    assert after.variation_san(first.allowed.line) == "2. Ne5 Ne7 3. Nxf7#"
    assert len(first.safe) == 6
    for move in first.safe:
        safe = AtomicBoard(board.fen())
        safe.push(move)
        assert tactics.find_win(safe, 2) is None
    assert (second.san, second.allowed, second.safe) == ("2. e4", None, [])
    assert second.missed.moves == 2


def test_a_record_and_a_game_have_the_same_turning_points():
    pairs = zip(pgn.read_games(str(GAMES)), pgn.scan(str(GAMES)), strict=True)
    for game, record in itertools.islice(pairs, None if MANY else 2):
        assert tactics.turning_points(game) == tactics.turning_points(record)


def test_a_move_in_a_lost_position_is_no_turning_point():
    lost = 0
    for game in games(30):
        board = game.board()
        points = {point.ply for point in tactics.turning_points(game, 1) if point.allowed}
        for ply, move in enumerate(game.mainline_moves()):
            after = []
            for other in list(board.legal_moves):
                board.push(other)
                after.append(board.outcome() is None and tactics.find_win(board, 1) is not None)
                board.pop()
            if all(after):
                lost += 1
                assert ply not in points
            board.push(move)
    assert lost > 3


def test_a_game_of_standard_chess_has_turning_points_too():
    [point] = tactics.turning_points(read("1. f3 e5 2. g4 d6 *"), moves=1)[-1:]
    # Versions of python-chess write the blank after the dots, or not.
    assert str(point).replace("... ", "...") == "2...d6 misses a win in 1, 2...Qh4#"


# --- Annotation -----------------------------------------------------------------


def test_annotating_twice_changes_nothing_and_keeps_what_stands():
    game = read(
        '[Variant "Atomic"]\n\n1. Nf3 e6 $6 {[%clk 0:03:00] hm} (1... f6 {better}) 2. e4 (2. Ne5 {I saw this}) f6 *'
    )
    tactics.annotate(game)
    once = str(game)
    assert "$4" in once
    assert "$6" in once
    assert "[%clk 0:03:00] hm allows a win in 2; 6 of 20 moves are safe" in once.replace("\n", " ")
    assert "{ I saw this }" in once
    assert once.count("Ne5") == 1
    tactics.annotate(game)
    assert str(game) == once
    assert str(read(once)) == once


def test_annotated_games_read_back_without_errors():
    for game in games(20 if MANY else 2):
        line = list(game.mainline_moves())
        points = tactics.annotate(game)
        again = read(str(game))
        assert not again.errors
        assert list(again.mainline_moves()) == line
        nodes = list(again.mainline())
        for point in points:
            assert point.summary in host.comment(nodes[point.ply])
            assert nodes[point.ply].nags & {chess.pgn.NAG_MISTAKE, chess.pgn.NAG_BLUNDER}


# --- Threats --------------------------------------------------------------------


def test_threats_are_the_explosions_of_a_side_that_moves_out_of_turn():
    board = AtomicBoard("rnbqkbnr/pppp1ppp/4p3/4N3/8/8/PPPPPPPP/RNBQKB1R b KQkq - 1 2")
    assert {board.san(chess.Move.from_uci("g8e7"))} == {"Ne7"}
    assert {move.uci() for move in tactics.threats(board)} == {"e5d7", "e5f7"}
    assert tactics.threats(AtomicBoard()) == []
    board.push_san("Ne7")
    board.push_san("Nxf7")
    assert tactics.threats(board) == []


def test_every_explosion_is_a_capture_on_a_dangerous_square():
    explosions = 0
    for board in positions(9, 300):
        danger = tactics.danger(board, not board.turn)
        for move in board.generate_legal_captures():
            if board.explodes_king(move):
                explosions += 1
                assert move.to_square in danger, (board.fen(), move)
            else:
                assert move.to_square not in danger, (board.fen(), move)
    assert explosions > 50


# --- The player -----------------------------------------------------------------


def test_the_player_wins_when_it_can_and_holds_out_when_it_cannot():
    player = tactics.player(moves=2, seed=1)
    for board in real(2, 150 if MANY else 10):
        judged = lengths_of_wins(board.copy(), 1)
        if 1 in judged.values():
            assert judged[player(board)] == 1
    board = AtomicBoard("rnbqkbnr/pppp1ppp/4p3/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2")
    assert board.san(player(board)) == "Ne5"


def test_the_player_avoids_what_loses():
    board = AtomicBoard()
    board.push_san("Nf3")
    for seed in range(20 if MANY else 2):
        after = board.copy()
        after.push(tactics.player(moves=2, seed=seed)(after))
        assert tactics.find_win(after, 2) is None


@pytest.mark.parametrize("board_class", [AtomicBoard, IccAtomicBoard])
def test_the_player_plays_whole_games_and_the_same_with_the_same_seed(board_class):
    played = [
        engine.play(
            board_class(), tactics.player(moves=2 if MANY else 1, seed=3), tactics.player(moves=1, seed=4)
        ).headers["Result"]
        for _ in range(2)
    ]
    assert played[0] == played[1] != "*"


def test_the_player_says_what_it_cannot_do():
    with pytest.raises(ValueError, match="from 1 to 50"):
        tactics.player(moves=0)
    with pytest.raises(ValueError, match="no legal move"):
        tactics.player()(chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"))
