"""The command line in a process of its own, for what only a process can show."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Ctrl-C works although whoever runs the tests may ignore it, as background jobs do.
_START = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
{before}
from atomic_variant.__main__ import main
sys.exit(main())
"""


def start(*args, before="", environment=None, **options):
    """A running command; *before* is Python to run first."""
    return subprocess.Popen(
        [sys.executable, "-c", _START.format(before=before), *map(str, args)],
        env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **options},
    )


def run(*args, timeout=60, input=None, **options):
    """The status, standard output and standard error of a command, as bytes."""
    if input is not None:
        options["stdin"] = subprocess.PIPE
    with start(*args, **options) as process:
        try:
            out, err = process.communicate(input, timeout=timeout)
        except BaseException:
            process.kill()
            raise
    return process.returncode, out, err
