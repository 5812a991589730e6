"""A game without barrels told as it happens: what is said of each event, and how it ends.

It must not know any one game, nor where the actions come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.rules.game import Action, Game, SeatName
from companion.say import Text
from companion.terminal.screen import BOLD, INK, Screen


@dataclass
class PlainStory:
    """One game, on a screen."""

    game: Game[Any]
    screen: Screen

    def begin(self) -> None:
        """Say who plays what."""
        self.screen.line(self.game.name.replace("-", " ").upper(), BOLD)
        self.screen.tell("{seats:and} play.", seats=tuple(map(SeatName, self.game.seats)))
        self.screen.line()

    def step(self, before: Any, action: Action, _after: Any) -> None:
        """Tell one action."""
        for event in self.game.explain(before, action):
            ink = INK.get(getattr(event, "seat", -1), "") if self.screen.colour else ""
            mark = self.screen.paint("▌ ", ink) if ink else "  "
            self.screen.line(f"{mark}{self.screen.say(event)}")

    def show(self, title: Text, _state: Any) -> None:
        """Say that it went on from elsewhere; there is no picture."""
        self.screen.line(self.screen.say(title), BOLD)

    def end(self, state: Any) -> None:
        """Sum up."""
        outcome = self.game.outcome(state)
        if outcome is None:
            self.screen.tell("The match stops here.")
            return
        self.screen.line()
        for seat, points in sorted(outcome.scores, key=lambda score: -score[1]):
            self.screen.line(f"{self.screen.name(SeatName(seat)):10}{points:5}", INK.get(seat, ""))
