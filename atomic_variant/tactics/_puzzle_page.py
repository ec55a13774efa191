"""Puzzles as one HTML page to solve by clicking."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from html import escape
from typing import Any, TextIO

import chess

from ..boards.reasons import side_name
from ..svg import _steps as steps
from ..text import json_text, plain_text
from ._puzzle_files import source
from ._puzzles import Puzzle
from ._search import find_win, winning_moves

MAX_PUZZLES = 500
"""The most puzzles of a page; each takes some ten kilobytes."""


def write_page(puzzles: Iterable[Puzzle], out: TextIO, title: str = "Puzzles") -> int:
    """
    Writes a page with the first :data:`MAX_PUZZLES` puzzles; returns how many are left out.

    The page needs no server and no network. It knows no rules: for every
    wrong move it holds what refutes it, so that a solver sees why.
    """
    # A room above: only who writes a page needs the front end.
    from ..viewer import page

    remaining = iter(puzzles)
    data = [json_text(_encode(puzzle), in_html=True) for puzzle in itertools.islice(remaining, MAX_PUZZLES)]
    left_out = sum(1 for _ in remaining)
    name = plain_text(title, 200)
    tasks = """<h2 id="task"></h2>
<p id="source"></p>
<div id="board"></div>
<div id="controls"></div>
<p id="score" role="status"></p>"""
    body = f"""<header>
<h1><bdi>{escape(name)}</bdi></h1>
</header>
<main>
{tasks if data else "<p>There are no puzzles in these games.</p>"}
</main>"""
    values = {"puzzles": f"[{','.join(data)}]"}
    module = "puzzle_page" if data else None
    out.write(page.document(title=name, style="puzzles", body=body, module=module, values=values))
    return left_out


def _encode(puzzle: Puzzle) -> dict[str, Any]:
    """What the page knows of a puzzle; see ``viewer/js/model/puzzle.js``."""
    board = puzzle.board()
    before = board.copy()
    led = before.pop()
    data: dict[str, Any] = {
        "task": f"{side_name(board.turn)} to move wins in {puzzle.moves}",
        "source": source(puzzle),
        "black": not board.turn,
        "ply": before.ply(),
        "before": before.board_fen(),
        "led": _row(before, led),
        "nodes": [],
    }
    board.clear_stack()
    for ply in range(0, len(puzzle.line), 2):
        left = puzzle.moves - ply // 2
        move = puzzle.line[ply]
        right = list(winning_moves(board, 1)) if left == 1 else [move]
        right.sort(key=lambda other: other != move)
        node: dict[str, Any] = {"right": [other.uci() for other in right], "moves": []}
        for other in list(board.legal_moves):
            answer = None if other in right else _answer(board, other, left)
            node["moves"].append([other.uci(), _row(board, other), *([answer] if answer else [])])
        board.push(move)
        if ply + 1 < len(puzzle.line):
            node["reply"] = _row(board, puzzle.line[ply + 1])
            board.push(puzzle.line[ply + 1])
        data["nodes"].append(node)
    return data


def _answer(board: chess.Board, move: chess.Move, left: int) -> list[Any] | None:
    """The row of what refutes a wrong *move*: a win at once, or a reply that holds; none if the game is over."""
    after = board.copy()
    after.push(move)
    if after.outcome() is not None:
        return None
    winning = winning_moves(after, 1)
    replies = sorted(after.legal_moves, key=lambda reply: (reply not in winning, not after.is_capture(reply)))
    for reply in replies:
        held = after.copy()
        held.push(reply)
        if reply in winning or left == 1 or find_win(held, left - 1) is None:
            return _row(after, reply)
    return None


def _row(board: chess.Board, move: chess.Move) -> list[Any]:
    from ..viewer import data

    step = steps.take(board.copy(), move)
    return data.row(step, {"k": chess.SQUARE_NAMES[step.check]} if step.check is not None else {})
