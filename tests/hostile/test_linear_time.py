"""
Every door takes time in proportion to what is put through it.

A text of one shape is pumped to a size and to four times that size. What is
linear takes four times as long, what is quadratic sixteen times.
"""

import contextlib
import gc
import io
import sys
import time
from collections.abc import Callable

import chess
import pytest

import atomic_variant
from atomic_variant import AtomicBoard, SparkBoard, pgn, report, statistics, svg
from atomic_variant.boards.refusals import why_refused
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
}


def seconds(door: Callable[[str], object], text: str) -> float:
    begin = time.process_time()
    door(text)
    return time.process_time() - begin


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", DOORS)
def test_time_grows_as_the_text(name, size):
    door = DOORS[name]
    gc.collect()
    for piece in PIECES:
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
        left = 24 * 2**20

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
