"""Batches from FENs, boards, arrays and files, and back."""

import random

import chess
import chess.variant
import pytest

from atomic_variant import AtomicBoard
from atomic_variant.dialects import IccAtomicBoard

from ..support.positions import constructed, constructed_odd, played

np = pytest.importorskip("numpy")

from atomic_variant.positions import Positions  # noqa: E402

DTYPES = {
    "bitboards": np.uint64, "turn": np.bool_, "castling_rights": np.uint64, "ep_square": np.int8,
    "halfmove_clock": np.int32, "ply": np.int32,
}  # fmt: skip


@pytest.fixture(scope="module")
def boards():
    return [board.copy(stack=False) for board in (*constructed(1, 400), *played(1, 400)) if not board.chess960]


def test_columns_have_the_types_and_shapes_that_are_told(boards):
    positions = Positions.from_boards(boards)
    for name, dtype in DTYPES.items():
        column = getattr(positions, name)
        assert column.dtype == dtype, name
        assert column.dtype.isnative
        assert column.shape == ((len(boards), 8) if name == "bitboards" else (len(boards),))
    for index, board in enumerate(boards):
        for piece_type in chess.PIECE_TYPES:
            for color in chess.COLORS:
                mask = positions.bitboards[index, piece_type - 1] & positions.bitboards[index, 6 + color]
                assert int(mask) == board.pieces_mask(piece_type, color)
        assert positions.turn[index] == board.turn
        assert int(positions.castling_rights[index]) == board.clean_castling_rights()
        assert positions.ep_square[index] == (-1 if board.ep_square is None else board.ep_square)
        assert positions.halfmove_clock[index] == board.halfmove_clock
        assert positions.ply[index] == board.ply()


def test_boards_come_back_as_they_were(boards):
    positions = Positions.from_boards(boards)
    assert list(positions) == boards
    assert [positions.board(index).fen() for index in range(-3, 3)] == [boards[i].fen() for i in range(-3, 3)]
    assert positions[5] == boards[5]
    with pytest.raises(IndexError):
        positions.board(len(boards))


def test_fens_are_read_and_written_as_by_the_boards(boards):
    fens = [board.fen(en_passant="fen", shredder=index % 7 == 0) for index, board in enumerate(boards)]
    positions = Positions.from_fens(iter(fens))
    assert positions.to_fens() == [AtomicBoard(fen).fen() for fen in fens]
    assert list(positions) == [AtomicBoard(fen) for fen in fens]


def test_chess960_is_one_for_the_batch():
    boards = [board.copy(stack=False) for board in (*constructed(2, 600), *played(2, 300)) if board.chess960]
    positions = Positions.from_boards(boards)
    assert positions.chess960
    assert positions.board(0).chess960
    fens = [board.fen() for board in boards]
    again = Positions.from_fens(fens, chess960=True)
    assert again.to_fens() == fens == positions.to_fens()
    assert list(again) == boards


def test_a_bad_fen_is_named_by_its_index():
    for bad in ("rnbq w - -", "8/8 w - - 0 1", "k7/8/8/8/8/8/8/K6x w - - 0 1", "é", ""):
        with pytest.raises(ValueError, match=r"^FEN 2: "):
            Positions.from_fens([chess.STARTING_FEN, "4k3/8/8/8/8/8/8/4K3 b - - 0 1", bad, chess.STARTING_FEN])
    with pytest.raises(ValueError, match=r"^FEN 0: Black has several kings|^FEN 0: black has several kings"):
        Positions.from_fens(["kk6/8/8/8/8/8/8/K7 w - - 0 1"])
    with pytest.raises(TypeError, match=r"^FEN 1: expected text"):
        Positions.from_fens([chess.STARTING_FEN, 5])
    with pytest.raises(ValueError, match="FEN 0: clocks"):
        Positions.from_fens([f"4k3/8/8/8/8/8/8/4K3 b - - 0 {10**12}"])


def test_odd_fens_are_read_as_by_the_boards_or_refused():
    refused = 0
    for board in constructed_odd(3, 600):
        fen = board.fen(en_passant="fen", promoted=True)
        if board.chess960:
            continue
        try:
            positions = Positions.from_fens([fen])
        except ValueError as error:
            assert str(error).startswith("FEN 0: ")  # noqa: PT017
            refused += 1
            continue
        other = AtomicBoard(fen)
        assert positions.board(0).fen(en_passant="fen") == other.fen(en_passant="fen")
        assert positions.count_legal_moves()[0] == other.legal_moves.count()
    assert refused


def test_boards_of_other_rules_are_named_by_their_index():
    with pytest.raises(ValueError, match=r"^board 1: another class"):
        Positions.from_boards([AtomicBoard(), IccAtomicBoard()])
    with pytest.raises(ValueError, match=r"^board 1: another class"):
        Positions.from_boards([AtomicBoard(), AtomicBoard.from_chess960_pos(5)])
    with pytest.raises(ValueError, match=r"^board 0: not a board of atomic chess: Board"):
        Positions.from_boards([chess.Board()])
    with pytest.raises(ValueError, match="atomic chess or its dialects"):
        Positions.from_fens([], variant=chess.variant.GiveawayBoard)
    with pytest.raises(ValueError, match="nonsense"):
        Positions.from_fens([], variant="nonsense")


