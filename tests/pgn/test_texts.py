"""Games come from anywhere: texts in a list, paths among them, tables, lines of JSON."""

import datetime
import io
import json

import chess.pgn
import pytest

from atomic_variant import AtomicBoard, pgn

from ..support.random_games import random_pgn

TEXTS = [
    "1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0",
    "e4 e5 Nf3",
    '[White "Ann"]\n\n1. e4 {never closed',
    '[Event "b"]\n[White "Ben"]\n\n1. d4 d5 0-1\n',
    "",
    "Sf3",
    '[White "Eve"]',
    "1... e5 2. d4",
]
PLIES = [7, 3, 1, 2, 0, 0, 0, 0]


def test_every_text_of_a_list_is_a_game():
    records = list(pgn.scan(iter(TEXTS), variant="atomic"))
    assert [len(record.moves) for record in records] == PLIES
    assert [record.number for record in records] == list(range(1, len(TEXTS) + 1))
    assert records[0].ending.winner
    assert [record.headers.get("White") for record in records] == [None, None, "Ann", "Ben", None, None, "Eve", None]
    games = list(pgn.read_games(TEXTS, variant="atomic"))
    assert [game.end().ply() for game in games] == PLIES
    assert list(pgn.map_games(lambda game: game.end().ply(), TEXTS, variant="atomic")) == PLIES


def test_a_list_gives_the_same_arrays():
    pytest.importorskip("numpy")
    [arrays] = pgn.scan_arrays(TEXTS, variant="atomic")
    assert [len(arrays.game_moves(i)) for i in range(len(arrays))] == PLIES


