"""Games read by the compiled kernel are the games that Python reads, record for record."""

import gc
import gzip
import io
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

from atomic_variant import AtomicBoard, host, kernel_active, pgn
from atomic_variant.pgn import _bulk as bulk
from atomic_variant.pgn._parser import parse_game
from atomic_variant.pgn._source import generate_lines, source_name
from atomic_variant.pgn._splitter import generate_texts
from atomic_variant.pgn.record import read_record

from ..support.shared import SHARED

pytestmark = pytest.mark.skipif(not kernel_active(), reason="the kernel is not built, or turned off")

USUAL = b"""\
[Event "Rated Atomic game"]
[Site "https://lichess.org/aaaaaaaa"]
[White "A"]
[Black "B \xc3\xa9"]
[Result "1-0"]
[Variant "Atomic"]

1. Nf3 { [%clk 0:01:00] } 1... f6 { [%eval 0.5] [%clk 0:00:59.5] } 2. Nd4! $14 (2. e4 e5 (2... d5 {no}) 3. d4)
2... Nh6 {so
it goes} 3. Ne6 Ng8 {} {a} {b} 4. Nxd8# 1-0

[Event "?"]
[Variant "Atomic"]
[FEN "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]

1. O-O O-O-O *

[Event "FICS rated atomic game"]
[Site "FICS freechess.org"]
[Result "*"]

1.e4 {[%emt 1]}e5 2.Qh5?! Nc6?? 3.Qxf7#

[Variant "atomic 960"]
[FEN "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1"]

1. e4 {a comment} e5 1/2-1/2
"""

