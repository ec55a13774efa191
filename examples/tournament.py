"""
A tournament of engines and functions: everybody against everybody.

    python tournament.py tactics tactics:1 random --openings games.pgn --pairs 10 --pgn tournament.pgn
    python tournament.py fairy-stockfish "npm=node --no-experimental-fetch uci.js" tactics:3 --clock 10+0.1

A player is the command line of an engine, with NAME= before it if you like;
or ``tactics:MOVES``, which plays wins that it can prove within so many moves;
or ``random``. Openings are those of games, or the most played ones of a file
that ``atomic-variant explore build`` made. Each opening is played twice by each two players, with colors
changed. Each game is written when it ends: the same command again plays only
what is missing. The margin in the table is 95 % of the chance in the pairs of
games, as the two games of a pair are not independent of each other.
"""

import argparse
import heapq
import itertools
import random
import statistics
import sys
from collections import defaultdict
from pathlib import Path

import chess
import chess.engine

from atomic_variant import engine, explorer, find_variant, pgn, tactics

OPENINGS = ["Nf3 f6", "Nh3 f6", "e3 e6", "Nc3 e6", "Nf3 f6 Nd4 Nh6", "Nf3 f6 e3 d5", "Nh3 f6 e3 e6", "d4 e6"]
POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


class Entrant:
    """A player by its name: an engine, opened once, or a function, made anew for each game."""

    def __init__(self, text, board_class, options):
        name, equals, command = text.partition("=")
        self.name, command = (name, command) if equals and " " not in name else (text, text)
        kind, _, number = command.partition(":")
        self.engine = self.make = None
        if kind == "tactics":
            self.make = lambda seed: tactics.player(int(number or 2), seed)
            self.make(0)  # Says now if there is something wrong with the number.
        elif command == "random":
            self.make = self.pick
        else:
            self.engine = engine.open_engine(command, board_class, **options)

    @staticmethod
    def pick(seed):
        chance = random.Random(seed)
        return lambda board: chance.choice(list(board.legal_moves))

    def player(self, seed):
        return self.engine or self.make(seed)


def read_openings(path, plies, board_class):
    """The positions after so many half-moves of the games in a file, each once."""
    seen = set()
    for game in pgn.read_games(path, variant=board_class):
        board = game.board()
        for move in itertools.islice(game.mainline_moves(), plies):
            board.push(move)
        if type(board) is board_class and not board.is_game_over() and board.epd() not in seen:
            seen.add(board.epd())
            yield board


def explored_openings(path, plies, board_class):
    """The positions after so many half-moves that an explorer knows, those of the most games first."""
    start = board_class()
    waiting, order = [(0, 0, start)], itertools.count(1)
    seen = set()
    with explorer.open(path) as book:
        while waiting:
            _, _, board = heapq.heappop(waiting)
            if board.epd() in seen or board.is_game_over():
                continue
            seen.add(board.epd())
            if len(board.move_stack) == plies:
                yield board
                continue
            for row in book.moves(board):
                after = board.copy()
                after.push(row.move)
                heapq.heappush(waiting, (-row.games, next(order), after))


def usual_openings(board_class):
    for line in OPENINGS:
        board = board_class()
        for san in line.split():
            board.push_san(san)
        yield board


def pairings(entrants, openings):
    """All games: round, white, black, opening. The seed of a game hangs on nothing else."""
    for number, board in enumerate(openings, start=1):
        for first, second in itertools.combinations(entrants, 2):
            yield f"{number}.1", first, second, board
            yield f"{number}.2", second, first, board


def read_results(path):
    """The results in a file, without a last game that was cut off, which is removed."""
    if not path.exists():
        return {}
    text = path.read_text(encoding="utf-8")
    if not text.endswith("\n\n"):
        path.write_text(text[: max(text.rfind("[Event "), 0)], encoding="utf-8")
    results = {}
    for record in pgn.scan(path):
        names = (record.headers.get(key) for key in ("Round", "White", "Black"))
        if record.moves and record.result in POINTS:
            results[tuple(names)] = record.result
    return results


