"""What the words among the moves mean, however they are written."""

from __future__ import annotations

import enum
import re
from typing import NamedTuple, TypeAlias

import chess
import chess.pgn

MAX_WORD_SIZE = 100
"""Characters of the longest word that is taken apart."""

NULL_MOVE = "--"

NAGS = {
    "!": chess.pgn.NAG_GOOD_MOVE,
    "?": chess.pgn.NAG_MISTAKE,
    "!!": chess.pgn.NAG_BRILLIANT_MOVE,
    "??": chess.pgn.NAG_BLUNDER,
    "!?": chess.pgn.NAG_SPECULATIVE_MOVE,
    "?!": chess.pgn.NAG_DUBIOUS_MOVE,
    "‼": chess.pgn.NAG_BRILLIANT_MOVE,
    "⁇": chess.pgn.NAG_BLUNDER,
    "⁉": chess.pgn.NAG_SPECULATIVE_MOVE,
    "⁈": chess.pgn.NAG_DUBIOUS_MOVE,
    "□": chess.pgn.NAG_FORCED_MOVE,
    "☐": chess.pgn.NAG_FORCED_MOVE,
    "=": chess.pgn.NAG_DRAWISH_POSITION,
    "∞": chess.pgn.NAG_UNCLEAR_POSITION,
    "+=": chess.pgn.NAG_WHITE_SLIGHT_ADVANTAGE,
    "+/=": chess.pgn.NAG_WHITE_SLIGHT_ADVANTAGE,
    "⩲": chess.pgn.NAG_WHITE_SLIGHT_ADVANTAGE,
    "=+": chess.pgn.NAG_BLACK_SLIGHT_ADVANTAGE,
    "=/+": chess.pgn.NAG_BLACK_SLIGHT_ADVANTAGE,
    "⩱": chess.pgn.NAG_BLACK_SLIGHT_ADVANTAGE,
    "+/-": chess.pgn.NAG_WHITE_MODERATE_ADVANTAGE,
    "±": chess.pgn.NAG_WHITE_MODERATE_ADVANTAGE,
    "-/+": chess.pgn.NAG_BLACK_MODERATE_ADVANTAGE,
    "∓": chess.pgn.NAG_BLACK_MODERATE_ADVANTAGE,
    "+-": chess.pgn.NAG_WHITE_DECISIVE_ADVANTAGE,
    "-+": chess.pgn.NAG_BLACK_DECISIVE_ADVANTAGE,
    "⨀": chess.pgn.NAG_WHITE_ZUGZWANG,
    "⊙": chess.pgn.NAG_WHITE_ZUGZWANG,
    "○": 26,  # Space. From here on python-chess has no names, or has others.
    "⟳": 32,  # Ahead in development.
    "↻": 32,
    "↑↑": 32,
    "↑": 36,  # Initiative.
    "→": 40,  # Attack.
    "=∞": 44,  # Compensation for material.
    "=/∞": 44,
    "⯹": 44,
    "⇆": chess.pgn.NAG_WHITE_MODERATE_COUNTERPLAY,
    "⇄": chess.pgn.NAG_WHITE_MODERATE_COUNTERPLAY,
    "⊕": chess.pgn.NAG_WHITE_SEVERE_TIME_PRESSURE,
    "⨁": chess.pgn.NAG_WHITE_SEVERE_TIME_PRESSURE,
    "∆": 140,  # With the idea.
    "△": 140,
    "∇": 141,  # Aimed against.
    "▽": 141,
    "⌓": 142,  # Better is.
    "RR": 145,  # Editorial comment.
    "N": chess.pgn.NAG_NOVELTY,
    "D": 220,  # Diagram.
    "#": 220,
    "[#]": 220,
}
"""The numbers of signs: those of Informant and ChessBase beside those of the standard."""

DASHES = "\u2010-\u2015\u2212\u2043\uff0d"
_DASH = re.compile(f"[{DASHES}]")
_FIGURINES = {
    **{
        ord(figurine): piece
        for figurines in ("♔♕♖♗♘", "♚♛♜♝♞")
        for figurine, piece in zip(figurines, "KQRBN", strict=True)
    },
    **dict.fromkeys(map(ord, "♙♟\ufe0e\ufe0f"), ""),
}
O_LETTERS = "Oo0ОоΟο"  # Latin, zero, Cyrillic and Greek.

