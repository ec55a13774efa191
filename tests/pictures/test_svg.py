"""Pictures tell what exploded, and nothing but what the board says."""

from __future__ import annotations

import io
import random
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import chess.svg
import chess.variant
import pytest
from chess import Move, Piece, Square

import atomic_variant
from atomic_variant import AtomicBoard, host, pgn, svg

from ..support.browser import chromium, errors

SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}href"

# A knight takes on e7: king, queen and bishop explode, the pawns around stay.
KING_GOES = "rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3"

HOSTILE = "<script>window.pwned=1</script>\"'</svg></title>&\u202e]]>\x00\ud800<img src=x onerror=window.pwned=1>"


def explosions(count: int, seed: int = 3) -> list[tuple[AtomicBoard, Move]]:
    """Random positions with a move that explodes something."""
    found = []
    random_number = random.Random(seed)
    while len(found) < count:
        board = AtomicBoard()
        while not board.is_game_over() and board.ply() < 80 and len(found) < count:
            captures = list(board.generate_legal_captures())
            if captures:
                found.append((board.copy(stack=False), random_number.choice(captures)))
            board.push(random_number.choice(list(board.legal_moves)))
    return found


class Picture:
    """A picture as a reader sees it: what is drawn on which square."""

    def __init__(self, text: str) -> None:
        self.root = ET.fromstring(text)
        self.corners = {}
        for rect in self.root.iter(f"{SVG}rect"):
            *classes, name = rect.get("class", "").split() or [""]
            if "square" in classes:
                self.corners[(float(rect.get("x", "")), float(rect.get("y", "")))] = chess.parse_square(name)

    def square_of(self, x: float, y: float) -> Square:
        """The square that contains a point."""
        return next(square for (a, b), square in self.corners.items() if a <= x < a + 45 and b <= y < b + 45)

    def uses(self, css_class: str | None) -> dict[Square, str]:
        found = {}
        for use in self.root.iter(f"{SVG}use"):
            if use.get("class") == css_class:
                x, y = use.get("transform", "").partition("(")[2].partition(")")[0].split(",")
                name = use.get("href", "")
                assert use.get(XLINK) == name
                assert self.root.find(f".//*[@id='{name[1:]}']") is not None, "every shape in use is defined"
                found[self.square_of(float(x), float(y))] = name
        return found

    @property
    def scorched(self) -> set[Square]:
        return {
            self.square_of(float(rect.get("x", "")), float(rect.get("y", "")))
            for rect in self.root.iter(f"{SVG}rect")
            if rect.get("class") == "scorched"
        }

    def groups(self, css_class: str) -> list[Square]:
        found = []
        for group in self.root.iter(f"{SVG}g"):
            if group.get("class") == css_class:
                x, y = group.get("transform", "").partition("(")[2].partition(")")[0].split(",")
                found.append(self.square_of(float(x), float(y)))
        return found

    @property
    def ids(self) -> set[str]:
        return {element.get("id", "") for element in self.root.iter()} - {""}


def shape(piece: Piece) -> str:
    return f"{chess.COLOR_NAMES[piece.color]}-{chess.piece_name(piece.piece_type)}"