# Whatever has more than one reading, or an error in it.
UNUSUAL = [
    b"",
    b"\n\n",
    b"1. e4 e5 *",
    b'[Event "x"]',
    b'[Event "x"]\n\n',
    b'[Variant "atomic"]\n1. e4 *',
    b'[Variant "atomic"]\n\n\n1. e4 *',
    b'[Variant "atomic"]\n \n1. e4 *',
    b' [Variant "atomic"]\n\n1. e4 *',
    b'[Variant "atomic"]\n[Variant "chess"]\n\n1. e4 *',
    b'[Variant "atomic"]\n\n[Variant "atomic"]\n\n1. e4 *',
    b'[Variant "spark"]\n\n1. e4 *',
    b'[Variant "who knows"]\n\n1. e4 *',
    b'[Variant "chess"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#',
    b'[Variant "atomic"]\n[FEN "nonsense"]\n\n1. e4 *',
    b'[Variant "atomic"]\n[FEN ""]\n\n1. e4 *',
    b'[Variant "atomic"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*',
    b'[Variant "atomic"]\n[FEN "4k3/8/8/8/8/8/8/8 w - - 0 1"]\n\n*',
    b'[Variant "atomic"]\n[FEN "k6k/8/8/3P4/8/2r5/8/K3K3 w - - 0 1"]\n\n1. d6 *',
    b'[Variant "atomic"]\n[FEN "k7/1R6/8/8/2K5/8/8/8 b - - 0 1"]\n\n1/2-1/2',
    b'[Variant "atomic"]\n[FEN "8/8/8/4k3/8/8/8/K6R w - - 149 200"]\n\n1. Rh2 Kd5 *',
    b'[Variant "atomic"]\n\n' + b"Nf3 Nf6 Ng1 Ng8 " * 5 + b"*",
    b'[Variant "atomic"]\n\n1. e4 e4 2. d4 *\n\n[Variant "atomic"]\n\n1. e4 *',
    b'[Variant "atomic"]\n\n1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8 Nc6 1-0',
    b'[Variant "atomic"]\n\n1. e4 -- 2. d4 Z0 *',
    b'[Variant "atomic"]\n\n1. e4 1-0 1. d4 d5 *',
    b'[Variant "atomic"]\n\n1. e4 1-0\n1. d4 d5 *',
    b'[Variant "atomic"]\n\n1. e4 1-0 {resigns}\n\n[Variant "atomic"]\n\n1. d4 *',
    b'[Variant "atomic"]\n\n1. e4 (1. d4 1-0) *',
    b'[Variant "atomic"]\n\n(1. d4) 1. e4 *',
    b'[Variant "atomic"]\n\n1. e4 ) e5 *',
    b'[Variant "atomic"]\n\n1. e4 (1. d4 e5 *',
    b'[Variant "atomic"]\n\n1. e4 ' + b"(1. e3 " * 150 + b") " * 150 + b"*",
    b'[Variant "atomic"]\n\n1. e4 {never closed\n\n[Event "y"]\n[Variant "atomic"]\n\n1. d4 *',
    b'[Variant "atomic"]\n\n1. e4 {[Event "y"]} *',
    b'[Variant "atomic"]\n\n1. e4 {a\n\nb} e5 *',
    b'[Variant "atomic"]\n\n1. e4 {a\r\nb} e5 *',
    b'[Variant "atomic"]\n\n1. e4 } e5 *',
    b'[Variant "atomic"]\n\n1. e4 ; to the end\n1... e5 *',
    b'[Variant "atomic"]\n\n1. e4\n% escape\n1... e5 *',
    b'% escape\n[Variant "atomic"]\n\n1. e4 *',
    b'[Variant "atomic"]\n\n1. e4!!! e5??? 2. d4 $ $1234 $12x *',
    b'[Variant "atomic"]\n\n1. e4 N e5 = 2. d4 +- d5 \xe2\x88\x9e *',
    b'[Variant "atomic"]\n\n1. e2e4 e7-e5 2. Ng1f3 Ng8-f6+ 3. e1e2 0000 *',
    b'[Variant "atomic"]\n\n1. e4 e5 2. exd6e.p. *',
    b'[Variant "atomic"]\n\n1. e4 12 e5 3 2. d4. *',
    b'[Variant "atomic"]\n\n1. 1.e4 1... e5 *',
    b'[Variant "atomic"]\n\n1. 1. e4 1...\n1...e5 *',
    b'[Variant "atomic"]\n\n1. {a} 1. e4 1. 1-0 1.',
    b'[Variant "atomic"]\n\n1. e4 e5 2. 1-0\n\n',
    b'[Variant "atomic"]\n\n1. e4 e5 2. (2. d4) 2.1-0\n\n',
    b'[Variant "atomic"]\n\n1. e4 e5 1/2\n\n',
    b'[Variant "atomic"]\n\n' + b"x" * 200 + b" *",
    b'[Variant "atomic"]\n[Name "with \\"quotes\\""]\n\n1. e4 *',
    b'[Variant "atomic"]\n[Name "open]\n\n1. e4 *',
    b'[Variant "atomic"]\n[Name"value"]\n[ Name2 "value" ]\n\n1. e4 *',
    b'[Variant "atomic"]\n[Annotator "caf\xe9"]\n\n1. e4 {\xff\xfe} *',
    b'[Variant "atomic"]\n\n1. e4 {\xed\xa0\x80 \xc0\x80 \xf5\x80\x80\x80} *',
    b'[Variant "atomic"]\n\n1. e4 {\x00} e5\x00 *',
    b'[Variant "atomic"]\n\n1. e4 \xc2\xa0 e5 \x0b *\n\x0c\n[Event "y"]\n\n*',
    b'[Variant "atomic"]\r\r1. e4 *\r',
    b'[Variant "atomic"]\n\n1. e4 *\n\x1a',
    b'\xef\xbb\xbf[Variant "atomic"]\n\n1. e4 *',
    b'\xef\xbb\xbf\xef\xbb\xbf[Variant "atomic"]\n\n1. e4 *',
]


def texts(source: Any) -> Iterator[pgn.GameText]:
    return generate_texts(generate_lines(source), source_name(source))


def python_records(source: Any, *, comments: bool, variant: Any) -> Iterator[pgn.Record]:
    return (read_record(text, comments=comments, variant=variant) for text in texts(source))


def python_games(source: Any, *, variant: Any) -> Iterator[pgn.Game]:
    return (parse_game(text, pgn.GameBuilder(), variant=variant) for text in texts(source))


def outcome_of(items: Iterator[Any]) -> list[Any]:
    """All items, and the error that they end in."""
    found: list[Any] = []
    try:
        found.extend(items)
    except pgn.SourceError as error:
        found.append(str(error))
    return found


