"""The example games show what they promise, and the script that makes them does its work."""

from __future__ import annotations

import importlib.util
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import chess
import chess.pgn
import chess.variant
import pytest

import atomic_variant.pgn
from atomic_variant import AtomicBoard, host

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "examples" / "games.pgn"
SCRIPT = ROOT / "examples" / "make_games.py"


def read(text: str) -> list[chess.pgn.Game]:
    handle = io.StringIO(text)
    return list(iter(lambda: atomic_variant.pgn.read_game(handle), None))


def read_on_stock_boards(text: str) -> list[chess.pgn.Game]:
    handle = io.StringIO(text)
    return list(iter(lambda: chess.pgn.read_game(handle), None))


@pytest.fixture(scope="module")
def games() -> list[chess.pgn.Game]:
    return read(GAMES.read_text(encoding="utf-8"))


def comments(node: chess.pgn.GameNode) -> str:
    """The comments of a move: one text, or in later versions of python-chess a list."""
    return host.comment(node)


def plies(games: list[chess.pgn.Game]) -> Iterator[tuple[AtomicBoard, chess.Move]]:
    """Every position of the games with the move played in it."""
    for game in games:
        for node in game.mainline():
            assert node.parent is not None
            board = node.parent.board()
            assert isinstance(board, AtomicBoard)
            yield board, node.move


# --- The games ---------------------------------------------------------------


def test_there_are_a_few_dozen_games_in_a_small_file(games):
    assert 40 <= len(games) <= 60
    assert GAMES.stat().st_size < 150_000


def test_every_game_reads_without_error_on_our_boards_and_on_those_of_python_chess(games):
    stock_games = read_on_stock_boards(GAMES.read_text(encoding="utf-8"))
    assert [game.errors for game in games] == [[]] * len(games)
    assert [game.errors for game in stock_games] == [[]] * len(games)
    for game, stock_game in zip(games, stock_games, strict=True):
        assert type(stock_game.board()) is chess.variant.AtomicBoard
        assert list(game.mainline_moves()) == list(stock_game.mainline_moves())
        assert game.end().board().fen() == stock_game.end().board().fen()


def test_every_move_of_main_lines_and_variations_is_legal_on_both_boards(games):
    def check(node: chess.pgn.GameNode, ours: AtomicBoard, stock: chess.variant.AtomicBoard) -> int:
        count = 0
        for child in node.variations:
            assert ours.is_legal(child.move)
            assert stock.is_legal(child.move)
            ours.push(child.move)
            stock.push(child.move)
            count += 1 + check(child, ours, stock)
            ours.pop()
            stock.pop()
        return count

    for game in games:
        ours = game.board()
        stock = chess.variant.AtomicBoard(ours.fen(), chess960=ours.chess960)
        assert ours.is_valid()
        assert stock.is_valid()
        assert check(game, ours, stock) >= len(list(game.mainline()))


def test_writing_the_games_again_gives_the_same_file(games):
    written = "".join(game.accept(chess.pgn.StringExporter(columns=90)) + "\n\n" for game in games)
    assert written == GAMES.read_text(encoding="utf-8")


def test_every_game_has_the_seven_tags_and_says_how_it_was_played(games):
    for game in games:
        assert list(game.headers)[:7] == ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
        assert game.headers["Variant"] == "Atomic"
        assert game.headers["TimeControl"]
        assert re.fullmatch(r"\d{4}\.\d\d\.\d\d", game.headers["Date"])
        assert ("SetUp" in game.headers) <= ("FEN" in game.headers)
    assert [game.headers["Round"] for game in games] == [str(number) for number in range(1, len(games) + 1)]


def test_the_result_agrees_with_the_last_position(games):
    for game in games:
        board = game.end().board()
        outcome = board.outcome(claim_draw=True)
        last_words = comments(game.end())
        if outcome is not None:
            assert game.headers["Result"] == outcome.result()
            assert game.headers["Termination"] == "normal"
            assert str(board.describe_outcome(claim_draw=True)) in last_words
        elif game.headers["Termination"] == "unterminated":
            assert game.headers["Result"] == "*"
        else:
            # Who resigned or has no time left is to move.
            assert "resigns" in last_words or "no time left" in last_words
            assert game.headers["Result"] == ("0-1" if board.turn else "1-0")


