"""``explain``: why moves are illegal, what they explode, how the game stands."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import chess

from ..boards.endings import judge
from ..boards.reasons import pieces_on, side_name
from ..boards.refusals import why_refused
from ..svg._pictures import describe
from ..svg._steps import blast_mask, numbered
from ..text import one_line
from ._door import Door, add_variant
from ._position import parse_move, parse_position


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command."""
    parser.description = (
        "Plays moves from a position, and says of each what it explodes, or why it is illegal, and how the game "
        "stands after the last one. The exit status is 1 if a move or the position is not legal."
    )
    parser.add_argument("position", metavar="FEN", help="a FEN, in quotes, or 'start'")
    parser.add_argument("moves", metavar="MOVE", nargs="*", help="moves in SAN or UCI, one after the other")
    add_variant(parser, "the rules of the game (default: Atomic)")


def run(args: argparse.Namespace, door: Door) -> int:
    """Explains; 0 if all moves are legal, 1 if one is not or the position is none of a game, 2 if there is no FEN."""
    board = parse_position(args.position, args.variant)
    faults = board.status()
    if faults:
        names = ", ".join(str(fault.name).lower().replace("_", " ") for fault in chess.Status if fault & faults)
        door.fail(f"the position cannot come about in a game: {names}", 1)
    for text in args.moves:
        try:
            move = parse_move(board, text)
            if not move:
                raise ValueError("a null move is no move on the board")
        except ValueError as error:
            written = one_line(text, 80)
            door.write(f"{numbered(board, 1, written)}: {why_refused(error, board)}\n")
            door.status = 1
            break
        words = numbered(board, 1, describe(board, move))
        captured = None if blast_mask(board, move) else _captured(board, move)
        board.push(move)
        door.write(f"{', '.join([words, *_effects(board, captured)])}\n")
    for line in _standing(board):
        door.write(f"{line}\n")
    door.write(f"{board.fen()}\n")
    return door.status


def _captured(board: chess.Board, move: chess.Move) -> str | None:
    """The piece that *move* captures where nothing explodes."""
    if not board.is_capture(move):
        return None
    if board.is_en_passant(move):
        return "the pawn en passant"
    return pieces_on(board, chess.BB_SQUARES[move.to_square])


def _effects(board: chess.Board, captured: str | None) -> Iterator[str]:
    """What the last move did besides exploding."""
    if captured:
        yield f"captures {captured}"
    if board.is_checkmate():
        yield "mates"
    elif board.is_check():
        yield "gives check"


def _standing(board: chess.Board) -> Iterator[str]:
    """How the game stands, in sentences."""
    ending = judge(board)
    if ending.outcome:
        yield str(ending)
        return
    side = side_name(board.turn)
    count = board.legal_moves.count()
    line = f"{side} to move, {count} legal move{'s' if count != 1 else ''}"
    if board.is_check():
        line += f", in check by {pieces_on(board, board.checkers_mask())}"
    yield line
    explosions = list(getattr(board, "generate_king_explosions", list)())
    if explosions:
        yield f"{side} can explode the king: {', '.join(map(board.san, explosions))}"
    claim = judge(board, claim_draw=True)
    if claim.outcome:
        yield f"a draw could be claimed: {str(claim).removeprefix('Draw: ')}"
