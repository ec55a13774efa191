"""What all commands have in common: files, variants, messages, exit status."""

import bz2
import gzip
import io
import shlex
import sys

import pytest

from atomic_variant import kernel
from atomic_variant.__main__ import main
from atomic_variant.cli import COMMANDS

from ..support import commands
from ..support.fakes import fake

GAME = """[White "Ann"]
[Black "Bob"]
[Variant "Atomic"]
[Result "1-0"]

1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0

"""
HEADERLESS = "1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0\n\n"
READERS = ("review", "check", "convert", "stats", "annotate", "svg", "tactics", "puzzles")


@pytest.fixture
def arguments(tmp_path):
    """The words that call a command for *files*."""

    def arguments(command, *files):
        more = {
            "annotate": ["-o", str(tmp_path / "out.pgn"), "--depth", "1", "--engine", shlex.join(fake())],
            "svg": ["--game", str(len(files))],
        }
        return [command, *map(str, files), *more.get(command, [])]

    return arguments


def tells(command, said, *players):
    """Whether a command read the games of these players."""
    words = {"svg": "Nxd8# explodes", "puzzles": f"{len(players)} puzzle"}
    if command in ("check", "stats"):
        return f"games: {len(players)}" in said
    return words[command] in said if command in words else all(player in said for player in players)


# Start ------------------------------------------------------------------------


def test_every_command_is_told_of_and_there():
    for name in COMMANDS:
        with pytest.raises(SystemExit, match="0"):
            main([name, "--help"])


def loaded(*args):
    """The modules that a command has loaded when it is done."""
    before = "import atexit; atexit.register(lambda: print('LOADED', *sys.modules))"
    _, out, _ = commands.run(*args, before=before)
    return set(out.decode().rpartition("LOADED")[2].split())


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_what_needs_no_board_loads_none(option):
    modules = loaded(option)
    assert "atomic_variant" in modules
    assert not modules & {"chess", "atomic_variant.boards", "asyncio", "csv", "tempfile"}


def test_a_command_loads_no_other():
    modules = loaded("check", "none.pgn")
    assert "atomic_variant.cli.check" in modules
    assert not modules & {"atomic_variant.cli.review", "atomic_variant.svg", "atomic_variant.engine"}


def test_the_version_tells_of_the_kernel():
    status, out, _ = commands.run("--version")
    assert status == 0
    assert b" ".join(out.split()).decode().endswith(f"(compiled kernel: {kernel.state()})")
    status, out, _ = commands.run("--version", environment={"ATOMIC_VARIANT_PURE": "1"})
    assert status == 0
    assert b" ".join(out.split()).endswith(b"(compiled kernel: off by ATOMIC_VARIANT_PURE)")


def test_the_state_of_a_kernel_that_is_not_there(monkeypatch):
    monkeypatch.setattr(kernel, "_state", "")
    monkeypatch.setattr(kernel, "_files", lambda: ["__init__.py", "_kernel.pyi"])
    assert kernel.state() == "not built"
    monkeypatch.setattr(kernel, "_files", lambda: ["_kernel.cpython-27-x86_64-linux-gnu.so"])
    assert kernel.state() == "built for another version of Python"


# Files ------------------------------------------------------------------------


@pytest.mark.parametrize("command", READERS)
def test_every_command_reads_compressed_files_and_several(command, arguments, tmp_path, capsys):
    plain, zipped, bzipped = tmp_path / "a.pgn", tmp_path / "b.pgn.gz", tmp_path / "c.bz2"
    plain.write_text(GAME)
    zipped.write_bytes(gzip.compress(GAME.replace("Ann", "Cid").encode()))
    bzipped.write_bytes(bz2.compress(GAME.replace("Ann", "Eve").encode()))
    assert main(arguments(command, plain, zipped, bzipped)) == 0
    said = "".join(capsys.readouterr())
    assert tells(command, said, "Ann", "Cid", "Eve")


@pytest.mark.parametrize("command", READERS)
def test_every_command_reads_zstd(command, arguments, tmp_path):
    zstd = pytest.importorskip("backports.zstd" if sys.version_info < (3, 14) else "compression.zstd")
    path = tmp_path / "a.pgn.zst"
    path.write_bytes(zstd.compress(GAME.encode()))
    assert main(arguments(command, path)) == 0


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_every_command_reads_standard_input(command, compress, arguments, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(compress(GAME.encode()))))
    assert main(arguments(command, "-")) == 0
    assert tells(command, "".join(capsys.readouterr()), "Ann")


