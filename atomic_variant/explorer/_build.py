"""Building the file of an explorer, and joining several."""

from __future__ import annotations

import concurrent.futures
import contextlib
import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any, cast

from ..boards import AtomicBoard
from ..pgn._source import source_name
from ..pgn._texts import generate_parts
from ..pgn.game import Variant, resolve_variant
from ..text import MAX_NAME, one_line
from . import _store
from ._rows import BANDS, NO_RESULT, WHITE_TO_MOVE, Choice, Rows, generate_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..pgn._source import Source

_SHARES = 64
"""The positions are counted so many shares one after the other, by the first bits of their keys."""

_HELD = 2**20
"""Rows that are held in memory before they go to disk."""


def build(
    source: Source,
    path: str | os.PathLike[str],
    *,
    plies: int = 30,
    min_games: int = 2,
    executor: concurrent.futures.Executor | None = None,
    variant: Variant | None = None,
    chess960: bool = False,
    set_up: bool = False,
    broken: bool = True,
) -> int:
    """
    Counts the moves in the first positions of many games, into one file; returns how many games count.

    A file under *path* is replaced when the new one is complete, and stays
    as it is if anything goes wrong. For each position and move there are the
    results, the ratings of the mover and the opponent, the last and the best
    game, apart by month, band of ratings and speed. A position counts once in
    a game, with the move that was made in it first. Memory does not grow with
    the games but for some ten bytes each; what is being counted lies on disk
    beside *path*.

    >>> import io, tempfile, os
    >>> from atomic_variant import AtomicBoard, explorer
    >>> games = '[Variant "Atomic"]\\n\\n1. Nf3 f6 2. Nd4 1-0\\n\\n[Variant "Atomic"]\\n\\n1. Nf3 d6 0-1\\n'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "atomic.db")
    ...     counted = explorer.build(io.StringIO(games), path)
    ...     with explorer.open(path) as book:
    ...         [row] = book.moves(AtomicBoard())
    >>> counted, row.san, row.games, row.score
    (2, 'Nf3', 2, 0.5)

    :param source: As for :func:`atomic_variant.pgn.scan`, or several paths.
    :param plies: How many half-moves of each game count.
    :param min_games: Positions of fewer games are left out. To add more games
        later with :func:`merge`, keep them all with 1.
    :param executor: Processes that read, as for
        :func:`atomic_variant.pgn.map_games`; by default threads do.
    :param variant: The rules, and the variant of games whose headers name
        none. By default atomic chess by headers that say so. Games of other
        rules are left out.
    :param chess960: Count the games of Chess960 instead of the others, whose
        castling is not the same.
    :param set_up: Count games that begin at a position that was set up, too.
    :param broken: Whether games count up to their first error, or not at all.
    :raises: :exc:`OSError` if something cannot be read or written;
        :exc:`ValueError` for numbers out of range, for rules that are not
        atomic, and for the same games twice; :exc:`ImportError` without numpy.
    """
    try:
        import numpy  # noqa: F401 -- Says at once that it is missing.
    except ImportError:
        raise ImportError("building an explorer needs numpy: pip install 'atomic_variant[arrays]'") from None

    for name, value, high in (("plies", plies, 1000), ("min_games", min_games, 2**31)):
        if not 1 <= value <= high:
            raise ValueError(f"expected {name} from 1 to {high}, but got {value}")
    board_class = resolve_variant(variant)
    rules = board_class or AtomicBoard
    if not issubclass(rules, AtomicBoard):
        raise ValueError(f"an explorer is of atomic chess or its dialects, not of {rules.__name__}")
    choice = Choice(rules, chess960, set_up, broken, plies)
    with _store.writing(path) as database, contextlib.ExitStack() as stack:
        folder = os.path.dirname(os.path.realpath(os.fspath(path)))
        counting = _Counting(stack, folder, min_games)
        for file in generate_parts(source):
            digest = _Digest()
            for rows in generate_rows(file, choice, board_class, executor):
                digest.add(rows)
                counting.add(rows)
            if digest.games:
                _note_source(database, digest.value(), source_name(file) or "", digest.games)
        counting.write(database)
        facts = {
            "variant": rules.uci_variant or "",
            "chess960": str(int(chess960)),
            "plies": str(plies),
            "min_games": str(min_games),
        }
        database.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
        return counting.games


