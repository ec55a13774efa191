"""What the words among the moves mean: moves, signs, results, and what is none of them."""

import io

import pytest

from atomic_variant import AtomicBoard, pgn
from atomic_variant.pgn._results import header_result, normal_result

HEADERS = '[Event "t"]\n[Variant "Atomic"]\n\n'
CASTLING = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. {} {} 5. d3 d6 *"


def read(moves: str, *, headers: str = HEADERS) -> pgn.Record:
    """The record of a game, which both readers agree on."""
    [record] = pgn.scan(io.StringIO(headers + moves))
    [game] = pgn.read_games(io.StringIO(headers + moves))
    assert list(game.mainline_moves()) == record.moves
    assert game.errors == record.errors
    assert game.headers["Result"] == record.result
    return record


def ucis(record: pgn.Record) -> str:
    return " ".join(move.uci() for move in record.moves)


@pytest.mark.parametrize(
    "moves",
    [
        "1 .e4 e5 2 . Nf3 Nc6", "1. e4 1. ...e5 2. Nf3 2. ... Nc6", "1. e4 1… e5 2. Nf3 2…Nc6", "1) e4 e5 2) Nf3 Nc6",
        "1, e4 e5 2, Nf3 Nc6", "1: e4, e5. 2. Nf3. Nc6.", '1. "e4" “e5” 2. **Nf3** [Nc6]', "1. e4 ...e5 2. Nf3 ..Nc6",
        "1e4 e5 2Nf3 Nc6", "1. e4\u200b \u200be5 2. Nf3\ufe0e Nc6", "1. Pe4 Pe7-e5 2. Ng1-f3 Nb8–c6",
        "1. ♙e4 ♟e5 2. ♘f3 ♞c6", "1. e4 e5 2. Nf3† Nc6‡", "1. e4≠ e5 ch 2. Nf3ch Nc6 mate", "1. e4,e5 2.Nf3,Nc6",
        "1. e4–e5 2. Nf3–Nc6", "e4 e5 Nf3 Nc6",
    ],
)  # fmt: skip
def test_decoration_means_nothing_and_is_no_error(moves):
    record = read(f"{moves} *")
    assert ucis(record) == "e2e4 e7e5 g1f3 b8c6"
    assert record.errors == []


@pytest.mark.parametrize(
    ("moves", "dropped"),
    [
        ("1. e4= e5 2. Nf3 Nc6", ["e4="]),
        ("1. e4 e5 (=) 2. Nf3 Nc6", ["(=)"]),
        ("1. e4 a good move e5 2. Nf3 be Nc6", ["a good move", "be"]),
        ("1. e4 {see {x} a move} e5 2. Nf3 K Nc6 the end", ["a move}", "K", "the end"]),
        ("1. e4 Kasparov's novelty e5 2. Nf3 Q Nc6 0.00", ["Kasparov's novelty", "Q", "0.00"]),
        ("1. e4 https://example.org/e5 e5 2. Nf3 E94 Nc6", ["https://example.org/e5", "E94"]),
        ("1. e4 misunderstandings! e5 2. Nf3 $256 Nc6 $1000", ["misunderstandings", "$256", "$1000"]),
    ],
)
def test_what_is_left_out_is_an_odd_error(moves, dropped):
    record = read(f"{moves} *")
    assert ucis(record) == "e2e4 e7e5 g1f3 b8c6"
    assert [(error.text, error.severity) for error in record.errors] == [(text, "odd") for text in dropped]


@pytest.mark.parametrize(
    "word",
    ["Sf3", "nf3", "NF3", "E4", "Nf9", "Qxi3", "f3-square", "Nxf", "O-O-O-O", "0-0-0-0", "cf3x", "Nf", "exd", "♘f9"],
)
def test_a_word_that_was_meant_as_a_move_ends_the_line(word):
    record = read(f"1. e4 e5 2. {word} Nc6 3. d4 *")
    assert ucis(record) == "e2e4 e7e5"
    assert [(error.text, error.severity) for error in record.errors] == [(word, "lost")]


def test_the_next_number_tells_that_a_move_is_missing():
    record = read("1. e4 e5 2. Nf3 Nc 3. d4 d6 *")
    assert ucis(record) == "e2e4 e7e5 g1f3"
    assert [(error.text, error.reason) for error in record.errors] == [
        ("Nc", "neither a move nor a sign"),
        ("3.", "a move is missing before this number"),
    ]


