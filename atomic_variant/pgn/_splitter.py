"""Splitting a stream of lines into games."""

from __future__ import annotations

import bisect
import dataclasses
import re
from collections.abc import Generator, Iterable

from .errors import SourceError

MAX_GAME_SIZE = 2**20
"""
The most characters of a game that are kept. What goes beyond is left out with
an error on the game, so that a hostile file cannot fill the memory. The
longest real games, with a comment on every move, stay far below.
"""

# The start of a header, also of one that has lost its quotes if its name is a usual one.
_TAG = re.compile(
    r'\[\s*(?:([A-Za-z0-9][\w+#=:-]*)\s+"|(Event|Site|Date|Round|White|Black|Result|Variant|FEN|SetUp)\b)', re.ASCII
)
_TAG_LINE = re.compile(r'\[\s*([A-Za-z0-9][\w+#=:-]*)\s+"[^\n]*"\s*\]\s*$', re.ASCII)
_TAG_START = r'\[\s*[A-Za-z]\w*\s+"'
# A line that python-chess takes for one header, whatever the value holds.
_ONE_TAG = re.compile(r'\[[A-Za-z0-9][\w+#=:-]*\s+"[^\r\n]*"\s*\]\s*$', re.ASCII)
# A header with something after it on its line.
_AFTER_TAG = re.compile(r'"\s*\]\s*(?=[^\s\]"])')
_TAG_WITHIN_LINE = re.compile(r'\[\s*[A-Za-z0-9][\w+#=:-]*\s+"[^"\n]*"\s*\]\s*', re.ASCII)

