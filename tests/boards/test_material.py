"""
Whether the material left can win, proved by trying all placements of it.

Who has a mate or an explosion of the enemy king in some placement can win, as pieces go anywhere
in time, a bishop on its color of squares, and pawns become queens; who has neither in any
placement cannot. By symmetry the mated king need only stand on some squares; a mate needs a piece
that attacks it, and an explosion one that captures beside it.
"""

import itertools
from collections.abc import Iterator, Sequence

import chess
import pytest

from atomic_variant import AtomicBoard, IccAtomicBoard, kernel_active

from ..support.slow_boards import SlowBoard, SlowBuho21Board


class WithoutImmunity(AtomicBoard):
    """Touching kings are in check like any others."""

    touching_kings_immune = False


SECOND_OPINION = {AtomicBoard: SlowBoard, WithoutImmunity: SlowBuho21Board}

# L is a bishop on light squares, D one on dark squares. Where each may stand:
KINDS = {
    "P": chess.BB_ALL & ~chess.BB_BACKRANKS,
    "N": chess.BB_ALL,
    "L": chess.BB_LIGHT_SQUARES,
    "D": chess.BB_DARK_SQUARES,
    "R": chess.BB_ALL,
    "Q": chess.BB_ALL,
}
PIECE_TYPES = {
    "P": chess.PAWN,
    "N": chess.KNIGHT,
    "L": chess.BISHOP,
    "D": chess.BISHOP,
    "R": chess.ROOK,
    "Q": chess.QUEEN,
}
# Every square turns into one of the first ten by symmetry, but where a bishop's color matters, into one of all.
TRIANGLE = [chess.A1, chess.B1, chess.C1, chess.D1, chess.B2, chess.C2, chess.D2, chess.C3, chess.D3, chess.D4]
BOTH_TRIANGLES = [*TRIANGLE, *(square ^ 7 for square in TRIANGLE)]


def men(white: str, black: str, squares: Sequence[chess.Square]) -> dict[chess.Square, chess.Piece]:
    """The pieces *white* and *black* on *squares*."""
    colors = [chess.WHITE] * len(white) + [chess.BLACK] * len(black)
    return {
        square: chess.Piece(PIECE_TYPES[kind], color)
        for square, kind, color in zip(squares, white + black, colors, strict=True)
    }


def reach(kind: str, square: chess.Square) -> chess.Bitboard:
    """From where a white piece attacks *square* on an empty board."""
    if kind == "P":
        return chess.BB_PAWN_ATTACKS[chess.BLACK][square]
    board = chess.BaseBoard.empty()
    board.set_piece_at(square, chess.Piece(PIECE_TYPES[kind], chess.WHITE))
    return board.attacks_mask(square) & KINDS[kind]


def checks(board: AtomicBoard, white: str, black: str) -> Iterator[None]:
    """Puts onto *board* every placement, up to symmetry, in which a piece of White may attack the black king."""
    kings = BOTH_TRIANGLES if set("LD") & set(white + black) else TRIANGLE
    for king, (checker, kind) in itertools.product(kings, enumerate(white)):
        if kind in white[:checker]:
            continue  # The twin has been there.
        masks = [KINDS[other] for other in white + black]
        masks[checker] = reach(kind, king)
        for squares in itertools.product(*map(chess.SquareSet, masks)):
            if len({king, *squares}) <= len(squares):
                continue
            board.clear()
            board.turn = chess.BLACK
            for square, piece in men(white, black, squares).items():
                board._set_piece_at(square, piece.piece_type, piece.color)
            board._set_piece_at(king, chess.KING, chess.BLACK)
            others, whites = board.occupied, board.occupied_co[chess.WHITE]
            for white_king in chess.scan_forward(chess.BB_ALL & ~others):
                board.kings = chess.BB_SQUARES[king] | chess.BB_SQUARES[white_king]
                board.occupied = others | chess.BB_SQUARES[white_king]
                board.occupied_co[chess.WHITE] = whites | chess.BB_SQUARES[white_king]
                yield


def mates(board_class: type[AtomicBoard], white: str, black: str) -> Iterator[AtomicBoard]:
    """The mates by White among all placements."""
    board = board_class.empty()
    for _ in checks(board, white, black):
        if board.is_checkmate():
            yield board


def can_mate(board_class: type[AtomicBoard], white: str, black: str) -> bool:
    for mate in mates(board_class, white, black):
        # The board's word is checked by one that shares no code with it.
        other = SECOND_OPINION[board_class](mate.fen())
        assert other.attacked(chess.BLACK, other.king(chess.BLACK))
        assert not other.moves()
        return True
    return False


def can_explode(board_class: type[AtomicBoard], white: str, black: str) -> bool:
    """Whether a piece of White can capture beside the black king, the other men out of the way."""
    for mover, victim in itertools.product(white, black):
        for king, corner in ((chess.B8, chess.H1), (chess.D4, chess.H8)):
            for target in chess.SquareSet(chess.BB_KING_ATTACKS[king] & KINDS[victim]):
                for origin in chess.SquareSet(reach(mover, target) & KINDS[mover]):
                    board = board_class.empty()
                    board.set_piece_map(men(mover, victim, (origin, target)))
                    board.set_piece_at(king, chess.Piece(chess.KING, chess.BLACK))
                    board.set_piece_at(corner, chess.Piece(chess.KING, chess.WHITE))
                    if board.occupied.bit_count() == 4 and any(board.generate_king_explosions()):
                        return True
    return False


