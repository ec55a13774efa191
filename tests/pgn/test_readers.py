"""Every game of a file comes out, once, in order, with what is wrong."""

import bz2
import codecs
import gzip
import io
import logging
import lzma
import pickle
import random

import chess
import chess.pgn
import pytest

import atomic_variant
from atomic_variant import AtomicBoard, dialects, pgn

from ..support.random_games import random_pgn
from ..support.shared import shared_path

HEADERS = '[Event "Rated Atomic game"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n'
WON = "1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. Nxd8# 1-0\n"


def read(text, **kwargs):
    return list(pgn.read_games(io.StringIO(text), **kwargs))


def ucis(game):
    return " ".join(move.uci() for move in game.mainline_moves())


# What one game is ---------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        pytest.param(f"{HEADERS}\n1. e4 e5 1-0\n\n{HEADERS}\n1. d4 1-0\n", ["e2e4 e7e5", "d2d4"], id="as it should be"),
        pytest.param(
            f"{HEADERS}\n\n\n1. e4 e5 1-0\n\n\n\n{HEADERS}\n\n1. d4 *", ["e2e4 e7e5", "d2d4"], id="many blanks"
        ),
        pytest.param(f"{HEADERS}1. e4 e5 1-0\n{HEADERS}1. d4 1-0\n", ["e2e4 e7e5", "d2d4"], id="no blanks"),
        pytest.param(f"{HEADERS}\n{HEADERS}\n{HEADERS}", ["", "", ""], id="only headers"),
        pytest.param("1. e4 e5 1-0\n1. d4 0-1\n1. c4 *\n", ["e2e4 e7e5", "d2d4", "c2c4"], id="a game on each line"),
        pytest.param("1. e4 e5 1-0 1. d4 0-1 1. c4 *\n", ["e2e4 e7e5", "d2d4", "c2c4"], id="all games on one line"),
        pytest.param("1. e4 e5\n\n1. d4\n\n1. c4\n", ["e2e4 e7e5", "d2d4", "c2c4"], id="no headers, no results"),
        pytest.param("e2e4 e7e5\n\nd2d4\n", ["e2e4 e7e5", "d2d4"], id="coordinates without numbers"),
        pytest.param(
            f"{HEADERS}1. e4 e5 1-0 {HEADERS}1. d4 1-0".replace("\n", " "),
            ["e2e4 e7e5", "d2d4"],
            id="headers and moves on one line",
        ),
        pytest.param(f"{HEADERS}\n1. e4\n\ne5\n\n\n2. d4 1-0\n", ["e2e4 e7e5 d2d4"], id="blanks within the moves"),
        pytest.param(f'{HEADERS}\n[Variant "Atomic"]\n\n1. e4 1-0', ["e2e4"], id="a blank within the headers"),
        pytest.param(f"{HEADERS}\n1. e4 {{one\n\n[two\n}} e5 1-0", ["e2e4 e7e5"], id="a blank within a comment"),
        pytest.param(f"\ufeff{HEADERS}\n1. e4 *\n\n\ufeff{HEADERS}\n1. d4 *", ["e2e4", "d2d4"], id="byte order marks"),
        pytest.param(f"{HEADERS}\n1. e4\n% 2. d4 [Event\ne5 1-0", ["e2e4 e7e5"], id="an escaped line"),
        pytest.param(f"{HEADERS}\n1. e4 ; {{ (\ne5 1-0", ["e2e4 e7e5"], id="a comment to the end of the line"),
        pytest.param(f"{HEADERS}\n1. e4 1-0\n\n{{Good game.}}\n\n{HEADERS}\n*", ["e2e4", ""], id="a comment after it"),
        pytest.param(f"{HEADERS}\n1. e4 1-0\n\x1a", ["e2e4"], id="an old end-of-file mark"),
        pytest.param(f"  {HEADERS}\n   1. e4 1-0\n", ["e2e4"], id="indented"),
    ],
)
def test_a_game_is_its_headers_and_moves(text, moves):
    for newline in ("\n", "\r\n", "\r"):
        games = read(text.replace("\n", newline))
        assert [ucis(game) for game in games] == moves
        assert [game.errors for game in games] == [[] for _ in moves]
        assert [game.number for game in games] == list(range(1, len(moves) + 1))


