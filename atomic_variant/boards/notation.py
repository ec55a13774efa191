"""Moves as text: what a text says, which move of a board it means, and how a move is written."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

import chess
from chess import BB_ALL, BB_SQUARES, Bitboard, Move, PieceType, Square

from . import movegen

if TYPE_CHECKING:
    from .atomic import AtomicBoard


class MoveText(NamedTuple):
    """What the text of a move says; castling, null moves and drops are no such text."""

    piece_type: PieceType | None
    """The piece that moves, ``None`` for mere coordinates, which may be those of any piece."""
    from_mask: Bitboard
    """The squares that it may come from."""
    to_square: Square
    promotion: PieceType | None


def read_move_text(san: str) -> MoveText | None:
    """
    What *san* says by itself, or ``None`` if it is no text of a move with a target square.

    >>> read_move_text("Nbd2")
    MoveText(piece_type=2, from_mask=144680345676153346, to_square=11, promotion=None)
    """
    # Whoever passes on texts of strangers must not fill the cache with them.
    return _read_move_text(san) if len(san) <= _MAX_SAN else None


_MAX_SAN = 16


@functools.lru_cache(maxsize=4096)
def _read_move_text(san: str) -> MoveText | None:
    match = chess.SAN_REGEX.match(san)
    if not match:
        return None
    piece, file_name, rank_name, target, promotion = match.groups()
    from_mask = BB_ALL
    if file_name:
        from_mask &= chess.BB_FILES[chess.FILE_NAMES.index(file_name)]
    if rank_name:
        from_mask &= chess.BB_RANKS[chess.RANK_NAMES.index(rank_name)]
    piece_type: PieceType | None = chess.PIECE_SYMBOLS.index(piece.lower()) if piece else chess.PAWN
    if not piece and not file_name:
        from_mask &= chess.BB_FILES[chess.FILE_NAMES.index(target[0])]  # A capture names the file that it leaves.
    elif not piece and rank_name:
        piece_type = None
    return MoveText(
        piece_type,
        from_mask,
        chess.parse_square(target),
        chess.PIECE_SYMBOLS.index(promotion[-1].lower()) if promotion else None,
    )


def castling_side(san: str) -> bool | None:
    """Whether *san* castles on the king's side (``True``) or the queen's (``False``); ``None`` for other text."""
    text = san.rstrip("+#").replace("0", "O")
    return {"O-O": True, "O-O-O": False}.get(text)


def parse_san(board: AtomicBoard, san: str) -> Move:
    """The legal move that *san* means on *board*; see :meth:`chess.Board.parse_san`."""
    text = read_move_text(san)
    if text is None or text.piece_type is None:
        # Castling, null moves, coordinates and what is no move: the host looks into the legal moves.
        return chess.Board.parse_san(board, san)
    own = board.occupied_co[board.turn]
    found = None
    from_mask = text.from_mask & own & board.pieces_mask(text.piece_type, board.turn)
    for row, _ in movegen.generate_spans(board, from_mask, BB_SQUARES[text.to_square] & ~own):
        move = row[text.to_square]
        if move.promotion == text.promotion:
            if found:
                raise chess.AmbiguousMoveError(f"ambiguous san: {san!r} in {board.fen()}")
            found = move
    if found is None:
        raise illegal_move("san", san, board)
    return found


def illegal_move(notation: str, text: str, board: chess.Board, reason: str | None = None) -> chess.IllegalMoveError:
    """
    The error for *text* that means no legal move on *board*, worded as by python-chess.

    A *reason* ends the message, and is the error's attribute ``reason`` (see :func:`reason_of`).
    """
    message = f"illegal {notation}: {text!r} in {board.fen()}"
    error = chess.IllegalMoveError(f"{message}: {reason}" if reason else message)
    error.reason = reason  # type: ignore[attr-defined]
    return error


def reason_of(error: ValueError) -> str | None:
    """
    Why a move is illegal, from the error of one of our boards; ``None`` if the error does not say.

    >>> from atomic_variant import AtomicBoard
    >>> try:
    ...     AtomicBoard().parse_san("Nxb4")
    ... except ValueError as error:
    ...     print(reason_of(error))
    the knight on b1 does not move to b4 / the knight on g1 does not move to b4
    """
    reason: str | None = getattr(error, "reason", None)
    return reason


def why_not_parsed(board: chess.Board, text: str) -> str | None:
    """Why *text* means no move on a *board* of ours, in a sentence; ``None`` if it means one."""
    try:
        board.parse_san(text)
    except chess.IllegalMoveError as error:
        return reason_of(error) or "no legal move is written so"
    except chess.AmbiguousMoveError:
        return "more than one piece can make this move"
    except chess.InvalidMoveError:
        return "not a move"
    return None


def algebraic(board: AtomicBoard, move: Move, *, long: bool = False) -> str:
    """*move* in SAN, or in long notation, with ``#`` if it wins and ``+`` if it gives check."""
    san = board._algebraic_without_suffix(move, long=long)
    if not move:
        return san
    if board.explodes_king(move):
        return san + "#"
    check = board.gives_check(move)
    if not check and not board._has_own_result:
        return san
    after = board.copy(stack=False)
    after.push(move)
    if (check and not after.legal_moves) or after.is_variant_loss() or after.is_variant_win():
        return san + "#"
    return san + "+" if check else san
