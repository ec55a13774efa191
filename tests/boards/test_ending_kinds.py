"""How a game ended is answered once, for every board of python-chess."""

import io
import pickle

import chess
import chess.variant
import pytest

from atomic_variant import AtomicBoard, Buho21AtomicBoard, ChessPlayXAtomicBoard, IccAtomicBoard, SparkBoard, pgn
from atomic_variant.boards.endings import UNDECIDED, EndingKind, find_ending

DRAW = "1/2-1/2"


@pytest.mark.parametrize(
    ("board", "moves", "result", "kind", "winner", "words"),
    [
        (AtomicBoard(), "Nf3 f6 Nd4 Nh6 Ne6 Ng8 Nxd8", "*", "explosion", True, "the black king exploded on e8"),
        (chess.variant.AtomicBoard(), "Nf3 f6 Nd4 Nh6 Ne6 Ng8 Nxd8", "*", "explosion", True, "White wins: "),
        (IccAtomicBoard("4k3/8/8/8/8/8/4r3/4K3 b - -"), "Rxe1", "*", "king captured", False, "captured on e1"),
        (IccAtomicBoard("4k3/8/8/8/8/8/4r3/3QK3 b - -"), "Rxd2", "*", "none", None, "not decided"),
        (IccAtomicBoard("3rk3/8/8/8/8/8/8/3QK3 b - -"), "Rxd1", "*", "explosion", False, "exploded on e1"),
        (SparkBoard("k7/1Q6/8/8/8/8/8/K7 w - -"), "Qxa8", "*", "king captured", True, "captured on a8"),
        (SparkBoard("8/8/8/8/8/8/2k5/K7 w - -"), "", "*", "insufficient material", None, "Draw: "),
        (SparkBoard("k7/7p/8/8/8/8/P7/K6R w - -"), "Rg1 Kb8 Rh1 Ka8", "*", "repetition", None, "occurred before"),
        (Buho21AtomicBoard("k7/1R6/8/8/2K5/8/8/8 b - -"), "", "*", "variant rule", True, "Black has no legal move"),
        (
            chess.variant.ThreeCheckBoard("4k3/8/8/8/8/8/8/4K3 w - - 0+3 0 1"),
            "",
            "*",
            "variant rule",
            True,
            "White wins: by the rules of Three-check",
        ),
        (chess.variant.AntichessBoard("8/8/8/8/8/8/8/k7 w - -"), "", "*", "variant rule", True, "White wins"),
        (chess.variant.HordeBoard("4k3/8/8/8/8/8/8/8 w - -"), "", "*", "variant rule", False, "Black wins"),
        (chess.Board(), "f3 e5 g4 Qh4", "*", "checkmate", False, "Black wins: checkmate"),
        (AtomicBoard("k7/8/1R6/8/8/8/7P/5K2 w - -"), "Rb7", "*", "stalemate", None, "Black has no legal move"),
        (chess.Board("k7/8/1K6/8/8/8/8/1R6 b - -"), "", "*", "none", None, "not decided"),
        (chess.Board("k7/8/1Q6/8/8/8/8/K7 b - -"), "", "*", "stalemate", None, "Draw: stalemate"),
        (AtomicBoard("k7/8/8/8/8/8/8/K7 w - -"), "", "*", "insufficient material", None, "Draw: "),
        (AtomicBoard("4k3/8/1r6/8/8/5R2/3K4/8 w - - 150 90"), "", "*", "seventy-five moves", None, "Draw: "),
        (AtomicBoard("4k3/8/1r6/8/8/5R2/3K4/8 w - - 100 90"), "", "*", "none", None, "not decided"),
        (AtomicBoard("4k3/8/1r6/8/8/5R2/3K4/8 w - - 100 90"), "", DRAW, "fifty moves", None, "by claim"),
        (AtomicBoard("4k3/8/1r6/8/8/5R2/3K4/8 w - - 100 90"), "", "1-0", "none", None, "not decided"),
        (AtomicBoard(), "Nf3 Nf6 Ng1 Ng8 " * 2, "*", "none", None, "not decided"),
        (AtomicBoard(), "Nf3 Nf6 Ng1 Ng8 " * 2, DRAW, "claimed repetition", None, "threefold repetition"),
        (AtomicBoard(), "Nf3 Nf6 Ng1 Ng8 " * 4, "*", "repetition", None, "fifth time"),
        (AtomicBoard("8/8/6p1/3K2P1/8/2k5/8/8 b - -"), "", "*", "none", None, "not decided"),
        (
            AtomicBoard("8/8/6p1/3K2P1/8/2k5/8/8 b - -"),
            "",
            DRAW,
            "closed position",
            None,
            "no pawn can move or capture now",
        ),
        (ChessPlayXAtomicBoard("8/8/8/3K4/8/2k5/8/8 b - -"), "", "*", "insufficient material", None, "only the kings"),
    ],
)
def test_an_ending_has_a_kind_a_winner_and_words(
    board: chess.Board, moves: str, result: str, kind: str, winner: bool | None, words: str
) -> None:
    for san in moves.split():
        board.push_san(san)
    ending = find_ending(board, result=result)
    assert (ending.kind, ending.winner) == (kind, winner)
    assert words in str(ending)
    assert (ending.outcome is None) == (ending.words is None) == (kind == "none")
    assert ending.is_draw == (winner is None and kind != "none")
    assert pickle.loads(pickle.dumps(ending)) == ending


