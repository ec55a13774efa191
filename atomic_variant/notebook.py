"""
Games and boards in notebooks: :class:`GameViewer`, :class:`PlayBoard` and :class:`Explorer`.

All are widgets of anywidget and work wherever that does: JupyterLab,
Notebook, VS Code, Colab, marimo. They load nothing from elsewhere. Where no
front end runs they show the position as a picture.

Needs the extra ``notebook``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any, ClassVar

import anywidget
import chess
import chess.engine
import chess.pgn
import chess.svg
import traitlets
from chess import Color, Move

from . import explorer, pgn, svg
from .boards.endings import find_ending
from .explorer._page import table_row
from .explorer._rows import BANDS, SPEEDS
from .svg import _steps as steps
from .text import counted, plain_text
from .viewer import bundle, page
from .viewer import data as replay

_PICTURE_SIZE = 390


class _Widget(anywidget.AnyWidget):
    """A widget that is a picture where no front end runs, and text in a terminal."""

    flipped = traitlets.Bool(False).tag(sync=True)
    """Whether Black is at the bottom."""

    look = traitlets.Dict().tag(sync=True)
    """
    How the board looks: ``colors`` with the keys of :mod:`chess.svg` and :data:`atomic_variant.svg.DEFAULT_COLORS`, the
    largest ``size`` in pixels, and ``pieces``, SVG in a square of 45 units by their letters. All may be left out.
    """

    @traitlets.validate("look")
    def _valid_look(self, proposal: Any) -> dict[str, Any]:
        look = dict(proposal["value"])
        if unknown := set(look) - {"colors", "pieces", "size"}:
            raise traitlets.TraitError(f"a look has colors, pieces and size, not {', '.join(sorted(unknown))}")
        for key, color in look.get("colors", {}).items():
            # What the front end puts into markup is a name of a colour and nothing else.
            if not re.fullmatch(r"#[0-9A-Fa-f]{3,8}|[A-Za-z]{1,30}", str(color)):
                raise traitlets.TraitError(f"{key!r} has no colour that is a name or #rrggbb: {color!r}")
        for symbol, shape in look.get("pieces", {}).items():
            if symbol not in chess.svg.PIECES or "<script" in shape.lower():
                raise traitlets.TraitError(f"pieces are SVG by the letters {''.join(chess.svg.PIECES)}, not {symbol!r}")
        size = look.get("size")
        if size is not None and not (isinstance(size, int) and 100 <= size <= 4000):
            raise traitlets.TraitError(f"a board is from 100 to 4000 pixels wide, not {size!r}")
        return look

    _from_front_end: ClassVar[frozenset[str]] = frozenset({"flipped"})
    """What a front end may set. The rest goes one way: what is shown is decided here."""

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Takes what a front end sends, for :mod:`ipywidgets`; what is not its business is left out."""
        super().set_state({name: value for name, value in sync_data.items() if name in self._from_front_end})

    def _position(self) -> chess.Board:
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        shown = super()._repr_mimebundle_(**kwargs)
        if shown is None:
            return None
        data, metadata = shown
        data["text/plain"] = f"{self._position()}\n{self._said()}"
        return data | self._still(), metadata

    def _still(self) -> dict[str, str]:
        """What is seen where no front end runs, by MIME type."""
        picture = svg.last_move(self._position(), size=_PICTURE_SIZE, orientation=not self.flipped)
        return {"image/svg+xml": str(picture)}

    def _said(self) -> str:
        raise NotImplementedError


