"""Why a move of Spark Chess is illegal and how a game ended, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import chess
from chess import BB_KNIGHT_ATTACKS, BB_SQUARES, Move, SquareSet

from .notation import castling_side
from .reasons import no_coordinates, no_mover, piece_on, pieces_on, side_name, square_name
from .reasons import why_text_illegal as atomic_reasons

if TYPE_CHECKING:
    from .spark import SparkBoard


def describe_outcome(board: SparkBoard) -> str | None:
    """Who won and why; see :meth:`SparkBoard.describe_outcome`."""
    outcome = board.outcome()
    if outcome is None:
        return None
    if outcome.winner is None:
        return f"Draw: {_draw(board)}"
    loser = not outcome.winner
    where = ""
    if board.move_stack:
        before = board.copy(stack=1)
        move = before.pop()
        if before.king(loser) == move.to_square:
            where = f" on {square_name(move.to_square)}"
    return f"{side_name(outcome.winner)} wins: the {chess.COLOR_NAMES[loser]} king was captured{where}"


def _draw(board: SparkBoard) -> str:
    if not board.kings:
        return "there is no king on the board"
    if board.is_variant_end():
        minor = board.occupied & ~board.kings
        if not minor:
            return "only the kings are left, and they do not touch"
        bare = board.king(not board.occupied_co[True] & minor)
        assert bare is not None, "both kings are on the board"
        return f"{piece_on(board, chess.msb(minor))} alone does not catch the king on {square_name(bare)}"
    if board.is_repetition(2):
        return "the position occurred before"
    return f"{side_name(board.turn)} has no legal move"


def why_illegal(board: SparkBoard, move: Move | None) -> str:
    """Why the illegal *move* is that, in a sentence; see :meth:`SparkBoard.why_illegal`."""
    if move is None:
        return "there is no move: None was given"
    return _no_move(board, move) or (
        _no_swap(board, move)
        if board.occupied_co[board.turn] & BB_SQUARES[move.to_square]
        else _no_pawn_move(board, move)
        if board.pawns & BB_SQUARES[move.from_square]
        else _no_piece_move(board, move)
    )


def why_text_illegal(board: SparkBoard, san: str) -> str | None:
    """Why no move that *san*, a text without ``>``, may mean is legal."""
    if castling_side(san) is not None:
        return "there is no castling in Spark Chess"
    return atomic_reasons(board, san, board.why_illegal)


def _no_move(board: SparkBoard, move: Move) -> str | None:
    """What has nothing to do with how the piece moves."""
    return no_coordinates(move) or _over(board) or no_mover(board, move)


def _over(board: SparkBoard) -> str | None:
    for color in chess.COLORS:
        if not board.kings & board.occupied_co[color]:
            return f"the game is over, {side_name(color)} has no king"
    return f"the game is over, {_draw(board)}" if board.is_variant_end() else None


def _no_swap(board: SparkBoard, move: Move) -> str:
    """A move onto an own man, which can only be meant as a swap."""
    piece, target = piece_on(board, move.from_square), piece_on(board, move.to_square)
    from_bb, to_bb = BB_SQUARES[move.from_square], BB_SQUARES[move.to_square]
    if board.pawns & from_bb:
        if board.pawns & to_bb:
            return f"{piece} does not swap with another pawn"
        return f"a swap goes from the piece to the pawn, not from {piece} to {target}"
    if not board.pawns & to_bb:
        return f"{piece} swaps with pawns only, not with {target}"
    if from_bb & board.promotion_rank():
        return f"the swap would take the pawn to {square_name(move.from_square)}, where it cannot stand"
    if board.knights & from_bb:
        return f"{piece} swaps only with a pawn that it attacks, not with {target}"
    if board.kings & from_bb and board.is_check():
        attackers = pieces_on(board, board.checkers_mask())
        return f"{piece} is attacked by {attackers}, so it may not swap"
    knights = board.knights & board.occupied_co[board.turn]
    if BB_KNIGHT_ATTACKS[move.from_square] & knights and BB_KNIGHT_ATTACKS[move.to_square] & knights:
        return f"no single knight attacks both {square_name(move.from_square)} and {square_name(move.to_square)}"
    bare = [square for square in (move.from_square, move.to_square) if not BB_KNIGHT_ATTACKS[square] & knights]
    return f"no knight of {side_name(board.turn)}'s attacks {' or '.join(map(square_name, bare))}"


def _no_pawn_move(board: SparkBoard, move: Move) -> str:
    pawn, target = piece_on(board, move.from_square), square_name(move.to_square)
    to_bb = BB_SQUARES[move.to_square]
    candidates = list(board.generate_pseudo_legal_moves(BB_SQUARES[move.from_square], to_bb))
    if candidates and not candidates[0].promotion:
        return f"{pawn} promotes only on the last rank"
    if candidates and move.promotion:
        return f"a pawn does not promote to a {chess.piece_name(move.promotion)}"
    if candidates:
        return f"{pawn} must promote on {target}"
    if board.occupied & to_bb:
        if move.to_square == move.from_square + (8 if board.turn else -8):
            return f"{pawn} is blocked by {piece_on(board, move.to_square)}"
        return f"{pawn} does not capture on {target}"
    if to_bb & board.promotion_rank():
        return f"no Spark move takes a pawn to the rank where it promotes, so not to {target}"
    pieces = board.occupied_co[board.turn] & ~board.pawns
    reaching = SquareSet(square for square in SquareSet(pieces) if board.influence_mask(square) & to_bb)
    if reaching:
        return f"{target} is not a node: only {pieces_on(board, int(reaching))} reaches it"
    return f"{target} is not a node: no piece of {side_name(board.turn)}'s reaches it"


def _no_piece_move(board: SparkBoard, move: Move) -> str:
    piece, target = piece_on(board, move.from_square), square_name(move.to_square)
    on_empty_board = chess.BaseBoard.empty()
    on_empty_board.set_piece_at(move.from_square, board.piece_at(move.from_square))
    if on_empty_board.attacks_mask(move.from_square) & BB_SQUARES[move.to_square]:
        blockers = chess.between(move.from_square, move.to_square) & board.occupied
        nearest = chess.lsb(blockers) if move.from_square < move.to_square else chess.msb(blockers)
        return f"{piece} cannot pass {piece_on(board, nearest)} on its way to {target}"
    return f"{piece} does not move to {target}"
