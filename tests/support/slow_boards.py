"""A slow second opinion on the dialects of atomic chess."""

from __future__ import annotations

import chess
import chess.variant


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
