"""Many positions as columns."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import chess
import chess.polyglot
import chess.variant

from ..boards import AtomicBoard
from ..boards.dialects import ChessPlayXAtomicBoard
from ..perft import MAX_DEPTH
from ..pgn.arrays import unpack_move
from ..pgn.game import Variant, resolve_variant
from ..tactics._search import knows_endings
from . import _bulk, _files, _policy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DTYPES = {
    "bitboards": "uint64",
    "turn": "bool",
    "castling_rights": "uint64",
    "ep_square": "int8",
    "halfmove_clock": "int32",
    "ply": "int32",
    "numbers": "int64",
    "moves": "uint16",
    "results": "float32",
    "clocks": "float32",
    "evaluations": "float32",
    "ratings": "int32",
}
"""The type of each column; machine byte order."""

_WIDTHS = {"bitboards": 8, "ratings": 2}
_NEEDED = 6
"""So many columns every batch has."""

_MAX_MOVES = 50
_SEVENTYFIVE_MOVES = 150  # Half-moves.


class Endings(NamedTuple):
    """How games ended: see :meth:`Positions.endings`."""

    kinds: NDArray[np.uint8]
    """``uint8[n]``: places in :data:`KINDS`, 0 where the game goes on."""
    results: NDArray[np.float32]
    """``float32[n]``: 1, 0 or -1 for the side to move, NaN where the game goes on."""


class LegalMoves(NamedTuple):
    """The legal moves of many positions: see :meth:`Positions.legal_moves`."""

    offsets: NDArray[np.int64]
    """``int64[n + 1]``: position *i* has ``moves[offsets[i]:offsets[i + 1]]``."""
    moves: NDArray[np.uint16]
    """``uint16``: the moves of all, packed as :attr:`Positions.moves`, each position's in python-chess's order."""


@dataclasses.dataclass(slots=True, eq=False, repr=False)
class Positions:
    """
    Many positions as numpy arrays, a row for each, all by the rules of one variant.

    >>> from atomic_variant.positions import Positions
    >>> fens = ["rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"]
    >>> positions = Positions.from_fens(fens)
    >>> positions.count_legal_moves().tolist(), positions.king_explosions().tolist()
    ([27, 5], [1, 0])
    >>> positions[1:].to_fens()
    ['4k3/8/8/8/8/8/8/4K3 b - - 0 1']

    Made from games by :func:`atomic_variant.pgn.scan_positions`, from FENs and
    boards, or from arrays of one's own; those are checked when a question is
    asked, and a :exc:`ValueError` names the first row that is no position.
    Which pieces were pawns once is not kept, nor the moves before.

    Slices and arrays of indices or of truth values give other batches, a number
    gives a board. The questions run in C with the lock of the interpreter
    released, so threads that ask about parts of a batch run side by side.
    """

    bitboards: NDArray[np.uint64]
    """
    ``uint64[n, 8]``: masks of squares as python-chess has them, a1 the lowest bit.

    Pawns, knights, bishops, rooks, queens and kings of both sides, that is
    column ``piece_type - 1``; then all pieces of Black and of White, that is
    column ``6 + color``.
    """
    turn: NDArray[np.bool_]
    """``bool[n]``: whether White is to move."""
    castling_rights: NDArray[np.uint64]
    """``uint64[n]``: the squares of rooks that may still castle."""
    ep_square: NDArray[np.int8]
    """``int8[n]``: the square that a pawn has just passed, -1 if there is none."""
    halfmove_clock: NDArray[np.int32]
    """``int32[n]``: half-moves since the last capture or pawn move."""
    ply: NDArray[np.int32]
    """``int32[n]``: half-moves since the start by the move number, as :meth:`chess.Board.ply`."""
    variant: type[AtomicBoard] = AtomicBoard
    """The board class whose rules hold."""
    chess960: bool = False
    """Whether castling follows Chess960."""
    numbers: NDArray[np.int64] | None = None
    """``int64[n]``: the number of the game in its file, or among all of several files, from 1."""
    moves: NDArray[np.uint16] | None = None
    """``uint16[n]``: the move that was played, packed as by :func:`atomic_variant.pgn.arrays.pack_move`."""
    results: NDArray[np.float32] | None = None
    """``float32[n]``: the result of the game for the side to move: 1, 0 or -1; NaN if it has none."""
    clocks: NDArray[np.float32] | None = None
    """``float32[n]``: the mover's clock after the move, in seconds; NaN where there is none."""
    evaluations: NDArray[np.float32] | None = None
    """``float32[n]``: after the move, for the mover, in centipawns; mate in *k* is 100000 - *k*, NaN is none."""
    ratings: NDArray[np.int32] | None = None
    """``int32[n, 2]``: of Black and of White, column ``int(color)``; 0 where there is none."""

    def __post_init__(self) -> None:
        import numpy as np

        if not (isinstance(self.variant, type) and issubclass(self.variant, AtomicBoard)):
            raise ValueError(f"positions are of atomic chess or its dialects, but got {self.variant!r}")
        count = len(self.turn)
        for name, dtype in _DTYPES.items():
            values = getattr(self, name)
            if values is None and name not in list(_DTYPES)[:_NEEDED]:
                continue
            array = np.asarray(values)
            shape = (count, _WIDTHS[name]) if name in _WIDTHS else (count,)
            if array.shape != shape:
                raise ValueError(f"expected {name} of the shape {shape}, but got {array.shape}")
            if not np.can_cast(
                array.dtype, dtype, "unsafe" if array.dtype.kind in "iu" and dtype != "bool" else "same_kind"
            ):
                raise TypeError(f"expected {name} of the type {dtype}, but got {array.dtype}")
            setattr(self, name, np.require(array, dtype, ["C", "A"]))

    # --- From and to other things -------------------------------------------

    @classmethod
    def from_fens(cls, fens: Iterable[str], *, variant: Variant = AtomicBoard, chess960: bool = False) -> Positions:
        """
        Reads FENs, as the boards read them.

        *variant* is a board class or a name.

        :raises: :exc:`ValueError` that names the index of a FEN that is bad or
            has several kings of one color, or if nobody knows *variant*.
        """
        texts = list(fens)
        made = cls._empty(len(texts), _resolve(variant), chess960)
        columns = made._columns(clocks=True)
        row = 0
        while (row := _bulk.read_fens(*columns, texts, row)) < len(texts):
            try:
                _bulk.store(made.variant(texts[row], chess960=chess960), row, columns)
            except (ValueError, AttributeError, TypeError) as error:
                if not isinstance(texts[row], str):
                    raise TypeError(f"FEN {row}: expected text, but got {texts[row]!r}") from None
                raise ValueError(f"FEN {row}: {error}") from None
            row += 1
        return made

    @classmethod
    def from_boards(cls, boards: Iterable[chess.Board]) -> Positions:
        """
        Takes the positions of boards, all of one class; those of python-chess's own atomic board are ours.

        >>> import atomic_variant
        >>> Positions.from_boards([atomic_variant.AtomicBoard()]).ply
        array([0], dtype=int32)

        :raises: :exc:`ValueError` that names the index of a board with several
            kings of one color or other rules than the first.
        """
        given = list(boards)
        kinds = [(_class_of(board), board.chess960) for board in given]
        variant, chess960 = kinds[0] if kinds else (AtomicBoard, False)
        made = cls._empty(len(given), variant, chess960)
        columns = made._columns(clocks=True)
        for row, (board, kind) in enumerate(zip(given, kinds, strict=True)):
            try:
                if kind[0] is None:
                    raise ValueError(f"not a board of atomic chess: {type(board).__name__}")
                if kind != kinds[0]:
                    raise ValueError("another class of boards, or other castling, than the first")
                _bulk.store(board, row, columns)
            except ValueError as error:
                raise ValueError(f"board {row}: {error}") from None
        return made

    @classmethod
    def _empty(cls, count: int, variant: type[AtomicBoard] | None, chess960: bool) -> Positions:
        import numpy as np

        arrays = {
            name: np.zeros((count, _WIDTHS[name]) if name in _WIDTHS else count, dtype)
            for name, dtype in list(_DTYPES.items())[:_NEEDED]
        }
        return cls(**arrays, variant=variant or AtomicBoard, chess960=bool(chess960))

    @classmethod
    def concatenate(cls, batches: Iterable[Positions]) -> Positions:
        """
        Puts batches together; columns that only some of them have are left out.

        :raises: :exc:`ValueError` if they are of several variants, or there are none.
        """
        import numpy as np

        parts = list(batches)
        if len({(part.variant, part.chess960) for part in parts}) != 1:
            raise ValueError("expected batches of one variant, with the same castling")
        arrays = {
            name: np.concatenate([part._column(name) for part in parts])
            for name in _DTYPES
            if all(getattr(part, name) is not None for part in parts)
        }
        return cls(**arrays, variant=parts[0].variant, chess960=parts[0].chess960)

    def to_fens(self) -> list[str]:
        """All positions as FENs, as :meth:`chess.Board.fen` writes them."""
        return _bulk.write_fens(*self._columns(clocks=True))

    def board(self, index: int) -> AtomicBoard:
        """The board of one position."""
        row = range(len(self))[index]
        [board] = self[row : row + 1]
        return board

    def save(self, path: str | os.PathLike[str]) -> None:
        """
        Writes all columns to a file: ``.npz``, or ``.parquet`` with polars.

        :raises: :exc:`ValueError` for another name, :exc:`OSError`.
        """
        columns = {name: self._column(name) for name in _DTYPES if getattr(self, name) is not None}
        _files.write(Path(path), columns, self.variant.uci_variant or "", self.chess960)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Positions:
        """
        Reads a file that :meth:`save` wrote; nothing in it is run as code.

        :raises: :exc:`ValueError` if it holds no such columns, or is of a
            variant that nobody knows, :exc:`OSError`.
        """
        columns, variant, chess960 = _files.read(Path(path))
        if unknown := columns.keys() - _DTYPES.keys():
            raise ValueError(f"{path}: unknown columns: {', '.join(sorted(unknown))}")
        if missing := [name for name in list(_DTYPES)[:_NEEDED] if name not in columns]:
            raise ValueError(f"{path}: missing columns: {', '.join(missing)}")
        try:
            return cls(**columns, variant=_resolve(variant), chess960=chess960)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}: {error}") from None

    # --- As a sequence ------------------------------------------------------

    def __len__(self) -> int:
        return len(self.turn)

    def __iter__(self) -> Iterator[AtomicBoard]:
        return _bulk.generate_boards(*self._columns(clocks=True))

    @overload
    def __getitem__(self, index: int) -> AtomicBoard: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any] | list[Any]) -> Positions: ...
    def __getitem__(self, index: Any) -> AtomicBoard | Positions:
        if hasattr(index, "__index__") and getattr(index, "ndim", 0) == 0:
            return self.board(int(index))
        columns = {name: self._column(name)[index] for name in _DTYPES if getattr(self, name) is not None}
        return Positions(**columns, variant=self.variant, chess960=self.chess960)

    def __repr__(self) -> str:
        return f"<{len(self)} positions of {self.variant.__name__}>"

    def _column(self, name: str) -> NDArray[Any]:
        import numpy as np

        return np.require(getattr(self, name), _DTYPES[name], ["C", "A"])

    def _columns(self, *, clocks: bool = False) -> tuple[Any, ...]:
        """What the functions of :mod:`._bulk` begin with."""
        names = list(_DTYPES)[: _NEEDED if clocks else _NEEDED - 2]
        return (self.variant, self.chess960, *map(self._column, names))

    # --- Questions ----------------------------------------------------------

    def count_legal_moves(self) -> NDArray[np.int32]:
        """``int32[n]``: how many legal moves there are; none where the game is over by an explosion."""
        return self._ask(_bulk.count_moves, "int32")

    def legal_moves(self) -> LegalMoves:
        """The legal moves of all positions, one after the other, with the places where those of each begin."""
        import numpy as np

        offsets = np.zeros(len(self) + 1, np.int64)
        np.cumsum(self.count_legal_moves(), out=offsets[1:])
        moves = np.zeros(int(offsets[-1]), np.uint16)
        _bulk.list_moves(*self._columns(), offsets, moves)
        return LegalMoves(offsets, moves)

    def legal_masks(self) -> NDArray[np.uint64]:
        """
        ``uint64[n, 64]``: for each origin the mask of the squares that a piece may move to from there.

        Castling is the move that the board writes: by two squares, or onto the rook in Chess960.
        """
        return self._ask(_bulk.mask_moves, "uint64", 64)

    def king_explosions(self) -> NDArray[np.int32]:
        """``int32[n]``: how many legal moves explode the enemy king; 0 where none is at hand."""
        return self._ask(_bulk.count_explosions, "int32")

    def in_check(self) -> NDArray[np.bool_]:
        """``bool[n]``: whether the side to move is in check."""
        return self._ask(_bulk.find_checks, "bool")

    def kings_touch(self) -> NDArray[np.bool_]:
        """``bool[n]``: whether the kings stand next to each other."""
        return self._ask(_bulk.find_touching, "bool")

    def keys(self) -> NDArray[np.uint64]:
        """``uint64[n]``: Polyglot's keys, as :func:`chess.polyglot.zobrist_hash`; equal positions have equal keys."""
        import numpy as np

        return self._ask(_bulk.find_keys, "uint64", 1, np.array(chess.polyglot.POLYGLOT_RANDOM_ARRAY, np.uint64))

    def endings(self) -> Endings:
        """
        How the games ended, by the rules and without claims.

        Repetition is not looked at: a batch does not know the moves before.

        >>> positions = Positions.from_fens(["4k3/8/8/8/8/8/8/4K3 b - - 0 1", "8/8/8/8/8/8/8/4K2Q b - - 0 1"])
        >>> kinds, results = positions.endings()
        >>> from atomic_variant.positions import KINDS
        >>> [str(KINDS[kind]) for kind in kinds], results.tolist()
        (['insufficient material', 'explosion'], [0.0, -1.0])
        """
        import numpy as np

        kinds, results = np.zeros(len(self), np.uint8), np.zeros(len(self), np.float32)
        _bulk.find_kinds(*self._columns(clocks=True), *self._end_rules(), kinds, results)
        return Endings(kinds, results)

    def perft(self, depth: int) -> NDArray[np.uint64]:
        """
        ``uint64[n]``: how many sequences of *depth* legal moves there are; see :func:`atomic_variant.perft.perft`.

        :raises: :exc:`ValueError` unless *depth* is from 1 to :data:`atomic_variant.perft.MAX_DEPTH`.
        """
        if not 1 <= depth <= MAX_DEPTH:
            raise ValueError(f"expected a depth from 1 to {MAX_DEPTH}, but got {depth}")
        return self._ask(_bulk.count_leaves, "uint64", 1, depth)

    def find_wins(self, moves: int = 3) -> NDArray[np.uint8]:
        """
        ``uint8[n]``: in how many of its own moves the side to move wins by force, 0 where it does not within *moves*.

        As exact as :func:`atomic_variant.tactics.find_win`.

        :raises: :exc:`ValueError` unless *moves* is from 1 to 50.
        """
        import numpy as np

        if not 1 <= moves <= _MAX_MOVES:
            raise ValueError(f"expected from 1 to {_MAX_MOVES} moves, but got {moves}")
        is_claimed, stalemate_loses = self._end_rules()
        found = np.zeros(len(self), np.uint8)
        # The kernel knows no draw by moves without progress.
        late = np.zeros(len(self), np.bool_) if is_claimed else self.halfmove_clock + 2 * moves >= _SEVENTYFIVE_MOVES
        for mask, rules in ((~late, stalemate_loses), (late, None)):
            if mask.any():
                part = self[mask]
                answers = np.zeros(len(part), np.uint8)
                _bulk.search_wins(*part._columns(clocks=rules is None), moves, rules, answers)
                found[mask] = answers
        return found

    def apply(self, moves: NDArray[np.uint16]) -> Positions:
        """
        The positions after one legal move in each, packed as :attr:`moves`.

        Columns that tell of games are left out.

        :raises: :exc:`ValueError` that names the first position whose move is illegal.
        """
        import numpy as np

        codes = np.require(moves, np.uint16, ["C", "A"])
        if codes.shape != (len(self),):
            raise ValueError(f"expected {len(self)} moves, but got the shape {codes.shape}")
        after = self._empty(0, self.variant, self.chess960)
        for name in list(_DTYPES)[:_NEEDED]:
            setattr(after, name, self._column(name).copy())
        row = _bulk.play_moves(*after._columns(clocks=True), codes)
        if row < len(self):
            why = self.board(row).why_illegal(unpack_move(int(codes[row])))
            raise ValueError(f"position {row}: illegal move {unpack_move(int(codes[row]))}: {why}")
        return after

    def playouts(self, *, seed: int = 0, limit: int = 1000) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """
        Plays random moves to the end of each game, or *limit* of them.

        Every legal move is as likely as any other. The games depend on *seed*
        and on the place of a position in the batch alone, with and without the
        kernel. They end by the rules, without claims; repetition counts from
        the position on.

        >>> results, lengths = Positions.from_fens([chess.STARTING_FEN] * 4).playouts(seed=1)
        >>> results.tolist(), lengths.tolist()
        ([1.0, 1.0, -1.0, -1.0], [57, 65, 52, 16])

        :return: ``float32[n]``, the result for the side to move at the start:
            1, 0 or -1, NaN where *limit* came first; and ``int32[n]``, how
            many moves were played.
        """
        import numpy as np

        if limit < 0:
            raise ValueError(f"expected a limit of 0 or more, but got {limit}")
        results, lengths = np.zeros(len(self), np.float32), np.zeros(len(self), np.int32)
        rules = self._end_rules()
        _bulk.play_out(*self._columns(clocks=True), *rules, seed & 2**64 - 1, min(limit, 2**31 - 1), results, lengths)
        return results, lengths

    def _ask(self, function: Any, dtype: str, width: int = 1, *arguments: Any) -> NDArray[Any]:
        import numpy as np

        out = np.empty((len(self), width) if width > 1 else len(self), dtype)
        function(*self._columns(), *arguments, out)
        return out

    def _end_rules(self) -> tuple[bool | None, bool | None]:
        """Whether draws are claimed and whether stalemate loses; ``None`` where only the board knows."""
        if not knows_endings(self.variant):
            return None, None
        is_claimed = self.variant.is_seventyfive_moves is ChessPlayXAtomicBoard.is_seventyfive_moves
        return is_claimed, bool(getattr(self.variant, "stalemate_loses", False))

    # --- For networks -------------------------------------------------------

    def planes(self, layout: str = "mirrored") -> NDArray[np.uint8]:
        """
        ``uint8[n, planes, 8, 8]``: the positions as planes of 0 and 1, by rank and file.

        Layout ``"absolute"``, 15 planes: White's pawns, knights, bishops,
        rooks, queens and king; the same of Black; rooks that may castle; the
        en passant square; ones if White is to move. Rank 0 is White's first.

        Layout ``"mirrored"``, 14 planes: the mover's men, the opponent's, and
        the rooks and the square as before. Rank 0 is the mover's first: the
        board is turned upside down where Black is to move, files stay.

        :raises: :exc:`ValueError` for another layout.
        """
        import numpy as np

        if layout not in ("absolute", "mirrored"):
            raise ValueError(f"expected the layout absolute or mirrored, but got {layout!r}")
        boards = self._column("bitboards")
        kinds, black, white = boards[:, :6], boards[:, 6:7], boards[:, 7:8]
        ep_square = self._column("ep_square")
        ep_mask = np.where(ep_square >= 0, np.uint64(1) << (ep_square & 63).astype(np.uint64), np.uint64(0))
        masks = np.empty((len(self), 15), np.uint64)
        first = np.ones(len(self), np.bool_) if layout == "absolute" else self.turn
        masks[:, :6] = kinds & np.where(first[:, None], white, black)
        masks[:, 6:12] = kinds & np.where(first[:, None], black, white)
        masks[:, 12] = self.castling_rights
        masks[:, 13] = ep_mask
        masks[:, 14] = np.where(self.turn, ~np.uint64(0), np.uint64(0))
        if layout == "mirrored":
            masks = np.where(self.turn[:, None], masks, masks.byteswap())[:, :14]
        rows = np.ascontiguousarray(masks.astype("<u8")).view(np.uint8)  # The lowest byte is the first rank.
        return np.unpackbits(rows, bitorder="little").reshape(len(self), masks.shape[1], 8, 8)

    def policy_index(
        self, moves: NDArray[np.uint16], offsets: NDArray[np.int64] | None = None, *, layout: str = "alphazero"
    ) -> NDArray[np.int32]:
        """
        ``int32``: the places of packed moves among the outputs of a network.

        *moves* has one move for each position or, with *offsets*, those that
        :meth:`legal_moves` gives. Moves of Black are turned upside down first.

        Layout ``"alphazero"`` has 8x8x73 = 4672 places in the order of
        PettingZoo's chess: ``(file * 8 + rank) * 73 + plane`` of the origin.
        Planes 0 to 55 go along lines, ``8 * (distance - 1) + direction``, the
        directions from south-west to north-east, file by file; 56 to 63 are
        the jumps of knights in the same order; 64 to 72 are promotions,
        ``64 + 3 * direction + piece``, to knight, bishop and rook, to the left, ahead,
        to the right. Layout ``"compact"`` has 1858 places: all lines and jumps by
        origin and target, then those promotions. A promotion to a queen is a step.

        :raises: :exc:`ValueError` for another layout, or naming a move that no piece can make.
        """
        turn = self.turn if offsets is None else self.turn.repeat(offsets[1:] - offsets[:-1])
        return _policy.find_indices(moves, turn, layout)

    def from_policy_index(self, index: NDArray[np.integer[Any]], *, layout: str = "alphazero") -> NDArray[np.uint16]:
        """
        ``uint16[n]``: the packed moves that :meth:`policy_index` has one place for, one for each position.

        A pawn that steps to the last rank becomes a queen. Whether the moves are legal is not asked.

        :raises: :exc:`ValueError` for another layout, or naming a place that means no move.
        """
        return _policy.find_moves(index, self.turn, self.bitboards[:, chess.PAWN - 1], layout)


def _resolve(variant: Variant) -> type[AtomicBoard]:
    found = resolve_variant(variant)
    if found is chess.variant.AtomicBoard:
        return AtomicBoard
    return found  # type: ignore[return-value] # What it must be is checked later.


def _class_of(board: chess.Board) -> type[AtomicBoard] | None:
    if isinstance(board, AtomicBoard):
        return type(board)
    return AtomicBoard if type(board) is chess.variant.AtomicBoard else None