def _note_source(database: sqlite3.Connection, digest: str, name: str, games: int) -> None:
    same = database.execute("SELECT name FROM sources WHERE digest = ?", [digest]).fetchone()
    shown = one_line(os.path.basename(name) or "the games", MAX_NAME)
    if same:
        raise ValueError(f"{shown}: the same games as in {same[0]}, which would count twice")
    database.execute("INSERT INTO sources VALUES (?, ?, ?)", [digest, shown, games])


class _Digest:
    """What tells whether the games of a file were counted before."""

    def __init__(self) -> None:
        self.games = 0
        self._texts = hashlib.blake2b(digest_size=16)
        self._moves = hashlib.blake2b(digest_size=16)

    def add(self, rows: Rows) -> None:
        # Streams, so that it does not matter how many games come at once.
        self.games += len(rows.texts)
        self._texts.update(b"".join(b"%s\n" % text for text in rows.texts))
        self._moves.update(rows.moves.tobytes())

    def value(self) -> str:
        return self._texts.hexdigest() + self._moves.hexdigest()


def _scratch(stack: contextlib.ExitStack, folder: str) -> IO[bytes]:
    # Without a name: nothing is left of it, however this ends.
    return stack.enter_context(tempfile.TemporaryFile(dir=folder))


class _Counting:
    """Rows on their way through the disk, in shares of keys."""

    def __init__(self, stack: contextlib.ExitStack, folder: str, min_games: int) -> None:
        import numpy as np

        self.shares = [_scratch(stack, folder) for _ in range(_SHARES)]
        self.texts = _scratch(stack, folder)
        self.min_games = min_games
        self.games = 0
        self.held: list[NDArray[Any]] = []
        self.held_count = 0
        self.form = np.dtype([("key", "<i8"), ("game", "<u4"), ("move", "<u2")])
        self.columns: list[list[NDArray[Any]]] = [[], [], [], [], []]

    def add(self, rows: Rows) -> None:
        import numpy as np

        packed = np.empty(len(rows.keys), self.form)
        packed["key"], packed["move"] = rows.keys, rows.moves
        packed["game"] = rows.games + np.uint32(self.games)
        self.held.append(packed)
        self.held_count += len(packed)
        self.games += len(rows.texts)
        if self.games >= 2**32:
            raise ValueError("more games than a file of an explorer holds")
        self.texts.write(b"".join(rows.texts))
        sizes = np.array([len(text) for text in rows.texts], np.int32)
        new = (rows.results, rows.ratings, rows.speeds, rows.months, sizes)
        for column, values in zip(self.columns, cast(tuple[Any, ...], new), strict=True):
            column.append(values)
        if self.held_count >= _HELD:
            self._spill()

    def _spill(self) -> None:
        import numpy as np

        if not self.held:
            return
        packed = np.concatenate(self.held)
        self.held, self.held_count = [], 0
        share = (packed["key"] >> 58) + _SHARES // 2
        order = np.argsort(share, kind="stable")
        ends = np.searchsorted(share[order], np.arange(_SHARES + 1))
        for number, file in enumerate(self.shares):
            file.write(packed[order[ends[number] : ends[number + 1]]].tobytes())

    def write(self, database: sqlite3.Connection) -> None:
        """Counts all shares, and writes what is frequent enough with the games that it names."""
        import numpy as np

        self._spill()
        results, ratings, speeds, months, sizes = (
            np.concatenate(column) if column else np.zeros((0, 2) if index == 1 else 0, np.int32)
            for index, column in enumerate(self.columns)
        )
        self.columns = []
        named = np.zeros(self.games, np.bool_)
        for file in self.shares:
            file.flush()
            file.seek(0)
            share = np.frombuffer(file.read(), self.form)
            file.truncate(0)
            columns = _count(share, results, ratings, speeds, months, self.min_games)
            if columns is None:
                continue
            named[columns[-3]] = named[columns[-2]] = True
            columns[-3], columns[-2] = columns[-3] + 1, columns[-2] + 1  # Games are numbered from 1 in the file.
            for start in range(0, len(columns[0]), 2**16):
                part = [column[start : start + 2**16].tolist() for column in columns]
                database.executemany(_store.INSERT, zip(*part, strict=True))
        database.executemany("INSERT INTO games VALUES (?, ?)", self._texts(named, sizes))

    def _texts(self, named: NDArray[np.bool_], sizes: NDArray[np.int32]) -> Iterator[tuple[int, str]]:
        self.texts.seek(0)
        for index, (is_named, size) in enumerate(zip(named.tolist(), sizes.tolist(), strict=True), 1):
            text = self.texts.read(size)
            if is_named:
                yield index, text.decode("utf-8", "replace")


