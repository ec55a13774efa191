"""Whatever a FEN says and whatever is asked: an answer or python-chess's own error."""

import random

import chess
import pytest

from atomic_variant import AtomicBoard

from ..support.pictures import uci
from ..support.positions import snapshot

FENS = {
    "no king": "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1",
    "nothing": "8/8/8/8/8/8/8/8 b - - 0 1",
    "no white king": "4k3/8/8/8/8/8/8/Q7 w - - 0 1",
    "two white kings": "4k3/8/8/8/8/8/8/K6K w - - 0 1",
    "kings everywhere": "kkkkkkkk/KKKKKKKK/kkkkkkkk/KKKKKKKK/kkkkkkkk/KKKKKKKK/kkkkkkkk/KKKKKKKK w - - 0 1",
    "a promoted king": "4k3/8/8/8/8/8/8/4K~3 w - - 0 1",
    "a king and a promoted king": "4k2r/8/8/8/8/8/8/K3K~3 w k - 0 1",
    "promoted everything": "r~n~b~q~k~b~n~r~/8/8/8/8/8/8/R~N~B~Q~K~B~N~R~ w KQkq - 0 1",
    "pawns on the first and last rank": "PPPpkPPP/8/8/8/8/8/8/pppPKppp w - - 0 1",
    "pawns that stand where they promote": "P3k2P/8/8/8/8/8/8/p3K2p b - - 0 1",
    "castling rights without rooks": "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
    "castling rights without kings": "r6r/8/8/8/8/8/8/R6R w KQkq - 0 1",
    "castling rights of one file twice": "4k3/8/8/8/8/8/8/4K2R w HH - 0 1",
    "castling rights on the king's own file": "4k3/8/8/8/8/8/8/4K2R w Ee - 0 1",
    "castling rights with two kings": "r3k2r/8/8/8/8/8/8/R2KK2R w KQkq - 0 1",
    "en passant on the first rank": "4k3/8/8/8/8/8/8/4K3 w - a1 0 1",
    "en passant on the last rank": "4k3/8/8/8/8/8/8/4K3 b - h8 0 1",
    "en passant on an occupied square": "4k3/3p4/3r4/2P5/8/8/8/4K3 w - d6 0 1",
    "en passant without a pawn behind": "4k3/8/8/2P5/8/8/8/4K3 w - d6 0 1",
    "en passant on a king": "8/8/3k4/2P5/8/8/8/4K3 w - d6 0 1",
    "en passant of the side to move": "4k3/8/8/8/2pP4/8/8/4K3 w - d3 0 1",
    "en passant behind a king": "8/8/8/2Pk4/8/8/8/4K3 w - d6 0 1",
    "en passant next to the edge": "4k3/8/8/pP5P/8/8/8/4K3 w - a6 0 1",
    "a very full board": "qqqqkqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    "a high clock": "4k2r/8/8/8/8/8/8/4K2R w - - 100000 0",
}

STRANGE_MOVES = [
    chess.Move.null(),
    chess.Move(chess.E1, chess.E1),
    chess.Move(chess.A1, chess.A1, chess.QUEEN),
    chess.Move(chess.E2, chess.E2, None, chess.ROOK),
    chess.Move(chess.A1, chess.H8, None, chess.KING),
    chess.Move(chess.E1, chess.E8, chess.KING),
    chess.Move(chess.E2, chess.E4, chess.PAWN),
    chess.Move(chess.C5, chess.D6, chess.QUEEN),
    chess.Move(chess.C5, chess.D6),
    chess.Move(chess.E1, chess.H1),
    chess.Move(chess.E1, chess.G1),
    chess.Move(chess.E8, chess.A8),
]

MOVES_OFF_THE_BOARD = [
    chess.Move(64, 0),
    chess.Move(0, 64),
    chess.Move(-1, 3),
    chess.Move(3, -1),
    chess.Move(-70, 900),
    chess.Move(64, 64),
    chess.Move(4, 99, chess.QUEEN),
    chess.Move(4, 99, None, chess.PAWN),
]


