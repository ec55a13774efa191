"""The board of atomic chess."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

import chess
from chess import BB_ALL, BB_EMPTY, BB_RANK_1, BB_RANK_8, BB_SQUARES, Bitboard, Color, Move, Piece, Square, SquareSet
from chess.variant import AtomicBoard as StockBoard

from ..kernel import compiled, kernel
from . import draws, history, movegen, notation, reasons, rules
from .endings import ENDINGS, EndingKind, describe_outcome, kind_of_variant_end
from .history import State
from .overriding import KERNEL_GROUNDS, NOT_FOR_OVERRIDING

_WHITE_CASTLING_ROOKS = chess.BB_A1 | chess.BB_H1
_BLACK_CASTLING_ROOKS = chess.BB_A8 | chess.BB_H8


class AtomicBoard(StockBoard):
    """
    An atomic chess position: :class:`chess.Board` with explosions.

    Also a :class:`chess.variant.AtomicBoard` for ``isinstance`` and type
    checkers, of which it uses no answer.

    A capture explodes: the capturing piece, the captured piece and every
    piece on the eight squares around the capture square leave the board,
    except pawns that were not themselves captured or capturing. Who explodes
    the enemy king wins at once. No move may explode the own king, so kings
    never capture and may touch; while they touch there is no check.

    These are the rules of Lichess, FICS and most other servers
    (https://lichess.org/variant/atomic). The board takes the place of
    :class:`chess.variant.AtomicBoard` without other changes:

    >>> import atomic_variant
    >>> board = atomic_variant.AtomicBoard()
    >>> for san in ["Nf3", "f6", "Nd4", "Nh6", "Ne6", "Ng8", "Nxd8#"]:
    ...     move = board.push_san(san)
    >>> board.outcome().result()
    '1-0'
    >>> board.describe_outcome()
    'White wins: the black king exploded on e8'

    Guarantees:

    * Legal moves come lazily, in the order of python-chess, with both masks
      honoured. The list of legal moves, :meth:`is_legal`, en passant in FEN,
      captures, ``==`` and repetitions all follow one legality.
    * Reading a board never changes it: legality is computed, not tried out.
    * The :class:`chess.Move` objects in lists of legal moves are shared by
      all boards. Treat moves as immutable, as python-chess does.
    * No state beyond that of :class:`chess.Board`, so copies, mirrors,
      pickles and pops need no care.

    A dialect is a subclass that sets :attr:`has_checks`,
    :attr:`touching_kings_immune`, its names (``aliases``, ``uci_variant``,
    ``xboard_variant``) and, unless it agrees with atomic tablebases, the
    tablebase attributes to ``None``. Endings are overridden through
    ``is_variant_*``, :meth:`has_insufficient_material` and, for the words,
    :attr:`endings`. What is legal is decided in many places for the sake of
    speed, so ``generate_legal_moves``, ``is_legal`` and the like are no
    override points: a class that defines one raises :exc:`TypeError`, which
    names the attribute to use.
    Rules and words belong to the class: set on a single board they do nothing.
    """

    aliases = ["Atomic", "Atom", "Atomic chess", "Atomic960", "Atomic 960"]
    uci_variant = "atomic"
    xboard_variant = "atomic"

    tbw_suffix: ClassVar[str | None] = ".atbw"  # type: ignore[assignment] # Dialects have none.
    tbz_suffix: ClassVar[str | None] = ".atbz"  # type: ignore[assignment] # Dialects have none.
    tbw_magic: ClassVar[bytes | None] = b"\x55\x8d\xa4\x49"  # type: ignore[assignment] # Dialects have none.
    tbz_magic: ClassVar[bytes | None] = b"\x91\xa9\x5e\xeb"  # type: ignore[assignment] # Dialects have none.
    connected_kings = True

    has_checks: ClassVar[bool] = True
    """Whether a king that could be exploded or captured is in check."""

    touching_kings_immune: ClassVar[bool] = True
    """Whether a king that touches the enemy king cannot be in check."""

    endings: ClassVar[Mapping[chess.Termination, str]] = ENDINGS
    """What :meth:`describe_outcome` says of an ending that needs no look at the board."""

    _has_own_end = False
    _has_own_result = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name, instead in NOT_FOR_OVERRIDING.items():
            if getattr(cls, name, None) is not getattr(AtomicBoard, name, None):
                raise TypeError(f"{cls.__name__} overrides {name}, which AtomicBoard does not consult: {instead}")
        # Every list of moves and every SAN would have to ask for endings.
        # They do so only where there may be other endings than a lost king.
        cls._has_own_end = cls.is_variant_end is not AtomicBoard.is_variant_end
        cls._has_own_result = (cls.is_variant_loss, cls.is_variant_win) != (
            AtomicBoard.is_variant_loss,
            AtomicBoard.is_variant_win,
        )

    # --- Explosions ---------------------------------------------------------

    def explosion_mask(self, move: Move) -> Bitboard:
        """
        The squares that the pseudo-legal *move* empties by exploding.

        These are the squares that hold a piece before the move and none after
        it: of the capturing piece, of the captured piece and of every piece
        around the capture square that is not a pawn. Empty for a move that
        captures nothing.
        """
        return rules.explosion_mask(self, move)

    def explosion(self, move: Move | str) -> SquareSet:
        """
        :meth:`explosion_mask` as a :class:`chess.SquareSet`; *move* may be text.

        >>> board = AtomicBoard()
        >>> for san in ["e4", "d5"]:
        ...     _ = board.push_san(san)
        >>> [chess.square_name(square) for square in board.explosion("exd5")]
        ['e4', 'd5']
        """
        return SquareSet(self.explosion_mask(self._move_of(move)))

    def exploded_pieces(self, move: Move | str) -> dict[Square, Piece]:
        """
        The pieces that the pseudo-legal *move* removes, by square.

        The capturing piece stands under the square that it came from.

        >>> board = AtomicBoard("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
        >>> board.exploded_pieces(board.parse_san("exd5"))
        {35: Piece.from_symbol('p'), 28: Piece.from_symbol('P')}
        """
        return self.piece_map(mask=self.explosion_mask(self._move_of(move)))

    def _move_of(self, move: Move | str) -> Move:
        return self.parse_san(move) if isinstance(move, str) else move

    def explodes_king(self, move: Move | str) -> bool:
        """
        Whether the pseudo-legal *move* explodes the enemy king but not its own.

        Such a move wins on the spot, even out of check. *move* may be text.

        :raises: :exc:`ValueError` if it is text that means no legal move.
        """
        move = self._move_of(move)
        to_square = move.to_square
        if not self.occupied_co[not self.turn] & BB_SQUARES[to_square] and to_square != self.ep_square:
            return False  # No capture.
        own, enemy, kings = rules.aftermath(self, move)
        return bool(kings & own and not kings & enemy) and not self.is_variant_end()

    def generate_king_explosions(self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL) -> Iterator[Move]:
        """
        Generates the legal moves that explode the enemy king.

        >>> board = AtomicBoard("rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3")
        >>> [board.san(move) for move in board.generate_king_explosions()]
        ['Nxe7#']
        """
        return (move for move in self.generate_legal_captures(from_mask, to_mask) if self.explodes_king(move))

    def kings_touch(self) -> bool:
        """Whether the kings stand on neighbouring squares."""
        return rules.kings_touch(self.occupied_co[True], self.occupied_co[False], self.kings & ~self.promoted)

    def _effective_promoted(self) -> Bitboard:
        # Asked by the coming python-chess: a king that was a pawn is no king to castle with or to lose.
        return self.kings & self.promoted

    # --- Legality -----------------------------------------------------------

    @property
    def legal_moves(self) -> LegalMoveGenerator:
        """
        A dynamic list of legal moves: iterate it, test ``move in`` it, take
        its truth value or its ``count()``.
        """
        return LegalMoveGenerator(self)

    # Methods without a call in between: they are called in loops.
    generate_legal_moves = compiled(movegen.generate_legal_moves)
    generate_legal_ep = movegen.generate_legal_ep
    is_legal = compiled(movegen.is_legal)

    def why_illegal(self, move: Move | str | None) -> str | None:
        """
        Says in one sentence why *move* is illegal, or ``None`` if it is legal.

        A move in text (SAN or coordinates) is what :meth:`parse_san` takes it
        for; a null move is legal there.

        >>> board = AtomicBoard("rnbqkbnr/ppp1pppp/8/8/8/8/PPPpPPPP/RNBQKBNR w KQkq - 0 3")
        >>> board.why_illegal(chess.Move.from_uci("d1d2"))
        "the explosion on d2 would remove White's own king on e1"
        """
        if isinstance(move, str):
            return notation.why_not_parsed(self, move)
        return reasons.why_illegal(self, move)

    def _why_text_illegal(self, san: str) -> str | None:
        return reasons.why_text_illegal(self, san, self.why_illegal)

    def _kings_connected(self) -> bool:
        return self.kings_touch()

    generate_castling_moves = movegen.generate_castling_moves
    _attacked_for_king = rules.attacked_for_king

    # --- Check --------------------------------------------------------------

    @compiled
    def checkers_mask(self) -> Bitboard:
        return rules.check_mask(self, self.turn)

    def was_into_check(self) -> bool:
        return bool(rules.check_mask(self, not self.turn))

    def is_into_check(self, move: Move) -> bool:
        return bool(rules.check_mask_after(self, move))

    gives_check = compiled(rules.gives_check)

    def pin_mask(self, color: Color, square: Square) -> Bitboard:
        if not type(self).has_checks or (type(self).touching_kings_immune and self.kings_touch()):
            return BB_ALL  # No check, no pin.
        return chess.Board.pin_mask(self, color, square)

    def status(self) -> chess.Status:
        return rules.without_what_explosions_allow(self, chess.Board.status(self))

    # --- Endings ------------------------------------------------------------

    def is_variant_end(self) -> bool:
        kings = self.kings & ~self.promoted
        return not (kings & self.occupied_co[True] and kings & self.occupied_co[False])

    def is_variant_win(self) -> bool:
        return self._lost_its_king(not self.turn) and not self._lost_its_king(self.turn)

    def is_variant_loss(self) -> bool:
        return self._lost_its_king(self.turn) and not self._lost_its_king(not self.turn)

    def is_variant_draw(self) -> bool:
        return self._lost_its_king(self.turn) and self._lost_its_king(not self.turn)

    def _lost_its_king(self, color: Color) -> bool:
        return not self.kings & ~self.promoted & self.occupied_co[color]

    @compiled
    def is_stalemate(self) -> bool:
        return not self.is_variant_end() and not self.is_check() and not self.legal_moves

    @compiled
    def is_checkmate(self) -> bool:
        return self.is_check() and not self.legal_moves

    @compiled
    def has_insufficient_material(self, color: Color) -> bool:
        return draws.has_insufficient_material(self, color)

    def is_dead_position(self, *, limit: int = 20_000) -> bool | None:
        """
        Whether nobody can win any more, by any play of both sides.

        ``True`` if no explosion of a king and no mate can be reached,
        ``False`` if one can, or if the game is won already. All positions are
        tried that play can reach from here; ``None`` if there are more than
        *limit*. Two kings among blocked pawns have at most 8,064, a bishop
        makes it some thirty times as many. Repetitions and counts of moves
        end nothing here.

        >>> AtomicBoard("8/8/6p1/3K2P1/8/2k5/8/8 b - - 0 1").is_dead_position()
        True

        Closed for Lichess, and yet alive: the pawns may capture once the king
        has left them.

        >>> board = AtomicBoard("8/8/4K2p/2pp3P/2Pp4/2kP2p1/6P1/8 b - - 0 1")
        >>> board.is_closed_position(), board.is_dead_position()
        (True, False)

        :raises: :exc:`ValueError` if *limit* is below 1.
        """
        if limit < 1:
            raise ValueError(f"expected a limit of 1 or more, but got {limit}")
        return draws.is_dead_position(self, limit)

    def is_closed_position(self) -> bool:
        """
        Whether Lichess would adjudicate a draw because no pawn can move or capture now.

        Every pawn is blocked by a pawn and has no legal capture at this
        moment, for either side to move. A king that steps aside may allow one
        later: :meth:`is_dead_position` looks at all play. Besides kings and
        pawns there are at most bishops of one side, all on one color of
        squares, with every enemy pawn on the other. This is an adjudication
        of Lichess (scalachess, ``Atomic.scala``), not a rule of atomic chess,
        so :meth:`outcome` counts it only when asked.

        >>> AtomicBoard("8/8/6p1/3K2P1/8/2k5/8/8 b - - 0 1").is_closed_position()
        True
        """
        return draws.is_closed_position(self)

    def outcome(self, *, claim_draw: bool = False, closed_draw: bool = False) -> chess.Outcome | None:
        """
        How the game ended, or ``None`` if it goes on.

        As :meth:`chess.Board.outcome`. With *closed_draw* a closed position
        (:meth:`is_closed_position`) is a draw too, as on Lichess.
        """
        outcome = chess.Board.outcome(self, claim_draw=claim_draw)
        if outcome is None and closed_draw and self.is_closed_position():
            return chess.Outcome(chess.Termination.VARIANT_DRAW, None)
        return outcome

    def describe_outcome(self, claim_draw: bool = False, *, closed_draw: bool = False) -> str | None:
        """
        Says who won and why, or ``None`` if the game goes on.

        The one answer for every way to end: explosion, checkmate, stalemate,
        insufficient material, seventy-five moves, fivefold repetition; with
        *claim_draw* the draws that the side to move may claim; with
        *closed_draw* closed positions.
        """
        return describe_outcome(self, claim_draw=claim_draw, closed_draw=closed_draw)

    def _kind_of_variant_end(self, outcome: chess.Outcome) -> EndingKind:
        return kind_of_variant_end(self, outcome)

    # --- Moves --------------------------------------------------------------

    @compiled
    def push(self, move: Move) -> None:
        if move.from_square == move.to_square:
            chess.Board.push(self, move)  # A null move.
            return

        # Locals throughout: this is the host's most called method.
        turn = self.turn
        occupied = self.occupied
        occupied_co = self.occupied_co
        black, white = occupied_co
        own = white if turn else black
        pawns = self.pawns
        knights = self.knights
        bishops = self.bishops
        rooks = self.rooks
        queens = self.queens
        kings = self.kings
        promoted = self.promoted
        from_bb = BB_SQUARES[move.from_square]
        assert own & from_bb, f"push() expects move to be pseudo-legal, but got {move} in {self.board_fen()}"
        castling = None
        if kings & from_bb:
            castling = rules.castling_squares(self, move)
            move = self._from_chess960(self.chess960, move.from_square, self._to_chess960(move).to_square)
        to_bb = BB_SQUARES[move.to_square]
        gone = BB_EMPTY
        if occupied & to_bb or move.to_square == self.ep_square:  # Spares most moves the call.
            gone = rules.explosion_mask(self, move)
            assert gone or castling or not own & to_bb, f"push() expects no move onto an own piece, but got {move}"

        # Remember the position.
        rights = given_rights = self.castling_rights
        if rights and not self._stack:
            rights = self.castling_rights = self.clean_castling_rights()
        halfmove_clock = self.halfmove_clock
        self._stack.append(State((  # type: ignore[arg-type] # Like the host's own, as far as it is used.
            occupied, black, white, pawns, knights, bishops, rooks, queens, kings, promoted,
            turn, given_rights, self.ep_square, halfmove_clock, self.fullmove_number,
        )))  # fmt: skip
        self.move_stack.append(move)

        self.halfmove_clock = 0 if gone or pawns & from_bb else halfmove_clock + 1
        if not turn:
            self.fullmove_number += 1
        self.turn = not turn
        self.ep_square = None

        if gone:
            keep = ~gone
            if rights:
                rights &= keep
                for side, backrank in ((white, BB_RANK_1), (black, BB_RANK_8)):
                    if gone & kings & ~promoted & side:
                        rights &= ~backrank  # An exploded king takes both rights along.
                self.castling_rights = rights
            self.occupied = occupied & keep
            occupied_co[0] = black & keep
            occupied_co[1] = white & keep
            self.pawns = pawns & keep
            self.knights = knights & keep
            self.bishops = bishops & keep
            self.rooks = rooks & keep
            self.queens = queens & keep
            self.kings = kings & keep
            self.promoted = promoted & keep
            return

        if castling:
            king, rook, king_to, rook_to = castling
            keep = ~(king | rook)
            self.castling_rights = rights & ~(BB_RANK_1 if turn else BB_RANK_8)
            self.occupied = occupied & keep | king_to | rook_to
            occupied_co[turn] = own & keep | king_to | rook_to
            self.kings = kings & keep | king_to
            self.rooks = rooks & keep | rook_to
            self.promoted = promoted & keep
            return

        path = from_bb | to_bb
        self.occupied = occupied ^ path
        occupied_co[turn] = own ^ path
        if rights:
            self.castling_rights = rights & ~path
        if promoted & from_bb:
            self.promoted = promoted ^ path
        if pawns & from_bb:
            if move.promotion:
                self.pawns = pawns ^ from_bb
                self.promoted = promoted & ~from_bb | to_bb
                if move.promotion == chess.QUEEN:
                    self.queens = queens | to_bb
                elif move.promotion == chess.ROOK:
                    self.rooks = rooks | to_bb
                elif move.promotion == chess.BISHOP:
                    self.bishops = bishops | to_bb
                elif move.promotion == chess.KNIGHT:
                    self.knights = knights | to_bb
            else:
                self.pawns = pawns ^ path
                step = move.to_square - move.from_square
                if (step == 16 and from_bb & chess.BB_RANK_2) or (step == -16 and from_bb & chess.BB_RANK_7):
                    self.ep_square = move.from_square + step // 2
        elif knights & from_bb:
            self.knights = knights ^ path
        elif bishops & from_bb:
            self.bishops = bishops ^ path
        elif rooks & from_bb:
            self.rooks = rooks ^ path
        elif queens & from_bb:
            self.queens = queens ^ path
        else:
            self.kings = kings ^ path
            if rights and not promoted & from_bb:
                self.castling_rights = rights & ~(BB_RANK_1 if turn else BB_RANK_8)

    @compiled
    def copy(self, *, stack: bool | int = True) -> Self:
        board = chess.Board.copy(self, stack=False)
        if stack:
            # Moves are shared: they are immutable here.
            number = len(self.move_stack) if stack is True else stack
            board.move_stack = self.move_stack[-number:]
            board._stack = self._stack[-number:]
        return board

    @compiled
    def is_repetition(self, count: int = 3) -> bool:
        return history.is_repetition(self, count)

    def can_claim_threefold_repetition(self) -> bool:
        return history.can_claim_threefold_repetition(self)

    @compiled
    def fen(
        self, *, shredder: bool = False, en_passant: chess.EnPassantSpec = "legal", promoted: bool | None = None
    ) -> str:
        return chess.Board.fen(self, shredder=shredder, en_passant=en_passant, promoted=promoted)

    @compiled
    def set_fen(self, fen: str) -> None:
        chess.Board.set_fen(self, fen)

    @compiled
    def zobrist_key(self) -> int:
        """
        Polyglot's Zobrist key of the position, for opening books, explorers and tables of one's own.

        >>> AtomicBoard().zobrist_key() == 0x463b96181691fc9c
        True
        """
        import chess.polyglot  # Only who asks for keys pays for its tables.

        return chess.polyglot.zobrist_hash(self)

    def clean_castling_rights(self) -> Bitboard:
        rights = self.castling_rights
        if not rights or self._stack:
            return rights
        if self.chess960:
            return chess.Board.clean_castling_rights(self)
        black, white = self.occupied_co
        rights &= self.rooks
        kings = self.kings & ~self.promoted
        return rights & (
            (white & _WHITE_CASTLING_ROOKS if kings & white & chess.BB_E1 else BB_EMPTY)
            | (black & _BLACK_CASTLING_ROOKS if kings & black & chess.BB_E8 else BB_EMPTY)
        )

    @compiled
    def pop(self) -> Move:
        self._stack.pop().restore(self)
        return self.move_stack.pop()

    # --- Notation -----------------------------------------------------------

    @compiled
    def parse_san(self, san: str) -> Move:
        try:
            return notation.parse_san(self, san)
        except chess.IllegalMoveError:
            raise notation.illegal_move("san", san, self, self._why_text_illegal(san)) from None

    def parse_uci(self, uci: str) -> Move:
        try:
            return chess.Board.parse_uci(self, uci)
        except chess.IllegalMoveError:
            raise notation.illegal_move("uci", uci, self, self.why_illegal(Move.from_uci(uci))) from None

    @compiled
    def _algebraic(self, move: Move, *, long: bool = False) -> str:
        return notation.algebraic(self, move, long=long)

    def _algebraic_and_push(self, move: Move, *, long: bool = False) -> str:
        san = self._algebraic(move, long=long)
        self.push(move)
        return san

    # --- Pictures -----------------------------------------------------------

    def _repr_svg_(self) -> str:
        from .. import svg  # Only who looks at a board pays for pictures.

        # A plain string: some notebooks ask a result for its own representation.
        return str(svg.last_move(self, size=390))


class LegalMoveGenerator(chess.LegalMoveGenerator):
    """:attr:`AtomicBoard.legal_moves`, counted and tested without making moves."""

    def __init__(self, board: AtomicBoard) -> None:
        self.board: AtomicBoard = board

    @compiled
    def __bool__(self) -> bool:
        return next(movegen.generate_spans(self.board), None) is not None

    @compiled
    def count(self) -> int:
        return movegen.count_legal_moves(self.board)

    @compiled
    def __iter__(self) -> Iterator[Move]:
        return self.board.generate_legal_moves()

    @compiled
    def __contains__(self, move: Move | None) -> bool:
        return self.board.is_legal(move)


if kernel is not None:
    kernel.set_up(
        board_class=AtomicBoard,
        state_class=State,
        moves=movegen._MOVES,
        promotion_moves=movegen._PROMOTION_MOVES,
        generate_legal_moves=movegen.generate_legal_moves,
        grounds=KERNEL_GROUNDS,
    )
