"""
Forced wins by full-width search.

The search here is the reference: it asks the board for its legal moves and
for how each game ended, so it holds for every board of python-chess. The
compiled kernel has its fast twin for atomic boards.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from typing import Any

import chess

from ..boards.atomic import AtomicBoard
from ..boards.dialects import Buho21AtomicBoard, ChessPlayXAtomicBoard, IccAtomicBoard
from ..kernel import compiled

MAX_MOVES = 50
"""The longest win that can be looked for."""

BATCH = 16
"""Games that go to another process at once: a search takes longer than sending them."""

ALL = 10_000
"""More moves than any position has."""

_SEVENTYFIVE_MOVES = 150  # Half-moves, as the board counts them.
_FOUR_OCCURRENCES = 12  # The fewest half-moves in which a position can occur four times.


@dataclasses.dataclass(frozen=True, slots=True)
class Win:
    """A proved win of the side to move: see :func:`find_win`."""

    moves: int
    """In how many moves of its own the side to move wins against the longest defence."""
    line: list[chess.Move]
    """
    The moves of both sides, first the winner's, to the end of the game.

    The winner plays the first in the order of legal moves that wins as soon
    as possible, the other side the first that holds out longest.
    """

    @property
    def move(self) -> chess.Move:
        """The first move."""
        return self.line[0]


class NodesExhaustedError(RuntimeError):
    """A search used up its nodes before it had an answer."""

    def __init__(self, proved: int) -> None:
        self.proved = proved
        """That there is no win within so many moves was proved before."""
        excluded = f"no win within {proved}" if proved else "nothing"
        super().__init__(f"the nodes ran out; proved so far: {excluded}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.proved,)


def find_win(board: chess.Board, moves: int = 3, *, nodes: int | None = None) -> Win | None:
    """
    Proves that the side to move wins within *moves* of its own moves, or that it does not.

    Every move of both sides is looked at, so the answer is exact: a
    :class:`Win` holds against every defence and is the shortest there is, and
    ``None`` says that there is no win so short. A win is what
    :meth:`chess.Board.outcome` calls so: an explosion of the king, mate, or
    what else the rules of *board* count. The board may be of any rules; those
    of atomic chess and its dialects have a compiled search.

    Only draws that end the game by themselves count for the defender:
    stalemate where it draws, and, where ``outcome()`` knows them,
    insufficient material, the fifth occurrence of a position (the moves on
    the stack of *board* count) and seventy-five moves without progress. A
    draw that must be claimed, after fifty moves or a third occurrence, saves
    nobody, nor do adjudications of a server.

    If the game is over, nobody wins: the answer is ``None``.

    >>> from atomic_variant import AtomicBoard, tactics
    >>> board = AtomicBoard("rnbqkbnr/pppp1ppp/4p3/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2")
    >>> win = tactics.find_win(board, moves=2)
    >>> win.moves, board.variation_san(win.line)
    (2, '2. Ne5 Ne7 3. Nxf7#')

    :param moves: From 1 to 50. The time grows some twentyfold with each.
    :param nodes: The most positions to look at. The compiled search counts
        other positions than the one in Python.
    :raises: :exc:`NodesExhaustedError` if *nodes* are not enough; its
        ``proved`` says within how many moves a win was excluded.
        :exc:`ValueError` if *moves* or *nodes* are out of range.
    """
    _check(moves, nodes)
    length, line = solve(board, moves, nodes, stalemate_loses(board, moves))
    if length < 0:
        raise NodesExhaustedError(-length - 1)
    return Win(length, line) if length else None


def winning_moves(board: chess.Board, moves: int = 3, *, nodes: int | None = None) -> dict[chess.Move, int]:
    """
    All moves that win within *moves*, with the number of moves that each takes.

    In the order of the legal moves; for what is proved see :func:`find_win`.

    >>> from atomic_variant import AtomicBoard, tactics
    >>> board = AtomicBoard("rnbqkbnr/pppp1ppp/4p3/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2")
    >>> {board.san(move): length for move, length in tactics.winning_moves(board, moves=2).items()}
    {'Ne5': 2}

    :raises: What :func:`find_win` raises; the nodes are for all moves
        together, and ``proved`` is 0.
    """
    return {move: value for move, value in judge_moves(board, moves, nodes=nodes, opponent=False).items() if value}


def judge_moves(
    board: chess.Board, moves: int, *, nodes: int | None = None, winners: int = ALL, opponent: bool = True
) -> dict[chess.Move, int]:
    """
    What is proved of each legal move.

    A positive number: the move wins in so many moves of the mover. A negative
    number: after it the opponent wins in so many moves of his. Zero: neither,
    within *moves*.

    :param winners: After so many moves that win, the rest is left out. If 0,
        wins of the mover are not looked for.
    :param opponent: Whether wins of the opponent are.
    """
    _check(moves, nodes)
    judged = judge(board, moves, nodes, stalemate_loses(board, moves + 1), winners, opponent)
    if judged is None:
        raise NodesExhaustedError(0)
    return dict(judged)


def scan(board: chess.Board, game: list[chess.Move], moves: int) -> list[int]:
    """
    In how many moves the side to move wins, or 0: for *board* and after each move of *game*.

    The number is negative if the move of *game* that follows gives the win
    away: if the mover does not win within *moves* further moves after it.
    Repetition counts from *board* on, with what is on its stack.
    """
    _check(moves, None)
    clock = board.halfmove_clock if _has_quiet_draws(board) else -1
    return scan_wins(board, game, moves, None if board.move_stack and clock >= 0 else stalemate_loses(board, 1), clock)


def _check(moves: int, nodes: int | None) -> None:
    if not 1 <= moves <= MAX_MOVES:
        raise ValueError(f"expected from 1 to {MAX_MOVES} moves, got {moves}")
    if nodes is not None and nodes < 1:
        raise ValueError(f"expected at least one node, got {nodes}")


# --- What the kernel may answer for --------------------------------------------

_endings = attrgetter(
    "outcome", "is_variant_end", "is_variant_win", "is_variant_loss", "is_variant_draw", "is_checkmate", "is_stalemate",
    "is_insufficient_material", "has_insufficient_material", "is_seventyfive_moves", "is_fivefold_repetition",
)  # fmt: skip
"""What decides how a game ends. Legality, checks and moves are looked at by the kernel itself."""

_KNOWN_ENDINGS = {_endings(cls) for cls in (AtomicBoard, ChessPlayXAtomicBoard, IccAtomicBoard, Buho21AtomicBoard)}


def knows_endings(board_class: type[chess.Board]) -> bool:
    """Whether games of a class end as those of atomic chess or of one of its dialects."""
    return _endings(board_class) in _KNOWN_ENDINGS


def stalemate_loses(board: chess.Board, moves: int) -> bool | None:
    """
    Whether a player without a legal move loses even out of check.

    ``None`` if the kernel cannot answer for the board within so many moves.
    The kernel does not look at material, because nobody wins where it is
    insufficient.
    """
    if not knows_endings(type(board)):
        return None
    clock = board.halfmove_clock
    if clock + 2 * moves >= _FOUR_OCCURRENCES and _has_quiet_draws(board):
        if clock + 2 * moves >= _SEVENTYFIVE_MOVES:
            return None
        if len(board.move_stack) >= _FOUR_OCCURRENCES and _some_position_occurred_four_times(board):
            return None
    return bool(getattr(board, "stalemate_loses", False))


def _has_quiet_draws(board: chess.Board) -> bool:
    """Whether repetition or moves without progress can end the game by themselves."""
    cls = type(board)
    return not (
        cls.is_seventyfive_moves is ChessPlayXAtomicBoard.is_seventyfive_moves
        and cls.is_fivefold_repetition is ChessPlayXAtomicBoard.is_fivefold_repetition
    )


def _some_position_occurred_four_times(board: chess.Board) -> bool:
    """Whether one that may occur again did: then its fifth occurrence is near."""
    past = board.copy()
    seen: dict[object, int] = {}
    while True:
        key = past._transposition_key()
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == 4:
            return True
        if not past.move_stack or past.halfmove_clock == 0:
            return False
        past.pop()


# --- The search -----------------------------------------------------------------


class _OutOfNodes(Exception):  # noqa: N818 # It ends a search, it is no error.
    pass


class _Search:
    """
    Looks at every move of both sides.

    Replies that refuted one move are tried first against the next: the order
    changes no answer, only how soon it comes.
    """

    def __init__(self, board: chess.Board, nodes: int | None) -> None:
        self.board = board.copy()
        self.left = nodes
        self.refutations: dict[int, chess.Move] = {}

    def verdict(self) -> chess.Outcome | None:
        """How the game ended, if it did. Counts the position."""
        if self.left is not None:
            if self.left == 0:
                raise _OutOfNodes
            self.left -= 1
        return self.board.outcome()

    def wins(self, moves: int) -> bool:
        """Whether the side to move wins within *moves*. The game is not over."""
        return moves > 0 and any(self.wins_with(move, moves) for move in list(self.board.legal_moves))

    def wins_with(self, move: chess.Move, moves: int) -> bool:
        winner = self.board.turn
        self.board.push(move)
        try:
            outcome = self.verdict()
            if outcome is not None:
                return outcome.winner == winner
            return moves > 1 and self.loses(moves - 1)
        finally:
            self.board.pop()

    def loses(self, moves: int) -> bool:
        """Whether the other side wins within *moves*, whatever the side to move does."""
        replies = list(self.board.legal_moves)
        refutation = self.refutations.get(moves)
        if refutation in replies:
            replies.remove(refutation)
            replies.insert(0, refutation)
        for reply in replies:
            if not self.loses_with(reply, moves):
                self.refutations[moves] = reply
                return False
        return True

    def loses_with(self, reply: chess.Move, moves: int) -> bool:
        winner = not self.board.turn
        self.board.push(reply)
        try:
            outcome = self.verdict()
            return outcome.winner == winner if outcome is not None else self.wins(moves)
        finally:
            self.board.pop()

    def line(self, moves: int) -> list[chess.Move]:
        """The line of a win that takes exactly *moves*."""
        line: list[chess.Move] = []
        while True:
            move = next(move for move in self.board.legal_moves if self.wins_with(move, moves))
            line.append(move)
            self.board.push(move)
            moves -= 1
            if self.board.outcome() is not None:
                return line
            replies = list(self.board.legal_moves)
            reply = next((reply for reply in replies if not self.loses_with(reply, moves - 1)), replies[0])
            line.append(reply)
            self.board.push(reply)
            if self.board.outcome() is not None:
                return line


@compiled
def solve(
    board: chess.Board, moves: int, nodes: int | None, stalemate_loses: bool | None
) -> tuple[int, list[chess.Move]]:
    """
    The number of moves to a win, and its line.

    0 if there is none within *moves*; ``-n - 1`` if *nodes* ran out after
    a win within n was excluded. *stalemate_loses* is for the kernel.
    """
    search = _Search(board, nodes)
    if board.outcome() is not None:
        return 0, []
    for length in range(1, moves + 1):
        try:
            won = search.wins(length)
        except _OutOfNodes:
            return -length, []
        if won:
            search = _Search(board, None)
            return length, search.line(length)
    return 0, []


@compiled
def judge(
    board: chess.Board, moves: int, nodes: int | None, stalemate_loses: bool | None, winners: int, opponent: bool
) -> list[tuple[chess.Move, int]] | None:
    """:func:`judge_moves` in the order of the legal moves; ``None`` if the nodes ran out."""
    if board.outcome() is not None:
        return [(move, 0) for move in board.legal_moves]
    search = _Search(board, nodes)
    judged: list[tuple[chess.Move, int]] = []
    left = winners
    try:
        for move in list(board.legal_moves):
            judged.append((move, _judge(search, move, moves, winners > 0, opponent)))
            left -= judged[-1][1] > 0
            if winners and not left:
                break
    except _OutOfNodes:
        return None
    return judged


def _judge(search: _Search, move: chess.Move, moves: int, mover: bool, opponent: bool) -> int:
    for length in range(1, moves + 1 if mover else 1):
        if search.wins_with(move, length):
            return length
    if not opponent:
        return 0
    search.board.push(move)
    try:
        outcome = search.verdict()
        if outcome is not None:
            return -1 if outcome.winner == search.board.turn else 0
        return -next((length for length in range(1, moves + 1) if search.wins(length)), 0)
    finally:
        search.board.pop()


@compiled
def scan_wins(
    board: chess.Board, game: list[chess.Move], moves: int, stalemate_loses: bool | None, clock: int
) -> list[int]:
    """:func:`scan`; *stalemate_loses* and *clock* are for the kernel."""
    current = board.copy()
    wins = []
    for move in game:
        win = find_win(current, moves)
        keeps = win is not None and _Search(current, None).wins_with(move, moves + 1)
        current.push(move)
        wins.append(0 if win is None else win.moves if keeps else -win.moves)
    last = find_win(current, moves)
    return [*wins, last.moves if last else 0]
