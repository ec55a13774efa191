"""Games as columns with types, for data frames."""

from __future__ import annotations

import bisect
import datetime
import functools
import importlib
import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import chess

from ._remarks import base_and_increment
from .conclusion import findings

if TYPE_CHECKING:
    from .arrays import GameArrays

PREFIX = "header_"
"""Before the names of headers, so that none takes the place of another column."""

TYPES = {
    "number": "Int64",
    "line": "Int64",
    "source": "String",
    "white": "String",
    "black": "String",
    "white_elo": "Int32",
    "black_elo": "Int32",
    "date": "Date",
    "speed": "String",
    "variant": "String",
    "fen": "String",
    "chess960": "Boolean",
    "plies": "Int32",
    "moves": "String",
    "result": "String",
    "winner": "String",
    "kind": "String",
    "ending": "String",
    "errors": "Int32",
}
"""The type of each column, by its name in polars; headers are texts."""

_WINNERS = {"1-0": "white", "0-1": "black"}


def rating_of(text: str | None) -> int | None:
    """A rating; servers write 0 or nothing for players that have none."""
    return int(text) if text and len(text) <= 5 and text.isascii() and text.isdigit() and int(text) else None


SPEEDS = ("ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence")
"""What :func:`speed_of` says, from the fastest."""

_SECONDS = (30, 180, 480, 1500)
"""Where a speed ends and the next one begins; the last two of them have no end by time."""


def speed_of(time_control: str | None) -> str | None:
    """
    What Lichess calls a ``TimeControl``, by the time for forty moves; ``None`` if it says something else.

    >>> [speed_of(text) for text in ("60+0", "180+2", "-", "40/7200")]
    ['bullet', 'blitz', 'correspondence', None]
    """
    if time_control == "-":
        return SPEEDS[-1]
    clock = base_and_increment(time_control)
    if clock is None:
        return None
    return SPEEDS[bisect.bisect_right(_SECONDS, clock[0] + 40 * clock[1])]


@functools.lru_cache(maxsize=4096)
def date_of(text: str | None) -> datetime.date | None:
    """A ``Date``, if year, month and day are known."""
    try:
        return datetime.datetime.strptime(text or "", "%Y.%m.%d").date()
    except ValueError:
        return None


def winner_of(result: str) -> str | None:
    """``"white"`` or ``"black"`` if one won."""
    return _WINNERS.get(result)


def make_columns(arrays: GameArrays) -> dict[str, Any]:
    """As :meth:`GameArrays.columns`."""
    import numpy as np

    count = len(arrays)
    headers = {name: column.to_list() for name, column in arrays.headers.items()}
    nothing: list[str | None] = [None] * count
    dates = zip(headers.get("UTCDate", nothing), headers.get("Date", nothing), strict=True)
    errors = np.zeros(count, np.int32)
    counted = headers.get("PlyCount", nothing)
    for index, (ending, result) in enumerate(zip(arrays.endings, arrays.results, strict=True)):
        if index in arrays.errors or counted[index] or ending.contradicts(result):
            errors[index] = len(findings(arrays[index]))
    return {
        "number": arrays.numbers,
        "line": arrays.lines,
        "source": arrays.sources,
        "white": headers.get("White", nothing),
        "black": headers.get("Black", nothing),
        "white_elo": [rating_of(text) for text in headers.get("WhiteElo", nothing)],
        "black_elo": [rating_of(text) for text in headers.get("BlackElo", nothing)],
        "date": [date_of(utc) or date_of(date) for utc, date in dates],
        "speed": [speed_of(text) for text in headers.get("TimeControl", nothing)],
        "variant": [variant.uci_variant if variant else None for variant in arrays.variants],
        "fen": arrays.fens,
        "chess960": arrays.chess960,
        "plies": np.diff(arrays.offsets).astype(np.int32),
        "moves": _write_moves(arrays),
        "result": arrays.results,
        "winner": [winner_of(result) for result in arrays.results],
        "kind": [ending.kind.value for ending in arrays.endings],
        "ending": [ending.words for ending in arrays.endings],
        "errors": errors,
        **_name_headers(headers),
    }


def _name_headers(headers: Mapping[str, Any]) -> dict[str, Any]:
    """The headers under names that differ in more than case, because databases ask for no more."""
    named: dict[str, Any] = {}
    taken: set[str] = set()
    for name, column in headers.items():
        unique = f"{PREFIX}{name}"
        number = 1
        while unique.lower() in taken:
            number += 1
            unique = f"{PREFIX}{name}_{number}"
        taken.add(unique.lower())
        named[unique] = column
    return named


def _write_moves(arrays: GameArrays) -> list[str]:
    """The moves of each game in UCI notation, with spaces between."""
    words = _words()
    texts = [words[code] for code in arrays.moves.tolist()]
    ends = arrays.offsets.tolist()
    return [" ".join(texts[start:end]) for start, end in itertools.pairwise(ends)]


@functools.cache
def _words() -> list[str]:
    """All moves in UCI notation, by their packed number."""
    squares = [first + second for second in chess.SQUARE_NAMES for first in chess.SQUARE_NAMES]
    words = [move + promotion for promotion in ("", "", "n", "b", "r", "q", "k", "") for move in squares]
    words[0] = "0000"
    return words


def to_polars(columns: Mapping[str, Any]) -> Any:
    """A data frame of polars."""
    polars = _import("polars", "atomic_variant[tables]")
    schema = {name: getattr(polars, TYPES.get(name, "String")) for name in columns}
    return polars.DataFrame(dict(columns), schema=schema)


_PANDAS_TYPES = {"Int64": "int64", "Int32": "Int32", "Boolean": "bool", "String": "string", "Date": "datetime64[s]"}


def to_pandas(columns: Mapping[str, Any]) -> Any:
    """A data frame of pandas; its integers may be missing."""
    import numpy as np

    pandas = _import("pandas", "pandas")
    series = {}
    for name, values in columns.items():
        dtype = _PANDAS_TYPES[TYPES.get(name, "String")]
        if name == "date":
            values = np.array(values, dtype)
        series[name] = pandas.Series(values, dtype=dtype)
    return pandas.DataFrame(series)


def _import(name: str, package: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ImportError(f"this needs {name}: pip install '{package}'") from None
