"""What is written comes back as one value: no header and no comment becomes another header or game."""

import csv
import io
import json

import chess.pgn
import pytest

from atomic_variant import AtomicBoard, host, pgn
from atomic_variant.__main__ import main
from atomic_variant.text import csv_text

VALUES = [
    'a"] [FEN "8/8/8/8/8/8/8/KQk5 w - - 0 1',
    'a"][Variant "Chess',
    'a"]',
    '"',
    'a"',
    "a\\",
    'a\\"',
    'a\\"] [Round "3',
    "[Event",
    "a] {b} (c) ; d",
    "% a",
    "1. e4 *",
    "=1+1",
]
BROKEN = ['a"]\n[Variant "Chess', 'a"]\r\n[Round "3', "a\rb", "a\n\n1. d4 *", "a\n", 'a\n\n[Event "b']
COMMENTS = [
    'pasted:\n\n[Event "y"]\n[White "z"]\n\n1. d4 *',
    'pasted:\r\n\r\n[Event "y"]\r\n\r\n1. d4 *',
    'a\n\n[Event "y"]\n\n{ b',
    'a { b\n\n[Event "y"]\n\n1. d4 { c',
    '[Event "y"]\n\n1. d4 *',
    "a\n% b",
    "a ; b\n1. d4",
    "a } 2. d4 { b",
    "a\n\n\n\n1. d4 1-0\n\n1. c4 *",
    "[%eval 1.0]\n[%clk 0:01:00]",
]


def made() -> pgn.Game:
    board = AtomicBoard()
    board.push_san("e4")
    board.push_san("e5")
    return pgn.Game.from_board(board)


def read_by_all(text):
    """The only game in *text*, as each reader has it; python-chess's too."""
    [game] = pgn.read_games(io.StringIO(text))
    [record] = pgn.scan(io.StringIO(text), comments=True)
    handle = io.StringIO(text)
    other, after = pgn.read_game(handle), pgn.read_game(handle)
    assert after is None
    assert str(other) == str(game)
    assert record.moves == list(game.mainline_moves())
    assert dict(record.headers).items() <= dict(game.headers).items()
    handle = io.StringIO(text)
    stock, after = chess.pgn.read_game(handle), chess.pgn.read_game(handle)
    assert after is None
    assert list(stock.mainline_moves()) == record.moves
    assert dict(stock.headers) == dict(game.headers)
    return game


def words(text):
    return " ".join(text.split())


def without_braces(text):
    """The words of a comment; python-chess leaves out the braces that end it, or all of them."""
    return words(text.replace("{", "").replace("}", ""))


@pytest.mark.parametrize("tag", ["White", "Event", "Annotator", "Site"])
@pytest.mark.parametrize("value", VALUES)
def test_a_value_of_a_header_comes_back_as_it_was(tag, value):
    game = made()
    game.headers[tag] = value
    again = read_by_all(str(game))
    assert again.headers[tag] == value
    assert set(again.headers) == set(game.headers)
    assert [move.uci() for move in again.mainline_moves()] == ["e2e4", "e7e5"]
    assert not again.errors


@pytest.mark.parametrize("value", BROKEN)
def test_a_value_with_line_ends_is_written_on_one_line(value):
    game = made()
    game.headers["White"] = value
    again = read_by_all(str(game))
    assert words(again.headers["White"]) == words(value)
    assert set(again.headers) == set(game.headers)
    assert game.headers["White"] == value


@pytest.mark.parametrize("comment", COMMENTS)
def test_a_comment_stays_a_comment(comment):
    game = made()
    host.set_comment(game.variations[0], comment)
    again = read_by_all(str(game))
    assert [move.uci() for move in again.mainline_moves()] == ["e2e4", "e7e5"]
    assert without_braces(host.comment(again.variations[0])) == without_braces(comment)