@pytest.mark.parametrize(
    "word",
    ["O-O", "0-0", "o-o", "OO", "00", "oo", "O–O", "О-О", "o‑0", "O−O", "O - O", "0 – 0", "Ke1-g1", "Ke1g1", "e1g1"],
)
def test_castling_is_read_in_every_spelling(word):
    record = read(CASTLING.format(word, word.replace("1", "8")))
    assert ucis(record).split()[6:] == ["e1g1", "e8g8", "d2d3", "d7d6"]
    assert record.errors == []


@pytest.mark.parametrize("word", ["O-O-O", "0-0-0", "o-o-o", "OOO", "000", "О–О–О", "O - O - O", "Ke1-c1"])
def test_long_castling_too(word):
    headers = f'{HEADERS.rstrip()}\n[FEN "r3k2r/3p4/8/8/8/8/3P4/R3K2R w KQkq - 0 1"]\n\n'
    record = read(f"1. {word} {word.replace('1', '8')} *", headers=headers)
    assert ucis(record) == "e1c1 e8c8"
    assert record.errors == []


@pytest.mark.parametrize("moves", ["1. e4 e52. Nf3", "1. e4 e52.Nf3", "1. e41...e5 2. Nf3", "1. e41… e52. Nf3"])
def test_the_number_of_the_next_move_may_follow_a_move_without_a_blank(moves):
    record = read(f"{moves} Nc6 *")
    assert ucis(record) == "e2e4 e7e5 g1f3 b8c6"
    assert record.errors == []


@pytest.mark.parametrize("word", ["e53.", "e51.", "e52", "e52,"])
def test_another_number_right_after_a_move_ends_the_line(word):
    record = read(f"1. e4 {word} 2. Nf3 *")
    assert ucis(record) == "e2e4"
    assert record.errors[0].severity == "lost"


@pytest.mark.parametrize("word", ["4.00", "“4.00", "4.00,", "*4.00", "4.00+", '"4.00"', "4.00."])
def test_castling_in_zeros_may_stand_right_after_its_number(word):
    assert ucis(read(f"1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 {word} O-O *")).split()[6:] == ["e1g1", "e8g8"]


@pytest.mark.parametrize(
    "moves", ["3.00 4. d3", "4. d3 4.00 d6", "4. d3 d6 4.00 5. e3", "+4.00 4. d3", "4.00/12 4. d3", "[4.00 4. d3"]
)
def test_zeros_that_are_an_evaluation_are_no_castling(moves):
    assert ucis(read(f"1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 {moves} *")).split()[6] == "d2d3"


@pytest.mark.parametrize("word", ["O-O", "0-0", "o-o", "OO", "00", "Kg1", "Ke1g1"])
def test_castling_that_cannot_be_ends_the_line(word):
    record = read(f"1. e4 e5 2. {word} Nf6 3. d4 *")
    assert ucis(record) == "e2e4 e7e5"
    assert record.errors[0].severity == "lost"


@pytest.mark.parametrize("word", ["Kg1", "Kxh1"])
def test_castling_by_the_squares_of_the_king_says_how_to_write_it(word):
    record = read(CASTLING.format(word, "O-O"))
    assert record.errors[0].reason == "illegal move: castling is written O-O"


@pytest.mark.parametrize("word", ["--", "Z0", "0000", "@@@@", "<>", "null", "NULL", "pass", "––"])
def test_null_moves_are_read_in_every_spelling(word):
    record = read(f"1. e4 {word} 2. d4 d5 *")
    assert ucis(record) == "e2e4 0000 d2d4 d7d5"
    assert record.errors == []


@pytest.mark.parametrize(
    "word", ["a8Q", "a8=Q", "a8(Q)", "a8=(Q)", "a8/Q", "a8=q", "a8q", "a7a8q", "a7-a8=Q+", "Pa7a8=Q"]
)
def test_promotions_are_read_in_every_spelling(word):
    headers = f'{HEADERS.rstrip()}\n[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]\n\n'
    record = read(f"1. {word} Kd7 *", headers=headers)
    assert ucis(record) == "a7a8q e8d7"
    assert record.errors == []


@pytest.mark.parametrize("word", ["exd5", "e:d5", "ed5", "ed5:", "exd", "ed", "e×d5", "e4xd5", "Pe4xd5"])
def test_captures_of_pawns_are_read_in_every_spelling(word):
    assert ucis(read(f"1. e4 d5 2. {word} e6 *")) == "e2e4 d7d5 e4d5 e7e6"


