"""What a book answers, and that nothing goes wrong by halves."""

import contextlib
import datetime
import errno
import io
import os
import signal
import sqlite3
import struct
import subprocess
import sys
import time

import chess
import chess.engine
import chess.polyglot
import chess.variant
import pytest

from atomic_variant import AtomicBoard, explorer, host, pgn
from atomic_variant.explorer import _store
from tests.explorer.test_agreement import make_games
from tests.support import commands

pytest.importorskip("numpy")


def game(moves, result="1-0", *, variant="Atomic", **headers):
    told = {"Event": "x", "White": "W", "Black": "B", "Result": result, "Variant": variant, **headers}
    return "".join(f'[{name} "{value}"]\n' for name, value in told.items()) + f"\n{moves} {result}\n\n"


@contextlib.contextmanager
def book_of(*games, **options):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "book.db")
        explorer.build(io.StringIO("".join(games)), path, **{"min_games": 1, **options})
        with explorer.open(path) as book:
            yield book


def board_after(*sans):
    board = AtomicBoard()
    for san in sans:
        board.push_san(san)
    return board


CASTLING = ["Nf3", "Nf6", "g3", "g6", "Bg2", "Bg7"]
RATED = {"WhiteElo": "2100", "BlackElo": "1900", "TimeControl": "180+0", "UTCDate": "2026.08.01"}
UNRATED = {"TimeControl": "60+0", "UTCDate": "2026.07.31"}


# --- Answers -------------------------------------------------------------------


def test_wins_are_those_of_the_side_to_move():
    with book_of(game("1. Nf3 f6", "1-0"), game("1. Nf3 f6", "0-1"), game("1. Nf3 f6", "1-0")) as book:
        [white] = book.moves(AtomicBoard())
        [black] = book.moves(board_after("Nf3"))
    assert (white.wins, white.losses, white.score) == (2, 1, 2 / 3)
    assert (black.wins, black.losses, black.score) == (1, 2, 1 / 3)
    # Wilson's interval for 2 of 3 is from 0.208 to 0.939.
    assert white.margin == pytest.approx((0.9385 - 0.2077) / 2, abs=1e-3)


def test_a_game_without_result_counts_but_scores_nothing():
    with book_of(game("1. Nf3", "*")) as book:
        [row] = book.moves(AtomicBoard())
    assert (row.games, row.score, row.margin, row.performance) == (1, None, None, None)


def test_the_performance_is_the_rating_that_expects_the_score():
    games = [game("1. Nf3", result, **RATED) for result in ("1-0", "1-0", "1-0", "0-1")]
    with book_of(*games) as book:
        [row] = book.moves(AtomicBoard())
    assert (row.average_rating, row.average_opponent) == (2100, 1900)
    assert 1 / (1 + 10 ** ((row.average_opponent - row.performance) / 400)) == pytest.approx(0.75, abs=1e-3)


def test_a_perfect_score_is_800_points_better():
    with book_of(game("1. Nf3", "1-0", **RATED)) as book:
        [row] = book.moves(AtomicBoard())
    assert row.performance == 2700


@pytest.mark.parametrize(
    ("filters", "games"),
    [
        ({}, 3),
        ({"rating": (2000, None)}, 1),
        ({"rating": (2000, 2200)}, 1),
        ({"rating": (None, 2000)}, 1),
        ({"rating": (1000, 1800)}, 0),
        ({"speed": {"blitz"}}, 1),
        ({"speed": {"blitz", "bullet"}}, 2),
        ({"since": "2026-08"}, 2),
        ({"until": datetime.date(2026, 7, 1)}, 1),
        ({"since": "2026-07", "until": "2026-07", "speed": {"bullet"}}, 1),
    ],
)
def test_filters_leave_games_out(filters, games):
    weak = {"WhiteElo": "1999", "BlackElo": "1999", "TimeControl": "-", "Date": "2026.08.09"}
    with book_of(game("1. Nf3", **RATED), game("1. Nf3", **UNRATED), game("1. Nf3", **weak)) as book:
        assert book.position(AtomicBoard(), **filters).games == games
        assert sum(row.games for row in book.moves(AtomicBoard(), **filters)) == games


@pytest.mark.parametrize(
    "filters", [{"rating": (1500, None)}, {"speed": {"slow"}}, {"since": "August"}, {"until": "2026-13"}]
)
def test_a_filter_that_cannot_be_met_is_an_error(filters):
    with book_of(game("1. Nf3")) as book, pytest.raises(ValueError, match=r"apart by|speeds are|expected a month"):
        book.moves(AtomicBoard(), **filters)


