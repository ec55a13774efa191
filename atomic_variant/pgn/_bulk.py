"""
Reading games by the compiled kernel.

The kernel takes the games about which there can be no two opinions; every other
game goes, from its first line on, the way of :mod:`._splitter` and :mod:`._parser`.
So there is one answer to what a game is and what is wrong with it.
"""

from __future__ import annotations

import codecs
import contextlib
import functools
import io
import itertools
import re
import weakref
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import chess
import chess.pgn

from .. import host
from ..boards.endings import Ending, find_ending
from ..kernel import kernel
from ..variants import version
from ._parser import HEADER, MAX_DEPTH
from ._remarks import CommentRun, evaluation_as_number, parse_clock, parse_evaluation
from ._source import PIECE_SIZE, Source, as_text, open_text, read_errors, read_piece, source_error, source_name
from ._splitter import MAX_GAME_SIZE, GameText, Splitter
from ._starts import find_start
from ._texts import Texts
from .arrays import Part, part_of_record
from .errors import SourceError
from .game import Game, GameBuilder
from .record import Record, read_record, read_tree

if TYPE_CHECKING:
    from ..kernel._kernel import Scanner

T = TypeVar("T")

Form: TypeAlias = Literal["records", "columns", "trees", "written", "places"]

_READ_SIZE = 2**13
"""What is read at once: as much as :class:`io.TextIOWrapper` does, so that damage takes the same part along."""

_CHUNK_SIZE = 2**20
_CHUNK_LINES = 512
_ENDINGS: weakref.WeakKeyDictionary[type[chess.Board], tuple[object, dict[int, Ending]]] = weakref.WeakKeyDictionary()
"""How games of a board class end, by what the kernel can tell of it, and the words of the class at that time."""

_LINE = re.compile(rf"[^\n]{{0,{PIECE_SIZE - 1}}}\n|[^\n]{{1,{PIECE_SIZE}}}")
"""A line with its end, or a piece of a long one."""

MAX_BATCH = 1024
"""The most games that the kernel reads in one go."""

_MAX_OBJECTS = 64
"""
The most of which it makes objects in one go. Of more, the garbage collector
looks at each before it is gone, which took up to a third of the time.
"""


def scan(source: Source, *, comments: bool, variant: type[chess.Board] | None) -> Iterator[Record]:
    """As :func:`atomic_variant.pgn.scan`."""
    read = functools.partial(read_record, comments=comments, variant=variant)
    for batch in Reader(source, "records", read, comments=comments, variant=variant).generate():
        if isinstance(batch, Record):
            yield batch
        else:
            yield from complete(batch) if comments else batch


def read_games(
    source: Source, *, variant: type[chess.Board] | None, builder: Callable[[], GameBuilder] = GameBuilder
) -> Iterator[Game]:
    """As :func:`atomic_variant.pgn.read_games`; unusual games by *builder*."""
    read = functools.partial(read_tree, variant=variant, builder=builder)
    number = 1
    name = source_name(source)
    for batch in Reader(source, "trees", read, variant=variant).generate():
        for item in [batch] if isinstance(batch, Game) else batch:
            yield item if isinstance(item, Game) else _grow(number, *item, variant=variant, name=name)
            number += 1


def write_games(
    source: Source, *, variant: type[chess.Board] | None, builder: Callable[[], GameBuilder]
) -> Iterator[Game | tuple[Record, str]]:
    """The games, those without variations as records with the text of their moves; unusual games by *builder*."""
    read = functools.partial(read_tree, variant=variant, builder=builder)
    number = 1
    name = source_name(source)
    for batch in Reader(source, "written", read, variant=variant).generate():
        for item in [batch] if isinstance(batch, Game) else batch:
            yield item if isinstance(item, Game) or len(item) == 2 else _grow(number, *item, variant=variant, name=name)
            number += 1


def generate_parts(source: Source, *, variant: type[chess.Board] | None) -> Iterator[Part]:
    """The games as :func:`atomic_variant.pgn.scan_arrays` puts them together."""
    read = functools.partial(read_record, variant=variant)
    for batch in Reader(source, "columns", read, variant=variant).generate():
        yield part_of_record(batch) if isinstance(batch, Record) else Part(*batch)


