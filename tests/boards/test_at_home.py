"""Our board as a chess.variant.AtomicBoard: for isinstance and type checkers, by none of its answers."""

import importlib.util
import inspect
import subprocess
import sys
from pathlib import Path

import chess
import chess.variant
import pytest

from atomic_variant import AtomicBoard, register, unregister

from ..support.positions import constructed, constructed_odd, played

STOCK = chess.variant.AtomicBoard

# What our board has from the stock board.
INHERITED = {"_push_capture": "push() is our own and does not call it"}

# What it has from chess.Board and would decide a rule there, and why that is right here too.
OF_THE_HOST = {
    "attackers_mask": "geometry, not rules: it counts kings, which check_mask does not ask it about",
    "generate_legal_captures": "filters the list of legal moves",
    "generate_pseudo_legal_captures": "how pieces move is the same",
    "generate_pseudo_legal_ep": "how pawns move is the same",
    "generate_pseudo_legal_moves": "how pieces move is the same; castling comes from generate_castling_moves",
    "has_legal_en_passant": "asks generate_legal_ep",
    "has_pseudo_legal_en_passant": "asks generate_pseudo_legal_ep",
    "is_capture": "what takes or passes an enemy piece is a capture",
    "is_castling": "how castling is written is the same",
    "is_check": "asks checkers_mask",
    "is_en_passant": "how pawns move is the same",
    "is_irreversible": "a capture or a move of a pawn, or one that loses a right",
    "is_pseudo_legal": "asks generate_pseudo_legal_moves and generate_castling_moves",
    "is_zeroing": "a capture or a move of a pawn",
    "find_move": "asks is_legal",
}


@pytest.fixture
def replaced():
    register(replace=True)
    yield
    unregister()


def functions(board_class):
    return {name for name, value in vars(board_class).items() if callable(value) or isinstance(value, property)}


def test_our_board_is_a_stock_board_for_isinstance():
    assert issubclass(AtomicBoard, STOCK)
    assert isinstance(AtomicBoard(), STOCK)
    assert not isinstance(STOCK(), AtomicBoard)


def test_what_is_inherited_from_the_stock_board_is_listed_with_its_reason():
    assert functions(STOCK) - functions(AtomicBoard) == set(INHERITED)
    for name in OF_THE_HOST:
        assert inspect.getattr_static(AtomicBoard, name) is inspect.getattr_static(chess.Board, name), name


def test_no_answer_of_the_stock_board_is_used(monkeypatch):
    def used(self, *args, **kwargs):
        raise AssertionError("the stock board was asked")

    for name in functions(STOCK):
        monkeypatch.setattr(STOCK, name, used)
    for board in (*constructed(71, 150), *constructed_odd(72, 150), *played(73, 150)):
        # All that can be asked without an argument, and what a move leads to.
        for name in functions(STOCK) - set(INHERITED) | {
            "fen",
            "status",
            "outcome",
            "describe_outcome",
            "can_claim_draw",
            "mirror",
        }:
            parameters = inspect.signature(getattr(board, name)).parameters.values()
            if not any(p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters):
                getattr(board, name)()
        for color in chess.COLORS:
            board.has_insufficient_material(color)
            board.pin_mask(color, chess.E4)
        for move in list(board.legal_moves)[:8]:
            assert board.parse_san(board.san(move)) == move
            board.is_into_check(move)
            board.push(move)
            board.pop()
    with pytest.raises(AssertionError, match="was asked"):
        STOCK().is_variant_end()


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("_push_capture", r"push\(\)"),
        ("explosion_mask", r"push\(\)"),
        ("is_legal", "has_checks"),
        ("generate_legal_moves", "touching_kings_immune"),
        ("generate_legal_ep", "has_checks"),
        ("generate_pseudo_legal_moves", "is_variant_end"),
        ("_attacked_for_king", "has_checks"),
        ("is_into_check", "has_checks"),
        ("was_into_check", "has_checks"),
        ("checkers_mask", "has_checks"),
        ("gives_check", "has_checks"),
        ("_kings_connected", "touching_kings_immune"),
        ("generate_castling_moves", "clean_castling_rights"),
        ("_remove_piece_at", r"push\(\) and pop\(\)"),
    ],
)
def test_overriding_what_the_board_does_not_consult_is_a_type_error_that_names_the_hook(name, instead):
    with pytest.raises(TypeError, match=rf"Mine overrides {name}, which .*{instead}"):
        type("Mine", (AtomicBoard,), {name: lambda self, *args, **kwargs: None})

    class Mixin:
        pass

    setattr(Mixin, name, lambda self, *args, **kwargs: None)
    with pytest.raises(TypeError, match=rf"{name}.*{instead}"):
        type("Mine", (Mixin, AtomicBoard), {})


