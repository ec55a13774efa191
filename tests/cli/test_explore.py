"""The command ``explore``."""

import pytest

from atomic_variant import AtomicBoard, explorer, pgn
from atomic_variant.__main__ import main

pytest.importorskip("numpy")

GAMES = (
    '[Event "a"]\n[White "Ann\x1b[2J"]\n[Variant "Atomic"]\n[WhiteElo "2100"]\n[BlackElo "2050"]\n'
    '[TimeControl "180+0"]\n[UTCDate "2026.08.01"]\n[Result "1-0"]\n\n1. Nf3 f6 2. e4 1-0\n\n'
    '[Event "b"]\n[Variant "Atomic"]\n[Result "0-1"]\n\n1. Nf3 d5 2. Ne5 Nc6 0-1\n\n'
)


@pytest.fixture
def book(tmp_path, capsys):
    month = tmp_path / "month.pgn"
    month.write_text(GAMES)
    path = tmp_path / "atomic.db"
    assert main(["explore", "build", str(month), "-o", str(path), "--min-games", "1"]) == 0
    assert capsys.readouterr().err == f"{path}: 2 games\n"
    return str(path)


def test_a_position_is_told_with_bars(book, capsys):
    assert main(["explore", book, "--moves", "1. Nf3"]) == 0
    name, total, _, *rows = capsys.readouterr().out.splitlines()
    assert name == "C00 King Knight Opening"
    assert total.endswith("b KQkq - 1 1: 2 games")
    assert sorted(row.split()[:3] for row in rows) == [["d5", "1", "#" * 20], ["f6", "1", "." * 20]]


def test_a_fen_is_as_good_as_moves_and_filters_count(book, capsys):
    board = AtomicBoard()
    board.push_san("Nf3")
    assert main(["explore", book, "--fen", board.fen(), "--rating", "2000-", "--speed", "blitz"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[3:]] == ["f6"]
    assert "performance" in lines[3]
    assert main(["explore", book, "--rating", "-2000"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("0 games")


def test_forced_wins_are_told(book, capsys):
    assert main(["explore", book, "--moves", "Nf3 d5 Ne5", "--wins", "2"]) == 0
    assert "loses by force in 1" in capsys.readouterr().out


def test_a_page_and_a_game_are_written(book, tmp_path, capsys):
    assert main(["explore", book, "-o", str(tmp_path / "tree.html"), "--min-games", "1"]) == 0
    assert main(["explore", book, "-o", str(tmp_path / "tree.pgn"), "--min-games", "1", "--depth", "2"]) == 0
    [game] = pgn.read_games(tmp_path / "tree.pgn")
    assert [node.san() for node in game[0].variations] == ["d5", "f6"]
    page = (tmp_path / "tree.html").read_text()
    assert page.count("<script") == 2
    assert "King Knight Opening" in page


def test_several_files_join(book, tmp_path, capsys):
    other = tmp_path / "other.pgn"
    other.write_text(GAMES.replace("Ann", "Zoe"))
    assert main(["explore", "build", str(other), "-o", str(tmp_path / "b.db"), "--min-games", "1"]) == 0
    assert main(["explore", "merge", book, str(tmp_path / "b.db"), "-o", str(tmp_path / "c.db")]) == 0
    assert capsys.readouterr().err.splitlines()[-1] == f"{tmp_path / 'c.db'}: 4 games"
    with explorer.open(tmp_path / "c.db") as joined:
        assert joined.position(AtomicBoard()).games == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["BOOK", "--moves", "Ke2"], "Ke2: illegal san"),
        (["BOOK", "--fen", "x"], "x: no FEN"),
        (["BOOK", "BOOK"], "one file is asked at a time"),
        (["build", "MONTH"], "expected files, and -o"),
        (["build", "-o", "x.db"], "expected files, and -o"),
        (["build", "MONTH", "MONTH", "-o", "BOOK"], "the same games as in"),
        (["build", "MONTH", "-o", "MONTH"], "would overwrite what is to be read"),
        (["build", "none.pgn", "-o", "BOOK"], "none.pgn: No such file or directory"),
        (["MONTH"], "no file of an opening explorer"),
        (["merge", "BOOK", "BOOK", "-o", "BOOK"], "the same games as in"),
        (["BOOK", "-o", "x.svg"], "x.svg: what is written here ends in"),
        (["BOOK", "--names", "MONTH"], "month.pgn: line 2: expected a code, a name and moves"),
    ],
)
def test_what_cannot_be_used_is_told_and_files_stay(book, tmp_path, capsys, words, message):
    places = {"BOOK": book, "MONTH": str(tmp_path / "month.pgn")}
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert main(["explore", *(places.get(word, word) for word in words)]) == 2
    assert message in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


@pytest.mark.parametrize("words", [["--rating", "2100-"], ["--speed", "slow"], ["--since", "May"], ["--depth", "0"]])
def test_a_bad_option_is_named(book, capsys, words):
    with pytest.raises(SystemExit) as caught:
        main(["explore", book, *words])
    assert caught.value.code == 2
    assert f"argument {words[0]}: expected" in capsys.readouterr().err
