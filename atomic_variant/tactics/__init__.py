"""
What the rules prove: forced wins, turning points, puzzles.
"""

from ._annotation import annotate
from ._player import player
from ._puzzles import Puzzle, puzzles
from ._search import NodesExhaustedError, Win, find_win, winning_moves
from ._table import table
from ._threats import danger, threats
from ._turning import TurningPoint, turning_points

__all__ = [
    "NodesExhaustedError",
    "Puzzle",
    "TurningPoint",
    "Win",
    "annotate",
    "danger",
    "find_win",
    "player",
    "puzzles",
    "table",
    "threats",
    "turning_points",
    "winning_moves",
]
