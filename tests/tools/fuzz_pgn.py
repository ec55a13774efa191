"""
Holds all readers of PGN against each other on mutated inputs::

    python -m tests.tools.fuzz_pgn --inputs 1000000 --seed 1
    python -m tests.tools.fuzz_pgn --seconds 60

A failure prints the input and ends the run with status 1.
"""

import argparse
import random
import sys
import time

from ..pgn.test_agreement import check, mutated


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--seed", default="0")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    games = number = 0
    end = time.monotonic() + args.seconds
    while number < args.inputs and time.monotonic() < end:
        number += 1
        data = mutated(rng)
        try:
            games += check(data)
        except Exception:
            print(f"input {number}: {data!r}", file=sys.stderr)
            raise
    print(f"{number} inputs, {games} games: all readers agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