def test_paths_in_a_list_are_files(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(random_pgn(3), encoding="utf-8")
    records = list(pgn.scan(["1. e4 *", path, "1. d4 *", "1. c4 *", path], variant="atomic"))
    assert [record.source for record in records] == [None, *[str(path)] * 3, None, None, *[str(path)] * 3]
    assert [record.number for record in records] == [1, 1, 2, 3, 1, 2, 1, 2, 3]


@pytest.mark.parametrize("reader", [pgn.scan, pgn.read_games])
def test_the_text_of_a_game_is_no_path(reader):
    for text in (TEXTS[0], '[Event "x"]\n\n1. e4 *', "{a comment} 1. e4 *"):
        with pytest.raises(ValueError, match="expected a path, but this is the text of a game"):
            next(iter(reader(text)))
    for source in (42, {"a": 1}, [1, 2], [b"1. e4"]):
        with pytest.raises(TypeError, match="expected"):
            next(iter(reader(source)))


def test_a_table_gives_records_with_its_columns_as_headers(tmp_path):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(
        {
            "Event": ["Rated Atomic game", None, 'A "quoted" name'],
            "WhiteElo": [1800, None, 2000],
            "UTCDate": [datetime.date(2025, 2, 1)] * 3,
            "UTCTime": [datetime.time(1, 2, 3)] * 3,
            "Result": ["1-0", "*", "0-1"],
            "odd name": ["x", "y\n[z]", ""],
            "movetext": [TEXTS[0], "1. e4 { [%clk 0:01:00] } e5 *", None],
        }
    )
    path = tmp_path / "games.parquet"
    frame.write_parquet(path)
    for table in (frame, path, str(path)):
        records = list(pgn.scan_table(table, comments=True, variant="atomic"))
        assert [len(record.moves) for record in records] == [7, 2, 0]
        assert [record.errors for record in records] == [[], [], []]
        assert {record.variant for record in records} == {AtomicBoard}
        assert records[0].headers == {
            "Event": "Rated Atomic game", "WhiteElo": "1800", "UTCDate": "2025.02.01", "UTCTime": "01:02:03",
            "Result": "1-0", "odd_name": "x",
        }  # fmt: skip
        assert "WhiteElo" not in records[1].headers
        assert records[1].headers["odd_name"] == "y [z]"
        assert records[1].clocks == [60.0, None]
        assert records[2].headers["Event"] == "A 'quoted' name"
        assert records[2].result == "0-1"
    with pytest.raises(ValueError, match="no column 'moves', but Event"):
        next(pgn.scan_table(frame, "moves"))


def test_a_table_of_the_columns_of_lichess_gives_the_games_of_its_pgn(tmp_path):
    polars = pytest.importorskip("polars")
    names = ("Event", "Site", "White", "Black", "Result", "WhiteTitle", "BlackTitle", "ECO", "Opening", "Termination")
    text = random_pgn(30, clocks=True)
    expected = list(pgn.scan(io.StringIO(text), comments=True, variant="atomic"))
    rows = []
    for record, game in zip(expected, pgn.read_games(io.StringIO(text), variant="atomic"), strict=True):
        exporter = chess.pgn.StringExporter(headers=False, columns=None)
        row = {name: record.headers.get(name) for name in names}
        row |= {f"{side}{what}": 1500 for side in ("White", "Black") for what in ("Elo", "RatingDiff")}
        row |= {"TimeControl": "180+2", "UTCDate": datetime.date(2025, 2, 1), "UTCTime": datetime.time(1, 2, 3)}
        rows.append(row | {"movetext": game.accept(exporter)})
    schema = {"WhiteTitle": polars.String, "BlackTitle": polars.String, "WhiteElo": polars.Int16}
    schema |= {"BlackElo": polars.Int16, "WhiteRatingDiff": polars.Int16, "BlackRatingDiff": polars.Int16}
    path = tmp_path / "lichess.parquet"
    polars.DataFrame(rows, schema_overrides=schema).write_parquet(path)
    records = list(pgn.scan_table(path, comments=True, variant="atomic"))
    assert len(records) == 30
    assert all(record.errors == [] and record.variant is AtomicBoard for record in records)
    for field in ("number", "moves", "result", "ending", "comments", "clocks", "evaluations"):
        assert [getattr(record, field) for record in records] == [getattr(record, field) for record in expected], field
    headers = records[0].headers
    assert (headers["WhiteElo"], headers["UTCDate"], headers["UTCTime"]) == ("1500", "2025.02.01", "01:02:03")
    assert "WhiteTitle" not in headers


GAME = {
    "id": "abcdefgh", "rated": True, "variant": "atomic", "speed": "blitz", "createdAt": 1738368000000,
    "status": "outoftime",
    "players": {"white": {"user": {"name": "Ann", "id": "ann"}, "rating": 1800}, "black": {"aiLevel": 3}},
    "winner": "white",
    "moves": "Nf3 f6 Nd4", "clock": {"initial": 180, "increment": 2}, "clocks": [18003, 18003, 17900],
    "analysis": [{"eval": 35}, {"mate": 3}],
}  # fmt: skip


def test_lines_of_json_from_lichess_are_recognised_by_content(tmp_path):
    draw = GAME | {"winner": None, "status": "draw", "initialFen": "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "moves": "O-O-O"}
    broken = {"id": "x", "moves": 5}
    path = tmp_path / "games.ndjson"
    path.write_text("".join(json.dumps(game) + "\n" for game in (GAME, draw, broken, GAME)), encoding="utf-8")
    first, second, third, fourth = pgn.scan(path, comments=True)
    assert [move.uci() for move in first.moves] == ["g1f3", "f7f6", "f3d4"]
    assert (first.variant, first.result, first.errors) == (AtomicBoard, "1-0", [])
    assert first.headers["White"] == "Ann"
    assert first.headers["UTCDate"] == "2025.02.01"
    assert (first.headers["TimeControl"], first.headers["Termination"]) == ("180+2", "Time forfeit")
    assert first.clocks == [180.0, 180.0, 179.0]
    assert [str(score.white()) if score else None for score in first.evaluations] == ["+35", "#+3", None]
    assert (second.result, second.fen, len(second.moves)) == ("1/2-1/2", draw["initialFen"], 1)
    assert [error.severity for error in third.errors] == ["lost"]
    assert fourth.headers == first.headers
    assert next(pgn.scan(io.BytesIO(path.read_bytes()), comments=True)).moves == first.moves


def test_a_game_that_begins_with_a_comment_is_no_json():
    [record] = pgn.scan(io.BytesIO(b'{"id": a comment} 1. e4 e5 *'), variant="atomic")
    assert len(record.moves) == 2


def test_cells_that_say_nothing_are_no_words_of_a_game():
    pandas = pytest.importorskip("pandas")
    numpy = pytest.importorskip("numpy")
    table = pandas.DataFrame(
        {
            "movetext": ["1. e4 *", None, float("nan"), ""],
            "WhiteElo": pandas.array([1500, None, None, None], dtype="Int64"),
            "clocks": [numpy.array([1, 2])] * 4,
        }
    )
    records = list(pgn.scan_table(table, variant="atomic"))
    assert [len(record.moves) for record in records] == [1, 0, 0, 0]
    assert [record.headers.get("WhiteElo") for record in records] == ["1500", None, None, None]
    assert not any(record.errors for record in records)


def test_what_is_no_parquet_is_an_error_that_names_the_file(tmp_path):
    pytest.importorskip("polars")
    path = tmp_path / "games.parquet"
    path.write_bytes(b"no table" * 10)
    with pytest.raises(pgn.SourceError, match=r"games\.parquet: cannot read on after row 0"):
        list(pgn.scan_table(path))


def test_a_text_in_a_list_may_be_json_from_lichess():
    text = '{"id": "q", "variant": "atomic", "players": {}, "moves": "e4 e5", "status": "draw"}'
    [record] = pgn.scan([text])
    assert (record.variant, record.result, len(record.moves), record.errors) == (AtomicBoard, "1/2-1/2", 2, [])
