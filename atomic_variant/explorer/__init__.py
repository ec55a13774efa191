"""
An opening explorer of one's own: from many games to one file that answers at once.

* :func:`build` counts the moves of the first positions of games into a file,
  :func:`merge` joins such files.
* :func:`open` gives a :class:`Book`, which tells of a position what was played
  and how the games ended, writes books for engines, and trees.
* :class:`OpeningNames` knows the names of openings by their positions.

Building needs numpy, the extra ``arrays``; looking up needs nothing.
"""

from ._book import Book, Counts, KeptGame, Row
from ._book import open_book as open
from ._build import build, merge
from ._names import Opening, OpeningNames

__all__ = ["Book", "Counts", "KeptGame", "Opening", "OpeningNames", "Row", "build", "merge", "open"]
