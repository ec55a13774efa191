"""
Makes python-chess 1.11 behave like the coming line, in the points where they differ.

The coming line cannot be had from a package index, so the gate runs the tests
on this stand-in::

    python -m pytest -p tests.support.coming_host tests/pgn

It is strict: what the coming line lacks raises :exc:`AttributeError` or
:exc:`TypeError` for everybody but python-chess itself.
"""

import inspect
import sys
import textwrap
from typing import Any

import chess
import chess.engine
import chess.pgn
import chess.svg


def _hide_text(cls: type, name: str) -> None:
    """Replaces the text *name* of *cls* by a list, ``names``; only python-chess itself sees the text."""

    def is_host() -> bool:
        return sys._getframe(2).f_globals.get("__name__") == "chess.pgn"

    def get(self: Any) -> str:
        if not is_host():
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return self.__dict__.get(name, "")

    def put(self: Any, text: Any) -> None:
        # Others may set what they like; it is never written.
        self.__dict__[name if is_host() else f"lost {name}"] = " ".join(text) if isinstance(text, list) else text

    def get_list(self: Any) -> list[str]:
        text = self.__dict__.get(name, "")
        return [text] if text else []

    def put_list(self: Any, texts: list[str]) -> None:
        assert isinstance(texts, list)
        self.__dict__[name] = " ".join(texts)

    setattr(cls, name, property(get, put))
    setattr(cls, f"{name}s", property(get_list, put_list))


def _change(owner: Any, name: str, *changes: tuple[str, str]) -> None:
    """Replaces a function of :mod:`chess.pgn` by one whose text differs so."""
    text = textwrap.dedent(inspect.getsource(getattr(owner, name)))
    for old, new in changes:
        assert old in text, f"{owner.__name__}.{name} is not as in python-chess 1.11"
        text = text.replace(old, new)
    made: dict[str, Any] = {}
    exec(compile("from __future__ import annotations\n" + text, f"<{name}>", "exec"), vars(chess.pgn), made)
    setattr(owner, name, made[name])


def install() -> None:
    """Changes python-chess for the rest of the process."""
    if not hasattr(chess.pgn.BaseVisitor, "parse_san"):
        return  # It is the coming line.

    del chess.pgn.BaseVisitor.parse_san
    _change(chess.pgn, "read_game", ("visitor.parse_san(board_stack[-1], token)", "board_stack[-1].parse_san(token)"))

    for cls in (chess.pgn.GameNode, chess.pgn.ChildNode, chess.pgn.GameBuilder):
        _hide_text(cls, "starting_comment")
    _hide_text(chess.pgn.GameNode, "comment")
    _change(
        chess.pgn.ChildNode,
        "_accept_node",
        ("visit_comment(self.starting_comment)", "visit_comment([self.starting_comment])"),
        ("visit_comment(self.comment)", "visit_comment([self.comment])"),
    )
    _change(chess.pgn.Game, "accept", ("visit_comment(self.comment)", "visit_comment([self.comment])"))
    for visitor in (chess.pgn.GameBuilder, chess.pgn.StringExporterMixin):
        visitor.visit_comment = _takes_lists(visitor.visit_comment)

    draw = chess.svg.board

    def board(*args: Any, **options: Any) -> str:
        if "flipped" in options:
            raise TypeError("board() got an unexpected keyword argument 'flipped'")
        return draw(*args, **options)

    chess.svg.board = board

    def king(self: chess.Board, color: chess.Color) -> chess.Square | None:
        kings = self.occupied_co[color] & self.kings & ~self._effective_promoted()
        return chess.msb(kings) if kings and not kings & (kings - 1) else None

    chess.BaseBoard._effective_promoted = lambda self: chess.BB_EMPTY
    chess.BaseBoard.king = king

    from_uci = chess.Move.from_uci.__func__

    def null_too(cls: type[chess.Move], uci: str) -> chess.Move:
        return cls.null() if uci == "a1a1" else from_uci(cls, uci)

    chess.Move.from_uci = classmethod(null_too)


def _takes_lists(visit_comment: Any) -> Any:
    def visit(self: Any, comment: str | list[str]) -> Any:
        return visit_comment(self, comment if isinstance(comment, str) else " ".join(comment))

    return visit


def pytest_configure() -> None:
    """Installs it where it is named as a plugin; whoever collects examples in docstrings only imports it."""
    install()
