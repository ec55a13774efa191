"""The tables of dialects in the guide, each cell against the classes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import chess

import atomic_variant
from atomic_variant import VARIANTS
from atomic_variant.variants import AnyBoard

PAGE = Path(__file__).parents[2] / "examples" / "guide" / "dialects.md"
RULES = "| Rule | AtomicBoard |"
NAMES = "| Board | PGN `Variant` |"


def table(first_words: str) -> list[list[str]]:
    """The rows of the table of the page that starts so, the head first."""
    text = PAGE.read_text(encoding="utf-8")
    start = text.index(first_words)
    lines = text[start:].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines if "|---" not in line]


# --- What the boards do, in the words of the table --------------------------------------

Probe = Callable[[type[AnyBoard]], str]


def legal(fen: str, *ucis: str) -> Probe:
    """Whether the moves, up to the last, are legal."""

    def probe(board_class: type[AnyBoard]) -> str:
        board = board_class(fen)
        for uci in ucis[:-1]:
            board.push_uci(uci)
        return "yes" if board.is_legal(chess.Move.from_uci(ucis[-1])) else "no"

    return probe


def castling(fen: str) -> Probe:
    def probe(board_class: type[AnyBoard]) -> str:
        if not board_class("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").has_castling_rights(chess.WHITE):
            return "no castling"
        return legal(fen, "e1c1")(board_class)

    return probe


def captures_explode(board_class: type[AnyBoard]) -> str:
    board = board_class("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    board.push_uci("e4d5")
    return "yes" if board.occupied == board.kings else "no"


def explodes_own_king(board_class: type[AnyBoard]) -> str:
    if captures_explode(board_class) == "no":
        return "nothing explodes"
    return legal("8/8/8/2K5/2P5/2k1n3/8/2R5 b - - 0 1", "e3c4")(board_class)


def check_is_answered(board_class: type[AnyBoard]) -> str:
    return "no" if board_class("8/8/1Q2pk2/8/8/8/3K4/1n6 w - - 0 1").is_legal(chess.Move.from_uci("b6a7")) else "yes"


def contact_is_safe(board_class: type[AnyBoard]) -> str:
    if check_is_answered(board_class) == "no":
        return "no check"
    return "no" if board_class("3k4/3K3r/8/8/8/P7/8/8 w - - 0 1").is_check() else "yes"


def wins(fen: str, uci: str) -> Probe:
    def probe(board_class: type[AnyBoard]) -> str:
        board = board_class(fen)
        mover = board.turn
        assert board.is_legal(chess.Move.from_uci(uci))
        board.push_uci(uci)
        outcome = board.outcome()
        return "yes" if outcome and outcome.winner == mover else "no"

    return probe


def result(*fens: str) -> Probe:
    """What becomes of the side to move where it has no legal move."""

    def probe(board_class: type[AnyBoard]) -> str:
        board = next(board for board in map(board_class, fens) if not list(board.legal_moves))
        outcome = board.outcome()
        assert outcome
        return "draw" if outcome.winner is None else "win" if outcome.winner == board.turn else "loss"

    return probe


def drawn(fen: str) -> Callable[[type[AnyBoard]], bool]:
    return lambda board_class: board_class(fen).result() == "1/2-1/2"


def bare_kings(board_class: type[AnyBoard]) -> str:
    assert drawn("8/3k4/8/8/8/8/3K4/8 w - - 0 1")(board_class)
    return "draw" if drawn("8/8/8/3kK3/8/8/8/8 w - - 0 1")(board_class) else "draw unless they touch"


def king_and_knight(board_class: type[AnyBoard]) -> str:
    in_zone, outside = "1k6/8/8/8/8/8/3K4/6N1 w - - 0 1", "8/8/8/4k3/8/8/3K4/6N1 w - - 0 1"
    if not drawn(outside)(board_class):
        return "goes on"
    return "draw" if drawn(in_zone)(board_class) else "draw outside the danger zone"


def repetition(board_class: type[AnyBoard]) -> str:
    board = board_class()
    occurrences = 1
    claim = end = None
    while occurrences < 6:
        if end is None and board.outcome():
            end = occurrences
        if claim is None and end is None and board.outcome(claim_draw=True):
            claim = occurrences
        for uci in ("g1f3", "g8f6", "f3g1", "f6g8"):
            board.push_uci(uci)
        occurrences += 1
    ordinals = {2: "2nd", 3: "3rd", 5: "5th"}
    words = [f"claim from the {ordinals[claim]}"] if claim else []
    return ", ".join(words + ([f"draw at the {ordinals[end]}"] if end else []))


def no_progress(board_class: type[AnyBoard]) -> str:
    def first(claim: bool) -> int | None:
        clocks = range(0, 401, 2)
        fens = (f"4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - {clock} 300" for clock in clocks)
        found = (clock for clock, fen in zip(clocks, fens, strict=True) if board_class(fen).outcome(claim_draw=claim))
        return next(found, None)

    claim, end = first(True), first(False)
    words = [f"claim from {claim // 2}"] if claim else []
    return ", ".join(words + ([f"draw at {end // 2}"] if end else [])) or "no draw"


def en_passant(board_class: type[AnyBoard]) -> str:
    board = board_class("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1")
    if not board.is_legal(chess.Move.from_uci("e2e4")):
        return "no"
    board.push_uci("e2e4")
    return "yes" if board.is_legal(chess.Move.from_uci("d4e3")) else "no"


# Black may only capture next to the own king; White may not even do that.
BLOCKED = ["7K/8/8/8/8/8/pp6/kN6 b - - 0 1", "BBBBBBBB/PPPPPPPP/PP6/PP6/PP6/PP6/PP6/KP5k w - - 0 1"]

PROBES: dict[str, Probe] = {
    "Captures explode": captures_explode,
    "A king may capture": legal("4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", "e1d2"),
    "A move may explode the own king": explodes_own_king,
    "A check has to be answered": check_is_answered,
    "Touching kings are safe from check": contact_is_safe,
    "A king may step next to the other where a piece guards": legal("3k4/7r/3K4/8/8/8/8/8 w - - 0 1", "d6d7"),
    "Castling out of check": castling("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1"),
    "Castling out of check while the kings touch": castling("8/8/8/8/8/8/4k3/R3K2q w Q - 0 1"),
    "Castling through check": castling("4k3/8/8/8/8/8/3r4/R3K3 w Q - 0 1"),
    "Exploding or capturing the enemy king wins, in check too": wins("4k1r1/8/8/8/8/8/8/4R1K1 w - - 0 1", "e1e8"),
    "No legal move, in check": result("7k/6Q1/8/8/8/8/P7/K7 b - - 0 1", *BLOCKED),
    "No legal move, not in check": result("k7/1R6/8/8/2K5/8/7P/8 b - - 0 1", *BLOCKED),
    "Two bare kings": bare_kings,
    "King and knight against king": king_and_knight,
    "A position comes again": repetition,
    "Moves without capture or pawn move": no_progress,
    "Double steps and en passant": en_passant,
    "Atomic tablebases apply": lambda board_class: "yes" if board_class.tbw_suffix == ".atbw" else "no",
}


def test_every_cell_of_the_table_of_rules_is_what_the_class_does_and_names_its_source() -> None:
    (_, *names), *rows = table(RULES)
    assert [getattr(atomic_variant, name) for name in names] == VARIANTS
    assert [label for label, *_ in rows] == list(PROBES)
    sources = set(re.findall(r"^- \*\*([A-Z])\*\*: ", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    for label, *cells in rows:
        for board_class, cell in zip(VARIANTS, cells, strict=True):
            match = re.fullmatch(r"(.+) \(([A-Z](?:, [A-Z])*)\)", cell)
            assert match, f"{label}: {cell!r} has no source"
            assert match[1] == PROBES[label](board_class), f"{label}, {board_class.__name__}"
            assert set(match[2].split(", ")) <= sources, f"{label}: the sources of {cell!r} are listed"


def test_every_name_of_the_table_of_names_is_that_of_the_class() -> None:
    _, *rows = table(NAMES)
    assert [getattr(atomic_variant, row[0]) for row in rows] == VARIANTS
    for board_class, (_, pgn_name, uci_variant, others) in zip(VARIANTS, rows, strict=True):
        assert pgn_name == board_class.aliases[0]
        assert uci_variant == board_class.uci_variant
        for name in others.split(", "):
            assert atomic_variant.find_variant(name) is board_class
