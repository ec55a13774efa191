"""The first plies of an explorer as one HTML page to walk through by clicking."""

from __future__ import annotations

import heapq
import itertools
from html import escape
from typing import Any

import chess

from ..svg import _steps as steps
from ..text import counted, json_text, plain_text
from ..viewer import data, page
from ._book import Book, Row
from ._names import OpeningNames

MAX_POSITIONS = 3000
"""The most positions of a page, some half a kilobyte each; those of the fewest games are left out."""


def tree_page(
    book: Book,
    board: chess.Board,
    *,
    depth: int,
    min_games: int,
    filters: dict[str, Any],
    names: OpeningNames | None = None,
    title: str = "Opening explorer",
) -> str:
    """A page with the positions that :meth:`Book.tree` has, and the moves played in each."""
    nodes: list[dict[str, Any]] = [_node(board, None, None, names)]
    order = itertools.count()
    # The positions of most games come first.
    waiting: list[tuple[int, int, int, chess.Board]] = [(0, next(order), 0, board.copy(stack=False))]
    start = board.ply()
    while waiting:
        _, _, index, position = heapq.heappop(waiting)
        for row in book.moves(position, **filters):
            child = None
            if row.games >= min_games and position.ply() - start < depth and len(nodes) < MAX_POSITIONS:
                child = len(nodes)
                after = position.copy(stack=False)
                step = steps.take(after, row.move)
                nodes.append(_node(after, index, step, names))
                heapq.heappush(waiting, (-row.games, next(order), child, after))
            nodes[index]["moves"].append([*table_row(position, row), *([] if child is None else [child])])
    name = plain_text(title, 200)
    body = f"""<header>
<h1><bdi>{escape(name)}</bdi></h1>
<p id="source"><bdi>{escape(plain_text(_sources(book), 600))}</bdi></p>
</header>
<main>
<div id="board"></div>
</main>"""
    values = {"explorer": json_text({"ply": start, "nodes": nodes}, in_html=True)}
    return page.document(title=name, style="puzzles", body=body, module="explorer_page", values=values)


def _sources(book: Book) -> str:
    names = ", ".join(book.sources)
    return f"{counted(sum(book.sources.values()), 'game')}: {names}"


def _node(
    board: chess.Board, parent: int | None, step: steps.Step | None, names: OpeningNames | None
) -> dict[str, Any]:
    node: dict[str, Any] = {"position": board.board_fen(), "moves": []}
    if step is not None:
        check = {"k": chess.SQUARE_NAMES[step.check]} if step.check is not None else {}
        node |= {"parent": parent, "row": data.row(step, check)}
    opening = names.find(board.copy(stack=False)) if names else None
    if opening:
        node["name"] = f"{opening.eco} {opening.name}".strip()
    return node


def table_row(board: chess.Board, row: Row) -> list[Any]:
    """A move for the front end: see ``viewer/js/view/movestable.js``."""
    blast = "".join(chess.SQUARE_NAMES[square] for square in chess.scan_forward(steps.blast_mask(board, row.move)))
    return [row.move.uci(), blast, row.san, row.games, row.wins, row.draws, row.losses, describe(row)]


def describe(row: Row) -> str:
    """What else is to be said of a move, in words."""
    parts = []
    if row.score is not None and row.margin is not None:
        parts.append(f"{row.score:.1%} ± {row.margin:.1%}")
    if row.performance is not None:
        parts.append(f"rated {row.average_rating}, performance {row.performance}")
    if row.forced is not None:
        parts.append(f"{'wins' if row.forced > 0 else 'loses'} by force in {abs(row.forced)}")
    return ", ".join(parts)
