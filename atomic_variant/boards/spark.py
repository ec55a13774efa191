"""Spark Chess: pawns that jump where two own pieces meet, or trade places with pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator

import chess
from chess import (
    BB_ALL,
    BB_EMPTY,
    BB_KNIGHT_ATTACKS,
    BB_RANK_1,
    BB_RANK_8,
    BB_SQUARES,
    Bitboard,
    Color,
    Move,
    PieceType,
    Square,
    SquareSet,
    scan_forward,
    scan_reversed,
)

from . import rules
from . import spark_reasons as explain_spark
from .endings import EndingKind
from .notation import illegal_move, read_move_text, why_not_parsed

_SPARK_COLOR = "#e6a00080"
_PROMOTIONS = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)
_FULL_SAN = re.compile(r"([NBRQK])?([a-h][1-8])([>\-])([a-h][1-8])[+#]?\Z")

# Where a lone king goes on against a king and one of these.
_EDGE = chess.BB_FILE_A | chess.BB_FILE_H | BB_RANK_1 | BB_RANK_8
_DANGER_ZONE_OF_BISHOP = _EDGE | chess.BB_B2 | chess.BB_G2 | chess.BB_B7 | chess.BB_G7
_DANGER_ZONE_OF_KNIGHT = _DANGER_ZONE_OF_BISHOP & ~(
    (chess.BB_FILE_D | chess.BB_FILE_E) & _EDGE | (chess.BB_RANK_4 | chess.BB_RANK_5) & _EDGE
)


class SparkBoard(chess.Board):
    """
    A position of Spark Chess by Aleksandr Solomachev.

    Pieces move and capture as in chess, without castling, double steps and en
    passant. Kings may be attacked and captured; who captures the enemy king
    wins. A *Spark move* takes a pawn somewhere else, captures nothing and
    never promotes:

    * A *shift* takes a pawn to any empty *node*, a square that two own pieces
      influence (:meth:`nodes`), in any direction and distance.
    * A *direct swap* exchanges a knight and an own pawn that it attacks.
    * A *relay swap* exchanges a king, queen, rook or bishop with an own pawn
      if one own knight attacks both. A king under attack may not do this.

    No Spark move takes a pawn to the rank where it would promote. A player
    without a legal move draws, and so do the second occurrence of a position
    and some endings with at most one minor piece (:meth:`is_variant_draw`).
    There are no draws by claim and none by the number of moves.

    The rules are those of ``SPARK_CHESS.md`` in pull request 1043 of
    Fairy-Stockfish (https://github.com/fairy-stockfish/Fairy-Stockfish/pull/1043).

    >>> board = SparkBoard()
    >>> board.push_san("Nb1>d2")
    Move.from_uci('b1d2')
    >>> board.fen()
    'rnbqkbnr/pppppppp/8/8/8/8/PPPNPPPP/RPBQKBNR b - - 1 1'

    In UCI and :class:`chess.Move`, a shift goes from the pawn to its target
    and a swap from the piece to the pawn.

    Check is a mark in the notation and nothing else: :meth:`is_check` tells
    whether the king is attacked, and no move is illegal for it. Positions of
    chess may be loaded; their castling rights and en passant squares are
    ignored. Legal moves are a property of the position alone: after a draw by
    repetition they are still there, while :meth:`outcome` says that the game
    is over.
    """

    aliases = ["Spark Chess", "SparkChess", "Spark-Chess", "Spark"]
    uci_variant = "sparkchess"
    xboard_variant = "sparkchess"
    starting_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"

    tbw_suffix = tbz_suffix = None
    tbw_magic = tbz_magic = None

    def __init__(self, fen: str | None = starting_fen, *, chess960: bool = False) -> None:
        super().__init__(fen, chess960=chess960)

    # --- Spark moves ----------------------------------------------------------

    def nodes_mask(self, color: Color) -> Bitboard:
        """
        The squares that at least two pieces of *color* influence, as a bitboard.

        A piece influences the squares that it attacks. Lines go on through
        own pieces of their kind: along ranks and files through rooks and
        queens, along diagonals through bishops and queens. Pawns do not
        count. A node may be occupied.
        """
        once = twice = BB_EMPTY
        for square in scan_forward(self.occupied_co[color] & ~self.pawns):
            influence = self.influence_mask(square)
            twice |= once & influence
            once |= influence
        return twice

    def nodes(self, color: Color) -> SquareSet:
        """
        :meth:`nodes_mask` as a :class:`chess.SquareSet`.

        >>> board = SparkBoard("4k3/8/8/8/8/8/1B3P2/3RK3 w - - 0 1")
        >>> [chess.square_name(square) for square in board.nodes(chess.WHITE)]
        ['a1', 'c1', 'd2', 'd4']
        """
        return SquareSet(self.nodes_mask(color))

    def spark_moves(self) -> Iterator[Move]:
        """
        Generates the legal Spark moves.

        >>> board = SparkBoard("4k3/8/8/8/8/1N6/3P4/4K3 w - - 0 1")
        >>> [board.san(move) for move in board.spark_moves()]
        ['Nb3>d2']
        """
        if not self.is_variant_end():
            yield from self._generate_swaps(BB_ALL, BB_ALL)
            yield from self._generate_shifts(BB_ALL, BB_ALL)

    def is_spark_move(self, move: Move) -> bool:
        """Whether the legal *move* is a shift or a swap."""
        return self.is_shift(move) or self.is_swap(move)

    def is_shift(self, move: Move) -> bool:
        """Whether the legal *move* takes a pawn where it could not step or capture."""
        ahead = 8 if self.turn else -8
        return bool(
            move
            and self.pawns & BB_SQUARES[move.from_square]
            and not self.occupied & BB_SQUARES[move.to_square]
            and move.to_square != move.from_square + ahead
        )

    def is_swap(self, move: Move) -> bool:
        """Whether the legal *move* exchanges a piece and an own pawn."""
        return bool(move and self.pawns & self.occupied_co[self.turn] & BB_SQUARES[move.to_square])

    def sparking_pieces(self, move: Move) -> SquareSet:
        """
        The own pieces that make the Spark move *move* possible.

        All pieces that meet in the node of a shift, the knight of a direct
        swap, the knights that attack both squares of a relay swap. Empty for
        any other move.

        >>> board = SparkBoard("4k3/8/8/8/8/8/1B3P2/3RK3 w - - 0 1")
        >>> [chess.square_name(square) for square in board.sparking_pieces(board.parse_san("f2>d4"))]
        ['d1', 'b2']
        """
        pieces = self.occupied_co[self.turn] & ~self.pawns
        if self.is_shift(move):
            target = BB_SQUARES[move.to_square]
            return SquareSet(square for square in scan_forward(pieces) if self.influence_mask(square) & target)
        if not self.is_swap(move):
            return SquareSet()
        knights = self.knights & pieces
        if knights & BB_SQUARES[move.from_square]:
            return SquareSet.from_square(move.from_square)
        return SquareSet(BB_KNIGHT_ATTACKS[move.from_square] & BB_KNIGHT_ATTACKS[move.to_square] & knights)

    def pawn_transfer(self, move: Move) -> tuple[Square, Square]:
        """From where to where the legal Spark move *move* takes its pawn."""
        return (move.to_square, move.from_square) if self.is_swap(move) else (move.from_square, move.to_square)

    def influence_mask(self, square: Square) -> Bitboard:
        """
        The squares that the piece on *square* influences, as a bitboard: a node is where two do.

        Empty for a pawn or an empty square.
        """
        piece = BB_SQUARES[square]
        if piece & self.knights:
            return BB_KNIGHT_ATTACKS[square]
        if piece & self.kings:
            return chess.BB_KING_ATTACKS[square]
        own = self.occupied_co[bool(piece & self.occupied_co[True])]
        influence = BB_EMPTY
        if piece & (self.rooks | self.queens):
            blockers = self.occupied & ~(own & (self.rooks | self.queens))
            influence |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & blockers]
            influence |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & blockers]
        if piece & (self.bishops | self.queens):
            blockers = self.occupied & ~(own & (self.bishops | self.queens))
            influence |= chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & blockers]
        return influence

    def swaps_mask(self, square: Square) -> Bitboard:
        """
        The own pawns that the piece of the side to move on *square* may swap with, as a bitboard.

        Expects a piece there, no pawn.
        """
        own = self.occupied_co[self.turn]
        piece = BB_SQUARES[square]
        if piece & self.promotion_rank():
            return BB_EMPTY  # The pawn would arrive there.
        if piece & self.knights:
            return BB_KNIGHT_ATTACKS[square] & self.pawns & own
        reach = BB_EMPTY
        for knight in scan_forward(BB_KNIGHT_ATTACKS[square] & self.knights & own):
            reach |= BB_KNIGHT_ATTACKS[knight]
        if reach and piece & self.kings and self.is_check():
            return BB_EMPTY
        return reach & self.pawns & own

    def promotion_rank(self) -> Bitboard:
        """The rank where pawns of the side to move promote, which no Spark move takes them to."""
        return BB_RANK_8 if self.turn else BB_RANK_1

    # --- Legality -------------------------------------------------------------

    def _generate_swaps(self, from_mask: Bitboard, to_mask: Bitboard) -> Iterator[Move]:
        for square in scan_reversed(self.occupied_co[self.turn] & ~self.pawns & from_mask):
            for target in scan_reversed(self.swaps_mask(square) & to_mask):
                yield Move(square, target)

    def _generate_shifts(self, from_mask: Bitboard, to_mask: Bitboard) -> Iterator[Move]:
        pawns = self.pawns & self.occupied_co[self.turn] & from_mask
        targets = ~self.occupied & ~self.promotion_rank() & to_mask
        if not pawns or not targets:
            return
        targets &= self.nodes_mask(self.turn)
        for square in scan_reversed(pawns):
            ahead = BB_SQUARES[square] << 8 if self.turn else BB_SQUARES[square] >> 8
            for target in scan_reversed(targets & ~ahead):  # One step ahead is an ordinary move.
                yield Move(square, target)

    def _generate_ordinary_moves(self, from_mask: Bitboard, to_mask: Bitboard) -> Iterator[Move]:
        own = self.occupied_co[self.turn]
        enemy = self.occupied_co[not self.turn]
        for square in scan_reversed(own & ~self.pawns & from_mask):
            for target in scan_reversed(self.attacks_mask(square) & ~own & to_mask):
                yield Move(square, target)
        for square in scan_reversed(own & self.pawns & from_mask):
            targets = chess.BB_PAWN_ATTACKS[self.turn][square] & enemy
            targets |= (BB_SQUARES[square] << 8 if self.turn else BB_SQUARES[square] >> 8) & ~self.occupied & BB_ALL
            for target in scan_reversed(targets & to_mask):
                if BB_SQUARES[target] & self.promotion_rank():
                    for piece_type in _PROMOTIONS:
                        yield Move(square, target, piece_type)
                else:
                    yield Move(square, target)

    def generate_pseudo_legal_moves(self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL) -> Iterator[Move]:
        yield from self._generate_ordinary_moves(from_mask, to_mask)
        yield from self._generate_swaps(from_mask, to_mask)
        yield from self._generate_shifts(from_mask, to_mask)

    def generate_legal_moves(self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL) -> Iterator[Move]:
        """The legal moves, lazily: ordinary moves, swaps, shifts."""
        if not self.is_variant_end():
            yield from self.generate_pseudo_legal_moves(from_mask, to_mask)

    def generate_pseudo_legal_ep(self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL) -> Iterator[Move]:
        return iter(())

    def generate_legal_ep(self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL) -> Iterator[Move]:
        return iter(())

    def generate_castling_moves(self, from_mask: Bitboard = BB_ALL, to_mask: Bitboard = BB_ALL) -> Iterator[Move]:
        return iter(())

    def is_pseudo_legal(self, move: Move | None) -> bool:
        if move is None or move.drop or not (0 <= move.from_square < 64 and 0 <= move.to_square < 64):
            return False
        from_bb = BB_SQUARES[move.from_square]
        to_bb = BB_SQUARES[move.to_square]
        if not self.occupied_co[self.turn] & from_bb:
            return False
        if self.pawns & from_bb:
            if self.occupied & to_bb or to_bb & self.promotion_rank() or move.promotion:
                return move in self._generate_ordinary_moves(from_bb, to_bb)
            return any(self._generate_ordinary_moves(from_bb, to_bb)) or bool(self.nodes_mask(self.turn) & to_bb)
        if move.promotion:
            return False
        if self.occupied_co[self.turn] & to_bb:
            return bool(self.swaps_mask(move.from_square) & to_bb)
        return bool(self.attacks_mask(move.from_square) & to_bb)

    def is_legal(self, move: Move | None) -> bool:
        return not self.is_variant_end() and self.is_pseudo_legal(move)

    def find_move(self, from_square: Square, to_square: Square, promotion: PieceType | None = None) -> Move:
        """As :meth:`chess.Board.find_move`, except that a pawn that arrives on its own first rank does not promote."""
        if promotion is None and self.pawns & BB_SQUARES[from_square] and self.promotion_rank() & BB_SQUARES[to_square]:
            promotion = chess.QUEEN
        move = Move(from_square, to_square, promotion)
        if not self.is_legal(move):
            raise chess.IllegalMoveError(f"no matching legal move for {move.uci()} in {self.fen()}")
        return move

    def why_illegal(self, move: Move | str | None) -> str | None:
        """
        Says in one sentence why *move*, which may be text, is illegal, or ``None`` if it is legal.

        >>> board = SparkBoard("4k3/8/8/8/8/8/3P4/Q3K3 w - - 0 1")
        >>> board.why_illegal(chess.Move.from_uci("d2c3"))
        'c3 is not a node: only the queen on a1 reaches it'
        """
        if isinstance(move, str):
            return why_not_parsed(self, move)
        return None if self.is_legal(move) else explain_spark.why_illegal(self, move)

    # --- Check, which is only a mark --------------------------------------------

    def gives_check(self, move: Move) -> bool:
        """Whether the pseudo-legal *move* leaves the enemy king attacked."""
        board = self.copy(stack=False)
        board.push(move)
        return board.is_check()

    def is_into_check(self, move: Move) -> bool:
        """Always ``False``: a king may move, or stay, where it is attacked."""
        return False

    def was_into_check(self) -> bool:
        """Always ``False``: the side not to move may leave its king attacked."""
        return False

    def pin_mask(self, color: Color, square: Square) -> Bitboard:
        """All squares: there are no pins."""
        return BB_ALL

    def kings_touch(self) -> bool:
        """Whether the kings stand on neighbouring squares, where either may capture the other."""
        return rules.kings_touch(self.occupied_co[True], self.occupied_co[False], self.kings)

    def status(self) -> chess.Status:
        """
        As :meth:`chess.Board.status`: each side has one king, and no pawn stands on the rank where it promotes.

        Any material will do, and kings may touch and be attacked.
        """
        pawns_at_end = self.pawns & (self.occupied_co[True] & BB_RANK_8 | self.occupied_co[False] & BB_RANK_1)
        return super().status() & ~(
            chess.STATUS_TOO_MANY_WHITE_PAWNS
            | chess.STATUS_TOO_MANY_BLACK_PAWNS
            | chess.STATUS_TOO_MANY_WHITE_PIECES
            | chess.STATUS_TOO_MANY_BLACK_PIECES
            | chess.STATUS_TOO_MANY_CHECKERS
            | chess.STATUS_IMPOSSIBLE_CHECK
            | (chess.STATUS_VALID if pawns_at_end else chess.STATUS_PAWNS_ON_BACKRANK)
        )

    # --- Endings ----------------------------------------------------------------

    def _has_king(self, color: Color) -> bool:
        return bool(self.kings & self.occupied_co[color])

    def is_variant_end(self) -> bool:
        """
        Whether the position is final: a king was captured or the material draws.

        A draw by repetition is no property of the position; see
        :meth:`is_variant_draw`.
        """
        return not (self._has_king(True) and self._has_king(False)) or self._material_draws()

    def is_variant_win(self) -> bool:
        return self._has_king(self.turn) and not self._has_king(not self.turn)

    def is_variant_loss(self) -> bool:
        return self._has_king(not self.turn) and not self._has_king(self.turn)

    def is_variant_draw(self) -> bool:
        """
        Whether the game is drawn by material or by repetition.

        Two bare kings draw unless they touch. A king and a bishop or knight
        draw against a bare king unless the kings touch, the minor piece
        attacks the bare king, or this stands in the danger zone of that piece
        (the edge and the squares diagonally next to the corners; for a knight
        without the middle of the edge). The second occurrence of a position
        with the same side to move draws as well.
        """
        if self._has_king(True) and self._has_king(False):
            return self._material_draws() or self.is_repetition(2)
        return not self.kings

    def _material_draws(self) -> bool:
        others = self.occupied & ~self.kings
        if others & (others - 1) or others & ~(self.knights | self.bishops) or self.kings_touch():
            return False
        if not others:
            return True
        lone_king = self.kings & ~self.occupied_co[bool(others & self.occupied_co[True])]
        zone = _DANGER_ZONE_OF_KNIGHT if others & self.knights else _DANGER_ZONE_OF_BISHOP
        return not lone_king & (zone | self.attacks_mask(others.bit_length() - 1))

    def has_insufficient_material(self, color: Color) -> bool:
        """Whether the material draws; otherwise either side may still capture a king."""
        return self._has_king(True) and self._has_king(False) and self._material_draws()

    def is_checkmate(self) -> bool:
        """Always ``False``: a king is captured, not mated."""
        return False

    def is_stalemate(self) -> bool:
        """Whether the side to move has no legal move, which draws, attacked or not."""
        return not self.is_variant_end() and not any(self.generate_legal_moves())

    def is_seventyfive_moves(self) -> bool:
        """Always ``False``: no number of moves draws."""
        return False

    def is_fifty_moves(self) -> bool:
        """Always ``False``: no number of moves draws."""
        return False

    def can_claim_fifty_moves(self) -> bool:
        """Always ``False``: no number of moves draws."""
        return False

    def can_claim_threefold_repetition(self) -> bool:
        """Always ``False``: the first repetition draws by itself."""
        return False

    def is_zeroing(self, move: Move) -> bool:
        """
        Whether the pseudo-legal *move* is a capture or a promotion.

        Pawns may come back, so no other move of theirs resets the half-move
        clock or rules out a repetition.
        """
        return bool(move and (self.is_capture(move) or move.promotion))

    def describe_outcome(self, claim_draw: bool = False, *, closed_draw: bool = False) -> str | None:
        """
        Says who won and why, or ``None`` if the game goes on.

        The parameters are those of the other boards. Spark Chess knows no
        draws by claim and no closed positions, so they change nothing.

        >>> SparkBoard("8/8/8/8/8/8/2k5/K7 w - - 0 1").describe_outcome()
        'Draw: only the kings are left, and they do not touch'
        """
        return explain_spark.describe_outcome(self)

    def _kind_of_variant_end(self, outcome: chess.Outcome) -> EndingKind:
        if outcome.winner is not None:
            return EndingKind.KING_CAPTURED
        if not self.kings:
            return EndingKind.VARIANT_RULE
        return EndingKind.INSUFFICIENT_MATERIAL if self._material_draws() else EndingKind.REPETITION

    # --- Moves ------------------------------------------------------------------

    def push(self, move: Move) -> None:
        if not self.is_swap(move):
            super().push(move)
            self.ep_square = None  # A shift by two ranks is no double step.
            return
        piece_type = self.piece_type_at(move.from_square)
        assert piece_type, f"push() expects move to be pseudo-legal, but got {move} in {self.board_fen()}"
        promoted = bool(self.promoted & BB_SQUARES[move.from_square])
        color = self.turn
        # The host takes this for a capture, or of a king for castling. A null
        # move remembers the position, counts and passes the turn.
        super().push(Move.null())
        self.move_stack[-1] = move
        self._set_piece_at(move.to_square, piece_type, color, promoted)
        self._set_piece_at(move.from_square, chess.PAWN, color)

    # --- No castling, no en passant ----------------------------------------------

    def clean_castling_rights(self) -> Bitboard:
        return BB_EMPTY

    def reset(self) -> None:
        super().reset()
        self.castling_rights = BB_EMPTY

    def set_chess960_pos(self, scharnagl: int) -> None:
        super().set_chess960_pos(scharnagl)
        self.castling_rights = BB_EMPTY

    def set_fen(self, fen: str) -> None:
        """
        Parses a FEN and sets the position from it.

        Castling rights and en passant square, as a FEN of chess may have them,
        are read and ignored.

        :raises: :exc:`ValueError` if syntactically invalid.
        """
        super().set_fen(fen)
        self.ep_square = None

    def _set_castling_fen(self, castling_fen: str) -> None:
        super()._set_castling_fen(castling_fen)  # For the errors.
        self.castling_rights = BB_EMPTY

    def is_en_passant(self, move: Move) -> bool:
        return False

    def is_castling(self, move: Move) -> bool:
        return False

    def _to_chess960(self, move: Move) -> Move:
        return move  # A king that swaps with a pawn on g1 does not castle.

    def _from_chess960(
        self,
        chess960: bool,
        from_square: Square,
        to_square: Square,
        promotion: PieceType | None = None,
        drop: PieceType | None = None,
    ) -> Move:
        return Move(from_square, to_square, promotion, drop)

    # --- Notation -----------------------------------------------------------------

    def _algebraic(self, move: Move, *, long: bool = False) -> str:
        if self.is_spark_move(move):
            piece_type = self.piece_type_at(move.from_square)
            assert piece_type, f"san() and lan() expect move to be legal or null, but got {move} in {self.fen()}"
            symbol = "" if piece_type == chess.PAWN else chess.piece_symbol(piece_type).upper()
            san = f"{symbol}{chess.SQUARE_NAMES[move.from_square]}>{chess.SQUARE_NAMES[move.to_square]}"
        else:
            san = self._algebraic_without_suffix(move, long=long)
        return san + "+" if move and self.gives_check(move) else san

    def _algebraic_and_push(self, move: Move, *, long: bool = False) -> str:
        san = self._algebraic(move, long=long)
        self.push(move)
        return san

    def parse_san(self, san: str) -> Move:
        """
        As :meth:`chess.Board.parse_san`, with ``>`` in Spark moves.

        A hyphen instead (``Nb3-d2``) and mere coordinates (``d2a4``) are read
        too. A Spark move without its origin is not.
        """
        match = _FULL_SAN.match(san)
        if match:
            piece, origin, sign, target = match.groups()
            move = Move(chess.parse_square(origin), chess.parse_square(target))
            piece_type = chess.Piece.from_symbol(piece or "P").piece_type
            if self.piece_type_at(move.from_square) != piece_type:
                raise self._illegal("san", san, {f"no {chess.piece_name(piece_type)} on {origin}"})
            if not self.is_legal(move):
                raise self._illegal("san", san, {self.why_illegal(move)})
            if sign == ">" and not self.is_spark_move(move):
                raise self._illegal("san", san, {"an ordinary move is written without >"})
            return move
        text = read_move_text(san)
        if text is None or text.piece_type is None:
            try:
                return super().parse_san(san)  # Coordinates, null moves, and what is no move here.
            except chess.IllegalMoveError:
                raise illegal_move("san", san, self, explain_spark.why_text_illegal(self, san)) from None
        from_mask = text.from_mask & self.pieces_mask(text.piece_type, self.turn)
        candidates = [Move(square, text.to_square, text.promotion) for square in scan_forward(from_mask)]
        moves = [move for move in candidates if self.is_legal(move) and not self.is_spark_move(move)]
        if not moves:
            if not candidates:
                raise illegal_move("san", san, self, explain_spark.why_text_illegal(self, san))
            raise self._illegal("san", san, {self.why_illegal(move) for move in candidates})
        if len(moves) > 1:
            raise chess.AmbiguousMoveError(f"ambiguous san: {san!r} in {self.fen()}")
        return moves[0]

    def parse_uci(self, uci: str) -> Move:
        move = Move.from_uci(uci)
        if move and not self.is_legal(move):
            raise self._illegal("uci", uci, {self.why_illegal(move)})
        return move

    def _illegal(self, notation: str, text: str, reasons: set[str | None]) -> chess.IllegalMoveError:
        """The error for a move that is not legal; of its reasons, ``None`` is that of a legal Spark move."""
        words = sorted(reason or "a Spark move is written with its origin and >" for reason in reasons)
        return illegal_move(notation, text, self, " / ".join(words) or None)

    # --- Picture ------------------------------------------------------------------

    def _repr_svg_(self) -> str:
        import chess.svg

        last = self.peek() if self.move_stack else None
        marks: dict[Square, str] = {}
        arrows = []
        if last:
            before = self.copy(stack=1)
            before.pop()
            if before.is_spark_move(last):
                for square in before.sparking_pieces(last):
                    # The knight of a direct swap has moved with it.
                    marks[last.to_square if square == last.from_square else square] = _SPARK_COLOR
                arrows.append(chess.svg.Arrow(*before.pawn_transfer(last), color=_SPARK_COLOR))
        return chess.svg.board(
            self,
            size=390,
            lastmove=last,
            check=self.king(self.turn) if self.is_check() else None,
            fill=marks,
            arrows=arrows,
        )