def answers(board: AtomicBoard) -> None:
    """Asks *board* everything; consistent answers, the position unchanged."""
    before = snapshot(board)
    legal = list(board.legal_moves)
    assert board.legal_moves.count() == len(legal)
    assert bool(board.legal_moves) == bool(legal)
    assert list(board.generate_legal_moves()) == legal
    assert set(board.generate_legal_ep()) <= set(board.generate_legal_captures()) <= set(legal)
    assert set(board.generate_castling_moves()) <= set(legal)
    assert set(board.generate_king_explosions()) <= set(legal)
    assert isinstance(board.status(), chess.Status)
    assert board.is_valid() == (board.status() == chess.STATUS_VALID)
    ended = board.outcome()
    assert (ended is None) == (board.describe_outcome() is None)
    assert board.outcome(claim_draw=True, closed_draw=True) or not ended
    assert not (board.is_checkmate() and board.is_stalemate())
    assert board.is_check() == bool(board.checkers())
    for text in (board.fen(), board.fen(shredder=True), board.fen(en_passant="fen", promoted=True), board.epd()):
        assert " " in text
    kept = legal
    again = list(AtomicBoard(board.fen(promoted=True), chess960=board.chess960).legal_moves)
    if any(len(board.pieces(chess.KING, color)) > 1 and board.king(color) is None for color in chess.COLORS):
        # The coming python-chess writes no castling rights for a side with several kings.
        kept = [move for move in legal if not board.is_castling(move)]
        again = [move for move in again if not board.is_castling(move)]
    assert again == kept
    for question in (
        board.mirror, board.copy, board.is_closed_position, board.can_claim_draw, board.kings_touch,
        board.is_insufficient_material, board.was_into_check, board._repr_svg_, board.__repr__,
    ):  # fmt: skip
        question()
    for color in chess.COLORS:
        for square in chess.SQUARES:
            board.pin_mask(color, square)
    for move in [*board.pseudo_legal_moves, *STRANGE_MOVES]:
        # Of the two ways to write castling, the list has one.
        written = board._from_chess960(board.chess960, move.from_square, move.to_square, move.promotion, move.drop)
        assert (move in legal) == (board.is_legal(move) and move == written)
        assert (move in board.legal_moves) == board.is_legal(move)
        assert (board.why_illegal(move) is None) == board.is_legal(move)
        assert board.explosion(move) == chess.SquareSet(board.explosion_mask(move))
        board.explodes_king(move)
        board.gives_check(move)
        board.is_into_check(move)
    for move in legal:
        assert board.parse_san(board.san(move)) == move
        pushed = board.copy()
        pushed.push(move)
        assert snapshot(pushed) != before
        pushed.pop()
        assert snapshot(pushed) == before
    assert snapshot(board) == before


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("fen", FENS.values(), ids=FENS.keys())
def test_a_board_answers_whatever_the_fen_says(fen, chess960):
    answers(AtomicBoard(fen, chess960=chess960))


@pytest.mark.parametrize("seed", range(8))
def test_a_board_answers_on_a_random_fen(seed):
    rng = random.Random(seed)
    asked = 0
    while asked < 12:
        men = rng.choice(["KkPpNnBbRrQq", "KkKkRrPp", "PpNnBbRrQq", "kKQqRr"])
        density = rng.choice([0.05, 0.2, 0.5])
        board = AtomicBoard.empty()
        board.chess960 = rng.random() < 0.3
        for square in chess.SQUARES:
            if rng.random() < density:
                promoted = rng.random() < 0.1
                board.set_piece_at(square, chess.Piece.from_symbol(rng.choice(men)), promoted=promoted)
        fields = board.fen(promoted=True).split()
        fields[1] = rng.choice("wb")
        fields[2] = rng.choice(["-", "KQkq", "HAha", "K", "q", "CGcg", "hh"])
        fields[3] = rng.choice(["-", chess.square_name(rng.choice(chess.SQUARES))])
        fields[4] = rng.choice(["0", "99", "150"])
        answers(AtomicBoard(" ".join(fields), chess960=board.chess960))
        asked += 1


def test_a_king_promoted_from_a_pawn_is_no_king():
    # No move makes one, but a FEN may say so; python-chess's king() does not count it.
    alone = AtomicBoard("4k3/8/8/8/8/8/8/4K~3 w - - 0 1")
    assert alone.king(chess.WHITE) is None
    assert alone.is_variant_loss()
    assert not list(alone.legal_moves)
    assert alone.describe_outcome() == "Black wins: the white king has exploded"
    beside = AtomicBoard("7k/8/8/3k~4/8/8/8/K2R4 w - - 0 1")
    assert not beside.explodes_king(uci("d1d5"))
    beside.push(uci("d1d5"))
    assert not beside.is_variant_end()
    touching = AtomicBoard("7k/8/8/8/8/8/1k~6/K6r w - - 0 1")
    assert not touching.kings_touch()
    assert touching.is_check()


@pytest.mark.parametrize(
    "fen",
    [
        "", "8", "8/8/8/8/8/8/8/8/8 w - - 0 1", "9/8/8/8/8/8/8/8 w - - 0 1", "44/8/8/8/8/8/8/8 w - - 0 1",
        "x7/8/8/8/8/8/8/8 w - - 0 1", "~7/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/8 x - - 0 1",
        "8/8/8/8/8/8/8/8 w KX - 0 1", "8/8/8/8/8/8/8/8 w - e9 0 1", "8/8/8/8/8/8/8/8 w - - x 1",
        "8/8/8/8/8/8/8/8 w - - -1 1", "8/8/8/8/8/8/8/8 w - - 0 x", "8/8/8/8/8/8/8/8 w - - 0 -1",
        "8/8/8/8/8/8/8/8 w - - 0 1 junk", "?",
    ],
)  # fmt: skip
def test_text_that_is_no_fen_is_refused_with_python_chess_s_error(fen):
    with pytest.raises(ValueError, match=r".") as expected:
        chess.Board(fen)
    with pytest.raises(ValueError, match=r".") as raised:
        AtomicBoard(fen)
    assert str(raised.value) == str(expected.value)


