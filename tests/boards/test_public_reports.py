"""
Positions and games of public bug reports, with the answer that was found right.

The reports lie beside the repository and say in words what is expected; here
each of them is a check of our board.
"""

import io
import json

import chess
import pytest

from atomic_variant import AtomicBoard, find_variant
from atomic_variant.perft import perft
from atomic_variant.pgn import read_game

from ..support.pictures import uci
from ..support.shared import SHARED, shared_path

REPORTS = SHARED / "cases" / "public_reports.json"

CHECKS = {}


def check(*ids):
    """Registers the check of the reports with these *ids*."""

    def add(function):
        for report_id in ids:
            assert report_id not in CHECKS
            CHECKS[report_id] = function
        return function

    return add


def before(report) -> AtomicBoard:
    return AtomicBoard(report["fen"], chess960=report["chess960"])


def after(report) -> AtomicBoard:
    board = before(report)
    for move in report["moves"]:
        try:
            board.push_uci(move)
        except chess.InvalidMoveError:
            board.push_san(move)
    return board


def expects_legal(report) -> bool:
    """Whether a report about one move says that it is legal."""
    assert "legal" in report["expected"]
    return "illegal" not in report["expected"]


@check("cas-01", "cas-03", "cas-08", "cas-10", "chk-08", "chk-14", "chk-16")
def moves_named_by_the_other_boards(report):
    board = before(report)
    for move in json.loads(report["python_chess"]):
        assert board.is_legal(uci(move)) == (move in map(board.uci, board.legal_moves)) == expects_legal(report)


@check("cas-05", "cas-06b")
def reply_count_does_not_depend_on_the_way_there(report):
    board = after(report)
    assert board.legal_moves.count() == AtomicBoard(board.fen(), chess960=True).legal_moves.count() == 12


@check("cas-12")
def castling_in_the_list_and_the_control_not(report):
    board = before(report)
    assert uci("d8c8") in list(board.legal_moves)
    assert uci("d8e8") not in list(board.legal_moves)


@check("cas-15")
def a_distant_explosion_takes_no_castling_right(report):
    board = after(report)
    assert board.castling_rights == chess.BB_A1 | chess.BB_H1 | chess.BB_A8


@check("cas-17")
def an_exploded_rook_does_not_castle(report):
    board = after(report)
    assert not board.castling_rights
    assert not list(board.generate_castling_moves())


@check("cas-19")
def a_rook_that_explodes_as_a_neighbour_loses_its_right(report):
    assert after(report).fen().split()[2] == "K"


@check("cas-21")
def castling_in_chess960_leads_to_the_expected_position(report):
    assert after(report) == AtomicBoard(report["expected"], chess960=True)
    assert after(report).fen(shredder=True) == report["expected"]


@check("chk-02", "end-06", "eng-18")
def the_game_goes_on(report):
    board = after(report)
    assert board.outcome() is None
    assert board.describe_outcome() is None
    assert any(board.legal_moves)


@check("chk-05")
def a_check_is_answered_by_exploding_the_king(report):
    board = after(report)
    assert board.outcome().winner == chess.BLACK
    assert board.describe_outcome() == "Black wins: the white king exploded on e1"


@check("chk-10")
def check_returns_when_kings_part(report):
    assert after(report).is_check()


@check("chk-12")
def a_check_is_met_by_exploding_a_neighbour_of_the_checker(report):
    assert before(report).parse_san("Bxd7") == uci("b5d7")


@check("chk-18")
def a_line_with_en_passant_does_not_crash(report):
    board = before(report)
    assert board.legal_moves.count() == int(report["python_chess"])
    assert perft(board, 3) > 0


@check("chk-20")
def any_number_of_checkers_is_valid(report):
    board = before(report)
    assert board.is_valid()


@check("exp-02")
def en_passant_explodes(report):
    assert after(report).fen() == report["python_chess"]


@check("exp-07")
def undo_gives_the_position_back(report):
    board = after(report)
    exploded = board.fen()
    board.pop()
    assert board.fen() == report["fen"]
    board.push_uci(report["moves"][0])
    assert board.fen() == exploded == report["python_chess"]


@check("end-02", "end-12")
def drawn_by_material(report):
    board = after(report)
    assert board.outcome() == chess.Outcome(chess.Termination.INSUFFICIENT_MATERIAL, None)


@check("end-04")
def a_bare_king_does_not_win_on_time(report):
    board = after(report)
    assert board.has_insufficient_material(chess.WHITE)
    assert not board.has_insufficient_material(chess.BLACK)


@check("end-08")
def a_closed_position_is_a_draw_where_asked_for(report):
    board = after(report)
    assert board.is_closed_position()
    assert board.outcome() is None
    assert board.outcome(closed_draw=True).winner is None


