"""
The differences between versions of python-chess, and nothing else.

Version 1.11 and the coming line call themselves by the same number, so each
function here asks for the feature that it needs. The rest of the package
names none of these features itself:

* comments of games: one text (1.11), or a list of texts, one for each pair of
  braces (the coming line);
* ``BaseVisitor.parse_san`` (1.11), or :meth:`chess.Board.parse_san` alone;
* ``flipped`` of :func:`chess.svg.board` (1.11), or ``orientation`` alone.
"""

from __future__ import annotations

from typing import Any

import chess
import chess.pgn


def has_lists_of_comments() -> bool:
    """Whether games keep every pair of braces apart, and write it so."""
    return hasattr(chess.pgn.Game(), "comments")


def joined(comment: str | list[str]) -> str:
    """
    What a visitor was given as a comment, as one text.

    >>> joined(["well played", "[%clk 0:01:00]"])
    'well played [%clk 0:01:00]'
    """
    return comment if isinstance(comment, str) else " ".join(comment)


def comment(node: chess.pgn.GameNode | chess.pgn.GameBuilder[Any]) -> str:
    """The comment after the move of *node*, as one text."""
    return _get(node, "comment", "comments")


def set_comment(node: chess.pgn.GameNode, text: str) -> None:
    """Replaces the comment after the move of *node*."""
    _set(node, "comment", text)


def starting_comment(node: chess.pgn.GameNode | chess.pgn.GameBuilder[Any]) -> str:
    """The comment before the move of *node*, as one text."""
    return _get(node, "starting_comment", "starting_comments")


def set_starting_comment(node: chess.pgn.GameNode | chess.pgn.GameBuilder[Any], text: str) -> None:
    """Replaces the comment before the move of *node*, or before the next move of a builder."""
    _set(node, "starting_comment", text)


def _get(holder: Any, name: str, names: str) -> str:
    texts = getattr(holder, names, None)
    text: str = getattr(holder, name) if texts is None else joined(texts)
    return text


def _set(holder: Any, name: str, text: str) -> None:
    # The other of the two names could be set as well, and would never be written to a file.
    if hasattr(holder, f"{name}s"):
        setattr(holder, f"{name}s", [text] if text else [])
    else:
        setattr(holder, name, text)


def parse_san(visitor: chess.pgn.BaseVisitor[Any], board: chess.Board, san: str) -> chess.Move:
    """
    The move that *visitor* takes *san* for.

    :raises: :exc:`ValueError` as :meth:`chess.Board.parse_san`.
    """
    parse = getattr(visitor, "parse_san", None)
    move: chess.Move = board.parse_san(san) if parse is None else parse(board, san)
    return move


def draw(board: chess.BaseBoard | None, **options: Any) -> str:
    """
    As :func:`chess.svg.board`, with its *flipped* on every version.

    >>> draw(None, flipped=True) == draw(None, orientation=chess.BLACK)
    True
    """
    import chess.svg

    if "flipped" in options:
        flipped = options.pop("flipped")
        options["orientation"] = options.get("orientation", chess.WHITE) != flipped
    return chess.svg.board(board, **options)
