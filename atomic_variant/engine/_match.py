"""Games between engines, functions and people."""

from __future__ import annotations

import contextlib
import datetime
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import chess
import chess.engine
import chess.pgn
from chess.engine import Limit, PovScore

from .. import host
from ..boards.endings import judge
from ..pgn import Game
from ..text import one_line
from ._errors import EngineMoveError, EngineTimeoutError
from ._opening import Engine

Function = Callable[[chess.Board], chess.Move | str | None]
Player = chess.engine.SimpleEngine | Function


@dataclass(frozen=True)
class Clock:
    """Time for a whole game, for each side."""

    seconds: float
    increment: float = 0.0
    """Seconds added after each move."""


@dataclass(frozen=True)
class Adjudication:
    """
    When to end a game that goes on by the rules.

    A score counts if the engine reports it with its move. The players must
    agree: every score of the last moves has to say the same.
    """

    max_plies: int | None = None
    """Half-moves after which a game is a draw."""
    win_centipawns: int | None = None
    """A score that wins, if it holds for *win_moves* moves of each side."""
    win_moves: int = 3
    draw_centipawns: int | None = None
    """A score so close to zero draws, if it holds for *draw_moves* moves of each side."""
    draw_moves: int = 8
    draw_from_ply: int = 60


class _End(NamedTuple):
    winner: chess.Color | None
    termination: str  # A value of the PGN header of that name.
    reason: str


class _Answer(NamedTuple):
    move: chess.Move | str | None  # None resigns.
    score: PovScore | None = None
    depth: int | None = None
    offers_draw: bool = False
    claims_draw: bool = False


def play(
    board: chess.Board,
    white: Player,
    black: Player,
    *,
    limit: Limit | None = None,
    clock: Clock | None = None,
    adjudication: Adjudication | None = None,
    claim_draw: bool = True,
    on_move: Callable[[chess.pgn.ChildNode], object] | None = None,
) -> Game:
    """
    Plays a game from *board* to its end and returns it.

    A player is an engine, or a function that is given a copy of the board and
    returns a move: a :class:`chess.Move`, SAN, or UCI notation; ``None``
    resigns. :func:`person` makes such a function for people.

    >>> import random
    >>> from atomic_variant import AtomicBoard, engine
    >>> def chance(board):
    ...     return random.Random(str(board)).choice(list(board.legal_moves))
    >>> game = engine.play(AtomicBoard(), chance, chance)
    >>> game.headers["Result"] in ("1-0", "0-1", "1/2-1/2")
    True

    The game carries names, result, termination and time control as headers,
    clocks and scores of engines as comments, and in its last comment why it
    ended. *board* itself is not changed. Moves on its stack become the
    beginning of the game.

    A player that answers an illegal move, oversteps the clock or, being an
    engine, fails, loses the game. The error of an engine is then found in
    ``game.errors``. Errors raised by a function are passed on; *on_move*, a
    function that is given each new node, can keep the game until then.

    :param limit: What engines may use for a move; a tenth of a second if
        there is neither limit nor clock.
    :param clock: Time for all moves of a side. Overstepping loses, or draws
        if the other side has insufficient material.
    :param claim_draw: Whether draws that a player may claim end the game.
    :raises: :exc:`ValueError` if *board* is invalid,
        :exc:`chess.engine.EngineError` if an engine refuses its first move
        because it cannot play the variant. No error of an engine is raised
        later: what has been played comes back.
    """
    status = board.status()
    if status != chess.STATUS_VALID:
        raise ValueError(f"cannot play from the invalid position {board.fen()} ({status!r})")
    board = board.copy()
    players: dict[chess.Color, Player] = {chess.WHITE: white, chess.BLACK: black}
    game = Game.from_board(board)
    _fill_headers(game, players, clock)
    left = dict.fromkeys(chess.COLORS, clock.seconds if clock else 0.0)
    scores: list[PovScore | None] = []
    draw_offered = False
    begun: set[chess.Color] = set()
    node: chess.pgn.GameNode = game.end()

    end = _end_by_rules(board, claim_draw)
    while end is None:
        turn = board.turn
        began = time.perf_counter()
        try:
            answer = _ask(players[turn], board, _limit(limit, clock, left), game, draw_offered)
        except (chess.engine.EngineError, TimeoutError) as err:
            terminated = isinstance(err, (chess.engine.EngineTerminatedError, TimeoutError))
            if turn not in begun and not terminated:
                raise  # It refuses to play, and nothing is lost.
            game.errors.append(err)
            end = _forfeit(turn, err, clock)
            break
        left[turn] -= time.perf_counter() - began
        begun.add(turn)

        move = _legal_move(board, answer.move)
        if clock and left[turn] < 0:
            end = _flag_fall(board)
        elif answer.claims_draw and board.can_claim_draw():
            end = _End(None, "normal", f"Draw: claimed by {_side(turn)}")
        elif answer.move is None:
            end = _End(not turn, "normal", f"{_side(turn)} resigns")
        elif move is None:
            end = _End(
                not turn, "rules infraction", f"{_side(turn)} answered the illegal move {one_line(answer.move, 20)!r}"
            )
        if end is not None:
            break

        assert move is not None
        node = node.add_variation(move)
        board.push(move)
        scores.append(answer.score)
        if clock:
            left[turn] += clock.increment
            node.set_clock(left[turn])
        if answer.score is not None:
            node.set_eval(answer.score, answer.depth)
        if on_move is not None:
            on_move(node)
        end = _end_by_rules(board, claim_draw)
        if end is None and answer.offers_draw and draw_offered:
            end = _End(None, "normal", "Draw: agreed")
        if end is None and adjudication is not None:
            end = _adjudicate(adjudication, scores)
        draw_offered = answer.offers_draw

    game.headers["Result"] = {chess.WHITE: "1-0", chess.BLACK: "0-1", None: "1/2-1/2"}[end.winner]
    game.headers["Termination"] = end.termination
    host.set_comment(node, f"{host.comment(node)} {end.reason}".strip())
    for player in {id(player): player for player in players.values()}.values():
        if isinstance(player, chess.engine.SimpleEngine):
            with contextlib.suppress(chess.engine.EngineError):
                player.send_game_result(board, end.winner, end.reason)
    return game


