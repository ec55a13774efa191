"""The compiled kernel gives the answers of Python, and leaves to Python what it is not made for."""

import contextlib
import copy
import gc
import inspect
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import chess
import chess.variant
import pytest

from atomic_variant import AtomicBoard, kernel_active
from atomic_variant.boards import movegen
from atomic_variant.kernel import kernel
from atomic_variant.perft import MAX_DEPTH, divide, perft

from ..support.positions import snapshot
from ..tools.compare_kernel import (
    CLASSES,
    WithoutChecks,
    WithoutImmunity,
    compare,
    compare_lists,
    compare_push,
    compare_san,
    generate_boards,
    python,
)

pytestmark = pytest.mark.skipif(not kernel_active(), reason="the kernel is not built, or turned off")


def ucis(board: chess.Board) -> list[str]:
    return [move.uci() for move in board.legal_moves]


# --- The same answers -------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_kernel_and_python_agree_move_for_move_in_the_same_order(seed):
    rng = random.Random(seed)
    for board in generate_boards(seed, 700):
        compare(board, rng)


@pytest.mark.slow
def test_kernel_and_python_agree_on_many_positions():
    rng = random.Random(1000)
    for board in generate_boards(1000, 50_000):
        compare(board, rng)


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/3B4/8/8/8/4k3/2q1KR2 w F - 0 1",  # The rook stays where it is and shields its king.
        "8/8/8/8/8/8/4k3/rR4KR w BH - 0 1",  # Moving the rook uncovers an attack.
        "8/8/8/8/8/8/2k5/rR4KR w BH - 0 1",  # The same, but the kings touch in the end.
        "8/8/8/8/8/8/6k1/R5Kr w A - 0 1",
        "1r2k3/8/8/8/8/8/1P6/1R2K3 b B - 0 1",
    ],
)
@pytest.mark.parametrize("board_class", CLASSES)
def test_castling_in_chess960_is_the_same(fen, board_class):
    board = board_class(fen, chess960=True)
    compare_lists(board, random.Random(0))
    for move in list(board.legal_moves):
        compare_push(board, move)
    for san in ["O-O", "O-O-O", "0-0+", "O-O-O#", "O-O-O-O"]:
        compare_san(board, san)