def test_an_empty_file_has_no_games():
    assert read("") == read("\n \n% nothing\n") == []


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ("1. e4 e5 2. Nf", "not a move"),
        ("1. e4 e5 2. Qh5 { [%clk 0:0", "the comment is never closed"),
        ("1. e4 e5 2. Nf3 ( 2. Nc3", "a variation is never closed"),
        ("1. e4 e5 2. Nf3 ) 1-0", "closes no variation"),
        ("1. e4 e5 2. Ke3 1-0", "the king on e1 does not move to e3"),
        ("1. e4 e5 2. Sf3 1-0", "not a move"),
        ("1. e4 e5 2. d7d6 1-0", "the pawn on d7 is Black's, but it is White's turn"),
        ("1. e4 e5 2. d5d6 1-0", "no piece on d5"),
        ("1. e4 e5 2. g1g1 1-0", "the knight on g1 would stay where it is"),
        ("1. e4 e5 2. a2a3=Q 1-0", "the pawn on a2 promotes only on the last rank"),
        ("1. e4 e5 2. exd3 1-0", "the pawn on e4 does not move to d3"),
        ("1. e4 e5 2. N5f3 1-0", "White has no knight on rank 5"),
        ("1. e4 hello e5 1-0", "neither a move nor a sign"),
        ("1. e4 e5 } 1-0", "neither a move nor a sign"),
        ("(1. d4) 1. e4 e5 1-0", "a variation before any move"),
    ],
)
def test_a_broken_game_carries_its_good_part_and_the_next_is_unaffected(broken, reason):
    first, second = read(f"{HEADERS}\n{broken}\n\n{HEADERS}\n1. d4 d5 1-0\n")
    assert ucis(first).startswith("e2e4 e7e5")
    assert first.errors[0].reason.endswith(reason)
    assert ucis(second) == "d2d4 d7d5"
    assert second.errors == []


def test_an_error_names_game_line_ply_move_position_and_reason():
    _, game = read(f"{HEADERS}\n1. e4 1-0\n\n{HEADERS}\n1. e4 d5\n2. Qe2 d4\n3. Kd2 1-0\n")
    [error] = game.errors
    board = game.end().board()
    assert (error.game, error.line, error.ply, error.text, error.fen) == (2, 15, 5, "Kd2", board.fen())
    assert board.why_illegal(chess.Move.from_uci("e1d2")) in error.reason
    assert str(error).startswith("game 2, line 15, ply 5: Kd2: illegal move: ")
    assert isinstance(error, ValueError)
    assert pickle.loads(pickle.dumps(error)) == error


def test_a_move_after_the_end_says_how_the_game_ended():
    [game] = read(f"{HEADERS}\n{WON.removesuffix('1-0')} 4... e5 1-0")
    assert str(game.ending) == "White wins: the black king exploded on e8"
    assert game.errors[0].reason == f"a move after the end of the game: {game.ending}"
    assert game.end().ply() == 7


def test_the_result_is_read_after_an_illegal_move():
    [game] = read("1. e4 e5 2. Qd8 Nf6 0-1", variant="atomic")
    assert game.headers["Result"] == "0-1"
    assert len(game.errors) == 1


def test_an_illegal_move_in_a_variation_leaves_the_main_line_whole():
    [game] = read(f"{HEADERS}\n1. e4 (1. d4 d5 (1... Nf9 2. c4) 2. c4) 1... e5 (1... Ke7 2. d4) 2. Nf3 1-0")
    assert ucis(game) == "e2e4 e7e5 g1f3"
    assert [error.text for error in game.errors] == ["Nf9", "Ke7"]
    assert [ucis(variation) for variation in game.variations[1:]] == ["d7d5 c2c4"]


