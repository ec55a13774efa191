"""The report opens from disk, at once, and shows what the games say."""

from __future__ import annotations

import io
import json
import re
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

from atomic_variant import AtomicBoard, host, pgn, tactics
from atomic_variant.report import Report, write_report
from atomic_variant.viewer import data as replay

from ..support.browser import chromium, errors
from .test_svg import HOSTILE
from .test_viewer_data import random_board, random_game, read

GAMES = [
    '[White "Zoe"]\n[Black "Bob"]\n[Variant "Atomic"]\n[Result "1-0"]\n\n1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0',
    '[White "Cid"]\n[Black "Zoe"]\n[Variant "Atomic"]\n[Result "0-1"]\n[Termination "Time forfeit"]\n\n1. e4 e5 0-1',
    '[White "Dan"]\n[Black "Eve"]\n[Variant "Atomic"]\n[Result "1/2-1/2"]\n\n1. e4 1/2-1/2',
    '[White "Fay"]\n[Black "Guy"]\n[Variant "Atomic"]\n\n1. e4 d5 2. Bb5+ c6 3. Bxd7 *',
    '[White "Hal"]\n[Black "Ida"]\n\n1. f3 e5 2. g4 Qh4# 0-1',
]


def games() -> Iterator[chess.pgn.Game]:
    return map(read, GAMES)


