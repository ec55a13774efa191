"""Games as light records instead of trees."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import chess
import chess.engine
import chess.pgn

from .. import host
from ..boards import AtomicBoard
from ..boards.endings import UNDECIDED, Ending, EndingKind, find_ending
from ._parser import (
    HEADER,
    MAX_MOVE_SIZE,
    MAX_NAG,
    TOKEN,
    comment_text,
    false_sign,
    find_shift,
    first_shifts,
    parse_game,
)
from ._remarks import clocks_by_elapsed_times, elapsed_time, parse_clock, parse_evaluation
from ._results import LEGAL_RESULTS, header_result
from ._splitter import GameText
from ._starts import find_start, starting_headers
from .errors import GameError, are_lost
from .game import Game, GameBuilder, Headers


@dataclasses.dataclass(slots=True)
class Record:
    """
    A game as :func:`scan` gives it: without variations, signs and tree.

    >>> import io
    >>> from atomic_variant.pgn import scan
    >>> [record] = scan(io.StringIO('[Variant "atomic"]\\n\\n1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8 1-0'))
    >>> record.result, record.ending.kind.value, len(record.moves)
    ('1-0', 'explosion', 7)
    >>> print(record.ending)
    White wins: the black king exploded on e8
    """

    number: int
    """The number of the game in its file, from 1."""
    line: int
    """The line of the file that the game begins on, from 1."""
    headers: dict[str, str]
    """The headers as they stand in the file, in their order."""
    variant: type[chess.Board] | None = None
    """The board class, ``None`` if the game names an unknown variant."""
    variant_source: str = "default"
    """What the variant was concluded from: see :attr:`Headers.variant_source`."""
    fen: str = chess.STARTING_FEN
    """The starting position."""
    chess960: bool = False
    """Whether castling follows Chess960."""
    moves: list[chess.Move] = dataclasses.field(default_factory=list)
    """The moves of the main line that can be played."""
    result: str = "*"
    """
    The result by the ``Result`` header, or else by what stands after the
    moves: ``1-0``, ``0-1``, ``1/2-1/2`` or ``*``, however it is written there.
    """
    ending: Ending = UNDECIDED
    """
    How the game ended on the board: what, who won, and in words.

    A game that was drawn may have ended by a draw that needs a claim.
    """
    errors: list[GameError] = dataclasses.field(default_factory=list)
    """What is wrong, as in :attr:`Game.errors`."""
    source: str | None = None
    """The name of the file."""
    last_comment: str = ""
    """The comment after the last move, where servers say how a game ended."""
    comments: list[str] | None = None
    """The comment before the first move, and that after each move, if asked for."""
    clocks: list[float | None] | None = None
    """
    The clock in seconds after each move, if asked for.

    Worked out where comments tell only how long each move took, as those of
    FICS do, and ``TimeControl`` is a base and an increment.
    """
    evaluations: list[chess.engine.PovScore | None] | None = None
    """The evaluation after each move, if asked for."""
    suspected_variant: type[chess.Board] | None = None
    """
    What a game that names no variant and was read as standard chess is by its moves, if that can be told.

    :class:`AtomicBoard` if it is legal only so, or if it has a ``#`` or tells
    of an explosion, is not mate in chess and is won on the board only so.
    """

    @property
    def outcome(self) -> chess.Outcome | None:
        """How the game ended by the rules after the last move, without claims."""
        return None if self.ending.is_claimed else self.ending.outcome

    def board(self) -> chess.Board:
        """The starting position, as :meth:`Game.board`."""
        return (self.variant or chess.Board)(self.fen, chess960=self.chess960)

    def final_board(self) -> chess.Board:
        """The position after the last move, with the moves on its stack."""
        board = self.board()
        for move in self.moves:
            board.push(move)
        return board

    def game(self) -> Game:
        """
        The game as a tree of one line, with the comments if they were read.

        >>> import io
        >>> from atomic_variant.pgn import scan
        >>> [record] = scan(io.StringIO('[Variant "atomic"]\\n\\n1. e4 { Best. } e5 *'), comments=True)
        >>> print(record.game().mainline())
        1. e4 { Best. } 1... e5
        """
        game = Game()
        game.headers.update(self.headers)
        if self.variant is not None:
            game.headers.default_variant = self.variant
        game.headers["Result"] = header_result(self.result) or "*"
        game.number, game.line, game.source = self.number, self.line, self.source
        game.suspected_variant = self.suspected_variant
        game.errors = list(self.errors)
        node: chess.pgn.GameNode = game
        comments = self.comments or [""] * len(self.moves) + [self.last_comment]
        host.set_comment(node, comments[0])
        for move, comment in zip(self.moves, comments[1:], strict=True):
            node = node.add_variation(move, comment=comment)
        return game

    def _add_elapsed_times(self) -> None:
        """Where the comments tell how long each move took, and not the clock."""
        comments, clocks = self.comments, self.clocks
        if comments and clocks and clocks[0] is None and comments[1] and elapsed_time(comments[1]) is not None:
            times = map(elapsed_time, comments[1:])
            self.clocks = clocks_by_elapsed_times(times, self.headers.get("TimeControl"))


def read_record(text: GameText, *, comments: bool = False, variant: type[chess.Board] | None = None) -> Record:
    """The record of one game; *variant* is the board class if the headers name none."""
    record = _read_clean(text, comments, variant)
    if record is None:
        record = parse_game(text, _RecordBuilder(text, comments), variant=variant)
    if record.variant_source == "default":
        record.suspected_variant = _suspected_variant(text, record)
    if comments:
        record._add_elapsed_times()
    return record


def read_tree(
    text: GameText, *, variant: type[chess.Board] | None = None, builder: Callable[[], GameBuilder] = GameBuilder
) -> Game:
    """The tree of one game, made by *builder*; *variant* is the board class if the headers name none."""
    game = parse_game(text, builder(), variant=variant)
    if game.variant_source == "default":
        game.suspected_variant = _suspected_variant(text, game)
    if game.errors and not game.variations:
        try:
            game.headers.board()
        except ValueError:
            game.unread = (text.headers + text.moves).strip()
    return game


_SIGNS = re.compile(r"#|explo", re.IGNORECASE)


def _suspected_variant(text: GameText, game: Record | Game) -> type[chess.Board] | None:
    """See :attr:`Record.suspected_variant`."""
    is_illegal = are_lost(game.errors)
    if not is_illegal and (not _SIGNS.search(text.moves) or game.ending.kind is not EndingKind.NONE):
        return None
    as_atomic = read_record(text, variant=AtomicBoard)
    if are_lost(as_atomic.errors) or not (is_illegal or as_atomic.ending.winner is not None):
        return None
    return AtomicBoard


def _read_clean(text: GameText, comments: bool, variant: type[chess.Board] | None) -> Record | None:
    """
    The record of a game without variations and without anything wrong.

    ``None`` for any other game: :class:`_RecordBuilder` reads those, slowly.
    """
    if text.stray or text.cut is not None or text.failure is not None:
        return None
    pairs = HEADER.findall(text.headers)
    if len(pairs) != text.headers.rstrip().count("\n") + bool(text.headers):
        return None
    start = find_start(starting_headers(pairs), variant)
    if start is None:
        return None
    variant_source, fen, start_board = start
    board = start_board.copy(stack=False)
    parse_san, push = board.parse_san, board.push
    moves: list[chess.Move] = []
    remarks: list[list[str]] = [[]]
    result = "*"
    shifts = first_shifts(board)
    for match in TOKEN.finditer(text.moves):
        token, at = match[1], match.start(1)
        first = token[0]
        if at > match.start():
            shift = find_shift(text.moves[match.start() : at + 3], board)
            if shift is not None and shift not in shifts:
                return None
            shifts = shifts if shift is None else {shift}
        if first in "abcdefghNBRQKO" and len(token) <= MAX_MOVE_SIZE:
            try:
                move = parse_san(token)
            except ValueError:
                return None
            push(move)
            if token[-1] in "+#" and false_sign(board, token):
                return None
            moves.append(move)
            if comments:
                remarks.append([])
            elif remarks[0]:
                remarks[0] = []
        elif first == "{":
            if token[-1] != "}":
                return None
            remarks[-1].append(comment_text(token))
        elif first == "$":
            if not 1 < len(token) <= 4 or int(token[1:]) > MAX_NAG:
                return None
        elif first not in "!?":
            if token not in LEGAL_RESULTS:
                return None
            if result == "*":
                result = token
    headers = dict(pairs)
    given = headers.get("Result", "*")
    if given not in LEGAL_RESULTS or ("*" not in (given, result) and given != result):
        return None
    result = result if given == "*" else given
    return Record(
        text.number,
        text.line,
        headers,
        type(board),
        variant_source,
        fen,
        board.chess960,
        moves,
        result,
        find_ending(board, result=result),
        [],
        text.source,
        _join(remarks[-1]),
        *(_remarks(remarks) if comments else ()),
    )


def _join(remark: list[str]) -> str:
    return " ".join(filter(None, remark))


def _remarks(
    remarks: list[list[str]],
) -> tuple[list[str], list[float | None], list[chess.engine.PovScore | None]]:
    """The comments, clocks and evaluations in *remarks*, the comments by ply."""
    comments = [_join(remark) for remark in remarks]
    return (
        comments,
        [parse_clock(comment) for comment in comments[1:]],
        [parse_evaluation(comment) for comment in comments[1:]],
    )


class _RecordBuilder(chess.pgn.BaseVisitor[Record]):
    """Builds the record of any game."""

    def __init__(self, text: GameText, comments: bool) -> None:
        self.record = Record(text.number, text.line, {}, source=text.source)
        self.comments = comments
        self.remarks: list[list[str]] = [[]]
        self.headers = Headers({})
        self.board: chess.Board | None = None
        self.depth = 0

    def begin_headers(self) -> Headers:
        return self.headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.record.headers[tagname] = tagvalue

    def visit_board(self, board: chess.Board) -> None:
        if self.board is None:
            self.board = board
            self.record.fen = board.fen()
            self.record.chess960 = board.chess960

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        if not self.depth:
            self.record.moves.append(move)
            if self.comments:
                self.remarks.append([])
            else:
                self.remarks[0] = []

    def visit_comment(self, comment: str | list[str]) -> None:
        if not self.depth:
            self.remarks[-1].append(host.joined(comment))

    def begin_variation(self) -> None:
        self.depth += 1

    def end_variation(self) -> None:
        self.depth -= 1

    def visit_result(self, result: str) -> None:
        if self.record.result == "*":
            self.record.result = result

    def handle_error(self, error: Exception) -> None:
        assert isinstance(error, GameError)
        self.record.errors.append(error)

    def end_game(self) -> None:
        record, board = self.record, self.board
        given = header_result(record.headers.get("Result", "*"))
        if given not in (None, "*"):
            record.result = given
        record.variant_source = self.headers.variant_source
        try:
            record.variant = self.headers.variant()
        except ValueError:
            record.variant = None
        if board is not None:
            # Where the moves break off, nobody claimed a draw.
            record.ending = find_ending(board, result="*" if are_lost(record.errors) else record.result)
        record.last_comment = _join(self.remarks[-1])
        if self.comments:
            record.comments, record.clocks, record.evaluations = _remarks(self.remarks)

    def result(self) -> Record:
        return self.record
