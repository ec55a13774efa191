"""
Endgame tablebases for atomic chess: :mod:`chess.syzygy`, opened with care.

Syzygy tables exist for atomic chess (``.atbw`` and ``.atbz`` files, up to six
pieces; https://tablebase.lichess.ovh/tables/atomic/). The reader of
python-chess works with our boards as it is:

>>> import chess.syzygy
>>> from atomic_variant import AtomicBoard
>>> with chess.syzygy.Tablebase(VariantBoard=AtomicBoard) as tablebase:
...     tablebase.probe_wdl(AtomicBoard("8/8/4k3/8/8/3K4/8/8 w - - 0 1"))
0

:func:`open_tablebase` adds answers to the ways in which this goes wrong in
silence. Gaviota tables (:mod:`chess.gaviota`) know no variants: their reader
would answer for an atomic position as if captures did not explode.

Polyglot books (:mod:`chess.polyglot`) carry no name of a variant either. A
book made for atomic chess works with our boards; one made for standard chess
opens just as well, and gives those of its moves that happen to be legal.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import chess
import chess.syzygy

from .boards.atomic import AtomicBoard

_SUFFIXES = {
    ".rtbw": "standard chess",
    ".rtbz": "standard chess",
    ".stbw": "suicide chess",
    ".stbz": "suicide chess",
    ".gtbw": "giveaway chess",
    ".gtbz": "giveaway chess",
    ".atbw": "atomic chess",
    ".atbz": "atomic chess",
    ".cp4": "Gaviota, which knows no variants",
}


def open_tablebase(
    directory: str | os.PathLike[str], board_class: type[chess.Board] = AtomicBoard, *, max_fds: int | None = 128
) -> chess.syzygy.Tablebase:
    """
    Opens the Syzygy tables in *directory* for the variant of *board_class*.

    As :func:`chess.syzygy.open_tablebase`, but never an empty tablebase, or
    one whose rules are not those of the board.

    >>> from atomic_variant import engine
    >>> with open_tablebase("tables/atomic") as tablebase:  # doctest: +SKIP
    ...     tablebase.probe_wdl(AtomicBoard("8/8/8/8/8/2k5/1p6/K7 w - - 0 1"))
    0

    :raises: :exc:`ValueError` if there are no tables for the rules of
        *board_class*; :exc:`FileNotFoundError` if there are none in
        *directory*, saying what there is instead.
    """
    name = board_class.aliases[0]
    if board_class.tbw_suffix is None and board_class.tbz_suffix is None:
        raise ValueError(
            f"there are no tablebases for {name}: those for atomic chess count on check as on Lichess, "
            "so they would give wrong answers"
        )
    tablebase = chess.syzygy.Tablebase(max_fds=max_fds, VariantBoard=board_class)
    if not tablebase.add_directory(os.fspath(directory)):
        tablebase.close()
        found = Counter(path.suffix for path in Path(directory).iterdir())
        others = [f"{found[suffix]} {suffix} ({owner})" for suffix, owner in _SUFFIXES.items() if found[suffix]]
        raise FileNotFoundError(
            f"no tables for {name} ({board_class.tbw_suffix}, {board_class.tbz_suffix}) in {os.fspath(directory)}; "
            f"it holds {', '.join(others) or 'no tables at all'}"
        )
    return tablebase
