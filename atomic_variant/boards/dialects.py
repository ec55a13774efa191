"""Atomic chess by the rules of other sites: ChessPlayX, ICC, Buho21."""

from __future__ import annotations

import chess
from chess import Color

from .atomic import AtomicBoard
from .endings import ENDINGS


class _ClaimedDrawsBoard(AtomicBoard):
    """
    The draws of sites whose rules name one automatic draw: two bare kings.

    Repetition and moves without progress draw only by claim, with
    ``outcome(claim_draw=True)``.
    """

    endings = {**ENDINGS, chess.Termination.INSUFFICIENT_MATERIAL: "only the kings are left"}

    def has_insufficient_material(self, color: Color) -> bool:
        """
        Whether *color* has nothing but a king, which captures nothing.

        Other material that cannot win either is no automatic draw here.
        """
        kings = self.kings & ~self.promoted
        return bool(kings & self.occupied_co[not color]) and not self.occupied_co[color] & ~kings

    def is_seventyfive_moves(self) -> bool:
        """Always ``False``: moves without progress never draw by themselves."""
        return False

    def is_fivefold_repetition(self) -> bool:
        """Always ``False``: repetition never draws by itself. See :meth:`is_repetition`."""
        return False

    def is_closed_position(self) -> bool:
        """Always ``False``: this is an adjudication of Lichess alone."""
        return False


class ChessPlayXAtomicBoard(_ClaimedDrawsBoard):
    """
    Atomic chess as on ChessPlayX: the moves of Lichess, fewer automatic draws.

    Follows the site's guide to "Xadrez Atômico", which names Lichess and
    Fairy-Stockfish as its sources. Moves, mate and stalemate are those of
    :class:`AtomicBoard`. King against king is a draw at once; repetition and
    fifty moves have to be claimed and never end a game by themselves; other
    material is played on.

    As moves, wins and stalemates are the same, atomic tablebases give the
    right values. Open them with ``VariantBoard=ChessPlayXAtomicBoard``.

    >>> board = ChessPlayXAtomicBoard("8/3k4/8/8/2N5/8/3K4/8 b - - 150 120")
    >>> board.outcome() is None
    True
    >>> board.describe_outcome(claim_draw=True)
    'Draw: fifty moves without a capture or pawn move, by claim'
    """

    aliases = ["Atomic ChessPlayX", "ChessPlayX Atomic", "ChessPlayX"]
    uci_variant = "atomic-chessplayx"
    xboard_variant = "atomic-chessplayx"


class IccAtomicBoard(_ClaimedDrawsBoard):
    """
    Atomic chess as wild 27 of the Internet Chess Club: there is no check.

    Follows the club's help page "atomic" and
    http://chronatog.com/archive/tipau/rules.html. A king may stand, move and
    castle where it can be captured or exploded; who captures or explodes the
    enemy king wins. No move may explode the own king, so kings capture
    nothing here either. Without a legal move the game is drawn: the pages do
    not say so, and without check there is no mate to tell it from.

    BrainKing (https://brainking.com/pt/GameRules?tp=28) plays by the same
    rules as far as its page goes, which is silent on castling. So does the
    ``nocheckatomic`` of Fairy-Stockfish, except that it lets a player explode
    the own king and lose.

    Atomic tablebases know check, so they do not apply.

    >>> board = IccAtomicBoard("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1")
    >>> board.is_check()
    False
    >>> board.push_san("O-O")
    Move.from_uci('e1g1')
    """

    aliases = [
        "Atomic ICC", "ICC Atomic", "wild/27", "wild 27", "wild27", "w27", "ICC w27", "ICC wild 27", "ICC wild/27",
        "Atomic BrainKing", "BrainKing Atomic",
    ]  # fmt: skip
    uci_variant = "atomic-icc"
    xboard_variant = "atomic-icc"

    tbw_suffix = tbz_suffix = None  # type: ignore[assignment]
    tbw_magic = tbz_magic = None  # type: ignore[assignment]

    has_checks = False


class Buho21AtomicBoard(_ClaimedDrawsBoard):
    """
    Atomic chess as on Buho21: touching the enemy king protects from nothing.

    Follows the "Regras do Xadrez Atômico" written down in Portuguese for the
    site. Two differences are named there. A king in contact with the enemy
    king is in check like any other, so it may not go next to that king on a
    square that another piece guards; and there is no castling out of check,
    in contact either. Kings guard nothing, as they capture nothing.

    A player without a legal move loses. The text says so of a position whose
    diagram is lost; as it may have shown a mate, :attr:`stalemate_loses`
    makes it a draw.

    Where the text is silent (castling through check, en passant, promotion,
    claims of draws), the rules are those of :class:`AtomicBoard`. Atomic
    tablebases know the protection of touching kings, so they do not apply.

    >>> board = Buho21AtomicBoard("3k4/7r/3K4/8/8/8/8/8 w - - 0 1")
    >>> board.why_illegal(chess.Move.from_uci("d6d7"))
    'the king on d7 would be attacked by the rook on h7, and touching the other king does not protect it'
    >>> Buho21AtomicBoard("k7/1R6/8/8/2K5/8/8/8 b - - 0 1").describe_outcome()
    'White wins: Black has no legal move'
    """

    aliases = ["Atomic Buho21", "Buho21 Atomic", "Buho21", "Atomic Buho 21"]
    uci_variant = "atomic-buho21"
    xboard_variant = "atomic-buho21"

    tbw_suffix = tbz_suffix = None  # type: ignore[assignment]
    tbw_magic = tbz_magic = None  # type: ignore[assignment]

    touching_kings_immune = False

    stalemate_loses: bool = True
    """
    Whether a player who is not in check and has no legal move loses.

    Set it to ``False`` in a subclass to have such positions drawn.
    """

    def is_variant_loss(self) -> bool:
        return super().is_variant_loss() or (self.stalemate_loses and self.is_stalemate())

    def is_stalemate(self) -> bool:
        """
        Whether the side to move is not in check and has no legal move.

        That side has then lost (:meth:`is_variant_loss`), unless
        :attr:`stalemate_loses` says otherwise.
        """
        return super().is_stalemate()

    def has_insufficient_material(self, color: Color) -> bool:
        """
        Whether *color* has nothing but a king, which captures nothing.

        Where stalemate loses, that king may still win against men who block
        each other, but not against a bare king: that one can always move.
        """
        if self.stalemate_loses and self.occupied & ~self.kings:
            return False
        return super().has_insufficient_material(color)
