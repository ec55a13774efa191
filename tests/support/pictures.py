"""Positions and sets of squares, drawn as pictures."""

import re

import chess

from atomic_variant import AtomicBoard


def board_of(picture: str, *, chess960: bool = False) -> AtomicBoard:
    """
    The position of a *picture* as ``print(board)`` draws it, eighth rank first.

    A ninth line may give the other fields of a FEN, from the turn on. Without
    it White is to move and nothing else is possible.
    """
    rows, fields = _rows(picture)
    placement = "/".join(re.sub(r"\.+", lambda empty: str(len(empty[0])), "".join(row)) for row in rows)
    board = AtomicBoard(" ".join([placement, *fields]), chess960=chess960)
    assert bool(board.clean_castling_rights()) == (len(fields) > 1 and fields[1] != "-"), picture
    return board


def squares_of(picture: str) -> chess.SquareSet:
    """The squares marked ``x`` in a *picture*."""
    rows, _ = _rows(picture)
    return chess.SquareSet(
        chess.square(file, 7 - row) for row in range(8) for file in range(8) if rows[row][file] == "x"
    )


def _rows(picture: str) -> tuple[list[list[str]], list[str]]:
    lines = [line.split() for line in picture.splitlines() if line.strip()]
    rows, fields = lines[:8], lines[8] if len(lines) > 8 else ["w"]
    assert [len(row) for row in rows] == [8] * 8, picture
    return rows, fields


def uci(text: str) -> chess.Move:
    return chess.Move.from_uci(text)


def targets(board: chess.Board, origin: str) -> set[str]:
    """The names of the squares that the piece on *origin* may legally go to."""
    moves = board.generate_legal_moves(chess.BB_SQUARES[chess.parse_square(origin)])
    return {chess.square_name(move.to_square) for move in moves}
