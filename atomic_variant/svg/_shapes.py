"""
The shapes of an explosion, in the coordinates of a picture by :mod:`chess.svg`.

What comes in as text is escaped here and nowhere else.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import NamedTuple
from xml.sax.saxutils import escape

import chess
import chess.svg
from chess import Bitboard, Move, Piece, Square, SquareSet
from chess.svg import SQUARE_SIZE

from ..text import plain_text

DEFAULT_COLORS = {
    "scorched": "#35231b",
    "explosion": "#d9380c",
    "explosion core": "#ffd23f",
    "king cross": "#c40018",
}
"""Colours of an explosion. Override them in ``colors``, beside those of :mod:`chess.svg`."""

BURST = (
    "M0-23.5 4.2-13.6 12.4-19 11.6-10.2 21.4-11.2 15.4-3.6 23.6.8 14.6 4.2 18.2 13.6 9.4 11.2 8.2 21.4"
    " 1.6 13.8-4.8 22.8-7 12.6-16.4 16.6-13.2 7.8-22.6 6.6-15.4.4-21.8-7.4-12-7.2-13.8-17.6-5.2-13.2z"
)
"""The path of a burst around the origin, as large as a square of :mod:`chess.svg`."""

GHOST_OPACITY = 0.5

_RECT = re.compile(r'<rect x="(\d+)" y="(\d+)"')

CAPTION_HEIGHT = 36


def scorched_mask(move: Move, blast: Bitboard) -> Bitboard:
    """The squares that burn: *blast* and ground zero, but not where the capturing piece came from."""
    return (blast | chess.BB_SQUARES[move.to_square]) & ~chess.BB_SQUARES[move.from_square]


# --- The layer of an explosion ----------------------------------------------


def explosion_layer(
    picture: str,
    burst: Square | None,
    scorched: SquareSet,
    ghosts: Mapping[Square, Piece],
    colors: Mapping[str, str],
) -> tuple[str, str]:
    """What lies between squares and pieces, and the definitions it needs."""
    squares = grid(picture)
    layer = []
    defs = []
    if scorched:
        color, opacity = _color(colors, "scorched")
        if burst is None:
            fill = f'fill="{color}" fill-opacity="{0.6 * opacity:.2f}"'
        else:
            defs.append(scorch_gradient("scorched", *squares.center(burst), color, opacity))
            fill = 'fill="url(#scorched)"'
        for square in scorched:
            x, y = squares.corner(square)
            layer.append(
                f'<rect x="{x}" y="{y}" width="{SQUARE_SIZE}" height="{SQUARE_SIZE}" class="scorched" {fill}/>'
            )
    if burst is not None:
        layer.append(f'<g class="explosion" {burst_place(squares, burst)}>{burst_shape(colors)}</g>')
    for square, piece in ghosts.items():
        x, y = squares.corner(square)
        name = f"{chess.COLOR_NAMES[piece.color]}-{chess.piece_name(piece.piece_type)}"
        if f'id="{name}"' not in picture and not any(f'id="{name}"' in shape for shape in defs):
            defs.append(chess.svg.PIECES[piece.symbol()])
        # On ground zero a small ghost stands in the fire.
        place = f"translate({x + 9}, {y + 9}) scale(.6)" if square == burst else f"translate({x}, {y})"
        layer.append(
            f'<use href="#{name}" xlink:href="#{name}" class="ghost" opacity="{GHOST_OPACITY}" transform="{place}"/>'
        )
        if piece.piece_type == chess.KING:
            layer.append(f'<g class="king-cross" transform="translate({x}, {y})">{king_cross(colors)}</g>')
    return "".join(layer), "".join(defs)


def scorch_gradient(name: str, x: float, y: float, color: str, opacity: float = 1.0) -> str:
    """A radial gradient, darkest at ground zero, as wide as a blast."""
    stops = "".join(
        f'<stop offset="{offset}" stop-color="{color}" stop-opacity="{share * opacity:.2f}"/>'
        for offset, share in ((0.1, 0.85), (0.5, 0.58), (1, 0.3))
    )
    return (
        f'<radialGradient id="{name}" gradientUnits="userSpaceOnUse" cx="{x}" cy="{y}" r="{2 * SQUARE_SIZE}">'
        f"{stops}</radialGradient>"
    )


def burst_shape(colors: Mapping[str, str]) -> str:
    """A burst around the origin."""
    outer, outer_opacity = _color(colors, "explosion")
    core, core_opacity = _color(colors, "explosion core")
    return (
        f'<path d="{BURST}" fill="{outer}" fill-opacity="{outer_opacity:.2f}" stroke="{core}" stroke-width="1.2"'
        f' stroke-linejoin="round"/>'
        f'<path d="{BURST}" transform="rotate(17) scale(.68)" fill="{core}" fill-opacity="{core_opacity:.2f}"/>'
        f'<circle r="8" fill="#fff" fill-opacity="{0.6 * core_opacity:.2f}"/>'
    )


def burst_place(squares: Grid, square: Square) -> str:
    """The attribute that puts a burst on *square*, reaching over its edges."""
    x, y = squares.center(square)
    return f'transform="translate({x}, {y}) scale(1.4)"'


def king_cross(colors: Mapping[str, str]) -> str:
    """A cross over the square at the origin."""
    color, opacity = _color(colors, "king cross")
    path = "M10 10 35 35M35 10 10 35"
    return (
        f'<path d="{path}" stroke="#fff" stroke-width="8" stroke-linecap="round" opacity="{0.9 * opacity:.2f}"/>'
        f'<path d="{path}" stroke="{color}" stroke-width="5" stroke-linecap="round" opacity="{opacity:.2f}"/>'
    )


def _color(colors: Mapping[str, str], key: str) -> tuple[str, float]:
    return _fit(colors.get(key, DEFAULT_COLORS[key]))


def _fit(color: str) -> tuple[str, float]:
    """A colour as chess.svg understands it, ``#rrggbbaa`` included, fit for an attribute."""
    if match := re.fullmatch(r"(#[0-9A-Fa-f]{3})([0-9A-Fa-f])", color):
        return match[1], int(match[2], 16) / 0xF
    if match := re.fullmatch(r"(#[0-9A-Fa-f]{6})([0-9A-Fa-f]{2})", color):
        return match[1], int(match[2], 16) / 0xFF
    return escape(color, {'"': "&quot;"}), 1.0