@pytest.mark.parametrize("move", MOVES_OFF_THE_BOARD, ids=lambda move: f"{move.from_square}-{move.to_square}")
def test_a_move_off_the_board_is_illegal(move):
    board = AtomicBoard("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert not board.is_legal(move)
    assert move not in board.legal_moves
    assert board.why_illegal(move)
    before = snapshot(board)
    with pytest.raises((IndexError, AssertionError)):
        board.push(move)
    if move.from_square != move.to_square:  # Else it is pushed by python-chess itself.
        assert snapshot(board) == before


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, *FENS.values()])
def test_a_null_move_and_a_drop_are_never_legal(fen):
    board = AtomicBoard(fen)
    for move in (chess.Move.null(), uci("P@e4"), uci("K@a1"), chess.Move(0, 8, None, chess.QUEEN)):
        assert not board.is_legal(move)
        assert board.why_illegal(move)


@pytest.mark.parametrize("move", ["e4e5", "a5h5", "d4d8"])
def test_pushing_a_move_of_an_empty_square_fails_and_leaves_the_board(move):
    board = AtomicBoard()
    before = snapshot(board)
    with pytest.raises(AssertionError, match="pseudo-legal"):
        board.push(uci(move))
    assert snapshot(board) == before


@pytest.mark.parametrize("move", ["e7e5", "a8a1", "g8f6"])
def test_pushing_an_enemy_piece_fails_and_leaves_the_board(move):
    board = AtomicBoard()
    before = snapshot(board)
    with pytest.raises(AssertionError, match="pseudo-legal"):
        board.push(uci(move))
    assert snapshot(board) == before


@pytest.mark.parametrize("move", ["a1a2", "e1e2", "b1d2"])
def test_pushing_a_move_onto_an_own_piece_fails_and_leaves_the_board(move):
    board = AtomicBoard()
    before = snapshot(board)
    with pytest.raises(AssertionError, match="own piece"):
        board.push(uci(move))
    assert snapshot(board) == before


@pytest.mark.parametrize("fen", [fen for what, fen in FENS.items() if "rights without" in what])
def test_castling_rights_that_mean_nothing_are_gone_after_a_move_and_back_after_pop(fen):
    board = AtomicBoard(fen)
    given = board.castling_rights
    assert given
    for move in list(board.pseudo_legal_moves):
        board.push(move)
        assert not board.castling_rights
        assert board.fen().split()[2] == "-"
        board.pop()
        assert board.castling_rights == given


def test_popping_from_an_empty_stack_is_an_index_error_as_in_python_chess():
    board = AtomicBoard()
    with pytest.raises(IndexError):
        board.pop()
    assert board == AtomicBoard()


@pytest.mark.parametrize("text", ["e2e5", "e2e4q", "e1g1", "P@e4", "K@e4"])
def test_an_illegal_move_in_coordinates_is_an_illegal_move_error(text):
    board = AtomicBoard()
    with pytest.raises(chess.IllegalMoveError):
        board.parse_uci(text)
    with pytest.raises(chess.IllegalMoveError):
        board.push_uci(text)
    assert not board.move_stack


@pytest.mark.parametrize("text", ["", "e2", "e2e9", "i2i4", "e2e4x", "e2-e4", "@@@@", "a1"])
def test_text_that_is_no_move_is_an_invalid_move_error(text):
    with pytest.raises(chess.InvalidMoveError):
        AtomicBoard().parse_uci(text)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("Nf4", chess.IllegalMoveError), ("e5", chess.IllegalMoveError), ("exd3", chess.IllegalMoveError),
        ("O-O", chess.IllegalMoveError), ("e4=Q", chess.IllegalMoveError), ("Ke2", chess.IllegalMoveError),
        ("Nd2", chess.AmbiguousMoveError), ("", chess.InvalidMoveError), ("N", chess.InvalidMoveError),
        ("e9", chess.InvalidMoveError), ("Nf3x", chess.InvalidMoveError), ("O-O-O-O", chess.InvalidMoveError),
        ("\0", chess.InvalidMoveError), ("Nf3" * 1000, chess.InvalidMoveError),
    ],
)  # fmt: skip
def test_bad_san_has_the_error_of_its_kind(text, error):
    board = AtomicBoard("4k3/8/8/8/8/5N2/4P3/1N2K3 w - - 0 1")
    with pytest.raises(error):
        board.parse_san(text)
    with pytest.raises(ValueError, match=r"."):
        board.push_san(text)
    assert not board.move_stack


@pytest.mark.parametrize("text", ["--", "Z0", "0000", "@@@@"])
def test_a_null_move_can_be_read_as_in_python_chess(text):
    assert AtomicBoard().parse_san(text) == chess.Move.null()
    assert AtomicBoard().san(chess.Move.null()) == "--"