@pytest.mark.parametrize(
    "san",
    [
        "e4", "e4+", "e4#", "e4##", "e2e4", "e2-e4", "e2xe4", "Pe4", "4e4", "24", "", "+", "x", "N", "Nf", "Nf3",
        "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Ngxf3+", "Nef3", "Kf3", "O-O", "0-0-0", "--", "Z0", "0000", "@@@@",
        "e8=Q", "e8Q", "e8=K", "e8=P", "e4=Q", "dxe5", "N@f3", "e1g1", "e1h1", "\uff454", "e\uff14", "e4\0",
        "\0", "e4\n", " e4", "Nb8,c6",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "fen",
    [
        chess.STARTING_FEN,
        "r3k2r/pPp5/8/4Pp2/8/8/P6P/R3K2R w KQkq f6 0 1",
        "8/8/8/3k4/8/8/3N1N2/N3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/8 w - - 0 1",
    ],
)
def test_notation_is_read_with_the_same_result_or_the_same_error(fen, san):
    compare_san(AtomicBoard(fen), san)


def test_legal_moves_are_the_shared_objects_of_pure_python():
    board = AtomicBoard()
    for move, other in zip(board.legal_moves, movegen.generate_legal_moves(board), strict=True):
        assert move is other
    assert board.parse_san("Nf3") is list(board.legal_moves)[1]


def test_generated_moves_are_looked_up_when_the_first_is_asked_for():
    board = AtomicBoard()
    moves = board.generate_legal_moves()
    board.push_uci("e2e4")
    assert list(moves) == list(movegen.generate_legal_moves(board))
    assert list(moves) == []


def test_the_board_may_change_and_go_while_its_moves_are_listed():
    board = AtomicBoard()
    seen = []
    for move in board.legal_moves:
        board.push(move)
        seen.append(board.legal_moves.count())
        board.pop()
    assert seen == [20] * 20
    moves = AtomicBoard().generate_legal_moves()
    gc.collect()
    assert len(list(moves)) == 20


def test_masks_may_be_complements_and_keywords():
    board = AtomicBoard()
    pawns = list(board.generate_legal_moves(board.pawns))
    others = list(board.generate_legal_moves(~board.pawns))
    assert len(pawns) == 16
    assert len(others) == 4
    assert list(board.generate_legal_moves(to_mask=chess.BB_RANK_4)) == [move for move in pawns if move.to_square >= 24]
    assert list(board.generate_legal_moves(from_mask=~board.pawns, to_mask=chess.BB_A3)) == [
        chess.Move.from_uci("b1a3")
    ]
    for bad in ({"mask": 1}, {"from_mask": "a"}):
        with pytest.raises(TypeError):
            list(board.generate_legal_moves(**bad))


def test_methods_keep_their_names_signatures_and_words():
    for name in ("generate_legal_moves", "is_legal", "gives_check", "push", "pop", "parse_san", "is_checkmate"):
        method = getattr(AtomicBoard, name)
        assert method.__name__ == name
        assert inspect.signature(method) == inspect.signature(python(method))
        assert method.__doc__ == python(method).__doc__
    assert "function perft" in repr(perft)


def test_functions_are_pickled_and_referred_to_like_others():
    assert pickle.loads(pickle.dumps(perft)) is perft
    assert copy.deepcopy(AtomicBoard.push) is AtomicBoard.push
    assert weakref.ref(perft)() is perft
    push = pickle.loads(pickle.dumps(AtomicBoard().push))
    push(chess.Move.from_uci("e2e4"))
    assert push.__self__.fen().startswith("rnbqkbnr/pppppppp/8/8/4P3/")


# --- What is left to Python -------------------------------------------------


@pytest.mark.parametrize(
    "fen",
    [
        "k6k/8/8/3P4/8/2r5/8/K3K3 w - - 0 1",
        "4k3/8/8/8/3Kp3/8/8/K2R4 w - - 0 1",
        "k7/1R6/8/8/2K5/8/8/k7 b - - 0 1",
    ],
)
@pytest.mark.parametrize("board_class", CLASSES)
def test_positions_with_several_kings_of_a_color(fen, board_class):
    board = board_class(fen)
    compare(board, random.Random(0))
    assert perft(board, 2) == sum(divide(board, 2).values())


def test_a_king_that_was_a_pawn_is_no_king():
    board = AtomicBoard("4k3/8/8/8/8/8/8/K2K4 w - - 0 1")
    board.promoted = chess.BB_A1
    compare(board, random.Random(0))
    board.promoted = board.kings
    assert board.is_variant_end()
    assert list(board.legal_moves) == []


class NoCastling(AtomicBoard):
    def clean_castling_rights(self) -> chess.Bitboard:
        return chess.BB_EMPTY


class QuietEnd(AtomicBoard):
    def is_variant_end(self) -> bool:
        return True


def test_a_subclass_that_overrides_what_legality_is_made_of_is_followed():
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    castling = {chess.Move.from_uci("e1g1"), chess.Move.from_uci("e1c1")}
    assert castling < set(AtomicBoard(fen).legal_moves)
    for board_class in (NoCastling, QuietEnd):
        assert not castling & set(board_class(fen).legal_moves)
        assert not board_class(fen).is_legal(chess.Move.from_uci("e1g1"))


def test_a_method_replaced_at_run_time_is_followed(monkeypatch):
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    board = AtomicBoard(fen)
    move = chess.Move.from_uci("e1g1")
    assert board.is_legal(move)
    with monkeypatch.context() as context:
        context.setattr(AtomicBoard, "clean_castling_rights", lambda self: chess.BB_EMPTY)
        assert not board.is_legal(move)
    assert board.is_legal(move)


def test_a_subclass_that_counts_its_moves_is_asked_for_each():
    class Counting(AtomicBoard):
        pushes = 0

        def push(self, move: chess.Move) -> None:
            type(self).pushes += 1
            super().push(move)

    assert perft(Counting(), 2) == 400
    assert Counting.pushes == 20


def test_a_dialect_made_at_run_time_has_its_own_rules():
    for has_checks in (True, False):
        board_class = type("Dialect", (AtomicBoard,), {"has_checks": has_checks})
        assert bool(list(board_class("k7/1R6/8/8/2K5/8/8/8 b - - 0 1").legal_moves)) is not has_checks


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("turn", 1), ("turn", None), ("turn", 2), ("pawns", -1), ("pawns", 2**64), ("pawns", "e4"), ("kings", None),
        ("occupied_co", (1, 2)), ("occupied_co", [1]), ("occupied_co", [-1, "x"]), ("occupied_co", None),
        ("ep_square", -1), ("ep_square", 57), ("ep_square", 28), ("ep_square", 3), ("ep_square", 64),
        ("ep_square", 2**70), ("ep_square", "e3"), ("castling_rights", -1),
        ("chess960", 1), ("chess960", None), ("promoted", -1), ("_stack", ()), ("move_stack", None),
        ("halfmove_clock", None), ("fullmove_number", 2**80),
    ],
)  # fmt: skip
def test_a_damaged_board_does_what_it_does_in_python(attribute, value):
    def damaged() -> AtomicBoard:
        board = AtomicBoard()
        setattr(board, attribute, value)
        return board

    move = chess.Move.from_uci("e2e4")
    calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (AtomicBoard.generate_legal_moves, ()),
        (AtomicBoard.is_legal, (move,)),
        (AtomicBoard.gives_check, (move,)),
        (AtomicBoard.parse_san, ("e4",)),
        (AtomicBoard.checkers_mask, ()),
        (AtomicBoard.is_checkmate, ()),
        (AtomicBoard.push, (move,)),
    ]
    for function, args in calls:
        results = []
        for variant in (function, python(function)):
            board = damaged()
            try:
                result = variant(board, *args)
                results.append(list(result) if isinstance(result, Iterator) else result)
            except Exception as error:
                results.append(type(error))
            results.append((board.fullmove_number, board.turn, board.pawns))
        assert results[:2] == results[2:], function


