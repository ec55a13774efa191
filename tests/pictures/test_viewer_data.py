"""Games as data say all that a front end needs, and no more than is good for it."""

from __future__ import annotations

import io
import json
import random
from typing import Any

import chess
import chess.engine
import chess.pgn
import chess.variant
import pytest

from atomic_variant import AtomicBoard, host, pgn
from atomic_variant.boards.endings import find_ending
from atomic_variant.pgn.conclusion import ENDS
from atomic_variant.svg import _steps as steps
from atomic_variant.viewer import data as replay

from ..support.shared import shared_path
from .test_svg import HOSTILE

BOARDS: list[type[chess.Board]] = [
    AtomicBoard,
    chess.Board,
    chess.variant.AtomicBoard,
    chess.variant.CrazyhouseBoard,
    chess.variant.AntichessBoard,
    chess.variant.RacingKingsBoard,
    chess.variant.HordeBoard,
]


def random_board(board: chess.Board, plies: int, seed: int) -> chess.Board:
    choice = random.Random(seed).choice
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(choice(moves))
    return board


def random_game(seed: int, plies: int = 60) -> chess.pgn.Game:
    """A random atomic game with everything that a server and an engine write."""
    board = random_board(AtomicBoard(), plies, seed)
    game = pgn.Game.from_board(board)
    for node in game.mainline():
        node.set_clock(3600 - 7.3 * node.ply())
        node.set_eval(chess.engine.PovScore(chess.engine.Cp(node.ply() * 13 - 400), chess.WHITE), 20)
    return game


