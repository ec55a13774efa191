"""Results of games, in the spellings that stand in files."""

from __future__ import annotations

import re

LEGAL_RESULTS = frozenset({"1-0", "0-1", "1/2-1/2", "*"})
"""The results as they should be written."""

_DASHES = re.compile("[\u2010-\u2015\u2212]")
_FORFEIT = re.compile(r"\s*\(?(?:ff?|forfeit|default|w/?o)\)?\.?$", re.IGNORECASE)
# "1/2 - 1/2", "0,5:0,5", "1-O": the points of both sides.
_POINTS = re.compile(r"(1/2|0?[.,]5|[01O])(?:[.,]0)?\s*[-:]\s*(1/2|0?[.,]5|[01O])(?:[.,]0)?", re.IGNORECASE)
_BY_POINTS = {
    ("1", "0"): "1-0",
    ("0", "1"): "0-1",
    ("1/2", "1/2"): "1/2-1/2",
    # Both have lost, or one has half a point and the other none: no result of a game.
    ("0", "0"): "*",
    ("1/2", "0"): "*",
    ("0", "1/2"): "*",
}
_SIGNS = {"1/2": "1/2-1/2", "*": "*", "=-=": "1/2-1/2", "=:=": "1/2-1/2"}
# Forfeits as pairing programs write them. Among moves these are signs.
_FORFEITS = {"+/-": "1-0", "+:-": "1-0", "+--": "1-0", "-/+": "0-1", "-:+": "0-1", "--+": "0-1", "-/-": "*", "-:-": "*"}
_MAX_SIZE = 64  # Characters of the longest result, with room to spare.
_SAYS_NOTHING = frozenset({"", "?", "??", "-", "--", "---"})


def normal_result(text: str) -> str | None:
    """
    The one of ``1-0``, ``0-1``, ``1/2-1/2`` and ``*`` that *text* means, or ``None`` if it is no result.

    >>> [normal_result(text) for text in ["½-½", "0.5-0.5", "1:0", "0 – 1", "1-0 ff", "0-0", "White"]]
    ['1/2-1/2', '1/2-1/2', '1-0', '0-1', '1-0', '*', None]
    """
    if text in LEGAL_RESULTS:
        return text
    if len(text) > _MAX_SIZE:
        return None
    text = _FORFEIT.sub("", _DASHES.sub("-", text).replace("½", "1/2").strip(" \t.,'\"`\u201c\u201d"))
    match = _POINTS.fullmatch(text)
    if match is None:
        return _SIGNS.get(text)
    points = (
        "1/2" if "5" in side or "/" in side else side.replace("o", "0").replace("O", "0") for side in match.groups()
    )
    return _BY_POINTS.get(tuple(points))  # type: ignore[arg-type] # There are two.


def header_result(value: str) -> str | None:
    """
    The result that a ``Result`` header means, ``*`` where it says nothing, ``None`` if it is no result.

    >>> [header_result(value) for value in ["1-0 ", "+/-", "?", "", "adjourned"]]
    ['1-0', '1-0', '*', '*', None]
    """
    value = value.strip()
    if len(value) > _MAX_SIZE:
        return None
    if value in _SAYS_NOTHING:
        return "*"
    return normal_result(value) or _FORFEITS.get(_DASHES.sub("-", value))
