"""Opening engines, and what happens to those that misbehave."""

import asyncio
import dataclasses
import os
import shlex
import shutil
import time
import warnings

import chess
import chess.engine
import pytest

from atomic_variant import AtomicBoard, SparkBoard, dialects, engine

from ..support.fakes import PROBES, fake, fake_xboard, started, wait_until_gone  # noqa: F401

LIMIT = chess.engine.Limit(depth=1)

# --- Opening ------------------------------------------------------------------


def test_an_engine_that_plays_the_variant_is_a_simple_engine(started):
    with engine.open_engine(fake()) as opened:
        assert isinstance(opened, chess.engine.SimpleEngine)
        assert opened.name == "Fake 1.0"
        board = AtomicBoard()
        assert opened.play(board, LIMIT).move in board.legal_moves
        assert opened.analyse(board, LIMIT)["score"].relative.score() is not None
        opened.ping()
    assert len(started) == 1


def test_a_command_is_a_path_a_command_line_or_a_list(started, tmp_path):
    script = tmp_path / "my engine"
    script.write_text(f"#!/bin/sh\nexec {shlex.join(fake())}\n")
    script.chmod(0o755)
    for command in [fake(), shlex.join(fake()), script, str(script)]:
        with engine.open_engine(command) as opened:
            assert opened.name == "Fake 1.0"


def test_without_a_command_the_environment_names_the_engine(started, monkeypatch):
    monkeypatch.setenv(engine.COMMAND_VARIABLE, shlex.join(fake("--name", "Named 3")))
    with engine.open_engine() as opened:
        assert opened.name == "Named 3"