def _count(
    share: NDArray[Any],
    results: NDArray[Any],
    ratings: NDArray[Any],
    speeds: NDArray[Any],
    months: NDArray[Any],
    min_games: int,
) -> list[NDArray[Any]] | None:
    """The columns of ``moves`` for some positions, in the order of their keys; games from 0."""
    import numpy as np

    keys, games, moves = share["key"], share["game"], share["move"]
    # Stable, so that of a position that came again the first time is kept: games stand here in their order.
    order = np.lexsort((games, keys))
    keys, games, moves = keys[order], games[order], moves[order]
    is_first = _differs(keys) | _differs(games)
    keys, games, moves = keys[is_first], games[is_first], moves[is_first]
    counts = np.diff(np.append(np.flatnonzero(_differs(keys)), len(keys)))
    is_kept = np.repeat(counts >= min_games, counts)
    keys, games, moves = keys[is_kept], games[is_kept], moves[is_kept]
    if not len(keys):
        return None

    by_color = ratings[games].astype(np.int64)
    is_known = (by_color > 0).all(axis=1)
    sums = np.where(is_known, by_color.sum(axis=1), 0)
    bands = np.where(is_known, np.searchsorted(2 * np.array(BANDS), sums, side="right"), 0)
    plain = (moves & np.uint16(WHITE_TO_MOVE - 1)).astype(np.int64)
    group = (plain << 32 | months[games].astype(np.int64)) << 8 | bands << 4 | speeds[games]
    order = np.lexsort((group, keys))
    keys, games, moves, group, by_color, is_known, sums = (
        values[order] for values in (keys, games, moves, group, by_color, is_known, sums)
    )
    begins = np.flatnonzero(_differs(keys) | _differs(group))

    is_white = moves >= WHITE_TO_MOVE
    result = results[games].astype(np.int64)
    is_over = result != NO_RESULT
    result = np.where(is_white, result, -result)
    is_rated = is_known & is_over
    own = np.where(is_white, by_color[:, 1], by_color[:, 0]) * is_rated
    other = np.where(is_white, by_color[:, 0], by_color[:, 1]) * is_rated
    # The best game is the first one with the highest ratings.
    best = np.maximum.reduceat(sums << 32 | 0xFFFFFFFF - games.astype(np.int64), begins)

    def total(values: NDArray[Any]) -> NDArray[np.int64]:
        return np.add.reduceat(values.astype(np.int64), begins)

    codes = group[begins]
    return [
        keys[begins],
        codes >> 40,
        codes >> 8 & 0xFFFFFFFF,
        codes >> 4 & 15,
        codes & 15,
        np.diff(np.append(begins, len(keys))),
        total(is_over & (result == 1)),
        total(is_over & (result == 0)),
        total(is_over & (result == -1)),
        total(is_rated),
        total((result + 1) * is_rated),
        total(own),
        total(other),
        np.maximum.reduceat(games, begins).astype(np.int64),
        0xFFFFFFFF - (best & 0xFFFFFFFF),
        best >> 32,
    ]


