"""Faults of engines and of those who call them: each is named, and blamed on whose it is."""

import dataclasses
import logging
import os
import time
import warnings
from pathlib import Path

import chess
import chess.engine
import pytest

from atomic_variant import AtomicBoard, ChessPlayXAtomicBoard, IccAtomicBoard, engine, host
from atomic_variant.engine import _protocols

from ..support.fakes import PROBES, fake, fake_xboard, started, wait_until_gone  # noqa: F401

LIMIT = chess.engine.Limit(depth=1)


# --- XBoard engines that lose step ----------------------------------------------


def told(log):
    return log.read_text().splitlines()


def test_an_engine_that_forgets_its_own_move_is_shown_the_position_anew(started, tmp_path):
    log = tmp_path / "log"
    with engine.open_engine(fake_xboard("--forget", PROBES + 2, "--log", log), protocol="xboard") as opened:
        game = engine.play(AtomicBoard(), opened, first_legal, limit=LIMIT, adjudication=engine.Adjudication(8))
    assert not game.errors
    assert game.end().ply() == 8
    # The variant is told at each proof, at the start of the game, and once again.
    assert told(log).count("variant atomic") == PROBES + 2


def test_an_illegal_answer_is_asked_for_again_before_anybody_is_blamed(started):
    with engine.open_engine(fake_xboard("--wander", PROBES + 2), protocol="xboard") as opened:
        game = engine.play(AtomicBoard(), opened, first_legal, limit=LIMIT, adjudication=engine.Adjudication(8))
    assert not game.errors
    assert game.end().ply() == 8


def test_an_engine_that_calls_our_move_illegal_twice_is_stopped(started):
    with engine.open_engine(fake_xboard("--refuse", "b8c6"), protocol="xboard") as opened:
        opened.play(AtomicBoard(), LIMIT)
        board = AtomicBoard()
        board.push_san("e4")
        board.push_san("Nc6")
        with pytest.raises(engine.EngineOutputError, match=r"does not follow the moves.*b8c6"):
            opened.play(board, LIMIT)
    wait_until_gone(started[0])


def test_the_moves_of_fairy_stockfish_are_repeated_to_it(started, tmp_path):
    log = tmp_path / "log"
    command = fake_xboard("--name", "Fairy-Stockfish Fake", "--forget", PROBES + 2, "--log", log)
    with engine.open_engine(command, protocol="xboard") as opened:
        game = engine.play(AtomicBoard(), opened, first_legal, limit=LIMIT, adjudication=engine.Adjudication(8))
    assert not game.errors
    assert game.end().ply() == 8
    # It is not shown the position anew: its memory of what it searched is of use.
    assert told(log).count("variant atomic") == PROBES + 1