def test_text_that_is_no_game_is_reported_with_the_next_game():
    game, *others = read(f"My best games.\n\n{{And a comment.}}\n\n{HEADERS}\n1. e4 1-0\n")
    assert not others
    assert (game.errors[0].line, game.errors[0].text) == (1, "My best games.")
    assert "And a comment." in str(game)


def test_a_file_without_any_game_is_not_silent():
    [item] = read("Dear reader,\n\nthis is not PGN.\n")
    assert item.errors[0].reason == "text that is neither a header nor a move"
    assert item.end() is item


def test_headers_that_lost_a_part_are_repaired_or_reported():
    [game] = read('[Event "Rated\nAtomic game"]\n[Site here]\n[White A"]\n[Result "1-0"]\n\n1. e4 1-0\n')
    assert game.headers["Event"] == "Rated Atomic game"
    assert game.headers["Site"] == "here"
    assert [(error.line, error.reason) for error in game.errors] == [
        (3, "a header without quotes"),
        (4, "not a header"),
    ]


def test_reading_logs_nothing(caplog):
    with caplog.at_level(logging.DEBUG):
        assert read("1. Ke5 *\n")[0].errors
    assert caplog.records == []


# Variants -----------------------------------------------------------------


@pytest.mark.parametrize("name", ["Atomic", "atomic", "ATOMIC", "Atom", "Atomic Chess", "atomic_chess"])
def test_the_variant_header_counts_in_any_spelling(name):
    [game] = read(f'[Variant "{name}"]\n\n{WON}')
    assert type(game.board()) is AtomicBoard
    assert not game.board().chess960
    assert game.variant_source == "Variant header"
    assert game.errors == []


@pytest.mark.parametrize(
    ("name", "chess960"),
    [
        ("Atomic (Lichess)", False), ("Atomic, rated", False), ("FICS Atomic", False), ("chess/atomic", False),
        ("Chess960 Atomic", True), ("Fischerandom Atomic", True), ("Atomic Random", True),
    ],
)  # fmt: skip
def test_an_unknown_name_that_says_atomic_is_read_as_atomic_and_told(name, chess960):
    [game] = read(f'[Variant "{name}"]\n\n{WON}')
    assert type(game.board()) is AtomicBoard
    assert game.board().chess960 == chess960
    assert (game.errors, game.variant_source) == ([], "Variant header, assumed")
    [record] = pgn.scan(io.StringIO(f'[Variant "{name}"]\n\n{WON}'))
    assert (record.variant, record.variant_source, record.errors) == (AtomicBoard, game.variant_source, [])


@pytest.mark.parametrize("name", ["nocheckatomic", "No-check Atomic"])
def test_atomic_without_check_is_that_of_icc(name):
    [game] = read(f'[Variant "{name}"]\n\n{WON}')
    assert type(game.board()) is dialects.IccAtomicBoard
    assert game.errors == []


@pytest.mark.parametrize("name", ["Atomic960", "atomic 960", "atomic/960", "Atomic Chess960"])
def test_a_name_with_960_means_chess960(name):
    [game] = read(f'[Variant "{name}"]\n\n{WON}')
    assert type(game.board()) is AtomicBoard
    assert game.board().chess960


@pytest.mark.parametrize("header", ['Variant "wild/27"', 'Variant "w27"', 'Event "ICC w27 5 0 rated"'])
def test_the_names_of_icc_mean_its_own_rules(header):
    try:
        expected = dialects.find_variant("wild/27")
    except ValueError:
        pytest.skip("no board for wild/27")
    [game] = read(f"[{header}]\n\n1. e4 *")
    assert type(game.board()) is expected


@pytest.mark.parametrize(
    ("headers", "source"),
    [
        ('[Event "FICS rated atomic game"]\n[Site "FICS"]', "Event header"),
        ('[Event "Hourly Atomic Arena"]\n[Site "https://lichess.org"]', "Event header"),
        ('[Event "Rated Atomic game"]\n[Variant "?"]', "Event header"),
        ('[Event "?"]\n[Site "https://www.chess.com/variants/atomic/game/1"]', "Site header"),
    ],
)
def test_event_and_site_tell_the_variant_where_no_header_does(headers, source):
    [game] = read(f"{headers}\n\n{WON}")
    assert type(game.board()) is AtomicBoard
    assert game.variant_source == source
    assert game.ending.outcome is not None


