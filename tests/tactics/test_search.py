"""Forced wins: exact, by both searches, on every board."""

import itertools
import pickle
import random
import signal
import subprocess
import sys
import threading
import time

import chess
import chess.variant
import pytest

from atomic_variant import (
    AtomicBoard,
    Buho21AtomicBoard,
    ChessPlayXAtomicBoard,
    IccAtomicBoard,
    SparkBoard,
    kernel_active,
    tactics,
)
from atomic_variant.tactics import _search

from ..support.positions import snapshot
from ..tools.compare_kernel import python
from ..tools.compare_tactics import check_line, compare, depth_for, positions, real
from .reference import lengths_of_wins, shortest_win

KNIGHT = "rnbqkbnr/pppp1ppp/4p3/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2"


def length(board: chess.Board, moves: int) -> int | None:
    win = tactics.find_win(board, moves)
    return win.moves if win else None


# --- Exactness ------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_both_searches_agree_with_brute_force(seed):
    found = {compare(board, depth_for(board, 2000)) for board in positions(100 + seed, 90)}
    assert {1, None} <= found


@pytest.mark.slow
def test_both_searches_agree_with_brute_force_on_many_positions():
    found = {compare(board, depth_for(board, 3e4)) for board in positions(200, 400)}
    assert {1, 2, None} <= found


def wins_in_two(board: chess.Board) -> bool:
    """Whether some move leaves only replies after which one more move wins. Searches of one move pass over none."""
    if length(board, 1):
        return True
    for move in list(board.legal_moves):
        board.push(move)
        won = board.outcome() is None and all(loses_at_once(board, reply) for reply in list(board.legal_moves))
        board.pop()
        if won:
            return True
    return False


def loses_at_once(board: chess.Board, reply: chess.Move) -> bool:
    board.push(reply)
    lost = board.outcome() is None and length(board, 1) is not None
    board.pop()
    return lost


@pytest.mark.skipif(not kernel_active(), reason="the search in Python passes over no move")
@pytest.mark.parametrize("seed", range(3))
def test_the_moves_that_are_passed_over_as_idle_do_not_win(seed):
    wins = 0
    for board in itertools.islice(
        (board for board in positions(900 + seed, 3000) if len(list(board.legal_moves)) < 60), 1500
    ):
        # Two moves on, refutations of before are at hand, and the passing over begins with the first move.
        line = []
        after = board.copy(stack=False)
        for ply in range(4):
            if after.outcome() is None:
                line.append(random.Random(f"{seed} {ply}").choice(list(after.legal_moves)))
                after.push(line[-1])
        scanned = _search.scan(board.copy(stack=False), line, 2)
        after = board.copy(stack=False)
        for move, found in zip([*line, None], scanned, strict=True):
            if after.outcome() is None and len(list(after.legal_moves)) < 60:
                expected = wins_in_two(after)
                wins += expected
                assert bool(found) == (length(after, 2) is not None) == expected, (type(after), after.fen())
            if move is not None:
                after.push(move)
    assert wins


# A win at the very depth, found by brute force in tests.tools.compare_tactics or composed.
@pytest.mark.parametrize(
    ("board", "moves"),
    [
        (AtomicBoard(KNIGHT), 2),
        (AtomicBoard("6k1/7R/3p3B/1p2p3/8/5P2/1P2P3/4K1N1 w - - 0 1"), 3),  # A quiet move that threatens mate alone.
        (AtomicBoard("r2qr2k/p5p1/2p1B1Pp/5b2/3p4/1P3P1P/1B6/3K3R b - - 4 26"), 3),
        (AtomicBoard("8/8/4qk1p/4PK1P/8/8/8/8 b - - 8 53"), 2),  # The kings touch.
        (chess.Board("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"), 1),
        (chess.Board("8/8/8/8/8/5k2/8/6QK b - - 0 1"), None),
        (chess.variant.AntichessBoard("8/8/8/8/8/8/p7/1N6 b - - 0 1"), None),
        (SparkBoard(), None),
    ],
)
def test_a_win_is_as_long_as_brute_force_says(board, moves):
    limit = moves or 2
    if moves != 3:
        assert shortest_win(board.copy(), limit) == moves
    assert length(board, limit) == moves
    if moves and moves > 1:
        assert length(board, moves - 1) is None
    assert (python(_search.solve)(board, limit, None, None)[0] or None) == moves if kernel_active() else True


def test_a_long_win_holds_against_every_reply():
    walked = 0
    deepest, number = (3, 200) if kernel_active() else (2, 80)  # Three moves take seconds in Python.
    for board in real(5, number):
        win = tactics.find_win(board, deepest)
        if win is None or win.moves < 2:
            continue
        walked += 1
        hold(board, win, board.turn)
    assert walked