@pytest.mark.parametrize(
    ("sign", "nag"),
    {
        "±": 16, "∓": 17, "⩲": 14, "⩱": 15, "□": 7, "⟳": 32, "+/=": 14, "=/+": 15, "+=": 14,
        "=+": 15, "+/-": 16, "+/−": 16,
        "-/+": 17, "+-": 18, "−+": 19, "∞": 13, "N": 146, "D": 220, "[#]": 220, "#": 220, "=": 10, "↑": 36, "→": 40,
        "⇆": 132, "⊕": 138, "=∞": 44, "∆": 140, "‼": 3, "⁉": 5, "$17": 17, "$255": 255, "!": 1, "?!": 6,
    }.items(),
)  # fmt: skip
def test_the_signs_of_books_have_numbers(sign, nag):
    [game] = pgn.read_games(io.StringIO(f"{HEADERS}1. Nf3 {sign} f6 *"))
    assert game.errors == []
    assert game.variation(0).nags == {nag}
    assert game.end().ply() == 2


def test_three_signs_and_more_are_signs_for_every_reader():
    record = read("1. Nf3!!! f6??? 2. e3!?! *")
    assert record.errors == []
    [game] = pgn.read_games(io.StringIO(f"{HEADERS}1. Nf3!!! f6??? 2. e3!?! *"))
    assert [node.nags for node in game.mainline()] == [{1, 3}, {2, 4}, {1, 5}]


# Results ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "result"),
    {
        "1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "*": "*", "½-½": "1/2-1/2", "1/2": "1/2-1/2",
        "0.5-0.5": "1/2-1/2", "1:0": "1-0", "0 : 1": "0-1", "1–0": "1-0", "½–½": "1/2-1/2", "1/2 - 1/2": "1/2-1/2",
        "1-O": "1-0", "O-1": "0-1", "0-0": "*", "1-0F": "1-0", "0-1 forfeit": "0-1", "½ : ½": "1/2-1/2",
    }.items(),
)  # fmt: skip
def test_results_are_read_in_every_spelling(text, result):
    assert normal_result(text) == header_result(f" {text} ") == result
    assert read(f'[Result "{text}"]\n\n1. e4 e5', headers=HEADERS.rstrip() + "\n").result == result
    record = read(f"1. e4 e5 {text.removesuffix('F').removesuffix(' forfeit')}")
    assert (record.result, record.errors) == (result, [])
    assert len(record.moves) == 2


@pytest.mark.parametrize("value", ["*", "?", "", " ", "-"])
def test_a_header_that_says_nothing_hides_no_result(value):
    record = read(f'[Result "{value}"]\n\n1. e4 e5 0-1', headers=HEADERS.rstrip() + "\n")
    assert (record.result, record.errors) == ("0-1", [])


@pytest.mark.parametrize(("value", "result"), [("+/-", "1-0"), ("-:+", "0-1"), ("-/-", "*")])
def test_forfeits_in_the_header_count(value, result):
    assert read(f'[Result "{value}"]\n\n1. e4 e5', headers=HEADERS.rstrip() + "\n").result == result


def test_a_header_that_is_no_result_is_odd():
    record = read('[Result "adjourned"]\n\n1. e4 e5 1-0', headers=HEADERS.rstrip() + "\n")
    assert record.result == "1-0"
    assert record.headers["Result"] == "adjourned"
    assert [(error.line, error.text, error.severity) for error in record.errors] == [(3, "adjourned", "odd")]


def test_a_result_that_contradicts_the_header_is_wrong():
    record = read('[Result "1-0"]\n\n1. e4 e5\n0-1', headers=HEADERS.rstrip() + "\n")
    assert record.result == "1-0"
    [error] = record.errors
    assert (error.line, error.text, error.severity) == (6, "0-1", "wrong")
    assert error.reason == "contradicts the Result header, 1-0"


@pytest.mark.parametrize(("count", "reasons"), [("2", []), ("3", ["the game has 2 plies"]), ("?", [])])
def test_a_ply_count_that_is_not_so_is_found(count, reasons):
    text = f'[Variant "Atomic"]\n[PlyCount "{count}"]\n\n1. e4 (1. d4) 1... e5 *'
    for read_all in (pgn.scan, pgn.read_games):
        [game] = read_all(io.StringIO(text))
        found = pgn.findings(game)
        assert [(error.reason, error.severity) for error in found] == [(reason, "wrong") for reason in reasons]


