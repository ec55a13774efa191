"""The bulk reader agrees with the reader of trees, game by game."""

import io

import chess
import pytest

from atomic_variant import AtomicBoard, host, pgn

from ..support.random_games import random_pgn
from ..support.shared import shared_path

HEADERS = '[Event "Rated Atomic game"]\n[Result "*"]\n\n'


def assert_agreement(text, **kwargs):
    """Both readers say the same of every game; returns the records."""
    games = list(pgn.read_games(io.StringIO(text), **kwargs))
    records = list(pgn.scan(io.StringIO(text), comments=True, **kwargs))
    assert len(games) == len(records)
    for game, record in zip(games, records, strict=True):
        nodes = list(game.mainline())
        assert record.moves == [node.move for node in nodes]
        assert record.ending == game.ending
        assert record.errors == game.errors
        assert (record.number, record.line, record.variant_source) == (game.number, game.line, game.variant_source)
        assert record.headers.items() <= dict(game.headers).items() | {("Result", record.headers.get("Result"))}
        assert record.result == game.headers["Result"]
        if not any("variant" in error.reason or "FEN" in error.reason for error in game.errors):
            board = game.board()
            assert (record.variant, record.fen, record.chess960) == (type(board), board.fen(), board.chess960)
            assert record.board() == board
        if nodes:
            end = game.end().board()
            assert record.final_board() == end
            assert record.final_board().move_stack == end.move_stack
            assert record.outcome == end.outcome()
        if not any("[%emt " in host.comment(node) for node in nodes):  # Times for moves become clocks.
            assert record.clocks == [node.clock() for node in nodes]
        assert record.evaluations == [node.eval() for node in nodes]
        if not any(len(node.variations) > 1 for node in (game, *nodes)):
            assert record.comments[1:] == [host.comment(node) for node in nodes]
    return records


def test_clean_games_agree():
    records = assert_agreement(random_pgn(100, clocks=True))
    assert {record.result for record in records} >= {"1-0", "0-1", "*"}
    assert all(record.clocks[0] == 180.0 for record in records)
    assert all(record.evaluations[0].white() == chess.engine.Cp(-50) for record in records)


@pytest.mark.parametrize(
    "moves",
    [
        "1. e4 (1. d4 {a} d5) 1... e5 {b} (1... Ke7) 2. Nf3 1-0",
        "{before} {and} 1. e4 {one} {two} {} e5 $1 2. Nf3!? -- 3. O-O *",
        "1. e4 Ke7 2. d4 1-0",
        "1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# e5 1-0",
        "1. e4 foo e5 2. 0-0 1/2",
        "1. e2e4 e7e5 2. Ng1-f3 Nc6++ ; end\n*",
        "1. e4 {[%clk 1:00:00.5] [%eval #-3,20]} e5 {[%eval 1.5]} 2. Nf3 {[%eval #0]} 1-0 {[%clk 0:00:01]}",
        "1. e4 {never closed",
        "e4 $ e5 ) 1-0",
        "",
    ],
)
@pytest.mark.parametrize(
    "headers",
    [
        HEADERS,
        "",
        '[Variant "nonsense"]\n\n',
        '[Variant "Atomic"]\n[FEN "nonsense"]\n\n',
        '[Variant "Chess960"]\n\n',
        '[Variant "atomic 960"]\n\n',
        'prose\n\n[Event "atomic"]\n[White "x"][Result "0-1"]\n\n\n',
        '[Variant "Atomic"]\n[FEN "rkrbbnnq/pppppppp/8/8/8/8/PPPPPPPP/RKRBBNNQ w KQkq - 0 1"]\n\n',
    ],
)
def test_odd_games_agree(headers, moves):
    assert_agreement(f"{headers}{moves}\n\n{HEADERS}1. e4 e5 1-0\n")


@pytest.mark.parametrize("name", ["lichess_misc.pgn", "fics_misc.pgn", "atomic960_misc.pgn", "shakmaty_lines_100.pgn",
                                  "bad_random_uci_100.pgn", "fics*_150*.pgn"])  # fmt: skip
def test_real_games_agree(name):
    for path in shared_path("data", "games").glob(name):
        assert_agreement(path.read_text(encoding="utf-8"))


def test_games_of_the_benchmark_agree():
    records = assert_agreement(shared_path("bench", "games_atomic.pgn").read_text(encoding="utf-8"))
    assert len(records) == 200


def test_comments_are_read_only_when_asked_for():
    [record] = pgn.scan(io.StringIO(random_pgn(1, clocks=True)))
    assert record.comments is record.clocks is record.evaluations is None
    assert record.moves


def test_the_argument_tells_the_variant():
    [record] = pgn.scan(io.StringIO("1. e4 d5 2. exd5 Qxd2 0-1"), variant="atomic")
    assert (record.variant, record.variant_source) == (AtomicBoard, "variant argument")
    assert str(record.ending) == "Black wins: the white king exploded on e1"


def test_nonsense_in_place_of_a_clock_is_no_clock():
    [record] = pgn.scan(
        io.StringIO(f"1. e4 {{[%clk {'1' * 5000}:00:00]}} e5 {{[%eval #{'1' * 5000}]}} *"), comments=True
    )
    assert record.clocks == [None, None]
    assert record.evaluations == [None, None]
    assert record.errors == []


@pytest.mark.parametrize("comments", [False, True])
@pytest.mark.parametrize(
    ("moves", "last"),
    [
        ("1. e4 e5 {Ann resigns} 1-0", "Ann resigns"),
        ("1. e4 {early} e5 *", ""),
        ("1. e4 {early} e5 {one} {} {two} *", "one two"),
        ("{none} *", "none"),
        ("1. e4 {main} (1. d4 {side}) *", "main"),
        ("1. e4 {main} (1. d4 {side}) {after} *", "main after"),
        ("1. e4 {early} (1. d4 d5 {side}) e5 {main} *", "main"),
        ("1. e4 {before the error} Ke4 {not read} *", "before the error"),
    ],
)
def test_a_record_has_the_comment_after_its_last_move(moves, last, comments):
    text = f'[Variant "Atomic"]\n\n{moves}\n\n'
    for record in pgn.scan(io.StringIO(text * 2), comments=comments):
        assert record.last_comment == last
        assert (record.comments[-1] == last) if comments else record.comments is None
