"""What holds for every board of the package: names, registration, identity."""

from __future__ import annotations

import io
import itertools
import pickle
from collections.abc import Iterator

import chess
import chess.pgn
import chess.variant
import pytest

import atomic_variant
from atomic_variant import (
    VARIANTS,
    AtomicBoard,
    Buho21AtomicBoard,
    ChessPlayXAtomicBoard,
    IccAtomicBoard,
    SparkBoard,
    find_variant,
)
from atomic_variant.pgn import Game, read_game
from atomic_variant.variants import AnyBoard

EVERY_BOARD = pytest.mark.parametrize("board_class", VARIANTS)

SPELLINGS = {
    AtomicBoard: "Atomic, atomic, ATOMIC, Atom, Atomic chess, atomic-chess, Atomic960, Atomic 960, atomic_960",
    IccAtomicBoard: "wild/27, Wild/27, wild 27, w27, W27, ICC w27, ICC wild 27, Atomic ICC, ICC atomic, atomic-icc, "
    "nocheckatomic, NoCheckAtomic, atomic no check",
    Buho21AtomicBoard: "Atomic Buho21, buho21, Buho 21, atomic-buho21, Buho21 atomic",
    ChessPlayXAtomicBoard: "Atomic ChessPlayX, chessplayx, atomic-chessplayx, ChessPlayX Atomic",
    SparkBoard: "Spark Chess, spark chess, SparkChess, sparkchess, SPARK-CHESS, Spark",
}


@pytest.fixture
def registered() -> Iterator[None]:
    atomic_variant.register()
    yield
    atomic_variant.unregister()


# --- Names -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "board_class"),
    [(name, board_class) for board_class, names in SPELLINGS.items() for name in names.split(", ")],
)
def test_a_board_is_found_by_every_spelling_of_its_name(name: str, board_class: type[chess.Board]) -> None:
    assert find_variant(name) is board_class


@pytest.mark.parametrize(
    ("name", "board_class"),
    [
        *(
            (name, AtomicBoard)
            for name in (
                "Chess960 Atomic",
                "960 Atomic",
                "Fischer Random Atomic",
                "Lichess Atomic",
                "FICS atomic",
                "ICS atomic",
                "Xadrez Atômico",
                "Xadrez Atomico",
                "ajedrez atómico",
                "XADREZ ATÔMICO",
                "Atomic (lightning)",
                "rated [atomic] 3+0",
                "variant: Atomic",
            )
        ),
        ("Xadrez atômico do Buho 21", Buho21AtomicBoard),
    ],
)
def test_a_name_with_the_word_atomic_is_read_as_atomic_and_told(name: str, board_class: type[chess.Board]) -> None:
    assert find_variant(name) is board_class
    game = read_game(io.StringIO(f'[Variant "{name}"]\n\n1. e4 d5 2. exd5 Qxd2# 0-1\n'))
    assert game is not None
    assert not game.errors
    assert type(game.board()) is board_class
    assert game.variant_source == "Variant header, assumed"
    known = read_game(io.StringIO('[Variant "Atomic 960"]\n\n1. e4 *\n'))
    assert known is not None
    assert known.variant_source == "Variant header"


@pytest.mark.parametrize("name", ["subatomic", "atomicc", "Atomic Giveaway", "Crazyhouse Atomic", "Atomar"])
def test_other_games_are_not_taken_for_atomic(name: str) -> None:
    with pytest.raises(ValueError, match="unsupported variant"):
        find_variant(name)


def test_the_names_of_the_boards_are_all_different() -> None:
    assert len({board_class.aliases[0] for board_class in VARIANTS}) == len(VARIANTS)
    assert len({board_class.uci_variant for board_class in VARIANTS}) == len(VARIANTS)
    for board_class in VARIANTS:
        assert board_class.xboard_variant
        for name in [*board_class.aliases, board_class.uci_variant]:
            assert name
            assert find_variant(name) is board_class


