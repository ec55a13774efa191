"""``annotate`` on the command line: what it writes, and that interruptions lose nothing."""

import io
import re
import shlex
import signal
import subprocess
import sys
import time

import pytest

from atomic_variant import engine, pgn
from atomic_variant.__main__ import main
from atomic_variant.cli import annotate

from ..support import commands
from ..support.fakes import PROBES, fake, started  # noqa: F401

GAMES = """\
[White "Ann"]
[Black "Bob"]
[Variant "Atomic"]
[Result "1-0"]

1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0

[White "Cid"]
[Black "Dora"]
[Variant "Atomic"]
[Result "*"]

1. Nf3 f6 2. e3 d5 3. Ng5 Bg4 *

[White "Eve"]
[Black "Fay"]
[Variant "Atomic"]
[Result "*"]

1. e3 e6 2. d4 d5 *

"""
TITLE = '{"journal": "atomic-variant annotate"}\n'
POSITIONS = 6 + 7 + 5  # Without two that are known without search: the last one and a forced explosion.


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    return path


def arguments(games, *args, out="out.pgn", **limit):
    options = limit or {"depth": 1}
    limits = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    return ["annotate", str(games), "-o", str(games.parent / out), "--engine", shlex.join(fake(*args)), *limits]


def read_all(path):
    with open(path) as handle:
        return list(iter(lambda: pgn.read_game(handle), None))


def is_annotated(game):
    return engine.EVALUATED_BY in game.headers and all(node.eval() is not None for node in [game, *game.mainline()])


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_game_is_annotated_in_the_order_of_the_file(games, started, jobs):
    assert main([*arguments(games), "--jobs", str(jobs)]) == 0
    annotated = read_all(games.parent / "out.pgn")
    assert [game.headers["White"] for game in annotated] == ["Ann", "Cid", "Eve"]
    assert all(map(is_annotated, annotated))
    assert [list(game.mainline_moves()) for game in annotated] == [
        list(game.mainline_moves()) for game in read_all(games)
    ]
    assert sorted(path.name for path in games.parent.iterdir()) == ["games.pgn", "out.pgn"]


def test_a_finished_file_is_not_searched_again_and_new_games_are_added(games, started):
    log = games.parent / "log"
    assert main(arguments(games, "--log", log)) == 0
    assert len(log.read_text().splitlines()) == PROBES + POSITIONS
    first = (games.parent / "out.pgn").read_text()
    games.write_text(GAMES.replace("Eve", "Gil") + GAMES)
    assert main(arguments(games, "--log", log)) == 0
    assert len(log.read_text().splitlines()) == 2 * PROBES + POSITIONS + POSITIONS
    annotated = read_all(games.parent / "out.pgn")
    assert [game.headers["White"] for game in annotated] == ["Ann", "Cid", "Gil", "Ann", "Cid", "Eve"]
    assert first.split("\n\n\n")[0] in (games.parent / "out.pgn").read_text()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_what_is_done_survives_an_interruption_and_is_not_done_again(games, how):
    log = games.parent / "log"
    # The third game hangs; two are finished by then.
    searches = PROBES + 13 + 2
    hanging = arguments(games, "--memory", "--misbehave", "hang", "--at", searches + 1, "--log", log)
    process = commands.start(*hanging, "--timeout", "3", stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not log.exists() or len(log.read_text().splitlines()) < searches:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(how)
    _, said = process.communicate(timeout=60)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert b"out.pgn.part keeps what is done; run the same command again to go on" in said
        assert (games.parent / "out.pgn.part").exists()
        assert [game.headers["White"] for game in read_all(games.parent / "out.pgn")] == ["Ann", "Cid"]
    log.unlink()
    assert main(arguments(games, "--memory", "--log", log)) == 0
    assert main(arguments(games, "--memory", out="undisturbed.pgn")) == 0
    assert (games.parent / "out.pgn").read_bytes() == (games.parent / "undisturbed.pgn").read_bytes()
    assert all(map(is_annotated, read_all(games.parent / "out.pgn")))
    done_again = len(log.read_text().splitlines()) - PROBES
    assert done_again == 5  # The third game, which the engine has to see whole.
    assert not (games.parent / "out.pgn.part").exists()


def test_games_that_the_engine_fails_at_are_named_and_the_others_done(games, started, capsys):
    assert main(arguments(games, "--misbehave", "die", "--poison", "3p2N1/6b1")) == 1
    said = capsys.readouterr().err
    annotated = read_all(games.parent / "out.pgn")
    assert [is_annotated(game) for game in annotated] == [True, False, True]
    assert "game 2: Cid - Dora" in said
    assert "after 3...Bg4 (ply 6)" in said


def test_an_engine_that_never_works_ends_the_work(games, started, capsys):
    games.write_text(GAMES * 5)
    assert main(arguments(games, "--misbehave", "die", "--at", PROBES + 1)) == 2
    said = capsys.readouterr().err
    assert "ply" in said
    assert "one game after another" in said
    assert len(started) < 15


def test_games_of_variants_that_the_engine_does_not_play_are_kept_as_they_are(games, started, capsys):
    games.write_text(GAMES + '[White "Hal"]\n[Variant "Crazyhouse"]\n\n1. e4 e5 *\n')
    assert main(arguments(games)) == 1
    annotated = read_all(games.parent / "out.pgn")
    assert [is_annotated(game) for game in annotated] == [True, True, True, False]
    assert list(annotated[3].mainline_moves()) == list(read_all(games)[3].mainline_moves())
    assert "Crazyhouse" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arg", ["--depth=0", "--depth=x", "--time=-1", "--time=inf", "--time=nan", "--jobs=0", "--option=x"]
)
def test_senseless_arguments_are_refused(games, arg, capsys):
    with pytest.raises(SystemExit) as status:
        main([*arguments(games, depth=1), arg])
    assert status.value.code == 2
    assert "expected" in capsys.readouterr().err or "not allowed" in capsys.readouterr().err


