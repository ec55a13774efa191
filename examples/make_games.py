#!/usr/bin/env python3
"""
Makes games.pgn: atomic games that an engine plays against itself.

Needs any UCI engine that plays atomic, for example Fairy-Stockfish; also the
npm package fairy-stockfish-nnue.wasm, whose uci.js is run by Node:

    python examples/make_games.py --engine fairy-stockfish --out examples/games.pgn

Each game belongs to a theme: a start, a strength, and what must happen in it
(an event on the board, an ending). Moves are drawn from the good ones among
the engine's best lines, now and then from the rest. A move that is the event
of the theme is played as soon as it is legal. Games are played until one has
all that its theme asks for.

The same seed and the same engine give the same file: the engine thinks in one
thread to a fixed depth, and the clocks count its nodes, not the time of day.
"""

from __future__ import annotations

import argparse
import random
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.engine
import chess.pgn
from chess.engine import InfoDict

from atomic_variant import AtomicBoard

LINES = 5  # How many moves the engine compares.
MARGIN = 50  # Centipawns that a good move may be worse than the best one.
SLIP = 0.07  # How often a move is drawn from all lines.
RESIGNS_AT = -1500  # Centipawns.
NODES_PER_SECOND = 4000  # What the clocks take for a second.
ATTEMPTS = 400  # Games that are tried for one theme.
JUDGEMENTS = (  # Centipawns lost.
    (300, chess.pgn.NAG_BLUNDER),
    (150, chess.pgn.NAG_MISTAKE),
    (80, chess.pgn.NAG_DUBIOUS_MOVE),
)
ON_THE_BOARD = ("explosion", "checkmate", "stalemate", "insufficient_material", "threefold_repetition", "fifty_moves")

Event = Callable[[AtomicBoard, chess.Move], bool]


# --- Events: what a legal move does -----------------------------------------


def castles(board: AtomicBoard, move: chess.Move) -> bool:
    return board.is_castling(move)


def castles_while_kings_touch(board: AtomicBoard, move: chess.Move) -> bool:
    return board.is_castling(move) and board.kings_touch()


def moves_next_to_king(board: AtomicBoard, move: chess.Move) -> bool:
    return board.is_check() and not board.is_capture(move) and after(board, move).kings_touch()


def explodes_pieces_en_passant(board: AtomicBoard, move: chess.Move) -> bool:
    return board.is_en_passant(move) and len(board.explosion(move)) > 2  # More than the two pawns.


def explodes_king_en_passant(board: AtomicBoard, move: chess.Move) -> bool:
    return board.is_en_passant(move) and board.explodes_king(move)


def explodes_king_in_check(board: AtomicBoard, move: chess.Move) -> bool:
    return board.is_check() and board.explodes_king(move)


def promotes(board: AtomicBoard, move: chess.Move) -> bool:
    return move.promotion == chess.QUEEN and not board.is_capture(move)


def underpromotes(board: AtomicBoard, move: chess.Move) -> bool:
    return move.promotion not in (None, chess.QUEEN) and not board.is_capture(move)


def promotes_by_capture(board: AtomicBoard, move: chess.Move) -> bool:
    return move.promotion is not None and board.is_capture(move)


def stalemates(board: AtomicBoard, move: chess.Move) -> bool:
    return after(board, move).is_stalemate()


def bares_kings(board: AtomicBoard, move: chess.Move) -> bool:
    position = after(board, move)
    return position.occupied == position.kings and not position.is_variant_end()


def after(board: AtomicBoard, move: chess.Move) -> AtomicBoard:
    board = board.copy(stack=False)
    board.push(move)
    return board


# --- Themes -----------------------------------------------------------------


@dataclass(frozen=True)
class Theme:
    """What a game is to show."""

    name: str
    starts: tuple[str, ...] = (chess.STARTING_FEN,)  # One is drawn; none means any Chess960 start.
    depths: tuple[int, int] = (5, 8)
    event: Event | None = None
    endings: tuple[str, ...] = ()  # As ending() names them; none means any.
    claims: bool = True  # Whether players claim draws.
    resigns: bool = False
    time_control: str | None = "180+2"
    evals: bool = True
    max_plies: int = 150


