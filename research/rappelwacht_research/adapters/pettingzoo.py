"""Every game as an environment of PettingZoo, in which one acts after another.

A match that takes longer than `longest` actions is cut off.
"""

from random import Random
from secrets import randbits
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper, TerminateIllegalWrapper

from companion.core.game import TABLE
from rappelwacht_research.adapters.moments import (
    FEATURES,
    LARGEST,
    MOST_CHOICES,
    GamePosition,
    features,
    game_of,
)

LONGEST: Final = 100_000


def environment(name: str, players: int = 2, longest: int = LONGEST) -> Any:
    """Return a game as people train players in it: an illegal action ends a match and loses it."""
    made = TerminateIllegalWrapper(Environment(name, players, longest), illegal_reward=-1)
    return OrderEnforcingWrapper(made)


class Environment(AECEnv):  # type: ignore[misc]  # the library has no types
    """A match, of which chance is a part of the environment; too long ones are cut off."""

    def __init__(self, name: str, players: int, longest: int) -> None:
        super().__init__()
        self.metadata = {"name": f"rappelwacht_{name}", "render_modes": ["ansi"]}
        self.render_mode = "ansi"
        self._rules, self._longest = game_of(name, players), longest
        self.possible_agents = [f"player_{place}" for place in range(players)]
        self._seats = dict(zip(self.possible_agents, self._rules.seats, strict=True))
        self.action_spaces = {one: spaces.Discrete(MOST_CHOICES) for one in self.possible_agents}
        self.observation_spaces = {one: _seen_space() for one in self.possible_agents}
        self._chance = Random()  # noqa: S311 - a game and no secret

    def observation_space(self, agent: str) -> Any:
        """Return what an agent may see: numbers, and which choices it has."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return what an agent may do: the place of a choice."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002 - PettingZoo's contract has it
        """Begin a match; the same seed brings the same chance."""
        self._chance = Random(randbits(32) if seed is None else seed)  # noqa: S311 - a game
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {one: {} for one in self.agents}
        self._moment = GamePosition.first(self._rules)
        self._go_on(self.agents[0])

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees now."""
        seen = np.zeros(FEATURES, np.float32)
        for place, value in features(self._moment.seen(self._seats[agent])):
            seen[place] = np.clip(seen[place] + value, -LARGEST, LARGEST)
        mask = np.zeros(MOST_CHOICES, np.int8)
        if self._moment.seat == self._seats[agent]:
            mask[: len(self._moment.choices)] = 1
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Do what the agent whose turn it is has chosen."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._moment = self._moment.then(int(action))
        self._go_on(agent)
        self._accumulate_rewards()

    def _go_on(self, agent: str) -> None:
        """Have chance do what is its own, until somebody chooses or it is over."""
        while self._moment.seat == TABLE and self._moment.actions < self._longest:
            odds = self._moment.odds
            self._moment = self._moment.then(self._chance.choices(range(len(odds)), odds)[0])
        seat = self._moment.seat
        if seat is None:
            self.rewards = dict(zip(self.possible_agents, self._moment.result(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._moment.actions >= self._longest:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            agent = next(one for one, own in self._seats.items() if own == seat)
        self.agent_selection = agent

    def render(self) -> str:
        """Return what everybody sees, as JSON."""
        return self._moment.observation(None)

    def close(self) -> None:
        """Close nothing: there is nothing open."""


def _seen_space() -> Any:
    return spaces.Dict(
        {
            "observation": spaces.Box(-LARGEST, LARGEST, (FEATURES,), np.float32),
            "action_mask": spaces.Box(0, 1, (MOST_CHOICES,), np.int8),
        }
    )
