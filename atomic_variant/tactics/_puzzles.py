"""Puzzles: positions of real games where every move of the solver but the last is the only one that wins."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
from collections.abc import Iterable, Iterator

import chess

from .. import pgn
from ..pgn._source import Source
from ..pgn.game import Variant
from ._search import ALL, BATCH, MAX_MOVES, find_win, judge_moves, scan
from ._themes import themes


@dataclasses.dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle from a game: see :func:`puzzles`."""

    variant: type[chess.Board]
    """The board class."""
    chess960: bool
    """Whether castling follows Chess960."""
    start: str
    """The position before the opponent's move, as a FEN."""
    led: chess.Move
    """The opponent's move that led to the position to solve."""
    fen: str
    """The position to solve, as a FEN."""
    line: list[chess.Move]
    """The solution: moves of the solver and the longest defence, in turn."""
    themes: tuple[str, ...]
    """Theme keys, sorted: see the columns of the Lichess puzzle file."""
    game: int
    """The number of the game in its file."""
    ply: int
    """How many half-moves of the game were played before the position to solve."""
    headers: dict[str, str]
    """The headers of the game."""

    @property
    def moves(self) -> int:
        """How many moves the solver makes."""
        return (len(self.line) + 1) // 2

    def board(self) -> chess.Board:
        """The position to solve, with the move that led there on its stack."""
        board = self.variant(self.start, chess960=self.chess960)
        board.push(self.led)
        return board


def puzzles(
    source: Source,
    moves: tuple[int, int] = (1, 3),
    *,
    executor: concurrent.futures.Executor | None = None,
    variant: Variant | None = None,
) -> Iterator[Puzzle]:
    """
    Generates the puzzles in the games of *source*.

    A puzzle is a position of the main line of a game, after at least one
    move, in which the side to move wins by force in ``moves[0]`` to
    ``moves[1]`` moves, and every move of the solution but the last is the
    only one that wins within ``moves[1]`` moves. The solution goes against a
    defence that holds out as long as can be; of several such, the first that
    leaves the solver only moves. It is proved by :func:`find_win` on the
    position by itself: the game before it counts for nothing but its clock.

    A position is given once, whatever game it comes from; a position that
    the solution of a puzzle of the same game passes through is none.

    >>> import io
    >>> from atomic_variant import tactics
    >>> [puzzle] = tactics.puzzles(io.StringIO('[Variant "Atomic"]\\n\\n1. Nf3 e6 2. e4 f6 *'))
    >>> puzzle.board().variation_san(puzzle.line), puzzle.themes
    ('2. Ne5 Ne7 3. Nxf7#', ('explosion', 'explosionIn2', 'opening', 'quietMove', 'short'))

    :param executor: As for :func:`atomic_variant.pgn.map_games`; by default
        this process does it all.
    :raises: What :func:`atomic_variant.pgn.scan` raises, and
        :exc:`ValueError` if *moves* are out of range.
    """
    low, high = moves
    if not 1 <= low <= high <= MAX_MOVES:
        raise ValueError(f"expected a range within 1 to {MAX_MOVES} moves, got {low} to {high}")
    make = functools.partial(find_puzzles, low=low, high=high)
    games: Iterable[list[Puzzle]]
    if executor is None:
        games = map(make, pgn.scan(source, variant=variant))
    else:
        games = pgn.map_games(make, source, executor=executor, batch=BATCH, records=True, variant=variant)
    seen: set[int] = set()
    for found in games:
        for puzzle in found:
            # Hashes take a quarter of the memory; that two differ in 64 bits is certain enough to drop a puzzle.
            key = hash((puzzle.variant.__name__, _placement(puzzle.fen)))
            if key not in seen:
                seen.add(key)
                yield puzzle


def find_puzzles(record: pgn.Record, low: int, high: int) -> list[Puzzle]:
    """The puzzles of one game."""
    if not record.moves or record.variant is None:
        return []
    start = record.board()
    wins = scan(start, record.moves, high)
    found: list[Puzzle] = []
    passed: set[object] = set()
    board: chess.Board | None = None
    for ply in range(1, len(record.moves) + 1):
        if not low <= abs(wins[ply]) <= high:
            continue
        if board is None:
            board = start.copy(stack=False)
        for move in record.moves[len(board.move_stack) : ply]:
            board.push(move)
        alone = board.copy(stack=False)
        if alone._transposition_key() in passed:
            continue
        line = solution(alone, abs(wins[ply]), high)
        if line is None:
            continue
        before = board.copy(stack=1)
        led = before.pop()
        keys = themes(alone, line)
        fen = alone.fen()
        found.append(
            Puzzle(
                record.variant, record.chess960, _fen(before), led, fen, line, keys, record.number, ply, record.headers
            )
        )
        for move in line:
            alone.push(move)
            passed.add(alone._transposition_key())
    return found


def _fen(board: chess.Board) -> str:
    return board.fen(shredder=True) if board.chess960 else board.fen()


def _placement(fen: str) -> str:
    """A FEN without its counters."""
    return fen.rsplit(" ", 2)[0]


def solution(board: chess.Board, length: int, within: int) -> list[chess.Move] | None:
    """
    The solution of a puzzle that takes *length* moves, if there is one; no other first move may win *within* so many.
    """
    # That there are two is enough to know, but of last moves.
    judged = judge_moves(board, within if length > 1 else 1, winners=2 if length > 1 else ALL, opponent=False)
    winning = [move for move, moves in judged.items() if moves]
    shortest = [move for move in winning if judged[move] == length]
    if length == 1:
        explodes = getattr(board, "explodes_king", None)
        explosions = [move for move in shortest if explodes and explodes(move)]
        return (explosions or shortest)[:1] or None
    if len(winning) > 1 or not shortest:
        return None
    board = board.copy()
    board.push(shortest[0])
    for reply in list(board.legal_moves):
        board.push(reply)
        win = find_win(board, length - 1)
        rest = solution(board, length - 1, within) if win and win.moves == length - 1 else None
        board.pop()
        if rest is not None:
            return [shortest[0], reply, *rest]
    return None