def seen(game: Any) -> Any:
    """What there is to see of a game."""
    if isinstance(game, str):
        return game
    return str(game), game.number, game.line, game.errors, game.variant_source, dict(game.headers), game.board().fen()


def check(source: Callable[[], Any]) -> int:
    """Holds both readings of *source()* against each other. Returns the number of games."""
    for comments in (False, True):
        for variant in (None, AtomicBoard):
            expected = outcome_of(python_records(source(), comments=comments, variant=variant))
            assert outcome_of(bulk.scan(source(), comments=comments, variant=variant)) == expected
    expected = outcome_of(python_games(source(), variant=AtomicBoard))
    games = outcome_of(bulk.read_games(source(), variant=AtomicBoard))
    assert [seen(game) for game in games] == [seen(game) for game in expected]
    return len(expected)


def test_usual_games_are_read_by_the_kernel_alone(monkeypatch):
    def fail(_: object) -> None:
        raise AssertionError("left to Python")

    monkeypatch.setattr(bulk.Reader, "read_unusual", fail)
    assert check(lambda: io.BytesIO(USUAL)) == 4
    assert check(lambda: io.BytesIO(USUAL.replace(b"{so\nit goes}", b"{so}").replace(b"\n", b"\r\n"))) == 4
    assert check(lambda: io.StringIO(USUAL.decode())) == 4
    assert check(lambda: io.BytesIO(b"\n \n\n" + USUAL + b"\n\n \n")) == 4


@pytest.mark.parametrize("text", UNUSUAL)
def test_unusual_games_are_left_to_python_and_the_next_one_is_not(text):
    check(lambda: io.BytesIO(text))
    check(lambda: io.BytesIO(USUAL + b"\n" + text + b"\n\n" + USUAL))
    check(lambda: io.StringIO((USUAL + b"\n" + text + b"\n" + USUAL).decode("utf-8", "surrogateescape")))


