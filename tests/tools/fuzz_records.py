"""
Fuzzes what the kernel makes of games for Python: records, columns and trees, for a bounded time.

Inputs are mutations of the PGN files given here and of the test texts, in
chunks of any size; every reading is held against that of pure Python. Under
sanitizers::

    python -m tests.tools.sanitize --module tests.tools.fuzz_records --seconds 60 games.pgn ...
"""

import argparse
import functools
import io
import random
import sys
import time
from pathlib import Path

from atomic_variant import AtomicBoard, kernel_active, pgn
from atomic_variant.pgn import _bulk

from ..kernel.test_pgn import UNUSUAL, USUAL, check, make_scanner, mutated, python_records, shared_files


def fuzz(rng: random.Random, text: bytes) -> None:
    """Reads *text* in every form, by the readers and by a scanner that is asked at odd places."""
    _bulk._CHUNK_SIZE = rng.choice([1, 7, 100, 1000, 2**20])
    _bulk._BATCH = rng.choice([1, 2, 1024])
    check(functools.partial(io.BytesIO, text))
    records = list(python_records(io.BytesIO(text), comments=False, variant=AtomicBoard))
    arrays = list(pgn.scan_arrays(io.BytesIO(text), variant=AtomicBoard, batch=rng.choice([1, 3, 1000])))
    assert sum(map(len, arrays)) == len(records)
    assert [ending for part in arrays for ending in part.endings] == [record.ending for record in records]
    assert sum(len(part.moves) for part in arrays) == sum(len(record.moves) for record in records)
    scanner = make_scanner(max_size=rng.choice([0, 10, 1000]), max_depth=rng.choice([0, 1, 5]))
    for form in ("records", "columns", "trees", "written", "places"):
        position = rng.randrange(len(text) + 1)
        scanner.scan(text, position, form, rng.random() < 0.5, 1, 1, rng.choice([1, 2, 100]))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="PGN files to begin with")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    assert kernel_active()
    rng = random.Random(args.seed)
    sources = [USUAL, *UNUSUAL, *(path.read_bytes() for path in [*args.files, *shared_files()])]
    end = time.monotonic() + args.seconds
    count = 0
    while time.monotonic() < end:
        source = rng.choice(sources) or b"\n"
        start = max(source.find(b"[Event ", rng.randrange(len(source))), 0) if rng.random() < 0.9 else 0
        text = mutated(rng, USUAL[: rng.choice([0, 0, 500])] + source[start:][: rng.choice([300, 1500, 4000])])
        try:
            fuzz(rng, text)
        except BaseException:
            print(f"input: {text!r}", file=sys.stderr)
            raise
        count += 1
    print(f"{count} inputs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
