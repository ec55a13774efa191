"""Scripts that tests interrupt."""

import sys

_HEED = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.executable, sys.argv[1:])"


def interruptible(*args):
    """
    The command line of a Python that heeds Ctrl-C.

    Jobs in the background and those of cron ignore it, and so do all programs
    that they start: a Python that finds the signal ignored raises nothing.
    """
    return [sys.executable, "-c", _HEED, sys.executable, *map(str, args)]
