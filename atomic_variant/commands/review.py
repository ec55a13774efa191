"""``review``: reads every game, checks every move, says how each game ended."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import chess
import chess.pgn

from .. import pgn
from ..board import AtomicBoard

_DECISIVE = {
    chess.Termination.VARIANT_WIN: "explosion",
    chess.Termination.VARIANT_LOSS: "explosion",
    chess.Termination.CHECKMATE: "mate",
}


def add_parser(subparsers: Any) -> None:
    """Describes the arguments of the command."""
    parser = subparsers.add_parser(
        "review",
        help="check every move and say how each game ended",
        description="Reads every game of a file, checks every move, and prints a line for each game and a summary.",
    )
    parser.add_argument("file", metavar="GAMES.pgn", help="a PGN file, or - for standard input")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Reviews a file; 0 if all games are sound, 1 if any has errors, 2 if the file cannot be used."""
    try:
        with _opened(args.file) as handle:
            return _review(handle, args.file)
    except BrokenPipeError:
        raise  # Of our output, not of the file.
    except OSError as error:
        print(f"{args.file}: {error.strerror}", file=sys.stderr)
    except UnicodeDecodeError as error:
        print(f"{args.file}: {error}", file=sys.stderr)
    return 2


@contextmanager
def _opened(path: str) -> Iterator[TextIO]:
    if path == "-":
        yield sys.stdin
        return
    with open(path, encoding="utf-8-sig") as handle:
        yield handle


def _review(handle: TextIO, name: str) -> int:
    counts: Counter[str] = Counter()
    progress = sys.stderr.isatty()
    start = time.perf_counter()
    while game := pgn.read_game(handle):
        counts["games"] += 1
        board = game.end().board()
        # A draw that needs a claim counts if the game was drawn.
        claim_draw = game.headers.get("Result") == "1/2-1/2"
        outcome = board.outcome(claim_draw=claim_draw)
        faults = [str(error) for error in game.errors] or list(_contradictions(game, outcome))
        counts["errors"] += bool(faults)
        counts[_kind(board, outcome)] += 1
        print(_line(counts["games"], game, _ending(board, claim_draw), faults))
        if progress and counts["games"] % 100 == 0:
            print(f"\r{counts['games']} games", end="", file=sys.stderr, flush=True)
    seconds = time.perf_counter() - start
    if progress:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if not counts["games"]:
        print(f"{name}: no games found", file=sys.stderr)
        return 2
    print(_summary(counts, seconds))
    return 1 if counts["errors"] else 0


def _contradictions(game: chess.pgn.Game, outcome: chess.Outcome | None) -> Iterator[str]:
    """
    Where the Result header says another winner than the board.

    A draw on the board is no contradiction: not every server adjudicates the
    same draws, and a player may have resigned first.
    """
    result = game.headers.get("Result", "*")
    if outcome and outcome.termination in _DECISIVE and result not in ("*", outcome.result()):
        yield f"the Result header says {result}, the board {outcome.result()}"


def _kind(board: chess.Board, outcome: chess.Outcome | None) -> str:
    if outcome is None:
        return "other"
    return _DECISIVE.get(outcome.termination, "draw on the board")


def _ending(board: chess.Board, claim_draw: bool) -> str:
    if isinstance(board, AtomicBoard):
        return board.describe_outcome(claim_draw=claim_draw) or "not decided on the board"
    outcome = board.outcome(claim_draw=claim_draw)
    return outcome.termination.name.lower().replace("_", " ") if outcome else "not decided on the board"


def _line(number: int, game: chess.pgn.Game, ending: str, faults: list[str]) -> str:
    headers = game.headers
    players = f"{_printable(headers.get('White', '?'))} - {_printable(headers.get('Black', '?'))}"
    parts = [
        f"{number:5}  {players:<41} {game.end().ply():4} plies  {headers.get('Result', '*'):<7}  {ending}",
        *(f"       error: {_printable(fault)}" for fault in faults),
    ]
    return "\n".join(parts)


def _printable(text: str) -> str:
    """*text* without control characters, which could steer a terminal."""
    return "".join(char if char.isprintable() else "?" for char in text)


def _summary(counts: Counter[str], seconds: float) -> str:
    games = counts["games"]
    return (
        f"{games} games: {counts['explosion']} explosions, {counts['mate']} mates, "
        f"{counts['draw on the board']} draws on the board, {counts['other']} not decided on the board; "
        f"{counts['errors']} with errors; {games / max(seconds, 1e-9):.0f} games per second"
    )
