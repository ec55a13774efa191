"""Writing games anew: clean PGN of whatever stood in a file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TypeAlias

import chess
import chess.pgn

from ._reading import generate_written
from ._source import Source
from ._texts import generate_parts
from .game import Game, KeepingBuilder, Variant, resolve_variant
from .record import Record

Written: TypeAlias = tuple[Record | Game, str]
"""A game and its text."""

_START_TAGS = ("FEN", "SetUp", "Variant")
_MAX_REMEMBERED = 4096


def write_games(source: Source, *, variant: Variant | None = None) -> Iterator[Written]:
    """
    Generates the games of *source*, each with its text as :func:`write_game` gives it.

    Games without variations come as records: that is many times faster. For
    *source* and *variant* see :func:`atomic_variant.pgn.read_games`.

    >>> import io
    >>> for game, text in write_games(io.StringIO('[Variant "atomic"]\\n\\n1.e2e4 e5?? ; so\\n 0-1')):
    ...     print(text.splitlines()[-1])
    1. e4 e5 $4 { so } 0-1
    """
    board_class = resolve_variant(variant)
    writer = _HeaderWriter(board_class)
    for part in generate_parts(source):
        for item in generate_written(part, variant=board_class, builder=KeepingBuilder):
            if isinstance(item, Game):
                yield item, write_game(item)
            else:
                record, moves = item
                yield record, f"{writer.write(record)}\n{moves}{record.result}"


def write_game(game: Game) -> str:
    """The text of a game; as it stood where it could not be played at all."""
    if game.unread is not None:
        return game.unread
    _name_variant(game)
    return str(game)


def _name_variant(game: Game) -> None:
    """Writes the variant and the starting position into the headers as every program reads them."""
    with contextlib.suppress(ValueError):  # Headers that nobody understands stay as they are.
        board = game.headers.board()
        if type(board) is not chess.Board:
            game.setup(board)


class _HeaderWriter:
    """Writes the headers of records as :class:`Game` does; those that tell of the start once for many games."""

    def __init__(self, variant: type[chess.Board] | None) -> None:
        self.variant = variant
        self.roster = dict(Game().headers)
        self.known: dict[object, dict[str, str]] = {}
        """The headers of the start as they should be, by what the record says of it."""

    def write(self, record: Record) -> str:
        headers = self.roster | record.headers
        headers["Result"] = record.result
        key = (record.variant, record.fen, record.chess960, *map(headers.get, _START_TAGS))
        start = self.known.get(key)
        if start is None:
            start = self.start_of(record)
            if len(self.known) >= _MAX_REMEMBERED:
                self.known.clear()
            self.known[key] = start
        for tag in _START_TAGS:
            if tag not in start:
                headers.pop(tag, None)
        headers |= start
        return "".join([f'[{tag} "{value}"]\n' for tag, value in headers.items()])

    def start_of(self, record: Record) -> dict[str, str]:
        game = Game(record.headers)
        if self.variant is not None:
            game.headers.default_variant = self.variant
        _name_variant(game)
        return {tag: value for tag, value in game.headers.items() if tag in _START_TAGS}