class Grid(NamedTuple):
    """Where chess.svg put the squares, whatever the margins and the orientation."""

    left: int
    top: int
    """The corner of a1."""
    step: int
    """One file to the right in the picture, negative for Black's view."""

    def corner(self, square: Square) -> tuple[int, int]:
        """The upper left corner of *square*."""
        return self.left + chess.square_file(square) * self.step, self.top - chess.square_rank(square) * self.step

    def center(self, square: Square) -> tuple[float, float]:
        x, y = self.corner(square)
        return x + SQUARE_SIZE / 2, y + SQUARE_SIZE / 2


def grid(picture: str) -> Grid:
    """The grid of a picture by chess.svg: its squares carry their names."""
    a1, b1 = (
        _RECT.match(picture, picture.rindex("<rect ", 0, picture.index(f' {name}" stroke="none"')))
        for name in ("a1", "b1")
    )
    assert a1, "chess.svg draws squares as rectangles"
    assert b1, "chess.svg draws squares as rectangles"
    return Grid(int(a1[1]), int(a1[2]), int(b1[1]) - int(a1[1]))


def define(picture: str, defs: str) -> str:
    empty = "<defs />"
    if empty in picture:
        return picture.replace(empty, f"<defs>{defs}</defs>", 1)
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
    for before, after in ((' id="', ""), ('href="#', ""), ("url(#", "check_gradient"), ("url(#", "scorched")):
        picture = picture.replace(before + after, f"{before}{prefix}-{after}")
    return picture


# --- Captions and plain squares ----------------------------------------------


def square_shape(squares: Grid, square: Square, color: str, opacity: float = 1.0) -> str:
    """A rectangle over *square*."""
    x, y = squares.corner(square)
    color, share = _fit(color)
    return (
        f'<rect x="{x}" y="{y}" width="{SQUARE_SIZE}" height="{SQUARE_SIZE}" fill="{color}"'
        f' fill-opacity="{opacity * share:.2f}"/>'
    )


def _view(picture: str) -> int:
    """The width, and height, of the coordinates of a picture by chess.svg."""
    match = re.search(r'viewBox="0 0 (\d+) \d+"', picture)
    assert match, "chess.svg says how large its pictures are"
    return int(match[1])


def with_room_below(picture: str, colors: Mapping[str, str]) -> str:
    """*picture* with room for :func:`caption_below`."""
    view = _view(picture)
    height = view + CAPTION_HEIGHT
    picture = picture.replace(f'viewBox="0 0 {view} {view}"', f'viewBox="0 0 {view} {height}"', 1)
    head, end, body = picture.partition(">")
    head = re.sub(r' height="(\d+)"', lambda match: f' height="{int(match[1]) * height // view}"', head)
    return head + end + caption("", 0, view, view, CAPTION_HEIGHT, colors) + body


def caption_below(picture: str, text: str, colors: Mapping[str, str]) -> str:
    """A caption in the room below a picture by chess.svg."""
    view = _view(picture)
    return caption(text, 0, view, view, CAPTION_HEIGHT, colors)


def caption(text: str, x: float, y: float, width: float, height: float, colors: Mapping[str, str]) -> str:
    """A line of text on the colour of the board's margin, readable on any page."""
    margin, _ = _fit(colors.get("margin", chess.svg.DEFAULT_COLORS["margin"]))
    color, _ = _fit(colors.get("coord", chess.svg.DEFAULT_COLORS["coord"]))
    return (
        f'<g><rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{margin}"/>'
        f'<text x="{x + width / 2}" y="{y + height * 0.66}" fill="{color}" font-family="sans-serif"'
        f' font-size="{height / 2}" text-anchor="middle">{escape(plain_text(text, 60))}</text></g>'
    )
