"""
Nothing that a browser shows breaks the rules of WCAG that axe-core can see.

``ATOMIC_VARIANT_AXE`` names the file ``axe.min.js`` of the npm package axe-core.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from atomic_variant import AtomicBoard, report, tactics
from atomic_variant.tactics._puzzle_page import write_page

from ..support.browser import chromium
from ..support.widgets import Page
from ..tactics.test_puzzles import TRAP
from .test_notebook import act
from .test_report import five
from .test_viewer_data import random_game

notebook = pytest.importorskip("atomic_variant.notebook")

AXE = os.environ.get("ATOMIC_VARIANT_AXE")
pytestmark = pytest.mark.skipif(not AXE, reason="ATOMIC_VARIANT_AXE names no axe.min.js")

_RUN = """
const done = arguments[arguments.length - 1];
axe.run(arguments[0] || document, { resultTypes: ["violations"] }).then(
  (found) => done(found.violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join("  ")}`)),
  (error) => done([String(error)]),
);
"""


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with chromium(width=1100, height=1000) as browser:
        browser.set_script_timeout(60)
        yield browser


@pytest.fixture(params=["light", "dark"])
def violations(driver: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., list[str]]]:
    """Looks at the page, or at a part of it, in a theme."""
    features = [{"name": "prefers-color-scheme", "value": request.param}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def run(part: str = "") -> list[str]:
        assert AXE
        driver.execute_script(Path(AXE).read_text(encoding="utf-8"))
        return list(driver.execute_async_script(_RUN, part))

    yield run
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_axe_finds_what_is_wrong(driver: Any, violations: Callable[..., list[str]], tmp_path: Path) -> None:
    path = tmp_path / "bad.html"
    path.write_text("<!doctype html><title>Bad</title><button></button>")
    driver.get(path.as_uri())
    assert any(found.startswith("button-name: ") for found in violations())


@pytest.mark.parametrize("fragment", ["", "#game-1-ply-7", "#game-4"])
def test_the_report(driver: Any, violations: Callable[..., list[str]], tmp_path: Path, fragment: str) -> None:
    made = five()
    made.add(random_game(3))
    made.write(tmp_path / "report.html")
    driver.get("about:blank")
    driver.get((tmp_path / "report.html").as_uri() + fragment)
    assert violations() == []


def test_the_page_of_a_game(driver: Any, violations: Callable[..., list[str]], tmp_path: Path) -> None:
    (tmp_path / "game.html").write_text(report.game_page(random_game(3), ply=8), encoding="utf-8")
    driver.get((tmp_path / "game.html").as_uri())
    assert violations() == []
    driver.find_element("css selector", ".av-menu summary").click()
    assert violations() == []


@pytest.mark.parametrize("ply", [0, 20])
def test_the_viewer(driver: Any, violations: Callable[..., list[str]], tmp_path: Path, ply: int) -> None:
    Page(driver, notebook.GameViewer(random_game(3), ply=ply), "game_widget", tmp_path)
    assert violations("#here") == []


def test_the_play_board(driver: Any, violations: Callable[..., list[str]], tmp_path: Path) -> None:
    board = AtomicBoard("4k3/8/8/8/8/2n1P3/1P1K4/8 w - - 0 1")
    page = Page(driver, notebook.PlayBoard(board), "play_widget", tmp_path)
    assert violations("#here") == []
    act(page, ("click", "b2"), ("click", "c3"))
    page.pump()
    assert "own king on d2" in driver.find_element("css selector", ".av-caption").text
    assert violations("#here") == []


def test_the_page_of_puzzles(driver: Any, violations: Callable[..., list[str]], tmp_path: Path) -> None:
    with (tmp_path / "puzzles.html").open("w", encoding="utf-8") as out:
        write_page(tactics.puzzles(io.StringIO(TRAP), (2, 2)), out, "A trap")
    driver.get((tmp_path / "puzzles.html").as_uri())
    assert violations() == []
