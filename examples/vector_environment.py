"""
Atomic chess for reinforcement learning: many games side by side, without a board for any.

The class follows the conventions of Gymnasium's vector environments (``reset``,
``step``, a game that ends begins anew in the same step) and does not need
Gymnasium. Each step is a move of the side to move, which gets the reward.

    python examples/vector_environment.py

plays random moves in 1024 games and tells how fast. Needs ``pip install 'atomic_variant[arrays]'``.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from atomic_variant import AtomicBoard
from atomic_variant.positions import Positions

Step = tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class AtomicVectorEnv:
    """
    *num_envs* games of one variant; those of *max_plies* half-moves are broken off.

    An observation is ``planes()`` of the side to move, an action a place of
    ``policy_index(layout="compact")``. ``info["action_mask"]`` tells which are legal.
    """

    metadata = {"render_modes": ["ansi"], "autoreset_mode": "SameStep"}
    num_actions = 1858
    observation_shape = (14, 8, 8)

    def __init__(
        self, num_envs: int, *, start: str = chess.STARTING_FEN, max_plies: int = 400, variant: Any = AtomicBoard
    ) -> None:
        self.num_envs = num_envs
        self.max_plies = max_plies
        self.start = Positions.from_fens([start], variant=variant)
        self.positions = self.start
        self.random = np.random.default_rng()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """All games from the start; *seed* is for :meth:`sample`."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.positions = self.start[[0] * self.num_envs]
        return self.positions.planes(), self._info()

    def step(self, actions: NDArray[np.integer[Any]]) -> Step:
        """
        A move in each game. An illegal one raises :exc:`ValueError`, which names the game.

        The reward is 1 for a win and -1 for a loss of the mover, else 0.
        ``info["final_obs"]`` has the last observations of the games that ended, ``None`` for the others.
        """
        moves = self.positions.from_policy_index(actions, layout="compact")
        after = self.positions.apply(moves)
        kinds, results = after.endings()
        terminated = kinds > 0
        truncated = ~terminated & (after.ply - self.start.ply >= self.max_plies)
        rewards = np.where(terminated, -results, 0).astype(np.float32)  # Of the one who has moved.
        over = terminated | truncated
        places = np.where(over, self.num_envs, np.arange(self.num_envs))
        self.positions = Positions.concatenate([after, self.start])[places]
        info = self._info()
        if over.any():
            info["final_obs"] = np.full(self.num_envs, None)
            for index in over.nonzero()[0]:
                info["final_obs"][index] = after[index : index + 1].planes()[0]
            info["_final_obs"] = over
        return self.positions.planes(), rewards, terminated, truncated, info

    def sample(self, mask: NDArray[np.int8]) -> NDArray[np.int64]:
        """A legal action of each game, by chance."""
        return np.where(mask, self.random.random(mask.shape, np.float32), -1).argmax(axis=1)

    def render(self) -> list[str]:
        """The boards as text."""
        return [str(board) for board in self.positions]

    def _info(self) -> dict[str, Any]:
        offsets, moves = self.positions.legal_moves()
        mask = np.zeros((self.num_envs, self.num_actions), np.int8)
        games = np.repeat(np.arange(self.num_envs), np.diff(offsets))
        mask[games, self.positions.policy_index(moves, offsets, layout="compact")] = 1
        return {"action_mask": mask, "_action_mask": np.ones(self.num_envs, np.bool_)}


def main(num_envs: int = 1024, steps: int = 200) -> int:
    env = AtomicVectorEnv(num_envs)
    _, info = env.reset(seed=1)
    games = wins = 0
    start = time.perf_counter()
    for _ in range(steps):
        _, rewards, terminated, truncated, info = env.step(env.sample(info["action_mask"]))
        games += int((terminated | truncated).sum())
        wins += int((rewards > 0).sum())
    seconds = time.perf_counter() - start
    print(f"{num_envs * steps / seconds:,.0f} moves a second, {games} games ended, {wins} of them won")
    return 0


if __name__ == "__main__":
    sys.exit(main())
