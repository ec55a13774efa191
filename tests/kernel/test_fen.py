"""FEN by the kernel and by Python: the same board, or the same error."""

import random

import chess
import pytest

from atomic_variant import AtomicBoard, kernel_active

from ..support.positions import constructed, constructed_odd, snapshot

pytestmark = pytest.mark.skipif(not kernel_active(), reason="needs the kernel")


def python(function):
    return function.__wrapped__


def read(board, set_fen, fen):
    try:
        set_fen(board, fen)
    except ValueError as error:
        return str(error)
    return snapshot(board)


@pytest.mark.parametrize("seed", range(4))
def test_any_text_is_read_as_by_python(seed):
    rng = random.Random(seed)
    for board in (*constructed(seed, 150), *constructed_odd(seed, 150)):
        fen = board.fen(shredder=rng.random() < 0.2, en_passant="fen", promoted=rng.random() < 0.2)
        for _ in range(6):
            text = list(fen)
            for _ in range(rng.choice([0, 0, 1, 2])):
                at = rng.randrange(len(text) + 1)
                text[at : at + rng.randrange(3)] = rng.choice(
                    ["K", "k", "P", "9", "/", " ", "-", "~", "w", "b", "Q", "0", "8", "h8", "\0", "é"]
                )
            mutated = "".join(text)
            boards = [AtomicBoard(None), AtomicBoard(None)]
            for each in boards:
                each.push(chess.Move.null())
            answers = [
                read(boards[0], AtomicBoard.set_fen, mutated),
                read(boards[1], python(AtomicBoard.set_fen), mutated),
            ]
            assert answers[0] == answers[1], mutated


def test_any_board_is_written_as_by_python():
    for board in (*constructed(9, 500), *constructed_odd(9, 1500)):
        assert board.fen() == python(AtomicBoard.fen)(board)
        board.fullmove_number = 10**12
        assert board.fen() == python(AtomicBoard.fen)(board)


def test_a_class_that_writes_its_own_fen_is_asked():
    class Mine(AtomicBoard):
        def castling_xfen(self):
            return "?"

    assert Mine().fen() == chess.STARTING_FEN.replace("KQkq", "?")