def _differs(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Where a value is another than the one before."""
    import numpy as np

    differs = np.ones(len(values), np.bool_)
    differs[1:] = values[1:] != values[:-1]
    return differs


# --- Joining ------------------------------------------------------------------

_MERGE = f"""
INSERT INTO moves VALUES ({", ".join("?" * len(_store.COLUMNS))})
ON CONFLICT DO UPDATE SET
    games = games + excluded.games, wins = wins + excluded.wins, draws = draws + excluded.draws,
    losses = losses + excluded.losses, rated = rated + excluded.rated, points = points + excluded.points,
    own = own + excluded.own, other = other + excluded.other, last = excluded.last,
    best = CASE WHEN excluded.best_rating > best_rating THEN excluded.best ELSE best END,
    best_rating = max(best_rating, excluded.best_rating)
"""
_THIN = "DELETE FROM moves WHERE key IN (SELECT key FROM moves GROUP BY key HAVING sum(games) < ?)"
_FORGET = "DELETE FROM games WHERE id NOT IN (SELECT last FROM moves UNION SELECT best FROM moves)"


def merge(paths: Iterable[str | os.PathLike[str]], path: str | os.PathLike[str], *, min_games: int = 1) -> int:
    """
    Joins files that :func:`build` made, such as those of single months, into one; returns how many games count.

    *path* may be one of *paths*; it is replaced when all is done. What comes
    later in *paths* was played later.

    :param min_games: Positions of fewer games in all files are left out.
    :raises: :exc:`OSError` if something cannot be read or written;
        :exc:`ValueError` if files are of different rules or numbers of plies,
        if the same games are in two of them, for no files, and for what is
        no file of an explorer or damaged.
    """
    names = [os.fspath(name) for name in paths]
    if not names:
        raise ValueError("expected files to join, but there are none")
    with _store.writing(path) as database:
        agreed: dict[str, str] | None = None
        base = total = thinnest = 0
        for name in names:
            with contextlib.closing(_store.connect(name)) as part, _store.broken(name):
                facts = dict(part.execute("SELECT name, value FROM facts"))
                thinnest = max(thinnest, int(facts.pop("min_games", "1")))
                if agreed is not None and facts != agreed:
                    raise ValueError(f"{name}: {_describe(facts)}, but {names[0]}: {_describe(agreed)}")
                agreed = facts
                for digest, source, games in part.execute("SELECT * FROM sources").fetchall():
                    _note_source(database, digest, source, games)
                    total += games
                _copy(database, part, base)
                base = database.execute("SELECT coalesce(max(id), 0) FROM games").fetchone()[0]
        if min_games > 1:
            database.execute(_THIN, [min_games])
            database.execute(_FORGET)
        assert agreed is not None
        agreed["min_games"] = str(max(min_games, thinnest))
        database.executemany("INSERT INTO facts VALUES (?, ?)", agreed.items())
    return total


def _copy(database: sqlite3.Connection, part: sqlite3.Connection, base: int) -> None:
    rows = part.execute(
        "SELECT key, move, month, band, speed, games, wins, draws, losses, rated, points, own, other, "
        "last + ?, best + ?, best_rating FROM moves",
        [base, base],
    )
    database.executemany(_MERGE, rows)
    database.executemany("INSERT INTO games VALUES (?, ?)", part.execute("SELECT id + ?, text FROM games", [base]))


def _describe(facts: dict[str, str]) -> str:
    kind = " of Chess960" if facts.get("chess960") == "1" else ""
    return one_line(f"{facts.get('variant')}{kind}, {facts.get('plies')} plies", 200)
