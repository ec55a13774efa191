"""What a batch answers is what the boards answer, python-chess's own and ours, one by one."""

import itertools
import random

import chess
import chess.polyglot
import pytest

from atomic_variant import AtomicBoard, kernel_active
from atomic_variant.dialects import Buho21AtomicBoard, ChessPlayXAtomicBoard, IccAtomicBoard

from ..support.positions import constructed, played, stock

np = pytest.importorskip("numpy")

from atomic_variant.boards.endings import find_ending  # noqa: E402
from atomic_variant.pgn.arrays import pack_move, unpack_move  # noqa: E402
from atomic_variant.positions import KINDS, Positions, _bulk  # noqa: E402

DIALECTS = (AtomicBoard, ChessPlayXAtomicBoard, IccAtomicBoard, Buho21AtomicBoard)


class Stalemate(Buho21AtomicBoard):
    """A dialect that changes how games end."""

    stalemate_loses = False


class Wall(AtomicBoard):
    """A dialect that changes what moves are legal, so the kernel leaves it to the boards."""

    def is_variant_end(self):
        return super().is_variant_end() or bool(self.kings & chess.BB_RANK_4)


def batches(seed, number):
    """Positions of construction and play as batches of at most some hundred, with and without Chess960."""
    for chess960 in (False, True):
        boards = (
            board.copy(stack=False)
            for board in itertools.chain(constructed(seed, number), played(seed, number))
            if board.chess960 is chess960
        )
        while some := list(itertools.islice(boards, 500)):
            yield some, Positions.from_boards(some)


def as_masks(moves):
    masks = [0] * 64
    for move in moves:
        masks[move.from_square] |= chess.BB_SQUARES[move.to_square]
    return masks


def check_against_stock(boards, positions):
    offsets, moves = positions.legal_moves()
    masks, counts, checks = positions.legal_masks(), positions.count_legal_moves(), positions.in_check()
    explosions = positions.king_explosions()
    keys = positions.keys()
    touching = positions.kings_touch()
    for index, board in enumerate(boards):
        other = stock(board)
        legal = list(other.legal_moves)
        where = board.fen(en_passant="fen")
        assert counts[index] == len(legal), where
        assert masks[index].tolist() == as_masks(legal), where
        assert [unpack_move(int(code)) for code in moves[offsets[index] : offsets[index + 1]]] == legal, where
        assert checks[index] == other.is_check(), where
        assert int(keys[index]) == chess.polyglot.zobrist_hash(other), where
        kings = [other.king(color) for color in chess.COLORS]
        assert touching[index] == (None not in kings and chess.square_distance(*kings) == 1), where
        exploding = 0
        for move in legal:
            other.push(move)
            exploding += not other.kings & other.occupied_co[other.turn]
            other.pop()
        assert explosions[index] == exploding, where


@pytest.mark.parametrize("seed", range(4))
def test_moves_masks_and_explosions_are_those_of_the_stock_board(seed):
    for boards, positions in batches(seed, 250):
        check_against_stock(boards, positions)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_they_are_so_on_a_hundred_thousand_positions(seed):
    number = 0
    for boards, positions in batches(seed, 5000):
        check_against_stock(boards, positions)
        number += len(boards)
    assert number == 10_000


@pytest.mark.parametrize("variant", [*DIALECTS, Stalemate, Wall])
def test_a_dialect_answers_as_its_own_boards(variant):
    for boards, positions in batches(7, 150):
        fens = [board.fen(en_passant="fen") for board in boards]
        positions = Positions.from_fens(fens, variant=variant, chess960=boards[0].chess960)
        boards = [variant(fen, chess960=boards[0].chess960) for fen in fens]
        masks, counts, explosions = positions.legal_masks(), positions.count_legal_moves(), positions.king_explosions()
        kinds, results = positions.endings()
        checks, leaves = positions.in_check(), positions[:20].perft(2)
        for index, board in enumerate(boards):
            assert masks[index].tolist() == as_masks(board.legal_moves), fens[index]
            assert counts[index] == board.legal_moves.count()
            assert explosions[index] == len(list(board.generate_king_explosions()))
            assert checks[index] == board.is_check()
            ending = find_ending(board)
            assert KINDS[kinds[index]] is ending.kind, fens[index]
            if ending.outcome is None:
                assert np.isnan(results[index])
            else:
                assert results[index] == {None: 0, board.turn: 1, not board.turn: -1}[ending.winner]
        for index, count in enumerate(leaves.tolist()):
            expected = 0
            for move in list(boards[index].legal_moves):
                boards[index].push(move)
                expected += boards[index].legal_moves.count()
                boards[index].pop()
            assert count == expected


