"""The positions of ``positions.py`` as Hypothesis strategies, for properties."""

import chess
import pytest

pytest.importorskip("hypothesis")

from hypothesis import strategies as st

from .positions import construct


@st.composite
def boards(draw):
    """Constructed positions of :func:`construct`, simplified by Hypothesis if one fails."""
    return construct(lambda options: draw(st.sampled_from(options)))


@st.composite
def boards_and_legal_moves(draw):
    """A constructed position that has legal moves, and one of them."""
    board = draw(boards().filter(lambda board: any(board.legal_moves)))
    return board, draw(st.sampled_from(list(board.legal_moves)))


def moves():
    """Moves from anywhere to anywhere, most of them nonsense."""
    squares = st.sampled_from(chess.SQUARES)
    return st.builds(chess.Move, squares, squares, st.sampled_from([None, None, *chess.PIECE_TYPES]))


def masks():
    """Any set of squares."""
    return st.integers(0, chess.BB_ALL)
