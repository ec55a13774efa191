"""Whatever the text, reading ends, raises nothing, and loses no game beside the damage."""

import contextlib
import io
import re

import pytest

from atomic_variant import pgn

from ..support.random_games import random_pgn
from ..support.shared import SHARED
from .test_record import assert_agreement

pytest.importorskip("hypothesis")

from hypothesis import given
from hypothesis import strategies as st

VARIATIONS = """[Event "Rated Atomic game"]
[Annotator "x"]

1. e4 $1 {one} (1. d4 d5 (1... f5 {two}) 2. c4) 1... e5 ; three
2. Nf3! (2. f4) 2... Nc6?! {a comment
on two lines} 1-0

"""


def generate_corpus():
    """Games with headers, a blank line before the moves and one after, as text each."""
    texts = [random_pgn(12, clocks=True), VARIATIONS]
    folder = SHARED / "data" / "games"
    if folder.exists():
        texts += [(folder / name).read_text(encoding="utf-8") for name in ("lichess_misc.pgn", "fics_misc.pgn")]
    for text in texts:
        for game in re.split(r"\n\s*\n(?=\[)", text):
            headers, _, moves = game.partition("\n\n")
            if headers.startswith("[Event ") and "\n\n" not in moves.strip():
                yield f"{headers.strip()}\n\n", f"{moves.strip()}\n\n"


CORPUS = list(generate_corpus())

snippets = st.one_of(
    st.sampled_from([
        "{", "}", "(", ")", "[", "]", '"', ";", "%", "$", "\n", "\r\n", "\r", "\n\n", "\n\n\n", "\n%", "\n;", " ",
        "1-0", "*", "1/2-1/2", "1.", "1. e4", "\n1. e4", "e4", "e2e4", "e4e4", "a7a8k", "O-O",
        "Kxe8", "Nxf7#", "--", "Z0", "P@e5",
        "{[%clk 0:01:00]}", "{[%eval #-1]}", "[%clk", "$999", "$9999999999", "!?", "\x00", "\ufeff", "\u2028", "\x85",
        '[Variant "Atomic"]', '[FEN "', '[Variant "', "8/8/8/8/8/8/8/8 w - - 0 1", "e8=Q", "exd8=N+",
    ]),
    st.text(max_size=8),
)  # fmt: skip


@st.composite
def damage(draw, text):
    """*text* with some places cut out, written over or written twice."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        new = draw(st.one_of(snippets, st.just(text[start:end] * 2), st.just("")))
        text = text[:start] + new + text[end:]
    return text


@st.composite
def files(draw):
    """A file of a few games, damaged anywhere."""
    games = draw(st.lists(st.sampled_from(CORPUS), min_size=1, max_size=4))
    return draw(damage("".join(headers + moves for headers, moves in games)))


@given(files())
def test_damaged_files_raise_nothing_and_both_readers_agree(text):
    for record in assert_agreement(text):
        assert all(isinstance(error, pgn.GameError) for error in record.errors)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    for game in pgn.read_games(io.StringIO(text)):
        game.board()
        list(pgn.read_games(io.StringIO(str(game))))
        for error in game.errors:
            assert error.game == game.number
            assert 1 <= error.line <= lines
            assert len(str(error)) < 1000


@given(files())
def test_games_one_by_one_are_as_many_moves_as_in_the_stream(text):
    handle = io.StringIO(text)
    one_by_one = list(iter(lambda: pgn.read_game(handle), None))
    stream = list(pgn.read_games(io.StringIO(text)))
    assert [list(game.mainline_moves()) for game in one_by_one if game.variations] == [
        list(game.mainline_moves()) for game in stream if game.variations
    ]


@given(files(), st.sampled_from(["utf-8", "latin-1", "utf-16"]), st.binary(max_size=20), st.integers(0, 5000))
def test_damaged_bytes_raise_nothing(text, encoding, new, place):
    data = text.encode(encoding, errors="ignore")
    data = data[:place] + new + data[place:]
    with contextlib.suppress(pgn.SourceError):  # The new bytes may look like a compressed file.
        for record in pgn.scan(io.BytesIO(data), comments=True):
            record.board()


@given(st.lists(st.sampled_from(CORPUS), min_size=3, max_size=3), st.data())
def test_damage_to_the_moves_of_a_game_costs_no_other_game(games, data):
    whole = "".join(headers + moves for headers, moves in games)
    expected = list(pgn.scan(io.StringIO(whole)))
    assert len(expected) == 3
    headers, moves = games[1]
    games[1] = headers, data.draw(damage(moves.rstrip())) + "\n\n"
    records = list(pgn.scan(io.StringIO("".join(headers + moves for headers, moves in games))))
    assert len(records) >= 3
    for before, after in ((expected[0], records[0]), (expected[-1], records[-1])):
        assert after.headers == before.headers
        assert after.moves == before.moves
        assert after.result == before.result
    assert records[1].headers == expected[1].headers


@given(st.text(alphabet=' \n\r{}()[];%$"*10-/.eNfxOvt#+!?', max_size=200))
def test_any_text_is_read_to_its_end(text):
    assert_agreement(text)