def test_the_last_and_the_best_game_are_kept():
    first = game("1. Nf3", White="Best", **RATED)
    with book_of(first, game("1. Nf3", White="Last", UTCDate="2026.09.01")) as book:
        [row] = book.moves(AtomicBoard())
        kept = book.games(AtomicBoard())
    assert row.last.white == "Last"
    assert [one.white for one in kept] == ["Best", "Last"]
    assert kept[0][2:7] == (2100, 1900, "1-0", "2026.08.01", "180+0")


def test_transpositions_are_one_position():
    with book_of(game("1. Nf3 Nf6 2. Nc3 d5"), game("1. Nc3 Nf6 2. Nf3 e6")) as book:
        assert {row.san for row in book.moves(board_after("Nf3", "Nf6", "Nc3"))} == {"d5", "e6"}


def test_a_position_that_comes_again_counts_once():
    with book_of(game("1. Nf3 Nf6 2. Ng1 Ng8 3. e4")) as book:
        assert [(row.san, row.games) for row in book.moves(AtomicBoard())] == [("Nf3", 1)]


def test_castling_is_found_on_every_board():
    line = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O"
    board = board_after(*CASTLING)
    with book_of(game(line)) as book:
        for same in (board, chess.variant.AtomicBoard(board.fen()), AtomicBoard(board.fen(), chess960=True)):
            [row] = book.moves(same)
            assert row.san == "O-O"
            assert row.move in same.legal_moves


