"""
What the rules prove: forced wins, turning points, puzzles.
"""

from ._search import NodesExhaustedError, Win, find_win, winning_moves

__all__ = ["NodesExhaustedError", "Win", "find_win", "winning_moves"]
