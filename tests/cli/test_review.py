"""The command ``review``."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from atomic_variant.__main__ import main

from ..support.shared import shared_path

EXPLOSION = (
    '[White "A"]\n[Black "B"]\n[Result "1-0"]\n[Variant "Atomic"]\n\n1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8 1-0\n\n'
)
ILLEGAL = '[Variant "Atomic"]\n\n1. e4 d5 2. exd5 Nd5 *\n\n'
UNDECIDED = '[Variant "Atomic"]\n[Result "0-1"]\n\n1. Nf3 f6 0-1\n\n'
CONTRADICTED = EXPLOSION.replace("1-0", "0-1")
REPETITION = '[Variant "Atomic"]\n[Result "1/2-1/2"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2\n\n'


@pytest.fixture
def file(tmp_path: Path):
    def write(*games: str) -> str:
        path = tmp_path / "games.pgn"
        path.write_text("".join(games))
        return str(path)

    return write


def test_each_game_has_a_line_that_says_how_it_ended(file, capsys):
    assert main(["review", file(EXPLOSION, UNDECIDED, REPETITION)]) == 0
    first, second, third, reading, summary = capsys.readouterr().out.splitlines()
    assert " ".join(first.split()) == "1 A - B 7 plies 1-0 White wins: the black king exploded on e8"
    assert second.endswith("0-1      not decided on the board")
    assert third.endswith("Draw: threefold repetition, by claim")
    assert reading == "3 games: 3 atomic"
    assert summary.startswith(
        "3 games: 1 explosion, 0 mates, 1 draw on the board, 1 not decided on the board; 0 with errors; "
    )


def test_a_game_with_an_illegal_move_is_told_with_place_and_reason(file, capsys):
    name = file(EXPLOSION, ILLEGAL, UNDECIDED)
    assert main(["review", name]) == 1
    out = capsys.readouterr().out
    assert f"error: {name}, game 2, line 10, ply 4: Nd5: illegal move: " in out
    assert "; 1 with errors; " in out.splitlines()[-1]


def test_a_result_against_the_board_is_an_error(file, capsys):
    assert main(["review", file(CONTRADICTED)]) == 1
    assert "the result contradicts the moves: White wins" in capsys.readouterr().out


def test_a_file_that_is_not_there_cannot_be_used(tmp_path, capsys):
    assert main(["review", str(tmp_path / "none.pgn")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "none.pgn: No such file or directory" in err


def test_a_file_without_games_cannot_be_used(file, capsys):
    assert main(["review", file("\n")]) == 2
    assert "no games found" in capsys.readouterr().err


def test_games_come_from_standard_input_too(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(EXPLOSION.encode())))
    assert main(["review", "-"]) == 0
    assert "exploded on e8" in capsys.readouterr().out


def test_control_characters_of_a_name_do_not_reach_the_terminal(file, capsys):
    assert main(["review", file(EXPLOSION.replace('"A"', '"A\x1b[2J\x07"'))]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_a_reader_that_stops_reading_is_no_error(file):
    command = [sys.executable, "-m", "atomic_variant", "review", file(*[EXPLOSION] * 2000)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(timeout=60)


@pytest.mark.parametrize("pattern", ["fics*_150.pgn", "fics*_150_no_variant_header.pgn"])
def test_real_games_have_no_error(pattern, capsys):
    [path] = shared_path("data", "games").glob(pattern)
    assert main(["review", str(path)]) == 0
    summary = capsys.readouterr().out.splitlines()[-1]
    assert summary.startswith("150 games: 60 explosions, 18 mates, ")


def test_a_report_is_written_beside_the_lines(file, tmp_path, capsys):
    report = tmp_path / "report.html"
    assert main(["review", file(EXPLOSION, ILLEGAL), "-o", str(report)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 5
    page = report.read_text()
    assert "the black king exploded on e8" in page
    assert "Nd5: illegal move" in page


def test_a_report_that_cannot_be_written_is_told(file, tmp_path, capsys):
    assert main(["review", file(EXPLOSION), "-o", str(tmp_path / "none" / "report.html")]) == 2
    assert "report.html: No such file or directory" in capsys.readouterr().err


def test_turning_points_are_listed_and_marked_in_the_report(file, tmp_path, capsys):
    name = file('[Variant "Atomic"]\n\n1. Nf3 e6 2. e4 f6 *\n\n', EXPLOSION)
    assert main(["review", name]) == 0
    assert "misses" not in capsys.readouterr().out
    assert main(["review", name, "--tactics"]) == 0
    listed = capsys.readouterr().out
    assert "       1... e6 allows a win in 2, 2. Ne5 Ne7 3. Nxf7#; 6 of 20 moves are safe\n" in listed
    assert "       2. e4 misses a win in 2, 2. Ne5 Ne7 3. Nxf7#\n" in listed
    report = tmp_path / "report.html"
    assert main(["review", name, "--tactics", "2", "-o", str(report)]) == 0
    page = report.read_text()
    assert "allows a win in 2; 6 of 20 moves are safe" in page
    assert '"missed":1,"allowed":1' in page.replace(" ", "")
    assert main(["review", name, "-o", str(report)]) == 0
    assert '"missed":' not in report.read_text()
    assert f"<title>{os.path.basename(name)}</title>" in page
    assert main(["review", name, "-o", str(report), "--title", "My <games>"]) == 0
    assert "<title>My &lt;games&gt;</title>" in report.read_text()
