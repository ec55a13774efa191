"""The extension as a guest in the interpreter: several interpreters, classes that change, an end in any order."""

import contextlib
import gc
import importlib
import importlib.machinery
import importlib.util
import inspect
import os
import pickle
import subprocess
import sys
import weakref
from pathlib import Path
from types import ModuleType
from typing import Any

import chess
import pytest

from atomic_variant import AtomicBoard, kernel_active
from atomic_variant.boards import history, movegen, overriding
from atomic_variant.kernel import kernel
from atomic_variant.tactics._search import scan_wins

pytestmark = pytest.mark.skipif(not kernel_active(), reason="the kernel is not built, or turned off")

ROOT = Path(__file__).parents[2]

FEN = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
CASTLING = chess.Move.from_uci("e1g1")

INTERPRETERS = """
import sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import chess
from atomic_variant import AtomicBoard, kernel_active

def make(shares_lock):
    if hasattr(interpreters, "new_config"):
        return interpreters.create("legacy" if shares_lock else "isolated")
    return interpreters.create(isolated=not shares_lock)

CODE = f'''
import sys
sys.path[:] = {sys.path!r}
import io
import chess
from atomic_variant import AtomicBoard, kernel_active, pgn
board = AtomicBoard()
moves = list(board.legal_moves)
assert chess.Move.from_uci("e2e4") in moves
assert all(type(move) is chess.Move for move in moves)
for san in ["Nf3", "f6", "Nd4", "Nh6", "Ne6", "Ng8", "Nxd8#"]:
    board.push_san(san)
assert board.is_checkmate() is False and board.is_variant_loss()
[record] = pgn.scan(io.StringIO("[Variant \\\\"Atomic\\\\"]\\\\n\\\\n1. e4 e5 *"))
assert record.moves[0] == chess.Move.from_uci("e2e4") and type(record.moves[0]) is chess.Move
assert kernel_active() or not {{shares_lock}}
'''

def look():
    board = AtomicBoard()
    moves = list(board.legal_moves)
    assert kernel_active()
    assert chess.Move.from_uci("e2e4") in moves and isinstance(moves[0], chess.Move)
    assert board.san(moves[0]) == "Nh3"
    board.push(moves[0])
    assert board.pop() is moves[0]

look()
for shares_lock in ORDER:
    one, other = make(shares_lock), make(shares_lock)
    for interpreter in (one, other, one):
        problem = interpreters.run_string(interpreter, CODE.format(shares_lock=shares_lock))
        assert problem is None, problem
        look()
    interpreters.destroy(one)
    look()
    interpreters.destroy(other)
    look()
print("done")
"""


def run_interpreters(order: str, *, pure: bool = False) -> subprocess.CompletedProcess[str]:
    code = INTERPRETERS.replace("ORDER", order)
    if pure:
        code = code.replace("assert kernel_active()", "assert True or kernel_active()")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "ATOMIC_VARIANT_PURE": str(int(pure))},
    )
    if "No module named '_xxsubinterpreters'" in done.stderr:
        pytest.skip("no interpreters to be had")
    return done


def test_each_interpreter_of_a_process_has_its_own_moves_and_classes():
    done = run_interpreters("(True, True, True)")
    assert done.stdout == "done\n", done.stderr


def test_interpreters_with_a_lock_of_their_own_do_no_harm():
    order = "(True, False, True)"
    done = run_interpreters(order)
    if done.returncode < 0 and run_interpreters(order, pure=True).returncode == done.returncode:
        pytest.skip("this Python crashes without the kernel too")
    assert done.stdout == "done\n", done.stderr


def load_again() -> ModuleType:
    """The extension module once more, as another interpreter has it."""
    loader = importlib.machinery.ExtensionFileLoader(kernel.__name__, kernel.__file__)
    spec = importlib.util.spec_from_file_location(kernel.__name__, kernel.__file__, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def set_up(module: Any, **changes: Any) -> None:
    given = {
        "board_class": AtomicBoard,
        "state_class": history.State,
        "moves": movegen._MOVES,
        "promotion_moves": movegen._PROMOTION_MOVES,
        "generate_legal_moves": movegen.generate_legal_moves,
        "grounds": overriding.KERNEL_GROUNDS,
    }
    module.set_up(**{**given, **changes})


def test_a_module_may_be_loaded_again_and_go_while_its_functions_stay():
    module = load_again()
    assert module.Function is not kernel.Function
    is_legal = module.Function("is_legal", movegen.is_legal)
    generate = module.Function("generate_legal_moves", movegen.generate_legal_moves)
    board = AtomicBoard(FEN)
    assert is_legal(board, CASTLING)  # Not set up: Python's.
    set_up(module)
    assert is_legal(board, CASTLING)
    moves = generate(board)
    first = next(moves)
    assert type(moves) is module.MoveIterator
    gone = weakref.ref(module)
    del module
    gc.collect()
    assert [first, *moves] == list(board.legal_moves)
    assert is_legal(board, CASTLING)
    del is_legal, generate, moves
    gc.collect()
    assert gone() is None
    assert CASTLING in board.legal_moves


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"board_class": 5}, TypeError),
        ({"state_class": AtomicBoard}, TypeError),
        ({"moves": {0: [1]}}, ValueError),
        ({"moves": []}, TypeError),
        ({"promotion_moves": {}}, ValueError),
        ({"grounds": ()}, ValueError),
        ({"grounds": ((), (), (), "king")}, TypeError),
        ({"grounds": ((), (), (), (5,))}, TypeError),
        ({"grounds": ((), (), (), ("no_such_method",))}, AttributeError),
        ({"grounds": ((), (), (), ("empty",))}, ValueError),  # A class method is another object each time.
        ({"surprise": 1}, TypeError),
    ],
)
def test_what_is_handed_over_is_looked_at(changes, error):
    module = load_again()
    with pytest.raises(error):
        set_up(module, **changes)
    assert module.Function("is_legal", movegen.is_legal)(AtomicBoard(FEN), CASTLING)