def read_game(text: GameText, next_line: str = "", *, variant: type[chess.Board] | None) -> Game | None:
    """The game of *text*, if it is one and nothing else, and a usual one; *next_line* is what may begin another."""
    data = f"{text.headers}{text.moves}".encode("utf-8", "surrogatepass")
    following = next_line.encode("utf-8", "surrogatepass")
    scanner = _shared_scanner(variant, version())  # type: ignore[arg-type] # Classes are hashable.
    try:
        trees, _, end, _, _ = scanner.scan(data + following, 0, "trees", not following, text.number, text.line, 1)
    except RuntimeError:  # Another thread is using it.
        return None
    if not trees or end != len(data):
        return None
    return _grow(text.number, *trees[0], variant=variant, name=text.source)


@functools.lru_cache(maxsize=8)
def _shared_scanner(variant: type[chess.Board] | None, version: int) -> Scanner:
    return _make_scanner(variant, None, False)


def _grow(
    number: int,
    line: int,
    headers: dict[str, str],
    events: list[Any],
    result: str | None,
    *,
    variant: type[chess.Board] | None,
    name: str | None,
) -> Game:
    """The tree of a game, from what stands in its moves."""
    builder = GameBuilder()
    builder.begin_game()
    game = builder.game
    game.number, game.line, game.source = number, line, name
    if variant is not None:
        game.headers.default_variant = variant
    game.headers.update(headers)
    stack = builder.variation_stack
    comments = CommentRun(builder.visit_comment)
    is_run = False  # Of comments that follow one another.
    is_commented = False  # Since the last move.
    for event in events:
        if type(event) is str:
            comments.add(event)
            is_run = is_commented = True
            continue
        if is_run:
            comments.end()
            is_run = False
        if type(event) is chess.Move:
            stack[-1] = node = stack[-1].add_variation(event)
            if is_commented:
                is_commented = False
                if before := host.starting_comment(builder):
                    host.set_starting_comment(node, before)
                    host.set_starting_comment(builder, "")
            builder.in_variation = True
        elif type(event) is int:
            builder.visit_nag(event)
        elif event:
            builder.begin_variation()
        else:
            builder.end_variation()
    comments.end()
    if result is not None:
        builder.visit_result(result)
    builder.end_game()
    return builder.result()


class Slice(NamedTuple):
    """Games that the kernel can read, as they stand in their file: what is sent to other processes."""

    data: bytes
    number: int
    """The number of the first game in its file, from 1."""
    line: int
    """The line that it starts on, from 1."""
    games: int
    """How many there are."""
    name: str | None
    """The name of the file."""

    def texts(self) -> Iterator[GameText]:
        """The games one by one, for where there is no kernel."""
        splitter = Splitter(self.name, game=self.number, line=self.line)
        for line in io.StringIO(self.data.decode("utf-8", "surrogatepass")):
            yield from splitter.feed(line)
        yield from splitter.finish()

    def read_records(self, *, comments: bool, variant: type[chess.Board] | None) -> Iterator[Record]:
        records = self._scan("records", comments, variant)
        yield from complete(records) if comments else records

    def read_games(self, *, variant: type[chess.Board] | None) -> Iterator[Game]:
        for index, tree in enumerate(self._scan("trees", False, variant)):
            yield _grow(self.number + index, *tree, variant=variant, name=self.name)

    def _scan(self, form: Form, comments: bool, variant: type[chess.Board] | None) -> list[Any]:
        scanner = _make_scanner(variant, self.name, comments)
        items: list[Any] = scanner.scan(self.data, 0, form, True, self.number, self.line, self.games)[0]
        return items


def _make_scanner(
    variant: type[chess.Board] | None,
    name: str | None,
    comments: bool,
    read_evaluation: Callable[[str], object] = parse_evaluation,
) -> Scanner:
    scanner_class: type[Scanner] = kernel.Scanner
    return scanner_class(
        find_start=functools.partial(_find_start, variant),
        find_ending=_find_ending,
        read_clock=parse_clock,
        read_evaluation=functools.lru_cache(maxsize=4096)(read_evaluation),
        record_class=Record,
        source=name,
        comments=comments,
        max_size=MAX_GAME_SIZE,
        max_depth=MAX_DEPTH,
    )


