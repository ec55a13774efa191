"""Turning points: where a proved win was missed, or allowed without need."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import chess
import chess.pgn

from ..pgn import Record
from ._search import Win, find_win, judge_moves, scan


@dataclasses.dataclass(frozen=True, slots=True)
class TurningPoint:
    """A move that turned a game: see :func:`turning_points`."""

    ply: int
    """How many half-moves of the game were played before the move."""
    color: chess.Color
    """Who made the move."""
    move: chess.Move
    """The move that was played."""
    san: str
    """The move in algebraic notation, after its number: ``14... Qh4``."""
    missed: Win | None
    """The win that the mover had and has no more."""
    allowed: Win | None
    """The win that the opponent has after the move, though *safe* moves existed."""
    safe: list[chess.Move]
    """The moves after which the opponent would have had no such win; empty if none was allowed."""
    fen: str
    """The position before the move."""
    words: str
    """What it misses and allows, with the lines in algebraic notation."""
    summary: str
    """The same without the lines."""

    def __str__(self) -> str:
        return f"{self.san} {self.words}"


@dataclasses.dataclass(frozen=True, slots=True)
class Finding:
    """What was proved before and after a move that is worth telling."""

    ply: int
    board: chess.Board
    """The position before the move, with the moves before on its stack. The board goes on with the next finding."""
    move: chess.Move
    had: int
    """In how many moves the mover had a win, or 0."""
    kept: bool
    """Whether the mover has a win after the move, if there was one before."""
    allows: int
    """In how many moves the opponent has a win after the move, or 0."""
    safe: list[chess.Move]
    """The moves after which the opponent has none, if this one allows it."""

    @property
    def missed(self) -> bool:
        return self.had > 0 and not self.kept

    @property
    def blundered(self) -> bool:
        """Whether a win was allowed that could have been avoided."""
        return self.allows > 0 and bool(self.safe)


def find(board: chess.Board, game: list[chess.Move], moves: int) -> Iterator[Finding]:
    """Generates the moves of *game* before or after which somebody had a proved win."""
    wins = scan(board, game, moves)
    current: chess.Board | None = None
    for ply, move in enumerate(game):
        had, allows = wins[ply], abs(wins[ply + 1])
        if not had and not allows:
            continue
        if current is None:
            current = board.copy()
        for played in game[len(current.move_stack) - len(board.move_stack) : ply]:
            current.push(played)
        safe = []
        if allows:
            judged = judge_moves(current, moves, winners=0)
            safe = [other for other, value in judged.items() if not value]
        yield Finding(ply, current, move, abs(had), had > 0, allows, safe)


def start_and_moves(game: chess.pgn.Game | Record) -> tuple[chess.Board, list[chess.Move]]:
    """The starting position and the main line."""
    if isinstance(game, Record):
        return game.board(), game.moves
    return game.board(), list(game.mainline_moves())


def turning_points(game: chess.pgn.Game | Record, moves: int = 2) -> list[TurningPoint]:
    """
    The moves of the main line that gave a proved win away.

    * A win *missed*: before the move its side had a win within *moves* of its
      own moves, and within *moves* further moves it has none now.
    * A win *allowed*: after the move the opponent has a win within *moves*,
      and other moves existed after which he has none; those are *safe*.

    A move may be both. Where every move allows a win, the game was lost
    before, and the move is no turning point. Each statement is proved by
    :func:`find_win`, and says nothing about wins that take longer.

    >>> import io
    >>> from atomic_variant import pgn, tactics
    >>> game = pgn.read_game(io.StringIO('[Variant "Atomic"]\\n\\n1. Nf3 e6 2. e4 f6 *'))
    >>> for point in tactics.turning_points(game):
    ...     print(point)
    1... e6 allows a win in 2, 2. Ne5 Ne7 3. Nxf7#; 6 of 20 moves are safe
    2. e4 misses a win in 2, 2. Ne5 Ne7 3. Nxf7#

    *game* may also be a :class:`atomic_variant.pgn.Record`.

    :raises: :exc:`ValueError` if *moves* is out of range.
    """
    return [describe(finding) for finding in find(*start_and_moves(game), moves) if finding.missed or finding.blundered]


def describe(finding: Finding) -> TurningPoint:
    """The turning point that *finding* is."""
    board, move = finding.board, finding.move
    missed = find_win(board, finding.had) if finding.missed else None
    allowed = None
    words, summary = [], []
    if missed:
        summary.append(f"misses a win in {missed.moves}")
        words.append(f"{summary[-1]}, {board.variation_san(missed.line)}")
    if finding.blundered:
        after = board.copy()
        after.push(move)
        allowed = find_win(after, finding.allows)
        assert allowed is not None
        number = len(finding.safe)
        safe = f"{number} of {board.legal_moves.count()} moves {'is' if number == 1 else 'are'} safe"
        start = f"allows a win in {allowed.moves}"
        summary.append(f"{start}; {safe}")
        words.append(f"{start}, {after.variation_san(allowed.line)}; {safe}")
    return TurningPoint(
        finding.ply,
        board.turn,
        move,
        numbered_san(board, move),
        missed,
        allowed,
        finding.safe if allowed else [],
        board.fen(),
        " and ".join(words),
        " and ".join(summary),
    )


def numbered_san(board: chess.Board, move: chess.Move) -> str:
    """*move* in algebraic notation, after its number: ``14... Qh4``."""
    return f"{board.fullmove_number}{'.' if board.turn else '...'} {board.san(move)}"