def test_no_game_goes_on_after_its_end(games):
    assert not any(board.is_game_over() for board, _ in plies(games))


def test_games_end_in_every_way(games):
    stock_ends = [chess.variant.AtomicBoard(game.end().board().fen()) for game in games]
    assert any(board.is_variant_end() for board in stock_ends)
    assert any(board.is_checkmate() for board in stock_ends)
    assert any(board.is_stalemate() for board in stock_ends)
    assert any(board.occupied == board.kings and len(board.piece_map()) == 2 for board in stock_ends)
    assert any(board.halfmove_clock == 150 for board in stock_ends)
    assert any(game.headers["Termination"] == "time forfeit" for game in games)
    assert any(game.headers["Result"] == "*" for game in games)

    terminations = [outcome.termination for game in games if (outcome := game.end().board().outcome(claim_draw=True))]
    assert {
        chess.Termination.THREEFOLD_REPETITION,
        chess.Termination.FIVEFOLD_REPETITION,
        chess.Termination.FIFTY_MOVES,
        chess.Termination.SEVENTYFIVE_MOVES,
        chess.Termination.INSUFFICIENT_MATERIAL,
    } <= set(terminations)
    assert {"1-0", "0-1", "1/2-1/2", "*"} == {game.headers["Result"] for game in games}


def test_a_side_castles_while_the_kings_touch(games):
    castlings = [(board, move) for board, move in plies(games) if board.is_castling(move)]
    touching = [
        board for board, _ in castlings if chess.square_distance(board.king(chess.WHITE), board.king(chess.BLACK)) == 1
    ]
    assert touching
    assert len(castlings) > len(touching)


