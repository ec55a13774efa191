"""
An XBoard engine for tests.

    python fake_xboard.py [--variants A,B] [--standard] [--illegal]
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import chess

from atomic_variant import AtomicBoard


def send(line):
    print(line, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--variants", default="normal,atomic")
    parser.add_argument("--standard", action="store_true", help="ignore the variant")
    parser.add_argument("--illegal", action="store_true", help="answer an illegal move in the starting position")
    args = parser.parse_args()
    board = chess.Board()
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "protover":
            send(f'feature myname="Fake XBoard 2.0" ping=1 setboard=1 usermove=1 variants="{args.variants}" done=1')
        elif word == "ping":
            send(f"pong {rest}")
        elif word == "new":
            board = chess.Board()
        elif word == "variant":
            board = chess.Board() if args.standard else AtomicBoard()
        elif word == "setboard":
            board.set_fen(rest)
        elif word == "usermove":
            board.push_xboard(rest)
        elif word == "go":
            move = next(iter(board.legal_moves))
            board.push(move)
            send("move a1a8" if args.illegal and chess.popcount(board.pawns) == 16 else f"move {move.uci()}")
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
