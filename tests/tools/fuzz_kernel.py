"""
Fuzzes the C code of the kernel, with sanitizers, for a bounded time::

    python -m tests.tools.fuzz_kernel --seconds 60 games.pgn ...

Inputs are mutations of the PGN files given here and of the test texts, and
arbitrary boards. With clang and its libFuzzer the fuzzer looks for new paths;
with any other compiler a simple driver mutates at random.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ..kernel.test_pgn import UNUSUAL, USUAL, shared_files
from .sanitize import ROOT, SANITIZERS, compiler

_CORE = ROOT / "atomic_variant" / "kernel" / "core"


def build(target: Path) -> bool:
    """Builds the fuzzer as *target*. Returns whether that is libFuzzer."""
    command = [
        *SANITIZERS, "-std=c11", "-g", "-O2", "-UNDEBUG", f"-I{_CORE}",
        *(str(path) for path in sorted(_CORE.glob("*.c"))),
        str(ROOT / "tests" / "tools" / "fuzz_kernel.c"), "-o", str(target),
    ]  # fmt: skip
    clang = shutil.which("clang")
    if clang and not subprocess.run([clang, "-fsanitize=fuzzer", *command], stderr=subprocess.DEVNULL).returncode:
        return True
    subprocess.run([*compiler(), "-DSTANDALONE", *command], check=True)
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="PGN files to begin with")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        is_libfuzzer = build(Path(directory, "fuzzer"))
        corpus = Path(directory, "corpus")
        corpus.mkdir()
        texts = [USUAL, *UNUSUAL, *(path.read_bytes() for path in [*args.files, *shared_files()])]
        for index, text in enumerate(texts):
            (corpus / f"{index}.pgn").write_bytes(text)
        limits = [str(args.seconds), str(args.seed), *map(str, sorted(corpus.iterdir()))]
        if is_libfuzzer:
            limits = [f"-max_total_time={args.seconds}", f"-seed={args.seed}", "-max_len=8000", str(corpus)]
        return subprocess.run([str(Path(directory, "fuzzer")), *limits], cwd=directory).returncode


if __name__ == "__main__":
    sys.exit(main())
