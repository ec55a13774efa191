"""A function applied to every game: in order, on any executor, nothing left behind."""

import ast
import concurrent.futures
import contextlib
import io
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from atomic_variant import AtomicBoard, pgn

from ..support.clusters import dask_executor
from ..support.random_games import random_pgn
from ..support.scripts import interruptible

PGN = random_pgn(30)


def describe(game):
    """What a worker finds out; at the top level, so that it can be sent there."""
    return game.number, type(game.board()).__name__, game.end().ply(), game.ending


def describe_slowly(game):
    time.sleep(0.002)
    return *describe(game)[:3], os.getpid() if game.number > 8 else 0


def count_moves(record):
    return record.number, len(record.moves), record.variant is AtomicBoard, record.comments is not None


def fail_on_game_20(game):
    if game.number == 20:
        raise LookupError("no such opening")
    return game.number


class Unpicklable(Exception):  # noqa: N818 # A name for what it is.
    def __init__(self):
        super().__init__(threading.Lock())


def fail_badly(game):
    raise Unpicklable


def die(game):
    os._exit(3)


def pool():
    # Processes that are forked from one with threads may hang.
    return concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))


def expected():
    return [describe(game) for game in pgn.read_games(io.StringIO(PGN))]


def test_processes_need_no_registration_and_keep_the_order():
    with pool() as executor:
        results = list(pgn.map_games(describe, io.StringIO(PGN), executor=executor, batch=4))
        assert results == expected()
        assert {name for _, name, _, _ in results} == {"AtomicBoard"}
        records = list(pgn.map_games(count_moves, io.StringIO(PGN), executor=executor, records=True, batch=7))
        assert records == [(number, ply, True, False) for number, _, ply, _ in expected()]


def test_without_an_executor_a_pool_of_processes_is_started(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(PGN, encoding="utf-8")
    script = f"""
import multiprocessing, os
from atomic_variant import pgn
from tests.pgn.test_mapping import describe_slowly

if __name__ == "__main__":
    for result in pgn.map_games(describe_slowly, {str(path)!r}):
        print(result)
    assert not multiprocessing.active_children()
"""
    lines = [ast.literal_eval(line) for line in run_script(script, tmp_path).splitlines()]
    assert [line[:3] for line in lines] == [result[:3] for result in expected()]
    assert len({line[3] for line in lines}) > 1  # Games were read elsewhere.


def test_a_quick_function_is_called_here_without_an_executor():
    text = PGN + "\n\n1. e4 (1. d4) Sf3 *\n\n" + PGN
    results = list(pgn.map_games(lambda game: (game.number, os.getpid()), io.StringIO(text)))
    assert results == [(number, os.getpid()) for number in range(1, 62)]
    records = list(pgn.map_games(lambda record: record, io.StringIO(text), records=True, comments=True))
    assert records == list(pgn.scan(io.StringIO(text), comments=True))
    with pytest.raises(pgn.GameError, match="game 20"):
        list(pgn.map_games(fail_on_game_20, io.StringIO(text)))


def test_what_is_sent_is_read_as_the_stream_is(tmp_path):
    text = PGN + "\n\n1. e4 (1. d4) Sf3 *\n\n" + PGN
    path = tmp_path / "games.pgn"
    path.write_text(text, encoding="utf-8")
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        records = list(pgn.map_games(lambda record: record, path, executor=executor, records=True, batch=7))
        games = list(pgn.map_games(lambda game: (str(game), game.line, game.source), path, executor=executor, batch=7))
    assert records == list(pgn.scan(path))
    assert games == [(str(game), game.line, game.source) for game in pgn.read_games(path)]


def test_an_interrupt_while_work_is_handed_over_ends_the_pool(monkeypatch):
    """It may leave work that no process will ever do."""

    def submit(pool, function, *args):
        future = concurrent.futures.Future()
        pool._pending_work_items[10**6] = concurrent.futures.process._WorkItem(future, function, args, {})
        raise KeyboardInterrupt

    def run():
        with pytest.raises(KeyboardInterrupt):
            list(pgn.map_games(dawdle, io.StringIO(PGN)))

    started = concurrent.futures.ProcessPoolExecutor.submit

    def start(pool, function, *args):
        started(pool, os.getpid)
        submit(pool, function, *args)

    monkeypatch.setattr(concurrent.futures.ProcessPoolExecutor, "submit", start)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()


def dawdle(game):
    time.sleep(0.001)


def run_script(text, folder):
    script = folder / "script.py"
    script.write_text(text, encoding="utf-8")
    root = Path(__file__).parents[2]
    environment = os.environ | {"PYTHONPATH": str(root)}
    return subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
        env=environment,
        timeout=120,
    ).stdout