@pytest.mark.parametrize("headers", ['[Site "Atomic City, Idaho"]', '[Event "Subatomic Open"]', '[Variant "Standard"]'])
def test_other_headers_do_not_mean_atomic(headers):
    [game] = read(f"{headers}\n\n1. e4 e5 *")
    assert type(game.board()) is chess.Board


def test_the_variant_header_counts_more_than_event_and_argument():
    [game] = read('[Event "Rated Atomic game"]\n[Variant "Crazyhouse"]\n\n1. e4 *', variant="atomic")
    assert game.board().uci_variant == "crazyhouse"


@pytest.mark.parametrize("variant", ["atomic", AtomicBoard])
def test_the_argument_counts_where_the_headers_say_nothing(variant):
    [game] = read(WON, variant=variant)
    assert (game.variant_source, type(game.board())) == ("variant argument", AtomicBoard)
    assert game.ending.outcome is not None


def test_an_argument_that_nobody_knows_is_an_error_of_the_caller():
    for reader in (pgn.read_games, pgn.scan):
        with pytest.raises(ValueError, match="antimatter"):
            next(reader(io.StringIO(WON), variant="antimatter"))
    with pytest.raises(ValueError, match="antimatter"):
        pgn.read_game(io.StringIO(WON), variant="antimatter")


def test_without_any_hint_a_game_is_standard_chess():
    [game] = read("1. e4 e5 *")
    assert (game.variant_source, type(game.board())) == ("default", chess.Board)


def test_an_unknown_variant_is_an_error_and_no_move_is_guessed():
    first, second = read('[Event "x"]\n[Variant "Antimatter"]\n\n1. e4 *\n\n[Variant "Atomic"]\n\n1. d4 *\n')
    assert [(error.line, error.text, error.reason) for error in first.errors] == [
        (2, "Antimatter", "unknown variant in the Variant header")
    ]
    assert first.end() is first
    first.board()
    assert ucis(second) == "d2d4"


@pytest.mark.parametrize("fen", ["?", "8/8 w - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", ""])
def test_an_invalid_fen_is_an_error_and_the_board_can_still_be_had(fen):
    first, second = read(f'[Variant "atomic"]\n[FEN "{fen}"]\n\n1. e4 *\n\n{HEADERS}\n1. d4 *\n')
    assert first.errors[0].line == 2
    assert first.errors[0].reason.startswith("invalid FEN")
    assert first.board() == AtomicBoard()
    assert ucis(second) == "d2d4"


@pytest.mark.parametrize("castling", ["BGbg", "KQkq"])
def test_castling_rights_tell_chess960(castling):
    [game] = read(
        f'[Variant "Atomic"]\n[FEN "qrkbbnrn/pppppppp/8/8/8/8/PPPPPPPP/QRKBBNRN w {castling} - 0 1"]\n\n1. Ne3 *'
    )
    assert game.board().chess960
    assert game.errors == []


def test_readers_need_no_registration_and_make_none():
    assert AtomicBoard not in chess.variant.VARIANTS
    read(f'[Variant "Atomic"]\n\n{WON}')
    assert AtomicBoard not in chess.variant.VARIANTS


# As chess.pgn -------------------------------------------------------------


class Log(chess.pgn.BaseVisitor):
    """Notes every call."""

    def __init__(self):
        self.log = []

    def begin_game(self):
        self.log.append("game")

    def begin_headers(self):
        self.headers = chess.pgn.Headers({})
        return self.headers

    def visit_header(self, tagname, tagvalue):
        self.headers[tagname] = tagvalue
        self.log.append((tagname, tagvalue))

    def end_headers(self):
        self.log.append("moves")

    def begin_parse_san(self, board, san):
        self.log.append(san)

    def visit_move(self, board, move):
        self.log.append((board.fen(), board.move_stack[:], move))

    def visit_board(self, board):
        self.log.append((board.fen(), board.move_stack[:]))

    def visit_comment(self, comment):
        self.log.append(("comment", comment))

    def visit_nag(self, nag):
        self.log.append(nag)

    def begin_variation(self):
        self.log.append("(")

    def end_variation(self):
        self.log.append(")")

    def visit_result(self, result):
        self.log.append(result)

    def end_game(self):
        self.log.append("end")

    def result(self):
        return self.log


