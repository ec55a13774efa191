"""
Reading and writing atomic games.

* :func:`read_game` as in :mod:`chess.pgn`: the next game of a handle.
* :func:`read_games` for every game of a file, compressed or not, broken ones
  with the reasons.
* :func:`scan` for light records of many games.
* :func:`scan_arrays` for the same as numpy arrays.
* :func:`scan_positions` for every position of many games as numpy arrays.
* :func:`scan_table` for tables of games, such as Parquet files.
* :func:`map_games` for a function applied to every game by many processes.

What a game holds beyond ``MAX_GAME_SIZE`` characters is left out, with an
error on the game: a hostile file does not fill the memory.

None needs :func:`atomic_variant.register`. Writing is that of
:mod:`chess.pgn`, on :class:`Game`.
"""

from ..boards.endings import Ending, EndingKind
from ._splitter import MAX_GAME_SIZE, GameText
from .arrays import GameArrays, TextColumn
from .conclusion import findings
from .errors import GameError, SourceError
from .game import Game, GameBuilder, Headers
from .mapping import map_games
from .readers import read_game, read_games, scan, scan_arrays, scan_positions, scan_table
from .record import Record, read_record

__all__ = [
    "MAX_GAME_SIZE",
    "Ending",
    "EndingKind",
    "Game",
    "GameArrays",
    "GameBuilder",
    "GameError",
    "GameText",
    "Headers",
    "Record",
    "SourceError",
    "TextColumn",
    "findings",
    "map_games",
    "read_game",
    "read_games",
    "read_record",
    "scan",
    "scan_arrays",
    "scan_positions",
    "scan_table",
]
