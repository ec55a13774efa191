"""
Ids, titles, captions and colours in pictures by :mod:`chess.svg`.

What comes in as text is escaped here and nowhere else.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from xml.sax.saxutils import escape

import chess.svg
from chess.svg import SQUARE_SIZE, SvgWrapper

from ..text import plain_text
from ._grid import unknown_drawing, view

CAPTION_HEIGHT = 36


class Picture(SvgWrapper):
    """A picture that shows itself in every front end: some take nothing but a plain string."""

    def _repr_svg_(self) -> str:  # type: ignore[override]
        return str(self)

    def _repr_html_(self) -> str:  # type: ignore[override]
        return str(self)


def fit(color: str) -> tuple[str, float]:
    """A colour as chess.svg understands it, ``#rrggbbaa`` included, fit for an attribute, and its opacity."""
    if match := re.fullmatch(r"(#[0-9A-Fa-f]{3})([0-9A-Fa-f])", color):
        return match[1], int(match[2], 16) / 0xF
    if match := re.fullmatch(r"(#[0-9A-Fa-f]{6})([0-9A-Fa-f]{2})", color):
        return match[1], int(match[2], 16) / 0xFF
    return escape(color, {'"': "&quot;"}), 1.0


def define(picture: str, defs: str) -> str:
    """*picture* with *defs* among its definitions."""
    empty = "<defs />"
    if empty in picture:
        return picture.replace(empty, f"<defs>{defs}</defs>", 1)
    if "</defs>" not in picture:
        raise unknown_drawing("definitions")
    return picture.replace("</defs>", f"{defs}</defs>", 1)


def with_title(picture: str, title: str) -> str:
    text = escape(plain_text(title))
    label = escape(plain_text(title), {'"': "&quot;"})
    end = picture.index(">")
    return f'{picture[:end]} role="img" aria-label="{label}"><title>{text}</title>{picture[end + 1 :]}'


def prefix_for(picture: str, prefix: str | None = None) -> str:
    """
    What begins the ids in *picture*: *prefix*, by default a digest of it.

    Equal pictures share their ids, and different ones do not.

    :raises: :exc:`ValueError` for a prefix that cannot begin an id.
    """
    if prefix is None:
        return f"av{hashlib.blake2b(picture.encode('utf-8', 'replace'), digest_size=5).hexdigest()}"
    if not re.fullmatch(r"[A-Za-z_][\w-]*", prefix, re.ASCII):
        raise ValueError(f"expected a prefix of letters, digits, '_' and '-', got {prefix!r}")
    return prefix


def with_id_prefix(picture: str, prefix: str) -> str:
    """
    *picture* with *prefix* before every id, and before every reference to one.

    Colours may refer to definitions elsewhere on the page; they stay.
    """
    for before, after in ((' id="', ""), ('href="#', ""), ("url(#", "check_gradient")):
        picture = picture.replace(before + after, f"{before}{prefix}-{after}")
    return picture


# --- Captions and plain squares ----------------------------------------------


def square_shape(x: int, y: int, color: str) -> str:
    """A square with its upper left corner at a point."""
    fill, opacity = fit(color)
    box = f'x="{x}" y="{y}" width="{SQUARE_SIZE}" height="{SQUARE_SIZE}"'
    return f'<rect {box} fill="{fill}" fill-opacity="{opacity:.3g}"/>'


def with_room_below(picture: str, colors: Mapping[str, str]) -> str:
    """*picture* with room for :func:`caption_below`."""
    width = view(picture)
    height = width + CAPTION_HEIGHT
    picture = picture.replace(f'viewBox="0 0 {width} {width}"', f'viewBox="0 0 {width} {height}"', 1)
    head, end, body = picture.partition(">")
    head = re.sub(r' height="(\d+)"', lambda match: f' height="{int(match[1]) * height // width}"', head)
    return head + end + caption("", 0, width, width, CAPTION_HEIGHT, colors) + body


def caption_below(picture: str, text: str, colors: Mapping[str, str]) -> str:
    """A caption in the room below a picture by chess.svg."""
    width = view(picture)
    return caption(text, 0, width, width, CAPTION_HEIGHT, colors)


def caption(text: str, x: float, y: float, width: float, height: float, colors: Mapping[str, str]) -> str:
    """A line of text on the colour of the board's margin, readable on any page."""
    margin, _ = fit(colors.get("margin", chess.svg.DEFAULT_COLORS["margin"]))
    color, _ = fit(colors.get("coord", chess.svg.DEFAULT_COLORS["coord"]))
    return (
        f'<g><rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{margin}"/>'
        f'<text x="{x + width / 2}" y="{y + height * 0.66}" fill="{color}" font-family="sans-serif"'
        f' font-size="{height / 2}" text-anchor="middle">{escape(plain_text(text, 60))}</text></g>'
    )
