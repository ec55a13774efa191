"""Perft, against public numbers and the stock board, and its file format."""

from pathlib import Path

import chess
import pytest

from atomic_variant import AtomicBoard, SparkBoard
from atomic_variant.perft import PerftRecord, divide, perft, read_perft_file

from ..support.positions import constructed, stock
from ..support.shared import shared_path

DATA = Path(__file__).parent / "data"

# The leaves of a test that runs without --slow; half a second or so.
QUICK = 800_000


def _records(name: str) -> list[PerftRecord]:
    with (DATA / name).open(encoding="utf-8") as lines:
        return list(read_perft_file(lines))


CASES = [
    pytest.param(
        record.epd, name == "atomic960.perft", depth, nodes, id=f"{record.id}-{depth}",
        marks=pytest.mark.slow if nodes > QUICK else (),
    )
    for name in ("atomic.perft", "atomic960.perft")
    for record in _records(name)
    for depth, nodes in record.counts.items()
]  # fmt: skip


@pytest.mark.parametrize(("epd", "chess960", "depth", "nodes"), CASES)
def test_the_number_of_move_sequences_is_the_published_one(epd, chess960, depth, nodes):
    assert perft(AtomicBoard(f"{epd} 0 1", chess960=chess960), depth) == nodes


def test_the_published_numbers_cover_twenty_positions_and_five_of_chess960():
    assert len({epd for epd, *_ in (case.values for case in CASES)}) >= 20
    assert len({epd for epd, chess960, *_ in (case.values for case in CASES) if chess960}) >= 5


def test_the_numbers_of_a_perft_file_from_elsewhere_are_met_too():
    with shared_path("data", "positions", "scalachess_atomic.perft").open(encoding="utf-8") as lines:
        for record in read_perft_file(lines):
            board = AtomicBoard(f"{record.epd} 0 1", chess960="960" in record.id)
            for depth, nodes in record.counts.items():
                if nodes < 20_000:
                    assert perft(board, depth) == nodes, (record.id, depth)


@pytest.mark.parametrize("seed", range(8))
def test_the_number_of_move_sequences_is_that_of_the_stock_board(seed):
    for board in constructed(seed, 5):
        assert divide(board, 2) == divide(stock(board), 2), board.fen()


def test_perft_leaves_the_board_as_it_was():
    board = AtomicBoard("8/8/8/8/8/8/2k5/rR4KR w KQ - 0 1", chess960=True)
    fen = board.fen()
    perft(board, 3)
    assert board.fen() == fen
    assert not board.move_stack


def test_perft_of_depth_zero_is_one():
    assert perft(AtomicBoard(), 0) == 1


def test_perft_stops_where_a_king_exploded():
    board = AtomicBoard("rnb1kbnr/ppp1pppp/8/8/8/8/PPP2PPP/RN3BNR w kq - 0 3")
    assert [perft(board, depth) for depth in range(4)] == [1, 0, 0, 0]


def test_perft_counts_for_other_boards_too():
    assert perft(chess.Board(), 3) == 8902


def test_divide_is_perft_by_first_move():
    board = AtomicBoard()
    counts = divide(board, 3)
    assert list(counts) == list(board.legal_moves)
    assert sum(counts.values()) == perft(board, 3)
    assert set(divide(board, 1).values()) == {1}


@pytest.mark.parametrize(("count", "depth"), [(perft, -1), (divide, 0), (divide, -3)])
def test_a_depth_that_means_nothing_is_refused(count, depth):
    with pytest.raises(ValueError, match="depth"):
        count(AtomicBoard(), depth)


def test_a_perft_file_is_read_record_by_record():
    lines = ["# heading\n", "\n", "id one\n", "epd 8/8/8/8/8/8/8/8 w - -\n", "perft 1 20\n", "  perft 3   8902 \r\n",
             "\n", "id two words\n", "epd 4k3/8/8/8/8/8/8/4K3 w - -\n"]  # fmt: skip
    assert list(read_perft_file(lines)) == [
        PerftRecord("one", "8/8/8/8/8/8/8/8 w - -", {1: 20, 3: 8902}),
        PerftRecord("two words", "4k3/8/8/8/8/8/8/4K3 w - -", {}),
    ]
    assert list(read_perft_file([])) == []


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        (["epd 8/8/8/8/8/8/8/8 w - -"], 1),
        (["id one", "epd"], 2),
        (["id one", "", "perft one 20"], 3),
        (["id one", "perft 1"], 2),
        (["id one", "perft 1 2 3"], 2),
        (["id one", "# fine", "preft 1 20"], 3),
        (["id one", "perft -1 20"], 2),
        (["id one", "perft 1 -20"], 2),
        (["id one", "perft 1 20", "id two", "epd 8/8/8/8/8/8/8/8 w - -"], 3),
        (["id one", "epd 8/8/8/8/8/8/8/8 w - -", "id two", "perft 1 20"], 5),
    ],
)
def test_a_malformed_perft_file_is_refused_with_the_line(lines, number):
    with pytest.raises(ValueError, match=rf"line {number}\b"):
        list(read_perft_file(lines))


class InterruptedBoard(AtomicBoard):
    """Is interrupted at its hundredth move, as by Ctrl-C."""

    pushes = 0

    def push(self, move):
        InterruptedBoard.pushes += 1
        if InterruptedBoard.pushes == 100:
            raise KeyboardInterrupt
        super().push(move)


@pytest.mark.parametrize("count", [perft, divide])
def test_an_interrupted_count_leaves_the_board_as_it_was(count):
    board = InterruptedBoard()
    board.push_san("Nf3")
    before = board.copy()
    InterruptedBoard.pushes = 0
    with pytest.raises(KeyboardInterrupt):
        count(board, 4)
    assert board == before
    assert board.move_stack == before.move_stack


@pytest.mark.parametrize("board", [AtomicBoard(), chess.Board(), SparkBoard()])
@pytest.mark.parametrize("depth", [65, 10_000, 2**31, 10**30])
def test_an_absurd_depth_is_refused_and_changes_nothing(board, depth):
    before = board.fen()
    for count in (perft, divide):
        with pytest.raises(ValueError, match="expected a depth from"):
            count(board, depth)
    assert board.fen() == before


@pytest.mark.parametrize("depth", [1.5, "3", None])
def test_a_depth_is_an_integer(depth):
    for count in (perft, divide):
        with pytest.raises(TypeError):
            count(AtomicBoard(), depth)