_ORIGIN = r"(?:[NBRQK][a-h]?[1-8]?|[a-h][1-8]?)"
ORDINARY = re.compile(
    rf"((?:{_ORIGIN}?[-x>]?[a-h](?:(?:[18]=?|[1-8]=)[NBRQKnbrqk]|[1-8])|O-O(?:-O)?|0-0(?:-0)?))(?:e\.?p\.?)?[+#]*\Z"
)
"""A move as most files have it; the group is what boards are asked for."""

CASTLING = re.compile(f"[{O_LETTERS}][-{DASHES}]?[{O_LETTERS}](?:[-{DASHES}]?[{O_LETTERS}])?")
"""Castling in any spelling."""

_SIGN = "|".join(
    re.escape(sign) for sign in sorted(NAGS, key=len, reverse=True) if sign not in {"#", "=", "D", "N", "RR"}
)
_PART = re.compile(
    rf"""
    (?P<null>  <> | (?<!-)--(?!-) | (?i:null|pass)(?!\w) | Z0(?!\w) | 0000(?!\w) | @@@@ )
  | (?P<castling> (?: (?<!\d[.,:]) | (?!00) )
        [{O_LETTERS}] -? [{O_LETTERS}] (?: -? [{O_LETTERS}] )? (?! -? (?! ch | mate | [ND]$ ) \w )
    )
  | (?P<move>
        (?: (?: {_ORIGIN} | P (?: [a-h][1-8]? )? ) [-x:×>]? | x )?
        [a-h] (?: [18][=/]? (?: [NBRQKnbrqk] | \([NBRQnbrq]\) ) | [1-8]=[NBRQKnbrqk] | [1-8] )
        (?= $ | \W | _ | e\.?p | ch | mate | [ND]$ | \d{{1,3}}[.…] )
      | [PNBRQK]?@[a-h][1-8] (?!\w)
    )
  | (?P<sign> (?<=[\w+\#=)]) [ND] $ | {_SIGN} )
  | (?P<check> [+\#†‡≠]+ | (?:dbl|dis)?\.?ch(?:eck)?(?!\w) | mate(?!\w) | e\.?p\.?(?!\w) )
  | (?P<offer> = )
  | (?P<number> \d+ )
  | (?P<nothing> [\W_] )
    """,
    re.VERBOSE,
)

_SQUARE = re.compile(r"[a-h][1-8]")
# What was meant as a move: "Nf9", "Qxi3", "E4", "Nxf", "O-O-O-O".
_DAMAGED = re.compile(
    rf"""
    \W* (?:
        [NBRQK] [a-h]? [1-8]? [-x:]? [a-z]\d
      | [A-Z]? [A-Ha-h]? [1-8]? [-x:]? [A-Ha-h]\d
      | [NBRQK] [a-h1-8]? [x:] [a-h]?
      | [{O_LETTERS}] (?: -[{O_LETTERS}] ){{3,}} | [{O_LETTERS}]-[\w-]*
      | [PNBRQK]?@\w*
    ) (?: =?[A-Za-z] )? \W*
    """,
    re.VERBOSE,
)
_NUMBERS = re.compile(r"\d\D+\d")
_NUMBERED_CASTLING = re.compile(r"[^\w+=\[(-]{0,8}(\d{1,6})\.(000?)[\W_]*", re.ASCII)
_CASTLING_LIKE = re.compile(f"[{O_LETTERS}](?:-?[{O_LETTERS}])+")
_SHORT_CAPTURE = re.compile(r"\W*([a-h])([x:]?)([a-h])\W*")
# Perhaps half a move, perhaps a word: "Nf", "Be", "K", "a".
_INCOMPLETE = re.compile(r"\W*(?:[NBRQK][a-h1-8]?|[a-h]x?)\W*")


class Kind(enum.Enum):
    """What a part of a word is."""

    MOVE = enum.auto()
    """Its text is what boards are asked for."""
    SIGN = enum.auto()
    """Its value is the number."""
    OFFER = enum.auto()
    """A draw was offered."""
    PROSE = enum.auto()
    """No part of a game, though perhaps (value 1) half a move, or surely (value 2) if it stands after a number."""
    DAMAGE = enum.auto()
    """What was meant as a move, or may have been, and cannot be read."""


class Part(NamedTuple):
    kind: Kind
    text: str = ""
    value: int = 0


Parts: TypeAlias = list[Part]

_STOP = [Part(Kind.DAMAGE)]