@pytest.mark.parametrize("squares", [(-1, 5), (5, 64), (2**70, 1), (None, 3), ("a", 3)])
def test_squares_that_are_none_belong_to_no_legal_move(squares):
    board = AtomicBoard()
    move = chess.Move(*squares)
    results = []
    for is_legal in (AtomicBoard.is_legal, python(AtomicBoard.is_legal)):
        try:
            results.append(is_legal(board, move))
        except TypeError:
            results.append(TypeError)
    assert results[0] == results[1]


def test_attributes_that_run_code_cannot_break_in():
    class Treacherous(AtomicBoard):
        @property
        def promoted(self) -> int:
            self.__dict__.setdefault("occupied_co", [0, 0])
            if len(self.occupied_co) == 2:
                self.occupied_co.pop()
            return 0

        @promoted.setter
        def promoted(self, value: int) -> None:
            if self.__dict__.get("move_stack"):
                self.move_stack.clear()

    board = Treacherous.__new__(Treacherous)
    vars(board).update(vars(AtomicBoard()))
    vars(board).pop("promoted")
    for call in (lambda: list(board.legal_moves), lambda: board.push(chess.Move.from_uci("e2e4")), board.pop):
        board.occupied_co = [chess.BB_RANK_8 | chess.BB_RANK_7, chess.BB_RANK_1 | chess.BB_RANK_2]
        with contextlib.suppress(IndexError, ValueError, AssertionError):
            call()


def test_null_moves_and_moves_of_the_host_are_taken_back():
    board = AtomicBoard()
    board.push(chess.Move.null())
    board.push_uci("e7e5")
    assert board.pop() == chess.Move.from_uci("e7e5")
    assert board.pop() == chess.Move.null()
    assert board == AtomicBoard()
    with pytest.raises(IndexError):
        board.pop()


def test_boards_are_copied_and_pickled():
    board = AtomicBoard()
    for san in ["Nf3", "f6", "Nd4", "Nh6", "Ne6", "Ng8", "Nxd8"]:
        board.push_san(san)
    for other in (board.copy(), pickle.loads(pickle.dumps(board))):
        assert other == board
        while other.move_stack:
            other.pop()
        assert other == board.root() == AtomicBoard()


