"""
What a puzzle is about, in the theme keys of the Lichess puzzle file.

Where that file has a word (``mateIn2``, ``quietMove``, ``sacrifice``,
``short``, ``endgame``, ...) it is used, as far as it says something on a board
that explodes; atomic chess needs some more:

* ``explosion`` and ``explosionIn2``, as ``mate`` and ``mateIn2``;
* ``kingsTouching``: the kings touch at some time in the solution;
* ``ownKingInCheck``: the solver begins in check.
"""

from __future__ import annotations

import chess

from ..boards import rules
from ._phases import phase

LENGTHS = {1: "oneMove", 2: "short", 3: "long"}
_LONGEST_NAMED = 5  # mateIn5 is "in five or more".
_SACRIFICE = 2  # Pawns' worth of men that the solver is behind for it.
_VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


def themes(board: chess.Board, line: list[chess.Move]) -> tuple[str, ...]:
    """
    The theme keys of a solution, sorted.

    >>> from atomic_variant import AtomicBoard
    >>> board = AtomicBoard("rnbqkbnr/pppp1ppp/4p3/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2")
    >>> themes(board, [chess.Move.from_uci(move) for move in ("f3e5", "g8e7", "e5f7")])
    ('explosion', 'explosionIn2', 'opening', 'quietMove', 'short')
    """
    board = board.copy(stack=False)
    solver = board.turn
    moves = (len(line) + 1) // 2
    keys = {phase(board), LENGTHS.get(moves, "veryLong")}
    if board.is_check():
        keys.add("ownKingInCheck")
    if not board.is_capture(line[0]) and not board.gives_check(line[0]):
        keys.add("quietMove")
    balance = _balance(board, solver)
    vacated = chess.BB_EMPTY  # By the solver's move before.
    moved_to: chess.Square | None = None
    ending = ""
    for ply, move in enumerate(line):
        if rules.kings_touch(board.occupied_co[True], board.occupied_co[False], board.kings & ~board.promoted):
            keys.add("kingsTouching")
        if ply % 2:
            board.push(move)
            continue
        if ply and _balance(board, solver) <= balance - _SACRIFICE:
            keys.add("sacrifice")
        if move.from_square != moved_to and chess.between(move.from_square, move.to_square) & vacated:
            keys.add("discoveredAttack")
        if board.is_castling(move):
            keys.add("castling")
        elif board.is_en_passant(move):
            keys.add("enPassant")
        if move.promotion:
            keys.add("promotion" if move.promotion == chess.QUEEN else "underPromotion")
        explodes = getattr(board, "explodes_king", None)
        if ply == len(line) - 1 and explodes and explodes(move):
            ending = "explosion"
        is_castling = board.is_castling(move)
        occupied = board.occupied
        board.push(move)
        vacated, moved_to = occupied & ~board.occupied, move.to_square
        if board.checkers_mask() & ~chess.BB_SQUARES[move.to_square] and not is_castling:
            keys.add("discoveredCheck")
    if board.is_checkmate():
        ending = "mate"
    if ending:
        keys |= {ending, f"{ending}In{min(moves, _LONGEST_NAMED)}"}
    return tuple(sorted(keys))


def _balance(board: chess.Board, color: chess.Color) -> int:
    """What *color* has more than the other side, in pawns."""
    return sum(
        value * (len(board.pieces(piece_type, color)) - len(board.pieces(piece_type, not color)))
        for piece_type, value in _VALUES.items()
    )
