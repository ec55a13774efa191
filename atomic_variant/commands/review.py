"""``review``: reads every game, checks every move, and says how each game ended."""

from __future__ import annotations

import argparse
from typing import Any


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("review", help="check every move and say how each game ended")
    parser.add_argument("file", metavar="GAMES.pgn", help="a PGN file, or - for standard input")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    return 0
