"""A game small enough to be judged by hand: a coin is tossed, and whoever is next bets on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Any, ClassVar, Final, NamedTuple

from companion.coach.evaluator import Coach, Evaluator, ListeningChoice, LuckSource, WinChances
from companion.core.game import TABLE, Action, BaseGame, Event, Outcome, Ruling, Seat
from companion.system.errors import Illegal
from companion.system.text import Text

COUNT: Final = 6  # rounds
SIDES: Final = (0, 1, 2)


class Guest(IntEnum):
    """Who sits there."""

    RED = 0
    GREEN = 1


@dataclass(frozen=True, slots=True)
class Rules:
    """Nothing to agree on."""

    seats: tuple[Guest, ...] = tuple(Guest)


class State(NamedTuple):
    """Whose bet it is follows from the round; `coin` is None until it is tossed."""

    round: int
    coin: int | None
    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Toss(Action):
    """The coin falls."""

    side: int


@dataclass(frozen=True, slots=True)
class Bet(Action):
    """Take what the coin shows, or one point for sure."""

    seat: Guest
    coin: int  # 1: what it shows


@dataclass(frozen=True, slots=True)
class Fine(Ruling):
    """Somebody loses a point."""

    player: Guest


class Tossing(BaseGame[State]):
    """Most points after all rounds win; Red wins a draw."""

    name = "tossing"
    actions: ClassVar[tuple[type[Action], ...]] = (Toss, Bet)
    rulings: ClassVar[tuple[type[Ruling], ...]] = (Fine,)
    settings_type = Rules

    def start(self) -> State:
        """Return the first round."""
        return State(1, None, (0, 0))

    def turns(self, state: State) -> tuple[Seat, ...]:
        """Return who acts."""
        if state.round > COUNT:
            return ()
        return (TABLE,) if state.coin is None else (Guest(state.round % 2),)

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return what may be done."""
        if seat not in self.turns(state):
            return ()
        if seat == TABLE:
            return tuple(map(Toss, SIDES))
        return Bet(Guest(seat), 0), Bet(Guest(seat), 1)

    def apply(self, state: State, action: Action) -> State:
        """Return what follows."""
        if action not in self.legal(state, action.seat):
            raise Illegal("Not now.")
        if isinstance(action, Toss):
            return state._replace(coin=action.side)
        assert isinstance(action, Bet)
        won = state.coin if action.coin else 1
        points = [*state.points]
        points[action.seat] += won or 0
        return State(state.round + 1, None, (points[0], points[1]))

    def rule(self, state: State, ruling: Ruling) -> State:
        """Take a point away."""
        assert isinstance(ruling, Fine)
        points = [*state.points]
        points[ruling.player] -= 1
        return state._replace(points=(points[0], points[1]))

    def explain(self, *_: Any, **__: Any) -> tuple[Event, ...]:
        """Tell nothing."""
        return ()

    def view(self, state: State, viewer: Seat | None) -> State:  # noqa: ARG002 - the contract has it
        """Return all of it."""
        return state

    def outcome(self, state: State) -> Outcome | None:
        """Return who has won."""
        if state.round <= COUNT:
            return None
        red, green = state.points
        return Outcome((int(green > red),), ((0, red), (1, green)))


GAME: Final = Tossing()


@cache
def reds(state: State) -> float:
    """Return how probable it is that Red wins, if both bet best."""
    outcome = GAME.outcome(state)
    if outcome is not None:
        return float(outcome.winners == (0,))
    (seat,) = GAME.turns(state)
    ways = [reds(GAME.apply(state, one)) for one in GAME.legal(state, seat)]
    if seat == TABLE:
        return sum(ways) / len(ways)
    return max(ways) if seat == Guest.RED else min(ways)


class Exact(Evaluator):
    """Knows all of it."""

    def worths(self, state: State) -> WinChances:
        """Return both chances."""
        return reds(state), 1 - reds(state)

    def source(self, action: Action) -> str | None:
        """Return that the coin is luck."""
        return "coin" if isinstance(action, Toss) else None

    def options(self, state: State) -> Mapping[Action, float]:
        """Return what can be bet."""
        (seat,) = GAME.turns(state)
        return {one: self.worths(GAME.apply(state, one))[seat] for one in GAME.legal(state, seat)}

    def heard(self, before: State, action: Action) -> tuple[ListeningChoice, ...]:
        """Return an ear of whoever is next: a low coin should not be heard as a high one."""
        if not isinstance(action, Toss):
            return ()
        seat = Guest(before.round % 2)
        return (ListeningChoice(seat, action.side / 2, 1.0, 0.5, f"{action.side}", "2"),)


COACH: Final = Coach(
    (LuckSource("coin", Text("Coin"), Text("It was mostly the coin.")),), lambda _: Exact()
)