# --- Perft ------------------------------------------------------------------

# Node counts that independent programs agree on, from the collections named in
# the test data of the rules.
PERFT = [
    (AtomicBoard, False, chess.STARTING_FEN, [20, 400, 8902, 197326, 4864979]),
    (AtomicBoard, False, "rnbqkbnr/ppp2pp1/4p2p/3p4/3PP3/7N/PPP2PPP/RNBQKB1R w KQkq - 0 4", [37, 1191, 43364, 1402237]),
    (
        AtomicBoard,
        False,
        "rnb1kb1r/p5p1/2pNp2p/1p1q1p2/3P1Pn1/N5P1/PPP4P/R1BQKB1R b KQkq - 6 10",
        [5, 156, 4848, 150519],
    ),
    (AtomicBoard, False, "r4b1r/p1N1k1p1/2pNp2p/5p2/1n1P1P2/6PP/PP6/R1B1K3 b Q - 4 17", [21, 546, 10566, 269557]),
    (AtomicBoard, False, "8/4N3/8/7p/1r3q1P/6K1/7k/q7 b - - 21 61", [57, 463, 25637, 210798]),
    (AtomicBoard, False, "r4b1r/2kb1N2/p2Bpnp1/8/2Pp3p/1P1PPP2/P5PP/R3K2R b KQ - 0 1", [4, 148]),
    (AtomicBoard, False, "5r1k/p3P3/6pp/8/8/P4P2/7P/1q4K1 w - - 0 32", [2, 74, 906, 29053, 342968]),
    (AtomicBoard, False, "8/5k2/p7/8/P7/1P1n1K2/8/2q5 b - - 1 40", [37, 221, 7705, 43529, 1454618]),
    (AtomicBoard, True, "8/8/8/8/8/8/2k5/rR4KR w KQ - 0 1", [18, 180, 4364, 61401, 1603055]),
    (AtomicBoard, True, "r3k1rR/5K2/8/8/8/8/8/8 b kq - 0 1", [25, 282, 6753, 98729]),
    (AtomicBoard, True, "rkrbbnnq/pppppppp/8/8/8/8/PPPPPPPP/RKRBBNNQ w KQkq - 0 1", [20, 400, 8880, 195643]),
    (WithoutChecks, False, chess.STARTING_FEN, [20, 400, 8902, 197779]),
    (WithoutChecks, False, "8/8/8/8/8/8/4k3/R3K2q w Q - 0 1", [15, 355, 5769]),
    (WithoutImmunity, False, "8/8/8/8/8/8/4k3/R3K2q w Q - 0 1", [2, 50, 698]),
    (WithoutImmunity, False, "7r/6Pb/1np5/1p2kp2/P1P1n3/1P2KP1B/5N2/8 w - - 0 1", [26, 656, 13926]),
]


@pytest.mark.parametrize(("board_class", "chess960", "fen", "counts"), PERFT)
def test_perft_gives_the_known_counts(board_class, chess960, fen, counts):
    board = board_class(fen, chess960=chess960)
    before = snapshot(board)
    assert [perft(board, depth) for depth in range(1, len(counts) + 1)] == counts
    assert snapshot(board) == before
    depth = min(3, len(counts))
    assert python(perft)(board, depth) == counts[depth - 1]


def test_perft_counts_nothing_after_the_end_at_any_depth_it_takes():
    mated = AtomicBoard("k7/1R6/8/8/2K5/8/8/8 b - - 0 1")
    assert perft(mated, 0) == 1
    assert [perft(mated, depth) for depth in (1, 2, 64)] == [0] * 3
    for depth in (-1, 65, 500):
        with pytest.raises(ValueError, match="depth"):
            perft(mated, depth)
    with pytest.raises(TypeError):
        perft(mated, "1")  # type: ignore[arg-type]


