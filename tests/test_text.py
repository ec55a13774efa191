"""Text of strangers: what reaches a terminal, XML and JSON."""

import gzip
import json
import pickle
import time
import unicodedata
from xml.etree import ElementTree

import pytest

from atomic_variant import pgn
from atomic_variant.text import json_text, one_line, plain_text, printable

# A character of each kind that steers a terminal, turns the direction of writing, or is none.
STEERING = {
    "escape": "\x1b",
    "bell": "\x07",
    "backspace": "\x08",
    "delete": "\x7f",
    "control sequence introducer": "\x9b",
    "right-to-left override": "\u202e",
    "left-to-right isolate": "\u2066",
    "right-to-left mark": "\u200f",
    "zero width space": "\u200b",
    "byte order mark": "\ufeff",
    "tag": "\U000e0041",
    "private use": "\ue000",
    "half of a pair": "\udc80",
}
BREAKS = "\n\r\t\v\f\x1c\x85\u2028\u2029"


@pytest.mark.parametrize("char", STEERING.values(), ids=STEERING)
def test_nothing_that_steers_reaches_a_terminal(char):
    assert one_line(f"a{char}b") == "a\ufffdb"
    assert printable(f"a{char}b\n") == "a\ufffdb\n"


@pytest.mark.parametrize("char", BREAKS, ids=ascii)
def test_one_line_is_one_line(char):
    assert one_line(f"{char}a{char}b{char}") == "a b"


def test_what_people_write_stays_as_it_is():
    text = "Zoë Żółć - 王 Владимир 😀 “Boom” (2. e4) x²"
    assert one_line(text) == printable(text) == plain_text(text) == text
    assert printable("a\n\n b\n") == "a\n\n b\n"


def test_every_character_is_shown_or_replaced():
    for code in range(0x110000):
        shown = one_line(f"a{chr(code)}a")
        assert len(shown) == 3
        assert unicodedata.category(shown[1])[0] not in "C" or shown[1] == "\ufffd"


@pytest.mark.parametrize("limit", [1, 2, 80])
@pytest.mark.parametrize("cut", [one_line, plain_text])
def test_long_text_ends_in_an_ellipsis(cut, limit):
    assert cut("a" * limit, limit) == "a" * limit
    assert cut("a" * (limit + 1), limit) == "a" * (limit - 1) + "…"


def test_what_xml_forbids_is_replaced():
    text = "".join(map(chr, range(0x2100))) + "\ud800\ufffe\uffff\U0001f4a5"
    ElementTree.fromstring(f"<a>{plain_text(text, 10**6).replace('&', '').replace('<', '')}</a>")
    assert not any("\x7f" <= char < "\xa0" for char in plain_text(text, 10**6))


def test_json_says_the_same_and_shows_nothing_invisible():
    text = "".join(map(chr, [*range(0x2200), *range(0xF900, 0x10000), *range(0xE0000, 0xE0100)]))
    for in_html in (False, True):
        shown = json_text({"a": [text, None, 1.5]}, in_html=in_html)
        assert json.loads(shown) == {"a": [text, None, 1.5]}
        hidden = [char for char in shown if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
        assert all(unicodedata.bidirectional(char) in ("AN", "AL") for char in hidden)  # Arabic signs, which are seen.
    assert json_text("\ud800") == '"\ufffd"'
    assert "<" not in json_text("</script><!--", in_html=True)


@pytest.mark.parametrize("piece", ["a", " ", "\n", "\x1b", "\u202e", "\ud800", "<", "\U0001f4a5", "a \x1b"])
@pytest.mark.parametrize("show", [one_line, printable, plain_text, json_text])
def test_the_time_is_in_proportion_to_the_text(show, piece):
    text = piece * (2**20 // len(piece))
    before = time.process_time()
    show(text)
    assert time.process_time() - before < 5  # A tenth of it is enough; in square proportion it would be hours.


def test_errors_of_games_are_one_line_whatever_their_file_is_called():
    error = pgn.GameError(1, 2, "Nf3", "illegal move", source="a\x1b[2J\n\udcffb.pgn")
    assert str(error) == "a\ufffd[2J \ufffdb.pgn, game 1, line 2: Nf3: illegal move"
    assert error.source == "a\x1b[2J\n\udcffb.pgn"
    assert pickle.loads(pickle.dumps(error)) == error


def test_what_ends_a_file_within_a_game_is_told_on_one_line(tmp_path):
    path = tmp_path / "a\x1b[2J\n\u202eb.pgn"
    path.write_bytes(gzip.compress(b"1. e4 e5 *\n" * 1000, mtime=0)[:-10])
    games = []
    with pytest.raises(pgn.SourceError) as error:
        games.extend(pgn.read_games(path))
    assert str(error.value).isprintable()
    with pytest.raises(pgn.SourceError):
        games.extend(pgn.scan(path))
    assert all(str(fault).isprintable() for game in games for fault in game.errors)
    assert any(game.errors for game in games)
