"""Inputs of public reports give what they should; what cannot be read is among the known gaps of the guide."""

import io
import json

import pytest

from atomic_variant import pgn
from atomic_variant.pgn.errors import are_lost, are_serious

from ..support.shared import SHARED

PATH = SHARED / "cases" / "pgn_reports.json"
CASES = {case["id"]: case for case in json.loads(PATH.read_text(encoding="utf-8"))} if PATH.exists() else {}

READ = {
    "glyph-mp": 4, "glyphs-all": 13, "cb-hash": 5, "halfpoint-result": 2, "half-glyph": 2, "colon-result": 2,
    "null<>": 4, "castling-lower": 2, "full-P": 5, "figurine": 7, "promo-forms": 1, "capture-colon": 3,
    "triple-bang": 3, "unicode-dash-castle": 2, "num-space-dot": 4, "dots-only": 4, "num-comma": 4, "num-ellipsis": 4,
    "castle-oo-wrong": 12, "castle-OO": 10, "castle-Ke1g1": 8, "san-trailing-dot": 3, "san-comma": 2, "san-quote": 2,
    "san-ch": 4, "result-half-spaced": 2, "result-dash": 2, "result-Oh": 2, "result-dbl-forfeit": 2,
    "result-forfeit": 2, "result-hdr-lower": 2, "hdr-result-unknown": 2, "kernel-trailing-unicode-space": 2,
    "read_game-surrogates": 2, "utf16le-nobom": 2,
}  # fmt: skip
"""The plies of what must be read without an error."""

ODD = {"nag-0-139": 5, "nested-braces": 3, "word-a": 3}
"""The plies of what must be read, though something is left out."""

WRONG = {"result-mismatch": 2, "san-mate-glyph": 5}
"""The plies of what must be read, and says what is not so."""

STOPPED = {"castle-kingmove": "castling is written O-O", "castle-Kg1": "castling is written O-O",
           "castle-kingtakesrook": "castling is written O-O", "castle-cyr": "illegal move", "zwsp": "illegal move",
           "chesscom-pgn4": "unknown variant"}  # fmt: skip
"""The reason why a line ends."""

RESULTS = {
    "halfpoint-result": "1/2-1/2", "half-glyph": "1/2-1/2", "colon-result": "1-0", "result-half-spaced": "1/2-1/2",
    "result-dash": "1-0", "result-Oh": "1-0", "result-dbl-forfeit": "*", "result-forfeit": "1-0",
    "result-hdr-lower": "1-0", "hdr-result-unknown": "0-1",
}  # fmt: skip


def read(name):
    if name not in CASES:
        pytest.skip("no test data cases/pgn_reports.json")
    given = CASES[name]["input"]
    source = io.StringIO(given) if isinstance(given, str) else io.BytesIO(given["bytes_latin1"].encode("latin-1"))
    return next(pgn.scan(source))


@pytest.mark.parametrize(("name", "plies"), READ.items())
def test_what_means_one_thing_is_read_without_an_error(name, plies):
    record = read(name)
    assert (len(record.moves), record.errors) == (plies, [])
    assert record.result == RESULTS.get(name, record.result)


@pytest.mark.parametrize(("name", "plies"), ODD.items())
def test_what_is_left_out_is_odd(name, plies):
    record = read(name)
    assert len(record.moves) == plies
    assert record.errors
    assert not are_serious(record.errors)


@pytest.mark.parametrize(("name", "plies"), WRONG.items())
def test_what_is_false_is_told(name, plies):
    record = read(name)
    assert len(record.moves) == plies
    assert are_serious(record.errors)
    assert not are_lost(record.errors)


@pytest.mark.parametrize(("name", "reason"), STOPPED.items())
def test_what_cannot_be_read_ends_the_line_with_a_reason(name, reason):
    assert any(reason in error.reason for error in read(name).errors if error.severity == "lost")


def test_every_report_with_an_expectation_of_its_own_stands_here():
    if not CASES:
        pytest.skip("no test data cases/pgn_reports.json")
    special = {"kernel-partial-bom", "names-grow"}  # Of the fuzz test, and of the test of memory.
    told = {name for name, case in CASES.items() if case["expected"] not in ("as observed", "atomic")}
    assert told - special == set(READ) | set(ODD) | set(WRONG) | set(STOPPED)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case["expected"] == "atomic"])
def test_a_variant_that_says_atomic_is_atomic(name):
    record = read(name)
    assert record.variant_source.startswith("Variant header")
    assert "atomic" in record.variant.uci_variant
    assert len(record.moves) == 2
    assert record.errors == []
