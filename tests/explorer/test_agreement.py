"""The explorer counts what a plain dictionary counts that python-chess alone fills, on its own board."""

import collections
import concurrent.futures
import io
import random

import chess
import chess.pgn
import chess.polyglot
import chess.variant
import pytest

from atomic_variant import AtomicBoard, explorer
from atomic_variant.explorer._rows import BANDS, SPEEDS

pytest.importorskip("numpy")

PLIES = 24
RESULTS = ["1-0", "0-1", "1/2-1/2", "*"]
CONTROLS = [("60+0", "bullet"), ("180+2", "blitz"), ("300+3", "blitz"), ("600+0", "rapid"), ("-", "correspondence"),
            ("15+0", "ultrabullet"), ("1800+20", "classical"), ("?", None)]  # fmt: skip
DATES = ["2026.07.01", "2026.08.31", "2026.08.??", "????.??.??"]
# Castling on both sides, pawns that pass others, knights that go and come back.
FORCED = [
    "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4",
    "Nf3 f6 e3 e6 Ng1 Nh6 Nf3 Ng8 Be2 Bd6 O-O",
    "e4 Nf6 e5 d5 exd6",
    "a4 h5 a5 b5 h3 h4 g4 hxg3",
    "d3 d6 Be3 Be6 Nc3 Nc6 Qd2 Qd7 O-O-O O-O-O Kb1 Kb8",
    "Nc3 Nf6 Nf3 Nc6 e4 d5 e5",
    "Nf3 Nc6 Nc3 Nf6 e4 d5 e5",
]


def make_games(count, seed):
    """Texts of games, a few openings far more often than the rest."""
    chance = random.Random(seed)
    for number in range(count):
        board, sans = chess.variant.AtomicBoard(), []
        wish = chance.choice(FORCED).split() if chance.random() < 0.3 else []
        while len(sans) < 30 and not board.is_variant_end():
            try:
                move = board.parse_san(wish[len(sans)])
            except (ValueError, IndexError):
                wish = []
                # In the opening the first ones come far more often.
                moves = list(board.generate_pseudo_legal_moves())
                skewed = min(int(chance.expovariate(0.6)), len(moves) - 1)
                moves = [*moves[skewed:], *moves[:skewed]] if len(sans) < 14 else chance.sample(moves, len(moves))
                move = next(filter(board.is_legal, moves), None)
            if move is None:
                break
            sans.append(board.san(move))
            board.push(move)
        elos = [chance.choice(["?", "0", str(chance.randrange(800, 2900))]) for _ in range(2)]
        if chance.random() < 0.8:
            elos = [str(chance.randrange(900, 2700)) for _ in range(2)]
        control = chance.choice(CONTROLS)[0]
        result = chance.choice(RESULTS)
        headers = {
            "Event": f"Game {number}", "Site": f"site {number}", "White": f"W{number}", "Black": f"B{number}",
            "Result": result, "UTCDate": chance.choice(DATES), "WhiteElo": elos[0], "BlackElo": elos[1],
            "TimeControl": control, "Variant": "Atomic",
        }  # fmt: skip
        head = "".join(f'[{name} "{value}"]\n' for name, value in headers.items())
        yield f"{head}\n{' '.join(sans)} {result}\n\n"


def elo(text):
    return int(text) if text.isdigit() and int(text) else 0


def count_plainly(text, plies=PLIES, min_games=2):
    """What the table should hold, by a dictionary and the board of python-chess."""
    rows = {}
    games_of_key = collections.Counter()
    handle = io.StringIO(text)
    number = 0
    while (game := chess.pgn.read_game(handle)) is not None:
        number += 1
        headers = game.headers
        assert not game.errors
        assert type(game.board()) is chess.variant.AtomicBoard
        year, month, _ = headers["UTCDate"].split(".")
        when = int(year) * 100 + int(month) if year.isdigit() else 0
        speed = dict(CONTROLS)[headers["TimeControl"]]
        ratings = [elo(headers["BlackElo"]), elo(headers["WhiteElo"])]
        band = sum(2 * low <= sum(ratings) for low in BANDS) if all(ratings) else 0
        board, seen = game.board(), set()
        for move in list(game.mainline_moves())[:plies]:
            key = chess.polyglot.zobrist_hash(board)
            if key not in seen:
                seen.add(key)
                games_of_key[key] += 1
                told = board._to_chess960(move)
                group = key, told.uci(), when, band, SPEEDS.index(speed) + 1 if speed else 0
                row = rows.setdefault(group, collections.Counter())
                row["games"] += 1
                won, lost = ("1-0", "0-1") if board.turn else ("0-1", "1-0")
                result = headers["Result"]
                row["wins"] += result == won
                row["draws"] += result == "1/2-1/2"
                row["losses"] += result == lost
                if all(ratings) and result != "*":
                    row["rated"] += 1
                    row["points"] += 2 * (result == won) + (result == "1/2-1/2")
                    row["own"] += ratings[board.turn]
                    row["other"] += ratings[not board.turn]
                row["last"] = number
                strength = sum(ratings) if all(ratings) else 0
                if not row["best"] or strength > row["best_rating"]:
                    row["best"], row["best_rating"] = number, strength
            board.push(move)
    return {
        (*group, *(row[name] for name in NUMBERS)) for group, row in rows.items() if games_of_key[group[0]] >= min_games
    }


