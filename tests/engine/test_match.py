"""Games between engines, functions and people."""

import io
import os
import random
import shlex
import subprocess
import sys
import time
from pathlib import Path

import chess
import chess.engine
import pytest

from atomic_variant import AtomicBoard, engine, host, pgn

from ..support.fakes import PROBES, fake, started  # noqa: F401

LIMIT = chess.engine.Limit(depth=1)


def chance(seed):
    generator = random.Random(seed)
    return lambda board: generator.choice(list(board.legal_moves))


def line(*sans):
    moves = iter(sans)
    return lambda board: next(moves)


def test_a_game_is_played_to_an_end_that_the_board_knows():
    for seed in range(5):
        game = engine.play(AtomicBoard(), chance(seed), chance(seed + 100))
        board = game.end().board()
        outcome = board.outcome(claim_draw=True)
        assert outcome.result() == game.headers["Result"]
        assert board.describe_outcome(claim_draw=True) in host.comment(game.end())
        again = pgn.read_game(io.StringIO(str(game)))
        assert not again.errors
        assert again.end().board() == board


def test_moves_are_given_as_objects_san_or_uci():
    game = engine.play(
        AtomicBoard(), line(chess.Move.from_uci("g1f3"), "Nd4", "d4e6", "Nxd8#"), line("f6", "g8h6", "Ng8")
    )
    assert game.headers["Result"] == "1-0"
    assert game.headers["Termination"] == "normal"
    assert host.comment(game.end()) == "White wins: the black king exploded on e8"


@pytest.mark.parametrize("answer", ["e6", "e2e5", "0000", "nonsense", chess.Move.null(), chess.Move.from_uci("a1a8")])
def test_an_illegal_answer_loses(answer):
    game = engine.play(AtomicBoard(), line("e4", answer), line("a6"))
    assert game.headers["Result"] == "0-1"
    assert game.headers["Termination"] == "rules infraction"
    assert len(list(game.mainline())) == 2


def test_none_resigns():
    game = engine.play(AtomicBoard(), line("e4"), line(None))
    assert game.headers["Result"] == "1-0"
    assert "Black resigns" in host.comment(game.end())


def test_a_player_cannot_change_the_board():
    def cheat(board):
        board.clear()
        return "e4"

    board = AtomicBoard()
    game = engine.play(board, cheat, line(None))
    assert board == AtomicBoard()
    assert not board.move_stack
    assert game.next().board().fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def test_moves_already_played_begin_the_game():
    board = AtomicBoard()
    board.push_san("e4")
    game = engine.play(board, line("a3"), line("e5", None))
    assert [node.san() for node in game.mainline()] == ["e4", "e5", "a3"]


def test_a_game_that_is_over_is_not_played():
    board = AtomicBoard("7k/6Q1/8/8/8/8/8/K7 b - - 0 1")
    assert engine.play(board, line(), line()).headers["Result"] == "1-0"


def test_an_invalid_position_is_refused():
    with pytest.raises(ValueError, match="TOO_MANY_KINGS"):
        engine.play(AtomicBoard("8/8/8/8/8/8/8/KK5k w - - 0 1"), line(), line())


def test_errors_of_functions_are_passed_on_and_the_game_kept():
    nodes = []
    with pytest.raises(StopIteration):
        engine.play(AtomicBoard(), line("e4"), line("e5"), on_move=nodes.append)
    assert [node.san() for node in nodes] == ["e4", "e5"]


def test_the_clock_is_kept_and_overstepping_loses():
    def slow(board):
        if board.fullmove_number == 3:
            time.sleep(0.6)
        return next(iter(board.legal_moves))

    game = engine.play(AtomicBoard(), chance(1), slow, clock=engine.Clock(0.5, 0.01))
    assert game.headers["Result"] == "1-0"
    assert game.headers["Termination"] == "time forfeit"
    assert game.headers["TimeControl"] == "0.5+0.01"
    assert all(0 < node.clock() <= 1.0 for node in game.mainline())
    assert len(list(game.mainline())) == 5


def test_overstepping_draws_where_the_other_side_cannot_win():
    def slow(board):
        time.sleep(0.05)
        return next(iter(board.legal_moves))

    game = engine.play(AtomicBoard("8/8/4k3/8/8/8/PP6/K7 w - - 0 1"), slow, chance(1), clock=engine.Clock(0.01))
    assert game.headers["Result"] == "1/2-1/2"


