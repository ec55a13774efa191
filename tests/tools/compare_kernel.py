"""
Holds the compiled kernel against Python, position by position.

The test run compares some thousands of positions. For more::

    python -m tests.tools.compare_kernel 1000000
"""

import argparse
import itertools
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import chess

from atomic_variant import VARIANTS, AtomicBoard, kernel_active
from atomic_variant.boards import movegen, rules

from ..support.positions import FIELDS, constructed, played, snapshot


class WithoutChecks(AtomicBoard):
    """A dialect where the king may be attacked."""

    has_checks = False


class WithoutImmunity(AtomicBoard):
    """A dialect where touching kings may be in check."""

    touching_kings_immune = False


CLASSES: list[type[AtomicBoard]] = [
    *(variant for variant in VARIANTS if issubclass(variant, AtomicBoard)),
    WithoutChecks,
    WithoutImmunity,
]


def python(function: Any) -> Callable[..., Any]:
    """The Python function behind a compiled one."""
    wrapped: Callable[..., Any] = function.__wrapped__
    return wrapped


def as_board(board_class: type[AtomicBoard], board: chess.Board) -> AtomicBoard:
    """The same position on a board of another class."""
    other = board_class(None)
    for name in FIELDS:
        setattr(other, name, getattr(board, name))
    other.occupied_co = list(board.occupied_co)
    return other


def generate_boards(seed: int, number: int) -> Iterator[AtomicBoard]:
    """*number* positions of play and construction, over all dialects and Chess960."""
    sources = (constructed(seed, number), played(seed, number))
    boards = itertools.chain.from_iterable(zip(*sources, strict=True))
    for index, board in enumerate(itertools.islice(boards, number)):
        yield as_board(CLASSES[index % len(CLASSES)], board)


def any_move(rng: random.Random) -> chess.Move:
    """A move that need not make sense."""
    promotion = rng.choice([None, None, None, None, chess.PAWN, chess.KNIGHT, chess.QUEEN, chess.KING])
    return chess.Move(rng.randrange(64), rng.randrange(64), promotion)


def compare(board: AtomicBoard, rng: random.Random) -> None:
    """Raises an :exc:`AssertionError` where the kernel and Python differ on *board*."""
    before = snapshot(board)
    compare_lists(board, rng)
    compare_endings(board)
    pseudo_legal = list(board.generate_pseudo_legal_moves())
    moves = [*rng.sample(pseudo_legal, min(5, len(pseudo_legal))), *(any_move(rng) for _ in range(3))]
    for move in moves:
        legal = movegen.is_legal(board, move)
        assert board.is_legal(move) == legal, (board.fen(), move)
        assert (move in board.legal_moves) == legal, (board.fen(), move)
        if move in pseudo_legal:
            assert board.gives_check(move) == rules.gives_check(board, move), (board.fen(), move)
            compare_push(board, move)
            compare_texts(board, move)
    for move in rng.sample(pseudo_legal, min(3, len(pseudo_legal))):
        compare_san(board, board.lan(move) if rng.random() < 0.2 else board._algebraic_without_suffix(move))
    assert snapshot(board) == before, (board.fen(), "reading the board has changed it")


def compare_lists(board: AtomicBoard, rng: random.Random) -> None:
    legal_moves = list(movegen.generate_legal_moves(board))
    assert list(board.legal_moves) == legal_moves, board.fen()
    assert list(board.generate_legal_moves()) == legal_moves, board.fen()
    assert board.legal_moves.count() == len(legal_moves), board.fen()
    assert bool(board.legal_moves) == bool(legal_moves), board.fen()
    masks = rng.getrandbits(64), rng.getrandbits(64) - rng.choice([0, 2**63])
    assert list(board.generate_legal_moves(*masks)) == list(movegen.generate_legal_moves(board, *masks)), board.fen()


def compare_endings(board: AtomicBoard) -> None:
    for name in ("checkers_mask", "is_checkmate", "is_stalemate"):
        method = getattr(AtomicBoard, name)
        assert method(board) == python(method)(board), (board.fen(), name)
    for color in chess.COLORS:
        method = AtomicBoard.has_insufficient_material
        assert method(board, color) == python(method)(board, color), board.fen()


def compare_texts(board: AtomicBoard, move: chess.Move) -> None:
    """FEN in and out, SAN of a pseudo-legal move, copies."""
    fen = python(AtomicBoard.fen)(board)
    assert board.fen() == fen
    read, other = type(board)(None, chess960=board.chess960), type(board)(None, chess960=board.chess960)
    read.set_fen(fen)
    python(AtomicBoard.set_fen)(other, fen)
    assert snapshot(read) == snapshot(other), fen
    assert python(AtomicBoard._algebraic)(board, move) == board._algebraic(move), (fen, move)
    copied = board.copy()
    assert type(copied) is type(board)
    assert snapshot(copied) == snapshot(board)
    assert copied.occupied_co is not board.occupied_co
    assert vars(copied).keys() == vars(board).keys()
    for count in (2, 3):
        assert board.is_repetition(count) == python(AtomicBoard.is_repetition)(board, count)


def compare_push(board: AtomicBoard, move: chess.Move) -> None:
    before = snapshot(board)
    other = as_board(type(board), board)
    python(AtomicBoard.push)(other, move)
    board.push(move)
    after = snapshot(board)
    assert after == snapshot(other), (before, move)
    assert board._stack[-1] == other._stack[-1], (before, move)
    assert type(board._stack[-1]) is type(other._stack[-1])
    # What one has saved the other takes back.
    board._stack, other._stack = other._stack, board._stack
    assert board.pop() == python(AtomicBoard.pop)(other) == after[-2][-1]
    assert snapshot(board) == snapshot(other) == before, (before, move)


def compare_san(board: AtomicBoard, san: str) -> None:
    answers: list[Any] = []
    for parse_san in (AtomicBoard.parse_san, python(AtomicBoard.parse_san)):
        try:
            answers.append(parse_san(board, san))
        except ValueError as error:
            answers.append((type(error), str(error)))
    assert answers[0] == answers[1], (board.fen(), san)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("number", type=int, nargs="?", default=100_000, help="positions to compare")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if not kernel_active():
        print("the kernel is not active", file=sys.stderr)
        return 2
    rng = random.Random(args.seed)
    for number, board in enumerate(generate_boards(args.seed, args.number), 1):
        compare(board, rng)
        if number % 100_000 == 0:
            print(f"{number} positions agree", flush=True)
    print(f"all {args.number} positions agree, on {', '.join(cls.__name__ for cls in CLASSES)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
