"""
Reading the games of one source: the only place that chooses between the compiled kernel and Python.

A source here is one file or one handle; a *variant* is a board class, for
games whose headers name none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import chess
import chess.pgn

from .. import host
from ..kernel import kernel
from . import _bulk
from ._parser import parse_game
from ._source import Source, generate_lines, source_name
from ._splitter import GameText, generate_texts
from .arrays import Part, part_of_record
from .game import Game, GameBuilder
from .record import Record, read_record, read_tree

BoardClass: TypeAlias = type[chess.Board]
Piece: TypeAlias = _bulk.Slice | GameText
"""Many games as they stand in their file, or one that needs a closer look."""


def generate_games(
    source: Source, *, variant: BoardClass | None, builder: Callable[[], GameBuilder] = GameBuilder
) -> Iterator[Game]:
    """The games as trees, those that are not usual made by *builder*."""
    if kernel is not None:
        return _bulk.read_games(source, variant=variant, builder=builder)
    return (read_tree(text, variant=variant, builder=builder) for text in _generate_texts(source))


def generate_records(source: Source, *, comments: bool = False, variant: BoardClass | None) -> Iterator[Record]:
    """The games as records."""
    if kernel is not None:
        return _bulk.scan(source, comments=comments, variant=variant)
    return (read_record(text, comments=comments, variant=variant) for text in _generate_texts(source))


def generate_columns(source: Source, *, variant: BoardClass | None) -> Iterator[Part]:
    """The games as parts of arrays."""
    if kernel is not None:
        return _bulk.generate_parts(source, variant=variant)
    return map(part_of_record, generate_records(source, variant=variant))


def generate_written(
    source: Source, *, variant: BoardClass | None, builder: Callable[[], GameBuilder]
) -> Iterator[Game | tuple[Record, str]]:
    """The games as trees or, where that is possible, as records with the text of their moves."""
    if kernel is not None and not host.has_lists_of_comments():
        return _bulk.write_games(source, variant=variant, builder=builder)
    return generate_games(source, variant=variant, builder=builder)


def open_pieces(
    source: Source, *, comments: bool = False, variant: BoardClass | None
) -> tuple[Iterator[Any], _bulk.Reader[Any] | None]:
    """The games as text, many in a piece, and what says how many and in which form if the kernel reads."""
    if kernel is None:
        return _generate_texts(source), None
    reader: _bulk.Reader[Any] = _bulk.Reader(source, "places", lambda text: text, comments=comments, variant=variant)
    return reader.generate(), reader


def records_of(piece: Piece, *, comments: bool, variant: BoardClass | None) -> Iterator[Record]:
    """The games of a piece as records."""
    if isinstance(piece, _bulk.Slice) and kernel is not None:
        return piece.read_records(comments=comments, variant=variant)
    return (read_record(text, comments=comments, variant=variant) for text in _texts_of(piece))


def games_of(piece: Piece, *, variant: BoardClass | None) -> Iterator[Game]:
    """The games of a piece as trees."""
    if isinstance(piece, _bulk.Slice) and kernel is not None:
        return piece.read_games(variant=variant)
    return (read_tree(text, variant=variant) for text in _texts_of(piece))


def visit(text: GameText, visitor: Callable[[], chess.pgn.BaseVisitor[Any]], *, variant: BoardClass | None) -> Any:
    """What the *visitor* of one game makes of it."""
    if visitor is GameBuilder:
        return visit_plain(text, variant=variant) or read_tree(text, variant=variant)
    return parse_game(text, visitor(), variant=variant)


def visit_plain(text: GameText, next_line: str = "", *, variant: BoardClass | None) -> Game | None:
    """The game of *text* if the kernel sees one game there and no more, *next_line* apart."""
    if kernel is None or text.stray or text.cut or text.failure or text.joints:
        return None
    return _bulk.read_game(text, next_line, variant=variant)


def _generate_texts(source: Source) -> Iterator[GameText]:
    return generate_texts(generate_lines(source), source_name(source))


def _texts_of(piece: Piece) -> Iterator[GameText]:
    return iter([piece]) if isinstance(piece, GameText) else piece.texts()