@pytest.mark.parametrize("command", READERS)
def test_a_file_that_cannot_be_read_is_told_and_the_rest_are_read(command, arguments, tmp_path, capsys):
    good, missing, cut = tmp_path / "good.pgn", tmp_path / "missing.pgn", tmp_path / "cut.pgn.gz"
    good.write_text(GAME)
    cut.write_bytes(gzip.compress(GAME.encode() * 50, mtime=0)[:-12])
    words = arguments(command, missing, tmp_path, cut, good)
    if command == "svg":
        words[-1] = "1"
        assert main(arguments(command, missing, tmp_path, good)) == 2  # There is no third game.
    assert main(words) == 2
    said = "".join(capsys.readouterr())
    assert f"{missing}: No such file or directory" in said
    assert f"{tmp_path}: Is a directory" in said
    if command == "svg":
        return
    assert f"{cut}: line " in said
    assert "cannot read on" in said
    # The games of the damaged file before the damage, and the good one.
    assert "Traceback" not in said
    if command in ("check", "stats"):
        assert "games: 0" not in said


def test_files_after_an_unreadable_one_are_read(tmp_path, capsys):
    good = tmp_path / "good.pgn"
    good.write_text(GAME * 3)
    assert main(["check", str(tmp_path / "missing.pgn"), str(good)]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("games: 3")
    assert main(["review", str(tmp_path / "missing.pgn"), str(good)]) == 2
    assert capsys.readouterr().out.splitlines()[-1].startswith("3 games: 3 explosions")


# Variants ---------------------------------------------------------------------


@pytest.mark.parametrize("command", READERS)
def test_the_variant_means_the_same_everywhere(command, arguments, tmp_path, capsys):
    path = tmp_path / "headerless.pgn"
    path.write_text(HEADERLESS)
    assert main([*arguments(command, path), "--variant", "atomic"]) == 0
    said = "".join(capsys.readouterr())
    if command in ("review", "stats", "svg"):
        assert "explo" in said
    if command == "annotate":
        assert "the black king exploded on e8" in (tmp_path / "out.pgn").read_text()


@pytest.mark.parametrize("command", [*READERS, "explain"])
def test_an_unknown_variant_is_refused_and_the_known_are_told(command, arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        main([*arguments(command, "start"), "--variant", "anti\x1b[2Jmatter"])
    said = capsys.readouterr().err
    assert "unknown variant" in said
    assert "Atomic ICC" in said
    assert "\x1b" not in said


# Terminals --------------------------------------------------------------------

HOSTILE = "\x1b[2J\x07\x9b31m\u202e\x08"
NAMES = (
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "TimeControl", "Termination", "Annotator",
    "Opening", "ECO", "Variant", "FEN",
)  # fmt: skip


class Terminal(io.StringIO):
    def isatty(self):
        return True


def open_terminal(monkeypatch):
    """What stands on a terminal; to be called by a test itself, as pytest captures anew for each of its phases."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(sys, "stderr", screen)
    return screen


def hostile_games():
    for name in NAMES:
        headers = {"White": "Ann", "Variant": "Atomic", name: f"x{HOSTILE}y"}
        yield "".join(f'[{key} "{value}"]\n' for key, value in headers.items()) + "\n1. e4 e5 *\n\n"
    start = '[Variant "Atomic"]\n\n'
    yield f"{start}1. e4 {{ {HOSTILE} }} e5 ({{{HOSTILE}}} 1... d5) *\n\n"
    yield f"{start}1. e4 ; {HOSTILE}\n e5 *\n\n"
    yield f"{start}1. e4 Nf{HOSTILE} *\n\n"
    yield f"{start}1. e4 {HOSTILE} e5 *\n\n"
    yield f"{start}1. e4 {{ {HOSTILE} never closed\n\n"


def steering(text):
    return {char for char in text if char != "\n" and not char.isprintable()}


@pytest.mark.parametrize(
    ("command", "progress"),
    [
        *((name, False) for name in (*READERS, "svg --animate", "convert --to jsonl", "stats --csv -")),
        ("check", True),
    ],
)
def test_nothing_of_a_game_or_a_name_steers_the_terminal(command, progress, arguments, tmp_path, monkeypatch):
    terminal = open_terminal(monkeypatch)
    if not progress:
        monkeypatch.setitem(sys.modules, "tqdm", None)
    path = tmp_path / f"games{HOSTILE}\n.pgn"
    games = list(hostile_games())
    path.write_text("".join(games), encoding="utf-8")
    command, *more = command.split()
    for number in range(1, len(games) + 1) if command == "svg" else [1]:
        words = arguments(command, path, tmp_path / f"missing{HOSTILE}.pgn")
        main([*words, *more, *(["--game", str(number)] if command == "svg" else [])])
    said = terminal.getvalue()
    assert ("</svg>" if command == "svg" else "missing") in said
    if progress:  # The bar steers the terminal itself.
        assert not any(char in said for char in "\x07\x9b\u202e\x08")
        assert "\x1b[2J" not in said
    else:
        assert steering(said) == set()


@pytest.mark.parametrize(
    "words",
    [
        ["explain", "start", f"Nf3{HOSTILE}"],
        ["explain", f"8/8{HOSTILE}/8 w - - 0 1"],
        ["svg", f"start{HOSTILE}"],
        ["svg", "start", "-m", f"e4{HOSTILE}"],
        ["svg", "start", "-o", f"x{HOSTILE}.jpg"],
        ["convert", f"none{HOSTILE}", "-o", f"no{HOSTILE}/out.pgn"],
        ["convert", "none", "-o", f"out{HOSTILE}.doc"],
        ["review", "none", "-o", f"no{HOSTILE}/out.html"],
        ["annotate", "none", "-o", f"no{HOSTILE}/out.pgn", "--depth", "1"],
        ["annotate", "none", "-o", "no/out.pgn", "--depth", "1", "--option", f"x{HOSTILE}"],
        ["check", f"--{HOSTILE}"],
        [f"chec{HOSTILE}"],
    ],
)
def test_nothing_of_an_argument_steers_the_terminal(words, monkeypatch):
    terminal = open_terminal(monkeypatch)
    try:
        status = main(words)
    except SystemExit as exit:
        status = exit.code
    assert status in (1, 2)
    said = terminal.getvalue()
    assert said
    assert steering(said) == set()


def test_nothing_of_an_engine_steers_the_terminal(tmp_path, monkeypatch):
    terminal = open_terminal(monkeypatch)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    path = tmp_path / "games.pgn"
    path.write_text('[Variant "Atomic"]\n\n1. e4 e5 *\n\n')
    for more in (
        ["--name", f"Evil{HOSTILE}", "--misbehave", "unreadable"],
        ["--name", f"Evil{HOSTILE}", "--misbehave", "nonsense"],
        ["--variants", f"chess,crazy{HOSTILE}house"],
    ):
        words = ["annotate", str(path), "-o", str(tmp_path / "out.pgn"), "--depth", "1", "--timeout", "5"]
        assert main([*words, "--engine", shlex.join(fake(*more))]) in (1, 2)
    assert "Evil" in terminal.getvalue()
    assert "house" in terminal.getvalue()
    assert steering(terminal.getvalue()) == set()


# Encodings --------------------------------------------------------------------

ZOE = GAME.replace("Ann", "Zoë Żółć 王 “Boom”")


@pytest.mark.parametrize(
    ("command", "encoding"), [*((name, "ascii") for name in READERS), ("review", "cp1252"), ("convert", "latin-1")]
)
def test_no_locale_is_too_small(command, encoding, arguments, tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text(ZOE, encoding="utf-8")
    status, out, err = commands.run(*arguments(command, path), environment={"PYTHONIOENCODING": f"{encoding}:strict"})
    assert status == 0, err
    assert b"Traceback" not in err
    if command == "convert":
        assert f'[White "{"Zoë Żółć 王 “Boom”"}"]' in out.decode("utf-8")
    elif command == "review":
        assert b"\\u738b" in out  # What the encoding has no sign for is still told.


@pytest.mark.parametrize("to", ["pgn", "jsonl"])
def test_games_on_standard_output_are_utf_8(to, tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text(ZOE, encoding="utf-8")
    for encoding in ("ascii", "latin-1", "utf-16"):
        status, out, _ = commands.run("convert", "--to", to, path, environment={"PYTHONIOENCODING": encoding})
        assert status == 0
        assert "Zoë Żółć 王" in out.decode("utf-8")