def test_texts_may_be_cut_into_chunks_anywhere(monkeypatch):
    text = USUAL + b"\n\n" + UNUSUAL[22] + b"\n\n" + USUAL
    for size in (1, 2, 3, 7, 50, 311, 1000):
        monkeypatch.setattr(bulk, "_CHUNK_SIZE", size)
        monkeypatch.setattr(bulk, "_CHUNK_LINES", 1 + size // 10)
        check(lambda: io.BytesIO(text))
        check(lambda: io.StringIO(text.decode()))
        check(lambda: io.TextIOWrapper(io.BytesIO(text), "latin-1"))


def test_small_batches_make_no_difference(monkeypatch):
    monkeypatch.setattr(bulk, "MAX_BATCH", 1)
    assert check(lambda: io.BytesIO(USUAL * 3)) == 12


@pytest.mark.parametrize("length", [2**16 - 1, 2**16, 2**17 + 1, 600_000, 1_200_000])
@pytest.mark.parametrize("filling", [b"{%s}", b"%s", b'[Name "%s"]'])
def test_lines_and_comments_of_any_length(length, filling):
    for space in (b" ", b"a"):
        text = USUAL + b'\n[Variant "atomic"]\n\n1. e4 ' + filling % (space * length) + b" *\n\n" + USUAL
        expected = list(python_records(io.BytesIO(text), comments=False, variant=None))
        assert list(bulk.scan(io.BytesIO(text), comments=False, variant=None)) == expected


def test_damaged_files_give_their_good_part(tmp_path: Path):
    path = tmp_path / "games.pgn.gz"
    packed = gzip.compress(USUAL * 200, mtime=0)
    for damaged in (packed, packed[: len(packed) // 2], packed[:-4], packed[:700] + b"\0\0\0" + packed[703:]):
        path.write_bytes(damaged)
        check(lambda: path)


def shared_files() -> list[Path]:
    return sorted([*SHARED.glob("data/games/*.pgn"), *SHARED.glob("bench/*.pgn")])


@pytest.mark.skipif(not shared_files(), reason="no test data")
def test_real_and_broken_files_give_the_same_records():
    assert sum(check(lambda path=path: path) for path in shared_files()) > 500


FRAGMENTS = [
    b"\n", b"\n\n", b"\r\n", b"\r", b"{", b"}", b"(", b")", b";", b"%", b"$1", b"$", b"!?", b"*", b"1-0", b"0-1",
    b"1/2-1/2", b'[Event "x"]\n', b"[", b"]", b'"', b" ", b"\t", b"\xff", b"\xc3\xa9", b"\xe2\x80\xa8", b"\0", b"\x1a",
    b"\xef\xbb\xbf", b"1.", b" 1. ", b"2...", b"...", b"e4", b"O-O", b"--", b"Nf3", b"e.p.", b"[%clk 0:00:01]",
    b"[%eval 0.3]",
    b'\n[Event "y"]\n', b"\n\n1. e4 e5\n", b"( 1. Nf3 Nf6 )", b"\xed\xa0\x80", b'[Variant "Atomic"]\n',
    b'[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n', b"\n%x\n", b"\x0c", b"\xc2\x85", b"\x1c",
]  # fmt: skip


def mutated(rng: random.Random, text: bytes) -> bytes:
    """*text* with a few things added, lost or moved."""
    data = bytearray(text)
    for _ in range(rng.choice([0, 1, 1, 2, 3, 6])):
        at = rng.randrange(len(data) + 1)
        kind = rng.random()
        if kind < 0.5:
            data[at:at] = rng.choice(FRAGMENTS)
        elif kind < 0.7:
            del data[at : at + rng.choice([1, 1, 2, 5, 30])]
        elif kind < 0.8:
            data[at : at + 1] = bytes([rng.randrange(256)])
        else:
            start = rng.randrange(len(data) + 1)
            data[at:at] = data[start : start + rng.randrange(1, 60)]
    return bytes(data)


@pytest.mark.parametrize("seed", range(4))
def test_mutated_games_give_the_same_records(seed):
    rng = random.Random(seed)
    sources = [USUAL, *(path.read_bytes() for path in shared_files())]
    for _ in range(30):
        text = rng.choice(sources)
        start = text.find(b"[Event ", rng.randrange(len(text))) if rng.random() < 0.9 else 0
        text = mutated(rng, text[max(start, 0) :][: rng.choice([1500, 4000])])
        check(lambda text=text: io.BytesIO(text))


# --- Threads and memory -----------------------------------------------------


def test_many_threads_read_at_once():
    text = (USUAL + b"\n" + b"\n\n".join(UNUSUAL) + b"\n\n") * 5
    expected = outcome_of(python_records(io.BytesIO(text), comments=True, variant=None))
    failures: list[object] = []

    def work() -> None:
        try:
            assert list(pgn.scan(io.BytesIO(text), comments=True)) == expected
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def make_scanner(**changes: Any) -> Any:
    """A scanner that finds standard starts and makes records without endings, but for the *changes*."""
    given: dict[str, Any] = {
        "find_start": lambda *_: (AtomicBoard(), (AtomicBoard, "", "", False), {}),
        "find_ending": lambda *_: None,
        "read_clock": lambda _: None,
        "read_evaluation": lambda _: None,
        "record_class": pgn.Record,
        "source": None,
        "comments": True,
        "max_size": 10**6,
        "max_depth": 100,
    }
    return bulk.kernel.Scanner(**{**given, **changes})


def test_no_list_with_empty_slots_is_ever_seen():
    seen = 0

    def look(*_: object) -> None:
        """What tools that look for leaks do, when they like or in a thread of their own."""
        nonlocal seen
        seen += 1
        for thing in gc.get_objects():
            if type(thing) in (list, tuple):
                for item in thing:
                    assert item is not NotImplemented

    class Looking(pgn.Record):
        def __init__(self, *args: Any) -> None:
            look()
            super().__init__(*args)

    def find_start(*_: object) -> Any:
        look()
        return AtomicBoard(), (AtomicBoard, "", "", False), {}

    game = b'[Variant "Atomic"]\n\n1. Nf3 {[%clk x][%eval x]} f6 {[%clk 1][%eval 1]} 2. Nd4 (2. e4 {a} e5) Nh6 *\n\n'
    scanner = make_scanner(
        find_start=find_start, find_ending=look, read_clock=look, read_evaluation=look, record_class=Looking
    )
    for form in ("records", "columns", "trees", "places"):
        assert scanner.scan(game * 3, 0, form, True, 1, 1, 10)[1] == 3
    assert seen > 10


def test_other_threads_may_walk_all_lists_while_games_are_read():
    stop = threading.Event()
    failures: list[BaseException] = []

    def look() -> None:
        try:
            while not stop.is_set():
                for thing in gc.get_objects():
                    if type(thing) is list:
                        list(thing)
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=look)
    interval = sys.getswitchinterval()
    thread.start()
    try:
        sys.setswitchinterval(1e-5)
        for _ in range(20):
            assert len(list(pgn.scan(io.BytesIO(USUAL * 5), comments=True))) == 20
            assert len(list(pgn.read_games(io.BytesIO(USUAL)))) == 4
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        thread.join()
    assert failures == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, ZeroDivisionError])
