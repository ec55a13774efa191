"""Games on our boards: what the readers make and what writes itself as PGN."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, TypeVar, cast

import chess
import chess.pgn

from .. import host, variants
from ..boards.endings import Ending, find_ending
from ._results import header_result
from .errors import are_lost

ResultT = TypeVar("ResultT")

Variant: TypeAlias = str | type[chess.Board]
"""A board class, or a name that :func:`atomic_variant.find_variant` knows."""

# Names in the Variant header that say nothing.
NO_NAME = frozenset({"", "?", "-"})

# Event and Site as servers write them: "Rated Atomic game", "FICS rated
# atomic game", "Hourly Atomic Arena", "ICC w27", ".../variants/atomic/...".
# A site may be the town of Atomic City, so it must say more than "Atomic".
_EVENT = re.compile(r"\batomic(?:[\s-]?chess)?(?:[\s-]?960)?\b", re.IGNORECASE)
_SITE = re.compile(r"/atomic(?:960)?\b|\batomic[\s-]?(?:chess(?:[\s-]?960)?|960|games?|match)\b", re.IGNORECASE)
_ICC = re.compile(r"\b(?:w|wild[/ ]?)27\b", re.IGNORECASE)

_NAMED_960 = re.compile(r"960\s*$|\b(?:chess\s*)?960\b|\brandom\b|\bfischer", re.IGNORECASE)
_SHREDDER_CASTLING = re.compile(r"\s*\S+\s+[wb]\s+(?=[A-Ha-hKQkq]*[A-Ha-h])[A-Ha-hKQkq]+(?:\s|$)")


def resolve_variant(variant: Variant | None) -> type[chess.Board] | None:
    """
    The board class for a ``variant`` argument.

    :raises: :exc:`ValueError` if nobody knows the name.
    """
    return variants.find_variant(variant) if isinstance(variant, str) else variant


class Headers(chess.pgn.Headers):
    """
    Headers that know our boards, without registration.

    The variant is that of the ``Variant`` header in any spelling (an unknown
    name that says "atomic" is taken for :class:`AtomicBoard`); without one,
    that which ``Event`` or ``Site`` name; else :attr:`default_variant`; else
    standard chess. :attr:`variant_source` tells which it was.

    >>> headers = Headers(Event="FICS rated atomic game", Site="FICS freechess.org")
    >>> headers.variant().uci_variant, headers.variant_source
    ('atomic', 'Event header')
    """

    default_variant: type[chess.Board] | None = None
    """The variant of a game whose headers name none."""

    def __init__(self, data: Mapping[str, str] | Iterable[tuple[str, str]] | None = None, **kwargs: str) -> None:
        super().__init__(data, **kwargs)
        if isinstance(data, Headers) and data.default_variant is not None:
            self.default_variant = data.default_variant

    @property
    def variant_source(self) -> str:
        """
        What :meth:`variant` was concluded from: ``"Variant header"`` (with
        ``", assumed"`` where only the word atomic in it is known), ``"Event
        header"``, ``"Site header"``, ``"variant argument"`` or ``"default"``.
        """
        return self._conclude()[1]

    def _conclude(self) -> tuple[Variant, str]:
        name = self.get("Variant", "").strip()
        if name not in NO_NAME:
            return name, "Variant header, assumed" if variants.is_assumed(name) else "Variant header"
        for tag, pattern in (("Event", _EVENT), ("Site", _SITE)):
            text = self.get(tag, "")
            if len(text) > 1:
                if match := pattern.search(text):
                    return "Atomic960" if match[0].endswith("960") else "Atomic", f"{tag} header"
                if _ICC.search(text):
                    return "w27", f"{tag} header"
        if self.default_variant is not None:
            return self.default_variant, "variant argument"
        return chess.Board, "default"

    def variant(self) -> type[chess.Board]:
        """
        The board class for these headers.

        :raises: :exc:`ValueError` if nobody knows the name of the variant.
        """
        variant, source = self._conclude()
        if not isinstance(variant, str):
            return variant
        try:
            return variants.find_variant(variant)
        except ValueError:
            if source.startswith("Variant header"):
                return super().variant()  # Knows names for standard rules.
            raise

    def is_chess960(self) -> bool:
        """Whether the name of the variant or the ``FEN`` header says Chess960."""
        variant, _ = self._conclude()
        if isinstance(variant, str) and _NAMED_960.search(variant):
            return True
        return super().is_chess960() or _SHREDDER_CASTLING.match(self.get("FEN", "")) is not None


class Game(chess.pgn.Game):
    """
    A :class:`chess.pgn.Game` on our boards.

    Set up on a board of ours, it writes a PGN that other programs read back
    to the same position: no ``FEN`` for the normal start, ``SetUp`` beside
    ``FEN``, and castling rights as files of rooks in Chess960.

    >>> import atomic_variant
    >>> board = atomic_variant.AtomicBoard()
    >>> for san in ["Nf3", "f6", "Nd4", "Nh6", "Ne6", "Ng8", "Nxd8#"]:
    ...     move = board.push_san(san)
    >>> print(Game.from_board(board))
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "?"]
    [Black "?"]
    [Result "1-0"]
    [Variant "Atomic"]
    <BLANKLINE>
    1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0
    """

    headers: Headers

    number: int | None = None
    """The number of the game in its file, from 1, if it was read."""
    line: int | None = None
    """The line of the file that the game begins on, from 1."""
    source: str | None = None
    """The name of the file."""
    suspected_variant: type[chess.Board] | None = None
    """As :attr:`Record.suspected_variant`."""
    unread: str | None = None
    """The text of a game, with its headers, if no board could be set up for it."""

    def __init__(self, headers: Mapping[str, str] | Iterable[tuple[str, str]] | None = None) -> None:
        super().__init__()
        self.headers = Headers(headers)

    @property
    def variant_source(self) -> str:
        """What the variant was concluded from: see :attr:`Headers.variant_source`."""
        return self.headers.variant_source

    @property
    def ending(self) -> Ending:
        """How the main line ends on the board, as :attr:`Record.ending`; worked out anew each time."""
        # Where the moves break off, nobody claimed a draw.
        return find_ending(self.end().board(), result="*" if are_lost(self.errors) else self.headers.get("Result", "*"))

    def board(self) -> chess.Board:
        """
        The starting position.

        Never raises: with an unknown variant it is a board of standard chess,
        with an invalid ``FEN`` the normal start. :attr:`errors` tell.
        """
        with contextlib.suppress(ValueError):
            return self.headers.board()
        with contextlib.suppress(ValueError):
            return self.headers.variant()()
        return chess.Board()

    def setup(self, board: chess.Board | str) -> None:
        """
        Sets the starting position, and with it ``FEN``, ``SetUp`` and ``Variant``.

        A FEN as text is a position of standard chess, as in :mod:`chess.pgn`.
        """
        super().setup(board)
        if isinstance(board, str):
            return
        start = type(board)()
        if board.chess960:
            self.headers["FEN"] = board.fen(shredder=True)
        elif board.fen() == start.fen():
            self.headers.pop("FEN", None)
            self.headers.pop("SetUp", None)
            return
        self.headers["SetUp"] = "1"

    def accept(self, visitor: chess.pgn.BaseVisitor[ResultT]) -> ResultT:
        """
        Shows the game to *visitor*, as :mod:`chess.pgn` does.

        To one that writes PGN, line ends within headers are blanks, and so are
        those of a comment that could be taken for more than a comment: no
        value of a game becomes a header or a game of its own.
        """
        if isinstance(visitor, chess.pgn.StringExporterMixin):
            visitor = cast(chess.pgn.BaseVisitor[ResultT], _Paragraphs(visitor))
        return super().accept(visitor)

    def _repr_html_(self) -> str:
        """The game in a notebook: players, the last position, the moves, how it ended."""
        from ..viewer import page

        return page.still(self)

    @classmethod
    def builder(cls) -> GameBuilder:
        return GameBuilder(Game=cls)


class _Paragraphs:
    """Passes a game on to a visitor that writes it; see :meth:`Game.accept`."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._writer, name)

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self._writer.visit_header(tagname, _LINE_ENDS.sub(" ", tagvalue))

    def visit_comment(self, comment: str | list[str]) -> None:
        self._writer.visit_comment(_paragraph(comment) if isinstance(comment, str) else list(map(_paragraph, comment)))