@pytest.fixture
def registered():
    atomic_variant.register()
    yield
    atomic_variant.unregister()


VARIATIONS = f"""{HEADERS}
{{ Before. }} 1. e4! $14 {{ [%clk 0:03:00] }} {{Two.}} ( 1. d4 d5 {{ x
y }} ( 1... f5!? ) 2. c4?! ) 1... e5?? 2. Nf3+ Nc6 3. Bb5 {{ }} ({{why}} 3. Bc4) 3... -- 4. e4e5 O-O-O *

"""


@pytest.mark.parametrize(
    "name", ["made here", "lichess_misc.pgn", "fics_misc.pgn", "atomic960_misc.pgn", "shakmaty_lines_100.pgn"]
)
@pytest.mark.usefixtures("registered")
def test_visitors_are_called_as_by_chess_pgn(name):
    if name == "made here":
        good = VARIATIONS.replace(" 4. e4e5 O-O-O", "").replace("Nf3+", "Nf3").replace("Atomic", "atomic")
        text = good.replace("[White", '[Variant "Atomic"]\n[White') + random_pgn(5, clocks=True)
    else:
        text = shared_path("data", "games", name).read_text(encoding="utf-8")
    ours, theirs = io.StringIO(text), io.StringIO(text)
    while (expected := chess.pgn.read_game(theirs, Visitor=Log)) is not None:
        assert pgn.read_game(ours, Visitor=Log) == expected
        assert ours.tell() == theirs.tell()
    assert pgn.read_game(ours) is None


def test_visitors_of_chess_pgn_work():
    handle = io.StringIO(f"{HEADERS}\n{WON}")
    headers = pgn.read_game(handle, Visitor=chess.pgn.HeadersBuilder)
    assert headers["White"] == "A"
    board = pgn.read_game(io.StringIO(f"{HEADERS}\n{WON}"), Visitor=chess.pgn.BoardBuilder)
    assert type(board) is AtomicBoard
    assert len(board.move_stack) == 7
    game = pgn.read_game(io.StringIO(VARIATIONS.replace(" 4. e4e5 O-O-O", "")), Visitor=chess.pgn.GameBuilder)
    assert "} ( 1... f5 $5 ) 2. c4 $6 ) 1... e5 $4" in str(game)


@pytest.mark.parametrize("wrap", [io.StringIO, lambda text: io.TextIOWrapper(io.BytesIO(text.encode()))])
@pytest.mark.parametrize(
    "text",
    [
        f"{HEADERS}\n1. e4 e5 1-0\n\n{HEADERS}\n1. d4 Ke5 1-0\n\n{HEADERS}\n1. c4 1-0\n",
        f"{HEADERS}1. e4\n{HEADERS}1. d4 Ke5\n{HEADERS}\n{HEADERS}1. c4\n",
        "1. e4 e5 1-0 1. d4 Ke5 0-1 1. c4 *\n1. b4 *\n",
        f"1. e4{HEADERS}\n1. d4 Ke5 1-0\n",
        f"{HEADERS}\n1. e4 1-0\n{HEADERS}\n1. d4 Ke5 1-0\n".replace("\n", "\r"),
        f"{HEADERS}\n1. e4 1-0\n{HEADERS}\n1. d4 Ke5 1-0\n".replace("\n", "\r\n"),
    ],
)
def test_games_one_by_one_are_those_of_the_stream(wrap, text):
    handle = wrap(text)
    one_by_one = list(iter(lambda: pgn.read_game(handle), None))
    stream = read(text)
    assert [(str(game), game.errors) for game in one_by_one] == [(str(game), game.errors) for game in stream]
    assert len({error.game for game in stream for error in game.errors}) == 1


