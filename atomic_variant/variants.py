"""
The registry: the rule sets of this package by name.

Importing changes nothing in python-chess. :func:`find_variant` resolves every
spelling met in the wild; :func:`register` makes python-chess itself resolve
the names of our boards in this process, until :func:`unregister`.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable
from typing import Any, Self, SupportsIndex, TypeAlias, overload

import chess
import chess.variant

from .boards import AtomicBoard, Buho21AtomicBoard, ChessPlayXAtomicBoard, IccAtomicBoard, SparkBoard
from .text import one_line

AnyBoard: TypeAlias = AtomicBoard | SparkBoard
"""
The boards of this package, for annotations and ``isinstance``.

Beyond the interface of :class:`chess.Board` they share ``why_illegal``,
``describe_outcome`` and ``kings_touch``.
"""


class _Variants(list[type[AnyBoard]]):
    """
    Classes of boards. One that is added again takes the place of the one before.

    So the cell of a notebook that defines a dialect may run as often as one
    likes. Two are the same if each says the same ``uci_variant`` of itself. A
    class that only inherits its ``uci_variant`` stands beside its base; two
    such are the same if they have the same name and module.
    """

    def append(self, variant: type[AnyBoard], /) -> None:
        index = self._find(variant)
        if index is None:
            super().append(variant)
        else:
            super().__setitem__(index, variant)

    def extend(self, variants: Iterable[type[AnyBoard]], /) -> None:
        for variant in list(variants):
            self.append(variant)

    def __iadd__(self, variants: Iterable[type[AnyBoard]], /) -> Self:  # type: ignore[override, misc] # As for any list.
        self.extend(variants)
        return self

    def insert(self, index: SupportsIndex, variant: type[AnyBoard], /) -> None:
        known = self._find(variant)
        place = range(len(self) + 1)[slice(index, None)].start  # As list.insert understands it.
        if known is not None:
            del self[known]
            place -= known < place
        super().insert(place, variant)

    @overload
    def __setitem__(self, key: SupportsIndex, value: type[AnyBoard], /) -> None: ...
    @overload
    def __setitem__(self, key: slice, value: Iterable[type[AnyBoard]], /) -> None: ...
    def __setitem__(self, key: Any, value: Any, /) -> None:
        changed = list(self)
        changed[key] = value
        self.clear()
        self.extend(changed)

    def _find(self, variant: type[AnyBoard]) -> int | None:
        """Where the class stands that *variant* takes the place of."""
        for index, known in enumerate(self):
            if _identity(known) == _identity(variant):
                return index
        return None


def _identity(variant: type[AnyBoard]) -> object:
    return vars(variant).get("uci_variant") or (variant.__module__, variant.__qualname__)


VARIANTS: list[type[AnyBoard]] = _Variants(
    [
        AtomicBoard,
        ChessPlayXAtomicBoard,
        IccAtomicBoard,
        Buho21AtomicBoard,
        SparkBoard,
    ]
)
"""
The boards of this package.