def person(read: Callable[[str], str] = input, write: Callable[[str], object] = print) -> Function:
    """
    A player at the keyboard.

    Shows the board and asks for a move, in SAN or UCI notation, until it is
    legal, saying why if it is not. ``moves`` lists the legal moves; ``resign``
    or the end of the input resigns.

    >>> from atomic_variant import AtomicBoard
    >>> answers = iter(["Ke2", "Nf3"])
    >>> player = person(read=lambda prompt: next(answers), write=lambda text: None)
    >>> player(AtomicBoard())
    Move.from_uci('g1f3')
    """

    def ask(board: chess.Board) -> chess.Move | None:
        write(str(board))
        while True:
            try:
                text = read(f"{_side(board.turn)} to move: ").strip()
            except EOFError:
                return None
            if text == "resign":
                return None
            if text == "moves":
                write(" ".join(map(board.san, board.legal_moves)))
                continue
            move = _legal_move(board, text)
            if move is not None:
                return move
            write(_why_not(board, text))

    return ask


# --- Asking players -----------------------------------------------------------


def _ask(player: Player, board: chess.Board, limit: Limit, game: object, draw_offered: bool) -> _Answer:
    if not isinstance(player, chess.engine.SimpleEngine):
        return _Answer(player(board.copy()))
    info = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE
    result = player.play(board, limit, game=game, info=info, draw_offered=draw_offered)
    if result.resigned:
        return _Answer(None)
    # XBoard engines that claim a draw do not move.
    claims = result.move is None
    move = result.move if result.move is not None else "no move"
    return _Answer(move, result.info.get("score"), result.info.get("depth"), result.draw_offered, claims)


