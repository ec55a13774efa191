"""
Positions to test on, in any number.

Real games are tame: kings touch seldom, and an explosion seldom decides what
is legal. :func:`construct` builds positions where all of that is common. It
makes every choice by a function that is passed to it, so that seeded random
numbers and Hypothesis (``strategies.py``) share one construction.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import chess
import chess.variant
from chess import BB_KING_ATTACKS, BB_SQUARES, SQUARES, Piece, Square

from atomic_variant import AtomicBoard

Choose: TypeAlias = Callable[[Sequence[Any]], Any]
"""Picks one of a sequence. The first is the simplest, for those who simplify failures."""

FIELDS = (
    "pawns", "knights", "bishops", "rooks", "queens", "kings", "occupied", "promoted",
    "turn", "castling_rights", "ep_square", "halfmove_clock", "fullmove_number", "chess960",
)  # fmt: skip

_MEN = "PPpNnBbRrQq"


def snapshot(board: chess.Board) -> tuple[Any, ...]:
    """Everything that makes up *board*, to see whether something changed."""
    state = tuple(getattr(board, name) for name in FIELDS)
    return (*state, *board.occupied_co, tuple(board.move_stack), len(board._stack))


def stock(board: chess.Board) -> chess.variant.AtomicBoard:
    """The same position on the atomic board of python-chess."""
    other = chess.variant.AtomicBoard(None)
    for name in FIELDS:
        setattr(other, name, getattr(board, name))
    other.occupied_co = list(board.occupied_co)
    return other


def construct(choose: Choose) -> AtomicBoard:
    """A position with something to decide; most are legal, all are accepted by the boards."""
    board = AtomicBoard.empty()
    board.turn = choose(chess.COLORS)
    choose(KINDS)(board, choose)
    board.castling_rights = board.clean_castling_rights()
    board.halfmove_clock = choose([0, 0, 0, 7, 99])
    if choose([False, False, False, False, True]):
        captures = list(board.generate_legal_captures())
        if captures:
            board.push(choose(captures))
            board.clear_stack()
    return board


def make_odd(board: AtomicBoard, choose: Choose) -> None:
    """Puts onto *board* what no game leads to, but an editor or a FEN may hold."""
    oddities = choose([1, 2, 5, 7, 15])  # A bit for each.
    free = [square for square in SQUARES if not board.occupied & BB_SQUARES[square]]
    if oddities & 1:
        for _ in range(choose([1, 2, 4])):
            square = choose(free)
            if not board.occupied & BB_SQUARES[square] and chess.square_rank(square) in (0, 7):
                board.set_piece_at(square, Piece(chess.PAWN, choose(chess.COLORS)))
    if oddities & 2:
        flags = board.occupied & ~board.kings & choose([board.pawns, chess.BB_ALL])
        board.promoted = flags & ~sum(BB_SQUARES[choose(SQUARES)] & flags for _ in range(1))
    if oddities & 4:
        board.ep_square = choose([*SQUARES, *SQUARES[16:24], *SQUARES[40:48]])
        board.castling_rights = choose([0, chess.BB_RANK_1, chess.BB_RANK_8, chess.BB_CORNERS, board.rooks])
    if oddities & 8:
        for _ in range(choose([1, 2])):
            square = choose(free)
            if not board.occupied & BB_SQUARES[square]:
                board.set_piece_at(square, Piece(chess.KING, choose(chess.COLORS)))


def constructed_odd(seed: int, number: int) -> Iterator[AtomicBoard]:
    """*number* constructed positions with something odd in them."""
    rng = random.Random(seed)
    for _ in range(number):
        board = construct(rng.choice)
        make_odd(board, rng.choice)
        yield board


def constructed(seed: int, number: int) -> Iterator[AtomicBoard]:
    """*number* constructed positions, the same for the same *seed*."""
    rng = random.Random(seed)
    for _ in range(number):
        yield construct(rng.choice)


def played(seed: int, number: int) -> Iterator[AtomicBoard]:
    """
    *number* positions of games of random legal moves, Chess960 among them.

    The board goes on to the next position afterwards.
    """
    rng = random.Random(seed)
    while True:
        board = AtomicBoard() if rng.random() < 0.5 else AtomicBoard.from_chess960_pos(rng.randrange(960))
        for _ in range(120):
            if not number:
                return
            number -= 1
            yield board
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))


# --- Kinds of positions -----------------------------------------------------


def _put(board: AtomicBoard, square: Square, symbol: str) -> bool:
    """Puts a piece on an empty square, a pawn only where pawns can be."""
    if board.occupied & BB_SQUARES[square] or (symbol in "Pp" and chess.square_rank(square) in (0, 7)):
        return False
    board.set_piece_at(square, Piece.from_symbol(symbol))
    return True


def _scatter(board: AtomicBoard, choose: Choose, most: int) -> None:
    for _ in range(choose(range(most + 1))):
        square = choose(SQUARES)
        symbol = choose(_MEN)
        if _put(board, square, symbol) and symbol not in "Pp" and choose([False] * 9 + [True]):
            board.promoted |= BB_SQUARES[square]


def _around(square: Square, distance: int) -> list[Square]:
    return [other for other in SQUARES if 0 < chess.square_distance(square, other) <= distance]


def _add_king(board: AtomicBoard, choose: Choose, color: chess.Color, near: Square | None = None) -> Square:
    """Puts a king on an empty square; next to *near* or close to it in half of the cases."""
    squares = list(SQUARES) if near is None or choose([True, False]) else _around(near, choose([1, 1, 2]))
    free = [square for square in squares if not board.occupied & BB_SQUARES[square]]
    square = choose(free or [square for square in SQUARES if not board.occupied & BB_SQUARES[square]])
    board.set_piece_at(square, Piece(chess.KING, color))
    return square


def _scattered(board: AtomicBoard, choose: Choose) -> None:
    _add_king(board, choose, chess.BLACK, near=_add_king(board, choose, chess.WHITE))
    _scatter(board, choose, choose([6, 14, 40]))


def _castling(board: AtomicBoard, choose: Choose) -> None:
    _home(board, choose, [0, 4, 7])


def _chess960(board: AtomicBoard, choose: Choose) -> None:
    board.chess960 = True
    _home(board, choose, sorted({choose(range(8)) for _ in range(3)}))


def _home(board: AtomicBoard, choose: Choose, files: list[int]) -> None:
    """A king between two rooks, for one side or both; enemies, the king among them, close by."""
    castles = choose([[board.turn], [board.turn], [True, False]])
    for color in castles:
        rank = 0 if color else 7
        king_file = files[len(files) // 2]
        for file in files:
            square = chess.square(file, rank)
            if file == king_file:
                board.set_piece_at(square, Piece(chess.KING, color))
            elif choose([True, True, True, False]):
                board.set_piece_at(square, Piece(chess.ROOK, color))
                board.castling_rights |= BB_SQUARES[square]
    if len(castles) == 1:
        rank = 0 if board.turn else 7
        near = chess.square(choose(range(8)), rank)
        _add_king(board, choose, not board.turn, near)
    for _ in range(choose([0, 1, 2, 3])):
        # Men on or before the first rank, whose explosion takes rooks along.
        square = chess.square(choose(range(8)), choose([0, 1, 1, 2] if board.turn else [7, 6, 6, 5]))
        _put(board, square, choose("pPnNbBrRqQ"))
    _scatter(board, choose, 8)


def _en_passant(board: AtomicBoard, choose: Choose) -> None:
    """A pawn that has just made a double step past an enemy pawn, kings close by."""
    rank, ahead = (4, 8) if board.turn else (3, -8)
    file = choose(range(8))
    board.set_piece_at(chess.square(file, rank), Piece(chess.PAWN, not board.turn))
    board.ep_square = chess.square(file, rank) + ahead
    empty = BB_SQUARES[board.ep_square] | BB_SQUARES[board.ep_square + ahead]
    for beside in choose([[file - 1], [file + 1], [file - 1, file + 1]]):
        if 0 <= beside < 8:
            board.set_piece_at(chess.square(beside, rank), Piece(chess.PAWN, board.turn))
    # The squares behind the pawn stay empty for the sake of the double step.
    board.occupied |= empty
    for color in chess.COLORS:
        _add_king(board, choose, color, near=board.ep_square)
    _scatter(board, choose, 10)
    board.occupied &= ~empty


def _attacks(board: AtomicBoard, choose: Choose) -> None:
    """Attackers around the king to move, with none, one or two men on their lines."""
    king = _add_king(board, choose, board.turn)
    _add_king(board, choose, not board.turn, near=king)
    for _ in range(choose([1, 2, 3, 5])):
        square = choose(SQUARES)
        if chess.BB_KNIGHT_ATTACKS[king] & BB_SQUARES[square]:
            symbol = "n"
        elif chess.BB_PAWN_ATTACKS[board.turn][king] & BB_SQUARES[square] and choose([True, False]):
            symbol = "p"
        elif chess.ray(king, square):
            straight = chess.square_file(king) == chess.square_file(square)
            straight |= chess.square_rank(king) == chess.square_rank(square)
            symbol = choose("rq" if straight else "bq")
        else:
            continue
        between = list(chess.SquareSet(chess.between(king, square)))
        if _put(board, square, symbol.upper() if not board.turn else symbol):
            for _ in range(choose([0, 0, 1, 1, 2]) if between else 0):
                _put(board, choose(between), choose(_MEN))
            if choose([True, False]):
                _put(board, choose(_around(square, 1)), choose(_MEN))  # To be captured, with the attacker.
    _scatter(board, choose, 8)


def _promotions(board: AtomicBoard, choose: Choose) -> None:
    seventh, eighth = (6, 7) if board.turn else (1, 0)
    king = _add_king(board, choose, not board.turn, near=chess.square(choose(range(8)), eighth))
    _add_king(board, choose, board.turn, near=king)
    for _ in range(choose([1, 2, 3])):
        file = choose(range(8))
        _put(board, chess.square(file, seventh), "P" if board.turn else "p")
        _put(board, chess.square(choose(range(8)), eighth), choose("nbrq" if board.turn else "NBRQ"))
    _scatter(board, choose, 8)


KINDS = (_scattered, _attacks, _en_passant, _castling, _chess960, _promotions)


def kings_touch(board: chess.Board) -> bool:
    """Whether the kings touch, told without the board's own words."""
    white = board.kings & board.occupied_co[True]
    black = board.kings & board.occupied_co[False]
    return any(BB_KING_ATTACKS[square] & black for square in chess.scan_forward(white))
