"""Where a game starts: the board that its headers tell."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import TypeAlias

import chess

from .. import variants
from .game import NO_NAME, Headers

Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""Headers, as pairs of name and value."""


def starting_headers(pairs: Iterable[tuple[str, str]]) -> Pairs:
    """The headers that tell where a game starts; few different ones, for the cache of :func:`find_start`."""
    pairs = list(pairs)
    is_named = dict(pairs).get("Variant", "").strip() not in NO_NAME  # The last one counts.
    # Event and Site only count where Variant says nothing, and every game may have its own.
    tags = ("Variant", "FEN") if is_named else ("Variant", "FEN", "Event", "Site")
    return tuple(pair for pair in pairs if pair[0] in tags)


_MAX_REMEMBERED = 500


def find_start(headers: Pairs, variant: type[chess.Board] | None) -> tuple[str, str, chess.Board] | None:
    """
    What the variant was concluded from, the starting position and its board; ``None`` if they are wrong.

    *headers* are those that :func:`starting_headers` picks. The board is shared: copy it.
    """
    # A cache is for texts that come again; what is longer than any FEN and name is forgotten with its game.
    is_usual = sum(len(value) for _, value in headers) <= _MAX_REMEMBERED
    find = _find_start if is_usual else _find_start.__wrapped__
    return find(headers, variant, variants.version())  # type: ignore[arg-type] # Classes are hashable.


@functools.lru_cache(maxsize=64)
def _find_start(headers: Pairs, variant: type[chess.Board] | None, version: int) -> tuple[str, str, chess.Board] | None:
    known = Headers(headers)
    known.default_variant = variant
    try:
        board = known.board()
    except ValueError:
        return None
    return known.variant_source, board.fen(), board
