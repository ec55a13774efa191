"""Games that come one by one: texts in a list, rows of a table, lines of JSON."""

from __future__ import annotations

import datetime
import itertools
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_PIECE_SIZE = 2**20
_NO_NAME = re.compile(r"\W+", re.ASCII)
_UNFIT = str.maketrans({'"': "'", "\n": " ", "\r": " ", "\0": " ", "\\": "/"})


class Texts:
    """A handle of the texts of games, each of which begins a new one."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._pieces = (_separate(text) for text in texts)
        self._lines: Iterator[str] = (line for piece in self._pieces for line in piece.splitlines(keepends=True))
        self._rest = ""

    def readline(self, size: int = -1) -> str:
        """The next line, or at most *size* characters of it."""
        line = self._rest or next(self._lines, "")
        self._rest = line[size:] if 0 <= size < len(line) else ""
        return line[: len(line) - len(self._rest)]

    def chunks(self) -> Iterator[str]:
        """All that is left, in pieces of many games."""
        parts: list[str] = []
        size = 0
        for piece in self._pieces:
            parts.append(piece)
            size += len(piece)
            if size >= _PIECE_SIZE:
                yield "".join(parts)
                parts, size = [], 0
        yield "".join(parts)


def _separate(text: str) -> str:
    """*text* so that a game begins where it begins, whatever stands before it."""
    text = text.strip("\ufeff \t\r\n")
    if text[:1] == "{" and looks_like_json_game(text):
        text = _read_json_game(text)
    if text[:7] == "[Event ":
        return f"{text}\n\n"
    return f'[Event "?"]\n{text}\n\n' if text[:1] == "[" else f'[Event "?"]\n\n{text}\n\n'


def generate_parts(source: Any) -> Iterator[Any]:
    """
    The paths and handles that *source* stands for: itself, or what is in it.

    :raises: :exc:`TypeError` if it is neither a path nor a handle nor an iterable of texts and paths.
    """
    if isinstance(source, str | bytes | os.PathLike) or callable(getattr(source, "readline", None)):
        yield source
        return
    if isinstance(source, Mapping) or not isinstance(source, Iterable):
        raise TypeError(f"expected a path or an open file, or texts of games, got {type(source).__name__}")
    for is_text, items in itertools.groupby(source, lambda item: isinstance(item, str)):
        if is_text:
            yield Texts(items)
        else:
            for item in items:
                if not isinstance(item, os.PathLike) and not callable(getattr(item, "readline", None)):
                    raise TypeError(f"expected texts of games and paths, got {type(item).__name__}")
                yield item


def is_missing(value: Any) -> bool:
    """Whether a cell of a table says nothing: ``None``, or what tables have for it (NaN, NaT, NA)."""
    try:
        return value is None or bool(value != value)
    except TypeError:  # NA is neither true nor false.
        return True
    except ValueError:  # Neither is an array.
        return False


def write_row(headers: Mapping[str, Any], moves: str) -> str:
    """The text of a game with *headers*, whatever their values are, and *moves* as they stand."""
    lines = []
    for name, value in sorted(headers.items(), key=lambda item: item[0] != "Event"):
        if is_missing(value):
            continue
        if isinstance(value, datetime.date):
            value = value.strftime("%Y.%m.%d")
        elif isinstance(value, float) and value.is_integer():
            value = int(value)
        name = _NO_NAME.sub("_", name).lstrip("_")
        if name:
            lines.append(f'[{name} "{str(value).translate(_UNFIT)}"]\n')
    return f"{''.join(lines)}\n{moves.strip() or '*'}"


# --- JSON of the Lichess API ------------------------------------------------

_VARIANTS = {"fromPosition": "From Position", "kingOfTheHill": "King of the Hill", "threeCheck": "Three-check"}
_TERMINATIONS = {
    "outoftime": "Time forfeit", "timeout": "Abandoned", "noStart": "Abandoned", "aborted": "Abandoned",
    "cheat": "Rules infraction", "created": "Unterminated", "started": "Unterminated", "unknownFinish": "Unknown",
}  # fmt: skip
_MAX_LINE = 2**22
_ID = re.compile(r'\{\s*"id"\s*:')
_OF_GAME = re.compile(r'"(?:variant|perf|players|moves)"\s*:')


def generate_json_games(handle: Any) -> Iterator[str]:
    """
    The games in lines of JSON as the Lichess API exports them, as PGN.

    A line that is no such game comes out without its braces, which would
    make it a comment, for the readers of PGN to say that it is none.
    """
    while line := handle.readline(_MAX_LINE):
        if line.isspace():
            continue
        yield _read_json_game(line)


def _read_json_game(line: str) -> str:
    try:
        return _write_json_game(json.loads(line))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        return line.replace("{", "(").replace("}", ")")


def looks_like_json_game(start: str) -> bool:
    """Whether a file that begins with *start* holds games of the Lichess API, one on a line."""
    line = start.partition("\n")[0]
    return _ID.match(line) is not None and _OF_GAME.search(line) is not None


def _write_json_game(game: dict[str, Any]) -> str:
    variant = str(game.get("variant", "standard"))
    name = _VARIANTS.get(variant, variant.capitalize())
    status = game.get("status")
    winner = game.get("winner")
    if winner in ("white", "black"):
        result = "1-0" if winner == "white" else "0-1"
    else:
        is_over = status not in (None, "created", "started", "aborted", "noStart", "unknownFinish")
        result = "1/2-1/2" if is_over else "*"
    headers: dict[str, Any] = {"Event": f"{'Rated' if game.get('rated') else 'Casual'} {name} game"}
    if "id" in game:
        headers["Site"] = f"https://lichess.org/{game['id']}"
    if "createdAt" in game:
        created = datetime.datetime.fromtimestamp(game["createdAt"] / 1000, datetime.UTC)
        headers |= {"UTCDate": created.strftime("%Y.%m.%d"), "UTCTime": created.strftime("%H:%M:%S")}
    for color in ("white", "black"):
        player = game.get("players", {}).get(color, {})
        user = player.get("user", {})
        level = player.get("aiLevel")
        headers[color.capitalize()] = user.get("name") or (f"lichess AI level {level}" if level else "?")
        headers[f"{color.capitalize()}Elo"] = player.get("rating")
    headers |= {"Result": result, "Variant": name}
    if clock := game.get("clock"):
        headers["TimeControl"] = f"{clock['initial']}+{clock['increment']}"
    if fen := game.get("initialFen"):
        headers |= {"FEN": fen, "SetUp": "1"}
    headers["Termination"] = _TERMINATIONS.get(str(status), "Normal")
    clocks, analysis = game.get("clocks") or [], game.get("analysis") or []
    words = []
    for ply, san in enumerate(game["moves"].split()):
        remarks = []
        if ply < len(analysis):
            score = analysis[ply]
            remarks += [f"[%eval #{score['mate']}]"] if "mate" in score else []
            remarks += [f"[%eval {score['eval'] / 100:.2f}]"] if "eval" in score else []
        if ply < len(clocks):
            seconds = clocks[ply] // 100
            remarks.append(f"[%clk {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}]")
        words.append(f"{san} {{ {' '.join(remarks)} }}" if remarks else san)
    return write_row(headers, " ".join([*words, result]))