class GameViewer(_Widget):
    """
    Shows a game move by move, with explosions.

    :param game: A game, a node of one, where the viewer then begins, a board
        with its moves, or a record of :func:`atomic_variant.pgn.scan`. Any
        variant of python-chess will do.
    :param ply: After how many moves to begin.
    :param orientation: Who is at the bottom.
    :param look: Colours, size and pieces of the board; see :attr:`look`.

    >>> import atomic_variant
    >>> board = atomic_variant.AtomicBoard()
    >>> for san in ["e4", "d5", "exd5"]:
    ...     move = board.push_san(san)
    >>> viewer = GameViewer(board, ply=3)
    >>> viewer.board == board
    True
    >>> viewer.ply = 1
    >>> viewer.current.san()
    'e4'

    ``ply`` goes both ways: set it and the viewer moves; use
    ``viewer.observe(function, "ply")`` to be told when a reader moves.

    The game is read once, so later changes to it are not shown.
    """

    _esm = bundle.module("game_widget")

    _from_front_end = frozenset({"flipped", "node", "ply"})

    replay = traitlets.Dict().tag(sync=True)
    """The game as data; see :mod:`atomic_variant.viewer.data`."""

    node = traitlets.Int(0).tag(sync=True)
    """The move that is shown, counted through the main line and then the variations."""

    ply = traitlets.Int(0).tag(sync=True)
    """How many moves were made from the start of the game, in the line that is shown."""

    def __init__(
        self,
        game: chess.pgn.GameNode | chess.Board | pgn.Record,
        *,
        ply: int | None = None,
        orientation: Color = chess.WHITE,
        **kwargs: Any,
    ) -> None:
        if isinstance(game, pgn.Record):
            game = game.game()
        shown = pgn.Game.from_board(game) if isinstance(game, chess.Board) else game
        self.game: chess.pgn.Game = shown.game()
        """The game that is shown."""
        data = replay.encode(self.game, wins=True)
        # No moves are shown from a start that cannot be set up.
        flat = replay.flatten(self.game) if data["nodes"] else []
        self._nodes: list[chess.pgn.GameNode] = [self.game, *(node for node, _ in flat)]
        self._parents = [0, *(parent for _, parent in flat)]
        self._depths = [0]
        for parent in self._parents[1:]:
            self._depths.append(self._depths[parent] + 1)
        super().__init__(replay=data, flipped=not orientation, **kwargs)
        if shown is not self.game:
            self.node = next((index for index, node in enumerate(self._nodes) if node is shown), 0)
        if ply is not None:
            self.ply = ply

    @property
    def current(self) -> chess.pgn.GameNode:
        """The node of the game that is shown."""
        node: chess.pgn.GameNode = self._nodes[self.node]
        return node

    @property
    def board(self) -> chess.Board:
        """The position that is shown, a board of its own."""
        return self.current.board()

    def _line(self) -> list[int]:
        """The moves from the start through the one that is shown to the end of its line."""
        line = [self.node]
        while line[0]:
            line.insert(0, self._parents[line[0]])
        numbers = {id(node): index for index, node in enumerate(self._nodes)}
        while (following := self._nodes[line[-1]].next()) is not None and id(following) in numbers:
            line.append(numbers[id(following)])
        return line

    @traitlets.validate("node")
    def _valid_node(self, proposal: Any) -> int:
        if not 0 <= proposal["value"] < len(self._nodes):
            raise traitlets.TraitError(f"the game has moves 0 to {len(self._nodes) - 1}, not {proposal['value']}")
        return int(proposal["value"])

    @traitlets.validate("ply")
    def _valid_ply(self, proposal: Any) -> int:
        last = len(self._line()) - 1
        if not 0 <= proposal["value"] <= last:
            raise traitlets.TraitError(f"the line has plies 0 to {last}, not {proposal['value']}")
        return int(proposal["value"])

    @traitlets.observe("node")
    def _node_changed(self, change: Any) -> None:
        self.ply = self._depths[self.node]

    @traitlets.observe("ply")
    def _ply_changed(self, change: Any) -> None:
        if self._depths[self.node] != self.ply:
            self.node = self._line()[self.ply]

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """
        The viewer as an HTML page of its own, which begins at the move that is shown.

        The page needs nothing from elsewhere and opens from disk.

        :param path: Where to write the page too; a file there is replaced.
        :raises: :exc:`OSError` if the file cannot be written.

        >>> viewer = GameViewer(chess.Board())
        >>> viewer.to_html().startswith("<!DOCTYPE html>")
        True
        """
        text = page.game_page(self.game, node=self.node, flipped=self.flipped)
        if path is not None:
            with open(path, "w", encoding="utf-8", newline="\n") as handle:
                handle.write(text)
        return text

    def _still(self) -> dict[str, str]:
        # The start says nothing of a game.
        return {"text/html": page.still(self.game, self.current if self.node else None, flipped=self.flipped)}

    def _position(self) -> chess.Board:
        try:
            return self.board
        except ValueError:  # The start cannot be set up.
            return chess.Board.empty()

    def _said(self) -> str:
        ended = self.replay.get("end", "") if self.current is self.game.end() else ""
        san = steps.numbered(self.game.board(), self.ply, self.replay["nodes"][self.node - 1][0]) if self.node else ""
        return "  ".join(text for text in (san, ended) if text)


Opponent = Callable[[chess.Board], Move]


