"""The widgets in a JupyterLab that this test starts, with no network."""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import atomic_variant

from ..support.browser import chromium

pytest.importorskip("anywidget")
pytest.importorskip("jupyterlab")
pytest.importorskip("ipykernel")
nbformat = pytest.importorskip("nbformat")

pytestmark = pytest.mark.slow

CELLS = [
    """\
import atomic_variant
from atomic_variant.notebook import GameViewer, PlayBoard
board = atomic_variant.AtomicBoard()
for san in ["Nf3", "f6", "Nd4", "Nh6", "Ne6", "Ng8", "Nxd8#"]:
    _ = board.push_san(san)
viewer = GameViewer(board)
seen = []
viewer.observe(lambda change: seen.append(change["new"]), "ply")
viewer""",
    "play = PlayBoard()\nplay",
    "board",
    "print('state:', viewer.ply, seen, play.moves)",
    "viewer.ply = 4",
]


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """The address of a notebook in a JupyterLab with its own settings."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    folder = tmp_path / "work"
    folder.mkdir()
    nbformat.write(notebook, folder / "game.ipynb")
    home = tmp_path / "home"
    settings = home / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(
        json.dumps({"fetchNews": "false", "checkForUpdates": False}), encoding="utf-8"
    )
    runtime = home / "runtime"
    root = str(Path(atomic_variant.__file__).parents[1])
    environment = {
        **os.environ,
        "HOME": str(home),
        "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")]),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(runtime),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
    }
    token = secrets.token_hex(16)
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--port=0", "--ip=127.0.0.1",
        f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={folder}",
        "--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly",
    ]  # fmt: skip
    with (tmp_path / "lab.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=folder)
        try:
            address = wait_for(lambda: next(iter(runtime.glob("jpserver-*.json")), None), 60)
            base = wait_for(lambda: json.loads(address.read_text(encoding="utf-8") or "{}").get("url"), 10)
            yield f"{base}lab/tree/game.ipynb?token={token}"
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_for(what: Callable[[], Any], seconds: float = 60) -> Any:
    """The first true value of *what*; fails after *seconds*."""
    end = time.monotonic() + seconds
    while True:
        try:
            if value := what():
                return value
        except Exception:
            if time.monotonic() > end:
                raise
        assert time.monotonic() < end, f"waited {seconds} s"
        time.sleep(0.2)


def test_both_widgets_work_in_jupyterlab(lab: str, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    offline = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"
    with chromium(offline, width=1200, height=1600) as driver:
        driver.get(lab)

        def run(script: str, *arguments: Any) -> Any:
            return driver.execute_script(script, *arguments)

        def command(name: str) -> None:
            driver.execute_async_script(
                "const done = arguments[1]; jupyterapp.commands.execute(arguments[0]).then(done, done)", name
            )

        def printed() -> str:
            outputs = run("return [...document.querySelectorAll('.jp-OutputArea-output')].map((o) => o.textContent)")
            return "".join(text for text in outputs if "state:" in text)

        def run_cell(index: int) -> None:
            run("jupyterapp.shell.currentWidget.content.activeCellIndex = arguments[0]", index)
            command("notebook:run-cell")

        driver.set_script_timeout(90)
        wait_for(lambda: run("return jupyterapp.shell.currentWidget?.context?.sessionContext?.session?.kernel != null"))
        wait_for(lambda: run("return jupyterapp.shell.currentWidget.content.widgets.length") == len(CELLS))
        for index in range(3):
            run_cell(index)
        wait_for(lambda: run("return document.querySelectorAll('.av-viewer .av-piece').length") == 32)
        wait_for(lambda: run("return document.querySelectorAll('.av-play .av-piece').length") == 32)

        # A board shows its last explosion.
        assert (
            run("return document.querySelectorAll('.jp-OutputArea-output svg g.explosion, img[src^=data]').length") >= 1
        )

        # The keys are the viewer's, not the notebook's.
        viewer = driver.find_element("css selector", ".av-viewer")
        cell = run("return jupyterapp.shell.currentWidget.content.activeCellIndex")
        viewer.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
        viewer.send_keys(Keys.END)
        wait_for(lambda: run("return document.querySelectorAll('.av-viewer .av-burst').length") == 1)
        assert run("return jupyterapp.shell.currentWidget.content.activeCellIndex") in (cell, 0)
        assert "the black king exploded on e8" in viewer.text

        # A move on the board goes to Python and comes back.
        board = driver.find_element("css selector", ".av-play .av-board")
        board.send_keys(Keys.ENTER, Keys.ARROW_UP, Keys.ARROW_UP, Keys.ENTER)
        wait_for(lambda: "e4" in run("return document.querySelector('.av-play .av-moves').textContent"))

        run_cell(3)
        wait_for(printed)
        # Steps that come faster than they are sent are told together.
        assert re.match(r"state: 7 \[1, (2, )?7\] \('e2e4',\)", printed())

        # Python moves the viewer.
        run_cell(4)
        wait_for(lambda: run("return document.querySelector('.av-viewer [aria-current]')?.textContent") == "Nh6")
        driver.save_screenshot(str(tmp_path / "lab.png"))

        # What is saved shows the position where no front end runs.
        command("docmanager:save")
        saved = wait_for(lambda: _outputs(tmp_path / "work" / "game.ipynb"))
        stills = ["".join(output["data"].get("text/html") or output["data"]["image/svg+xml"]) for output in saved[:3]]
        assert all("<svg" in still for still in stills)
        # The game's also lists its moves.
        assert "Nxd8" in stills[0]


def _outputs(path: Path) -> list[Any]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    found = [output for cell in cells for output in cell["outputs"] if "data" in output]
    return found if len(found) >= 3 else []
