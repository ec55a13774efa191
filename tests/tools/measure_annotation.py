"""
What annotating costs beside the engine's own time, a position.

An engine that answers at once (``tests/support/engines/instant.py``) times
itself from each ``go`` to its answer. What is left of the time of the whole
call is ours, the pipe and the host's part included. Each round also asks the
engine about the same positions by :meth:`chess.engine.SimpleEngine.analyse`
of python-chess alone, without guards, proofs and annotations::

    python -m tests.tools.measure_annotation [GAMES.pgn] [--games 30] [--lines 1 12] [--rounds 5]
"""

import argparse
import itertools
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import chess
import chess.engine
import chess.pgn

from atomic_variant import AtomicBoard, engine, kernel_active, pgn

INSTANT = Path(__file__).parents[1] / "support" / "engines" / "instant.py"
GAMES = Path(__file__).parents[2] / "examples" / "games.pgn"
LIMIT = chess.engine.Limit(depth=12)


def command(lines: int, own: Path) -> list[str]:
    return [sys.executable, str(INSTANT), "--lines", str(lines), "--own", str(own)]


def overhead(run: Callable[[], None], own: Path) -> tuple[float, float, int]:
    """Seconds of the clock and of the processor beside the engine's own time, and how often it was asked."""
    before = _own(own)
    began, used = time.perf_counter(), time.process_time()
    run()
    took, used = time.perf_counter() - began, time.process_time() - used
    time.sleep(0.05)  # The engine writes down its time after its answer.
    after = _own(own)
    return took - (after[0] - before[0]) / 1e9, used, after[1] - before[1]


def _own(path: Path) -> tuple[int, int]:
    nanoseconds, searches = path.read_text().split()
    return int(nanoseconds), int(searches)


def annotate_all(games: list[chess.pgn.Game], opened: engine.Engine) -> Callable[[], None]:
    def run() -> None:
        for game in games:
            engine.annotate(game, opened, LIMIT, resume=False)

    return run


def analyse_all(games: list[chess.pgn.Game], opened: chess.engine.SimpleEngine) -> Callable[[], None]:
    boards = [(node.board(), game) for game in games for node in [game, *game.mainline()]]
    unfinished = [(board, game) for board, game in boards if not board.is_game_over()]

    def run() -> None:
        for board, game in unfinished:
            opened.analyse(board, LIMIT, game=game)

    return run


class Measured(NamedTuple):
    """The least of several rounds, in seconds."""

    beside: float
    """What a position takes, beside the engine."""
    used: float
    """What it takes of the processor."""
    alone: float
    """What a search by python-chess alone takes, beside the engine."""
    searched: int
    """How many positions the engine was asked about; the others were proved."""


def measure(games: list[chess.pgn.Game], lines: int, rounds: int) -> Measured:
    """Annotates *games* with an engine that shows so many *lines* a search."""
    positions = count_positions(games)
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder, "ours"), Path(folder, "theirs")
        with (
            engine.open_engine(command(lines, ours)) as opened,
            chess.engine.SimpleEngine.popen_uci(command(lines, theirs)) as plain,
        ):
            plain.play(games[0].board(), LIMIT)
            found = [
                (overhead(annotate_all(games, opened), ours), overhead(analyse_all(games, plain), theirs))
                for _ in range(rounds)
            ]
    return Measured(
        min(one[0] for one, _ in found) / positions,
        min(one[1] for one, _ in found) / positions,
        min(other[0] / other[2] for _, other in found),
        found[0][0][2],
    )


def count_positions(games: list[chess.pgn.Game]) -> int:
    return sum(1 + sum(1 for _ in game.mainline()) for game in games)


def usual_games(path: Path, number: int) -> list[chess.pgn.Game]:
    """The first games of *path* that an engine without Chess960 can be asked about."""
    sound = (game for game in pgn.read_games(path) if not game.errors and type(game.board()) is AtomicBoard)
    return list(itertools.islice((game for game in sound if not game.board().chess960), number))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("path", nargs="?", type=Path, default=GAMES)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--lines", type=int, nargs="+", default=[1, 12], help="lines that the engine shows a search")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    games = usual_games(args.path, args.games)
    positions = count_positions(games)
    print(f"{len(games)} games, {positions} positions, kernel {'on' if kernel_active() else 'off'}")
    for lines in args.lines:
        beside, used, alone, searched = measure(games, lines, args.rounds)
        print(
            f"{lines} lines a search: annotate {beside * 1e3:.2f} ms a position beside the engine, "
            f"{used * 1e3:.2f} ms of the processor ({searched} of {positions} positions searched, the others proved); "
            f"python-chess's analyse alone {alone * 1e3:.2f} ms a search"
        )


if __name__ == "__main__":
    main()
