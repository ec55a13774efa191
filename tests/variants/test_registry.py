"""The list of boards: what is added, replaced and removed is known everywhere at once."""

import io
from collections.abc import Iterator

import chess
import chess.variant
import pytest

from atomic_variant import VARIANTS, AtomicBoard, ChessPlayXAtomicBoard, find_variant, pgn, register, unregister

GAME = '[Variant "{}"]\n\n1. Nf3 f6 *\n\n'


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    variants, host = list(VARIANTS), list(chess.variant.VARIANTS)
    yield
    VARIANTS[:] = variants
    chess.variant.VARIANTS[:] = host


def make_dialect(uci_variant: str = "mine", *aliases: str) -> type[AtomicBoard]:
    """A class as the cell of a notebook makes it, a new one every time."""

    class Mine(AtomicBoard):
        pass

    Mine.uci_variant = uci_variant
    Mine.aliases = [*aliases] or ["Mine"]
    return Mine


def classes_read(name: str) -> set[type[chess.Board] | None]:
    """What all readers take for the variant of this name, in files, in headers and as an argument."""
    text = GAME.format(name)
    found = {
        *(record.variant for record in pgn.scan(io.StringIO(text))),
        *(type(game.board()) for game in pgn.read_games(io.StringIO(text))),
        pgn.Headers(Variant=name).variant(),
        *(record.variant for record in pgn.scan(io.StringIO(GAME.format("?")), variant=name)),
    }
    game = pgn.read_game(io.StringIO(text))
    assert game is not None
    return {*found, type(game.board())}


def test_a_class_that_is_added_again_takes_the_place_of_the_one_before():
    old, new = make_dialect(), make_dialect()
    before = list(VARIANTS)
    VARIANTS.append(old)
    assert classes_read("Mine") == {find_variant("Mine")} == {old}
    VARIANTS.append(new)
    assert [*before, new] == VARIANTS
    assert classes_read("Mine") == {find_variant("Mine")} == {new}
    VARIANTS.extend([old])
    assert [*before, old] == VARIANTS
    VARIANTS.insert(0, new)
    assert [new, *before] == VARIANTS
    VARIANTS.insert(3, old)
    assert [*before[:2], old, *before[2:]] == VARIANTS
    variants = VARIANTS
    variants += [new, make_dialect("other")]
    assert variants is VARIANTS
    assert [*before[:2], new, *before[2:]] == VARIANTS[:-1]
    VARIANTS[0] = new
    assert [new, *before[1:]] == VARIANTS[:-1]


def test_a_name_that_is_taken_away_is_unknown_to_all_readers():
    mine = make_dialect()
    VARIANTS.append(mine)
    assert classes_read("Mine") == {mine}
    VARIANTS.remove(mine)
    with pytest.raises(ValueError, match="variant"):
        find_variant("Mine")
    with pytest.raises(ValueError, match="variant"):
        pgn.Headers(Variant="Mine").variant()
    [record] = pgn.scan(io.StringIO(GAME.format("Mine")))
    assert record.variant is None
    assert record.errors


def test_a_class_in_front_takes_names_of_those_behind_it():
    assert classes_read("Atomic") == {AtomicBoard}
    mine = make_dialect("mine", "Atomic")
    VARIANTS.insert(0, mine)
    assert classes_read("Atomic") == {mine}
    assert classes_read("Atomic chess") == {AtomicBoard}
    VARIANTS.sort(key=lambda variant: variant is mine)
    assert classes_read("Atomic") == {AtomicBoard}


def test_a_class_that_inherits_its_name_for_engines_stands_beside_its_base():
    class Plain(AtomicBoard):
        aliases = ["Plain"]

    VARIANTS.append(Plain)
    VARIANTS.append(Plain)
    assert VARIANTS.count(Plain) == VARIANTS.count(AtomicBoard) == 1
    assert classes_read("Plain") == {Plain}
    assert classes_read("Atomic") == {AtomicBoard}


def test_the_board_of_the_package_itself_can_be_replaced():
    mine = make_dialect("atomic", *AtomicBoard.aliases)
    VARIANTS.append(mine)
    assert VARIANTS[0] is mine
    assert AtomicBoard not in VARIANTS
    assert classes_read("Atomic") == {mine}


def test_a_name_that_python_chess_learns_is_known_to_all_readers():
    class OtherBoard(chess.variant.ThreeCheckBoard):
        aliases = ["Other"]

    class NewerBoard(OtherBoard):
        pass

    for board_class in (OtherBoard, NewerBoard):
        chess.variant.VARIANTS.insert(0, board_class)
        assert classes_read("Other") == {board_class}


def test_a_change_while_a_file_is_read_counts_for_the_games_after_it(monkeypatch):
    from atomic_variant.pgn import _bulk

    monkeypatch.setattr(_bulk, "MAX_BATCH", 1)
    old, new = make_dialect(), make_dialect()
    VARIANTS.append(old)
    records = pgn.scan(io.StringIO(GAME.format("Mine") * 3))
    assert next(records).variant is old
    VARIANTS.append(new)
    assert [record.variant for record in records] == [new, new]


def test_what_was_registered_before_a_change_is_unregistered_after_it():
    host = list(chess.variant.VARIANTS)
    old = make_dialect()
    VARIANTS.append(old)
    register()
    assert chess.variant.find_variant("Mine") is old
    VARIANTS.append(make_dialect())
    VARIANTS.remove(ChessPlayXAtomicBoard)
    register()
    assert chess.variant.find_variant("Mine") is VARIANTS[-1]
    VARIANTS.pop()
    unregister()
    assert host == chess.variant.VARIANTS
