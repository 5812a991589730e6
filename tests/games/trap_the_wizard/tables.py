"""Tables in the middle of a game, set up so that a test reads like the rulebook.

It must not hold tests.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from companion.core.game import Event
from companion.core.notation import read, write
from companion.games.trap_the_wizard.rules import (
    PLAYERS,
    START,
    Phase,
    Robe,
    Settings,
    State,
    TrapTheWizard,
    Wizard,
)

RED, GREEN, BLUE, YELLOW, JOKER = Robe
CENTRE = 76


@dataclass(frozen=True)
class Table:
    """A game and where it stands."""

    game: TrapTheWizard
    state: State

    def do(self, *texts: str) -> Self:
        """Carry out actions as people write them."""
        state = self.state
        for text in texts:
            state = self.game.apply(state, read(self.game, state, text))
        return replace(self, state=state)

    def tell(self, text: str) -> tuple[Event, ...]:
        """Tell what an action brings about."""
        return self.game.explain(self.state, read(self.game, self.state, text))

    def may(self) -> list[str]:
        """Write down all that may be done now."""
        turns = self.game.turns(self.state)
        return [write(one) for seat in turns for one in self.game.legal(self.state, seat)]

    def ends(self, start: str) -> set[str]:
        """Return where the wizard on this place may end."""
        words = [text.split() for text in self.may()]
        return {move[3] for move in words if move[0] == "move" and move[2] == start}

    def camp(self, robe: Robe) -> tuple[Any, ...]:
        """Return where a player's free wizards stand, as `position` takes them."""
        return tuple((w.place, w.load) if w.load else w.place for w in self.state.wizards[robe])

    @property
    def turn(self) -> tuple[str, Robe]:
        """Return what has to be done next, and whose turn it is."""
        return self.state.phase.value, self.state.turn


def opening(*seats: Robe, **settings: Any) -> Table:
    """Sit down at a table before the first roll."""
    game = TrapTheWizard(Settings(seats or PLAYERS, **settings))
    return Table(game, game.start())


def position(
    camps: Mapping[Robe, tuple[Any, ...]],  # places, or (place, whom it holds)
    points: int = 0,
    *,
    taken: Mapping[Robe, tuple[Robe, ...]] | None = None,
    scores: tuple[int, ...] = (0, 0, 0, 0),
    round_: int = 1,
    sixes: int = 0,
    **settings: Any,
) -> Table:
    """Set up a moment in which red has rolled these points, or is to roll."""
    game = TrapTheWizard(Settings(tuple(sorted(camps)), **settings))
    wizards = tuple(
        tuple(sorted(Wizard(s) if isinstance(s, int) else Wizard(*s) for s in camps.get(robe, ())))
        for robe in PLAYERS
    )
    held = [one for camp in wizards for wizard in camp for one in wizard.load]
    gone = taken or {}
    phase = Phase.MOVE if points else Phase.ROLL
    lost = tuple(tuple(sorted(gone.get(robe, ()))) for robe in PLAYERS)
    joker = JOKER not in held
    return Table(game, State(round_, phase, RED, points, sixes, wizards, joker, lost, scores))


HOME = START
