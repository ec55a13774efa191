"""Games that people and engines played, where they lie beside the repository."""

import io

import chess
import chess.pgn
import chess.polyglot
import pytest

from atomic_variant import AtomicBoard
from atomic_variant.pgn import read_game

from ..support.positions import stock
from ..support.shared import SHARED, shared_path

NAMES = ("fics*_150.pgn", "fics_misc.pgn", "lichess_misc.pgn", "atomic960_misc.pgn", "shakmaty_lines_100.pgn")


def games(pattern: str) -> list[chess.pgn.Game]:
    shared_path("data", "games")
    paths = sorted((SHARED / "data" / "games").glob(pattern))
    if not paths:
        pytest.skip(f"no games {pattern}")
    found = []
    for path in paths:
        with path.open(encoding="utf-8") as handle:
            while (game := read_game(handle)) is not None:
                found.append(game)
    return found


@pytest.mark.parametrize("pattern", NAMES)
def test_a_real_game_is_read_without_errors(pattern):
    found = games(pattern)
    assert found
    for game in found:
        assert not game.errors, game.headers
        assert type(game.board()) is AtomicBoard
    assert sum(1 for game in found if any(game.mainline_moves())) > 0.9 * len(found)


@pytest.mark.parametrize("pattern", NAMES)
def test_a_real_game_runs_as_on_the_stock_board_and_is_written_as_there(pattern):
    for game in games(pattern):
        board = game.board()
        other = stock(board)
        for node in game.mainline():
            assert board.is_legal(node.move)
            assert board.san(node.move) == other.san(node.move)
            board.push(node.move)
            other.push(node.move)
            assert board.fen(en_passant="fen") == other.fen(en_passant="fen")
            assert board.is_valid()
        assert board.outcome() == other.outcome()
        if board.is_variant_end():
            assert board.describe_outcome().endswith(chess.square_name(last_seat(board)))


def last_seat(board: AtomicBoard) -> chess.Square:
    """Where the king stood that has exploded."""
    before = board.copy()
    before.pop()
    return before.king(before.turn ^ True)


@pytest.mark.parametrize("pattern", NAMES)
def test_what_a_real_game_is_written_as_reads_as_the_same_game(pattern):
    for game in games(pattern):
        again = read_game(io.StringIO(str(game)))
        assert not again.errors
        assert list(again.mainline_moves()) == list(game.mainline_moves())
        assert again.end().board() == game.end().board()


def test_who_exploded_a_king_has_the_result_of_the_header():
    ended = 0
    for game in games("fics*_150.pgn"):
        board = game.end().board()
        if board.is_variant_end():
            assert board.result() == game.headers["Result"]
            ended += 1
    assert ended > 30


def test_other_boards_came_to_the_same_positions():
    path = shared_path("data", "positions", "shakmaty_zobrist_atomic.csv")
    lines = path.read_text(encoding="utf-8").splitlines()
    for line in lines:
        name, moves, key = line.split(",")
        assert name == "atomic"
        board = AtomicBoard()
        for move in moves.split():
            board.push_uci(move)
        # The lower half of the key is that of polyglot, with en passant only where it is legal.
        if not board.has_legal_en_passant():
            board.ep_square = None
        assert chess.polyglot.zobrist_hash(board) == int(key, 16) & chess.BB_ALL, line
    assert len(lines) == 100


def test_endgames_of_tablebases_are_valid_and_won_by_mate_or_explosion():
    path = shared_path("data", "positions", "shakmaty_syzygy_atomic.csv")
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        epd, wdl, _ = line.split(",")
        board = AtomicBoard(f"{epd} 0 1")
        assert board.is_valid()
        loser = board.turn if wdl == "-2" else not board.turn
        if board.is_game_over():
            assert board.outcome().winner == (not loser)
        elif wdl != "0":
            assert not board.has_insufficient_material(not loser)


@pytest.mark.parametrize("name", ["small1_atomic.bin", "small2_atomic.bin"])
def test_opening_books_offer_legal_moves(name):
    with chess.polyglot.open_reader(shared_path("data", "books", name)) as book:
        board = AtomicBoard()
        plies = 0
        while (entry := book.get(board)) is not None and plies < 30:
            for other in book.find_all(board):
                assert board.is_legal(other.move)
            board.push(entry.move)
            plies += 1
        assert plies > 2
