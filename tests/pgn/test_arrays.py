"""Games as arrays are the games of scan(), column by column."""

import io
import random

import chess
import pytest

from atomic_variant import AtomicBoard, pgn

np = pytest.importorskip("numpy")

from atomic_variant.pgn import scan_arrays  # noqa: E402
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
