"""
Games as steps of pieces, for players of games that know no rules.

The moving picture and the viewer's front end slide pieces, empty the squares
of a blast and are told what else differs. This holds for every variant of
python-chess, castling, en passant, promotions and drops included.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import chess
import chess.variant
from chess import BB_SQUARES, Bitboard, Move, Piece, Square

from ..boards import rules

if TYPE_CHECKING:
    import chess.pgn


class Step(NamedTuple):
    """What one move does to the pieces on the board."""

    move: Move
    san: str
    """The move in SAN, or in UCI if it is illegal."""
    slides: tuple[tuple[Square, Square], ...]
    """Which pieces move from where to where, at the same time."""
    blast: Bitboard
    """The squares that an explosion empties once the pieces have moved."""
    dead: dict[Square, Piece]
    """What exploded, by the squares where it stood before the move."""
    changes: dict[Square, Piece | None]
    """What else stands somewhere afterwards: a promoted piece, nothing after en passant."""
    check: Square | None
    """The king that is in check afterwards."""


def blast_mask(board: chess.Board, move: Move) -> Bitboard:
    """
    The squares that *move* empties by exploding, on any board of python-chess.

    Also for games that were read on the atomic board of python-chess itself;
    empty where nothing explodes.
    """
    if hasattr(board, "explosion_mask"):
        mask: Bitboard = board.explosion_mask(move)
        return mask
    if isinstance(board, chess.variant.AtomicBoard):
        return rules.explosion_mask(board, move)
    return chess.BB_EMPTY


def take(board: chess.Board, move: Move) -> Step:
    """
    Makes *move* on *board* and returns what it did.

    >>> board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    >>> step = take(board, board.parse_san("O-O"))
    >>> [(chess.square_name(a), chess.square_name(b)) for a, b in step.slides]
    [('e1', 'g1'), ('h1', 'f1')]
    """
    is_known = bool(move) and board.is_legal(move)
    san = board.san(move) if is_known or not move else move.uci()
    blast = blast_mask(board, move)
    slides = _slides(board, move)
    dead = board.piece_map(mask=blast)
    before = planes(board)
    board.push(move)
    changed = _unexpected(before, planes(board), slides, blast | (BB_SQUARES[move.to_square] if blast else 0))
    changes = {square: board.piece_at(square) for square in chess.scan_forward(changed)} if changed else {}
    # Only a move that is written with a sign can give check.
    may_check = not is_known or san[-1] in "+#"
    check = board.king(board.turn) if may_check and board.is_check() else None
    return Step(move, san, slides, blast, dead, changes, check)


def _slides(board: chess.Board, move: Move) -> tuple[tuple[Square, Square], ...]:
    if not move or move.drop:
        return ()
    is_castling = board.kings & BB_SQUARES[move.from_square] and board.is_castling(move)
    if castling := rules.castling_squares(board, move) if is_castling else None:
        king, rook, king_to, rook_to = (chess.msb(mask) for mask in castling)
        return (king, king_to), (rook, rook_to)
    return ((move.from_square, move.to_square),)


def _unexpected(
    before: tuple[Bitboard, ...],
    after: tuple[Bitboard, ...],
    slides: tuple[tuple[Square, Square], ...],
    blast: Bitboard,
) -> Bitboard:
    """The squares that hold something else *after* than slides and a blast make of them."""
    paths = [(BB_SQUARES[origin], BB_SQUARES[target]) for origin, target in slides]
    touched = blast
    for origin, target in paths:
        touched |= origin | target
    unexpected = chess.BB_EMPTY
    for old, new in zip(before, after, strict=True):
        if old == new and not old & touched:
            continue  # Most pieces do not move.
        expected = old & ~touched
        for origin, target in paths:
            if old & origin:
                expected |= target & ~blast
        unexpected |= expected ^ new
    return unexpected


def planes(board: chess.Board) -> tuple[Bitboard, ...]:
    """What stands on the board: pieces by type, and by side."""
    return (
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings, *board.occupied_co
    )  # fmt: skip


# --- Lines ------------------------------------------------------------------


class Line(NamedTuple):
    """A starting position and moves from there."""

    start: chess.Board
    moves: list[Move]
    title: str
    """The players, for a line of a game."""


def line(source: chess.pgn.GameNode | chess.Board) -> Line:
    """
    The line of *source*: a game's main line, the line through a node of a
    game, or the moves that were made on a board.
    """
    if isinstance(source, chess.Board):
        return Line(source.root(), list(source.move_stack), "")
    game = source.game()
    start = game.board()
    # A node's board has the moves that lead to the node.
    moves = source.board().move_stack[len(start.move_stack) :]
    moves += source.mainline_moves()
    players = [game.headers.get(color, "?") for color in ("White", "Black")]
    title = " - ".join(players) if any(player.strip("?") for player in players) else ""
    return Line(start, moves, title)


def numbered(start: chess.Board, ply: int, san: str) -> str:
    """
    A move with its number; *san* is the *ply*-th half-move after *start*.

    >>> numbered(chess.Board(), 4, "Nc6")
    '2... Nc6'
    """
    made = start.ply() + ply - 1
    return f"{made // 2 + 1}{'...' if made % 2 else '.'} {san}"
