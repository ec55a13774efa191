"""
Makes games.pgn: games of atomic chess that an engine plays against itself.

Needs a UCI engine that plays atomic, for example Fairy-Stockfish; also its
npm package fairy-stockfish-nnue.wasm, whose uci.js is run by Node:

    python examples/make_games.py --engine fairy-stockfish --out examples/games.pgn

Each game belongs to a theme: where it starts, how strong the players are, and
what must happen in it (an event on the board, a way to end). Moves are drawn
from the good ones among the engine's best lines, now and then from the rest. A
move that is the event of the theme is played as soon as it is among them (or
legal at all, where the theme says so). Games are played until one has all that
its theme asks for; the engine then annotates it.

The same engine and seed give the same file: the engine thinks in one thread to
a fixed depth, and the clocks count the positions it searched, not the time.
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

import atomic_variant.pgn
from atomic_variant import AtomicBoard

LINES = 5  # How many moves a player compares.
MARGIN = 30  # Centipawns that a good move may be worse than the best one.
SLIP = 0.03  # How often a move is drawn from all lines.
RESIGNS_AT = -1500  # Centipawns.
NODES_PER_SECOND = 1500  # What the clocks take for a second.
ANALYSIS = chess.engine.Limit(depth=12)
JUDGEMENTS = ((0.3, chess.pgn.NAG_BLUNDER), (0.2, chess.pgn.NAG_MISTAKE))  # Points that a move threw away.
ATTEMPTS = 400  # Games that are tried before a theme is given up.

ON_THE_BOARD = ("explosion", "checkmate", "stalemate", "insufficient_material", "threefold_repetition", "fifty_moves")


@dataclass(frozen=True)
class Theme:
    """What a game is to show."""

    name: str
    starts: tuple[str, ...] = (chess.STARTING_FEN,)  # Taken in turn; none means any start of Chess960.
    depths: tuple[int, int] = (5, 8)
    event: Callable[[AtomicBoard, chess.Move], bool] | None = None  # What a legal move does.
    forced: bool = False  # Whether the event is played even if the engine dislikes it.
    endings: tuple[str, ...] = ON_THE_BOARD
    claims: bool = True  # Whether the players claim draws.
    resigns: bool = False
    time_control: str | None = "180+2"
    annotated: bool = True
    min_plies: int = 0
    max_plies: int = 150


def after(board: AtomicBoard, move: chess.Move) -> AtomicBoard:
    board = board.copy(stack=False)
    board.push(move)
    return board


# fmt: off
THEMES = (
    Theme("Open play", depths=(7, 8), min_plies=30, time_control="600+5"),
    Theme("Explosion", depths=(6, 8), endings=("explosion",), min_plies=24),
    Theme("Blitz", depths=(5, 7), annotated=False),
    Theme("Castling in Chess960", (), (6, 8), event=AtomicBoard.is_castling, time_control="600+5"),
    Theme("Castling while the kings touch", (
        "r3k2r/ppp1Kppp/8/8/3R4/2N5/PPP2PPP/R7 b kq - 0 1",
        "3rr3/p5pp/1pn5/8/8/1P3N2/P2k1PPP/1R2K2R w KQ - 0 1",
    ), (6, 8), forced=True, event=lambda board, move: board.is_castling(move) and board.kings_touch()),
    Theme("En passant explodes pieces", (  # More than the two pawns.
        "rnbqk1nr/ppppppbp/6p1/4P3/8/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 3",
        "rnbqkb1r/pppp1ppp/5n2/8/3Pp3/2N5/PPP1PPPP/R1BQKBNR w KQkq - 0 4",
    ), event=lambda board, move: board.is_en_passant(move) and len(board.explosion(move)) > 2),
    Theme("En passant explodes the king", (
        "r6r/pppp1ppp/4k3/4P3/8/8/PPP1BPPP/R3K2R w KQ - 0 1",
        "r3k2r/ppp1bppp/8/8/4p3/6K1/PP3P1P/R4R2 b kq - 0 1",
    ), (6, 8), event=lambda board, move: board.is_en_passant(move) and board.explodes_king(move)),
    Theme("Promotion by capture", (
        "2r3k1/1P3ppp/8/8/8/8/5PPP/2R3K1 b - - 0 1", "3nr1k1/p3P1pp/8/8/8/8/5PPP/2R3K1 w - - 0 1",
    ), (6, 8), event=lambda board, move: bool(move.promotion) and board.is_capture(move)),
    Theme("Promotion", (
        "8/1p3kpp/8/8/2P5/8/5KPP/8 w - - 0 1", "8/pp3k2/8/8/8/8/5KPP/8 w - - 0 1",
    ), (6, 8), event=lambda board, move: bool(move.promotion) and not board.is_capture(move)),
    Theme("Underpromotion", (
        "8/2P2k2/8/8/8/6p1/6P1/6K1 w - - 0 1",
    ), forced=True, event=lambda board, move: move.promotion not in (None, chess.QUEEN) and not board.is_capture(move)),
    Theme("Out of check by explosion", depths=(6, 8), time_control=None,
          event=lambda board, move: board.is_check() and board.explodes_king(move)),
    Theme("Out of check next to the other king", (
        "8/2p2k2/8/3r4/4K3/1R6/6P1/8 b - - 0 1", "6k1/3q2pp/8/8/4K3/8/1Q3PP1/8 w - - 0 1",
    ), event=lambda board, move: board.is_check() and not board.kings_touch() and after(board, move).kings_touch()),
    Theme("Checkmate", depths=(6, 8), endings=("checkmate",)),
    Theme("Stalemate", (
        "8/5k2/8/4P3/8/3K4/8/8 w - - 0 1", "8/2k5/8/2p5/4Q3/4K3/8/8 w - - 0 1",
    ), (4, 7), forced=True, event=lambda board, move: after(board, move).is_stalemate(), endings=("stalemate",)),
    Theme("Only the kings are left", (
        "8/5k2/8/4r3/8/3R4/3K4/8 w - - 0 1", "8/8/2k1p3/8/3P4/3K4/8/8 w - - 0 1",
    ), event=lambda board, move: after(board, move).occupied == after(board, move).kings,
          endings=("insufficient_material",), time_control=None),
    Theme("Threefold repetition", (
        "3r3r/2p2pk1/pp2b2b/4P2p/1PP5/P5pP/2R3P1/K6R w - - 6 23", "8/5pk1/6p1/3r3p/7P/4R1P1/5PK1/8 w - - 0 40",
    ), (6, 8), endings=("threefold_repetition",)),
    Theme("Fivefold repetition", ("1k6/8/p1p5/Pp3P2/8/1P2P2r/6K1/R7 b - - 0 29",), (5, 7),
          endings=("fivefold_repetition",), claims=False, time_control=None),
    Theme("Fifty moves", ("8/4k3/1r6/8/8/5R2/3K4/8 w - - 78 60",), endings=("fifty_moves",), time_control=None),
    Theme("Seventy-five moves", ("8/3k4/2b5/8/8/4R3/5K2/8 w - - 136 90",),
          endings=("seventyfive_moves",), claims=False, time_control=None, annotated=False),
    Theme("Resignation", depths=(6, 8), endings=("resignation",), resigns=True),
    Theme("Bullet", depths=(5, 7), endings=("time_forfeit",), time_control="60+0", annotated=False),
    Theme("Unfinished", depths=(7, 8), endings=("unfinished",), max_plies=30, time_control="300+3"),
)
# fmt: on


class Player:
    """An engine that draws its moves from its best lines."""

    def __init__(self, engine: chess.engine.SimpleEngine, rng: random.Random, depth: int) -> None:
        self.engine = engine
        self.rng = rng
        self.limit = chess.engine.Limit(depth=depth)
        self.name = f"Engine depth {depth}"

    def lines(self, board: AtomicBoard, game: object) -> list[chess.engine.InfoDict]:
        """The best lines, best first."""
        return [line for line in self.engine.analyse(board, self.limit, multipv=LINES, game=game) if line.get("pv")]

    def choose(self, board: AtomicBoard, theme: Theme, shown: bool, lines: list[chess.engine.InfoDict]) -> chess.Move:
        """The event of the *theme*, or a move that lets the other side play it, or one of the good *lines*."""
        moves = [line["pv"][0] for line in lines]
        if theme.event and not shown:
            events = [move for move in (board.legal_moves if theme.forced else moves) if theme.event(board, move)]
            if events:
                return self.rng.choice(events)
            for move in moves:
                position = after(board, move)
                if any(theme.event(position, reply) for reply in position.legal_moves):
                    return move
        if self.rng.random() < SLIP:
            return self.rng.choice(moves)
        scores = [line["score"].relative.score(mate_score=100_000) for line in lines]
        return self.rng.choice([move for move, score in zip(moves, scores, strict=True) if scores[0] - score <= MARGIN])


def play(theme: Theme, number: int, players: dict[chess.Color, Player], rng: random.Random) -> chess.pgn.Game | None:
    """Plays a game; None if it does not show what the *theme* asks for."""
    if theme.starts:
        board = AtomicBoard(theme.starts[number % len(theme.starts)])
        board.chess960 = board.has_chess960_castling_rights()
    else:
        board = AtomicBoard.from_chess960_pos(rng.randrange(960))
    game = atomic_variant.pgn.Game()
    game.headers["Variant"] = AtomicBoard.aliases[0]
    if board.fen() != AtomicBoard.starting_fen:
        game.setup(board)
    seconds, increment = map(int, (theme.time_control or "0+0").split("+"))
    clocks = {color: float(seconds) for color in chess.COLORS}
    node: chess.pgn.GameNode = game
    shown = theme.event is None

    while not (end := ending(board, theme.claims)):
        if len(board.move_stack) == theme.max_plies:
            end = "unfinished"
            break
        lines = players[board.turn].lines(board, game)
        if theme.resigns and lines[0]["score"].relative < chess.engine.Cp(RESIGNS_AT):
            end = "resignation"
            break
        clocks[board.turn] -= lines[0].get("nodes", 0) / NODES_PER_SECOND
        if theme.time_control and clocks[board.turn] <= 0:
            end = "time_forfeit"
            break
        clocks[board.turn] += increment
        move = players[board.turn].choose(board, theme, shown, lines)
        comment = describe_explosion(board, move)
        if theme.event and not shown and theme.event(board, move):
            shown = True
            comment = f"{theme.name}. {comment}".strip()
        node = node.add_variation(move, comment=comment)
        if theme.time_control:
            node.set_clock(round(clocks[board.turn]))
        board.push(move)

    if not shown or end not in theme.endings or len(board.move_stack) < theme.min_plies:
        return None
    result, reason = conclude(board, end)
    node.add_line([], comment=reason)  # A line of no moves: the comment goes to the last move.
    game.headers["Result"] = result
    game.headers["TimeControl"] = theme.time_control or "-"
    game.headers["Termination"] = {"unfinished": "unterminated", "time_forfeit": "time forfeit"}.get(end, "normal")
    return game


def ending(board: AtomicBoard, claims: bool) -> str | None:
    """How the game has ended on the board, or None if it goes on."""
    outcome = board.outcome(claim_draw=claims)
    if outcome is None:
        return None
    return "explosion" if board.is_variant_end() else outcome.termination.name.lower()


def conclude(board: AtomicBoard, end: str) -> tuple[str, str]:
    """The result, and the reason in words."""
    side = chess.COLOR_NAMES[board.turn].capitalize()
    loss = "0-1" if board.turn else "1-0"
    if end == "unfinished":
        return "*", "The game was not finished."
    if end == "resignation":
        return loss, f"{side} resigns."
    if end == "time_forfeit":
        helpless = board.has_insufficient_material(not board.turn)
        return "1/2-1/2" if helpless else loss, f"{side} has no time left."
    return board.result(claim_draw=True), f"{board.describe_outcome(claim_draw=True)}."


def describe_explosion(board: AtomicBoard, move: chess.Move) -> str:
    """What a large explosion removes."""
    pieces = board.exploded_pieces(move)
    if len(pieces) < 4:
        return ""
    losses = []
    for color in chess.COLORS:
        names = [
            f"{piece.symbol().upper().strip('P')}{chess.square_name(square)}"
            for square, piece in sorted(pieces.items())
            if piece.color == color
        ]
        losses.append(f"{chess.COLOR_NAMES[color].capitalize()} loses {', '.join(names)}")
    return f"Explosion on {chess.square_name(move.to_square)}: {'; '.join(losses)}."


def annotate(game: chess.pgn.Game, engine: chess.engine.SimpleEngine) -> None:
    """Adds evaluations, and the engine's line where a move threw away much."""
    best = engine.analyse(game.board(), ANALYSIS, game=game)
    for node in list(game.mainline()):
        before, board = best, node.board()
        chances = before["score"].wdl(model="lichess").pov(not board.turn).expectation()
        outcome = board.outcome()
        if outcome is None:
            best = engine.analyse(board, ANALYSIS, game=game)
            node.set_eval(best["score"])
            lost = chances - best["score"].wdl(model="lichess").pov(not board.turn).expectation()
        else:
            lost = chances - (0.5 if outcome.winner is None else outcome.winner != board.turn)
        node.nags.update([nag for limit, nag in JUDGEMENTS if lost >= limit][:1])
        if node.nags and before["pv"][0] != node.move:
            better = node.parent.add_variation(before["pv"][0], starting_comment="Better:")
            better.set_eval(before["score"], before["depth"])
            better.add_line(before["pv"][1:8])


