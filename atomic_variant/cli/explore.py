"""``explore``: what was played in openings, from a file that it builds."""

from __future__ import annotations

import argparse
import datetime
import os
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

import chess

from .. import explorer
from ..explorer._page import describe, tree_page
from ..explorer._rows import BANDS, SPEEDS
from ..text import counted, one_line
from . import _work
from ._door import Door, UnusableError, add_variant, describe_os_error, find_format
from ._position import START, parse_move, parse_position

_BAR = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command."""
    kinds = ("build FILE... -o DB", "merge DB... -o DB", "DB")
    parser.usage = "\n       ".join(f"%(prog)s {kind} [options]" for kind in kinds)
    parser.description = (
        "Counts the moves of the first positions of many games into a file (build), joins such files (merge), or "
        "tells what was played in a position."
    )
    parser.add_argument(
        "words", metavar="WORD", nargs="+", help="build and files of games, merge and files of build, or one such file"
    )
    parser.add_argument(
        "-o", "--output", metavar="OUT",
        help="the file to build; or a page to walk through (.html) or a game with variations (.pgn)",
    )  # fmt: skip
    parser.add_argument("--min-games", type=_number, metavar="N",
                        help="leave out positions of fewer games (build: 2, merge: 1, pages: 10)")  # fmt: skip
    building = parser.add_argument_group("build")
    building.add_argument("--plies", type=_number, default=30, metavar="N", help="half-moves of a game (default: 30)")
    building.add_argument("--chess960", action="store_true", help="count the games of Chess960 instead of the others")
    building.add_argument("--set-up", action="store_true", help="count games from positions that were set up too")
    building.add_argument(
        "--whole", action="store_true", help="leave out games with errors instead of cutting them off"
    )
    add_variant(building)  # type: ignore[arg-type] # A group adds arguments as a parser does.
    _work.add_jobs(building)  # type: ignore[arg-type]
    asking = parser.add_argument_group("ask")
    where = asking.add_mutually_exclusive_group()
    where.add_argument("--moves", default="", metavar="MOVES", help="the position after these moves, SAN or UCI")
    where.add_argument("--fen", default=START, metavar="FEN", help="this position")
    asking.add_argument("--rating", type=_rating, default=(None, None), metavar="LOW-HIGH",
                        help=f"only games of these mean ratings, of {', '.join(map(str, BANDS[1:]))}")  # fmt: skip
    asking.add_argument("--speed", type=_speeds, metavar="NAMES", help=f"with commas: {', '.join(SPEEDS)}")
    asking.add_argument("--since", type=_month, metavar="YYYY-MM", help="only games from this month on")
    asking.add_argument("--until", type=_month, metavar="YYYY-MM", help="only games to this month")
    asking.add_argument("--wins", type=_work.moves, default=0, metavar="N",
                        help="tell which moves win or lose by force within N moves")  # fmt: skip
    asking.add_argument("--names", metavar="FILE", help="names of openings, beside those of the package")
    asking.add_argument("--depth", type=_number, default=6, metavar="N", help="half-moves of a page or a game (6)")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 9 and int(text)):
        raise argparse.ArgumentTypeError(f"expected a number above 0, got {text!r}")
    return int(text)


def _rating(text: str) -> tuple[int | None, int | None]:
    low, dash, high = text.partition("-")
    try:
        bounds = int(low) if low else None, int(high) if high else None
    except ValueError:
        bounds = (-1, None)
    if not dash or any(bound is not None and bound not in BANDS for bound in bounds):
        known = ", ".join(map(str, BANDS[1:]))
        raise argparse.ArgumentTypeError(f"expected two of {known} with a dash between, or one left out, got {text!r}")
    return bounds


def _speeds(text: str) -> set[str]:
    speeds = set(text.lower().split(","))
    if not speeds <= set(SPEEDS):
        raise argparse.ArgumentTypeError(f"expected some of {', '.join(SPEEDS)}, got {text!r}")
    return speeds


def _month(text: str) -> datetime.date:
    try:
        return datetime.datetime.strptime(text, "%Y-%m").date()
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a month such as 2026-08, got {text!r}") from None


def run(args: argparse.Namespace, door: Door) -> int:
    """Builds, joins or asks; 0, or 2 if something cannot be used."""
    kind, *files = args.words
    try:
        if kind in ("build", "merge"):
            _make(kind, files, args, door)
        elif files:
            raise UnusableError(
                f"{one_line(files[0])}: one file is asked at a time; to make one, begin with build or merge"
            )
        else:
            _ask(kind, args, door)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise UnusableError(describe_os_error(error)) from error
    except (ImportError, ValueError) as error:
        raise UnusableError(one_line(error, 1000)) from error
    return door.status


def _make(kind: str, files: list[str], args: argparse.Namespace, door: Door) -> None:
    if not args.output or not files:
        raise UnusableError(f"explore {kind}: expected files, and -o with the file to make")
    if kind == "merge":
        door.report(
            f"{args.output}: {counted(explorer.merge(files, args.output, min_games=args.min_games or 1), 'game')}"
        )
        return
    door.files = files
    door.try_output(args.output)
    games = explorer.build(
        [Path(name) if name != "-" else door._source(name) for name in files],  # type: ignore[misc]
        args.output,
        plies=args.plies,
        min_games=args.min_games or 2,
        executor=_work.Work(door, args.jobs).executor(),
        variant=args.variant,
        chess960=args.chess960,
        set_up=args.set_up,
        broken=not args.whole,
    )
    door.report(f"{args.output}: {counted(games, 'game')}")


def _ask(name: str, args: argparse.Namespace, door: Door) -> None:
    filters = {key: getattr(args, key) for key in ("rating", "speed", "since", "until")}
    names = explorer.OpeningNames()
    if args.names:
        names.add(args.names)
    with explorer.open(name) as book:
        board = parse_position(args.fen, book.variant)
        for text in args.moves.split():
            san = text.lstrip("0123456789").lstrip(".") if text[0].isdigit() and not text.startswith("0-") else text
            if san:
                try:
                    board.push(parse_move(board, san))
                except ValueError as error:
                    raise UnusableError(f"{one_line(san, 80)}: {one_line(error)}") from None
        if not args.output:
            door.write("".join(f"{line}\n" for line in _table(book, board, names, filters, args.wins)))
            return
        door.files = [name]
        form = find_format(args.output, ("html", "pgn"))
        least = args.min_games or 10
        if form == "pgn":
            text = f"{book.tree(board, depth=args.depth, min_games=least, **filters)}\n\n"
        else:
            title = f"Opening explorer: {PurePath(os.fspath(name)).name}"
            filters["wins"] = args.wins
            text = tree_page(book, board, depth=args.depth, min_games=least, filters=filters, names=names, title=title)
        with door.text_output(args.output) as out:
            out.write(text)


def _table(
    book: explorer.Book, board: chess.Board, names: explorer.OpeningNames, filters: dict[str, Any], wins: int
) -> Iterator[str]:
    total = book.position(board, **filters)
    opening = names.find(board)
    if opening:
        yield one_line(f"{opening.eco} {opening.name}", 200)
    yield f"{board.fen()}: {counted(total.games, 'game')}"
    rows = book.moves(board, wins=wins, **filters)
    if rows:
        yield f"{'move':<8}{'games':>9}  {'won #, drawn =, lost .':<{_BAR + 2}}  score"
    for row in rows:
        yield f"{row.san:<8}{row.games:>9}  {_bar(row):<{_BAR + 2}}  {describe(row)}"


def _bar(row: explorer.Row) -> str:
    finished = row.wins + row.draws + row.losses
    if not finished:
        return ""
    won = round(_BAR * row.wins / finished)
    lost = min(round(_BAR * row.losses / finished), _BAR - won)
    return "#" * won + "=" * (_BAR - won - lost) + "." * lost