class Player:
    """Plays the data, knowing no rules. The front end does the same in the browser."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        start = chess.BaseBoard(data["start"]).piece_map()
        self.positions = [{square: piece.symbol() for square, piece in start.items()}]
        for index, row in enumerate(data["nodes"], start=1):
            slides, blast, changes, extras = [*row[1:], *["", "", "", {}][len(row) - 1 :]]
            self.positions.append(self.make(self.positions[extras.get("p", index - 1)], slides, blast, changes))

    @staticmethod
    def make(position: dict[int, str], slides: str, blast: str, changes: str) -> dict[int, str]:
        squares = [chess.parse_square(slides[i : i + 2]) for i in range(0, len(slides), 2)]
        after = {square: piece for square, piece in position.items() if square not in squares[::2]}
        for origin, target in zip(squares[::2], squares[1::2], strict=True):
            after[target] = position[origin]
        gone = [chess.parse_square(blast[i : i + 2]) for i in range(0, len(blast), 2)]
        for square in [*gone, *(squares[1:2] if blast else [])]:
            after.pop(square, None)
        for i in range(0, len(changes), 3):
            after[chess.parse_square(changes[i + 1 : i + 3])] = changes[i]
        return {square: piece for square, piece in after.items() if piece != "-"}


@pytest.mark.parametrize("board_class", BOARDS, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_the_data_play_every_variant(board_class: type[chess.Board]) -> None:
    for seed in range(8):
        board = random_board(board_class(), 120, seed)
        data = replay.encode(pgn.Game.from_board(board))
        replayed = board.root()
        for position, move in zip(Player(data).positions, [*board.move_stack, None], strict=True):
            assert position == {square: piece.symbol() for square, piece in replayed.piece_map().items()}
            if move:
                replayed.push(move)


@pytest.mark.parametrize("number", range(0, 960, 137))
def test_the_data_castle_in_chess960(number: int) -> None:
    board = AtomicBoard.from_chess960_pos(number)
    board.set_board_fen("/".join([board.board_fen().split("/")[0], *["8"] * 6, board.board_fen().split("/")[-1]]))
    for move in list(board.generate_castling_moves()):
        after = board.copy()
        after.push(move)
        game = pgn.Game.from_board(after)
        assert Player(replay.encode(game)).positions[-1] == {s: p.symbol() for s, p in after.piece_map().items()}


def test_variations_follow_the_move_that_they_replace() -> None:
    text = "1. e4 (1. d4 d5 (1... f5 2. g4)) 1... e5 (1... c5 $1 {Sicilian}) 2. Nf3 *"
    game = chess.pgn.read_game(io.StringIO(text))
    assert game
    nodes = replay.encode(game)["nodes"]
    assert [row[0] for row in nodes[:3]] == ["e4", "e5", "Nf3"]
    parents = {row[0]: (row[4] if len(row) > 4 else {}).get("p", index) for index, row in enumerate(nodes)}
    names = ["start", *(row[0] for row in nodes)]
    assert {san: names[parent] for san, parent in parents.items()} == {
        "e4": "start", "e5": "e4", "Nf3": "e5", "d4": "start", "d5": "d4", "c5": "e4", "f5": "d4", "g4": "f5",
    }  # fmt: skip
    assert next(row for row in nodes if row[0] == "c5")[4] == {"p": 1, "c": "Sicilian", "n": [1]}


def test_a_game_of_sixty_plies_with_clocks_and_evaluations_is_small() -> None:
    for seed in range(10):
        game = random_game(seed)
        assert len(json.dumps(replay.encode(game))) <= 15_000 * max(1, game.end().ply()) / 60


def test_hostile_text_is_cut_and_stays_text() -> None:
    game = random_game(1)
    game.headers["White"] = HOSTILE * 50_000
    host.set_comment(game, HOSTILE * 50_000)
    for node in game.mainline():
        host.set_comment(node, host.comment(node) + HOSTILE * 5_000)
        node.nags = {1, 10**30, -5}
    data = replay.encode(game)
    assert data["headers"]["White"].startswith("<script>")
    assert len(json.dumps(data)) < 12 * replay.MAX_TEXT
    assert {nag for row in data["nodes"] for nag in row[4].get("n", [])} == {1}


def test_a_deep_and_wide_tree_is_bounded() -> None:
    game = chess.pgn.Game()
    node: chess.pgn.GameNode = game
    for index in range(6000):
        squares = [(chess.G1, chess.F3), (chess.G8, chess.F6), (chess.F3, chess.G1), (chess.F6, chess.G8)][index % 4]
        node.add_variation(chess.Move(*squares))
        node = node.add_variation(chess.Move(*squares))
    data = replay.encode(game)
    assert len(data["nodes"]) == replay.MAX_NODES
    assert any("no more than" in error for error in data["errors"])


def read(text: str) -> chess.pgn.Game:
    game = pgn.read_game(io.StringIO(text))
    assert game
    return game


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0", "explosion", "White wins: the black king exploded on e8"),
        ("1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 0-1", "explosion", "(the file says 0-1)"),
        ("1. e4 e5 1-0", "unknown", "White wins, not on the board"),
        ('[Termination "Time forfeit"]\n\n1. e4 e5 0-1', "time", "(Time forfeit)"),
        ("1. e4 e5 1/2-1/2", "draw agreed", "Draw, not on the board"),
        ("1. e4 e5 *", "unfinished", "Not finished"),
        ("1. e4 e5 2. Ke4 *", "broken off", "Ke4"),
        ('[SetUp "1"]\n[FEN "8/8/8/8/8/8/8/k1K5 w - - 0 1"]\n\n*', "insufficient material", "insufficient material"),
        ('[SetUp "1"]\n[FEN "nonsense"]\n\n*', "broken off", "nonsense"),
    ],
)
def test_an_ending_has_a_kind_and_words(text: str, kind: str, words: str) -> None:
    variant = '[Variant "Atomic"]\n'
    data = replay.encode(read(variant + text if text.startswith("[") else f"{variant}\n{text}"))
    assert data["kind"] == kind
    assert words in data["end"]
    assert kind in ENDS
    assert bool(data.get("errors")) == (kind == "broken off" or "the file says" in words)


def test_only_a_king_that_exploded_counts_as_an_explosion() -> None:
    class StalemateLosesBoard(AtomicBoard):
        def is_variant_loss(self) -> bool:
            return super().is_variant_loss() or super().is_stalemate()

    boards: list[tuple[chess.Board, str]] = [
        (chess.variant.ThreeCheckBoard("4k3/8/8/8/8/8/8/4K3 w - - 0+3 0 1"), "variant rule"),
        (StalemateLosesBoard("7k/5Q2/8/8/8/8/8/K7 b - - 0 1"), "variant rule"),
        (chess.variant.AtomicBoard("8/8/8/8/8/8/8/K7 b - - 0 1"), "explosion"),
    ]
    for board, kind in boards:
        assert board.outcome()
        assert find_ending(board).kind == kind


def test_an_illegal_move_is_explained_without_its_fen() -> None:
    data = replay.encode(read('[Variant "Atomic"]\n\n1. e4 d5 2. Bb5+ c6 3. Bxd7 *'))
    (error,) = data["errors"]
    assert error.startswith("Bxd7: illegal move: ")
    assert "the bishop on b5 cannot pass" in error
    assert "KQkq" not in error


def test_errors_of_any_reader_are_told() -> None:
    class ReadError(Exception):
        text = "Kxe2"
        reason = "a king may not capture"

    assert replay.describe_error(ReadError()) == "Kxe2: a king may not capture"
    assert replay.describe_error(ValueError()) == "ValueError"


def test_a_step_says_which_kings_died() -> None:
    board = AtomicBoard("rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3")
    assert steps.take(board, chess.Move.from_uci("d5e7")).dead[chess.E8] == chess.Piece.from_symbol("k")


def test_real_games_are_small() -> None:
    path = shared_path("data", "games", "fics1509_150.pgn")
    with path.open(encoding="utf-8") as handle:
        while game := pgn.read_game(handle):
            size = len(json.dumps(replay.encode(game), separators=(",", ":")))
            assert size < 600 + 40 * game.end().ply()


def test_no_move_is_traced_back_to_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    game = pgn.Game.from_board(random_board(AtomicBoard(), 60, seed=5))
    for ply, node in enumerate(game.mainline()):
        node.set_eval(chess.engine.PovScore(chess.engine.Cp(ply), chess.WHITE))
        node.set_clock(60)
    expected = replay.encode(game)
    for name in ("eval", "ply", "turn"):  # Each walks to the root, so that a loop of them is quadratic.
        monkeypatch.setattr(chess.pgn.GameNode, name, None)
        monkeypatch.setattr(chess.pgn.ChildNode, name, None, raising=False)
    assert replay.encode(game) == expected
    assert [node[4]["e"] for node in expected["nodes"]] == list(range(len(expected["nodes"])))


@pytest.mark.parametrize("board_class", BOARDS)
def test_a_king_in_check_is_marked_after_any_move(board_class: type[chess.Board]) -> None:
    for seed in range(10):
        start = board_class()
        board = random_board(start.copy(), 60, seed)
        for move in board.move_stack:
            step = steps.take(start, move)
            assert (step.check is not None) == (start.is_check() and start.king(start.turn) is not None)
