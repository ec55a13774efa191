"""A line as one moving picture, for :func:`atomic_variant.svg.animate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import chess
import chess.svg
from chess import Bitboard, Piece, Square

from . import _shapes
from . import _steps as steps

_SLIDE = 0.3  # Of the time of a move; the explosion follows.
_FLASH = 0.3
_REST = 2.0  # At the end, in moves.


class _Key(NamedTuple):
    """Where a piece is, and how visible, from a time on."""

    time: float
    square: Square
    opacity: float


class _Film:
    """The pieces of a line, each with its keys in time (in moves)."""

    def __init__(self, start: chess.Board) -> None:
        self.board = start.copy(stack=False)
        self.actors: list[tuple[Piece, list[_Key]]] = []
        self.on: dict[Square, list[_Key]] = {}
        for square, piece in start.piece_map().items():
            self._enter(square, piece, None)

    def _enter(self, square: Square, piece: Piece, time: float | None) -> None:
        keys = [_Key(0, square, 1.0)] if time is None else [_Key(0, square, 0.0), _Key(time, square, 0.0)]
        if time is not None:
            keys.append(_Key(time, square, 1.0))
        self.actors.append((piece, keys))
        self.on[square] = keys

    def _leave(self, square: Square, time: float) -> None:
        keys = self.on.pop(square, None)
        if keys:
            keys += [_Key(time, keys[-1].square, 1.0), _Key(time, keys[-1].square, 0.0)]

    def _explode(self, square: Square, time: float, end: float) -> None:
        keys = self.on.pop(square, None)
        if keys:
            at = keys[-1].square
            keys += [_Key(time, at, 1.0), _Key(time + _FLASH, at, _shapes.GHOST_OPACITY)]
            keys += [_Key(end, at, _shapes.GHOST_OPACITY), _Key(end, at, 0.0)]

    def make(self, move: chess.Move, time: float, last: bool) -> steps.Step:
        """Makes *move*, which begins at *time*; ghosts stay until the next move, or for good."""
        step = steps.take(self.board, move)
        landed = time + _SLIDE
        # Two pieces may change places, so all leave before any arrives.
        moved = [(target, self.on.pop(origin, None)) for origin, target in step.slides]
        for target, keys in moved:
            if keys:
                keys += [_Key(time, keys[-1].square, 1.0), _Key(landed, target, 1.0)]
                if step.blast:
                    self._explode(target, landed, float("inf") if last else time + 1)
                else:
                    self._leave(target, landed)
                self.on[target] = keys
        if step.blast:
            gone = step.blast | chess.BB_SQUARES[move.to_square]
            for square in chess.scan_forward(gone):
                self._explode(square, landed, float("inf") if last else time + 1)
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
    squares = _shapes.grid(empty)
    film = _Film(line.start)
    taken = [film.make(move, ply + 1.0, ply + 1 == len(line.moves)) for ply, move in enumerate(line.moves)]
    total = len(taken) + 1 + _REST

    keyframes: list[str] = []
    body = []
    for ply, step in enumerate(taken, start=1):
        shown = _scene(line.start, empty, ply, step, captions, colors)
        end = ply + 1 if ply < len(taken) else total
        rule = _visible(ply, end, total)
        keyframes.append(f"@keyframes KEY-s{ply}{{{rule}}}#KEY-s{ply}{{animation-name:KEY-s{ply}}}")
        body.append(f'<g id="s{ply}" opacity="{1 if ply == len(taken) else 0}">{shown}</g>')
        if step.blast:
            keyframes.append(f"@keyframes KEY-f{ply}{{{_flash(ply + _SLIDE, total)}}}")
            keyframes.append(f"#KEY-f{ply}{{animation-name:KEY-f{ply}}}")
            keyframes.append(f"@keyframes KEY-c{ply}{{{_visible(ply + _SLIDE, end, total)}}}")
            keyframes.append(f"#KEY-c{ply}{{animation-name:KEY-c{ply}}}")
    crosses = []
    for ply, step in enumerate(taken, start=1):
        for square in chess.scan_forward(step.dead_kings):
            x, y = squares.corner(square)
            name = f"k{ply}-{chess.SQUARE_NAMES[square]}"
            end = ply + 1 if ply < len(taken) else total
            keyframes.append(f"@keyframes KEY-{name}{{{_visible(ply + _SLIDE + _FLASH, end, total)}}}")
            keyframes.append(f"#KEY-{name}{{animation-name:KEY-{name}}}")
            shape = f'<g id="{name}" opacity="{1 if ply == len(taken) else 0}">{_shapes.king_cross(colors)}</g>'
            crosses.append(f'<g transform="translate({x}, {y})">{shape}</g>')
    for index, (piece, keys) in enumerate(film.actors):
        name = f"p{index}"
        final = keys[-1] if keys[-1].time != float("inf") else keys[-2]
        x, y = squares.corner(final.square)
        moving = ""
        if len(keys) > 1:
            keyframes.append(
                f"@keyframes KEY-{name}{{{_frames(squares, keys, total)}}}#KEY-{name}{{animation-name:KEY-{name}}}"
            )
            moving = f' id="{name}"'
        href = f"#{chess.COLOR_NAMES[piece.color]}-{chess.piece_name(piece.piece_type)}"
        visible = f' opacity="{final.opacity:g}"' if final.opacity < 1 else ""
        body.append(
            f'<use{moving} href="{href}" xlink:href="{href}" class="piece" transform="translate({x}, {y})"{visible}/>'
        )
    body += crosses
    # Only what the picture itself contains is styled, and only for readers who like motion.
    count = "infinite" if repeat else "1"
    timing = f"{total * seconds:g}s linear {count} both"
    style = (
        f"@media (prefers-reduced-motion:no-preference){{#KEY-film *{{animation:{timing}}}"
        f"#KEY-film:hover *{{animation-play-state:paused}}{''.join(keyframes)}}}"
    )
    return _assemble(empty, film, body, style, captions, title, id_prefix, colors)


def _assemble(
    empty: str,
    film: _Film,
    body: Sequence[str],
    style: str,
    captions: bool,
    title: str,
    id_prefix: str | None,
    colors: Mapping[str, str],
) -> str:
    shapes = {piece.symbol() for piece, _ in film.actors}
    picture = _shapes.define(empty, "".join(chess.svg.PIECES[symbol] for symbol in sorted(shapes)))
    film_group = f'<style>{style}</style><g id="film">{"".join(body)}</g></svg>'
    picture = picture.removesuffix("</svg>") + film_group
    if captions:
        picture = _shapes.with_room_below(picture, colors)
    prefix = _shapes.prefix_for(picture, id_prefix)
    # Rules name what they style by its id, whose prefix is known only now.
    picture = _shapes.with_id_prefix(picture.replace("KEY-", f"{prefix}-"), prefix)
    return _shapes.with_title(picture, title)


def _scene(
    start: chess.Board, empty: str, ply: int, step: steps.Step, captions: bool, colors: Mapping[str, str]
) -> str:
    """What is there from the *ply*-th move to the next: tinted squares, the explosion, the caption."""
    squares = _shapes.grid(empty)
    shapes = []
    for square in {step.move.from_square, step.move.to_square} if step.move else ():
        light = bool(chess.BB_LIGHT_SQUARES & chess.BB_SQUARES[square])
        key = f"square {'light' if light else 'dark'} lastmove"
        shapes.append(_shapes.square_shape(squares, square, colors.get(key, chess.svg.DEFAULT_COLORS[key])))
    if step.blast:
        shapes.append(f'<g id="c{ply}">')
        color = colors.get("scorched", _shapes.DEFAULT_COLORS["scorched"])
        scorched: Bitboard = _shapes.scorched_mask(step.move, step.blast)
        shapes += [_shapes.square_shape(squares, square, color, 0.55) for square in chess.scan_forward(scorched)]
        shapes.append(f"<g {_shapes.burst_place(squares, step.move.to_square)}>")
        shapes.append(f'<g id="f{ply}" class="explosion">{_shapes.burst_shape(colors)}</g></g></g>')
    if step.check is not None:
        x, y = squares.center(step.check)
        shapes.append(f'<circle cx="{x}" cy="{y}" r="20" fill="#e70000" opacity=".6"/>')
    if captions:
        shapes.append(_shapes.caption_below(empty, steps.numbered(start, ply, step.san), colors))
    return "".join(shapes)


def _percent(time: float, total: float) -> str:
    return f"{min(100.0, 100 * time / total):.3f}".rstrip("0").rstrip(".") + "%"


def _visible(begin: float, end: float, total: float) -> str:
    """Keyframes of what appears at once, stays, and disappears at once."""
    eps = 0.002
    rule = f"0%,{_percent(begin - eps, total)}{{opacity:0}}{_percent(begin, total)}"
    if end >= total:
        return f"{rule},100%{{opacity:1}}"
    return f"{rule},{_percent(end - eps, total)}{{opacity:1}}{_percent(end, total)},100%{{opacity:0}}"


def _flash(time: float, total: float) -> str:
    """Keyframes of a burst: out of nothing, too large, then as it stays."""
    return (
        f"0%,{_percent(time, total)}{{transform:scale(.1)}}{_percent(time + 0.12, total)}{{transform:scale(1.7)}}"
        f"{_percent(time + _FLASH, total)},100%{{transform:scale(1)}}"
    )


def _frames(squares: _shapes.Grid, keys: Sequence[_Key], total: float) -> str:
    """Keyframes of a piece. Two keys at one time are a jump."""
    frames = []
    fading = any(key.opacity < 1 for key in keys)
    last = -1.0
    for key in keys:
        if key.time == float("inf"):
            break
        time = max(key.time, last + 0.002)
        last = time
        x, y = squares.corner(key.square)
        opacity = f";opacity:{key.opacity:g}" if fading else ""
        frames.append(f"{_percent(time, total)}{{transform:translate({x}px,{y}px){opacity}}}")
    body = frames[-1].partition("%")[2]
    return "".join(frames) + f"100%{body}"
