"""The notebook runs, and is kept without outputs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


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
