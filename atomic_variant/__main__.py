"""The command line: ``python -m atomic_variant``, also installed as ``atomic-variant``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import __version__
from .cli import annotate, check, convert, review, stats, svg

COMMANDS = (review, check, convert, stats, annotate, svg)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="atomic-variant", description="Reads, checks, explains and draws games of atomic chess."
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_parser(subparsers)
    args = parser.parse_args(argv)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output has seen enough. Nothing is left to flush.
        sys.stdout = None
        return 0
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