def test_without_a_command_every_usual_engine_is_tried(started, monkeypatch, tmp_path):
    monkeypatch.delenv(engine.COMMAND_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(engine._opening, "_USUAL_PROGRAMS", ("first-usual", "second-usual"))
    with pytest.raises(engine.EngineNotFoundError, match=engine.COMMAND_VARIABLE):
        engine.open_engine()

    def install(name, *args):
        (tmp_path / name).write_text(f"#!/bin/sh\nexec {shlex.join(fake('--name', name, *args))}\n")
        (tmp_path / name).chmod(0o755)

    install("first-usual", "--variants", "chess")
    install("second-usual")
    with engine.open_engine() as opened:
        assert opened.name == "second-usual"

    install("second-usual", "--variants", "")
    with pytest.raises(engine.UnsupportedVariantError, match=r"(?s)first-usual.*second-usual"):
        engine.open_engine()


def test_a_program_that_does_not_exist_is_named():
    with pytest.raises(engine.EngineNotFoundError, match="no-such-engine") as error:
        engine.open_engine("/nowhere/no-such-engine")
    assert isinstance(error.value, FileNotFoundError)


@pytest.mark.parametrize("command", ["", 'engine "unclosed', []])
def test_a_command_that_names_no_program_is_refused(command):
    with pytest.raises(engine.EngineNotFoundError):
        engine.open_engine(command)


def test_options_are_set_and_wrong_ones_refused(started):
    with engine.open_engine(fake(), options={}) as opened:
        assert "MultiPV" in opened.options
    with pytest.raises(chess.engine.EngineError, match="Strength"):
        engine.open_engine(fake(), options={"Strength": 3})


def test_an_engine_without_the_variant_is_refused_with_what_it_offers_and_what_to_install(started):
    with pytest.raises(engine.UnsupportedVariantError) as error:
        engine.open_engine(fake("--variants", "chess,crazyhouse", "--name", "Old 11.1"))
    for words in ["Old 11.1", "chess, crazyhouse", "Atomic", "fairy-stockfish-nnue.wasm"]:
        assert words in str(error.value)


def test_an_engine_without_variants_is_refused(started):
    with pytest.raises(engine.UnsupportedVariantError, match="standard chess only"):
        engine.open_engine(fake("--variants", ""))


def test_an_engine_that_announces_the_variant_and_plays_standard_chess_is_found_out(started):
    with pytest.raises(engine.UnsupportedVariantError, match="h1g2"):
        engine.open_engine(fake("--standard"))


def test_an_engine_for_a_variant_of_the_host_needs_no_proof(started):
    with engine.open_engine(fake(), chess.Board) as opened:
        assert opened.play(chess.Board(), LIMIT).move in chess.Board().legal_moves


def test_the_async_twin_opens_the_same_engine(started):
    async def main():
        transport, protocol = await engine.open_engine_async(fake())
        move = (await protocol.play(AtomicBoard(), LIMIT)).move
        transport.close()
        await protocol.returncode
        return move

    assert asyncio.run(main()) in AtomicBoard().legal_moves


def test_the_async_twin_refuses_with_the_same_words(started):
    with pytest.raises(engine.UnsupportedVariantError, match="standard chess only"):
        asyncio.run(engine.open_engine_async(fake("--variants", "")))


def test_a_restarted_engine_is_the_same_object_with_a_new_process(started):
    with engine.open_engine(fake()) as opened:
        opened.restart()
        assert opened.play(AtomicBoard(), LIMIT).move in AtomicBoard().legal_moves
    assert len(started) == 2


# --- XBoard -------------------------------------------------------------------


def test_an_xboard_engine_plays_the_variants_that_it_announces(started):
    with engine.open_engine(fake_xboard(), protocol="xboard") as opened:
        assert opened.name == "Fake XBoard 2.0"
        assert opened.play(AtomicBoard(), LIMIT).move in AtomicBoard().legal_moves


def test_an_xboard_engine_without_the_variant_is_refused(started):
    with pytest.raises(engine.UnsupportedVariantError, match=r"Fake XBoard 2\.0.*normal, suicide"):
        engine.open_engine(fake_xboard("--variants", "normal,suicide"), protocol="xboard")


def test_an_xboard_engine_that_plays_standard_chess_is_found_out(started):
    with pytest.raises(engine.UnsupportedVariantError, match="does not play it"):
        engine.open_engine(fake_xboard("--standard"), protocol="xboard")


def test_an_xboard_engine_that_answers_an_illegal_move_is_stopped(started):
    opened = engine.open_engine(fake_xboard("--illegal"), protocol="xboard")
    with pytest.raises(engine.EngineMoveError, match="a1a8"):
        opened.play(AtomicBoard(), LIMIT)
    wait_until_gone(started[0])


def test_an_engine_of_the_other_protocol_is_told_apart(started):
    with pytest.raises(chess.engine.EngineError):
        engine.open_engine(fake(), protocol="xboard", timeout=0.5)
    with pytest.raises(engine.EngineTimeoutError, match="UCI"):
        engine.open_engine(fake_xboard(), timeout=0.5)


# --- Misbehaving engines ------------------------------------------------------

ERRORS = {
    "hang": engine.EngineTimeoutError,
    "die": chess.engine.EngineTerminatedError,
    "mute": chess.engine.EngineTerminatedError,
    "deaf": engine.EngineTimeoutError,
    "illegal": engine.EngineMoveError,
    "null": engine.EngineMoveError,
    "unreadable": engine.EngineMoveError,
    "no-move": engine.EngineMoveError,
    "long-line": engine.EngineOutputError,
    # On a slow machine its time may be up first.
    "many-lines": (engine.EngineOutputError, engine.EngineTimeoutError),
    "nonsense": engine.EngineTimeoutError,
    "endless-nonsense": engine.EngineTimeoutError,
}


def open_in_a_hurry(*arguments):
    """A fake engine that may take its time to start, but not to answer."""
    opened = engine.open_engine(fake(*arguments), timeout=5.0)
    opened.protocol.recipe = dataclasses.replace(opened.recipe, timeout=0.7)
    return opened


@pytest.mark.parametrize("call", ["play", "analyse"])
@pytest.mark.parametrize("how", ERRORS)
def test_an_engine_that_misbehaves_in_a_search_is_stopped_with_an_error(started, how, call):
    opened = open_in_a_hurry("--misbehave", how, "--at", PROBES + 1)
    with pytest.raises(ERRORS[how]) as error:
        getattr(opened, call)(AtomicBoard(), LIMIT)
    assert isinstance(error.value, chess.engine.EngineError)
    assert "Fake 1.0" in str(error.value)
    assert str(error.value).isprintable()
    wait_until_gone(started[0])
    with pytest.raises(chess.engine.EngineTerminatedError):
        opened.play(AtomicBoard(), LIMIT)


@pytest.mark.parametrize("how", ["twice", "upper", "no-score"])
def test_what_does_no_harm_is_passed_over(started, how):
    with engine.open_engine(fake("--misbehave", how, "--at", PROBES + 1), timeout=5.0) as opened:
        board = AtomicBoard()
        for _ in range(6):
            move = opened.play(board, LIMIT).move
            assert move == next(iter(board.legal_moves))
            board.push(move)
        opened.ping()
    assert len(started) == 1


@pytest.mark.parametrize("how", ["hang", "die", "illegal", "long-line"])
def test_reading_an_analysis_ends_when_its_engine_misbehaves(started, how):
    opened = engine.open_engine(fake("--misbehave", how, "--at", PROBES + 1), timeout=1.0)
    with pytest.raises(chess.engine.EngineTerminatedError), opened.analysis(AtomicBoard(), LIMIT) as analysis:
        list(analysis)
    wait_until_gone(started[0])


@pytest.mark.parametrize("how", ["hang", "die", "long-line", "many-lines", "nonsense", "endless-nonsense"])
def test_an_engine_that_misbehaves_at_the_start_is_stopped_with_an_error(started, how):
    error_class = engine.EngineOutputError if how == "nonsense" else ERRORS[how]
    with pytest.raises(error_class) as error:
        engine.open_engine(fake("--misbehave", how), timeout=1.0)
    assert isinstance(error.value, chess.engine.EngineError)


def test_the_last_words_of_an_engine_that_died_are_kept(started):
    with pytest.raises(chess.engine.EngineTerminatedError, match=r"exit code 3.*out of memory"):
        engine.open_engine(fake("--misbehave", "die"))


def test_the_processes_that_an_engine_started_end_with_it(started, tmp_path):
    log = tmp_path / "child"
    opened = open_in_a_hurry("--misbehave", "child", "--at", PROBES + 1, "--log", log)
    with pytest.raises(engine.EngineTimeoutError):
        opened.play(AtomicBoard(), LIMIT)
    wait_until_gone(int(log.read_text()))


def test_the_time_of_the_limit_comes_on_top_of_the_timeout(started):
    opened = engine.open_engine(fake("--misbehave", "hang", "--at", PROBES + 1), timeout=1.0)
    began = time.monotonic()
    with pytest.raises(engine.EngineTimeoutError):
        opened.play(AtomicBoard(), chess.engine.Limit(time=0.5))
    assert time.monotonic() - began >= 1.5


def test_the_async_twin_stops_a_hung_engine(started):
    async def main():
        _, protocol = await engine.open_engine_async(fake("--misbehave", "hang", "--at", PROBES + 1), timeout=1.0)
        with pytest.raises(engine.EngineTimeoutError):
            await protocol.analyse(AtomicBoard(), LIMIT)
        assert await asyncio.wait_for(protocol.returncode, 5.0) != 0

    asyncio.run(main())


# --- Dialects -----------------------------------------------------------------


def dialect(name):
    board_class = getattr(dialects, name, None)
    if board_class is None:
        pytest.skip(f"no {name}")
    return board_class


def test_an_engine_for_atomic_plays_the_dialect_with_the_same_moves(started):
    board_class = dialect("ChessPlayXAtomicBoard")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        opened = engine.open_engine(fake(), board_class)
    with opened:
        board = board_class()
        board.push_san("e4")
        assert opened.play(board, LIMIT).move in board.legal_moves
        assert board.peek() == chess.Move.from_uci("e2e4")


def test_a_dialect_that_the_engine_only_approximates_is_kept_to_our_moves_and_warned_of(started):
    board_class = dialect("Buho21AtomicBoard")
    with pytest.warns(engine.EngineApproximationWarning, match="touching kings"):
        opened = engine.open_engine(fake(), board_class)
    with opened:
        # The first legal move of atomic chess here steps next to the enemy
        # king, on a square that is attacked.
        board = board_class("3k4/7r/3K4/8/8/8/8/8 w - - 0 1")
        assert opened.play(board, LIMIT).move in board.legal_moves


def test_fairy_stockfish_is_taught_a_dialect_by_a_configuration_file(started):
    board_class = dialect("Buho21AtomicBoard")
    with pytest.warns(engine.EngineApproximationWarning, match="as buho21") as warned:
        opened = engine.open_engine(fake("--name", "Fairy-Stockfish Fake"), board_class)
    assert "draws" not in str(warned[0].message)
    with opened:
        opened.restart()
        board = board_class("3k4/7r/3K4/8/8/8/8/8 w - - 0 1")
        assert opened.play(board, LIMIT).move in board.legal_moves


def test_a_fairy_stockfish_that_cannot_read_the_file_plays_the_closest_variant(started, tmp_path):
    board_class = dialect("Buho21AtomicBoard")
    script = tmp_path / "engine"
    script.write_text(
        f'#!/bin/sh\n[ "$1" = load ] && exit 1\nexec {shlex.join(fake("--name", "Fairy-Stockfish Fake"))}\n'
    )
    script.chmod(0o755)
    with pytest.warns(engine.EngineApproximationWarning, match=r"as atomic.*draws"):
        engine.open_engine(script, board_class).close()


def test_a_subclass_in_which_stalemate_draws_is_not_taught_that_it_loses(started):
    class Drawn(dialect("Buho21AtomicBoard")):
        stalemate_loses = False

    with pytest.warns(engine.EngineApproximationWarning, match="as atomic"):
        engine.open_engine(fake("--name", "Fairy-Stockfish Fake"), Drawn).close()


def test_a_dialect_that_the_engine_does_not_know_is_refused(started):
    board_class = dialect("IccAtomicBoard")
    with pytest.raises(engine.UnsupportedVariantError, match="nocheckatomic"):
        engine.open_engine(fake(), board_class)


def test_spark_chess_is_refused_unless_announced_and_played(started):
    with pytest.raises(engine.UnsupportedVariantError, match="no released engine"):
        engine.open_engine(fake(), SparkBoard)
    with pytest.raises(engine.UnsupportedVariantError, match="does not play it"):
        engine.open_engine(fake("--variants", "chess,sparkchess", "--standard"), SparkBoard)
    with engine.open_engine(fake("--variants", "chess,sparkchess"), SparkBoard) as opened:
        board = SparkBoard()
        assert opened.play(board, LIMIT).move in board.legal_moves


# --- Debian's engine ----------------------------------------------------------


def test_debians_fairy_stockfish_is_refused_by_name_and_version(started):
    program = shutil.which("fairy-stockfish", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
    if program is None:
        pytest.skip("no fairy-stockfish of Debian")
    try:
        with engine.open_engine(program) as opened:
            pytest.skip(f"{opened.name} plays atomic chess")
    except engine.UnsupportedVariantError as err:
        message = str(err)
    assert "Fairy-Stockfish 11" in message
    assert "crazyhouse" in message
    assert "14 or newer" in message
