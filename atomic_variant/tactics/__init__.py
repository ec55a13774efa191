"""
What the rules prove: forced wins, turning points, puzzles.
"""

from ._annotation import annotate
from ._player import player
from ._search import NodesExhaustedError, Win, find_win, winning_moves
from ._table import table
from ._threats import danger, threats
from ._turning import TurningPoint, turning_points

__all__ = [
    "NodesExhaustedError",
    "TurningPoint",
    "Win",
    "annotate",
    "danger",
    "find_win",
    "player",
    "table",
    "threats",
    "turning_points",
    "winning_moves",
]
