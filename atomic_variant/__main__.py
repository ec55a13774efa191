"""The command line: ``python -m atomic_variant``, also installed as ``atomic-variant``."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import NoReturn

from . import __version__
from .cli import COMMANDS
from .kernel import state
from .text import one_line


class _Parser(argparse.ArgumentParser):
    """A parser whose messages steer no terminal, whatever the arguments hold."""

    def error(self, message: str) -> NoReturn:
        super().error(one_line(message, 1000))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit status."""
    words = sys.argv[1:] if argv is None else list(argv)
    parser = _Parser(prog="atomic-variant", description="Reads, checks, explains and draws games of atomic chess.")
    version = f"{parser.prog} {__version__} (compiled kernel: {state()})"
    parser.add_argument("--version", action="version", version=version.replace("%", "%%"))
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    # Only the command that is called is imported.
    called = next((word for word in words if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary)
        if name == called:
            command = importlib.import_module(f"{__package__}.cli.{name}")
            command.add_arguments(subparser)
    args = parser.parse_args(words)
    door = importlib.import_module(f"{__package__}.cli._door")
    status: int = door.run(command, args)
    return status


if __name__ == "__main__":
    sys.exit(main())
