"""The widgets, with their front end in a real browser."""

from __future__ import annotations

import io
import json
import re
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn
import chess.variant
import pytest

pytest.importorskip("anywidget")

import traitlets

from atomic_variant import AtomicBoard, host, pgn, report, tactics
from atomic_variant.notebook import GameViewer, PlayBoard
from atomic_variant.viewer import data as replay

from ..support.browser import chromium, errors
from ..support.widgets import Page
from .test_svg import HOSTILE, KING_GOES
from .test_viewer_data import BOARDS, random_board, random_game

ANNOTATED = """[White "Alice"]
[Black "Bob"]
[WhiteElo "2100"]
[Result "1-0"]
[Variant "Atomic"]

{ An introduction. } 1. Nf3 { [%eval 0.4] [%clk 0:03:00] } 1... f6 $6 { [%eval 1.2] [%clk 0:02:58] A first mistake. }
( 1... d5 2. Nd4 ( 2. Ne5 f6 $1 { deep } ) 2... e5 ) 2. Nd4 { [%eval 1.4] [%clk 0:02:50] }
2... Nh6 $2 { [%eval 4.4][%csl Ge6][%cal Rd4e6] } 3. Ne6 { [%eval #2] } 3... Ng8 { [%eval #1] } 4. Nxd8# 1-0
"""


def read(text: str) -> chess.pgn.Game:
    game = pgn.read_game(io.StringIO(text))
    assert game
    return game


def state_size(viewer: GameViewer) -> int:
    """What a viewer sends, besides the program, which is the same for every game."""
    return len(json.dumps({key: value for key, value in viewer.get_state().items() if key != "_esm"}))


# --- In Python ----------------------------------------------------------------


def test_ply_and_node_go_together() -> None:
    viewer = GameViewer(read(ANNOTATED))
    seen: list[int] = []
    viewer.observe(lambda change: seen.append(change["new"]), "ply")
    viewer.ply = 4
    assert (viewer.node, viewer.current.san()) == (4, "Nh6")
    deep = next(index for index, node in enumerate(viewer._nodes) if host.comment(node) == "deep")
    viewer.node = deep
    assert viewer.ply == 4
    assert host.comment(viewer.current) == "deep"
    viewer.ply = 2  # In the line that is shown.
    assert viewer.current.san() == "d5"
    viewer.ply = 3  # The main line of the variation.
    assert viewer.current.san() == "Nd4"
    assert seen == [4, 2, 3]


def test_what_the_front_end_sets_together_arrives_together() -> None:
    viewer = GameViewer(read(ANNOTATED))
    last = len(viewer._nodes) - 1
    viewer.set_state({"node": last, "ply": viewer._depths[last]})
    assert (viewer.node, viewer.ply) == (last, viewer._depths[last])


@pytest.mark.parametrize(("name", "value"), [("ply", -1), ("ply", 8), ("node", 99), ("node", -1)])
def test_a_ply_that_is_not_there_is_an_error(name: str, value: int) -> None:
    viewer = GameViewer(read(ANNOTATED))
    with pytest.raises(traitlets.TraitError, match=r"0 to \d+, not"):
        setattr(viewer, name, value)
    assert (viewer.node, viewer.ply) == (0, 0)


def test_the_board_is_that_of_the_game_and_a_copy() -> None:
    viewer = GameViewer(read(ANNOTATED), ply=7)
    assert isinstance(viewer.board, AtomicBoard)
    assert viewer.board.fen() == viewer.game.end().board().fen()
    viewer.board.pop()
    assert viewer.board.move_stack


def test_a_viewer_begins_where_it_is_told() -> None:
    game = read(ANNOTATED)
    assert GameViewer(game).ply == 0
    assert GameViewer(game.variations[0].variations[1]).current.san() == "d5"
    board = random_board(AtomicBoard(), 9, 1)
    assert GameViewer(board, ply=9).board == board
    assert GameViewer(game, orientation=chess.BLACK).flipped


