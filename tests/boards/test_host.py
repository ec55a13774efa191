"""Our board in the modules of python-chess, which take it for their own."""

import copy
import inspect
import pickle
import sys
import threading
import xml.etree.ElementTree as ET

import chess
import chess.polyglot
import chess.svg
import chess.syzygy
import chess.variant
import pytest

from atomic_variant import AtomicBoard

from ..support.pictures import uci
from ..support.positions import constructed, played, snapshot, stock


def test_our_board_has_the_names_of_the_stock_board():
    for name in ("uci_variant", "xboard_variant", "starting_fen", "tbw_suffix", "tbz_suffix", "tbw_magic", "tbz_magic",
                 "pawnless_tbw_suffix", "pawnless_tbz_suffix", "pawnless_tbw_magic", "pawnless_tbz_magic",
                 "connected_kings", "one_king", "captures_compulsory"):  # fmt: skip
        assert getattr(AtomicBoard, name) == getattr(chess.variant.AtomicBoard, name), name
    assert AtomicBoard.aliases[0] == chess.variant.AtomicBoard.aliases[0]
    assert set(chess.variant.AtomicBoard.aliases) <= set(AtomicBoard.aliases)


def test_our_board_takes_what_the_stock_board_takes():
    for name, function in inspect.getmembers(chess.variant.AtomicBoard, inspect.isfunction):
        if name.startswith("_"):
            continue
        _, *theirs = inspect.signature(function).parameters
        _, *ours = inspect.signature(getattr(AtomicBoard, name)).parameters
        assert ours[: len(theirs)] == theirs, name


def test_our_board_is_equal_to_the_stock_board_of_the_same_position():
    for board in played(1, 100):
        assert board == stock(board) or board.has_legal_en_passant() != stock(board).has_legal_en_passant()
    assert AtomicBoard() == chess.variant.AtomicBoard()
    assert AtomicBoard() != chess.Board()


def test_our_board_keeps_no_state_of_its_own():
    assert set(vars(AtomicBoard())) == set(vars(chess.variant.AtomicBoard()))
    board = AtomicBoard()
    board.push_san("e4")
    assert set(vars(board)) == set(vars(chess.variant.AtomicBoard()))


def test_a_board_is_true_and_has_no_length():
    assert AtomicBoard.empty()
    with pytest.raises(TypeError):
        len(AtomicBoard())


@pytest.mark.parametrize(
    "made",
    [
        lambda: AtomicBoard(),
        lambda: AtomicBoard(chess.STARTING_FEN),
        lambda: AtomicBoard("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"),
        lambda: AtomicBoard(chess.STARTING_FEN, chess960=True),
        lambda: AtomicBoard.from_epd("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -")[0],
        lambda: AtomicBoard.from_chess960_pos(518),
        lambda: AtomicBoard().mirror().mirror(),
        lambda: AtomicBoard().transform(lambda mask: mask),
        lambda: AtomicBoard().root(),
        lambda: copy.deepcopy(AtomicBoard()),
        lambda: pickle.loads(pickle.dumps(AtomicBoard())),
    ],
)
def test_every_way_to_make_a_board_ends_in_the_same_board(made):
    board = made()
    assert type(board) is AtomicBoard
    assert board == AtomicBoard()
    assert board.fen() == chess.STARTING_FEN
    assert board.legal_moves.count() == 20


def test_a_pickled_board_goes_on_where_it_was():
    board = AtomicBoard()
    for san in ("e4", "d5", "exd5", "Qxd2#"):
        board.push_san(san)
    again = pickle.loads(pickle.dumps(board))
    assert again.describe_outcome() == board.describe_outcome()
    for _ in range(4):
        again.pop()
    assert again == AtomicBoard()


@pytest.mark.skipif(sys.platform == "emscripten", reason="no threads and processes in WebAssembly")
def test_a_board_may_be_read_by_several_threads_at_once():
    board = AtomicBoard("r1bqkb1r/pppppppp/n4n2/8/4P3/2N2P2/PPPP2PP/R1BQKBNR b KQkq - 0 3")
    before = snapshot(board)
    expected = [board.san(move) for move in board.legal_moves]
    right = []

    def read():
        right.append(all([board.san(move) for move in board.legal_moves] == expected for _ in range(100)))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert right == [True] * 4
    assert snapshot(board) == before


