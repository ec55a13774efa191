"""How games end, and in which words."""

import chess
import pytest

from atomic_variant import AtomicBoard

from ..support.pictures import uci


def test_a_side_without_a_king_has_lost():
    board = AtomicBoard("rnb1kbnr/pppppppp/8/8/8/8/PPPP1PPP/RNB3NR w kq - 0 2")
    assert board.is_variant_end()
    assert board.is_variant_loss()
    assert not board.is_variant_win()
    assert not board.is_variant_draw()
    assert board.outcome() == chess.Outcome(chess.Termination.VARIANT_LOSS, chess.BLACK)
    board.turn = chess.BLACK
    assert board.is_variant_win()
    assert not board.is_variant_loss()
    assert board.outcome() == chess.Outcome(chess.Termination.VARIANT_WIN, chess.BLACK)
    assert board.result() == "0-1"


def test_without_any_king_the_game_is_drawn():
    board = AtomicBoard("8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1")
    assert board.is_variant_draw()
    assert board.outcome() == chess.Outcome(chess.Termination.VARIANT_DRAW, None)


@pytest.mark.parametrize("turn", ["w", "b"])
@pytest.mark.parametrize("position", ["k7/pppp4/8/8/8/8/PPPP4/8", "8/pppp4/8/8/8/8/PPPP4/K7", "8/8/8/8/8/8/8/8"])
def test_nothing_can_be_played_after_a_king_exploded(position, turn):
    board = AtomicBoard(f"{position} {turn} - - 0 1")
    assert board.is_game_over()
    assert not board.legal_moves
    assert board.legal_moves.count() == 0
    assert not any(board.is_legal(move) for move in board.pseudo_legal_moves)
    assert not board.is_stalemate()
    assert not board.is_checkmate()


def test_no_legal_move_without_check_is_a_draw():
    board = AtomicBoard("k7/1R6/8/8/2K4P/8/8/8 b - - 0 1")
    assert board.is_stalemate()
    assert board.outcome() == chess.Outcome(chess.Termination.STALEMATE, None)


@pytest.mark.parametrize("fen", ["7k/6Q1/8/8/8/8/8/K7 b - - 0 1", "BQ6/Rk6/8/8/8/8/8/4K3 b - - 0 1"])
def test_no_legal_move_in_check_is_a_loss(fen):
    board = AtomicBoard(fen)
    assert board.is_checkmate()
    assert board.outcome() == chess.Outcome(chess.Termination.CHECKMATE, chess.WHITE)
    assert board.result() == "1-0"


# White pieces, black pieces, and who cannot win: (White, Black).
MATERIAL = [
    ("K", "k", True, True),
    ("KN", "k", True, True),
    ("KB", "k", True, True),
    ("KR", "k", True, True),
    ("KNN", "k", True, True),
    ("KNNN", "k", False, True),
    ("KNB", "k", False, True),
    ("KBB", "k", False, True),
    ("KRR", "k", False, True),
    ("KRN", "k", False, True),
    ("KQ", "k", False, True),
    ("KP", "k", False, True),
    ("K", "kn", True, True),
    ("K", "kq", True, False),
    ("KN", "kn", False, False),
    ("KR", "kr", False, False),
    ("KQ", "kp", False, False),
    ("KB", "kn", False, False),
]


@pytest.mark.parametrize(("white", "black", "white_cannot_win", "black_cannot_win"), MATERIAL)
def test_a_side_cannot_win_without_the_material_to_explode_or_mate(white, black, white_cannot_win, black_cannot_win):
    board = AtomicBoard.empty()
    for square, symbol in zip((chess.A2, chess.C2, chess.E2, chess.H3), white, strict=False):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    for square, symbol in zip((chess.H7, chess.F7, chess.D7), black, strict=False):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    assert board.has_insufficient_material(chess.WHITE) == white_cannot_win
    assert board.has_insufficient_material(chess.BLACK) == black_cannot_win
    assert board.is_insufficient_material() == (white_cannot_win and black_cannot_win)


def test_a_side_that_exploded_the_enemy_king_had_the_material():
    board = AtomicBoard("8/8/8/8/8/8/8/K7 b - - 0 1")
    assert not board.has_insufficient_material(chess.WHITE)


