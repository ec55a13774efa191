"""Scripts that opened an engine come to their end, and leave no engine behind."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ..support.fakes import PROBES, fake, wait_until_gone
from ..support.scripts import interruptible

ROOT = Path(__file__).parents[2]

OPEN = """
import chess.engine, time
from atomic_variant import AtomicBoard, engine

def show(opened):
    print(opened.transport.get_pid(), flush=True)

opened = engine.open_engine({command!r}, timeout=60)
show(opened)
"""

# Each hangs after the process of the engine is shown.
HANGING = {
    "in a search": "opened.play(AtomicBoard(), chess.engine.Limit(depth=1))",
    "in an analysis": "for info in opened.analysis(AtomicBoard()): pass",
    "between calls": "time.sleep(60)",
    "in a restarted engine": "opened.restart(); show(opened); opened.play(AtomicBoard(), chess.engine.Limit(depth=1))",
}

ENDING = {
    "the end": "",
    "an uncaught exception": "raise RuntimeError('over')",
    "sys.exit": "import sys; sys.exit(5)",
    "the end of a search in another thread": """
import threading
def search():
    time.sleep(0.5)
    print(opened.play(AtomicBoard(), chess.engine.Limit(depth=1)).move, flush=True)
threading.Thread(target=search).start()
""",
    "two engines": "second = engine.open_engine({command!r}); show(second)",
    "a closed engine": "opened.close()",
}


def run(tmp_path, code, command, interrupt_at=None):
    """Runs a script with a limit, interrupted when it has shown so many engines, and gives what it left."""
    script = tmp_path / "script.py"
    script.write_text((OPEN + code).replace("{command!r}", repr(command)))
    process = subprocess.Popen(
        interruptible(script),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,  # As from a terminal, all in it that is not set apart gets the signal.
    )
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    try:
        shown = []
        if interrupt_at:
            shown = [process.stdout.readline() for _ in range(interrupt_at)]
            os.killpg(process.pid, signal.SIGINT)
        said, errors = process.communicate(timeout=30)
    finally:
        watchdog.cancel()
        process.kill()
        process.wait(10)
    return process.returncode, "".join(shown) + said, errors


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
@pytest.mark.parametrize("where", HANGING)
def test_one_interrupt_ends_a_script_that_opened_an_engine(tmp_path, where):
    hang = fake("--misbehave", "hang", "--at", PROBES + 1)
    shows = HANGING[where].count("show") + 1
    returncode, said, errors = run(tmp_path, HANGING[where], hang, interrupt_at=shows)
    assert returncode in (-signal.SIGINT, 130, 1)
    assert errors.rstrip().endswith("KeyboardInterrupt"), errors
    for pid in said.split():
        wait_until_gone(int(pid), 20)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_an_interrupt_while_an_engine_is_opened_ends_it_too(tmp_path):
    command = ["/bin/sh", "-c", "echo $$ >&2; echo $$ > %s; exec sleep 60" % (tmp_path / "pid")]
    code = f"""
import os, pathlib, signal, threading
def interrupt():
    while not pathlib.Path({str(tmp_path / "pid")!r}).exists():
        time.sleep(0.05)
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    engine.open_engine({command!r}, timeout=60)
except KeyboardInterrupt:
    pid = int(pathlib.Path({str(tmp_path / "pid")!r}).read_text())
    print(pid, flush=True)
"""
    returncode, said, errors = run(tmp_path, code, fake())
    assert returncode == 0, errors
    for pid in said.split():
        wait_until_gone(int(pid), 20)


@pytest.mark.parametrize("how", ENDING)
def test_a_script_that_closes_no_engine_ends_all_the_same(tmp_path, how):
    returncode, said, errors = run(tmp_path, ENDING[how], fake())
    assert returncode == {"an uncaught exception": 1, "sys.exit": 5}.get(how, 0), errors
    assert ("RuntimeError: over" in errors) == (how == "an uncaught exception")
    assert errors == "" or "over" in errors
    for word in said.split():
        if word.isdigit():
            wait_until_gone(int(word), 20)
    if "thread" in how:
        assert "a2a3" in said or len(said.split()) == 2  # The search was let come to its end.


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_forked_child_leaves_the_engine_of_its_parent_alone(tmp_path):
    code = """
import os, sys
child = os.fork()
if child == 0:
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
opened.ping()
print("alive", flush=True)
"""
    returncode, said, errors = run(tmp_path, "import warnings; warnings.simplefilter('ignore')\n" + code, fake())
    assert returncode == 0, errors
    assert said.endswith("alive\n")
