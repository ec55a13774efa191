"""``explain`` says why moves are illegal, what they explode and how the game stands."""

import pytest

from atomic_variant.__main__ import main


@pytest.fixture
def explain(capsys):
    def explain(*words):
        status = main(["explain", *words])
        output = capsys.readouterr()
        return status, output.out.splitlines(), output.err

    return explain


def test_moves_are_played_one_after_the_other(explain):
    status, lines, _ = explain("start", "Nf3", "f7f6", "Nd4", "Nh6", "Ne6", "h6g8", "Nxd8")
    assert status == 0
    assert lines == [
        "1. Nf3",
        "1... f6",
        "2. Nd4",
        "2... Nh6",
        "3. Ne6",
        "3... Ng8",
        "4. Nxd8# explodes on d8: the white knight from e6, the black king on e8, the black queen on d8, "
        "the black bishop on c8",
        "White wins: the black king exploded on e8",
        "rn3bnr/ppppp1pp/5p2/8/8/8/PPPPPPPP/RNBQKB1R b KQ - 0 4",
    ]


@pytest.mark.parametrize(
    ("fen", "move", "reason"),
    [
        ("start", "Nd5", "1. Nd5: illegal move: the knight on b1 does not move to d5 / the knight on g1 does not"),
        ("start", "e2e5", "1. e2e5: illegal move: the pawn on e2 does not move to e5"),
        ("start", "Qxx", "1. Qxx: not a move"),
        ("start", "0000", "1. 0000: a null move is no move on the board"),
        ("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "Kxd2", "1. Kxd2: illegal move: a king may not capture: it would explode"),
        (
            "rnbqkbnr/pppNpppp/8/3p4/8/8/PPPPPPPP/RNBQKB1R b KQkq - 1 3",
            "Qxd7",
            "3... Qxd7: illegal move: the explosion",
        ),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "O-O", "1. O-O: illegal move: White has no right to castle"),
        ("R5k1/8/8/8/8/8/8/R5K1 w - - 0 1", "Ra4", "1. Ra4: more than one piece can make this move"),
    ],
)
def test_an_illegal_move_is_told_with_its_reason(explain, fen, move, reason):
    status, lines, _ = explain(fen, move, "e4")
    assert status == 1
    assert lines[0].startswith(reason)
    assert "to move" in lines[1]  # The position before it, and no move after it.


def test_a_move_after_the_end_is_told_as_such(explain):
    status, lines, _ = explain("rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3", "Nxe7#", "Nc6")
    assert status == 1
    assert lines[1] == "3... Nc6: a move after the end of the game: White wins: the black king exploded on e8"


def test_checks_mates_and_chances_are_told(explain):
    _, lines, _ = explain("4k3/7p/8/8/8/8/7P/R3K3 w - - 0 1", "Ra8")
    assert lines[0] == "1. Ra8+, gives check"
    assert lines[1].startswith("Black to move, ")
    assert lines[1].endswith(" legal moves, in check by the rook on a8")
    _, lines, _ = explain("6k1/5ppp/8/8/8/8/7P/R3K3 w - - 0 1", "Ra8")
    assert lines[0] == "1. Ra8#, mates"
    assert lines[1].startswith("White wins: checkmate")
    _, lines, _ = explain("rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3")
    assert lines[1] == "White can explode the king: Nxe7#"


def test_other_rules_are_known(explain):
    fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert explain(fen, "exd5")[1][0].startswith("2. exd5 explodes on d5: ")
    assert explain(fen, "exd5", "--variant", "chess")[1][0] == "2. exd5, captures the pawn on d5"
    fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
    assert explain(fen, "exd6", "--variant", "chess")[1][0] == "2. exd6, captures the pawn en passant"
    fen = "3k4/7r/3K4/8/8/8/8/8 w - - 0 1"
    assert explain(fen, "d6d7")[0] == 0
    status, lines, _ = explain(fen, "d6d7", "--variant", "Atomic Buho21")
    assert status == 1
    assert "touching the other king does not protect it" in lines[0]


def test_a_draw_that_could_be_claimed_is_told(explain):
    _, lines, _ = explain("start", *["Nf3", "Nf6", "Ng1", "Ng8"] * 2)
    assert any(line.startswith("a draw could be claimed: threefold repetition") for line in lines)


def test_a_position_that_no_game_has_is_told(explain):
    status, lines, err = explain("4k3/8/8/8/8/8/8/P3K3 w - - 0 1")
    assert status == 1
    assert err == "the position cannot come about in a game: pawns on backrank\n"
    assert lines[-1] == "4k3/8/8/8/8/8/8/P3K3 w - - 0 1"


@pytest.mark.parametrize("fen", ["nonsense", "8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", ""])
def test_what_is_no_fen_is_told(explain, fen):
    status, lines, err = explain(fen)
    assert (status, lines) == (2, [])
    assert "no FEN" in err
