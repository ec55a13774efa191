"""
The two protocols that engines speak, guarded: UCI and XBoard.

What is peculiar to each: the lines that say how far a search is, the moves
that have to be legal, and the chatter that python-chess would stumble over.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import chess
import chess.engine
from chess.engine import Limit, PlayResult

from ..text import one_line
from ._errors import EngineMoveError, EngineOutputError
from ._process import LOGGER, GuardedProtocol, Recipe
from ._rules import Way

# What python-chess reads of a line of information, where it is a number.
_ODD_NUMBER = re.compile(
    rb"\s(?:depth|seldepth|time|nodes|multipv|currmovenumber|hashfull|nps|tbhits|cpuload|wdl|ebf)"
    rb"(?!\s+[-+]?\d{1,18}(?:\.\d{1,18})?(?:\s|$))"
    rb"|\sscore(?!\s+(?:cp|mate)\s+[-+]?\d{1,9}(?:\s|$))"
    rb"|\scurrline(?!\s+\d{1,9}\s)"
    rb"|\scurrmove(?!\s+(?:(?P<start>[a-h][1-8])(?!(?P=start))[a-h][1-8][a-z]?|[PNBRQK]@[a-h][1-8]|0000)(?:\s|$))"
)
# What python-chess reads of it as moves.
_VARIATION = re.compile(
    r"(?P<what>\s(?:pv|currline\s+\d+|refutation))(?=\s|$)"
    r"(?P<moves>(?:\s+(?:[a-h][1-8][a-h][1-8]|[PNBRQK]@[a-h][1-8]|0000)\S*)*)"
)
_DEPTH = re.compile(r"\sdepth (\d{1,4})\b")

# Fairy-Stockfish always shows what it thinks, and does not know the commands that ask for it.
_ALWAYS_SHOWN = re.compile(rb"Error \(unknown command\): (post|nopost|\.)\s*$")
_COMPLAINT = re.compile(rb"\s*(Error|Illegal move)(\s*\([^()]+\))?\s*:")
# Seconds that an XBoard engine has to name its features.
_PATIENCE = 15.0
# So many errors of a UCI engine are kept.
_COMPLAINTS = 10
# What else python-chess listens to in a search of an XBoard engine.
_XBOARD_SPEECH = re.compile(rb"\s*(pong|offer draw|resign|1-0|0-1|1/2-1/2|#|\d+(\s+\S+){3})")


class GuardedUci(GuardedProtocol, chess.engine.UciProtocol):
    """:class:`chess.engine.UciProtocol`, guarded."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__(recipe)
        self.complaints: list[str] = []
        """What the engine calls errors; it may go on all the same."""
        self._shown = _Variation(chess.Board())
        """The last line of moves that the engine showed."""

    def line_received(self, line: str) -> None:
        token, _, rest = line.lstrip().partition(" ")
        if token == "info":
            if not rest.lstrip().startswith("string"):
                depth = _DEPTH.search(line)
                self._hear(int(depth[1]) if depth else None)
            elif "ERROR" in rest and len(self.complaints) < _COMPLAINTS:
                self.complaints.append(rest)
        elif token == "bestmove":
            self._hear(None)
            self._depth = 0
            move = (rest.split() or ["(none)"])[0]
            _check_move(self, self.board, None if move in ("(none)", "NULL", "0000") else move.lower())

    def _restrict(self, board: chess.Board, kwargs: dict[str, Any], *, analysing: bool) -> None:
        way = self.recipe.way
        if way is not None and way.limit is not None and kwargs.get("root_moves") is None:
            kwargs["root_moves"] = list(board.legal_moves)

    def _edited(self, line: bytes) -> bytes | None:
        if not line.isascii():
            line = line.decode("utf-8", "replace").encode()
        token = (line.split(None, 1) or [b""])[0]
        if token == b"info" and self._serves_host():
            if self._is_pinged():
                return None
            said, separator, text = line.partition(b" string ")
            if _ODD_NUMBER.search(said):
                said = _ODD_NUMBER.sub(b"", said)
            # Where a move is illegal the host gives up the whole line of moves, and complains.
            said = _VARIATION.sub(self._legal_variation, said.decode()).encode()
            return said + separator + text
        if token == b"bestmove" and self._serves_host():
            return self._without_illegal_ponder(line)
        if token not in (b"info", b"bestmove", b"readyok") and self.initialized and self._serves_host():
            return None
        return line

    def _legal_variation(self, match: re.Match[str]) -> str:
        """What the engine shows of a line of moves, to the first that is illegal."""
        if self._shown.root is not self.board:
            self._shown = _Variation(self.board)
        words = match["moves"].split()
        legal = self._shown.legal_start(words)
        if legal == len(words) and (words or not match["what"].endswith("refutation")):
            return match[0]
        return " ".join([match["what"], *words[:legal]]) if legal else ""

    def _without_illegal_ponder(self, line: bytes) -> bytes:
        words = line.split()
        if words[2:3] == [b"ponder"] and len(words) > 3:
            after = self.board.copy(stack=False)
            try:
                after.push_uci(words[1].decode().lower())
                after.parse_uci(words[3].decode().lower())
            except ValueError:
                return b" ".join(words[:2])
        return line

    @property
    def variants(self) -> list[str]:
        option = self.options.get("UCI_Variant")
        return list(option.var or []) if option is not None else []

    def plays(self, way: Way) -> bool:
        return way.uci == "chess" or way.uci in self.variants


