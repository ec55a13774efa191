"""Commands say which rules games were read by, and do not mix the games of several."""

import csv
import json
from pathlib import Path

import pytest

from atomic_variant import AtomicBoard, pgn
from atomic_variant.__main__ import main

EXPLOSION = "1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8"
MATE = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#"
LEGAL_AS_ATOMIC = "1. e4 d5 2. exd5 e6 3. Qg4 Qxd2+ *"  # The queen on d8 sees d2, as the pawn on d5 exploded.
UNKNOWN = '[White "Ann"]\n[Variant "Janus"]\n\n1. e4 Jf6 {own text}\n2. d4 *'
NAMED = f'[Variant "Atomic"]\n\n{EXPLOSION} 1-0'
CRAZYHOUSE = '[Variant "Crazyhouse"]\n\n1. e4 *'


@pytest.fixture
def write(tmp_path: Path):
    def write_games(*games: str) -> str:
        path = tmp_path / "games.pgn"
        path.write_text("".join(f"{game}\n\n" if "[" in game else f'[White "A"]\n\n{game}\n\n' for game in games))
        return str(path)

    return write_games


@pytest.mark.parametrize(
    ("moves", "is_atomic"),
    [
        (f"{EXPLOSION}# 1-0", True),
        (f"{EXPLOSION} {{Black's king exploded}} 1-0", True),
        (f"{EXPLOSION} 1-0", False),  # As good a game of chess.
        (f"{MATE} 1-0", False),
        (LEGAL_AS_ATOMIC, True),
        ("1. e4 e5 2. Ke4 *", False),
        ("1. e4 e5# *", False),
        ("", False),
    ],
)
def test_a_game_without_a_variant_is_suspected_by_its_moves(moves: str, is_atomic: bool, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(f'[White "A"]\n\n{moves or "*"}\n')
    for read in (pgn.scan, pgn.read_games):
        [game] = read(path)
        assert game.suspected_variant is (AtomicBoard if is_atomic else None)
        [game] = read(path, variant="atomic")
        assert game.suspected_variant is None


def test_a_game_that_names_its_variant_is_not_suspected(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(f'[Variant "Standard"]\n\n{EXPLOSION}# 1-0\n')
    [record] = pgn.scan(path)
    assert record.suspected_variant is None


def test_every_summary_says_what_was_read_as_what(write, tmp_path, capsys) -> None:
    name = write(f"{EXPLOSION}# 1-0", MATE, NAMED, NAMED, CRAZYHOUSE, UNKNOWN)
    reading = (
        "6 games: 2 atomic, 2 without a variant read as standard chess "
        "(1 of these legal or decided only as atomic), 1 crazyhouse, 1 of an unknown variant; "
        "--variant atomic reads those without a variant as atomic\n"
    )
    hint = f"{name}, game 1, line 1: names no variant and is decided only as atomic; --variant atomic reads it so\n"
    assert main(["check", name]) == 1
    out, err = capsys.readouterr()
    assert hint in out
    assert reading in err
    assert main(["review", name]) == 1
    out = capsys.readouterr().out
    assert hint in out
    assert reading in out
    assert main(["stats", name]) == 1
    assert reading in capsys.readouterr().out
    assert main(["stats", name, "--csv", "-"]) == 1
    assert reading in capsys.readouterr().err
    assert main(["convert", name, "-o", str(tmp_path / "out.pgn")]) == 1
    assert reading in capsys.readouterr().err


def test_the_option_is_said_too(write, capsys) -> None:
    assert main(["check", "--variant", "atomic", write(f"{EXPLOSION}# 1-0", NAMED)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("2 games: 1 atomic, 1 without a variant read as atomic\n")


def test_figures_do_not_mix_variants(write, capsys) -> None:
    name = write(MATE, NAMED, NAMED)
    assert main(["review", name]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3].startswith("1 game of standard chess: 0 explosions, 1 mate, ")
    assert lines[-2].startswith("2 games of atomic: 2 explosions, 0 mates, ")
    assert main(["stats", name, "--csv", "-"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {(row["variant"], row["key"], row["games"]) for row in rows if row["table"] == "first move"} == {
        ("standard chess", "e4", "1"),
        ("atomic", "Nf3", "2"),
    }


def test_a_game_of_an_unknown_variant_is_passed_through(write, tmp_path, capsys) -> None:
    out = tmp_path / "out.pgn"
    assert main(["convert", write(NAMED, UNKNOWN, NAMED), "-o", str(out)]) == 1
    assert f"\n\n{UNKNOWN}\n\n[" in out.read_text()
    assert [record.headers.get("Variant") for record in pgn.scan(out)] == ["Atomic", "Janus", "Atomic"]
    assert main(["convert", write(UNKNOWN), "--to", "jsonl"]) == 1
    assert json.loads(capsys.readouterr().out)["variant"] is None