def hold(board: chess.Board, win: tactics.Win, winner: chess.Color) -> None:
    """Plays the winner's first move, and every reply, to the end of the game."""
    board = board.copy()
    board.push(win.move)
    outcome = board.outcome()
    if outcome is not None:
        assert outcome.winner == winner
        return
    assert win.moves > 1
    for reply in list(board.legal_moves):
        board.push(reply)
        assert board.outcome() is None
        rest = tactics.find_win(board, win.moves - 1)
        assert rest is not None, board.fen()
        hold(board, rest, winner)
        board.pop()


def test_lines_end_the_game_when_they_say():
    checked = 0
    for board in positions(7, 200):
        win = tactics.find_win(board, 2)
        if win:
            checked += 1
            check_line(board, win)
    assert checked > 10


def test_of_several_moves_that_win_the_first_is_given():
    several = 0
    for board in real(17, 120):
        win = tactics.find_win(board, 2)
        if win:
            winning = tactics.winning_moves(board, win.moves)
            several += len(winning) > 1
            assert win.move == next(iter(winning))
    assert several > 2


def test_winning_moves_are_those_of_brute_force_in_the_order_of_legal_moves():
    for board in real(11, 6):
        expected = {move: moves for move, moves in lengths_of_wins(board.copy(), 1).items() if moves}
        assert list(tactics.winning_moves(board, 1).items()) == list(expected.items())


# --- What ends a game -------------------------------------------------------------


def test_stalemate_wins_where_the_rules_say_so():
    fen = "k7/8/1R6/8/2K5/8/8/8 w - - 0 1"  # Rb7 takes every move from the king.
    assert length(Buho21AtomicBoard(fen), 1) == 1
    assert length(AtomicBoard(fen), 1) is None

    class Drawn(Buho21AtomicBoard):
        stalemate_loses = False

    assert length(Drawn(fen), 1) is None


def test_without_check_only_explosions_and_captures_of_the_king_win():
    fen = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"
    assert length(IccAtomicBoard(fen), 1) is None
    assert length(IccAtomicBoard("7k/8/5K2/8/8/8/8/7Q w - - 0 1"), 1) == 1
    assert length(IccAtomicBoard(fen), 2) == shortest_win(IccAtomicBoard(fen), 2)