@check("end-10", "end-16")
def mate(report):
    board = after(report)
    assert board.outcome(closed_draw=True) == chess.Outcome(chess.Termination.CHECKMATE, chess.WHITE)


@check("end-14")
def stalemate_as_the_king_may_not_capture(report):
    board = after(report)
    assert board.is_stalemate()
    assert board.result() == "1/2-1/2"


@check("end-19")
def the_only_legal_move_wins(report):
    board = before(report)
    assert [move.uci() for move in board.legal_moves] == ["b4d2"]
    assert board.explodes_king(uci("b4d2"))


@check("ins-01", "ins-03", "ins-05", "ins-07")
def insufficient_material(report):
    board = before(report)
    expected = json.loads(report["expected"].lower())
    assert [board.has_insufficient_material(color) for color in (chess.WHITE, chess.BLACK)] == expected


@check("obs-06")
def a_minor_piece_against_a_bare_king_is_insufficient(report):
    assert before(report).is_insufficient_material()


@check("san-02")
def a_check_is_written_with_a_plus(report):
    board = before(report)
    for san in report["moves"]:
        move = board.parse_san(san)
        assert board.san(move) == san
        board.push(move)


@check("pgn-02", "pgn-04", "pgn-07")
def a_strange_file_neither_stops_the_reader_nor_passes_for_an_atomic_game(report):
    handle = io.StringIO(report["pgn"])
    games = []
    while (game := read_game(handle)) is not None:
        games.append(game)
        assert len(games) < 10
    assert games
    assert any(game.errors or list(game.mainline()) for game in games)


@check("pgn-06")
def a_game_without_a_variant_header_is_legal_atomic_chess(report):
    # That it is atomic is for readers to find out; its moves are for the board.
    game = read_game(io.StringIO('[Variant "Atomic"]\n' + report["pgn"]))
    assert not game.errors
    assert game.end().board().outcome().winner == chess.WHITE


@check("var-atomic", "var-Atom", "var-atomic960")
def the_name_of_the_variant_is_known(report):
    game = read_game(io.StringIO(report["pgn"]))
    assert not game.errors
    assert type(game.board()) is AtomicBoard


@check("var-Atomic_Chess960", "var-atomic_960")
def the_name_of_the_variant_is_known_in_other_spellings(report):
    name = report["pgn"].split('"')[1]
    assert find_variant(name) is AtomicBoard
    assert not read_game(io.StringIO(report["pgn"])).errors


@check("obs-02")
def there_is_a_predicate_for_a_winning_explosion(report):
    board = before(report)
    move = uci(report["moves"][0])
    assert board.explodes_king(move)
    assert not board.gives_check(move)


@check("obs-04")
def chess960_is_kept_for_the_standard_start(report):
    # In a board; a FEN of the standard start cannot tell it.
    board = AtomicBoard.from_chess960_pos(518)
    assert board.chess960
    assert board.copy().chess960
    assert board.fen() == report["fen"]


@check("obs-08")
def a_draw_by_material_is_no_end_by_the_rules_of_the_variant(report):
    board = before(report)
    assert not board.is_variant_end()
    assert board.outcome().winner is None


@check("obs-14")
def no_pseudo_legal_move_is_legal_after_a_king_exploded(report):
    board = before(report)
    assert any(board.pseudo_legal_moves)
    assert not any(board.is_legal(move) for move in board.pseudo_legal_moves)
    assert {board.why_illegal(move) for move in board.pseudo_legal_moves} == {"the game is over, White has no king"}


@check("obs-10")
def the_start_has_the_number_of_sequences_that_most_count(report):
    assert report["expected"].startswith("4864979")
    assert perft(before(report), 4) == 197326  # Depth five is in the perft files.


@check("obs-12")
def a_missing_king_is_valid_for_the_side_to_move(report):
    board = before(report)
    assert board.outcome().winner == chess.WHITE
    board.turn = chess.BLACK
    assert board.is_valid()


@check("obs-16")
def attackers_are_geometry_and_check_is_the_rule(report):
    board = before(report)
    assert board.is_attacked_by(chess.BLACK, chess.D4)
    assert not board.is_check()
    assert board.legal_moves.count() == len(list(board.legal_moves)) > 0


def _reports():
    return json.loads(REPORTS.read_text(encoding="utf-8")) if REPORTS.exists() else []


@pytest.mark.parametrize("report", _reports(), ids=lambda report: report["id"])
def test_a_public_report_has_the_answer_that_was_found_right(report):
    CHECKS[report["id"]](report)


def test_every_public_report_is_checked():
    shared_path("cases", "public_reports.json")
    assert {report["id"] for report in _reports()} == set(CHECKS)
