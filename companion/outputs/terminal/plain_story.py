"""A game without barrels told as it happens: what is said of each event, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core.game import Action, Game, Seat
from companion.present.page import title_of
from companion.present.screen import BOLD, INK, Screen
from companion.text import SeatName

if TYPE_CHECKING:
    from companion.present.look import Look


@dataclass
class PlainStory:
    """One game, on a screen."""

    game: Game[Any]
    screen: Screen
    look: Look | None = None  # None: events only, and each of them
    board: bool = True  # whether pictures are drawn
    watched: bool = True  # by people who do not play, and see no picture at their turns

    def begin(self) -> None:
        """Say who plays what."""
        self.screen.line(self.screen.say(title_of(self.game.name)).upper(), BOLD)
        self.screen.tell("{seats:and} play.", seats=tuple(map(SeatName, self.game.seats)))
        self.screen.line()

    def step(self, before: Any, action: Action, after: Any) -> None:
        """Tell one action."""
        told = self.game.explain(before, action, after)
        for event in told:
            if self.look and isinstance(event, self.look.quiet):
                continue
            ink = INK.get(getattr(event, "seat", -1), "") if self.screen.colour else ""
            mark = self.screen.paint("▌ ", ink) if ink else "  "
            self.screen.line(f"{mark}{self.screen.say(event)}")
        if not (self.look and self.watched) or self.game.outcome(after) is not None:
            return
        if any(isinstance(event, self.look.milestones) for event in told):
            self.draw(after)

    def stand(self, state: Any) -> None:
        """Show nothing: what follows says where all stand."""

    def rests(self, _state: Any) -> bool:
        """Return that anything that happened is worth a rest."""
        return True

    def leave(self, state: Any, *, over: bool) -> None:  # noqa: ARG002 - the contract has it
        """Sum up."""
        self.end(state)

    def draw(self, state: Any, seat: Seat | None = None) -> None:
        """Draw where all stand, as one seat may see it."""
        self.screen.line(pause=0)
        if self.look and self.board:
            for line in self.look.drawn(self.screen, self.game, state, seat):
                self.screen.line(line, pause=0)
            self.screen.line()

    def end(self, state: Any) -> None:
        """Sum up."""
        outcome = self.game.outcome(state)
        if outcome is None:
            self.screen.tell("The match stops here.")
            return
        self.draw(state)
        for seat, points in sorted(outcome.scores, key=lambda score: -score[1]):
            self.screen.line(f"{self.screen.name(SeatName(seat)):10}{points:5}", INK.get(seat, ""))
