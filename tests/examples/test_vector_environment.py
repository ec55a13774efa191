"""The example of an environment plays by the rules, beside boards that play the same moves."""

import importlib.util
from pathlib import Path

import pytest

from atomic_variant import AtomicBoard
from atomic_variant.dialects import IccAtomicBoard

np = pytest.importorskip("numpy")

from atomic_variant.pgn.arrays import unpack_move  # noqa: E402

SCRIPT = Path(__file__).parents[2] / "examples" / "vector_environment.py"


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("vector_environment", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("variant", [AtomicBoard, IccAtomicBoard])
def test_games_go_as_on_boards(example, variant):
    env = example.AtomicVectorEnv(16, max_plies=60, variant=variant)
    observations, info = env.reset(seed=3)
    boards = [variant() for _ in range(16)]
    ended = won = broken_off = 0
    for _ in range(150):
        assert observations.shape == (16, *env.observation_shape)
        assert observations.dtype == np.uint8
        assert info["action_mask"].shape == (16, env.num_actions)
        assert info["action_mask"].sum(axis=1).tolist() == [board.legal_moves.count() for board in boards]
        assert (observations == env.positions.planes()).all()
        actions = env.sample(info["action_mask"])
        moves = env.positions.from_policy_index(actions, layout="compact")
        observations, rewards, terminated, truncated, info = env.step(actions)
        for index, code in enumerate(moves.tolist()):
            board = boards[index]
            mover = board.turn
            board.push(unpack_move(code))
            outcome = board.outcome()
            assert terminated[index] == (outcome is not None)
            assert rewards[index] == (
                0 if outcome is None or outcome.winner is None else 1 if outcome.winner == mover else -1
            )
            assert truncated[index] == (outcome is None and board.ply() >= 60)
            ended += terminated[index]
            won += rewards[index] > 0
            broken_off += truncated[index]
            if terminated[index] or truncated[index]:
                boards[index] = variant()
            assert env.positions.board(index).fen() == boards[index].fen()
        over = terminated | truncated
        assert info.get("_final_obs", np.zeros(16, bool)).tolist() == over.tolist()
    assert ended > 20
    assert won
    assert broken_off


def test_it_answers_as_gymnasium_does_for_single_games(example):
    gymnasium = pytest.importorskip("gymnasium")
    from atomic_variant.positions import Positions

    class OneGame(gymnasium.Env):
        """The same game on a board."""

        observation_space = gymnasium.spaces.Box(0, 1, (14, 8, 8), np.uint8)
        action_space = gymnasium.spaces.Discrete(1858)

        def reset(self, *, seed=None, options=None):
            self.board = AtomicBoard()
            return self.observe()

        def observe(self):
            one = Positions.from_boards([self.board])
            offsets, moves = one.legal_moves()
            mask = np.zeros(1858, np.int8)
            mask[one.policy_index(moves, offsets, layout="compact")] = 1
            return one.planes()[0], {"action_mask": mask}

        def step(self, action):
            mover = self.board.turn
            one = Positions.from_boards([self.board])
            self.board.push(unpack_move(int(one.from_policy_index([action], layout="compact")[0])))
            outcome = self.board.outcome()
            reward = 0.0 if outcome is None or outcome.winner is None else 1.0 if outcome.winner == mover else -1.0
            observation, info = self.observe()
            return observation, reward, outcome is not None, outcome is None and self.board.ply() >= 40, info

    mode = gymnasium.vector.AutoresetMode.SAME_STEP
    theirs = gymnasium.vector.SyncVectorEnv([OneGame] * 4, autoreset_mode=mode)
    ours = example.AtomicVectorEnv(4, max_plies=40)
    assert ours.metadata["autoreset_mode"] == mode.value
    assert ours.num_envs == theirs.num_envs
    known, found = theirs.reset(seed=1), ours.reset(seed=1)
    ended = 0
    for _ in range(90):
        for mine, other in zip(found[:-1], known[:-1], strict=True):
            assert np.array_equal(mine, other)
        assert found[-1].keys() == known[-1].keys() - {"final_info", "_final_info"}
        assert np.array_equal(found[-1]["action_mask"], known[-1]["action_mask"])
        if "final_obs" in found[-1]:
            ended += 1
            assert np.array_equal(found[-1]["_final_obs"], known[-1]["_final_obs"])
            for mine, other in zip(found[-1]["final_obs"], known[-1]["final_obs"], strict=True):
                assert np.array_equal(mine, other)
        actions = ours.sample(found[-1]["action_mask"])
        found, known = ours.step(actions), theirs.step(actions)
    assert ended > 3
    theirs.close()


def test_an_illegal_action_names_its_game(example):
    env = example.AtomicVectorEnv(3)
    _, info = env.reset(seed=1)
    actions = env.sample(info["action_mask"])
    actions[1] = int(info["action_mask"][1].argmin())
    with pytest.raises(ValueError, match="position 1: illegal move"):
        env.step(actions)


def test_the_script_tells_how_fast_it_plays(example, capsys):
    assert example.main(32, 20) == 0
    assert "moves a second" in capsys.readouterr().out


def test_it_is_short(example):
    assert len(SCRIPT.read_text().splitlines()) <= 130
