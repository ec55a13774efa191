"""
A dialect of one's own: atomic chess that a king in the centre wins as well.

    python examples/own_dialect.py
"""

import chess
import chess.pgn

import atomic_variant


class AtomicHillBoard(atomic_variant.AtomicBoard):
    """Atomic chess in which a king that reaches d4, e4, d5 or e5 wins as well."""

    aliases = ["Atomic King of the Hill"]
    uci_variant = xboard_variant = "atomic-hill"
    tbw_suffix = tbz_suffix = tbw_magic = tbz_magic = None  # The tables know no hill.

    def is_variant_end(self) -> bool:
        return super().is_variant_end() or bool(self.kings & chess.BB_CENTER)

    def is_variant_win(self) -> bool:
        return super().is_variant_win() or bool(self.kings & self.occupied_co[self.turn] & chess.BB_CENTER)

    def is_variant_loss(self) -> bool:
        return super().is_variant_loss() or bool(self.kings & self.occupied_co[not self.turn] & chess.BB_CENTER)

    def has_insufficient_material(self, color: chess.Color) -> bool:
        return False  # A bare king may still climb the hill.


def main() -> None:
    atomic_variant.VARIANTS.append(AtomicHillBoard)  # For find_variant() and our readers ...
    atomic_variant.register()  # ... and for python-chess itself.

    board = AtomicHillBoard()
    for san in ["e4", "a6", "Ke2", "a5", "Ke3", "a4", "Kd4#"]:
        board.push_san(san)
    print(chess.pgn.Game.from_board(board), end="\n\n")
    print(board.describe_outcome(), "-", board.legal_moves.count(), "legal moves are left")


if __name__ == "__main__":
    main()
