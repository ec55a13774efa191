"""Fake engines for tests, and proof that they are gone."""

import os
import sys
import time
from pathlib import Path

import chess.engine
import pytest

FAKE = Path(__file__).parent / "engines" / "fake.py"
FAKE_XBOARD = Path(__file__).parent / "engines" / "fake_xboard.py"
PROBES = 2  # Searches by which an engine proves itself.


def fake(*args):
    return [sys.executable, str(FAKE), *map(str, args)]


def fake_xboard(*args):
    return [sys.executable, str(FAKE_XBOARD), *map(str, args)]


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A process that nobody has waited for yet is dead all the same.
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and stat.read_text().rsplit(")", 1)[1].split()[0] == "Z")


def wait_until_gone(pid, seconds=5.0):
    deadline = time.monotonic() + seconds
    while is_running(pid):
        assert time.monotonic() < deadline, f"process {pid} is left behind"
        time.sleep(0.02)


@pytest.fixture
def started(monkeypatch):
    """The processes of all engines started in a test; none may be left when it ends."""
    pids = []
    connection_made = chess.engine.Protocol.connection_made

    def remember(self, transport):
        pids.append(transport.get_pid())
        connection_made(self, transport)

    monkeypatch.setattr(chess.engine.Protocol, "connection_made", remember)
    yield pids
    for pid in pids:
        wait_until_gone(pid)
