"""Reading games in bulk: light records instead of trees."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator

import chess
import chess.engine
import chess.pgn

from .. import host
from ..boards.endings import verdict
from ..kernel import kernel
from .errors import GameError
from .game import NO_NAME, Headers, Variant, resolve_variant
from .parser import HEADER, MAX_TOKEN_SIZE, RESULTS, TOKEN, comment_text, parse_game
from .source import Source, generate_lines, source_name
from .splitter import GameText, generate_texts


@dataclasses.dataclass(slots=True)
class Record:
    """
    A game as :func:`scan` gives it: without variations, signs and tree.

    >>> import io
    >>> [record] = scan(io.StringIO('[Variant "atomic"]\\n\\n1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8 1-0'))
    >>> record.result, record.ending, len(record.moves)
    ('1-0', 'White wins: the black king exploded on e8', 7)
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
    """The ``Result`` header, or else the result after the moves."""
    outcome: chess.Outcome | None = None
    """How the game ended by the rules after the last move, without claims."""
    ending: str | None = None
    """:attr:`outcome` in words."""
    errors: list[GameError] = dataclasses.field(default_factory=list)
    """What is wrong, as in :attr:`Game.errors`."""
    source: str | None = None
    """The name of the file."""
    comments: list[str] | None = None
    """The comment before the first move, and that after each move, if asked for."""
    clocks: list[float | None] | None = None
    """The clock in seconds after each move, if asked for."""
    evaluations: list[chess.engine.PovScore | None] | None = None
    """The evaluation after each move, if asked for."""

    def board(self) -> chess.Board:
        """The starting position, as :meth:`Game.board`."""
        return (self.variant or chess.Board)(self.fen, chess960=self.chess960)

    def final_board(self) -> chess.Board:
        """The position after the last move, with the moves on its stack."""
        board = self.board()
        for move in self.moves:
            board.push(move)
        return board


def scan(source: Source, *, comments: bool = False, variant: Variant | None = None) -> Iterator[Record]:
    """
    Generates a :class:`Record` of every game in *source*, in order.

    For files of many games: several times faster than :func:`read_games`, on
    whose moves, endings and errors it agrees. With *comments* it reads
    comments, clocks and evaluations too. For *source* and *variant* see
    :func:`read_games`.

    :raises: What :func:`read_games` raises.
    """
    board_class = resolve_variant(variant)
    if kernel is not None:
        from . import bulk

        yield from bulk.scan(source, comments=comments, variant=board_class)
        return
    for text in generate_texts(generate_lines(source), source_name(source)):
        yield read_record(text, comments=comments, variant=board_class)


def read_record(text: GameText, *, comments: bool = False, variant: type[chess.Board] | None = None) -> Record:
    """The record of one game; *variant* is the board class if the headers name none."""
    record = _read_clean(text, comments, variant)
    return record if record is not None else parse_game(text, _RecordBuilder(text, comments), variant=variant)


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
    start = _start(_starting_headers(pairs), variant)  # type: ignore[arg-type] # Classes are hashable.
    if start is None:
        return None
    variant_source, fen, start_board = start
    board = start_board.copy(stack=False)
    parse_san, push = board.parse_san, board.push
    moves: list[chess.Move] = []
    remarks: list[list[str]] = [[]]
    result = "*"
    for token in TOKEN.findall(text.moves):
        first = token[0]
        if first in "abcdefghNBRQKO" and len(token) <= MAX_TOKEN_SIZE:
            try:
                move = parse_san(token)
            except ValueError:
                return None
            push(move)
            moves.append(move)
            if comments:
                remarks.append([])
        elif first == "{":
            if token[-1] != "}":
                return None
            if comments:
                remarks[-1].append(comment_text(token))
        elif first not in "$!?":
            found = RESULTS.get(token)
            if found is None:
                return None
            if result == "*":
                result = found
        elif token == "$":
            return None
    headers = dict(pairs)
    given = headers.get("Result", "*")
    outcome, ending = verdict(board)
    return Record(
        text.number,
        text.line,
        headers,
        type(board),
        variant_source,
        fen,
        board.chess960,
        moves,
        result if given == "*" else given,
        outcome,
        ending,
        [],
        text.source,
        *(_remarks(remarks) if comments else ()),
    )


def _starting_headers(pairs: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The headers that tell where a game starts; few different ones, for the cache of :func:`_start`."""
    is_named = any(tag == "Variant" and value.strip() not in NO_NAME for tag, value in pairs)
    # Event and Site only count where Variant says nothing, and every game may have its own.
    tags = ("Variant", "FEN") if is_named else ("Variant", "FEN", "Event", "Site")
    return tuple(pair for pair in pairs if pair[0] in tags)


@functools.lru_cache(maxsize=64)
def _start(
    headers: tuple[tuple[str, str], ...], variant: type[chess.Board] | None
) -> tuple[str, str, chess.Board] | None:
    """What the variant was concluded from, the starting position and its board; ``None`` if they are wrong."""
    known = Headers(headers)
    known.default_variant = variant
    try:
        board = known.board()
    except ValueError:
        return None
    return known.variant_source, board.fen(), board


def _remarks(
    remarks: list[list[str]],
) -> tuple[list[str], list[float | None], list[chess.engine.PovScore | None]]:
    """The comments, clocks and evaluations in *remarks*, the comments by ply."""
    comments = [" ".join(filter(None, remark)) for remark in remarks]
    return comments, [_clock(comment) for comment in comments[1:]], [_evaluation(comment) for comment in comments[1:]]


_MAX_REMARK_SIZE = 40  # Longer clocks and evaluations are nonsense.


def _clock(comment: str) -> float | None:
    """As :meth:`chess.pgn.GameNode.clock`."""
    match = chess.pgn.CLOCK_REGEX.search(comment)
    if match is None or len(match[0]) > _MAX_REMARK_SIZE:
        return None
    return int(match["hours"]) * 3600 + int(match["minutes"]) * 60 + float(match["seconds"])


def _evaluation(comment: str) -> chess.engine.PovScore | None:
    """As :meth:`chess.pgn.GameNode.eval`."""
    match = chess.pgn.EVAL_REGEX.search(comment)
    if match is None or len(match[0]) > _MAX_REMARK_SIZE:
        return None
    score: chess.engine.Score
    if match["mate"]:
        mate = int(match["mate"])
        score = chess.engine.MateGiven if mate == 0 else chess.engine.Mate(mate)
    else:
        score = chess.engine.Cp(round(float(match["cp"]) * 100))
    return chess.engine.PovScore(score, chess.WHITE)


class _RecordBuilder(chess.pgn.BaseVisitor[Record]):
    """Builds the record of any game."""

    def __init__(self, text: GameText, comments: bool) -> None:
        self.record = Record(text.number, text.line, {}, source=text.source)
        self.remarks: list[list[str]] | None = [[]] if comments else None
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
            if self.remarks:
                self.remarks.append([])

    def visit_comment(self, comment: str | list[str]) -> None:
        if self.remarks and not self.depth:
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
        given = record.headers.get("Result", "*")
        if given != "*":
            record.result = given
        record.variant_source = self.headers.variant_source
        try:
            record.variant = self.headers.variant()
        except ValueError:
            record.variant = None
        if board is not None:
            record.outcome, record.ending = verdict(board)
        if self.remarks:
            record.comments, record.clocks, record.evaluations = _remarks(self.remarks)

    def result(self) -> Record:
        return self.record
