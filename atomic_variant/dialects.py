"""
The rule sets of this package by name.

Importing changes nothing in python-chess. :func:`find_variant` resolves every
spelling met in the wild; :func:`register` makes python-chess itself resolve
the names of our boards in this process, until :func:`unregister`.
"""

from __future__ import annotations

import re

import chess
import chess.variant

from .board import AtomicBoard

VARIANTS: list[type[AtomicBoard]] = [AtomicBoard]
"""The boards of this package."""

# Names that no board carries among its aliases, in the form of _key().
_OTHER_NAMES: dict[str, type[AtomicBoard]] = {}


def _key(name: str) -> str:
    """*name* without case, spaces and punctuation, and without a trailing 960."""
    return re.sub(r"[\W_]+", "", name).lower().removesuffix("960")


def find_variant(name: str) -> type[chess.Board]:
    """
    The board class for the *name* of a variant, as found in PGN and protocols.

    Knows our boards in any spelling (case, spaces, punctuation, a trailing
    ``960``), then asks :func:`chess.variant.find_variant`.

    >>> find_variant("Atomic 960")
    <class 'atomic_variant.board.AtomicBoard'>
    >>> find_variant("Three-check").uci_variant
    '3check'

    :raises: :exc:`ValueError` if nobody knows the name.
    """
    key = _key(name)
    for variant in VARIANTS:
        if key in {_key(alias) for alias in [variant.uci_variant or "", *variant.aliases]}:
            return variant
    if key in _OTHER_NAMES:
        return _OTHER_NAMES[key]
    without_960 = re.sub(r"[\s_-]*960\s*$", "", name).strip()
    return chess.variant.find_variant(without_960 or name)


def register() -> None:
    """
    Makes python-chess resolve our boards by name, in this process.

    :func:`chess.variant.find_variant`, and with it :mod:`chess.pgn`, then
    gives :class:`AtomicBoard` for ``[Variant "Atomic"]``. May be called any
    number of times. Worker processes start without it; the readers of
    :mod:`atomic_variant.pgn` do not need it.
    """
    unregister()
    chess.variant.VARIANTS[:0] = VARIANTS


def unregister() -> None:
    """Undoes :func:`register`, however often that was called."""
    chess.variant.VARIANTS[:] = [variant for variant in chess.variant.VARIANTS if variant not in VARIANTS]
