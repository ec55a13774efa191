"""Games as arrays are the games of scan(), column by column."""

import dataclasses
import datetime
import io
import random

import chess
import pytest

from atomic_variant import AtomicBoard, pgn

np = pytest.importorskip("numpy")

from atomic_variant.pgn import scan_arrays  # noqa: E402
from atomic_variant.pgn._tables import TYPES  # noqa: E402
from atomic_variant.pgn.arrays import pack_move, unpack_move  # noqa: E402

GAMES = """\
[Event "one"]
[Variant "Atomic"]
[Result "1-0"]

1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8#

[Event "broken"]
[Variant "Atomic"]
[Odd "yes"]

1. e4 e5 2. Qxe8 *

[Variant "Chess"]

1. e4 e5 1/2-1/2

[Variant "nobody knows"]

1. e4 *

[White "A"]
[Variant "Atomic960"]
[FEN "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1"]

*
"""


@pytest.mark.parametrize("batch", [1, 2, 3, 1000])
def test_arrays_hold_what_records_hold(batch):
    text = GAMES * 3
    records = list(pgn.scan(io.StringIO(text)))
    assert len(records) == 15
    found = 0
    for games in scan_arrays(io.StringIO(text), batch=batch):
        assert 1 <= len(games) <= batch
        assert games.offsets[0] == 0
        assert games.offsets[-1] == len(games.moves)
        for index, record in enumerate(records[found : found + len(games)]):
            assert games.numbers[index] == record.number
            assert games.lines[index] == record.line
            assert games.game_moves(index) == record.moves
            assert {tag: values[index] for tag, values in games.headers.items() if values[index]} == record.headers
            assert games.variants[index] is record.variant
            assert games.fens[index] == record.fen
            assert games.chess960[index] == record.chess960
            assert games.results[index] == record.result
            assert games.outcomes[index] == record.outcome
            assert games.endings[index] == record.ending
            assert games.errors.get(index, []) == record.errors
            assert games.variant_sources[index] == record.variant_source
            assert dataclasses.replace(record, last_comment="", suspected_variant=None) == games[index]
        assert all(any(value is not None for value in values) for values in games.headers.values())
        assert {len(column) for column in games.columns().values()} == {len(games)}
        found += len(games)
    assert found == len(records)


def test_columns_of_headers_are_sequences():
    [games] = scan_arrays(io.StringIO(GAMES.replace('"yes"', '"\u00e9\u20ac"')))
    for column in games.headers.values():
        assert list(column) == column.to_list() == column[:] == [column[index] for index in range(-5, 0)]
        assert len(column) == 5
        with pytest.raises(IndexError):
            column[5]
    assert games.headers["Event"].to_list() == ["one", "broken", None, None, None]
    assert games.headers["Odd"][1] == "\u00e9\u20ac"
    assert games.headers["White"][4] == "A"


def test_games_with_headers_of_any_name_come_in_smaller_batches():
    pgn_text = "".join(f'[Variant "Atomic"]\n[Name{i} "{i}"]\n[Other{i} "x"]\n\n1. e4 *\n\n' for i in range(2000))
    batches = list(scan_arrays(io.StringIO(pgn_text)))
    assert sum(map(len, batches)) == 2000
    assert len(batches) > 1
    assert all(len(games.headers) < 2500 for games in batches)
    values = [games.headers[f"Name{number - 1}"][i] for games in batches for i, number in enumerate(games.numbers)]
    assert values == [str(i) for i in range(2000)]


def test_no_games_give_no_arrays():
    assert list(scan_arrays(io.StringIO(""))) == []
    with pytest.raises(ValueError, match="batch"):
        next(scan_arrays(io.StringIO(GAMES), batch=0))


def test_every_move_is_packed_into_a_number_of_its_own():
    rng = random.Random(1)
    board = AtomicBoard("r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1")
    moves = [*board.legal_moves, *(chess.Move(rng.randrange(64), rng.randrange(64)) for _ in range(50))]
    assert [unpack_move(pack_move(move)) for move in moves] == moves
    assert len({pack_move(move) for move in moves}) == len(set(moves))


def test_columns_make_a_data_frame():
    polars = pytest.importorskip("polars")
    [games] = scan_arrays(io.StringIO(GAMES))
    frame = polars.DataFrame(games.columns())
    assert frame.height == 5
    assert frame["plies"].to_list() == [7, 2, 2, 0, 0]
    assert frame["errors"].to_list() == [0, 1, 0, 1, 0]
    assert frame["ending"][0] == "White wins: the black king exploded on e8"
    assert frame["kind"][0] == "explosion"


TRAPS = """\
[Event "Live Chess"]
[number "7"]
[Plies "hello"]
[ending "foo"]
[Result "1-0"]
[result "x"]
[White "Ann"]
[Black "Ben"]
[WhiteElo "1912"]
[BlackElo "1500?"]
[UTCDate "2026.02.30"]
[Date "2026.02.28"]
[TimeControl "180+2"]
[Variant "Atomic"]

1. e4 *

[Variant "Atomic 960"]
[FEN "rkrbbnnq/pppppppp/8/8/8/8/PPPPPPPP/RKRBBNNQ w CAca - 0 1"]
[Date "2026.??.??"]
[TimeControl "40/7200"]
[PlyCount "5"]
[Result "0-1"]

1. Ng3 0-1
"""


