"""
What imports cost a user of python-chess, in one run.

    python -m tests.tools.import_costs [--rounds N]

Each round starts one Python for each program in turn, so that a slow stretch
of the machine hits all; a ratio is that of the least processor times of all
rounds, the start of Python included, as a user waits for that too. The import
of ``atomic_variant`` should cost at most 1.25 times that of ``chess.variant``,
``atomic-variant --version`` at most 1.3 times. The board, which is imported when
it is first named, is measured beside them; the last line tells its ratio without
what Python needs to start.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping

PROGRAMS = {
    "nothing": "pass",
    "import chess.variant": "import chess.variant",
    "import atomic_variant": "import atomic_variant",
    # The package imports its boards when they are first named.
    "from atomic_variant import AtomicBoard": "from atomic_variant import AtomicBoard",
    # As the script does that pip makes.
    "atomic-variant --version": (
        "import sys; sys.argv = ['atomic-variant', '--version']; "
        "from atomic_variant.__main__ import main; sys.exit(main())"
    ),
}
BASE = "import chess.variant"
MOST = {"import atomic_variant": 1.25, "atomic-variant --version": 1.3}


def seconds(program: str) -> float:
    """Processor time of a Python that runs *program*."""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return usage.ru_utime + usage.ru_stime


def measure(rounds: int, programs: Mapping[str, str] = PROGRAMS) -> dict[str, float]:
    """The least time of each of *programs* in so many rounds, after one that warms the disk's and Python's caches."""
    if rounds < 1:
        raise ValueError(f"at least one round is needed: {rounds}")
    times: dict[str, list[float]] = {name: [] for name in programs}
    for turn in range(rounds + 1):
        for name, program in programs.items():
            taken = seconds(program)
            if turn:
                times[name].append(taken)
    return {name: min(taken) for name, taken in times.items()}


def report(least: Mapping[str, float]) -> str:
    """The times as a table, and ratios with the most that is wanted."""
    lines = []
    for name, taken in least.items():
        aim = f"   (at most {MOST[name]})" if name in MOST else ""
        lines.append(f"{name:<40}{taken * 1000:>7.1f} ms{taken / least[BASE]:>7.2f} x {BASE}{aim}")
    start = least["nothing"]
    alone = (least["from atomic_variant import AtomicBoard"] - start) / (least[BASE] - start)
    lines.append(f"{'its import alone':<50}{alone:>7.2f} x {BASE}")
    return "\n".join(lines)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="What imports cost beside that of chess.variant.")
    parser.add_argument("--rounds", type=int, default=40)
    print(report(measure(parser.parse_args().rounds)))


if __name__ == "__main__":
    main()
