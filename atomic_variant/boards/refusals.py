"""Why what somebody wrote is no move that can be played, in words."""

from __future__ import annotations

import chess

from ..text import one_line
from .endings import UNDECIDED, find_ending
from .reasons import side_name


def why_refused(error: ValueError, text: str, board: chess.Board) -> str:
    """
    Why *text* cannot be played on *board*, of whatever rules.

    :param error: What :meth:`chess.Board.parse_san` or
        :meth:`chess.Board.parse_uci` raised for *text*.

    >>> board = chess.Board()
    >>> try:
    ...     board.parse_san("Nf9")
    ... except ValueError as error:
    ...     print(why_refused(error, "Nf9", board))
    not a move
    """
    if isinstance(error, chess.InvalidMoveError):
        return "not a move"
    if isinstance(error, chess.AmbiguousMoveError):
        return "more than one piece can make this move"
    if not isinstance(error, chess.IllegalMoveError):
        return one_line(error, 80)
    ending = UNDECIDED if any(board.generate_legal_moves()) else find_ending(board)
    if ending.outcome:
        return f"a move after the end of the game: {ending}"
    # Our boards give a reason with the error, if the side to move has such a piece.
    reason = str(error).partition(f" in {board.fen()}: ")[2] or _no_such_piece(text, board)
    return f"illegal move: {reason}" if reason else "illegal move"


def _no_such_piece(text: str, board: chess.Board) -> str | None:
    why_illegal = getattr(board, "why_illegal", None)
    match = chess.SAN_REGEX.match(text)
    if why_illegal is None or match is None:
        return None
    piece, file_name, rank_name, target, promotion = match.groups()
    if not piece and file_name and rank_name:
        promotes_to = chess.PIECE_SYMBOLS.index(promotion[-1].lower()) if promotion else None
        origin = chess.parse_square(file_name + rank_name)
        reason: str | None = why_illegal(chess.Move(origin, chess.parse_square(target), promotes_to))
        return reason
    piece_type = chess.PIECE_SYMBOLS.index(piece.lower()) if piece else chess.PAWN
    if piece_type == chess.KING:
        file = chess.square_file(chess.parse_square(target))
        for move in board.generate_castling_moves():
            if file in ((6, 7) if board.is_kingside_castling(move) else (0, 1, 2)):
                return f"castling is written {board.san(move)}"
    return f"{side_name(board.turn)} has no such {chess.piece_name(piece_type)}"
