"""A class that overrides something is answered the same with the kernel and without."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from atomic_variant import AtomicBoard, kernel_active
from atomic_variant.boards.overriding import KERNEL_GROUNDS

pytestmark = pytest.mark.skipif(not kernel_active(), reason="the kernel is not built, or turned off")

ROOT = Path(__file__).parents[2]

# Rules and words of a single board do nothing; outcome() asks for claims one by one.
WITHOUT_EFFECT = {
    "nothing", "has_checks of a board", "touching_kings_immune of a board", "endings of a board", "can_claim_draw",
    # They give nothing that could be distorted, or what no question here depends on.
    "__new__", "set_fen", "_set_board_fen", "_set_castling_fen", "clear_stack", "piece_at", "is_zeroing",
    "is_irreversible", "_reduces_castling_rights",
}  # fmt: skip


def run(module: str, *, pure: bool) -> str:
    return subprocess.run(
        [sys.executable, "-m", f"tests.tools.{module}"],
        cwd=ROOT,
        env={**os.environ, "ATOMIC_VARIANT_PURE": str(int(pure)), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    ).stdout


@pytest.fixture(scope="module")
def answers() -> dict[bool, dict[str, Any]]:
    """What is answered for each override, by whether in pure Python."""
    found = {}
    for pure in (False, True):
        rows = map(json.loads, run("compare_overrides", pure=pure).splitlines())
        found[pure] = {row["overridden"]: row["answers"] for row in rows}
    return found


OVERRIDDEN = [
    *(name for ground in KERNEL_GROUNDS for name in ground),
    "has_checks", "touching_kings_immune", "no has_checks", "no touching_kings_immune",
    "has_checks of a board", "touching_kings_immune of a board", "endings of a board", "nothing",
]  # fmt: skip


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_lists_records_and_arrays_are_the_same_whatever_is_overridden(answers, name):
    assert answers[False][name] == answers[True][name]
    has_effect = answers[True][name] != answers[True]["nothing"]
    assert has_effect is (name not in WITHOUT_EFFECT)


def test_whatever_python_asks_the_board_is_declared():
    asked = json.loads(run("asked_of_boards", pure=True))
    # Rules that the kernel reads from the class, and what is made when a class is.
    known = {"has_checks", "touching_kings_immune", "_has_own_end", "_has_own_result"}
    for ground, names in zip(KERNEL_GROUNDS, asked, strict=True):
        known |= set(ground)
        assert set(names) <= known


def test_rules_of_a_single_board_are_those_of_its_class():
    board = AtomicBoard("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1")
    board.has_checks = board.touching_kings_immune = False  # type: ignore[misc]
    assert board.is_check()
    assert list(board.legal_moves) == list(AtomicBoard(board.fen()).legal_moves)
    assert not board.has_insufficient_material(True)