def test_overriding_what_the_board_consults_is_followed():
    class Logging(AtomicBoard):
        log = []

        def push(self, move):
            self.log.append(move.uci())
            super().push(move)

        def clean_castling_rights(self):
            return chess.BB_EMPTY

    board = Logging()
    for san in ("e4", "d5", "exd5", "Qxd2#"):
        board.push_san(san)
    assert board.log == ["e2e4", "d7d5", "e4d5", "d8d2"]  # Each move once: legality is not tried out.
    assert board.fen().split()[2] == "-"


@pytest.mark.usefixtures("replaced")
def test_replaced_the_written_out_name_gives_our_board():
    assert chess.variant.AtomicBoard is AtomicBoard
    assert chess.variant.find_variant("Atomic") is AtomicBoard
    assert STOCK not in chess.variant.VARIANTS
    assert isinstance(AtomicBoard(), chess.variant.AtomicBoard)
    board = chess.variant.AtomicBoard("rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3")
    assert [board.san(move) for move in board.generate_king_explosions()] == ["Nxe7#"]


def test_replacing_can_be_repeated_and_undone():
    before = list(chess.variant.VARIANTS)
    for _ in range(2):
        register(replace=True)
        register(replace=True)
        register()
        assert chess.variant.AtomicBoard is STOCK
        register(replace=True)
        unregister()
        unregister()
        assert chess.variant.AtomicBoard is STOCK
        assert before == chess.variant.VARIANTS


def test_the_class_of_someone_else_is_left_in_its_place(monkeypatch):
    class Other(STOCK):
        pass

    monkeypatch.setattr(chess.variant, "AtomicBoard", STOCK)  # Put back at the end.
    register(replace=True)
    chess.variant.AtomicBoard = Other
    unregister()
    assert chess.variant.AtomicBoard is Other


TYPED_USER = """
import chess
import chess.variant

import atomic_variant


def threats(board: chess.variant.AtomicBoard) -> int:
    return sum(1 for move in board.legal_moves if board.is_capture(move))


class Dialect(atomic_variant.AtomicBoard):
    aliases = ["Mine"]
    uci_variant = "mine"
    has_checks = False


boards: list[chess.variant.AtomicBoard] = [atomic_variant.AtomicBoard(), atomic_variant.IccAtomicBoard(), Dialect()]
copied: Dialect = Dialect().copy()
reason: str | None = copied.why_illegal("O-O")
move: chess.Move | None = None
print([threats(board) for board in boards], reason, move in copied.legal_moves, copied.explodes_king("e4"))
atomic_variant.register(replace=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("checker", "arguments"), [("mypy", ["--strict"]), ("pyright", [])])
def test_a_type_checker_takes_our_board_where_the_stock_board_is_annotated(checker, arguments, tmp_path):
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"needs {checker}")
    (tmp_path / "user.py").write_text(TYPED_USER)
    (tmp_path / "atomic_variant").symlink_to(Path(__file__).resolve().parents[2] / "atomic_variant")
    command = [sys.executable, "-m", checker, *arguments, "user.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    run = subprocess.run(
        [sys.executable, "user.py"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode == 0, run.stderr
