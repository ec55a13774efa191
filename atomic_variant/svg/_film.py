"""
A line as one moving picture, for :func:`atomic_variant.svg.animate`.

Under the film lies the end of the line as a still, which is all that is seen
where pictures do not move. What moves is animated once for the whole line:
each piece with its ways, each piece that dies with its ghost, and one burst,
one tint and one strip of captions that go from move to move. So a long game
needs hardly more animations than a short one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import chess
import chess.svg
from chess import Piece, Square
from chess.svg import SQUARE_SIZE

from . import _explosion, _markup
from . import _steps as steps
from ._grid import Grid, grid, view

# Times in moves. A piece arrives, things explode, the dead fade, the squares are empty.
_SLIDE = 0.3
_FLASH = 0.1
_FADE = 0.58
_GONE = 0.72
_REST = 2.0  # At the end.
_INSTANT = 0.002


class _Key(NamedTuple):
    """Where a piece is, and whether it is seen, from a time on."""

    time: float
    square: Square
    opacity: int


class _Cast:
    """The pieces of a line, each with its keys in time (in moves), and those that die."""

    def __init__(self, start: chess.Board) -> None:
        self.board = start.copy(stack=False)
        self.actors: list[tuple[Piece, list[_Key]]] = []
        self.on: dict[Square, tuple[Piece, list[_Key]]] = {}
        self.deaths: list[tuple[Piece, Square, bool, float]] = []
        """A piece, where it died, whether on ground zero, and when."""
        for square, piece in start.piece_map().items():
            self._enter(square, piece, None)

    def _enter(self, square: Square, piece: Piece, time: float | None) -> None:
        keys = [_Key(0, square, 1)]
        if time is not None:
            keys = [_Key(0, square, 0), _Key(time, square, 0), _Key(time + _INSTANT, square, 1)]
        self.actors.append((piece, keys))
        self.on[square] = piece, keys

    def _leave(self, square: Square, time: float) -> None:
        _, keys = self.on.pop(square, (None, []))
        if keys:
            at = keys[-1].square
            keys += [_Key(time, at, 1), _Key(time + _INSTANT, at, 0)]

    def make(self, move: chess.Move, time: float) -> steps.Step:
        """Makes *move*, which begins at *time*."""
        step = steps.take(self.board, move)
        landed = time + _SLIDE
        # Two pieces may change places, so all leave before any arrives.
        moved = [(target, self.on.pop(origin, None)) for origin, target in step.slides]
        if step.blast:
            for square in chess.scan_forward(step.blast | chess.BB_SQUARES[move.to_square]):
                if square in self.on:
                    self.deaths.append((self.on[square][0], square, square == move.to_square, landed))
                    self._leave(square, landed)
        for target, actor in moved:
            if actor:
                actor[1].extend([_Key(time, actor[1][-1].square, 1), _Key(landed, target, 1)])
                self._leave(target, landed)
                self.on[target] = actor
                if step.blast:
                    self._leave(target, landed)  # Into the fire.
        for square, piece in step.changes.items():
            self._leave(square, landed)
            if piece:
                self._enter(square, piece, landed)
        return step


def draw(
    line: steps.Line,
    empty: str,
    *,
    seconds: float,
    repeat: bool,
    captions: bool,
    title: str,
    id_prefix: str | None,
    colors: Mapping[str, str],
) -> str:
    """The film of *line* on *empty*, a picture of an empty board."""
    cast = _Cast(line.start)
    taken = [cast.make(move, ply + 1.0) for ply, move in enumerate(line.moves)]
    film = _Film(grid(empty), colors, total=len(taken) + 1 + _REST)
    film.tint(taken)
    film.mark_checks(taken)
    film.explode(taken)
    film.mourn(cast.deaths)
    film.move(cast.actors)
    texts = [steps.numbered(line.start, ply, step.san) for ply, step in enumerate(taken, start=1)]
    if captions:
        film.caption(["", *texts], view(empty))

    still = _still(line, cast.board, taken, grid(empty), colors)
    if captions and texts:
        still += _markup.caption_below(empty, texts[-1], colors)
    count = "infinite" if repeat else "1"
    # Only what the picture itself contains is styled, and only for readers who like motion.
    style = (
        "@media (prefers-reduced-motion:no-preference){#KEY-still{display:none}#KEY-film{display:inline}"
        f"#KEY-film *{{animation:{film.total * seconds:g}s linear {count} both}}"
        f"#KEY-film .jump{{animation-timing-function:step-end}}{''.join(film.rules)}"
        "#KEY-all:hover *,#KEY-all:focus *{animation-play-state:paused}}"
    )
    shapes = {piece.symbol() for piece, _ in cast.actors}
    defs = "".join(chess.svg.PIECES[symbol] for symbol in sorted(shapes))
    defs += _explosion.ghost_shapes(piece for step in taken for piece in step.dead.values())
    picture = _markup.define(empty, defs).removesuffix("</svg>")
    # With the focus, by Tab or a tap, it rests.
    picture += (
        f'<style>{style}</style><g id="all" tabindex="0"><g id="still">{still}</g>'
        f'<g id="film" display="none">{"".join(film.body)}</g></g></svg>'
    )
    if captions:
        picture = _markup.with_room_below(picture, colors)
    prefix = _markup.prefix_for(picture, id_prefix)
    # Rules name what they style by its id, whose prefix is known only now.
    picture = _markup.with_id_prefix(picture.replace("KEY-", f"{prefix}-"), prefix)
    return _markup.with_title(picture, title)


def _still(
    line: steps.Line, end: chess.Board, taken: Sequence[steps.Step], squares: Grid, colors: Mapping[str, str]
) -> str:
    """The end of the line, with its last explosion."""
    parts = []
    if taken:
        step = taken[-1]
        ends = sorted({step.move.from_square, step.move.to_square}) if step.move else []
        parts += [_markup.square_shape(*squares.corner(square), _tint(square, colors)) for square in ends]
        if step.check is not None:
            parts.append(_check(*squares.center(step.check)))
        if step.blast:
            scorched = chess.SquareSet(_explosion.scorched_mask(step.move, step.blast))
            parts.append(_explosion.layer(squares, step.move.to_square, scorched, step.dead, colors)[0])
    for square, piece in end.piece_map().items():
        x, y = squares.corner(square)
        parts.append(f'<use {_reference(piece)} transform="translate({x}, {y})"/>')
    return "".join(parts)


class _Film:
    """Collects what moves: shapes with ids, and the keyframes for each id."""

    def __init__(self, squares: Grid, colors: Mapping[str, str], total: float) -> None:
        self.squares = squares
        self.colors = colors
        self.total = total
        self.body: list[str] = []
        self.rules: list[str] = []

    def _add(self, name: str, shape: str, frames: Sequence[tuple[float, str]], *, jump: bool = False) -> None:
        """*shape* with the declarations that hold at times; it goes from one to the next, or jumps."""
        keys = []
        last = -1.0
        for time, declarations in frames:
            last = max(time, last + _INSTANT)
            keys.append(f"{_percent(last, self.total)}{{{declarations}}}")
        keys.append(f"100%{{{frames[-1][1]}}}")
        self.rules.append(f"@keyframes KEY-{name}{{{''.join(keys)}}}#KEY-{name}{{animation-name:KEY-{name}}}")
        style = ' class="jump"' if jump else ""
        self.body.append(f'<g id="{name}"{style}>{shape}</g>')

    def tint(self, taken: Sequence[steps.Step]) -> None:
        """The two squares of a move: a light and a dark square for each end."""
        for end in ("from_square", "to_square"):
            for light in (True, False):
                frames = [(0.0, "opacity:0")]
                color = ""
                for ply, step in enumerate(taken, start=1):
                    square = getattr(step.move, end)
                    if not step.move or bool(chess.BB_LIGHT_SQUARES & chess.BB_SQUARES[square]) != light:
                        frames.append((ply, "opacity:0"))
                        continue
                    x, y = self.squares.corner(square)
                    color = _tint(square, self.colors)
                    frames.append((ply, f"opacity:1;transform:translate({x}px,{y}px)"))
                if color:
                    name = f"t{end[0]}{'l' if light else 'd'}"
                    self._add(name, _markup.square_shape(0, 0, color), frames, jump=True)

    def mark_checks(self, taken: Sequence[steps.Step]) -> None:
        frames = [(0.0, "opacity:0")]
        for ply, step in enumerate(taken, start=1):
            if step.check is not None:
                x, y = self.squares.center(step.check)
                frames.append((ply + _SLIDE, f"opacity:.6;transform:translate({x}px,{y}px)"))
            frames.append((ply + 1.0, "opacity:0"))
        if any(step.check is not None for step in taken):
            self._add("check", _check(0, 0), frames, jump=True)

    def explode(self, taken: Sequence[steps.Step]) -> None:
        """The zones, one for each size that the edges of the board leave, and a burst."""
        zones: dict[str, list[tuple[float, str]]] = {}
        bursts = [(0.0, "opacity:0;transform:translate(0,0) scale(.1)")]
        for ply, step in enumerate(taken, start=1):
            if not step.blast:
                continue
            landed, zero = ply + _SLIDE, step.move.to_square
            shape, (left, top) = _explosion.zone(self.squares, zero, self.colors)
            place = f"transform:translate({left}px,{top}px)"
            zones.setdefault(shape, [(0.0, f"opacity:0;{place}")]).extend([
                (landed - _INSTANT, f"opacity:0;{place}"), (landed, f"opacity:1;{place}"),
                (ply + _FADE, f"opacity:1;{place}"), (ply + _GONE, f"opacity:0;{place}"),
            ])  # fmt: skip
            x, y = self.squares.center(zero)
            at = f"transform:translate({x}px,{y}px)"
            scale = _explosion.LOOK["burst"]["scale"]
            bursts += [
                (landed - _INSTANT, f"opacity:0;{at} scale(.1)"), (landed, f"opacity:1;{at} scale(.1)"),
                (landed + _FLASH, f"opacity:1;{at} scale({1.6 * scale:.3g})"),
                (landed + 2 * _FLASH, f"opacity:1;{at} scale({scale})"),
                (ply + _FADE, f"opacity:1;{at} scale({scale})"), (ply + _GONE, f"opacity:0;{at} scale({scale})"),
            ]  # fmt: skip
        for index, (shape, frames) in enumerate(zones.items()):
            self._add(f"z{index}", shape, frames)
        if zones:
            # The flash is larger than a square, and the coordinates are not to be covered.
            left, top = map(min, zip(self.squares.corner(chess.A1), self.squares.corner(chess.H8), strict=True))
            board = f'<rect x="{left}" y="{top}" width="{8 * SQUARE_SIZE}" height="{8 * SQUARE_SIZE}"/>'
            self.body.append(f'<clipPath id="board">{board}</clipPath><g clip-path="url(#KEY-board)">')
            self._add("burst", _explosion.burst_shape(self.colors), bursts)
            self.body.append("</g>")

    def mourn(self, deaths: Sequence[tuple[Piece, Square, bool, float]]) -> None:
        """The ghosts: there when it bursts, gone well before the next move."""
        for index, (piece, square, zero, landed) in enumerate(deaths):
            begin = landed - _SLIDE
            shape = _explosion.scorch(self.squares, square, self.colors)
            shape += _explosion.ghost(self.squares, square, piece, zero, self.colors)
            frames = [
                (0.0, "opacity:0"), (landed - _INSTANT, "opacity:0"), (landed, "opacity:1"),
                (begin + _FADE, "opacity:1"), (begin + _GONE, "opacity:0"),
            ]  # fmt: skip
            self._add(f"g{index}", shape, frames)

    def move(self, actors: Sequence[tuple[Piece, list[_Key]]]) -> None:
        for index, (piece, keys) in enumerate(actors):
            x, y = self.squares.corner(keys[-1].square)
            if len(keys) == 1:
                self.body.append(f'<use {_reference(piece)} transform="translate({x}, {y})"/>')
                continue
            seen = any(not key.opacity for key in keys)
            frames = []
            for key in keys:
                x, y = self.squares.corner(key.square)
                frames.append(
                    (key.time, f"transform:translate({x}px,{y}px)" + (f";opacity:{key.opacity}" if seen else ""))
                )
            self._add(f"p{index}", f"<use {_reference(piece)}/>", frames)

    def caption(self, texts: Sequence[str], width: int) -> None:
        """The captions one under the other, of which a window shows one."""
        height = _markup.CAPTION_HEIGHT
        rows = [
            _markup.caption(text, 0, width + row * height, width, height, self.colors) for row, text in enumerate(texts)
        ]
        frames = [(float(row), f"transform:translateY({-row * height}px)") for row in range(len(texts))]
        window = f'<rect y="{width}" width="{width}" height="{height}"/>'
        self.body.append(f'<clipPath id="window">{window}</clipPath><g clip-path="url(#KEY-window)">')
        self._add("captions", "".join(rows), frames, jump=True)
        self.body.append("</g>")


def _reference(piece: Piece) -> str:
    href = f"#{chess.COLOR_NAMES[piece.color]}-{chess.piece_name(piece.piece_type)}"
    return f'href="{href}" xlink:href="{href}" class="piece"'


def _tint(square: Square, colors: Mapping[str, str]) -> str:
    key = f"square {'light' if chess.BB_LIGHT_SQUARES & chess.BB_SQUARES[square] else 'dark'} lastmove"
    return colors.get(key, chess.svg.DEFAULT_COLORS[key])


def _check(x: float, y: float) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="20" fill="#e70000" fill-opacity=".6"/>'


def _percent(time: float, total: float) -> str:
    return f"{min(100.0, 100 * time / total):.3f}".rstrip("0").rstrip(".") + "%"
