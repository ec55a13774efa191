"""
An XBoard engine for tests.

    python fake_xboard.py [--variants A,B] [--standard] [--illegal] [--forget N] [--refuse MOVE] [--wander N]
                          [--claim N] [--fragile] [--chatter] [--delay SECONDS] [--name NAME] [--log FILE]

It plays the first legal move. With ``--forget`` it does as Fairy-Stockfish does
now and then: it prints its Nth move and never plays it.
"""

import argparse
import os
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import chess

from atomic_variant import find_variant


def send(line):
    print(line, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--variants", default="normal,atomic")
    parser.add_argument("--standard", action="store_true", help="ignore the variant")
    parser.add_argument("--illegal", action="store_true", help="answer an illegal move in the starting position")
    parser.add_argument("--forget", type=int, help="which of its moves it does not play")
    parser.add_argument("--wander", type=int, help="which of its answers is illegal, and from another position")
    parser.add_argument("--refuse", help="call this move illegal, always")
    parser.add_argument("--claim", type=int, help="claim a draw instead of this answer")
    parser.add_argument("--name", default="Fake XBoard 2.0")
    parser.add_argument("--fragile", action="store_true", help="die as Fairy-Stockfish does, see below")
    parser.add_argument("--chatter", action="store_true", help="say what nobody asked for, at each command")
    parser.add_argument("--delay", type=float, default=0, help="seconds that it takes to start")
    parser.add_argument("--log", help="a file for all that it is told")
    args = parser.parse_args()
    time.sleep(args.delay)
    board = chess.Board()
    answers = 0
    # Fairy-Stockfish lends the states of its position to a search, and takes
    # them back with the next move or undo. A position that is set up between
    # loses its own states to the old ones.
    lent = mixed = False
    for line in sys.stdin:
        if args.log:
            with open(args.log, "a") as log:
                log.write(line)
        word, _, rest = line.strip().partition(" ")
        if args.chatter and word != "protover":
            for text in ["telluser hello", "lorem ipsum", "Hint: a1a8", "12 34", "1 2 3 4 a1a8", "feature debug=1"]:
                send(text)
        if word == "protover":
            send(f'feature myname="{args.name}" ping=1 setboard=1 usermove=1 variants="{args.variants}" done=1')
        elif word == "ping":
            send(f"pong {rest}")
        elif word == "new":
            board = chess.Board()
        elif word == "variant":
            variant = {"nocheckatomic": "icc atomic"}.get(rest, rest)
            board = chess.Board() if args.standard else find_variant(variant)()
            send("setup (PNBRQKpnbrqk) 8x8+0_fairy rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w KQkq - 0 1")
            send("piece P& fmWfceFifmnD")
        elif word == "setboard":
            board.set_fen(rest)
            mixed = lent
        elif word == "undo":
            if board.move_stack:
                board.pop()
                lent = False
        elif word == "analyze":
            lent = True
            send(f"1 10 0 20 {next(iter(board.legal_moves)).uci()}")
        elif word == "usermove":
            try:
                if rest == args.refuse:
                    raise ValueError
                board.push_xboard(rest)
                lent = False
                if mixed and args.fragile:
                    os.kill(os.getpid(), signal.SIGSEGV)
            except ValueError:
                send(f"Illegal move: {rest}")
        elif word == "go":
            answers += 1
            lent = True
            move = next(iter(board.legal_moves))
            if answers == args.claim:
                send("1/2-1/2 {Draw by repetition}")
                continue
            if answers == args.wander or (args.illegal and chess.popcount(board.pawns) == 16):
                send("move a1a8")
                continue
            send(f"move {move.uci()}")
            if answers != args.forget:
                board.push(move)
                lent = False
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
