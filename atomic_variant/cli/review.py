"""``review``: reads every game, checks every move, says how each game ended."""

from __future__ import annotations

import argparse
import contextlib
import functools
import os
import time
from collections.abc import Callable, Iterator, Sequence

from .. import pgn
from ..boards.endings import EndingKind
from ..pgn.conclusion import conclude
from ..report import Report
from ..statistics import Readings, Tally, hint
from ..tactics import TurningPoint, annotate, turning_points
from ..text import counted, one_line
from . import _work
from ._door import Door, UnusableError, add_files, find_format


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command."""
    parser.description = "Reads every game, checks every move, and prints a line for each game and a summary."
    add_files(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="REPORT.html",
        help="also write a report: plots, a table to search, and a viewer for each game, in one file",
    )
    parser.add_argument("--title", metavar="TEXT", help="the headline of the report (default: the names of the files)")
    parser.add_argument(
        "--tactics",
        type=_work.moves,
        nargs="?",
        const=2,
        metavar="N",
        help="also list the moves that missed or needlessly allowed a win within N moves (default: 2), proved on the "
        "rules; a report counts them and marks them in the games",
    )


def run(args: argparse.Namespace, door: Door) -> int:
    """Reviews files; 0 if all games are sound, 1 if any has errors, 2 if a file cannot be used."""

    page = None
    readings = Readings()
    start = time.perf_counter()
    with contextlib.ExitStack() as stack:
        if args.output:
            find_format(args.output, ("html",), "html")
            out = stack.enter_context(door.output(args.output, compressed=False))
            page = Report(args.title or " ".join(map(os.path.basename, args.files)))
        read: Callable[..., Iterator[pgn.Record | pgn.Game]] = pgn.read_games if page else pgn.scan
        work = _work.Work(door, 1)
        games = door.games(functools.partial(read, variant=args.variant))
        if args.tactics is not None:
            games = work.until_interrupted(games)  # A search may take long: what it has found is not thrown away.
        for game in games:
            points = _turning_points(game, args.tactics)
            conclusion = page.add(game, points) if page and isinstance(game, pgn.Game) else conclude(game)
            readings.add(game, conclusion)
            door.write(f"{_line(readings.games, game, conclusion.ending)}\n")
            for finding in conclusion.errors:
                door.write(f"       error: {finding}\n")
            for point in points or ():
                door.write(f"       {point}\n")
            if advice := hint(game):
                door.write(f"       {advice}\n")
        if readings.games:
            door.write(_summary(readings, time.perf_counter() - start))
        elif door.status < 2:
            raise UnusableError(f"{', '.join(args.files)}: no games found")
        if page:
            page.write(out.text)
    return work.status or int(readings.errors > 0)


def _turning_points(game: pgn.Record | pgn.Game, moves: int | None) -> Sequence[TurningPoint] | None:
    """The turning points, if they are wanted; a game that goes into a report gets them as marks."""
    if moves is None:
        return None
    return annotate(game, moves) if isinstance(game, pgn.Game) else turning_points(game, moves)


def _line(number: int, game: pgn.Record | pgn.Game, ending: pgn.Ending) -> str:
    headers = game.headers
    if isinstance(game, pgn.Record):
        plies, result = len(game.moves), game.result
    else:
        plies, result = sum(1 for _ in game.mainline()), headers.get("Result", "*")
    players = f"{one_line(headers.get('White', '?'), 80)} - {one_line(headers.get('Black', '?'), 80)}"
    return f"{number:5}  {players:<41} {plies:4} plies  {one_line(result, 80):<7}  {ending}"


def _summary(readings: Readings, seconds: float) -> str:
    """What the games were read as, and for each variant how they ended."""
    lines = [readings.summary()]
    lines.extend(
        f"{counted(tally.games, 'game')}{f' of {name}' if len(readings.tallies) > 1 else ''}: {_counts(tally)}"
        for name, tally in readings.tallies.items()
    )
    speed = f"{readings.games / max(seconds, 1e-9):.0f} games per second"
    if len(readings.tallies) > 1:
        lines.append(f"{counted(readings.games, 'game')}: {readings.errors} with errors; {speed}")
    else:
        lines[-1] += f"; {speed}"
    return "\n".join(lines) + "\n"


def _counts(tally: Tally) -> str:
    others = {kind: count for kind, count in tally.wins.items() if kind not in _MAIN}
    parts = [counted(tally.wins[EndingKind.EXPLOSION], "explosion"), counted(tally.wins[EndingKind.CHECKMATE], "mate")]
    parts.extend(f"{count} by {kind}" for kind, count in others.items())
    parts.append(f"{counted(tally.draws, 'draw')} on the board")
    return f"{', '.join(parts)}, {tally.undecided} not decided on the board; {tally.errors} with errors"


_MAIN = (EndingKind.EXPLOSION, EndingKind.CHECKMATE)