THEMES = (
    Theme("Atomic, open play", depths=(7, 9)),
    Theme("Atomic blitz", depths=(4, 8), evals=False),
    Theme("Atomic Chess960", (), depths=(6, 9), event=castles),
    Theme("Castling while the kings touch", (
        "r3k2r/ppp1Kppp/8/8/3R4/2N5/PPP2PPP/R7 b kq - 0 1",
        "3rr3/p5pp/1pn5/8/8/1P3N2/P2k1PPP/R3K2R w KQ - 0 1",
    ), event=castles_while_kings_touch),
    Theme("En passant explodes pieces", event=explodes_pieces_en_passant),
    Theme("Atomic, resignation", depths=(4, 9), endings=("resignation",), resigns=True),
    Theme("Promotion by capture", (
        "2r3k1/1P3ppp/8/8/8/8/5PPP/2R3K1 b - - 0 1",
        "3n2k1/p3P1pp/8/8/6b1/8/5PPP/4R1K1 b - - 0 1",
    ), event=promotes_by_capture),
    Theme("Atomic, checkmate", depths=(6, 9), endings=("checkmate",)),
    Theme("Stalemate", (
        "8/5k2/8/4P3/8/3K4/8/8 w - - 0 1",
        "8/2k5/8/2p5/4Q3/4K3/8/8 w - - 0 1",
    ), depths=(2, 6), event=stalemates),
    Theme("Atomic, repetition", depths=(5, 9), endings=("threefold_repetition",)),
    Theme("Atomic Chess960", (), depths=(5, 8), event=castles, evals=False, time_control="60+1"),
    Theme("Only the kings survive", (
        "8/5kp1/6p1/4r3/8/3R2P1/3K2P1/8 w - - 0 1",
        "8/1p3k2/8/3n4/8/4B3/1P3K2/8 w - - 0 1",
    ), depths=(3, 6), event=bares_kings, time_control=None),
    Theme("A king walks next to the other out of check", (
        "8/2p2k2/8/3r4/4K3/1R6/6P1/8 b - - 0 1",
        "6k1/3q2pp/8/8/4K3/8/1Q3PP1/8 w - - 0 1",
    ), event=moves_next_to_king),
    Theme("Atomic, out of check by explosion", depths=(6, 9), event=explodes_king_in_check, time_control=None),
    Theme("Promotion", (
        "8/1p3kpp/8/8/2P5/8/5KPP/8 w - - 0 1",
        "8/pp3k2/8/8/8/8/5KPP/8 w - - 0 1",
    ), event=promotes, endings=("checkmate", "explosion")),
    Theme("En passant explodes the king", (
        "r6r/pppp1ppp/4k3/4P3/8/8/PPP1BPPP/R3K2R w KQ - 0 1",
        "2r2rk1/1b3ppp/p7/8/1p2K3/8/P1P3PP/R5R1 b - - 0 1",
    ), event=explodes_king_en_passant),
    Theme("Atomic bullet", depths=(7, 9), endings=("time_forfeit",), time_control="30+0", evals=False),
    Theme("Fifty moves", ("8/4k3/1r6/8/8/5R2/3K4/8 w - - 78 60",), endings=("fifty_moves",), time_control=None),
    Theme("Seventy-five moves", (
        "8/3k4/2b5/8/8/4R3/5K2/8 w - - 136 90",
    ), endings=("seventyfive_moves",), claims=False, time_control=None, evals=False),
    Theme("Fivefold repetition", (
        "8/4k3/1q6/8/8/5Q2/3K4/8 w - - 0 1",
    ), endings=("fivefold_repetition",), claims=False, time_control=None),
    Theme("Underpromotion", ("8/2P2k2/8/8/8/6p1/6P1/6K1 w - - 0 1",), event=underpromotes, evals=False),
    Theme("Atomic, unfinished", endings=("unfinished",), max_plies=30, time_control="300+3"),
    Theme("A piece too few", (
        "8/5kp1/8/3n4/8/4B3/3K4/8 w - - 0 1",
    ), endings=("insufficient_material",), time_control=None),
)  # fmt: skip


# --- Play -------------------------------------------------------------------


