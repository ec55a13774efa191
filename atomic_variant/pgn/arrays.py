"""Games as arrays: for tables, statistics and training. Needs numpy, the extra ``arrays``."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, overload

import chess

from ..boards.endings import Ending
from . import _tables
from .errors import GameError
from .record import Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_SHOWN = 8


class TextColumn(Sequence[str | None]):
    """A column of texts, kept as UTF-8 until they are looked at."""

    __slots__ = ("_data", "_ends", "_lengths")

    def __init__(self, data: bytes, lengths: NDArray[np.int32]) -> None:
        self._data = data
        self._lengths = lengths  # -1 where there is no text.
        self._ends = lengths.clip(0).cumsum(dtype="int64")

    def __len__(self) -> int:
        return len(self._lengths)

    @overload
    def __getitem__(self, index: int) -> str | None: ...
    @overload
    def __getitem__(self, index: slice) -> list[str | None]: ...
    def __getitem__(self, index: int | slice) -> str | list[str | None] | None:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        length = int(self._lengths[index])
        end = int(self._ends[index])
        return None if length < 0 else self._data[end - length : end].decode()

    def __repr__(self) -> str:
        if len(self) <= _SHOWN:
            return f"TextColumn({self.to_list()})"
        return f"TextColumn([{', '.join(map(repr, self[:_SHOWN]))}, ... {len(self) - _SHOWN} more])"

    def to_list(self) -> list[str | None]:
        """All texts."""
        data: Any = self._data.decode() if self._data.isascii() else self._data
        texts: list[Any] = []
        start = 0
        for end in self._ends.tolist():
            texts.append(data[start:end])
            start = end
        if data is self._data:
            texts = [text.decode() for text in texts]
        for index in (self._lengths < 0).nonzero()[0].tolist():
            texts[index] = None
        return texts


@dataclasses.dataclass(slots=True, eq=False, repr=False)
class GameArrays:
    """
    Many games, as columns of equal length; see :func:`scan_arrays`.

    Game *i* has the moves ``moves[offsets[i]:offsets[i + 1]]``, and
    ``arrays[i]`` is its record.
    """

    numbers: NDArray[np.int64]
    """The numbers of the games in their file, from 1."""
    lines: NDArray[np.int64]
    """The lines of the file that the games begin on, from 1."""
    moves: NDArray[np.uint16]
    """The moves of all games, packed: see :func:`pack_move`."""
    offsets: NDArray[np.int64]
    """Where the moves of each game begin; one more at the end."""
    headers: dict[str, TextColumn]
    """The headers as columns, ``None`` where a game has no such header."""
    variants: list[type[chess.Board] | None]
    """The board classes, ``None`` for unknown variants."""
    fens: list[str]
    """The starting positions."""
    chess960: NDArray[np.bool_]
    """Whether castling follows Chess960."""
    results: list[str]
    """The ``Result`` headers, or else the results after the moves."""
    endings: list[Ending]
    """How the games ended on the board, as :attr:`Record.ending`."""
    errors: dict[int, list[GameError]]
    """What is wrong, by the index of the game; most games are not here."""
    variant_sources: list[str]
    """What the variants were concluded from: see :attr:`Headers.variant_source`."""
    sources: list[str | None]
    """The names of the files."""

    @classmethod
    def from_records(cls, records: Iterable[Record]) -> GameArrays:
        """
        Puts records of :func:`scan` together, all at once; comments are left out.

        >>> import io
        >>> from atomic_variant import pgn
        >>> records = pgn.scan(io.StringIO('[Variant "atomic"]\\n[WhiteElo "1900"]\\n\\n1. e4 e5 1-0'))
        >>> arrays = pgn.GameArrays.from_records(records)
        >>> columns = arrays.columns()
        >>> columns["white_elo"][0], columns["moves"][0], columns["winner"][0]
        (1900, 'e2e4 e7e5', 'white')
        """
        import numpy as np

        builder = ArraysBuilder()
        numbers = []
        for record in records:
            builder.add(part_of_record(record), record.source)
            numbers.append(record.number)
        arrays = builder.take(max(len(builder), 1))
        arrays.numbers = np.array(numbers, np.int64)
        return arrays

    def __repr__(self) -> str:
        return f"<{len(self)} games, {len(self.moves)} moves>"

    def __getitem__(self, index: int) -> Record:
        """The record of one game, without comments."""
        row = range(len(self))[index]
        headers = {name: value for name, column in self.headers.items() if (value := column[row]) is not None}
        return Record(
            int(self.numbers[row]),
            int(self.lines[row]),
            headers,
            self.variants[row],
            self.variant_sources[row],
            self.fens[row],
            bool(self.chess960[row]),
            self.game_moves(row),
            self.results[row],
            self.endings[row],
            list(self.errors.get(row, ())),
            self.sources[row],
        )

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def outcomes(self) -> list[chess.Outcome | None]:
        """How the games ended by the rules, without claims."""
        return [None if ending.is_claimed else ending.outcome for ending in self.endings]

    def game_moves(self, index: int) -> list[chess.Move]:
        """The moves of one game."""
        return [unpack_move(int(code)) for code in self.moves[self.offsets[index] : self.offsets[index + 1]]]

    def columns(self) -> dict[str, Any]:
        """
        What a data frame is made from; :meth:`to_polars` and :meth:`to_pandas` give the columns their types.

        ``number``, ``line`` and ``source`` tell where a game stands; ``white``,
        ``black``, ``white_elo``, ``black_elo``, ``date`` and ``speed`` (of the
        time control, as Lichess calls it) who played and when; ``variant``,
        ``fen``, ``chess960``, ``plies`` and ``moves`` (in UCI notation) what was
        played, so that it can be played again; ``result``, ``winner``
        (``"white"`` or ``"black"``), ``kind`` and ``ending`` (see
        :class:`Ending`, the latter in words) how it ended; ``errors`` how many
        :func:`findings` has. Then come all headers, as they stand, under
        ``header_`` and their names.
        """
        return _tables.make_columns(self)

    def to_polars(self) -> Any:
        """
        :meth:`columns` as a ``polars.DataFrame``.

        Numbers are ``Int64`` (``number``, ``line``) and ``Int32``, ``date`` is
        a ``Date``, ``chess960`` a ``Boolean``, all others are ``String``.

        :raises: :exc:`ImportError` without polars.
        """
        return _tables.to_polars(self.columns())

    def to_pandas(self) -> Any:
        """
        :meth:`columns` as a ``pandas.DataFrame``.

        Numbers are ``int64`` (``number``, ``line``) and ``Int32``, ``date`` is
        ``datetime64[s]``, ``chess960`` is ``bool``, all others are ``string``.

        :raises: :exc:`ImportError` without pandas.
        """
        return _tables.to_pandas(self.columns())


def pack_move(move: chess.Move) -> int:
    """
    *move* as a number of 15 bits: origin, target times 64, piece type of the promotion times 4096.

    >>> pack_move(chess.Move.from_uci("e2e4"))
    1804
    >>> unpack_move(1804)
    Move.from_uci('e2e4')
    """
    return move.from_square | move.to_square << 6 | (move.promotion or 0) << 12


def unpack_move(code: int) -> chess.Move:
    """The move that :func:`pack_move` packed."""
    return chess.Move(code & 63, code >> 6 & 63, code >> 12 or None)


@dataclasses.dataclass(slots=True)
class Part:
    """Games as the kernel gives them, in the order of its tuple: see ``make_columns`` in ``columns.c``."""

    lines: bytes
    lengths: bytes
    moves: bytes
    headers: dict[str, tuple[bytes, bytes]]
    """Texts in UTF-8 and their lengths."""
    starts: list[tuple[type[chess.Board] | None, str, str, bool]]
    endings: list[Ending]
    results: list[str]
    errors: list[GameError] = dataclasses.field(default_factory=list)


def part_of_record(record: Record) -> Part:
    """A single game, in the same form."""
    import numpy as np

    return Part(
        np.array([record.line], np.int64).tobytes(),
        np.array([len(record.moves)], np.int64).tobytes(),
        np.array([pack_move(move) for move in record.moves], np.uint16).tobytes(),
        {name: _column([value]) for name, value in record.headers.items()},
        [(record.variant, record.variant_source, record.fen, record.chess960)],
        [record.ending],
        [record.result],
        record.errors,
    )


def _column(values: list[str]) -> tuple[bytes, bytes]:
    import numpy as np

    texts = [value.encode("utf-8", "replace") for value in values]
    return b"".join(texts), np.array([len(text) for text in texts], np.int32).tobytes()


_MISSING = b"\xff" * 4
"""The length of a header that is not there."""

MAX_WIDTH = 1000
"""The most different headers that games of one batch should have."""


class ArraysBuilder:
    """Puts parts together, and takes batches off."""

    def __init__(self) -> None:
        self.number = 1
        self.lines = bytearray()
        self.lengths = bytearray()
        self.moves = bytearray()
        self.headers: dict[str, tuple[bytearray, bytearray]] = {}
        self.lists: tuple[list[Any], ...] = ([], [], [], [])
        self.errors: dict[int, list[GameError]] = {}

    def __len__(self) -> int:
        return len(self.lists[0])

    def add(self, part: Part, source: str | None) -> None:
        before, count = len(self), len(part.starts)
        self.lines += part.lines
        self.lengths += part.lengths
        self.moves += part.moves
        for name, (data, lengths) in part.headers.items():
            column = self.headers.get(name)
            if column is None:
                column = self.headers[name] = (bytearray(), bytearray())
            column[0].extend(data)
            column[1].extend(_MISSING * (before - len(column[1]) // 4))
            column[1].extend(lengths)
        lists: tuple[list[Any], ...] = (part.starts, part.endings, part.results, [source] * count)
        for ours, theirs in zip(self.lists, lists, strict=True):
            ours.extend(theirs)
        if part.errors:
            self.errors[before + count - 1] = part.errors

    def take(self, batch: int) -> GameArrays:
        import numpy as np

        count = min(batch, len(self))
        lengths = np.frombuffer(bytes(self.lengths[: 8 * count]), np.int64)
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        plies = int(offsets[-1])
        starts, endings, results, sources = (_split(items, count) for items in self.lists)
        headers = {}
        for name, (data, sizes) in self.headers.items():
            sizes.extend(_MISSING * (len(self) + count - len(sizes) // 4))
            sizes_taken = np.frombuffer(bytes(sizes[: 4 * count]), np.int32)
            size = int(sizes_taken.clip(0).sum())
            if (sizes_taken >= 0).any():
                headers[name] = TextColumn(bytes(data[:size]), sizes_taken)
            del data[:size], sizes[: 4 * count]
        arrays = GameArrays(
            np.arange(self.number, self.number + count, dtype=np.int64),
            np.frombuffer(bytes(self.lines[: 8 * count]), np.int64),
            np.frombuffer(bytes(self.moves[: 2 * plies]), np.uint16),
            offsets,
            headers,
            [start[0] for start in starts],
            [start[2] for start in starts],
            np.array([start[3] for start in starts], np.bool_),
            results,
            endings,
            {index: errors for index, errors in self.errors.items() if index < count},
            [start[1] for start in starts],
            sources,
        )
        del self.lines[: 8 * count], self.lengths[: 8 * count], self.moves[: 2 * plies]
        self.headers = {name: column for name, column in self.headers.items() if column[1].strip(b"\xff")}
        self.errors = {index - count: errors for index, errors in self.errors.items() if index >= count}
        self.number += count
        return arrays


def _split(items: list[Any], count: int) -> list[Any]:
    """Takes *count* items off the front."""
    taken = items[:count]
    del items[:count]
    return taken
