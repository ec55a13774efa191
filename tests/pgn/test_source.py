"""Files come plain or compressed, in several encodings, of any length, and damaged."""

import bz2
import gzip
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

from atomic_variant import pgn

from ..support.random_games import random_pgn

PGN = random_pgn(20, clocks=True)
HEADERS = '[Event "Rated Atomic game"]\n\n'


def zstd_compress(data):
    try:
        from compression import zstd
    except ImportError:
        zstd = pytest.importorskip("backports.zstd")
    return zstd.compress(data)


COMPRESSIONS = {"plain": bytes, "gz": gzip.compress, "bz2": bz2.compress, "zst": zstd_compress}


def moves_of(games):
    return [list(game.mainline_moves()) for game in games]


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_compressed_files_read_as_plain_ones(compression, tmp_path):
    data = COMPRESSIONS[compression](PGN.encode())
    path = tmp_path / "games"  # The content tells, not the name.
    path.write_bytes(data)
    expected = moves_of(pgn.read_games(io.StringIO(PGN)))
    assert len(expected) == 20
    assert moves_of(pgn.read_games(path)) == expected
    assert moves_of(pgn.read_games(str(path))) == expected
    assert [record.moves for record in pgn.scan(path)] == expected
    with path.open("rb") as handle:
        assert moves_of(pgn.read_games(handle)) == expected
        assert not handle.closed
    handle = io.BytesIO(data)
    assert moves_of(pgn.read_games(handle)) == expected
    assert not handle.closed


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_files_put_together_read_as_one(compression):
    half = PGN.index("[Event", len(PGN) // 2)
    data = COMPRESSIONS[compression](PGN[:half].encode()) + COMPRESSIONS[compression](PGN[half:].encode())
    assert moves_of(pgn.read_games(io.BytesIO(data))) == moves_of(pgn.read_games(io.StringIO(PGN)))


@pytest.mark.parametrize("compression", ["gz", "bz2", "zst"])
@pytest.mark.parametrize("damage", ["cut off", "overwritten"])
def test_a_damaged_file_is_a_clear_error(compression, damage, tmp_path):
    data = COMPRESSIONS[compression](random_pgn(60).encode())
    middle = len(data) // 2
    path = tmp_path / "damaged.pgn"
    path.write_bytes(data[:middle] + (b"" if damage == "cut off" else b"\x55" * 20 + data[middle + 20 :]))
    with pytest.raises(pgn.SourceError, match=re.escape(str(path)) + ": line [0-9]+: cannot read on: "):
        list(pgn.read_games(path))


def test_games_before_the_damage_come_out():
    data = gzip.compress(random_pgn(60).encode())
    games = []
    with pytest.raises(pgn.SourceError):
        games.extend(pgn.read_games(io.BytesIO(data[: len(data) // 2])))
    expected = moves_of(pgn.read_games(io.StringIO(random_pgn(60))))
    assert 10 < len(games) < 60
    assert moves_of(games[:-1]) == expected[: len(games) - 1]
    assert "the file ends within the game" in games[-1].errors[-1].reason


def test_a_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        next(pgn.read_games(tmp_path / "none.pgn"))


def test_what_is_neither_path_nor_handle_is_a_type_error():
    with pytest.raises(TypeError, match="expected a path or an open file"):
        next(pgn.read_games(42))


def test_zstd_without_a_package_says_what_to_install(monkeypatch):
    data = zstd_compress(PGN.encode())
    for module in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"atomic_variant\[zstd\]"):
        next(pgn.read_games(io.BytesIO(data)))


@pytest.mark.parametrize(
    ("encoding", "mark"), [("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("latin-1", b""), ("utf-16", b"")]
)
def test_encodings_are_told_apart(encoding, mark):
    text = '[Event "Caf\xe9"]\n[White "M\xfcller"]\n[Variant "Atomic"]\n\n1. e4 { \xa1gr\xfc\xdfe! } *\n'
    [game] = pgn.read_games(io.BytesIO(mark + text.encode(encoding)))
    assert (game.headers["Event"], game.headers["White"]) == ("Caf\xe9", "M\xfcller")
    assert "\xa1gr\xfc\xdfe!" in str(game)
    assert game.errors == []


def test_a_latin_1_line_does_not_spoil_those_in_utf_8():
    data = '[White "M\xfcller"]\n'.encode("latin-1") + '[Black "M\xfcller"]\n\n*\n'.encode()
    [game] = pgn.read_games(io.BytesIO(data))
    assert game.headers["White"] == game.headers["Black"] == "M\xfcller"


def test_a_handle_in_the_wrong_encoding_says_what_to_do(tmp_path):
    path = tmp_path / "latin.pgn"
    path.write_bytes(b'[White "M\xfcller"]\n\n*\n')
    with path.open(encoding="ascii") as handle, pytest.raises(pgn.SourceError, match="binary mode"):
        next(pgn.read_games(handle))


# Hostile files ------------------------------------------------------------


class Stream(io.RawIOBase):
    """A file that is made while it is read."""

    def __init__(self, chunks):
        self.chunks = iter(chunks)
        self.rest = b""

    def readable(self):
        return True

    def readinto(self, buffer):
        if not self.rest:
            self.rest = next(self.chunks, b"")
        part = self.rest[: len(buffer)]
        self.rest = self.rest[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


@pytest.mark.parametrize(
    "filling",
    [
        *["Nf6 Nf3 Ng8 Ng1 ", "{", "x", '"', "\n; "],
        *(
            pytest.param(filling, marks=pytest.mark.slow)
            for filling in ["(", ")", "{a}", "$", "[", "* ", "1. ", "\n", "\0", "1-0 1."]
        ),
    ],
)
@pytest.mark.parametrize("start", [f"{HEADERS}1. e4 ", '[Event "', "", f"{HEADERS}1. e4 {{"])
def test_a_game_beyond_all_measure_is_cut_and_the_next_is_unaffected(start, filling):
    size = pgn.MAX_GAME_SIZE * 3 // 2
    text = f'{start}{filling * (size // len(filling))}\n\n[Variant "Atomic"]\n\n1. d4 d5 1-0\n'
    *records, last = pgn.scan(io.StringIO(text))
    assert [move.uci() for move in last.moves] == ["d2d4", "d7d5"]
    assert last.errors == []
    if records and not filling.isspace() and filling not in ("1-0 1.", "* "):
        assert any("longer than" in error.reason for record in records for error in record.errors)
    assert all(len(str(error)) < 1000 for record in records for error in record.errors)
    assert all(len(record.errors) <= 101 for record in records)


def test_ten_thousand_nested_variations_are_one_clear_error():
    text = f"{HEADERS}1. e4 {'( 1. d4 ' * 10_000}{')' * 10_000} 1... e5 1-0\n\n{HEADERS}1. c4 *\n"
    first, second = pgn.read_games(io.StringIO(text))
    assert [error.reason for error in first.errors] == ["variations nested deeper than 100 are left out"]
    assert [move.uci() for move in first.mainline_moves()] == ["e2e4", "e7e5"]
    assert len(str(first)) > 500
    assert [move.uci() for move in second.mainline_moves()] == ["c2c4"]


def test_a_game_of_nothing_but_errors_is_given_up_but_not_its_main_line():
    text = f"{HEADERS}1. e4 {'(Qa1) ' * 1000} e5 {') ' * 1000} 2. Nf3 1-0\n"
    [game] = pgn.read_games(io.StringIO(text))
    assert len(game.errors) == 100
    assert game.errors[-1].reason.startswith("too many errors")
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5", "g1f3"]


MEASURE = """
import io, itertools, sys
from atomic_variant import pgn
from tests.pgn.test_source import Stream, HEADERS
from tests.support.random_games import random_pgn

kind, size = sys.argv[1], int(sys.argv[2])
plain = random_pgn(50).encode()
comment = b"{" + b"blah " * 8000 + b"} 2. "
chatty = plain.replace(b" 2. ", comment)

def games(text):
    return itertools.repeat(text, size // len(text))

def line():
    yield HEADERS.encode() + b"1. e4 "
    yield from itertools.repeat(b"Nf6 Nf3 Ng8 Ng1 " * 4096, size // 65536)
    yield b"\\n\\n" + HEADERS.encode() + b"1. e4 *"

def peak():
    # Not ru_maxrss, which counts what the process was forked from.
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))

chunks = {"games": games(plain), "chatty": games(chatty), "line": line()}[kind]
read = pgn.read_games if kind == "games" else pgn.scan
count = early = 0
for game in read(Stream(chunks)):
    count += 1
    if count == 200:
        early = peak()
print(count, early, peak())
"""


def measure(kind, size):
    """Games, memory after 200 of them and at the end in megabytes, of a stream of *size* bytes."""
    run = subprocess.run(
        [sys.executable, "-c", MEASURE, kind, str(size)],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    return map(int, run.stdout.split())


@pytest.mark.skipif(sys.platform != "linux", reason="measures memory in the units of Linux")
@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("games", 2_000_000),
        pytest.param("games", 20_000_000, marks=pytest.mark.slow),
        pytest.param("chatty", 1_000_000_000, marks=pytest.mark.slow),
    ],
)
def test_memory_does_not_grow_with_the_file(kind, size):
    count, early, end = measure(kind, size)
    assert count > 1000
    assert end - early < 20


@pytest.mark.skipif(sys.platform != "linux", reason="measures memory in the units of Linux")
@pytest.mark.slow
def test_a_line_of_a_gigabyte_takes_no_more_memory_than_a_game_may():
    count, _, end = measure("line", 1_000_000_000)
    assert count == 2
    assert end < 300


@pytest.mark.parametrize("compression", ["gz", "bz2", "zst"])
def test_a_zip_bomb_is_read_as_a_stream(compression):
    bomb = f"{HEADERS}1. e4 ".encode() + b"x" * 50_000_000 + b"\n\n" + HEADERS.encode() + b"1. d4 *\n"
    data = COMPRESSIONS[compression](bomb)
    assert len(data) < 100_000
    first, second = pgn.scan(io.BytesIO(data))
    assert "longer than" in first.errors[-1].reason
    assert [move.uci() for move in second.moves] == ["d2d4"]
