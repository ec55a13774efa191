"""Interpreting the text of a game: headers and moves, for a visitor of :mod:`chess.pgn`."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import chess
import chess.pgn

from .errors import GameError, shorten
from .game import Game, Headers, Variant, describe_ending
from .text import MAX_GAME_SIZE, GameText

ResultT = TypeVar("ResultT")

MAX_ERRORS = 100
"""The most errors that are kept of one game."""

MAX_DEPTH = 100
"""The deepest nesting of variations that is read."""

MAX_HISTORY = 1000
"""
The most moves on the stack of the board of a variation, and the most
variations of a game whose boards have more than one move there.
"""

MAX_COMMENTS = 100
"""The most comments in a row that a visitor gets one by one; further ones come together."""

MAX_TOKEN_SIZE = 16
"""Characters of the longest move, with room to spare; longer words are no moves."""

HEADER = re.compile(r'^\[([A-Za-z0-9][\w+#=:-]*)\s+"([^\n]*)"\][ \t\r]*$', re.ASCII | re.MULTILINE)
"""A header as it should be. The value is taken as it stands, as by :mod:`chess.pgn`."""

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


def parse_game(text: GameText, visitor: chess.pgn.BaseVisitor[ResultT], *, variant: Variant | None = None) -> ResultT:
    """
    Shows the game in *text* to *visitor*, in the order of :func:`chess.pgn.read_game`.

    What is wrong goes to ``visitor.handle_error()`` as a :exc:`GameError`,
    and the rest of the line that it stands in is skipped: after a move that
    cannot be played, no later move means what it says.
    """
    _Parser(text, visitor, variant).parse()
    return visitor.result()


class _Parser:
    def __init__(self, text: GameText, visitor: chess.pgn.BaseVisitor[Any], variant: Variant | None) -> None:
        self.text = text
        self.visitor = visitor
        self.variant = variant
        self.errors = 0

    def parse(self) -> None:
        visitor = self.visitor
        if visitor.begin_game() is chess.pgn.SKIP:
            visitor.end_game()
            return
        given = visitor.begin_headers()
        headers = given if isinstance(given, Headers) else Headers({})
        if self.variant is not None:
            headers.default_variant = self.variant
        game = getattr(visitor, "game", None)
        if isinstance(game, Game):
            game.number, game.line = self.text.number, self.text.line

        comments = self.read_stray_text()
        self.read_headers(headers)
        if visitor.end_headers() is not chess.pgn.SKIP:
            board = self.set_up(headers)
            if board is not None:
                visitor.visit_board(board)
                for comment in comments:
                    visitor.visit_comment(comment)
                self.read_moves(board)
        if self.text.cut is not None:
            self.error(f"the game is longer than {MAX_GAME_SIZE} characters, the rest is left out", line=self.text.cut)
        if self.text.failure is not None:
            self.error(f"the file ends within the game: {self.text.failure}", offset=len(self.text.moves))
        visitor.end_game()

    def error(
        self,
        reason: str,
        text: str = "",
        *,
        part: str = "moves",
        offset: int = 0,
        line: int | None = None,
        board: chess.Board | None = None,
    ) -> None:
        self.errors += 1
        if self.errors > MAX_ERRORS:
            return
        if line is None:
            offset += {"stray": 0, "headers": len(self.text.stray)}.get(
                part, len(self.text.stray) + len(self.text.headers)
            )
            line = self.text.line_at(offset)
        if self.errors == MAX_ERRORS:
            reason, text, board = "too many errors, the rest is left out", "", None
        self.visitor.handle_error(
            GameError(
                self.text.number,
                line,
                shorten(text),
                reason,
                board.ply() + 1 if board is not None else None,
                board.fen() if board is not None else None,
                self.text.source,
            )
        )

    # --- Before the moves ---------------------------------------------------

    def read_stray_text(self) -> list[str]:
        """The comments before the headers; other text there is an error."""
        comments = []
        is_reported = False
        for token in TOKEN.finditer(self.text.stray):
            if token[1][0] in "{;":
                comments.append(comment_text(token[1]))
            elif token[1][0] != "%" and not is_reported:
                is_reported = True
                line = self.text.stray[token.start(1) :].partition("\n")[0]
                offset = token.start(1)
                self.error("text that is neither a header nor a move", line, part="stray", offset=offset)
        return comments

    def read_headers(self, headers: Headers) -> None:
        offset = 0
        broken = ""
        for line in self.text.headers.split("\n"):
            start, offset = offset, offset + len(line) + 1
            if not line or line[0] in "%;" or line.isspace():
                continue
            if broken and not line.startswith("["):
                line = f"{broken} {line}"
            elif broken:
                self.error("not a header", broken, part="headers", offset=start - 1)
            broken = ""
            match = HEADER.match(line.rstrip()) or _LENIENT_HEADER.fullmatch(line.rstrip())
            if match:
                self.visitor.visit_header(match[1], match[2])
                headers[match[1]] = match[2]
            elif match := _UNQUOTED_HEADER.fullmatch(line):
                self.visitor.visit_header(match[1], match[2].strip())
                headers[match[1]] = match[2].strip()
                self.error("a header without quotes", line, part="headers", offset=start)
            elif line.count('"') == 1 and len(line) < 1000:
                broken = line.rstrip()  # Goes on in the next line, perhaps.
            else:
                self.error("not a header", line, part="headers", offset=start)
        if broken:
            self.error("not a header", broken, part="headers", offset=max(offset - 1, 0))

    def set_up(self, headers: Headers) -> chess.Board | None:
        """The starting position, if the headers allow to tell it."""
        try:
            headers.variant()
        except ValueError:
            name, source = headers._conclude()
            self.error(
                f"unknown variant in the {source}", str(name), part="headers", offset=self.find_header("Variant")
            )
            return None
        try:
            return headers.board()
        except ValueError as error:
            offset = self.find_header("FEN")
            self.error(f"invalid FEN: {shorten(str(error))}", headers["FEN"], part="headers", offset=offset)
            return None

    def find_header(self, name: str) -> int:
        return max(0, self.text.headers.find(f"[{name}"))

    # --- Moves --------------------------------------------------------------

    def read_moves(self, board: chess.Board) -> None:
        visitor = self.visitor
        lines: list[_Line] = [_Line(board)]  # The main line and the variations that are open.
        unread = 0  # Open parentheses within what is not read.
        comments: list[str] = []
        in_a_row = variations = 0
        for match in TOKEN.finditer(self.text.moves):
            token = match[1]
            first = token[0]
            line = lines[-1]
            reading = line.is_readable and not unread
            if comments and first not in "{;":
                visitor.visit_comment(" ".join(filter(None, comments)))
                comments.clear()
            in_a_row = in_a_row + 1 if first in "{;" else 0
            if first in "{;":
                if first == "{" and token[-1] != "}" and self.text.cut is None:
                    self.error("the comment is never closed", token, offset=match.start(1))
                if reading and in_a_row > MAX_COMMENTS:
                    comments.append(comment_text(token))
                elif reading:
                    visitor.visit_comment(comment_text(token))
            elif first == "%" and (match.start(1) == 0 or self.text.moves[match.start(1) - 1] == "\n"):
                pass  # An escaped line.
            elif first == "(":
                problem = None
                if not reading:
                    unread += 1
                elif not line.plies:
                    problem = "a variation before any move"
                elif len(lines) > MAX_DEPTH:
                    problem = f"variations nested deeper than {MAX_DEPTH} are left out"
                elif visitor.begin_variation() is chess.pgn.SKIP:
                    lines.append(_Line(board, is_readable=False))
                else:
                    variations += 1
                    start = line.board.copy(stack=MAX_HISTORY if variations <= MAX_HISTORY else 1)
                    start.pop()
                    lines.append(_Line(start))
                if problem:
                    self.error(problem, token, offset=match.start(1))
                    unread = 1
            elif first == ")":
                if unread:
                    unread -= 1
                elif len(lines) > 1:
                    lines.pop()
                    visitor.end_variation()
                else:
                    self.error("closes no variation", token, offset=match.start(1))
            elif token in RESULTS:
                if len(lines) == 1 and not unread:
                    visitor.visit_result(RESULTS[token])
            elif reading:
                self.read_word(token, line, match.start(1))
        if comments:
            visitor.visit_comment(" ".join(filter(None, comments)))
        if (unread or len(lines) > 1) and self.text.cut is None and self.text.failure is None:
            self.error("a variation is never closed", offset=len(self.text.moves.rstrip()))

    def read_word(self, token: str, line: _Line, offset: int) -> None:
        """Reads a move or a sign in *line*."""
        if token in NAGS:
            self.visitor.visit_nag(NAGS[token])
        elif token[0] == "$" and token != "$":
            self.visitor.visit_nag(int(token[1:]))
        elif _NUMBER.fullmatch(token) and token not in NULL_MOVES:
            pass
        elif len(token) > MAX_TOKEN_SIZE:
            self.error("not a move", token, offset=offset, board=line.board)
            line.is_readable = False
        elif _MOVE_LIKE.match(token) or token in NULL_MOVES:
            self.read_move(_SUFFIX.sub("", token), line, offset)
        elif not _EN_PASSANT.fullmatch(token):
            self.error("neither a move nor a sign", token, offset=offset)

    def read_move(self, san: str, line: _Line, offset: int) -> None:
        visitor, board = self.visitor, line.board
        if visitor.begin_parse_san(board, san) is not chess.pgn.SKIP:
            try:
                move = visitor.parse_san(board, san)
            except ValueError as error:
                reason = _reason(error, board) if self.errors < MAX_ERRORS else ""
                self.error(reason, san, offset=offset, board=board)
                line.is_readable = False
            else:
                visitor.visit_move(board, move)
                board.push(move)
                line.plies += 1
        visitor.visit_board(board)


class _Line:
    """The main line or a variation, while it is being read."""

    __slots__ = ("board", "is_readable", "plies")

    def __init__(self, board: chess.Board, *, is_readable: bool = True) -> None:
        self.board = board
        self.plies = 0
        self.is_readable = is_readable


def comment_text(token: str) -> str:
    """The text of a comment, as :mod:`chess.pgn` gives it."""
    if token[0] == ";":
        return token[1:].strip()
    return token[1:].removesuffix("}").removeprefix(" ").removesuffix(" ")


def _reason(error: ValueError, board: chess.Board) -> str:
    """Why a move cannot be played, in words."""
    if isinstance(error, chess.InvalidMoveError):
        return "not a move"
    if isinstance(error, chess.AmbiguousMoveError):
        return "more than one piece can make this move"
    if not isinstance(error, chess.IllegalMoveError):
        return shorten(str(error))
    ending = None if any(board.generate_legal_moves()) else describe_ending(board)
    if ending:
        return f"a move after the end of the game: {ending}"
    reason = str(error).partition(f" in {board.fen()}: ")[2]  # Our boards give one.
    return f"illegal move: {reason}" if reason else "illegal move"
