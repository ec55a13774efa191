"""
A UCI engine for tests: small, exact, and as badly behaved as it is told.

    python fake.py [--misbehave HOW] [--at N | --poison FEN] [--variants A,B] [--log FILE] [--name NAME]

It plays the first legal move with a score made from the position, so its
answers can be repeated. From the Nth search on (counting from 1) it misbehaves.
"""

import argparse
import hashlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import chess

from atomic_variant import AtomicBoard, find_variant


def send(line):
    print(line, flush=True)


def hang():
    """Does nothing, until its parent is gone: a killed test leaves nothing behind."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.1)


def flood(end):
    """A gigabyte, or as much of it as somebody reads."""
    for _ in range(2**14):
        sys.stdout.buffer.write(b"a" * (2**16 - len(end)) + end if end != b"\n" else b"info x\n" * 2**13)
    sys.stdout.buffer.flush()
    hang()


def misbehave(how, args):
    if how == "hang":
        hang()
    elif how == "die":
        print("out of memory, giving up", file=sys.stderr, flush=True)
        sys.exit(3)
    elif how == "die-slowly":
        for number in range(1, 31):
            print(f"line {number}", file=sys.stderr)
        print("the end", end="", file=sys.stderr, flush=True)
        sys.exit(3)
    elif how == "fetch":
        print("TypeError: Failed to parse URL from stockfish.wasm\n    at node:internal/deps/undici", file=sys.stderr)
        sys.exit(7)
    elif how == "drip":
        parent = os.getppid()
        while os.getppid() == parent:
            send("info depth 3 nodes 7 currmove e2e4")
            time.sleep(0.1)
    elif how == "deepen":
        for depth in range(1, 31):
            send(f"info depth {depth} score cp 1 nodes {depth}")
            time.sleep(0.1)
        send(f"bestmove {next(iter(args.board.legal_moves)).uci()}")
    elif how == "chatter":
        for line in ["", "lorem ipsum", "id name Again", "registration ok", "\x1b[0m"]:
            send(line)
        sys.stdout.buffer.write(b"info string \xff\xfe\n")
        send("info depth x seldepth score cp nodes 1 nps many time 1 wdl a b c")
        send(f"info depth 4 seldepth ? multipv 1 score cp 17 nodes 1 pv {next(iter(args.board.legal_moves)).uci()}")
        send("info string pv a1a8 and depth x")
        first = next(iter(args.board.legal_moves)).uci()
        for moves in ["a1a8", f"{first} a1a8", f"{first} e2e9x b8c6", f"{first} 0000 {first}"]:
            send(f"info depth 5 pv {moves}")
            send(f"info depth 5 currline 1 {moves}")
            send(f"info depth 5 refutation {moves}")
        for nonsense in ["currmove", "currmove e2", "currmove e2e2", "currline e2e4", "refutation", "refutation x"]:
            send(f"info depth 5 {nonsense}")
        send(f"info depth 5 pv {first} a1a8 {first}")
        send(f"info depth 5 score cp {'9' * 30}")
        send(f"bestmove {first} ponder {first}")
    elif how == "twice":
        first, second = list(args.board.legal_moves)[:2]
        # In one piece: a late answer would pass for one to the next search.
        sys.stdout.buffer.write(f"bestmove {first.uci()}\nbestmove {second.uci()}\n".encode())
        sys.stdout.buffer.flush()
    elif how == "upper":
        send(f"bestmove {next(iter(args.board.legal_moves)).uci().upper()}")
    elif how == "mute":
        sys.stdout.flush()
        os.close(1)
        hang()
    elif how == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        hang()
    elif how == "no-net":
        send("info string ERROR: The network file default.nnue was not loaded successfully.")
        send("bestmove (none)")
    elif how == "illegal":
        send("info depth 1 score cp 10")
        send("bestmove a1a8")
    elif how == "null":
        send("bestmove 0000")
    elif how == "unreadable":
        send("bestmove \x1b[31mcastle long\x07")
    elif how == "no-move":
        send("bestmove (none)")
    elif how == "no-score":
        send(f"bestmove {next(iter(args.board.legal_moves)).uci()}")
    elif how == "huge-score":
        send(f"info depth 1 score cp {'9' * 400}")
        send(f"bestmove {next(iter(args.board.legal_moves)).uci()}")
    elif how == "long-line":
        flood(b"")
    elif how == "many-lines":
        flood(b"\n")
    elif how == "nonsense":
        sys.stdout.buffer.write(
            b"\xff\xfe\x00 depth\ninfo depth x score y z\ninfo score cp\nreadyok\nid\noption name\n\n"
        )
        sys.stdout.buffer.flush()
        hang()
    elif how == "endless-nonsense":
        while True:
            send("info string thinking")
            send("lorem ipsum")
            time.sleep(0.05)
    elif how == "child":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
        Path(args.log).write_text(str(child.pid))
        hang()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--misbehave", default="")
    parser.add_argument("--at", type=int, default=0)
    parser.add_argument("--variants", default="chess,atomic")
    parser.add_argument("--standard", action="store_true", help="ignore the variant")
    parser.add_argument("--poison", help="misbehave in positions whose FEN contains this")
    parser.add_argument("--log", help="a file for the positions that it searches")
    parser.add_argument("--commands", help="a file for all that it is told")
    parser.add_argument("--memory", action="store_true", help="let scores depend on all searches of a game")
    parser.add_argument("--name", default="Fake 1.0")
    parser.add_argument("load", nargs="*", help="load FILE: announce the variants of a configuration file")
    args = parser.parse_args()
    if args.load:
        sections = re.findall(r"^\[(\w+):", Path(args.load[1]).read_text(), re.MULTILINE)
        args.variants = ",".join([args.variants, *sections])

    if args.misbehave and args.at == 0 and not args.poison:
        misbehave(args.misbehave, args)
    variant = "chess"
    searches = 0
    root_moves = None
    memory = ""
    args.board = AtomicBoard()
    for line in sys.stdin:
        words = line.split()
        if args.commands:
            with open(args.commands, "a") as commands:
                commands.write(line)
        if words[:1] == ["uci"]:
            send(f"id name {args.name}")
            send("option name MultiPV type spin default 1 min 1 max 500")
            send("option name UCI_Chess960 type check default false")
            if args.variants:
                send(f"option name UCI_Variant type combo default chess var {' var '.join(args.variants.split(','))}")
            send("uciok")
        elif words[:1] == ["ucinewgame"]:
            memory = ""
        elif words[:1] == ["isready"]:
            send("readyok")
        elif words[:3] == ["setoption", "name", "UCI_Variant"]:
            variant = words[4]
        elif words[:2] == ["position", "fen"]:
            board_class = chess.Board if args.standard else find_variant(variant)
            args.board = board_class(" ".join(words[2:8]), chess960=False)
            for move in words[9:]:
                args.board.push_uci(move)
        elif words[:1] == ["go"]:
            searches += 1
            root_moves = words[words.index("searchmoves") + 1 :] if "searchmoves" in words else None
            poisoned = args.poison and args.poison in args.board.fen()
            if args.misbehave and (poisoned or (args.at and searches >= args.at)):
                misbehave(args.misbehave, args)
                continue
            if args.log:
                with open(args.log, "a") as log:
                    print(args.board.fen(), file=log)
            moves = [move.uci() for move in args.board.legal_moves]
            if root_moves is not None:
                moves = [move for move in moves if move in root_moves]
            memory = memory * args.memory + args.board.fen()
            score = int(hashlib.sha256(memory.encode()).hexdigest(), 16) % 600 - 300
            send(f"info depth 1 multipv 1 score cp {score} nodes 1 pv {moves[0] if moves else ''}")
            send(f"bestmove {moves[0] if moves else '(none)'}")
        elif words[:1] == ["quit"]:
            break


if __name__ == "__main__":
    main()
