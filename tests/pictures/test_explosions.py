"""An explosion looks the same wherever it is drawn, and is seen at first glance."""

from __future__ import annotations

import importlib
import io
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import chess
import chess.svg
import pytest

from atomic_variant import AtomicBoard, svg
from atomic_variant.svg import _explosion as explosion
from atomic_variant.viewer import data

from .test_front_end import modules, node
from .test_svg import KING_GOES, LINES, SVG, explosions, line_of

__all__ = ["modules"]

Color = tuple[int, int, int]


class Bitmap:
    """A picture as pixels, 8 to a unit of 45: squares are found by name."""

    def __init__(self, png: bytes) -> None:
        image = pytest.importorskip("PIL.Image").open(io.BytesIO(png)).convert("RGB")
        self.width, self.height = image.size
        self.data = image.tobytes()

    def at(self, x: int, y: int) -> Color:
        index = 3 * (y * self.width + x)
        red, green, blue = self.data[index : index + 3]
        return red, green, blue

    def square(self, square: chess.Square, *, flipped: bool = False, margin: int = 15) -> list[Color]:
        """The pixels of a square, row by row, of a board of 390 units or, without a margin, 360."""
        scale = self.width / (360 + 2 * margin)
        file, rank = chess.square_file(square), chess.square_rank(square)
        left = margin + 45 * (7 - file if flipped else file)
        top = margin + 45 * (rank if flipped else 7 - rank)
        columns, rows = ([round((start + step) * scale) for step in range(45)] for start in (left, top))
        return [self.at(x, y) for y in rows for x in columns]


@cache
def resvg(picture: str) -> Bitmap:
    renderer = pytest.importorskip("resvg_py")
    return Bitmap(bytes(renderer.svg_to_bytes(svg_string=str(picture))))


