"""Every regular expression of the package takes time in proportion to the text."""

import importlib
import pkgutil
import re
import time

import pytest

import atomic_variant

from .test_linear_time import PIECES

SIZE = 2_500
MOST = 9.0
ENOUGH = 0.02
"""Seconds of processor time below which the larger text is fast whatever the smaller took."""


ONLY_MATCHED = {
    "pgn._source._IS_GAME", "pgn._splitter._TAG_LINE", "pgn._splitter._ONE_TAG", "pgn._words._DAMAGED",
    "pgn._words._SHORT_CAPTURE", "pgn._words._INCOMPLETE", "pgn.game._SHREDDER_CASTLING",
}  # fmt: skip
"""They are matched at the start of a text, and nobody seeks them within one."""

ONLY_SHORT = {"pgn._results._FORFEIT"}
"""What they look at is bounded before."""


def expressions() -> dict[str, re.Pattern[str]]:
    found = {}
    for module in pkgutil.walk_packages(atomic_variant.__path__, "atomic_variant."):
        if module.name.rpartition(".")[2] in ("__main__", "_build", "_kernel"):
            continue
        try:
            loaded = importlib.import_module(module.name)
        except ImportError:
            continue  # What needs an extra that is not here.
        for name, value in vars(loaded).items():
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                found.setdefault(f"{module.name.removeprefix('atomic_variant.')}.{name}", value)
    return found


EXPRESSIONS = expressions()


def seconds(use, text: str) -> float:
    begin = time.process_time()
    use(text)
    return time.process_time() - begin


def test_the_expressions_are_found():
    assert len(EXPRESSIONS) > 40


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_an_expression_is_linear_however_it_is_used(name):
    pattern = EXPRESSIONS[name]
    uses = [pattern.match, pattern.fullmatch, pattern.search, lambda text: list(pattern.finditer(text))]
    for use in uses[: 0 if name in ONLY_SHORT else 2 if name in ONLY_MATCHED else 4]:
        for piece in PIECES:
            for start, end in (("", ""), ('[A "', "\n"), ("1. e4 ", "x")):
                small = start + piece * (SIZE // len(piece)) + end
                large = start + piece * (4 * SIZE // len(piece)) + end
                taken = seconds(use, large)
                if taken < ENOUGH:
                    continue
                ratio = min(seconds(use, large), taken) / max(min(seconds(use, small) for _ in range(2)), 1e-4)
                assert ratio < MOST, f"{piece!r}: {ratio:.1f}"