def test_no_header_takes_the_place_of_a_column(tmp_path):
    polars = pytest.importorskip("polars")
    path = tmp_path / "traps.pgn"
    path.write_text(TRAPS)
    [games] = scan_arrays(path)
    frame = games.to_polars()
    assert frame["number"].to_list() == [1, 2]
    assert frame["header_number"].to_list() == ["7", None]
    assert frame["header_Plies"].to_list() == ["hello", None]
    assert frame["header_Result"].to_list() == ["1-0", "0-1"]
    assert frame["header_result_2"].to_list() == ["x", None]
    assert len({name.lower() for name in frame.columns}) == len(frame.columns)
    headers = {name: column[0] for name, column in games.headers.items()}
    assert {name for name in frame.columns if name.startswith("header_")} >= {"header_White", "header_BlackElo"}
    assert len([name for name in frame.columns if name.startswith("header_")]) == len(headers)
    assert frame.rows(named=True)[0].items() >= {
        "source": str(path), "white": "Ann", "black": "Ben", "white_elo": 1912, "black_elo": None, "speed": "blitz",
        "variant": "atomic", "moves": "e2e4", "plies": 1, "result": "1-0", "winner": "white", "kind": "none",
        "chess960": False,
    }.items()  # fmt: skip
    assert frame["date"].to_list() == [datetime.date(2026, 2, 28), None]
    assert frame["errors"].to_list() == [len(pgn.findings(record)) for record in pgn.scan(path)]
    assert frame["errors"][1] == 1  # The count of plies.
    assert frame["chess960"].to_list() == [False, True]
    assert dict(frame.schema) == {
        name: polars.String if name.startswith("header_") else getattr(polars, TYPES[name]) for name in frame.columns
    }


def test_tables_of_polars_and_pandas_hold_the_same(tmp_path):
    pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "traps.pgn"
    path.write_text(TRAPS + GAMES)
    [games] = scan_arrays(path)
    frame, other = games.to_polars(), games.to_pandas()
    assert list(other.columns) == frame.columns
    for name in frame.columns:
        values = [None if pandas.isna(value) else value for value in other[name].tolist()]
        if name == "date":
            values = [value and value.date() for value in values]
        assert values == frame[name].to_list(), name
    assert str(other["white_elo"].dtype) == "Int32"
    assert str(other["date"].dtype) == "datetime64[s]"
    assert str(other["chess960"].dtype) == "bool"


def test_records_become_a_table_too():
    pytest.importorskip("polars")
    text = TRAPS + GAMES
    [games] = scan_arrays(io.StringIO(text))
    records = list(pgn.scan(io.StringIO(text)))
    assert pgn.GameArrays.from_records(iter(records)).to_polars().equals(games.to_polars())
    assert pgn.GameArrays.from_records(records[3:]).numbers.tolist() == [4, 5, 6, 7]
    assert len(pgn.GameArrays.from_records([])) == 0
    assert pgn.GameArrays.from_records([]).to_polars().height == 0


def test_the_moves_of_a_table_can_be_played_again():
    [games] = scan_arrays(io.StringIO(TRAPS + GAMES))
    columns = games.columns()
    for index, moves in enumerate(columns["moves"]):
        board = games[index].board()
        assert (columns["fen"][index], columns["chess960"][index]) == (board.fen(), board.chess960)
        for move in moves.split():
            board.push_uci(move)
        assert board.fen() == games[index].final_board().fen()


def test_a_record_gives_its_game():
    text = TRAPS + GAMES + '[Variant "Atomic"]\n\n{ Before. } 1. e4 { One. } d5 { [%clk 0:01:00] } 2. Nc3 1/2-1/2\n'
    for record, game in zip(pgn.scan(io.StringIO(text), comments=True), pgn.read_games(io.StringIO(text)), strict=True):
        assert str(record.game()) == str(game)
        assert (record.game().number, record.game().line) == (game.number, game.line)
        assert record.game().ending == game.ending
    [games] = scan_arrays(io.StringIO(text), batch=100)
    assert games[-1].game().end().board().fen() == game.end().board().fen()


def test_a_record_is_shown_in_a_viewer():
    pytest.importorskip("anywidget")
    from atomic_variant.notebook import GameViewer

    [games] = scan_arrays(io.StringIO(GAMES))
    viewer = GameViewer(games[0], ply=7)
    assert viewer.board == games[0].final_board()


def test_many_games_are_shown_in_a_line():
    [games] = scan_arrays(io.StringIO(GAMES * 200))
    assert repr(games) == "<1000 games, 2200 moves>"
    assert len(repr(games.headers)) < 2000
    assert repr(games.headers["Event"]).endswith("... 992 more])")


def test_elapsed_times_become_clocks():
    head = '[Event "FICS rated atomic game"]\n[TimeControl "{}"]\n\n'
    moves = (
        "1. e4 {[%emt 0.0]} e5 {[%emt 1.5]} 2. d4 {[%emt 0:01:02]} d5 { x [%emt 1:00.25] } 3. a3 h6 {[%emt 1.0]} *\n"
    )
    for text in (moves, moves.replace("2. d4", "(1... d5) 2. d4")):  # By the kernel, and by Python.
        [record] = pgn.scan(io.StringIO(head.format("180+2") + text), comments=True)
        assert record.clocks == [182.0, 180.5, 122.0, 122.25, None, 123.25]
    for control in ("-", "40/7200", "", "1"):
        [record] = pgn.scan(io.StringIO(head.format(control) + moves), comments=True)
        assert record.clocks[2:] == [None] * 4, control
    clocked = moves.replace("[%emt 0.0]", "[%emt 0.0] [%clk 0:03:00]")
    [record] = pgn.scan(io.StringIO(head.format("180+2") + clocked), comments=True)
    assert record.clocks == [180.0, *[None] * 5]  # What stands there is not mixed with what is worked out.
    [positions] = pgn.scan_positions(io.StringIO(head.format("180+2") + moves), clocks=True)
    assert positions.clocks.tolist()[:4] == [182.0, 180.5, 122.0, 122.25]