class Player:
    """An engine that draws its moves from its best lines."""

    def __init__(self, engine: chess.engine.SimpleEngine, rng: random.Random, depth: int) -> None:
        self.engine = engine
        self.rng = rng
        self.limit = chess.engine.Limit(depth=depth)
        self.name = f"Engine depth {depth}"

    def lines(self, board: AtomicBoard, game: object) -> list[InfoDict]:
        """The best lines, best first."""
        return [line for line in self.engine.analyse(board, self.limit, multipv=LINES, game=game) if "pv" in line]

    def choose(self, board: AtomicBoard, lines: list[InfoDict], event: Event | None, game: object) -> InfoDict:
        """The *event*, or a line that lets the other side play it, or one of the good *lines*."""
        if event:
            shows = [move for move in board.legal_moves if event(board, move)]
            if shows:
                move = self.rng.choice(shows)
                known = [line for line in lines if line["pv"][0] == move]
                return known[0] if known else self.engine.analyse(board, self.limit, root_moves=[move], game=game)
            for line in lines:
                position = after(board, line["pv"][0])
                if any(event(position, move) for move in position.legal_moves):
                    return line
        if self.rng.random() < SLIP:
            return self.rng.choice(lines)
        return self.rng.choice([line for line in lines if points(lines[0]) - points(line) <= MARGIN])


def points(line: InfoDict) -> int:
    """What the player to move thinks of *line*, in centipawns."""
    return line["score"].relative.score(mate_score=100_000)


def ending(board: AtomicBoard, claims: bool) -> str | None:
    """How the game has ended on the board, or None if it goes on."""
    outcome = board.outcome(claim_draw=claims)
    if outcome is None:
        return None
    return "explosion" if board.is_variant_end() else outcome.termination.name.lower()


def play(theme: Theme, number: int, players: dict[chess.Color, Player], rng: random.Random) -> chess.pgn.Game | None:
    """Plays a game; None if it does not show what the theme asks for."""
    board = start(theme, number, rng)
    game = chess.pgn.Game()
    game.setup(board)
    game.headers["Event"] = theme.name
    game.headers["TimeControl"] = theme.time_control or "-"
    clocks, increment = None, 0.0
    if theme.time_control:
        seconds, increment = map(float, theme.time_control.split("+"))
        clocks = {chess.WHITE: seconds, chess.BLACK: seconds}

    node: chess.pgn.GameNode = game
    event = theme.event
    while not (end := ending(board, theme.claims)):
        if len(board.move_stack) == theme.max_plies:
            end = "unfinished"
            break
        lines = players[board.turn].lines(board, game)
        if theme.resigns and points(lines[0]) < RESIGNS_AT:
            end = "resignation"
            break
        if clocks:
            clocks[board.turn] -= lines[0]["nodes"] / NODES_PER_SECOND
            if clocks[board.turn] <= 0:
                end = "time_forfeit"
                break
            clocks[board.turn] += increment
        line = players[board.turn].choose(board, lines, event, game)
        move = line["pv"][0]
        remark = describe_explosion(board, move)
        if event and event(board, move):
            remark = f"{theme.name}. {remark}".strip()
            event = None
        node = add_move(node, line, lines[0], remark, theme.evals)
        if clocks:
            node.set_clock(round(clocks[board.turn]))
        board.push(move)

    if event or end not in (theme.endings or ON_THE_BOARD):
        return None
    winner, reason = conclude(board, end)
    result = "*" if end == "unfinished" else {None: "1/2-1/2", chess.WHITE: "1-0", chess.BLACK: "0-1"}[winner]
    game.headers["Result"] = result
    game.headers["Termination"] = {"unfinished": "unterminated", "time_forfeit": "time forfeit"}.get(end, "normal")
    node.add_line([], comment=reason)  # No moves: the comment goes to the last one played.
    return game


def start(theme: Theme, number: int, rng: random.Random) -> AtomicBoard:
    if theme.starts:
        return AtomicBoard(theme.starts[number % len(theme.starts)])
    return AtomicBoard.from_chess960_pos(rng.randrange(960))


def conclude(board: AtomicBoard, end: str) -> tuple[chess.Color | None, str]:
    """Who has won, and why, in words."""
    side = chess.COLOR_NAMES[board.turn].capitalize()
    if end == "unfinished":
        return None, "The game was not finished."
    if end == "resignation":
        return not board.turn, f"{side} resigns."
    if end == "time_forfeit":
        helpless = board.has_insufficient_material(not board.turn)
        return None if helpless else not board.turn, f"{side}'s time has run out."
    outcome = board.outcome(claim_draw=True)
    return outcome.winner, f"{board.describe_outcome(claim_draw=True)}."


# --- Annotation -------------------------------------------------------------