def can_win(board_class: type[AtomicBoard], white: str, black: str) -> bool:
    return (
        can_explode(board_class, white, black)
        or can_mate(board_class, white, black)
        or ("P" in white and can_win(board_class, white.replace("P", "Q", 1), black))
    )


def is_insufficient(board_class: type[AtomicBoard], white: str, black: str) -> bool:
    """What the board says of White, the same wherever the men stand."""
    answers = set()
    for rows in ((0x0000FFFFFFFF0000, chess.A1, chess.H8), (0x0000FFFF00000000, chess.H1, chess.B1)):
        squares: list[chess.Square] = []
        for kind in white + black:
            squares.append(next(s for s in chess.SquareSet(KINDS[kind] & rows[0]) if s not in squares))
        for mirrored in (False, True):
            board = board_class.empty()
            board.set_piece_map(men(white, black, squares))
            board.set_piece_at(rows[1], chess.Piece(chess.KING, chess.WHITE))
            board.set_piece_at(rows[2], chess.Piece(chess.KING, chess.BLACK))
            board.turn = not mirrored
            answers.add((board.mirror() if mirrored else board).has_insufficient_material(not mirrored))
    [answer] = answers
    return answer


# As in python-chess and on Lichess, two bishops on squares of one color count, though they never mate.
COUNTED = {("LL", ""), ("DD", "")}


def materials(most: int) -> Iterator[tuple[str, str]]:
    for count in range(most + 1):
        for white in range(count + 1):
            yield from itertools.product(
                map("".join, itertools.combinations_with_replacement(KINDS, white)),
                map("".join, itertools.combinations_with_replacement(KINDS, count - white)),
            )


@pytest.mark.skipif(not kernel_active(), reason="takes minutes in plain Python; three men do not")
@pytest.mark.parametrize(("white", "black"), [pair for pair in materials(2) if len(pair[0]) + len(pair[1]) == 2])
def test_with_four_men_a_side_lacks_material_if_no_placement_wins_for_it(white, black):
    if (white, black) in COUNTED:
        assert not is_insufficient(AtomicBoard, white, black)
        assert not can_win(AtomicBoard, white, black)
    else:
        assert is_insufficient(AtomicBoard, white, black) == (not can_win(AtomicBoard, white, black))


@pytest.mark.parametrize("board_class", [AtomicBoard, WithoutImmunity])
@pytest.mark.parametrize(("white", "black"), list(materials(1)))
def test_with_three_men_a_side_lacks_material_if_no_placement_wins_for_it(board_class, white, black):
    assert is_insufficient(board_class, white, black) == (not can_win(board_class, white, black))


@pytest.mark.parametrize(("white", "black"), [("R", ""), ("NN", ""), ("D", "L"), ("D", "LL"), ("DD", "L"), ("DN", "")])
def test_a_king_that_touches_is_no_shield_where_touching_does_not_protect(white, black):
    # The king may then stand on a square beside the mated one, as a bishop of its own does.
    assert not is_insufficient(WithoutImmunity, white, black)
    assert can_mate(WithoutImmunity, white, black)


@pytest.mark.parametrize(("white", "black"), [("D", "LL"), ("DD", "LL"), ("D", "LLL")])
def test_bishops_that_never_meet_mate_a_king_hemmed_in_by_two_of_its_own(white, black):
    assert not is_insufficient(AtomicBoard, white, black)
    assert can_mate(AtomicBoard, white, black)
    assert is_insufficient(AtomicBoard, black, white) == (len(white) < 2)


def test_the_mate_in_one_that_was_taken_for_a_draw():
    board = AtomicBoard("8/8/8/8/8/3B4/7b/K5bk w - - 0 1")
    assert board.is_valid()
    assert board.outcome() is None
    assert not board.has_insufficient_material(chess.WHITE)
    assert board.has_insufficient_material(chess.BLACK)
    board.push_san("Be4#")
    assert board.describe_outcome() == "White wins: checkmate"


@pytest.mark.parametrize(("white", "black"), [("LL", "D"), ("LL", "")])
@pytest.mark.slow
@pytest.mark.skipif(not kernel_active(), reason="takes hours in plain Python")
def test_bishops_on_one_color_mate_nobody_with_one_bishop_or_none(white, black):
    assert not can_mate(AtomicBoard, white, black)


@pytest.mark.parametrize("material", ["4k3/8/8/8/8/8/8/4KN2", "4kb2/8/8/8/8/8/8/4KB2", "4k3/8/8/8/8/8/8/4KB2"])
def test_where_there_is_no_check_any_piece_may_capture_the_king(material):
    class WithoutChecks(AtomicBoard):
        has_checks = False

    for board_class in (WithoutChecks, IccAtomicBoard):
        assert not board_class(f"{material} w - - 0 1").has_insufficient_material(chess.WHITE)
    assert WithoutChecks("8/8/8/8/8/4k3/8/4KB2 b - - 0 1").has_insufficient_material(chess.BLACK)