@pytest.mark.parametrize(
    ("white", "black", "white_cannot_win", "black_cannot_win"),
    [
        (["e2"], ["e7"], True, True),
        (["f2"], ["e7"], False, False),
        # Two bishops can hem in their own king, so that the other side mates it.
        (["d3", "c2"], ["e7"], True, False),
        (["c1", "c2"], ["e7"], False, False),
        (["c2"], ["e7", "d6"], False, True),
        (["c2"], ["e7", "d7"], False, False),
        (["c2", "b3"], ["e7", "d6", "f6"], False, False),
    ],
)
def test_bishops_that_never_meet_cannot_explode_each_other(white, black, white_cannot_win, black_cannot_win):
    board = AtomicBoard("7k/8/8/8/8/8/8/K7 w - - 0 1")
    for symbol, squares in (("B", white), ("b", black)):
        for square in squares:
            board.set_piece_at(chess.parse_square(square), chess.Piece.from_symbol(symbol))
    assert board.has_insufficient_material(chess.WHITE) == white_cannot_win
    assert board.has_insufficient_material(chess.BLACK) == black_cannot_win


@pytest.mark.parametrize(
    ("fen", "closed"),
    [
        ("8/8/6p1/3K2P1/8/2k5/8/8 b - - 0 1", True),
        ("8/8/2k1p3/4Pp2/5P2/1b6/4K3/8 b - - 0 1", True),
        ("8/8/6p1/3K4/6P1/2k5/8/8 w - - 0 1", False),
        ("8/8/2k1p3/4Pp2/5P2/2b5/4K3/8 b - - 0 1", False),
        ("8/8/2k1p3/4Pp2/5P2/1n6/4K3/8 b - - 0 1", False),
        ("8/8/2k1p3/4Pp2/5P2/1b4B1/4K3/8 b - - 0 1", False),
        ("8/8/2k1p1p1/4PpP1/5P2/1b6/4K3/8 b - - 0 1", True),
        ("8/8/2k1p3/4Pp1p/5PP1/1b6/4K3/8 b - - 0 1", False),
        ("8/8/6k1/6P1/8/2K5/8/8 w - - 0 1", False),
        ("8/8/2k5/8/8/8/7p/4K2B b - - 0 1", False),
        ("k7/8/8/3pp3/3PP3/8/8/K7 w - - 0 1", False),
        ("k7/8/3K4/3pp3/3PP3/8/8/8 w - - 0 1", False),
        (chess.STARTING_FEN, False),
    ],
    ids=[
        "blocked pawns", "a bishop that attacks no pawn", "a pawn can move", "a bishop that attacks a pawn", "a knight",
        "bishops of both sides", "two chains", "a pawn can move and capture",
        "a king that can step out of a pawn's way", "a bishop that can move out of a pawn's way",
        "blocked pawns that can capture", "blocked pawns of which those of the other side can capture", "start",
    ],
)  # fmt: skip
def test_a_position_is_closed_if_nothing_can_ever_explode(fen, closed):
    board = AtomicBoard(fen)
    assert board.is_closed_position() == closed
    assert board.fen() == fen
    if closed:
        assert board.outcome() is None
        assert board.outcome(closed_draw=True) == chess.Outcome(chess.Termination.VARIANT_DRAW, None)
        assert board.describe_outcome() is None
        assert (
            board.describe_outcome(closed_draw=True) == "Draw: the position is closed, no pawn can move or capture now"
        )
    else:
        assert board.outcome(closed_draw=True) is None


def test_stalemate_comes_before_a_closed_position():
    board = AtomicBoard("7k/6p1/6P1/8/2B5/8/8/K7 b - - 0 1")
    assert board.is_closed_position()
    assert board.outcome(closed_draw=True) == chess.Outcome(chess.Termination.STALEMATE, None)
    assert board.describe_outcome(closed_draw=True) == "Draw: stalemate, Black has no legal move"


def test_mate_comes_before_a_closed_position():
    board = AtomicBoard("8/8/b1p5/kpP5/p3K3/PP6/8/8 w - - 0 1")
    board.push(uci("b3b4"))
    assert board.outcome(closed_draw=True) == chess.Outcome(chess.Termination.CHECKMATE, chess.WHITE)


