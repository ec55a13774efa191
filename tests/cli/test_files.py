"""The commands that read games: check, convert and stats."""

import csv
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import chess.pgn
import pytest

from atomic_variant import AtomicBoard, pgn
from atomic_variant.__main__ import main
from atomic_variant.cli import _terminal

from ..support.random_games import random_pgn
from ..support.shared import shared_path

GOOD = """[Event "FICS rated atomic game"]
[White "A"]
[Black "B"]
[Result "1-0"]


1. g1f3 f7f6 {hm} 2. Nd4 (2. e4 e5) 2... Nh6 3. Ne6 Ng8 4. Nxd8 {[%clk 0:00:09]} 1-0
"""
BAD = GOOD.replace("Ng8", "Qd5")


@pytest.fixture
def write(tmp_path):
    def write(text, name="games.pgn"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


# check --------------------------------------------------------------------


def test_check_is_silent_about_good_games(write, capsys):
    assert main(["check", write(GOOD + "\n" + random_pgn(5))]) == 0
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == "6 games: 6 atomic\ngames: 6, with errors: 0\n"


def test_check_names_file_game_line_ply_and_reason(write, capsys):
    path = write(GOOD + "\n" + BAD)
    assert main(["check", path]) == 1
    output = capsys.readouterr()
    assert output.out.startswith(f"{path}, game 2, line 15, ply 6: Qd5: illegal move: ")
    assert output.out.count("\n") == 1
    assert output.err == "2 games: 2 atomic\ngames: 2, with errors: 1\n"


def test_check_finds_a_result_that_the_moves_contradict(write, capsys):
    assert main(["check", write(GOOD.replace('"1-0"', '"0-1"'))]) == 1
    assert "0-1: the result contradicts the moves: White wins: the black king exploded on e8" in capsys.readouterr().out


def test_check_reads_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(BAD.encode()))))
    assert main(["check", "-"]) == 1
    assert "game 1, line 7" in capsys.readouterr().out


def test_check_may_be_quiet(write, capsys):
    assert main(["check", "--quiet", write(BAD)]) == 1
    assert capsys.readouterr() == ("", "")


def test_check_takes_the_variant_of_games_that_name_none(write, capsys):
    moves = write("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 4. Bxg2 *\n")
    assert main(["check", moves]) == 0
    assert main(["check", moves, "--variant", "Atomic"]) == 1
    capsys.readouterr()
    with pytest.raises(SystemExit, match="2"):
        main(["check", moves, "--variant", "antimatter"])
    assert "unknown variant 'antimatter'" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "convert", "stats"])
def test_unusable_input_is_status_2_and_one_line(command, tmp_path, capsys):
    assert main([command, str(tmp_path / "none.pgn")]) == 2
    assert capsys.readouterr().err.startswith(f"{tmp_path / 'none.pgn'}: No such file or directory\n")
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes(gzip.compress(random_pgn(20).encode())[:-100])
    assert main([command, str(damaged)]) == 2
    assert "cannot read on" in capsys.readouterr().err


def test_check_has_nothing_to_say_about_real_games(capsys):
    folder = shared_path("data", "games")
    names = ["lichess_misc.pgn", "fics_misc.pgn", "atomic960_misc.pgn", "shakmaty_lines_100.pgn"]
    files = [str(folder / name) for name in names] + [str(path) for path in folder.glob("fics*_150*.pgn")]
    main(["check", *files])
    output = capsys.readouterr()
    assert "illegal" not in output.out
    assert "games: 412, with errors: 0" in output.err


# convert ------------------------------------------------------------------


def test_convert_writes_clean_pgn_that_others_read(write, capsys):
    assert main(["convert", write(GOOD)]) == 0
    text = capsys.readouterr().out
    game = chess.pgn.read_game(io.StringIO(text))
    assert game.errors == []
    assert game.headers["Variant"] == "Atomic"
    assert "FEN" not in game.headers
    assert game.end().ply() == 7
    assert "1. Nf3 f6 { hm } 2. Nd4 ( 2. e4 e5 ) 2... Nh6 3. Ne6 Ng8 4. Nxd8# { [%clk 0:00:09] } 1-0" in text