def table(names, results):
    """Lines of text: points and their margin, wins, draws, losses."""
    scores = defaultdict(list)
    pairs = defaultdict(lambda: defaultdict(list))
    for (number, white, black), result in results.items():
        for name, other, points in ((white, black, POINTS[result]), (black, white, 1 - POINTS[result])):
            scores[name].append(points)
            pairs[name][number.partition(".")[0], other].append(points)
    lines = [f"{'':<24}{'games':>6}{'points':>8}{'score':>8}{'margin':>8}{'won':>6}{'drawn':>6}{'lost':>6}"]
    for name in sorted(names, key=lambda name: -statistics.fmean(scores[name] or [0])):
        mine = scores[name]
        whole = [statistics.fmean(pair) for pair in pairs[name].values() if len(pair) == 2]
        margin = f"{196 * statistics.stdev(whole) / len(whole) ** 0.5:.1f} %" if len(whole) > 1 else "-"
        counts = "".join(f"{mine.count(points):>6}" for points in (1.0, 0.5, 0.0))
        score = f"{100 * statistics.fmean(mine):.1f} %" if mine else "-"
        lines.append(f"{name[:23]:<24}{len(mine):>6}{sum(mine):>8g}{score:>8}{margin:>8}{counts}")
    return lines


def parse_clock(text):
    seconds, _, increment = text.partition("+")
    return engine.Clock(float(seconds), float(increment or 0))


def play_all(entrants, openings, args):
    results = read_results(args.pgn)
    rules = engine.Adjudication(max_plies=args.max_plies)
    for seed, (number, white, black, board) in enumerate(pairings(entrants, openings)):
        key = (number, white.name, black.name)
        if key in results:
            continue
        limit = None if args.clock else chess.engine.Limit(depth=args.depth)
        players = white.player(seed), black.player(seed)
        game = engine.play(board, *players, limit=limit, clock=args.clock, adjudication=rules)
        game.headers["Event"] = "Tournament"
        game.headers["Round"], game.headers["White"], game.headers["Black"] = key
        with open(args.pgn, "a", encoding="utf-8") as handle:
            handle.write(f"{game}\n\n")
        results[key] = game.headers["Result"]
        print(f"{number} {white.name} - {black.name}  {results[key]}", *game.errors, flush=True)
        for entrant in (white, black):
            if game.errors and entrant.engine:
                entrant.engine.restart()
    return results


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+", metavar="PLAYER")
    parser.add_argument("--variant", type=find_variant, default="atomic", help="the rules, by name")
    parser.add_argument("--openings", metavar="FILE", help="games that begin with them (.pgn), or an explorer (.db)")
    parser.add_argument("--plies", type=int, default=6, help="half-moves of an opening from there")
    parser.add_argument("--pairs", type=int, default=4, help="openings that each two players play twice")
    parser.add_argument("--clock", type=parse_clock, metavar="SECONDS+INCREMENT", help="instead of a fixed depth")
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--max-plies", type=int, default=300, help="half-moves after which a game is drawn")
    parser.add_argument("--timeout", type=float, default=20.0, help="when to give up on a silent engine")
    parser.add_argument("--pgn", type=Path, default=Path("tournament.pgn"), help="a file for the games")
    args = parser.parse_args(argv)
    entrants = []
    try:
        options = {"timeout": args.timeout}
        entrants.extend(Entrant(text, args.variant, options) for text in args.players)
        names = [entrant.name for entrant in entrants]
        if len({*names}) < len(names) or len(names) < 2:
            raise ValueError("it takes two players, of different names")
        reader = explored_openings if str(args.openings).endswith(".db") else read_openings
        source = reader(args.openings, args.plies, args.variant) if args.openings else None
        openings = list(itertools.islice(source or usual_openings(args.variant), args.pairs))
        results = play_all(entrants, openings, args)
    except (chess.engine.EngineError, OSError, ValueError) as err:
        print(err, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{args.pgn} keeps the games; the same command plays what is missing", file=sys.stderr)
        return 130
    finally:
        for entrant in entrants:
            if entrant.engine:
                entrant.engine.close()
    ours = {name: result for name, result in results.items() if {*name[1:]} <= {*names}}
    print(*table(names, ours), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
