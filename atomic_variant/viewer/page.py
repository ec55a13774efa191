"""
Games as HTML: a page with the viewer, and a part of a page without a script.

A page asks for nothing from elsewhere, opens from disk, and its content
security policy lets nothing run but the front end.
"""

from __future__ import annotations

import base64
import hashlib
import re
from html import escape
from typing import Any

import chess
import chess.pgn

from .. import svg
from ..text import json_text, plain_text
from . import bundle, data

_NEEDLESS = re.compile(r' xlink:href="[^"]*"| class="square [^"]*"| stroke="none"(?=/| /)')

MAX_MOVES = 600
"""Moves that are written below a picture; of a longer game the rest is left out."""


def document(*, title: str, style: str, body: str, module: str | None, values: dict[str, str]) -> str:
    """
    A whole page around *body*, which is HTML.

    :param title: Plain text.
    :param style: A style sheet of the front end, by name.
    :param module: The front end, by name, or ``None`` for a page where nothing moves.
    :param values: JSON for the front end by the ids of the elements that hold
        it, made by :func:`atomic_variant.text.json_text` for HTML.
    """
    script = bundle.module(module) if module else ""
    # A reader's browser checks that nothing but this text runs.
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'"
    )
    held = "\n".join(f'<script type="application/json" id="{name}">{value}</script>' for name, value in values.items())
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{bundle.style_sheet(style)}</style>
</head>
<body>
{body}
{held}
{f'<script type="module">{script}</script>' if module else ""}
</body>
</html>
"""


def game_page(game: chess.pgn.Game, *, node: int = 0, flipped: bool = False) -> str:
    """
    A page with the viewer of *game*, which begins at a move (see :func:`atomic_variant.viewer.data.flatten`).

    Where no scripts run it shows what :func:`still` does.
    """
    encoded = data.encode(game, wins=True)
    title = _players(encoded["headers"])
    body = f'<header><h1><bdi>{escape(title)}</bdi></h1></header>\n<main id="viewer">{still(game)}</main>'
    values = {"game": json_text({"game": encoded, "node": node, "flipped": flipped}, in_html=True)}
    return document(title=title, style="report", body=body, module="game_page", values=values)


def still(game: chess.pgn.Game, node: chess.pgn.GameNode | None = None, *, flipped: bool = False) -> str:
    """
    A part of a page that shows *game* without a script: players, a picture, the moves, how it ended.

    :param node: What the picture shows, by default the end of the main line.
    """
    encoded = data.encode(game)
    shown = node or game.end()
    try:
        board = shown.board()
    except ValueError:  # The start cannot be set up.
        board = chess.Board.empty()
    picture: str = svg.last_move(board, size=390, coordinates=False, orientation=not flipped)
    # A notebook keeps this for each output, so it holds no more than browsers need.
    picture = _NEEDLESS.sub("", picture)
    headers = encoded["headers"]
    facts = [headers[name] for name in ("Event", "Variant", "Date", "Result") if name in headers]
    said = [*encoded.get("errors", []), encoded.get("end", "")]
    parts = [
        f"<b><bdi>{escape(_players(headers))}</bdi></b>",
        " · ".join(f"<bdi>{escape(fact)}</bdi>" for fact in facts),
        f'<div style="line-height:1.7;max-width:62ch">{_moves(game, shown, encoded)}</div>',
        "<br>".join(f"<bdi>{escape(text)}</bdi>" for text in dict.fromkeys(said) if text),
    ]
    texts = "".join(f'<div style="margin:0 0 .5em">{part}</div>' for part in parts if part)
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:14px;align-items:flex-start;text-align:left">'
        f'<div style="flex:0 1 390px">{picture}</div><div style="flex:1 1 260px">{texts}</div></div>'
    )


def _moves(game: chess.pgn.Game, shown: chess.pgn.GameNode, encoded: dict[str, Any]) -> str:
    """The line through *shown*, with the move that the picture shows."""
    rows = encoded["nodes"]
    number = {id(node): row for (node, _), row in zip(data.flatten(game), rows, strict=False)}
    line: list[chess.pgn.GameNode] = [shown]
    while (before := line[-1].parent) is not None:
        line.append(before)
    line.reverse()
    while (following := line[-1].next()) is not None:
        line.append(following)
    ply = encoded["ply"]
    words = []
    for index, node in enumerate(line[1 : MAX_MOVES + 1]):
        if id(node) not in number:
            break
        san = escape(number[id(node)][0])
        made = ply + index
        before_it = f"{made // 2 + 1}{'...' if made % 2 else '.'}&nbsp;" if index == 0 or made % 2 == 0 else ""
        words.append(f"{before_it}<mark>{san}</mark>" if node is shown else f"{before_it}{san}")
    return " ".join(words) + (" …" if len(line) > MAX_MOVES + 1 else "")


def _players(headers: dict[str, str]) -> str:
    names = []
    for color in ("White", "Black"):
        name = headers.get(color, color)
        names.append(f"{name} ({headers[f'{color}Elo']})" if f"{color}Elo" in headers else name)
    return " - ".join(plain_text(name, 200) for name in names)
