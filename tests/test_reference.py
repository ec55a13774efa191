"""Everything that is public is said somewhere: on a page of the guide, or in the reference."""

import importlib
import inspect
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import atomic_variant

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted((ROOT / "examples" / "guide").glob("*.md"))
WORDS = set(re.findall(r"\w+", README + "".join(page.read_text(encoding="utf-8") for page in PAGES)))


def command() -> list[str]:
    """The arguments of pdoc in the README."""
    found = re.search(r"<!-- command: reference -->\n```sh\n(.*?)```", README, re.DOTALL)
    assert found
    return shlex.split(found[1].partition("-m pdoc ")[2].replace("\\\n", " "))


MODULES = [argument for argument in command() if argument.startswith("atomic_variant")]


def test_the_reference_has_every_module_that_the_package_names():
    named = set(re.findall(r":mod:`(atomic_variant[\w.]*)`", inspect.getdoc(atomic_variant)))
    assert set(MODULES) == {"atomic_variant", *named}
    missing = {
        name
        for name in (f"atomic_variant.{path.stem}" for path in (ROOT / "atomic_variant").glob("*.py"))
        if re.search(rf"\b{re.escape(name)}\b", README + "".join(page.read_text("utf-8") for page in PAGES))
    } - set(MODULES)
    assert not missing


def test_the_reference_has_every_module_that_lists_its_public_names():
    listing = {
        ".".join(
            path.relative_to(ROOT).parent.parts
            if path.stem == "__init__"
            else path.relative_to(ROOT).with_suffix("").parts
        )
        for path in (ROOT / "atomic_variant").rglob("*.py")
        if re.search("^__all__ = ", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    # What boards lists is public as names of the package itself.
    assert set(importlib.import_module("atomic_variant.boards").__all__) <= set(atomic_variant.__all__)
    public = {name for name in listing if "._" not in name}
    assert public - {"atomic_variant.boards"} <= set(MODULES)


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_on_a_page_or_says_itself_what_it_is(module):
    if module == "atomic_variant.notebook":
        pytest.importorskip("anywidget")
    if module in {"atomic_variant.pgn.arrays", "atomic_variant.positions"}:
        pytest.importorskip("numpy")
    public = importlib.import_module(module)
    assert public.__doc__
    for name in getattr(public, "__all__", ()):
        value = getattr(public, name)
        # What classes inherit, and what all texts and numbers have, says nothing of them.
        own = inspect.isfunction(value) or inspect.isbuiltin(value) or inspect.isclass(value)
        documented = bool(value.__dict__.get("__doc__") if inspect.isclass(value) else value.__doc__) if own else False
        assert documented or name in WORDS or name in re.findall(r"\w+", public.__doc__), f"{module}.{name}"


def test_the_readme_links_to_every_page_of_the_guide_and_is_short():
    assert {f"examples/guide/{page.name}" for page in PAGES} <= set(re.findall(r"\]\(([^)]+)\)", README))
    assert len(README.splitlines()) <= 200
    for link in re.findall(r"\]\(([^):#]+)\)", README):
        assert (ROOT / link).exists(), link


def test_a_newcomer_reads_a_game_before_meeting_the_dialects():
    assert README.index("read_games(") < README.index("guide/dialects.md")


def test_the_readmes_command_makes_a_page_for_every_module(tmp_path):
    pytest.importorskip("pdoc")
    arguments = [str(tmp_path) if argument == "reference" else argument for argument in command()]
    done = subprocess.run(
        [sys.executable, "-m", "pdoc", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=300
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for module in MODULES:
        page = (tmp_path / (module.replace(".", "/") + ".html")).read_text(encoding="utf-8")
        for name in getattr(importlib.import_module(module), "__all__", ()):
            assert f'id="{name}"' in page, f"{module}.{name}"