class GuardedXBoard(GuardedProtocol, chess.engine.XBoardProtocol):
    """
    :class:`chess.engine.XBoardProtocol`, guarded.

    Engines may lose step: they call our move illegal, or answer one that we
    call so. Such an engine is shown the position anew, once, and blamed only
    if that does not help.

    Fairy-Stockfish loses step by itself. It may print its move before it
    notes that it has to play it, and then never does; and a position that is
    set up after a search whose move it did not play shares memory with the
    old one, until it crashes. So its own moves are repeated to it, and it is
    not let ponder, which would need the same care and hangs at times.
    """

    def __init__(self, recipe: Recipe) -> None:
        super().__init__(recipe)
        self._may_complain = False
        """Whether a complaint means that the engine has lost step."""
        self._is_last_try = False
        """Whether the position was shown anew, so that an illegal answer is one."""
        self._out_of_step = False
        """Whether moves and complaints of the engine mean nothing."""
        self._unsettled = False
        """Whether the last search of the engine ended without a move of its own."""

    async def initialize(self) -> None:
        # The host waits two seconds for the features of an engine. Programs
        # under Node.js take longer to start: the host gets more patience, as
        # by an engine that asks for it, and has to decide in the end.
        patience = _PATIENCE if self.recipe.timeout is None else min(_PATIENCE, self.recipe.timeout / 2)
        timers = [
            self.loop.call_later(delay, self._claim, b"feature done=%d\n" % done)
            for delay, done in ((min(0.2, patience / 2), 0), (patience, 1))
        ]
        try:
            await super().initialize()
        finally:
            for timer in timers:
                timer.cancel()

    def _claim(self, line: bytes) -> None:
        """Shows the host a whole *line* that the engine did not send."""
        chess.engine.XBoardProtocol.pipe_data_received(self, 1, line)

    async def play(self, board: chess.Board, limit: Limit, **kwargs: Any) -> PlayResult:
        began = self.loop.time()
        if self._is_forgetful():
            kwargs["ponder"] = False
        self._may_complain = True
        try:
            return await self._settled(await super().play(board, limit, **kwargs))
        except chess.engine.EngineError:
            if not self._out_of_step or self.fault is not None:
                raise
        finally:
            self._may_complain = False
        LOGGER.debug("%s: lost step, and is shown the position anew", self)
        self.send_line("force")
        if self._is_forgetful():
            self.send_line("undo")
        await self.ping()  # What it says until then is about a position of its own.
        self._out_of_step = False
        self._unsettled = False
        self.first_game = True  # The host then begins anew.
        self.clock_id = None
        limit = _later(limit, board.turn, self.loop.time() - began)
        self._may_complain = self._is_last_try = True  # What it answers after a complaint is no answer to us.
        try:
            return await self._settled(await super().play(board, limit, **kwargs))
        except chess.engine.EngineTerminatedError:
            raise
        except chess.engine.EngineError as err:
            if not _COMPLAINT.match(str(err).encode()):
                raise
            self.blame(
                EngineOutputError(
                    f"{self.name} does not follow the moves to {board.fen()} and was stopped: {one_line(err)}"
                )
            )
            assert self.fault is not None
            raise self.fault from err
        finally:
            self._may_complain = self._is_last_try = self._out_of_step = False

    async def _settled(self, result: PlayResult) -> PlayResult:
        """Makes an engine that may have forgotten its own move play it."""
        if self._is_forgetful():
            if result.move is None:
                self._unsettled = True
            else:
                self._out_of_step = True
                # Here the board of the host has the move already.
                before = self.board.copy(stack=1)
                move = before.pop()
                self.send_line("force")
                self.send_line(f"usermove {before.xboard(move)}")
                await self.ping()  # By then it has called the move illegal, if it had played it.
                self._out_of_step = False
        return result

    def _is_forgetful(self) -> bool:
        return "stockfish" in self.name.lower()

    def _new(self, board: chess.Board, *args: Any, **kwargs: Any) -> None:
        if self._unsettled and not self.first_game:
            # A move to and fro.
            self._unsettled = False
            move = next(iter(self.board.legal_moves), None)
            self.send_line("force")
            if move is not None:
                self.send_line(f"usermove {self.board.xboard(move)}")
                self.send_line("undo")
            elif self.board.move_stack:
                self.send_line("undo")
                self.board.pop()
        super()._new(board, *args, **kwargs)

    async def analysis(self, board: chess.Board, limit: Limit | None = None, **kwargs: Any) -> Any:
        analysis = await super().analysis(board, limit, **kwargs)
        self._unsettled = self._is_forgetful()
        return analysis

    def _restrict(self, board: chess.Board, kwargs: dict[str, Any], *, analysing: bool) -> None:
        way = self.recipe.way
        if way is None or way.limit is None or kwargs.get("root_moves") is not None:
            return
        if analysing and self.features.get("exclude", 0):
            kwargs["root_moves"] = list(board.legal_moves)

    def _edited(self, line: bytes) -> bytes | None:
        if not line.isascii():
            line = line.decode("utf-8", "replace").encode()
        words = line.split(None, 2)
        if not words:
            return None
        if words[0] == b"move":
            if self._out_of_step:
                return b"# " + line  # An answer in a position of its own.
            if (
                self._may_complain
                and not self._is_last_try
                and not _is_legal(self, self.board, line.decode().split()[1:])
            ):
                self._out_of_step = True
                return b"Illegal move (answered): " + line
        elif _ALWAYS_SHOWN.match(line):
            # The host gives up on any error.
            return b"# " + line
        elif words[0] == b"Hint:":
            if not _is_legal(self, self.board, line.decode().split()[1:]):
                return b"# " + line
        elif _COMPLAINT.match(line) and self._may_complain:
            if self._out_of_step:
                return b"# " + line
            self._out_of_step = words[0] == b"Illegal"
        elif self.initialized and self._serves_host() and not _COMPLAINT.match(line):
            listens = words[0] == b"pong" if self._is_pinged() else _XBOARD_SPEECH.match(line)
            return line if listens else b"# " + line
        return line

    def line_received(self, line: str) -> None:
        token, _, rest = line.strip().partition(" ")
        self._hear(int(token) if token.isascii() and token.isdigit() and len(token) < 5 else None)
        if token == "move":
            self._depth = 0
            if self.initialized:
                _check_move(self, self.board, rest)

    @property
    def variants(self) -> list[str]:
        return [name for name in str(self.features.get("variants", "")).split(",") if name]

    def plays(self, way: Way) -> bool:
        return way.xboard == "normal" or way.xboard in self.variants


