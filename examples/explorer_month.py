"""
Builds an opening explorer from a generated month of games, and times it.

    python explorer_month.py --games 500000 --plies 24

The games are as uneven as real ones: most begin with few openings, and the
further they go the fewer have their position in common. Generating them is not
timed. Printed are the time and the memory of building, the size of the file,
and how long a position takes to look up. Needs the extra ``arrays``.
"""

import argparse
import multiprocessing
import random
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

from atomic_variant import AtomicBoard, explorer

HEADERS = """[Event "Rated Atomic game"]
[Site "https://lichess.org/{number:08x}"]
[White "player{white}"]
[Black "player{black}"]
[Result "{result}"]
[UTCDate "2026.08.{day:02}"]
[WhiteElo "{white_elo}"]
[BlackElo "{black_elo}"]
[TimeControl "{control}"]
[Variant "Atomic"]

"""
CONTROLS = ["60+0", "60+0", "120+1", "180+0", "180+2", "300+3", "600+0", "30+0"]


class Line:
    """A position of the generated games, and the moves from there as they are drawn."""

    __slots__ = ("board", "lines", "moves", "weights")

    def __init__(self, board):
        self.board = board
        self.moves = self.weights = None
        self.lines = {}

    def draw(self, chance):
        """A move, its SAN and what comes after it; the first of the moves, in an order of its own, more often."""
        if self.moves is None:
            moves = [] if self.board.is_game_over() else list(self.board.legal_moves)
            explosions = [move for move in moves if self.board.explodes_king(move)]
            if explosions:
                moves = explosions
            random.Random(self.board.fen()).shuffle(moves)
            self.moves = [(move, self.board.san(move)) for move in moves[:12]]
            self.weights = [0.45**index for index in range(len(self.moves))]
        if not self.moves:
            return None, self
        [(move, san)] = chance.choices(self.moves, self.weights)
        line = self.lines.get(move)
        if line is None:
            after = self.board.copy(stack=False)
            after.push(move)
            line = Line(after)
            if self.board.ply() < 16:  # What is rare is not remembered.
                self.lines[move] = line
        return san, line


def write_games(path, count, plies, seed):
    chance = random.Random(seed)
    root = Line(AtomicBoard())
    with open(path, "w", encoding="utf-8") as out:
        for number in range(count):
            line, sans = root, []
            length = plies + chance.randrange(-plies // 3, plies // 3 + 1)
            while len(sans) < length:
                san, line = line.draw(chance)
                if san is None:
                    break
                sans.append(san)
            outcome = line.board.outcome()
            result = outcome.result() if outcome else chance.choices(["1-0", "0-1", "1/2-1/2"], [50, 44, 6])[0]
            level = int(chance.gauss(1750, 250))
            out.write(HEADERS.format(
                number=number, white=chance.randrange(20_000), black=chance.randrange(20_000), result=result,
                day=chance.randrange(1, 32), white_elo=level, black_elo=int(chance.gauss(level, 80)),
                control=chance.choice(CONTROLS),
            ))  # fmt: skip
            numbered = (f"{index // 2 + 1}. {san}" if index % 2 == 0 else san for index, san in enumerate(sans))
            out.write(f"{' '.join(numbered)} {result}\n\n")


def look_up(book, chance, count):
    """The milliseconds of a look-up, each in a position that a player may come to."""
    times = []
    while len(times) < count:
        board = AtomicBoard()
        for _ in range(book.plies):
            start = time.perf_counter()
            rows = book.moves(board)
            times.append(1000 * (time.perf_counter() - start))
            if not rows:
                break
            board.push(chance.choices([row.move for row in rows], [row.games for row in rows])[0])
    return times


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=500_000)
    parser.add_argument("--plies", type=int, default=24, help="half-moves that are counted")
    parser.add_argument("--length", type=int, default=40, help="half-moves of a game, more or less")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where to keep the games and the explorer")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        month, path = folder / "month.pgn", folder / "atomic.db"
        if not month.exists():
            # In a process of its own, so that its memory does not count.
            generating = multiprocessing.Process(target=write_games, args=(month, args.games, args.length, args.seed))
            generating.start()
            generating.join()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.perf_counter()
        processor = time.process_time()
        count = explorer.build(month, path, plies=args.plies)
        took, processor = time.perf_counter() - start, time.process_time() - processor
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(f"{count} games, {month.stat().st_size / 1e6:.0f} MB of PGN, {args.plies} plies")
        print(
            f"built in {took:.1f} s ({processor:.1f} s of processors), at most {memory / 1024:.0f} MB of memory "
            f"({before / 1024:.0f} MB before), a file of {path.stat().st_size / 1e6:.1f} MB"
        )
        with explorer.open(path) as book:
            times = look_up(book, random.Random(args.seed), 2000)
            first = book.moves(AtomicBoard())
        print(f"look-up: {statistics.median(times):.2f} ms (median), {max(times):.1f} ms at most")
        for row in first[:5]:
            print(f"{row.san:<6}{row.games:>8}{row.score:>8.1%} ± {row.margin:.1%}  performance {row.performance}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
