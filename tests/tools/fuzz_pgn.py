"""
Holds all readers of PGN against each other on mutated inputs::

    python -m tests.tools.fuzz_pgn --inputs 1000000 --seed 1

A failure prints the input and ends the run with status 1. The gate makes a
bounded run of it in tests/pgn/test_agreement.py.
"""

import argparse
import random
import sys

from ..pgn.test_agreement import check, mutated


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", default="0")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    games = 0
    for number in range(1, args.inputs + 1):
        data = mutated(rng)
        try:
            games += check(data)
        except Exception:
            print(f"input {number}: {data!r}", file=sys.stderr)
            raise
    print(f"{args.inputs} inputs, {games} games: all readers agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
