"""Where :mod:`chess.svg` put the squares of a picture."""

from __future__ import annotations

import re
from typing import NamedTuple

import chess
from chess import Square
from chess.svg import SQUARE_SIZE

_RECT = re.compile(r'<rect x="(\d+)" y="(\d+)"')


class DrawingError(RuntimeError):
    """
    The installed version of :mod:`chess.svg` draws otherwise than this one knows.

    Explosions are put between the squares and the pieces of its pictures.
    """


class Grid(NamedTuple):
    """Where the squares are, whatever the margins and the orientation."""

    left: int
    top: int
    """The corner of a1."""
    step: int
    """One file to the right in the picture, negative for Black's view."""

    def corner(self, square: Square) -> tuple[int, int]:
        """The upper left corner of *square*."""
        return self.left + chess.square_file(square) * self.step, self.top - chess.square_rank(square) * self.step

    def center(self, square: Square) -> tuple[float, float]:
        x, y = self.corner(square)
        return x + SQUARE_SIZE / 2, y + SQUARE_SIZE / 2


def grid(picture: str) -> Grid:
    """
    The grid of a picture by :mod:`chess.svg`: its squares carry their names.

    :raises: :exc:`DrawingError` if they do not.
    """
    a1, b1 = (_RECT.match(picture, _square_at(picture, name)) for name in ("a1", "b1"))
    if not a1 or not b1 or abs(int(b1[1]) - int(a1[1])) != SQUARE_SIZE:
        raise unknown_drawing("squares that are rectangles of 45 units")
    return Grid(int(a1[1]), int(a1[2]), int(b1[1]) - int(a1[1]))


def _square_at(picture: str, name: str) -> int:
    try:
        return picture.rindex("<rect ", 0, picture.index(f' {name}" stroke="none"'))
    except ValueError:
        raise unknown_drawing(f"a rectangle for {name}") from None


def view(picture: str) -> int:
    """The width, and height, of the coordinates of a picture."""
    match = re.search(r'viewBox="0 0 (\d+) \1"', picture)
    if not match:
        raise unknown_drawing("a square viewBox")
    return int(match[1])


def unknown_drawing(missing: str) -> DrawingError:
    return DrawingError(
        f"chess.svg of python-chess {chess.__version__} draws otherwise than expected: its picture has no {missing}"
    )