def test_other_variants_are_those_of_python_chess() -> None:
    assert find_variant("Crazyhouse") is chess.variant.CrazyhouseBoard
    assert find_variant("Three-check 960") is chess.variant.ThreeCheckBoard
    for name in ("", "wild/5", "no such game"):
        with pytest.raises(ValueError, match="unsupported variant"):
            find_variant(name)


# --- Registration ------------------------------------------------------------------


def test_importing_leaves_python_chess_alone() -> None:
    assert chess.variant.find_variant("Atomic") is chess.variant.AtomicBoard
    assert not set(VARIANTS) & set(chess.variant.VARIANTS)


@pytest.mark.usefixtures("registered")
def test_registered_boards_are_found_by_python_chess() -> None:
    for board_class in VARIANTS:
        for alias in board_class.aliases:
            assert chess.variant.find_variant(alias) is board_class
    game = chess.pgn.read_game(io.StringIO('[Variant "wild/27"]\n\n1. e4 *'))
    assert game is not None
    assert type(game.board()) is IccAtomicBoard


def test_registration_can_be_repeated_and_undone() -> None:
    before = chess.variant.VARIANTS.copy()
    atomic_variant.register()
    atomic_variant.register()
    assert len(chess.variant.VARIANTS) == len(before) + len(VARIANTS)
    atomic_variant.unregister()
    atomic_variant.unregister()
    assert before == chess.variant.VARIANTS


# --- Boards ----------------------------------------------------------------------------


@EVERY_BOARD
def test_a_board_starts_valid_and_explains_itself(board_class: type[AnyBoard]) -> None:
    board = board_class()
    assert isinstance(board, AnyBoard)
    assert board.is_valid()
    assert not board.kings_touch()
    assert board.describe_outcome() is None
    assert board.why_illegal(chess.Move.from_uci("e2e3")) is None
    assert board.why_illegal(chess.Move.from_uci("e1e3")) == "the king on e1 does not move to e3"


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(VARIANTS, 2)))
def test_boards_of_different_rules_are_unequal_in_the_same_position(one: type[AnyBoard], other: type[AnyBoard]) -> None:
    fen = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"
    assert one(fen) == one(fen)
    assert one(fen) != other(fen)


@EVERY_BOARD
def test_copies_mirrors_and_pickles_keep_rules_position_and_history(board_class: type[AnyBoard]) -> None:
    board = board_class()
    for uci in ("g1f3", "b8c6", "f3e5", "c6e5"):
        board.push_uci(uci)
    for twin in (board.copy(), pickle.loads(pickle.dumps(board)), board.mirror().mirror()):
        assert type(twin) is board_class
        assert twin == board
    assert board.copy().move_stack == board.move_stack
    assert type(board.root()) is board_class
    assert board.root() == board_class()
    mirrored = board.mirror()
    assert type(mirrored) is board_class
    assert {chess.Move(m.from_square ^ 56, m.to_square ^ 56, m.promotion) for m in mirrored.legal_moves} == set(
        board.legal_moves
    )


@EVERY_BOARD
def test_fen_and_epd_lead_back_to_the_board(board_class: type[AnyBoard]) -> None:
    board = board_class()
    for uci in ("g1f3", "b8c6", "f3e5", "c6e5", "a2a3"):
        board.push_uci(uci)
    assert board_class(board.fen()) == board
    assert board_class.from_epd(board.epd())[0].epd() == board.epd()


@EVERY_BOARD
def test_games_are_written_with_the_name_of_the_rules_and_read_back(board_class: type[AnyBoard]) -> None:
    board = board_class()
    for uci in ("g1f3", "b8c6", "f3e5", "c6e5"):
        board.push_uci(uci)
    game = Game.from_board(board)
    assert game.headers["Variant"] == board_class.aliases[0]
    read = read_game(io.StringIO(str(game)))
    assert read is not None
    assert read.errors == []
    assert type(read.board()) is board_class
    assert read.end().board() == board


@EVERY_BOARD
def test_a_board_shows_itself(board_class: type[AnyBoard]) -> None:
    board = board_class()
    assert board._repr_svg_().startswith("<svg")
    board.push_uci("g1f3")
    assert "f3" in board._repr_svg_()
