"""``convert``: writes games of any readable file as clean PGN or JSON lines."""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
from collections.abc import Iterator
from typing import Any

import chess
import chess.engine

from .. import pgn
from . import _door as _files


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser(
        "convert",
        help="write games as clean PGN or as JSON lines",
        description="Writes all games of the files as clean PGN, with their Variant and moves in standard notation, "
        "or as JSON, one game on a line, main lines only. What is wrong with games is reported apart, "
        "and the exit status is then 1; their good part is written.",
    )
    _files.add_arguments(parser)
    parser.add_argument("-o", "--output", metavar="OUT", help="the file to write (default: standard output)")
    parser.add_argument(
        "--to", choices=("pgn", "jsonl"), help="the format (default: jsonl if OUT ends in .jsonl, else pgn)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    output = None if args.output == "-" else args.output
    to_json = args.to == "jsonl" if args.to else bool(output and output.endswith(".jsonl"))
    if output and any(
        os.path.exists(output) and os.path.exists(name) and os.path.samefile(output, name) for name in args.files
    ):
        _files.report(f"{output}: would overwrite what is to be read")
        return 2
    broken = False
    try:
        with open(output, "w", encoding="utf-8") if output else contextlib.nullcontext() as out:
            write = out.write if out is not None else _files.write
            for text, errors in _generate_json(args) if to_json else _generate_pgn(args):
                write(text)
                for error in errors:
                    _files.report(error)
                    broken = True
    except _files.UnusableInput as error:
        _files.report(error)
        return 2
    except BrokenPipeError:
        raise
    except OSError as error:  # The disk is full, for example.
        _files.report(_files.describe_os_error(error))
        return 2
    return int(broken)


def _generate_pgn(args: argparse.Namespace) -> Iterator[tuple[str, list[Exception]]]:
    for game in _files.generate_games(functools.partial(pgn.read_games, variant=args.variant), args.files):
        errors = pgn.findings(game)
        name_variant(game)
        yield f"{game}\n\n", errors


def name_variant(game: pgn.Game) -> None:
    """Writes the variant and the starting position into the headers as every program reads them."""
    with contextlib.suppress(ValueError):  # Headers that nobody understands stay as they are.
        board = game.headers.board()
        if type(board) is not chess.Board:
            game.setup(board)


def _generate_json(args: argparse.Namespace) -> Iterator[tuple[str, list[Exception]]]:
    read = functools.partial(pgn.scan, comments=True, variant=args.variant)
    for record in _files.generate_games(read, args.files):
        errors = pgn.findings(record)
        yield json.dumps(to_json(record, errors), ensure_ascii=False) + "\n", errors


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
