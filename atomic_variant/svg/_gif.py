"""A line as an animated GIF, for :func:`atomic_variant.svg.gif`."""

from __future__ import annotations

import io
from collections.abc import Iterator

from . import _steps as steps
from ._pictures import Options, board, last_move, png

# How long a position is shown, in moves.
_BLAST = 1.6
_LAST = 3.5

_COLORS = 64


def _frames(line: steps.Line, options: Options) -> Iterator[tuple[str, float]]:
    """Pictures and how long each is shown. An explosion is first seen, then over, unless it ends the line."""
    shown = line.start.copy(stack=False)
    yield last_move(shown, **options), 1.0
    for index, move in enumerate(line.moves, start=1):
        is_last = index == len(line.moves)
        explodes = bool(steps.blast_mask(shown, move))
        shown.push(move)
        if explodes:
            yield last_move(shown, **options), _LAST if is_last else _BLAST
        if not (explodes and is_last):
            quiet: Options = {**options, "lastmove": move}
            quiet["check"] = shown.king(shown.turn) if shown.is_check() else None
            yield board(shown, **quiet), _LAST if is_last else 1.0


def draw(line: steps.Line, *, seconds: float, repeat: bool, options: Options) -> bytes:
    """The GIF of *line*."""
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError("GIF needs Pillow: pip install atomic_variant[gif]") from error
    images = []
    durations = []
    for picture, share in _frames(line, options):
        image = Image.open(io.BytesIO(png(picture))).convert("RGB")
        images.append(image.quantize(_COLORS, dither=Image.Dither.NONE))
        durations.append(round(1000 * seconds * share))
    target = io.BytesIO()
    # A GIF that is to be shown once says nothing of repetitions.
    often = {"loop": 0} if repeat else {}
    images[0].save(target, "GIF", save_all=True, append_images=images[1:], duration=durations, optimize=True, **often)
    return target.getvalue()
