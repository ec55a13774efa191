"""
The rules: boards that know no files, pictures or engines.

:mod:`.rules` says what one move does, in plain words; :mod:`.movegen` the
same for a whole position at once, as masks. :mod:`.atomic` has the board,
:mod:`.dialects` and :mod:`.spark` its siblings, :mod:`.notation` moves as
text, :mod:`.endings` how games end, :mod:`.reasons` why moves are illegal.
"""

from .atomic import AtomicBoard
from .dialects import Buho21AtomicBoard, ChessPlayXAtomicBoard, IccAtomicBoard
from .spark import SparkBoard

__all__ = ["AtomicBoard", "Buho21AtomicBoard", "ChessPlayXAtomicBoard", "IccAtomicBoard", "SparkBoard"]