def test_an_exception_in_an_attribute_of_a_board_is_not_swallowed(error):
    class Broken(AtomicBoard):
        is_broken = False

        @property
        def kings(self) -> int:
            if type(self).is_broken:
                raise error("no")
            return int(vars(self)["_kings"])

        @kings.setter
        def kings(self, value: int) -> None:
            vars(self)["_kings"] = value

    board = Broken()
    move = chess.Move.from_uci("e2e4")
    scanner = make_scanner(find_start=lambda *_: (board, (Broken, "", "", False), {}))
    assert move in board.legal_moves
    Broken.is_broken = True
    for call in (
        lambda: list(board.legal_moves),
        lambda: board.legal_moves.count(),
        lambda: board.push(move),
        lambda: board.parse_san("e4"),
        lambda: scanner.scan(USUAL, 0, "records", True, 1, 1, 10),
    ):
        with pytest.raises(error):
            call()
    Broken.is_broken = False
    assert board.move_stack == []
    assert board.parse_san("e4") == move


def test_comments_are_joined_in_time_that_grows_with_their_length():
    def read(count: int) -> float:
        text = '[Variant "Atomic"]\n\n1. e4 ' + "{ab}{}" * count + " e5 *\n"
        start = time.process_time()
        [record] = pgn.scan(io.StringIO(text), comments=True)
        [game] = pgn.read_games(io.StringIO(text))
        end = time.process_time()
        assert record.comments == ["", " ".join(["ab"] * count), ""]
        assert host.comment(game.next()) == record.comments[1]
        return end - start

    read(10)
    # Eight times as many took sixty times as long. Python's own trees are not quite linear.
    assert min(read(80_000) for _ in range(2)) < 25 * min(read(10_000) for _ in range(3))


@pytest.mark.parametrize(("depth", "is_usual"), [(99, True), (100, True), (101, False)])
def test_variations_are_read_as_deep_as_in_python(monkeypatch, depth, is_usual):
    text = b'[Variant "Atomic"]\n\n1. e4 ' + b"(1. e3 " * depth + b") " * depth + b"*\n\n"
    unusual = []
    read_unusual = bulk.Reader.read_unusual
    monkeypatch.setattr(bulk.Reader, "read_unusual", lambda self: unusual.append(self) or read_unusual(self))
    check(lambda: io.BytesIO(text))
    assert bool(unusual) is not is_usual


@pytest.mark.parametrize("more", [-3, -2, -1, 0, 1, 2, 3, 20])
def test_games_are_read_up_to_the_size_that_python_reads(more):
    for filling in (b"{%s}", b"e5 {%s}", b"e5 {%s} *"):
        start = b'[Variant "Atomic"]\n\n1. e4 '
        text = start + filling % (b"a" * (pgn.MAX_GAME_SIZE - len(start + filling) + 2 + more))
        for end in (b"", b"\n", b"\n\n", b"\n\n" + USUAL):
            expected = list(python_records(io.BytesIO(text + end), comments=False, variant=None))
            assert list(bulk.scan(io.BytesIO(text + end), comments=False, variant=None)) == expected


