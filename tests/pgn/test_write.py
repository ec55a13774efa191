"""What our games write, others read back to the same position."""

import io

import chess
import chess.pgn
import chess.variant
import pytest

from atomic_variant import VARIANTS, AtomicBoard, pgn

from ..support.random_games import random_board, random_game

STARTS = [
    AtomicBoard(),
    AtomicBoard("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
    AtomicBoard("8/8/8/1k6/8/8/4P3/R3K2R w KQ - 12 40"),
    *(AtomicBoard.from_chess960_pos(number) for number in (0, 1, 518, 692, 959)),
]


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.fen())
@pytest.mark.parametrize("seed", range(3))
def test_a_written_game_reads_back_to_the_same_position(start, seed):
    board = random_board(seed, start=start)
    game = pgn.Game.from_board(board)
    [ours] = pgn.read_games(io.StringIO(str(game)))
    assert ours.errors == []
    assert ours.headers == game.headers
    assert ours.board() == board.root()
    assert ours.board().chess960 == board.chess960
    assert ours.end().board() == board
    assert ours.end().board().move_stack == board.move_stack

    theirs = chess.pgn.read_game(io.StringIO(str(game)))
    assert theirs.errors == []
    assert type(theirs.board()) is chess.variant.AtomicBoard
    assert theirs.end().board().fen() == board.fen()


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.fen())
def test_fairy_stockfish_plays_a_written_game_to_the_same_position(start):
    pyffish = pytest.importorskip("pyffish")
    board = random_board(7, start=start)
    game = pgn.Game.from_board(board)
    moves = [node.uci(chess960=board.chess960) for node in game.mainline()]
    fen = game.headers.get("FEN", "startpos")
    if fen == "startpos":
        fen = pyffish.start_fen("atomic")
    end = pyffish.get_fen("atomic", fen, moves, board.chess960)
    reached = AtomicBoard(end, chess960=board.chess960)
    assert reached.epd() == board.epd()


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.__name__)
def test_the_normal_start_needs_no_fen(variant):
    game = pgn.Game.from_board(variant())
    assert game.headers["Variant"] == variant.aliases[0]
    assert "FEN" not in game.headers
    assert "SetUp" not in game.headers
    assert type(game.board()) is variant


@pytest.mark.parametrize("start", STARTS[1:], ids=lambda start: start.fen())
def test_setup_stands_beside_fen(start):
    game = pgn.Game()
    game.setup(start)
    assert game.headers["SetUp"] == "1"
    assert AtomicBoard(game.headers["FEN"], chess960=start.chess960) == start
    game.setup(AtomicBoard())
    assert "FEN" not in game.headers
    assert "SetUp" not in game.headers


def test_a_standard_game_is_written_as_by_chess_pgn():
    for board in (chess.Board(), chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"):
        ours, theirs = pgn.Game(), chess.pgn.Game()
        ours.setup(board)
        theirs.setup(board)
        assert str(ours) == str(theirs)


def test_a_game_that_was_read_writes_itself():
    game = random_game(3, clocks=True)
    [again] = pgn.read_games(io.StringIO(str(game)))
    assert str(again) == str(game)


def test_headers_keep_the_argument_when_they_are_copied():
    [game] = pgn.read_games(io.StringIO("1. e4 *"), variant="atomic")
    assert game.headers.copy().variant() is AtomicBoard
    assert pgn.Game(game.headers).board() == game.board()


def test_a_game_without_tag_roster_has_no_headers():
    assert len(pgn.Game.without_tag_roster().headers) == 0
    assert pgn.Game().headers == chess.pgn.Game().headers
