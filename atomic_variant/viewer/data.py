"""
Games as compact data for the viewer's front end, which knows no rules.

A game is sent once, as moves and what they do to the pieces; the front end
works out a position when somebody looks at it. A game of sixty plies takes
about two kilobytes, twice that with clocks and evaluations.

The format, an object for JSON with short strings::

    start     the placement of the pieces, as in FEN
    ply       half-moves before the start
    headers   those that are shown
    nodes     a list for each move: SAN, slides, blast, changes, extras
    intro     the comment before the first move
    end       how the game ended, in words
    kind      the same in one word, for counting
    errors    what is wrong with the game, in words
    fault     the first that could not be read: the move before it, by its
              place in the list, the line of the file, and what stands there
    rules     the variant, by the name that engines have for it
    fen       castling, en passant and clock of the start, as in FEN, unless
              a FEN of these rules says more than that
    setup     in that case, the FEN of the start if it is not the usual one
    wins      the captures at the start that would explode a king

The main line comes first, then the variations. A move follows the one before
it in the list unless ``p`` among its extras names another; ``0`` is the start,
``1`` the first move of the list. Slides, blast and changes are squares
written one after the other: ``"e1g1h1f1"``, ``"d5e4"``, and ``"Qe8-d5"`` for
a queen on e8 and nothing on d5. Empty values at the end are left out. The
extras: ``c`` and ``s`` are the comments after and before a move, ``n`` its
NAGs, ``t`` a clock in seconds, ``e`` an evaluation in centipawns and ``m`` a
mate in moves for White, ``k`` the king in check, ``a`` arrows and circles as
in PGN, ``f`` castling and en passant as in FEN where they are not as before the
move and ``-``, ``w`` the captures that would explode a king.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Any

import chess
import chess.pgn

from .. import host
from ..pgn._remarks import parse_clock, parse_evaluation
from ..pgn.conclusion import Conclusion, conclude
from ..pgn.errors import GameError
from ..svg import _steps as steps
from ..svg._danger import king_explosions
from ..text import plain_text

HEADERS = (
    "White", "Black", "WhiteElo", "BlackElo", "Result", "Event", "Site", "Date", "Variant", "TimeControl",
    "Termination", "Opening",
)  # fmt: skip

MAX_HEADER = 120
MAX_COMMENT = 2000
MAX_TEXT = 100_000
"""All comments of a game together."""
MAX_NODES = 10_000
"""Moves of a game, variations included."""

# Blanks are tried once for each run of them, not once for each blank.
_COMMAND = re.compile(r"(?<!\s)\s*\[%[a-z_]{1,20}\s[^\]]{0,400}\]")


def encode(game: chess.pgn.Game, *, wins: bool = False) -> dict[str, Any]:
    """
    *game* as data for the viewer.

    Any game of python-chess will do. Long texts are cut, with an ellipsis.
    With *wins* the data name the captures that would explode a king in each
    position.

    >>> import io
    >>> from atomic_variant import pgn
    >>> game = pgn.read_game(io.StringIO('[Variant "Atomic"]\\n\\n1. e4 d5 2. exd5 { Boom. } *'))
    >>> for node in encode(game)["nodes"]:
    ...     print(node)
    ['e4', 'e2e4']
    ['d5', 'd7d5']
    ['exd5', 'e4d5', 'd5e4', '', {'c': 'Boom.'}]
    """
    return encode_and_conclude(game, wins=wins)[0]


def encode_and_conclude(game: chess.pgn.Game, *, wins: bool = False) -> tuple[dict[str, Any], Conclusion]:
    """:func:`encode`, and what :func:`atomic_variant.pgn.conclusion.conclude` says of *game*."""
    nodes: list[list[Any]] = []
    try:
        board = game.board()
    except ValueError:
        board = chess.Board.empty()
        conclusion = conclude(game)
    else:
        nodes, end = _nodes(game, board.copy(), wins=wins)
        conclusion = conclude(game, end if len(nodes) < MAX_NODES else None)
    errors = [describe_error(error) for error in conclusion.errors[:20]]
    if len(nodes) == MAX_NODES:
        errors.append(f"no more than {MAX_NODES} moves are shown")
    data = {
        "start": _placement(board),
        "ply": board.ply(),
        "headers": {
            name: plain_text(value, MAX_HEADER)
            for name in HEADERS
            if (value := game.headers.get(name, "")).strip("?. ")
        },
        "nodes": nodes,
        "intro": comment_text(host.comment(game)),
        "end": _words(game, conclusion),
        "kind": conclusion.end,
        "errors": errors,
        "fault": _fault(conclusion.errors, board.ply(), nodes),
        "rules": type(board).uci_variant,
        "fen": f"{_rights(board)} {board.halfmove_clock}" if _has_plain_fen(board) else "",
        "setup": "" if _has_plain_fen(board) or board.fen() == type(board).starting_fen else board.fen(),
    }
    if wins and hasattr(board, "generate_king_explosions"):
        data["wins"] = _wins(board)
    data = {key: value for key, value in data.items() if value or key in ("start", "ply", "nodes", "wins")}
    return data, conclusion


def _fault(errors: list[Exception], start: int, nodes: list[list[Any]]) -> tuple[int, int, str] | None:
    """Where the main line breaks off."""
    for error in errors:
        if isinstance(error, GameError) and error.severity == "lost":
            made = len(nodes) if error.ply is None else error.ply - start - 1
            # A move of a variation may be as far from the start as none of the main line is.
            last = next((index for index, values in enumerate(nodes) if "p" in _extras_of(values)), len(nodes))
            return min(max(made, 0), last), error.line, plain_text(error.text, 40)
    return None


def _extras_of(values: list[Any]) -> dict[str, Any]:
    return values[4] if len(values) > 4 else {}


def _has_plain_fen(board: chess.Board) -> bool:
    """Whether a FEN of these rules is placement, turn, castling, en passant and clocks, and nothing else."""
    fen = board.fen()
    return fen.count(" ") == 5 and not set(fen) & set("[]~+")


def _rights(board: chess.Board) -> str:
    """Castling and en passant as in FEN."""
    return " ".join(board.fen().split()[2:4])


def _wins(board: chess.Board) -> str:
    """The captures that would explode a king, of either side."""
    # Only for our boards, which have the method.
    found = [move for color in chess.COLORS for move in king_explosions(board, color)]  # type: ignore[arg-type]
    return "".join(chess.SQUARE_NAMES[move.from_square] + chess.SQUARE_NAMES[move.to_square] for move in found[:32])


def _placement(board: chess.Board) -> str:
    """The placement of the pieces, of most games that of chess."""
    return chess.STARTING_BOARD_FEN if steps.planes(board) == _START else board.board_fen()


_START = steps.planes(chess.Board())


def flatten(game: chess.pgn.Game) -> list[tuple[chess.pgn.ChildNode, int]]:
    """
    The moves of *game* in the order of the data, each with the number of the
    move that it follows: the main line, then the variations.
    """
    found: list[tuple[chess.pgn.ChildNode, int]] = []
    lines = deque([(game.variations[0], 0)] if game.variations else [])
    lines.extend((node, 0) for node in game.variations[1:])
    while lines:
        node, parent = lines.popleft()
        while len(found) < MAX_NODES:
            found.append((node, parent))
            parent = len(found)
            if not node.variations:
                break
            lines.extend((other, parent) for other in node.variations[1:])
            node = node.variations[0]
    return found


def _nodes(game: chess.pgn.Game, board: chess.Board, *, wins: bool) -> tuple[list[list[Any]], chess.Board]:
    """The list of moves, and the board at the end of the main line, with its moves."""
    rows: list[list[Any]] = []
    text_left = MAX_TEXT
    branches = {0: board.copy(stack=False)} if len(game.variations) > 1 else {}
    rights = [board.clean_castling_rights()]
    wins = wins and hasattr(board, "generate_king_explosions")
    end = board
    for index, (node, parent) in enumerate(flatten(game), start=1):
        if parent != index - 1:
            board = branches[parent].copy(stack=False)
        step = steps.take(board, node.move)
        if len(node.variations) > 1:
            branches[index] = board.copy(stack=False)
        extras = _extras(node, step, text_left)
        text_left -= len(extras.get("c", "")) + len(extras.get("s", ""))
        if parent != index - 1:
            extras["p"] = parent
        rights.append(board.clean_castling_rights())
        if rights[index] != rights[parent] or board.has_legal_en_passant():
            extras["f"] = _rights(board)
        if wins and (found := _wins(board)):
            extras["w"] = found
        rows.append(row(step, extras))
    return rows, end


def row(step: steps.Step, extras: dict[str, Any]) -> list[Any]:
    """One move as data."""
    names = chess.SQUARE_NAMES
    values = [
        step.san,
        "".join([names[a] + names[b] for a, b in step.slides]) if step.slides else "",
        "".join([names[square] for square in chess.scan_reversed(step.blast)]) if step.blast else "",
        "".join([f"{piece or '-'}{names[square]}" for square, piece in step.changes.items()]) if step.changes else "",
        extras,
    ]
    while values and not values[-1]:
        values.pop()
    return values


def _extras(node: chess.pgn.ChildNode, step: steps.Step, text_left: int) -> dict[str, Any]:
    """What else is to be said of a move, without what is empty."""
    extras: dict[str, Any] = {}
    if comment := host.comment(node):
        extras["c"] = comment_text(comment)[:text_left]
        if "[" in comment:
            _add_remarks(extras, node, comment)
    if before := host.starting_comment(node):
        extras["s"] = comment_text(before)[:text_left]
    if node.nags:
        extras["n"] = sorted(nag for nag in node.nags if 0 < nag < 256)
    if step.check is not None:
        extras["k"] = chess.SQUARE_NAMES[step.check]
    if not extras:
        return extras
    return {key: value for key, value in extras.items() if value or (key in "emt" and value is not None)}


def _add_remarks(extras: dict[str, Any], node: chess.pgn.ChildNode, comment: str) -> None:
    """What machines write into comments; the node would go back to the start of the game for its side to move."""
    if "[%eval" in comment and (score := parse_evaluation(comment)) is not None:
        # A mate in zero says no more than the move itself.
        white = score.white()
        centipawns = white.score()
        extras["m" if centipawns is None else "e"] = white.mate() if centipawns is None else centipawns
    clock = parse_clock(comment) if "[%clk" in comment else None
    if clock is not None and clock < 1e7:
        extras["t"] = round(clock, 1) if clock % 1 else int(clock)
    if "[%csl" in comment or "[%cal" in comment:
        extras["a"] = "".join(f"{arrow.pgn()} " for arrow in node.arrows()[:64]).strip()


# --- Texts ------------------------------------------------------------------


def comment_text(comment: str) -> str:
    """
    A comment without the commands that machines write into it.

    >>> comment_text("A [%clk 0:03:00] blunder. [%eval -3.2]")
    'A blunder.'
    """
    # Much longer than what is shown, so that no command is cut in two.
    text = comment[: 10 * MAX_COMMENT]
    text = (_COMMAND.sub("", text) if "[" in text else text).strip()
    return plain_text(text, MAX_COMMENT) if text else ""


def describe_error(error: BaseException) -> str:
    """
    An error of a game in a sentence, of any reader.

    >>> describe_error(ValueError("no such move"))
    'no such move'
    """
    text, reason = getattr(error, "text", None), getattr(error, "reason", None)
    if text and reason:
        return plain_text(f"{text}: {reason}", 300)
    # Where it happened is plain to see on the board, the FEN says no more.
    message = re.sub(r" in [\w/]{15,90} [wb] [\w-]{1,8} [\w-]{1,2} -?\d+ -?\d+", "", str(error)[:1000])
    return plain_text(message or type(error).__name__, 300)


def _words(game: chess.pgn.Game, conclusion: Conclusion) -> str:
    """How *game* ended, in a sentence."""
    ending, end, errors = conclusion
    result = game.headers.get("Result", "*")
    if ending.words:
        agrees = result in ("*", ending.outcome.result() if ending.outcome else "*")
        return ending.words if agrees else f"{ending.words} (the file says {plain_text(result, 10)})"
    if end == "broken off":
        return describe_error(errors[0])
    how = game.headers.get("Termination", "")
    how = f" ({plain_text(how, 60)})" if how.strip("?") and how.lower() != "normal" else ""
    if result in ("1-0", "0-1"):
        return f"{'White' if result == '1-0' else 'Black'} wins, not on the board{how}"
    if result == "1/2-1/2":
        return f"Draw, not on the board{how}"
    return f"Not finished{how}"