def luminance(color: Color) -> float:
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Color, other: Color) -> float:
    """The contrast of WCAG 2."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


# --- What is seen ---------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("flipped", [False, True])
def test_ghosts_have_a_contrast_of_three_to_what_is_behind_them(seed: int, flipped: bool) -> None:
    for board, move in explosions(6, seed):
        bitmap = resvg(svg.explosion(board, move, size=1170, orientation=not flipped))
        for square in board.exploded_pieces(move):
            pixels = bitmap.square(square, flipped=flipped)
            fire = [(0xD9, 0x38, 0x0C), (0xFF, 0xD2, 0x3F)]  # The burst and its core.
            # Elsewhere a corner that no piece reaches.
            behind = fire if square == move.to_square else [pixels[45 * 4 + 4]]
            dark = sorted(pixels, key=luminance)[10]  # The body of what was black, the outline of what was white.
            for color in behind:
                assert contrast(dark, color) >= 3


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("zero", ["a1", "h1", "a8", "h8", "a4", "h5", "d1", "e8", "d4"])
def test_an_explosion_covers_no_coordinates(zero: str, flipped: bool) -> None:
    square = chess.parse_square(zero)
    options: dict[str, Any] = {"size": 390, "orientation": not flipped}
    plain = resvg(svg.board(None, **options))
    burnt = resvg(svg.board(None, burst=square, ghosts={square: chess.Piece.from_symbol("K")}, **options))
    for y in range(390):
        row = slice(3 * 390 * y, 3 * 390 * (y + 1))
        before, after = plain.data[row], burnt.data[row]
        if 15 <= y < 375:
            before, after = (pixels[:45] + pixels[-45:] for pixels in (before, after))
        assert before == after, f"row {y}"


def test_the_zone_is_seen_where_nothing_died() -> None:
    board = line_of("e4", "d5")
    before, after = (
        resvg(picture) for picture in (svg.board(board, size=390), svg.last_move(line_of("e4", "d5", "exd5"), size=390))
    )
    corner = 45 * 4 + 4
    changed = {
        square
        for square in chess.SQUARES
        if before.square(square)[corner][1] - after.square(square)[corner][1] > 20  # Less green: it burns.
    }
    assert changed == set(chess.SquareSet(chess.BB_KING_ATTACKS[chess.D5] | chess.BB_D5))


def test_what_survives_looks_as_always() -> None:
    board = AtomicBoard(KING_GOES)
    bitmap = resvg(svg.explosion(board, board.parse_san("Nxe7#"), size=390))
    plain = resvg(svg.board(board, size=390))
    black = [[pixel == (0, 0, 0) for pixel in picture.square(chess.F7)] for picture in (plain, bitmap)]
    assert black[0] == black[1]
    assert sum(black[0]) > 100
    for name in ("e8", "d8", "f8"):
        assert (0, 0, 0) not in bitmap.square(chess.parse_square(name))


@pytest.mark.parametrize("size", [200, 390])
def test_each_dead_piece_has_a_cross_and_a_king_a_large_one(size: int) -> None:
    board = AtomicBoard(KING_GOES)
    picture = resvg(svg.explosion(board, board.parse_san("Nxe7#"), size=size))
    # A reader sees red on white, however small.
    red = {
        chess.square_name(square): sum(
            contrast(pixel, (0xC4, 0, 0x18)) < 1.3 and pixel[1] < 60 for pixel in picture.square(square)
        )
        for square in (chess.D5, chess.D8, chess.E8, chess.F8, chess.D7, chess.C8, chess.A1)
    }
    assert min(red[name] for name in ("d5", "d8", "f8")) > 15
    assert red["e8"] > 1.5 * red["d8"]
    assert red["d7"] == red["c8"] == red["a1"] == 0


# --- One description for all who draw one -----------------------------------------


def shapes(text: str) -> list[tuple[str, dict[str, str]]]:
    """The shapes of a drawing in order, without names; pieces are by what they are made of."""
    root = ET.fromstring(
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">{text}</svg>'
    )
    found = []
    for element in root.iter():
        attributes = {
            key: re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.2f}", value.replace(",", ""))
            for key, value in element.attrib.items()
            if key
            in (
                "d",
                "x",
                "y",
                "width",
                "height",
                "fill",
                "stroke",
                "transform",
                "stroke-width",
                "stroke-dasharray",
                "fill-opacity",
                "style",
                "cx",
                "cy",
                "r",
            )
        }
        if attributes and attributes.get("fill-opacity") == "1":
            del attributes["fill-opacity"]
        if attributes:
            found.append((element.tag.removeprefix(SVG), attributes))
    return found


def test_the_browser_draws_what_the_pictures_show(modules: Path) -> None:
    cases = explosions(40, 5)
    (modules / "cases.json").write_text(
        json.dumps(
            [
                [data.encode(chess.pgn.Game.from_board(after)), flipped]
                for board, move in cases
                for after in [board.copy(stack=False)]
                if after.push(move) is None
                for flipped in (False, True)
            ]
        )
    )
    for path in (modules / "js").rglob("*.js"):  # Node takes JSON only with words that browsers do not know.
        path.write_text(path.read_text(encoding="utf-8").replace('art.json";', 'art.js";'), encoding="utf-8")
    (modules / "js/art.js").write_text(f"export default {(modules / 'js/art.json').read_text()};")
    (modules / "draw.js").write_text(
        'import { readFileSync } from "node:fs"; import { Game } from "./js/model/game.js";'
        'import art from "./js/art.js"; import { explosion } from "./js/view/explosion.js";'
        'const cases = JSON.parse(readFileSync("cases.json")).map(([game, flipped]) => [new Game(game), flipped]);'
        "const drawn = cases.map(([game, flipped]) => explosion(game.nodes[1], game.position(0), { flipped, ...art }));"
        "console.log(JSON.stringify(drawn));"
    )
    drawn = iter(json.loads(node("draw.js", cwd=modules)))
    for board, move in cases:
        for flipped in (False, True):
            picture = svg.board(None, orientation=not flipped)
            layer, defs = explosion.layer(
                svg._grid.grid(picture),
                move.to_square,
                chess.SquareSet(explosion.scorched_mask(move, board.explosion_mask(move))),
                board.exploded_pieces(move),
                {},
            )
            # What stands by a reference there stands in its place here.
            for piece in ET.fromstring(f"<defs>{defs}</defs>"):
                name = piece.get("id")
                body = ET.tostring(piece, encoding="unicode").replace(f' id="{name}"', "")
                before, _, after = layer.partition(f'<use href="#{name}"')
                while after:
                    place = after.split('transform="')[1].split('"')[0]
                    layer = f'{before}<g transform="{place}">{body}</g>{after.partition("/>")[2]}'
                    before, _, after = layer.partition(f'<use href="#{name}"')
            assert sorted(map(str, shapes(layer))) == sorted(map(str, shapes(next(drawn))))


# --- Renderers that know less than a browser ---------------------------------------


def _cairosvg(picture: str) -> bytes:
    try:
        cairosvg = pytest.importorskip("cairosvg")
    except OSError as error:  # It finds no cairo.
        pytest.skip(str(error))
    return bytes(cairosvg.svg2png(bytestring=picture.encode()))


def _qt(picture: str) -> bytes:
    qtsvg = pytest.importorskip("PyQt6.QtSvg", exc_type=ImportError)
    core, gui = (importlib.import_module(f"PyQt6.{name}") for name in ("QtCore", "QtGui"))
    renderer = qtsvg.QSvgRenderer(core.QByteArray(picture.encode()))
    image = gui.QImage(renderer.defaultSize(), gui.QImage.Format.Format_RGB32)
    image.fill(0xFF000000)  # As the others do with what is transparent.
    painter = gui.QPainter(image)
    renderer.render(painter)
    painter.end()
    buffer = core.QBuffer()
    buffer.open(core.QBuffer.OpenModeFlag.ReadWrite)
    image.save(buffer, "PNG")
    return bytes(buffer.data())


def _rsvg(picture: str) -> bytes:
    program = shutil.which("rsvg-convert") or pytest.skip("no rsvg-convert")
    return subprocess.run([program], input=picture.encode(), capture_output=True, timeout=60, check=True).stdout


def _inkscape(picture: str) -> bytes:
    program = shutil.which("inkscape") or pytest.skip("no inkscape")
    # Black as the others make what is transparent.
    command = [program, "--pipe", "--export-type=png", "--export-filename=-", "--export-background=#000000"]
    return subprocess.run(command, input=picture.encode(), capture_output=True, timeout=120, check=True).stdout


PICTURES: dict[str, str] = {
    **{f"explosion {i}": svg.explosion(board, move, size=390) for i, (board, move) in enumerate(explosions(7, 9))},
    **{
        f"black's view {i}": svg.explosion(b, m, size=390, orientation=chess.BLACK)
        for i, (b, m) in enumerate(explosions(4, 8))
    },
    **{f"film {i}": svg.animate(board, captions=False, size=390) for i, board in enumerate(LINES[:5])},
    **{f"strip {i}": svg.strip(board, captions=False, size=390) for i, board in enumerate(LINES[:4])},
}


@pytest.mark.parametrize("renderer", [_cairosvg, _qt, _rsvg, _inkscape], ids=lambda renderer: renderer.__name__[1:])
def test_renderers_agree(renderer: Callable[[str], bytes]) -> None:
    assert len(PICTURES) == 20
    for name, picture in PICTURES.items():
        assert difference(Bitmap(renderer(picture)), resvg(picture)) < 0.004, name


def test_svglib_which_knows_no_opacity_shows_no_lie() -> None:
    svglib = pytest.importorskip("svglib.svglib")
    pytest.importorskip("rlPyCairo")
    render = importlib.import_module("reportlab.graphics.renderPM")
    for name, picture in PICTURES.items():
        drawing = svglib.svg2rlg(io.BytesIO(picture.encode()))
        # It takes pixels for points, of which there are 72 to an inch.
        drawn = Bitmap(bytes(render.drawToString(drawing, fmt="PNG", dpi=96)))
        opaque = re.sub(r'fill-opacity="0?\.\d+"', 'fill-opacity="1"', picture)
        assert difference(drawn, resvg(opaque)) < 0.02, name


def difference(one: Bitmap, other: Bitmap) -> float:
    """The share of points that look different, edges of shapes apart."""
    assert (one.width, one.height) == (other.width, other.height)
    count = 0
    total = 0
    for y in range(1, one.height - 1, 4):
        for x in range(1, one.width - 1, 4):
            total += 1
            color = one.at(x, y)
            # The middle first: it is nearly always the same.
            near = [(0, 0), *((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))]
            count += all(
                max(abs(a - b) for a, b in zip(color, other.at(x + dx, y + dy), strict=True)) > 48 for dx, dy in near
            )
    return count / total