def test_the_kernel_counts_as_deep_as_python_allows():
    mated = AtomicBoard("k7/1R6/8/8/2K5/8/8/8 b - - 0 1")
    assert kernel is not None
    compiled = kernel.Function("perft", lambda board, depth: "left to Python")
    depths = (1, MAX_DEPTH, MAX_DEPTH + 1)
    assert [compiled(mated, depth) for depth in depths] == [0, 0, "left to Python"]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs interval timers")
def test_perft_can_be_interrupted():
    class TimeIsUpError(Exception):
        pass

    def interrupt(*_: object) -> None:
        raise TimeIsUpError

    board = AtomicBoard()
    handler = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(TimeIsUpError):
            perft(board, 20)  # Would take longer than anyone lives.
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
    assert board == AtomicBoard()
    assert perft(board, 2) == 400


def test_perft_lets_other_threads_run():
    started = threading.Event()
    counts: list[int] = []

    def count() -> None:
        started.set()
        counts.append(perft(AtomicBoard(), 6))

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=count)
    thread.start()
    try:
        sys.setswitchinterval(1000)  # Nobody gets the lock who is not given it.
        started.wait()
        rounds = 0
        while thread.is_alive():
            rounds += AtomicBoard().legal_moves.count() == 20
            thread.join(0.001)
    finally:
        sys.setswitchinterval(interval)
        thread.join()
    assert counts == [118926425]
    assert rounds > 1


# --- Threads and memory -----------------------------------------------------


def test_many_threads_on_one_board_and_on_many():
    shared = AtomicBoard("r1bqk2r/pp4pp/2p5/1B1p1pNQ/1b3P2/2N1P3/PP3nPP/R1B1K2R b KQkq - 2 11")
    expected = [move.uci() for move in movegen.generate_legal_moves(shared)]
    failures: list[object] = []

    def work(seed: int) -> None:
        try:
            rng = random.Random(seed)
            own = AtomicBoard()
            for _ in range(300):
                assert ucis(shared) == expected
                assert perft(shared, 2) == 181
                moves = list(own.legal_moves)
                if not moves:
                    own.reset()
                    continue
                own.push(rng.choice(moves))
                assert ucis(own) == [move.uci() for move in movegen.generate_legal_moves(own)]
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def use_everything() -> None:
    board = AtomicBoard()
    other = NoCastling()
    for san in ["Nf3", "f6", "Nd4", "Nh6", "Ne6", "Ng8"]:
        board.push_san(san)
    for _ in range(2):
        move = next(board.generate_legal_moves(to_mask=chess.BB_D8))
        assert move in board.legal_moves
        assert board.is_legal(move)
        assert not board.gives_check(move)
        list(board.legal_moves)
        board.legal_moves.count()
        bool(board.legal_moves)
        perft(board, 2)
        board.push(move)
        board.is_checkmate()
        board.is_stalemate()
        board.outcome()
        board.pop()
        for san in ["Qh5", "O-O", "?", "Nxd8#"]:
            with contextlib.suppress(ValueError):
                board.parse_san(san)
        list(other.legal_moves)
        other.push(chess.Move.from_uci("e2e4"))
        other.pop()


def test_nothing_leaks():
    shared = (None, True, AtomicBoard, next(iter(AtomicBoard().legal_moves)))

    def growth() -> int:
        gc.collect()
        before = [sys.getallocatedblocks(), *map(sys.getrefcount, shared)]
        for _ in range(100):
            use_everything()
        gc.collect()
        after = [sys.getallocatedblocks(), *map(sys.getrefcount, shared)]
        return max(abs(b - a) for a, b in zip(before, after, strict=True))

    # Caches of the interpreter fill up first. What leaks, leaks in every round.
    assert any(growth() < 50 for _ in range(20))


# --- Turning it off ---------------------------------------------------------


@pytest.mark.parametrize(("value", "active"), [("1", False), ("0", True), ("", True)])
def test_an_environment_variable_turns_the_kernel_off(value, active):
    code = (
        "import atomic_variant; board = atomic_variant.AtomicBoard(); "
        "print(atomic_variant.kernel_active(), board.legal_moves.count(), board.push_san('e4'))"
    )
    output = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "ATOMIC_VARIANT_PURE": value},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert output.split() == [str(active), "20", "e2e4"]
