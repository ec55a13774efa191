"""
Every door takes time in proportion to what is put through it.

A text of one shape is pumped to a size and to four times that size. What is
linear takes four times as long, what is quadratic sixteen times.
"""

import contextlib
import gc
import io
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest

import atomic_variant
from atomic_variant import AtomicBoard, SparkBoard, pgn, report, statistics, svg, tactics
from atomic_variant.__main__ import main
from atomic_variant.boards.refusals import why_refused
from atomic_variant.cli._door import UnusableError
from atomic_variant.cli._journal import Journal
from atomic_variant.tactics._puzzle_files import studies
from atomic_variant.text import json_text, one_line, plain_text
from atomic_variant.viewer import data

SIZES = [3_000, pytest.param(8_000, marks=pytest.mark.slow)]
"""Characters of the smaller text: the first is enough for what tries again at every character."""

MOST = 9.0
"""How many times as long four times the text may take."""

ENOUGH = 0.05
"""Seconds of processor time below which the larger text is fast whatever the smaller took."""

PIECES = [
    " ", "\t", "_", "-", "\n", "\r", "\x00", "0", "9", "a", "e4 ", "1. ", "1.", "...", "(", ")", "( ", "{", "}",
    "{}", "{ }", "[", "]", "[%", "[%clk ", "[%clk 0:00:01]", "[%eval 0.1]", "[%eval ", "\"", "\\\"", "[A \"b\"]",
    "[A \"b\"]\n", "[A \"b\" ", "$1 ", "$", "!?", "!", "?", ";", "; \n", "%\n", "time ", "time wins ", "960",
    "960 ", "atomic ", "atomic", "O-O ", "O-", "--", "*", "* ", "1-0 ", "1/2", "=Q", "x", "+", "#", "é", "\u202e",
    "\x1b[31m", "\ufeff", "<b>", "&amp;", "]]>", "e.p.", "N", "R/", "/", "8/",
]  # fmt: skip


def games(body: str, tags: str = '[Variant "Atomic"]\n') -> str:
    return f"{tags}\n{body}\n"


def read_all(text: str) -> None:
    for record in pgn.scan(io.StringIO(text), comments=True):
        pgn.findings(record)
        statistics.make_row(record)


def grow_all(text: str) -> None:
    for game in pgn.read_games(io.StringIO(text)):
        data.encode(game)
        report.Report().add(game)


def refuse(board: chess.Board) -> Callable[[str], None]:
    def parse(text: str) -> None:
        for read in (board.parse_san, board.parse_uci, board.parse_xboard):
            try:
                read(text)
            except ValueError as error:
                why_refused(error, board)

    return parse


def refused(call: Callable[[str], object]) -> Callable[[str], None]:
    def run(text: str) -> None:
        with contextlib.suppress(ValueError):
            call(text)

    return run


