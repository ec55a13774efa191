"""The JavaScript of the front ends: how it is joined, and its model, without a browser."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import chess.svg
import chess.variant
import pytest

from atomic_variant import AtomicBoard, pgn
from atomic_variant.viewer import bundle, data

from .test_viewer_data import BOARDS, random_board, random_game

VARIATIONS = """[White "Bob \\"The Bomb\\" O'Neill"]
[Variant "Atomic"]
[SetUp "1"]
[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b Qkq - 3 5"]

{ First. } 5... d5 $2 ( { Before. } 5... e6 6. d4 ( 6. e4 { Deep. } ) 6... Nf6 ) 6. e4 { Then. } 6... dxe4 *
"""

FRONT_ENDS = (
    "game_widget", "play_widget", "explorer_widget", "game_page", "report_page", "puzzle_page", "explorer_page",
)  # fmt: skip
TESTS = sorted((Path(__file__).parent / "js").glob("*.test.js"))


def node(*arguments: str, cwd: Path) -> str:
    program = shutil.which("node") or pytest.skip("no node")
    result = subprocess.run([program, *arguments], cwd=cwd, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
    return result.stdout


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the modules, which node takes for what they are."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "package.json").write_text('{"type": "module"}')
    for name, text in bundle.sources().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


# --- The model ------------------------------------------------------------------


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_the_model_keeps_its_word(path: Path, modules: Path) -> None:
    shutil.copy(path, modules)
    (modules / "games.json").write_text(json.dumps([data.encode(random_game(seed)) for seed in range(3)]))
    said = node("--test", "--test-reporter=tap", path.name, cwd=modules)
    (count,) = re.findall(r"^# pass (\d+)$", said, re.MULTILINE)
    assert int(count) == path.read_text(encoding="utf-8").count("\ntest(")


def test_the_model_plays_every_variant_as_python_does(modules: Path) -> None:
    boards = [random_board(board_class(), 80, seed) for board_class in BOARDS for seed in (1, 2)]
    games: list[dict[str, Any]] = [data.encode(chess.pgn.Game.from_board(board)) for board in boards]
    (modules / "games.json").write_text(json.dumps(games))
    (modules / "play.js").write_text(
        'import { readFileSync } from "node:fs"; import { Game } from "./js/model/game.js";'
        'const games = JSON.parse(readFileSync("games.json")).map((game) => new Game(game));'
        "console.log(JSON.stringify(games.map((game) => game.nodes.map((_, index) => game.position(index)))));"
    )
    for board, positions in zip(boards, json.loads(node("play.js", cwd=modules)), strict=True):
        replayed = board.root()
        for position, move in zip(positions, [*board.move_stack, None], strict=True):
            assert position == {chess.square_name(s): p.symbol() for s, p in replayed.piece_map().items()}
            if move:
                replayed.push(move)


@pytest.mark.parametrize("board_class", BOARDS[:3], ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_the_model_writes_the_fens_and_the_pgn_of_python(modules: Path, board_class: type[chess.Board]) -> None:
    games = [pgn.Game.from_board(random_board(board_class(), 90, seed)) for seed in range(6)]
    if board_class is AtomicBoard:
        games += [random_game(1), *pgn.read_games(io.StringIO(VARIATIONS))]
    (modules / "games.json").write_text(json.dumps([data.encode(game) for game in games]))
    (modules / "write.js").write_text(
        'import { readFileSync } from "node:fs"; import { Game } from "./js/model/game.js";'
        'import { gameToPgn } from "./js/model/pgn.js";'
        'const games = JSON.parse(readFileSync("games.json")).map((game) => new Game(game));'
        "console.log(JSON.stringify(games.map((g) => [g.nodes.map((_, i) => g.fen(i)), gameToPgn(g)])));"
    )
    for game, (fens, text) in zip(games, json.loads(node("write.js", cwd=modules)), strict=True):
        nodes = [game, *(move for move, _ in data.flatten(game))]
        assert fens == [move.board().fen() for move in nodes]
        again = pgn.read_game(io.StringIO(text))
        assert again is not None
        assert again.errors == []
        assert [(n.san(), n.nags, n.clock(), n.eval()) for n, _ in data.flatten(again)] == [
            (n.san(), n.nags, n.clock() and int(n.clock() or 0), n.eval()) for n, _ in data.flatten(game)
        ]


@pytest.mark.parametrize("board_class", [chess.variant.CrazyhouseBoard, chess.variant.ThreeCheckBoard])
def test_the_pgn_keeps_a_start_that_takes_more_than_a_plain_fen(modules: Path, board_class: type[chess.Board]) -> None:
    board = board_class()
    for san in ("e4", "d5", "exd5", "Qxd5", "Nc3"):
        board.push_san(san)
    game = pgn.Game.from_board(board_class(board.fen()))
    (modules / "games.json").write_text(json.dumps([data.encode(game), data.encode(pgn.Game.from_board(board))]))
    (modules / "save.js").write_text(
        'import { readFileSync } from "node:fs"; import { Game } from "./js/model/game.js";'
        'import { gameToPgn } from "./js/model/pgn.js";'
        'console.log(JSON.stringify(JSON.parse(readFileSync("games.json")).map((game) => gameToPgn(new Game(game)))));'
    )
    later, whole = (pgn.read_game(io.StringIO(text)) for text in json.loads(node("save.js", cwd=modules)))
    assert later is not None
    assert whole is not None
    assert later.board() == game.board()
    assert whole.end().board() == board
    assert "FEN" not in whole.headers


# --- The bundling step ----------------------------------------------------------


@pytest.mark.parametrize("name", FRONT_ENDS)
def test_a_front_end_is_one_module_that_imports_nothing(name: str, tmp_path: Path) -> None:
    text = bundle.module(name)
    assert not re.search(r"^\s*import\b|\bimport\(", text, re.MULTILINE)
    assert re.findall(r"^export .*", text, re.MULTILINE) == (["export default {"] if "widget" in name else [])
    # A widget is stored with each output of a notebook, a page once.
    assert len(text) < (60_000 if "widget" in name else 75_000)
    (tmp_path / "module.mjs").write_text(text, encoding="utf-8")
    node("--check", "module.mjs", cwd=tmp_path)


@pytest.mark.parametrize("name", FRONT_ENDS)
def test_every_module_is_used_and_comes_after_what_it_needs(name: str) -> None:
    text = bundle.module(name)
    assert text.index("const art = ") < text.index("class ChessBoard")
    assert text.index("function parsePlacement") < text.index("class ChessBoard")


def test_no_module_lies_unused() -> None:
    used = set()
    for name in FRONT_ENDS:
        text = bundle.module(name)
        for path, source in bundle.sources().items():
            declared = re.findall(r"^export (?:function|class|const) (\w+)", source, re.MULTILINE)
            if any(re.search(rf"^(?:function|class|const) {word}\b", text, re.MULTILINE) for word in declared):
                used.add(path)
    modules = {path for path in bundle.sources() if path.endswith(".js")}
    assert modules - used == {f"js/{name}.js" for name in FRONT_ENDS}


def test_no_text_of_a_module_spans_lines_since_the_bundle_is_not_indented() -> None:
    for path, source in bundle.sources().items():
        if path.endswith(".js"):
            for line in source.splitlines():
                assert line.count("`") % 2 == 0, f"{path}: {line}"


def test_the_pieces_are_those_of_python_chess() -> None:
    art = json.loads(bundle.sources()[bundle.ART])
    assert art["pieces"].keys() == chess.svg.PIECES.keys()
    assert not re.search(r"\bid=", json.dumps(art["pieces"]))


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        ({"a.js": 'import { b } from "./b.js";\n'}, r"a\.js imports b\.js, which is not there"),
        ({"a.js": 'import { b } from "./b.js";\n', "b.js": "function b() {}\n"}, r"imports b, which b\.js does not"),
        (
            {
                "a.js": 'import { b } from "./b.js";\nexport const a = 1;\n',
                "b.js": 'import { a } from "./a.js";\nexport const b = 1;\n',
            },
            r"in a circle: a\.js -> b\.js -> a\.js",
        ),
        (
            {"a.js": 'import { b } from "./b.js";\nconst c = 1;\n', "b.js": "export const b = 1;\nconst c = 2;\n"},
            r"c is declared in b\.js and in a\.js",
        ),
        ({"a.js": 'import s from "./s.txt";\n', "s.txt": "x"}, "neither a style sheet"),
        ({"a.js": "const { a, b } = c;\n"}, "cannot be joined"),
        ({"a.js": 'import * as b from "./b.js";\n'}, "cannot be joined"),
        ({"a.js": 'import { b } from "./b.js";\n', "b.js": "export { b };\nexport const b = 1;\n"}, "cannot be joined"),
    ],
)  # fmt: skip
def test_modules_that_do_not_fit_are_an_error_here(sources: dict[str, str], message: str) -> None:
    with pytest.raises(bundle.BundleError, match=message):
        bundle.join("a.js", sources)


def test_a_style_sheet_is_a_string() -> None:
    joined = bundle.join("a.js", {"a.js": 'import S from "../s.css";\nuse(S);\n', "../s.css": ".a {\n  b: 'c\"';\n}\n"})
    assert joined == 'const S = ".a {\\nb: \'c\\"\';\\n}\\n";\nuse(S);\n'
