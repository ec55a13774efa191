"""The commands ``tactics`` and ``puzzles``."""

import csv
import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from atomic_variant import kernel_active, pgn
from atomic_variant.__main__ import main

from ..support import commands
from ..support.fakes import wait_until_gone
from ..tools.compare_tactics import GAMES

TRAP = (
    '[White "Ann\x1b"]\n[Black "Bob"]\n[WhiteElo "1850"]\n[BlackElo "1420"]\n[Variant "Atomic"]\n\n'
    "1. Nf3 e6 2. e4 f6 *\n\n"
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "games.pgn"
    path.write_text(TRAP)
    return str(path)


def table(out: str, title: str) -> dict[str, list[str]]:
    """The numbers of a printed table, by key."""
    rows = {}
    part = out[out.index(title) :].split("\n\n")[0].splitlines()[1:]
    for row in part:
        words = row.split()
        place = next(index for index, word in enumerate(words) if index and word.isdigit())
        rows[" ".join(words[:place])] = words[place:]
    return rows


def test_wins_are_counted_by_length_phase_rating_and_player(file, capsys):
    assert main(["tactics", file]) == 0
    out = capsys.readouterr().out
    assert table(out, "Wins in") == {
        "2 by explosion": ["1", "1", "100.0%", "1", "1", "100.0%"],
        "all": ["1", "1", "100.0%", "1", "1", "100.0%"],
    }
    assert table(out, "Rating") == {
        "1400-1599": ["0", "0", "1", "1", "100.0%"],
        "1800-1999": ["1", "1", "100.0%", "0", "0"],
    }
    assert set(table(out, "Phase")) == {"opening"}
    assert "Bob" in table(out, "Player")
    assert "\x1b" not in out


@pytest.mark.parametrize(("command", "unit"), [("tactics", "moves"), ("puzzles", "puzzles")])
def test_progress_counts_what_is_found(command, unit, file, monkeypatch, capsys):
    pytest.importorskip("tqdm")
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main([command, file]) == 0
    assert f" {unit}/s]" in terminal.getvalue() or f"0 {unit} " in terminal.getvalue()
    assert "games" not in terminal.getvalue().replace("games.pgn", "")


def test_each_turning_point_is_listed(file, capsys):
    assert main(["tactics", file, "--list", "--player", "bob"]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == "    1  Ann\ufffd - Bob: 1... e6 allows a win in 2 (6 safe moves)"
    assert not [line for line in rest if "misses" in line]


def test_rows_are_written_as_csv_and_parquet(file, tmp_path, capsys):
    assert main(["tactics", file, "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["player"], row["had"], row["missed"], row["allowed"], row["safe"]) for row in rows] == [
        ("Bob", "", "False", "2", "6"),
        ("Ann\x1b", "2", "True", "", ""),
    ]
    polars = pytest.importorskip("polars")
    assert main(["tactics", file, "--parquet", str(tmp_path / "rows.parquet")]) == 0
    frame = polars.read_parquet(tmp_path / "rows.parquet")
    assert frame["had"].to_list() == [None, 2]
    assert frame.schema["missed"] == polars.Boolean
    assert frame["uci"].to_list() == ["e7e6", "e2e4"]


def test_annotated_games_are_written(file, tmp_path):
    target = tmp_path / "out.pgn"
    assert main(["tactics", file, "-o", str(target)]) == 0
    [game] = pgn.read_games(str(target))
    assert not game.errors
    assert "allows a win in 2" in str(game)


@pytest.mark.skipif(not kernel_active(), reason="takes minutes in Python")
def test_several_processes_annotate_the_same(tmp_path):
    texts = []
    for jobs in ("1", "2"):
        assert main(["tactics", str(GAMES), "-o", str(tmp_path / "out.pgn"), "--jobs", jobs]) == 0
        texts.append((tmp_path / "out.pgn").read_text())
    assert texts[0] == texts[1]
    assert texts[0].count("[Event ") == GAMES.read_text().count("[Event ")
    assert "allows a win in" in texts[0]


@pytest.mark.skipif(not kernel_active(), reason="takes minutes in Python")
def test_explosions_and_mates_are_counted_apart(capsys):
    """As loops over the moves count them, which look no further than the next two."""
    had, overlooked, allowed, avoidable = (dict.fromkeys(["explosion", "checkmate"], 0) for _ in range(4))
    for record in pgn.scan(GAMES):
        board = record.board()
        for move in record.moves:
            if how := wins_at_once(board):
                had[how] += 1
                overlooked[how] += not wins_with(board, move) and not keeps_winning(board, move)
            after = board.copy()
            after.push(move)
            if how := wins_at_once(after):
                allowed[how] += 1
                avoidable[how] += any(not wins_at_once(other) for other in positions_after(board))
            board.push(move)
    assert main(["tactics", str(GAMES), "--moves", "1"]) == 0
    rows = table(capsys.readouterr().out, "Wins in")
    for how in had:
        counts = [word for word in rows[f"1 by {how}"] if word.isdigit()]
        assert counts == [str(count[how]) for count in (had, overlooked, allowed, avoidable)]


def wins_with(board, move):
    """Whether *move* wins at once."""
    after = board.copy(stack=False)
    after.push(move)
    outcome = after.outcome()
    return outcome is not None and outcome.winner == board.turn


def wins_at_once(board):
    """How the side to move can win at once, if it can."""
    if board.outcome() is None:
        if any(getattr(board, "generate_king_explosions", list)()):
            return "explosion"
        if any(wins_with(board, move) for move in board.legal_moves):
            return "checkmate"
    return None


def positions_after(board):
    for move in list(board.legal_moves):
        after = board.copy()
        after.push(move)
        yield after


def keeps_winning(board, move):
    """Whether the mover wins with his next move, whatever is answered to *move*."""
    after = board.copy()
    after.push(move)
    return after.outcome() is None and all(wins_at_once(other) for other in positions_after(after))


@pytest.mark.skipif(not kernel_active(), reason="takes minutes in Python")
def test_several_processes_count_the_same(capsys):
    assert main(["tactics", str(GAMES)]) == 0
    alone = capsys.readouterr().out
    assert main(["tactics", str(GAMES), "--jobs", "2"]) == 0
    assert capsys.readouterr().out == alone


@pytest.mark.parametrize("arguments", [["--moves", "0"], ["--moves", "51"], ["--moves", "x"], ["--jobs", "0"]])
@pytest.mark.parametrize("command", ["tactics", "puzzles"])
def test_numbers_out_of_range_are_refused(command, arguments, file, capsys):
    with pytest.raises(SystemExit, match="2"):
        main([command, file, *arguments])
    assert "expected" in capsys.readouterr().err


def test_puzzles_are_written_in_three_forms(file, tmp_path, capsys):
    assert main(["puzzles", file]) == 0
    captured = capsys.readouterr()
    [row] = csv.DictReader(io.StringIO(captured.out))
    assert row["Moves"] == "e7e6 f3e5 g8e7 e5f7"
    assert captured.err == "1 puzzle: 1 in 2\n"
    for name in ("p.pgn", "p.html", "p.csv.gz"):
        assert main(["puzzles", file, "-o", str(tmp_path / name)]) == 0
    [chapter] = pgn.read_games(str(tmp_path / "p.pgn"))
    assert chapter.headers["ChapterName"] == "1. White wins in 2"
    assert "<title>games.pgn</title>" in (tmp_path / "p.html").read_text()
    assert main(["puzzles", file, "-o", str(tmp_path / "p.svg")]) == 2
    assert "ends in .pgn or .csv or .html" in capsys.readouterr().err


@pytest.mark.skipif(not kernel_active(), reason="takes minutes in Python")
def test_many_puzzles_are_several_studies(tmp_path, capsys):
    source = tmp_path / "many.pgn"
    source.write_text(GAMES.read_text())
    assert main(["puzzles", str(GAMES), "--moves", "1-2", "-o", str(tmp_path / "s.pgn")]) == 0
    number = int(capsys.readouterr().err.split()[0])
    names = sorted(path.name for path in tmp_path.glob("s*.pgn"))
    assert len(names) == -(-number // 64)
    assert sum(1 for name in names for _ in pgn.read_games(str(tmp_path / name))) == number


@pytest.mark.skipif(not kernel_active(), reason="takes minutes in Python")
def test_a_range_and_a_number_of_puzzles_are_kept(capsys):
    assert main(["puzzles", str(GAMES), "--moves", "2", "--number", "3"]) == 0
    captured = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(captured.out)))
    assert len(rows) == 3
    assert {len(row["Moves"].split()) for row in rows} == {4}
    with pytest.raises(SystemExit, match="2"):
        main(["puzzles", str(GAMES), "--moves", "3-1"])


@pytest.mark.skipif(not kernel_active(), reason="takes minutes in Python")
@pytest.mark.skipif(sys.platform == "win32", reason="the signal of Ctrl-C")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_was_found(tmp_path, jobs):
    many = tmp_path / "many.pgn"
    many.write_text((TRAP + GAMES.read_text() + "\n\n") * 300)
    target = tmp_path / "rows.csv"
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from atomic_variant.__main__ import main; sys.exit(main(sys.argv[1:]))\n"
    )
    command = [
        sys.executable,
        "-c",
        program,
        "tactics",
        str(many),
        "--moves",
        "2",
        "--jobs",
        jobs,
        "--csv",
        str(target),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        wait_for_rows(tmp_path)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "interrupted; what was found until then is kept" in err
    rows = list(csv.DictReader(target.read_text().splitlines()))
    assert rows
    assert "Wins in" in out


def wait_for_rows(folder):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and not any(path.stat().st_size for path in folder.glob(".rows.csv*.new")):
        time.sleep(0.1)


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_command_that_is_killed_leaves_no_process(tmp_path, how):
    many = tmp_path / "many.pgn"
    many.write_text((TRAP + GAMES.read_text() + "\n\n") * 300)
    with commands.start("tactics", many, "--jobs", "2", "--csv", tmp_path / "rows.csv") as process:
        wait_for_rows(tmp_path)
        workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.send_signal(how)
        process.wait(20)
    assert len(workers) >= 2
    for worker in workers:
        wait_until_gone(int(worker), 20)


@pytest.mark.skipif(sys.platform == "win32", reason="the signal of Ctrl-C")
def test_ctrl_c_keeps_the_turning_points_of_a_review(tmp_path):
    many = tmp_path / "many.pgn"
    many.write_text((TRAP + GAMES.read_text() + "\n\n") * 300)
    report = tmp_path / "report.html"
    with commands.start("review", many, "--tactics", "-o", report) as process:
        for _ in range(3):
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted; what was found until then is kept" in err
    assert b"allows a win in 2; 6 of 20 moves are safe" in report.read_bytes()
    assert b"; 0 with errors; " in out.splitlines()[-1]