def test_everything_in_the_module_says_what_it_is():
    for thing in (kernel, kernel.set_up, kernel.Function, kernel.Scanner, kernel.Scanner.scan, kernel.MoveIterator):
        assert thing.__doc__
        assert "--\n" not in thing.__doc__
    assert list(inspect.signature(kernel.set_up).parameters) == [
        "board_class", "state_class", "moves", "promotion_moves", "generate_legal_moves", "grounds",
    ]  # fmt: skip
    assert [*inspect.signature(kernel.Scanner.scan).parameters][1:3] == ["text", "position"]
    assert "max_depth" in inspect.signature(kernel.Scanner).parameters
    assert [*inspect.signature(kernel.Function).parameters] == ["name", "function"]
    for kind in (kernel.Function, kernel.Scanner, kernel.MoveIterator):
        with pytest.raises(TypeError):
            kind.surprise = 1
    with pytest.raises(LookupError, match="no compiled"):
        kernel.Function("no_such_function", movegen.is_legal)


def compiled_functions() -> list[Any]:
    for name in ("pgn", "positions", "tactics"):
        with contextlib.suppress(ImportError):
            importlib.import_module(f"atomic_variant.{name}")
    return [thing for thing in gc.get_objects() if type(thing) is kernel.Function]


def test_compiled_functions_pass_for_the_python_functions_that_they_stand_for():
    found = compiled_functions()
    assert len(found) > 20
    for function in found:
        python = function.__wrapped__
        assert inspect.signature(function) == inspect.signature(python)
        assert (function.__doc__, function.__name__, function.__module__) == (
            python.__doc__,
            python.__name__,
            python.__module__,
        )
        assert inspect.getsource(function) == inspect.getsource(python)
        if hasattr(importlib.import_module(function.__module__), function.__qualname__.split(".")[0]):
            assert pickle.loads(pickle.dumps(function)) is function


def test_compiled_methods_inherit_the_documentation_of_what_they_override():
    inheriting = {
        name
        for name, function in vars(AtomicBoard).items()
        if type(function) is kernel.Function and not function.__doc__ and inspect.getdoc(getattr(chess.Board, name, 0))
    }
    assert {"push", "pop", "fen", "copy"} <= inheriting
    for name in inheriting:
        assert inspect.getdoc(getattr(AtomicBoard, name)) == inspect.getdoc(getattr(chess.Board, name))


def test_a_failing_allocation_is_an_error_and_nothing_else():
    pytest.importorskip("_testcapi")
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.no_memory"], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1] == "done"


def test_a_list_of_moves_may_change_while_it_is_read():
    class Odd(chess.Move):
        def __getattribute__(self, name: str) -> Any:
            if name == "drop":
                game.clear()
            return super().__getattribute__(name)

    for _ in range(50):
        game = [Odd(chess.E2, chess.E4), *(chess.Move(chess.E7, chess.E5) for _ in range(2000))]
        assert scan_wins(AtomicBoard(), game, 1, False, 0)[0] == 0


# --- Classes ----------------------------------------------------------------


def test_a_class_that_changes_all_the_time_is_followed_every_time():
    class Changing(AtomicBoard):
        pass

    class Below(Changing):
        pass

    for board_class in (Changing, Below):
        board = board_class(FEN)
        for _ in range(1200):  # More often than 3.13 gives a class a version.
            Changing.clean_castling_rights = lambda self: chess.BB_EMPTY  # type: ignore[method-assign]
            assert CASTLING not in board.legal_moves
            del Changing.clean_castling_rights
            assert CASTLING in board.legal_moves


def test_a_base_beside_our_board_and_one_above_it_are_followed(monkeypatch):
    class Mixin:
        pass

    class Mixed(Mixin, AtomicBoard):
        pass

    board = Mixed(FEN)
    assert board.is_legal(CASTLING)
    with monkeypatch.context() as context:
        context.setattr(Mixin, "clean_castling_rights", lambda self: chess.BB_EMPTY, raising=False)
        assert not board.is_legal(CASTLING)
    assert board.is_legal(CASTLING)
    with monkeypatch.context() as context:
        context.setattr(chess.BaseBoard, "king", lambda self, color: None)
        list(board.legal_moves)
    assert board.is_legal(CASTLING)


def test_classes_come_and_go_and_none_is_taken_for_another():
    fen = "k7/1R6/8/8/2K5/8/8/8 b - - 0 1"
    gone = []
    for number in range(300):
        has_checks = bool(number % 2)
        board_class = type("Passing", (AtomicBoard,), {"has_checks": has_checks})
        assert bool(list(board_class(fen).legal_moves)) is not has_checks
        gone.append(weakref.ref(board_class))
        del board_class
        if number % 7 == 0:
            gc.collect()
    gc.collect()
    assert not any(reference() for reference in gone)


def test_a_class_that_raises_when_it_is_looked_at_raises():
    class Meta(type):
        is_broken = False

        def __getattribute__(cls, name: str) -> Any:
            if name == "clean_castling_rights" and Meta.is_broken:
                raise KeyboardInterrupt
            return super().__getattribute__(name)

    class Odd(AtomicBoard, metaclass=Meta):
        pass

    board = Odd(None)  # set_fen() would look at the class.
    vars(board).update(vars(AtomicBoard(FEN)))
    Meta.is_broken = True
    with pytest.raises(KeyboardInterrupt):
        board.legal_moves.count()
    Meta.is_broken = False
    assert CASTLING in board.legal_moves