def test_convert_keeps_every_game(write, tmp_path, capsys):
    source = write(random_pgn(20, clocks=True) + BAD + "\n" + GOOD)
    output = tmp_path / "out.pgn"
    assert main(["convert", source, "-o", str(output)]) == 1
    assert capsys.readouterr().err.count("illegal move") == 1
    before, after = list(pgn.read_games(source)), list(pgn.read_games(output))
    assert len(after) == 22
    assert [list(game.mainline_moves()) for game in before] == [list(game.mainline_moves()) for game in after]
    assert main(["check", str(output)]) == 0


def test_convert_names_chess960_by_fen(write, capsys):
    fen = AtomicBoard.from_chess960_pos(7).fen()
    assert main(["convert", write(f'[Variant "Atomic960"]\n[FEN "{fen}"]\n\n*\n')]) == 0
    headers = chess.pgn.read_headers(io.StringIO(capsys.readouterr().out))
    assert (headers["Variant"], headers["SetUp"]) == ("Atomic", "1")
    assert headers.board() == AtomicBoard.from_chess960_pos(7)
    assert headers.board().chess960


def test_convert_leaves_headers_alone_that_nobody_understands(write, capsys):
    text = '[Variant "Antimatter"]\n[FEN "x"]\n\n1. e4 *\n'
    assert main(["convert", write(text)]) == 1
    output = capsys.readouterr()
    assert '[Variant "Antimatter"]\n[FEN "x"]' in output.out
    assert "unknown variant" in output.err
    assert main(["convert", write(text.replace("Antimatter", "Atomic"))]) == 1
    output = capsys.readouterr()
    assert '[Variant "Atomic"]\n[FEN "x"]' in output.out
    assert "invalid FEN" in output.err


def test_convert_writes_json_lines(write, tmp_path, capsys):
    output = tmp_path / "games.jsonl"
    assert main(["convert", write(GOOD + "\n" + BAD), "-o", str(output)]) == 1
    good, bad = map(json.loads, output.read_text(encoding="utf-8").splitlines())
    assert good["moves"] == ["g1f3", "f7f6", "f3d4", "g8h6", "d4e6", "h6g8", "e6d8"]
    assert good["ending"] == "White wins: the black king exploded on e8"
    assert good["kind"] == "explosion"
    assert (good["variant"], good["variant_source"], good["result"]) == ("atomic", "Event header", "1-0")
    assert good["clocks"] == [None] * 6 + [9.0]
    assert good["comments"][2] == "hm"
    assert good["errors"] == []
    assert len(bad["errors"]) == 1
    assert main(["convert", "--to", "jsonl", write(random_pgn(3, clocks=True))]) == 0
    games = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [game["evaluations"][0] for game in games] == [{"cp": -50}] * 3


def test_convert_does_not_overwrite_what_it_reads(write, capsys):
    path = write(GOOD)
    assert main(["convert", path, "-o", path]) == 2
    assert "overwrite" in capsys.readouterr().err
    assert Path(path).read_text(encoding="utf-8") == GOOD


def test_convert_says_when_it_cannot_write(write, tmp_path, capsys):
    assert main(["convert", write(GOOD), "-o", str(tmp_path / "no" / "out.pgn")]) == 2
    assert "No such file or directory" in capsys.readouterr().err


# stats --------------------------------------------------------------------


