"""
What boards answer whose class overrides something, one line of JSON for each override.

The same with the kernel and without, so a test runs it twice and compares::

    ATOMIC_VARIANT_PURE=1 python -m tests.tools.compare_overrides > pure.jsonl
    python -m tests.tools.compare_overrides | diff - pure.jsonl
"""

import importlib.util
import io
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import chess

from atomic_variant import VARIANTS, AtomicBoard, pgn
from atomic_variant.boards.endings import ENDINGS, EndingKind
from atomic_variant.boards.overriding import KERNEL_GROUNDS, NOT_FOR_OVERRIDING
from atomic_variant.perft import perft

FENS = [
    chess.STARTING_FEN,
    "r3k2r/pPp5/8/4Pp2/8/8/P6P/R3K2R w KQkq f6 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9",
    "k7/1R6/8/8/2K5/8/8/8 b - - 0 1",
    "8/8/4kK2/8/8/8/4r3/4R3 w - - 0 1",
    "k5r1/8/8/8/8/8/r7/N6K w - - 0 1",
    "4k3/8/8/8/8/8/8/4KN2 w - - 149 90",
]

GAMES = """\
[Variant "{0}"]

1. Nf3 {{a}} f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0

[Variant "{0}"]
[FEN "r3k2r/pPp5/8/4Pp2/8/8/P6P/R3K2R w KQkq f6 0 1"]

1. exf6 O-O 2. O-O-O Rad8 (2... c5) *

[Variant "{0}"]
[FEN "8/2k5/8/8/8/8/1R6/2K5 w - - 0 1"]

1. Rb1 Kd6 2. Rb2 1/2-1/2

[Variant "{0}"]
[FEN "4k3/8/8/8/8/8/8/4KN2 w - - 149 90"]

1. Ng3 Kd8 *

[Variant "{0}"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 1/2-1/2

[Variant "{0}"]
[FEN "k7/8/1K6/8/8/8/8/7R w - - 0 1"]

1. Rh8# 1-0

[Variant "{0}"]
[FEN "8/8/6p1/3K2P1/8/2k5/8/8 b - - 0 1"]

1... Kd3 1/2-1/2
"""

# What is wrong with an answer, by its type. Everything else is kept.
_DISTORTED: dict[type, Callable[[Any], Any]] = {
    bool: lambda value: not value,
    int: lambda value: chess.BB_EMPTY if value else chess.BB_A1,
    str: lambda value: f"other words, not {value}",
    chess.Outcome: lambda value: None,
    tuple: lambda value: (),
}


def distorted(value: Any) -> Any:
    """Another answer of the same kind."""
    if isinstance(value, Iterator):
        return iter(list(value)[1:])
    return _DISTORTED.get(type(value), lambda value: value)(value)


def overriding(name: str) -> dict[str, Any]:
    """The body of a class that answers *name* in another way."""
    given = getattr(AtomicBoard, name)
    if name == "push":

        def push(self: AtomicBoard, move: chess.Move) -> None:
            given(self, move)
            self.halfmove_clock += 70

        return {name: push}
    if name == "pop":

        def pop(self: AtomicBoard) -> chess.Move:
            move: chess.Move = given(self)
            self.halfmove_clock += 70
            return move

        return {name: pop}
    if name == "copy":

        def copy(self: AtomicBoard, *args: Any, **kwargs: Any) -> AtomicBoard:
            board: AtomicBoard = given(self, *args, **kwargs)
            board.halfmove_clock += 140
            return board

        return {name: copy}
    if name in ("parse_san", "find_move"):

        def other_move(self: AtomicBoard, *args: Any) -> chess.Move:
            moves = list(self.legal_moves)
            return moves[-1] if moves else given(self, *args)

        return {name: other_move}
    if name == "peek":
        return {name: lambda self: chess.Move.from_uci("e1e8")}
    if name == "__new__":
        return {name: lambda cls, *args, **kwargs: object.__new__(cls)}
    if name == "__init__":
        return {name: lambda self, *args, **kwargs: setattr(self, "halfmove_clock", given(self, *args, **kwargs) or 77)}
    if name == "_kind_of_variant_end":
        return {name: lambda self, outcome: EndingKind.CLOSED}
    if name == "_transposition_key":
        return {name: lambda self: object()}
    if name == "king":
        return {name: lambda self, color: chess.A1}
    if name == "piece_type_at":
        return {name: lambda self, square: chess.QUEEN if given(self, square) else None}
    if name in ("_from_chess960", "_to_chess960"):
        return {name: lambda self, *args: chess.Move.from_uci("a1a2")}
    if name == "outcome":
        return {name: lambda self, **_: chess.Outcome(chess.Termination.VARIANT_DRAW, None)}
    if name == "describe_outcome":
        return {name: lambda self, *_, **__: "so it goes"}
    if name == "legal_moves":
        return {name: property(lambda self: [*given.fget(self)][1:])}
    if name == "endings":
        return {name: {**ENDINGS, **{ending: f"loudly: {ending.name}" for ending in chess.Termination}}}
    if not callable(given):
        return {name: distorted(given)}
    return {name: lambda self, *args, **kwargs: distorted(given(self, *args, **kwargs))}