def test_without_a_limit_there_is_nothing_to_do(games, capsys):
    with pytest.raises(SystemExit):
        main(["annotate", str(games), "-o", str(games.parent / "out.pgn")])
    assert "--depth" in capsys.readouterr().err


def test_unusable_input_is_named(games, started, capsys):
    assert main(arguments(games.parent / "nothing.pgn")) == 2
    assert "nothing.pgn" in capsys.readouterr().err
    assert main(arguments(games, out="games.pgn")) == 2
    assert "overwrite" in capsys.readouterr().err
    assert games.read_text() == GAMES
    missing = [
        "annotate",
        str(games),
        "-o",
        str(games.parent / "out.pgn"),
        "--engine",
        "/nowhere/engine",
        "--depth",
        "1",
    ]
    assert main(missing) == 2
    assert "/nowhere/engine" in capsys.readouterr().err


def test_errors_of_a_game_are_told_and_its_sound_part_annotated(games, started, capsys):
    games.write_text('[White "Ida"]\n[Variant "Atomic"]\n\n1. e4 e5 2. Kxe5 *\n')
    assert main(arguments(games)) == 1
    assert "Kxe5" in capsys.readouterr().err
    assert is_annotated(read_all(games.parent / "out.pgn")[0])


def test_a_journal_that_was_cut_off_is_used_as_far_as_it_goes(games, started):
    log = games.parent / "log"
    (games.parent / "out.pgn.part").write_text(TITLE + '{"key": "x", "finished": true, "pgn": ""}\n{"key": "y", "fin')
    assert main(arguments(games, "--log", log)) == 0
    assert len(read_all(games.parent / "out.pgn")) == 3
    assert pgn.read_game(io.StringIO((games.parent / "out.pgn").read_text())).headers["White"] == "Ann"


# The journal --------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage",
    [
        b"[" * 200_000 + b"\n",
        b"null\n[]\n1e999\n",
        b"\xff\xfe\x00\n",
        b'{"key": "KEY", "finished": true}\n',
        b'{"key": "KEY", "finished": true, "pgn": 5}\n',
        b'{"key": ["KEY"], "finished": true, "pgn": ""}\n',
    ],
    ids=["deep", "no records", "no text", "no game", "no text of a game", "no key"],
)
def test_a_damaged_journal_is_used_as_far_as_it_makes_sense(games, started, damage):
    [*keys] = (key for _, key, _ in annotate._numbered(pgn.read_games(games)))
    (games.parent / "out.pgn.part").write_bytes(TITLE.encode() + damage.replace(b"KEY", keys[0].encode()))
    assert main(arguments(games)) == 0
    assert all(map(is_annotated, read_all(games.parent / "out.pgn")))
    assert not (games.parent / "out.pgn.part").exists()


@pytest.mark.parametrize("text", ["my notes\n", '{"key": "x", "finished": true, "pgn": ""}\n', TITLE[:-1] + "x\n"])
def test_a_file_that_is_no_journal_is_left_alone(games, text, capsys):
    part = games.parent / "out.pgn.part"
    part.write_text(text)
    assert main(arguments(games)) == 2
    assert f"{part}: no journal of this command" in capsys.readouterr().err
    assert part.read_text() == text
    assert not (games.parent / "out.pgn").exists()


def test_a_link_in_the_place_of_the_journal_is_not_followed(games, capsys):
    victim = games.parent / "victim"
    victim.write_text(TITLE)
    (games.parent / "out.pgn.part").symlink_to(victim)
    assert main(arguments(games)) == 2
    assert "in the way of the journal" in capsys.readouterr().err
    assert victim.read_text() == TITLE


