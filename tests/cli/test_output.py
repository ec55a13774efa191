"""What commands write stands under its name when it is whole, and not before."""

import bz2
import contextlib
import errno
import gzip
import json
import os
import shlex
import signal
import stat
import sys
import time

import pytest

from atomic_variant import files, pgn
from atomic_variant.__main__ import main

from ..support import commands
from ..support.fakes import fake

GAME = """[White "Ann"]
[Black "Bob"]
[Variant "Atomic"]
[Result "1-0"]

1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0

"""
PRECIOUS = b"precious"

# The words after the input that make a command write a file of this name.
WRITERS = {
    "convert": ["-o", "out.pgn"],
    "convert to json": ["-o", "out.jsonl"],
    "convert and compress": ["-o", "out.pgn.gz"],
    "stats to csv": ["--csv", "out.csv"],
    "stats to parquet": ["--parquet", "out.parquet"],
    "review": ["-o", "out.html"],
    "svg": ["-o", "out.svg"],
    "annotate": ["-o", "out.pgn", "--depth", "1", "--engine", shlex.join(fake())],
}


@pytest.fixture(params=WRITERS)
def writer(request, tmp_path):
    """Makes the words of a command that reads *files*; and the file that it writes."""
    if request.param == "stats to parquet":
        pytest.importorskip("polars")
    option, name, *more = WRITERS[request.param]
    output = tmp_path / "folder" / name
    output.parent.mkdir()

    def words(*files, output=output):
        return [request.param.split()[0], *map(str, files), option, str(output), *more]

    return words, output


def without(name):
    """For all writers but one."""
    return pytest.mark.parametrize("writer", [other for other in WRITERS if other != name], indirect=True)


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAME)
    return path


def entries(output):
    return sorted(path.name for path in output.parent.iterdir())


def test_an_output_takes_the_place_of_the_old_one(writer, games):
    words, output = writer
    output.write_bytes(b"")
    assert main(words(games)) == 0
    assert output.stat().st_size > 100
    assert entries(output) == [output.name]


def test_a_name_that_is_mistyped_does_no_harm(writer, tmp_path, capsys):
    words, output = writer
    output.write_text(GAME)
    assert main(words(tmp_path / "nonexist.pgn")) == 2
    assert output.read_text() == GAME
    assert entries(output) == [output.name]
    said = capsys.readouterr().err
    assert "nonexist.pgn: No such file or directory" in said or "nonexist.pgn: neither a file nor a FEN" in said
    assert ".part" not in said  # There is none.


@without("svg")  # One game is enough for it.
def test_one_of_several_names_that_is_mistyped_does_no_harm(writer, games, tmp_path, capsys):
    words, output = writer
    output.write_bytes(b"")
    assert main(words(games, tmp_path / "nonexist.pgn")) == 2
    assert output.read_bytes() == b""
    said = capsys.readouterr().err
    assert f"{output}: not written, as not everything could be read" in said
    assert (f"{output}.part keeps what is done" in said) == (f"{output.name}.part" in entries(output))


