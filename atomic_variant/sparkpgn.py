"""Games of Spark Chess for the PGN reader of python-chess."""

from __future__ import annotations

import re
from typing import Protocol

from . import dialects
from .spark import SparkBoard

_VARIANT_HEADER = re.compile(r'\s*\[\s*Variant\s+"([^"]*)"')
_SPARK_MOVE_OR_COMMENT = re.compile(r"\b([NBRQK]?[a-h][1-8])>([a-h][1-8])\b|[{};]")


class _Readable(Protocol):
    def readline(self) -> str: ...


class SparkReader:
    """
    A text file whose Spark moves :func:`chess.pgn.read_game` can read.

    The reader of python-chess takes ``Nb3>d2`` for two moves. This wrapper
    hands it ``Nb3-d2`` instead, which it takes for one and which
    :meth:`SparkBoard.parse_san` understands. Only the movetext of games with
    a ``Variant`` header of Spark Chess is changed, comments are not.

    >>> import io
    >>> import chess.pgn
    >>> from atomic_variant.pgn import GameBuilder
    >>> text = io.StringIO('[Variant "Spark Chess"]\\n\\n1. Nb1>d2 {not g1>e2} Nf6 *')
    >>> game = chess.pgn.read_game(SparkReader(text), Visitor=GameBuilder)
    >>> [move.uci() for move in game.mainline_moves()], game.errors
    (['b1d2', 'g8f6'], [])
    """

    def __init__(self, handle: _Readable) -> None:
        self._handle = handle
        self._spark = False
        self._in_headers = False
        self._in_comment = False

    def readline(self) -> str:
        line = self._handle.readline()
        if line.startswith("[") and not self._in_comment:
            if not self._in_headers:
                self._in_headers = True
                self._spark = False
            header = _VARIANT_HEADER.match(line)
            if header:
                self._spark = _is_spark(header[1])
            return line
        if line.strip():
            self._in_headers = False
        return self._readable(line) if self._spark and not line.startswith("%") else line

    def _readable(self, line: str) -> str:
        parts: list[str] = []
        end = 0
        for match in _SPARK_MOVE_OR_COMMENT.finditer(line):
            if match[0] == "}":
                self._in_comment = False
            elif self._in_comment:
                continue
            elif match[0] == "{":
                self._in_comment = True
            elif match[0] == ";":
                break
            else:
                parts += line[end : match.start()], f"{match[1]}-{match[2]}"
                end = match.end()
        return "".join([*parts, line[end:]])


def _is_spark(name: str) -> bool:
    try:
        return issubclass(dialects.find_variant(name), SparkBoard)
    except ValueError:
        return False
