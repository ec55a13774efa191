"""Every move that chess.pgn finds in a main line, our readers find too, and no wrong one."""

import io
import random
from pathlib import Path

import chess
import chess.pgn
import pytest

import atomic_variant
from atomic_variant import AtomicBoard, pgn
from atomic_variant.pgn._source import generate_lines
from atomic_variant.pgn._splitter import generate_texts
from atomic_variant.pgn.record import read_record

from ..support.random_games import random_board

EXAMPLES = Path(__file__).parents[2] / "examples" / "games.pgn"
HEADERS = '[Event "t"]\n[Variant "Atomic"]\n\n'

# Numbers of White's moves, and of Black's where they stand.
WHITE_NUMBERS = ["{}. ", "{}.", "{} .", "{} . ", "{}) ", "{}, ", "{}: ", "{} ", "{}.- ", "", "{}.\n"]
BLACK_NUMBERS = ["", "", "", "{}... ", "{}. ...", "{}… ", "{}…", "...", ".. ", "{} ... ", "{}.\t...", "{}...\n"]
BEFORE = ["", "", "", '"', "**", "*", "'", "“", "_", ",", "\u200b", "\u00a0"]
AFTER = [
    "", "", "", "+", "#", "++", ".", ",", '"', "**", "†", "‡", "≠", "ch", " ch", " mate", "mate",
    "=", " (=)", "!", "?!",
    "!!!", "$1", " $14", "±", " ⩲", " ∓", " +-", "□", " N", " {a comment}", " ; to the end\n",
    "\u200b", " +", "+=", "→", ":",
    " $300", " {nested {braces} in it}", " [#]", " ch.", "‼",
]  # fmt: skip
PROSE = [
    "good", "a", "be", "ad", "da", "see", "the", "Kasparov", "move", "h", "K", "Q", "R", "B",
    "E94", "novelty", "White", "N",
    "resigns", "0:05", "+0.35/12", "(0:05)", "Move", "12", "P", "x", "-", "–", "…", ">>", "2nd",
    "Elo", "misunderstandings",
]  # fmt: skip


def written(board: chess.Board, move: chess.Move, rng: random.Random) -> str:
    """*move* in one of the notations that chess.pgn reads, or in one that it does not."""
    san = board.san(move)
    plain = san.rstrip("+#")
    piece = board.piece_at(move.from_square)
    assert piece
    forms = [san, san, san, plain]
    if not san.startswith("O"):
        forms += [move.uci(), plain.replace("=", "")]
    if piece.piece_type == chess.PAWN:
        forms += [f"P{move.uci()}", f"P{chess.square_name(move.from_square)}-{move.uci()[2:]}"]
        if "x" in plain and not move.promotion:
            forms.append(plain.replace("x", rng.choice([":", ""])))
        if move.promotion:
            letter = plain[-1]
            forms += [plain.replace(f"={letter}", new.format(letter)) for new in ("({})", "=({})", "/{}")]
    elif san.startswith("O"):
        dash = rng.choice(["-", "–", "‑", "−"])
        oh = rng.choice("Oo0О")
        forms += [
            plain.replace("-", dash).replace("O", oh),
            plain.replace("-", ""),
            plain.replace("-", "").replace("O", "0"),
        ]
        if not board.chess960:
            forms.append(f"K{move.uci()}")
    else:
        forms.append(f"{piece.symbol().upper()}{chess.square_name(move.from_square)}-{move.uci()[2:]}")
        forms.append(f"{piece.symbol().upper()}{chess.square_name(move.from_square)}–{move.uci()[2:]}")
        forms.append(rng.choice([piece.unicode_symbol(), piece.unicode_symbol(invert_color=True)]) + plain[1:])
    return rng.choice(forms)


def decorated(board: chess.Board, rng: random.Random, share: float) -> str:
    """The moves on the stack of *board* with decoration at a *share* of the places where it may stand."""
    replay = board.root()
    words = []
    for move in board.move_stack:
        number = rng.choice(WHITE_NUMBERS if replay.turn else BLACK_NUMBERS) if rng.random() < share else ""
        if not number and replay.turn:
            number = "{}. "
        text = written(replay, move, rng) if rng.random() < share else replay.san(move)
        before = rng.choice(BEFORE) if rng.random() < share else ""
        after = rng.choice(AFTER) if rng.random() < share else ""
        if before in ("*", "**", "“") and rng.random() < 0.5:
            number, before = before + number, ""
        if words and rng.random() < share / 4:
            words.append(rng.choice(PROSE))
        words.append(number.format(replay.fullmove_number) + before + text + after)
        replay.push(move)
    return " ".join(words)


def corpus() -> list[chess.Board]:
    boards = [game.end().board() for game in pgn.read_games(EXAMPLES) if type(game.board()) is AtomicBoard]
    return boards + [random_board(seed) for seed in range(30)]


@pytest.fixture(scope="module")
def boards() -> list[chess.Board]:
    return corpus()


@pytest.fixture(autouse=True)
def registered():
    atomic_variant.register()
    yield
    atomic_variant.unregister()


def moves_of_the_host(text: str) -> list[chess.Move]:
    """What chess.pgn finds in the main line; nothing where it raises."""
    try:
        game = chess.pgn.read_game(io.StringIO(text))
    except IndexError:  # It cannot write down what it makes of "a8(Q)".
        return []
    assert game is not None
    return list(game.mainline_moves())


def text_of(board: chess.Board, rng: random.Random, share: float) -> str:
    root = board.root()
    headers = HEADERS
    if root.fen() != type(root).starting_fen or root.chess960:
        headers = HEADERS.replace("\n\n", f'\n[FEN "{root.fen()}"]\n[SetUp "1"]\n\n')
    return f"{headers}{decorated(board, rng, share)} *\n"


def check(text: str, expected: list[chess.Move]) -> bool:
    """Whether chess.pgn reads the whole game too; ours must."""
    [record] = pgn.scan(io.StringIO(text))
    assert record.moves == expected, (text, record.errors)
    assert not any(error.severity == "lost" for error in record.errors), (text, record.errors)
    [source] = generate_texts(generate_lines(io.StringIO(text)))
    assert read_record(source) == record
    [game] = pgn.read_games(io.StringIO(text))
    assert list(game.mainline_moves()) == expected
    assert game.errors == record.errors
    return moves_of_the_host(text) == expected


@pytest.mark.parametrize("share", [0.05, 0.3, 0.8])
def test_decoration_costs_no_move(boards, share):
    rng = random.Random(f"decoration {share}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chess.pgn.LOGGER, "disabled", True)
        found = 0
        for _ in range(100):
            board = rng.choice(boards)
            found += check(text_of(board, rng, share), board.move_stack)
    assert found < 100
    assert found > 0 or share == 0.8
