"""Puzzles: one way to win, from real games, in every form they are written."""

import concurrent.futures
import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

from atomic_variant import AtomicBoard, kernel_active, pgn, tactics
from atomic_variant.tactics import _puzzle_files as files
from atomic_variant.tactics._puzzle_page import write_page
from atomic_variant.tactics._themes import themes

from ..support import browser
from ..support.clusters import dask_executor
from ..tools.compare_tactics import GAMES
from .reference import lengths_of_wins

TRAP = '[Variant "Atomic"]\n[Site "https://lichess.org/abcdefgh"]\n\n1. Nf3 e6 2. e4 f6 *\n\n'


@pytest.fixture(scope="module")
def found() -> list[tactics.Puzzle]:
    if not kernel_active():
        pytest.skip("takes minutes in Python")
    return list(tactics.puzzles(str(GAMES), (1, 3)))


def test_every_move_of_the_solver_but_the_last_is_the_only_one_that_wins(found):
    assert {puzzle.moves for puzzle in found} == {1, 2, 3}
    for puzzle in found:
        board = puzzle.board()
        solver = board.turn
        for ply, move in enumerate(puzzle.line):
            left = puzzle.moves - ply // 2
            assert board.outcome() is None
            if ply % 2:
                held = board.copy()
                held.push(move)
                assert tactics.find_win(held, left - 1).moves == left - 1
            elif left > 1:
                assert list(tactics.winning_moves(board, 3)) == [move]
            board.push(move)
        assert board.outcome().winner == solver


def test_short_puzzles_are_those_of_brute_force(found):
    boards = [puzzle.board() for puzzle in found if puzzle.moves == 2]
    lines = {board.fen(): puzzle.line for puzzle in found for board in [puzzle.board()]}
    for board in sorted(boards, key=lambda board: board.legal_moves.count())[:1]:
        lengths = lengths_of_wins(board, 2)
        assert [move for move, moves in lengths.items() if moves] == [lines[board.fen()][0]]


def test_puzzles_stand_in_their_games(found):
    records = {record.number: record for record in pgn.scan(str(GAMES))}
    for puzzle in found:
        record = records[puzzle.game]
        board = record.board()
        for move in record.moves[: puzzle.ply]:
            board.push(move)
        assert board.fen() == puzzle.fen
        assert board.move_stack[-1] == puzzle.led
        assert puzzle.board().fen() == puzzle.fen
        assert puzzle.headers == record.headers


def test_a_position_is_given_once(found):
    [puzzle] = tactics.puzzles(io.StringIO(TRAP * 3), (1, 2))
    assert puzzle.game == 1
    placements = [puzzle.fen.rsplit(" ", 2)[0] for puzzle in found]
    assert len(placements) == len(set(placements))


def test_the_rest_of_a_solution_that_was_played_is_no_puzzle():
    played = '[Variant "Atomic"]\n\n1. Nf3 e6 2. Ne5 Ne7 3. Nxf7 1-0\n'
    [puzzle] = tactics.puzzles(io.StringIO(played), (1, 2))
    assert puzzle.moves == 2


def test_puzzles_come_from_several_threads_in_the_same_order(found):
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        assert list(tactics.puzzles(str(GAMES), (1, 3), executor=executor)) == found


@pytest.mark.slow
def test_puzzles_and_tables_come_from_a_cluster_of_dask(found):
    with dask_executor() as executor:
        # As text, since the other machines of a cluster need not have the file.
        text = GAMES.read_text(encoding="utf-8")
        assert list(tactics.puzzles(io.StringIO(text), (1, 3), executor=executor)) == found
        assert list(tactics.table(str(GAMES), executor=executor)) == list(tactics.table(str(GAMES)))


@pytest.mark.parametrize("moves", [(0, 2), (3, 2), (1, 51)])
def test_ranges_that_are_none_are_refused(moves):
    with pytest.raises(ValueError, match="range"):
        next(tactics.puzzles(io.StringIO(TRAP), moves))


# --- Themes ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "line", "keys"),
    [
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 30", "g1g7", {"mate", "mateIn1", "oneMove", "endgame"}),
        ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 20", "e5d6", {"enPassant", "endgame"}),
        ("8/5k2/8/8/8/8/6r1/4K2R w K - 0 20", "e1g1", {"castling", "discoveredCheck"} - {"discoveredCheck"}),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 40", "a7a8q", {"promotion", "quietMove"} - {"quietMove"}),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 40", "a7a8n", {"underPromotion", "quietMove"}),
        ("8/8/8/3kK3/8/8/8/R7 w - - 0 40", "a1a2", {"kingsTouching", "quietMove"}),
        ("4k3/4p3/8/8/8/8/4r3/R3K3 w - - 0 40", "a1a2", {"ownKingInCheck"}),
        ("4k3/3ppp2/8/4N3/8/8/8/4R1K1 w - - 0 40", "e5d7", {"explosion", "explosionIn1"}),
    ],
)
def test_a_theme_says_what_happens(fen, line, keys):
    board = AtomicBoard(fen)
    found = set(themes(board, [chess.Move.from_uci(move) for move in line.split()]))
    assert keys <= found
    special = {"castling", "enPassant", "promotion", "underPromotion", "kingsTouching", "ownKingInCheck"}
    assert found & special == keys & special