def test_long_games_are_drawn_by_adjudication_and_claims_can_be_left():
    shuffle = ["Nf3", "Ng1"] * 20, ["Nf6", "Ng8"] * 20
    game = engine.play(AtomicBoard(), line(*shuffle[0]), line(*shuffle[1]))
    assert game.headers["Result"] == "1/2-1/2"
    assert game.headers["Termination"] == "normal"
    # A claim is possible as soon as a move would repeat the position.
    assert len(list(game.mainline())) == 7
    rules = engine.Adjudication(max_plies=12)
    game = engine.play(AtomicBoard(), line(*shuffle[0]), line(*shuffle[1]), claim_draw=False, adjudication=rules)
    assert len(list(game.mainline())) == 12
    assert game.headers["Termination"] == "adjudication"


def test_engines_play_each_other_with_scores_and_clocks(started):
    with engine.open_engine(fake()) as white, engine.open_engine(fake("--name", "Other 2")) as black:
        rules = engine.Adjudication(max_plies=10)
        game = engine.play(AtomicBoard(), white, black, clock=engine.Clock(60, 1), adjudication=rules)
    assert (game.headers["White"], game.headers["Black"]) == ("Fake 1.0", "Other 2")
    assert all(node.eval() is not None and node.clock() > 50 for node in game.mainline())


def test_scores_that_agree_end_a_game():
    scored = engine.Adjudication(win_centipawns=1, win_moves=1, draw_centipawns=10_000, draw_moves=1, draw_from_ply=2)
    with engine.open_engine(fake()) as opened:
        game = engine.play(AtomicBoard(), opened, opened, limit=LIMIT, adjudication=scored)
    assert game.headers["Termination"] == "adjudication"
    last = [node.eval().white().score() for node in list(game.mainline())[-2:]]
    if game.headers["Result"] == "1-0":
        assert min(last) > 0
    elif game.headers["Result"] == "0-1":
        assert max(last) < 0
    else:
        assert min(last) <= 0 <= max(last)


@pytest.mark.parametrize(
    ("how", "termination"),
    [("hang", "abandoned"), ("die", "abandoned"), ("illegal", "rules infraction"), ("long-line", "abandoned")],
)
def test_an_engine_that_fails_at_move_3_loses_and_the_game_is_kept(started, how, termination):
    with engine.open_engine(fake("--misbehave", how, "--at", PROBES + 3), timeout=1.0) as opened:
        game = engine.play(AtomicBoard(), opened, chance(3), limit=LIMIT)
    assert game.headers["Result"] == "0-1"
    assert game.headers["Termination"] == termination
    assert len(list(game.mainline())) == 4
    assert isinstance(game.errors[0], chess.engine.EngineError)
    assert pgn.read_game(io.StringIO(str(game))).end().board() == game.end().board()


def test_an_engine_that_thinks_past_its_clock_loses_on_time(started):
    with engine.open_engine(fake("--misbehave", "hang", "--at", PROBES + 2), timeout=0.5) as opened:
        game = engine.play(AtomicBoard(), opened, chance(3), clock=engine.Clock(1.0))
    assert game.headers["Termination"] == "time forfeit"
    assert game.headers["Result"] == "0-1"


def test_a_person_is_asked_until_the_move_is_legal_and_told_why_not():
    answers = iter(["", "Kxb2", "d2b2", "a1h8", "0000", "moves", "Ka2"])
    said = []
    board = AtomicBoard("4k3/8/8/8/8/8/1p1R4/K7 w - - 0 1")
    player = engine.person(read=lambda prompt: next(answers), write=said.append)
    assert board.san(player(board)) == "Ka2"
    assert any("would remove White's own king on a1" in text for text in said)
    assert " ".join(map(board.san, board.legal_moves)) in said


def test_the_end_of_input_resigns():
    def closed(prompt):
        raise EOFError

    game = engine.play(AtomicBoard(), engine.person(read=closed, write=lambda text: None), chance(1))
    assert game.headers["Result"] == "0-1"


def test_the_example_plays_a_match(tmp_path):
    root = Path(__file__).parents[2]
    script = root / "examples" / "engine_match.py"
    games = tmp_path / "match.pgn"
    engines = ["--white-engine", shlex.join(fake("--name", "A")), "--black-engine", shlex.join(fake("--name", "B"))]
    done = subprocess.run(
        [sys.executable, str(script), *engines, "--games", "2", "--depth", "1", "--pgn", str(games)],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    with open(games) as handle:
        first, second = pgn.read_game(handle), pgn.read_game(handle)
    assert (first.headers["White"], second.headers["White"]) == ("A", "B")
    assert not first.errors
