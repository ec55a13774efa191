"""Interpreting the text of a game: headers and moves, for a visitor of :mod:`chess.pgn`."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import chess
import chess.pgn

from .. import host
from ..boards.refusals import why_refused
from ..text import one_line
from ._remarks import CommentRun
from ._splitter import MAX_GAME_SIZE, GameText
from .errors import TEXT_LIMIT, GameError
from .game import GameBuilder, Headers

ResultT = TypeVar("ResultT")

MAX_ERRORS = 100
"""The most errors that are kept of one game; after them no more variations are read."""

MAX_DEPTH = 100
"""The deepest nesting of variations that is read."""

MAX_HISTORY = 1000
"""
The most moves on the stack of the board of a variation, and the most
variations of a game whose boards have more than one move there.
"""

MAX_TOKEN_SIZE = 16
"""Characters of the longest move, with room to spare; longer words are no moves."""

HEADER = re.compile(r'^\[([A-Za-z0-9][\w+#=:-]*)\s+"([^\n]*)"\][ \t\r]*$', re.ASCII | re.MULTILINE)
"""A header as it should be. The value is taken as it stands, as by :mod:`chess.pgn`."""

_MAX_BROKEN_SIZE = 1000  # Characters of the longest header that is sought on two lines.

_UNQUOTED_HEADER = re.compile(r'\[\s*([A-Za-z]+)\s++([^"\]]*+)\]\s*', re.ASCII)
_LENIENT_HEADER = re.compile(r'\[\s*([A-Za-z0-9][\w+#=:-]*)\s*"(.*)"\s*(?:\]\s*)?', re.ASCII | re.DOTALL)

TOKEN = re.compile(r"(?:\d+\.+\s*)?(\{[^}]*\}?|;[^\n]*|[()}]|\$\d{1,3}|[!?]+|(?m:^)%[^\n]*|[^\s(){};$!?]+|\$)")
"""A token of the moves, without the move number before it."""

_NUMBER = re.compile(r"\d*\.*")
# What was meant as a move: "Nf3", "Qxf9", "Sf3", "Nf", "cxd", "O-O".
_MOVE_LIKE = re.compile(r"\S*[A-Za-z]\d|[NBRQK]?[a-h]?x?[a-h]$|[NBRQK][a-h1-8x]|[O0]-[O0]|\S?@")
RESULTS = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "*": "*", "1/2": "1/2-1/2", "½-½": "1/2-1/2"}
NULL_MOVES = frozenset({"--", "Z0", "0000", "@@@@"})
NAGS = {
    "!": chess.pgn.NAG_GOOD_MOVE,
    "?": chess.pgn.NAG_MISTAKE,
    "!!": chess.pgn.NAG_BRILLIANT_MOVE,
    "??": chess.pgn.NAG_BLUNDER,
    "!?": chess.pgn.NAG_SPECULATIVE_MOVE,
    "?!": chess.pgn.NAG_DUBIOUS_MOVE,
    "=": chess.pgn.NAG_DRAWISH_POSITION,
    "∞": chess.pgn.NAG_UNCLEAR_POSITION,
    "+=": chess.pgn.NAG_WHITE_SLIGHT_ADVANTAGE,
    "=+": chess.pgn.NAG_BLACK_SLIGHT_ADVANTAGE,
    "+/-": chess.pgn.NAG_WHITE_MODERATE_ADVANTAGE,
    "-/+": chess.pgn.NAG_BLACK_MODERATE_ADVANTAGE,
    "+-": chess.pgn.NAG_WHITE_DECISIVE_ADVANTAGE,
    "-+": chess.pgn.NAG_BLACK_DECISIVE_ADVANTAGE,
    "N": chess.pgn.NAG_NOVELTY,
}
_EN_PASSANT = re.compile(r"e\.?p\.?")
_SUFFIX = re.compile(r"(?:e\.?p\.?)?[+#]*$")


def parse_game(
    text: GameText, visitor: chess.pgn.BaseVisitor[ResultT], *, variant: type[chess.Board] | None = None
) -> ResultT:
    """
    Shows the game in *text* to *visitor*, in the order of :func:`chess.pgn.read_game`.

    What is wrong goes to ``visitor.handle_error()`` as a :exc:`GameError`,
    and the rest of the line that it stands in is skipped: after a move that
    cannot be played, no later move means what it says.
    """
    if visitor.begin_game() is not chess.pgn.SKIP:
        if isinstance(visitor, GameBuilder):
            visitor.game.number, visitor.game.line, visitor.game.source = text.number, text.line, text.source
        _read(text, visitor, _Errors(text, visitor), variant)
    visitor.end_game()
    return visitor.result()


def _read(
    text: GameText, visitor: chess.pgn.BaseVisitor[Any], errors: _Errors, variant: type[chess.Board] | None
) -> None:
    given = visitor.begin_headers()
    headers = given if isinstance(given, Headers) else Headers({})
    if variant is not None:
        headers.default_variant = variant
    comments = _read_stray_text(text, errors)
    _read_headers(text, visitor, errors, headers)
    if visitor.end_headers() is not chess.pgn.SKIP:
        board = _set_up(text, errors, headers)
        if board is not None:
            visitor.visit_board(board)
            for comment in comments:
                visitor.visit_comment(comment)
            _MoveReader(text, visitor, errors, board).read()
    if text.cut is not None:
        reason = f"the game is longer than {MAX_GAME_SIZE} characters, the rest is left out"
        errors.add(reason, line=text.cut)
    if text.failure is not None:
        errors.add(f"the file ends within the game: {text.failure}", at=errors.moves_at + len(text.moves))


class _Errors:
    """Tells the visitor what is wrong."""

    def __init__(self, text: GameText, visitor: chess.pgn.BaseVisitor[Any]) -> None:
        self.text = text
        self.visitor = visitor
        self.count = 0
        # Where the parts of the text begin.
        self.headers_at = len(text.stray)
        self.moves_at = self.headers_at + len(text.headers)

    @property
    def is_full(self) -> bool:
        """Whether no more errors are told."""
        return self.count >= MAX_ERRORS

    def add(
        self, reason: str, text: str = "", *, at: int = 0, line: int | None = None, board: chess.Board | None = None
    ) -> None:
        """An error at a place in the text or on a *line* of the file, and before a faulty move the *board*."""
        if self.is_full:
            return
        self.count += 1
        if self.count == MAX_ERRORS:
            reason, text, board = "too many errors: further ones and further variations are left out", "", None
        error = GameError(
            self.text.number,
            self.text.line_at(at) if line is None else line,
            one_line(text, TEXT_LIMIT),
            reason,
            board.ply() + 1 if board is not None else None,
            board.fen() if board is not None else None,
            self.text.source,
        )
        self.visitor.handle_error(error)


# --- Before the moves -------------------------------------------------------


def _read_stray_text(text: GameText, errors: _Errors) -> list[str]:
    """The comments before the headers; other text there is an error."""
    comments = []
    is_reported = False
    for match in TOKEN.finditer(text.stray):
        if match[1][0] in "{;":
            comments.append(comment_text(match[1]))
        elif match[1][0] != "%" and not is_reported:
            line = text.stray[match.start(1) :].partition("\n")[0]
            errors.add("text that is neither a header nor a move", line, at=match.start(1))
            is_reported = True
    return comments


def _read_headers(text: GameText, visitor: chess.pgn.BaseVisitor[Any], errors: _Errors, headers: Headers) -> None:
    """Shows the headers to *visitor* and puts them into *headers*."""
    end = errors.headers_at
    broken, broken_at = "", 0
    for line in text.headers.split("\n"):
        start, end = end, end + len(line) + 1
        line = line.rstrip()
        if not line or line[0] in "%;":
            continue
        if broken and line[0] != "[":
            line, start = f"{broken} {line}", broken_at
        elif broken:
            errors.add("not a header", broken, at=broken_at)
        broken = ""
        if match := HEADER.match(line) or _LENIENT_HEADER.fullmatch(line):
            name, value = match[1], match[2]
        elif match := _UNQUOTED_HEADER.fullmatch(line):
            name, value = match[1], match[2].strip()
            errors.add("a header without quotes", line, at=start)
        elif line.count('"') == 1 and len(line) < _MAX_BROKEN_SIZE:
            broken, broken_at = line, start  # Goes on in the next line, perhaps.
            continue
        else:
            errors.add("not a header", line, at=start)
            continue
        visitor.visit_header(name, value)
        headers[name] = value
    if broken:
        errors.add("not a header", broken, at=broken_at)


def _set_up(text: GameText, errors: _Errors, headers: Headers) -> chess.Board | None:
    """The starting position, if the headers allow to tell it."""
    try:
        headers.variant()
    except ValueError:
        tag = headers.variant_source.partition(" ")[0]
        errors.add(f"unknown variant in the {tag} header", headers[tag], at=_find_header(text, errors, tag))
        return None
    try:
        return headers.board()
    except ValueError as error:
        reason = f"invalid FEN: {one_line(str(error), TEXT_LIMIT)}"
        errors.add(reason, headers["FEN"], at=_find_header(text, errors, "FEN"))
        return None


def _find_header(text: GameText, errors: _Errors, tag: str) -> int:
    return errors.headers_at + max(0, text.headers.rfind(f"[{tag}"))


# --- Moves ------------------------------------------------------------------


class _Line:
    """The main line or a variation, while it is being read."""

    __slots__ = ("board", "is_readable", "plies")

    def __init__(self, board: chess.Board, *, is_readable: bool = True) -> None:
        self.board = board
        self.plies = 0
        self.is_readable = is_readable
        """False after a faulty move, or if the visitor skips the variation."""


class _MoveReader:
    """Shows the moves of a game to a visitor."""

    def __init__(
        self, text: GameText, visitor: chess.pgn.BaseVisitor[Any], errors: _Errors, board: chess.Board
    ) -> None:
        self.text = text
        self.visitor = visitor
        self.errors = errors
        self.lines = [_Line(board)]  # The main line, and the variations that are open.
        self.unread = 0  # Open parentheses within what is not read.
        self.variations = 0
        self.comments = CommentRun(visitor.visit_comment)

    def read(self) -> None:
        moves = self.text.moves
        for match in TOKEN.finditer(moves):
            token = match[1]
            first = token[0]
            at = match.start(1)
            if first in "{;":
                self.read_comment(token, at)
                continue
            if self.comments:
                self.comments.end()
            if first == "(":
                self.open_variation(at)
            elif first == ")":
                self.close_variation(at)
            elif first == "%" and (at == 0 or moves[at - 1] == "\n"):
                pass  # An escaped line.
            elif token in RESULTS:
                if len(self.lines) == 1 and not self.unread:
                    self.visitor.visit_result(RESULTS[token])
            elif self.is_reading:
                self.read_word(token, at)
        self.comments.end()
        if (self.unread or len(self.lines) > 1) and self.text.cut is None and self.text.failure is None:
            self.add_error("a variation is never closed", at=len(moves.rstrip()))

    def add_error(self, reason: str, text: str = "", *, at: int, board: chess.Board | None = None) -> None:
        self.errors.add(reason, text, at=self.errors.moves_at + at, board=board)

    @property
    def is_reading(self) -> bool:
        return not self.unread and self.lines[-1].is_readable

    def read_comment(self, token: str, at: int) -> None:
        if token[0] == "{" and token[-1] != "}" and self.text.cut is None:
            self.add_error("the comment is never closed", token, at=at)
        if self.is_reading:
            self.comments.add(comment_text(token))

    def open_variation(self, at: int) -> None:
        line = self.lines[-1]
        if not self.is_reading or self.errors.is_full:
            self.unread += 1
        elif not line.plies:
            self.add_error("a variation before any move", "(", at=at)
            self.unread = 1
        elif len(self.lines) > MAX_DEPTH:
            self.add_error(f"variations nested deeper than {MAX_DEPTH} are left out", "(", at=at)
            self.unread = 1
        elif self.visitor.begin_variation() is chess.pgn.SKIP:
            self.lines.append(_Line(line.board, is_readable=False))
        else:
            self.variations += 1
            start = line.board.copy(stack=MAX_HISTORY if self.variations <= MAX_HISTORY else 1)
            start.pop()
            self.lines.append(_Line(start))

    def close_variation(self, at: int) -> None:
        if self.unread:
            self.unread -= 1
        elif len(self.lines) > 1:
            self.lines.pop()
            self.visitor.end_variation()
        else:
            self.add_error("closes no variation", ")", at=at)

    def read_word(self, token: str, at: int) -> None:
        """Reads a move or a sign."""
        if token in NAGS:
            self.visitor.visit_nag(NAGS[token])
        elif token[0] == "$" and token != "$":
            self.visitor.visit_nag(int(token[1:]))
        elif _NUMBER.fullmatch(token) and token not in NULL_MOVES:
            pass
        elif len(token) > MAX_TOKEN_SIZE:
            self.add_error("not a move", token, at=at, board=self.lines[-1].board)
            self.lines[-1].is_readable = False
        elif _MOVE_LIKE.match(token) or token in NULL_MOVES:
            self.read_move(_SUFFIX.sub("", token), at)
        elif not _EN_PASSANT.fullmatch(token):
            self.add_error("neither a move nor a sign", token, at=at)

    def read_move(self, san: str, at: int) -> None:
        visitor, line = self.visitor, self.lines[-1]
        board = line.board
        if visitor.begin_parse_san(board, san) is not chess.pgn.SKIP:
            try:
                move = host.parse_san(visitor, board, san)
            except ValueError as error:
                reason = "" if self.errors.is_full else why_refused(error, san, board)
                self.add_error(reason, san, at=at, board=board)
                line.is_readable = False
            else:
                visitor.visit_move(board, move)
                board.push(move)
                line.plies += 1
        visitor.visit_board(board)


def comment_text(token: str) -> str:
    """The text of a comment, as :mod:`chess.pgn` gives it."""
    if token[0] == ";":
        return token[1:].strip()
    return token[1:].removesuffix("}").removeprefix(" ").removesuffix(" ")
