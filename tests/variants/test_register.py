"""Boards by name, with and without registration."""

import io
import subprocess
import sys

import chess
import chess.pgn
import chess.variant
import pytest

from atomic_variant import AtomicBoard, find_variant, register, unregister


@pytest.fixture(autouse=True)
def _unregistered():
    before = list(chess.variant.VARIANTS)
    yield
    chess.variant.VARIANTS[:] = before


@pytest.mark.parametrize(
    "name",
    ["Atomic", "atomic", "ATOMIC", "Atom", "Atomic chess", "atomic-chess", "Atomic960", "Atomic 960", "atomic/960",
     "Atomic Chess960", " atomic "],
)  # fmt: skip
def test_every_spelling_of_atomic_is_found(name):
    assert find_variant(name) is AtomicBoard


@pytest.mark.parametrize("name", ["Three-check", "Crazyhouse", "King of the Hill", "suicide", "Racing Kings"])
def test_other_variants_are_left_to_python_chess(name):
    assert find_variant(name) is chess.variant.find_variant(name)


@pytest.mark.parametrize("name", ["", "960", "atomicc", "subatomic", "no such game", "\0"])
def test_a_name_that_nobody_knows_is_a_value_error(name):
    try:
        known = chess.variant.find_variant(name)
    except ValueError:
        with pytest.raises(ValueError, match="variant"):
            find_variant(name)
    else:
        assert find_variant(name) is known


def test_registering_makes_python_chess_find_our_board():
    assert chess.variant.find_variant("Atomic") is chess.variant.AtomicBoard
    register()
    assert chess.variant.find_variant("Atomic") is AtomicBoard
    assert chess.variant.find_variant("atomic chess") is AtomicBoard
    assert chess.variant.find_variant("Antichess") is chess.variant.AntichessBoard
    unregister()
    assert chess.variant.find_variant("Atomic") is chess.variant.AtomicBoard


def test_registering_can_be_repeated_and_undone_at_once():
    before = list(chess.variant.VARIANTS)
    register()
    once = list(chess.variant.VARIANTS)
    register()
    register()
    assert once == chess.variant.VARIANTS
    assert before != chess.variant.VARIANTS
    unregister()
    assert before == chess.variant.VARIANTS
    unregister()
    assert before == chess.variant.VARIANTS


def test_a_variant_registered_by_someone_else_stays():
    class OtherBoard(chess.Board):
        aliases = ["Other"]
        uci_variant = "other"

    chess.variant.VARIANTS.insert(0, OtherBoard)
    register()
    assert chess.variant.find_variant("Other") is OtherBoard
    unregister()
    assert chess.variant.VARIANTS[0] is OtherBoard


GAME = '[Event "?"]\n[Variant "Atomic"]\n\n1. e4 d5 2. exd5 Qxd2# 0-1\n'


def test_python_chess_reads_games_on_our_board_after_registering():
    register()
    game = chess.pgn.read_game(io.StringIO(GAME))
    assert not game.errors
    assert type(game.board()) is AtomicBoard
    board = game.end().board()
    assert type(board) is AtomicBoard
    assert board.describe_outcome() == "Black wins: the white king exploded on e1"


def test_python_chess_reads_games_on_its_own_board_without_registering():
    assert type(chess.pgn.read_game(io.StringIO(GAME)).board()) is chess.variant.AtomicBoard


def test_our_board_names_itself_in_a_game():
    register()
    board = AtomicBoard()
    board.push_san("e4")
    game = chess.pgn.Game.from_board(board)
    assert game.headers["Variant"] == "Atomic"
    assert type(chess.pgn.read_game(io.StringIO(str(game))).board()) is AtomicBoard


@pytest.mark.skipif(sys.platform == "emscripten", reason="no threads and processes in WebAssembly")
def test_importing_changes_nothing_and_imports_nothing_optional():
    program = """
import sys, chess, chess.variant
before = list(chess.variant.VARIANTS)
attributes = set(vars(chess.Board)), set(vars(chess.variant.AtomicBoard)), set(vars(chess))
import atomic_variant
assert chess.variant.VARIANTS == before
assert attributes == (set(vars(chess.Board)), set(vars(chess.variant.AtomicBoard)), set(vars(chess)))
assert chess.variant.find_variant("Atomic") is chess.variant.AtomicBoard
optional = "pytest hypothesis pyffish numpy pandas anywidget IPython chess.engine chess.svg chess.syzygy".split()
loaded = [name for name in optional if name in sys.modules]
assert not loaded, loaded
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == done.stderr == ""
