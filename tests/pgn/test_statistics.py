"""Rows and statistics of games."""

import io

import pytest

from atomic_variant import pgn
from atomic_variant import statistics as tables

from ..support.random_games import random_pgn

EXPLOSION = "1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0"
HEADERS = '[Event "Rated Atomic game"]\n[WhiteElo "1900"]\n[BlackElo "2110"]\n'


def scan(text):
    return list(pgn.scan(io.StringIO(text), comments=True))


@pytest.mark.parametrize(
    ("headers", "moves", "end"),
    [
        ("", EXPLOSION, "explosion"),
        ('[Termination "Time forfeit"]\n', EXPLOSION, "explosion"),
        ('[Termination "Time forfeit"]\n', "1. e4 1-0", "time"),
        ("", "1. e4 {Player 1 forfeits on time} 0-1", "time"),
        ("", "1. e4 {Player 1 resigns} 0-1", "resignation"),
        ('[Termination "Normal"]\n', "1. e4 0-1", "resignation"),
        ('[Termination "Normal"]\n', "1. e4 1/2-1/2", "draw agreed"),
        ('[Termination "Abandoned"]\n', "1. e4 *", "abandoned"),
        ("", "1. e4 1-0", "unknown"),
        ("", "1. e4 *", "unfinished"),
        ('[FEN "k7/8/1R6/8/8/8/7P/5K2 w - - 0 1"]\n', "1. Rb7 1/2-1/2", "stalemate"),
        ('[FEN "8/8/8/8/8/8/N4r2/5k1K b - - 0 1"]\n', "1... Rxa2 1/2-1/2", "insufficient material"),
        ('[FEN "B6Q/Rk6/8/8/8/8/8/4K3 w - - 0 1"]\n', "1. Qb8# 1-0", "checkmate"),
    ],
)
def test_the_end_of_a_game_is_what_the_board_says_or_else_the_text(headers, moves, end):
    [record] = scan(f"{HEADERS}{headers}\n{moves}\n")
    assert record.errors == []
    [without_comments] = pgn.scan(io.StringIO(f"{HEADERS}{headers}\n{moves}\n"))
    [game] = pgn.read_games(io.StringIO(f"{HEADERS}{headers}\n{moves}\n"))
    assert tables.describe_end(record) == tables.describe_end(without_comments) == tables.describe_end(game) == end


@pytest.mark.parametrize("rating", ["", "?", "0", "-5", "9" * 6, "19OO", "\u0661\u0669\u0660\u0660"])
def test_what_is_no_rating_is_none(rating):
    [record] = scan(f'[Event "Rated Atomic game"]\n[WhiteElo "{rating}"]\n\n{EXPLOSION}\n')
    row = tables.make_row(record)
    assert row["white_elo"] is row["black_elo"] is None


def test_a_row_has_the_same_columns_whatever_the_game():
    rows = [tables.make_row(record) for record in scan(f'{HEADERS}\n{EXPLOSION}\n\n[Variant "x"]\n\n*\n\n1. Ke5 *\n')]
    assert rows[0].keys() == rows[1].keys() == rows[2].keys()
    assert rows[0]["first_move"] == "g1f3"
    assert rows[0]["moves"] == "g1f3 f7f6 f3d4 g8h6 d4e6 h6g8 e6d8"
    assert (rows[1]["variant"], rows[1]["errors"], rows[1]["first_move"]) == (None, 1, None)


def test_every_game_is_in_every_table_once():
    text = random_pgn(60, WhiteElo="1901", BlackElo="2110") + f"{HEADERS}\n*\n\n"
    statistics = tables.Statistics(scan(text))
    assert statistics.total.games == 61
    [tables_of_atomic] = statistics.variants.values()
    for counts in tables_of_atomic.values():
        assert sum(count.games for count in counts.values()) == 61
        assert sum(count.plies for count in counts.values()) == statistics.total.plies
    assert set(tables_of_atomic["rating"]) == {"2000-2199"}
    assert tables_of_atomic["first move"]["none"].games == 1


def test_a_score_counts_a_draw_as_half_and_leaves_out_unfinished_games():
    count = tables.Count()
    assert count.score is None
    for result in ("1-0", "1-0", "1/2-1/2", "0-1", "*"):
        count.add(result, 10)
    assert count.score == 2.5 / 4
    assert count.games == 5