def test_dask_is_an_executor_like_any_other():
    with dask_executor() as executor:
        assert list(pgn.map_games(describe, io.StringIO(PGN), executor=executor, batch=4)) == expected()
        with pytest.raises(pgn.GameError, match=r"game 20.*LookupError: no such opening"):
            list(pgn.map_games(fail_on_game_20, io.StringIO(PGN), executor=executor, batch=4))


def test_threads_are_an_executor_too():
    with concurrent.futures.ThreadPoolExecutor(3) as executor:
        assert list(pgn.map_games(describe, io.StringIO(PGN), executor=executor, batch=1)) == expected()


def test_the_argument_tells_the_variant_to_the_workers():
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        [result] = pgn.map_games(describe, io.StringIO("1. e4 *"), executor=executor, variant="atomic")
    assert result[1] == "AtomicBoard"


def test_a_function_that_raises_reports_the_game():
    with pool() as executor:
        results = pgn.map_games(fail_on_game_20, io.StringIO(PGN), executor=executor, batch=8)
        assert [next(results) for _ in range(19)] == list(range(1, 20))
        with pytest.raises(pgn.GameError, match="White 19 - Black 19: fail_on_game_20 raised LookupError") as caught:
            next(results)
    assert caught.value.game == 20
    assert isinstance(caught.value.__cause__, LookupError)


def test_an_exception_that_cannot_be_sent_is_reported_too():
    with pool() as executor, pytest.raises(pgn.GameError, match=r"game 1, line 1.*Unpicklable"):
        list(pgn.map_games(fail_badly, io.StringIO(PGN), executor=executor))


def test_a_worker_that_dies_is_reported_with_its_games():
    with pool() as executor, pytest.raises(concurrent.futures.BrokenExecutor) as caught:
        list(pgn.map_games(die, io.StringIO(PGN), executor=executor, batch=30))
    assert caught.value.__notes__ == ["while games 1 to 30 were with the executor"]


def test_a_batch_has_games():
    with pytest.raises(ValueError, match="at least one game"):
        next(pgn.map_games(describe, io.StringIO(PGN), batch=0))


class CountingExecutor(concurrent.futures.Executor):
    """Does nothing until a result is asked for, and counts what waits."""

    def __init__(self):
        self.waiting = self.most = self.cancelled = 0

    def submit(self, function, /, *args, **kwargs):
        executor = self
        executor.waiting += 1
        executor.most = max(executor.most, executor.waiting)

        class Lazy(concurrent.futures.Future):
            def result(self, timeout=None):
                executor.waiting -= 1
                return function(*args, **kwargs)

            def cancel(self):
                executor.cancelled += 1
                return True

        return Lazy()


def test_a_bounded_number_of_batches_is_on_the_way():
    executor = CountingExecutor()
    assert list(pgn.map_games(describe, io.StringIO(PGN), executor=executor, batch=2, in_flight=3)) == expected()
    assert executor.most == 3


def test_who_stops_early_cancels_what_waits():
    executor = CountingExecutor()
    with contextlib.closing(
        pgn.map_games(describe, io.StringIO(PGN), executor=executor, batch=2, in_flight=5)
    ) as games:
        next(games)
    assert executor.cancelled == 4


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_an_interrupt_leaves_no_process_behind(tmp_path):
    root = Path(__file__).parents[2]
    script = tmp_path / "script.py"
    script.write_text(
        """
import io, multiprocessing, signal, time
from atomic_variant import pgn

def dawdle(game):
    time.sleep(0.05)
    return game.number

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # Whatever the parent made of it.
    text = "1. e4 *\\n\\n" * 100_000
    for number in pgn.map_games(dawdle, io.StringIO(text), batch=4):
        if number == 1:
            print(*[process.pid for process in multiprocessing.active_children()], flush=True)
""",
        encoding="utf-8",
    )
    process = subprocess.Popen(
        interruptible(script),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root, env=os.environ | {"PYTHONPATH": str(root)},
    )  # fmt: skip
    killer = threading.Timer(60, process.kill)  # So that nothing waits for ever.
    killer.start()
    with process:
        watchdog = threading.Timer(60, process.kill)
        watchdog.start()
        workers = [int(pid) for pid in process.stdout.readline().split()]
        watchdog.cancel()
        assert workers
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    killer.cancel()
    assert errors.rstrip().endswith("KeyboardInterrupt")
    deadline = time.monotonic() + 30
    while any(is_running(pid) for pid in workers):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