Append a board of your own to have it found and registered too. One with the
same ``uci_variant`` as a board in the list takes its place. All readers know
of a change at once.
"""


# Names come from files of strangers. Longer ones are refused before anything else looks at them.
_MAX_NAME = 100


@functools.lru_cache(maxsize=1024)
def _key(name: str) -> str:
    """*name* without case, accents, spaces and punctuation, and without a trailing 960."""
    return re.sub(r"[\W_]+", "", _plain(name)).removesuffix("960")


def _plain(name: str) -> str:
    """*name* in small letters without accents."""
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter)
    ).lower()


_ATOMIC_WORDS = {"atomic", "atomico", "atomica", "atomique", "atomschach", "nocheckatomic"}

# Games that are something else though they call themselves atomic too.
_OTHER_GAMES = {"giveaway", "antichess", "suicide", "losers", "crazyhouse", "atomar"}


@functools.lru_cache(maxsize=1024)
def _words(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+|\d+", _plain(name)))


def _assumed_variant(name: str) -> type[AtomicBoard] | None:
    """The rules that a *name* no board has as an alias seems to mean: those of a word in it, else of most sites."""
    words = _words(name)
    if not words & _ATOMIC_WORDS or words & _OTHER_GAMES:
        return None
    if words & {"icc", "brainking", "nocheckatomic", "nocheck"} or {"no", "check"} <= words or {"wild", "27"} <= words:
        return IccAtomicBoard
    if "buho" in words or "buho21" in _key(name):
        return Buho21AtomicBoard
    return ChessPlayXAtomicBoard if "chessplayx" in words else AtomicBoard


def is_assumed(name: str) -> bool:
    """
    Whether :func:`find_variant` takes *name* for atomic only because the word stands in it.

    >>> [is_assumed(name) for name in ("Atomic", "Atomic 960", "Xadrez Atômico (lightning)")]
    [False, False, True]
    """
    return len(name) <= _MAX_NAME and _exact_variant(name) is None and _assumed_variant(name) is not None


def _exact_variant(name: str) -> type[AnyBoard] | None:
    key = _key(name)
    for variant in VARIANTS:
        if key in {_key(alias) for alias in (variant.uci_variant or "", *variant.aliases)}:
            return variant
    return None


def find_variant(name: str) -> type[chess.Board]:
    """
    The board class for the *name* of a variant, as found in PGN and protocols.

    Knows our boards in any spelling (case, accents, spaces, punctuation, a
    trailing ``960``), then asks :func:`chess.variant.find_variant`. What
    nobody knows is atomic if it has that word, in English or as other
    languages have it, by the rules of the site that it names:

    >>> find_variant("FICS atomic (lightning)").uci_variant, find_variant("Xadrez Atômico").uci_variant
    ('atomic', 'atomic')
    >>> find_variant("nocheckatomic").uci_variant
    'atomic-icc'

    >>> find_variant("Atomic 960")
    <class 'atomic_variant.boards.atomic.AtomicBoard'>
    >>> find_variant("wild/27")
    <class 'atomic_variant.boards.dialects.IccAtomicBoard'>
    >>> find_variant("Three-check").uci_variant
    '3check'

    :raises: :exc:`ValueError` if nobody knows the name.
    """
    if len(name) > _MAX_NAME:
        raise ValueError(f"unsupported variant: {one_line(name, 80)}")
    variant = _exact_variant(name)
    if variant is not None:
        return variant
    without_960 = name.strip().removesuffix("960").rstrip(" \t_-")
    try:
        return chess.variant.find_variant(without_960 or name)
    except ValueError:
        assumed = _assumed_variant(name)
        if assumed is None:
            raise
        return assumed


_seen: list[type[chess.Board] | None] = []
_version = 0


def version() -> int:
    """
    A number that is another one whenever a name may mean another board.

    Who keeps what came of :func:`find_variant` keeps it for one version.
    """
    global _seen, _version
    now = [*VARIANTS, None, *chess.variant.VARIANTS]
    if now != _seen:
        _seen = now
        _version += 1
    return _version


_registered: list[type[AnyBoard]] = []
"""What :func:`register` gave to python-chess; :data:`VARIANTS` may have changed since."""


_STOCK = chess.variant.AtomicBoard
_stock_places: list[int] = []
"""Where the class of python-chess stood that :func:`register` took out of its list."""


def register(*, replace: bool = False) -> None:
    """
    Makes python-chess resolve our boards by name, in this process.

    :func:`chess.variant.find_variant`, and with it :mod:`chess.pgn`, then
    gives :class:`AtomicBoard` for ``[Variant "Atomic"]``. May be called any
    number of times. Worker processes start without it; the readers of
    :mod:`atomic_variant.pgn` do not need it.

    python-chess compares names letter by letter (but for case), so it finds
    the ``aliases`` of our boards and no other spelling; and its PGN reader
    cuts the ``>`` of Spark Chess out of the moves, which then fail.

    With *replace* our board also takes the place of
    :class:`chess.variant.AtomicBoard`, for programs that write the name out.
    A module that imported the class before, with ``from chess.variant import
    AtomicBoard``, keeps the other one.

    >>> register(replace=True)
    >>> chess.variant.AtomicBoard is AtomicBoard
    True
    >>> unregister()
    >>> chess.variant.AtomicBoard is AtomicBoard
    False
    """
    unregister()
    _registered[:] = VARIANTS
    if replace:
        chess.variant.AtomicBoard = AtomicBoard  # type: ignore[misc]
        if _STOCK in chess.variant.VARIANTS:
            _stock_places.append(chess.variant.VARIANTS.index(_STOCK))
            chess.variant.VARIANTS.remove(_STOCK)
    chess.variant.VARIANTS[:0] = VARIANTS


def unregister() -> None:
    """Undoes :func:`register`, however often that was called."""
    ours = [*_registered, *VARIANTS]
    chess.variant.VARIANTS[:] = [variant for variant in chess.variant.VARIANTS if variant not in ours]
    if chess.variant.AtomicBoard is AtomicBoard:
        chess.variant.AtomicBoard = _STOCK  # type: ignore[misc]
    for place in _stock_places:
        chess.variant.VARIANTS.insert(place, _STOCK)
    _stock_places.clear()
    _registered.clear()
