"""What a capture removes, and what one may not remove."""

import chess
import pytest

from atomic_variant import AtomicBoard

from ..support.pictures import board_of, squares_of, uci


def test_a_capture_removes_everything_around_it_but_pawns():
    board = board_of("""
        k . . . . . . .
        . . . . . . . .
        . . n p b . . .
        . . R q r . . .
        . . P . Q . . .
        . . . . . . . .
        . . . . . . . .
        . . . R . . K .
    """)
    assert board.explosion(uci("d1d5")) == squares_of("""
        . . . . . . . .
        . . . . . . . .
        . . x . x . . .
        . . x x x . . .
        . . . . x . . .
        . . . . . . . .
        . . . . . . . .
        . . . x . . . .
    """)
    board.push(uci("d1d5"))
    assert board.board_fen() == "k7/8/3p4/8/2P5/8/8/6K1"


def test_a_pawn_that_captures_dies():
    board = board_of("""
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . p . . . .
        . . . . P . . .
        . . . . . . . .
        . . . . . . . .
        K . . . . . . .
    """)
    board.push(uci("e4d5"))
    assert not board.pawns


def test_pawns_next_to_the_explosion_survive():
    board = board_of("""
        k . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . p p p . . .
        . . p n . . . .
        . . p . p . . .
        . . . . . . . .
        K . . R . . . .
    """)
    board.push(uci("d1d4"))
    assert board.board_fen() == "k7/8/8/2ppp3/2p5/2p1p3/8/K7"


def test_an_explosion_sets_off_no_other():
    board = board_of("""
        k . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . n .
        . . . . . n . .
        . . . . n . . .
        . . . . . . . .
        K . . . R . . .
    """)
    board.push(uci("e1e3"))
    assert board.board_fen() == "k7/8/8/6n1/8/8/8/K7"


@pytest.mark.parametrize("edge", ["a1", "h1", "a8", "h8", "a4", "h5"])
def test_an_explosion_does_not_reach_around_the_edge_of_the_board(edge):
    board = AtomicBoard("nnnnnnnn/nnnnnnnn/nnnnnnnn/nnnnnnnn/nnnnnnnn/nnnnnnnn/nnnnnnnn/nnnnnnnn w - - 0 1")
    square = chess.parse_square(edge)
    origin = chess.D4
    board.set_piece_at(origin, chess.Piece.from_symbol("Q"))
    near = {other for other in chess.SQUARES if chess.square_distance(square, other) <= 1}
    assert set(board.explosion(chess.Move(origin, square))) == near | {origin}


def test_only_captures_explode():
    board = board_of("""
        . . . . k . . .
        . . . . . . . .
        . . . . . . . .
        . . . r . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        R . . . K . . R
        w KQ
    """)
    for move in board.legal_moves:
        assert not board.explosion(move)
    assert uci("e1g1") in board.legal_moves


def test_castling_onto_the_own_rook_is_no_capture():
    board = AtomicBoard("4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1", chess960=True)
    assert uci("e1g1") in board.legal_moves
    assert not board.explosion(uci("e1g1"))
    board.push(uci("e1g1"))
    assert board.board_fen() == "4k3/8/8/8/8/8/8/1R3RK1"


def test_a_king_never_captures():
    board = board_of("""
        k . . . . . . .
        . R . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . K . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        b
    """)
    assert uci("a8b7") in board.pseudo_legal_moves
    assert not list(board.generate_legal_captures())


def test_no_capture_may_explode_the_own_king():
    board = AtomicBoard("rnbqkbnr/pppNp1pp/5p2/3p4/8/8/PPPPPPPP/RNBQKB1R b KQkq - 1 3")
    for origin in ("b8", "c8", "d8", "e8"):
        assert not board.is_legal(uci(f"{origin}d7"))


def test_no_capture_may_explode_both_kings():
    board = board_of("""
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . K . . . . .
        . . P . . . . .
        . . k . n . . .
        . . . . . . . .
        . . R . . . . .
        b
    """)
    assert not board.is_legal(uci("e3c4"))
    assert not board.explodes_king(uci("e3c4"))


def test_a_king_that_touches_the_enemy_king_cannot_be_captured_itself():
    board = AtomicBoard("8/8/8/3k4/3K4/1B6/8/8 w - - 0 1")
    assert not board.is_legal(uci("b3d5"))


def test_the_enemy_king_may_explode_while_the_kings_touch_if_the_own_is_out_of_reach():
    board = board_of("""
        . . . . . r . .
        . . . . k . . .
        . . . K . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . R . .
    """)
    assert board.kings_touch()
    assert list(board.generate_king_explosions()) == [uci("f1f8")]


def test_who_explodes_the_enemy_king_wins_at_once():
    board = AtomicBoard("rnb1kbnr/pppppppp/8/4q3/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")
    board.push_san("Qxe2#")
    assert board.fen() == "rnb1kbnr/pppppppp/8/8/8/8/PPPP1PPP/RNB3NR w kq - 0 2"
    assert board.outcome() == chess.Outcome(chess.Termination.VARIANT_LOSS, chess.BLACK)
    assert not board.is_check()
    assert not board.is_checkmate()
    assert not board.is_stalemate()
    assert not list(board.legal_moves)


def test_the_enemy_king_may_be_exploded_out_of_check():
    board = board_of("""
        . . . . . . . .
        . . . . . . . .
        . . Q . p k . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . K . . . .
        . n . . . . . .
    """)
    assert board.is_check()
    assert board.is_legal(uci("c6e6"))
    assert board.explodes_king(uci("c6e6"))
    assert not board.is_legal(uci("c6a8"))


