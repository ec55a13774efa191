"""
Runs tests on a kernel that is built with sanitizers.

Builds a copy of the package with the address and the undefined behaviour
sanitizer and runs pytest on it, with the arguments given here::

    python -m tests.tools.sanitize tests/kernel -x

With ``--module`` first it runs that module instead of pytest.

A read out of bounds or undefined behaviour ends the run with a report. Needs
gcc or clang on a system with ``LD_PRELOAD``.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path

from atomic_variant.kernel._fingerprint import source_fingerprint

ROOT = Path(__file__).resolve().parents[2]

SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]


def compiler() -> list[str]:
    """The C compiler that extensions are built with."""
    return (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()


def kernel_sources() -> list[Path]:
    """The C files of the kernel, as the build knows them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    [extension] = project["tool"]["setuptools"]["ext-modules"]
    return [ROOT / source for source in extension["sources"]]


def build(target: Path) -> None:
    """Builds the kernel with sanitizers as *target*."""
    command = [
        *compiler(), "-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers",
        "-fPIC", "-shared", *SANITIZERS, f"-I{ROOT / 'atomic_variant' / 'kernel' / 'core'}",
        f"-I{sysconfig.get_path('include')}",
        f'-DATOMIC_VARIANT_FINGERPRINT="{source_fingerprint()}"',
        *map(str, kernel_sources()), "-o", str(target),
    ]  # fmt: skip
    subprocess.run(command, check=True)


def runtime() -> str:
    """The library that must be loaded before Python."""
    name = "libclang_rt.asan-x86_64.so" if "clang" in compiler()[0] else "libasan.so"
    return subprocess.run(
        [*compiler(), f"-print-file-name={name}"], check=True, capture_output=True, text=True
    ).stdout.strip()


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory, "project")
        ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__", ".*", "build", "dist")
        shutil.copytree(ROOT, copy, ignore=ignored)
        if (shared := ROOT.parent / "shared").exists():
            Path(directory, "shared").symlink_to(shared.resolve())
        build(copy / "atomic_variant" / "kernel" / f"_kernel{sysconfig.get_config_var('EXT_SUFFIX')}")
        environment = {
            **os.environ,
            "LD_PRELOAD": runtime(),
            "ASAN_OPTIONS": "detect_leaks=0",
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "PYTHONMALLOC": "malloc",
            "PYTHONPATH": str(copy),
            "ATOMIC_VARIANT_PURE": "0",
        }
        check = "import atomic_variant, sys; sys.exit(not atomic_variant.kernel_active())"
        subprocess.run([sys.executable, "-c", check], cwd=copy, env=environment, check=True)
        tests = ["pytest", "-p", "no:cacheprovider"]
        if arguments[:1] == ["--module"]:
            tests, arguments = arguments[1:2], arguments[2:]
        command = [sys.executable, "-m", *tests, *arguments]
        return subprocess.run(command, cwd=copy, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
