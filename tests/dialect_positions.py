"""Constructed positions in which the dialects of atomic chess differ, and a slow second opinion on them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess
import chess.variant

# Kings that touch, castling under fire and en passant next to kings are rare
# in games, so the positions are built around them.


def constructed_positions(count: int, seed: int) -> Iterator[chess.Board]:
    """Random positions with one king on each side, as boards of chess."""
    rnd = random.Random(seed)
    for _ in range(count):
        yield _position(rnd)


def _position(rnd: random.Random) -> chess.Board:
    board = chess.Board.empty()
    board.turn = rnd.random() < 0.5
    free = list(chess.SQUARES)
    rnd.shuffle(free)
    if rnd.random() < 0.4:
        _set_up_castling(board, free, rnd)
    else:
        _put(board, free, chess.KING, chess.WHITE, free[0])
    if board.king(chess.BLACK) is None:
        near = [square for square in free if chess.square_distance(square, board.king(chess.WHITE)) <= 2]
        _put(board, free, chess.KING, chess.BLACK, rnd.choice(near) if near and rnd.random() < 0.6 else free[0])
    for _ in range(rnd.randrange(1, 12)):
        piece_type = rnd.choice([chess.PAWN] * 3 + [chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN])
        if piece_type != chess.PAWN or chess.square_rank(free[0]) not in (0, 7):
            _put(board, free, piece_type, rnd.random() < 0.5, free[0])
    if rnd.random() < 0.5:
        _set_up_en_passant(board, free, rnd)
    board.castling_rights = board.clean_castling_rights()
    return board


def _put(
    board: chess.Board, free: list[chess.Square], piece_type: chess.PieceType, color: chess.Color, square: chess.Square
) -> None:
    free.remove(square)
    board.set_piece_at(square, chess.Piece(piece_type, color))


def _set_up_castling(board: chess.Board, free: list[chess.Square], rnd: random.Random) -> None:
    """White's king and rooks at home, and Black's too or somewhere near."""
    board.chess960 = rnd.random() < 0.4
    for color in chess.COLORS if rnd.random() < 0.5 else [chess.WHITE]:
        files = sorted(rnd.sample(range(8), 3)) if board.chess960 else [0, 4, 7]
        for file, piece_type in zip(files, (chess.ROOK, chess.KING, chess.ROOK), strict=True):
            square = chess.square(file, 0 if color else 7)
            if piece_type == chess.KING or rnd.random() < 0.8:
                _put(board, free, piece_type, color, square)
                if piece_type == chess.ROOK:
                    board.castling_rights |= chess.BB_SQUARES[square]
    if rnd.random() < 0.5:
        board.apply_mirror()
        free[:] = [square for square in chess.SQUARES if not board.piece_type_at(square)]
        rnd.shuffle(free)
        if board.king(chess.WHITE) is None:
            near = [square for square in free if chess.square_distance(square, board.king(chess.BLACK)) <= 2]
            _put(board, free, chess.KING, chess.WHITE, rnd.choice(near))


def _set_up_en_passant(board: chess.Board, free: list[chess.Square], rnd: random.Random) -> None:
    ahead = 8 if board.turn else -8
    for file in rnd.sample(range(8), 8):
        pawn = chess.square(file, 4 if board.turn else 3)
        if all(square in free for square in (pawn, pawn + ahead, pawn + 2 * ahead)):
            _put(board, free, chess.PAWN, not board.turn, pawn)
            for side in (pawn - 1, pawn + 1):
                if side in free and chess.square_distance(side, pawn) == 1:
                    _put(board, free, chess.PAWN, board.turn, side)
            board.ep_square = pawn + ahead
            return


def fen_of(board: chess.Board) -> str:
    """The FEN of a constructed position, with every right that it has."""
    return board.fen(shredder=board.chess960, en_passant="fen")


class SlowBoard(chess.variant.AtomicBoard):
    """
    The dialects by the board of python-chess: make the move, look at the kings.

    Shares no code with the boards under test.
    """

    checks = True
    immune = True

    def attacked(self, color: chess.Color, square: chess.Square, occupied: chess.Bitboard | None = None) -> bool:
        """Whether a king of *color* would be in check on *square*."""
        if not self.checks or (self.immune and chess.square_distance(square, self.king(not color)) == 1):
            return False
        return bool(self.attackers(not color, square, occupied) & ~chess.SquareSet(self.kings))

    def _attacked_for_king(self, path: chess.Bitboard, occupied: chess.Bitboard) -> bool:
        return any(self.attacked(self.turn, square, occupied) for square in chess.scan_forward(path))

    def moves(self) -> set[chess.Move]:
        moves = set()
        for move in self.generate_pseudo_legal_moves():
            after = self.copy(stack=False)
            after.push(move)
            king = after.king(self.turn)
            if king is None:
                continue
            if after.king(not self.turn) is None or self.is_castling(move) or not after.attacked(self.turn, king):
                moves.add(move)
        return moves


class SlowIccBoard(SlowBoard):
    checks = False


class SlowBuho21Board(SlowBoard):
    immune = False
