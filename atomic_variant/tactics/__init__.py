"""
What the rules prove: forced wins, turning points, puzzles. No engine is needed.

* :func:`find_win` and :func:`winning_moves`: wins within so many moves,
  against every defence; ``None`` and an empty table are as exact.
* :func:`threats` and :func:`danger`: what hangs over a king.
* :func:`turning_points` and :func:`annotate`: where a game was given away.
* :func:`table`: the same for files of games, a row for each move.
* :func:`puzzles`: positions of games with one way to win.
* :func:`player`: an opponent that wins when it can.

The search in Python is the reference and takes boards of any rules; the
compiled kernel has its twin for the boards of atomic chess and its dialects.
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