@pytest.mark.skipif(not kernel_active(), reason="needs the kernel")
@pytest.mark.parametrize("variant", DIALECTS)
def test_the_kernel_and_python_agree(variant):
    for boards, positions in batches(11, 150):
        positions = Positions.from_fens(positions.to_fens(), variant=variant, chess960=boards[0].chess960)
        columns = positions._columns()
        late = positions._columns(clocks=True)
        n = len(positions)
        for function, out in [
            (_bulk.count_moves, np.zeros(n, np.int32)),
            (_bulk.mask_moves, np.zeros((n, 64), np.uint64)),
            (_bulk.count_explosions, np.zeros(n, np.int32)),
            (_bulk.find_checks, np.zeros(n, bool)),
            (_bulk.find_touching, np.zeros(n, bool)),
        ]:
            other = out.copy()
            function(*columns, out)
            function.__wrapped__(*columns, other)
            assert (out == other).all(), function
        offsets, moves = positions.legal_moves()
        listed = np.zeros_like(moves)
        _bulk.list_moves.__wrapped__(*columns, offsets, listed)
        assert (moves == listed).all()
        some = positions[: min(n, 80)]
        wins, searched = some.find_wins(2), np.zeros(len(some), np.uint8)
        _bulk.search_wins.__wrapped__(*some._columns(clocks=True), 2, None, searched)
        assert wins.tolist() == searched.tolist()
        assert wins.any()
        results, lengths = some.playouts(seed=5, limit=80)
        others = np.zeros(len(some), np.float32), np.zeros(len(some), np.int32)
        _bulk.play_out.__wrapped__(*some._columns(clocks=True), None, None, 5, 80, *others)
        assert np.array_equal(results, others[0], equal_nan=True)
        assert lengths.tolist() == others[1].tolist()
        assert positions.to_fens() == _bulk.write_fens.__wrapped__(*late)


def test_a_move_in_each_leads_where_the_boards_go():
    rng = random.Random(3)
    for _, positions in batches(13, 200):
        offsets, moves = positions.legal_moves()
        going_on = np.diff(offsets) > 0
        chosen = np.array([
            rng.choice(moves[start:end].tolist())
            for start, end in itertools.pairwise(offsets.tolist()) if end > start
        ])  # fmt: skip
        before = positions[going_on]
        after = before.apply(chosen)
        for index, (board, code) in enumerate(zip(before, chosen.tolist(), strict=True)):
            board.push(unpack_move(code))
            board.clear_stack()
            assert after.board(index) == board
            assert after.board(index).fen() == board.fen()
            assert after.ply[index] == board.ply()
        assert after.numbers is None
        assert (before.bitboards == positions[going_on].bitboards).all()  # Untouched.


def test_an_illegal_move_is_named_with_its_position():
    positions = Positions.from_fens([chess.STARTING_FEN] * 3)
    e4, e5 = (pack_move(chess.Move.from_uci(text)) for text in ("e2e4", "e2e5"))
    with pytest.raises(ValueError, match=r"^position 1: illegal move e2e5: "):
        positions.apply([e4, e5, e4])
    with pytest.raises(ValueError, match="expected 3 moves"):
        positions.apply([e4])
    with pytest.raises(ValueError, match="position 2: illegal move"):
        positions.apply([e4, e4, 0])


def test_moves_without_progress_count_for_wins_as_they_do_on_boards():
    fen = "rnbqkbnr/pppp1ppp/4p3/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - {} 90"
    clocks = [0, 100, 146, 147, 148, 149]
    positions = Positions.from_fens([fen.format(clock) for clock in clocks])
    from atomic_variant.tactics import find_win

    expected = [win.moves if (win := find_win(board, 2)) else 0 for board in positions]
    assert positions.find_wins(2).tolist() == expected
    assert expected[:2] == [2, 2]
    assert expected[-1] == 0
    claimed = Positions.from_fens(positions.to_fens(), variant=ChessPlayXAtomicBoard)
    assert claimed.find_wins(2).tolist() == [2] * len(clocks)


