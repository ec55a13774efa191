"""
A match between two engines, or between you and an engine.

    python engine_match.py --games 4 --clock 10+0.1 --pgn match.pgn
    python engine_match.py --white-engine "node uci.js" --black-engine fairy-stockfish
    python engine_match.py --person --variant "wild/27"

Each opening is played twice, with colors changed. An engine that fails loses
its game and is started again for the next one.
"""

import argparse
import re
import sys

import chess.engine

from atomic_variant import engine, find_variant, host

OPENINGS = ["", "Nf3 f6", "Nf3 f6 Nd4 Nh6", "Nh3 f6", "e3 e6", "Nc3 e6"]


def parse_clock(text: str) -> engine.Clock:
    seconds, _, increment = text.partition("+")
    return engine.Clock(float(seconds), float(increment or 0))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--white-engine", metavar="COMMAND", help="white in the first game; a usual engine by default")
    parser.add_argument("--black-engine", metavar="COMMAND", help="black in the first game; a usual engine by default")
    parser.add_argument("--person", action="store_true", help="you play white in the first game")
    parser.add_argument("--variant", default="atomic", help="the rules, by name")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--clock", type=parse_clock, metavar="SECONDS+INCREMENT", help="instead of a fixed depth")
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--pgn", help="a file to append the games to")
    args = parser.parse_args()

    board_class = find_variant(args.variant)
    adjudication = engine.Adjudication(max_plies=300, win_centipawns=2000, draw_centipawns=5)
    points = 0.0
    try:
        first: engine.Player = engine.person() if args.person else engine.open_engine(args.white_engine, board_class)
        second = engine.open_engine(args.black_engine, board_class)
    except chess.engine.EngineError as err:
        print(err, file=sys.stderr)
        return 2
    try:
        for number in range(args.games):
            board = board_class()
            for san in OPENINGS[number // 2 % len(OPENINGS)].split():
                board.push_san(san)
            white, black = (first, second) if number % 2 == 0 else (second, first)
            game = engine.play(
                board,
                white,
                black,
                limit=None if args.clock else chess.engine.Limit(depth=args.depth),
                clock=args.clock,
                adjudication=adjudication,
            )
            game.headers["Round"] = str(number + 1)
            result = game.headers["Result"]
            ending = re.sub(r"\[%.*?\]\s*", "", host.comment(game.end()))
            print(f"{number + 1}. {game.headers['White']} - {game.headers['Black']}  {result}  {ending}")
            score = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[result]
            points += score if white is first else 1 - score
            if args.pgn:
                with open(args.pgn, "a", encoding="utf-8") as handle:
                    print(game, end="\n\n", file=handle)
            for player in (first, second):
                if game.errors and isinstance(player, engine.Engine):
                    player.restart()
    finally:
        for player in (first, second):
            if isinstance(player, engine.Engine):
                player.close()
    print(f"{points:g} - {args.games - points:g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
