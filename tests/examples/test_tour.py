"""The examples that draw run, and the notebook is kept without outputs."""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import pytest

from ..pictures.test_svg import KING_GOES, line_of

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_game_becomes_a_gif_that_shows_each_explosion_longer(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    example = runpy.run_path(str(EXAMPLES / "game_gif.py"), run_name="example")
    target = tmp_path / "game.gif"
    board = line_of("e4", "d5", "exd5", "Nc6")
    count = example["write_gif"](board, str(target), size=120)
    with image.open(target) as gif:
        assert gif.n_frames == count == 6  # The start, four moves, and one explosion seen first.
        assert gif.size == (120, 120)
        durations = []
        for frame in range(count):
            gif.seek(frame)
            durations.append(gif.info["duration"])
    assert max(durations[:-1]) == durations[3] > durations[1]


def test_the_gif_is_made_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    example = runpy.run_path(str(EXAMPLES / "game_gif.py"), run_name="example")
    games = tmp_path / "games.pgn"
    games.write_text(f'[Variant "Atomic"]\n[SetUp "1"]\n[FEN "{KING_GOES}"]\n\n3. Nxe7# *\n', encoding="utf-8")
    arguments = [str(games), str(tmp_path / "a.gif"), "--size", "80"]
    assert example["main"](arguments) == 0
    assert "2 frames" in capsys.readouterr().out
    assert example["main"]([*arguments, "--game", "2"]) == 2
    assert "no game 2" in capsys.readouterr().err


def test_the_tour_is_kept_without_outputs() -> None:
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # Of the notebook's machinery, which is not ours.
def test_the_tour_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    for module in ("anywidget", "ipykernel", "matplotlib"):
        pytest.importorskip(module)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(EXAMPLES.parent), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute(cwd=str(tmp_path))

    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type in ("error", "stderr")]
    shown = [output.get("data", {}) for output in outputs]
    text = "".join(output.get("text", "") for output in outputs)
    assert 'class="explosion"' in "".join(shown[0]["image/svg+xml"])
    assert any("'White wins: the black king exploded on e8'" in data.get("text/plain", "") for data in shown)
    assert sum("application/vnd.jupyter.widget-view+json" in data for data in shown) == 2
    assert sum("image/svg+xml" in data for data in shown) >= 5
    assert any("image/png" in data for data in shown), "the plot"
    assert "Qxd7# empties" in text
    assert "e1e3 - " in text
    assert "- None" not in text
