"""An opponent that needs no engine."""

from __future__ import annotations

import random
from collections.abc import Callable

import chess

from ._search import MAX_MOVES, judge_moves


def player(moves: int = 2, seed: int | None = None) -> Callable[[chess.Board], chess.Move]:
    """
    A player that wins when it can and avoids what loses, as far as it sees.

    What it sees is proved: wins within *moves*, its own and the opponent's.
    Among moves of which nothing is proved it picks by chance; when every move
    loses, one that holds out longest. It knows no other aims, so quiet
    positions are beyond it.

    It plays on boards of any rules, in :func:`atomic_variant.engine.play` and
    on a :class:`atomic_variant.notebook.PlayBoard`.

    >>> from atomic_variant import AtomicBoard, engine, tactics
    >>> game = engine.play(AtomicBoard(), tactics.player(seed=1), tactics.player(moves=1, seed=2))
    >>> game.headers["White"], game.headers["Result"] != "*"
    ('tactics player', True)

    :param seed: For the same choices on the same boards, in turn.
    :raises: :exc:`ValueError` if *moves* is out of range; the player raises
        it for a board without a legal move.
    """
    if not 1 <= moves <= MAX_MOVES:
        raise ValueError(f"expected from 1 to {MAX_MOVES} moves, got {moves}")
    chance = random.Random(seed)

    def choose(board: chess.Board) -> chess.Move:
        judged = judge_moves(board, moves)
        if not judged:
            raise ValueError(f"there is no legal move in {board.fen()}")
        # A win the sooner the better, then what is open, then a loss the later the better.
        best = max(map(_merit, judged.values()))
        return chance.choice([move for move, value in judged.items() if _merit(value) == best])

    choose.__name__ = choose.__qualname__ = "tactics player"
    return choose


def _merit(value: int) -> float:
    return 1 / value if value else 0.0