def test_the_list_of_legal_moves_is_lazy_and_prints_itself():
    board = AtomicBoard()
    moves = iter(board.legal_moves)
    assert next(moves) == uci("g1h3")
    assert "Nh3" in repr(board.legal_moves)
    assert board.legal_moves
    assert uci("e2e4") in board.legal_moves
    assert uci("e2e5") not in board.legal_moves


def test_moves_in_a_line_are_written_and_read():
    board = AtomicBoard()
    line = [uci(text) for text in ("e2e4", "d7d5", "e4d5", "d8d2")]
    assert board.variation_san(line) == "1. e4 d5 2. exd5 Qxd2#"
    assert board.find_move(chess.E2, chess.E4) == uci("e2e4")
    with pytest.raises(chess.IllegalMoveError):
        board.variation_san([uci("e2e5")])
    assert board == AtomicBoard()
    assert AtomicBoard("k7/7P/8/8/8/8/8/K7 w - - 0 1").find_move(chess.H7, chess.H8) == uci("h7h8q")


def test_epd_operations_with_moves_are_read_on_our_board():
    board, operations = AtomicBoard.from_epd(
        'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm exd5; id "x";'
    )
    assert operations == {"bm": [uci("e4d5")], "id": "x"}
    assert board.epd(bm=[uci("e4d5")]).endswith("bm exd5;")


def test_a_board_can_be_drawn():
    board = AtomicBoard("8/8/8/3k4/3K3r/8/8/8 w - - 0 1")
    drawing = chess.svg.board(board, lastmove=uci("h8h4"), check=board.king(chess.WHITE))
    ET.fromstring(drawing)
    ET.fromstring(board._repr_svg_())
    assert "white-king" in drawing
    assert "black-rook" in drawing


def test_a_board_hashes_for_opening_books_like_the_stock_board():
    for board in played(2, 200):
        assert chess.polyglot.zobrist_hash(board) == chess.polyglot.zobrist_hash(stock(board))


def test_tablebases_open_for_our_board(tmp_path):
    with chess.syzygy.open_tablebase(str(tmp_path), VariantBoard=AtomicBoard) as tablebase:
        board = AtomicBoard("8/8/8/8/8/2k5/8/K6R w - - 0 1")
        with pytest.raises(chess.syzygy.MissingTableError):
            tablebase.probe_wdl(board)
        assert tablebase.get_wdl(board) is None
        # The ends of the game need no table.
        assert tablebase.probe_wdl(AtomicBoard("8/8/8/8/8/8/8/K6R b - - 0 1")) == -2
        assert tablebase.probe_wdl(AtomicBoard("8/8/8/8/8/2k5/8/K7 w - - 0 1")) == 0
        with pytest.raises(KeyError):
            tablebase.probe_wdl(chess.Board("8/8/8/8/8/2k5/8/K6R w - - 0 1"))


def test_tablebases_opened_for_the_stock_board_take_ours(tmp_path):
    with chess.syzygy.open_tablebase(str(tmp_path), VariantBoard=chess.variant.AtomicBoard) as tablebase:
        assert tablebase.probe_wdl(AtomicBoard("8/8/8/8/8/2k5/8/K7 w - - 0 1")) == 0


def test_tables_of_atomic_chess_are_found_by_their_names(tmp_path):
    for name in ("KRvK.atbw", "KRvK.atbz", "KQvK.rtbw"):
        (tmp_path / name).write_bytes(b"")
    with chess.syzygy.open_tablebase(str(tmp_path), VariantBoard=AtomicBoard) as tablebase:
        assert "KRvK" in tablebase.wdl
        assert "KRvK" in tablebase.dtz
        assert "KQvK" not in tablebase.wdl


def test_a_subclass_keeps_its_type_through_everything():
    class Labelled(AtomicBoard):
        pass

    for board in constructed(3, 20):
        labelled = Labelled(board.fen(), chess960=board.chess960)
        for other in (labelled.copy(), labelled.mirror(), labelled.root(), Labelled.empty()):
            assert type(other) is Labelled
        assert list(labelled.legal_moves) == list(AtomicBoard(board.fen(), chess960=board.chess960).legal_moves)


def test_boards_clear_and_reset():
    board = AtomicBoard()
    board.push_san("e4")
    board.reset()
    assert board == AtomicBoard()
    assert not board.move_stack
    board.clear()
    assert board.is_variant_draw()
    board.set_fen(chess.STARTING_FEN)
    board.set_piece_map({chess.A1: chess.Piece.from_symbol("K"), chess.C1: chess.Piece.from_symbol("k")})
    assert board.legal_moves.count() == len(list(board.legal_moves)) > 0