def shuffled(rng: random.Random) -> str:
    """A drawn game whose players mostly move back and forth."""
    start = rng.choice(
        [chess.STARTING_FEN, "r3k2r/4p3/8/3P4/8/8/8/R3K2R w KQkq - 0 1", "4k3/8/8/8/8/8/3P4/N3K2R w K - 0 1"]
    )
    board = AtomicBoard(start)
    sans: list[str] = []
    for _ in range(rng.randrange(6, 24)):
        moves = list(board.legal_moves)
        if not moves:
            break
        last = board.move_stack[-2] if len(sans) > 1 else chess.Move.null()
        back = [move for move in moves if (move.from_square, move.to_square) == (last.to_square, last.from_square)]
        sans.append(board.san_and_push(rng.choice(back or moves) if rng.random() < 0.9 else rng.choice(moves)))
    return f'[Variant "Atomic"]\n[FEN "{start}"]\n\n{" ".join(sans)} 1/2-1/2\n\n'


def test_claimed_repetitions_are_those_of_python(monkeypatch):
    rng = random.Random(1)
    text = "".join(shuffled(rng) for _ in range(400))
    asked = []
    find_ending = bulk._find_ending
    monkeypatch.setattr(bulk, "_find_ending", lambda *args: asked.append(find_ending(*args)) or asked[-1])
    records = list(bulk.scan(io.StringIO(text), comments=False, variant=None))
    assert records == list(python_records(io.StringIO(text), comments=False, variant=None))
    kinds = [[ending.kind for ending in endings] for endings in ([record.ending for record in records], asked)]
    claimed, asked_for = (found.count("claimed repetition") for found in kinds)
    assert 50 < claimed < 350
    assert asked_for < claimed / 4  # The kernel knows most of them itself.


def test_a_scanner_is_not_entered_twice():
    def find_start(*_: object) -> None:
        scanner.scan(USUAL, 0, "records", True, 1, 1, 10)

    scanner = make_scanner(find_start=find_start)
    with pytest.raises(RuntimeError, match="one thread"):
        scanner.scan(USUAL, 0, "records", True, 1, 1, 10)
    for bad in [
        (USUAL, -1, "records", True, 1, 1, 10),
        (USUAL, 10**6, "records", True, 1, 1, 10),
        (USUAL, 0, "trees", 1, 1, 1, 0),
        (USUAL, 0, "x", 1, 1, 1, 10),
    ]:
        with pytest.raises(ValueError, match=r"out of range|expected records"):
            scanner.scan(*bad)
    with pytest.raises(TypeError):
        scanner.scan("text", 0, "records", True, 1, 1, 10)
    for changes in ({"max_size": -1}, {"max_depth": -1}, {"max_depth": 10**6}):
        with pytest.raises(ValueError, match="limits"):
            make_scanner(**changes)
    for record_class in (str, 5, chess.Outcome):
        with pytest.raises((TypeError, AttributeError)):
            make_scanner(record_class=record_class)


def fail(*_: object) -> None:
    raise LookupError("no")


@pytest.mark.parametrize(
    ("find_start", "find_ending", "expected"),
    [
        (fail, fail, LookupError),
        (lambda *_: 5, fail, TypeError),
        (lambda *_: (5,), fail, TypeError),
        (lambda *_: (AtomicBoard(), (1, 2, 3, 4)), fail, TypeError),
        (lambda *_: (AtomicBoard(), (1, 2), {}), fail, TypeError),
        (lambda *_: (AtomicBoard(), (AtomicBoard, "", "", False), {}), fail, LookupError),
        (lambda *_: (AtomicBoard(), (AtomicBoard, "", "", False), None), str, TypeError),
    ],
)
def test_an_error_in_a_callback_comes_through(find_start, find_ending, expected):
    scanner = make_scanner(find_start=find_start, find_ending=find_ending)
    for _ in range(3):
        with pytest.raises(expected):
            scanner.scan(USUAL, 0, "records", True, 1, 1, 10)


def test_nothing_leaks():
    text = USUAL + b"\n" + UNUSUAL[22] + b"\n\n" + USUAL

    def read() -> None:
        list(pgn.scan(io.BytesIO(text), comments=True))
        list(pgn.read_games(io.BytesIO(text)))
        next(iter(pgn.scan(io.BytesIO(text))))

    def growth() -> int:
        gc.collect()
        blocks = sys.getallocatedblocks()
        for _ in range(100):
            read()
        gc.collect()
        return sys.getallocatedblocks() - blocks

    # Caches of the interpreter fill up first. What leaks, leaks in every round.
    assert any(growth() < 50 for _ in range(20))