def test_zeros_at_the_end_are_castling_where_that_is_legal():
    assert read("1. e4 e5 0-0").errors == []
    record = read("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0")
    assert ucis(record).endswith("e1g1")
    assert record.board() == AtomicBoard()


# --- What is read and false ---------------------------------------------------


def told(moves, headers='[Variant "Atomic"]\n'):
    """The findings of every reader, which say the same."""
    text = f"{headers}\n{moves} *\n"
    [record] = pgn.scan(io.StringIO(text))
    game = pgn.read_game(io.StringIO(text))
    [other] = pgn.read_games(io.StringIO(text))
    assert record.errors == game.errors == other.errors
    assert [node.move for node in game.mainline()] == record.moves
    return [(error.text, error.reason, error.severity, error.ply) for error in record.errors]


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("1. e4+ e5", [("e4+", "gives no check", "wrong", 1)]),
        ("1. e4 e5#", [("e5#", "is no mate", "wrong", 2)]),
        ("1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8#", []),
        ("1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8+", []),
        ("1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8", []),
        ("1. e4 d5 2. Bb5+ c6", []),
        ("1. e4 d5 2. Bb5# c6", [("Bb5#", "is no mate", "wrong", 3)]),
        ("1. e4 d5 2. Bb5 c6", []),
        ("1. e4 d5 2. Bb5++ c6", []),
        ("1. e4 (1. d4+ d5) e5", []),
    ],
)
def test_signs_of_check_and_mate_are_compared_with_the_board(moves, expected):
    assert told(moves) == expected


def test_where_there_is_no_check_its_sign_means_an_attack():
    assert told("1. e4 d5 2. Bb5+ c6", '[Variant "ICC wild/27"]\n') == []
    assert told("1. e4 d5 2. Bb5# c6", '[Variant "ICC wild/27"]\n') == [("Bb5#", "is no mate", "wrong", 3)]


def test_where_having_no_move_loses_it_may_be_signed_as_mate():
    headers = '[Variant "Buho21 Atomic"]\n[FEN "k7/8/1R6/8/2K5/8/8/8 w - - 0 1"]\n[SetUp "1"]\n'
    assert told("1. Rb7#", headers) == []
    assert told("1. Rb7#", headers.replace("Buho21 Atomic", "Atomic")) == [("Rb7#", "is no mate", "wrong", 1)]


def test_no_more_than_ten_false_signs_of_a_game_are_told_and_its_variations_are_read():
    moves = " ".join(
        f"{number}. {white}+ {black}+" for number, (white, black) in enumerate([("Nf3", "Nf6"), ("Ng1", "Ng8")] * 40, 1)
    )
    text = f'[Variant "Atomic"]\n\n{moves} 81. a3 (81. a4) *\n'
    game = pgn.read_game(io.StringIO(text))
    assert [error.reason for error in game.errors] == ["gives no check"] * 10
    assert len(game.end().parent.variations) == 2


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("1. e4 e5 2. Nf3 Nc6", None),
        ("1. e4 e5 3. Nf3 Nc6", "3."),
        ("2. e4 e5 3. Nf3 Nc6", "2."),
        ("1. e4 1... e5 2. Nf3 2... Nc6", None),
        ("1. e4 e5 2... Nf3 Nc6", "2."),
        ("1. e4 e5 12. Nf3 Nc6 13. a3 a6 15. a4 a5", "12."),
        ("e4 e5 2. Nf3", None),
        ("1. e4 (2. d4) e5 2. Nf3", None),
    ],
)
def test_a_number_of_another_move_is_told_once(moves, expected):
    assert told(moves) == ([] if expected is None else [(expected, "the number of another move", "odd", None)])


@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 30", "30. e4 Kf8 31. e5", None),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 30", "1. e4 Kf8 2. e5", None),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 30", "1. e4 Kf8 31. e5", "31."),
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 30", "30... Kf8 31. e4", None),
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 30", "1... Kf8 2. e4", None),
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 30", "1. Kf8 e4", "1."),
    ],
)
def test_numbers_count_on_from_the_fen_or_from_one(fen, moves, expected):
    found = told(moves, f'[Variant "Atomic"]\n[FEN "{fen}"]\n[SetUp "1"]\n')
    assert found == ([] if expected is None else [(expected, "the number of another move", "odd", None)])