def add_move(node: chess.pgn.GameNode, line: InfoDict, best: InfoDict, remark: str, evals: bool) -> chess.pgn.ChildNode:
    """Adds the first move of *line* to the game, and the engine's *best* line if it is much better."""
    lost = clamp(points(best)) - clamp(points(line))
    nags = [nag for limit, nag in JUDGEMENTS if lost >= limit][:1]
    child = node.add_variation(line["pv"][0], comment=remark, nags=nags)
    if evals:
        child.set_eval(after_move(line["score"]))
    if nags:
        better = node.add_variation(best["pv"][0], starting_comment="Better:")
        better.set_eval(after_move(best["score"]), best["depth"])
        better.add_line(best["pv"][1:8])
    return child


def clamp(centipawns: int) -> int:
    """Where a side is winning, more makes no difference."""
    return max(-1000, min(1000, centipawns))


def after_move(score: chess.engine.PovScore) -> chess.engine.PovScore:
    """The score of a line once its first move has been played: a mate is one move nearer."""
    mate = score.relative.mate()
    if not mate or mate < 0:
        return score
    return chess.engine.PovScore(chess.engine.Mate(mate - 1) if mate > 1 else chess.engine.MateGiven, score.turn)


def describe_explosion(board: AtomicBoard, move: chess.Move) -> str:
    """What a large explosion removes."""
    pieces = board.exploded_pieces(move)
    if len(pieces) < 4:
        return ""
    sides = []
    for color in chess.COLORS:
        lost = [
            f"{piece.symbol().upper().strip('P')}{chess.square_name(square)}"
            for square, piece in sorted(pieces.items())
            if piece.color == color
        ]
        sides.append(f"{chess.COLOR_NAMES[color].capitalize()} loses {', '.join(lost)}")
    return f"Explosion on {chess.square_name(move.to_square)}: {'; '.join(sides)}."


# --- The program ------------------------------------------------------------


def find_game(engine: chess.engine.SimpleEngine, number: int, seed: int, date: str) -> chess.pgn.Game | None:
    """Tries games of theme *number* until one shows what it is to show."""
    theme = THEMES[number % len(THEMES)]
    for attempt in range(ATTEMPTS):
        rng = random.Random(f"{seed} {number} {attempt}")
        players = {color: Player(engine, rng, rng.randint(*theme.depths)) for color in chess.COLORS}
        game = play(theme, number // len(THEMES), players, rng)
        if game:
            game.headers["Site"] = "Engine play"
            game.headers["Date"] = date
            game.headers["Round"] = str(number + 1)
            game.headers["White"] = players[chess.WHITE].name
            game.headers["Black"] = players[chess.BLACK].name
            game.headers["Annotator"] = engine.id["name"].split(" [")[0]
            print(f"{number + 1}: {theme.name}, {attempt + 1} tried", file=sys.stderr)
            return game
    print(f"{number + 1}: {theme.name}, none found in {ATTEMPTS} games", file=sys.stderr)
    return None


def plays_atomic(engine: chess.engine.SimpleEngine) -> bool:
    option = engine.options.get("UCI_Variant")
    return option is not None and AtomicBoard.uci_variant in (option.var or ())


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes games of atomic chess by engine play.")
    parser.add_argument("--engine", required=True, metavar="COMMAND", help="the command that starts a UCI engine")
    parser.add_argument("--out", required=True, type=Path, metavar="GAMES.pgn", help="the file to write")
    parser.add_argument("--games", type=int, default=2 * len(THEMES), metavar="N", help="games (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other games (default: %(default)s)")
    parser.add_argument("--date", default="2026.11.30", help="the date in the headers (default: %(default)s)")
    args = parser.parse_args()

    try:
        engine = chess.engine.SimpleEngine.popen_uci(shlex.split(args.engine), timeout=60)
    except (OSError, chess.engine.EngineError, TimeoutError) as error:
        print(f"{args.engine!r} does not start as a UCI engine: {error}", file=sys.stderr)
        return 2
    with engine:
        name = engine.id.get("name", args.engine)
        if not plays_atomic(engine):
            print(f"{name} does not play atomic: its option UCI_Variant does not offer it", file=sys.stderr)
            return 2
        if "Threads" in engine.options:
            engine.configure({"Threads": 1})
        missing = 0
        with args.out.open("w", encoding="utf-8", newline="\n") as file:
            for number in range(args.games):
                game = find_game(engine, number, args.seed, args.date)
                if game is None:
                    missing += 1
                else:
                    print(game.accept(chess.pgn.StringExporter(columns=90)), end="\n\n", file=file, flush=True)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
