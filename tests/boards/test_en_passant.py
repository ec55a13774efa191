"""En passant: one truth for moves, captures, FEN, equality and repetition."""

import chess
import pytest

from atomic_variant import AtomicBoard

from ..support.pictures import board_of, squares_of, uci


def assert_offered(board: AtomicBoard, move: str) -> None:
    """Everything that a board can say about en passant says that *move* is possible."""
    assert board.has_legal_en_passant()
    assert uci(move) in list(board.legal_moves)
    assert uci(move) in list(board.generate_legal_ep())
    assert uci(move) in list(board.generate_legal_captures())
    assert board.is_legal(uci(move))
    assert board.why_illegal(uci(move)) is None
    field = board.fen().split()[3]
    assert field == move[2:]
    assert board.epd().split()[3] == field
    assert board.fen(en_passant="xfen").split()[3] == field
    # Without the right to capture it is another position.
    other = board.copy(stack=False)
    other.ep_square = None
    assert board != other
    assert board._transposition_key() != other._transposition_key()
    # What is written can be read.
    again = AtomicBoard(board.fen())
    assert again == board
    assert list(again.legal_moves) == list(board.legal_moves)


def assert_not_offered(board: AtomicBoard, move: str) -> None:
    """Nothing that a board can say about en passant says that *move* is possible."""
    assert board.ep_square == uci(move).to_square
    assert uci(move) in list(board.generate_pseudo_legal_ep())
    assert not board.has_legal_en_passant()
    assert uci(move) not in list(board.legal_moves)
    assert not list(board.generate_legal_ep())
    assert uci(move) not in list(board.generate_legal_captures())
    assert not board.is_legal(uci(move))
    assert board.why_illegal(uci(move))
    assert board.fen().split()[3] == "-"
    assert board.epd().split()[3] == "-"
    # The right to capture makes no difference.
    other = board.copy(stack=False)
    other.ep_square = None
    assert board == other
    assert board._transposition_key() == other._transposition_key()
    assert list(AtomicBoard(board.fen()).legal_moves) == list(board.legal_moves)


def test_en_passant_out_of_check_is_offered_if_it_explodes_the_enemy_king():
    board = board_of("""
        . . . b . . . .
        . . . . p k . .
        . . . . . . . .
        . . . P . . . .
        . . . . . . . K
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        b
    """)
    board.push(uci("e7e5"))
    assert board.is_check()
    assert_offered(board, "d5e6")
    assert board.fen() == "3b4/5k2/8/3Pp3/7K/8/8/8 w - e6 0 2"
    assert board.explodes_king(uci("d5e6"))
    assert uci("d5e6") in list(AtomicBoard(board.fen()).generate_king_explosions())
    assert board.san(uci("d5e6")) == "dxe6#"
    board.push(uci("d5e6"))
    assert board.outcome().winner == chess.WHITE


def test_en_passant_is_not_offered_if_it_explodes_the_own_king():
    board = board_of("""
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . p . . .
        . . k . . . . .
        . . . P . . . .
        . . . . . . . K
    """)
    board.push(uci("d2d4"))
    assert_not_offered(board, "e4d3")
    assert board.why_illegal(uci("e4d3")) == "the explosion on d3 would remove Black's own king on c3"


def test_en_passant_that_explodes_the_own_king_does_not_tell_repeated_positions_apart():
    board = AtomicBoard("8/8/8/8/4p3/2k5/3P4/7K w - - 0 1")
    board.push(uci("d2d4"))
    for _ in range(2):
        for move in ("c3b3", "h1h2", "b3c3", "h2h1"):
            board.push(uci(move))
    assert board.turn == chess.BLACK
    assert board.is_repetition(3)
    assert board.can_claim_threefold_repetition()
    board.pop()
    assert not board.is_repetition(3)


def test_en_passant_that_is_possible_tells_repeated_positions_apart():
    board = AtomicBoard("8/8/8/8/4p3/k7/3P4/7K w - - 0 1")
    board.push(uci("d2d4"))
    assert_offered(board, "e4d3")
    for _ in range(2):
        for move in ("a3b3", "h1h2", "b3a3", "h2h1"):
            board.push(uci(move))
    assert board.is_repetition(2)
    assert not board.is_repetition(3)


def test_en_passant_next_to_the_own_king_is_not_offered():
    board = board_of("""
        . . . . k . . .
        . . . . . . . .
        . . . . . . . .
        . . P p K . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        w - d6
    """)
    assert_not_offered(board, "c5d6")


