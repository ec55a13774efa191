"""The page and the widget of the explorer in a browser."""

import io

import chess
import pytest

from atomic_variant import AtomicBoard, explorer, pgn
from atomic_variant.explorer._page import tree_page
from tests.explorer.test_book import RATED, UNRATED, game
from tests.support.browser import chromium, errors

pytest.importorskip("numpy")

HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def driver():
    with chromium(width=1000, height=900) as driver:
        yield driver


@pytest.fixture
def book(tmp_path):
    games = [game("1. Nf3 f6 2. e4 d5", White=HOSTILE, Site=HOSTILE, **RATED), game("1. Nf3 d6", **UNRATED)]
    source = io.StringIO("".join(games))
    source.name = HOSTILE
    explorer.build(source, tmp_path / "book.db", min_games=1)
    with explorer.open(tmp_path / "book.db") as book:
        yield book


def find(driver, selector):
    return driver.find_elements("css selector", selector)


def moves(driver):
    return [item.text for item in find(driver, ".av-explorer tbody button")]


def click(driver, san):
    next(item for item in find(driver, ".av-explorer tbody button") if item.text == san).click()


def test_the_page_walks_through_the_first_plies(driver, book, tmp_path):
    names = explorer.OpeningNames()
    text = tree_page(book, AtomicBoard(), depth=3, min_games=1, filters={}, names=names, title=HOSTILE)
    assert text.count("<script") == 2
    (tmp_path / "tree.html").write_text(text, encoding="utf-8")
    driver.get((tmp_path / "tree.html").as_uri())
    assert moves(driver) == ["Nf3"]
    click(driver, "Nf3")
    assert moves(driver) == ["d6", "f6"]
    assert find(driver, ".av-opening")[0].text == "C00 King Knight Opening"
    click(driver, "f6")
    click(driver, "e4")
    assert find(driver, ".av-opening")[0].text == "C31 Center Attack"
    assert find(driver, ".av-moves")[0].text == "1. Nf3 f6 2. e4"
    click(driver, "d5")  # The last one, of which the page knows no more.
    assert find(driver, ".av-word")[0].text == "The page ends here."
    find(driver, "[aria-label='Take back']")[0].click()
    assert moves(driver) == ["e4"]
    assert find(driver, "h1")[0].text == HOSTILE
    assert not find(driver, "img")
    assert errors(driver) == []


def test_a_page_with_too_many_positions_keeps_those_of_the_most_games(book, monkeypatch):
    from atomic_variant.explorer import _page

    monkeypatch.setattr(_page, "MAX_POSITIONS", 2)
    text = tree_page(book, AtomicBoard(), depth=3, min_games=1, filters={})
    assert text.count('"parent":') == 1


def test_the_widget_shows_plays_and_filters(driver, book, tmp_path):
    pytest.importorskip("anywidget")
    from atomic_variant import notebook
    from tests.support.widgets import Page

    shown = notebook.Explorer(book)
    page = Page(driver, shown, "explorer_widget", tmp_path)
    assert moves(driver) == ["Nf3"]
    click(driver, "Nf3")
    page.pump()
    assert shown.moves == ("g1f3",)
    assert moves(driver) == ["d6", "f6"]
    find(driver, ".av-explorer select option[value='2000']")[0].click()
    page.pump()
    assert shown.filters == {"rating": (2000, None)}
    assert moves(driver) == ["f6"]
    find(driver, ".av-explorer select option[value='bullet']")[0].click()
    page.pump()
    assert moves(driver) == []
    assert "No games from here." in find(driver, ".av-explorer")[0].text
    shown.filters = {}
    shown.board = AtomicBoard()
    page.pump()
    assert moves(driver) == ["Nf3"]
    assert [item.get_property("value") for item in find(driver, ".av-explorer select")] == ["", ""]
    assert errors(driver) == []


def test_the_widget_follows_a_viewer_and_refuses_what_is_no_filter(book):
    pytest.importorskip("anywidget")
    import traitlets

    from atomic_variant import notebook

    [played] = pgn.read_games(io.StringIO(game("1. Nf3 f6 2. e4")))
    viewer = notebook.GameViewer(played)
    shown = notebook.Explorer(book, names=explorer.OpeningNames())
    shown.follow(viewer)
    viewer.ply = 3
    assert shown.moves == ("g1f3", "f7f6", "e2e4")
    assert shown.table["name"] == "C31 Center Attack"
    for bad in ({"rating": (1500, None)}, {"depth": 3}):
        with pytest.raises(traitlets.TraitError, match=r"arguments of Book\.moves"):
            shown.filters = bad
    shown._received(shown, {"type": "filter", "rating": "1' OR 1", "speed": ["blitz"]}, [])
    assert not any(shown.filters.values())
    with pytest.raises(ValueError, match="is of atomic"):
        shown.board = chess.Board()
    assert shown.moves == ("g1f3", "f7f6", "e2e4")
    assert "d5: 1 game" in shown._said()