def test_random_games_end_by_the_rules():
    positions = Positions.from_fens([chess.STARTING_FEN] * 300)
    results, lengths = positions.playouts(seed=4)
    assert set(results.tolist()) == {1.0, -1.0, 0.0}
    assert lengths.min() >= 5  # No game is shorter.
    assert lengths.max() < 1000
    again = positions[:50].playouts(seed=4)
    assert again[1].tolist() == lengths[:50].tolist()
    assert positions.playouts(seed=5)[1].tolist() != lengths.tolist()
    results, lengths = positions.playouts(seed=4, limit=3)
    assert np.isnan(results).all()
    assert lengths.tolist() == [3] * 300
    with pytest.raises(ValueError, match="limit"):
        positions.playouts(limit=-1)


def test_a_random_game_repeats_to_its_end_without_material_to_win():
    fens = ["8/8/4k2p/7P/8/8/K7/8 w - - 0 1"] * 40
    for variant in (AtomicBoard, ChessPlayXAtomicBoard):
        positions = Positions.from_fens(fens, variant=variant)
        results, lengths = positions.playouts(seed=1, limit=400)
        others = np.zeros(40, np.float32), np.zeros(40, np.int32)
        _bulk.play_out(*positions._columns(clocks=True), None, None, 1, 400, *others)  # By the boards.
        assert np.array_equal(results, others[0], equal_nan=True)
        assert lengths.tolist() == others[1].tolist()
        assert (lengths.max() > 150) == (variant is ChessPlayXAtomicBoard)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda boards: boards.__setitem__((2, 4), boards[2, 4] | np.uint64(1)), "two pieces on a1"),
        (lambda boards: boards.__setitem__((2, 7), boards[2, 7] | boards[2, 6]), "pieces of both sides on"),
        (lambda boards: boards.__setitem__((2, 0), 0), "the masks of the sides are not those of the pieces"),
    ],
)
def test_a_row_that_is_no_position_is_named(change, why):
    positions = Positions.from_fens([chess.STARTING_FEN] * 4)
    change(positions.bitboards)
    questions = [
        "count_legal_moves", "legal_moves", "legal_masks", "king_explosions", "in_check", "kings_touch", "endings",
        "find_wins", "to_fens", "playouts", "keys",
    ]  # fmt: skip
    for question in questions:
        with pytest.raises(ValueError, match=f"^position 2: {why}"):
            getattr(positions, question)()
    with pytest.raises(ValueError, match=f"^position 2: {why}"):
        positions.perft(2)
    with pytest.raises(ValueError, match=f"^position 2: {why}"):
        positions.apply([1804] * 4)


def test_any_numbers_in_the_columns_are_answered_or_refused():
    rng = np.random.default_rng(1)
    for _ in range(300):
        n = 3
        boards = rng.integers(0, 2**64, (n, 8), dtype=np.uint64)
        if rng.random() < 0.9:  # Rows that hold together.
            for row in range(n):
                left = np.uint64(2**64 - 1)
                for kind in range(6):
                    boards[row, kind] &= left & (boards[row, (kind + 1) % 6] if kind == 5 else left)
                    left &= ~boards[row, kind]
                boards[row, 5] = np.uint64(1) << np.uint64(rng.integers(64))
                boards[row, :5] &= ~boards[row, 5]
                everything = np.bitwise_or.reduce(boards[row, :6])
                boards[row, 6] &= everything
                boards[row, 7] = everything & ~boards[row, 6]
        positions = Positions(
            boards, rng.integers(0, 2, n).astype(bool), rng.integers(0, 2**64, n, dtype=np.uint64),
            rng.integers(-128, 128, n).astype(np.int8), rng.integers(-(2**31), 2**31, n).astype(np.int32),
            rng.integers(-(2**31), 2**31, n).astype(np.int32), chess960=bool(rng.integers(2)),
        )  # fmt: skip
        for question in ("count_legal_moves", "legal_masks", "king_explosions", "endings", "to_fens", "planes"):
            try:
                getattr(positions, question)()
            except ValueError as error:
                assert str(error).startswith("position ")  # noqa: PT017


def test_threads_may_ask_side_by_side():
    import concurrent.futures

    positions = Positions.from_fens([chess.STARTING_FEN] * 4000)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        counts = pool.map(lambda part: part.count_legal_moves().sum(), [positions[i::8] for i in range(8)])
    assert sum(counts) == 80_000


def test_depths_and_lengths_out_of_range_are_refused():
    positions = Positions.from_fens([chess.STARTING_FEN])
    for bad in (0, 65):
        with pytest.raises(ValueError, match="depth"):
            positions.perft(bad)
    for bad in (0, 51):
        with pytest.raises(ValueError, match="moves"):
            positions.find_wins(bad)
    assert positions.perft(4).tolist() == [197326]
