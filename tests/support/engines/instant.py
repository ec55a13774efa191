"""
A UCI engine that answers at once, for measuring what is beside an engine.

    python instant.py [--lines N] [--own FILE]

For each search it shows N lines, ever deeper, as an engine does whose move
and score were found before, and plays their first move. It thinks while
nobody waits for it: what it does between ``go`` and ``bestmove`` is timed and
written to FILE at the end, in nanoseconds, with the number of searches.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))


from atomic_variant import AtomicBoard

LONGEST = 12


def line_of_moves(board):
    """Moves that go on, captures first, so that lines differ from one position to the next."""
    moves = []
    while len(moves) < LONGEST and not board.is_game_over():
        legal = list(board.legal_moves)
        moves.append(min(legal, key=lambda move: (not board.is_capture(move), -move.to_square)))
        board.push(moves[-1])
    return moves


def answer(position, words, lines):
    """What to say to ``go``, in one piece."""
    start, _, moves = position.partition(" moves ")
    board = AtomicBoard() if start == "startpos" else AtomicBoard(start.removeprefix("fen "))
    for move in moves.split():
        board.push_uci(move)
    if "searchmoves" in words:
        shown = [words[words.index("searchmoves") + 1]]
    else:
        shown = [move.uci() for move in line_of_moves(board)]
    said = [
        f"info depth {depth} seldepth {depth} multipv 1 score cp {7 * depth % 60} nodes {depth * 1000} nps 1000000 "
        f"hashfull 0 tbhits 0 time {depth} pv {' '.join(shown[:depth])}"
        for depth in range(1, lines + 1)
    ]
    return "\n".join([*said, f"bestmove {shown[0]}\n"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=1)
    parser.add_argument("--own", type=Path)
    args = parser.parse_args()
    position = "startpos"
    searches = own = 0
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uci":
            print("id name Instant 1.0\noption name UCI_Variant type combo default chess var chess var atomic\nuciok")
        elif words[0] == "isready":
            print("readyok")
        elif words[0] == "position":
            position = line.partition(" ")[2].strip()
        elif words[0] == "go":
            began = time.perf_counter_ns()
            text = answer(position, words, args.lines)
            own += time.perf_counter_ns() - began
            searches += 1
            sys.stdout.write(text)
        elif words[0] == "quit":
            break
        sys.stdout.flush()
        if args.own and words[0] == "go":
            # After the answer: nobody waits for it. Engines are killed, not told to quit.
            args.own.write_text(f"{own} {searches}")


if __name__ == "__main__":
    main()
