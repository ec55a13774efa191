"""
A real engine plays, annotates and agrees with our legal moves at every ply.

The environment variable ``ATOMIC_VARIANT_ENGINE`` holds its command line;
without it these tests are skipped.
"""

import io
import os
import random
import shlex
import shutil
import subprocess
import threading
import warnings

import chess
import chess.engine
import pytest

from atomic_variant import AtomicBoard, SparkBoard, dialects, engine, pgn

GAMES = 20
MAX_PLIES = 40


@pytest.fixture(scope="module")
def command():
    text = os.environ.get(engine.COMMAND_VARIABLE)
    if not text:
        pytest.skip(f"no engine: {engine.COMMAND_VARIABLE} is not set")
    return shlex.split(text)


@pytest.fixture(scope="module")
def opened(command):
    """Opens the engine for a board class, once for all tests."""
    engines = {}

    def get(board_class):
        if board_class not in engines:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", engine.EngineApproximationWarning)
                engines[board_class] = engine.open_engine(command, board_class, timeout=60.0)
        return engines[board_class]

    yield get
    for one in engines.values():
        one.close()


@pytest.fixture(scope="module")
def list_moves(command):
    """What ``go perft 1`` of the engine lists, an extension of Stockfish."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    watchdog = threading.Timer(600, process.kill)
    watchdog.start()

    def moves(board, variant):
        root = board.root()
        print(f"setoption name UCI_Variant value {variant}", file=process.stdin)
        print(f"setoption name UCI_Chess960 value {str(board.chess960).lower()}", file=process.stdin)
        position = f"position fen {root.fen(shredder=board.chess960, en_passant='fen')} moves"
        print(position, *(move.uci() for move in board.move_stack), file=process.stdin)
        print("go perft 1", file=process.stdin)
        found = set()
        for line in process.stdout:
            text, colon, _ = line.partition(": ")
            if line.startswith("Nodes searched"):
                return found
            if colon and chess.engine.UCI_REGEX.match(text):
                found.add(chess.Move.from_uci(text))
        raise AssertionError("the engine died")

    yield moves
    watchdog.cancel()
    print("quit", file=process.stdin)
    process.stdin.close()
    process.stdout.close()
    process.kill()
    process.wait()


def dialect(name):
    return getattr(dialects, name, None) or pytest.skip(f"no {name}")


def opening(board, generator, plies=4):
    """A position some random moves into a game."""
    while True:
        start = board.copy()
        for _ in range(plies):
            if start.is_game_over():
                break
            start.push(generator.choice(list(start.legal_moves)))
        if not start.is_game_over():
            return start


def self_play(engine_, board, seed, check):
    """A game of the engine against itself; *check* sees every position."""
    game = engine.play(
        board,
        engine_,
        engine_,
        limit=chess.engine.Limit(depth=1 + seed % 3),
        adjudication=engine.Adjudication(max_plies=MAX_PLIES),
        on_move=lambda node: check(node.board()),
    )
    assert not game.errors
    assert game.headers["Termination"] in ("normal", "adjudication")
    again = pgn.read_game(io.StringIO(str(game)))
    assert not again.errors
    assert again.end().board().fen() == game.end().board().fen()
    return game


def check_atomic(list_moves):
    def check(board):
        ours = set(board.generate_legal_moves())
        # Without a king there are no moves for us; the engine agrees.
        theirs = list_moves(board, "atomic")
        missed = ours - theirs
        # The engine takes a castling rook away that stays where it is, so it
        # misses that the rook shields the king.
        assert not any(castling_moves_rook(board, move) for move in missed), (board.fen(), missed)
        assert not theirs - ours, (board.fen(), theirs - ours)

    return check


def castling_moves_rook(board, move):
    if not board.is_castling(move):
        return True
    rook_file = 3 if board.is_queenside_castling(move) else 5
    return chess.square_file(move.to_square) != rook_file


def test_self_play_agrees_at_every_ply_in_atomic_chess(opened, list_moves):
    for seed in range(GAMES):
        self_play(opened(AtomicBoard), opening(AtomicBoard(), random.Random(seed)), seed, check_atomic(list_moves))


def test_self_play_agrees_at_every_ply_in_chess960_atomic(opened, list_moves):
    generator = random.Random(960)
    for seed in range(GAMES):
        board = opening(AtomicBoard.from_chess960_pos(generator.randrange(960)), generator)
        self_play(opened(AtomicBoard), board, seed, check_atomic(list_moves))


def test_self_play_agrees_at_every_ply_in_the_dialect_of_chessplayx(opened, list_moves):
    board_class = dialect("ChessPlayXAtomicBoard")
    for seed in range(GAMES):
        board = opening(board_class(), random.Random(seed + 100))
        self_play(opened(board_class), board, seed, check_atomic(list_moves))


def test_self_play_agrees_at_every_ply_in_the_dialect_of_icc(opened, list_moves):
    board_class = dialect("IccAtomicBoard")

    def check(board):
        # The engine lists moves that explode the own king, and then loses.
        own_king = board.kings & board.occupied_co[board.turn]
        theirs = {move for move in list_moves(board, "nocheckatomic") if not board.explosion_mask(move) & own_king}
        assert set(board.generate_legal_moves()) == theirs, board.fen()

    for seed in range(GAMES):
        self_play(opened(board_class), opening(board_class(), random.Random(seed + 200)), seed, check)


def test_self_play_agrees_at_every_ply_in_the_dialect_of_buho21(opened, list_moves):
    board_class = dialect("Buho21AtomicBoard")

    def check(board):
        ours = set(board.generate_legal_moves())
        theirs = list_moves(board, "atomic")
        assert not ours - theirs, board.fen()
        # What the dialect forbids has to do with touching kings.
        for move in theirs - ours:
            after = AtomicBoard(board.fen(), chess960=board.chess960)
            touched = after.kings_touch()
            after.push(move)
            assert touched or after.kings_touch(), (board.fen(), move)

    for seed in range(GAMES):
        self_play(opened(board_class), opening(board_class(), random.Random(seed + 300)), seed, check)


# Positions in which the rules of atomic chess are hard to get right: touching
# kings, castling beside the enemy king, en passant next to kings, promotion.
HARD = [
    "3k4/7r/3K4/8/8/8/8/8 w - - 0 1",
    "3k4/3K3r/8/8/8/P7/8/8 w - - 0 1",
    "8/8/8/3k4/3K4/1B6/8/8 w - - 0 1",
    "8/8/8/8/8/8/4k3/R3K2q w Q - 0 1",
    "r3k2R/4K3/8/8/8/8/8/8 b q - 0 1",
    "8/5K2/8/3Pp3/8/8/8/k7 w - e6 0 1",
    "8/8/8/3Pp3/4K3/8/8/k7 w - e6 0 1",
    "1n5k/P7/8/8/8/8/8/K7 w - - 0 1",
    "Kn5k/P7/8/8/8/8/8/8 w - - 0 1",
    "k7/pp5R/8/8/3Q4/8/PP6/K1r5 w - - 1 2",
    "5b1r/1p5p/4ppp1/4Bn2/1PPP1PP1/4P2P/3k4/4K2R w K - 1 1",
]


@pytest.mark.parametrize("fen", HARD)
def test_the_engine_agrees_in_positions_that_are_hard(opened, list_moves, fen):
    board = AtomicBoard(fen)
    check_atomic(list_moves)(board)
    assert opened(AtomicBoard).play(board, chess.engine.Limit(depth=4)).move in board.legal_moves


def test_a_dialect_is_kept_to_our_moves_where_the_engine_would_play_others(opened):
    buho21, icc = dialect("Buho21AtomicBoard"), dialect("IccAtomicBoard")
    for board_class, fen in [
        (buho21, "3k4/7r/3K4/8/8/8/8/8 w - - 0 1"),
        (buho21, "8/8/8/8/8/8/4k3/R3K2q w Q - 0 1"),
        (icc, "8/8/8/3k4/3K4/1B6/8/8 w - - 0 1"),
        (icc, "k7/1R6/8/8/2K5/8/8/8 b - - 0 1"),
    ]:
        board = board_class(fen)
        infos = opened(board_class).analyse(board, chess.engine.Limit(depth=6), multipv=20)
        assert {info["pv"][0] for info in infos} == set(board.legal_moves)


@pytest.fixture(params=["named", "installed"])
def any_command(request):
    if request.param == "named":
        return request.getfixturevalue("command")
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games"])
    return [shutil.which("fairy-stockfish", path=path) or pytest.skip("no native Fairy-Stockfish is installed")]


@pytest.mark.parametrize("limit", [chess.engine.Limit(depth=3), chess.engine.Limit(time=0.1)])
def test_matches_in_the_xboard_protocol_are_played_to_their_end(any_command, limit):
    try:
        white = engine.open_engine(any_command, protocol="xboard", timeout=60.0)
    except engine.UnsupportedVariantError as err:
        pytest.skip(str(err))
    with white, engine.open_engine(any_command, protocol="xboard", timeout=60.0) as black:
        for seed in range(40):
            board = opening(AtomicBoard(), random.Random(seed))
            game = engine.play(board, white, black, limit=limit, adjudication=engine.Adjudication(max_plies=200))
            assert not game.errors
            assert game.headers["Termination"] in ("normal", "adjudication")


def test_an_engine_is_refused_a_dialect_that_it_does_not_know(command):
    try:
        engine.open_engine(command, SparkBoard, timeout=60.0).close()
    except engine.UnsupportedVariantError as err:
        assert "sparkchess" in str(err)  # noqa: PT017 # An engine that knows it is no failure.


def test_annotating_a_game_finds_the_missed_explosion(opened):
    game = pgn.read_game(io.StringIO('[Variant "Atomic"]\n\n1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Ng8 4. a3 Kf7 *'))
    engine.annotate(game, opened(AtomicBoard), chess.engine.Limit(depth=6))
    assert all(node.eval() is not None for node in game.mainline())
    missed = [node for node in game.mainline() if chess.pgn.NAG_BLUNDER in node.nags]
    assert "a3" in [node.san() for node in missed]
    before = game.end().parent.parent
    assert any(before.board().explodes_king(child.move) for child in before.variations[1:])


def test_annotations_at_a_fixed_depth_can_be_repeated(opened):
    text = '[Variant "Atomic"]\n\n1. Nf3 f6 2. e3 d5 3. Ng5 Bg4 4. f3 fxg5 5. d4 e6 *'
    games = [pgn.read_game(io.StringIO(text)) for _ in range(2)]
    for game in games:
        engine.annotate(game, opened(AtomicBoard), chess.engine.Limit(depth=6))
    assert str(games[0]) == str(games[1])
