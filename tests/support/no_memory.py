"""
Every compiled function, with each of its allocations failing in turn.

The interpreter's own test module makes them fail, in this process: run as
``python -m tests.support.no_memory``. What comes out is a MemoryError or the
right answer, and nothing is lost on the way.
"""

import _testcapi
import gc
import sys
from collections.abc import Callable
from typing import Any

import chess

from atomic_variant import AtomicBoard, kernel_active, pgn
from atomic_variant.kernel import kernel
from atomic_variant.perft import perft
from atomic_variant.tactics import _search

GAMES = b"""[Variant "Atomic"]
[White "Zo\xc3\xab"]
[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]

{start} 1. Nf3 {[%clk x][%eval x]} {two} f6 {[%clk 1:00:00][%eval 1]} 2. Nd4 $3 (2. e4 {a} e5) Nh6 {last} *

[Variant "Atomic"]

1. Nf3 {[%clk 0:01:00]} f6 {x} 2. Nd4 Nh6 *

"""
WIN = AtomicBoard("rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3")
CASTLING = AtomicBoard("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
PLAYED = AtomicBoard()
for san in ["Nf3", "f6", "Nd4", "Nh6", "Ne6", "Ng8"]:
    PLAYED.push_san(san)


def scanning(form: str, comments: bool) -> Callable[[], Any]:
    # Made here, as CPython 3.13 itself crashes where it cannot make a function.
    arguments = {
        "find_start": lambda *_: (AtomicBoard(), (AtomicBoard, "", "", False), {}),
        "find_ending": lambda *_: None,
        "read_clock": lambda _: None,
        "read_evaluation": lambda _: None,
        "record_class": pgn.Record,
        "source": None,
        "comments": comments,
        "max_size": 10**6,
        "max_depth": 100,
    }

    def scan() -> Any:
        scanner = kernel.Scanner(**arguments)
        found = scanner.scan(GAMES, 0, form, True, 1, 1, 10)
        return found if form == "trees" else found[1:]

    return scan


def playing(board: AtomicBoard, uci: str) -> Callable[[], Any]:
    move = chess.Move.from_uci(uci)

    def play() -> Any:
        copy = board.copy()
        copy.push(move)
        fen = copy.fen()
        assert copy.pop() == move
        return fen, copy.fen()

    return play


def set_fen() -> str:
    board = AtomicBoard(None)
    board.set_fen(WIN.fen())
    return board.fen()


DOINGS: dict[str, Callable[[], Any]] = {
    "a list of moves": lambda: list(WIN.generate_legal_moves()),
    "a view of moves": lambda: (list(WIN.legal_moves), WIN.legal_moves.count(), bool(WIN.legal_moves)),
    "single moves": lambda: [(WIN.is_legal(move), WIN.gives_check(move)) for move in WIN.legal_moves],
    "notation": lambda: [WIN.parse_san(WIN.san(move)) for move in WIN.legal_moves],
    "a capture": playing(PLAYED, "e6d8"),
    "castling": playing(CASTLING, "e1g1"),
    "a pawn move": playing(PLAYED, "e2e4"),
    "a FEN": set_fen,
    "a copy": lambda: PLAYED.copy(stack=2).move_stack,
    "endings": lambda: (PLAYED.is_checkmate(), PLAYED.is_stalemate(), PLAYED.has_insufficient_material(chess.WHITE)),
    "repetition": lambda: PLAYED.is_repetition(3),
    "a key": PLAYED.zobrist_key,
    "perft": lambda: perft(WIN, 2),
    "a win": lambda: _search.solve(WIN, 3, None, False),
    "a search that is broken off": lambda: _search.solve(PLAYED, 3, 5, False),
    "all moves judged": lambda: _search.judge(WIN, 2, None, False, _search.ALL, True),
    "a game judged": lambda: _search.scan_wins(WIN, [chess.Move.from_uci("e2e4")], 2, False, 3),
    "records": scanning("records", False),
    "records with comments": scanning("records", True),
    "columns": scanning("columns", True),
    "trees": scanning("trees", False),
    "written games": scanning("written", False),
    "places": scanning("places", False),
}


def fail_each(do: Callable[[], Any], right: Any) -> int:
    """Fails one allocation after the other, until nothing fails any more; returns how many failed."""
    failed = number = since = 0
    while since < 30:
        number += 1
        since += 1
        answer = right
        _testcapi.set_nomemory(number, number + 1)
        try:
            answer = do()
        except MemoryError:
            _testcapi.remove_mem_hooks()
            failed += 1
            since = 0
        finally:
            _testcapi.remove_mem_hooks()
        assert answer == right
    return failed


def main() -> None:
    assert kernel_active()
    for name, do in DOINGS.items():
        right = do()
        growth = []
        failed = 0
        for _ in range(6):  # Caches of the interpreter fill up first.
            gc.collect()
            blocks = sys.getallocatedblocks()
            failed = fail_each(do, right)
            gc.collect()
            growth.append(sys.getallocatedblocks() - blocks)
            if growth[-1] < 10:
                break
        else:
            raise AssertionError(f"{name}: {growth} blocks are lost")
        assert do() == right
        print(f"{name}: {failed} failed")
    print("done")


if __name__ == "__main__":
    main()