_MOVE = r"(?:[NBRQK]?[a-h]?[1-8]?[-x]?[a-h][1-8]|O-O|0-0|--(?!-)|Z0)"
_HAS_MOVE = re.compile(r"(?<!\S)(?:\d+\.+)?" + _MOVE)
_STARTS_WITH_MOVE = re.compile(_MOVE)
_STARTS_WITH_NUMBER_1 = re.compile(rf"1\s?\.\s?(?!\.)(?={_MOVE}|\s*$)")
_NUMBER = re.compile(r"\d\.")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""What ends the moves of a game."""

# A star may also be decoration: "*1. e4".
_AFTER_RESULT = (
    rf"(?:(?:1-0|0-1|1/2-1/2)\s*(?=1\.\s?{_MOVE})|(?<!\S)\*\s+(?=1\.\s?{_MOVE})"
    rf"|(?:1-0|0-1|1/2-1/2|\*)\s*(?={_TAG_START}))"
)
_START_AFTER_RESULT = re.compile(_AFTER_RESULT)
_COMMENT_OR_START = re.compile(rf'\{{[^}}]*\}}?|;[^\n]*|(?:{_AFTER_RESULT}|(?=\[Event\s+"))')
_MARGIN = " \t\ufeff\x1a"  # Indentation, byte order marks, and the end-of-file mark of DOS.
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_COMMENT = re.compile(r"\{[^}]*\}?|;[^\n]*")
_BRACE = re.compile(r"[{}]")


@dataclasses.dataclass(slots=True)
class GameText:
    """The text of one game, uninterpreted: what is sent to other processes."""

    number: int
    """The number of the game in its file, from 1."""
    line: int
    """The line that the text starts on, from 1."""
    stray: str = ""
    """Text before the headers that belongs to no game."""
    headers: str = ""
    moves: str = ""
    source: str | None = None
    """The name of the file."""
    cut: int | None = None
    """The line where the text was cut off, see :data:`MAX_GAME_SIZE`."""
    failure: str | None = None
    """Why the file could not be read on within this game."""
    joints: tuple[int, ...] = ()
    """Which lines of the text stand on the same line of the file as the one before."""

    @property
    def size(self) -> int:
        """The characters of the text."""
        return len(self.stray) + len(self.headers) + len(self.moves)

    def line_at(self, offset: int) -> int:
        """The line of the file that holds *offset* in stray text, headers and moves put together."""
        text = self.stray + self.headers + self.moves
        index = text.count("\n", 0, offset)
        return self.line + index - bisect.bisect_right(self.joints, index)


class Splitter:
    """
    Splits lines into games.

    A game is its headers and moves, whatever blank lines stand between them.
    The next game begins

    * at a header after moves, even within a comment that was never closed:
      one that is closed before another comment begins may hold a game;
    * at an ``Event`` header, or one that the game has already, after a blank
      line, or at a second ``Event`` header anywhere;
    * at move number 1 after a result or a blank line;
    * if the moves have no numbers: at a blank line.

    Text before the first header that contains no move is no game.
    """

    def __init__(self, source: str | None = None, *, game: int = 1, line: int = 1) -> None:
        self.source = source
        self._number = game
        self._line = line - 1
        self._within_line = False
        self._is_whole_line = False
        self._held: list[str] = []  # What may begin a game, or go on with the comment.
        self._held_size = 0
        self._reset()

    def _reset(self) -> None:
        self._start = self._line
        self._parts: list[str] = []
        self._joints: list[int] = []
        self._line_ends = 0
        self._size = 0
        self._headers_at: int | None = None
        self._moves_at: int | None = None
        self._names: set[str] = set()
        self._blank = False
        self._in_comment = False
        self._is_closed = False  # The comment: its end was seen.
        self._numbered = False
        self._has_moves = False
        self._has_result = False
        self._cut: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing that was read stands in a game that is still open."""
        return not (self._parts or self._held or self._within_line)

    @property
    def is_waiting(self) -> bool:
        """Whether it is still open if a comment has ended where a game seems to begin."""
        return bool(self._held)

    @property
    def number(self) -> int:
        """The number of the game that is being read or comes next."""
        return self._number

    def ends_before(self, header: str) -> bool:
        """Whether *header*, a line that holds just one, begins a game and leaves nothing unfinished before it."""
        return not self._within_line and not self._in_comment and (not self._parts or self._begins_game(header))

    @property
    def is_complete(self) -> bool:
        """Whether the game has its result and a blank line after it."""
        return self._has_result and self._blank and not self._in_comment

    @property
    def may_end(self) -> bool:
        """Whether the next line may begin another game."""
        return self._moves_at is not None or self._blank

    @property
    def began_with_line(self) -> bool:
        """Whether the line that was read last is all there is of the game."""
        return self._is_whole_line and self._start == self._line and len(self._parts) == 1

    @property
    def line(self) -> int:
        """The number of the line that was read last."""
        return self._line + sum(piece.endswith("\n") for piece in self._held) if self._held else self._line

    @property
    def size(self) -> int:
        """The characters of the game so far."""
        return self._size + self._held_size

    def restart(self, number: int, line: int) -> None:
        """Forgets what was read after *line*; game *number* begins there."""
        self._number = number
        self._line = line
        self._within_line = False
        self._held, self._held_size = [], 0
        self._reset()

    def forget_line(self) -> None:
        """Takes back the line that was read last, which began the game."""
        self._line -= 1
        self._reset()

    def feed(self, piece: str) -> list[GameText]:
        """
        Takes the next line, or the next piece of a long one.

        Returns the games that have ended before it or within it.
        """
        if self._held:
            return self._hold(piece)
        if self._within_line:
            self._within_line = not piece.endswith("\n")
            self._add(piece)
            if self._moves_at is not None:
                self._see_moves(piece)
            return []
        if "\r" in piece:
            pieces = _LINE.findall(piece.replace("\r\n", "\n").replace("\r", "\n"))
            texts = [text for line in pieces for text in self.feed(line)]
            self._is_whole_line = self._is_whole_line and len(pieces) == 1
            return texts
        parts = self._cut_apart(piece)
        if self._in_comment and self._begins_game(parts[0]):
            return self._hold(piece)
        self._line += 1
        self._within_line = not piece.endswith("\n")
        done: list[GameText] = []
        self._is_whole_line = len(parts) == 1 and not self._within_line
        for index, part in enumerate(parts):
            if self._begins_game(part):
                done.append(self._take())
            self._take_in(part, joined=index > 0)
        return done

    def finish(self, failure: str | None = None) -> list[GameText]:
        """The last games, if there are any."""
        done = self._release() if self._held else []
        if any(not part.isspace() for part in self._parts):
            done.append(self._take(failure))
        return done

    def _hold(self, piece: str) -> list[GameText]:
        """Waits for the next brace: it tells whether a comment has ended or holds what looks like a game."""
        self._held.append(piece)
        self._held_size += len(piece)
        brace = _BRACE.search(piece)
        if brace is None and self.size <= MAX_GAME_SIZE:
            return []
        return self._release(is_closed=brace is not None and brace[0] == "}")

    def _release(self, *, is_closed: bool = False) -> list[GameText]:
        held, self._held, self._held_size = self._held, [], 0
        self._is_closed = is_closed
        done = [] if is_closed else [self._take()]
        for piece in held:
            done += self.feed(piece)
        return done

    # --- Where games begin --------------------------------------------------

    def _begins_game(self, part: str) -> bool:
        """Whether *part* of a line begins a game and ends the one before."""
        if not self._parts or part.isspace():
            return False
        if self._in_comment:
            match = None if self._is_closed else _TAG_LINE.match(part)
            return match is not None and (match[1] == "Event" or self._blank)
        if part[0] == "[" and (tag := _TAG.match(part)):
            return self._header_begins_game(tag[1] or tag[2])
        return self._moves_at is not None and self._moves_begin_game(part)

    def _header_begins_game(self, name: str) -> bool:
        is_known = name in self._names
        if self._moves_at is None:
            is_first = name == "Event"
            is_cut = self._size > MAX_GAME_SIZE  # Its names are not all known.
            return is_first + is_known + is_cut + self._blank >= 2
        if self._has_moves or self._size > MAX_GAME_SIZE:
            return True
        # Text that is no moves may stand between headers, or before them.
        return self._headers_at is not None and (self._has_result or self._blank or is_known)

    def _moves_begin_game(self, part: str) -> bool:
        if not self._has_result and not (self._blank and self._has_moves):
            return False
        if _STARTS_WITH_NUMBER_1.match(part):
            return True
        # A numbered game may go on without a number after a blank line.
        may_go_on = self._numbered and not (self._has_result and self._blank)
        return not may_go_on and _STARTS_WITH_MOVE.match(part) is not None

    def _cut_apart(self, line: str) -> list[str]:
        """*line* in parts that each hold headers or moves of one game."""
        if line[0] in _MARGIN and not self._in_comment:
            line = line.lstrip(_MARGIN) or "\n"
        if line[0] == "%" and not self._in_comment:
            return [line]
        if line[0] == "[" and not self._in_comment:
            if not _AFTER_TAG.search(line) or _ONE_TAG.match(line):
                return [line]
        elif not _START_AFTER_RESULT.search(line) and '[Event "' not in line:
            return [line]
        parts: list[str] = []
        position = 0
        while position < len(line):
            end = self._end_of_part(line, position)
            part = line[position:end].lstrip(" \t")
            if end < len(line):
                part = part.rstrip() + "\n"
            if part and not (parts and part.isspace()):
                parts.append(part)
            position = end
        return parts

    def _end_of_part(self, line: str, position: int) -> int:
        """Where the part of *line* ends that begins at *position*."""
        start = position
        if self._in_comment and position == 0:
            start = line.find("}") + 1
            if not start:
                return len(line)
        elif tag := _TAG_WITHIN_LINE.match(line, position):
            return tag.end()
        for match in _COMMENT_OR_START.finditer(line, start):
            if match.end() > position and match[0][:1] not in ("{", ";"):
                return match.end()
        return len(line)

    # --- What belongs to a game ---------------------------------------------

    def _take_in(self, part: str, *, joined: bool) -> None:
        if part.isspace():
            self._blank = True
            if self._parts:
                self._add(part)
            return
        if not self._parts:
            if part[0] == "%":
                return
            self._start = self._line
        elif joined:
            self._joints.append(self._line_ends)
        if part[0] == "%" and not self._in_comment:
            self._add(part)
            return
        tag = _TAG.match(part) if part[0] == "[" and not self._in_comment else None
        if tag:
            if self._headers_at is None:
                self._headers_at = len(self._parts)
            # What stands between headers, or before them, is no moves.
            self._moves_at = None
            self._has_result = self._numbered = False
            if self._size <= MAX_GAME_SIZE:  # After that every name counts as known.
                self._names.add(tag[1] or tag[2])
        elif self._moves_at is None and not (self._headers_at is not None and part[0] in "[;"):
            self._moves_at = len(self._parts)
        self._blank = False
        self._add(part)
        if self._moves_at is not None:
            self._see_moves(part)

    def _add(self, part: str) -> None:
        self._size += len(part)
        if self._cut is None and self._size <= MAX_GAME_SIZE:
            self._parts.append(part)
            self._line_ends += part.endswith("\n")
        elif self._cut is None and not part.isspace():
            self._cut = self._line

    def _see_moves(self, part: str) -> None:
        """Notes comments, numbers and the result of a part of the moves."""
        if self._in_comment:
            end = part.find("}")
            if end < 0:
                return
            part = part[end + 1 :]
            self._in_comment = self._is_closed = False
        if "{" in part or ";" in part:
            if part.rfind("{") > part.rfind("}"):
                *_, last = _COMMENT.findall(part)
                self._in_comment = last[0] == "{" and last[-1] != "}"
            part = _COMMENT.sub(" ", part)
        part = part.rstrip()
        if part:
            self._has_result = part.endswith(RESULTS)
            self._numbered = self._numbered or _NUMBER.search(part) is not None
            self._has_moves = self._has_moves or _HAS_MOVE.search(part) is not None

    def _take(self, failure: str | None = None) -> GameText:
        headers_at = self._headers_at if self._headers_at is not None else self._moves_at or 0
        moves_at = self._moves_at if self._moves_at is not None else len(self._parts)
        if self._headers_at is None and not (self._has_moves or self._has_result):
            headers_at = moves_at = len(self._parts)
        moves = "".join(self._parts[moves_at:])
        if self._cut is not None:
            moves = moves[: max(moves.rfind(" "), moves.rfind("\n")) + 1]  # No half tokens.
        text = GameText(
            self._number,
            self._start,
            "".join(self._parts[:headers_at]),
            "".join(self._parts[headers_at:moves_at]),
            moves,
            self.source,
            self._cut,
            failure,
            tuple(self._joints),
        )
        self._number += 1
        self._reset()
        return text


def generate_texts(lines: Iterable[str], source: str | None = None) -> Generator[GameText, None, None]:
    """
    Generates the text of every game in *lines*, in order.

    If the lines end in a :exc:`SourceError`, the game that was being read
    comes out with its good part first.
    """
    splitter = Splitter(source)
    failure = None
    try:
        for line in lines:
            yield from splitter.feed(line)
    except SourceError as error:
        failure = error
    yield from splitter.finish(str(failure) if failure else None)
    if failure:
        raise failure
