"""
Pictures of boards: :mod:`chess.svg` with explosions.

:func:`board` draws what :func:`chess.svg.board` draws, :func:`explosion` one
move with its blast, :func:`strip` a row of positions for print,
:func:`animate` a whole line in one moving picture, :func:`danger` where kings
may explode, :func:`png` any of them as a bitmap, :func:`gif` a line as one that
moves. What explodes is asked from the board, never worked out here. ``DEFAULT_COLORS`` are the colours of an
explosion: ``colors=`` overrides them, beside those of :mod:`chess.svg`.

A picture with an explosion has ids of its own, so that any number of them can
stand on one page, and no style sheet that would reach the rest of the page.
"""

from ._danger import danger, explosion_arrows
from ._grid import DrawingError
from ._pictures import DEFAULT_COLORS, Options, animate, board, describe, explosion, gif, last_move, png, strip

__all__ = [
    "DEFAULT_COLORS",
    "DrawingError",
    "Options",
    "animate",
    "board",
    "danger",
    "describe",
    "explosion",
    "explosion_arrows",
    "gif",
    "last_move",
    "png",
    "strip",
]