_LINE_ENDS = re.compile(r"[\r\n]+")
_BEGINS_ANEW = re.compile(r"[\r\n][ \t]*[\r\n\[%]")


def _paragraph(comment: str) -> str:
    return _LINE_ENDS.sub(" ", comment) if _BEGINS_ANEW.search(comment.replace("\r\n", "\n")) else comment


class GameBuilder(chess.pgn.GameBuilder[Game]):
    """Builds a :class:`Game`; what is wrong goes to its ``errors``, not to a log."""

    def __init__(self, *, Game: type[Game] = Game) -> None:  # noqa: N803 # As in chess.pgn.
        super().__init__(Game=Game)

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Keeps a header; a ``Result`` as it should be written."""
        self.game.headers[tagname] = tagvalue if tagname != "Result" else header_result(tagvalue) or "*"

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)


class KeepingBuilder(GameBuilder):
    """Builds a :class:`Game` that is to be passed on: what was not read stays in it, as a comment."""

    def visit_unread(self, text: str) -> None:
        """Keeps a part of the moves that was not read."""
        node = self.variation_stack[-1]
        kept = " ".join(text.translate(_BRACES).split())
        host.set_comment(node, f"{host.comment(node)} unread: {kept}".strip())


_BRACES = str.maketrans("{}", "()")