@pytest.mark.parametrize("how", ["forgotten", "analysed", "claimed"])
def test_fairy_stockfish_survives_a_new_position_after_a_search_without_a_move(started, how):
    options = {"forgotten": ["--forget", PROBES + 1], "claimed": ["--claim", PROBES + 1], "analysed": []}[how]
    command = fake_xboard("--name", "Fairy-Stockfish Fake", "--fragile", *options)
    with engine.open_engine(command, protocol="xboard") as opened:
        if how == "analysed":
            opened.analyse(AtomicBoard(), LIMIT)
        else:
            opened.play(AtomicBoard(), LIMIT, game=1)
        board = AtomicBoard("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
        for _ in range(3):
            board.push(opened.play(board, LIMIT, game=2).move)
            board.push(first_legal(board))
    assert len(started) == 1


def test_a_draw_that_an_xboard_engine_claims_is_no_missing_move(started):
    shuffle = iter(["Nf6", "Ng8"] * 10)
    white = iter(["Nf3", "Ng1"] * 10)
    board = AtomicBoard()
    for _ in range(3):
        board.push_san(next(white))
        board.push_san(next(shuffle))
    with engine.open_engine(fake_xboard("--claim", PROBES + 1), protocol="xboard") as opened:
        game = engine.play(AtomicBoard(board.fen()), opened, first_legal, limit=LIMIT, claim_draw=False)
        assert game.headers["Termination"] == "rules infraction"  # Without its moves there is nothing to claim.
    board.push_san(next(white))
    board.push_san(next(shuffle))
    with engine.open_engine(fake_xboard("--claim", PROBES + 1), protocol="xboard") as opened:
        game = engine.play(board, opened, first_legal, limit=LIMIT, claim_draw=False)
    assert game.headers["Result"] == "1/2-1/2"
    assert "claimed by White" in host.comment(game.end())


def first_legal(board):
    return next(iter(board.legal_moves))


def test_an_xboard_engine_may_take_its_time_to_start(started):
    with engine.open_engine(fake_xboard("--delay", "2.2"), protocol="xboard") as opened:
        assert opened.play(AtomicBoard(), LIMIT).move in AtomicBoard().legal_moves


# --- Matches ----------------------------------------------------------------------


class Sulking(chess.engine.SimpleEngine):
    """An engine that runs on, but refuses a move."""

    def __init__(self, refusals):
        self.refusals = iter(refusals)

    @property
    def id(self):
        return {"name": "Sulking"}

    def play(self, board, *_, **__):
        if next(self.refusals):
            raise chess.engine.EngineError("Illegal move: f7f6")
        return chess.engine.PlayResult(first_legal(board), None)

    def send_game_result(self, *_, **__):
        raise chess.engine.EngineError("no thanks")


def test_any_error_of_an_engine_in_mid_game_forfeits_and_the_game_comes_back():
    game = engine.play(AtomicBoard(), first_legal, Sulking([False, False, True]))
    assert game.headers["Result"] == "1-0"
    assert game.headers["Termination"] == "abandoned"
    assert [str(err) for err in game.errors] == ["Illegal move: f7f6"]
    assert game.end().ply() == 5


def test_an_engine_that_refuses_its_first_move_has_not_begun():
    with pytest.raises(chess.engine.EngineError, match="f7f6"):
        engine.play(AtomicBoard(), first_legal, Sulking([True]))


# --- Mistakes of the caller --------------------------------------------------------


@pytest.mark.parametrize("call", ["play", "analyse", "analysis"])
@pytest.mark.parametrize("root_moves", [["e7e5"], ["e2e4", "a1a8"], ["0000"], []])
def test_root_moves_that_are_illegal_or_missing_harm_no_engine(started, call, root_moves):
    moves = [chess.Move.from_uci(uci) for uci in root_moves]
    with engine.open_engine(fake()) as opened:
        with pytest.raises(ValueError, match=r"root.moves?" if not moves else f"root move {root_moves[-1]}"):
            getattr(opened, call)(AtomicBoard(), LIMIT, root_moves=iter(moves))
        assert opened.play(AtomicBoard(), LIMIT, root_moves=[chess.Move.from_uci("e2e4")]).move.uci() == "e2e4"
    assert len(started) == 1


@pytest.mark.parametrize("limit", [{"time": float("nan")}, {"time": float("inf")}, {"depth": float("nan")}])
def test_a_limit_that_is_no_number_harms_no_engine(started, limit):
    with engine.open_engine(fake()) as opened:
        with pytest.raises(ValueError, match="of the limit is"):
            opened.play(AtomicBoard(), chess.engine.Limit(**limit))
        opened.ping()


def test_a_board_of_another_class_with_the_same_moves_is_played(started):
    with engine.open_engine(fake()) as opened:
        board = ChessPlayXAtomicBoard()
        assert opened.play(board, LIMIT).move in board.legal_moves
        assert type(board) is ChessPlayXAtomicBoard
        assert opened.play(chess.Board(), LIMIT).move in chess.Board().legal_moves


@pytest.mark.parametrize("call", ["play", "analyse"])
def test_a_board_of_another_class_is_refused_with_what_to_open(started, call):
    with engine.open_engine(fake()) as opened:
        with pytest.raises(engine.UnsupportedVariantError) as error:
            getattr(opened, call)(IccAtomicBoard(), LIMIT)
        assert "open_engine(command, IccAtomicBoard)" in str(error.value)
        assert "opened for Atomic" in str(error.value)
        assert len(str(error.value)) < 200
        opened.ping()


@pytest.mark.parametrize(
    ("how", "words"), [("illegal", "illegal move 'a1a8'"), ("die", "out of memory"), ("hang", "did not find a move")]
)
def test_every_call_after_a_fault_says_what_it_was_and_what_helps(started, how, words):
    with engine.open_engine(fake("--misbehave", how, "--at", PROBES + 1), timeout=3.0) as opened:
        with pytest.raises(chess.engine.EngineTerminatedError, match=words):
            opened.play(AtomicBoard(), LIMIT)
        for call in [
            lambda: opened.play(AtomicBoard(), LIMIT),
            lambda: opened.analyse(AtomicBoard(), LIMIT),
            opened.ping,
            lambda: opened.id,
        ]:
            with pytest.raises(chess.engine.EngineTerminatedError, match=rf"{words}.*restart\(\) starts it again"):
                call()


def test_a_closed_engine_says_that_it_was_closed(started):
    opened = engine.open_engine(fake())
    opened.close()
    with pytest.raises(chess.engine.EngineTerminatedError, match=r"was closed; restart\(\)"):
        opened.play(AtomicBoard(), LIMIT)
    opened.restart()
    opened.ping()
    opened.quit()
    with pytest.raises(chess.engine.EngineTerminatedError, match=r"was closed; restart\(\)"):
        opened.ping()


# --- Commands ------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["", "  ", [""], []])
def test_an_empty_command_is_called_empty(command):
    with pytest.raises(engine.EngineNotFoundError, match="is empty"):
        engine.open_engine(command)


def test_a_folder_is_called_a_folder(tmp_path):
    for command in [str(tmp_path), tmp_path, [str(tmp_path), "uci.js"]]:
        with pytest.raises(engine.EngineNotFoundError, match="is a folder, not a program"):
            engine.open_engine(command)


def test_a_tilde_in_a_command_is_the_home_folder(started, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "fake.py").symlink_to(Path(fake()[1]))
    (tmp_path / "python").write_text(f'#!/bin/sh\nexec {fake()[0]} "$@"\n')
    (tmp_path / "python").chmod(0o755)
    for command in ["~/python ~/fake.py", ["~/python", "~/fake.py"]]:
        with engine.open_engine(command) as opened:
            assert opened.name == "Fake 1.0"
    monkeypatch.setenv(engine.COMMAND_VARIABLE, "~/python ~/fake.py")
    engine.open_engine().close()


def test_the_first_and_the_last_words_of_a_dying_engine_are_kept(started):
    with pytest.raises(chess.engine.EngineTerminatedError) as error:
        engine.open_engine(fake("--misbehave", "die-slowly"))
    for words in ["exit code 3", "line 1 ", "line 5", "line 30", "the end"]:
        assert words in str(error.value)
    assert "line 15" not in str(error.value)


def test_the_option_that_node_needs_is_named(started):
    with pytest.raises(chess.engine.EngineTerminatedError, match="node --no-experimental-fetch SCRIPT") as error:
        engine.open_engine(fake("--misbehave", "fetch"))
    assert "\n" not in str(error.value)


def test_an_engine_without_its_network_says_which_options_help(started):
    with pytest.raises(engine.UnsupportedVariantError, match=r"EvalFile.*Use NNUE") as error:
        engine.open_engine(fake("--misbehave", "no-net", "--at", 1, "--name", "Atomic-Stockfish 1.0.3"))
    assert "Atomic-Stockfish 1.0.3 has no network" in str(error.value)


def test_atomic_stockfish_is_among_the_usual_engines(tmp_path, monkeypatch):
    monkeypatch.delenv(engine.COMMAND_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    program = tmp_path / "atomic-stockfish"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert next(engine.usual_commands()) == (str(program),)


# --- Chatter and patience ---------------------------------------------------------------


def test_chatter_and_odd_lines_do_not_reach_the_log(started, caplog):
    caplog.set_level(logging.INFO, logger="chess.engine")
    with engine.open_engine(fake("--misbehave", "chatter", "--at", PROBES + 1)) as opened:
        played = opened.play(AtomicBoard(), LIMIT, info=chess.engine.INFO_ALL)
        opened.ping()
        info = opened.analyse(AtomicBoard(), LIMIT)
    assert not caplog.records
    assert played.ponder is None
    # What the lines say that is no nonsense is taken.
    first = first_legal(AtomicBoard())
    assert info["pv"] == [first]
    assert info["currline"][1] == [first, chess.Move.null()]
    assert info["refutation"] == {first: [chess.Move.null()]}
    assert info["string"] == "pv a1a8 and depth x"
    assert "currmove" not in info
    assert info["score"].relative == chess.engine.Cp(17)
    assert info["depth"] == 5
    assert "seldepth" not in info


@pytest.mark.parametrize("chatter", [[], ["--chatter"]])
def test_chatter_of_xboard_engines_does_not_reach_the_log(started, caplog, chatter):
    caplog.set_level(logging.INFO, logger="chess.engine")
    with engine.open_engine(fake_xboard(*chatter), protocol="xboard") as opened:
        opened.play(AtomicBoard(), LIMIT)
        opened.ping()
        opened.play(AtomicBoard(), LIMIT, game="another", info=chess.engine.INFO_ALL)
        opened.analyse(AtomicBoard(), LIMIT)
    assert not caplog.records


def test_commands_of_others_see_every_line(started):
    class Shout(chess.engine.BaseCommand):
        def start(self):
            self._engine.send_line("go depth 1")

        def line_received(self, line):
            lines.append(line)
            if line.startswith("bestmove"):
                self.result.set_result(None)
                self.set_finished()

    lines = []
    with engine.open_engine(fake("--misbehave", "chatter", "--at", PROBES + 1)) as opened:
        opened.communicate(Shout)
    assert {"lorem ipsum", "info depth 5 pv a1a8", "info depth 5 currmove e2"} <= set(lines)
    assert "ponder" in lines[-1]


def test_a_search_that_only_drips_information_ends_after_ten_timeouts(started):
    with engine.open_engine(fake("--misbehave", "drip", "--at", PROBES + 1), timeout=5.0) as opened:
        opened.protocol.recipe = dataclasses.replace(opened.recipe, timeout=0.2)
        began = time.monotonic()
        with pytest.raises(engine.EngineTimeoutError):
            opened.play(AtomicBoard(), LIMIT)
        assert 2.0 <= time.monotonic() - began < 10.0


def test_a_search_that_gets_deeper_goes_on(started):
    with engine.open_engine(fake("--misbehave", "deepen", "--at", PROBES + 1), timeout=5.0) as opened:
        opened.protocol.recipe = dataclasses.replace(opened.recipe, timeout=0.25)
        began = time.monotonic()
        opened.play(AtomicBoard(), LIMIT)
        assert time.monotonic() - began > 2.5  # Ten timeouts.


def test_a_line_of_moves_is_kept_to_its_first_illegal_move(started):
    """Each line is compared with the one before it; what is legal does not hang on that."""
    root = AtomicBoard()
    lines = ["e2e4 e7e5 g1f3", "e2e4 e7e5 g1f3 b8c6", "e2e4 e7e6", "a1a8 e2e4", "e2e4 e7e5 e2e4", "", "e2e4 e7e5 g1f3"]
    variation = _protocols._Variation(root)
    assert [variation.legal_start(line.split()) for line in lines] == [3, 4, 2, 0, 2, 0, 3]
    assert root == AtomicBoard()


# --- Dialects in XBoard --------------------------------------------------------------------


def test_the_warning_says_that_xboard_keeps_nobody_to_our_moves(started):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        engine.open_engine(fake_xboard("--variants", "normal,nocheckatomic"), IccAtomicBoard, protocol="xboard").close()
    assert "not kept to legal moves" in str(caught[0].message)
    assert os.linesep not in str(caught[0].message)