def complete(records: list[Record]) -> list[Record]:
    """What the kernel does not know of records with comments."""
    for record in records:
        record._add_elapsed_times()
    return records


class Reader(Generic[T]):
    """Hands text to the kernel, and games that it leaves to *read*."""

    def __init__(
        self,
        source: Source,
        form: Form,
        read: Callable[[GameText], T],
        *,
        comments: bool = False,
        variant: type[chess.Board] | None = None,
        limit: int | None = None,
    ) -> None:
        self.limit = limit
        self.chunks = _Chunks(source)
        self.name = source_name(source)
        self.form = form
        self.read = read
        self.number = self.line = 1
        self.text = b""
        self.position = 0
        self.is_all = False
        self.failure: SourceError | None = None
        self.version = version()
        read_evaluation = evaluation_as_number if form == "columns" else parse_evaluation
        self.make_scanner = functools.partial(_make_scanner, variant, self.name, comments, read_evaluation)
        self.scanner = self.make_scanner()

    def generate(self) -> Generator[Any, None, None]:
        """Batches of what the kernel makes, and single games that *read* made."""
        with contextlib.closing(self.chunks):
            while True:
                limit = self.limit or MAX_BATCH
                if self.form not in ("columns", "places"):
                    limit = min(limit, _MAX_OBJECTS)
                try:
                    scanned = self.scan(limit)
                except OverflowError:  # Too many different headers for a table.
                    scanned = self.scan(limit := 1)
                batch, count, self.position, self.line, is_unusual = scanned
                self.number += count
                if count:
                    yield batch
                # Blanks without end would be kept, and looked at again with every chunk.
                is_stuck = not count and len(self.text) - self.position > 2 * MAX_GAME_SIZE
                if is_unusual or is_stuck or (self.failure and count < limit):
                    yield from self.read_unusual()
                elif count == limit:
                    continue
                elif self.is_all:
                    return
                else:
                    self.fetch()

    def scan(self, limit: int) -> tuple[Any, int, int, int, bool]:
        if self.version != version():  # It remembers what the names of variants meant.
            self.version = version()
            self.scanner = self.make_scanner()
        scanned: tuple[Any, int, int, int, bool] = self.scanner.scan(
            self.text, self.position, self.form, self.is_all, self.number, self.line, limit
        )
        if self.form == "places":
            _, count, end, line, is_unusual = scanned
            games = Slice(self.text[self.position : end], self.number, self.line, count, self.name)
            return games, count, end, line, is_unusual
        return scanned

    def fetch(self) -> None:
        """Adds a chunk to the text; at the end sets *is_all* or *failure*."""
        try:
            chunk = next(self.chunks, None)
        except read_errors() as error:
            line = self.line + self.text.count(b"\n", self.position)
            self.failure = source_error(error, self.name, line)
            return
        self.is_all = chunk is None
        self.text = self.text[self.position :] + (chunk or b"")
        self.position = 0

    def read_unusual(self) -> Iterator[T]:
        """Reads games the slow way, until one begins that may be usual."""
        splitter = Splitter(self.name, game=self.number, line=self.line)
        decoder = self.chunks.decoder()
        rest = ""
        is_fresh = True
        while True:
            piece, is_line = self.next_piece()
            if is_line and not rest and not is_fresh and self.begins_game(splitter, piece):
                break
            is_fresh = False
            self.position += len(piece)
            is_last = not is_line and (self.is_all or self.failure is not None)
            if is_last and self.failure:
                rest, piece = "", b""  # The line that could not be read is lost.
            *lines, rest = _LINE.findall(rest + decoder.decode(piece, final=is_last)) or [""]
            if rest and (is_last or rest.endswith("\n")):
                lines.append(rest)
                rest = ""
            for line in lines:
                self.line += line.endswith("\n")
                for text in splitter.feed(as_text(line)):
                    yield self.read(text)
            if is_last:
                break
        failure = self.failure if is_last else None
        for text in splitter.finish(str(failure) if failure else None):
            yield self.read(text)
        if failure:
            raise failure
        self.number = splitter.number

    def next_piece(self) -> tuple[bytes, bool]:
        """The next line, with ``True``, or what there is of a long or of the last one."""
        while True:
            end = self.text.find(b"\n", self.position) + 1
            if end:
                return self.text[self.position : end], True
            if self.is_all or self.failure or len(self.text) - self.position >= PIECE_SIZE:
                return self.text[self.position :], False
            self.fetch()

    def begins_game(self, splitter: Splitter, line: bytes) -> bool:
        """Whether *line* is nothing but a header that begins a game."""
        text = line.decode("utf-8", "replace").rstrip(" \t\r\n")
        is_header = HEADER.fullmatch(text) is not None and "\r" not in text  # Which would end a line of its own.
        return is_header and text.count('"') == 2 and splitter.ends_before(text + "\n")


