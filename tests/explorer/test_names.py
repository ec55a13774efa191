"""Names of openings: those that are shipped, and one's own."""

import csv
from importlib import resources

import pytest

from atomic_variant import AtomicBoard, explorer, pgn

with (resources.files("atomic_variant.explorer") / "names.tsv").open(encoding="utf-8") as handle:
    SHIPPED = list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("row", SHIPPED, ids=lambda row: row["name"])
def test_every_shipped_line_can_be_played_and_has_its_source(row):
    import io

    game = pgn.read_game(io.StringIO(f'[Variant "Atomic"]\n\n{row["pgn"]} *'))
    assert not game.errors
    assert game.board().variation_san(game.mainline_moves()) == row["pgn"]
    assert row["source"].startswith("https://")
    found = explorer.OpeningNames().find(game.end().board())
    assert (found.eco, found.name) == (row["eco"], row["name"])


def test_no_two_shipped_names_are_of_one_position():
    assert len(explorer.OpeningNames()) == len(SHIPPED) == len({row["name"] for row in SHIPPED})


def test_the_shipped_names_are_sorted():
    rows = [(row["eco"], row["name"]) for row in SHIPPED]
    assert rows == sorted(rows)


def test_transpositions_have_the_name_and_moves_after_keep_it():
    board = AtomicBoard()
    for san in ("e3", "e6"):
        board.push_san(san)
    names = explorer.OpeningNames()
    assert names.find(board) is None
    board.push_san("Qh5")
    assert names.find(board).name == "Wayward Queen"
    board.push_san("Nc6")
    assert names.find(board) == ("", "Wayward Queen", 3)
    assert board.ply() == 4  # As it was.


def test_names_of_ones_own_come_beside_and_before(tmp_path):
    path = tmp_path / "own.tsv"
    path.write_text("eco\tname\tpgn\nX1\tMine\t1. Nf3 f6 2. e4\n\nX2\tCastled\t1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O\n")
    names = explorer.OpeningNames()
    names.add(path)
    assert len(names) == len(SHIPPED) + 1
    board = AtomicBoard()
    for san in ("Nf3", "f6", "e4"):
        board.push_san(san)
    assert names.find(board).name == "Mine"
    assert len(explorer.OpeningNames(path)) == 2


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("A00\tBad\t1. Ke4", "illegal san"),
        ("A00\tNo moves", "expected a code, a name and moves"),
        ("A00\t\t1. e4", "expected a code, a name and moves"),
        ("only a word", "expected a code, a name and moves"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_added(tmp_path, line, reason):
    path = tmp_path / "own.tsv"
    path.write_text(f"eco\tname\tpgn\nA00\tGood\t1. e4\n{line}\n")
    names = explorer.OpeningNames()
    with pytest.raises(ValueError, match=rf"own\.tsv: line 3: .*{reason}"):
        names.add(path)
    assert len(names) == len(SHIPPED)
