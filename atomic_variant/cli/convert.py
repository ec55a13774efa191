"""``convert``: writes games of any readable file as clean PGN or JSON lines."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Iterator
from typing import Any

import chess.engine

from .. import pgn
from ..pgn.conclusion import conclude
from ..pgn.errors import are_serious
from ..pgn.writing import write_games
from ..statistics import Readings
from ..text import json_text
from ._door import Door, add_files, find_format


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command."""
    parser.description = (
        "Writes all games of the files as clean PGN, with their Variant and moves in standard notation, "
        "or as JSON, one game on a line, main lines only. What is wrong with games is reported apart, "
        "and the exit status is then 1; what cannot be played is written as it stood, the rest of a line as a comment."
    )
    add_files(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="the file to write, compressed if it ends in .gz, .bz2 or .zst (default: standard output)",
    )
    parser.add_argument(
        "--to", choices=("pgn", "jsonl"), help="the format (default: what OUT ends in, .pgn or .jsonl; else pgn)"
    )


def run(args: argparse.Namespace, door: Door) -> int:
    form = find_format(args.output or "-", ("pgn", "jsonl"), args.to)
    readings = Readings()
    generate = _generate_json if form == "jsonl" else _generate_pgn
    with door.text_output(args.output) as out:
        for text, errors in generate(args, door, readings):
            out.write(text)
            for error in errors:
                door.fail(error, are_serious([error]))
    if readings.is_guessed:
        door.report(readings.summary())
    return door.status


def _generate_pgn(args: argparse.Namespace, door: Door, readings: Readings) -> Iterator[tuple[str, list[Exception]]]:
    for game, text in door.games(functools.partial(write_games, variant=args.variant)):
        conclusion = conclude(game)
        readings.add(game, conclusion)
        yield f"{text}\n\n", conclusion.errors


def _generate_json(args: argparse.Namespace, door: Door, readings: Readings) -> Iterator[tuple[str, list[Exception]]]:
    read = functools.partial(pgn.scan, comments=True, variant=args.variant)
    for record in door.games(read):
        conclusion = conclude(record)
        readings.add(record, conclusion)
        yield json_text(to_json(record, conclusion.errors)) + "\n", conclusion.errors


def to_json(record: pgn.Record, errors: list[Exception]) -> dict[str, Any]:
    """A game as JSON: moves in UCI notation, clocks in seconds, evaluations for White."""
    return {
        "game": record.number,
        "headers": record.headers,
        "variant": record.variant.uci_variant if record.variant else None,
        "variant_source": record.variant_source,
        "fen": record.fen,
        "chess960": record.chess960,
        "moves": [move.uci() for move in record.moves],
        "result": record.result,
        "ending": record.ending.words,
        "kind": record.ending.kind.value,
        "comments": record.comments,
        "clocks": record.clocks,
        "evaluations": [_evaluation(score) for score in record.evaluations or ()],
        "errors": [str(error) for error in errors],
    }


def _evaluation(score: chess.engine.PovScore | None) -> dict[str, int | None] | None:
    if score is None:
        return None
    mate = score.white().mate()
    return {"cp": score.white().score()} if mate is None else {"mate": mate}