@pytest.mark.skipif(sys.platform == "win32", reason="no locks of this kind")
def test_two_runs_do_not_work_on_one_output(games, started, capsys):
    part = games.parent / "out.pgn.part"
    with commands.start(
        *arguments(games, "--misbehave", "hang", "--at", 1), "--timeout", "60", stdout=subprocess.DEVNULL
    ) as process:
        try:
            deadline = time.monotonic() + 60
            while not part.exists() or not part.stat().st_size:  # Written once it is locked.
                assert time.monotonic() < deadline
                time.sleep(0.02)
            assert main(arguments(games)) == 2
        finally:
            process.kill()
    assert "out.pgn: another run of this command works on it" in capsys.readouterr().err
    assert main(arguments(games)) == 0
    assert not part.exists()


def test_what_was_never_begun_leaves_nothing_and_promises_nothing(games, started, capsys):
    output = games.parent / "out.pgn"
    assert main(arguments(games)) == 0
    before = output.read_text()
    for wrong in (["--engine", "/nowhere/engine"], ["--option", "Antigravity=9"]):
        assert main([*arguments(games), *wrong]) == 2
        said = capsys.readouterr().err
        assert ".part" not in said
        assert "Traceback" not in said
    assert main(arguments(games.parent / "nofile.pgn")) == 2
    assert "nofile.pgn: No such file or directory" in capsys.readouterr().err
    assert output.read_text() == before
    assert sorted(path.name for path in games.parent.iterdir()) == ["games.pgn", "out.pgn"]


def test_an_interruption_does_not_take_what_an_old_output_holds_of_other_games(games, started):
    output = games.parent / "out.pgn"
    assert main(arguments(games)) == 0
    before = output.read_text()
    games.write_text(GAMES.replace("Ann", "Amy") + GAMES.replace("Ann", "Ada"))
    searches = PROBES + 6 + 2
    log = games.parent / "log"
    process = commands.start(
        *arguments(games, "--memory", "--misbehave", "hang", "--at", searches + 1, "--log", log),
        *["--timeout", "3"],
        stdout=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while not log.exists() or len(log.read_text().splitlines()) < searches:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=90)
    assert output.read_text() == before


def test_permissions_of_an_old_output_are_those_of_its_journal(games, started):
    output = games.parent / "out.pgn"
    output.write_text("")
    output.chmod(0o600)
    games.write_text(GAMES + '[White "Hal"]\n[Variant "Atomic"]\n\n1. e4 *\n')
    missing = str(games.parent / "missing.pgn")
    command, *words = arguments(games)
    assert main([command, missing, *words]) == 2
    part = games.parent / "out.pgn.part"
    assert part.stat().st_mode & 0o777 == 0o600
    assert main(arguments(games)) == 0
    assert output.stat().st_mode & 0o777 == 0o600
    assert not part.exists()


def test_positions_are_counted_on_a_terminal(games, started, monkeypatch):
    tqdm = pytest.importorskip("tqdm")

    class EveryStep(tqdm.tqdm):
        """Draws each step: the common one leaves out what follows within a tenth of a second."""

        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs, mininterval=0, miniters=1)

    monkeypatch.setattr(tqdm, "tqdm", EveryStep)
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(arguments(games)) == 0
    assert "out.pgn: 1 positions" in terminal.getvalue()
    assert "game 1: Ann - Bob\n" in terminal.getvalue()


def test_a_game_of_an_unknown_variant_is_left_alone(games, started, capsys):
    unknown = '[White "Gil"]\n[Variant "Janus"]\n\n1. e4 Jf6 {own text}\n2. d4 *'
    games.write_text(f"{GAMES}{unknown}\n")
    assert main(arguments(games)) == 1
    assert "game 4: Gil - ?: " in capsys.readouterr().err
    text = (games.parent / "out.pgn").read_text()
    assert text.endswith(f"\n\n{unknown}\n\n")
    assert text.count("[EvaluatedBy") == 3
    assert not list(games.parent.glob("*.part"))


def test_evaluations_of_strangers_are_not_taken_for_the_engines_own(games, started, capsys):
    assert main(arguments(games)) == 0
    first = (games.parent / "out.pgn").read_text()
    # The same header, and other values: anybody may write that.
    forged = re.sub(r"%eval [^,\]]+", "%eval 77.7", first)
    games.write_text(forged)
    capsys.readouterr()
    assert main(arguments(games, out="again.pgn")) == 0
    assert "3 games came with evaluations; they are replaced" in capsys.readouterr().err
    assert "77.7" not in (games.parent / "again.pgn").read_text()
    assert main([*arguments(games, out="kept.pgn"), "--keep-evaluations"]) == 0
    assert "3 games came with evaluations; this engine's own are kept" in capsys.readouterr().err
    assert "77.7" in (games.parent / "kept.pgn").read_text()
