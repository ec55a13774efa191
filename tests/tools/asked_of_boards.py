"""
What pure Python asks the board where the kernel may answer without asking.

Prints, for each ground of the kernel, the names of the attributes of the class
that were looked up on a board::

    ATOMIC_VARIANT_PURE=1 python -m tests.tools.asked_of_boards
"""

import io
import json
import sys
from collections.abc import Callable
from typing import Any

import chess

from atomic_variant import VARIANTS, AtomicBoard, kernel_active, pgn
from atomic_variant.boards import movegen
from atomic_variant.perft import perft

from .compare_overrides import FENS, GAMES

asked: set[str] = set()


class Watched(AtomicBoard):
    """A board that notes what it is asked."""

    aliases = ["Watched"]
    uci_variant = "watched"

    def __getattribute__(self, name: str) -> Any:
        if hasattr(Watched, name) and not name.startswith("__"):
            asked.add(name)
        return super().__getattribute__(name)


def during(function: Callable[..., Any], *args: Any) -> set[str]:
    asked.clear()
    function(*args)
    return set(asked)


def positions() -> list[tuple[Watched, list[chess.Move], list[str]]]:
    """Boards, their legal moves and how these are written, asked beforehand."""
    found = []
    for fen in FENS:
        for chess960 in (False, True):
            board = AtomicBoard(fen, chess960=chess960)
            moves = list(board.legal_moves)
            found.append((Watched(fen, chess960=chess960), moves, [board.san(move) for move in moves]))
    return found


def ask_for_legality() -> None:
    for board, moves, _ in positions_made:
        list(movegen.generate_legal_moves(board))  # type: ignore[arg-type]
        AtomicBoard.checkers_mask(board)
        for color in chess.COLORS:
            AtomicBoard.has_insufficient_material(board, color)
        for move in [*moves, chess.Move.from_uci("a1a8"), chess.Move.from_uci("e1g1")]:
            movegen.is_legal(board, move)
        for move in moves:
            AtomicBoard.gives_check(board, move)
            AtomicBoard.push(board, move)
            AtomicBoard.pop(board)


def ask_for_lists() -> None:
    for board, moves, sans in positions_made:
        view = AtomicBoard.legal_moves.fget(board)  # type: ignore[attr-defined]
        assert list(view) == moves
        assert view.count() == len(moves)
        assert bool(view) == bool(moves)
        for move, san in zip(moves, sans, strict=True):
            assert move in view
            assert AtomicBoard.parse_san(board, san) == move


def ask_for_play() -> None:
    for board, _, _ in positions_made:
        AtomicBoard.is_checkmate(board)
        AtomicBoard.is_stalemate(board)
        perft(board, 2)


def ask_for_endings() -> None:
    text = GAMES.format("Watched")
    list(pgn.scan(io.StringIO(text), comments=True))
    list(pgn.read_games(io.StringIO(text)))


def start_games() -> None:
    """What is asked of a new board, with the kernel too."""
    Watched(None)
    for fen in FENS:
        pgn.Headers(Variant="Watched", FEN=fen).board().fen()


def main() -> int:
    assert not kernel_active()
    VARIANTS.append(Watched)
    before = during(start_games)
    grounds = [during(ask) for ask in (ask_for_legality, ask_for_lists, ask_for_play, ask_for_endings)]
    json.dump([sorted(ground - before) for ground in grounds], sys.stdout)
    return 0


if __name__ == "__main__":
    positions_made = positions()
    sys.exit(main())
