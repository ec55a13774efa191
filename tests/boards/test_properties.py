"""What holds on every position, tried on constructed ones."""

import copy
import pickle

import chess
import pytest

pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, assume, given, settings

from atomic_variant import AtomicBoard
from atomic_variant.boards import rules

from ..support.positions import kings_touch, snapshot
from ..support.strategies import boards, boards_and_legal_moves, masks, moves

constructed = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def castling_rook(board: AtomicBoard, move: chess.Move) -> chess.Square:
    """The square that a mask of target squares selects *move* by: of castling, that of the rook."""
    return board._to_chess960(move).to_square if board.is_castling(move) else move.to_square


@constructed
@given(boards(), moves())
def test_a_move_is_in_the_list_exactly_if_it_is_legal(board, move):
    listed = list(board.legal_moves)
    assert len(set(listed)) == len(listed)
    assert board.legal_moves.count() == len(listed) == len(list(board.generate_legal_moves()))
    assert bool(board.legal_moves) == bool(listed)
    for pseudo_legal in board.pseudo_legal_moves:
        assert board.is_legal(pseudo_legal) == (pseudo_legal in listed)
        assert (pseudo_legal in board.legal_moves) == (pseudo_legal in listed)
    if not board.is_castling(move):  # Castling may be written in two ways, one of which is listed.
        assert board.is_legal(move) == (move in listed)
    assert all(board.is_pseudo_legal(legal) for legal in listed)


@constructed
@given(boards())
def test_the_masks_of_the_whole_position_agree_with_the_rule_for_one_move(board):
    listed = set(board.legal_moves)
    for move in board.pseudo_legal_moves:
        if not board.is_variant_end() and not board.is_castling(move):
            assert rules.is_safe(board, move) == (move in listed)


@constructed
@given(boards(), masks(), masks())
def test_masks_select_what_filtering_would(board, from_mask, to_mask):
    def selected(move, to_square):
        return chess.BB_SQUARES[move.from_square] & from_mask and chess.BB_SQUARES[to_square] & to_mask

    expected = [move for move in board.legal_moves if selected(move, castling_rook(board, move))]
    assert list(board.generate_legal_moves(from_mask, to_mask)) == expected
    en_passant = [move for move in board.legal_moves if board.is_en_passant(move)]
    assert list(board.generate_legal_ep()) == en_passant
    assert board.has_legal_en_passant() == bool(en_passant)
    assert list(board.generate_legal_ep(from_mask, to_mask)) == [
        move for move in en_passant if selected(move, move.to_square)
    ]


@constructed
@given(boards(), masks(), masks())
def test_the_legal_captures_are_the_legal_moves_that_capture(board, from_mask, to_mask):
    captures = [move for move in board.legal_moves if board.is_capture(move)]
    assert list(board.generate_legal_captures()) == captures
    explosions = [move for move in captures if board.explodes_king(move)]
    assert list(board.generate_king_explosions()) == explosions
    assert list(board.generate_king_explosions(from_mask, to_mask)) == [
        move
        for move in explosions
        if chess.BB_SQUARES[move.from_square] & from_mask and chess.BB_SQUARES[move.to_square] & to_mask
    ]


@constructed
@given(boards())
def test_pop_restores_all(board):
    before = snapshot(board)
    for move in list(board.legal_moves):
        board.push(move)
        for answer in list(board.legal_moves)[:3]:
            board.push(answer)
            board.pop()
        assert board.pop() == move
        assert snapshot(board) == before


@constructed
@given(boards())
def test_an_explosion_empties_what_push_removes(board):
    for move in list(board.legal_moves):
        mask = board.explosion_mask(move)
        before = board.piece_map()
        assert bool(mask) == board.is_capture(move)
        assert board.explosion(move) == chess.SquareSet(mask)
        assert board.exploded_pieces(move) == {square: before[square] for square in chess.SquareSet(mask)}
        king = board.king(not board.turn)
        explodes_king = board.explodes_king(move)
        board.push(move)
        if mask:
            assert board.piece_map() == {
                square: piece for square, piece in before.items() if not chess.BB_SQUARES[square] & mask
            }
        else:
            assert len(board.piece_map()) == len(before)
        assert explodes_king == board.is_variant_loss() == (king is not None and board.king(board.turn) is None)
        board.pop()


@constructed
@given(boards())
def test_the_own_king_survives_every_legal_move(board):
    mover = board.turn
    for move in list(board.legal_moves):
        board.push(move)
        assert board.king(mover) is not None
        assert not board.is_variant_win()
        assert not board.was_into_check() or board.is_variant_loss()
        board.pop()


@constructed
@given(boards())
def test_a_legal_move_in_a_valid_position_leads_to_a_valid_one(board):
    # More than two attackers are accepted with either side to move; only play tells that they are not valid.
    assume(board.is_valid() and not board.was_into_check())
    for move in list(board.legal_moves):
        board.push(move)
        assert board.status() == chess.STATUS_VALID
        board.pop()


@constructed
@given(boards())
def test_a_king_in_check_does_not_touch_the_other(board):
    for move in [None, *board.legal_moves]:
        if move:
            board.push(move)
        assert board.kings_touch() == kings_touch(board)
        if board.kings_touch():
            assert not board.is_check()
            assert not board.was_into_check()
            assert not board.is_checkmate()
            assert not any(board.is_pinned(color, square) for color in chess.COLORS for square in (0, 27, 63))
        if move:
            board.pop()