OPTIONS = [
    {},
    {"orientation": chess.BLACK},
    {"size": 350, "coordinates": False},
    {"borders": True},
    {"borders": True, "coordinates": False, "orientation": chess.BLACK},
    {"lastmove": Move.from_uci("d5e7"), "check": chess.E8},
    {"arrows": [chess.svg.Arrow(chess.D5, chess.E7, color="red"), (chess.A1, chess.A1)]},
    {"fill": {chess.E4: "#cc0000cc"}, "squares": chess.SquareSet(chess.BB_FILE_B)},
    {"colors": {"square light": "#fff", "margin": "#0008"}, "style": ".black { opacity: 1 }"},
    {"flipped": True},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("board", [None, AtomicBoard(KING_GOES), chess.BaseBoard(), AtomicBoard.empty()])
def test_without_an_explosion_a_picture_is_that_of_python_chess(board: chess.BaseBoard | None, options: dict) -> None:
    flipped = {"orientation": chess.BLACK} if "flipped" in options else options  # Not every version knows it.
    assert svg.board(board, **options) == chess.svg.board(board, **flipped)


@pytest.mark.parametrize("options", OPTIONS)
def test_an_explosion_lies_on_the_squares_whatever_the_margins(options: dict) -> None:
    board = AtomicBoard(KING_GOES)
    picture = Picture(svg.explosion(board, board.parse_san("Nxe7"), **options))
    assert picture.scorched == {chess.E7, chess.D8, chess.E8, chess.F8}
    assert picture.groups("explosion") == [chess.E7]
    assert picture.groups("king-cross") == [chess.E8]


def test_a_picture_shows_what_stands_and_what_died() -> None:
    for board, move in explosions(150):
        options = {"orientation": move.to_square % 2 == 0}
        picture = Picture(svg.explosion(board, move, id_prefix="x", **options))
        dead = board.exploded_pieces(move)
        after = board.copy()
        after.push(move)
        standing = {square: f"#x-{shape(piece)}" for square, piece in after.piece_map().items()}
        assert picture.uses(None) == standing
        assert picture.uses("ghost") == {square: f"#x-dead-{shape(piece)}" for square, piece in dead.items()}
        assert picture.scorched == {*dead, move.to_square} - {move.from_square}
        kings = [square for square, piece in dead.items() if piece.piece_type == chess.KING]
        assert picture.groups("king-cross") == kings
        assert picture.groups("cross") == [square for square in dead if square not in kings]


def test_an_explosion_lies_under_the_pieces_and_over_the_squares() -> None:
    board = AtomicBoard(KING_GOES)
    elements = list(ET.fromstring(svg.explosion(board, board.parse_san("Nxe7"))))
    kinds = [element.get("class") or element.tag.removeprefix(SVG) for element in elements]
    last_square = max(index for index, kind in enumerate(kinds) if kind.startswith("square"))
    first_piece = kinds.index("use")
    for kind in ("zone", "scorched", "explosion", "ghost", "cross", "king-cross"):
        assert last_square < kinds.index(kind) < first_piece


def test_en_passant_bursts_where_the_pawn_arrives() -> None:
    board = AtomicBoard("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    picture = Picture(svg.explosion(board, Move.from_uci("e5d6"), id_prefix="x"))
    assert picture.groups("explosion") == [chess.D6]
    assert picture.uses("ghost") == {chess.E5: "#x-dead-white-pawn", chess.D5: "#x-dead-black-pawn"}
    assert picture.scorched == {chess.D5, chess.D6}


def test_a_move_without_a_blast_is_an_ordinary_picture() -> None:
    board = AtomicBoard()
    after = AtomicBoard()
    after.push_san("e4")
    move = Move.from_uci("e2e4")
    assert svg.explosion(board, move, size=200) == chess.svg.board(after, lastmove=move, size=200)


def test_drawing_leaves_the_board_as_it_is() -> None:
    board = AtomicBoard(KING_GOES)
    board.push_san("Nxe7#")
    before = board.copy()
    svg.last_move(board)
    svg.strip(board)
    svg.animate(board)
    assert board == before
    assert board.move_stack == before.move_stack


def test_a_move_that_no_piece_can_make_is_an_error_with_the_position() -> None:
    with pytest.raises(chess.IllegalMoveError, match=r"d5d6.*3N4"):
        svg.explosion(AtomicBoard(KING_GOES), Move.from_uci("d5d6"))


def test_a_board_shows_its_last_explosion() -> None:
    board = AtomicBoard(KING_GOES)
    assert board._repr_svg_() == chess.svg.board(board, size=390)
    move = board.push_san("Nxe7#")
    assert board._repr_svg_() == svg.explosion(AtomicBoard(KING_GOES), move, size=390)
    assert Picture(board._repr_svg_()).groups("explosion") == [chess.E7]
    assert type(board._repr_svg_()) is str


def test_a_game_that_was_read_shows_its_explosions() -> None:
    game = pgn.read_game(io.StringIO('[Variant "atomic 960"]\n\n1. e4 d5 2. exd5 *'))
    assert game
    assert Picture(game.end().board()._repr_svg_()).groups("explosion") == [chess.D5]


def test_a_board_without_an_explosion_shows_what_python_chess_shows() -> None:
    board = AtomicBoard()
    for san in ("e4", "e5", "Qh5", "Nc6", "Qf3", "Nb4", "Qxf7#"):
        host = chess.Board._repr_svg_(board)
        assert board._repr_svg_() == host
        board.push_san(san)
    assert board._repr_svg_() != chess.Board._repr_svg_(board)


def test_the_atomic_board_of_python_chess_explodes_too() -> None:
    ours, stock = AtomicBoard(KING_GOES), chess.variant.AtomicBoard(KING_GOES)
    move = Move.from_uci("d5e7")
    assert Picture(svg.explosion(stock, move)).scorched == Picture(svg.explosion(ours, move)).scorched


def test_pictures_on_one_page_share_no_ids() -> None:
    seen: set[str] = set()
    for board, move in explosions(40):
        ids = Picture(svg.explosion(board, move)).ids
        assert ids
        assert not ids & seen
        seen |= ids


def test_a_picture_with_an_explosion_has_no_style_sheet_and_is_the_same_every_time() -> None:
    board = AtomicBoard(KING_GOES)
    first, second = (svg.explosion(board, board.parse_san("Nxe7")) for _ in range(2))
    assert first == second
    assert "<style" not in first
    assert "style" not in {key for element in Picture(first).root for key in element.attrib}


@pytest.mark.parametrize("prefix", ['"><script>', "1a", "", "a b", "ä"])
def test_a_prefix_that_is_no_id_is_refused(prefix: str) -> None:
    with pytest.raises(ValueError, match="prefix"):
        svg.board(AtomicBoard(), burst=chess.E4, id_prefix=prefix)


def test_colours_of_an_explosion_are_overridden_as_in_python_chess() -> None:
    board = AtomicBoard(KING_GOES)
    colors = {"explosion": "#123456", "explosion core": "#abcd", "scorched": "teal", "king cross": '"/><script/>'}
    root = Picture(svg.explosion(board, board.parse_san("Nxe7"), colors=colors)).root
    fills = {element.get("fill") for element in root.iter()} | {e.get("stop-color") for e in root.iter()}
    assert {"#123456", "#abc", "teal"} <= fills
    assert root.find(f".//{SVG}script") is None


def test_a_hostile_title_is_text() -> None:
    for title in (HOSTILE, HOSTILE * 10_000):
        picture = svg.board(AtomicBoard(), burst=chess.E4, title=title)
        root = ET.fromstring(picture)
        assert root.find(f".//{SVG}script") is None
        assert (root.findtext(f"{SVG}title") or "").startswith("<script>window.pwned=1</script>")
        assert root.get("aria-label") == root.findtext(f"{SVG}title")
        assert len(picture) < 50_000


# --- Lines --------------------------------------------------------------------


def hostile_game() -> chess.pgn.Game:
    board = AtomicBoard()
    for san in ("Nf3", "f6", "Nd4", "Nh6", "Ne6", "Ng8", "Nxd8#"):
        board.push_san(san)
    game = chess.pgn.Game.from_board(board)
    game.headers["White"] = HOSTILE
    game.headers["Black"] = HOSTILE * 10_000
    for node in game.mainline():
        host.set_comment(node, HOSTILE)
    return game


def line_of(*sans: str, fen: str = chess.STARTING_FEN) -> AtomicBoard:
    board = AtomicBoard(fen)
    for san in sans:
        board.push_san(san)
    return board


def test_a_strip_shows_the_positions_that_were_asked_for() -> None:
    board = line_of("e4", "d5", "exd5", "Nc6", "Nf3", "Bg4", "Bb5", "Bxf3")
    root = ET.fromstring(svg.strip(board, [0, 3, 8, 4], columns=3, size=200))
    cells = root.findall(f"{SVG}g[@class='position']")
    assert [cell.find(f"{SVG}g[@class='explosion']") is not None for cell in cells] == [False, True, True, False]
    places = [cell.get("transform", "").partition(" scale")[0] for cell in cells]
    assert places == ["translate(0, 0)", "translate(212, 0)", "translate(424, 0)", "translate(0, 248)"]
    assert [text.text for text in root.iter(f"{SVG}text")] == ["Start", "2. exd5", "4... Bxf3", "2... Nc6"]
    ids = [
        element.get("id")
        for cell in cells
        for element in cell.iter()
        if element.get("id", "").endswith("-dead-white-pawn")
    ]
    assert len(ids) == len(set(ids)) == 1
    assert len(Picture(svg.strip(board)).ids) == len([e for e in ET.fromstring(svg.strip(board)).iter() if e.get("id")])
    assert "2. exd5, 4... Bxf3" in (root.findtext(f"{SVG}title") or "")


def test_a_strip_without_plies_shows_explosions() -> None:
    board = line_of("e4", "d5", "exd5", "Nc6", "Nf3")
    assert [t.text for t in ET.fromstring(svg.strip(board)).iter(f"{SVG}text")] == ["2. exd5"]
    assert [t.text for t in ET.fromstring(svg.strip(line_of("e4"))).iter(f"{SVG}text")] == ["1. e4"]
    with pytest.raises(ValueError, match=r"plies 0 to 5, not 6"):
        svg.strip(board, [6])


LINES = [
    line_of("e4", "d5", "exd5", "Nc6", "Nf3", "Bg4", "Bb5", "Bxf3"),
    line_of("Nxe7#", fen=KING_GOES),
    line_of("O-O", "O-O-O", fen="r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"),
    line_of("e8=Q+", "Kb6", fen="8/k3P3/8/8/8/8/8/K7 w - - 0 1"),
    line_of("exd6", fen="4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
    AtomicBoard(),
]


@pytest.mark.parametrize("board", LINES, ids=lambda board: board.fen())
def test_a_film_at_rest_shows_the_end_of_the_line(board: AtomicBoard) -> None:
    picture = Picture(svg.animate(board, id_prefix="x"))
    (parent,) = [element for element in picture.root.iter() if element.get("id") == "x-all"]
    _, film = parent
    assert (film.get("id"), film.get("display")) == ("x-film", "none")
    parent.remove(film)
    assert picture.uses("piece") == {square: f"#x-{shape(piece)}" for square, piece in board.piece_map().items()}
    last = Picture(svg.last_move(board, id_prefix="x"))
    assert picture.uses("ghost") == last.uses("ghost")
    for css_class in ("explosion", "zone", "cross", "king-cross"):
        assert picture.groups(css_class) == last.groups(css_class)


def test_a_film_has_no_script_and_styles_only_itself() -> None:
    picture = svg.animate(hostile_game())
    root = ET.fromstring(picture)
    assert root.find(f".//{SVG}script") is None
    assert "prefers-reduced-motion" in (root.findtext(f".//{SVG}style") or "")
    for rule in (root.findtext(f".//{SVG}style") or "").replace("@keyframes ", "#").split("#")[1:]:
        assert rule.startswith("av"), "every rule begins with the id of this picture"
    assert len(picture) < 100_000
    with pytest.raises(ValueError, match="positive"):
        svg.animate(AtomicBoard(), seconds=0)


def test_a_film_can_be_shown_once() -> None:
    board = line_of("e4", "d5", "exd5")
    assert "infinite" in svg.animate(board)
    assert "infinite" not in svg.animate(board, repeat=False)


def test_a_node_of_a_game_is_a_line_of_its_own() -> None:
    game = chess.pgn.Game()
    game.add_main_variation(Move.from_uci("e2e4")).add_main_variation(Move.from_uci("e7e5"))
    side = game.add_variation(Move.from_uci("d2d4"))
    side.add_main_variation(Move.from_uci("d7d5"))
    texts = [text.text for text in ET.fromstring(svg.strip(side, [1, 2])).iter(f"{SVG}text")]
    assert texts == ["1. d4", "1... d5"]


# --- As pixels ----------------------------------------------------------------


def pixels(png: bytes) -> tuple[int, bytes]:
    image = pytest.importorskip("PIL.Image")
    from io import BytesIO

    picture = image.open(BytesIO(png)).convert("RGB")
    return picture.width, picture.tobytes()


def test_the_bitmap_burns_where_the_board_exploded() -> None:
    pytest.importorskip("resvg_py")
    board = AtomicBoard(KING_GOES)
    move = board.parse_san("Nxe7")
    after = board.copy()
    after.push(move)
    plain = svg.png(chess.svg.board(after, coordinates=False), size=360)
    burnt = svg.png(svg.explosion(board, move, coordinates=False, lastmove=None, ghosts=False), size=360)
    width, a = pixels(plain)
    _, b = pixels(burnt)
    assert width == 360
    changed = {
        chess.square(x // 45, 7 - y // 45)
        for y in range(0, 360, 4)
        for x in range(0, 360, 4)
        if a[3 * (y * 360 + x) + 1] - b[3 * (y * 360 + x) + 1] > 20  # Less green: it burns.
    }
    assert changed == set(chess.SquareSet(chess.BB_KING_ATTACKS[chess.E7] | chess.BB_E7))


def test_a_board_is_a_bitmap_too() -> None:
    pytest.importorskip("resvg_py")
    assert pixels(svg.png(AtomicBoard(), size=99))[0] == 99
    with pytest.raises(ValueError, match="pixel"):
        svg.png(AtomicBoard(), size=0)


def test_a_gif_shows_each_explosion_longer_and_then_its_empty_squares() -> None:
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    board = line_of("e4", "d5", "exd5", "Nc6")
    with image.open(io.BytesIO(svg.gif(board, size=120))) as gif:
        assert gif.n_frames == 6  # The start, four moves, and one explosion seen first.
        assert gif.size == (120, 120)
        assert gif.info["loop"] == 0
        durations = []
        for frame in range(6):
            gif.seek(frame)
            durations.append(gif.info["duration"])
    assert durations[5] > durations[3] > durations[1] == durations[4]
    with image.open(io.BytesIO(svg.gif(line_of("Nxe7#", fen=KING_GOES), size=80, repeat=False))) as gif:
        assert (gif.n_frames, "loop" in gif.info) == (2, False)
    with pytest.raises(ValueError, match="positive"):
        svg.gif(board, seconds=-1)


# --- Danger -------------------------------------------------------------------


def test_danger_marks_where_a_capture_explodes_a_king() -> None:
    board = AtomicBoard(KING_GOES)
    text = svg.danger(board, size=200)
    picture = Picture(text)
    tints = {
        color: {
            picture.square_of(float(rect.get("x", "")), float(rect.get("y", "")))
            for rect in picture.root.iter(f"{SVG}rect")
            if rect.get("fill") == color
        }
        for color in ("#e8501e", "#d9380c")
    }
    beside = chess.BB_KING_ATTACKS[chess.E1] & board.occupied | chess.BB_KING_ATTACKS[chess.E8] & board.occupied
    assert tints == {"#e8501e": set(chess.SquareSet(beside)) - {chess.E7}, "#d9380c": {chess.E7}}
    assert "Nxe7 would explode the black king on e8" in text
    assert len([line for line in picture.root.iter(f"{SVG}line") if line.get("class") == "arrow"]) == 1

    # The side that is not to move threatens.
    assert "d5e7 would explode the black king on e8" in svg.danger(AtomicBoard(KING_GOES.replace(" w ", " b ")))
    assert "No capture would explode a king" in svg.danger(AtomicBoard())


def test_the_arrows_of_an_explosion_are_written_and_read_as_pgn() -> None:
    board = AtomicBoard(KING_GOES)
    move = board.parse_san("Nxe7#")
    game = pgn.Game()
    game.setup(board)
    node = game.add_variation(move)
    node.set_arrows(svg.explosion_arrows(board, move))
    again = pgn.read_game(io.StringIO(str(game)))
    assert again
    found = again.variations[0].arrows()
    circles = {arrow.head for arrow in found if arrow.head == arrow.tail}
    assert circles | {chess.D5, chess.E7} == set(board.exploded_pieces(move))
    assert svg.explosion_arrows(AtomicBoard(), Move.from_uci("e2e4")) == []


# --- In a browser -------------------------------------------------------------


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


def random_line(plies: int) -> AtomicBoard:
    """A line of so many plies, with quiet moves where they are and captures where they must be."""
    board = AtomicBoard()
    choice = random.Random(8).choice
    while len(board.move_stack) < plies:
        moves = list(board.legal_moves)
        quiet = [move for move in moves if not board.is_capture(move)]
        board.push(choice(quiet if quiet and len(board.move_stack) % 20 else moves))
    return board


_AT = """
for (const a of document.getAnimations()) { a.pause(); a.currentTime = 1000 * arguments[0]; }
"""
# The squares of the pieces that are seen, by the middle of each, and their opacities.
_STANDING = """
const film = document.querySelector("[id$=-film]");
const found = [];
for (const use of film.querySelectorAll("use.piece")) {
    const opacity = Number(getComputedStyle(use.parentNode === film ? use : use.parentNode).opacity);
    const { e, f } = film.getCTM().inverse().multiply(use.getCTM());
    if (opacity > .02) found.push([use.getAttribute("href").split("-").slice(1).join(" "), e, f, opacity]);
}
return found;
"""


def film_pieces(driver: Any, second: float) -> list[tuple[str, float, float, float]]:
    """The name, the place and the opacity of each piece of a film that is seen."""
    driver.execute_script(_AT, second)
    return [tuple(piece) for piece in driver.execute_script(_STANDING)]


@pytest.mark.parametrize("board", LINES, ids=lambda board: board.fen())
def test_a_film_moves_in_a_browser_as_the_board_does(board: AtomicBoard, driver: Any, tmp_path: Path) -> None:
    film = tmp_path / "film.svg"
    film.write_text(svg.animate(board, seconds=1, size=None), encoding="utf-8")
    driver.get(film.as_uri())
    replayed = board.root()
    for ply in range(len(board.move_stack) + 1):
        if ply:
            replayed.push(board.move_stack[ply - 1])
        # Well before the next move the dead are gone.
        for moment in (0.75, 0.98):
            found = {
                chess.square(round((x - 15) / 45), 7 - round((y - 15) / 45)): name
                for name, x, y, _ in film_pieces(driver, ply + moment)
            }
            assert found == {
                square: f"{chess.COLOR_NAMES[piece.color]} {chess.piece_name(piece.piece_type)}"
                for square, piece in replayed.piece_map().items()
            }
            if ply and moment < 0.9:
                dead = driver.execute_script(
                    "return [...document.querySelectorAll('.ghost')].filter((g) => g.closest('[id$=-film]'))"
                    ".filter((g) => getComputedStyle(g.parentNode).opacity > .02).length"
                )
                assert dead == 0
    assert not errors(driver)


def test_in_a_film_nothing_lies_half_seen_on_something_else(driver: Any, tmp_path: Path) -> None:
    film = tmp_path / "film.svg"
    film.write_text(svg.animate(LINES[0], seconds=1, size=None), encoding="utf-8")
    driver.get(film.as_uri())
    for step in range(10):
        pieces = film_pieces(driver, 3 + step / 10 + 0.01)  # 2. exd5 explodes.
        assert all(opacity > 0.98 for *_, opacity in pieces)
        if step >= 3:
            places = [(round(x), round(y)) for _, x, y, _ in pieces]
            assert len(set(places)) == len(places)


def test_a_film_shows_the_zone_and_the_dead_while_it_bursts(driver: Any, tmp_path: Path) -> None:
    film = tmp_path / "film.svg"
    film.write_text(svg.animate(LINES[1], seconds=1, size=None), encoding="utf-8")
    driver.get(film.as_uri())
    seen = (
        "return [...document.querySelectorAll('[id$=-film] :is(.ghost, .king-cross, [id*=-z], [id$=-burst])')]"
        ".filter((g) => getComputedStyle(g.matches('[id]') ? g : g.parentNode).opacity > .98).length"
    )
    counts = []
    for moment in (1.2, 1.5, 1.8):
        driver.execute_script(_AT, moment)
        counts.append(driver.execute_script(seen))
    # Four pieces die but for the knight, which vanishes in the fire: pawn, queen, king and bishop.
    assert counts == [0, 4 + 1 + 1 + 1, 0]


def test_a_film_runs_nothing_and_rests_with_the_focus(driver: Any, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    film = svg.animate(hostile_game(), seconds=1)
    page.write_text(f'<meta charset="utf-8"><button id="b">b</button>{film}', encoding="utf-8")
    driver.get(page.as_uri())
    states = "return [...new Set(document.getAnimations().map((a) => a.playState))]"
    assert driver.execute_script(states) == ["running"]
    driver.execute_script("document.querySelector('[id$=-all]').focus()")
    assert driver.execute_script(states) == ["paused"]
    driver.execute_script("document.getElementById('b').focus()")
    assert driver.execute_script(states) == ["running"]
    assert driver.execute_script("return window.pwned") is None
    assert driver.execute_script("return document.querySelectorAll('script, img').length") == 0
    assert driver.execute_script("return document.querySelector('svg').clientWidth") == 390
    assert not errors(driver)


def test_a_long_film_has_hardly_more_animations_than_pieces(driver: Any, tmp_path: Path) -> None:
    film = tmp_path / "film.svg"
    film.write_text(svg.animate(random_line(290)), encoding="utf-8")
    driver.get(film.as_uri())
    assert 20 < driver.execute_script("return document.getAnimations().length") < 80
    assert film.stat().st_size < 250_000


def test_a_reader_who_likes_no_motion_sees_the_end(tmp_path: Path) -> None:
    film = tmp_path / "film.svg"
    film.write_text(svg.animate(hostile_game()), encoding="utf-8")
    with chromium("--force-prefers-reduced-motion") as driver:
        driver.get(film.as_uri())
        assert driver.execute_script("return document.getAnimations().length") == 0
        ghosts = "return [...document.querySelectorAll('.ghost')].filter((g) => g.getBoundingClientRect().width).length"
        assert driver.execute_script(ghosts) == 4


def test_many_pictures_on_a_page_each_show_their_own(tmp_path: Path) -> None:
    moves = explosions(6)
    pictures = [svg.explosion(board, move, size=200) for board, move in moves]
    page = tmp_path / "page.html"
    page.write_text(f'<div style="display:none">{pictures[0]}</div>' + "".join(pictures[1:]), encoding="utf-8")
    with chromium() as driver:
        driver.get(page.as_uri())
        sizes = driver.execute_script(
            "return [...document.querySelectorAll('svg use')].filter(u => u.checkVisibility())"
            ".map(u => u.getBoundingClientRect().width)"
        )
        assert len(sizes) == sum(len(board.piece_map()) for board, _ in moves[1:])
        assert min(sizes) > 5
        assert not errors(driver)


def test_importing_the_package_draws_nothing() -> None:
    code = "import sys, atomic_variant; print([m for m in sys.modules if 'svg' in m or 'anywidget' in m])"
    where = str(Path(atomic_variant.__file__).parents[1])
    result = subprocess.run([sys.executable, "-c", code], cwd=where, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        (lambda picture: picture.replace(' a1"', ' A1"'), "a rectangle for a1"),
        (lambda picture: picture.replace('x="60"', 'x="70"'), "squares that are rectangles of 45 units"),
        (lambda picture: picture.replace("<rect ", "<path "), "a rectangle for a1"),
    ],
)
def test_where_the_host_draws_otherwise_an_explosion_is_an_error_and_a_plain_board_is_not(monkeypatch, change, missing):
    board = AtomicBoard()
    board.push_san("e4")
    board.push_san("d5")
    draw = chess.svg.board
    monkeypatch.setattr(chess.svg, "board", lambda *args, **kwargs: change(draw(*args, **kwargs)))
    with pytest.raises(svg.DrawingError, match=missing):
        svg.explosion(board, board.parse_san("exd5"))
    assert svg.board(board) == change(draw(board))