def test_an_input_that_was_cut_off_does_no_harm(writer, tmp_path):
    words, output = writer
    cut = tmp_path / "cut.pgn.gz"
    cut.write_bytes(gzip.compress(GAME.encode() * 50, mtime=0)[:-12])
    output.write_bytes(b"")
    more = ["--game", "51"] if words()[0] == "svg" else []
    assert main([*words(cut), *more]) == 2
    assert output.read_bytes() == b""
    assert [name for name in entries(output) if not name.endswith(".part")] == [output.name]


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def open_pipe(path, process):
    """Opens a pipe for writing when *process* reads it, and waits no longer if it has ended."""

    def has_reader():
        assert process.poll() is None, process.communicate()
        with contextlib.suppress(OSError):
            handles.append(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        return handles

    handles: list[int] = []
    wait_for(has_reader)
    os.set_blocking(handles[0], True)
    return open(handles[0], "w")


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes")
@pytest.mark.parametrize(
    ("writer", "how"),
    # svg is done at once, annotate has tests of its own; and against the other signal nobody can do anything.
    [*((name, signal.SIGINT) for name in WRITERS if name not in ("svg", "annotate")), ("convert", signal.SIGKILL)],
    indirect=["writer"],
)
def test_ctrl_c_does_no_harm(writer, tmp_path, how):
    words, output = writer
    output.write_bytes(PRECIOUS)
    pipe = tmp_path / "games.pgn"
    os.mkfifo(pipe)
    with commands.start(*words(pipe)) as process, open_pipe(pipe, process) as handle:
        handle.write(GAME * 1000)
        handle.flush()
        wait_for(lambda: len(entries(output)) > 1)
        process.send_signal(how)
        _, err = process.communicate(timeout=60)
    assert output.read_bytes() == PRECIOUS
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert err.splitlines()[-1] == b"interrupted"
        assert entries(output) == [output.name]


# What writes while it reads. Annotate writes when it is done, from a journal, which stays.
LONG = {name: words for name, words in WRITERS.items() if name not in ("svg", "annotate")} | {
    "tactics to csv": ["--csv", "out.csv"],
    "tactics to csv with processes": ["--csv", "out.csv", "--jobs", "2"],
    "tactics to parquet": ["--parquet", "out.parquet"],
    "tactics to pgn": ["-o", "out.pgn"],
    "puzzles": ["-o", "out.csv"],
    "puzzles to html": ["-o", "out.html"],
    "review with tactics": ["-o", "out.html", "--tactics"],
    "explore": ["-o", "out.sqlite"],
}
NEEDS = {"stats to parquet": "polars", "tactics to parquet": "polars", "explore": "numpy"}


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes")
@pytest.mark.parametrize(("name", "how"), [*((name, signal.SIGTERM) for name in LONG), ("convert", signal.SIGHUP)])
def test_a_command_that_is_told_to_end_leaves_nothing_half_written(name, how, tmp_path):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    option, file, *more = LONG[name]
    output = tmp_path / "folder" / file
    output.parent.mkdir()
    output.write_bytes(PRECIOUS)
    pipe = tmp_path / "games.pgn"
    os.mkfifo(pipe)
    command = ["explore", "build"] if name == "explore" else [name.split()[0]]
    with commands.start(*command, pipe, option, output, *more) as process, open_pipe(pipe, process) as handle:
        handle.write(GAME * 1000)
        handle.flush()
        wait_for(lambda: any(entry.endswith(".new") for entry in entries(output)))
        process.send_signal(how)
        process.communicate(timeout=60)
    assert process.returncode == -how, "who sent the signal sees that it did its work"
    assert output.read_bytes() == PRECIOUS
    assert entries(output) == [output.name]


def test_a_process_that_was_forked_leaves_the_files_of_its_parent_alone(tmp_path, monkeypatch):
    target = tmp_path / "out.csv"
    with files.replacing(target) as name:
        with monkeypatch.context() as forked:
            forked.setattr(os, "getpid", lambda: -1)
            files.discard_all()
        assert os.path.exists(name)
    files.discard_all()
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


FULL = """
import resource
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of this kind")
def test_a_full_disk_does_no_harm(writer, games):
    words, output = writer
    games.write_text("".join(f'[Round "{number}"]\n{GAME}' for number in range(50)))
    output.write_text(GAME)
    status, _, err = commands.run(*words(games), before=FULL)
    assert output.read_text() == GAME
    assert status == 2
    assert os.strerror(errno.EFBIG).encode() in err
    assert output.name.encode() in err
    assert b"Traceback" not in err
    assert [name for name in entries(output) if not name.endswith(".part")] == [output.name]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
@pytest.mark.parametrize("command", ["convert", "check", "review", "stats", "svg", "stats --csv -", "explain"])
def test_full_standard_output_is_told(command, games):
    command, *more = command.split()
    bad = games.with_name("bad.pgn")
    bad.write_text(GAME.replace("Ne6", "Ke6"))
    with open("/dev/full", "wb") as full:
        source = "start" if command == "explain" else bad
        status, _, err = commands.run(command, source, *more, stdout=full)
    assert status == 2
    assert b"standard output: No space left on device" in err
    assert b"Traceback" not in err


@without("svg")  # It reads one game.
def test_an_output_that_cannot_be_is_told_before_anything_is_read(writer, tmp_path, capsys, monkeypatch):
    words, output = writer
    for name in ("scan", "read_games"):
        monkeypatch.setattr(pgn, name, lambda *args, **kwargs: pytest.fail("has been read"))
    missing = tmp_path / "no" / output.name
    assert main(words("games.pgn", output=missing)) == 2
    assert f"{missing}" in capsys.readouterr().err
    assert main(words("games.pgn", output=tmp_path)) == 2
    assert str(tmp_path) in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="other links and permissions")
def test_a_link_stays_one_and_permissions_are_kept(writer, games, tmp_path):
    words, output = writer
    real = tmp_path / f"real-{output.name}"
    real.write_bytes(b"")
    real.chmod(0o600)
    output.symlink_to(real)
    assert main(words(games)) == 0
    assert output.is_symlink()
    assert real.stat().st_size > 100
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    # A new file is as the user has all new files.
    other = tmp_path / "other"
    other.write_bytes(b"")
    new = tmp_path / f"new-{output.name}"
    assert main(words(games, output=new)) == 0
    assert new.stat().st_mode == other.stat().st_mode


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is protected from an administrator")
def test_a_file_that_is_protected_is_not_replaced(writer, games):
    words, output = writer
    output.write_bytes(b"")
    output.chmod(0o400)
    assert main(words(games)) == 2
    assert output.read_bytes() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="no such device")
def test_what_is_no_file_is_written_to(games):
    assert main(["convert", str(games), "-o", "/dev/null"]) == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    status, out, _ = commands.run("convert", games, "-o", "/dev/stdout")
    assert (status, out[:5]) == (0, b"[Even")


@pytest.mark.parametrize(
    "words", [["review", "-o", "-"], ["stats", "--parquet", "-"], ["annotate", "--depth", "1", "-o", "-"]]
)
def test_what_is_no_text_to_pass_on_needs_a_name(words, games, tmp_path, capsys, monkeypatch):
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    command, *more = words
    assert main([command, str(games), *more]) == 2
    assert "name a file" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["games.pgn"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise")
def test_a_report_is_written_although_nobody_reads_the_lines(games, tmp_path):
    games.write_text(GAME * 1200)
    report = tmp_path / "report.html"
    with commands.start("review", games, "-o", report) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=120) == 0
    assert b"1200 games" in report.read_bytes()


# Input and output -------------------------------------------------------------


@pytest.mark.parametrize("command", ["convert", "annotate"])
def test_an_output_is_none_of_the_inputs(command, games, tmp_path, capsys):
    link = tmp_path / "link.pgn"
    link.symlink_to(games)
    more = ["--depth", "1"] if command == "annotate" else []
    other = tmp_path / "other.pgn"
    other.write_text(GAME)
    for output in (games, link):
        assert main([command, str(other), str(games), "-o", str(output), *more]) == 2
        assert "would overwrite what is to be read" in capsys.readouterr().err
    assert games.read_text() == GAME


def test_standard_input_and_output_are_looked_at_too(games):
    with open(games, "rb") as handle:
        status, _, err = commands.run("convert", "-", "-o", games, stdin=handle)
    assert status == 2
    assert b"would overwrite" in err
    with open(games, "ab") as handle:  # Reading what it writes, it would never end.
        status, _, err = commands.run("convert", games, stdout=handle)
    assert status == 2
    assert b"standard output: would overwrite" in err
    assert games.read_text() == GAME


# Names ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "magic"), [("out.pgn.gz", b"\x1f\x8b"), ("out.PGN.BZ2", b"BZh"), ("out.gz", b"\x1f\x8b"), ("out", b"[E")]
)
def test_the_ending_of_a_name_is_honoured(name, magic, games, tmp_path):
    output = tmp_path / name
    assert main(["convert", str(games), "-o", str(output)]) == 0
    assert output.read_bytes().startswith(magic)
    assert [len(game.moves) for game in pgn.scan(output)] == [7]


def test_zstd_is_written(games, tmp_path, capsys, monkeypatch):
    pytest.importorskip("backports.zstd" if sys.version_info < (3, 14) else "compression.zstd")
    output = tmp_path / "out.pgn.zst"
    assert main(["convert", str(games), "-o", str(output)]) == 0
    assert output.read_bytes().startswith(b"\x28\xb5\x2f\xfd")
    assert [len(game.moves) for game in pgn.scan(output)] == [7]
    for module in ("backports.zstd", "compression.zstd"):
        monkeypatch.setitem(sys.modules, module, None)
    before = output.read_bytes()
    assert main(["convert", str(games), "-o", str(output)]) == 2
    assert f"{output}: zstd needs" in capsys.readouterr().err
    assert output.read_bytes() == before


@pytest.mark.parametrize("name", ["out.jsonl", "out.ndjson", "out.jsonl.gz", "out.jsonl.bz2"])
def test_json_lines_are_known_by_their_ending(name, games, tmp_path):
    output = tmp_path / name
    assert main(["convert", str(games), "-o", str(output)]) == 0
    data = output.read_bytes()
    data = gzip.decompress(data) if name.endswith("gz") else bz2.decompress(data) if name.endswith("bz2") else data
    assert json.loads(data)["moves"][0] == "g1f3"


@pytest.mark.parametrize(
    ("words", "endings"),
    [
        (["convert", "-o", "out.json"], ".pgn or .jsonl"),
        (["convert", "-o", "out.html.gz"], ".pgn or .jsonl"),
        (["convert", "-o", "out.txt"], ".pgn or .jsonl"),
        (["convert", "--to", "jsonl", "-o", "out.pgn"], ".jsonl"),
        (["convert", "--to", "pgn", "-o", "out.jsonl"], ".pgn"),
        (["stats", "--csv", "out.parquet"], ".csv"),
        (["stats", "--parquet", "out.csv"], ".parquet"),
        (["review", "-o", "out.pgn"], ".html"),
        (["annotate", "--depth", "1", "-o", "out.jsonl"], ".pgn"),
        (["svg", "-o", "out.jpg"], ".svg or .png or .gif"),
        (["svg", "-o", "out.pgn"], ".svg or .png or .gif"),
    ],
)
def test_a_name_that_says_something_else_is_refused(words, endings, games, tmp_path, capsys, monkeypatch):
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    command, *more = words
    assert main([command, str(games), *more]) == 2
    assert f"{more[-1]}: what is written here ends in {endings}" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["games.pgn"]


def test_any_name_may_be_asked_for_that_says_nothing_else(games, tmp_path):
    output = tmp_path / "out.txt"
    assert main(["convert", str(games), "--to", "jsonl", "-o", str(output)]) == 0
    assert json.loads(output.read_text())["result"] == "1-0"
    assert main(["stats", str(games), "--csv", str(output)]) == 0
    assert output.read_text().startswith("table,key,games")
