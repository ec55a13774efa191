"""
What an explosion looks like: one description for all that draw it.

The stills, the film, the viewer and the board to play on take their shapes,
colours, opacities and times from :data:`LOOK`; the browser gets it as JSON.

A reader has to see at first glance what an explosion does: the *zone* of
three by three squares has an outline and a wash, where nothing died too; a
burst stands on ground zero; each piece that died is there as a *ghost*,
smaller and charred, with a cross. What is in the zone and looks as always has
survived.

Renderers differ in what they know. Nothing in here has the opacity of a group
(cairosvg ignores it on a single shape, svglib everywhere), a gradient, a
filter or a nested picture, so all of them show the same.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from typing import Any

import chess
import chess.svg
from chess import Bitboard, Move, Piece, Square, SquareSet
from chess.svg import SQUARE_SIZE

from ._grid import Grid
from ._markup import fit

DEFAULT_COLORS = {
    "scorched": "#e8501e",
    "explosion": "#d9380c",
    "explosion core": "#ffd23f",
    "king cross": "#c40018",
}
"""Colours of an explosion. Override them in ``colors``, beside those of :mod:`chess.svg`."""

LOOK: dict[str, Any] = {
    # How much the wash of the zone covers, and what burns on top of it where something stood.
    "wash": 0.36,
    "scorch": 0.3,
    # The edge of the zone, inside of it so that it covers no coordinates.
    "edge": {"width": 2.4, "dark": "#8a1400", "light": "#fff3e8", "dash": "6 4"},
    # Around the origin, no larger than a square, or it would cover coordinates too.
    "burst": {
        "path": (
            "M0-23.5 4.2-13.6 12.4-19 11.6-10.2 21.4-11.2 15.4-3.6 23.6.8 14.6 4.2 18.2 13.6 9.4 11.2 8.2 21.4"
            " 1.6 13.8-4.8 22.8-7 12.6-16.4 16.6-13.2 7.8-22.6 6.6-15.4.4-21.8-7.4-12-7.2-13.8-17.6-5.2-13.2z"
        ),
        "scale": 0.92,
        "core": "rotate(17) scale(.68)",
    },
    # The black and the white of a piece that died, one of which has a contrast of 3:1 or more to what is behind it; how
    # large it is, on ground zero too, and how far to the upper left, which leaves room for the cross.
    "ghost": {"black": "#42180c", "white": "#ffdcc4", "scale": 0.8, "shift": 2, "zero": 0.58},
    # In a square: of a piece, and of a king.
    "cross": {"path": "M31 31 41 41M41 31 31 41", "edge": 6.4, "width": 3.6},
    "king cross": {"path": "M8 8 37 37M37 8 8 37", "edge": 6.6, "width": 4},
    # Times of a move in the viewer, in milliseconds: the pieces slide, the explosion flashes.
    "slide": 180,
    "blast": 420,
}


def scorched_mask(move: Move, blast: Bitboard) -> Bitboard:
    """The squares that burn: *blast* and ground zero, but not where the capturing piece came from."""
    return (blast | chess.BB_SQUARES[move.to_square]) & ~chess.BB_SQUARES[move.from_square]


def layer(
    squares: Grid,
    burst: Square | None,
    scorched: SquareSet,
    ghosts: Mapping[Square, Piece],
    colors: Mapping[str, str],
) -> tuple[str, str]:
    """What lies between squares and pieces, and the definitions it needs."""
    parts = []
    if burst is not None:
        shape, (x, y) = zone(squares, burst, colors)
        parts.append(f'<g class="zone" transform="translate({x}, {y})">{shape}</g>')
    parts += [scorch(squares, square, colors) for square in scorched]
    if burst is not None:
        center = squares.center(burst)
        place = f"translate({center[0]:g}, {center[1]:g}) scale({LOOK['burst']['scale']})"
        parts.append(f'<g class="explosion" transform="{place}">{burst_shape(colors)}</g>')
    parts += [ghost(squares, square, piece, square == burst, colors) for square, piece in ghosts.items()]
    return "".join(parts), ghost_shapes(ghosts.values())


def zone(squares: Grid, zero: Square, colors: Mapping[str, str]) -> tuple[str, tuple[int, int]]:
    """The zone around *zero* with its upper left corner at the origin, and where that is."""
    files, ranks = chess.square_file(zero), chess.square_rank(zero)
    corners = [
        squares.corner(chess.square(file, rank))
        for file in (max(files - 1, 0), min(files + 1, 7))
        for rank in (max(ranks - 1, 0), min(ranks + 1, 7))
    ]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    width = max(x for x, _ in corners) + SQUARE_SIZE - left
    height = max(y for _, y in corners) + SQUARE_SIZE - top
    return _zone_shape(width, height, *_color(colors, "scorched")), (left, top)


def _zone_shape(width: int, height: int, color: str, opacity: float) -> str:
    """A wash, and an outline that is light with dark dashes and so shows on squares of any colour."""
    look = LOOK["edge"]
    line = look["width"]
    box = (
        f'<rect x="{line / 2:g}" y="{line / 2:g}" width="{width - line:g}" height="{height - line:g}" fill="none"'
        f' stroke-width="{line:g}"'
    )
    return (
        f'<rect width="{width}" height="{height}" fill="{color}" fill-opacity="{LOOK["wash"] * opacity:.3g}"/>'
        f'{box} stroke="{look["light"]}"/>{box} stroke="{look["dark"]}" stroke-dasharray="{look["dash"]}"/>'
    )


def scorch(squares: Grid, square: Square, colors: Mapping[str, str]) -> str:
    """A square that the explosion emptied, darker than the zone."""
    x, y = squares.corner(square)
    color, opacity = _color(colors, "scorched")
    return (
        f'<rect x="{x}" y="{y}" width="{SQUARE_SIZE}" height="{SQUARE_SIZE}" class="scorched" fill="{color}"'
        f' fill-opacity="{LOOK["scorch"] * opacity:.3g}"/>'
    )


def burst_shape(colors: Mapping[str, str]) -> str:
    """A burst around the origin."""
    outer, outer_opacity = _color(colors, "explosion")
    core, core_opacity = _color(colors, "explosion core")
    look = LOOK["burst"]
    return (
        f'<path d="{look["path"]}" fill="{outer}" fill-opacity="{outer_opacity:.3g}" stroke="{core}"'
        f' stroke-width="1.2" stroke-linejoin="round"/>'
        f'<path d="{look["path"]}" transform="{look["core"]}" fill="{core}" fill-opacity="{core_opacity:.3g}"/>'
    )


def ghost(squares: Grid, square: Square, piece: Piece, zero: bool, colors: Mapping[str, str]) -> str:
    """A piece that died with its cross; on ground zero it is small, in the fire."""
    scale = LOOK["ghost"]["zero" if zero else "scale"]
    x, y = squares.corner(square)
    free = SQUARE_SIZE * (1 - scale) / 2
    shift = 0 if zero else LOOK["ghost"]["shift"]
    name = f"dead-{chess.COLOR_NAMES[piece.color]}-{chess.piece_name(piece.piece_type)}"
    king = piece.piece_type == chess.KING
    kind = "king-cross" if king else "cross"
    return (
        f'<use href="#{name}" xlink:href="#{name}" class="ghost"'
        f' transform="translate({x + free - shift:g}, {y + free - shift:g}) scale({scale:g})"/>'
        f'<g class="{kind}" transform="translate({x}, {y})">{cross_shape(king, colors)}</g>'
    )


def ghost_shapes(pieces: Iterable[Piece]) -> str:
    """The definitions of the ghosts of *pieces*."""
    return "".join(_ghost_shape(symbol) for symbol in sorted({piece.symbol() for piece in pieces}))


@functools.cache
def _ghost_shape(symbol: str) -> str:
    """The shape of a piece that died: what was black is charred, what was white singed."""
    shape = re.sub(' class="[^"]*"', "", chess.svg.PIECES[symbol].replace(' id="', ' id="dead-', 1))
    shape = re.sub("#000(000)?(?![0-9a-f])", LOOK["ghost"]["black"], shape)
    return re.sub("#(fff(fff)?|ececec)(?![0-9a-f])", LOOK["ghost"]["white"], shape)


def cross_shape(king: bool, colors: Mapping[str, str]) -> str:
    """A cross in the square at the origin."""
    color, opacity = _color(colors, "king cross")
    look = LOOK["king cross" if king else "cross"]
    path = f'd="{look["path"]}" stroke-linecap="round" stroke-opacity="{opacity:.3g}"'
    return (
        f'<path {path} stroke="#fff" stroke-width="{look["edge"]:g}"/>'
        f'<path {path} stroke="{color}" stroke-width="{look["width"]:g}"/>'
    )


def _color(colors: Mapping[str, str], key: str) -> tuple[str, float]:
    return fit(colors.get(key, DEFAULT_COLORS[key]))