def test_stats_prints_tables(write, capsys):
    assert main(["stats", write(GOOD)]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "games: 1"
    assert "explosion 1 100.0% 100.0% 0.0% 0.0% 7.0" in lines
    assert "Nf3 1 100.0% 100.0% 0.0% 0.0% 7.0" in lines


def test_stats_of_no_games_are_empty(write, capsys):
    assert main(["stats", write("")]) == 0
    assert capsys.readouterr().out.startswith("games: 0")


def test_stats_says_that_games_have_errors(write, capsys):
    assert main(["stats", write(BAD)]) == 1
    assert "games with errors: 1" in capsys.readouterr().err


def test_stats_writes_csv(write, tmp_path, capsys):
    path = write(random_pgn(30))
    assert main(["stats", path, "--csv", "-"]) == 0
    text = capsys.readouterr().out
    rows = list(csv.DictReader(io.StringIO(text)))
    assert sum(int(row["games"]) for row in rows if row["table"] == "end") == 30
    output = tmp_path / "stats.csv"
    assert main(["stats", path, "--csv", str(output)]) == 0
    assert output.read_bytes().decode() == text


def test_stats_writes_parquet(write, tmp_path):
    polars = pytest.importorskip("polars")
    output = tmp_path / "stats.parquet"
    assert main(["stats", write(random_pgn(30)), "--parquet", str(output)]) == 0
    table = polars.read_parquet(output)
    assert table.filter(table["table"] == "first move")["games"].sum() == 30


def test_stats_without_polars_says_what_to_install(write, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "polars", None)
    assert main(["stats", write(GOOD), "--parquet", str(tmp_path / "x.parquet")]) == 2
    assert "atomic_variant[tables]" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise")
@pytest.mark.parametrize("command", ["check", "convert", "stats"])
def test_a_reader_that_has_seen_enough_is_no_error(command, write):
    path = write(BAD * 2000)
    python = f"{sys.executable} -m atomic_variant {command} {path} | head -n 1"
    root = Path(__file__).parents[2]
    run = subprocess.run(["sh", "-c", python], capture_output=True, text=True, cwd=root, check=True)
    assert "Broken pipe" not in run.stderr
    assert "Traceback" not in run.stderr
    assert run.stdout.count("\n") == 1


# progress -----------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_shown_on_a_terminal(write, monkeypatch):
    pytest.importorskip("tqdm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    path = write(GOOD)
    assert list(_terminal.show_progress(iter([1, 2, 3]), path)) == [1, 2, 3]
    assert path in terminal.getvalue()


def test_findings_stand_above_the_progress_bar(write, monkeypatch):
    pytest.importorskip("tqdm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "stdout", terminal)
    assert main(["check", write(BAD * 3)]) == 1
    lines = [line.rpartition("\r")[2] for line in terminal.getvalue().splitlines()]
    assert sum(" game " in line and "illegal move" in line for line in lines) == 3
    assert lines[-1] == "games: 3, with errors: 3"


def test_progress_needs_no_tqdm(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert list(_terminal.show_progress(iter([1, 2, 3]), "x")) == [1, 2, 3]
    assert terminal.getvalue() == ""


def test_progress_is_quiet_when_piped(monkeypatch):
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    assert list(_terminal.show_progress(iter([1, 2, 3]), "x")) == [1, 2, 3]
    assert pipe.getvalue() == ""


BROKEN = """\
[Event "Rated Atomic game"]
[Annotator "x"]

1. e4 $1 {one} (1. d4 Nf9 2. c4 {x}) (1. Sf3) 1... e5 ; two
(1... f5 2. d4) 2. Qxf9 Nc6 {lost} 3. d4 1-0

[Event "x"]
[Variant "Antimatter"]

1. e4 {as it
stood} Zz9 (1. d4)
0-1

[Variant "Atomic"]
[FEN "nonsense"]

1. e4 e5 *

[Variant "Spark"]

1. e4 e5 *

[Event "chess"]

1. e4 e5 2. Nf3 $14 (2. Nc3) *

"""


def test_convert_passes_on_what_it_cannot_play(write, tmp_path, capsys):
    out = tmp_path / "out.pgn"
    assert main(["convert", str(write(BROKEN)), "-o", str(out)]) == 1
    text = out.read_text(encoding="utf-8")
    for word in (
        "Nf9 2. c4 (x)",
        "Sf3",
        "Qxf9 Nc6 (lost) 3. d4",
        "{as it\nstood} Zz9 (1. d4)\n0-1",
        "1. e4 e5 *",
        "two",
    ):
        assert word in text
    before, again = (list(pgn.read_games(io.StringIO(source))) for source in (BROKEN, text))
    assert [list(game.mainline_moves()) for game in again] == [list(game.mainline_moves()) for game in before]
    assert [game.headers["Result"] for game in again] == [game.headers["Result"] for game in before]
    assert not again[0].errors
    second = tmp_path / "second.pgn"
    main(["convert", str(out), "-o", str(second)])
    assert second.read_text(encoding="utf-8") == text
