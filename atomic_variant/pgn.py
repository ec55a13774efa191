"""Reading atomic games: :mod:`chess.pgn` on the boards of this package."""

from __future__ import annotations

from typing import TextIO

import chess
import chess.pgn

from . import dialects


class Headers(chess.pgn.Headers):
    """Headers that resolve the names of our boards, without registration."""

    def variant(self) -> type[chess.Board]:
        name = self.get("Variant")
        return dialects.find_variant(name) if name else super().variant()


class Game(chess.pgn.Game):
    """A game whose board is one of ours."""

    def __init__(self, headers: chess.pgn.Headers | None = None) -> None:
        super().__init__()
        self.headers = Headers(headers) if headers is not None else Headers(dict(self.headers))


class GameBuilder(chess.pgn.GameBuilder[Game]):
    """Builds a :class:`Game`; what is wrong goes to its ``errors``, not to a log."""

    def __init__(self) -> None:
        super().__init__(Game=Game)

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


def read_game(handle: TextIO) -> Game | None:
    """
    Reads the next game, or ``None`` at the end of the file.

    >>> import io
    >>> game = read_game(io.StringIO('[Variant "atomic 960"]\\n\\n1. Nf3 f6 *'))
    >>> type(game.board())
    <class 'atomic_variant.board.AtomicBoard'>
    """
    return chess.pgn.read_game(handle, Visitor=GameBuilder)
