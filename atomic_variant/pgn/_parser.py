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
from ._results import header_result, normal_result
from ._splitter import MAX_GAME_SIZE, GameText
from ._words import CASTLING, DASHES, NAGS, O_LETTERS, ORDINARY, Kind, take_apart
from .errors import TEXT_LIMIT, GameError, Severity
from .game import GameBuilder, Headers, KeepingBuilder

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

HEADER = re.compile(r'^\[([A-Za-z0-9][\w+#=:-]*)\s+"([^\n]*)"\][ \t\r]*$', re.ASCII | re.MULTILINE)
"""A header as it should be. The value is taken as it stands, as by :mod:`chess.pgn`."""

MAX_MOVE_SIZE = 16
"""Characters of the longest ordinary move, with room to spare."""

MAX_NAG = 255
"""The highest number of a sign."""

_MAX_FALSE_SIGNS = 10  # Signs of check and mate that are told to be false, of one game.
_MAX_NAG_SIZE = 10  # Characters of a sign with leading zeros.
_MAX_SIGNS = 16  # Of ! and ? in a row that are read.
_MAX_BROKEN_SIZE = 1000  # Characters of the longest header that is sought on two lines.

_UNQUOTED_HEADER = re.compile(r'\[\s*([A-Za-z]+)\s++([^"\]]*+)\]\s*', re.ASCII)
_LENIENT_HEADER = re.compile(r'\[\s*([A-Za-z0-9][\w+#=:-]*)\s*"(.*)"\s*(?:\]\s*)?', re.ASCII | re.DOTALL)

_POINT = rf"(?:1/2|[1½{O_LETTERS}])"
_DASH = rf"[:\-{DASHES}]"
# "1/2 - 1/2", "O - O": the only words with blanks in them.
_SPACED = rf"(?<!\S){_POINT}(?=[ \t]*{_DASH}[ \t]|[ \t]+{_DASH})(?:[ \t]*{_DASH}[ \t]*{_POINT}){{1,2}}(?!\S)"
TOKEN = re.compile(
    # No number: "0.5-0.5", "0.00".
    rf"(?:(?!0\.5\s*{_DASH})\d+\.+(?!\d(?![-/{DASHES}]))\s*)?"
    rf"(\{{[^}}]*\}}?|;[^\n]*|\(=\)|[()}}]|\$\d+|[!?]+|(?m:^)%[^\n]*|{_SPACED}"
    r"|[^\s(){};$!?]+(?:(?:(?<=[a-h][18])|(?<=[a-h][18]=))\([NBRQ]\)[+#]*)?|\$)"
)
"""A token of the moves, without the move number before it."""