class Parsed(HTMLParser):
    """The tags of a page, and the text of each script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script" and data.strip():
            self.scripts.append(data)


def page_of(report: Report) -> str:
    handle = io.StringIO()
    report.write(handle)
    return handle.getvalue()


def test_the_summary_counts_every_ending_once(tmp_path: Path) -> None:
    report = write_report(tmp_path / "r.html", games(), title="Five")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert report.games == len(GAMES)
    assert report.faulty == 1
    assert sum(report.endings.values()) == sum(report.lengths.values()) == len(GAMES)
    assert report.endings == {
        ("explosion", "1-0"): 1,
        ("time", "0-1"): 1,
        ("draw agreed", "1/2-1/2"): 1,
        ("broken off", "*"): 1,
        ("checkmate", "0-1"): 1,
    }
    assert "5 games: 4 atomic, 1 without a variant read as standard chess." in page
    assert (
        "4 games of atomic: 1 ended by explosion, 0 by checkmate, 0 drawn on the board, 3 not decided there. "
        "1 of them with errors" in page
    )
    assert (
        "1 game of standard chess: 0 ended by explosion, 1 by checkmate, 0 drawn on the board, 0 not decided there. "
        "None of them with errors" in page
    )


def test_a_report_holds_moves_and_no_pictures_of_positions() -> None:
    report = Report()
    for seed in range(20):
        report.add(random_game(seed))
    empty = len(page_of(Report()))
    assert (len(page_of(report)) - empty) / 20 < 7_000


def test_a_report_asks_for_nothing_from_elsewhere() -> None:
    page = page_of(Report())
    parsed = Parsed(page)
    for _, attributes in parsed.tags:
        assert not {"src", "href", "action", "onclick", "onload"} & set(attributes)
    assert "default-src 'none'" in page
    links = set(re.findall(r"https?://[^\s\"'`)]+", page))
    # Lichess is opened when a reader says so.
    assert {link.partition("$")[0] for link in links} <= {
        "http://www.w3.org/2000/svg",
        "https://lichess.org/analysis/",
    }


def test_games_beyond_the_limit_are_counted_and_said_to_be_missing() -> None:
    report = Report(max_games=2)
    for game in games():
        report.add(game)
    page = page_of(report)
    assert "The first 2 of 5 games are listed" in page
    (listed,) = [text for text in Parsed(page).scripts if text.startswith("[")]
    assert len(json.loads(listed)) == 2
    assert report.games == 5


def test_games_beyond_the_limit_are_not_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    report = Report(max_games=1)
    report.add(read(GAMES[0]))
    monkeypatch.setattr(replay, "encode_and_conclude", None)
    for game in games():
        report.add(game)
    assert (report.games, report.faulty) == (6, 1)


def test_an_empty_report_is_a_page() -> None:
    assert "0 games" in page_of(Report())


def hostile_report() -> Report:
    report = Report(HOSTILE)
    game = random_game(4)
    for name in replay.HEADERS:
        game.headers[name] = HOSTILE
    game.headers["White"] = HOSTILE * 20_000
    game.errors.append(ValueError(HOSTILE))
    for node in game.mainline():
        host.set_comment(node, host.comment(node) + HOSTILE)
    report.add(game)
    return report


def test_hostile_texts_do_not_leave_their_place() -> None:
    page = page_of(hostile_report())
    page.encode("utf-8")
    parsed = Parsed(page)
    clean = Report("x")
    clean.add(random_game(4))
    kinds = {(tag, *sorted(attributes)) for tag, attributes in parsed.tags}
    expected = {(tag, *sorted(attributes)) for tag, attributes in Parsed(page_of(clean)).tags}
    assert kinds <= expected | {("tr", "class", "data-kind", "id")}
    (data,) = [text for text in parsed.scripts if text.startswith("[")]
    assert json.loads(data)[0]["headers"]["Black"].startswith("<script>window.pwned=1</script>")


# --- In a browser -------------------------------------------------------------


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with chromium(width=1100, height=1000) as browser:
        yield browser


def show(driver: Any, report: Report, folder: Path, fragment: str = "") -> None:
    path = folder / "report.html"
    report.write(path)
    driver.get("about:blank")
    driver.get(path.as_uri() + fragment)


def five() -> Report:
    report = Report("Five games")
    for game in games():
        report.add(game)
    return report


def choose(driver: Any, name: str, text: str) -> None:
    from selenium.webdriver.support.select import Select

    Select(driver.find_element("css selector", f"#filters [name={name}]")).select_by_visible_text(text)


def visible(driver: Any) -> list[str]:
    return list(
        driver.execute_script(
            "return [...document.querySelectorAll('tbody tr[id]')].filter((r) => r.checkVisibility()).map((r) => r.id)"
        )
    )


def test_games_are_searched_filtered_and_sorted(driver: Any, tmp_path: Path) -> None:
    show(driver, five(), tmp_path)
    search = driver.find_element("id", "search")
    search.send_keys("zoe")
    assert visible(driver) == ["game-1", "game-2"]
    assert driver.find_element("id", "found").text == "2 of 5 games"
    search.send_keys(" exploded")
    assert visible(driver) == ["game-1"]
    search.clear()
    search.send_keys(" ")
    choose(driver, "kind", "checkmate")
    assert visible(driver) == ["game-5"]
    choose(driver, "kind", "any")
    choose(driver, "variant", "standard chess")
    assert visible(driver) == ["game-5"]
    choose(driver, "variant", "any")
    choose(driver, "errors", "with errors")
    assert visible(driver) == ["game-4"]
    choose(driver, "errors", "any")
    choose(driver, "result", "Draw")
    assert visible(driver) == ["game-3"]
    choose(driver, "result", "any")
    plies = driver.find_elements("css selector", "thead button")[5]
    plies.click()
    assert visible(driver)[0] == "game-3"
    plies.click()
    assert visible(driver)[0] == "game-1"
    assert driver.find_elements("css selector", "thead th")[5].get_attribute("aria-sort") == "descending"
    assert errors(driver) == []


def test_a_game_opens_in_the_viewer(driver: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    show(driver, five(), tmp_path)
    assert driver.find_elements("css selector", ".av") == []
    button = driver.find_element("css selector", "#game-1 button")
    button.send_keys(Keys.ENTER)
    assert button.get_attribute("aria-expanded") == "true"
    driver.switch_to.active_element.send_keys(Keys.END)
    assert driver.find_elements("css selector", ".av-burst")
    assert "the black king exploded on e8" in driver.find_element("css selector", ".av-caption").text
    button.send_keys(Keys.ENTER)
    assert driver.find_elements("css selector", ".av") == []
    assert errors(driver) == []


def test_missed_and_allowed_wins_have_columns_and_marks_to_jump_to(driver: Any, tmp_path: Path) -> None:
    report = Report("Given away")
    for text in (GAMES[1], '[Variant "Atomic"]\n\n1. Nf3 e6 2. e4 f6 3. Nc3 Nh6 *'):
        game = read(text)
        report.add(game, tactics.annotate(game))
    report.add(read(GAMES[3]))
    assert (report.missed, report.allowed) == (1, 1)
    show(driver, report, tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "1 wins by force were missed, 1 allowed without need." in page
    cells = (
        "return [...document.querySelectorAll('tbody tr[id]')]"
        ".map((row) => [...row.cells].slice(6).map((cell) => cell.textContent))"
    )
    assert driver.execute_script(cells) == [["0", "0"], ["1", "1"], ["", ""]]
    missed = driver.find_elements("css selector", "thead button")[6]
    assert missed.text == "Missed wins"
    missed.click()
    missed.click()
    assert visible(driver)[0] == "game-2"
    driver.find_element("css selector", "#game-2 button").click()
    for expected in ("allows a win in 2", "misses a win in 2"):
        driver.switch_to.active_element.send_keys("n")
        current = driver.find_element("css selector", "[aria-current]")
        assert "av-" in current.get_attribute("class")
        said = "return document.querySelector('[aria-current]').nextElementSibling.textContent"
        assert expected in driver.execute_script(said)
    assert not driver.find_element("css selector", "[aria-label^='Next mistake']").is_enabled()
    assert errors(driver) == []


def test_columns_that_no_game_fills_are_left_out(driver: Any, tmp_path: Path) -> None:
    show(driver, five(), tmp_path)
    headings = [cell.text for cell in driver.find_elements("css selector", "#table thead th")]
    assert headings == ["No.", "White", "Black", "Result", "How it ended", "Plies"]


def test_an_address_names_a_game(driver: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    show(driver, five(), tmp_path, "#game-4")
    assert len(driver.find_elements("css selector", ".av")) == 1
    driver.find_element("css selector", ".av").send_keys(Keys.END)
    assert "cannot pass" in driver.find_element("css selector", ".av-caption").text
    assert errors(driver) == []


def test_an_address_names_a_ply_and_survives_reload_and_the_back_button(driver: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    current = "return document.querySelector('[aria-current]')?.dataset.node"
    show(driver, five(), tmp_path, "#game-1-ply-5")
    assert driver.execute_script(current) == "5"
    driver.find_element("css selector", ".av").send_keys(Keys.ARROW_LEFT)
    assert driver.current_url.endswith("#game-1-ply-4")
    driver.refresh()
    assert driver.execute_script(current) == "4"
    driver.find_element("css selector", "#game-5 button").click()
    assert driver.current_url.endswith("#game-5")
    driver.back()
    assert driver.current_url.endswith("#game-1-ply-4")
    assert driver.execute_script(current) == "4"
    assert errors(driver) == []


def test_a_report_on_one_game_opens_it(driver: Any, tmp_path: Path) -> None:
    report = Report("One")
    report.add(read(GAMES[0]))
    show(driver, report, tmp_path)
    assert len(driver.find_elements("css selector", ".av")) == 1
    assert errors(driver) == []


def test_nothing_hostile_runs(driver: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    show(driver, hostile_report(), tmp_path, "#game-1")
    driver.find_element("css selector", ".av").send_keys(Keys.END)
    time.sleep(0.5)
    assert driver.execute_script("return window.pwned") is None
    assert driver.execute_script("return document.querySelectorAll('img, iframe, a').length") == 0
    assert driver.execute_script("return document.querySelectorAll('script').length") == 2
    assert "<script>window.pwned=1</script>" in driver.find_element("css selector", "h1").text
    assert errors(driver) == []


def test_the_policy_stops_what_would_get_through(driver: Any, tmp_path: Path) -> None:
    report = five()
    path = tmp_path / "report.html"
    report.write(path)
    page = path.read_text(encoding="utf-8")
    attack = "<img src=x onerror='window.pwned=1'><script>window.pwned=2</script>"
    path.write_text(page.replace("<main>", f"<main>{attack}"), encoding="utf-8")
    driver.get(path.as_uri())
    assert driver.execute_script("return window.pwned") is None
    assert any("Content Security Policy" in message for message in errors(driver))


def test_a_phone_shows_everything_without_scrolling_sideways(driver: Any, tmp_path: Path) -> None:
    metrics = {"width": 360, "height": 780, "deviceScaleFactor": 2, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        show(driver, five(), tmp_path, "#game-1")
        assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        cells = "return [...document.querySelectorAll('#game-1 td')].every((c) => c.getBoundingClientRect().width > 50)"
        assert driver.execute_script(cells)
        board = driver.find_element("css selector", ".av-board").rect
        assert board["width"] > 300
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert errors(driver) == []


def test_print_has_the_plots_and_the_table_and_no_controls(driver: Any, tmp_path: Path) -> None:
    show(driver, five(), tmp_path, "#game-1")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        shown = "return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility()).length"
        assert driver.execute_script(shown, ".bars svg") > 5
        assert driver.execute_script(shown, "tbody tr[id]") == 5
        assert driver.execute_script(shown, ".search, .av-controls, .av-curve") == 0
        # Chromium does not repeat a head on each page that holds the box of a control.
        boxes = "return [...document.querySelectorAll('.games > thead *')].map((e) => getComputedStyle(e).display)"
        assert "inline-block" not in driver.execute_script(boxes)
    finally:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_the_bars_are_as_long_as_the_counts(driver: Any, tmp_path: Path) -> None:
    report = Report()
    for _ in range(3):
        report.add(read(GAMES[0]))
    report.add(read(GAMES[4]))
    show(driver, report, tmp_path)
    bars = driver.find_elements("css selector", ".bars")[0].find_elements("css selector", "tr")
    widths = {
        bar.find_element("css selector", "th").text: bar.find_element("css selector", "rect").rect for bar in bars
    }
    assert widths["explosion"]["width"] == pytest.approx(3 * widths["checkmate"]["width"], rel=0.05)


def test_a_thousand_games_open_at_once(driver: Any, tmp_path: Path) -> None:
    report = Report()
    encoded = [pgn.Game.from_board(random_board(AtomicBoard(), 60, seed)) for seed in range(20)]
    for number in range(1000):
        report.add(encoded[number % 20])
    show(driver, report, tmp_path, "#game-1000")
    assert len(driver.find_elements("css selector", ".av")) == 1
    # No position but the one that is shown has been worked out.
    assert driver.execute_script("return document.querySelectorAll('svg.av-board').length") == 1
    assert (tmp_path / "report.html").stat().st_size < 4_000_000
    assert errors(driver) == []


def many(count: int) -> Report:
    report = Report("Many")
    made = [pgn.Game.from_board(random_board(AtomicBoard(), 60, seed)) for seed in range(20)]
    for number in range(count):
        game = made[number % 20]
        game.headers["White"] = f"Player {number * 7919 % count}"
        game.headers["WhiteElo"] = str(1000 + number % 1500)
        game.headers["Opening"] = f"Opening {number % 13}"
        report.add(game)
    return report


def test_a_sort_and_a_keystroke_among_five_thousand_games_are_felt_at_once(driver: Any, tmp_path: Path) -> None:
    show(driver, many(5000), tmp_path)
    assert len(visible(driver)) == 100
    # Until the page is laid out again; of several, the quickest, as other programs run too.
    act = (
        "const start = performance.now(); arguments[0](); document.body.getBoundingClientRect();"
        "return performance.now() - start"
    )
    sort = act.replace("arguments[0]()", "document.querySelectorAll('thead button')[1].click()")
    key = act.replace(
        "arguments[0]()",
        "const s = document.getElementById('search'); s.value += '1';"
        "s.dispatchEvent(new Event('input', {bubbles: true}))",
    )
    assert min(driver.execute_script(sort) for _ in range(4)) < 300
    assert min(driver.execute_script(key) for _ in range(3)) < 300
    assert errors(driver) == []


def test_pages_are_turned_and_an_address_finds_its_page(driver: Any, tmp_path: Path) -> None:
    show(driver, many(250), tmp_path)
    forth = driver.find_elements("css selector", "#pager button")[1]
    forth.click()
    forth.click()
    assert visible(driver) == [f"game-{number}" for number in range(201, 251)]
    assert not forth.is_enabled()
    driver.find_element("id", "search").send_keys("no such player")
    assert visible(driver) == []
    driver.execute_script("location.hash = '#game-130-ply-3'")
    driver.refresh()
    assert visible(driver)[0] == "game-101"
    assert driver.execute_script("return document.querySelector('[aria-current]').dataset.node") == "3"
    assert errors(driver) == []


def test_games_follow_each_other_and_escape_closes(driver: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    show(driver, five(), tmp_path, "#game-1")
    driver.find_element("css selector", ".av").send_keys("]")
    assert driver.current_url.endswith("#game-2")
    shown = "return [...document.querySelectorAll('tr.game')].map((row) => row.previousElementSibling.id)"
    assert driver.execute_script(shown) == ["game-2"]
    driver.find_element("css selector", ".av").send_keys("[")
    assert driver.execute_script(shown) == ["game-1"]
    driver.find_element("css selector", ".av").send_keys(Keys.ESCAPE)
    assert driver.execute_script(shown) == []
    assert driver.switch_to.active_element.get_attribute("aria-label") == "Show game 1"
    assert errors(driver) == []


def test_a_broken_game_opens_where_it_breaks_with_line_and_reason(driver: Any, tmp_path: Path) -> None:
    show(driver, five(), tmp_path, "#game-4")
    caption = driver.find_element("css selector", ".av-caption").text
    assert "Line 5 of the file: " in caption
    assert "cannot pass" in caption
    fault = driver.find_element("css selector", ".av-fault")
    assert fault.text == "Bxd7"
    before = "return document.querySelector('.av-fault').previousElementSibling.dataset.node"
    assert driver.execute_script(before) == driver.execute_script(
        "return document.querySelector('[aria-current]').dataset.node"
    )


def test_the_games_that_fit_are_saved(driver: Any, tmp_path: Path) -> None:
    import csv

    report = five()
    game = read(GAMES[1].replace("Cid", "=cmd()"))
    report.add(game)
    show(driver, report, tmp_path)
    driver.execute_script(
        "window.saved = {}; URL.createObjectURL = (blob) => {"
        "blob.text().then((t) => { window.saved[blob.type] = t; });"
        "return 'about:blank#'; }; HTMLAnchorElement.prototype.click = () => {}"
    )
    driver.find_element("id", "search").send_keys("zoe")
    driver.find_element("id", "pgn").click()
    driver.find_element("id", "csv").click()
    deadline = time.monotonic() + 5
    while len(saved := driver.execute_script("return window.saved")) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    again = list(pgn.read_games(io.StringIO(saved["application/x-chess-pgn"])))
    assert [len(list(game.mainline())) for game in again] == [7, 2, 2]
    assert all(game.errors == [] for game in again)
    rows = list(csv.DictReader(io.StringIO(saved["text/csv"].lstrip("\ufeff"))))
    assert [row["white"] for row in rows] == ["Zoe", "Cid", "'=cmd()"]
    assert [row["plies"] for row in rows] == ["7", "2", "2"]


def test_explosions_are_counted_on_their_squares_for_the_games_that_fit(driver: Any, tmp_path: Path) -> None:
    show(driver, five(), tmp_path)
    said = "return document.querySelector('.heat').getAttribute('aria-label')"
    assert driver.execute_script(said) == "Most explosions: d8 1"
    caption = driver.find_element("css selector", "#heat figcaption").text
    assert caption.endswith("of atomic and standard chess together")
    driver.find_element("id", "search").send_keys("hal")
    assert driver.execute_script(said) == "Most explosions: none"


def test_no_result_is_hatched_and_told_from_every_colour(driver: Any, tmp_path: Path) -> None:
    show(driver, five(), tmp_path)
    fills = driver.execute_script(
        "return [...document.querySelectorAll('.bars')].map((plot) =>"
        "[...new Set([...plot.querySelectorAll('rect')].map((bar) => bar.getAttribute('fill')))].sort())"
    )
    assert fills == [["#262626", "#9a9a9a", "#f4f1ea", "url(#hatch)"]] * 2
    assert driver.execute_script("return document.querySelectorAll('pattern#hatch path').length") == 1


def test_a_phone_sorts_without_headings(driver: Any, tmp_path: Path) -> None:
    metrics = {"width": 360, "height": 780, "deviceScaleFactor": 2, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        show(driver, many(40), tmp_path)
        assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        choose(driver, "order", "White's rating")
        driver.find_element("css selector", "[name=down]").click()
        assert visible(driver)[0] == "game-40"
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_an_open_game_is_printed_with_its_last_explosion(driver: Any, tmp_path: Path) -> None:
    show(driver, five(), tmp_path, "#game-1")
    current = "return document.querySelector('[aria-current]')?.dataset.node"
    driver.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert driver.execute_script(current) == "7"
    driver.execute_script("dispatchEvent(new Event('afterprint'))")
    assert driver.execute_script(current) is None
