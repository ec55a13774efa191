"""The text of a game comes out the same whether it was written straight from what was read or from a tree."""

import io
import random

import chess.pgn
import pytest

from atomic_variant import SparkBoard, host, kernel_active, pgn, register, unregister
from atomic_variant.__main__ import main
from atomic_variant.pgn.game import KeepingBuilder
from atomic_variant.pgn.readers import build_games
from atomic_variant.pgn.writing import write_game, write_games

from ..support.random_games import random_pgn
from ..support.shared import SHARED
from .test_agreement import mutated

PLAYED = "1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8"


def assert_written_as_trees(text, variant=None):
    written = list(write_games(io.StringIO(text), variant=variant))
    games = list(build_games(io.StringIO(text), KeepingBuilder, variant=variant))
    assert [text for _, text in written] == [write_game(game) for game in games]
    return written


def moves_of(text):
    [(_, written)] = assert_written_as_trees(f'[Variant "Atomic"]\n\n{text}\n')
    return written.partition("\n\n")[2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.e2e4 e7-e5 2.Ng1f3 *", "1. e4 e5 2. Nf3 *"),
        (f"{PLAYED} 1-0", f"{PLAYED}# 1-0"),
        ("1. e4 {one} {two} e5 *", "1. e4 { one two } 1... e5 *"),
        ("{first} 1. e4 {} e5 {   } *", "{ first } 1. e4 e5 {  } *"),
        ("1. e4 $18 $2 $18 !? e5 *", "1. e4 $2 $5 $18 e5 *"),
        ("1. e4 {a} ! e5 *", "1. e4 $1 { a } 1... e5 *"),
        ("$1 1. e4 *", "1. e4 *"),
        ("1. e4 {\u00a0a\u3000} e5 {\u201ca\u201d} *", "1. e4 { a } 1... e5 { \u201ca\u201d } *"),
        ("1. e4 {\u00e9t\u00e9} *", "1. e4 { \u00e9t\u00e9 } *"),
        ("1. e4 {\ta\n b } e5 *", "1. e4 { a\n b } 1... e5 *"),
        ("1. e4 {a\n%b} e5 {c\n [%d]} *", "1. e4 { a %b } 1... e5 { c  [%d] } *"),
        ("1. e4 e5 2. Nf3 Nf6 3. Nd4 Ng8 4. Nb5 Nf6 5. Nd6+ cxd6 *", None),
        ("1. e4 (1. d4 {x} d5) e5 *", "1. e4 ( 1. d4 { x } 1... d5 ) 1... e5 *"),
        ("1. e4 e9 2. d4 *", "1. e4 { unread: e9 2. d4 * } *"),
        ("1-0", "1-0"),
    ],
)  # fmt: skip
def test_moves_signs_and_comments_are_written_as_by_python_chess(text, expected):
    written = moves_of(text)
    # The coming python-chess keeps comments apart, and their blanks; moves_of() compares with what it writes.
    assert expected is None or written == expected or host.has_lists_of_comments()


@pytest.mark.parametrize(
    "headers",
    [
        '[Variant "Atomic"]', '[Event "Rated Atomic game"]', '[Site "lichess.org"]\n[White "x"]\n[Result "1-0"]',
        '[Variant "Chess960 Atomic"]\n[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1"]\n[SetUp "1"]',
        '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 3 17"]\n[Variant "Atomic"]\n[Opening "x"]',
        '[FEN "4k3/4p3/8/8/8/8/4P3/4K3 b - - 3 17"]\n[SetUp "0"]\n[Variant "atomic"]',
        '[Variant "Atomic"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n[SetUp "1"]',
        '[Variant "ICC Atomic"]', '[Variant "Atomic Buho21"]', '[Variant "Spark Chess"]', '[Variant "nowhere"]',
        '[White "x"]',
    ],
)  # fmt: skip
@pytest.mark.parametrize("variant", [None, "atomic"])
def test_headers_are_written_as_by_a_game(headers, variant):
    games = f"{headers}\n\n1. e4 e5 *\n\n{headers}\n\n1... e5 1/2-1/2\n\n{headers}\n\n0-1\n\n"
    assert len(assert_written_as_trees(games, variant)) == 3


