"""The front end as one ES module, with the shapes and colours of :mod:`chess.svg`."""

from __future__ import annotations

import functools
import json
import re
from importlib import resources

import chess.svg

from ..svg import _shapes


@functools.cache
def module(name: str) -> str:
    """
    The text of the front end ``viewer.js`` or ``play.js``, complete in itself.

    The pieces are those of python-chess, so that they look the same in
    pictures and in the viewer, and are not copied into this package.

    >>> module("viewer.js").startswith("const ART = {")
    True
    """
    return f"const ART = {_art()};\n{text('board.js')}\n{text(name)}"


def _art() -> str:
    # Inline shapes need no ids, so that pages with many boards have no doubles.
    pieces = {symbol: re.sub(r' (id|class)="[^"]*"', "", shape) for symbol, shape in chess.svg.PIECES.items()}
    keys = (
        "square light", "square dark", "square dark lastmove", "square light lastmove", "margin", "coord",
    )  # fmt: skip
    colors = {key: chess.svg.DEFAULT_COLORS[key] for key in keys} | _shapes.DEFAULT_COLORS
    return json.dumps({"pieces": pieces, "colors": colors, "burst": _shapes.BURST})


def text(name: str) -> str:
    """The text of a script or style sheet beside this module."""
    return (resources.files(__package__) / name).read_text(encoding="utf-8")
