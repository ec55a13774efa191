"""Turning points as signs, comments and variations of a game."""

from __future__ import annotations

import chess.pgn

from .. import host
from ._turning import TurningPoint, turning_points


def annotate(game: chess.pgn.Game, moves: int = 2) -> list[TurningPoint]:
    """
    Marks the turning points of *game*, in place, and returns them.

    * A move that allows a win gets ``??``, one that only misses a win ``?``.
    * The comment after it says what it misses and allows, and how many moves
      were safe.
    * The missed win goes beside the move as a variation, the allowed one
      beside the next move, if the game has one.

    Any program that reads PGN shows them. What stands in the game stays:
    signs and comments are added to, a variation is added only where none
    begins with the same move. A second call changes nothing.

    >>> import chess.pgn, io
    >>> from atomic_variant import pgn, tactics
    >>> game = pgn.read_game(io.StringIO('[Variant "Atomic"]\\n\\n1. Nf3 e6 2. e4 f6 *'))
    >>> len(tactics.annotate(game))
    2
    >>> print(game.accept(chess.pgn.StringExporter(columns=72, headers=False)))
    1. Nf3 e6 $4 { allows a win in 2; 6 of 20 moves are safe } 2. e4 $2
    { misses a win in 2 } ( 2. Ne5 Ne7 3. Nxf7# ) 2... f6 *

    For what is proved see :func:`turning_points`, which raises what this
    function raises.
    """
    nodes = list(game.mainline())
    points = turning_points(game, moves)
    for point in points:
        node = nodes[point.ply]
        sign = chess.pgn.NAG_BLUNDER if point.allowed else chess.pgn.NAG_MISTAKE
        if not node.nags & {chess.pgn.NAG_BLUNDER, sign}:
            node.nags.add(sign)
        comment = host.comment(node)
        if point.summary not in comment:
            host.set_comment(node, f"{comment} {point.summary}".strip())
        if point.missed:
            _add_line(node.parent, point.missed.line)
        if point.allowed and node.next() is not None:
            _add_line(node, point.allowed.line)
    return points


def _add_line(node: chess.pgn.GameNode, line: list[chess.Move]) -> None:
    if not node.has_variation(line[0]):
        node.add_line(line)