_NUMBER = re.compile(r"(\d{1,6})\.(\s*(?:\.|…))?")
_BLANKS = re.compile(r"\s+")


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
    given_result = _read_headers(text, visitor, errors, headers)
    if visitor.end_headers() is not chess.pgn.SKIP:
        board = _set_up(text, errors, headers)
        if board is not None:
            visitor.visit_board(board)
            for comment in comments:
                visitor.visit_comment(comment)
            reader = _MoveReader(text, visitor, errors, board)
            reader.read()
            _compare_results(text, errors, given_result, reader)
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
        self,
        reason: str,
        text: str = "",
        *,
        at: int = 0,
        line: int | None = None,
        board: chess.Board | None = None,
        severity: Severity = "lost",
    ) -> None:
        """An error at a place in the text or on a *line* of the file, and before a faulty move the *board*."""
        if self.is_full:
            return
        self.count += 1
        if self.count == MAX_ERRORS:
            reason, text, board = "too many errors: further ones and further variations are left out", "", None
            severity = "lost"
        error = GameError(
            self.text.number,
            self.text.line_at(at) if line is None else line,
            one_line(text, TEXT_LIMIT),
            reason,
            board.ply() + 1 if board is not None else None,
            board.fen() if board is not None else None,
            self.text.source,
            severity,
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
            errors.add("text that is neither a header nor a move", line, at=match.start(1), severity="odd")
            is_reported = True
    return comments


def _read_headers(text: GameText, visitor: chess.pgn.BaseVisitor[Any], errors: _Errors, headers: Headers) -> str:
    """Shows the headers to *visitor* and puts them into *headers*; returns the ``Result`` as it stands there."""
    result = "*"
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
            errors.add("a header without quotes", line, at=start, severity="odd")
        elif line.count('"') == 1 and len(line) < _MAX_BROKEN_SIZE:
            broken, broken_at = line, start  # Goes on in the next line, perhaps.
            continue
        else:
            errors.add("not a header", line, at=start)
            continue
        headers[name] = value
        visitor.visit_header(name, value)
        if name == "Result":
            result = value
    if broken:
        errors.add("not a header", broken, at=broken_at)
    return result


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


def _compare_results(text: GameText, errors: _Errors, value: str, reader: _MoveReader) -> None:
    """Finds a ``Result`` header that is none, or that the result after the moves contradicts."""
    given = header_result(value)
    if given is None:
        errors.add("not a result", value, at=_find_header(text, errors, "Result"), severity="odd")
    elif "*" not in (given, reader.result) and given != reader.result:
        reason = f"contradicts the Result header, {given}"
        errors.add(reason, reader.result, at=errors.moves_at + reader.result_at, severity="wrong")


# --- Moves ------------------------------------------------------------------


class _Line:
    """The main line or a variation, while it is being read."""

    __slots__ = ("board", "doubt", "is_readable", "plies", "shift", "unread_at")

    def __init__(self, board: chess.Board, *, is_readable: bool = True, shift: int = 0) -> None:
        self.board = board
        self.plies = 0
        self.is_readable = is_readable
        """False after a faulty move, or if the visitor skips the variation."""
        self.shift = shift
        """By how many plies the move numbers are ahead of the board."""
        self.doubt = False
        """Whether a word that was left out may have been a move; the next number tells."""
        self.unread_at: int | None = None
        """Where the text begins that is not read."""


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
        self.prose: tuple[int, int] | None = None  # Where words stand that are no part of a game.
        self.result = "*"
        self.result_at = 0
        self.shifts = first_shifts(board)
        self.is_misnumbered = False
        self.false_signs = 0

    def read(self) -> None:
        moves = self.text.moves
        for match in TOKEN.finditer(moves):
            token = match[1]
            first = token[0]
            at = match.start(1)
            if at > match.start() and self.is_reading:
                self.see_number(moves[match.start() : at + 3], match.start())  # "2. ...e5" is Black's.
            if first in "{;":
                self.read_comment(token, at)
                continue
            if self.comments:
                self.comments.end()
            if first == "(" and token != "(=)":
                self.open_variation(at)
            elif first == ")":
                self.close_variation(at)
            elif first == "%" and (at == 0 or moves[at - 1] == "\n"):
                pass  # An escaped line.
            elif (word := ORDINARY.match(token)) and first != "0":
                if self.is_reading:
                    self.read_move(word[1], at, token)
            elif result := self.find_result(token, at):
                self.read_result(result, at)
            elif self.is_reading:
                self.read_word(token, at, is_numbered=at > match.start())
        self.comments.end()
        self.end_prose()
        self.keep_unread(len(moves))
        if (self.unread or len(self.lines) > 1) and self.text.cut is None and self.text.failure is None:
            self.add_error("a variation is never closed", at=len(moves.rstrip()), severity="odd")

    def add_error(
        self,
        reason: str,
        text: str = "",
        *,
        at: int,
        board: chess.Board | None = None,
        severity: Severity = "lost",
    ) -> None:
        self.errors.add(reason, text, at=self.errors.moves_at + at, board=board, severity=severity)

    @property
    def is_reading(self) -> bool:
        return not self.unread and self.lines[-1].is_readable

    def read_comment(self, token: str, at: int) -> None:
        self.end_prose()
        if token[0] == "{" and token[-1] != "}" and self.text.cut is None:
            self.add_error("the comment is never closed", token, at=at)
        if self.is_reading:
            self.comments.add(comment_text(token))

    def open_variation(self, at: int) -> None:
        self.end_prose()
        line = self.lines[-1]
        if not self.is_reading or self.errors.is_full:
            self.unread += 1
        elif not line.plies:
            self.add_error("a variation before any move", "(", at=at)
            self.unread, line.unread_at = 1, at
        elif len(self.lines) > MAX_DEPTH:
            self.add_error(f"variations nested deeper than {MAX_DEPTH} are left out", "(", at=at)
            self.unread, line.unread_at = 1, at
        elif self.visitor.begin_variation() is chess.pgn.SKIP:
            self.lines.append(_Line(line.board, is_readable=False))
        else:
            self.variations += 1
            start = line.board.copy(stack=MAX_HISTORY if self.variations <= MAX_HISTORY else 1)
            start.pop()
            self.lines.append(_Line(start, shift=line.shift))

    def close_variation(self, at: int) -> None:
        self.end_prose()
        if self.unread:
            self.unread -= 1
            if self.is_reading:
                self.keep_unread(at + 1)
        elif len(self.lines) > 1:
            self.keep_unread(at)
            self.lines.pop()
            self.visitor.end_variation()
        elif not self.text.moves[:at][-1:].isdigit():  # "1)" is a number.
            self.add_error("closes no variation", ")", at=at, severity="odd")

    def see_number(self, text: str, at: int) -> None:
        """Looks whether a move is missing before the move number in *text*, where that is possible."""
        line = self.lines[-1]
        shift = find_shift(text, line.board)
        if shift is None:
            return
        number = f"{text.partition('.')[0]}."
        if line.doubt and shift != line.shift:
            self.end_prose()
            self.stop("a move is missing before this number", number, at)
        elif len(self.lines) == 1 and shift not in self.shifts and not self.is_misnumbered:
            self.is_misnumbered = True
            self.add_error("the number of another move", number, at=at, severity="odd")
        if len(self.lines) == 1:
            self.shifts = {shift}
        line.shift = shift
        line.doubt = False

    def find_result(self, token: str, at: int) -> str | None:
        """The result that *token* means, if it is not castling."""
        result = normal_result(token)
        if result == "*" != token and CASTLING.search(_BLANKS.sub("", token)):
            # With zeros it may mean that both have lost, if the game ends here.
            is_last = "0" in token and not self.text.moves[at + len(token) :].strip()
            if not is_last or (self.is_reading and _is_legal(self.lines[-1].board, "O-O")):
                return None
        return result

    def read_result(self, result: str, at: int) -> None:
        if len(self.lines) > 1 or self.unread:
            return
        self.end_prose()
        if self.result == "*":
            self.result, self.result_at = result, at
        self.visitor.visit_result(result)

    def read_word(self, token: str, at: int, *, is_numbered: bool) -> None:
        """Reads a word that is no ordinary move."""
        if token[0] == "$":
            self.read_nag(token, at)
        elif token[0] in "!?":
            self.end_prose()
            for start in range(0, min(len(token), _MAX_SIGNS), 2):  # As by chess.pgn.
                self.visitor.visit_nag(NAGS[token[start : start + 2]])
        elif token == "}":
            self.read_prose(token, at, 0, is_numbered=False)
        elif token == "(=)":
            self.add_error("a draw offer", token, at=at, severity="odd")
        else:
            for part in take_apart(_BLANKS.sub("", token), self.lines[-1].board):
                if not self.is_reading:
                    break
                if part.kind is Kind.PROSE:
                    self.read_prose(token, at, part.value, is_numbered=is_numbered)
                elif part.kind is Kind.MOVE:
                    self.read_move(part.text, at)
                elif part.kind is Kind.SIGN:
                    self.end_prose()
                    self.visitor.visit_nag(part.value)
                elif part.kind is Kind.OFFER:
                    self.add_error("a draw offer", token, at=at, severity="odd")
                else:
                    self.stop("not a move", token, at)

    def read_nag(self, token: str, at: int) -> None:
        self.end_prose()
        if token == "$":
            self.add_error("a sign without number", token, at=at, severity="odd")
        elif len(token) > _MAX_NAG_SIZE or int(token[1:]) > MAX_NAG:
            self.add_error("there is no such sign", token, at=at, severity="odd")
        else:
            self.visitor.visit_nag(int(token[1:]))

    def read_prose(self, token: str, at: int, likeness: int, *, is_numbered: bool) -> None:
        """Leaves out a word; *likeness* to a move is that of :attr:`Kind.PROSE`."""
        if likeness > 1 and is_numbered:
            self.stop("not a move", token, at)
            return
        self.lines[-1].doubt |= likeness > 0
        self.prose = (self.prose[0] if self.prose else at, at + len(token))

    def end_prose(self) -> None:
        """Tells what words were left out."""
        if self.prose:
            start, end = self.prose
            self.prose = None
            self.add_error("neither a move nor a sign", self.text.moves[start:end], at=start, severity="odd")

    def stop(self, reason: str, token: str, at: int) -> None:
        """Ends the line: no later move means what it says."""
        self.end_prose()
        line = self.lines[-1]
        self.add_error(reason, token, at=at, board=line.board)
        line.is_readable, line.unread_at = False, at

    def keep_unread(self, end: int) -> None:
        """Hands over what was not read of a line up to *end*, to a visitor that passes it on."""
        line = self.lines[-1]
        if line.unread_at is not None and isinstance(self.visitor, KeepingBuilder):
            self.visitor.visit_unread(self.text.moves[line.unread_at : end])
        line.unread_at = None

    def read_move(self, san: str, at: int, token: str = "") -> None:
        """Plays a move; *token* is the word as it stands, with its sign of check or mate."""
        self.end_prose()
        visitor, line = self.visitor, self.lines[-1]
        board = line.board
        san = _castling(san, board) or san
        if visitor.begin_parse_san(board, san) is not chess.pgn.SKIP:
            try:
                move = host.parse_san(visitor, board, san)
            except ValueError as error:
                self.stop("" if self.errors.is_full else why_refused(error, board), san, at)
            else:
                visitor.visit_move(board, move)
                board.push(move)
                line.plies += 1
                if token[-1:] in ("+", "#") and len(self.lines) == 1 and (reason := false_sign(board, token)):
                    self.false_signs += 1
                    if self.false_signs <= _MAX_FALSE_SIGNS:
                        board.pop()
                        self.add_error(reason, token, at=at, board=board, severity="wrong")
                        board.push(move)
        visitor.visit_board(board)


def comment_text(token: str) -> str:
    """The text of a comment, as :mod:`chess.pgn` gives it."""
    if token[0] == ";":
        return token[1:].strip()
    return token[1:].removesuffix("}").removeprefix(" ").removesuffix(" ")


def first_shifts(board: chess.Board) -> set[int]:
    """What :func:`find_shift` may give at first: numbers count on from the *board*'s, or from 1."""
    return {0, -2 * (board.fullmove_number - 1)}


def find_shift(text: str, board: chess.Board) -> int | None:
    """By how many plies the move number at the start of *text* is ahead of the *board*."""
    match = _NUMBER.match(text)
    if match is None:
        return None
    return 2 * (int(match[1]) - board.fullmove_number) + bool(match[2]) - (board.turn == chess.BLACK)


def false_sign(board: chess.Board, token: str) -> str | None:
    """What is false about the sign after the move that led to *board*. None is missed, and no "++" is judged."""
    if token[-2] in "+#" or board.is_variant_end():
        return None
    if token[-1] == "#":
        if not any(board.legal_moves) and (board.is_check() or board.is_variant_loss() or board.is_variant_win()):
            return None
        return "is no mate"
    # Where there is no check, the sign tells that a king is attacked.
    return None if not getattr(board, "has_checks", True) or board.is_check() else "gives no check"


def _is_legal(board: chess.Board, san: str) -> bool:
    try:
        board.parse_san(san)
    except ValueError:
        return False
    return True


_LONG_KING_MOVE = re.compile(r"K([a-h][18])-?([a-h][18])")


def _castling(san: str, board: chess.Board) -> str | None:
    """Castling that is written as a move of the king with both squares, in its own words."""
    match = _LONG_KING_MOVE.fullmatch(san)
    if match is None:
        return None
    origin, target = map(chess.parse_square, match.groups())
    if abs(chess.square_file(origin) - chess.square_file(target)) < 2 or board.king(board.turn) != origin:
        return None
    try:
        return board.san(board.find_move(origin, target))
    except ValueError:
        return None
