"""Positions of files are those of scan(), game by game and ply by ply."""

import io
import math
import random
import tracemalloc

import chess
import pytest

from atomic_variant import AtomicBoard, kernel_active, pgn
from atomic_variant.pgn import _threads

from ..pgn.test_arrays import GAMES
from ..support.positions import FIELDS
from ..support.random_games import random_pgn

np = pytest.importorskip("numpy")

from atomic_variant.pgn import scan_positions  # noqa: E402
from atomic_variant.pgn.arrays import unpack_move  # noqa: E402
from atomic_variant.positions import Positions  # noqa: E402

COLUMNS = (
    "bitboards", "turn", "castling_rights", "ep_square", "halfmove_clock", "ply", "numbers", "moves", "results",
    "clocks", "evaluations", "ratings",
)  # fmt: skip

UNUSUAL = """\
[Event "variations"]
[Variant "Atomic"]
[WhiteElo "1500?"]

1. e4 (1. d4 d5) 1... e5 2. -- d6 $1 1/2-1/2

[Event "black to move"]
[Variant "ICC wild 27"]
[FEN "4k3/8/8/8/8/8/4r3/R3K2R b - - 5 9"]

9... Rd2 10. Ke2 0-1

[Event "kings"]
[Variant "Atomic"]
[FEN "kk6/8/8/8/8/8/8/K7 w - - 0 1"]

1. Kb1 *

"""


@pytest.fixture(scope="module")
def text():
    games = random_pgn(30, clocks=True, WhiteElo="1912", BlackElo="2008", Result="0-1")
    more = random_pgn(20, first_seed=50, Variant="Atomic", Event="more")
    evaluated = (
        '[Event "e"]\n[Variant "Atomic"]\n\n1. e4 { [%eval 0.3] [%clk 0:01:00] } d5 { [%eval #-4] } 2. Nc3 *\n\n'
    )
    return (games + GAMES + UNUSUAL + evaluated + more + UNUSUAL) * 2


def expected(text):
    """(record, ply, board before, move) of all games of our boards, by variant and castling."""
    found = {}
    for record in pgn.scan(io.StringIO(text), comments=True):
        if not (record.variant and issubclass(record.variant, AtomicBoard)):
            continue
        board = record.board()
        if board.kings.bit_count() > 2:
            continue
        for ply, move in enumerate(record.moves):
            before = board.copy(stack=False)
            found.setdefault((record.variant, record.chess960), []).append((record, ply, before, move))
            board.push(move)
    return found


def scanned(source, **options):
    found = {}
    for positions in scan_positions(source, **options):
        found.setdefault((positions.variant, positions.chess960), []).append(positions)
    return {kind: Positions.concatenate(parts) for kind, parts in found.items()}


def same(ours, others, leave_out=()):
    for name in COLUMNS:
        if name not in leave_out:
            mine, theirs = getattr(ours, name), getattr(others, name)
            assert (mine is None) == (theirs is None), name
            assert mine is None or np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f"), name


def test_positions_are_those_before_the_moves_of_scan(text):
    found = scanned(io.StringIO(text), clocks=True, evaluations=True)
    known = expected(text)
    assert found.keys() == {kind for kind, rows in known.items() if rows}
    assert len(found) >= 2
    for kind, positions in found.items():
        rows = known[kind]
        assert len(positions) == len(rows)
        for index, (record, ply, board, move) in enumerate(rows):
            other = positions.board(index)
            board.castling_rights = board.clean_castling_rights()
            assert all(getattr(board, name) == getattr(other, name) for name in FIELDS if name != "promoted")
            assert positions.numbers[index] == record.number
            assert unpack_move(int(positions.moves[index])) == move
            result = {"1-0": chess.WHITE, "0-1": chess.BLACK, "1/2-1/2": None}.get(record.result, math.nan)
            score = positions.results[index]
            assert np.isnan(score) if result is math.nan else score == {board.turn: 1, None: 0}.get(result, -1)
            white = record.headers.get("WhiteElo", "")
            assert positions.ratings[index, 1] == (int(white) if white.isdigit() else 0)
            clock = (record.clocks or {ply: None})[ply]
            assert np.isnan(positions.clocks[index]) if clock is None else positions.clocks[index] == clock
            evaluation = record.evaluations[ply]
            if evaluation is None:
                assert np.isnan(positions.evaluations[index])
            else:
                assert positions.evaluations[index] == evaluation.pov(board.turn).score(mate_score=100_000)