def test_games_one_by_one_come_from_a_pipe_too():
    class Pipe(io.StringIO):
        def tell(self):
            raise io.UnsupportedOperation("tell")

    handle = Pipe(f"{HEADERS}1. e4\n{HEADERS}1. d4\n{HEADERS}1. c4\n")
    assert [ucis(game) for game in iter(lambda: pgn.read_game(handle), None)] == ["e2e4", "d2d4", "c2c4"]


def test_a_handle_needs_only_to_read_lines():
    class Lines:
        def __init__(self, text):
            self.lines = iter(text.splitlines(keepends=True))

        def readline(self):
            return next(self.lines, "")

    text = f"{HEADERS}1. e4\n{HEADERS}1. d4\n{HEADERS}\n1. c4 1-0\n"
    handle = Lines(text)
    assert [ucis(game) for game in iter(lambda: pgn.read_game(handle), None)] == ["e2e4", "d2d4", "c2c4"]
    assert [ucis(game) for game in pgn.read_games(Lines(text))] == ["e2e4", "d2d4", "c2c4"]


@pytest.mark.parametrize("module", [gzip, bz2, lzma])
def test_a_compressed_handle_is_read_once_from_front_to_back(module):
    class Counted(io.BytesIO):
        count = 0

        def read(self, *args):
            Counted.count += len(data := super().read(*args))
            return data

    rng = random.Random(1)
    games = "".join(f'{HEADERS}[Round "{rng.random()}"]\n\n1. e4 e5 1-0\n\n' for _ in range(3000))
    packed = module.compress(games.encode())
    with module.open(Counted(packed), "rt") as handle:
        assert sum(1 for _ in iter(lambda: pgn.read_game(handle), None)) == 3000
    assert Counted.count <= len(packed)


def test_a_handle_of_codecs_loses_no_game(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(f"{HEADERS}\n1. e4 e5 1-0\n\n" * 300)
    with codecs.getreader("latin-1")(path.open("rb")) as handle:
        assert [game.line for game in iter(lambda: pgn.read_game(handle), None)] == list(range(1, 300 * 7, 7))


def test_the_place_of_a_game_can_be_returned_to():
    handle = io.StringIO(f"{HEADERS}1. e4\n{HEADERS}1. d4\n{HEADERS}\n1. c4 1-0\n\n")
    places = []
    while True:
        place = handle.tell()
        game = pgn.read_game(handle)
        if game is None:
            break
        places.append((place, ucis(game)))
    assert len(places) == 3
    for place, moves in reversed(places):
        handle.seek(place)
        assert ucis(pgn.read_game(handle)) == moves


# Real games ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "count"),
    [("lichess_misc.pgn", 7), ("fics_misc.pgn", 3), ("atomic960_misc.pgn", 2), ("shakmaty_lines_100.pgn", 100)],
)
def test_real_games_read_without_error(pattern, count):
    games = list(pgn.read_games(shared_path("data", "games", pattern)))
    assert len(games) == count
    assert [game.errors for game in games] == [[]] * count
    assert {type(game.board()) for game in games} == {AtomicBoard}


def test_fics_games_read_the_same_without_a_variant_header():
    folder = shared_path("data", "games")
    [bare] = folder.glob("fics*_150_no_variant_header.pgn")
    games = list(pgn.read_games(bare))
    named = list(pgn.read_games(folder / bare.name.replace("_no_variant_header", "")))
    assert len(games) == len(named) == 150
    assert not any(game.errors for game in games + named)
    assert [ucis(game) for game in games] == [ucis(game) for game in named]
    assert [game.ending for game in games] == [game.ending for game in named]
    assert {game.variant_source for game in games} == {"Event header"}


def test_items_that_are_no_games_come_out_once_each():
    games = list(pgn.read_games(shared_path("data", "games", "bad_random_uci_100.pgn"), variant="atomic"))
    assert len(games) == 100
    assert all(game.errors and game.headers["Event"] == "Book Extraction" for game in games)