def test_a_side_castles_past_an_attack_that_touching_kings_annul(games):
    def crosses_attack(board: AtomicBoard, move: chess.Move) -> bool:
        king = board.king(board.turn)
        target = chess.square(6 if chess.square_file(move.to_square) > chess.square_file(king) else 2, king // 8)
        return any(board.is_attacked_by(not board.turn, square) for square in chess.SquareSet.between(king, target))

    assert any(board.is_castling(move) and crosses_attack(board, move) for board, move in plies(games))


def test_chess960_games_castle_from_squares_of_their_own(games):
    castlers = [board.king(board.turn) for board, move in plies(games) if board.chess960 and board.is_castling(move)]
    assert any(square not in (chess.E1, chess.E8) for square in castlers)


def test_en_passant_explodes_pieces_and_a_king(games):
    blasts = [
        chess.SquareSet(chess.BB_KING_ATTACKS[move.to_square] & board.occupied & ~board.pawns)
        for board, move in plies(games)
        if board.is_en_passant(move)
    ]
    assert any(blasts)
    ends = [game.end() for game in games if game.end().parent.board().is_en_passant(game.end().move)]
    assert any(end.board().king(end.turn()) is None for end in ends)


def test_pawns_promote_by_push_and_by_capture_to_more_than_queens(games):
    promotions = [(board.is_capture(move), move.promotion) for board, move in plies(games) if move.promotion]
    assert any(capture for capture, _ in promotions)
    assert any(not capture for capture, _ in promotions)
    assert any(not capture and promotion != chess.QUEEN for capture, promotion in promotions)


def test_a_side_in_check_explodes_the_king_or_walks_next_to_it(games):
    checked = [(board, move) for board, move in plies(games) if board.is_check()]
    assert any(board.explodes_king(move) for board, move in checked)
    answered = []
    for board, move in checked:
        board.push(move)
        answered.append(board)
    assert any(board.kings_touch() for board in answered)


def test_games_carry_clocks_evaluations_comments_and_judged_moves_with_better_lines(games):
    nodes = [node for game in games for node in game.mainline()]
    assert any(node.clock() is not None for node in nodes)
    assert any((score := node.eval()) is not None and score.is_mate() for node in nodes)
    assert any(node.eval() is not None and not node.eval().is_mate() for node in nodes)
    assert any(node.eval() is not None and node.clock() is not None for node in nodes)
    assert any(node.eval() is None and node.clock() is None for node in nodes)
    assert any("Explosion on" in comments(node) for node in nodes)
    assert {chess.pgn.NAG_BLUNDER, chess.pgn.NAG_MISTAKE} == {nag for node in nodes for nag in node.nags}

    variations = [child for node in nodes for child in node.parent.variations[1:]]
    assert variations
    assert all(child.eval_depth() for child in variations)
    assert any(child.end().ply() > child.ply() + 3 for child in variations)


def test_a_clock_runs_down_by_at_most_its_increment_the_other_way(games):
    for game in games:
        if game.headers["TimeControl"] == "-":
            assert all(node.clock() is None for node in game.mainline())
            continue
        seconds, increment = map(int, game.headers["TimeControl"].split("+"))
        left = dict.fromkeys(chess.COLORS, float(seconds))
        for node in game.mainline():
            clock = node.clock()
            assert clock is not None
            assert 0 <= clock <= left[not node.turn()] + increment
            left[not node.turn()] = clock


# --- The script --------------------------------------------------------------

ENGINE = """
import sys
import chess
from atomic_variant import AtomicBoard

# Plays the first legal moves of the list, and values them by their names.
variants = "VARIANTS"
board = AtomicBoard()
lines = 1
annotated = False
for command in map(str.split, sys.stdin):
    if command[0] == "uci":
        print("id name Alphabet [test]")
        print("option name MultiPV type spin default 1 min 1 max 500")
        print("option name UCI_Chess960 type check default false")
        if variants:
            print("option name UCI_Variant type combo default chess", *("var " + v for v in variants.split()))
        print("uciok")
    elif command[0] == "isready":
        print("readyok")
    elif command[0] == "setoption" and command[2] == "MultiPV":
        lines = int(command[4])
    elif command[0] == "position":
        moves = command[command.index("moves") + 1:] if "moves" in command else []
        board = AtomicBoard() if command[1] == "startpos" else AtomicBoard(" ".join(command[2:8]))
        for move in moves:
            board.push_uci(move)
    elif command[0] == "go":
        annotating, annotated = lines == 1, annotated or lines == 1
        if annotated and not annotating and "--mortal" in sys.argv:
            sys.exit("dead after a game")
        found = sorted(board.legal_moves, key=lambda move: (sum(map(ord, board.fen() + move.uci())) % 97, move.uci()))
        for number, move in enumerate(found[:lines], 1):
            print("info depth 1 multipv", number, "score cp", 10 - 3 * number, "nodes 100 pv", move.uci())
        print("bestmove", found[0].uci())
    elif command[0] == "quit":
        break
    sys.stdout.flush()
"""


def fake_engine(folder: Path, variants: str) -> str:
    """The command of a UCI engine that announces *variants*."""
    path = folder / "engine.py"
    path.write_text(ENGINE.replace("VARIANTS", variants), encoding="utf-8")
    return shlex.join([sys.executable, str(path)])


def run(engine: str, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, str(SCRIPT), "--engine", engine, "--out", str(out), *options],
        capture_output=True,
        text=True,
        timeout=900,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_games", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # Data classes look themselves up.
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("variants", ["", "chess crazyhouse", "chess nocheckatomic atomar"])
def test_an_engine_without_atomic_is_refused_and_no_file_is_touched(tmp_path, variants):
    out = tmp_path / "games.pgn"
    out.write_text("games of another day", encoding="utf-8")
    done = run(fake_engine(tmp_path, variants), out)
    assert done.returncode == 2
    assert "does not play atomic" in done.stderr
    assert "Traceback" not in done.stderr
    assert out.read_text(encoding="utf-8") == "games of another day"


@pytest.mark.parametrize("command", ["no-such-engine-anywhere", "", shlex.join([sys.executable, "-c", "pass"])])
def test_a_command_that_is_no_engine_is_refused(tmp_path, command):
    done = run(command, tmp_path / "games.pgn")
    assert done.returncode == 2
    assert "does not start as a UCI engine" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_same_seed_gives_the_same_games_and_another_seed_others(tmp_path):
    engine = fake_engine(tmp_path, "chess atomic")
    texts = []
    for name, seed in (("a", "7"), ("b", "7"), ("c", "8")):
        done = run(engine, tmp_path / name, "--games", "1", "--seed", seed, "--date", "2001.02.03")
        assert done.returncode == 0, done.stderr
        texts.append((tmp_path / name).read_text(encoding="utf-8"))
    assert texts[0] == texts[1] != texts[2]

    (game,) = read(texts[0])
    assert game.errors == []
    assert game.headers["Date"] == "2001.02.03"
    assert game.headers["Annotator"] == "Alphabet"
    assert game.end().board().outcome(claim_draw=True)


def test_games_written_before_the_engine_dies_are_kept(tmp_path):
    out = tmp_path / "games.pgn"
    done = run(fake_engine(tmp_path, "chess atomic") + " --mortal", out, "--games", "3")
    assert done.returncode == 2
    assert "the games end here" in done.stderr
    assert "Traceback" not in done.stderr
    assert [game.errors for game in read(out.read_text(encoding="utf-8"))] == [[]]


def test_every_start_of_a_theme_is_a_legal_position_that_goes_on(script):
    for theme in script.THEMES:
        for fen in theme.starts:
            board = AtomicBoard(fen)
            board.chess960 = board.has_chess960_castling_rights()
            assert board.fen() == fen
            assert board.is_valid(), fen
            assert board.outcome() is None, fen


def test_a_large_explosion_is_told_in_words(script):
    board = AtomicBoard("rnbqkbnr/ppp1pppp/8/3N4/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 3")
    assert script.describe_explosion(board, board.parse_san("Nxc7")) == (
        "Explosion on c7: White loses Nd5; Black loses c7, Nb8, Bc8, Qd8."
    )
    assert script.describe_explosion(AtomicBoard(), chess.Move.from_uci("e2e4")) == ""


def test_who_runs_out_of_time_draws_against_a_side_that_cannot_win(script):
    assert script.conclude(AtomicBoard("8/4k3/8/8/8/8/8/4K2R w - - 0 1"), "time_forfeit")[0] == "1/2-1/2"
    assert script.conclude(AtomicBoard("8/4k3/8/8/8/8/8/4K2R b - - 0 1"), "time_forfeit")[0] == "1/2-1/2"
    assert script.conclude(AtomicBoard("8/4k3/8/8/8/8/8/4K2Q b - - 0 1"), "time_forfeit")[0] == "1-0"


@pytest.mark.skipif("ATOMIC_VARIANT_ENGINE" not in os.environ, reason="ATOMIC_VARIANT_ENGINE names no engine")
def test_a_real_engine_makes_games(tmp_path):
    out = tmp_path / "games.pgn"
    done = run(os.environ["ATOMIC_VARIANT_ENGINE"], out, "--games", "5", "--seed", "3")
    assert done.returncode == 0, done.stderr
    games = read(out.read_text(encoding="utf-8"))
    assert [game.errors for game in games] == [[]] * 5
    assert any(board.is_castling(move) and board.kings_touch() for board, move in plies(games[4:]))


def test_the_picture_on_the_front_page_is_what_its_script_draws(tmp_path):
    script, picture = ROOT / "examples" / "draw_explosion.py", ROOT / "examples" / "explosion.svg"
    subprocess.run([sys.executable, script, "--out", tmp_path / "drawn.svg"], check=True, timeout=60, cwd=ROOT)
    assert (tmp_path / "drawn.svg").read_bytes() == picture.read_bytes()
    assert f"(examples/{picture.name})" in (ROOT / "README.md").read_text(encoding="utf-8")