@pytest.mark.parametrize("result", ["1-0", "0-1", DRAW, "*", "nonsense"])
def test_only_a_win_on_the_board_contradicts_a_result(result: str) -> None:
    board = AtomicBoard("4k3/8/8/8/8/8/8/8 w - - 0 1")  # Black wins.
    assert find_ending(board).contradicts(result) == (result not in ("0-1", "*"))
    assert not find_ending(AtomicBoard("k7/8/8/8/8/8/8/K7 w - -")).contradicts(result)
    assert not UNDECIDED.contradicts(result)


class Loud(AtomicBoard):
    """The rules of AtomicBoard in other words."""

    aliases = ["Loud"]
    uci_variant = "loud"
    tbw_suffix = tbz_suffix = None
    tbw_magic = tbz_magic = None
    endings = {**AtomicBoard.endings, chess.Termination.VARIANT_LOSS: "KABOOM"}


@pytest.mark.parametrize("names", [["loud", "atomic"], ["atomic", "loud"]])
def test_the_words_of_a_dialect_stay_with_the_dialect(names: list[str]) -> None:
    classes: dict[str, type[chess.Board]] = {"loud": Loud, "atomic": AtomicBoard}
    words = {"loud": "White wins: KABOOM", "atomic": "White wins: the black king exploded on e8"}
    text = '[Event "x"]\n\n1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0\n\n'
    for name in names:
        for _ in range(2):
            [record] = pgn.scan(io.StringIO(text), variant=classes[name])
            pytest.importorskip("numpy")
            [games] = pgn.scan_arrays(io.StringIO(text), variant=classes[name])
            assert str(record.ending) == str(games.endings[0]) == words[name]


def test_words_that_a_class_has_no_longer_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    text = '[Event "x"]\n\n1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0\n\n'
    [before] = pgn.scan(io.StringIO(text), variant=Loud)
    monkeypatch.setattr(Loud, "endings", {**Loud.endings, chess.Termination.VARIANT_LOSS: "boom"})
    [after] = pgn.scan(io.StringIO(text), variant=Loud)
    assert (before.ending.words, after.ending.words) == ("White wins: KABOOM", "White wins: boom")


class Checkless(AtomicBoard):
    """AtomicBoard without check and nothing else of its own."""

    has_checks = False
    tbw_suffix = tbz_suffix = None
    tbw_magic = tbz_magic = None


def test_a_king_that_was_captured_is_told_from_one_that_exploded_on_the_same_square() -> None:
    exploded = '[FEN "3rk3/8/8/8/8/8/8/3QK3 b - - 0 1"]\n\n1... Rxd1 0-1\n\n'
    captured = '[FEN "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1"]\n\n1... Rxe1 0-1\n\n'
    records = pgn.scan(io.StringIO(exploded + captured + exploded), variant=Checkless)
    assert [record.ending.kind for record in records] == ["explosion", "king captured", "explosion"]


def test_kinds_are_words() -> None:
    assert f"{EndingKind.EXPLOSION}" == "explosion"