DOORS: dict[str, Callable[[str], object]] = {
    "a comment, as records": lambda text: read_all(games(f"1. e4 {{{text.replace('}', ' ')}}} e5 *")),
    "a last comment, as records": lambda text: read_all(games(f"1. e4 e5 {{{text.replace('}', ' ')}}} 1-0")),
    "a comment, as a tree": lambda text: grow_all(games(f"1. e4 {{{text.replace('}', ' ')}}} e5 *")),
    "many comments": lambda text: grow_all(
        games("1. e4 " + f"{{{text[:1000].replace('}', ' ')}}}" * (len(text) // 1000))
    ),
    "movetext, as records": lambda text: read_all(games(f"1. e4 {text} e5 *")),
    "movetext, as a tree": lambda text: grow_all(games(f"1. e4 {text} e5 *")),
    "the start of a file": read_all,
    "a Variant": lambda text: read_all(games("1. e4 *", f'[Variant "{text}"]\n')),
    "an Event": lambda text: read_all(games("1. e4 *", f'[Event "{text}"]\n')),
    "a Termination": lambda text: read_all(games("1. e4 *", f'[Variant "Atomic"]\n[Termination "{text}"]\n')),
    "a Result": lambda text: read_all(games("1. e4 *", f'[Variant "Atomic"]\n[Result "a{text}b"]\n')),
    "a FEN": lambda text: read_all(games("1. e4 *", f'[Variant "Atomic"]\n[FEN "{text}"]\n')),
    "a name of a header": lambda text: read_all(games("1. e4 *", f'[{text} "x"]\n')),
    "find_variant": refused(atomic_variant.find_variant),
    "a move": refuse(AtomicBoard()),
    "a move of Spark Chess": refuse(SparkBoard()),
    "set_fen": refused(lambda text: AtomicBoard().set_fen(text)),
    "one_line": one_line,
    "plain_text": plain_text,
    "json_text": json_text,
    "comment_text": data.comment_text,
    "a title": lambda text: svg.board(AtomicBoard(), title=text),
    "why_illegal": refused(lambda text: AtomicBoard().why_illegal(text)),
    "explosion": refused(lambda text: AtomicBoard().explosion(text)),
    "a game of the Lichess API": lambda text: read_all(json_text({"variant": "atomic", "moves": text, "clock": text})),
    "a name in a study": lambda text: studies_of(one_line(text, 10**6)),
    "names of openings": refused(lambda text: explorer_names(f"eco\tname\tpgn\nA00\t{text}\t1. {text}\n")),
    "a file of positions": refused(lambda text: positions_from([text])),
    "arrays": lambda text: arrays_of(games(f"1. e4 {text} e5 *")),
    "a table": lambda text: table_of(text),
    "a journal": lambda text: journal_of(text),
}


def arrays_of(text: str) -> None:
    pytest.importorskip("numpy")
    for arrays in pgn.scan_arrays(io.StringIO(text)):
        arrays.columns()


def positions_from(fens: list[str]) -> None:
    pytest.importorskip("numpy")
    from atomic_variant.positions import Positions

    Positions.from_fens(fens)


def table_of(text: str) -> None:
    polars = pytest.importorskip("polars")
    for record in pgn.scan_table(polars.DataFrame({"movetext": [text], "White": [text], "Result": [text]})):
        pgn.findings(record)


def explorer_names(text: str) -> None:
    from atomic_variant.explorer import OpeningNames

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "names.tsv")
        path.write_text(text, encoding="utf-8", errors="replace")
        OpeningNames(path)


def journal_of(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.pgn.part")
        path.write_bytes(b'{"journal": "atomic-variant annotate"}\n' + text.encode("utf-8", "replace"))
        with contextlib.suppress(UnusableError):
            Journal(str(path).removesuffix(".part")).handle.close()


def studies_of(name: str) -> None:
    text = games("1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 *", f'[White "{name}"]\n[Site "{name}"]\n[Variant "Atomic"]\n')
    found = list(tactics.puzzles(io.StringIO(text), moves=(1, 1)))
    for study in studies(found):
        str(study)


COMMANDS: dict[str, list[str]] = {
    "check": ["check", "IN"],
    "review": ["review", "IN"],
    "review -o": ["review", "IN", "-o", "out.html"],
    "stats": ["stats", "IN", "--csv", "out.csv"],
    "convert": ["convert", "IN", "-o", "out.pgn"],
    "convert to JSON": ["convert", "IN", "-o", "out.jsonl"],
    "svg": ["svg", "IN", "--game", "1", "-o", "out.svg"],
    "tactics": ["tactics", "IN", "--moves", "1", "--csv", "out.csv"],
    "puzzles": ["puzzles", "IN", "--moves", "1-1", "-o", "out.csv"],
    "explore": ["explore", "build", "IN", "-o", "out.db"],
}
SOME = [" ", "_", "time ", "{}", "(", "e4 ", '[A "b"]\n', "; \n", "\x1b[31m", "1. ", "[%eval 0.1]", "960 "]
"""Pieces for what takes longer: one of each kind that was, or nearly was, a fault."""


@contextlib.contextmanager
def command(name: str) -> Iterator[Callable[[str], object]]:
    """A command as a door: a game whose headers, moves and comments hold the text."""
    if name == "explore":
        pytest.importorskip("numpy")
    with tempfile.TemporaryDirectory() as folder:
        words = [word.replace("IN", f"{folder}/in.pgn").replace("out.", f"{folder}/out.") for word in COMMANDS[name]]

        def run(text: str) -> None:
            line = one_line(text, 10**6)
            tags = f'[White "{line}"]\n[Termination "{line}"]\n[Variant "Atomic"]\n'
            body = games(f"1. e4 {{{text.replace('}', ' ')}}} e5 {text} 2. a3 *", tags)
            Path(folder, "in.pgn").write_text(body, encoding="utf-8", errors="replace")
            for old in Path(folder).glob("out.*"):
                old.unlink()
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                assert main(words) in (0, 1, 2)

        yield run


def seconds(door: Callable[[str], object], text: str) -> float:
    begin = time.process_time()
    door(text)
    return time.process_time() - begin


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", DOORS)
def test_time_grows_as_the_text(name, size):
    hold_to_growth(DOORS[name], size, PIECES)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", COMMANDS)
def test_time_of_a_command_grows_as_the_text(name, size):
    with command(name) as door:
        hold_to_growth(door, size, SOME)


@pytest.mark.parametrize("name", COMMANDS)
def test_memory_of_a_command_grows_as_the_text(name):
    import tracemalloc

    def peak(text: str) -> int:
        tracemalloc.start()
        try:
            door(text)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    with command(name) as door:
        door("")  # What is imported once is not counted.
        for piece in SOME[::3]:
            small, large = piece * (3_000 // len(piece)), piece * (12_000 // len(piece))
            most = max(MOST * peak(small), 2_000_000)
            assert peak(large) < most, repr(piece)


def hold_to_growth(door: Callable[[str], object], size: int, pieces: list[str]) -> None:
    """Holds *door* to times in proportion to texts of *pieces*, of *size* characters and of four times as many."""
    gc.collect()
    for piece in pieces:
        small = piece * (size // len(piece))
        large = piece * (4 * size // len(piece))
        taken = seconds(door, large)
        if taken < ENOUGH:
            continue
        # A second look, as the machine may have been busy.
        ratio = min(seconds(door, large), taken) / max(min(seconds(door, small) for _ in range(2)), 1e-4)
        assert ratio < MOST or taken < ENOUGH, f"{piece!r}: four times the text takes {ratio:.1f} times as long"


@pytest.mark.skipif(sys.platform == "emscripten", reason="measures this process")
@pytest.mark.parametrize("blank", [b" ", b"\t", b"\0", b"x", b"\n"])
def test_blanks_without_end_take_bounded_memory(blank):
    import tracemalloc

    class Endless(io.RawIOBase):
        left = (2 if blank == b"\n" else 24) * 2**20  # Each line that is kept takes at least a pointer.

        def readable(self) -> bool:
            return True

        def readinto(self, buffer) -> int:  # type: ignore[no-untyped-def]
            count = min(len(buffer), self.left)
            buffer[:count] = blank * count
            self.left -= count
            return count

    tracemalloc.start()
    try:
        for _ in pgn.scan(io.BufferedReader(Endless())):
            pass
        assert tracemalloc.get_traced_memory()[1] < 12 * 2**20
    finally:
        tracemalloc.stop()


def test_texts_of_strangers_are_forgotten():
    import tracemalloc

    def strange(number: int) -> None:
        long = f"{number}" * 50_000
        for read in (AtomicBoard().parse_san, AtomicBoard().parse_uci, atomic_variant.find_variant):
            with contextlib.suppress(ValueError):
                read(long)
        starts = [f'[Variant "{long}"]', f'[Variant "Atomic"]\n[FEN "{long}"]', f'[Event "{long} atomic"]']
        text = "".join(f"{start}\n\n1. e4 *\n\n" for start in starts)
        for _ in pgn.scan(io.StringIO(text)):
            pass
        for _ in pgn.read_games(io.StringIO(text)):
            pass

    strange(0)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(1, 30):
            strange(number)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 500_000
    finally:
        tracemalloc.stop()
