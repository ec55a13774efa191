"""Why a move is illegal, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import chess
from chess import BB_SQUARES, Bitboard, Color, Move, Square

from . import rules
from .notation import MoveText, castling_side, read_move_text

if TYPE_CHECKING:
    from .atomic import AtomicBoard


def why_illegal(board: AtomicBoard, move: Move | None) -> str | None:
    """Why *move* is illegal, in a sentence; see :meth:`AtomicBoard.why_illegal`."""
    if board.is_legal(move):
        return None
    if move is None:
        return no_coordinates(move)
    return _no_move(board, move) or _no_castling(board, move) or _no_way(board, move) or _no_safety(board, move)


def why_text_illegal(board: chess.Board, san: str, why: Callable[[Move], str | None]) -> str | None:
    """
    Why no move that *san* may mean is legal, in a sentence; ``None`` if it is no text of a move.

    *why* tells why a move that goes from one square to another is illegal on *board*.
    """
    kingside = castling_side(san)
    if kingside is not None:
        return _no_castling_of_side(board, kingside, why)
    text = read_move_text(san)
    if text is None:
        return None
    origins = text.from_mask & board.occupied_co[board.turn]
    if text.piece_type is None:
        origins = text.from_mask  # One square, whatever stands there.
    else:
        origins &= board.pieces_mask(text.piece_type, board.turn)
    if not origins:
        return _over(board) or _no_such_piece(board, text)
    if text.piece_type == chess.KING and (castling := _castling_meant(board, text)):
        return f"castling is written {castling}"
    moves = [Move(square, text.to_square, text.promotion) for square in chess.scan_forward(origins)]
    moves = [move for move in moves if board.is_pseudo_legal(move)] or moves
    staying = [move for move in moves if move.from_square == move.to_square]
    if staying and not _over(board):
        return no_mover(board, staying[0])
    reasons = {why(move) for move in moves}
    return " / ".join(sorted(filter(None, reasons))) or None


def _no_castling_of_side(board: chess.Board, kingside: bool, why: Callable[[Move], str | None]) -> str | None:
    king = board.king(board.turn)
    over = _over(board)
    if over or king is None:
        return over
    backrank = chess.BB_RANK_1 if board.turn else chess.BB_RANK_8
    own_rooks = board.rooks & board.occupied_co[board.turn]
    on_side = sum(
        BB_SQUARES[rook]
        for rook in chess.scan_forward(own_rooks & backrank)
        if (rook > king) == kingside and (king, rook) in rules.CASTLING
    )
    rooks = board.clean_castling_rights() & on_side or on_side
    moves = [Move(king, rook) for rook in chess.scan_forward(rooks)]
    if not moves:
        return no_rook(board, kingside)
    return " / ".join(sorted({reason for move in moves if (reason := why(move))})) or None


def no_rook(board: chess.Board, kingside: bool) -> str:
    """Why there is nothing to castle with on a side, and since when."""
    side = "king's" if kingside else "queen's"
    reason = f"{side_name(board.turn)} has no rook on the {side} side"
    for before, move in history(board):
        king = before.king(board.turn)
        rooks = before.clean_castling_rights() & before.occupied_co[board.turn]
        rook = next((r for r in chess.scan_forward(rooks) if king is not None and (r > king) == kingside), None)
        if rook is None:
            continue
        if move.from_square == rook:
            return f"{reason}: it left {square_name(rook)} at {numbered(before, move)}"
        return f"{reason}: {_fate(before, move, BB_SQUARES[rook])}"
    return reason


def _castling_meant(board: chess.Board, text: MoveText) -> str | None:
    """How the castling is written that a king's move to *text*'s square may mean."""
    king = board.king(board.turn)
    if king is None or chess.square_distance(king, text.to_square) < 1:
        return None
    for castling in board.generate_castling_moves():
        rook = board._to_chess960(castling).to_square
        king_to = chess.square(6 if rook > king else 2, chess.square_rank(king))
        if text.to_square == rook or (text.to_square == king_to and chess.square_distance(king, king_to) > 1):
            return "O-O" if rook > king else "O-O-O"
    return None


def _no_such_piece(board: chess.Board, text: MoveText) -> str:
    """That the piece is not there, and when it went if the move stack knows."""
    assert text.piece_type is not None, "coordinates name their square"
    where = _place(text.from_mask)
    reason = f"{side_name(board.turn)} has no {chess.piece_name(text.piece_type)}{where}"
    for before, move in history(board):
        gone = before.pieces_mask(text.piece_type, board.turn) & text.from_mask
        if gone:
            moved = BB_SQUARES[move.from_square] & gone and before.turn == board.turn
            if moved and not before.is_capture(move):
                return reason  # It went elsewhere, or became another piece.
            return f"{reason}: {_fate(before, move, gone)}"
    return reason


def _place(mask: Bitboard) -> str:
    """The words for the squares that a text allows."""
    for name, file in zip(chess.FILE_NAMES, chess.BB_FILES, strict=True):
        if mask == file:
            return f" on the {name}-file"
    for name, rank in zip(chess.RANK_NAMES, chess.BB_RANKS, strict=True):
        if mask == rank:
            return f" on rank {name}"
    return f" on {square_name(chess.msb(mask))}" if mask.bit_count() == 1 else ""


def _fate(before: chess.Board, move: Move, squares: Bitboard) -> str:
    """How the last piece on *squares* left the board by *move*."""
    exploded = rules.explosion_mask(before, move) & squares if hasattr(before, "explosion_mask") else chess.BB_EMPTY
    fate, where = ("exploded", exploded) if exploded else ("was captured", squares)
    if where == BB_SQUARES[move.from_square]:
        where = BB_SQUARES[move.to_square]  # The capturer explodes where it captures.
    one = "it" if where.bit_count() == 1 else "the last ones"
    places = " and ".join(map(square_name, chess.scan_forward(where)))
    return f"{one} {fate} on {places} at {numbered(before, move)}"


def history(board: chess.Board) -> Iterator[tuple[chess.Board, Move]]:
    """The positions before each move on the stack, the last move first; the same board again and again."""
    before = board.copy()
    while before.move_stack:
        move = before.pop()
        yield before, move


def numbered(board: chess.Board, move: Move) -> str:
    """*move* with its number, as in ``2... Qxh1``."""
    return f"{board.fullmove_number}{'.' if board.turn else '...'} {board.san(move)}"


def _no_move(board: AtomicBoard, move: Move) -> str | None:
    """What has nothing to do with how the piece moves."""
    return no_coordinates(move) or _over(board) or no_mover(board, move)


def no_coordinates(move: Move | None) -> str | None:
    """Why *move* goes from nowhere to nowhere on a board."""
    if move is None:
        return "there is no move: None was given"
    if move.drop:
        return "no pieces are dropped in this game"
    for square in (move.from_square, move.to_square):
        if not 0 <= square < 64:
            return f"there is no square number {square}"
    return None if move else "a null move is no move on the board"


def _over(board: chess.Board) -> str | None:
    for color in chess.COLORS:
        if not board.kings & ~board.promoted & board.occupied_co[color]:
            return f"the game is over, {side_name(color)} has no king"
    return "the game is over" if board.is_variant_end() else None


def no_mover(board: chess.Board, move: Move) -> str | None:
    """Why nothing may go where *move* comes from."""
    piece = board.piece_at(move.from_square)
    if piece is None:
        return f"no piece on {square_name(move.from_square)}"
    name = piece_on(board, move.from_square)
    if piece.color != board.turn:
        return f"{name} is {side_name(piece.color)}'s, but it is {side_name(board.turn)}'s turn"
    if move.from_square == move.to_square:
        return f"{name} would stay where it is"
    if move.promotion and piece.piece_type != chess.PAWN:
        return "only a pawn promotes"
    return None


def _no_castling(board: AtomicBoard, move: Move) -> str | None:
    if not board.kings & ~board.promoted & BB_SQUARES[move.from_square] or not board.is_castling(move):
        return None
    castling = board._to_chess960(move)
    key = castling.from_square, castling.to_square
    rights = board.clean_castling_rights()
    two_steps = move.from_square in (chess.E1, chess.E8) and abs(move.to_square - move.from_square) == 2
    own_rook = board.rooks & board.occupied_co[board.turn] & BB_SQUARES[castling.to_square]
    if not own_rook and two_steps:
        return no_rook(board, move.to_square > move.from_square)
    if key not in rules.CASTLING or not own_rook:
        return None if board.occupied_co[board.turn] & BB_SQUARES[move.to_square] else _no_step(move)
    if not rights & BB_SQUARES[castling.to_square]:
        corner = move.from_square + (3 if move.to_square > move.from_square else -4)
        if two_steps and rights & BB_SQUARES[corner]:
            # Castling as it is written elsewhere, and not king takes rook.
            return f"{piece_on(board, castling.to_square)} stands in the way of castling"
        return f"{side_name(board.turn)} has no right to castle with {piece_on(board, castling.to_square)}"
    way = rules.CASTLING[key]
    if way.empty & board.occupied:
        return f"{piece_on(board, chess.msb(way.empty & board.occupied))} stands in the way of castling"
    king, rook = BB_SQUARES[castling.from_square], BB_SQUARES[castling.to_square]
    for path, occupied, what in (
        (king, board.occupied ^ king, "out of check: the king on {} is"),
        (way.crossed ^ king, board.occupied ^ king, "through check: {} is"),
        (way.king_to, board.occupied ^ king ^ rook ^ way.rook_to, "into check: {} is"),
    ):
        for square in chess.scan_forward(path):
            if board._attacked_for_king(BB_SQUARES[square], occupied):
                enemy = board.occupied_co[not board.turn]
                attackers = rules.attackers_of_king(board, board.turn, square, enemy, occupied)
                by = pieces_on(board, attackers) + _though(chess.BB_KING_ATTACKS[square] & board.kings & enemy)
                return f"castling {what.format(square_name(square))} attacked by {by}"
    return None


def _no_step(move: Move) -> str:
    return f"the king on {square_name(move.from_square)} does not move to {square_name(move.to_square)}"


def _no_way(board: AtomicBoard, move: Move) -> str | None:
    """How pieces move, without regard to kings."""
    to_bb = BB_SQUARES[move.to_square]
    piece = piece_on(board, move.from_square)
    if board.occupied_co[board.turn] & to_bb:
        return f"{side_name(board.turn)}'s own {kind_on(board, move.to_square)} stands on {square_name(move.to_square)}"
    if board.pawns & BB_SQUARES[move.from_square]:
        return _no_pawn_move(board, move)
    if board.attacks_mask(move.from_square) & to_bb:
        return None
    on_empty_board = chess.Board.empty()
    on_empty_board.set_piece_at(move.from_square, board.piece_at(move.from_square))
    if on_empty_board.attacks_mask(move.from_square) & to_bb:
        blockers = chess.between(move.from_square, move.to_square) & board.occupied
        nearest = chess.lsb(blockers) if move.from_square < move.to_square else chess.msb(blockers)
        return f"{piece} cannot pass {piece_on(board, nearest)} on its way to {square_name(move.to_square)}"
    return f"{piece} does not move to {square_name(move.to_square)}"


def _no_pawn_move(board: AtomicBoard, move: Move) -> str | None:
    from_mask = BB_SQUARES[move.from_square]
    to_mask = BB_SQUARES[move.to_square]
    piece = piece_on(board, move.from_square)
    candidates = list(board.generate_pseudo_legal_moves(from_mask, to_mask))
    if move in candidates:
        return None
    if candidates:
        if not candidates[0].promotion:
            return f"{piece} promotes only on the last rank"
        if move.promotion:
            return f"a pawn does not promote to a {chess.piece_name(move.promotion)}"
        return f"{piece} must promote on {square_name(move.to_square)}"
    if chess.BB_PAWN_ATTACKS[board.turn][move.from_square] & to_mask:
        return f"{piece} has nothing to capture on {square_name(move.to_square)}"
    ahead = 8 if board.turn else -8
    if move.to_square - move.from_square in (ahead, 2 * ahead):
        for square in (move.from_square + ahead, move.to_square):
            if board.occupied & BB_SQUARES[square]:
                return f"{piece} is blocked by {piece_on(board, square)}"
    return f"{piece} does not move to {square_name(move.to_square)}"


def _no_safety(board: AtomicBoard, move: Move) -> str:
    """The rule of atomic chess: what would become of the own king."""
    own, enemy, kings = rules.aftermath(board, move)
    if not kings & own:
        if board.kings & BB_SQUARES[move.from_square]:
            return f"a king may not capture: it would explode with {piece_on(board, move.to_square)}"
        square = board.king(board.turn)
        assert square is not None, "is_safe() asks for the own king first"
        blast, own_king = square_name(move.to_square), square_name(square)
        return f"the explosion on {blast} would remove {side_name(board.turn)}'s own king on {own_king}"
    square = chess.msb(kings & own)
    attackers = pieces_on(board, rules.check_mask_after(board, move))
    though = _though(rules.kings_touch(own, enemy, kings))
    if board.kings & BB_SQUARES[move.from_square]:
        return f"the king on {square_name(square)} would be attacked by {attackers}{though}"
    return f"the move leaves the king on {square_name(square)} attacked by {attackers}{though}"


def _though(touch: bool | Bitboard) -> str:
    """The words for a king that is in check although it touches the other."""
    return ", and touching the other king does not protect it" if touch else ""


def side_name(color: Color) -> str:
    return chess.COLOR_NAMES[color].capitalize()


def square_name(square: Square) -> str:
    return chess.SQUARE_NAMES[square]


def kind_on(board: chess.Board, square: Square) -> str:
    piece_type = board.piece_type_at(square)
    return chess.piece_name(piece_type) if piece_type else "piece"


def piece_on(board: chess.Board, square: Square) -> str:
    return f"the {kind_on(board, square)} on {square_name(square)}"


def pieces_on(board: chess.Board, mask: Bitboard) -> str:
    *others, last = [piece_on(board, square) for square in chess.scan_reversed(mask)] or ["another piece"]
    return f"{', '.join(others)} and {last}" if others else last