def test_games_of_other_rules_positions_and_starts_are_left_out():
    others = [
        game("1. e4 e5", variant="Standard"),
        game("1. e4 e5", variant="Atomic 960"),
        game("1. Kd2", variant="Atomic", SetUp="1", FEN="4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
    ]
    with book_of(game("1. e4"), *others) as book:
        assert book.position(AtomicBoard()).games == 1
        assert sum(book.sources.values()) == 1
    with book_of(game("1. e4"), *others, set_up=True) as book:
        assert [row.san for row in book.moves(AtomicBoard("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))] == ["Kd2"]
    with book_of(game("1. e4"), *others, chess960=True) as book:
        assert sum(book.sources.values()) == 1


@pytest.mark.parametrize(("broken", "games"), [(True, ["f6"]), (False, [])])
def test_a_game_counts_up_to_its_first_error_or_not_at_all(broken, games):
    with book_of(game("1. Nf3 f6 2. Kxe8 e5"), broken=broken) as book:
        assert [row.san for row in book.moves(board_after("Nf3"))] == games
        assert book.moves(board_after("Nf3", "f6")) == []


def test_what_is_said_about_forced_wins_is_proved():
    with book_of(
        game("1. Nf3 d5 2. Ne5 Nc6"), game("1. Nf3 d5 2. Ne5 f6"), game("1. Nf3 d5 2. Ne5 Nc6 3. Nxf7")
    ) as book:
        rows = {row.san: row.forced for row in book.moves(board_after("Nf3", "d5", "Ne5"), wins=2)}
        won = {row.san: row.forced for row in book.moves(board_after("Nf3", "d5", "Ne5", "Nc6"), wins=2)}
    assert rows["Nc6"] == -1
    assert won == {"Nxf7#": 1}


def test_a_board_of_other_rules_is_an_error():
    with book_of(game("1. e4")) as book, pytest.raises(ValueError, match="is of atomic, not of chess"):
        book.moves(chess.Board())


def test_a_move_that_is_illegal_on_the_board_is_not_told(tmp_path):
    explorer.build([game("1. e4")], tmp_path / "book.db", min_games=1)
    with sqlite3.connect(tmp_path / "book.db") as database:
        database.execute("UPDATE moves SET move = 12345678")
    database.close()
    with explorer.open(tmp_path / "book.db") as book:
        assert book.moves(AtomicBoard()) == []


def test_the_tree_is_a_game_with_counts_and_arrows():
    with book_of(*[game("1. Nf3 f6 2. e3")] * 2, game("1. Nf3 d6"), game("1. e4")) as book:
        tree = book.tree(depth=2, min_games=1)
        assert [node.san() for node in book.tree(depth=9, min_games=2).mainline()] == ["Nf3", "f6", "e3"]
    assert [node.san() for node in tree.variations] == ["Nf3", "e4"]
    assert [node.san() for node in tree[0].variations] == ["f6", "d6"]
    assert not tree[0][0].variations
    assert "3 games, 100.0%" in host.comment(tree[0])
    assert {(arrow.tail, arrow.head) for arrow in tree.arrows()} == {(chess.G1, chess.F3), (chess.E2, chess.E4)}
    assert pgn.read_game(io.StringIO(str(tree))).errors == []


def test_the_polyglot_book_is_sorted_and_read_by_python_chess(tmp_path):
    line = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O"
    with book_of(*[game(line, "1/2-1/2")] * 3, game("1. e4 e5", "1-0"), game("1. d4", "0-1")) as book:
        entries = book.polyglot(tmp_path / "book.bin")
    raw = (tmp_path / "book.bin").read_bytes()
    keys = [key for key, *_ in struct.iter_unpack(">QHHI", raw)]
    assert keys == sorted(keys)
    assert len(keys) == entries
    with chess.polyglot.open_reader(tmp_path / "book.bin") as reader:
        assert [(entry.move.uci(), entry.weight) for entry in reader.find_all(AtomicBoard())] == [
            ("g1f3", 3), ("e2e4", 2),
        ]  # fmt: skip
        castles = board_after(*CASTLING)
        assert [entry.move.uci() for entry in reader.find_all(castles)] == ["e1g1"]


def test_weights_are_shares_where_there_are_many_games(tmp_path):
    explorer.build([game("1. e4"), game("1. d4")], tmp_path / "book.db", min_games=1)
    with sqlite3.connect(tmp_path / "book.db") as database:
        database.execute("UPDATE moves SET wins = CASE WHEN move = ? THEN 1000000 ELSE 1 END", [12 | 28 << 6])
    database.close()
    with explorer.open(tmp_path / "book.db") as book:
        book.polyglot(tmp_path / "book.bin")
    with chess.polyglot.open_reader(tmp_path / "book.bin") as reader:
        assert [(entry.move.uci(), entry.weight) for entry in reader.find_all(AtomicBoard())] == [
            ("e2e4", 65535), ("d2d4", 1),
        ]  # fmt: skip


def test_the_table_is_a_data_frame():
    pytest.importorskip("polars")
    with book_of(game("1. Nf3 f6", **RATED), game("1. Nf3")) as book:
        frame = book.to_polars()
    first = frame.filter(frame["uci"] == "g1f3", frame["rated"] == 1).row(0, named=True)
    assert first["key"] == chess.polyglot.zobrist_hash(AtomicBoard())
    assert (first["month"], first["rating"], first["speed"], first["points"]) == (202608, 2000, "blitz", 1.0)
    assert frame["rating"].null_count() == 1


# --- Nothing by halves -----------------------------------------------------------


def test_the_same_games_twice_are_noticed(tmp_path):
    explorer.build([game("1. Nf3"), game("1. e4")], tmp_path / "a.db")
    explorer.build([game("1. d4")], tmp_path / "b.db")
    explorer.merge([tmp_path / "a.db", tmp_path / "b.db"], tmp_path / "b.db")
    before = (tmp_path / "b.db").read_bytes()
    with pytest.raises(ValueError, match="the same games as in"):
        explorer.merge([tmp_path / "b.db", tmp_path / "a.db"], tmp_path / "b.db")
    assert (tmp_path / "b.db").read_bytes() == before
    month = tmp_path / "month.pgn"
    month.write_text(game("1. Nf3"))
    with pytest.raises(ValueError, match=r"month\.pgn: the same games as in month\.pgn"):
        explorer.build([month, month], tmp_path / "c.db")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.db", "b.db", "month.pgn"]


def test_files_of_other_rules_do_not_join(tmp_path):
    explorer.build([game("1. Nf3")], tmp_path / "a.db", plies=10)
    explorer.build([game("1. e4")], tmp_path / "b.db", plies=12)
    with pytest.raises(ValueError, match=r"b\.db: atomic, 12 plies, but .*a\.db: atomic, 10 plies"):
        explorer.merge([tmp_path / "a.db", tmp_path / "b.db"], tmp_path / "c.db")


@pytest.mark.parametrize(
    "content", [b"", b"SQLite format 3\0" + b"\xff" * 5000, b"no database\n" * 400, b"PK\x03\x04"], ids=range(4)
)
def test_a_foreign_file_is_refused(tmp_path, content):
    (tmp_path / "x.db").write_bytes(content)
    with pytest.raises(ValueError, match=r"x\.db: no file of an opening explorer"):
        explorer.open(tmp_path / "x.db")
    with pytest.raises(ValueError, match=r"x\.db: no file of an opening explorer"):
        explorer.merge([tmp_path / "x.db"], tmp_path / "y.db")
    assert [path.name for path in tmp_path.iterdir()] == ["x.db"]


def test_a_database_of_somebody_else_is_refused(tmp_path):
    with sqlite3.connect(tmp_path / "x.db") as database:
        database.execute("CREATE TABLE moves (key)")
    database.close()
    with pytest.raises(ValueError, match=r"x\.db: no file of an opening explorer"):
        explorer.open(tmp_path / "x.db")


def test_a_file_of_another_version_is_refused(tmp_path):
    explorer.build([game("1. e4")], tmp_path / "x.db")
    with sqlite3.connect(tmp_path / "x.db") as database:
        database.execute(f"PRAGMA user_version = {_store.VERSION + 1}")
    database.close()
    with pytest.raises(ValueError, match="made by another version"):
        explorer.open(tmp_path / "x.db")


def test_a_damaged_file_says_so_where_it_is_asked(tmp_path):
    path = tmp_path / "x.db"
    explorer.build([game("1. Nf3 f6 2. e3 e6"), game("1. e4 d5")], path, min_games=1)
    data = bytearray(path.read_bytes())
    for start in range(4096, len(data)):
        data[start] ^= 0x5A
    path.write_bytes(data)
    with (
        pytest.raises(ValueError, match=r"x\.db: no file of an opening explorer, or damaged"),
        explorer.open(path) as book,
    ):
        book.moves(AtomicBoard())


def test_a_book_is_opened_to_read_only(tmp_path):
    explorer.build([game("1. e4")], tmp_path / "x.db")
    with explorer.open(tmp_path / "x.db") as book, pytest.raises(sqlite3.OperationalError, match="readonly"):
        book._database.execute("DELETE FROM moves")


@pytest.mark.parametrize("numbers", [{"plies": 0}, {"plies": 2000}, {"min_games": 0}])
def test_numbers_out_of_range_are_errors(tmp_path, numbers):
    with pytest.raises(ValueError, match="expected"):
        explorer.build([game("1. e4")], tmp_path / "x.db", **numbers)


def test_rules_that_are_not_atomic_are_an_error(tmp_path):
    with pytest.raises(ValueError, match="atomic chess or its dialects"):
        explorer.build([game("1. e4")], tmp_path / "x.db", variant=chess.Board)


@pytest.mark.parametrize("name", ["missing/x.db", "."])
def test_a_place_that_cannot_be_written_is_an_error(tmp_path, name):
    with pytest.raises(OSError, match=r"No such file|Is a directory"):
        explorer.build([game("1. e4")], tmp_path / name)


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "x.db"
    path.write_bytes(b"old")
    monkeypatch.setattr(_store, "SCHEMA", f"{_store.SCHEMA}; PRAGMA max_page_count = 12;")
    games = list(make_games(60, seed=1))
    with pytest.raises(OSError, match="full") as caught:
        explorer.build(games, path, min_games=1)
    assert caught.value.errno == errno.ENOSPC
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"old"
    assert [other.name for other in tmp_path.iterdir()] == ["x.db"]


def test_a_disk_that_is_full_while_files_join_is_no_damage(tmp_path, monkeypatch):
    explorer.build(list(make_games(60, seed=1)), tmp_path / "x.db", min_games=1)
    before = (tmp_path / "x.db").read_bytes()
    monkeypatch.setattr(_store, "SCHEMA", f"{_store.SCHEMA}; PRAGMA max_page_count = 12;")
    with pytest.raises(OSError, match="full") as caught:
        explorer.merge([tmp_path / "x.db"], tmp_path / "x.db")
    assert caught.value.errno == errno.ENOSPC
    assert (tmp_path / "x.db").read_bytes() == before


def test_a_source_that_breaks_off_leaves_the_old_file(tmp_path):
    path = tmp_path / "x.db"
    path.write_bytes(b"old")
    (tmp_path / "m.pgn.gz").write_bytes(b"\x1f\x8b\x08\0\0\0\0\0\0\3nonsense")
    with pytest.raises(OSError, match=r"m\.pgn\.gz"):
        explorer.build(tmp_path / "m.pgn.gz", path)
    assert path.read_bytes() == b"old"
    assert sorted(other.name for other in tmp_path.iterdir()) == ["m.pgn.gz", "x.db"]


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
def test_ctrl_c_leaves_the_old_file(tmp_path):
    path = tmp_path / "x.db"
    path.write_bytes(b"old")
    with commands.start("explore", "build", "-", "-o", path, stdin=subprocess.PIPE) as process:
        process.stdin.write(game("1. Nf3 f6").encode() * 2000)
        process.stdin.flush()
        deadline = time.monotonic() + 30
        while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(list(tmp_path.iterdir())) == 2
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert err == b"interrupted\n"
    assert path.read_bytes() == b"old"
    assert [other.name for other in tmp_path.iterdir()] == ["x.db"]


def test_without_numpy_building_says_what_to_install(tmp_path):
    script = (
        "import sys; sys.modules['numpy'] = None\n"
        "from atomic_variant import explorer\n"
        "try: explorer.build('x.pgn', 'x.db')\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(commands.ROOT)},
    )  # fmt: skip
    assert done.stdout == "building an explorer needs numpy: pip install 'atomic_variant[arrays]'\n", done.stderr
    assert not list(tmp_path.iterdir())
