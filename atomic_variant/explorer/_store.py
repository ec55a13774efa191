"""The file of an explorer: a database of SQLite that stands under its name only when it is complete."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from ..files import replacing

APPLICATION = 0x41746F6D  # "Atom"
VERSION = 1

SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (digest TEXT PRIMARY KEY, name TEXT NOT NULL, games INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE games (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE moves (
    key INTEGER NOT NULL, move INTEGER NOT NULL, month INTEGER NOT NULL, band INTEGER NOT NULL, speed INTEGER NOT NULL,
    games INTEGER NOT NULL, wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL,
    rated INTEGER NOT NULL, points INTEGER NOT NULL, own INTEGER NOT NULL, other INTEGER NOT NULL,
    last INTEGER NOT NULL, best INTEGER NOT NULL, best_rating INTEGER NOT NULL,
    PRIMARY KEY (key, move, month, band, speed)
) WITHOUT ROWID;
"""
"""
What the columns of ``moves`` mean. ``key``: of the position, Polyglot's, as a
signed number. ``move``: packed as by ``pack_move``, castling as the king on its
rook. ``month``: year times 100 and month. ``band``: of the mean of both
ratings, from 1 in ``BANDS``. ``speed``: from 1 in ``SPEEDS``. All three are 0
where they are not known. ``wins`` to ``losses`` are the mover's. ``rated``
counts the games with a result and both ratings; ``points`` are the mover's
half-points in them, ``own`` and ``other`` the sums of the mover's and the
opponents' ratings. ``last`` and ``best`` are games, the latter that with the
highest sum of ratings, ``best_rating``.
"""

COLUMNS = (
    "key", "move", "month", "band", "speed", "games", "wins", "draws", "losses", "rated", "points", "own", "other",
    "last", "best", "best_rating",
)  # fmt: skip
INSERT = f"INSERT INTO moves VALUES ({', '.join('?' * len(COLUMNS))})"


@contextlib.contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[sqlite3.Connection]:
    """
    A new database, which takes the place of an old one when all is done.

    :raises: :exc:`OSError` if it cannot be written.
    """
    with replacing(path) as new:
        try:
            with contextlib.closing(sqlite3.connect(new, isolation_level=None)) as database:
                # Nobody sees the file before it is whole, so nothing need be undone in it.
                database.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {SCHEMA}")
                database.execute("BEGIN")
                yield database
                database.execute("COMMIT")
        except sqlite3.OperationalError as error:
            code = errno.ENOSPC if _is_full(error) else errno.EIO
            raise OSError(code, str(error), os.fspath(path)) from error


def _is_full(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL


def connect(path: str | os.PathLike[str]) -> sqlite3.Connection:
    """
    Opens a finished file, to read only.

    :raises: :exc:`OSError` if it cannot be read, :exc:`ValueError` if it is not one of ours.
    """
    name = os.fspath(path)
    with open(name, "rb"):  # In the words of the system.
        pass
    uri = f"{Path(os.path.realpath(name)).as_uri()}?mode=ro"
    database = sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None)
    try:
        with broken(name):
            [application] = database.execute("PRAGMA application_id").fetchone()
            [version] = database.execute("PRAGMA user_version").fetchone()
            if application != APPLICATION:
                raise ValueError(f"{name}: no file of an opening explorer")
            if version != VERSION:
                raise ValueError(f"{name}: made by another version: its form is {version}, this one knows {VERSION}")
    except BaseException:
        database.close()
        raise
    return database


@contextlib.contextmanager
def broken(name: str) -> Iterator[None]:
    """Says of a damaged file which one it is."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if _is_full(error):  # Another file is, that is being written.
            raise
        raise ValueError(f"{name}: no file of an opening explorer, or damaged: {error}") from error
