"""The layout: who may import whom, and what the tree of names promises."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "atomic_variant"

# From the bottom up: a room imports from rooms below it only.
FLOORS = (
    {"text", "files", "host", "kernel"},
    {"perft"},
    {"boards"},
    {"variants"},
    {"dialects", "tablebase"},
    {"pgn", "svg"},
    {"statistics"},
    {"tactics"},
    {"viewer"},
    {"engine", "positions"},
    {"explorer"},
    {"notebook", "report"},
    {"cli"},
    {"__main__"},
)
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


MODULES = dict(modules())


def imports(name: str, path: Path) -> Iterator[str]:
    """What the module imports from this package when it is imported itself."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    todo: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package.rsplit(".", node.level - 1)[0] if node.level > 1 else package
            base = f"{base}.{node.module}" if node.module else base
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield full if full in MODULES else base
        todo.extend(ast.iter_child_nodes(node))


IMPORTS = {name: {found for found in imports(name, path) if found in MODULES} for name, path in MODULES.items()}


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


@pytest.mark.parametrize("module", MODULES)
def test_a_room_imports_from_below_only(module):
    if not room(module):
        return  # The package itself opens a few of its rooms.
    for imported in IMPORTS[module]:
        if room(imported) and room(imported) != room(module):
            assert FLOOR[room(imported)] < FLOOR[room(module)], f"{module} imports {imported}"


def test_no_modules_import_each_other_in_a_circle():
    # A package runs before the modules in it, so that importing from it is importing its __init__.
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module in done:
            return
        for imported in IMPORTS[module]:
            if imported != module and not module.startswith(f"{imported}."):
                visit(imported, (*path, module))
        done.add(module)

    for module in MODULES:
        visit(module, ())


def test_every_package_is_installed():
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    packages = {name for name, path in MODULES.items() if path.name == "__init__.py"}
    assert set(setuptools["packages"]) == packages
    [extension] = setuptools["ext-modules"]
    assert {ROOT / source for source in extension["sources"]} == set((PACKAGE / "kernel").rglob("*.c"))


def test_the_core_of_the_kernel_knows_no_python():
    for path in (PACKAGE / "kernel" / "core").iterdir():
        assert "Python.h" not in path.read_text(encoding="utf-8"), path


def test_the_visible_top_level_is_what_it_should_be():
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True, timeout=60
    ).stdout.splitlines()
    visible = {name.split("/")[0] for name in listed if not name.startswith(".")}
    assert visible == {"README.md", "atomic_variant", "examples", "pyproject.toml", "tests"}


def test_tests_are_known_by_their_room():
    for path in (ROOT / "tests").rglob("test_*.py"):
        folder = path.relative_to(ROOT / "tests").parts[0]
        assert folder not in {"support", "tools"}, f"{path} is among what the tests share"


def test_importing_what_tests_share_changes_nothing_in_python_chess():
    # Examples in docstrings are collected by importing every module, and every test comes after that.
    script = (
        "import chess, chess.pgn, chess.svg, importlib, pkgutil, tests.support\n"
        "kept = [(holder, dict(vars(holder))) for holder in (chess, chess.pgn, chess.svg, chess.BaseBoard, chess.Board,"
        " chess.Move, chess.pgn.BaseVisitor, chess.pgn.GameNode, chess.pgn.ChildNode, chess.pgn.GameBuilder)]\n"
        "for module in pkgutil.iter_modules(tests.support.__path__):\n"
        "    if module.name != 'engines':\n"
        "        try: importlib.import_module(f'tests.support.{module.name}')\n"
        "        except ImportError: pass\n"
        "print([holder.__name__ for holder, before in kept"
        " if any(vars(holder).get(name) is not value for name, value in before.items())])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stdout == "[]\n", done.stderr


def test_one_module_chooses_between_kernel_and_python_for_reading_games():
    choosing = {
        path.name
        for path in (PACKAGE / "pgn").rglob("*.py")
        if re.search(r"^from \.+kernel import kernel|\bkernel is (?:not )?None", path.read_text(), re.MULTILINE)
    }
    assert choosing == {"_reading.py", "_bulk.py"}, "_bulk.py is the kernel's side"
    assert not re.search(r"\bkernel is (?:not )?None", (PACKAGE / "pgn" / "_bulk.py").read_text())
