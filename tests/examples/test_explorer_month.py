"""The script that times building an explorer does its work."""

import runpy
from pathlib import Path

import pytest

pytest.importorskip("numpy")

SCRIPT = Path(__file__).parents[2] / "examples" / "explorer_month.py"


def test_it_generates_builds_and_prints(tmp_path, capsys):
    pytest.importorskip("resource")  # Not on Windows.
    example = runpy.run_path(str(SCRIPT), run_name="example")
    example["write_games"](tmp_path / "month.pgn", 300, 20, 1)
    assert example["main"](["--games", "300", "--plies", "12", "--keep", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("300 games,")
    assert "look-up:" in out
