"""Moves as indices of the outputs of a network."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import chess

from ..pgn.arrays import unpack_move

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PLANES = 73
_DIRECTIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
_JUMPS = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if abs(x) + abs(y) == 3]
_UNDERPROMOTIONS = (chess.KNIGHT, chess.BISHOP, chess.ROOK)


class _Table(NamedTuple):
    """An order of all moves that some piece can make, seen from the mover's side."""

    indices: NDArray[np.int32]
    """By packed move, without a promotion to a queen; -1 for what is no move."""
    moves: NDArray[np.uint16]
    """The packed moves by index; 0 where an index means no move."""


def find_indices(moves: NDArray[np.uint16], turn: NDArray[np.bool_], layout: str) -> NDArray[np.int32]:
    """As :meth:`Positions.policy_index`, with who moves."""
    import numpy as np

    indices = _table(layout).indices
    codes = np.asarray(moves, np.uint16)
    if codes.shape != turn.shape:
        raise ValueError(f"expected {len(turn)} moves, but got the shape {codes.shape}")
    steps = np.where(codes >> 12 == chess.QUEEN, codes & 0xFFF, codes)
    places: NDArray[np.int32] = indices[_turned(steps, turn) & 0x7FFF]
    if (places < 0).any():
        index = int((places < 0).argmax())
        raise ValueError(f"move {index}: no piece moves so: {unpack_move(int(codes[index]))}")
    return places


def find_moves(
    index: NDArray[np.integer[Any]], turn: NDArray[np.bool_], pawns: NDArray[np.uint64], layout: str
) -> NDArray[np.uint16]:
    """As :meth:`Positions.from_policy_index`, with who moves and where the pawns stand."""
    import numpy as np

    known = _table(layout).moves
    places = np.asarray(index)
    if places.shape != turn.shape:
        raise ValueError(f"expected {len(turn)} places, but got the shape {places.shape}")
    if places.dtype.kind not in "iu":
        raise TypeError(f"expected whole numbers, but got {places.dtype}")
    bad = (places < 0) | (places >= len(known))
    codes = known[np.where(bad, 0, places)]
    bad |= codes == 0
    if bad.any():
        row = int(bad.argmax())
        raise ValueError(f"position {row}: the place {places[row]} means no move")
    codes = _turned(codes, turn)
    target = codes >> 6 & 63
    is_pawn = pawns >> (codes & 63).astype(np.uint64) & np.uint64(1) == 1
    promotes = is_pawn & (codes >> 12 == 0) & ((target >= chess.A8) | (target <= chess.H1))
    return np.where(promotes, codes | chess.QUEEN << 12, codes).astype(np.uint16)


def _turned(codes: NDArray[np.uint16], turn: NDArray[np.bool_]) -> NDArray[np.uint16]:
    """Packed moves as the mover sees them, or back: upside down for Black."""
    import numpy as np

    return codes ^ np.where(turn, 0, 56 | 56 << 6).astype(np.uint16)


@functools.cache
def _table(layout: str) -> _Table:
    """
    The table of a layout.

    :raises: :exc:`ValueError` if nobody knows it.
    """
    import numpy as np

    if layout == "alphazero":
        size = 64 * _PLANES
        places = {code: _alphazero(code) for code in _generate_moves()}
    elif layout == "compact":
        places = {code: index for index, code in enumerate(_generate_moves())}
        size = len(places)
    else:
        raise ValueError(f"expected the layout alphazero or compact, but got {layout!r}")
    indices = np.full(2**15, -1, np.int32)
    moves = np.zeros(size, np.uint16)
    for code, index in places.items():
        indices[code] = index
        moves[index] = code
    return _Table(indices, moves)


def _generate_moves() -> list[int]:
    """Steps along lines and jumps by origin and target, then promotions to other pieces than queens."""
    steps = [
        origin | target << 6
        for origin in chess.SQUARES
        for target in chess.SQUARES
        if origin != target and (_is_line(*_difference(origin, target)) or _difference(origin, target) in _JUMPS)
    ]
    promotions = [
        origin | target << 6 | piece << 12
        for origin in range(chess.A7, chess.H7 + 1)
        for target in range(chess.A8, chess.H8 + 1)
        if abs(_difference(origin, target)[0]) <= 1
        for piece in _UNDERPROMOTIONS
    ]
    return steps + promotions


def _difference(origin: int, target: int) -> tuple[int, int]:
    return (target & 7) - (origin & 7), (target >> 3) - (origin >> 3)


def _is_line(x: int, y: int) -> bool:
    return not x or not y or abs(x) == abs(y)


def _alphazero(code: int) -> int:
    """
    The index in PettingZoo's order: by file and rank of the origin, then by plane.

    The planes are the distance less one, and for each the direction from
    south-west, column by column; then the jumps, then the promotions by
    direction from left to right, to knight, bishop and rook.
    """
    origin, target, promotion = code & 63, code >> 6 & 63, code >> 12
    x, y = _difference(origin, target)
    if promotion:
        plane = 64 + 3 * (x + 1) + _UNDERPROMOTIONS.index(promotion)
    elif (x, y) in _JUMPS:
        plane = 56 + _JUMPS.index((x, y))
    else:
        distance = max(abs(x), abs(y))
        plane = 8 * (distance - 1) + _DIRECTIONS.index((x // distance, y // distance))
    return ((origin & 7) * 8 + (origin >> 3)) * _PLANES + plane