def test_a_comment_of_some_lines_keeps_them():
    game = made()
    host.set_comment(game.variations[0], "first\nsecond")
    assert host.comment(read_by_all(str(game)).variations[0]) == "first\nsecond"


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_pasted_game_in_a_closed_comment_is_no_game(ends):
    text = '[Variant "Atomic"]\n\n1. e4 { pasted:\n\n[Event "y"]\n[White "z"]\n\n1. d4 * } e5 2. d4 *\n\n'
    text += '[Event "b"]\n[Variant "Atomic"]\n\n1. c4 { x } *\n'
    first, second = pgn.scan(io.StringIO(text.replace("\n", ends)))
    assert [move.uci() for move in first.moves] == ["e2e4", "e7e5", "d2d4"]
    assert (second.line, [move.uci() for move in second.moves]) == (10, ["c2c4"])
    assert not first.errors
    assert not second.errors


def test_a_game_that_ends_on_the_line_of_such_a_comment_is_one_for_every_reader():
    text = '[Variant "Atomic"]\n\n1. e4 { a\n\n[Event "y"]\n\n1. d4 * } e5 1-0 1. c4 c5 *\n\n[Event "b"]\n\n1. f4 *\n'
    handle = io.StringIO(text)
    one_by_one = list(iter(lambda: pgn.read_game(handle), None))
    at_once = list(pgn.read_games(io.StringIO(text)))
    assert list(map(str, one_by_one)) == list(map(str, at_once))
    assert [(game.number, game.line) for game in one_by_one] == [(game.number, game.line) for game in at_once]
    assert len(at_once) == 3


@pytest.mark.parametrize("later", ["1. c4 { x } *", "1. c4 *", "1. c4 } *"])
def test_a_comment_that_is_never_closed_still_ends_before_the_next_game(later):
    game = f'[Event "b"]\n[Variant "Atomic"]\n\n{later}\n\n'
    text = f'[Event "a"]\n[Variant "Atomic"]\n\n1. e4 {{ open\n\n{game}{game}'
    handle = io.StringIO(text)
    one_by_one = list(iter(lambda: pgn.read_game(handle), None))
    for games in (list(pgn.scan(io.StringIO(text))), list(pgn.read_games(io.StringIO(text))), one_by_one):
        if "}" in later and "{" not in later:  # What looks like its end is taken for it.
            assert len(games) == 2
            continue
        assert [(game.number, game.line) for game in games] == [(1, 1), (2, 6), (3, 11)]
        assert [error.reason for error in games[0].errors] == ["the comment is never closed"]
        assert not games[1].errors


def test_after_a_comment_left_open_the_handle_stands_before_the_next_game():
    game = '[Event "b"]\n[Variant "Atomic"]\n\n1. c4 { x } *\n\n'
    handle = io.StringIO(f'[Event "a"]\n\n1. e4 {{ open\n\n{game}{game}')
    pgn.read_game(handle)
    assert chess.pgn.read_game(handle).headers["Event"] == "b"


@pytest.mark.parametrize("command", ["convert", "json"])
def test_what_convert_writes_is_read_back_as_it_was(command, tmp_path):
    game = made()
    for number, value in enumerate(VALUES):
        game.headers[f"Tag{number}"] = value
    for node, comment in zip(game.mainline(), [COMMENTS[0], COMMENTS[2]], strict=True):
        host.set_comment(node, comment)
    source, target = tmp_path / "a.pgn", tmp_path / ("b.pgn" if command == "convert" else "b.jsonl")
    source.write_text(f"{game}\n\n", encoding="utf-8")
    assert main(["convert", str(source), "-o", str(target)]) == 0
    text = target.read_text(encoding="utf-8")
    if command == "json":
        [line] = text.splitlines()
        assert set(VALUES) <= set(json.loads(line)["headers"].values())
    else:
        again = read_by_all(text)
        assert [again.headers[f"Tag{number}"] for number in range(len(VALUES))] == VALUES


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "\tx"])
def test_no_name_becomes_a_formula(name, tmp_path):
    moves = "1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. a3 a6 5. Nxd8# 1-0"
    path, table = tmp_path / "a.pgn", tmp_path / "a.csv"
    path.write_text(f'[White "{name}"]\n[Black "{name}"]\n[Variant "Atomic"]\n\n{moves}\n')
    main(["tactics", str(path), "--csv", str(table)])
    cells = [cell for row in csv.reader(io.StringIO(table.read_text())) for cell in row]
    assert csv_text(name) in cells
    assert not any(cell[:1] in "=+@\t" for cell in cells if cell)
