"""
The rules of atomic chess and its dialects for one move.

What explodes, what is left, which king is attacked, and what that makes of a
move. Everything is computed on bitboards; no move is made to see what comes
of it, so reading a board never changes it.

A dialect chooses its rules by two class attributes of its board:
``has_checks`` (is there check at all?) and ``touching_kings_immune`` (can a
king that touches the enemy king be in check?).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import chess
from chess import (
    BB_DIAG_ATTACKS,
    BB_DIAG_MASKS,
    BB_EMPTY,
    BB_FILE_ATTACKS,
    BB_FILE_MASKS,
    BB_KING_ATTACKS,
    BB_KNIGHT_ATTACKS,
    BB_PAWN_ATTACKS,
    BB_RANK_1,
    BB_RANK_8,
    BB_RANK_ATTACKS,
    BB_RANK_MASKS,
    BB_SQUARES,
    SQUARES,
    Bitboard,
    Color,
    Move,
    Square,
)

if TYPE_CHECKING:
    from .atomic import AtomicBoard

ROOK_RAYS = [BB_RANK_ATTACKS[a][0] | BB_FILE_ATTACKS[a][0] for a in SQUARES]
BISHOP_RAYS = [BB_DIAG_ATTACKS[a][0] for a in SQUARES]
BETWEEN = [[chess.between(a, b) for b in SQUARES] for a in SQUARES]


# --- The explosion ----------------------------------------------------------


def explosion_mask(board: chess.Board, move: Move) -> Bitboard:
    """
    The squares that *move* empties by exploding, as a bitboard.

    A capture removes the capturing piece (from its origin), the captured
    piece and every piece next to the capture square that is not a pawn. An
    en passant capture explodes on the square that the pawn arrives at.
    """
    from_square = move.from_square
    to_square = move.to_square
    if from_square == to_square:
        return BB_EMPTY  # A null move, or a drop of another variant.

    to_bb = BB_SQUARES[to_square]
    if board.occupied_co[not board.turn] & to_bb:
        victim = to_bb
    elif to_square == board.ep_square and board.is_en_passant(move):
        victim = BB_SQUARES[to_square - 8 if board.turn else to_square + 8] & board.occupied
        if not victim:
            return BB_EMPTY  # An en passant square that no pawn has passed: as in python-chess, a mere step.
    else:
        return BB_EMPTY
    return victim | BB_SQUARES[from_square] | BB_KING_ATTACKS[to_square] & board.occupied & ~board.pawns


class Aftermath(NamedTuple):
    """What a pseudo-legal move leaves on the board, as bitboards."""

    own: Bitboard
    """Pieces of the side that moved."""
    enemy: Bitboard
    """Pieces of the other side."""
    kings: Bitboard
    """Kings that count as such (not promoted from a pawn)."""


def aftermath(board: chess.Board, move: Move) -> Aftermath:
    """What the pseudo-legal *move* would leave on *board*."""
    own = board.occupied_co[board.turn]
    enemy = board.occupied_co[not board.turn]
    kings = board.kings & ~board.promoted
    from_bb = BB_SQUARES[move.from_square]

    gone = explosion_mask(board, move)
    if gone:
        return Aftermath(own & ~gone, enemy & ~gone, kings & ~gone)
    if kings & from_bb:
        castling = castling_squares(board, move)
        if castling:
            king, rook, king_to, rook_to = castling
            return Aftermath(own & ~(king | rook) | king_to | rook_to, enemy, kings & ~king | king_to)
        kings = kings & ~from_bb | BB_SQUARES[move.to_square]
    return Aftermath(own & ~from_bb | BB_SQUARES[move.to_square], enemy, kings)


# --- Attacks on kings -------------------------------------------------------


def attackers_of_king(
    board: chess.Board, color: Color, square: Square, attackers: Bitboard, occupied: Bitboard
) -> Bitboard:
    """
    Which of *attackers* would attack a king of *color* on *square*.

    Kings are no attackers: a king never captures, so it guards nothing.
    """
    found = (BB_KNIGHT_ATTACKS[square] & board.knights | BB_PAWN_ATTACKS[color][square] & board.pawns) & attackers
    straight = (board.rooks | board.queens) & attackers
    if ROOK_RAYS[square] & straight:
        found |= straight & (
            BB_RANK_ATTACKS[square][BB_RANK_MASKS[square] & occupied]
            | BB_FILE_ATTACKS[square][BB_FILE_MASKS[square] & occupied]
        )
    diagonal = (board.bishops | board.queens) & attackers
    if BISHOP_RAYS[square] & diagonal:
        found |= diagonal & BB_DIAG_ATTACKS[square][BB_DIAG_MASKS[square] & occupied]
    return found


def kings_touch(own: Bitboard, enemy: Bitboard, kings: Bitboard) -> bool:
    """Whether a king in *own* stands next to a king in *enemy*."""
    own &= kings
    enemy &= kings
    while own:
        square = own.bit_length() - 1
        if BB_KING_ATTACKS[square] & enemy:
            return True
        own ^= BB_SQUARES[square]
    return False


def check_mask(board: AtomicBoard, color: Color) -> Bitboard:
    """
    The pieces that give check to the king of *color*.

    Empty while the kings touch, in dialects where that protects them: an
    attack would explode the attacker's own king too.
    """
    if not type(board).has_checks:
        return BB_EMPTY
    own = board.occupied_co[color]
    enemy = board.occupied_co[not color]
    kings = board.kings & ~board.promoted
    if not kings & own or (type(board).touching_kings_immune and kings_touch(own, enemy, kings)):
        return BB_EMPTY
    return attackers_of_king(board, color, chess.msb(kings & own), enemy, board.occupied)


# The most pieces that can attack a king at once: kings that touched have
# parted, and eight knights and six line pieces surround it.
_MAX_CHECKERS = 14


def without_what_explosions_allow(board: AtomicBoard, status: chess.Status) -> chess.Status:
    """What python-chess finds wrong with a position, less what explosions and kings that touch bring about."""
    # A king that exploded leaves its side to move, and the other side may
    # have ignored a check to explode it.
    if not board.occupied_co[board.turn] & board.kings:
        status &= ~(chess.STATUS_NO_WHITE_KING if board.turn else chess.STATUS_NO_BLACK_KING)
        status &= ~chess.STATUS_OPPOSITE_CHECK

    # Kings that part may uncover any number of checks, in any directions.
    # More than two attackers tell such a position; python-chess and
    # Lichess accept it with either side to move.
    checkers = board.checkers_mask()
    if checkers.bit_count() <= _MAX_CHECKERS:
        status &= ~chess.STATUS_TOO_MANY_CHECKERS
    if check_mask(board, not board.turn).bit_count() > 2:
        status &= ~chess.STATUS_OPPOSITE_CHECK
    if board._valid_ep_square() is None:
        status &= ~chess.STATUS_IMPOSSIBLE_CHECK
    return status


def check_mask_after(board: AtomicBoard, move: Move) -> Bitboard:
    """
    The enemy pieces that would attack the mover's king after *move*.

    Empty if that king explodes, or if the kings would touch where this
    protects them. Asks for attacks only: a move that explodes the enemy king
    is legal whatever attacks its own.
    """
    own, enemy, kings = aftermath(board, move)
    if not type(board).has_checks or not kings & own:
        return BB_EMPTY
    if type(board).touching_kings_immune and kings_touch(own, enemy, kings):
        return BB_EMPTY
    return attackers_of_king(board, board.turn, chess.msb(kings & own), enemy, own | enemy)


def gives_check(board: AtomicBoard, move: Move) -> bool:
    """Whether the pseudo-legal *move* leaves the enemy king in check."""
    own, enemy, kings = aftermath(board, move)
    if not type(board).has_checks or not kings & enemy:
        return False
    if type(board).touching_kings_immune and kings_touch(own, enemy, kings):
        return False
    square = chess.msb(kings & enemy)
    occupied = own | enemy

    # The moved piece stands on its target, perhaps as another piece. The
    # others stand where they stood, on lines that may have opened.
    from_bb = BB_SQUARES[move.from_square]
    to_bb = BB_SQUARES[move.to_square]
    color = not board.turn
    piece_type = move.promotion or board.piece_type_at(move.from_square)
    if piece_type == chess.KING:
        castling = castling_squares(board, move)
        if castling:
            king, rook, _, to_bb = castling
            from_bb = king | rook
            piece_type = chess.ROOK
    if own & to_bb and piece_type != chess.KING:
        if piece_type == chess.PAWN:
            reach = BB_PAWN_ATTACKS[color][square]
        elif piece_type == chess.KNIGHT:
            reach = BB_KNIGHT_ATTACKS[square]
        else:
            reach = ROOK_RAYS[square] if piece_type != chess.BISHOP else BB_EMPTY
            reach |= BISHOP_RAYS[square] if piece_type != chess.ROOK else BB_EMPTY
            if BETWEEN[square][to_bb.bit_length() - 1] & occupied:
                reach = BB_EMPTY
        if reach & to_bb:
            return True
    return bool(attackers_of_king(board, color, square, own & ~from_bb & ~to_bb, occupied))


def attacked_for_king(board: AtomicBoard, path: Bitboard, occupied: Bitboard) -> bool:
    """Whether the king of the side to move would be in check on any square of *path*."""
    if not type(board).has_checks:
        return False
    color = board.turn
    enemy = board.occupied_co[not color]
    if type(board).touching_kings_immune:
        for square in chess.scan_forward(enemy & board.kings & ~board.promoted):
            path &= ~BB_KING_ATTACKS[square]
    while path:
        square = path.bit_length() - 1
        path ^= BB_SQUARES[square]
        if attackers_of_king(board, color, square, enemy, occupied):
            return True
    return False


# --- Castling --------------------------------------------------------------


class Castling(NamedTuple):
    """What castling with one king and one rook needs, as bitboards."""

    empty: Bitboard
    """Squares that must be empty (king and rook themselves are in nobody's way)."""
    crossed: Bitboard
    """Squares that the king leaves or crosses."""
    king_to: Bitboard
    rook_to: Bitboard


def _castling(king: Square, rook: Square) -> Castling:
    rank = chess.square_rank(king)
    king_to, rook_to = (chess.square(file, rank) for file in ((2, 3) if rook < king else (6, 5)))
    path = chess.between(king, king_to)
    ends = BB_SQUARES[king_to] | BB_SQUARES[rook_to]
    return Castling(
        (path | chess.between(rook, rook_to) | ends) & ~BB_SQUARES[king] & ~BB_SQUARES[rook],
        path | BB_SQUARES[king],
        BB_SQUARES[king_to],
        BB_SQUARES[rook_to],
    )


CASTLING = {
    (king, rook): _castling(king, rook)
    for rank in (BB_RANK_1, BB_RANK_8)
    for king in chess.scan_forward(rank)
    for rook in chess.scan_forward(rank & ~BB_SQUARES[king])
}


def castling_squares(board: chess.Board, move: Move) -> tuple[Bitboard, Bitboard, Bitboard, Bitboard] | None:
    """King and rook before and after castling, if *move* is that, in either notation."""
    if not board.kings & BB_SQUARES[move.from_square]:
        return None
    move = board._to_chess960(move)
    rook = board.rooks & board.occupied_co[board.turn] & BB_SQUARES[move.to_square]
    way = CASTLING.get((move.from_square, move.to_square))
    return (BB_SQUARES[move.from_square], rook, way.king_to, way.rook_to) if rook and way else None


# --- Legality of one move ---------------------------------------------------


def is_safe(board: AtomicBoard, move: Move) -> bool:
    """
    The rule of atomic chess for one pseudo-legal *move*.

    The own king must survive. Then a move that explodes the enemy king wins
    at once; any other must not leave the own king in check.
    """
    own, enemy, kings = aftermath(board, move)
    if not kings & own:
        return False
    return not kings & enemy or not check_mask_after(board, move)


def king_explosions(board: AtomicBoard, color: Color) -> list[Move]:
    """
    The moves that explode the enemy king if it is the turn of *color*, in the order of legal moves.

    Where it is the other side's turn, that side passes: rights to capture en
    passant lapse.
    """
    if board.turn != color:
        board = board.copy(stack=False)
        board.push(Move.null())
    return list(board.generate_king_explosions())