class PlayBoard(_Widget):
    """
    A board to play on: click or drag a piece.

    What a capture would explode is shown before it is made, and captures that
    would explode the own king are marked as forbidden. A click that cannot be
    a move says why. Castling is the king's move or the king on its rook. Every
    move is checked here, whatever the front end sends.

    :param board: Where to begin, by default an atomic starting position. The
        widget plays on a copy.
    :param opponent: Who answers: an engine of :mod:`chess.engine` or any
        function from a board to a move, such as
        :func:`atomic_variant.tactics.player`. By default nobody, and both sides
        are played by hand.
    :param color: The side that is played by hand against an opponent, by
        default the side to move.
    :param limit: How long an engine may think, by default half a second.
    :param orientation: Who is at the bottom, by default *color*.
    :param look: Colours, size and pieces of the board; see :attr:`look`.

    :raises: :exc:`ValueError` for a variant with drops, which have no place
        on this board.

    >>> play = PlayBoard()
    >>> play.observe(lambda change: print(change["new"]), "moves")
    >>> play.push(chess.Move.from_uci("e2e4"))
    ('e2e4',)
    >>> play.take_back()
    ()
    """

    _esm = bundle.module("play_widget")

    state = traitlets.Dict().tag(sync=True)
    """What the front end knows: the position, the legal moves and what they explode."""

    moves = traitlets.Tuple()
    """The moves so far, in UCI. Observe it to be told of moves; it is read-only."""

    answer = traitlets.Dict().tag(sync=True)
    """Why what was clicked last is no move: a sentence, and a number that counts them."""

    fen = traitlets.Unicode()
    """The position. It is read-only."""

    def __init__(
        self,
        board: chess.Board | None = None,
        *,
        opponent: Opponent | chess.engine.SimpleEngine | None = None,
        color: Color | None = None,
        limit: chess.engine.Limit | None = None,
        orientation: Color | None = None,
        **kwargs: Any,
    ) -> None:
        from .boards.atomic import AtomicBoard

        given = AtomicBoard() if board is None else board
        if hasattr(given, "pockets"):
            raise ValueError(f"{type(given).__name__} has drops, which cannot be made on a PlayBoard")
        self.color: Color = given.turn if color is None else color
        self._opponent = opponent
        self._limit = limit or chess.engine.Limit(time=0.5)
        self._set_up(given)
        bottom = (self.color if opponent else chess.WHITE) if orientation is None else orientation
        super().__init__(flipped=not bottom, **kwargs)
        self.on_msg(self._received)
        self._tell()
        self._answer()

    def _set_up(self, given: chess.Board) -> None:
        self._board = given.root()
        self._taken: list[steps.Step] = []
        self._before = ""
        self._news = ""
        self._start_ply = self._board.ply()
        for move in given.move_stack:
            self._take(move)

    @property
    def board(self) -> chess.Board:
        """The position with its moves, a board of its own."""
        return self._board.copy()

    def push(self, move: Move) -> None:
        """
        Makes a move for the side to move, and lets the opponent answer.

        :raises: :exc:`chess.IllegalMoveError` for an illegal move.
        """
        if not self._board.is_legal(move):
            why = getattr(self._board, "why_illegal", lambda move: None)(move)
            raise chess.IllegalMoveError(f"{move.uci()} is illegal: {why}" if why else f"{move.uci()} is illegal")
        self._take(move)
        self._tell()
        self._answer()

    def take_back(self) -> None:
        """Takes back a move, and the opponent's answer with it. Does nothing at the start."""
        if not self._taken:
            return
        self._pop()
        if self._opponent and self._board.turn != self.color and self._taken:
            self._pop()
        self._before = self._news = ""
        self._tell()

    def _take(self, move: Move) -> None:
        self._before = self._board.board_fen()
        who = "The opponent: " if self._opponent and self._board.turn != self.color else ""
        self._news = who + steps.numbered(self._board, 1, svg.describe(self._board, move))
        self._taken.append(steps.take(self._board, move))

    def _pop(self) -> None:
        self._board.pop()
        self._taken.pop()

    def _answer(self) -> None:
        """Lets the opponent move if it is its turn. A failure is said and raised, the game goes on by hand."""
        if not self._opponent or self._board.turn == self.color or self._board.is_game_over():
            return
        try:
            if isinstance(self._opponent, chess.engine.SimpleEngine):
                move = self._opponent.play(self._board.copy(), self._limit).move
            else:
                move = self._opponent(self._board.copy())
            if move is None or not self._board.is_legal(move):
                raise chess.IllegalMoveError(f"the opponent's move {move} is illegal in {self._board.fen()}")
        except Exception as error:
            self._opponent = None
            self._tell(f"The opponent failed and is gone: {plain_text(error, 200)}")
            raise
        self._take(move)
        self._tell()

    def _tell(self, trouble: str = "") -> None:
        """Tells observers and the front end where the game stands."""
        board = self._board
        ending = find_ending(board)
        by_hand = not self._opponent or board.turn == self.color
        turn = f"{chess.COLOR_NAMES[board.turn].capitalize()} to move{', in check' if board.is_check() else ''}"
        state: dict[str, Any] = {
            "position": board.board_fen(),
            "ply": self._start_ply,
            "moves": [step.san for step in self._taken],
            "legal": [],
            "forbidden": [],
            "news": self._news,
            "status": trouble or ending.words or turn,
            "over": ending.outcome is not None,
            "can_take_back": bool(self._taken),
        }
        if by_hand and ending.outcome is None:
            state["legal"] = [choice for move in board.legal_moves for choice in self._choices(move)]
            state["forbidden"] = [self._choice(move) for move in self._forbidden()]
        if self._taken:
            state["last"] = replay.row(self._taken[-1], {})
            if self._before:
                state["before"] = self._before
        if board.is_check() and (king := board.king(board.turn)) is not None:
            state["check"] = chess.SQUARE_NAMES[king]
        self.state = state
        self.fen = board.fen()
        self.moves = tuple(step.move.uci() for step in self._taken)

    def _choices(self, move: Move) -> list[list[str]]:
        """A move for the front end; castling also as the king on its rook."""
        choices = [self._choice(move)]
        if self._board.is_castling(move) and not self._board.chess960:
            rook = chess.square(7 if move.to_square > move.from_square else 0, chess.square_rank(move.from_square))
            choices.append([chess.SQUARE_NAMES[move.from_square] + chess.SQUARE_NAMES[rook]])
        return choices

    def _choice(self, move: Move) -> list[str]:
        blast = "".join(
            chess.SQUARE_NAMES[square] for square in chess.scan_forward(steps.blast_mask(self._board, move))
        )
        return [move.uci(), blast] if blast else [move.uci()]

    def _forbidden(self) -> list[Move]:
        """The captures that would explode the own king too."""
        board = self._board
        kings = board.kings & board.occupied_co[board.turn]
        return [
            move
            for move in board.generate_pseudo_legal_captures()
            if steps.blast_mask(board, move) & kings and not board.is_legal(move)
        ]

    def _why(self, origin: chess.Square, target: chess.Square | None) -> str:
        """Why a click is no move, as a sentence."""
        board = self._board
        piece = board.piece_at(origin)
        mover, other = ("White", "Black") if board.turn else ("Black", "White")
        if self.state["over"]:
            return f"The game is over. {self.state['status']}"
        if self._opponent and board.turn != self.color:
            return "It is the opponent's turn"
        if piece is None:
            return f"There is no piece on {chess.SQUARE_NAMES[origin]}"
        name = f"{chess.piece_name(piece.piece_type)} on {chess.SQUARE_NAMES[origin]}"
        if piece.color != board.turn:
            return f"The {name} is {other}'s, and {mover} is to move"
        explain = getattr(board, "why_illegal", lambda move: None)
        if target is None:
            moves = board.generate_pseudo_legal_moves(chess.BB_SQUARES[origin])
            reasons = {explain(move) for move in moves} - {None}
            because = (
                f": {reasons.pop()}" if len(reasons) == 1 else f": {mover} is in check" if board.is_check() else ""
            )
            return f"The {name} has no legal move{because}"
        last = piece.piece_type == chess.PAWN and chess.square_rank(target) in (0, 7)
        move = Move(origin, target, chess.QUEEN if last else None)
        reason = explain(move) or f"the {name} may not go to {chess.SQUARE_NAMES[target]}"
        return reason[:1].upper() + reason[1:]

    def _received(self, widget: Any, content: Any, buffers: Any) -> None:
        """A message of the front end, which may be anything."""
        kind = content.get("type") if isinstance(content, dict) else None
        if kind == "take_back":
            self.take_back()
        elif kind == "move" and content.get("at") == len(self._taken):
            by_hand = not self._opponent or self._board.turn == self.color
            uci = str(content.get("uci"))[:10]
            # The king on its rook becomes the king's move.
            move = next((m for m in self._board.legal_moves if uci in [row[0] for row in self._choices(m)]), None)
            if by_hand and move and not self._board.is_game_over():
                self.push(move)
        elif kind == "why":
            origin, target = (content.get(name) for name in ("from", "to"))
            if origin in chess.SQUARE_NAMES and (target is None or target in chess.SQUARE_NAMES):
                squares = [None if name is None else chess.parse_square(name) for name in (origin, target)]
                assert squares[0] is not None
                text = plain_text(self._why(squares[0], squares[1]), 300)
                self.answer = {"text": text, "number": self.answer.get("number", 0) + 1}

    def _position(self) -> chess.Board:
        return self._board

    def _said(self) -> str:
        return str(self.state["status"])


