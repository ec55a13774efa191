"""``svg``: draws a position, a move, or a ply of a game, as SVG or PNG."""

from __future__ import annotations

import argparse
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TextIO

import chess
import chess.pgn

from .. import pgn, variants
from .. import svg as pictures


class _UnusableError(Exception):
    """The input cannot be drawn; the message says where and why."""


def add_parser(subparsers: Any) -> None:
    """Describes the arguments of the command."""
    parser = subparsers.add_parser(
        "svg",
        help="draw a position, a move, or a ply of a game",
        description="Draws a position with its last move and what it exploded, as SVG or PNG.",
    )
    parser.add_argument("source", metavar="SOURCE", help="a FEN, 'start', a PGN file, or - for PGN on standard input")
    parser.add_argument(
        "-m", "--move", action="append", default=[], metavar="MOVE",
        help="a move to make first, in SAN or UCI; may be repeated, the last one is shown",
    )  # fmt: skip
    parser.add_argument("-g", "--game", type=int, default=1, metavar="N", help="which game of the file (default: 1)")
    parser.add_argument("-p", "--ply", type=int, metavar="N", help="after how many half-moves (default: the end)")
    parser.add_argument("--variant", default="atomic", help="the rules of a FEN (default: atomic)")
    parser.add_argument("--animate", action="store_true", help="draw all moves as one moving picture")
    parser.add_argument("--strip", type=_plies, metavar="N,N,...", help="draw several plies side by side")
    parser.add_argument("--flip", action="store_true", help="put Black at the bottom")
    parser.add_argument("--size", type=int, default=390, metavar="PIXELS", help="the width of a board (default: 390)")
    parser.add_argument("--no-coordinates", action="store_true", help="leave out the margin")
    parser.add_argument("-o", "--output", metavar="FILE", help="a file ending in .svg or .png (default: SVG to stdout)")
    parser.set_defaults(run=run)


def _plies(text: str) -> list[int]:
    try:
        return [int(ply) for ply in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected plies such as 8,12,15, got {text!r}") from None


def run(args: argparse.Namespace) -> int:
    """Draws; 0 if all is well, 1 if the game has errors, 2 if there is nothing to draw."""
    suffix = Path(args.output).suffix.lower() if args.output else ".svg"
    try:
        if suffix not in (".svg", ".png"):
            raise _UnusableError(f"{args.output}: a picture ends in .svg or .png")
        if args.size < 1:
            raise _UnusableError(f"--size: a board is at least one pixel wide, not {args.size}")
        board, faults = _board(args)
        picture = _picture(args, board)
        if suffix == ".png":
            Path(args.output).write_bytes(pictures.png(picture))
        elif args.output:
            Path(args.output).write_text(picture, encoding="utf-8")
        else:
            print(picture)
    except BrokenPipeError:
        raise  # Of our output, not of a file.
    except (_UnusableError, ImportError) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.filename or args.source}: {error.strerror}", file=sys.stderr)
        return 2
    for fault in faults:
        print(f"{args.source}: game {args.game}: {_printable(str(fault))}", file=sys.stderr)
    return 1 if faults else 0


def _picture(args: argparse.Namespace, board: chess.Board) -> str:
    options: pictures.Options = {
        "orientation": not args.flip,
        "size": args.size,
        "coordinates": not args.no_coordinates,
    }
    if args.animate:
        return pictures.animate(board, **options)
    if args.strip is not None:
        try:
            return pictures.strip(board, args.strip, **options)
        except ValueError as error:
            raise _UnusableError(f"--strip: {error}") from None
    return pictures.last_move(board, **options)


def _board(args: argparse.Namespace) -> tuple[chess.Board, list[Exception]]:
    """The position with its moves, and what is wrong with the game that it comes from."""
    if args.source == "-" or Path(args.source).is_file():
        game = _game(args)
        try:
            board = game.end().board()
        except ValueError as error:
            raise _UnusableError(f"{args.source}: game {args.game}: {error}") from None
        faults = list(game.errors)
    else:
        board = _position(args)
        faults = []
    for text in args.move:
        _push(board, text)
    if args.ply is not None:
        if not 0 <= args.ply <= len(board.move_stack):
            raise _UnusableError(f"--ply: the line has plies 0 to {len(board.move_stack)}, not {args.ply}")
        while len(board.move_stack) > args.ply:
            board.pop()
    return board, faults


def _game(args: argparse.Namespace) -> chess.pgn.Game:
    count = 0
    with _opened(args.source) as handle:
        while game := pgn.read_game(handle):
            count += 1
            if count == args.game:
                return game
    raise _UnusableError(f"{args.source}: there is no game {args.game}, the file has {count}")


def _opened(path: str) -> AbstractContextManager[TextIO]:
    return nullcontext(sys.stdin) if path == "-" else open(path, encoding="utf-8-sig", errors="replace")


def _position(args: argparse.Namespace) -> chess.Board:
    try:
        variant = variants.find_variant(args.variant)
    except ValueError as error:
        raise _UnusableError(f"--variant: {error}") from None
    try:
        return variant() if args.source == "start" else variant(args.source)
    except ValueError as error:
        raise _UnusableError(f"{_printable(args.source)}: neither a file nor a FEN: {error}") from None


def _push(board: chess.Board, text: str) -> None:
    try:
        try:
            board.push_uci(text)
        except chess.InvalidMoveError:
            board.push_san(text)
    except ValueError as error:
        raise _UnusableError(f"--move {_printable(text)}: {error}") from None


def _printable(text: str) -> str:
    """*text* without control characters, which could steer a terminal."""
    return "".join(char if char.isprintable() else "?" for char in text)
