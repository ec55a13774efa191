"""Processes of a pool that end with the process that started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time

_SECONDS = 1.0
"""How often a process looks whether its parent is still there."""


def begin(on_interrupt: signal.Handlers) -> None:
    """
    Initializes a process of a :class:`~concurrent.futures.ProcessPoolExecutor`.

    :param on_interrupt: What Ctrl-C does to it.

    The pool tells its processes when to end. One that is killed tells
    nothing, and they would wait for work for ever.
    """
    signal.signal(signal.SIGINT, on_interrupt)
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()


def _end_with_parent(pid: int) -> None:
    if os.name == "nt":
        # There the number of a parent that is gone stays what it was.
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
    else:
        while os.getppid() == pid:
            time.sleep(_SECONDS)
    os._exit(1)