NUMBERS = ("games", "wins", "draws", "losses", "rated", "points", "own", "other", "last", "best", "best_rating")


def table(book):
    """The table of a file, in the same form; games by the number in their names."""
    number = {row[0]: int(row[1].split("\t")[0][1:]) + 1 for row in book._ask("SELECT id, text FROM games", [])}
    rows = set()
    for key, code, *rest in book._ask("SELECT * FROM moves", []):
        move = chess.Move(code & 63, code >> 6 & 63, code >> 12 or None)
        *counts, last, best, best_rating = rest
        rows.add((key & 2**64 - 1, move.uci(), *counts, number[last], number[best], best_rating))
    return rows


def compare(count, tmp_path, **options):
    text = "".join(make_games(count, seed=count))
    (tmp_path / "games.pgn").write_text(text, encoding="utf-8")
    explorer.build(tmp_path / "games.pgn", tmp_path / "book.db", plies=PLIES, **options)
    expected = count_plainly(text)
    with explorer.open(tmp_path / "book.db") as book:
        found = table(book)
    assert found == expected
    return found, text


def test_every_row_is_that_of_a_dictionary_on_the_board_of_python_chess(tmp_path):
    found, _ = compare(250, tmp_path)
    moves = {row[1] for row in found}
    assert {"e1h1", "e1a1", "e8a8", "e5d6", "h4g3"} <= moves  # What could have gone wrong did come up.


@pytest.mark.slow
def test_every_row_of_ten_thousand_games_is_that_of_a_dictionary(tmp_path):
    found, _ = compare(10_000, tmp_path)
    assert len(found) > 20_000


def test_processes_count_the_same_as_threads(tmp_path):
    with concurrent.futures.ProcessPoolExecutor(2) as executor:
        compare(100, tmp_path, executor=executor)


def test_months_joined_are_the_months_counted_together(tmp_path):
    texts = list(make_games(150, seed=5))
    whole = "".join(texts)
    for name, part in (("a", texts[:60]), ("b", texts[60:70]), ("c", texts[70:])):
        explorer.build(io.StringIO("".join(part)), tmp_path / f"{name}.db", plies=PLIES, min_games=1)
    merged = explorer.merge([tmp_path / f"{name}.db" for name in "abc"], tmp_path / "all.db", min_games=2)
    with explorer.open(tmp_path / "all.db") as book:
        assert table(book) == count_plainly(whole)
        named = {number for row in book._ask("SELECT last, best FROM moves", []) for number in row}
        assert named == {row[0] for row in book._ask("SELECT id FROM games", [])}  # No other game takes room.
    assert merged == 150


def test_without_the_kernel_the_rows_are_the_same(tmp_path, monkeypatch):
    from atomic_variant.explorer import _rows

    monkeypatch.setattr(_rows, "kernel", None)
    compare(60, tmp_path)


def test_the_keys_are_those_that_polyglot_gives_boards(tmp_path):
    text = "".join(make_games(50, seed=3))
    explorer.build(io.StringIO(text), tmp_path / "book.db", min_games=1)
    with explorer.open(tmp_path / "book.db") as book:
        game = chess.pgn.read_game(io.StringIO(text))
        ours, stock = AtomicBoard(), chess.variant.AtomicBoard()
        for move in game.mainline_moves():
            assert [row.move for row in book.moves(ours)] == [row.move for row in book.moves(stock)]
            assert move in [row.move for row in book.moves(ours)]
            ours.push(move)
            stock.push(move)