def test_en_passant_next_to_the_enemy_king_wins_even_with_the_own_king_attacked():
    board = board_of("""
        . . . . . . . .
        . . . . . . . .
        . . . . k . . .
        . . P p . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        K . . . . . . r
        w - d6
    """)
    assert_offered(board, "c5d6")
    assert board.explodes_king(uci("c5d6"))


def test_en_passant_explodes_around_the_square_that_the_pawn_arrives_at():
    board = board_of("""
        . . . . k . . .
        . . p p p b . p
        . . . r . r . .
        . . . P . b . .
        . . . . . . . .
        . . . . . . . .
        . K . . . . . .
        . . . . N B . .
        b
    """)
    board.push(uci("e7e5"))
    assert board.explosion(uci("d5e6")) == squares_of("""
        . . . . . . . .
        . . . . . x . .
        . . . x . x . .
        . . . x x x . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    """)
    board.push(uci("d5e6"))
    assert board.board_fen() == "4k3/2pp3p/8/8/8/8/1K6/4NB2"


@pytest.mark.parametrize(("king", "legal"), [("f7", False), ("f6", False), ("f5", False), ("f4", True), ("e4", True)])
def test_en_passant_spares_a_king_that_stands_next_to_the_captured_pawn_only(king, legal):
    board = AtomicBoard("8/8/8/3Pp3/8/8/8/k7 w - e6 0 1")
    board.set_piece_at(chess.parse_square(king), chess.Piece.from_symbol("K"))
    assert board.is_legal(uci("d5e6")) == legal
    assert board.has_legal_en_passant() == legal


def test_en_passant_removes_two_pawns_from_the_line_of_an_attacker():
    board = AtomicBoard("8/8/8/r2Pp2K/8/8/8/k7 w - e6 0 1")
    assert not board.is_check()
    assert_not_offered(board, "d5e6")
    assert board.why_illegal(uci("d5e6")) == "the move leaves the king on h5 attacked by the rook on a5"


def test_en_passant_may_explode_the_piece_that_gives_check():
    board = AtomicBoard("8/8/5b2/3Pp3/7K/8/8/k7 w - e6 0 1")
    assert board.is_check()
    assert_offered(board, "d5e6")


def test_en_passant_may_uncover_a_check():
    board = AtomicBoard("rn2kb1r/2p1p2p/p2q1pp1/1pPP4/Q7/4P3/PP3P1P/R3K3 w Qkq b6 0 11")
    assert board.san(uci("c5b6")) == "cxb6+"
    assert board.gives_check(uci("c5b6"))


@pytest.mark.parametrize(
    ("fen", "legal"),
    [
        ("k7/8/8/2PpP3/8/8/8/7K w - d6 0 1", {"c5d6", "e5d6"}),
        ("k1r5/8/8/2PpP3/8/8/8/2K5 w - d6 0 1", {"e5d6"}),
        ("k3r3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", {"c5d6"}),
    ],
    ids=["both", "the left pawn is pinned", "the right pawn is pinned"],
)
def test_en_passant_is_judged_for_each_of_two_pawns(fen, legal):
    board = AtomicBoard(fen)
    assert {move.uci() for move in board.generate_legal_ep()} == legal
    assert board.has_legal_en_passant()
    assert board.fen() == fen


def test_en_passant_moves_honour_the_masks():
    board = AtomicBoard("k7/8/8/2PpP3/8/8/8/7K w - d6 0 1")
    assert list(board.generate_legal_ep(from_mask=chess.BB_C5)) == [uci("c5d6")]
    assert list(board.generate_legal_ep(to_mask=chess.BB_D6)) == [uci("e5d6"), uci("c5d6")]
    assert not list(board.generate_legal_ep(to_mask=chess.BB_D5))


def test_there_is_no_en_passant_after_a_king_exploded():
    board = AtomicBoard("8/8/8/2Pp4/8/8/8/7K w - d6 0 1")
    assert board.is_variant_end()
    assert not board.has_legal_en_passant()
    assert not list(board.generate_legal_captures())
    assert board.fen().split()[3] == "-"


def test_an_explosion_leaves_no_en_passant_behind():
    board = AtomicBoard("4k3/8/8/2Pp4/8/8/8/n3K2R w - d6 0 1")
    board.push(uci("c5d6"))
    assert board.ep_square is None
    board.pop()
    assert board.ep_square == chess.D6
