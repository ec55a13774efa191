"""Planes and indices of moves are those that are told, and those of others who number moves so."""

import itertools

import chess
import pytest

from atomic_variant import AtomicBoard

from ..support.positions import constructed, played

np = pytest.importorskip("numpy")

from atomic_variant.pgn.arrays import pack_move, unpack_move  # noqa: E402
from atomic_variant.positions import Positions  # noqa: E402

SIZES = {"alphazero": 4672, "compact": 1858}


@pytest.fixture(scope="module")
def batches():
    boards = [board.copy(stack=False) for board in (*constructed(5, 500), *played(5, 500))]
    return [Positions.from_boards([board for board in boards if board.chess960 is flag]) for flag in (False, True)]


@pytest.mark.parametrize("layout", SIZES)
def test_every_legal_move_has_a_place_of_its_own(layout, batches):
    for positions in batches:
        offsets, moves = positions.legal_moves()
        places = positions.policy_index(moves, offsets, layout=layout)
        assert places.dtype == np.int32
        assert places.min() >= 0
        assert places.max() < SIZES[layout]
        owners = np.repeat(np.arange(len(positions)), np.diff(offsets))
        assert len(set(zip(owners.tolist(), places.tolist(), strict=True))) == len(moves)
        assert (positions[owners].from_policy_index(places, layout=layout) == moves).all()
        assert (positions[owners].policy_index(moves, layout=layout) == places).all()


def test_the_places_are_those_of_pettingzoo(batches):
    utils = pytest.importorskip("pettingzoo.classic.chess.chess_utils")
    positions = batches[0]
    offsets, moves = positions.legal_moves()
    places = positions.policy_index(moves, offsets)
    for index, (start, end) in enumerate(itertools.pairwise(offsets.tolist())):
        board = positions.board(index)
        codes = moves[start:end].tolist()
        other = board if board.turn else board.mirror()
        listed = [unpack_move(code) for code in codes]
        if not board.turn:
            listed = [utils.mirror_move(move) for move in listed]
        for move in listed:
            if move.uci() not in utils.moves_to_actions:
                utils.make_move_mapping(move.uci())
        assert places[start:end].tolist() == [utils.moves_to_actions[move.uci()] for move in listed], board.fen()
        assert sorted(utils.legal_moves(board)) == sorted(places[start:end].tolist())
        # The way back there turns the move if the player is 1, who has Black.
        for code, place in zip(codes, places[start:end].tolist(), strict=True):
            assert utils.action_to_move(other if board.turn else board, place, int(not board.turn)) == unpack_move(code)


def test_compact_places_are_in_order():
    positions = Positions.from_fens([chess.STARTING_FEN])
    a1b1, h8g8 = (pack_move(chess.Move.from_uci(text)) for text in ("a1b1", "h8g8"))
    assert positions.policy_index([a1b1], layout="compact").tolist() == [0]
    assert positions.policy_index([h8g8], layout="compact").tolist() == [1791]
    last = Positions.from_fens(["7k/8/8/8/8/8/7p/K7 b - - 0 1"])
    under = pack_move(chess.Move.from_uci("h2h1r"))
    assert last.policy_index([under], layout="compact").tolist() == [1857]


def test_a_pawn_on_the_last_step_becomes_a_queen():
    positions = Positions.from_fens(["8/P6k/8/8/8/8/8/K7 w - - 0 1", "8/R6k/8/8/8/8/8/K7 w - - 0 1"])
    place = positions.policy_index([pack_move(chess.Move.from_uci("a7a8"))] * 2)
    moves = positions.from_policy_index(place)
    assert [unpack_move(int(code)).uci() for code in moves] == ["a7a8q", "a7a8"]


def test_what_is_no_move_is_named():
    positions = Positions.from_fens([chess.STARTING_FEN] * 2)
    good, bad = (pack_move(chess.Move.from_uci(text)) for text in ("e2e4", "e2h8"))
    with pytest.raises(ValueError, match="move 1: no piece moves so: e2h8"):
        positions.policy_index([good, bad])
    with pytest.raises(ValueError, match="expected 2 moves"):
        positions.policy_index([good])
    for layout in SIZES:
        known = positions.policy_index([good, good], layout=layout)[0]
        for place in (-1, SIZES[layout], 0 if layout == "alphazero" else SIZES[layout] + 5):
            with pytest.raises(ValueError, match=f"position 1: the place {place} means no move"):
                positions.from_policy_index([known, place], layout=layout)
    with pytest.raises(ValueError, match="expected the layout"):
        positions.policy_index([good, good], layout="other")
    with pytest.raises(TypeError, match="whole numbers"):
        positions.from_policy_index([0.5, 1.0])


def squares(plane, flip=False):
    """The mask of a plane, whose first index is the rank."""
    return sum(
        chess.BB_SQUARES[chess.square(file, 7 - rank if flip else rank)]
        for rank in range(8)
        for file in range(8)
        if plane[rank][file]
    )


@pytest.mark.parametrize("layout", ["absolute", "mirrored"])
def test_planes_show_the_board(layout, batches):
    for positions in batches:
        positions = positions[::7]
        planes = positions.planes(layout)
        assert planes.dtype == np.uint8
        assert planes.shape == (len(positions), 15 if layout == "absolute" else 14, 8, 8)
        for board, shown in zip(positions, planes.tolist(), strict=True):
            flip = layout == "mirrored" and not board.turn
            first = chess.WHITE if layout == "absolute" else board.turn
            masks = [squares(plane, flip) for plane in shown]
            assert masks[:12] == [
                board.pieces_mask(piece_type, color) for color in (first, not first) for piece_type in chess.PIECE_TYPES
            ]
            assert masks[12] == board.clean_castling_rights()
            assert masks[13] == (0 if board.ep_square is None else chess.BB_SQUARES[board.ep_square])
            assert masks[14:] == ([chess.BB_ALL * board.turn] if layout == "absolute" else [])


def test_mirrored_planes_are_the_same_for_both_sides():
    board = AtomicBoard()
    for san in ("e4", "d5", "Nc3"):
        board.push_san(san)
    positions = Positions.from_boards([board, board.mirror()])
    white, black = positions.planes("mirrored")
    assert (white == black).all()
    with pytest.raises(ValueError, match="layout"):
        positions.planes("other")
