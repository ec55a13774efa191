"""Annotating games with an engine: evaluations, better lines, verdicts, endings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import chess
import chess.engine
import chess.pgn
from chess.engine import Cp, Limit, Mate, MateGiven, PovScore, Score

from .. import host, tactics
from ..boards import AtomicBoard
from ..boards.endings import Ending, find_ending
from ..pgn._remarks import parse_evaluation
from ._errors import AnnotationError, EngineOutputError
from ._opening import Engine

EVALUATED_BY = "EvaluatedBy"
"""The header that names the engine and the limit of the evaluations in a game."""

VERDICTS = (
    (0.15, chess.pgn.NAG_BLUNDER),
    (0.10, chess.pgn.NAG_MISTAKE),
    (0.05, chess.pgn.NAG_DUBIOUS_MOVE),
)
"""
The expected score that a move loses at least to be a blunder (``??``), a
mistake (``?``) or dubious (``?!``): the steps of Lichess, where a win counts
1, a draw 0.5, and scores become expectations by the curve of Lichess.
"""

# No sane score is beyond it. Engines stay below some ten thousand.
_MAX_CENTIPAWNS = 1_000_000
_MAX_MATE = 1_000

# Wins by force within so many moves are proved: some 50 microseconds a
# position for the kernel, some milliseconds without it.
_PROVED_MOVES = 2


class _Line(NamedTuple):
    score: PovScore
    moves: Sequence[chess.Move]
    depth: int | None


def annotate(
    game: chess.pgn.Game,
    engine: chess.engine.SimpleEngine,
    limit: Limit,
    *,
    multipv: int = 1,
    threshold: float = 0.10,
    max_line: int = 10,
    progress: Callable[[int, int], object] | None = None,
    resume: bool = True,
) -> None:
    """
    Annotates the main line of *game*, in place.

    * Every position gets an evaluation (``[%eval]``), the starting position
      and the last one too.
    * A move that loses much gets a NAG: ``?!``, ``?`` or ``??``, by
      :data:`VERDICTS`. If it loses at least *threshold*, the best line goes
      beside it, at most *max_line* half-moves long.
    * A comment at the end says how the game ended, if the board knows.

    Where the side to move of an atomic board wins by force within two moves,
    as :func:`atomic_variant.tactics.find_win` proves, that is the best line,
    and the engine is not asked.

    The game is worked through from its end, so that each step leaves a
    position that is finished. The header ``EvaluatedBy`` names the engine and
    the limit; a game evaluated by the same is left as it is, so an
    interrupted call is taken up by calling it again, on the same game or on
    one read back from PGN. Evaluations of another origin are replaced;
    variations are never removed.

    >>> import atomic_variant, chess.engine
    >>> from atomic_variant import engine
    >>> with engine.open_engine() as opened:  # doctest: +SKIP
    ...     engine.annotate(game, opened, chess.engine.Limit(depth=12))

    The engine is told of a new game once, and remembers in each position what
    it found in those that follow. With a limit of depth or nodes the same
    engine gives the same annotations, interrupted or not: a game that was
    left unfinished is therefore searched again from its end. With a limit of
    time, where nothing can be repeated, only what is missing is searched.

    :param multipv: How many lines the engine looks for in each position; so
        many at most are shown beside a bad move.
    :param progress: Called as ``progress(done, total)`` after each position,
        with counts of positions. What it raises stops the work.
    :param resume: Whether to keep evaluations by the same engine and limit.
    :raises: :exc:`AnnotationError`, naming the ply, if the engine fails. One
        that was opened with :func:`atomic_variant.engine.open_engine` is
        first started again, once, and goes on where it failed.
        :exc:`ValueError` if the game starts from
        an invalid position.
    """
    nodes: list[chess.pgn.GameNode] = [game, *game.mainline()]
    board = game.board()
    status = board.status()
    if status != chess.STATUS_VALID:
        raise ValueError(f"cannot annotate a game from the invalid position {board.fen()} ({status!r})")
    for move in game.mainline_moves():
        board.push(move)

    author = evaluated_by(engine, limit, multipv)
    if not resume or game.headers.get(EVALUATED_BY) != author:
        _clear(game, nodes)
        game.headers[EVALUATED_BY] = author

    start = game.turn()
    evaluated = [_evaluation(node, start == (ply % 2 == 0)) for ply, node in enumerate(nodes)]
    if limit.time is None and None in evaluated:
        # Its memory is what it was only if it finds everything again.
        _take_back_verdicts([node for node, score in zip(nodes, evaluated, strict=True) if score is not None])
        evaluated = [None] * len(nodes)
    analyst = _Analyst(engine, limit, multipv)
    after: PovScore | None = None
    for done, node in enumerate(reversed(nodes), start=1):
        ending = find_ending(board)
        outcome = ending.outcome
        score = evaluated[-done]
        if outcome is not None:
            score = _final_score(outcome, board.turn)
            if node.is_end():
                _describe_ending(node, ending)
        if outcome is not None or score is None:
            lines = [] if outcome is not None else analyst.look(node, board)
            if lines:
                score = lines[0].score
            assert score is not None
            following = node.next()
            if following is not None and after is not None:
                _judge(node, following, lines, score, after, threshold, max_line)
            _set_eval(node, score, lines[0].depth if lines else None)
        after = score
        if progress is not None:
            progress(done, len(nodes))
        if board.move_stack:
            board.pop()


def evaluated_by(engine: chess.engine.SimpleEngine, limit: Limit, multipv: int = 1) -> str:
    """What :func:`annotate` writes into the header ``EvaluatedBy``."""
    return f"{_name(engine)}; {_describe(limit)}; {multipv} line{'s' if multipv > 1 else ''}"


class _Analyst:
    """Asks the engine, and starts it again once if it fails."""

    def __init__(self, engine: chess.engine.SimpleEngine, limit: Limit, multipv: int) -> None:
        self.engine = engine
        self.limit = limit
        self.multipv = multipv
        self.game = object()
        """What the engine has to know a game by: it then remembers until the next."""
        self.may_restart = isinstance(engine, Engine)

    def look(self, node: chess.pgn.GameNode, board: chess.Board) -> list[_Line]:
        """The best lines in the position of *node*, best first."""
        if proved := self._proved(board):
            return proved
        while True:
            try:
                return self._ask(board)
            except (chess.engine.EngineError, TimeoutError) as err:
                if not (self.may_restart and isinstance(err, chess.engine.EngineTerminatedError)):
                    raise _failure(node, err) from err
            self.may_restart = False
            try:
                assert isinstance(self.engine, Engine)
                self.engine.restart()
            except chess.engine.EngineError as err:
                raise _failure(node, err) from err

    def _proved(self, board: chess.Board) -> list[_Line]:
        """Lines that win by force, the shortest first, where that is quickly proved."""
        if not isinstance(board, AtomicBoard):
            return []
        win = tactics.find_win(board, _PROVED_MOVES)
        if win is None:
            return []
        lines = [_Line(PovScore(Mate(win.moves), board.turn), win.line, None)]
        if self.multipv > 1:
            lengths = tactics.winning_moves(board, _PROVED_MOVES)
            others = sorted((move for move in lengths if move != win.move), key=lambda move: lengths[move])
            lines += [_Line(PovScore(Mate(lengths[move]), board.turn), [move], None) for move in others]
        return lines[: self.multipv]

    def _ask(self, board: chess.Board) -> list[_Line]:
        if self.multipv == 1:  # Engines need not know of more.
            infos = [self.engine.analyse(board, self.limit, game=self.game)]
        else:
            infos = self.engine.analyse(board, self.limit, multipv=self.multipv, game=self.game)
        lines = [
            _Line(info["score"], _up_to_null(info.get("pv", [])), info.get("depth"))
            for info in infos
            if "score" in info and _is_sane(info["score"].relative)
        ]
        if not lines:
            self.engine.close()
            raise EngineOutputError(f"{_name(self.engine)} gave no usable score in {board.fen()} and was stopped")
        return lines


def _judge(
    node: chess.pgn.GameNode,
    played: chess.pgn.ChildNode,
    lines: Sequence[_Line],
    before: PovScore,
    after: PovScore,
    threshold: float,
    max_line: int,
) -> None:
    """Marks the move *played* in *node* if it lost much, and shows what was better."""
    if any(line.moves and line.moves[0] == played.move for line in lines[:1]):
        return
    turn = before.turn
    loss = _expectation(before.pov(turn)) - _expectation(after.pov(turn))
    for least, nag in VERDICTS:
        if loss >= least:
            played.nags.add(nag)
            break
    if loss < threshold:
        return
    for line in lines:
        if not line.moves:
            continue
        if not node.has_variation(line.moves[0]):
            node.add_line(line.moves[:max_line])
        elif node.variation(line.moves[0]).eval() is None:
            continue  # Somebody else's.
        node.variation(line.moves[0]).set_eval(line.score, line.depth)


def _clear(game: chess.pgn.Game, nodes: Sequence[chess.pgn.GameNode]) -> None:
    """Removes evaluations from the main line, and the verdicts that we made of them."""
    ours = EVALUATED_BY in game.headers
    for node in nodes:
        node.set_eval(None)
    if ours:
        _take_back_verdicts(nodes)


def _take_back_verdicts(nodes: Sequence[chess.pgn.GameNode]) -> None:
    for node in nodes:
        node.nags.difference_update(nag for _, nag in VERDICTS)


def _expectation(score: Score) -> float:
    return score.wdl(model="lichess").expectation()


def _final_score(outcome: chess.Outcome, turn: chess.Color) -> PovScore:
    if outcome.winner is None:
        return PovScore(Cp(0), turn)
    return PovScore(MateGiven if outcome.winner == turn else Mate(0), turn)


def _evaluation(node: chess.pgn.GameNode, turn: chess.Color) -> PovScore | None:
    """As :meth:`chess.pgn.GameNode.eval`, which would look for *turn* from the start of the game."""
    score = parse_evaluation(host.comment(node))
    # Of a mate in zero the text does not say whose it is: the side to move has lost.
    return PovScore(Mate(0), turn) if score is not None and score.white().mate() == 0 else score


def _set_eval(node: chess.pgn.GameNode, score: PovScore, depth: int | None) -> None:
    node.set_eval(score, depth)
    if score.relative == Mate(0):
        # The host reads this, as a loss of the side to move, but writes nothing.
        _add_comment(node, "[%eval #0]")


def _describe_ending(node: chess.pgn.GameNode, ending: Ending) -> None:
    if ending.words and ending.words not in host.comment(node):
        _add_comment(node, ending.words)


def _add_comment(node: chess.pgn.GameNode, text: str) -> None:
    host.set_comment(node, f"{host.comment(node)} {text}".strip())


def _up_to_null(moves: Sequence[chess.Move]) -> Sequence[chess.Move]:
    """*moves* before the first null move, which engines may think but games don't have."""
    return moves[: next((index for index, move in enumerate(moves) if not move), len(moves))]