def find_game(engine: chess.engine.SimpleEngine, number: int, seed: int) -> chess.pgn.Game | None:
    """Plays until a game shows what it is to show."""
    theme = THEMES[number % len(THEMES)]
    for attempt in range(1, ATTEMPTS + 1):
        rng = random.Random(f"{seed} {number} {attempt}")
        players = {color: Player(engine, rng, rng.randint(*theme.depths)) for color in chess.COLORS}
        game = play(theme, number // len(THEMES), players, rng)
        if game is None:
            continue
        game.headers.update({"Event": theme.name, "Site": "Engine play", "Round": str(number + 1)})
        game.headers.update({"White": players[chess.WHITE].name, "Black": players[chess.BLACK].name})
        if theme.annotated:
            annotate(game, engine)
            game.headers["Annotator"] = engine.id.get("name", "Engine").split(" [")[0]
        print(f"{number + 1}: {theme.name}, game {attempt} of this theme", file=sys.stderr)
        return game
    print(f"{number + 1}: {theme.name}, not seen in {ATTEMPTS} games", file=sys.stderr)
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes games of atomic chess by engine play.")
    parser.add_argument("--engine", required=True, metavar="COMMAND", help="the command that starts a UCI engine")
    parser.add_argument("--out", required=True, type=Path, metavar="GAMES.pgn", help="the file to write")
    parser.add_argument("--games", type=int, default=2 * len(THEMES), metavar="N", help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other games (default: %(default)s)")
    parser.add_argument("--date", default="2026.11.30", help="the date of the games (default: %(default)s)")
    args = parser.parse_args()

    try:
        engine = chess.engine.SimpleEngine.popen_uci(shlex.split(args.engine) or [""], timeout=60)
    except (OSError, ValueError, TimeoutError, chess.engine.EngineError) as error:
        print(f"{args.engine!r} does not start as a UCI engine: {error}", file=sys.stderr)
        return 2
    with engine:
        option = engine.options.get("UCI_Variant")
        if option is None or AtomicBoard.uci_variant not in (option.var or ()):
            name = engine.id.get("name", args.engine)
            print(f"{name} does not play atomic: its option UCI_Variant does not offer it", file=sys.stderr)
            return 2
        if "Threads" in engine.options:
            engine.configure({"Threads": 1})
        missing = 0
        try:
            with args.out.open("w", encoding="utf-8", newline="\n") as file:
                for number in range(args.games):
                    game = find_game(engine, number, args.seed)
                    if game is None:
                        missing += 1
                        continue
                    game.headers["Date"] = args.date
                    print(game.accept(chess.pgn.StringExporter(columns=90)), end="\n\n", file=file, flush=True)
        except (OSError, chess.engine.EngineError) as error:
            print(f"the games end here: {error}", file=sys.stderr)
            return 2
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
