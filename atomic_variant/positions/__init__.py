"""
Many positions at once, as numpy arrays: for training and statistics.

* :class:`Positions` holds a batch and answers for all of it: legal moves and
  masks, explosions at hand, checks, endings, forced wins, planes and indices
  for networks; it plays moves and random games.
* :func:`atomic_variant.pgn.scan_positions` makes batches from files of games.

The compiled kernel answers, without a board for each position; without it, or
for a dialect of one's own that changes what moves are legal, the boards do.
Needs numpy, the extra ``arrays``.
"""

from ._bulk import KINDS
from ._positions import Endings, LegalMoves, Positions

__all__ = ["KINDS", "Endings", "LegalMoves", "Positions"]