def _legal_move(board: chess.Board, move: chess.Move | str | None) -> chess.Move | None:
    if isinstance(move, chess.Move):
        return move if move and board.is_legal(move) else None
    if isinstance(move, str):
        for parse in (board.parse_san, board.parse_uci):
            with contextlib.suppress(ValueError):
                return parse(move) or None
    return None


def _why_not(board: chess.Board, text: str) -> str:
    try:
        move = chess.Move.from_uci(text)
    except ValueError:
        try:
            board.parse_san(text)
        except ValueError as err:
            return str(err)
        return f"{text}: not a move"
    why_illegal = getattr(board, "why_illegal", None)
    return f"{text}: {why_illegal(move) if why_illegal else 'illegal'}"


def _limit(limit: Limit | None, clock: Clock | None, left: dict[chess.Color, float]) -> Limit:
    if clock is None:
        return limit or Limit(time=0.1)
    return replace(
        limit or Limit(),
        white_clock=left[chess.WHITE],
        black_clock=left[chess.BLACK],
        white_inc=clock.increment,
        black_inc=clock.increment,
    )


# --- Ending games -------------------------------------------------------------


def _end_by_rules(board: chess.Board, claim_draw: bool) -> _End | None:
    ending = judge(board, claim_draw=claim_draw, closed_draw=False)
    return _End(ending.winner, "normal", str(ending)) if ending.outcome else None


def _flag_fall(board: chess.Board) -> _End:
    turn = board.turn
    if board.has_insufficient_material(not turn):
        return _End(None, "time forfeit", f"Draw: {_side(turn)} is out of time, {_side(not turn)} cannot win")
    return _End(not turn, "time forfeit", f"{_side(turn)} is out of time")


def _forfeit(turn: chess.Color, err: Exception, clock: Clock | None) -> _End:
    if isinstance(err, EngineMoveError):
        termination = "rules infraction"
    elif clock and isinstance(err, (EngineTimeoutError, TimeoutError)):
        termination = "time forfeit"
    else:
        termination = "abandoned"
    return _End(not turn, termination, f"{_side(turn)} forfeits: {str(err) or 'no answer in time'}")


def _adjudicate(rules: Adjudication, scores: list[PovScore | None]) -> _End | None:
    if rules.win_centipawns is not None:
        last = [score.white() for score in scores[-2 * rules.win_moves :] if score is not None]
        if len(scores) >= 2 * rules.win_moves and len(last) >= rules.win_moves:
            limit = chess.engine.Cp(rules.win_centipawns)
            for winner, held in ((chess.WHITE, min(last) >= limit), (chess.BLACK, max(last) <= -limit)):
                if held:
                    return _End(winner, "adjudication", f"{_side(winner)} wins by adjudication of the scores")
    if rules.draw_centipawns is not None and len(scores) >= max(rules.draw_from_ply, 2 * rules.draw_moves):
        last = [score.white() for score in scores[-2 * rules.draw_moves :] if score is not None]
        even = all(abs(score.score(mate_score=10**6)) <= rules.draw_centipawns for score in last)
        if len(last) >= rules.draw_moves and even:
            return _End(None, "adjudication", "Draw by adjudication of the scores")
    if rules.max_plies is not None and len(scores) >= rules.max_plies:
        return _End(None, "adjudication", f"Draw by adjudication after {len(scores)} half-moves")
    return None


# --- Writing ------------------------------------------------------------------


def _fill_headers(game: Game, players: dict[chess.Color, Player], clock: Clock | None) -> None:
    game.headers["Date"] = datetime.date.today().strftime("%Y.%m.%d")
    game.headers["White"] = _name(players[chess.WHITE])
    game.headers["Black"] = _name(players[chess.BLACK])
    if clock:
        game.headers["TimeControl"] = f"{clock.seconds:g}+{clock.increment:g}"


def _name(player: Player) -> str:
    if isinstance(player, Engine):
        return player.name
    if isinstance(player, chess.engine.SimpleEngine):
        return player.id.get("name", "?")
    return "?" if getattr(player, "__module__", None) == __name__ else getattr(player, "__name__", "?")


def _side(color: chess.Color) -> str:
    return chess.COLOR_NAMES[color].capitalize()
