"""``svg``: draws a position, a move, or a ply of a game, as SVG, PNG or GIF."""

from __future__ import annotations

import argparse
import functools
import os

import chess
import chess.pgn

from .. import pgn
from .. import svg as pictures
from ..pgn.errors import are_serious
from ..pgn.readers import read_skimmed, skim
from ._door import Door, UnusableError, add_variant, find_format
from ._position import START, looks_like_position, parse_move, parse_position


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command."""
    parser.description = "Draws a position with its last move and what it exploded, as SVG, PNG or GIF."
    parser.add_argument(
        "sources",
        metavar="SOURCE",
        nargs="+",
        help="a FEN, 'start', or PGN files, plain or compressed; - for standard input",
    )
    parser.add_argument(
        "-m", "--move", action="append", default=[], metavar="MOVE",
        help="a move to make first, in SAN or UCI; may be repeated, the last one is shown",
    )  # fmt: skip
    parser.add_argument("-g", "--game", type=int, default=1, metavar="N", help="which game of the files (default: 1)")
    parser.add_argument("-p", "--ply", type=int, metavar="N", help="after how many half-moves (default: the end)")
    add_variant(
        parser,
        "the variant of games whose headers name none (default: standard chess), or of a FEN (default: Atomic)",
    )
    parser.add_argument("--animate", action="store_true", help="draw all moves as one moving picture, as for .gif")
    parser.add_argument("--strip", type=_plies, metavar="N,N,...", help="draw several plies side by side")
    parser.add_argument("--flip", action="store_true", help="put Black at the bottom")
    parser.add_argument("--size", type=int, default=390, metavar="PIXELS", help="the width of a board (default: 390)")
    parser.add_argument("--no-coordinates", action="store_true", help="leave out the margin")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="a file ending in .svg, .png or .gif (default: SVG to stdout)"
    )


def _plies(text: str) -> list[int]:
    try:
        return [int(ply) for ply in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected plies such as 8,12,15, got {text!r}") from None


def run(args: argparse.Namespace, door: Door) -> int:
    """Draws; 0 if all is well, 1 if the game has errors, 2 if there is nothing to draw."""
    form = find_format(args.output or "-", ("svg", "png", "gif"))
    if args.animate and form == "png":
        raise UnusableError(f"{args.output}: a PNG does not move; --animate needs .svg or .gif")
    if args.strip is not None and (args.animate or form == "gif"):
        raise UnusableError("--strip: positions side by side do not move")
    if args.size < 1:
        raise UnusableError(f"--size: a board is at least one pixel wide, not {args.size}")
    board = _board(args, door)
    try:
        if form in ("png", "gif"):
            pixels = pictures.gif(board, **_options(args)) if form == "gif" else pictures.png(_picture(args, board))
            with door.output(args.output, compressed=False) as output:
                output.binary.write(pixels)
        else:
            picture = _picture(args, board)
            with door.text_output(args.output) as out:
                out.write(f"{picture}\n" if args.output is None else picture)
    except ImportError as error:
        raise UnusableError(str(error)) from error
    return door.status


def _options(args: argparse.Namespace) -> pictures.Options:
    return {"orientation": not args.flip, "size": args.size, "coordinates": not args.no_coordinates}


def _picture(args: argparse.Namespace, board: chess.Board) -> str:
    options = _options(args)
    if args.animate:
        return pictures.animate(board, **options)
    if args.strip is not None:
        try:
            return pictures.strip(board, args.strip, **options)
        except ValueError as error:
            raise UnusableError(f"--strip: {error}") from None
    return pictures.last_move(board, **options)


def _board(args: argparse.Namespace, door: Door) -> chess.Board:
    """The position with its moves."""
    is_position = _is_position(args.sources)
    board = parse_position(args.sources[0], args.variant) if is_position else _find_game(args, door)
    for text in args.move:
        try:
            board.push(parse_move(board, text))
        except ValueError as error:
            raise UnusableError(f"--move {text}: {error}") from None
    if args.ply is not None:
        if not 0 <= args.ply <= len(board.move_stack):
            raise UnusableError(f"--ply: the line has plies 0 to {len(board.move_stack)}, not {args.ply}")
        while len(board.move_stack) > args.ply:
            board.pop()
    return board


def _is_position(sources: list[str]) -> bool:
    """Whether there is a position to draw, and not a game."""
    if len(sources) > 1 or sources[0] == "-" or os.path.exists(sources[0]):
        return False
    if not looks_like_position(sources[0]):
        raise UnusableError(f"{sources[0]}: neither a file nor a FEN nor {START!r}")
    return True


def _find_game(args: argparse.Namespace, door: Door) -> chess.Board:
    """The end of the game that was asked for, with its moves; tells what is wrong with the game."""
    door.files = args.sources
    count = 0
    for item in door.games(functools.partial(skim, variant=args.variant)):
        size = 1 if isinstance(item, pgn.GameText) else item.games
        count += size
        if count >= args.game:
            game = read_skimmed(item, args.game - 1 - (count - size), variant=args.variant)
            assert game is not None
            for fault in game.errors:
                door.fail(fault, are_serious([fault]))
            return game.end().board()
    if door.status == 2:
        raise UnusableError(f"there is no game {args.game} in what could be read")
    raise UnusableError(f"{', '.join(args.sources)}: there is no game {args.game}, the file has {count}")
