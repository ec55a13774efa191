"""Where kings may explode, and explosions as arrows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import chess
import chess.svg
from chess import Color, Move

from ..boards import rules
from . import _pictures
from . import _steps as steps
from ._markup import Picture

if TYPE_CHECKING:
    from ..boards import AtomicBoard

_NEAR = "#e8501e55"
_HANGING = "#d9380cb0"
_WIN = "#c40018cc"
_THREAT = "#8a5a00cc"


def danger(
    board: AtomicBoard, *, title: str | None = None, id_prefix: str | None = None, **options: Unpack[_pictures.Options]
) -> Picture:
    """
    Draws where a capture would explode a king.

    Tinted are the squares beside each king on which a piece of its own side
    stands, as capturing that explodes the king too; darker where the enemy
    can. An arrow shows each capture that would win: red for the side to move,
    brown for what the other side threatens.

    The keywords of :func:`chess.svg.board` come after these; ``fill`` and
    ``arrows`` add to what is drawn.

    >>> from atomic_variant import AtomicBoard
    >>> board = AtomicBoard("rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3")
    >>> "Nxe7 would explode the black king on e8" in danger(board)
    True
    """
    fill: dict[chess.Square, str] = {}
    arrows: list[chess.svg.Arrow] = []
    said = []
    for color in (board.turn, not board.turn):
        king = board.king(not color)
        if king is None:
            continue
        beside = chess.BB_KING_ATTACKS[king] & board.occupied_co[not color]
        fill |= dict.fromkeys(chess.scan_forward(beside), _NEAR)
        wins = king_explosions(board, color)
        fill |= {move.to_square: _HANGING for move in wins}
        paint = _WIN if color == board.turn else _THREAT
        arrows += [chess.svg.Arrow(move.from_square, move.to_square, color=paint) for move in wins]
        if wins:
            names = ", ".join(_name(board, move, color) for move in wins)
            said.append(f"{names} would explode the {chess.COLOR_NAMES[not color]} king on {chess.SQUARE_NAMES[king]}")
    options["fill"] = fill | (options.get("fill") or {})
    options["arrows"] = [*arrows, *(options.get("arrows") or ())]
    options.setdefault("check", board.king(board.turn) if board.is_check() else None)
    words = "; ".join(said) if said else "No capture would explode a king"
    return _pictures.board(board, title=words if title is None else title, id_prefix=id_prefix, **options)


def king_explosions(board: AtomicBoard, color: Color) -> list[Move]:
    """The captures beside the enemy king that would explode it for *color*, which need not be to move."""
    # A king that is attacked itself is in check, which is shown as such.
    return [move for move in rules.king_explosions(board, color) if move.to_square != board.king(not color)]


def _name(board: AtomicBoard, move: Move, color: Color) -> str:
    return board.san(move).rstrip("+#") if board.turn == color else move.uci()


def explosion_arrows(board: chess.Board, move: Move) -> list[chess.svg.Arrow]:
    """
    What *move* explodes, as the arrows and circles of a study.

    A red arrow for the capture, and a circle for everything else that dies:
    red for a king, yellow for other pieces. :meth:`chess.pgn.GameNode.set_arrows` writes
    them into a comment (``[%cal]``, ``[%csl]``), and ``arrows`` of :func:`board` draws them.

    >>> from atomic_variant import AtomicBoard
    >>> board = AtomicBoard("rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3")
    >>> [arrow.pgn() for arrow in explosion_arrows(board, board.parse_san("Nxe7#"))]
    ['Rd5e7', 'Yd8', 'Re8', 'Yf8']
    """
    blast = steps.blast_mask(board, move)
    if not blast:
        return []
    rest = blast & ~chess.BB_SQUARES[move.from_square] & ~chess.BB_SQUARES[move.to_square]
    circles = [
        chess.svg.Arrow(square, square, color="red" if piece.piece_type == chess.KING else "yellow")
        for square, piece in sorted(board.piece_map(mask=rest).items())
    ]
    return [chess.svg.Arrow(move.from_square, move.to_square, color="red"), *circles]
