"""All commands and their outputs agree on how games ended and on how many have errors."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from atomic_variant import pgn
from atomic_variant.__main__ import main

from ..support.random_games import random_pgn

OTHER_RULES = """\
[Variant "Atomic Buho21"]
[FEN "k7/1R6/8/8/2K5/8/8/8 b - - 0 1"]

1-0

[Variant "Spark Chess"]
[FEN "k7/1Q6/8/8/8/8/8/K7 w - - 0 1"]

1. Qxa8 1-0

[Variant "Three-check"]
[FEN "4k3/8/8/8/8/8/8/Q3K3 w - - 1+3 0 1"]

1. Qa4+ 1-0

[Variant "Three-check"]
[FEN "4k3/8/8/8/8/8/8/Q3K3 w - - 1+3 0 1"]

1. Qe5+ 1-0

"""
EXPLOSION = '[Variant "Atomic"]\n\n1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8 1-0\n\n'
CONTRADICTED = EXPLOSION.replace("1-0", "0-1")
ILLEGAL = '[Variant "Atomic"]\n\n1. e4 d5 2. exd5 Nd5 1/2-1/2\n\n'
REPETITION = '[Variant "Atomic"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2\n\n'
# The moves break off where nobody claimed the draw.
BROKEN_REPETITION = REPETITION.replace("1/2", "5. Ke5 1/2", 1)


def told_by_each(path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, int]]:
    """Counts of explosions, mates, draws on the board and games with errors, by who counts."""
    told: dict[str, dict[str, int]] = {}

    def keep(name: str, pattern: str, text: str) -> None:
        match = re.search(pattern, text)
        assert match, (name, text)
        told.setdefault(name, {}).update({key: int(count) for key, count in match.groupdict().items()})

    def add_up(pattern: str, text: str) -> dict[str, int]:
        """The counts of all variants together."""
        sums: dict[str, int] = {}
        for match in re.finditer(pattern, text):
            for key, count in match.groupdict().items():
                sums[key] = sums.get(key, 0) + int(count)
        return sums

    page = path.with_suffix(".html")
    statuses = [main(["review", str(path), "-o", str(page)])]
    told["review"] = add_up(
        r"(?P<explosions>\d+) explosions?, (?P<mates>\d+) mates?, .*?(?P<draws>\d+) draws? on the board, .*"
        r" (?P<errors>\d+) with errors",
        capsys.readouterr().out,
    )
    html = page.read_text(encoding="utf-8").replace("None of them", "0 of them")
    told["report"] = add_up(
        r"(?P<explosions>\d+) ended by explosion, (?P<mates>\d+) by checkmate, (?P<draws>\d+) drawn on the board. "
        r"(?P<errors>\d+) of them",
        html,
    )
    statuses.append(main(["check", str(path)]))
    keep("check", r"with errors: (?P<errors>\d+)", capsys.readouterr().err)
    table = path.with_suffix(".csv")
    statuses.append(main(["stats", str(path), "--csv", str(table)]))
    err = capsys.readouterr().err
    keep("stats", r"with errors: (?P<errors>\d+)", err if "with errors" in err else "with errors: 0")
    with table.open(newline="") as handle:
        rows = [row for row in csv.DictReader(handle) if row["table"] == "end"]
    for key, end in (("explosions", "explosion"), ("mates", "checkmate")):
        told["stats"][key] = sum(int(row["games"]) for row in rows if row["key"] == end)
    lines = path.with_suffix(".jsonl")
    statuses.append(main(["convert", str(path), "-o", str(lines)]))
    games = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    told["jsonl"] = {"errors": sum(bool(game["errors"]) for game in games)}
    capsys.readouterr()
    statuses.append(main(["convert", str(path), "-o", str(path.with_suffix(".out.pgn"))]))
    told["convert"] = {"errors": len(set(re.findall(r"game \d+", capsys.readouterr().err)))}
    assert len(set(statuses)) == 1
    assert statuses[0] == int(told["check"]["errors"] > 0)
    return told


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OTHER_RULES, {"explosions": 0, "mates": 0, "draws": 0, "errors": 0}),
        (EXPLOSION + OTHER_RULES, {"explosions": 1, "mates": 0, "draws": 0, "errors": 0}),
        (CONTRADICTED, {"explosions": 1, "mates": 0, "draws": 0, "errors": 1}),
        (ILLEGAL + CONTRADICTED + EXPLOSION, {"explosions": 2, "mates": 0, "draws": 0, "errors": 2}),
        (REPETITION + BROKEN_REPETITION, {"explosions": 0, "mates": 0, "draws": 1, "errors": 1}),
    ],
)
def test_one_file_is_one_story(
    text: str, expected: dict[str, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(text)
    for who, counts in told_by_each(path, capsys).items():
        assert counts == {key: expected[key] for key in counts}, who


def test_random_games_are_counted_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(random_pgn(60).replace('[Result "1-0"]', '[Result "0-1"]', 3))
    told = told_by_each(path, capsys)
    for who, counts in told.items():
        assert counts == {key: told["review"][key] for key in counts}, who


def test_an_analyst_asks_for_kind_and_findings_not_for_prose() -> None:
    records = list(pgn.scan(io.StringIO(OTHER_RULES + CONTRADICTED)))
    assert [record.ending.kind for record in records] == [
        "variant rule", "king captured", "variant rule", "variant rule", "explosion",
    ]  # fmt: skip
    assert [len(pgn.findings(record)) for record in records] == [0, 0, 0, 0, 1]
    assert "the result contradicts the moves" in str(pgn.findings(records[-1])[0])


def test_a_record_a_tree_and_an_array_end_alike() -> None:
    text = EXPLOSION + CONTRADICTED + ILLEGAL + REPETITION + BROKEN_REPETITION + OTHER_RULES + random_pgn(40)
    records = list(pgn.scan(io.StringIO(text)))
    games = list(pgn.read_games(io.StringIO(text)))
    pytest.importorskip("numpy")
    [arrays] = pgn.scan_arrays(io.StringIO(text))
    assert [record.ending for record in records] == [game.ending for game in games] == arrays.endings
    assert [record.outcome for record in records] == arrays.outcomes
    found = [list(map(str, pgn.findings(record))) for record in records]
    assert found == [list(map(str, pgn.findings(game))) for game in games]
    assert arrays.columns()["errors"].tolist() == list(map(len, found))
