"""The example makes a table and a plot of a generated month."""

import gzip
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from atomic_variant import find_variant, pgn

from ..pgn.test_source import zstd_compress
from ..support.random_games import random_pgn

polars = pytest.importorskip("polars")
pytest.importorskip("matplotlib")

SCRIPT = Path(__file__).parents[2] / "examples" / "lichess_month.py"
COUNT = 40


@pytest.fixture
def month(tmp_path):
    """A month of Lichess, in small."""
    text = random_pgn(
        COUNT, clocks=True, Site="https://lichess.org/x", UTCDate="2026.01.01", WhiteElo="1900", BlackElo="2010",
        TimeControl="180+0", Termination="Normal",
    )  # fmt: skip
    path = tmp_path / "lichess_db_atomic_rated_2026-01.pgn.zst"
    path.write_bytes(zstd_compress(text.encode()))
    return path


@pytest.fixture
def example():
    spec = importlib.util.spec_from_file_location("lichess_month", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(*arguments):
    root = Path(__file__).parents[2]
    return subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, arguments)],
        capture_output=True, text=True, check=True, env={"PYTHONPATH": str(root)}, cwd=root,
    ).stdout  # fmt: skip


def check(folder):
    table = polars.read_parquet(folder / "lichess_db_atomic_rated_2026-01.parquet")
    assert list(table["game"]) == list(range(1, COUNT + 1))
    assert set(table["variant"]) == {"atomic"}
    assert set(table["white_elo"]) == {1900}
    assert "explosion" in set(table["end"])
    assert (table["plies"] == table["moves"].str.split(" ").list.len()).all()
    plot = (folder / "lichess_db_atomic_rated_2026-01.svg").read_text(encoding="utf-8")
    assert plot.lstrip().startswith("<?xml")
    assert not list(folder.glob("tmp*"))


def test_a_month_becomes_a_table_and_a_plot(month):
    assert f"{COUNT} games" in run(month)
    check(month.parent)


def test_one_flag_reads_it_on_a_cluster(month):
    pytest.importorskip("distributed")
    assert f"{COUNT} games" in run(month, "--dask")
    check(month.parent)


def test_a_month_longer_than_the_memory_is_put_together_from_parts(month, example, monkeypatch):
    monkeypatch.setattr(example, "ROWS_AT_ONCE", 7)
    table = month.with_name("table.parquet")
    monkeypatch.setattr(example.pgn, "map_games", lambda function, source, **_: map(function, example.pgn.scan(source)))
    assert example.write_table(month, table, None) == COUNT
    assert list(polars.read_parquet(table)["game"]) == list(range(1, COUNT + 1))


def test_a_month_without_games_is_an_empty_table(tmp_path, example):
    month = tmp_path / "empty.pgn"
    month.write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(example.pgn, "map_games", lambda function, source, **_: map(function, example.pgn.scan(source)))
        assert example.write_table(month, tmp_path / "empty.parquet", None) == 0
    example.draw_plot(tmp_path / "empty.parquet", tmp_path / "empty.svg")
    assert (tmp_path / "empty.svg").exists()


OTHERS = """\
[Event "set up"]
[Variant "Atomic"]
[FEN "4k3/8/8/8/8/8/3r4/R3K2R w KQ - 0 1"]

1. O-O *

[Event "960"]
[Variant "Atomic 960"]
[FEN "rkrbbnnq/pppppppp/8/8/8/8/PPPPPPPP/RKRBBNNQ w CAca - 0 1"]

1. Ng3 *

[Event "chess"]
[Variant "Standard"]

1. e4 *

[Variant "nobody knows"]

1. e4 *

1. e4 nonsense
"""


@pytest.mark.parametrize("name", ["games.pgn", "others.pgn.gz", "month.txt"])
def test_every_file_that_is_read_as_games_becomes_a_table(tmp_path, name):
    """In 0.1.0 the script failed on examples/games.pgn, whose games begin anywhere."""
    month = tmp_path / name
    text = SCRIPT.with_name("games.pgn").read_text(encoding="utf-8") if name == "games.pgn" else OTHERS
    month.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    run(month)
    table = polars.read_parquet(month.with_name(f"{name.partition('.pgn')[0]}.parquet"))
    records = list(pgn.scan(month, variant="atomic"))
    assert len(table) == len(records)
    for row, record in zip(table.rows(named=True), records, strict=True):
        if record.variant is None:
            continue
        board = find_variant(row["variant"])(row["fen"], chess960=row["chess960"])
        for move in row["moves"].split():
            board.push_uci(move)
        assert board.fen() == record.final_board().fen()