PIECES = (
    "[%clk 0:01:02]", "[%clk 0:01:02.5]", "[%clk 12:1:1]", "[%clk 1234567:00:00]", "[%clk x]", "[%clk",
    "[%clkk 0:00:01]", "[%eval 0.3]", "[%eval -0.35]", "[%eval +12.5]", "[%eval .5]", "[%eval 5]", "[%eval 5.]",
    "[%eval #3]", "[%eval #-2]", "[%eval #0]", "[%eval #-0]", "[%eval 1.25,20]", "[%eval 123456.0]",
    "[%eval 0.345]", "[%eval -]", "[%eval #]", "[%emt 0.5]", "[%emt 1:02]", "[%emt 0:00:03.25]",
    "[%emt 12345:00]", "[%emt 1.1234567]", "[%emt [%emt 2.0]", "[%emt 1:2:3:4]", "[%emt 7", "text", "[", "%",
    "[%", "[%csl Ga1]", " ", "é",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_remarks_of_any_form_are_read_as_in_records(seed):
    rng = random.Random(seed)
    games = []
    for number in range(120):
        board = AtomicBoard()
        control = rng.choice(["60+1", "-", "600", "0+0"])
        words = [f'[Event "{number}"]\n[Variant "Atomic"]\n[TimeControl "{control}"]\n\n']
        for _ in range(rng.randrange(12)):
            words.append(board.san_and_push(rng.choice(list(board.legal_moves))))
            words += [
                "{" + rng.choice(["", " "]).join(rng.choices(PIECES, k=rng.randrange(4))) + "}"
                for _ in range(rng.choice([0, 1, 1, 1, 2]))
            ]
            if board.is_variant_end():
                break
        games.append(" ".join(words) + " *\n\n")
    text = "".join(games)
    found = scanned(io.StringIO(text), clocks=True, evaluations=True, workers=2)[AtomicBoard, False]
    index = 0
    clocks = 0
    for record in pgn.scan(io.StringIO(text), comments=True):
        for ply in range(len(record.moves)):
            clock, score = record.clocks[ply], record.evaluations[ply]
            where = record.number, record.comments[ply + 1]
            known = math.nan if score is None else score.pov(bool(found.turn[index])).score(mate_score=100_000)
            assert np.array_equal(found.clocks[index], np.float32(math.nan if clock is None else clock), True), where
            assert np.array_equal(found.evaluations[index], np.float32(known), True), where
            clocks += clock is not None
            index += 1
    assert index == len(found)
    assert clocks > 50


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("part_size", [1, 700, 2**18])
def test_threads_give_what_one_gives(text, workers, part_size, monkeypatch):
    known = scanned(io.StringIO(text), clocks=True)
    monkeypatch.setattr(_threads, "_PART_SIZE", part_size)
    for source in (io.StringIO(text), io.BytesIO(text.replace("\n", "\r\n").encode())):
        found = scanned(source, workers=workers, clocks=workers == 2)
        assert found.keys() == known.keys()
        for kind in known:
            same(found[kind], known[kind], () if workers == 2 else ("clocks",))


@pytest.mark.parametrize("workers", [1, 3])
def test_cuts_inside_of_games_do_no_harm(workers, monkeypatch):
    """Comments may hold lines that look like headers, and headers a blank line."""
    trap = '[Event "a"]\n[Variant "Atomic"]\n\n1. e4 { said:\n[Event "b"]\n\n[Event "c"] } d5 2. Nc3\n'
    trap += '[Event "d"]\n\n e5 *\n\n'
    text = trap * 5 + random_pgn(5) + '[Event "x"]\n\n[Event "y"]\n[Variant "Atomic"]\n\n1. e4 *\n\n' + trap
    monkeypatch.setattr(_threads, "_PART_SIZE", 3)
    known = expected(text)
    found = scanned(io.StringIO(text), workers=workers)
    for kind, rows in known.items():
        positions = found[kind]
        assert positions.numbers.tolist() == [record.number for record, *_ in rows]
        assert [unpack_move(code) for code in positions.moves.tolist()] == [move for *_, move in rows]


def until_broken(items):
    """All items until the source cannot be read on, as it must end."""
    with pytest.raises(pgn.SourceError):
        yield from items


def test_a_file_that_breaks_off_gives_what_stands_before(tmp_path):
    import gzip

    text = random_pgn(60)
    path = tmp_path / "games.pgn.gz"
    path.write_bytes(gzip.compress(text.encode())[:-3000])
    moves = sum(len(record.moves) for record in until_broken(pgn.scan(path)))
    assert moves
    for workers in (1, 2):
        assert sum(map(len, until_broken(scan_positions(path, workers=workers, batch=1)))) == moves


@pytest.mark.parametrize("options", [{"every": 3}, {"skip": 5}, {"every": 4, "skip": 2}])
def test_every_and_skip_choose_by_the_ply_of_the_game(text, options):
    everything = scanned(io.StringIO(text))
    for kind, positions in scanned(io.StringIO(text), **options).items():
        whole = everything[kind]
        starts = np.searchsorted(whole.numbers, whole.numbers)
        plies = np.arange(len(whole)) - starts - options.get("skip", 0)
        same(positions, whole[(plies >= 0) & (plies % options.get("every", 1) == 0)])


def test_samples_are_some_of_each_game_by_the_seed_alone(text):
    [whole] = [part for kind, part in scanned(io.StringIO(text)).items() if kind == (AtomicBoard, False)]
    samples = [
        scanned(io.StringIO(text), sample=3, seed=seed, **options)[AtomicBoard, False]
        for seed, options in [(1, {}), (1, {"workers": 3, "batch": 7}), (1, {"evaluations": True}), (2, {})]
    ]
    same(samples[0], samples[1])
    same(samples[0], samples[2], ["evaluations"])
    assert samples[0].ply.tolist() != samples[3].ply.tolist()
    counts = np.bincount(whole.numbers)
    assert np.bincount(samples[0].numbers, minlength=len(counts)).tolist() == np.minimum(counts, 3).tolist()
    known = set(zip(whole.numbers.tolist(), whole.ply.tolist(), whole.moves.tolist(), strict=True))
    chosen = list(zip(samples[0].numbers.tolist(), samples[0].ply.tolist(), samples[0].moves.tolist(), strict=True))
    assert known.issuperset(chosen)
    assert len(set(chosen)) == len(chosen)
    early = scanned(io.StringIO(text), sample=2, skip=4, every=2)[AtomicBoard, False]
    assert set((early.ply % 2).tolist()) >= {0}


def test_a_sample_takes_each_ply_as_often_as_any_other():
    game = random_pgn(1)
    plies = len(next(pgn.scan(io.StringIO(game))).moves)
    counts = np.zeros(plies, int)
    positions = Positions.concatenate(scan_positions(io.StringIO(game * 2000), sample=1, seed=9))
    counts += np.bincount(positions.ply, minlength=plies)
    mean = 2000 / plies
    assert abs(counts - mean).max() < 6 * math.sqrt(mean)


def test_batches_are_as_large_as_asked_for(text):
    sizes = [len(part) for part in scan_positions(io.StringIO(text), batch=100) if part.variant is AtomicBoard]
    assert max(sizes) == 100
    assert sum(size == 100 for size in sizes) >= len(sizes) - 2
    assert list(scan_positions(io.StringIO(""))) == []


def test_games_of_several_files_are_counted_through(tmp_path):
    paths = []
    for number in range(3):
        paths.append(tmp_path / f"{number}.pgn")
        paths[-1].write_text(random_pgn(4, first_seed=number))
    positions = Positions.concatenate(scan_positions(paths, workers=2))
    assert sorted(set(positions.numbers.tolist())) == list(range(1, 13))


def test_numbers_out_of_range_are_refused():
    for options in ({"every": 0}, {"skip": -1}, {"sample": 0}, {"workers": 0}, {"batch": 0}):
        with pytest.raises(ValueError, match=f"scan_positions expects {next(iter(options))} of"):
            list(scan_positions(io.StringIO(""), **options))


def test_a_loop_may_stop_early(text):
    for workers in (1, 3):
        for _ in scan_positions(io.StringIO(text * 20), workers=workers, batch=10):
            break


@pytest.mark.skipif(not kernel_active(), reason="without the kernel it takes minutes")
def test_memory_does_not_grow_with_the_file(tmp_path):
    path = tmp_path / "games.pgn"
    text = random_pgn(200)
    peaks = []
    for times in (60, 240):  # The shorter one keeps all threads busy too.
        path.write_text(text * times)
        tracemalloc.start()
        for _ in scan_positions(path, batch=5000, workers=2):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]