@pytest.mark.parametrize("clock", [99, 100, 149, 150])
def test_fifty_moves_may_be_claimed_and_seventy_five_end_the_game(clock):
    board = AtomicBoard(f"4k2r/8/8/8/8/8/8/R3K3 w - - {clock} 200")
    claimed = board.outcome(claim_draw=True)
    # A claim may announce the move that completes the fifty.
    assert (claimed is not None) == (clock >= 99)
    assert (board.outcome() is not None) == (clock >= 150)
    if clock >= 150:
        assert board.outcome().termination == chess.Termination.SEVENTYFIVE_MOVES


def shuffle_knights(times: int) -> AtomicBoard:
    board = AtomicBoard()
    for _ in range(times):
        for san in ("Nf3", "Nf6", "Ng1", "Ng8"):
            board.push_san(san)
    return board


def play(*sans: str) -> AtomicBoard:
    board = AtomicBoard()
    for san in sans:
        board.push_san(san)
    return board


ENDS = [
    (lambda: play("Nf3", "f6", "Nd4", "Nh6", "Ne6", "Ng8", "Nxd8#"), "White wins: the black king exploded on e8"),
    (lambda: play("e4", "d5", "exd5", "Qxd2#"), "Black wins: the white king exploded on e1"),
    (lambda: AtomicBoard("8/8/8/8/8/8/8/K7 b - - 0 1"), "White wins: the black king has exploded"),
    (lambda: AtomicBoard("7k/6Q1/8/8/8/8/8/K7 b - - 0 1"), "White wins: checkmate"),
    (lambda: AtomicBoard("K7/1r6/8/8/2k4p/8/8/8 w - - 0 1"), "Draw: stalemate, White has no legal move"),
    (lambda: AtomicBoard("8/8/8/8/8/8/8/8 w - - 0 1"), "Draw: there is no king on the board"),
    (lambda: AtomicBoard("8/8/8/3k4/8/8/3K4/8 w - - 0 1"), "Draw: insufficient material"),
    (
        lambda: AtomicBoard("4k2r/8/8/8/8/8/8/R3K3 w - - 150 200"),
        "Draw: seventy-five moves without a capture or pawn move",
    ),
    (lambda: shuffle_knights(4), "Draw: the position occurred for the fifth time"),
]


@pytest.mark.parametrize(("ended", "words"), ENDS, ids=[words for _, words in ENDS])
def test_every_end_has_its_words(ended, words):
    board = ended()
    stack = list(board.move_stack)
    assert board.describe_outcome() == words
    assert board.is_game_over()
    assert board.move_stack == stack


CLAIMS = [
    (
        lambda: AtomicBoard("4k2r/8/8/8/8/8/8/R3K3 w - - 100 200"),
        "Draw: fifty moves without a capture or pawn move, by claim",
    ),
    (lambda: shuffle_knights(2), "Draw: threefold repetition, by claim"),
]


@pytest.mark.parametrize(("claimable", "words"), CLAIMS, ids=[words for _, words in CLAIMS])
def test_a_claim_has_its_words_only_if_it_is_made(claimable, words):
    board = claimable()
    assert board.describe_outcome() is None
    assert board.describe_outcome(claim_draw=True) == words


def test_a_game_that_goes_on_has_no_words():
    board = AtomicBoard()
    assert board.describe_outcome() is None
    assert board.describe_outcome(claim_draw=True) is None


def test_the_king_exploded_where_it_stood_also_by_en_passant_and_promotion():
    board = AtomicBoard("8/8/4k3/2Pp4/8/8/8/K6r w - d6 0 1")
    board.push_san("cxd6#")
    assert board.describe_outcome() == "White wins: the black king exploded on e6"
    board = AtomicBoard("1nk5/P7/8/8/8/8/8/K7 w - - 0 1")
    board.push_san("axb8=N#")
    assert board.describe_outcome() == "White wins: the black king exploded on c8"
    board.push(chess.Move.null())
    assert board.describe_outcome() == "White wins: the black king has exploded"