# --- Helpers ------------------------------------------------------------------


def _check_move(protocol: GuardedProtocol, board: chess.Board, text: str | None) -> None:
    """Raises an error unless *text* is a legal move, or there are none to answer."""
    if text is None:
        if not board.is_game_over():
            raise EngineMoveError(f"{protocol.name} answered no move in {board.fen()} and was stopped")
        return
    if not _is_legal(protocol, board, [text]):
        raise EngineMoveError(
            f"{protocol.name} answered the illegal move {one_line(text, 20)!r} in {board.fen()} and was stopped"
        )


def _is_legal(protocol: GuardedProtocol, board: chess.Board, words: list[str]) -> bool:
    parse = board.parse_uci if isinstance(protocol, GuardedUci) else board.parse_xboard
    try:
        return bool(parse(" ".join(words)))
    except ValueError:
        return False


def _later(limit: Limit, turn: chess.Color, seconds: float) -> Limit:
    """*limit* when *seconds* of the clock are gone."""
    clock = limit.white_clock if turn else limit.black_clock
    if clock is None:
        return limit
    left = max(0.01, clock - seconds)
    return replace(limit, white_clock=left) if turn else replace(limit, black_clock=left)


class _Variation:
    """
    The moves of a line from *root*, as far as they are legal.

    The next line of an engine mostly begins as the last one did, so that only
    the moves from there on are looked at.
    """

    def __init__(self, root: chess.Board) -> None:
        self.root = root
        self.board = root.copy(stack=False)
        self.words: list[str] = []

    def legal_start(self, words: list[str]) -> int:
        """How many of *words*, in UCI notation, are legal one after the other."""
        shared = 0
        for old, new in zip(self.words, words, strict=False):
            if old != new:
                break
            shared += 1
        for _ in self.words[shared:]:
            self.board.pop()
        del self.words[shared:]
        for word in words[shared:]:
            try:
                self.board.push_uci(word)
            except ValueError:
                break
            self.words.append(word)
        return len(self.words)
