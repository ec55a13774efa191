"""Annotating games: what is written, and that no work is lost or done twice."""

import io

import chess
import chess.engine
import chess.pgn
import pytest

from atomic_variant import AtomicBoard, engine, host, kernel_active, pgn

from ..support.fakes import PROBES, fake, started, wait_until_gone  # noqa: F401
from ..tools.measure_annotation import measure

LIMIT = chess.engine.Limit(depth=1)

SHORT = '[Variant "Atomic"]\n\n1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0'
LONG = '[Variant "Atomic"]\n\n1. Nf3 f6 2. e3 d5 3. Ng5 Bg4 4. f3 fxg5 5. d4 e6 6. c3 c6 *'


def read(text):
    game = pgn.read_game(io.StringIO(text))
    assert not game.errors
    return game


def reread(game):
    return read(str(game))


def searched(log):
    """The positions that the fake engine was asked about, without its proofs."""
    return log.read_text().splitlines()[PROBES:] if log.exists() else []


def evaluated(game):
    return [node for node in [game, *game.mainline()] if node.eval() is not None]


def test_every_position_gets_an_evaluation_and_the_last_one_its_ending(started):
    game = read(SHORT)
    with engine.open_engine(fake()) as opened:
        engine.annotate(game, opened, LIMIT)
    assert len(evaluated(game)) == 8
    assert "White wins: the black king exploded on e8" in host.comment(game.end())
    assert game.end().eval() == chess.engine.PovScore(chess.engine.Mate(0), chess.BLACK)
    assert game.headers[engine.EVALUATED_BY] == "Fake 1.0; depth 1; 1 line"
    again = reread(game)
    assert [node.eval() for node in again.mainline()] == [node.eval() for node in game.mainline()]


def test_a_forced_explosion_is_a_mate_and_missing_it_a_blunder(started):
    game = read('[Variant "Atomic"]\n\n1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. a3 *')
    with engine.open_engine(fake()) as opened:
        engine.annotate(game, opened, LIMIT)
    before = game.end().parent
    assert before.eval().white() == chess.engine.Mate(1)
    assert chess.pgn.NAG_BLUNDER in game.end().nags
    explosion = before.variations[1].move
    assert before.board().explodes_king(explosion)


def test_verdicts_follow_the_expected_score_that_a_move_loses(started):
    game = read(LONG)
    with engine.open_engine(fake()) as opened:
        engine.annotate(game, opened, LIMIT)

    def expectation(node, color):
        return node.eval().pov(color).wdl(model="lichess").expectation()

    verdicts = 0
    for node in game.mainline():
        color = node.parent.turn()
        loss = expectation(node.parent, color) - expectation(node, color)
        best = next(iter(node.parent.board().legal_moves))  # As the fake engine thinks.
        expected = next((nag for least, nag in engine.VERDICTS if loss >= least), None) if best != node.move else None
        assert node.nags == ({expected} if expected else set())
        if expected and loss >= 0.1:
            assert node.parent.variations[1].move == best
            assert node.parent.variations[1].eval() == node.parent.eval()
        else:
            assert len(node.parent.variations) == 1
        verdicts += expected is not None
    assert verdicts


def test_the_same_engine_gives_the_same_annotations(started):
    first, second = read(LONG), read(LONG)
    with engine.open_engine(fake()) as opened:
        engine.annotate(first, opened, LIMIT)
        engine.annotate(second, opened, LIMIT)
    assert str(first) == str(second)


class StopError(Exception):
    pass


def stop(done, total):
    if done == 5:
        raise StopError


def test_with_a_limit_of_time_finished_positions_are_not_searched_again(started, tmp_path):
    whole, log = read(LONG), tmp_path / "log"
    limit = chess.engine.Limit(time=0.01)
    with engine.open_engine(fake()) as opened:
        engine.annotate(whole, opened, limit)

    game = read(LONG)
    with engine.open_engine(fake("--log", log)) as opened:
        with pytest.raises(StopError):
            engine.annotate(game, opened, limit, progress=stop)
        assert len(searched(log)) == len(evaluated(game)) == 5
        game = reread(game)
        calls = []
        engine.annotate(game, opened, limit, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(done, 13) for done in range(1, 14)]
    assert len(searched(log)) == len(set(searched(log))) == 13
    assert str(game) == str(whole)


@pytest.mark.parametrize("memory", [[], ["--memory"]])
def test_with_a_limit_of_depth_an_interrupted_game_comes_out_the_same(started, tmp_path, memory):
    whole, game, log = read(LONG), read(LONG), tmp_path / "log"
    with engine.open_engine(fake(*memory)) as opened:
        engine.annotate(read(SHORT), opened, LIMIT)
        engine.annotate(whole, opened, LIMIT)
        with pytest.raises(StopError):
            engine.annotate(game, opened, LIMIT, progress=stop)
    assert len(evaluated(game)) == 5
    game = reread(game)
    with engine.open_engine(fake(*memory, "--log", log)) as opened:
        engine.annotate(game, opened, LIMIT)
        assert str(game) == str(whole)
        assert len(searched(log)) == 13
        engine.annotate(reread(game), opened, LIMIT)
        assert len(searched(log)) == 13  # A finished game is left as it is.