@pytest.mark.parametrize("name", ["lichess_misc", "fics_misc", "fics1509_150", "atomic960_misc", "shakmaty_lines_100"])
def test_real_games_are_written_alike(name):
    path = SHARED / "data" / "games" / f"{name}.pgn"
    if not path.exists():
        pytest.skip("needs the shared games")
    written = assert_written_as_trees(path.read_text(encoding="utf-8"), "atomic")
    if kernel_active() and not host.has_lists_of_comments():
        assert sum(isinstance(game, pgn.Record) for game, _ in written) >= 0.4 * len(written)


@pytest.mark.parametrize("seed", range(6))
def test_random_games_of_every_dialect_are_written_alike(seed):
    assert_written_as_trees(random_pgn(25, clocks=seed % 2 == 0))


@pytest.mark.parametrize("seed", range(3))
def test_damaged_games_are_written_alike(seed):
    rng = random.Random(f"writing {seed}")
    for _ in range(100):
        data = mutated(rng)
        games = build_games(io.BytesIO(data), KeepingBuilder)
        assert [text for _, text in write_games(io.BytesIO(data))] == [write_game(game) for game in games]


def test_what_is_written_reads_back_in_python_chess():
    for game, text in write_games(io.StringIO(random_pgn(40, clocks=True))):
        theirs = chess.pgn.read_game(io.StringIO(text))
        moves = game.moves if isinstance(game, pgn.Record) else list(game.mainline_moves())
        assert theirs.errors == []
        assert list(theirs.mainline_moves()) == moves


@pytest.fixture
def registered():
    register()
    yield
    unregister()


SHUFFLED = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1"
CONVERTED = {
    "atomic": f'[Variant "wild 27 atomic"]\n\n{PLAYED} {{ boom }} 1-0\n\n',
    "FICS": f'[Event "FICS rated atomic game"]\n\n{PLAYED} (4. Nxf8 {{ or }}) 1-0\n\n',
    "960": f"[Variant \"Chess960 Atomic\"]\n[FEN \"{SHUFFLED}\"]\n\n1. e4 e5 *\n\n",
    "ICC": '[Variant "nocheckatomic"]\n\n1. e4 d5 2. exd5 *\n\n',
    "standard": "[White \"x\"]\n\n1. e4 e5 2. Nf3 $1 (2. f4 exf4) 2... Nc6 1/2-1/2\n\n",
    "standard from a FEN": '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 3 17"]\n\n17. e4 Kd7 *\n\n',
    "standard 960": f"[Variant \"Fischerandom\"]\n[FEN \"{SHUFFLED}\"]\n\n1. e4 *\n\n",
    "crazyhouse": '[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 *\n\n',
}  # fmt: skip


@pytest.mark.parametrize("name", [*CONVERTED, "all", "Spark"])
def test_what_convert_wrote_is_read_back_by_us_and_by_python_chess(name, tmp_path, registered):
    path, clean = tmp_path / "games.pgn", tmp_path / "clean.pgn"
    text = "".join(CONVERTED.values()) if name == "all" else CONVERTED.get(name)
    if text is None:
        board = SparkBoard()
        for _ in range(12):
            board.push(next(move for move in board.legal_moves if not board.is_spark_move(move)))
        text = f"{pgn.Game.from_board(board)}\n\n"
    path.write_text(text, encoding="utf-8")
    assert main(["convert", str(path), "-o", str(clean)]) == 0
    games, again = list(pgn.read_games(path)), list(pgn.read_games(clean))
    assert len(games) == len(again) > 0
    with clean.open(encoding="utf-8") as handle:
        theirs = list(iter(lambda: chess.pgn.read_game(handle), None))
    assert len(theirs) == len(games)
    for before, after, their in zip(games, again, theirs, strict=True):
        assert before.errors == after.errors == their.errors == []
        assert type(before.board()) is type(after.board()) is type(their.board())
        assert before.end().board() == after.end().board() == their.end().board()
        assert list(before.mainline_moves()) == list(after.mainline_moves()) == list(their.mainline_moves())
        assert str(before.mainline()) == str(after.mainline()) == str(their.mainline())
        assert after.headers["Result"] == their.headers["Result"] == before.headers["Result"]