@constructed
@given(boards())
def test_check_is_what_the_board_says_after_the_move(board):
    for move in list(board.legal_moves):
        gives_check, into_check = board.gives_check(move), board.is_into_check(move)
        board.push(move)
        assert gives_check == board.is_check()
        if not board.is_variant_end():
            assert into_check == board.was_into_check()
        assert board.is_check() == bool(board.checkers())
        assert board.is_checkmate() == (board.is_check() and not any(board.legal_moves))
        board.pop()


@constructed
@given(boards(), moves())
def test_a_move_has_a_reason_to_be_illegal_exactly_if_it_is(board, move):
    for candidate in [move, chess.Move.null(), *board.pseudo_legal_moves]:
        reason = board.why_illegal(candidate)
        assert (reason is None) == board.is_legal(candidate)
        assert reason is None or reason.strip()


@constructed
@given(boards())
def test_a_position_in_the_mirror_has_the_moves_in_the_mirror(board):
    mirror = board.mirror()
    assert type(mirror) is AtomicBoard
    mirrored = {
        chess.Move(chess.square_mirror(move.from_square), chess.square_mirror(move.to_square), move.promotion)
        for move in board.legal_moves
    }
    assert set(mirror.legal_moves) == mirrored
    assert mirror.is_check() == board.is_check()
    assert mirror.is_checkmate() == board.is_checkmate()
    assert mirror.is_closed_position() == board.is_closed_position()
    assert mirror.is_insufficient_material() == board.is_insufficient_material()
    assert mirror.is_valid() == board.is_valid()
    assert mirror.mirror() == board


@constructed
@given(boards())
def test_left_and_right_are_alike_but_for_castling(board):
    board.castling_rights = chess.BB_EMPTY
    other = board.transform(chess.flip_horizontal)
    other.ep_square = None if board.ep_square is None else board.ep_square ^ 7
    flipped = {chess.Move(move.from_square ^ 7, move.to_square ^ 7, move.promotion) for move in board.legal_moves}
    assert set(other.legal_moves) == flipped


@constructed
@given(boards())
def test_a_fen_keeps_the_legal_moves(board):
    legal = list(board.legal_moves)
    for fen in (board.fen(), board.fen(shredder=True), board.fen(en_passant="fen"), board.fen(en_passant="xfen")):
        again = AtomicBoard(fen, chess960=board.chess960)
        assert list(again.legal_moves) == legal
        assert again == board
        assert again.fen() == board.fen()
    epd, _ = AtomicBoard.from_epd(board.epd())
    epd.chess960 = board.chess960
    assert list(epd.legal_moves) == legal


@constructed
@given(boards())
def test_san_names_one_move(board):
    sans = {}
    for move in board.legal_moves:
        san = board.san(move)
        assert sans.setdefault(san, move) == move
        assert board.parse_san(san) == move
        assert board.parse_san(san.rstrip("+#")) == move
        assert board.parse_san(board.lan(move)) == move
        assert board.parse_uci(board.uci(move)) == move
        assert san.endswith("#") == (board.explodes_king(move) or mates(board, move))
        assert san.endswith("+") == (board.gives_check(move) and not mates(board, move))


def mates(board: AtomicBoard, move: chess.Move) -> bool:
    after = board.copy()
    after.push(move)
    return after.is_checkmate()


@constructed
@given(boards(), moves(), masks())
def test_reading_a_board_does_not_change_it(board, move, mask):
    before = snapshot(board)
    for _ in board.legal_moves:
        assert snapshot(board) == before  # Not even between two moves.
    readers = [
        board.legal_moves.count, board.fen, board.status, board.is_check, board.is_checkmate, board.is_stalemate,
        board.outcome, lambda: board.outcome(claim_draw=True, closed_draw=True), board.describe_outcome,
        board.is_closed_position, board.can_claim_draw, board.has_legal_en_passant, board.kings_touch,
        lambda: list(board.generate_legal_captures(mask)), lambda: list(board.generate_king_explosions(mask)),
        lambda: list(board.generate_castling_moves()), lambda: board.is_legal(move), lambda: board.why_illegal(move),
        lambda: [board.san(legal) for legal in board.legal_moves], lambda: board == board.mirror(),
        lambda: [board.explodes_king(other) for other in board.pseudo_legal_moves], lambda: str(board.legal_moves),
        lambda: [board.gives_check(other) for other in board.pseudo_legal_moves], lambda: repr(board.legal_moves),
        board.is_insufficient_material, board.is_repetition, board._repr_svg_,
        lambda: [board.pin_mask(board.turn, square) for square in chess.SQUARES],
    ]  # fmt: skip
    for read in readers:
        read()
        assert snapshot(board) == before


@constructed
@given(boards_and_legal_moves())
def test_copies_are_boards_of_the_same_kind_and_equal(board_and_move):
    board, move = board_and_move
    start = board.copy()
    board.push(move)
    before = snapshot(board)
    assert board.root() == start
    for other in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert type(other) is AtomicBoard
        assert other == board
        assert snapshot(other) == before
        assert list(other.legal_moves) == list(board.legal_moves)
        assert other.pop() == move
        assert snapshot(board) == before  # A copy goes its own way.
    assert board.copy(stack=False) == board
    assert not board.copy(stack=False).move_stack
    board.pop()
    assert board == start
