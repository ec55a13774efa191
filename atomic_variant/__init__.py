"""
Atomic chess for python-chess.

:class:`AtomicBoard` is a :class:`chess.Board` whose captures explode:

>>> import atomic_variant
>>> board = atomic_variant.AtomicBoard("rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3")
>>> board.push_san("Nxe7#")
Move.from_uci('d5e7')
>>> print(board)
r n b . . . n r
p p p . . p p p
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
P P P P P P P P
R . B Q K B N R
>>> board.describe_outcome()
'White wins: the black king exploded on e8'

:class:`ChessPlayXAtomicBoard`, :class:`IccAtomicBoard` and
:class:`Buho21AtomicBoard` are dialects of it; :class:`SparkBoard` plays
Spark Chess, which is not atomic.

Submodules: :mod:`atomic_variant.dialects` (rule sets by name),
:mod:`atomic_variant.pgn` with :mod:`atomic_variant.pgn.arrays` (reading games),
:mod:`atomic_variant.positions` (many positions at once),
:mod:`atomic_variant.tactics` (forced wins, proved),
:mod:`atomic_variant.explorer` (what was played in openings),
:mod:`atomic_variant.svg` and :mod:`atomic_variant.notebook` (pictures and
widgets), :mod:`atomic_variant.report` (games as one HTML file),
:mod:`atomic_variant.statistics` (how games end),
:mod:`atomic_variant.engine` and :mod:`atomic_variant.tablebase`,
:mod:`atomic_variant.perft`.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .boards import AtomicBoard, Buho21AtomicBoard, ChessPlayXAtomicBoard, IccAtomicBoard, SparkBoard
    from .kernel import kernel_active
    from .variants import VARIANTS, find_variant, register, unregister

__all__ = [
    "VARIANTS",
    "AtomicBoard",
    "Buho21AtomicBoard",
    "ChessPlayXAtomicBoard",
    "IccAtomicBoard",
    "SparkBoard",
    "find_variant",
    "kernel_active",
    "register",
    "unregister",
]
__version__ = "0.1.0"

_HOMES = {
    "boards": ("AtomicBoard", "Buho21AtomicBoard", "ChessPlayXAtomicBoard", "IccAtomicBoard", "SparkBoard"),
    "kernel": ("kernel_active",),
    "variants": ("VARIANTS", "find_variant", "register", "unregister"),
}


def __getattr__(name: str) -> Any:
    # The rules, and chess itself, are loaded when somebody asks for them: the
    # command line has answers that need neither.
    for home, names in _HOMES.items():
        if name == home or name in names:
            module = importlib.import_module(f"{__name__}.{home}")
            value = module if name == home else getattr(module, name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