def take_apart(word: str, board: chess.Board) -> Parts:
    """
    The moves and signs in *word*, which stands where *board* is reached, without decoration.

    Numbers, dots, quotes, brackets and signs of check mean nothing, so
    nothing is said of them. A word that holds a square beside letters that
    have no meaning, such as ``Sf3``, is a move in another language or no move,
    and nobody can know which: it is :attr:`Kind.DAMAGE`.

    >>> [part.text for part in take_apart('1...**Ng8f6**,', chess.Board())]
    ['Ng8f6']
    """
    if len(word) > MAX_WORD_SIZE or "://" in word:
        return _STOP if "://" not in word and _SQUARE.search(word) else [Part(Kind.PROSE)]
    if word in NAGS:
        return [Part(Kind.SIGN, value=NAGS[word])]
    text = _DASH.sub("-", word.translate(_FIGURINES))
    if text in NAGS:
        return [Part(Kind.SIGN, value=NAGS[text])]
    if _CASTLING_LIKE.fullmatch(text) and not _PART.fullmatch(text):
        return _STOP
    parts: Parts = []
    position = 0
    last: str | None = None
    while position < len(text):
        match = _PART.match(text, position)
        if match is None:
            return _without_moves(text, board)
        position = match.end()
        kind, found = match.lastgroup, match[0]
        if kind == "move":
            parts += _moves(found, found not in word, board)
        elif kind == "castling":
            parts.append(Part(Kind.MOVE, "O-O-O" if len(found.replace("-", "")) == 3 else "O-O"))
        elif kind == "null":
            parts.append(Part(Kind.MOVE, NULL_MOVE))
        elif kind == "sign":
            parts.append(Part(Kind.SIGN, value=NAGS[found]))
        elif kind == "offer":
            parts.append(Part(Kind.OFFER, found))
        elif kind == "number" and last == "move":
            follows = int(found) == board.fullmove_number + (not board.turn)
            if len(parts) > 1 or not follows:  # "e52." is e5 before the second move, or nothing.
                return _STOP
        last = kind
    if parts or not _NUMBERS.search(text):
        return parts
    # One number is that of a move; more are a clock, an evaluation, a date, or castling as in "4.00".
    if castling := _numbered_castling(text, board):
        return [Part(Kind.MOVE, castling)]
    return [Part(Kind.PROSE, value=1)]


def _numbered_castling(text: str, board: chess.Board) -> str | None:
    """Castling that stands right after its number, if that is the number of White's next move and it is legal."""
    match = _NUMBERED_CASTLING.fullmatch(text)
    if match is None or not board.turn or int(match[1]) != board.fullmove_number:
        return None
    is_wanted = board.is_kingside_castling if len(match[2]) == 2 else board.is_queenside_castling
    if not any(map(is_wanted, board.generate_legal_moves(board.kings))):
        return None
    return "O-O" if len(match[2]) == 2 else "O-O-O"


def _moves(text: str, had_other_dash: bool, board: chess.Board) -> Parts:
    """One move; or two, if a dash that is none of notation stands between them and not within one."""
    if text[0] == "P" and text[1:2] != "@":
        text = text[1:]
    text = text.replace(":", "x").replace("×", "x").replace("/", "=").replace("(", "").replace(")", "")
    if had_other_dash and "-" in text:
        origin, _, target = text.partition("-")
        square = chess.parse_square(origin[-2:]) if _SQUARE.fullmatch(origin[-2:]) else None
        if square is not None and board.color_at(square) != board.turn:
            return [Part(Kind.MOVE, origin), Part(Kind.MOVE, target)]
    return [Part(Kind.MOVE, text)]


def _without_moves(text: str, board: chess.Board) -> Parts:
    """What a word is that is no move, though a part of it may look like one."""
    if match := _SHORT_CAPTURE.fullmatch(text):
        target = _target(board, match[1], match[3])
        if target is not None:
            return [Part(Kind.MOVE, f"{match[1]}x{chess.square_name(target)}")]
        return _STOP if match[2] else [Part(Kind.PROSE, value=1)]
    if _SQUARE.search(text) or _DAMAGED.fullmatch(text):
        return _STOP
    if _INCOMPLETE.fullmatch(text):
        return [Part(Kind.PROSE, value=1 + (len(text) > 1))]
    return [Part(Kind.PROSE)]


def _target(board: chess.Board, from_file: str, to_file: str) -> chess.Square | None:
    """Where the one pawn capture goes that leads from one file to the other, if there is just one."""
    origin, file = map(chess.FILE_NAMES.index, (from_file, to_file))
    if abs(origin - file) != 1:
        return None
    moves = list(board.generate_legal_moves(board.pawns & chess.BB_FILES[origin], chess.BB_FILES[file]))
    return moves[0].to_square if len(moves) == 1 and moves[0].promotion is None else None
