"""Games of random moves, the same for the same seed."""

import random

import chess

from atomic_variant import AtomicBoard, pgn


def random_board(seed: int, *, start: chess.Board | None = None, plies: int = 60) -> chess.Board:
    """A board after at most *plies* random moves, fewer if the game ended."""
    rng = random.Random(seed)
    board = start.copy() if start is not None else AtomicBoard()
    for _ in range(rng.randrange(plies // 2, plies + 1)):
        moves = list(board.legal_moves)
        if board.is_game_over() or not moves:
            break
        captures = [move for move in moves if board.is_capture(move)]
        board.push(rng.choice(captures if captures and rng.random() < 0.3 else moves))
    return board


def random_game(seed: int, *, clocks: bool = False, **headers: str) -> pgn.Game:
    """A game of random moves; with *clocks* every move has a clock, every third an evaluation."""
    game = pgn.Game.from_board(random_board(seed))
    game.headers.update({"Event": "Rated Atomic game", "White": f"White {seed}", "Black": f"Black {seed}", **headers})
    if clocks:
        for ply, node in enumerate(game.mainline()):
            node.set_clock(180 - ply)
            if ply % 3 == 0:
                node.set_eval(chess.engine.PovScore(chess.engine.Cp(ply * 7 - 50), chess.WHITE))
    return game


def random_pgn(count: int, *, first_seed: int = 0, clocks: bool = False, **headers: str) -> str:
    """The text of *count* games, with a blank line after each."""
    return "".join(f"{random_game(first_seed + number, clocks=clocks, **headers)}\n\n" for number in range(count))