def _is_sane(score: Score) -> bool:
    mate = score.mate()
    if mate is not None:
        return 0 < abs(mate) <= _MAX_MATE
    cp = score.score()
    return cp is not None and abs(cp) <= _MAX_CENTIPAWNS


def _failure(node: chess.pgn.GameNode, err: Exception) -> AnnotationError:
    ply = node.ply() - node.game().ply()
    if isinstance(node, chess.pgn.ChildNode):
        number = f"{(node.ply() + 1) // 2}{'.' if node.ply() % 2 else '...'}"
        where = f"after {number}{node.san()} (ply {ply})"
    else:
        where = "in the starting position (ply 0)"
    return AnnotationError(f"the engine failed {where}: {err or type(err).__name__}", ply)


def _name(engine: chess.engine.SimpleEngine) -> str:
    return engine.name if isinstance(engine, Engine) else engine.id.get("name", "an engine")


def _describe(limit: Limit) -> str:
    parts = [
        f"{limit.time:g} s" if limit.time is not None else "",
        f"depth {limit.depth}" if limit.depth is not None else "",
        f"{limit.nodes} nodes" if limit.nodes is not None else "",
        f"mate {limit.mate}" if limit.mate is not None else "",
    ]
    return " ".join(filter(None, parts)) or "no limit"