class Explorer(PlayBoard):
    """
    A board with a table of the moves that were played: click one, or play any on the board.

    :param book: What :func:`atomic_variant.explorer.open` gives. It must stay open.
    :param board: Where to begin, by default the starting position.
    :param names: Names of openings, by default those that come with the package.
    :param filters: See :attr:`filters`. Other arguments are those of :class:`PlayBoard`.

    >>> import io, os, tempfile
    >>> from atomic_variant import explorer
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "atomic.db")
    >>> explorer.build(io.StringIO('[Variant "Atomic"]\\n\\n1. Nf3 f6 1-0'), path, min_games=1)
    1
    >>> with explorer.open(path) as book:
    ...     shown = Explorer(book)
    ...     shown.push(chess.Move.from_uci("g1f3"))
    ...     [row[2] for row in shown.table["rows"]]
    ['f6']
    >>> folder.cleanup()
    """

    _esm = bundle.module("explorer_widget")

    table = traitlets.Dict().tag(sync=True)
    """What the front end shows beside the board. It is read-only."""

    filters = traitlets.Dict()
    """Which games count: ``rating``, ``speed``, ``since``, ``until`` and ``wins`` of :meth:`.Book.moves`."""

    def __init__(
        self,
        book: explorer.Book,
        board: chess.Board | None = None,
        *,
        filters: dict[str, Any] | None = None,
        names: explorer.OpeningNames | None = None,
        **kwargs: Any,
    ) -> None:
        self.book = book
        self._names = names or explorer.OpeningNames()
        super().__init__(book.variant() if board is None else board, filters=filters or {}, **kwargs)

    @property
    def board(self) -> chess.Board:
        """The position with its moves, a board of its own. Set it to show another one."""
        return self._board.copy()

    @board.setter
    def board(self, board: chess.Board) -> None:
        self.book.position(board)  # Says now if it is of another variant.
        self._set_up(board)
        self._tell()

    def follow(self, viewer: GameViewer) -> None:
        """Shows the position that *viewer* shows, now and whenever it shows another one."""

        def show(change: Any = None) -> None:
            self.board = viewer.board

        show()
        viewer.observe(show, "node")

    @traitlets.validate("filters")
    def _valid_filters(self, proposal: Any) -> dict[str, Any]:
        filters = dict(proposal["value"])
        try:
            self.book.moves(self._board, **filters)
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(f"filters are arguments of Book.moves: {error}") from None
        return filters

    @traitlets.observe("filters")
    def _filters_changed(self, change: Any) -> None:
        self._tell_moves()

    def _tell(self, trouble: str = "") -> None:
        super()._tell(trouble)
        self._tell_moves()

    def _tell_moves(self) -> None:
        opening = self._names.find(self._board)
        low = (self.filters.get("rating") or (None, None))[0]
        speed = self.filters.get("speed") or ()
        only = next(iter(speed)) if len(speed) == 1 else ""
        self.table = {
            "rows": [table_row(self._board, row) for row in self.book.moves(self._board, **self.filters)],
            "name": f"{opening.eco} {opening.name}".strip() if opening else "",
            "rating": "" if low is None else str(low),
            "speed": only,
            "ratings": BANDS[1:],
            "speeds": SPEEDS,
        }

    def _received(self, widget: Any, content: Any, buffers: Any) -> None:
        if not isinstance(content, dict) or content.get("type") != "filter":
            super()._received(widget, content, buffers)
            return
        filters = dict(self.filters)
        if content.get("rating") in ["", *map(str, BANDS)]:
            filters["rating"] = (int(content["rating"]) if content["rating"] else None, None)
        if content.get("speed") in ["", *SPEEDS]:
            filters["speed"] = {content["speed"]} if content["speed"] else None
        self.filters = filters

    def _said(self) -> str:
        moves = [f"{row[2]}: {counted(row[3], 'game')}, {row[7]}" for row in self.table["rows"]]
        return "\n".join([super()._said(), *moves])
