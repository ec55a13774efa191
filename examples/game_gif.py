"""
Draws a game as an animated GIF, for places that show no SVG.

    python examples/game_gif.py games.pgn game.gif --game 2 --size 360

Needs the extras ``png`` and ``examples`` (resvg-py and Pillow). Where an SVG
can be shown, ``atomic_variant.svg.animate`` is smaller and sharper.
"""

from __future__ import annotations

import argparse
import io
import itertools
import sys
from collections.abc import Iterator

import chess
import chess.pgn
import chess.svg
from PIL import Image

from atomic_variant import pgn, svg
from atomic_variant.svg import _steps as steps

SECONDS = 0.8
BLAST_SECONDS = 1.4
LAST_SECONDS = 3.0


def frames(board: chess.Board, size: int, orientation: chess.Color) -> Iterator[tuple[str, float]]:
    """Pictures of a line and how long each is shown. An explosion is first seen, then over, unless it ends the game."""
    shown = board.root()
    yield svg.last_move(shown, size=size, orientation=orientation), SECONDS
    for move in board.move_stack:
        exploding = bool(steps.blast_mask(shown, move))
        shown.push(move)
        if exploding:
            yield svg.last_move(shown, size=size, orientation=orientation), BLAST_SECONDS
            if len(shown.move_stack) == len(board.move_stack):
                return
        yield chess.svg.board(shown, size=size, orientation=orientation, lastmove=move), SECONDS


def write_gif(board: chess.Board, path: str, *, size: int = 360, orientation: chess.Color = chess.WHITE) -> int:
    """Writes the moves of *board* as GIF and returns the number of frames."""
    images = []
    durations = []
    for picture, seconds in frames(board, size, orientation):
        image = Image.open(io.BytesIO(svg.png(picture, size=size))).convert("RGB")
        images.append(image.quantize(64, dither=Image.Dither.NONE))
        durations.append(int(seconds * 1000))
    durations[-1] = int(LAST_SECONDS * 1000)
    images[0].save(path, save_all=True, append_images=images[1:], duration=durations, loop=0, optimize=True)
    return len(images)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Draws a game as an animated GIF.")
    parser.add_argument("pgn", help="a PGN file")
    parser.add_argument("gif", help="the file to write")
    parser.add_argument("--game", type=int, default=1, metavar="N", help="which game of the file")
    parser.add_argument("--size", type=int, default=360, metavar="PIXELS")
    parser.add_argument("--flip", action="store_true", help="put Black at the bottom")
    args = parser.parse_args(argv)
    with open(args.pgn, encoding="utf-8-sig") as handle:
        games = iter(lambda: pgn.read_game(handle), None)
        game = next(itertools.islice(games, args.game - 1, None), None)
    if game is None:
        print(f"{args.pgn}: there is no game {args.game}", file=sys.stderr)
        return 2
    count = write_gif(game.end().board(), args.gif, size=args.size, orientation=not args.flip)
    print(f"{args.gif}: {count} frames")
    return 0


if __name__ == "__main__":
    sys.exit(main())
