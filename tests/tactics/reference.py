"""
Forced wins by brute force: every move, every reply, every continuation.

Nothing is cut off, nothing is ordered, nothing is remembered, so that nothing
can be forgotten. The board alone says how games end.
"""

import chess


def shortest_win(board: chess.Board, moves: int) -> int | None:
    """In how many moves, at most *moves*, the side to move wins; ``None`` if it does not. The game is not over."""
    lengths = [length for length in lengths_of_wins(board, moves).values() if length is not None]
    return min(lengths, default=None)


def lengths_of_wins(board: chess.Board, moves: int) -> dict[chess.Move, int | None]:
    """:func:`shortest_win` by first move."""
    return {move: _with(board, move, moves) for move in list(board.legal_moves)}


def _with(board: chess.Board, move: chess.Move, moves: int) -> int | None:
    winner = board.turn
    board.push(move)
    outcome = board.outcome()
    if outcome is not None:
        length = 1 if outcome.winner == winner else None
    elif moves == 1:
        length = None
    else:
        longest = _longest_defence(board, moves - 1)
        length = None if longest is None else 1 + longest
    board.pop()
    return length


def _longest_defence(board: chess.Board, moves: int) -> int | None:
    """How many more moves the other side needs against the best reply; ``None`` if that holds out."""
    winner = not board.turn
    lengths: list[int | None] = []
    for reply in list(board.legal_moves):
        board.push(reply)
        outcome = board.outcome()
        if outcome is not None:
            lengths.append(0 if outcome.winner == winner else None)
        else:
            lengths.append(shortest_win(board, moves))
        board.pop()
    return None if None in lengths else max(length for length in lengths if length is not None)