def test_the_engine_is_told_of_a_new_game_once_a_game(started, tmp_path):
    commands = tmp_path / "commands"
    with engine.open_engine(fake("--commands", commands)) as opened:
        told = commands.read_text().count("ucinewgame")
        for count in range(1, 4):
            engine.annotate(read(LONG), opened, LIMIT)
            assert commands.read_text().count("ucinewgame") == told + count


def test_a_win_by_force_is_proved_and_the_engine_not_asked(started, tmp_path):
    log = tmp_path / "log"
    game = read('[Variant "Atomic"]\n\n1. Nf3 e6 2. a3 *')  # 2. Ne5 wins a move later.
    with engine.open_engine(fake("--log", log)) as opened:
        engine.annotate(game, opened, LIMIT, multipv=3)
    before = game.end().parent
    assert before.eval().white() == chess.engine.Mate(2)
    assert chess.pgn.NAG_BLUNDER in game.end().nags
    assert before.variations[1].san() == "Ne5"
    assert before.board().fen() not in searched(log)
    board = before.board()
    for variation in before.variations[1:]:
        assert variation.eval().white() == chess.engine.Mate(2)
        after = board.copy()
        after.push(variation.move)
        # Whatever Black does, White explodes the king.
        for reply in after.legal_moves:
            after.push(reply)
            assert any(after.generate_king_explosions()), reply
            after.pop()


def test_evaluations_by_another_engine_or_limit_are_replaced(started, tmp_path):
    log = tmp_path / "log"
    game = read('[Variant "Atomic"]\n\n1. Nf3 { [%eval 9.99] good } f6 { [%clk 0:01:00] } *')
    with engine.open_engine(fake("--log", log)) as opened:
        engine.annotate(game, opened, LIMIT)
        assert len(searched(log)) == 3
        assert host.comment(game.next()).startswith("good")
        assert game.next().next().clock() == 60
        engine.annotate(game, opened, chess.engine.Limit(depth=2))
        assert len(searched(log)) == 6
        engine.annotate(game, opened, chess.engine.Limit(depth=2), resume=False)
        assert len(searched(log)) == 9
        engine.annotate(game, opened, chess.engine.Limit(depth=2))
        assert len(searched(log)) == 9
    assert str(game).count("%eval") == 3


@pytest.mark.parametrize("how", ["hang", "die", "illegal", "long-line", "no-score", "huge-score"])
def test_when_the_engine_fails_twice_the_ply_is_named_and_nothing_is_lost(started, how):
    game = read(LONG)
    opened = engine.open_engine(fake("--misbehave", how, "--at", PROBES + 3), timeout=1.5)
    with opened, pytest.raises(engine.AnnotationError) as error:
        engine.annotate(game, opened, LIMIT)
    # Two positions before each failure, from the end: plies 12, 11; 10, 9.
    assert error.value.ply == 8
    assert "after 4...fxg5 (ply 8)" in str(error.value)
    assert len(evaluated(game)) == 4
    assert len(started) == 2
    for pid in started:
        wait_until_gone(pid)

    with engine.open_engine(fake()) as opened:
        engine.annotate(game, opened, LIMIT)
        whole = read(LONG)
        engine.annotate(whole, opened, LIMIT)
    assert str(game) == str(whole)


def test_one_failure_is_healed_by_a_restart(started, tmp_path):
    game, log = read(SHORT), tmp_path / "log"
    with engine.open_engine(fake("--misbehave", "die", "--at", PROBES + 5, "--log", log)) as opened:
        engine.annotate(game, opened, LIMIT)  # Six searches: the last two after the restart.
    assert len(evaluated(game)) == 8
    assert len(started) == 2


def test_a_game_from_an_invalid_position_is_refused(started):
    game = pgn.Game()
    game.setup(AtomicBoard("8/8/8/8/8/8/8/K6k w - - 0 1"))
    game.headers["FEN"] = "8/8/8/8/8/8/8/KK5k w - - 0 1"
    with engine.open_engine(fake()) as opened, pytest.raises(ValueError, match="TOO_MANY_KINGS"):
        engine.annotate(game, opened, LIMIT)


def test_an_engine_opened_by_the_host_serves_too():
    game = read(SHORT)
    with chess.engine.SimpleEngine.popen_uci(fake()) as opened:
        engine.annotate(game, opened, LIMIT)
    assert len(evaluated(game)) == 8


@pytest.mark.skipif(not kernel_active(), reason="proofs take milliseconds in Python")
def test_annotating_costs_little_beside_the_time_of_the_engine():
    # Measured: 1.5 times what the host takes to ask.
    measured = measure([read(LONG), read(SHORT)], lines=4, rounds=5)
    assert measured.searched == 13 + 6
    assert measured.beside < 5 * measured.alone + 0.001