def _find_start(
    variant: type[chess.Board] | None, name: str | None, fen: str | None, event: str | None, site: str | None
) -> tuple[chess.Board, tuple[type[chess.Board], str, str, bool], dict[int, Ending]] | None:
    """The starting position by the headers, what a record says of it, and the endings known of its class."""
    pairs = (("Variant", name), ("FEN", fen), ("Event", event), ("Site", site))
    start = find_start(tuple((tag, value) for tag, value in pairs if value is not None), variant)
    if start is None:
        return None
    variant_source, fen, board = start
    return board, (type(board), variant_source, fen, board.chess960), _known_endings(type(board))


def _known_endings(board_class: type[chess.Board]) -> dict[int, Ending]:
    """What the kernel remembers of endings: not for other classes, and not with words that are no longer theirs."""
    words = getattr(board_class, "endings", None)
    known = _ENDINGS.get(board_class)
    if known is None or known[0] is not words:
        known = _ENDINGS[board_class] = (words, {})
    return known[1]


def _find_ending(start: chess.Board, moves: list[chess.Move], result: str) -> Ending:
    """How the game ended on the board."""
    board = start.copy(stack=False)
    for move in moves:
        board.push(move)
    return find_ending(board, result=result)


class _Chunks:
    """The text of a source in UTF-8, in chunks that end anywhere."""

    def __init__(self, source: Source) -> None:
        self._stack = contextlib.ExitStack()
        self._handle: Any = open_text(source, self._stack)
        # What we opened as UTF-8 needs no decoding.
        self._is_binary = self._handle is not source and getattr(self._handle, "encoding", "") == "utf-8-sig"
        self._chunks = self._read_bytes(self._handle.buffer) if self._is_binary else self._read_text(self._handle)

    def __iter__(self) -> _Chunks:
        return self

    def __next__(self) -> bytes:
        return next(self._chunks)

    def close(self) -> None:
        self._chunks.close()
        self._stack.close()

    def decoder(self) -> io.IncrementalNewlineDecoder:
        """Decodes the chunks to what the handle would give."""
        errors = "surrogateescape" if self._is_binary else "surrogatepass"
        return io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8")(errors), translate=True)

    @staticmethod
    def _read_bytes(handle: Any) -> Generator[bytes, None, None]:
        is_first = True
        failure = None
        while True:
            pieces = []
            size = 0
            try:
                while size < _CHUNK_SIZE and (piece := handle.read1(_READ_SIZE)):
                    pieces.append(piece)
                    size += len(piece)
            except read_errors() as error:
                failure = error  # What was read before is good.
            if pieces:
                chunk = b"".join(pieces)
                if is_first:
                    # Nor is the start of a mark, if nothing follows, a text.
                    chunk = b"" if codecs.BOM_UTF8.startswith(chunk) else chunk.removeprefix(codecs.BOM_UTF8)
                    is_first = False
                yield chunk
            if failure:
                raise failure
            if not pieces:
                return

    @staticmethod
    def _read_text(handle: Any) -> Generator[bytes, None, None]:
        if isinstance(handle, Texts):
            for chunk in handle.chunks():
                yield chunk.encode("utf-8", "surrogatepass")
            return
        if isinstance(handle, io.StringIO):
            while chunk := handle.read(_CHUNK_SIZE):
                yield chunk.encode("utf-8", "surrogatepass")
            return
        read = functools.partial(read_piece, handle)
        failure = None
        while True:
            lines: list[str] = []
            try:
                lines.extend(itertools.islice(iter(read, ""), _CHUNK_LINES))
            except read_errors() as error:
                failure = error
            if lines:
                yield "".join(lines).encode("utf-8", "surrogatepass")
            if failure:
                raise failure
            if not lines:
                return
