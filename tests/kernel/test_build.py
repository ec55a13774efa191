"""A kernel that belongs to other sources is never used, and never installed."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from atomic_variant import kernel_active
from atomic_variant.kernel._fingerprint import source_fingerprint

ROOT = Path(__file__).parents[2]

try:
    CAN_BUILD = int(version("setuptools").partition(".")[0]) >= 77
except PackageNotFoundError:
    CAN_BUILD = False

needs_setuptools = pytest.mark.skipif(not CAN_BUILD, reason="needs setuptools 77 or later")
needs_kernel = pytest.mark.skipif(not kernel_active(), reason="the kernel is not built, or turned off")


def copy_project(target: Path, *, built: bool) -> Path:
    """A copy of what a build needs, with the kernel if it is *built*."""
    ignored = ["__pycache__", *([] if built else ["*.so", "*.pyd"])]
    shutil.copytree(ROOT / "atomic_variant", target / "atomic_variant", ignore=shutil.ignore_patterns(*ignored))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, target)
    return target


def run(code: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]),
            **environment,
        },
        capture_output=True,
        text=True,
        timeout=300,
    )


IMPORT = """
import atomic_variant
from atomic_variant import AtomicBoard, kernel, perft, pgn
print(atomic_variant.kernel_active(), kernel.state(), AtomicBoard().legal_moves.count())
"""


@needs_kernel
@pytest.mark.parametrize("change", ["core/perft.c", "python/boards.h", "_kernel.pyi"])
def test_a_kernel_of_other_sources_gives_plain_python_and_one_warning(tmp_path, change):
    project = copy_project(tmp_path, built=True)
    before = run(IMPORT, project)
    assert (before.stdout, before.stderr) == ("True on 20\n", "")
    path = project / "atomic_variant" / "kernel" / change
    path.write_text(path.read_text() + "\n")
    after = run(IMPORT, project)
    assert after.stdout == "False built from other sources 20\n"
    assert after.stderr.count("Warning") == 1
    assert "pip install -e ." in after.stderr
    assert run(IMPORT, project, ATOMIC_VARIANT_PURE="1").stderr == ""


def test_the_fingerprint_changes_with_every_source(tmp_path):
    folder = copy_project(tmp_path, built=False) / "atomic_variant" / "kernel"
    seen = {source_fingerprint(str(folder))}
    assert seen == {source_fingerprint()} != {None}
    sources = [path for path in folder.rglob("*") if path.suffix in (".c", ".h", ".pyi")]
    assert len(sources) > 20
    for path in sources:
        text = path.read_text()
        path.write_text(text + " ")
        seen.add(source_fingerprint(str(folder)))
        path.write_text(text)
    (folder / "core" / "another.c").write_text("")
    seen.add(source_fingerprint(str(folder)))
    assert len(seen) == len(sources) + 2
    shutil.rmtree(folder / "core")
    assert source_fingerprint(str(folder)) is None


BUILD = """
import setuptools.build_meta
print(setuptools.build_meta.build_wheel("dist"))
"""


def wheel_names(project: Path) -> list[str]:
    [wheel] = (project / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


@needs_setuptools
def test_what_an_earlier_build_left_is_not_installed(tmp_path):
    project = copy_project(tmp_path, built=False)
    done = run(BUILD, project, CC="/bin/false")  # Without a kernel, as far as that goes.
    assert done.returncode == 0, done.stderr
    clean = wheel_names(project)
    assert not [name for name in clean if "/_kernel." in name and not name.endswith(".pyi")]
    assert "atomic_variant/kernel/_built.py" in clean
    assert "atomic_variant/kernel/_build.py" not in clean
    [library] = [path for path in (project / "build").iterdir() if path.name.startswith("lib")]
    for name in ("bulk.py", "kernel/_kernel.so", "pgn/old.py", "commands/__init__.py"):
        old = library / "atomic_variant" / name
        old.parent.mkdir(exist_ok=True)
        old.write_text("raise SystemExit('old')")
    shutil.rmtree(project / "dist")
    assert run(BUILD, project, CC="/bin/false").returncode == 0
    assert wheel_names(project) == clean


@needs_setuptools
def test_a_build_that_must_have_the_kernel_fails_without_a_compiler(tmp_path):
    project = copy_project(tmp_path, built=False)
    done = run(BUILD, project, CC="/bin/false", ATOMIC_VARIANT_REQUIRE_KERNEL="1")
    assert done.returncode != 0
    assert "/bin/false" in done.stdout + done.stderr
    assert not list(project.glob("dist/*.whl"))


@needs_setuptools
@needs_kernel
def test_an_installed_kernel_belongs_to_its_package(tmp_path):
    project = copy_project(tmp_path, built=False)
    done = run(BUILD, project, CFLAGS="-O0", ATOMIC_VARIANT_REQUIRE_KERNEL="1")
    assert done.returncode == 0, done.stderr
    installed = tmp_path / "installed"
    [wheel] = (project / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    assert not list(installed.rglob("*.c"))
    after = run(IMPORT, installed)
    assert (after.stdout, after.stderr) == ("True on 20\n", "")
    built = installed / "atomic_variant" / "kernel" / "_built.py"
    built.write_text("FINGERPRINT = 'another'\n")
    shutil.rmtree(built.parent / "__pycache__", ignore_errors=True)
    assert run(IMPORT, installed).stdout == "False built from other sources 20\n"


SDIST = """
import setuptools.build_meta
print(setuptools.build_meta.build_sdist("dist"))
"""


@needs_setuptools
def test_the_source_distribution_holds_the_tests_and_nothing_that_runs_left(tmp_path):
    project = copy_project(tmp_path, built=True)
    for folder in ("tests", "examples"):
        shutil.copytree(ROOT / folder, project / folder, ignore=shutil.ignore_patterns("__pycache__", ".*", "*.so"))
    kept = {str(path.relative_to(project)) for path in project.glob("[te]*/**/*") if path.is_file()}
    assert len(kept) > 100
    for name in ("tests/__pycache__/a.pyc", "tests/.hypothesis/b", "examples/.venv/c.py", "tests/d.so"):
        left = project / name
        left.parent.mkdir(exist_ok=True)
        left.write_text("")
    done = run(SDIST, project)
    assert done.returncode == 0, done.stderr
    [archive] = (project / "dist").glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        packed = {name.partition("/")[2] for name in (member.name for member in tar if member.isfile())}
    assert {name for name in packed if name.startswith(("tests/", "examples/"))} == kept
    assert {"pyproject.toml", "README.md", "atomic_variant/LICENSE"} <= packed
    assert not [name for name in packed if name.endswith((".so", ".pyd"))]
    headers = {str(path.relative_to(ROOT)) for path in (ROOT / "atomic_variant" / "kernel").rglob("*.[ch]")}
    assert headers <= packed
