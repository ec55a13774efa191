"""Puzzles as files: the table of the Lichess puzzle file, and chapters of studies."""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import TextIO

import chess
import chess.pgn

from .. import host
from ..boards.reasons import side_name
from ..pgn import Game
from ..text import one_line
from ._puzzles import Puzzle
from ._turning import numbered_san

CSV_COLUMNS = (
    "PuzzleId", "FEN", "Moves", "Rating", "RatingDeviation", "Popularity", "NbPlays", "Themes", "GameUrl",
    "OpeningTags",
)  # fmt: skip
"""The columns of ``lichess_db_puzzle.csv``."""

STUDY_CHAPTERS = 64
STUDY_SIZE = 100_000
"""What Lichess takes into a study: so many chapters, and so many characters in one import."""

# What nobody has played yet, in the terms of the file.
_UNPLAYED = {"Rating": "1500", "RatingDeviation": "500", "Popularity": "0", "NbPlays": "0"}

_LICHESS_GAME = re.compile(r"https://lichess\.org/([a-zA-Z0-9]{8})(?:[a-zA-Z0-9]{4})?(?:/(?:white|black))?(?:#\d+)?")
_ID_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ID_SIZE = 5


def csv_rows(puzzles: Iterable[Puzzle]) -> Iterator[dict[str, str]]:
    """
    Generates the rows of ``lichess_db_puzzle.csv``, with all its columns.

    ``FEN`` is the position before the opponent's move, the first of
    ``Moves``. The rating is that of a puzzle that nobody has played.
    ``GameUrl`` is filled in for games of Lichess.
    """
    used: set[str] = set()
    for puzzle in puzzles:
        yield {
            "PuzzleId": _new_id(puzzle, used),
            "FEN": puzzle.start,
            "Moves": " ".join(move.uci() for move in (puzzle.led, *puzzle.line)),
            **_UNPLAYED,
            "Themes": " ".join(puzzle.themes),
            "GameUrl": game_url(puzzle),
            "OpeningTags": "",
        }


def write_csv(puzzles: Iterable[Puzzle], out: TextIO) -> int:
    """Writes puzzles as they come; returns how many."""
    writer = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    number = 0
    for number, row in enumerate(csv_rows(puzzles), 1):  # noqa: B007 # It is returned.
        writer.writerow(row)
    return number


def _new_id(puzzle: Puzzle, used: set[str]) -> str:
    """Five letters made of the position, so that it has the same in every file, unless another one came first."""
    text = f"{puzzle.variant.__name__} {puzzle.fen}"
    while True:
        number = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
        letters = []
        for _ in range(_ID_SIZE):
            number, letter = divmod(number, len(_ID_LETTERS))
            letters.append(_ID_LETTERS[letter])
        name = "".join(letters)
        if name not in used:
            used.add(name)
            return name
        text += "+"


def game_url(puzzle: Puzzle) -> str:
    """Where the game is on Lichess, at the move that led to the puzzle; empty for games from elsewhere."""
    match = _LICHESS_GAME.fullmatch(puzzle.headers.get("Site", ""))
    if match is None:
        return ""
    side = "/black" if puzzle.start.split()[1] == "b" else ""
    return f"https://lichess.org/{match[1]}{side}#{puzzle.ply}"


def task(puzzle: Puzzle) -> str:
    """What is to be done, in words: ``White wins in 2``."""
    return f"{side_name(puzzle.board().turn)} wins in {puzzle.moves}"


def source(puzzle: Puzzle) -> str:
    """Where the puzzle comes from, in words."""
    headers = puzzle.headers
    players = " - ".join(one_line(headers.get(side, "?"), 60) for side in ("White", "Black"))
    before = puzzle.board()
    led = before.pop()
    return f"{players}, game {puzzle.game}, after {numbered_san(before, led)}"


def chapter(puzzle: Puzzle, number: int) -> Game:
    """
    A puzzle as a game that becomes a chapter of a study.

    It starts from the position to solve. Lichess turns the board to the
    solver if the chapter is an interactive lesson, which ``ChapterMode``
    asks for.
    """
    board = puzzle.board()
    board.clear_stack()
    game = Game()
    game.setup(board)
    headers = puzzle.headers
    game.headers["Event"] = f"Puzzles: {number}. {task(puzzle)}"
    for tag in ("Site", "Date", "UTCDate", "UTCTime", "White", "Black", "WhiteElo", "BlackElo"):
        if tag in headers:
            game.headers[tag] = one_line(headers[tag])
    game.headers["Result"] = "*"
    game.headers["ChapterName"] = f"{number}. {task(puzzle)}"
    game.headers["ChapterMode"] = "gamebook"
    game.headers["Orientation"] = chess.COLOR_NAMES[board.turn]
    host.set_comment(game, f"{source(puzzle)}. {task(puzzle)}.")
    node: chess.pgn.GameNode = game
    for move in puzzle.line:
        node = node.add_variation(move)
    host.set_comment(node, ", ".join(puzzle.themes))
    return game


def studies(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """
    Generates the text of files that Lichess imports as a study each.

    Each has at most :data:`STUDY_CHAPTERS` chapters and :data:`STUDY_SIZE`
    characters.
    """
    text = ""
    chapters = 0
    for number, puzzle in enumerate(puzzles, 1):
        added = f"{chapter(puzzle, number)}\n\n"
        if chapters and (chapters == STUDY_CHAPTERS or len(text) + len(added) > STUDY_SIZE):
            yield text
            text, chapters = "", 0
        text += added
        chapters += 1
    if text:
        yield text
