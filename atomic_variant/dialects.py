"""
The rule sets and their names, under the path that they had in 0.1.0; see :mod:`atomic_variant`.

``AnyBoard`` is for annotations and ``isinstance``: a board of this package.
"""

from .boards import Buho21AtomicBoard, ChessPlayXAtomicBoard, IccAtomicBoard
from .variants import VARIANTS, AnyBoard, find_variant, register, unregister

__all__ = [
    "VARIANTS",
    "AnyBoard",
    "Buho21AtomicBoard",
    "ChessPlayXAtomicBoard",
    "IccAtomicBoard",
    "find_variant",
    "register",
    "unregister",
]
