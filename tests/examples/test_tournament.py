"""The tournament: who plays whom, what is written, and that it can be taken up again."""

import runpy
import shlex
from pathlib import Path

import pytest

from atomic_variant import AtomicBoard, pgn

from ..support.fakes import PROBES, fake, started  # noqa: F401

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def run(tmp_path, capsys):
    example = runpy.run_path(str(EXAMPLES / "tournament.py"), run_name="example")

    def call(*args, status=0):
        assert example["main"]([*map(str, args), "--pgn", str(tmp_path / "games.pgn"), "--depth", "1"]) == status
        said = capsys.readouterr()
        return said.out.splitlines() if status == 0 else said.err

    return call


def games(tmp_path):
    return list(pgn.read_games(tmp_path / "games.pgn"))


def test_everybody_plays_everybody_twice_from_each_opening_with_colors_changed(run, tmp_path, started):
    fake_player = f"fake={shlex.join(fake())}"
    said = run("tactics:1", "random", fake_player, "--pairs", "2", "--max-plies", "20")
    played = games(tmp_path)
    assert len(played) == 2 * 3 * 2
    pairs = {}
    for game in played:
        assert not game.errors
        white, black = game.headers["White"], game.headers["Black"]
        opening = [move.uci() for move in game.mainline_moves()][:2]
        pairs.setdefault((game.headers["Round"][0], frozenset([white, black])), []).append((white, black, opening))
    assert len(pairs) == 6
    for (white, black, opening), again in pairs.values():
        assert again == (black, white, opening)
    table = [line.split() for line in said[-3:]]
    assert {row[0] for row in table} == {"tactics:1", "random", "fake"}
    assert all(row[1] == "8" for row in table)
    assert sum(float(row[2]) for row in table) == 12
    assert table[0][0] == max(table, key=lambda row: float(row[2]))[0]


def test_a_tournament_is_taken_up_where_it_was_cut_off(run, tmp_path):
    path = tmp_path / "games.pgn"
    players = ["tactics:1", "random", "--pairs", "3", "--max-plies", "30"]
    said = run(*players)
    whole = path.read_text()
    path.write_text(whole[: whole.rindex("[Event") + 250])  # In the middle of the last game.
    again = run(*players)
    assert path.read_text() == whole
    assert len(again) == 1 + 3  # One game was played; the table has three lines.
    assert again[-3:] == said[-3:]


def test_an_engine_that_fails_loses_its_game_and_plays_the_next(run, tmp_path, started):
    dying = f"dying={shlex.join(fake('--misbehave', 'die', '--at', PROBES + 2))}"
    run("random", dying, "--pairs", "1")
    results = [(game.headers["White"], game.headers["Result"]) for game in games(tmp_path)]
    assert results == [("random", "1-0"), ("dying", "0-1")]
    assert len(started) == 3


def test_openings_come_from_a_file_each_once(run, tmp_path):
    source = tmp_path / "openings.pgn"
    source.write_text("1. e3 e6 2. d4 *\n\n1. e3 e6 2. c4 *\n\n1. Nf3 f6 2. a3 *\n")
    run("random", "tactics:1", "--openings", source, "--plies", "2", "--pairs", "5", "--max-plies", "10")
    begun = {game.variations[0].variations[0].board().fen() for game in games(tmp_path)}
    expected = set()
    for line in ("e3 e6", "Nf3 f6"):
        board = AtomicBoard()
        for san in line.split():
            board.push_san(san)
        expected.add(board.fen())
    assert begun == expected
    assert len(games(tmp_path)) == 4


@pytest.mark.parametrize("players", [["random"], ["random", "random"], ["random", "tactics:0"], ["random", "/nowhere"]])
def test_players_that_cannot_play_are_refused(run, players):
    assert run(*players, status=2)


def test_openings_come_from_an_explorer_the_most_played_first(run, tmp_path):
    pytest.importorskip("numpy")
    from atomic_variant import explorer

    lines = ["Nf3 f6 e3", "Nf3 f6 c3", "Nf3 d6", "e4 e5"]
    texts = [f'[Variant "Atomic"]\n\n1. {line} *\n\n' for line in lines]
    explorer.build(texts, tmp_path / "book.db", min_games=1)
    run("tactics:1", "random", "--openings", tmp_path / "book.db", "--plies", "2", "--pairs", "2", "--max-plies", "8")
    begun = [[move.uci() for move in game.mainline_moves()][:2] for game in games(tmp_path)]
    assert begun[:2] == [["g1f3", "f7f6"]] * 2
    assert begun[2] == begun[3] != begun[0]