def test_a_game_that_is_over_is_won_by_nobody():
    assert tactics.find_win(AtomicBoard("rnb2bnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQ - 0 4")) is None
    assert tactics.find_win(AtomicBoard("8/8/4k3/8/8/3K4/8/8 w - - 0 1")) is None
    assert tactics.find_win(chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")) is None
    assert tactics.winning_moves(chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")) == {}


QUIET = "2k5/8/6Q1/8/8/6K1/8/8 w - - {} 100"
"""Qh7 wins in two without touching anything."""


@pytest.mark.parametrize(("clock", "moves"), [(0, 2), (110, 2), (146, 2), (147, 2), (148, None), (149, None)])
def test_seventy_five_moves_without_progress_save_the_defender_and_fifty_do_not(clock, moves):
    board = AtomicBoard(QUIET.format(clock))
    assert length(board, 2) == shortest_win(board.copy(), 2) == moves
    assert board.can_claim_fifty_moves() == (clock >= 100)
    # Where they must be claimed, they save nobody.
    assert length(ChessPlayXAtomicBoard(QUIET.format(clock)), 2) == 2


def shuffled(times: int) -> tuple[AtomicBoard, list[chess.Move]]:
    """The position after Qh7, and a game in which it occurs so often before White could play Qh7 again."""
    board = AtomicBoard(QUIET.format(0))
    win = tactics.find_win(board, 2)
    assert board.san(win.move) == "Qh7"
    there, reply = win.line[:2]
    board.push(there)
    board.clear_stack()
    back = [chess.Move(move.to_square, move.from_square) for move in (there, reply)]
    return board, ([reply, *back, there] * times)[:-1]


def test_the_fifth_occurrence_of_a_position_saves_the_defender_and_the_third_does_not():
    winning = tactics.winning_moves(AtomicBoard(QUIET.format(0)), 2)
    for times in (2, 3, 4):
        board, game = shuffled(times)
        for move in game:
            board.push(move)
        expected = {move: moves for move, moves in lengths_of_wins(board.copy(), 2).items() if moves}
        assert tactics.winning_moves(board, 2) == expected
        assert (expected == winning) == (times < 4)
        assert tactics.winning_moves(board.copy(stack=False), 2) == winning


def test_a_class_of_its_own_endings_is_searched_by_its_own_rules():
    class HillBoard(AtomicBoard):
        """A king in the centre wins."""

        def is_variant_win(self) -> bool:
            return super().is_variant_win() or bool(self.kings & self.occupied_co[self.turn] & chess.BB_CENTER)

        def is_variant_loss(self) -> bool:
            return super().is_variant_loss() or bool(self.kings & self.occupied_co[not self.turn] & chess.BB_CENTER)

        def is_variant_end(self) -> bool:
            return super().is_variant_end() or bool(self.kings & chess.BB_CENTER)

    board = HillBoard("7k/p7/8/8/8/3K4/P7/8 w - - 0 1")
    assert length(board, 1) == 1
    assert set(tactics.winning_moves(board, 1)) == {chess.Move.from_uci("d3d4"), chess.Move.from_uci("d3e4")}


# --- Manners --------------------------------------------------------------------


def test_a_search_leaves_the_board_alone():
    board = AtomicBoard()
    board.push_san("Nf3")
    board.push_san("e6")
    before = snapshot(board)
    for _ in (tactics.find_win(board, 2), tactics.winning_moves(board, 2), python_win(board)):
        assert snapshot(board) == before


def python_win(board: chess.Board) -> object:
    return python(_search.solve)(board, 2, None, None) if kernel_active() else None


def test_nodes_that_run_out_are_an_error_that_says_what_was_proved():
    board = AtomicBoard()
    with pytest.raises(tactics.NodesExhaustedError, match="no win within 1") as caught:
        tactics.find_win(board, 4, nodes=5)
    assert caught.value.proved == 1
    assert pickle.loads(pickle.dumps(caught.value)).proved == 1
    with pytest.raises(tactics.NodesExhaustedError, match="nothing") as caught:
        tactics.find_win(chess.Board(), 3, nodes=5)
    assert caught.value.proved == 0
    with pytest.raises(tactics.NodesExhaustedError):
        tactics.winning_moves(board, 3, nodes=100)
    assert tactics.find_win(board, 2, nodes=10**6) is None
    assert tactics.find_win(AtomicBoard(KNIGHT), 2, nodes=10**30).moves == 2


@pytest.mark.parametrize(("moves", "nodes"), [(0, None), (51, None), (-1, None), (2, 0), (2, -5)])
def test_numbers_out_of_range_are_refused(moves, nodes):
    with pytest.raises(ValueError, match="expected"):
        tactics.find_win(AtomicBoard(), moves, nodes=nodes)
    with pytest.raises(ValueError, match="expected"):
        tactics.winning_moves(AtomicBoard(), moves, nodes=nodes)


@pytest.mark.skipif(not kernel_active(), reason="measures the kernel")
def test_other_threads_run_during_a_search():
    stop = threading.Event()
    worker = threading.Thread(target=search_until, args=(stop,))
    worker.start()
    turns = 0
    deadline = time.monotonic() + 20
    while not stop.is_set() and time.monotonic() < deadline:
        turns += 1
        time.sleep(0.001)
    worker.join(20)
    assert not worker.is_alive()
    assert turns > 5


def search_until(stop: threading.Event) -> None:
    with pytest.raises(tactics.NodesExhaustedError):
        tactics.find_win(AtomicBoard(), 9, nodes=3_000_000)
    stop.set()


@pytest.mark.skipif(not kernel_active() or sys.platform == "win32", reason="the signal of Ctrl-C, in the kernel")
def test_ctrl_c_ends_a_search():
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from atomic_variant import AtomicBoard, tactics\n"
        "print('ready', flush=True)\n"
        "try:\n    tactics.find_win(AtomicBoard(), 20)\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    finally:
        process.kill()
    assert out == "interrupted\n"


def test_a_scan_of_a_game_says_of_every_position_what_find_win_says():
    rng = random.Random(3)
    for board_class in (AtomicBoard, IccAtomicBoard, Buho21AtomicBoard, chess.Board):
        for _ in range(3):
            board, game = board_class(), []
            while board.outcome() is None and len(game) < 40:
                move = rng.choice(list(board.legal_moves))
                winning = tactics.winning_moves(board, 1)
                game.append(next(iter(winning)) if winning and rng.random() < 0.5 else move)
                board.push(game[-1])
            if board_class is chess.Board:
                game = game[:12]
            wins = _search.scan(board_class(), game, 2)
            assert wins == (python(_search.scan_wins)(board_class(), game, 2, None, 0) if kernel_active() else wins)
            again = board_class()
            for win, move in zip(wins, [*game, None], strict=True):
                assert abs(win) == (length(again, 2) or 0)
                if move is not None:
                    again.push(move)


def test_a_scan_knows_the_draws_of_a_long_game():
    start, game = shuffled(4)
    wins = _search.scan(start, game, 2)
    played = start.copy()
    for move, expected in zip([*game, None], wins, strict=True):
        assert abs(expected) == (length(played, 2) or 0)
        if move is not None:
            played.push(move)
    assert played.is_repetition(4)