@pytest.mark.parametrize("board_class", BOARDS, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_games_of_every_variant_are_shown(board_class: type[chess.Board]) -> None:
    board = random_board(board_class(), 40, 5)
    viewer = GameViewer(chess.pgn.Game.from_board(board), ply=0)
    viewer.ply = len(board.move_stack)
    assert viewer.board.fen() == board.fen()


def test_a_viewer_sends_at_most_six_kilobytes_for_sixty_plies() -> None:
    sizes = [state_size(GameViewer(random_game(seed))) for seed in range(40) if random_game(seed).end().ply() == 60]
    assert sizes
    assert max(sizes) <= 6_000


def test_without_a_front_end_a_viewer_is_a_picture_with_the_moves_and_text() -> None:
    viewer = GameViewer(read(ANNOTATED))
    data, _ = viewer._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    root = ET.fromstring(data["text/html"].replace("&nbsp;", " "))
    # The start says nothing of a game, so the end is shown.
    assert root.find(".//*[@class='explosion']") is not None
    said = "".join(root.itertext())
    for words in ("Alice (2100) - Bob", "1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8#", "the black king exploded on e8"):
        assert words in said
    assert len(json.dumps(data)) < 23_000

    viewer.ply = 3
    data, _ = viewer._repr_mimebundle_()
    root = ET.fromstring(data["text/html"].replace("&nbsp;", " "))
    assert root.find(".//*[@class='explosion']") is None
    assert [mark.text for mark in root.iter("mark")] == ["Nd4"]
    assert str(viewer.board) in data["text/plain"]
    assert "2. Nd4" in data["text/plain"]


def test_a_game_shows_itself() -> None:
    shown = read(ANNOTATED)._repr_html_()
    assert GameViewer(read(ANNOTATED))._repr_mimebundle_()[0]["text/html"] == shown
    hostile = random_game(2)
    for name in replay.HEADERS:
        hostile.headers[name] = HOSTILE
    hostile.errors.append(ValueError(HOSTILE))
    root = ET.fromstring(hostile._repr_html_().replace("&nbsp;", " "))
    assert {element.tag for element in root.iter()} & {"script", "img"} == set()
    assert "<script>window.pwned=1</script>" in "".join(root.itertext())


@pytest.mark.parametrize("ply", [0, 4])
def test_a_viewer_is_a_page_of_its_own(driver: Any, tmp_path: Path, ply: int) -> None:
    viewer = GameViewer(read(ANNOTATED), ply=ply)
    path = tmp_path / "game.html"
    assert viewer.to_html(path) == path.read_text(encoding="utf-8") == report.game_page(viewer.game, ply=ply)
    driver.get(path.as_uri())
    assert driver.find_element("css selector", "h1").text == "Alice (2100) - Bob"
    squares = driver.execute_script("return [...document.querySelectorAll('.av-piece')].map((p) => p.dataset.square)")
    assert dict.fromkeys(squares, 1) == names(viewer.board)
    driver.get(f"{path.as_uri()}#ply-6")
    assert driver.execute_script("return document.querySelector('[aria-current]').dataset.node") == "6"
    assert errors(driver) == []
    driver.get("about:blank")
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        driver.get(path.as_uri())
        assert "the black king exploded on e8" in driver.find_element("css selector", "main").text
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_notebook_that_was_saved_without_widgets_is_exported_with_pictures(driver: Any, tmp_path: Path) -> None:
    nbconvert = pytest.importorskip("nbconvert")
    nbformat = pytest.importorskip("nbformat")
    outputs = []
    for widget in (GameViewer(read(ANNOTATED), ply=7), PlayBoard(AtomicBoard(KING_GOES))):
        data, metadata = widget._repr_mimebundle_()
        outputs.append(nbformat.v4.new_output("display_data", data=data, metadata=metadata))
    cell = nbformat.v4.new_code_cell("viewer", outputs=outputs)
    body, _ = nbconvert.HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    path = tmp_path / "export.html"
    path.write_text(body, encoding="utf-8")
    driver.get(path.as_uri())
    shown = driver.execute_script(
        "return [...document.querySelectorAll('.jp-OutputArea-output :is(svg, img)')].map((e) => e.clientWidth)"
    )
    assert len(shown) == 2
    assert min(shown) > 100
    driver.get_log("browser")  # The page of the exporter asks for scripts of its own.


def test_a_game_whose_start_cannot_be_set_up_is_shown_with_the_reason() -> None:
    viewer = GameViewer(read('[Variant "Atomic"]\n[SetUp "1"]\n[FEN "nonsense"]\n\n1. e4 *'))
    data, _ = viewer._repr_mimebundle_()
    assert "invalid FEN" in data["text/plain"]

    game = chess.pgn.Game()  # Of python-chess, where asking for the board fails.
    game.headers["FEN"] = "nonsense"
    data, _ = GameViewer(game)._repr_mimebundle_()
    assert "cannot be set up" in data["text/plain"]


# --- The viewer in a browser --------------------------------------------------


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def show(driver: Any, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    def show(widget: Any, **options: Any) -> Page:
        module = "game_widget" if isinstance(widget, GameViewer) else "play_widget"
        return Page(driver, widget, module, tmp_path, **options)

    yield show
    assert errors(driver) == []


def keys(page: Page, *names: str) -> None:
    from selenium.webdriver.common.keys import Keys

    root = page.driver.find_element("css selector", ".av-viewer, .av-play .av-board")
    for name in names:
        root.send_keys(getattr(Keys, name, name))
    page.pump()
    time.sleep(0.9)  # The two stages of an explosion.


def text(page: Page, selector: str) -> str:
    return str(page.run("return document.querySelector(arguments[0]).textContent", selector))


def names(board: chess.Board) -> dict[str, int]:
    return dict.fromkeys((chess.square_name(square) for square in board.piece_map()), 1)


def test_the_keys_step_through_a_game(show: Callable[..., Page]) -> None:
    viewer = GameViewer(read(ANNOTATED))
    page = show(viewer)
    for pressed, ply in (("ARROW_RIGHT", 1), ("ARROW_RIGHT", 2), ("ARROW_LEFT", 1), ("END", 7), ("HOME", 0)):
        keys(page, pressed)
        assert viewer.ply == ply
        assert page.pieces() == names(viewer.board)


def test_up_and_down_reach_variations(show: Callable[..., Page]) -> None:
    viewer = GameViewer(read(ANNOTATED))
    page = show(viewer)
    keys(page, "ARROW_RIGHT", "ARROW_RIGHT", "ARROW_DOWN")
    assert viewer.current.san() == "d5"
    keys(page, "ARROW_RIGHT", "ARROW_DOWN", "END")
    assert host.comment(viewer.current) == "deep"
    assert page.pieces() == names(viewer.board)
    keys(page, "ARROW_LEFT", "ARROW_UP")
    assert viewer.current.san() == "Nd4"


def test_the_last_move_explodes_and_the_caption_says_how_it_ended(show: Callable[..., Page]) -> None:
    viewer = GameViewer(read(ANNOTATED))
    page = show(viewer)
    keys(page, "END")
    assert page.run("return document.querySelectorAll('.av-burst').length") == 1
    assert page.run("return document.querySelectorAll('.av-king-cross').length") == 1
    ghosts = page.run("return [...document.querySelectorAll('[data-ghost]')].map((ghost) => ghost.dataset.ghost)")
    board = viewer.board
    move = board.pop()
    assert set(ghosts) == {chess.square_name(square) for square in board.explosion(move)}
    assert "White wins: the black king exploded on e8" in text(page, ".av-caption")
    keys(page, "ARROW_LEFT")
    assert "wins" not in text(page, ".av-caption")
    assert page.run("return document.querySelectorAll('.av-burst').length") == 0


def test_an_explosion_has_two_stages(show: Callable[..., Page]) -> None:
    viewer = GameViewer(read(ANNOTATED), ply=6)
    page = show(viewer)
    before = page.pieces()
    page.run("document.querySelector('.av-viewer').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}))")
    first = page.pieces()
    assert first == before, "the piece is still on its way"
    assert page.run("return document.getAnimations().length") > 0
    time.sleep(0.9)
    page.pump()
    assert page.pieces() == names(viewer.board) != before


def test_a_click_on_a_move_goes_there(show: Callable[..., Page]) -> None:
    viewer = GameViewer(read(ANNOTATED))
    page = show(viewer)
    for index, node in enumerate(viewer._nodes[1:], start=1):
        page.run(f"document.querySelector('[data-node=\"{index}\"]').click()")
        page.pump()
        assert viewer.current is node
        assert page.run("return document.querySelectorAll('[aria-current]').length") == 1


def test_python_moves_the_viewer(show: Callable[..., Page]) -> None:
    viewer = GameViewer(read(ANNOTATED))
    page = show(viewer)
    viewer.ply = 5
    page.pump()
    time.sleep(0.5)
    assert page.pieces() == names(viewer.board)
    assert text(page, "[aria-current]") == "Ne6 #2"
    viewer.flipped = True
    page.pump()
    first = page.run("return document.querySelector('.av-player').textContent")
    assert "Alice" in first


def test_flipping_turns_the_board(show: Callable[..., Page]) -> None:
    viewer = GameViewer(read(ANNOTATED))
    page = show(viewer)
    where = "return document.querySelector('.av-piece[data-square=a1]').getBoundingClientRect().left"
    left = page.run(where)
    keys(page, "f")
    assert viewer.flipped
    assert page.run(where) > left


def test_comments_nags_clocks_and_evaluations_are_shown(show: Callable[..., Page]) -> None:
    page = show(GameViewer(read(ANNOTATED)))
    moves = text(page, ".av-moves")
    for shown in ("An introduction.", "f6?!", "A first mistake.", "deep", "Nh6?", "1... d5", "%clk", "%eval"):
        assert (shown in moves.replace("\xa0", " ")) == (not shown.startswith("%"))
    keys(page, "ARROW_RIGHT", "ARROW_RIGHT", "ARROW_RIGHT", "ARROW_RIGHT")
    assert page.run("return [...document.querySelectorAll('.av-clock')].map((c) => c.textContent)") == ["2:58", "2:50"]
    assert text(page, ".av-eval") == "+4.40"
    assert page.run("return document.querySelectorAll('.av-curve polygon').length") == 1
    page.run(
        "const c = document.querySelector('.av-curve'); const b = c.getBoundingClientRect();"
        "c.dispatchEvent(new MouseEvent('click', {clientX: b.left + b.width * 5 / 7, clientY: b.top + 5}))"
    )
    page.pump()
    assert page.widget.ply == 5


def test_without_evaluations_there_is_no_curve(show: Callable[..., Page]) -> None:
    page = show(GameViewer(random_board(AtomicBoard(), 10, 2)))
    assert page.run("return document.querySelectorAll('.av-curve').length") == 0


def test_an_illegal_move_is_explained_where_it_stands(show: Callable[..., Page]) -> None:
    viewer = GameViewer(read('[Variant "Atomic"]\n\n1. e4 d5 2. Bb5+ c6 3. Bxd7 *'), ply=3)
    page = show(viewer)
    assert "cannot pass" not in text(page, ".av-caption")
    keys(page, "END")
    assert "the bishop on b5 cannot pass the pawn on c6" in text(page, ".av-caption")


def test_a_reader_who_hears_the_page_is_told_everything(show: Callable[..., Page]) -> None:
    viewer = GameViewer(read(ANNOTATED), ply=7)
    page = show(viewer)
    label = page.run("return document.querySelector('.av-board').getAttribute('aria-label')")
    assert "4. Nxd8#, explosion on d8" in label
    assert "black queen d8" in label
    assert "knight h6" not in text(page, ".av-right > .av-hidden")
    unnamed = page.run(
        "return [...document.querySelectorAll('button')]"
        ".filter((b) => !(b.getAttribute('aria-label') ?? b.textContent).trim()).length"
    )
    assert unnamed == 0
    assert page.run("return document.querySelector('.av-caption').getAttribute('aria-live')") == "polite"


@pytest.mark.parametrize("board_class", BOARDS, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_the_front_end_plays_every_variant(show: Callable[..., Page], board_class: type[chess.Board]) -> None:
    board = random_board(board_class(), 100, 11)
    viewer = GameViewer(chess.pgn.Game.from_board(board))
    page = show(viewer)
    positions = page.run(
        "const r = new Game(arguments[0]); return r.nodes.map((n, i) => r.position(i));", viewer.replay
    )
    replayed = board.root()
    for position, move in zip(positions, [*board.move_stack, None], strict=True):
        assert position == {chess.square_name(s): p.symbol() for s, p in replayed.piece_map().items()}
        if move:
            replayed.push(move)


@pytest.mark.parametrize("background", ["#ffffff", "#111111"])
def test_texts_can_be_read_on_light_and_dark_pages(show: Callable[..., Page], background: str) -> None:
    page = show(GameViewer(read(ANNOTATED), ply=3), background=background)
    page.run("document.body.style.color = arguments[0]", "#000" if background == "#ffffff" else "#fff")
    for selector in (".av-caption b", ".av-move", ".av-comment", ".av-number", ".av-event", "[aria-current]"):
        ratio = page.run(_CONTRAST, selector)
        assert ratio >= 4.5, selector


# The contrast of WCAG 2 between a text and what is behind it, opacities included.
_CONTRAST = """
const parse = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return n.length > 3 ? n : [...n, 1]; };
const over = (top, back) => [0, 1, 2].map((i) => top[i] * top[3] + back[i] * (1 - top[3]));
const light = (rgb) => rgb.map((c) => c / 255).map((c) => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
const element = document.querySelector(arguments[0]);
const chain = [];
for (let at = element; at; at = at.parentElement) chain.unshift(at);
let back = [255, 255, 255];
let opacity = 1;
for (const at of chain) {
  back = over(parse(getComputedStyle(at).backgroundColor), back);
  opacity *= Number(getComputedStyle(at).opacity);
}
const color = parse(getComputedStyle(element).color);
const front = over([...color.slice(0, 3), color[3] * opacity], back);
const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
return (a + .05) / (b + .05);
"""


def test_the_viewer_fits_a_phone(show: Callable[..., Page]) -> None:
    page = show(GameViewer(read(ANNOTATED), ply=3))
    page.run("document.querySelector('.av-menu').open = true")
    for width in (220, 320, 500, 860):
        page.run("document.getElementById('here').style.width = `${arguments[0]}px`", width)
        widest = page.run(
            "const left = document.getElementById('here').getBoundingClientRect().left;"
            "return Math.max(...[...document.querySelectorAll('.av *:not(.av-hidden)')]"
            ".map((e) => e.getBoundingClientRect().right - left))"
        )
        assert widest <= width + 12


def test_hostile_texts_are_texts(show: Callable[..., Page]) -> None:
    game = random_game(2)
    for name in replay.HEADERS:
        game.headers[name] = HOSTILE if name != "Variant" else "Atomic"
    game.headers["Black"] = HOSTILE * 20_000
    host.set_comment(game, HOSTILE * 20_000)
    for node in game.mainline():
        host.set_comment(node, host.comment(node) + HOSTILE)
        host.set_starting_comment(node, HOSTILE)
    game.errors.append(ValueError(HOSTILE))
    viewer = GameViewer(game)
    page = show(viewer)
    keys(page, "END")
    assert page.run("return window.pwned") is None
    assert page.run("return document.querySelectorAll('.av script, .av img, .av a').length") == 0
    assert "<script>window.pwned=1</script>" in text(page, ".av-moves")
    assert "<script>" in text(page, ".av-player bdi")
    # What a right-to-left mark turns around ends with its own text.
    isolated = (
        "return [...document.querySelectorAll('bdi')].every((b) => getComputedStyle(b).unicodeBidi === 'isolate')"
    )
    assert page.run(isolated)


def click(page: Page, label: str) -> None:
    """Presses the control whose label begins so."""
    page.run('document.querySelector(`[aria-label^="${arguments[0]}"]`).click()', label)
    page.pump()


BLASTS = """[White "Ann"]
[Black "Bob"]
[Site "https://lichess.org/abcdefgh"]
[Opening "Scandinavian"]
[TimeControl "180+0"]
[Variant "Atomic"]

1. e4 d5 2. exd5 { [%eval 0.5] } 2... Nc6 $4 { [%eval 4.5] } ( 2... e6 ) 3. Nf3 { [%eval 4.4] } 3... Bg4 4. Bb5 Bxf3 *
"""


def test_keys_and_buttons_go_from_blast_to_blast(show: Callable[..., Page]) -> None:
    viewer = GameViewer(read(BLASTS))
    page = show(viewer)
    seen = []
    for key in ("x", "x", "x", "z", "z"):
        keys(page, key)
        seen.append(viewer.ply)
    assert seen == [3, 8, 8, 3, 3]
    click(page, "Next explosion")
    assert viewer.ply == 8
    assert page.run("return document.querySelector('[aria-label^=Next]').disabled")


def test_keys_and_buttons_go_from_mistake_to_mistake(show: Callable[..., Page]) -> None:
    text = BLASTS.replace("3. Nf3 {", "3. Nf3 $6 {").replace("3... Bg4", "3... Bg4 $2")
    viewer = GameViewer(read(text))
    page = show(viewer)
    seen = []
    for key in ("n", "n", "n", "n", "p", "p"):
        keys(page, key)
        seen.append(viewer.ply)
    assert seen == [4, 5, 6, 6, 5, 4]
    click(page, "Next mistake")
    assert viewer.ply == 5
    assert page.run("return document.querySelector('[aria-label^=\"Previous mistake\"]').disabled") is False


def test_a_game_without_marks_has_no_buttons_for_them(show: Callable[..., Page]) -> None:
    viewer = GameViewer(read(BLASTS.replace(" $4", "")))
    page = show(viewer)
    assert page.run("return document.querySelector('[aria-label^=\"Next mistake\"]').hidden")
    keys(page, "n")
    assert viewer.ply == 0


def test_the_viewer_plays_by_itself_until_somebody_steps_in(show: Callable[..., Page]) -> None:
    viewer = GameViewer(read(BLASTS))
    page = show(viewer)
    page.run("document.querySelector('.av select').value = '0.5'")
    keys(page, " ")
    assert page.run("return document.querySelectorAll('[aria-label^=Pause]').length") == 1
    time.sleep(1.2)
    page.pump()
    assert 2 <= viewer.ply <= 5
    keys(page, "ARROW_LEFT")
    at = viewer.ply
    time.sleep(1)
    page.pump()
    assert viewer.ply == at
    assert page.run("return document.querySelectorAll('[aria-label^=Pause]').length") == 0


def test_the_wheel_and_a_finger_step(show: Callable[..., Page]) -> None:
    viewer = GameViewer(read(BLASTS))
    page = show(viewer)
    wheel = (
        "const e = new WheelEvent('wheel', {deltaY: arguments[0], cancelable: true});"
        "document.querySelector('.av-board').dispatchEvent(e); return e.defaultPrevented"
    )
    assert page.run(wheel, 100)
    page.pump()
    assert viewer.ply == 1
    assert page.run(wheel, -100)
    assert not page.run(wheel, -100), "at the start the page scrolls on"
    swipe = (
        "const board = document.querySelector('.av-board'); const at = (x) => new Touch({identifier: 1, target: board,"
        " clientX: x, clientY: 100});"
        "board.dispatchEvent(new TouchEvent('touchstart', {touches: [at(200)], changedTouches: [at(200)]}));"
        "board.dispatchEvent(new TouchEvent('touchend', {changedTouches: [at(200 + arguments[0])]}));"
    )
    page.run(swipe, -90)
    page.run(swipe, -90)
    page.run(swipe, 90)
    page.pump()
    assert viewer.ply == 1


def test_mistakes_are_marked_in_the_list_and_on_the_curve_and_what_was_better_is_an_arrow(
    show: Callable[..., Page],
) -> None:
    page = show(GameViewer(read(BLASTS), ply=3))
    assert text(page, ".av-move.av-blunder") == "Nc6?? +4.50"
    assert page.run("return document.querySelectorAll('.av-dot.av-blunder').length") == 1
    arrows = "return [...document.querySelectorAll('.av-board line')].map((l) => l.getAttribute('stroke'))"
    assert page.run(arrows) == ["green"]
    keys(page, "ARROW_RIGHT")
    assert page.run(arrows) == []


def test_danger_is_shown_when_it_is_asked_for(show: Callable[..., Page]) -> None:
    viewer = GameViewer(AtomicBoard(KING_GOES))
    page = show(viewer)
    count = (
        "return [document.querySelectorAll('.av-danger').length, document.querySelectorAll('.av-board line').length]"
    )
    assert page.run(count) == [0, 0]
    keys(page, "d")
    board = viewer.board
    beside = chess.BB_KING_ATTACKS[chess.E1] & board.occupied | chess.BB_KING_ATTACKS[chess.E8] & board.occupied
    assert page.run(count) == [chess.popcount(beside), 1]
    click(page, "Show where kings")
    assert page.run(count) == [0, 0]


def test_without_explosions_there_is_no_danger_to_show(show: Callable[..., Page]) -> None:
    page = show(GameViewer(chess.Board()))
    assert page.run("return document.querySelector('[aria-label^=\"Show where\"]').checkVisibility()") is False


def test_who_died_stands_beside_the_players(show: Callable[..., Page]) -> None:
    page = show(GameViewer(read(BLASTS), ply=8))
    lost = "return [...document.querySelectorAll('.av-fallen')].map((f) => [f.ariaLabel, f.children.length])"
    board = page.widget.board
    assert sum(number for _, number in page.run(lost)) == 32 - len(board.piece_map())
    assert page.run(lost)[0][0].startswith("Lost: ")


def test_fen_and_pgn_are_taken_away_and_lichess_is_one_key_away(show: Callable[..., Page]) -> None:
    viewer = GameViewer(read(BLASTS), ply=5)
    page = show(viewer)
    page.run(
        "globalThis.taken = []; navigator.clipboard.writeText = async (text) => { taken.push(text); };"
        "globalThis.open = (...a) => taken.push(a[0]);"
    )
    keys(page, "c", "l")
    page.run("[...document.querySelectorAll('.av-menu button')].find((b) => b.textContent === 'Copy PGN').click()")
    fen, address, game = page.run("return taken")
    assert fen == viewer.board.fen()
    assert address == f"https://lichess.org/analysis/atomic/{fen.replace(' ', '_')}"
    assert [node.san() for node in read(game).mainline()] == [node.san() for node in viewer.game.mainline()]
    # Where the clipboard is closed the text is there to be copied by hand.
    page.run("navigator.clipboard.writeText = async () => { throw new Error('no'); };")
    keys(page, "c")
    assert page.run("return document.querySelector('.av-copy').value") == fen


def test_opening_and_site_are_shown(show: Callable[..., Page]) -> None:
    page = show(GameViewer(read(BLASTS)))
    assert "180+0 · * · Scandinavian · lichess.org/abcdefgh" in text(page, ".av-event")
    assert page.run("return document.querySelector('.av-event a').href") == "https://lichess.org/abcdefgh"


def test_moves_stand_in_columns_when_it_is_asked_for(show: Callable[..., Page]) -> None:
    page = show(GameViewer(read(BLASTS)))
    keys(page, "m")
    left = "return Math.round(document.querySelector(`[data-node='${arguments[0]}']`).getBoundingClientRect().left)"
    assert page.run(left, 1) == page.run(left, 3) == page.run(left, 5)
    assert page.run(left, 2) == page.run(left, 4) == page.run(left, 6) > page.run(left, 1)


def test_a_board_looks_as_it_is_told(show: Callable[..., Page]) -> None:
    look = {"colors": {"square light": "#abcdef"}, "size": 200, "pieces": {"K": '<circle class="mine" r="9"/>'}}
    page = show(GameViewer(read(BLASTS), look=look))
    assert page.run("return document.querySelector('[data-square=a8]').getAttribute('fill')") == "#abcdef"
    assert page.run("return document.querySelectorAll('.av-board .mine').length") == 1
    assert page.run("return document.querySelector('.av-board').clientWidth") == 200
    for wrong in ({"colour": 1}, {"colors": {"margin": '"><script>'}}, {"size": 3}, {"pieces": {"x": ""}}):
        with pytest.raises(traitlets.TraitError):
            GameViewer(read(BLASTS), look=wrong)


def test_every_control_has_a_label_and_says_its_key(show: Callable[..., Page]) -> None:
    page = show(GameViewer(read(BLASTS)))
    labels = page.run("return [...document.querySelectorAll('.av-controls > button')].map((b) => b.ariaLabel)")
    assert len(labels) == 11
    assert all(re.search(r"\(\w+\)$", label) for label in labels)


# --- The board to play on -----------------------------------------------------


def test_moves_are_checked_in_python() -> None:
    play = PlayBoard(AtomicBoard(KING_GOES))
    with pytest.raises(chess.IllegalMoveError, match="does not move"):
        play.push(chess.Move.from_uci("d5d6"))
    for message in (
        {"type": "move", "uci": "d5d6", "at": 0},
        {"type": "move", "uci": "d5e7", "at": 7},
        {"type": "move", "uci": "x" * 10**6, "at": 0},
        {"type": "move", "uci": None, "at": 0},
        {"type": "take_back"},
        {"type": ["?"]},
        "nonsense",
        None,
    ):
        play._received(play, message, [])
    assert play.moves == ()
    play._received(play, {"type": "move", "uci": "d5e7", "at": 0}, [])
    assert play.moves == ("d5e7",)
    assert play.state["over"]
    assert play.state["status"] == "White wins: the black king exploded on e8"


def test_an_opponent_answers_and_is_taken_back_with_the_move() -> None:
    play = PlayBoard(AtomicBoard(), opponent=lambda board: next(iter(board.legal_moves)))
    play.push(chess.Move.from_uci("e2e4"))
    assert len(play.moves) == 2
    assert play.board.turn == chess.WHITE
    play.take_back()
    assert play.moves == ()
    assert play.board == AtomicBoard()


def test_an_opponent_may_begin() -> None:
    play = PlayBoard(AtomicBoard(), opponent=lambda board: next(iter(board.legal_moves)), color=chess.BLACK)
    assert len(play.moves) == 1
    assert play.flipped


def test_an_opponent_without_an_engine_wins_where_it_can_be_proved() -> None:
    board = AtomicBoard("rnbqkbnr/pppp1ppp/4p3/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2")
    play = PlayBoard(board, opponent=tactics.player(seed=1), color=chess.BLACK)
    assert play.moves == ("f3e5",)
    play.push(chess.Move.from_uci("g8e7"))
    assert len(play.moves) == 3
    assert "the black king exploded" in play.state["status"]


def test_an_opponent_that_fails_is_named_and_the_game_goes_on() -> None:
    def broken(board: chess.Board) -> chess.Move:
        raise chess.engine.EngineTerminatedError("the engine died")

    play = PlayBoard(AtomicBoard(), opponent=broken)
    with pytest.raises(chess.engine.EngineTerminatedError):
        play.push(chess.Move.from_uci("e2e4"))
    assert "the engine died" in play.state["status"]
    play.push(chess.Move.from_uci("e7e5"))
    assert play.moves == ("e2e4", "e7e5")


def test_an_opponent_that_cheats_is_refused() -> None:
    play = PlayBoard(AtomicBoard(), opponent=lambda board: chess.Move.from_uci("e8e1"))
    with pytest.raises(chess.IllegalMoveError):
        play.push(chess.Move.from_uci("e2e4"))
    assert play.moves == ("e2e4",)


def point(page: Page, square: str) -> tuple[Any, float, float]:
    board = page.driver.find_element("css selector", ".av-board")
    x, y = page.run(
        """
        const box = document.querySelector('.av-board').getBoundingClientRect();
        const at = document.querySelector(`rect[data-square=${arguments[0]}]`).getBoundingClientRect();
        return [at.left + at.width / 2 - box.left - box.width / 2, at.top + at.height / 2 - box.top - box.height / 2];
        """,
        square,
    )
    return board, x, y


def act(page: Page, *steps: tuple[str, str], pointer: str = "mouse") -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.pointer_input import PointerInput

    for action, square in steps:
        chain = ActionChains(page.driver, duration=60, devices=[PointerInput(pointer, pointer)])
        chain.move_to_element_with_offset(*point(page, square))
        if action == "click":
            chain.click()
        elif action == "press":
            chain.click_and_hold()
        elif action == "release":
            chain.release()
        chain.perform()
    page.pump()


def marked(page: Page, selector: str, name: str = "target") -> set[str]:
    return set(page.run(f"return [...document.querySelectorAll(arguments[0])].map((e) => e.dataset.{name})", selector))


def previewed(page: Page) -> tuple[int, int, int]:
    """How many zones, small crosses and large crosses announce an explosion."""
    count = "return document.querySelectorAll(`.av-preview ${arguments[0]}`).length"
    zones, crosses, kings = (page.run(count, name) for name in (".av-zone", ".av-cross", ".av-king-cross"))
    return zones, crosses, kings


def test_legal_targets_are_marked_and_clicks_make_a_move(show: Callable[..., Page]) -> None:
    play = PlayBoard(AtomicBoard(KING_GOES))
    page = show(play)
    act(page, ("click", "d5"))
    board = play.board
    targets = {chess.square_name(move.to_square) for move in board.generate_legal_moves(chess.BB_D5)}
    assert marked(page, "[data-target]") == targets
    act(page, ("click", "e3"))
    assert play.moves == ("d5e3",)
    time.sleep(0.9)
    assert page.pieces() == names(play.board)


def test_what_would_explode_is_shown_before_the_move(show: Callable[..., Page]) -> None:
    play = PlayBoard(AtomicBoard(KING_GOES))
    page = show(play)
    act(page, ("click", "d5"), ("move", "e7"))
    assert play.moves == ()
    assert previewed(page) == (1, 4, 1)
    assert "d5 e7 would explode" in text(page, ".av-right")
    act(page, ("move", "e3"))
    assert previewed(page) == (0, 0, 0)


def test_a_piece_can_be_dragged(show: Callable[..., Page]) -> None:
    play = PlayBoard(AtomicBoard())
    page = show(play)
    act(page, ("press", "g1"), ("move", "g3"), ("release", "f3"))
    assert play.moves == ("g1f3",)


def test_a_finger_sees_the_explosion_before_it_is_made(show: Callable[..., Page]) -> None:
    play = PlayBoard(AtomicBoard(KING_GOES))
    page = show(play)
    act(page, ("click", "d5"), ("click", "e7"), pointer="touch")
    assert play.moves == ()
    assert previewed(page) == (1, 4, 1)
    act(page, ("click", "e7"), pointer="touch")
    assert play.moves == ("d5e7",)


def test_a_finger_is_told_what_a_forbidden_capture_would_do(show: Callable[..., Page]) -> None:
    page = show(PlayBoard(AtomicBoard("4k3/8/8/8/8/2n1P3/1P1K4/8 w - - 0 1")))
    act(page, ("click", "b2"), ("click", "c3"), pointer="touch")
    page.pump()
    assert "own king on d2" in text(page, ".av-word")
    assert previewed(page)[1] > 0


def test_a_word_about_one_piece_is_gone_when_another_is_taken(show: Callable[..., Page]) -> None:
    page = show(PlayBoard(AtomicBoard()))
    act(page, ("click", "h1"))
    page.pump()
    assert "rook on h1" in text(page, ".av-word")
    act(page, ("click", "e2"))
    assert text(page, ".av-word") == ""


def test_a_pawn_promotes_to_what_is_chosen(show: Callable[..., Page]) -> None:
    play = PlayBoard(AtomicBoard("8/4P2k/8/8/8/8/8/K7 w - - 0 1"))
    page = show(play)
    act(page, ("click", "e7"), ("click", "e8"))
    assert play.moves == ()
    assert marked(page, "[data-promotion]", "promotion") == {"q", "r", "b", "n"}
    page.run("document.querySelector('[data-promotion=n]').click()")
    page.pump()
    assert play.moves == ("e7e8n",)


def test_moves_are_taken_back(show: Callable[..., Page]) -> None:
    play = PlayBoard(AtomicBoard())
    page = show(play)
    undo = "document.querySelector('[aria-label=\"Take back\"]')"
    assert page.run(f"return {undo}.disabled")
    play.push(chess.Move.from_uci("e2e4"))
    page.pump()
    page.run(f"{undo}.click()")
    page.pump()
    page.pump()
    assert play.moves == ()
    assert page.pieces() == names(AtomicBoard())


def test_the_keyboard_plays(show: Callable[..., Page]) -> None:
    play = PlayBoard(AtomicBoard())
    page = show(play)
    keys(page, "ARROW_DOWN", "ARROW_UP", "ENTER", "ARROW_UP", "ARROW_UP")
    assert "e2 to e4" in text(page, ".av-right")
    keys(page, "ENTER")
    assert play.moves == ("e2e4",)


def test_a_flipped_board_is_played_from_the_other_side(show: Callable[..., Page]) -> None:
    play = PlayBoard(AtomicBoard(), orientation=chess.BLACK)
    page = show(play)
    act(page, ("click", "b1"), ("click", "c3"))
    assert play.moves == ("b1c3",)


# --- Why not ------------------------------------------------------------------


def test_a_click_that_is_no_move_says_why() -> None:
    play = PlayBoard(AtomicBoard("4k3/8/8/8/8/2n1P3/1P1K4/8 w - - 0 1"))
    assert "b2c3" in {uci for uci, _ in play.state["forbidden"]}
    for origin, target, words in (
        ("b2", "c3", "would remove White's own king on d2"),
        ("c3", None, "is Black's, and White is to move"),
        ("a1", "a2", "There is no piece on a1"),
    ):
        play._received(play, {"type": "why", "from": origin, "to": target}, [])
        assert words in play.answer["text"]
    play._received(play, {"type": "why", "from": "z9", "to": []}, [])
    assert play.answer["number"] == 3


def test_the_king_castles_on_its_rook_and_the_opponents_move_is_announced() -> None:
    board = AtomicBoard("4k3/pppp4/8/8/8/8/PPPP4/4K2R w K - 0 1")
    play = PlayBoard(board, opponent=lambda board: next(iter(board.legal_moves)))
    play._received(play, {"type": "move", "uci": "e1h1", "at": 0}, [])
    assert play.moves[0] == "e1g1"
    assert play.state["news"].startswith("The opponent: 1... ")


def test_drops_are_refused_with_a_word_and_a_forbidden_capture_in_the_browser_too(show: Callable[..., Page]) -> None:
    with pytest.raises(ValueError, match="drops"):
        PlayBoard(chess.variant.CrazyhouseBoard())
    page = show(PlayBoard(AtomicBoard("4k3/8/8/8/8/2n1P3/1P1K4/8 w - - 0 1")))
    act(page, ("click", "b2"))
    assert "c3" in marked(page, "[data-forbidden]", "forbidden")
    act(page, ("click", "c3"))
    page.pump()
    assert "own king on d2" in text(page, ".av-word")
