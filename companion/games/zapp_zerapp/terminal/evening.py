"""Zapp Zerapp played in the terminal: people who are made up shake barrels, and somebody types."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

from companion.core.kit import USUAL
from companion.errors import CompanionError
from companion.games.zapp_zerapp.rules import Colour, Phase, ZappZerapp
from companion.games.zapp_zerapp.shaking.levels import somebody
from companion.games.zapp_zerapp.shaking.people import Person
from companion.games.zapp_zerapp.shaking.table import Table
from companion.games.zapp_zerapp.terminal.human import Human, TakenBack
from companion.games.zapp_zerapp.terminal.story import Story
from companion.present.look import Notebook
from companion.present.screen import Screen

ROUND_OVER: Final = frozenset({Phase.ROLL, Phase.OVER})


@dataclass
class Evening:
    """One game at a simulated table; whoever takes something back plays it again up to there."""

    game: ZappZerapp
    screen: Screen
    seed: int
    people: tuple[Colour, ...] = ()
    board: bool = True
    notebook: Notebook | None = None
    level: str = USUAL  # of all others

    def __post_init__(self) -> None:
        """Refuse several people."""
        if len(self.people) > 1:
            raise CompanionError(
                "Only one person can play Zapp Zerapp at a keyboard: only whoever shakes "
                "a barrel may hear it."
            )

    def spend(self) -> None:
        """Play the game to its end."""
        self.screen.tell("This is game {seed}; '--seed {seed}' repeats it.", seed=self.seed)
        typed: list[str] = []
        while True:
            self.screen.muted = bool(typed)
            try:
                self._play(typed)
            except TakenBack as back:
                typed = back.typed
            else:
                return

    def _play(self, typed: list[str]) -> None:
        story = Story(self.game, self.screen, board=self.board)
        rng = Random(self.seed)  # noqa: S311 - a game and no secret
        game, settings, level = self.game, self.game.settings, self.level
        people: dict[Colour, Person] = {
            seat: somebody(level, seat, settings, rng) for seat in game.seats
        }
        table = Table(game, people, rng)
        for you in self.people:
            caught_up = partial(self._catch_up, story, table)
            people[you] = Human(you, settings, self.screen, typed, caught_up)
        story.begin()
        for before, action, after in table.play():
            if self.notebook:
                self.notebook.write(story.count + 1, action, last=after.phase in ROUND_OVER)
            story.step(before, action, after)
        story.end(table.state)

    def _catch_up(self, story: Story, table: Table) -> None:
        """After something was taken back, show where all stand."""
        if self.screen.muted:
            self.screen.muted = False
            self.screen.tell("Taken back.")
            story.stand(table.state)
            if self.notebook:
                self.notebook.cut(story.count)
