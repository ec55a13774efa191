"""``atomic-variant svg`` draws, and says what it cannot draw."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from atomic_variant import AtomicBoard, svg
from atomic_variant.__main__ import main

from ..pictures.test_svg import KING_GOES, Picture, line_of

PGN = """[Variant "Atomic"]

1. e4 d5 2. exd5 *

[Variant "Atomic"]

1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0

[Variant "Atomic"]

1. e4 Ke4 *
"""


@pytest.fixture
def games(tmp_path: Path) -> str:
    path = tmp_path / "games.pgn"
    path.write_text(PGN, encoding="utf-8")
    return str(path)


def test_a_move_from_a_fen_explodes(capsys: pytest.CaptureFixture[str]) -> None:
    for move in ("Nxe7#", "d5e7"):
        assert main(["svg", KING_GOES, "-m", move]) == 0
        assert capsys.readouterr().out.strip() == svg.last_move(line_of("Nxe7#", fen=KING_GOES), size=390)


def test_a_ply_of_a_game_is_drawn_to_a_file(games: str, tmp_path: Path) -> None:
    target = tmp_path / "a.svg"
    assert main(["svg", games, "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == svg.last_move(line_of("e4", "d5", "exd5"), size=390)
    assert main(["svg", games, "-g", "2", "-p", "4", "--flip", "--size", "200", "-o", str(target)]) == 0
    expected = svg.last_move(line_of("Nf3", "f6", "Nd4", "Nh6"), size=200, orientation=False)
    assert target.read_text(encoding="utf-8") == expected


def test_a_game_is_drawn_as_png_film_and_strip(games: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["svg", games, "--animate"]) == 0
    assert "@keyframes" in capsys.readouterr().out
    assert main(["svg", games, "--strip", "1,3"]) == 0
    assert re.findall(r"\d\.+ \w+(?=</text>)", capsys.readouterr().out) == ["1. e4", "2. exd5"]
    pytest.importorskip("resvg_py")
    target = tmp_path / "a.PNG"
    assert main(["svg", games, "-o", str(target)]) == 0
    assert target.read_bytes().startswith(b"\x89PNG")


def test_standard_input_and_other_rules_are_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(PGN))
    assert main(["svg", "-", "-g", "2"]) == 0
    assert Picture(capsys.readouterr().out).groups("explosion")
    assert main(["svg", KING_GOES, "--variant", "chess", "-m", "Nxe7"]) == 0
    assert not Picture(capsys.readouterr().out).groups("explosion")
    assert main(["svg", "start"]) == 0
    assert capsys.readouterr().out.strip() == AtomicBoard()._repr_svg_()


def test_a_game_with_an_illegal_move_is_drawn_up_to_it(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["svg", games, "-g", "3"]) == 1
    output = capsys.readouterr()
    assert output.out.strip() == svg.last_move(line_of("e4"), size=390)
    assert "game 3" in output.err
    assert "Ke4" in output.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "neither a file nor a FEN"),
        ([KING_GOES, "-m", "Nxe8"], "the knight on d5 does not move to e8"),
        ([KING_GOES, "-m", "d5d6"], "d5d6"),
        (["start", "-p", "3"], "plies 0 to 0, not 3"),
        (["start", "--strip", "9"], "plies 0 to 0, not 9"),
        (["start", "-o", "a.bmp"], ".svg or .png"),
        (["start", "--size", "0"], "at least one pixel"),
        (["start", "-o", "/nowhere/at/all/a.svg"], "/nowhere/at/all/a.svg"),
    ],
)
def test_what_cannot_be_drawn_is_named(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["svg", *arguments]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert message in output.err
    assert "\n" not in output.err.strip()


def test_a_game_that_is_not_there_is_named(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["svg", games, "-g", "9"]) == 2
    assert "there is no game 9, the file has 3" in capsys.readouterr().err


def test_a_game_is_drawn_as_gif(games: str, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    target = tmp_path / "a.gif"
    assert main(["svg", games, "-g", "2", "--size", "80", "-o", str(target)]) == 0
    with image.open(target) as gif:
        assert (gif.n_frames, gif.size) == (8, (80, 80))


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--animate", "-o", "a.png"], "a PNG does not move"),
        (["--strip", "1", "-o", "a.gif"], "do not move"),
        (["--strip", "1", "--animate"], "do not move"),
    ],
)
def test_motion_where_nothing_moves_is_refused_with_a_word(
    games: str,
    options: list[str],
    word: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["svg", games, *options]) == 2
    assert word in capsys.readouterr().err
    assert not list(tmp_path.glob("a.*"))