# --- Files ----------------------------------------------------------------------


def test_the_table_has_the_columns_of_lichess_and_can_be_replayed(found):
    out = io.StringIO()
    assert files.write_csv(found, out) == len(found)
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    assert out.getvalue().splitlines()[0] == (
        "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags"
    )
    assert len({row["PuzzleId"] for row in rows}) == len(found)
    for row, puzzle in zip(rows, found, strict=True):
        assert len(row["PuzzleId"]) == 5
        board = AtomicBoard(row["FEN"])
        moves = row["Moves"].split()
        assert len(moves) == 2 * puzzle.moves
        for uci in moves:
            board.push_uci(uci)
        assert board.outcome().winner != board.turn
        assert row["Themes"].split() == sorted(puzzle.themes)


def test_the_address_of_a_game_is_that_of_lichess():
    [puzzle] = tactics.puzzles(io.StringIO(TRAP), (1, 2))
    assert files.game_url(puzzle) == "https://lichess.org/abcdefgh/black#2"
    [other] = tactics.puzzles(io.StringIO(TRAP.replace("https://lichess.org/abcdefgh", "=cmd|evil")), (1, 2))
    assert files.game_url(other) == ""


def test_chapters_of_a_study_read_back_and_say_what_to_do(found):
    texts = list(files.studies(found))
    chapters = [game for text in texts for game in pgn.read_games(io.StringIO(text))]
    assert len(chapters) == len(found)
    for text in texts:
        assert len(text) <= files.STUDY_SIZE
        assert text.count("[ChapterName ") <= files.STUDY_CHAPTERS
    for number, (chapter, puzzle) in enumerate(zip(chapters, found, strict=True), 1):
        assert not chapter.errors
        assert list(chapter.mainline_moves()) == puzzle.line
        side = "white" if chapter.board().turn else "black"
        assert chapter.headers["Orientation"] == side
        assert chapter.headers["ChapterName"] == f"{number}. {side.capitalize()} wins in {puzzle.moves}"
        assert chapter.headers["Variant"] == "Atomic"


def test_hostile_headers_stay_text(tmp_path):
    hostile = TRAP.replace("[Variant", '[White "</script><script>alert(1)</script>\x1b[2J"]\n[Variant')
    found = list(tactics.puzzles(io.StringIO(hostile), (1, 2)))
    page = io.StringIO()
    write_page(found, page, "</title><script>")
    assert page.getvalue().count("<script") == 2
    assert "\x1b" not in page.getvalue()
    [chapter] = pgn.read_games(io.StringIO("".join(files.studies(found))))
    assert "\x1b" not in str(chapter)
    assert list(chapter.mainline_moves()) == found[0].line


def test_a_page_without_puzzles_is_a_page():
    page = io.StringIO()
    assert write_page([], page) == 0
    assert "no puzzles" in page.getvalue()


# --- The page in a browser --------------------------------------------------------


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    path: Path = tmp_path_factory.mktemp("puzzles") / "page.html"
    with path.open("w", encoding="utf-8") as out:
        write_page(tactics.puzzles(io.StringIO(TRAP), (2, 2)), out, "A trap")
    with browser.chromium() as chromium:
        chromium.get(path.as_uri())
        yield chromium


def click(driver: Any, square: str) -> None:
    by = pytest.importorskip("selenium.webdriver.common.by").By
    actions = pytest.importorskip("selenium.webdriver").ActionChains
    board = driver.find_element(by.CSS_SELECTOR, ".av-board")
    size = board.rect["width"]
    unit = size / 390  # The drawing has a margin of 15 around squares of 45.
    x = 15 + 45 * ("abcdefgh".index(square[0]) + 0.5)
    y = 15 + 45 * (8 - int(square[1]) + 0.5)
    actions(driver).move_to_element_with_offset(board, x * unit - size / 2, y * unit - size / 2).click().perform()


def wait_for(driver: Any, text: str) -> None:
    ui = pytest.importorskip("selenium.webdriver.support.ui")
    ui.WebDriverWait(driver, 10).until(lambda driver: text in driver.find_element("css selector", ".av-caption").text)


def test_a_puzzle_is_solved_by_clicking_and_a_wrong_move_is_refuted(driver):
    wait_for(driver, "White to move wins in 2")
    click(driver, "f3")
    click(driver, "g5")
    wait_for(driver, "Ng5 does not win:")
    moves = driver.find_element("css selector", ".av-moves").text
    assert moves.startswith("1... e6 2. Ng5 ")
    click(driver, "b1")  # Nothing can be moved before the wrong move is taken back.
    driver.find_element("css selector", '[aria-label="Take back"]').click()
    wait_for(driver, "White to move wins in 2")
    click(driver, "f3")
    click(driver, "e5")
    wait_for(driver, "Ne5 is right. Go on.")
    click(driver, "e5")
    click(driver, "f7")
    wait_for(driver, "Nxf7#: solved!")
    assert driver.find_element("id", "score").text == "1 of 1 solved"
    assert not browser.errors(driver)
