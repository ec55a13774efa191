"""There is one answer: every reader, with the kernel and without, says the same of every input."""

import codecs
import functools
import io
import random

import pytest

from atomic_variant import pgn
from atomic_variant.pgn import errors as pgn_errors
from atomic_variant.pgn._parser import parse_game
from atomic_variant.pgn._source import _UTF16_TEXT, generate_lines
from atomic_variant.pgn._splitter import generate_texts
from atomic_variant.pgn.record import read_record

from ..support.random_games import random_pgn

BASE = [
    random_pgn(2, clocks=True).encode(),
    b'[Event "Rated Atomic game"]\n[Result "1-0"]\n\n1. Nf3! f6 $14 (1... e5 {x}) 2. e3 {c} Nh6 1-0\n\n'
    b'[Variant "Atomic"]\n[Result "1/2-1/2"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n\n',
    b"1. e4 e5 1-0\n\n1. d4 d5 *\n",
]
PIECES = [
    b"\n", b"\n\n", b"\r\n", b"\r", b"{", b"}", b"(", b")", b";", b"%", b"$1", b"$300", b"$",
    b"!?", b"!!!", b"?!?", b"*", b" 1-0 ",
    b" 0-1\n\n", b"1/2-1/2", b'[Event "x"]\n', b'[Variant "Atomic"]\n', b'[Variant ""]\n',
    b'[Variant "?"]\n', b'\n[Variant "chess"]\n',
    b'[Variant "Atomic (Lichess)"]\n', b'[Result "0-1"]\n', b'[Result "?"]\n',
    "[Result \"½-½\"]\n".encode(), b'[Result "1:0"]\n',
    b'[Event "y"]\xe2\x80\xa8\n', b'[Event "y"]\xc2\xa0\n', b'[Event "y"]\xe3\x80\x80\n',
    b'[Event "y"]\x1f\n', b'[Event "y"]\x0c\n',
    b"\xef", b"\xef\xbb", b"\xef\xbb\xbf", b"\xff", b"\xa0", b"\x92", b"\xed\xa0\x80", b"\0",
    b"\x1a", b"\x85", b"\xe2\x80\xa8",
    b"\n\nodd text\n1. e4 *", b" odd text ", b"1.", b"1. ", b" 1 .d4", b"...e5", b"e4", b" Nf3",
    b"O-O", b"o-o", b"00", b"0-0", b"--",
    b"null", b" a ", b" Nf ", b" Sf3 ", b"+-", b"\xc2\xb1", b"[#]", b"e.p.", b"{a\n\n",
    b"+", b"#", b"++", b" 7. ", b" 2... ", b" 0.", b"{[Event ", b"[", b"]", b'"', b"\t", b" ",
]  # fmt: skip


def mutated(rng: random.Random) -> bytes:
    data = bytearray(b"".join(rng.choices(BASE, k=rng.choice([1, 1, 2]))))
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        at = rng.randrange(len(data) + 1) if rng.random() < 0.9 else 0
        if rng.random() < 0.75:
            data[at:at] = rng.choice(PIECES)
        elif rng.random() < 0.7:
            del data[at : at + rng.choice([1, 2, 8, 40])]
        else:
            del data[at:]
    return bytes(data) or b"\xef\xbb"


def of_record(record):
    moves = [move.uci() for move in record.moves]
    return record.number, record.line, moves, record.result, record.ending, record.variant, record.errors


def of_game(game):
    moves = [move.uci() for move in game.mainline_moves()]
    try:
        variant = game.headers.variant()
    except ValueError:
        variant = None
    return game.number, game.line, moves, game.headers["Result"], game.ending, variant, game.errors


def of_arrays(source):
    for arrays in pgn.scan_arrays(source, batch=3):
        for i in range(len(arrays)):
            moves = [move.uci() for move in arrays.game_moves(i)]
            yield (
                int(arrays.numbers[i]), int(arrays.lines[i]), moves, arrays.results[i], arrays.endings[i],
                arrays.variants[i], arrays.errors.get(i, []),
            )  # fmt: skip


def check(data: bytes) -> int:
    texts = list(generate_texts(generate_lines(io.BytesIO(data))))
    reference = [of_record(read_record(text)) for text in texts]
    assert [of_game(parse_game(text, pgn.GameBuilder())) for text in texts] == reference
    assert [of_record(record) for record in pgn.scan(io.BytesIO(data))] == reference
    assert [of_game(game) for game in pgn.read_games(io.BytesIO(data))] == reference
    assert list(of_arrays(io.BytesIO(data))) == reference
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or _UTF16_TEXT.match(data):
        return len(reference)  # Who opens such a file as UTF-8 reads another text.
    places = None
    for visitor in (pgn.GameBuilder, OtherBuilder):
        handle = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", errors="surrogateescape")
        read = functools.partial(pgn.read_game, handle, Visitor=visitor)
        found = [(of_game(game), handle.tell()) for game in iter(read, None)]
        assert [game for game, _ in found] == reference
        assert places is None or places == [place for _, place in found]
        places = [place for _, place in found]
    forward = Forward(data)
    assert [of_game(game) for game in iter(lambda: pgn.read_game(forward), None)] == reference
    return len(reference)


class OtherBuilder(pgn.GameBuilder):
    """Is shown each game move by move."""


class Forward:
    """A handle that tells where it is, but cannot go back at once, as on a compressed file."""

    def __init__(self, data: bytes) -> None:
        self.text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", errors="surrogateescape")
        self.readline = self.text.readline
        self.tell = self.text.tell

    def seek(self, position: int) -> None:
        raise AssertionError("went back")


@pytest.mark.parametrize("seed", range(4))
def test_all_readers_say_the_same(seed):
    pytest.importorskip("numpy")
    rng = random.Random(f"agreement {seed}")
    assert sum(check(mutated(rng)) for _ in range(100)) > 200


def test_a_header_that_a_carriage_return_cuts_in_two_begins_no_game():
    pytest.importorskip("numpy")
    games = '[Event "Atomic"]\n\n1. Nf3 f6 2. e3 } Nh6 1-0\n\n[Variant0\r "Atomic"]\n[Result "*"]\n\n1.e4 e5 *\n\n'
    assert check(games.encode()) == 2


def test_an_error_that_is_only_odd_is_no_reason_for_a_status():
    [record] = pgn.scan(io.StringIO('[Variant "Atomic"]\n\n1. e4 well e5 *'))
    assert record.errors
    assert not pgn_errors.are_serious(record.errors)
    assert not pgn_errors.are_lost(record.errors)
