"""Check, pins, and kings that touch."""

import chess
import pytest

from atomic_variant import AtomicBoard

from ..support.pictures import board_of, targets, uci


def test_a_king_is_in_check_if_attacked_itself_not_if_its_neighbour_is():
    board = board_of("""
        . . . . k n . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . K . R . .
        b
    """)
    assert not board.is_check()
    board.push(uci("f8g6"))
    board.push(uci("f1f8"))
    assert board.is_check()


def test_a_check_must_be_met():
    board = board_of("""
        . . . . r . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        B . . . . . . .
        . . . P . P . .
        . . . . K . . .
    """)
    assert {move.uci() for move in board.legal_moves} == {"e1d1", "e1f1", "a3e7"}


def test_a_check_may_be_met_by_exploding_the_checker():
    board = board_of("""
        . . . . r . . k
        . . . . . . . .
        . . . . . . B .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . P . P . .
        . . . R K R . .
    """)
    assert uci("g6e8") in board.legal_moves


def test_a_check_may_be_met_by_exploding_a_piece_next_to_the_checker():
    board = AtomicBoard("5k1r/p1ppq1pp/5p2/1B6/1b3P2/2P5/PP4PP/RNB1K2R w KQ - 0 12")
    assert board.checkers() == chess.SquareSet([chess.E7])
    assert targets(board, "b5") == {"d7", "e2"}  # The other way is to block.


def test_a_check_may_be_ignored_to_capture_the_enemy_king_itself_or_its_neighbour():
    board = board_of("""
        R . . . n k . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . R . .
        . . . . . . . .
        K . . . . . . r
    """)
    assert board.is_check()
    assert {move.uci() for move in board.generate_legal_captures()} == {"a8e8", "f3f8"}
    assert {board.san(move) for move in board.generate_king_explosions()} == {"Rxe8#", "Rxf8#"}


def test_a_double_check_may_be_met_by_one_explosion_of_both_checkers():
    board = board_of("""
        . . . . . . . k
        . . . . . . . .
        . B . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . r n . .
        . . . . . . . .
        . . . . K . . .
    """)
    assert board.checkers() == chess.SquareSet([chess.E3, chess.F3])
    assert {move.uci() for move in board.generate_legal_captures()} == {"b6e3"}


def test_the_capturer_itself_does_not_block_after_it_exploded():
    board = board_of("""
        . . . . r . . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . B . . .
        . . . . . . . .
        . . n . . . . .
        . . . . K . . .
    """)
    # The knight gives check; taking it would open the file to the rook.
    assert board.checkers() == chess.SquareSet([chess.C2])
    assert not board.is_legal(uci("e4c2"))
    assert board.is_into_check(uci("e4c2"))


def test_a_pinned_piece_stays_on_the_line_of_the_pin():
    board = board_of("""
        . . . . r n . k
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . R . . .
        . . . . . . . .
        . . . . K . . .
    """)
    assert board.is_pinned(chess.WHITE, chess.E3)
    assert targets(board, "e3") == {"e2", "e4", "e5", "e6", "e7", "e8"}


def test_a_capture_may_leave_the_line_of_a_pin_if_the_pinning_piece_explodes():
    board = board_of("""
        . . . . . . . k
        . . . . . . . .
        . . . . . . . .
        . . . . r n . .
        . . n . . . . .
        . . . . N . . .
        . . . . . . . .
        . . . . K . . .
    """)
    assert board.is_pinned(chess.WHITE, chess.E3)
    assert targets(board, "e3") == {"f5"}


def test_kings_may_touch():
    board = AtomicBoard("3k4/8/3K4/8/8/8/8/8 w - - 0 1")
    board.push(uci("d6d7"))
    assert board.kings_touch()
    assert board.is_valid()


@pytest.mark.parametrize("turn", ["w", "b"])
def test_kings_that_touch_are_not_in_check(turn):
    board = board_of(f"""
        . . . k . . . .
        r . . K . . . R
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        {turn}
    """)
    assert board.kings_touch()
    assert not board.is_check()
    assert not board.checkers()
    assert not board.was_into_check()
    assert board.is_valid()


def test_an_attack_on_a_king_that_touches_the_enemy_king_need_not_be_met():
    board = AtomicBoard("3k4/3K3r/8/8/8/P7/8/8 w - - 0 1")
    assert uci("a3a4") in board.legal_moves


def test_a_king_may_step_next_to_the_enemy_king_onto_a_guarded_square():
    board = board_of("""
        . . . k . . . .
        . . . . . . . r
        . . . K . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    """)
    assert uci("d6d7") in board.legal_moves
    # Away from the enemy king the same rook guards the file.
    board.set_piece_at(chess.H7, None)
    board.set_piece_at(chess.H5, chess.Piece.from_symbol("r"))
    assert targets(board, "d6") == {"c7", "d7", "e7", "c6", "e6"}


