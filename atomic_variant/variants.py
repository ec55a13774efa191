"""
The registry: the rule sets of this package by name.

Importing changes nothing in python-chess. :func:`find_variant` resolves every
spelling met in the wild; :func:`register` makes python-chess itself resolve
the names of our boards in this process, until :func:`unregister`.
"""

from __future__ import annotations

import re
from typing import TypeAlias

import chess
import chess.variant

from .boards import AtomicBoard, Buho21AtomicBoard, ChessPlayXAtomicBoard, IccAtomicBoard, SparkBoard

AnyBoard: TypeAlias = AtomicBoard | SparkBoard
"""
The boards of this package, for annotations and ``isinstance``.

Beyond the interface of :class:`chess.Board` they share ``why_illegal``,
``describe_outcome`` and ``kings_touch``.
"""

VARIANTS: list[type[AnyBoard]] = [
    AtomicBoard,
    ChessPlayXAtomicBoard,
    IccAtomicBoard,
    Buho21AtomicBoard,
    SparkBoard,
]
"""The boards of this package. Append a board of your own to have it found and registered too."""


def _key(name: str) -> str:
    """*name* without case, spaces and punctuation, and without a trailing 960."""
    return re.sub(r"[\W_]+", "", name).lower().removesuffix("960")


def find_variant(name: str) -> type[chess.Board]:
    """
    The board class for the *name* of a variant, as found in PGN and protocols.

    Knows our boards in any spelling (case, spaces, punctuation, a trailing
    ``960``), then asks :func:`chess.variant.find_variant`.

    >>> find_variant("Atomic 960")
    <class 'atomic_variant.boards.atomic.AtomicBoard'>
    >>> find_variant("wild/27")
    <class 'atomic_variant.boards.dialects.IccAtomicBoard'>
    >>> find_variant("Three-check").uci_variant
    '3check'

    :raises: :exc:`ValueError` if nobody knows the name.
    """
    key = _key(name)
    for variant in VARIANTS:
        if key in {_key(alias) for alias in [variant.uci_variant or "", *variant.aliases]}:
            return variant
    without_960 = re.sub(r"[\s_-]*960\s*$", "", name).strip()
    return chess.variant.find_variant(without_960 or name)


def register() -> None:
    """
    Makes python-chess resolve our boards by name, in this process.

    :func:`chess.variant.find_variant`, and with it :mod:`chess.pgn`, then
    gives :class:`AtomicBoard` for ``[Variant "Atomic"]``. May be called any
    number of times. Worker processes start without it; the readers of
    :mod:`atomic_variant.pgn` do not need it.

    python-chess compares names letter by letter (but for case), so it finds
    the ``aliases`` of our boards and no other spelling; and its PGN reader
    cuts the ``>`` of Spark Chess out of the moves, which then fail.
    """
    unregister()
    chess.variant.VARIANTS[:0] = VARIANTS


def unregister() -> None:
    """Undoes :func:`register`, however often that was called."""
    chess.variant.VARIANTS[:] = [variant for variant in chess.variant.VARIANTS if variant not in VARIANTS]
