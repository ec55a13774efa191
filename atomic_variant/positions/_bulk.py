"""
The questions that are asked of all rows of a batch: in Python here, in C in the kernel.

Every function gets the columns of a batch, ``(variant, chess960, bitboards,
turn, castling_rights, ep_square)``, and writes its answers to arrays that it
gets too. The C functions leave a batch with a bad row to these, which name it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import chess
import chess.polyglot

from ..boards import AtomicBoard
from ..boards.endings import EndingKind, find_ending
from ..kernel import compiled
from ..perft import perft
from ..pgn.arrays import pack_move, unpack_move
from ..tactics import find_win

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bits: TypeAlias = NDArray[np.uint64]
    Flags: TypeAlias = NDArray[np.bool_]
    Squares: TypeAlias = NDArray[np.int8]
    Numbers: TypeAlias = NDArray[np.int32]
    Offsets: TypeAlias = NDArray[np.int64]
    Moves: TypeAlias = NDArray[np.uint16]
    Results: TypeAlias = NDArray[np.float32]

KINDS: tuple[EndingKind, ...] = (EndingKind.NONE, *(kind for kind in EndingKind if kind is not EndingKind.NONE))
"""The kinds of endings, in the order of their numbers in :class:`Endings`; 0 is a game that goes on."""

_KIND_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}

PIECE_COLUMNS = ("pawns", "knights", "bishops", "rooks", "queens", "kings")


def make_board(
    variant: type[AtomicBoard],
    chess960: bool,
    masks: list[int],
    turn: bool,
    rights: int,
    ep_square: int,
    clock: int = 0,
    ply: int = 0,
) -> AtomicBoard:
    """The board of one row; :exc:`ValueError` if it is no position."""
    white, black = masks[6 + chess.WHITE], masks[6 + chess.BLACK]
    seen = 0
    for mask in masks[:6]:
        if seen & mask:
            raise ValueError(f"two pieces on {chess.square_name((seen & mask).bit_length() - 1)}")
        seen |= mask
    if white & black:
        raise ValueError(f"pieces of both sides on {chess.square_name((white & black).bit_length() - 1)}")
    if seen != white | black:
        raise ValueError("the masks of the sides are not those of the pieces")
    for color in chess.COLORS:
        if (masks[chess.KING - 1] & masks[6 + color]).bit_count() > 1:
            raise ValueError(f"{chess.COLOR_NAMES[color]} has several kings")
    if ep_square >= 0 and ep_square >> 3 not in (2, 5):
        raise ValueError(f"an en passant square on neither the third nor the sixth rank: {ep_square}")
    board = variant(None, chess960=chess960)
    for name, mask in zip(PIECE_COLUMNS, masks, strict=False):
        setattr(board, name, mask)
    board.occupied_co[chess.BLACK] = black
    board.occupied_co[chess.WHITE] = white
    board.occupied = black | white
    board.turn = turn
    board.castling_rights = rights
    board.ep_square = ep_square if ep_square >= 0 else None
    board.halfmove_clock = clock
    board.fullmove_number = ply // 2 + 1
    return board


def generate_boards(
    variant: type[AtomicBoard],
    chess960: bool,
    bitboards: Bits,
    turn: Flags,
    rights: Bits,
    ep_square: Squares,
    clocks: Numbers | None = None,
    plies: Numbers | None = None,
) -> Iterator[AtomicBoard]:
    """The boards of all rows, one after the other."""
    for row in range(len(turn)):
        try:
            yield make_board(
                variant,
                chess960,
                bitboards[row].tolist(),
                bool(turn[row]),
                int(rights[row]),
                int(ep_square[row]),
                0 if clocks is None else int(clocks[row]),
                0 if plies is None else int(plies[row]),
            )
        except ValueError as error:
            raise ValueError(f"position {row}: {error}") from None


def store(board: chess.Board, row: int, columns: tuple[Any, ...]) -> None:
    """
    Writes a board to a row of the columns; *columns* ends with the clocks and plies.

    :raises: :exc:`ValueError` if it does not fit there.
    """
    bitboards, turn, rights, ep_square, clocks, plies = columns[2:]
    if board.kings & board.promoted:
        raise ValueError("a king that was a pawn")
    masks = [getattr(board, name) for name in PIECE_COLUMNS] + list(board.occupied_co)
    clean = board.clean_castling_rights()
    square = -1 if board.ep_square is None else board.ep_square
    make_board(columns[0], columns[1], masks, board.turn, clean, square)
    if not max(board.halfmove_clock, 2 * board.fullmove_number) < 2**31:
        raise ValueError("clocks beyond 32 bits")
    bitboards[row] = masks
    turn[row], rights[row], ep_square[row] = board.turn, clean, square
    clocks[row], plies[row] = board.halfmove_clock, board.ply()


# --- Questions ----------------------------------------------------------------


def _ask(columns: tuple[Any, ...], out: Any, question: Callable[[AtomicBoard], Any]) -> None:
    for row, board in enumerate(generate_boards(*columns)):
        out[row] = question(board)


@compiled
def count_moves(*columns: Any) -> None:
    *columns, out = columns  # type: ignore[assignment]
    _ask(columns, out, lambda board: board.legal_moves.count())


@compiled
def list_moves(*columns: Any) -> None:
    *columns, offsets, out = columns  # type: ignore[assignment]
    for row, board in enumerate(generate_boards(*columns)):
        out[offsets[row] : offsets[row + 1]] = [pack_move(move) for move in board.legal_moves]


@compiled
def mask_moves(*columns: Any) -> None:
    *columns, out = columns  # type: ignore[assignment]
    for row, board in enumerate(generate_boards(*columns)):
        masks = [0] * 64
        for move in board.legal_moves:
            masks[move.from_square] |= chess.BB_SQUARES[move.to_square]
        out[row] = masks


@compiled
def count_explosions(*columns: Any) -> None:
    *columns, out = columns  # type: ignore[assignment]
    _ask(columns, out, lambda board: sum(1 for _ in board.generate_king_explosions()))


@compiled
def find_checks(*columns: Any) -> None:
    *columns, out = columns  # type: ignore[assignment]
    _ask(columns, out, lambda board: board.is_check())


@compiled
def find_touching(*columns: Any) -> None:
    *columns, out = columns  # type: ignore[assignment]
    _ask(columns, out, lambda board: board.kings_touch())


@compiled
def find_keys(*columns: Any) -> None:
    *columns, _, out = columns  # type: ignore[assignment]
    _ask(columns, out, chess.polyglot.zobrist_hash)


@compiled
def find_kinds(*columns: Any) -> None:
    *columns, _, _, kinds, results = columns  # type: ignore[assignment]
    for row, board in enumerate(generate_boards(*columns)):
        ending = find_ending(board)
        kinds[row] = _KIND_NUMBERS[ending.kind]
        results[row] = result_for(board.turn, ending.outcome)


def result_for(color: chess.Color, outcome: chess.Outcome | None) -> float:
    """1, 0 or -1 for *color*, NaN if the game goes on."""
    if outcome is None:
        return float("nan")
    return 0.0 if outcome.winner is None else 1.0 if outcome.winner == color else -1.0


@compiled
def count_leaves(*columns: Any) -> None:
    *columns, depth, out = columns  # type: ignore[assignment]
    _ask(columns, out, lambda board: perft(board, depth))


@compiled
def search_wins(*columns: Any) -> None:
    *columns, moves, _, out = columns  # type: ignore[assignment]
    for row, board in enumerate(generate_boards(*columns)):
        win = find_win(board, moves)
        out[row] = win.moves if win else 0


# --- Playing ------------------------------------------------------------------


@compiled
def play_moves(*columns: Any) -> int:
    *columns, moves = columns  # type: ignore[assignment]
    for row, board in enumerate(generate_boards(*columns)):
        move = unpack_move(int(moves[row]))
        if not board.is_legal(move):
            return row
        board.push(move)
        store(board, row, columns)
    return len(moves)


@compiled
def replay(*columns: Any) -> None:
    *columns, moves, offsets, rows, bitboards, turn, rights, ep_square, clocks, plies = columns  # type: ignore[assignment]
    out = (*columns[:2], bitboards, turn, rights, ep_square, clocks, plies)
    wanted = iter(enumerate(rows.tolist()))
    place, row = next(wanted, (0, len(moves)))
    for game, board in enumerate(generate_boards(*columns)):
        for index in range(int(offsets[game]), int(offsets[game + 1])):
            if index == row:
                store(board, place, out)
                place, row = next(wanted, (0, len(moves)))
            board.push(unpack_move(int(moves[index])))


@compiled
def play_out(*columns: Any) -> None:
    *columns, _, _, seed, limit, results, lengths = columns  # type: ignore[assignment]
    for row, board in enumerate(generate_boards(*columns)):
        mover = board.turn
        state = _scramble(seed + (row + 1) * _GOLDEN & _MASK)
        outcome = board.outcome()
        while outcome is None and len(board.move_stack) < limit:
            state = state + _GOLDEN & _MASK
            moves = list(board.legal_moves)
            board.push(moves[(_scramble(state) >> 32) * len(moves) >> 32])
            outcome = board.outcome()
        results[row] = result_for(mover, outcome)
        lengths[row] = len(board.move_stack)


_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15


def _scramble(z: int) -> int:
    """As splitmix64 mixes its state."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
    return z ^ z >> 31


# --- FEN ----------------------------------------------------------------------


@compiled
def read_fens(*columns: Any) -> int:
    """Reads those that it can from *row* on; the first that it cannot."""
    row: int = columns[-1]
    return row


@compiled
def write_fens(*columns: Any) -> list[str]:
    return [board.fen() for board in generate_boards(*columns)]
