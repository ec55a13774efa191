"""Tablebases and opening books on our boards."""

import chess
import chess.polyglot
import chess.syzygy
import chess.variant
import pytest

from atomic_variant import AtomicBoard, dialects
from atomic_variant.tablebase import open_tablebase

from ..support.shared import shared_path

KNIGHT_ENDING = "8/3k4/8/8/2N5/8/3K4/8 b - - 0 1"


def stub(directory, name, magic=AtomicBoard.tbw_magic):
    (directory / name).write_bytes(magic + bytes(60 + 16))


def test_atomic_tables_are_found_and_probed_on_our_board(tmp_path):
    stub(tmp_path, "KNvK.atbw")
    stub(tmp_path, "KNvK.atbz", AtomicBoard.tbz_magic)
    stub(tmp_path, "KQvK.rtbw")
    with open_tablebase(tmp_path) as tablebase:
        assert set(tablebase.wdl) == {"KNvK", "KvKN"}
        assert set(tablebase.dtz) == {"KNvK", "KvKN"}
        with pytest.raises(chess.syzygy.MissingTableError):
            tablebase.probe_wdl(AtomicBoard("8/3k4/8/8/2Q5/8/3K4/8 b - - 0 1"))
        exploded = AtomicBoard("8/8/8/8/2N5/8/3K4/8 b - - 0 1")
        assert tablebase.probe_wdl(exploded) == -2
        assert tablebase.probe_wdl(AtomicBoard("8/3k4/8/8/8/8/3K4/8 b - - 0 1")) == 0


def test_a_corrupt_table_is_an_error_not_an_answer(tmp_path):
    stub(tmp_path, "KNvK.atbw", magic=b"abcd")
    with open_tablebase(tmp_path) as tablebase, pytest.raises(chess.syzygy.MissingTableError):
        tablebase.probe_wdl(AtomicBoard("8/8/2k5/8/2NN4/8/3K4/8 b - - 0 1"))
    with open_tablebase(tmp_path) as tablebase, pytest.raises(OSError, match="magic"):
        tablebase.probe_wdl(AtomicBoard(KNIGHT_ENDING))


def test_the_stock_board_may_be_asked_with_the_same_tables(tmp_path):
    stub(tmp_path, "KNvK.atbw")
    with open_tablebase(tmp_path) as tablebase:
        stock = chess.variant.AtomicBoard("8/8/8/8/2N5/8/3K4/8 b - - 0 1")
        assert tablebase.probe_wdl(stock) == -2
        with pytest.raises(KeyError, match="opened for atomic"):
            tablebase.probe_wdl(chess.Board(KNIGHT_ENDING))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("KNvK.rtbw", "standard chess"),
        ("knk.gtb.cp4", "Gaviota, which knows no variants"),
        ("readme", "no tables at all"),
    ],
)
def test_a_directory_without_atomic_tables_is_refused_with_what_it_holds(tmp_path, name, words):
    stub(tmp_path, name)
    with pytest.raises(FileNotFoundError, match=words):
        open_tablebase(tmp_path)


def test_a_directory_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        open_tablebase(tmp_path / "nowhere")


def test_dialects_with_other_rules_are_refused(tmp_path):
    stub(tmp_path, "KNvK.atbw")
    for board_class in dialects.VARIANTS:
        if board_class.tbw_suffix is None:
            with pytest.raises(ValueError, match=board_class.aliases[0]):
                open_tablebase(tmp_path, board_class)
        else:
            with open_tablebase(tmp_path, board_class) as tablebase:
                assert tablebase.probe_wdl(board_class("8/8/8/8/2N5/8/3K4/8 b - - 0 1")) == -2


# --- Books --------------------------------------------------------------------


def walk(reader, replies=False):
    """The entries of a book along its lines from the start; with *replies* also after moves outside the book."""
    keys = {entry.key for entry in reader}
    seen = set()
    todo = [AtomicBoard()]
    while todo:
        board = todo.pop()
        key = chess.polyglot.zobrist_hash(board)
        entries = []
        if key in keys and key not in seen:
            index = reader.bisect_key_left(key)
            while index < len(reader) and reader[index].key == key:
                entries.append(reader[index])
                index += 1
        seen.add(key)
        for entry in entries:
            yield board, entry
            after = board.copy(stack=False)
            after.push(entry.move)
            todo.append(after)
            if replies:
                for move in after.legal_moves:
                    todo.append(after.copy(stack=False))
                    todo[-1].push(move)


@pytest.mark.parametrize(("book", "least"), [("small1_atomic.bin", 1000), ("small2_atomic.bin", 2000)])
def test_every_move_of_an_atomic_book_is_legal_along_its_lines(book, least):
    with chess.polyglot.open_reader(shared_path("data", "books", book)) as reader:
        entries = 0
        for board, entry in walk(reader):
            assert board.is_legal(entry.move), f"{entry.move} in {board.fen()}"
            assert entry in list(reader.find_all(board))
            entries += 1
    assert entries > least


@pytest.mark.slow
def test_every_move_of_an_atomic_book_is_legal_after_any_reply():
    with chess.polyglot.open_reader(shared_path("data", "books", "small1_atomic.bin")) as reader:
        entries = 0
        for board, entry in walk(reader, replies=True):
            assert board.is_legal(entry.move), f"{entry.move} in {board.fen()}"
            entries += 1
        # Nearly all of the book is reached so.
        assert entries > 0.95 * len(reader)
