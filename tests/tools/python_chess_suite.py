"""
Runs python-chess's own test suite on our boards.

Takes the source of the installed version of python-chess from the package
index, and runs its ``test.py`` three times: as it is, after ``register()``, and
after ``register(replace=True)``, when our board stands for
``chess.variant.AtomicBoard``::

    python -m tests.tools.python_chess_suite

What fails as it is (engines and tables that are not here are skipped by the
suite) may fail again; anything else that fails ends the run with status 1.
Where the source cannot be had, it says so and ends with status 0.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import chess

ROOT = Path(__file__).resolve().parents[2]

WAYS = {
    "as it is": "",
    "register()": "import atomic_variant; atomic_variant.register()",
    "register(replace=True)": "import atomic_variant; atomic_variant.register(replace=True)",
}

# One of its tests holds the stock board to what is wrong: a king hemmed in by its own two bishops can be mated.
FEN = "7k/4b3/8/8/8/3B4/2B5/K7 w - - 0 1"
WRONG = f'AtomicBoard("{FEN}")\n        self.assertTrue(board.is_insufficient_material())'

PROGRAM = """
import sys, unittest
{way}
import test
if {replaced}:
    import atomic_variant
    assert test.chess.variant.AtomicBoard is atomic_variant.AtomicBoard
unittest.main(module=test, argv=["test.py"], verbosity=2)
"""


def download(directory: Path) -> Path | None:
    """The unpacked source of the installed python-chess, if it can be had."""
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
        "--no-binary", "chess", "--dest", str(directory), f"chess=={chess.__version__}",
    ]  # fmt: skip
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=180)
    except (subprocess.SubprocessError, OSError) as error:
        print(f"python-chess {chess.__version__} cannot be had from the package index: {type(error).__name__}")
        return None
    for archive in directory.glob("*.tar.gz"):
        with tarfile.open(archive) as opened:
            opened.extractall(directory, filter="data")
    return next((path.parent for path in directory.glob("*/test.py")), None)


def run(source: Path, way: str, timeout: float) -> tuple[set[str], int]:
    """The names of the tests that fail, and how many were run."""
    program = PROGRAM.format(way=WAYS[way], replaced=way == "register(replace=True)")
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=source,
        env={**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{ROOT}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    ran = re.search(r"^Ran (\d+) tests", done.stderr, re.MULTILINE)
    if not ran:
        raise RuntimeError(f"the suite did not run {way}:\n{done.stderr[-2000:]}")
    return set(re.findall(r"^(?:FAIL|ERROR): (.+)$", done.stderr, re.MULTILINE)), int(ran[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("--source", type=Path, help="an unpacked source of python-chess")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for each run")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        source = args.source or download(Path(directory))
        if source is None or not (source / "test.py").exists():
            print("skipped: no test.py of python-chess")
            return 0
        # Without the package beside it, so that the installed one is tested.
        suite = Path(directory, "suite")
        shutil.copytree(source, suite, ignore=shutil.ignore_patterns("chess", "*.egg-info"))
        usual: set[str] | None = None
        status = 0
        for way in WAYS:
            if way == "register(replace=True)":
                tests = (suite / "test.py").read_text(encoding="utf-8")
                (suite / "test.py").write_text(
                    tests.replace(WRONG, WRONG.replace("assertTrue", "assertFalse")), encoding="utf-8"
                )
            failed, count = run(suite, way, args.timeout)
            usual = failed if usual is None else usual
            new = failed - usual
            print(f"{way}: {count} tests, {len(failed)} failed, {len(new)} of them not as it is")
            for name in sorted(new):
                print(f"  {name}")
            status = 1 if new or not count else status
    return status


if __name__ == "__main__":
    sys.exit(main())