def test_a_mate_of_orthodox_chess_is_none_if_the_enemy_king_can_be_exploded():
    board = AtomicBoard("k7/pp5R/8/8/3Q4/8/PP6/K1r5 w - - 1 2")
    assert board.is_check()
    assert not board.is_checkmate()
    assert [board.san(move) for move in board.legal_moves] == ["Rxb7#", "Qxa7#"]


def test_a_promotion_by_capture_offers_four_pieces_and_all_of_them_die():
    board = AtomicBoard("1n5k/P7/8/8/8/8/8/K7 w - - 0 1")
    captures = list(board.generate_legal_captures())
    assert [move.uci() for move in captures] == ["a7b8q", "a7b8r", "a7b8b", "a7b8n"]
    for move in captures:
        assert board.explosion(move) == chess.SquareSet([chess.A7, chess.B8])
        board.push(move)
        assert board.fen() == "7k/8/8/8/8/8/8/K7 b - - 0 1"
        assert not board.promoted
        board.pop()


def test_no_promotion_by_capture_next_to_the_own_king():
    board = AtomicBoard("Kn5k/P7/8/8/8/8/8/8 w - - 0 1")
    assert not any(board.is_legal(uci(f"a7b8{piece}")) for piece in "qrbn")


def test_an_exploded_piece_is_no_longer_remembered_as_promoted():
    board = AtomicBoard("k7/8/8/4q~3/8/8/8/K3R3 w - - 0 1")
    assert board.promoted
    board.push(uci("e1e5"))
    assert not board.promoted


@pytest.mark.parametrize(
    ("fen", "move", "rights_before", "rights_after"),
    [
        ("r3k2r/6p1/8/8/8/8/1B5P/4K3 w kq - 0 1", "b2g7", "kq", "q"),
        ("r3k2r/1p6/8/8/8/8/6BP/4K3 w kq - 0 1", "g2b7", "kq", "k"),
        ("r3k2r/8/8/8/8/6n1/8/R3K2R b KQkq - 0 1", "g3h1", "KQkq", "Qkq"),
        ("6k1/8/8/8/8/8/1r6/RN2K2R b KQ - 0 1", "b2b1", "KQ", "K"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8", "KQkq", "Kk"),
        ("rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3", "d5e7", "KQkq", "KQ"),
    ],
    ids=["neighbour h8", "neighbour a8", "captured h1", "neighbour a1", "both rooks", "king"],
)
def test_an_exploded_rook_or_king_takes_its_castling_rights_along(fen, move, rights_before, rights_after):
    board = AtomicBoard(fen)
    assert board.castling_xfen() == rights_before
    board.push(uci(move))
    assert board.fen().split()[2] == rights_after
    assert board.castling_rights == AtomicBoard(board.fen()).castling_rights
    board.pop()
    assert board.fen() == fen


def test_a_rook_that_exploded_off_its_first_square_does_not_castle():
    board = AtomicBoard("1r2k3/8/8/8/8/8/1P6/1R2K3 b B - 0 1", chess960=True)
    board.push(uci("b8b2"))
    assert board.fen() == "4k3/8/8/8/8/8/8/4K3 w - - 0 2"
    assert not list(board.generate_castling_moves())


def test_a_capture_sets_the_halfmove_clock_to_zero():
    board = AtomicBoard("k3n3/8/8/8/8/8/8/K3R3 w - - 40 60")
    board.push(uci("e1e8"))
    assert board.halfmove_clock == 0
    board.pop()
    assert board.halfmove_clock == 40
    board.push(uci("e1e7"))
    assert board.halfmove_clock == 41


def test_exploded_pieces_are_told_by_the_squares_they_left():
    board = AtomicBoard("r3k2r/6p1/8/8/8/8/1B5P/4K3 w kq - 0 1")
    exploded = board.exploded_pieces(uci("b2g7"))
    assert {chess.square_name(square): piece.symbol() for square, piece in exploded.items()} == {
        "b2": "B",
        "g7": "p",
        "h8": "r",
    }
    assert board.exploded_pieces(uci("h2h3")) == {}


def test_king_explosions_honour_the_masks():
    board = AtomicBoard("rnbqkbnr/ppppp1pp/8/3N1Q2/8/8/PPPPPPPP/R1B1KBNR w KQkq - 0 3")
    assert {board.san(move) for move in board.generate_king_explosions()} == {"Nxe7#", "Qxd7#", "Qxf8#"}
    knights = list(board.generate_king_explosions(from_mask=board.knights))
    assert knights == [uci("d5e7")]
    assert list(board.generate_king_explosions(to_mask=chess.BB_F8)) == [uci("f5f8")]


def test_a_null_move_explodes_nothing():
    board = AtomicBoard()
    assert not board.explosion(chess.Move.null())
    board.push(chess.Move.null())
    assert board.turn == chess.BLACK
    assert board.pop() == chess.Move.null()
    assert board == AtomicBoard()


def test_no_move_explodes_a_king_that_is_gone():
    board = AtomicBoard("rnb2bnr/ppp1pppp/8/8/8/8/PPP2PPP/RN2KBNR w KQ - 0 3")
    assert board.is_variant_end()
    assert not any(board.explodes_king(move) for move in board.pseudo_legal_moves)
    assert not list(board.generate_king_explosions())
