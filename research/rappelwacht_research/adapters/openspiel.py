"""Every game as one of OpenSpiel, which calls it `rappelwacht_` and its name.

A match that takes longer than `longest` actions is over without a result.
"""

from typing import Any, Final

import numpy as np
import pyspiel

from companion.core.game import TABLE
from companion.core.plugin import GAMES
from rappelwacht_research.adapters.moments import (
    FEATURES,
    LARGEST,
    MOST_CHOICES,
    MOST_OUTCOMES,
    GamePosition,
    company,
    features,
    game_of,
)

LONGEST: Final = 100_000
PREFIX: Final = "rappelwacht_"


def load(name: str, players: int = 2, longest: int = LONGEST) -> Any:
    """Return a game by the name that it has here."""
    parameters = {"players": players, "longest": longest}
    return pyspiel.load_game(PREFIX + name.replace("-", "_"), parameters)


class SpielState(pyspiel.State):  # type: ignore[misc]  # the library has no types
    """Where a match stands."""

    def __init__(self, game: Any, rules: Any, longest: int) -> None:
        super().__init__(game)
        self.moment, self._longest = GamePosition.first(rules), longest

    def current_player(self) -> int:
        """Return who acts; nobody once it is over, or has taken too long."""
        seat = self.moment.seat
        if seat is None or self.moment.actions >= self._longest:
            return int(pyspiel.PlayerId.TERMINAL)
        if seat == TABLE:
            return int(pyspiel.PlayerId.CHANCE)
        return self.moment.game.seats.index(seat)

    def is_terminal(self) -> bool:
        """Tell whether it is over."""
        return bool(self.current_player() == pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Return what each player has gained."""
        return self.moment.result()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may bring, and how probably."""
        return [*enumerate(self.moment.odds)]

    def _legal_actions(self, player: int) -> list[int]:
        return [*range(len(self.moment.choices))] if player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        self.moment = self.moment.then(action)

    def _action_to_string(self, _player: int, action: int) -> str:
        return f"{action}: {self.moment.told(action)}"

    def __str__(self) -> str:
        """Return what everybody sees."""
        return self.moment.observation(None)


class Observer:
    """Shows a moment to a player: with perfect recall all that it has seen, else what it sees."""

    def __init__(self, recalls: bool) -> None:
        self._recalls = recalls
        self.tensor = np.zeros(FEATURES, np.float32)
        self.dict = {"view": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with what a player sees now."""
        self.tensor.fill(0)
        for place, value in features(state.moment.seen(state.moment.game.seats[player])):
            self.tensor[place] = np.clip(self.tensor[place] + value, -LARGEST, LARGEST)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return it as text."""
        seat = state.moment.game.seats[player]
        return state.moment.information(seat) if self._recalls else state.moment.observation(seat)


def _register(name: str) -> None:
    """Have OpenSpiel know a game."""
    numbers = company(name)
    kind = pyspiel.GameType(
        short_name=PREFIX + name.replace("-", "_"),
        long_name=name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=numbers[0],
        max_num_players=numbers[-1],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": 2, "longest": LONGEST},
    )

    class Registered(pyspiel.Game):  # type: ignore[misc]  # the library has no types
        """A game with its settings."""

        def __init__(self, params: dict[str, int] | None = None) -> None:
            given = {"players": 2, "longest": LONGEST} | (params or {})
            players, self._longest = given["players"], given["longest"]
            self._rules = game_of(name, players)
            info = pyspiel.GameInfo(
                num_distinct_actions=MOST_CHOICES,
                max_chance_outcomes=MOST_OUTCOMES,
                num_players=players,
                min_utility=-1 / players,
                max_utility=1 - 1 / players,
                utility_sum=0.0,
                max_game_length=self._longest,
            )
            super().__init__(kind, info, given)

        def new_initial_state(self) -> SpielState:
            """Return the beginning of a match."""
            return SpielState(self, self._rules, self._longest)

        def make_py_observer(self, iig_obs_type: Any = None, _params: Any = None) -> Observer:
            """Return who shows what a player sees."""
            return Observer(bool(iig_obs_type and iig_obs_type.perfect_recall))

    pyspiel.register_game(kind, Registered)


for _name in GAMES:
    _register(_name)