def test_a_king_may_step_next_to_the_enemy_king_onto_an_unguarded_square():
    board = AtomicBoard("3k4/8/3K4/8/8/8/8/8 w - - 0 1")
    assert {"c7", "d7", "e7"} <= targets(board, "d6")


def test_a_king_may_not_leave_the_enemy_king_for_an_attacked_square():
    board = board_of("""
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        k . . . . . . r
        . K . . . . . r
    """)
    assert not board.is_check()
    assert targets(board, "b1") == {"a1", "b2"}
    assert not board.is_legal(uci("b1c1"))


def test_check_returns_when_kings_part():
    board = AtomicBoard("r1bq1bnr/pppp1ppp/5k2/4p3/4P1K1/8/PPPP1PPP/RNBQ1B1R b - - 5 6")
    board.push_san("Kf5")
    assert not board.is_check()
    board.push_san("Kh3+")
    assert board.is_check()


def test_a_king_that_parts_may_uncover_a_check_by_its_own_men():
    board = board_of("""
        . . . . . . . .
        . . . k . . . R
        . . . K . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
    """)
    assert not board.gives_check(uci("d6c6"))
    assert board.gives_check(uci("d6d5"))
    assert board.san(uci("d6d5")) == "Kd5+"


def test_a_capture_that_removes_the_last_guard_between_gives_check():
    board = board_of("""
        . . . . k . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . n . . .
        . . . p . . . .
        . . P . . . . .
        . . . . R . . K
    """)
    assert board.gives_check(uci("c2d3"))
    assert board.san(uci("c2d3")) == "cxd3+"


@pytest.mark.parametrize(("blocker", "gives_check"), [(None, True), ("n", False), ("N", False)])
def test_a_piece_gives_no_check_through_another(blocker, gives_check):
    board = AtomicBoard("2k5/8/8/8/8/8/8/K6R w - - 0 1")
    board.set_piece_at(chess.E8, chess.Piece.from_symbol(blocker) if blocker else None)
    assert board.gives_check(uci("h1h8")) == gives_check


def test_a_capture_gives_no_check_with_the_piece_that_explodes():
    board = board_of("""
        . . . . k . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . p . . .
        . . . . . . . .
        . . . . . . . .
        . . . . R . . K
    """)
    assert not board.gives_check(uci("e1e4"))
    assert board.san(uci("e1e4")) == "Rxe4"


def test_an_explosion_of_the_king_is_no_check():
    board = AtomicBoard("8/8/8/7K/8/6kp/6N1/7R w - - 16 1")
    assert board.explodes_king(uci("h1h3"))
    assert not board.gives_check(uci("h1h3"))
    assert board.san(uci("h1h3")) == "Rxh3#"


def test_a_promotion_gives_check_as_the_new_piece():
    board = AtomicBoard("8/2P1k3/8/8/8/8/8/K7 w - - 0 1")
    assert {move.uci() for move in board.legal_moves if board.gives_check(move)} == {"c7c8n"}
    board = AtomicBoard("4k3/2P5/8/8/8/8/8/K7 w - - 0 1")
    assert {move.uci() for move in board.legal_moves if board.gives_check(move)} == {"c7c8q", "c7c8r"}


@pytest.mark.parametrize(
    ("king", "gives_check"), [("d8", True), ("d7", True), ("e8", False), ("d5", True), ("c2", False)]
)
def test_castling_gives_check_with_the_rook(king, gives_check):
    board = AtomicBoard("8/8/8/8/8/8/8/R3K3 w Q - 0 1")
    board.set_piece_at(chess.parse_square(king), chess.Piece.from_symbol("k"))
    assert board.gives_check(uci("e1c1")) == gives_check


def test_a_piece_is_pinned_as_in_chess_while_the_kings_are_apart():
    board = AtomicBoard("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1")
    assert board.pin(chess.WHITE, chess.E2) == chess.SquareSet(chess.BB_FILE_E)
    assert not targets(board, "e2")


def test_nothing_is_pinned_while_the_kings_touch():
    board = board_of("""
        . . . . r . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . N . . .
        . . . . K . . .
        . . . . . k . .
    """)
    assert not board.is_pinned(chess.WHITE, chess.E3)
    assert board.pin_mask(chess.WHITE, chess.E3) == chess.BB_ALL
    assert targets(board, "e3") == {"c2", "c4", "d1", "d5", "f5", "g2", "g4"}  # On f1 both kings would explode.


def test_a_king_does_not_guard_the_squares_around_it():
    board = AtomicBoard("8/8/8/8/4k3/8/4K3/8 w - - 0 1")
    assert {"d3", "e3", "f3"} <= targets(board, "e2")
    assert not AtomicBoard("8/8/8/8/4k3/4K3/8/8 w - - 0 1").is_check()


def test_a_single_queen_next_to_the_king_mates():
    board = AtomicBoard("7k/6Q1/8/8/8/8/8/K7 b - - 0 1")
    assert board.is_checkmate()
    assert not board.is_stalemate()
    assert board.outcome() == chess.Outcome(chess.Termination.CHECKMATE, chess.WHITE)