def make_class(body: dict[str, Any]) -> type[AtomicBoard]:
    """A class with these attributes. All have the same names: none may be taken for another."""
    refused = {name: value for name, value in body.items() if name in NOT_FOR_OVERRIDING}
    body = {name: value for name, value in body.items() if name not in refused}
    made = type("Overriding", (AtomicBoard,), {"aliases": ["Overriding"], "uci_variant": "overriding", **body})
    for name, value in refused.items():  # Refused when a class is made, not later.
        setattr(made, name, value)
    return made


def generate_classes() -> Iterator[tuple[str, type[AtomicBoard]]]:
    """What is overridden, and the class."""
    rows: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        *((name, overriding(name), {}) for ground in KERNEL_GROUNDS for name in ground),
        *((name, {name: False}, {}) for name in ("has_checks", "touching_kings_immune")),
        *((f"no {name}", {name: None}, {}) for name in ("has_checks", "touching_kings_immune")),
        *((f"{name} of a board", {}, {name: False}) for name in ("has_checks", "touching_kings_immune")),
        ("endings of a board", {}, overriding("endings")),
        ("nothing", {}, {}),
    ]
    for name, body, shadows in rows:
        if shadows:

            def init(self: AtomicBoard, *args: Any, shadows: dict[str, Any] = shadows, **kwargs: Any) -> None:
                AtomicBoard.__init__(self, *args, **kwargs)
                vars(self).update(shadows)

            body = {**body, "__init__": init}
        yield name, make_class(body)


def answer(function: Callable[..., Any], *args: Any) -> Any:
    """What *function* returns or raises, in words."""
    try:
        value = function(*args)
        return [str(item) for item in value] if isinstance(value, Iterator) else str(value)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def board_answers(board_class: type[AtomicBoard]) -> Iterator[Any]:
    moves_written = ["e4", "Nf3", "O-O", "O-O-O", "e2e4", "bxa8=Q", "exf6", "Kb8", "Nc2"]
    for fen in FENS:
        for chess960 in (False, True):

            def board(fen: str = fen, chess960: bool = chess960) -> AtomicBoard:
                return board_class(fen, chess960=chess960)

            moves = list(AtomicBoard(fen, chess960=chess960).legal_moves)
            some = [*moves[:6], *moves[-3:], chess.Move.from_uci("a1a8"), chess.Move.from_uci("e1g1")]
            yield fen
            for name in ("generate_legal_moves", "checkers_mask", "is_checkmate", "is_stalemate", "outcome",
                         "describe_outcome", "is_check", "fen", "zobrist_key"):  # fmt: skip
                yield answer(lambda name=name: getattr(board(), name)())
            yield answer(lambda: iter(board().legal_moves))
            yield answer(lambda: board().legal_moves.count())
            yield answer(lambda: bool(board().legal_moves))
            yield answer(lambda: [board().has_insufficient_material(color) for color in chess.COLORS])
            yield answer(lambda: perft(board(), 2))
            yield [answer(board().parse_san, san) for san in moves_written]
            for move in some:
                yield [
                    answer(lambda move=move: move in board().legal_moves),
                    answer(lambda move=move: board().is_legal(move)),
                    answer(lambda move=move: board().gives_check(move)),
                    answer(lambda move=move: board().san(move)),
                    answer(lambda move=move: played(board(), move)),
                ]


def played(board: AtomicBoard, move: chess.Move) -> list[str]:
    if not chess.Board.is_pseudo_legal(board, move):
        return []
    board.push(move)
    before = board.fen()
    return [before, str(board.pop()), board.fen()]


def game_answers(board_class: type[AtomicBoard]) -> Iterator[Any]:
    text = GAMES.format(board_class.aliases[0])
    yield answer(lambda: (repr(record) for record in pgn.scan(io.StringIO(text), comments=True)))
    yield answer(lambda: (f"{game} {game.errors} {game.ending}" for game in pgn.read_games(io.StringIO(text))))
    if importlib.util.find_spec("numpy"):
        yield answer(lambda: (array_answers(part) for part in pgn.scan_arrays(io.StringIO(text))))


def array_answers(part: pgn.GameArrays) -> list[str]:
    texts = [str(value) for value in (part.outcomes, part.endings, part.results, part.fens, part.errors)]
    return [*texts, str(part.moves.tolist()), str(part.offsets.tolist())]


def main() -> int:
    for name, board_class in generate_classes():
        VARIANTS.append(board_class)
        found = [*board_answers(board_class), *game_answers(board_class)]
        VARIANTS.remove(board_class)
        json.dump({"overridden": name, "answers": found}, sys.stdout)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
