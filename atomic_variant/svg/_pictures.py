"""Still pictures, and the doors to moving ones and bitmaps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict, Unpack

import chess
import chess.svg
from chess import Color, Move, Piece, Square, SquareSet

from .. import host
from . import _explosion, _markup
from . import _steps as steps
from ._grid import grid, unknown_drawing, view
from ._markup import Picture

if TYPE_CHECKING:
    import chess.pgn

DEFAULT_COLORS = _explosion.DEFAULT_COLORS
"""Colours of an explosion. Override them in ``colors``, beside those of :mod:`chess.svg`."""

# Where a picture has no other width.
_CELL = 390
_GAP = 12


class Options(TypedDict, total=False):
    """The keywords of :func:`chess.svg.board`."""

    orientation: Color
    lastmove: Move | None
    check: Square | None
    arrows: Iterable[chess.svg.Arrow | tuple[Square, Square]]
    fill: dict[Square, str]
    squares: chess.IntoSquareSet | None
    size: int | None
    coordinates: bool
    colors: dict[str, str]
    flipped: bool
    borders: bool
    style: str | None


# --- One board --------------------------------------------------------------


def board(
    board: chess.BaseBoard | None = None,
    *,
    burst: Square | None = None,
    scorched: chess.IntoSquareSet = chess.BB_EMPTY,
    ghosts: Mapping[Square, Piece] | None = None,
    title: str | None = None,
    id_prefix: str | None = None,
    **options: Unpack[Options],
) -> Picture:
    """
    Draws a board as :func:`chess.svg.board`, with its keywords.

    Without the keywords below the result is that of :func:`chess.svg.board`,
    byte for byte. All that they draw lies over the squares and under the
    pieces.

    :param burst: The square on which something exploded. The squares around
        it, which the explosion reached, are outlined.
    :param scorched: Squares that the explosion emptied.
    :param ghosts: Pieces that are gone, drawn small, charred and with a cross.
    :param title: A text for screen readers, shown as a tooltip.
    :param id_prefix: Begins the ids in a picture that has any of the above.
        By default it follows from the content.

    The keys ``scorched``, ``explosion``, ``explosion core`` and
    ``king cross``, which is the colour of all crosses, go with those of
    :mod:`chess.svg` in *colors*.

    :raises: :exc:`DrawingError` if the installed :mod:`chess.svg` draws
        otherwise than this module knows.

    >>> picture = board(chess.Board(), burst=chess.E4, ghosts={chess.E4: Piece.from_symbol("q")})
    >>> picture.startswith("<svg")
    True
    """
    picture = host.draw(board, **options)
    scorched = SquareSet(scorched)
    if burst is not None or scorched or ghosts or title is not None or id_prefix is not None:
        colors = options.get("colors", {})
        layer, defs = _explosion.layer(grid(picture), burst, scorched, ghosts or {}, colors)
        head, squares, pieces = _split(picture)
        tail = squares[squares.rindex("<rect ") :] + layer + pieces
        prefix = _markup.prefix_for(tail, id_prefix)
        head = _markup.with_id_prefix(_markup.define(head, defs), prefix)
        if title is not None:
            head = _markup.with_title(head, title)
        picture = head + squares[: squares.rindex("<rect ")] + _markup.with_id_prefix(tail, prefix)
    return Picture(picture)


def _split(picture: str) -> tuple[str, str, str]:
    """
    A picture by :mod:`chess.svg` in three: what is before the squares, the
    squares with what is drawn on them, the pieces and what is over them.

    Definitions come before the first rectangle; the last one is that of a
    square, its fill or its check mark. No ids are in between.
    """
    begin, last = picture.find("<rect "), picture.rfind("<rect ")
    end = picture.find("/>", last) + 2
    if begin < 0 or end < 2:
        raise unknown_drawing("rectangles")
    return picture[:begin], picture[begin:end], picture[end:]


def explosion(
    board: chess.Board,
    move: Move,
    *,
    ghosts: bool = True,
    title: str | None = None,
    id_prefix: str | None = None,
    **options: Unpack[Options],
) -> Picture:
    """
    Draws what *move* does on *board*: before and after in one picture.

    The position is the one after the move. The squares that the explosion
    reached are outlined, those it emptied are scorched, ground zero bursts,
    and what died is there as a ghost with a cross: the capturing piece where
    it came from, a king with a large cross. Pawns that survive look as
    always. A move that explodes nothing gives an ordinary picture.

    :param board: The position before the move. It is left as it is.
    :param move: A pseudo-legal move.
    :param ghosts: Pass ``False`` to leave out the pieces that died.
    :param title: A text for screen readers; by default it says what exploded.
    :param id_prefix: Begins every id in the picture; see :func:`board`.

    The keywords of :func:`chess.svg.board` come after these. By default
    *lastmove* is the move and *check* the king that it checks.

    :raises: :exc:`chess.IllegalMoveError` for a move that is not even
        pseudo-legal.

    >>> import atomic_variant
    >>> board = atomic_variant.AtomicBoard("rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3")
    >>> picture = explosion(board, board.parse_san("Nxe7#"), size=300)
    >>> "Nxe7# explodes on e7" in picture
    True
    """
    if move and not board.is_pseudo_legal(move) and not board.is_legal(move):
        raise chess.IllegalMoveError(f"{move.uci()} cannot be drawn, it is not pseudo-legal in {board.fen()}")
    after = board.copy(stack=False)
    after.push(move)
    return _after_move(board, move, after, ghosts=ghosts, title=title, id_prefix=id_prefix, **options)


def last_move(
    board: chess.Board,
    *,
    ghosts: bool = True,
    title: str | None = None,
    id_prefix: str | None = None,
    **options: Unpack[Options],
) -> Picture:
    """
    Draws *board* with its last move, as :func:`explosion` does.

    Boards show themselves so in notebooks.

    >>> import atomic_variant
    >>> board = atomic_variant.AtomicBoard()
    >>> for san in ["e4", "d5", "exd5"]:
    ...     move = board.push_san(san)
    >>> "exd5 explodes on d5" in last_move(board)
    True
    """
    if board.move_stack:
        before = board.copy(stack=1)
        move = before.pop()
        return _after_move(before, move, board, ghosts=ghosts, title=title, id_prefix=id_prefix, **options)
    options.setdefault("check", board.king(board.turn) if board.is_check() else None)
    return Picture(host.draw(board, **options))


def _after_move(
    before: chess.Board,
    move: Move,
    after: chess.Board,
    *,
    ghosts: bool,
    title: str | None,
    id_prefix: str | None,
    **options: Unpack[Options],
) -> Picture:
    options.setdefault("lastmove", move)
    options.setdefault("check", after.king(after.turn) if after.is_check() else None)
    blast = steps.blast_mask(before, move)
    if not blast:
        return board(after, title=title, id_prefix=id_prefix, **options)
    dead = before.piece_map(mask=blast)
    return board(
        after,
        burst=move.to_square,
        scorched=_explosion.scorched_mask(move, blast),
        ghosts=dead if ghosts else {},
        title=title if title is not None else describe(before, move),
        id_prefix=id_prefix,
        **options,
    )


# --- What a picture shows ---------------------------------------------------


def describe(board: chess.Board, move: Move) -> str:
    """
    Says in words what the explosion of *move* does.

    >>> import atomic_variant
    >>> board = atomic_variant.AtomicBoard("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    >>> describe(board, board.parse_san("exd5"))
    'exd5 explodes on d5: the white pawn from e4, the black pawn on d5'
    """
    dead = board.piece_map(mask=steps.blast_mask(board, move))
    san = board.san(move) if board.is_legal(move) else move.uci()
    if not dead:
        return san
    pieces = [
        f"the {chess.COLOR_NAMES[piece.color]} {chess.piece_name(piece.piece_type)}"
        f" {'from' if square == move.from_square else 'on'} {chess.SQUARE_NAMES[square]}"
        for square, piece in sorted(dead.items(), key=lambda item: item[0] != move.from_square)
    ]
    return f"{san} explodes on {chess.SQUARE_NAMES[move.to_square]}: {', '.join(pieces)}"


# --- Several boards ---------------------------------------------------------


def strip(
    source: chess.pgn.GameNode | chess.Board,
    plies: Sequence[int] | None = None,
    *,
    columns: int | None = None,
    captions: bool = True,
    title: str | None = None,
    id_prefix: str | None = None,
    **options: Unpack[Options],
) -> Picture:
    """
    Draws key positions of a line side by side, as for print.

    :param source: A game, a node of one, or a board with its moves.
    :param plies: After how many half-moves; ``0`` is the start. By default
        the last four explosions, or the last position where there are none.
    :param columns: How many positions stand in a row, by default all.
    :param captions: Pass ``False`` to leave out the moves under the boards.
    :param title: A text for screen readers, by default the players and moves.
    :param id_prefix: Begins the ids in the picture.

    The keywords of :func:`chess.svg.board` hold for each position; ``size``
    is the width of one of them.

    :raises: :exc:`ValueError` for a ply that the line does not have.

    >>> import atomic_variant
    >>> board = atomic_variant.AtomicBoard()
    >>> for san in ["e4", "d5", "exd5"]:
    ...     move = board.push_san(san)
    >>> strip(board, [2, 3]).count('class="explosion"')
    1
    """
    line = steps.line(source)
    board = line.start.copy(stack=False)
    taken = [steps.take(board, move) for move in line.moves]
    if plies is None:
        plies = [ply for ply, step in enumerate(taken, start=1) if step.blast][-4:] or [len(taken)]
    for ply in plies:
        if not 0 <= ply <= len(taken):
            raise ValueError(f"the line has plies 0 to {len(taken)}, not {ply}")

    size = options["size"] = options.get("size") or _CELL
    colors = options.get("colors", {})
    columns = max(1, min(columns or len(plies), len(plies)))
    row_height = size + (_markup.CAPTION_HEIGHT if captions else 0)
    width = columns * (size + _GAP) - _GAP
    height = -(-len(plies) // columns) * (row_height + _GAP) - _GAP
    cells = []
    texts = []
    for index, ply in enumerate(plies):
        x = index % columns * (size + _GAP)
        y = index // columns * (row_height + _GAP)
        cells.append(_placed(_position(line.start, taken, ply, f"p{index}", options), x, y, size))
        texts.append(steps.numbered(line.start, ply, taken[ply - 1].san) if ply else "Start")
        if captions:
            cells.append(_markup.caption(texts[-1], x, y + size, size, _markup.CAPTION_HEIGHT, colors))
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' viewBox="0 0 {width} {height}" width="{width}" height="{height}">{"".join(cells)}</svg>'
    )
    picture = _markup.with_id_prefix(picture, _markup.prefix_for(picture, id_prefix))
    said = f"{line.title}: {', '.join(texts)}" if line.title else f"Positions: {', '.join(texts)}"
    return Picture(_markup.with_title(picture, said if title is None else title))


def _position(start: chess.Board, taken: Sequence[steps.Step], ply: int, prefix: str, options: Options) -> str:
    board = start.copy(stack=False)
    for step in taken[:ply]:
        board.push(step.move)
    # The whole picture sets its own prefix before this one.
    return last_move(board, id_prefix=prefix, **options)


def _placed(picture: str, x: int, y: int, size: int) -> str:
    """A picture as a part of another; some programs draw no picture in a picture."""
    scale = size / view(picture)
    body = picture.partition(">")[2].removesuffix("</svg>")
    return f'<g class="position" transform="translate({x}, {y}) scale({scale:.6g})">{body}</g>'


def animate(
    source: chess.pgn.GameNode | chess.Board,
    *,
    seconds: float = 1.2,
    repeat: bool = True,
    captions: bool = True,
    title: str | None = None,
    id_prefix: str | None = None,
    **options: Unpack[Options],
) -> Picture:
    """
    Draws a line as one moving picture: pieces slide, then things explode.

    A piece arrives, its explosion bursts, the dead fade, and the squares are
    empty before the next move begins. It needs no script and nothing from
    elsewhere. Where a reader has asked for reduced motion, and in programs
    that do not move pictures, it shows the end of the line as
    :func:`last_move` does. In a page it rests while the pointer is on it, and
    while it has the focus, by the Tab key or a tap.

    :param source: A game, a node of one, or a board with its moves.
    :param seconds: How long a move takes.
    :param repeat: Pass ``False`` to stop at the end.
    :param captions: Pass ``False`` to leave out the line with the moves.
    :param title: A text for screen readers, by default the players.
    :param id_prefix: Begins the ids in the picture.

    Of the keywords of :func:`chess.svg.board`, those that describe a single
    position (``lastmove``, ``check``) have no effect. ``size`` is 390 unless
    given; ``None`` fills the place that there is.

    :raises: :exc:`ValueError` unless *seconds* is positive.

    >>> import atomic_variant
    >>> board = atomic_variant.AtomicBoard()
    >>> for san in ["e4", "d5", "exd5"]:
    ...     move = board.push_san(san)
    >>> "@keyframes" in animate(board)
    True
    """
    from . import _film

    if not 0 < seconds < float("inf"):
        raise ValueError(f"a move takes a positive number of seconds, not {seconds}")
    options.pop("lastmove", None)
    options.pop("check", None)
    options.setdefault("size", _CELL)
    line = steps.line(source)
    return Picture(
        _film.draw(
            line,
            host.draw(None, **options),
            seconds=seconds,
            repeat=repeat,
            captions=captions,
            title=(line.title or f"A line of {len(line.moves)} half-moves") if title is None else title,
            id_prefix=id_prefix,
            colors=options.get("colors", {}),
        )
    )


# --- Bitmaps ----------------------------------------------------------------


def gif(
    source: chess.pgn.GameNode | chess.Board,
    *,
    seconds: float = 0.9,
    repeat: bool = True,
    **options: Unpack[Options],
) -> bytes:
    """
    Draws a line as an animated GIF, for places that show no SVG.

    Each explosion is seen longer than a quiet move, and then its empty
    squares. Where an SVG can be shown, :func:`animate` is smaller and sharper.
    Needs the extra ``gif``.

    :param source: A game, a node of one, or a board with its moves.
    :param seconds: How long a quiet move is shown.
    :param repeat: Pass ``False`` to stop at the end.

    Of the keywords of :func:`chess.svg.board`, those that describe a single
    position (``lastmove``, ``check``) have no effect. ``size`` is 390 unless
    given.

    :raises: :exc:`ImportError` where the extra is not installed,
        :exc:`ValueError` unless *seconds* is positive.
    """
    from . import _gif

    if not 0 < seconds < float("inf"):
        raise ValueError(f"a move takes a positive number of seconds, not {seconds}")
    options.pop("lastmove", None)
    options.pop("check", None)
    options["size"] = options.get("size") or _CELL
    return _gif.draw(steps.line(source), seconds=seconds, repeat=repeat, options=options)


def png(picture: str | chess.Board, *, size: int | None = None, background: str | None = None) -> bytes:
    """
    A picture, or a board with its last move, as PNG.

    Needs the extra ``png``.

    :param picture: An SVG, as text, or a board.
    :param size: The width in pixels, by default that of the picture.
    :param background: A colour under everything, by default none.
    :raises: :exc:`ImportError` where the renderer is not installed.

    >>> png(chess.Board(), size=100)[1:4]  # doctest: +SKIP
    b'PNG'
    """
    try:
        import resvg_py
    except ImportError as error:
        raise ImportError("PNG needs resvg-py: pip install atomic_variant[png]") from error
    svg = last_move(picture) if isinstance(picture, chess.Board) else picture
    if size is not None and size < 1:
        raise ValueError(f"a picture is at least one pixel wide, not {size}")
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=str(svg), width=size, background=background, skip_system_fonts="<text" not in svg
        )
    )
