"""What hangs over a king."""

from __future__ import annotations

import chess
from chess import BB_EMPTY, BB_KING_ATTACKS, BB_SQUARES, Bitboard, Color, SquareSet

from ..boards import AtomicBoard, rules


def threats(board: AtomicBoard) -> list[chess.Move]:
    """
    The moves that would explode the king of the side to move, if it were the other side's turn.

    In the order of the legal moves. Rights to capture en passant lapse with
    the turn. If the game is over there are none.

    >>> from atomic_variant import AtomicBoard, tactics
    >>> board = AtomicBoard("rnbqkbnr/pppp1ppp/4p3/4N3/8/8/PPPPPPPP/RNBQKB1R b KQkq - 1 2")
    >>> [move.uci() for move in tactics.threats(board)]
    ['e5f7', 'e5d7']
    """
    return rules.king_explosions(board, not board.turn)


def danger_mask(board: AtomicBoard, color: Color) -> Bitboard:
    """:func:`danger` as a bitboard."""
    kings = board.kings & ~board.promoted
    own_kings = list(chess.scan_forward(kings & board.occupied_co[color]))
    if not own_kings:
        return BB_EMPTY
    # With several kings the game goes on until the last is gone.
    blast = chess.BB_ALL
    for king in own_kings:
        blast &= BB_KING_ATTACKS[king] | BB_SQUARES[king]
    targets = board.occupied_co[color]
    if board.turn != color and board.has_legal_en_passant():
        assert board.ep_square is not None
        targets |= BB_SQUARES[board.ep_square]
    for king in chess.scan_forward(kings & board.occupied_co[not color]):
        blast &= ~BB_KING_ATTACKS[king]
    return blast & targets


def danger(board: AtomicBoard, color: Color) -> SquareSet:
    """
    The squares where a capture would kill the king of *color*.

    Those are its own square, the men next to it, and a square next to it on
    which a pawn could be captured en passant now; not those next to the enemy
    king, which may not explode. Whether anybody can capture there is another
    matter: see :func:`threats`.

    >>> import chess
    >>> from atomic_variant import AtomicBoard, tactics
    >>> board = AtomicBoard("4k3/3ppp2/8/8/8/8/8/4K3 w - - 0 1")
    >>> [chess.square_name(square) for square in tactics.danger(board, chess.BLACK)]
    ['d7', 'e7', 'f7', 'e8']
    """
    return SquareSet(danger_mask(board, color))