def test_stock_boards_are_taken():
    positions = Positions.from_boards([chess.variant.AtomicBoard()])
    assert positions.variant is AtomicBoard
    assert positions.board(0) == AtomicBoard()
    assert Positions.from_fens([chess.STARTING_FEN], variant="wild 27").variant is IccAtomicBoard


def test_slices_and_indices_make_batches(boards):
    positions = Positions.from_boards(boards)
    rng = random.Random(1)
    mask = np.array([rng.random() < 0.5 for _ in boards])
    picks = [rng.randrange(len(boards)) for _ in range(9)]
    for index, expected in [
        (slice(3, 9), boards[3:9]),
        (slice(None, None, -2), boards[::-2]),
        (mask, [board for board, keep in zip(boards, mask, strict=True) if keep]),
        (picks, [boards[i] for i in picks]),
        (slice(0, 0), []),
    ]:
        part = positions[index]
        assert isinstance(part, Positions)
        assert list(part) == expected
        assert part.count_legal_moves().tolist() == [board.legal_moves.count() for board in expected]
    halves = Positions.concatenate([positions[:100], positions[100:]])
    assert list(halves) == boards


def test_only_batches_of_one_kind_are_put_together():
    fens = [chess.STARTING_FEN]
    for others in ([], [Positions.from_fens(fens), Positions.from_fens(fens, variant=IccAtomicBoard)]):
        with pytest.raises(ValueError, match="of one variant"):
            Positions.concatenate(others)


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_what_was_saved_is_loaded(boards, suffix, tmp_path):
    if suffix == ".parquet":
        pytest.importorskip("polars")
    path = tmp_path / f"positions{suffix}"
    positions = Positions.from_fens([board.fen() for board in boards], variant=IccAtomicBoard)
    positions.ratings = np.arange(2 * len(boards), dtype=np.int32).reshape(-1, 2)
    positions.results = np.full(len(boards), np.nan, np.float32)
    positions.save(path)
    again = Positions.load(str(path))
    assert again.variant is IccAtomicBoard
    assert again.chess960 is False
    for name in (*DTYPES, "ratings", "results"):
        assert getattr(again, name).dtype == getattr(positions, name).dtype
        assert np.array_equal(getattr(again, name), getattr(positions, name), equal_nan=name == "results"), name
    assert again.moves is None
    assert [file.name for file in tmp_path.iterdir()] == [path.name]  # Nothing else is left.
    again.turn[0] = False
    Positions.from_fens([]).save(path)
    assert len(Positions.load(path)) == 0


def test_files_that_hold_no_positions_are_refused(tmp_path):
    path = tmp_path / "x.npz"
    good = {"variant": np.array("atomic"), "chess960": np.array(False)}
    columns = {name: np.zeros((1, 8) if name == "bitboards" else 1, dtype) for name, dtype in DTYPES.items()}
    for content, why in [
        ({}, "does not say by which rules"),
        ({**good, "turn": columns["turn"]}, "missing columns: bitboards"),
        ({**good, **columns, "other": columns["ply"]}, "unknown columns: other"),
        ({**good, **columns, "bitboards": np.zeros((1, 7), np.uint64)}, "the shape"),
        ({**good, **columns, "ply": np.array(["x"])}, "the type int32"),
        ({**good, **columns, "ply": np.array([{}], object)}, "pickle"),
        ({**good, **columns, "variant": np.array("nobody knows")}, "nobody knows"),
    ]:
        np.savez(path, **content)
        with pytest.raises(ValueError, match=why):
            Positions.load(path)
    for content in (b"", b"PK\x03\x04 and no more", b"nothing"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"x\.npz"):
            Positions.load(path)
    with pytest.raises(ValueError, match=r"expected a name in \.npz or \.parquet"):
        Positions.load(tmp_path / "x.csv")
    with pytest.raises(FileNotFoundError):
        Positions.load(tmp_path / "none.npz")


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "x.npz"
    positions = Positions.from_fens([chess.STARTING_FEN])
    positions.save(path)

    def fail(*_, **__):
        raise OSError("full")

    monkeypatch.setattr(np, "savez", fail)
    with pytest.raises(OSError, match="full"):
        positions.save(path)
    assert len(Positions.load(path)) == 1
    assert len(list(tmp_path.iterdir())) == 1


def test_arrays_of_the_wrong_shape_or_type_are_named(boards):
    positions = Positions.from_boards(boards[:4])
    arrays = {name: getattr(positions, name) for name in DTYPES}
    with pytest.raises(ValueError, match=r"expected ply of the shape \(4,\), but got \(3,\)"):
        Positions(**{**arrays, "ply": arrays["ply"][:3]})
    with pytest.raises(TypeError, match="expected ep_square of the type int8, but got float64"):
        Positions(**{**arrays, "ep_square": np.zeros(4)})
    swapped = {name: array.astype(array.dtype.newbyteorder()) for name, array in arrays.items()}
    assert list(Positions(**swapped)) == list(positions)  # The order of bytes is mended.


def test_large_batches_are_shown_in_a_line():
    assert repr(Positions.from_fens([chess.STARTING_FEN] * 5000)) == "<5000 positions of AtomicBoard>"
