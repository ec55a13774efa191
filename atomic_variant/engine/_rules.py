"""
How engines play the rule sets of this package: names, limits and proofs.

Boards are known here by their ``uci_variant``, the name that every protocol,
table and file uses. A board that is not listed is played by engines that
announce its own name.
"""

from __future__ import annotations

from dataclasses import dataclass

import chess


@dataclass(frozen=True)
class Way:
    """One way in which an engine may play a variant."""

    uci: str
    """The name of the engine's variant in UCI."""
    xboard: str
    """The same in the XBoard protocol."""
    limit: str | None = None
    """In what the engine's rules differ from the board's, or ``None`` if they agree."""
    config: str | None = None
    """The configuration file that teaches Fairy-Stockfish the variant, if it has to be taught."""
    base: str = "atomic"
    """The variant that *config* builds on."""


@dataclass(frozen=True)
class Probe:
    """
    A position that tells whether an engine plays the variant that it announces.

    The answer must be legal, and among *moves* if there are any: then the
    engine is told to consider no others.
    """

    fen: str
    moves: tuple[str, ...] = ()


_BUHO21_INI = """\
# Atomic chess in which a player without a legal move loses.
[buho21:atomic]
stalemateValue = loss
"""
_BUHO21_LIMIT = "its search believes that touching kings are safe from check"

_WAYS: dict[str, tuple[Way, ...]] = {
    # The moves of the two are the same; only automatic draws differ.
    "atomic-chessplayx": (Way("atomic", "atomic"),),
    # The engine lets a player explode the own king. Answers are kept to our
    # legal moves, which are all of the others.
    "atomic-icc": (Way("nocheckatomic", "nocheckatomic", "its search counts moves that explode the own king"),),
    # Every legal move of Buho21 is legal in atomic chess, but not the reverse.
    "atomic-buho21": (
        Way("buho21", "buho21", _BUHO21_LIMIT, _BUHO21_INI),
        Way("atomic", "atomic", f"{_BUHO21_LIMIT}, and that a player without a legal move draws"),
    ),
}

# White is in check. By the rules of chess only Kxg2 is legal; where captures
# explode, only the rook's capture next to the queen is.
_BLAST_NEXT_TO_CHECKER = Probe("k7/8/8/8/8/R4n2/6q1/7K w - - 0 1")
# Checkmate by the rules of chess; captures on a7 and b7 explode the king.
_EXPLODE_INSTEAD = Probe("k7/pp5R/8/8/3Q4/8/PP6/K1r5 w - - 1 2")
# Without check the king may step into attack, but it never captures.
_KING_NEVER_CAPTURES = Probe("7k/6Q1/8/8/8/8/8/K7 b - - 0 1")
_KING_IGNORES_ATTACK = Probe("k7/1R6/8/8/2K5/8/8/8 b - - 0 1")

_PROBES: dict[str, tuple[Probe, ...]] = {
    "atomic": (_BLAST_NEXT_TO_CHECKER, _EXPLODE_INSTEAD),
    "atomic-chessplayx": (_BLAST_NEXT_TO_CHECKER, _EXPLODE_INSTEAD),
    "atomic-buho21": (_BLAST_NEXT_TO_CHECKER, _EXPLODE_INSTEAD),
    "atomic-icc": (_KING_NEVER_CAPTURES, _KING_IGNORES_ATTACK),
    # A knight and a pawn change places.
    "sparkchess": (Probe(chess.STARTING_FEN.replace(" KQkq", " -"), ("b1d2",)),),
}

_ENGINES_FOR_ATOMIC = (
    "Engines that play atomic chess: Fairy-Stockfish 14 or newer (https://fairy-stockfish.github.io; the 11.1 packaged "
    "by Debian does not), the same from npm (fairy-stockfish-nnue.wasm, runs under Node.js), Atomic-Stockfish "
    "(https://github.com/Belzedar94/Atomic-Stockfish), and multi-variant Stockfish "
    "(https://github.com/ddugovic/Stockfish)."
)
_ADVICE = {
    "atomic-icc": "The dialect is played by Fairy-Stockfish 14 or newer (https://fairy-stockfish.github.io) as "
    "nocheckatomic. Other engines know atomic chess with check only.",
    "sparkchess": "Spark Chess is in no released engine: it takes a Fairy-Stockfish built from its pull request 1043, "
    "which announces sparkchess.",
}


def ways_to_play(board_class: type[chess.Board]) -> list[Way]:
    """The ways in which engines may play the variant of *board_class*, best first."""
    own = board_class.uci_variant or ""
    ways = [Way(own, board_class.xboard_variant or own), *_WAYS.get(own, ())]
    if not getattr(board_class, "stalemate_loses", True):
        ways = [way for way in ways if way.config != _BUHO21_INI]
    return ways


def probes(board_class: type[chess.Board]) -> tuple[Probe, ...]:
    """Positions on which an engine proves that it plays the variant of *board_class*."""
    return _PROBES.get(board_class.uci_variant or "", ())


def advice(board_class: type[chess.Board]) -> str:
    """What to install for the variant of *board_class*."""
    own = board_class.uci_variant or ""
    if own in _ADVICE:
        return _ADVICE[own]
    if own == "atomic" or own in _WAYS:
        return _ENGINES_FOR_ATOMIC
    return f"It takes an engine that announces {own!r} among its variants."
