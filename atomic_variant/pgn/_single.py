"""
Reading one game at a time from a handle that others may read too.

After each game the handle stands where :mod:`chess.pgn` leaves it, although what
a game is shows only in what follows it: that is read, and then gone back over.
"""

from __future__ import annotations

import dataclasses
import io
import weakref
from collections.abc import Callable
from typing import Any, TextIO, TypeAlias

import chess
import chess.pgn

from . import _reading
from ._source import as_text, read_piece, source_name
from ._splitter import MAX_GAME_SIZE, RESULTS, GameText, Splitter
from .game import Game, GameBuilder


def read_game(
    handle: TextIO, visitor: Callable[[], chess.pgn.BaseVisitor[Any]], *, variant: type[chess.Board] | None
) -> Any:
    """As :func:`atomic_variant.pgn.read_game`."""
    place = _place(handle)
    if visitor is GameBuilder and (game := _read_plain(handle, place, variant)):
        return game
    text = _read_text(handle, place)
    place.position = _tell(handle)
    if text is None:
        return None
    return _reading.visit(text, visitor, variant=variant)


# --- Any game ------------------------------------------------------------------


def _read_text(handle: TextIO, place: _Place) -> GameText | None:
    """The text of the next game."""
    splitter = place.splitter
    mark: _Mark = (None, 0, 0)
    while not place.texts:
        position = _tell(handle) if place.returns and splitter.may_end else None
        if splitter.is_complete:
            if place.position is None:
                break  # Who writes into a pipe may be waiting.
            line = splitter.line
            while (piece := read_piece(handle)) and piece.isspace():
                splitter.feed(piece)
            mark = position, line, splitter.size
            place.texts += splitter.feed(as_text(piece)) if piece else splitter.finish()
            _go_back(handle, place, mark)
            continue  # Text after the result may belong to the game.
        is_waiting = splitter.is_waiting
        if not is_waiting:
            mark = position, splitter.line, splitter.size
        piece = read_piece(handle)
        if not piece:
            break
        place.texts += splitter.feed(as_text(piece))
        if is_waiting:
            _go_back(handle, place, mark)
        if len(place.texts) == 1 and position is not None and splitter.began_with_line:
            handle.seek(position)
            splitter.forget_line()  # The handle stands before the next game again.
    if not place.texts:
        is_waiting = splitter.is_waiting
        place.texts += splitter.finish()
        if is_waiting:
            _go_back(handle, place, mark)
    return place.texts.pop(0) if place.texts else None


_Mark: TypeAlias = tuple[int | None, int, int]
"""A position of a handle, the line there, and the characters of the game before it."""


def _go_back(handle: TextIO, place: _Place, mark: _Mark) -> None:
    """Leaves what was read since *mark* to be read again, if the game that has ended took nothing of it."""
    position, line, size = mark
    if position is not None and place.texts and place.texts[0].size <= size:
        handle.seek(position)
        place.splitter.restart(place.texts[0].number + 1, line)
        del place.texts[1:]


# --- Games that the kernel takes as they stand -----------------------------------


def _read_plain(handle: TextIO, place: _Place, variant: type[chess.Board] | None) -> Game | None:
    """The next game if it is a usual one, by the kernel; otherwise nothing is read."""
    start = place.position
    if start is None or not place.returns or place.texts or not place.splitter.is_empty:
        return None
    lines: list[str] = []
    position = None
    size = moves = 0
    while piece := read_piece(handle):
        lines.append(piece)
        size += len(piece)
        if size > MAX_GAME_SIZE:
            break
        if piece not in _BLANK_LINES:
            moves += piece[0] != "["
        elif moves:
            position = _tell(handle)
            break
    count = len(lines)
    is_marked = count > 1 and lines[-1 - (position is not None)].rstrip().endswith(RESULTS)
    while piece and size <= MAX_GAME_SIZE:
        piece = read_piece(handle)
        if piece not in _BLANK_LINES:
            break
        lines.append(piece)
        size += len(piece)
        if not is_marked:  # The game may go on here.
            position, count = _tell(handle), len(lines)
    splitter = place.splitter
    text = GameText(splitter.number, splitter.line + 1, moves=as_text("".join(lines)), source=splitter.source)
    game = _reading.visit_plain(text, as_text(piece), variant=variant) if size <= MAX_GAME_SIZE and moves else None
    if game is None:
        handle.seek(start)
        return None
    if position is not None:
        handle.seek(position)
    splitter.restart(text.number + 1, splitter.line + count)
    place.position = _tell(handle) if position is None else position
    return game


_BLANK_LINES = ("\n", "\r\n")


# --- Handles -------------------------------------------------------------------


@dataclasses.dataclass(slots=True)
class _Place:
    """Where :func:`read_game` stopped in a handle."""

    splitter: Splitter
    position: int | None
    returns: bool
    """Whether the handle can be moved back. If not, what was read too much is kept here."""
    texts: list[GameText] = dataclasses.field(default_factory=list)


_PLACES: weakref.WeakKeyDictionary[TextIO, _Place] = weakref.WeakKeyDictionary()


def _place(handle: TextIO) -> _Place:
    """The place in *handle*, a new one if somebody else has moved on or back."""
    position = _tell(handle)
    try:
        place = _PLACES.get(handle)
        if place is not None and place.position == position:
            return place
        place = _PLACES[handle] = _new_place(handle, position)
    except TypeError:  # A handle that cannot be remembered.
        place = _new_place(handle, position)
    return place


def _new_place(handle: TextIO, position: int | None) -> _Place:
    return _Place(Splitter(source_name(handle)), position, position is not None and _returns(handle))


def _returns(handle: TextIO) -> bool:
    """
    Whether *handle* comes back to a position exactly, and at once.

    Those of :mod:`codecs` tell where the bytes are that they will read next,
    and compressed ones read everything again from the start.
    """
    if isinstance(handle, io.StringIO):
        return True
    text = getattr(handle, "file", handle)  # As in the wrappers of tempfile.
    if not isinstance(text, io.TextIOWrapper):
        return False
    return isinstance(getattr(text.buffer, "raw", text.buffer), io.FileIO | io.BytesIO)


def _tell(handle: TextIO) -> int | None:
    try:
        return handle.tell()
    except (AttributeError, OSError):  # A pipe, or a bare reader of lines.
        return None
