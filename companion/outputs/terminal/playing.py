"""A game in the terminal: one being played, or a saved one, told on a screen."""

from __future__ import annotations

import secrets
from argparse import Namespace
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from companion.core.game import Game
from companion.errors import CompanionError, RulesError
from companion.games.zapp_zerapp.rules import Colour, Phase, ZappZerapp
from companion.games.zapp_zerapp.shaking.people import Listener, Person
from companion.games.zapp_zerapp.shaking.table import Table
from companion.outputs.terminal.human import Human, TakeBack
from companion.outputs.terminal.journal_story import JournalStory, round_over
from companion.outputs.terminal.plain_story import PlainStory
from companion.outputs.terminal.saved import Notebook, read_game
from companion.outputs.terminal.seating import seated
from companion.outputs.terminal.story import Story
from companion.present.screen import Screen
from companion.referee.exchange import Told
from companion.referee.retold import retold
from companion.say import Text

if TYPE_CHECKING:
    from companion.outputs.terminal.without_barrels import Sitting

FAULTY: Final = 1  # the exit code of a saved game that is not sound
SLOW_S: Final = 0.25
SEEDS: Final = 1_000_000
ROUND_OVER: Final = frozenset({Phase.ROLL, Phase.OVER})


def play(options: Namespace, screen: Screen) -> int:
    """Play a game as the options say."""
    game, yours = seated(options)
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    watched = options.slow or (bool(yours) and screen.out.isatty())
    screen.pace_s = SLOW_S if watched else 0
    evening: Evening | Sitting
    if isinstance(game, ZappZerapp):
        evening = Evening(game, screen, seed, you=next(iter(yours), None))
    else:
        from companion.outputs.terminal import without_barrels  # noqa: PLC0415 - its words take time

        evening = without_barrels.Sitting(game, screen, seed, people=yours)
    evening.board = not options.no_board
    if options.save is None:
        evening.spend()
        return 0
    with Notebook(Path(options.save), game) as evening.notebook:
        try:
            evening.spend()
        except (KeyboardInterrupt, EOFError):
            screen.muted = False
            screen.line()
            screen.tell("The game so far is saved in '{file}'.", file=options.save)
            raise
    screen.tell("The game is saved in '{file}'.", file=options.save)
    return 0


def replay(options: Namespace, screen: Screen) -> int:
    """Show a saved game or an export; what is wrong with it is said after all that is sound."""
    try:
        found = read_game(options.file)
    except RulesError as nothing_sound:
        return screen.complain(FAULTY, nothing_sound)
    screen.pace_s = SLOW_S if options.slow else 0
    if isinstance(found, Told):
        return _replay_export(found, options, screen)
    log, fault = found
    story = _story(log.game, options, screen)
    story.begin()
    stepping = options.step
    for before, action, after in zip(log.states, log.actions, log.states[1:], strict=False):
        story.step(before, action, after)
        if stepping and round_over(after):
            stepping = _turn_page(screen)
    story.end(log.state)
    return screen.complain(FAULTY, fault) if fault else 0


def _replay_export(told: Told, options: Namespace, screen: Screen) -> int:
    """Show the matches of a journal's export, one after another."""
    matches = [retold(entries) for entries in told.matches]
    faults: list[RulesError | CompanionError] = [*told.refused]
    faults += [fault for _, fault in matches if fault is not None]
    sound = [(steps, _story(steps[0].after.game, options, screen)) for steps, _ in matches if steps]
    if not sound:
        screen.complain(FAULTY, *faults)
        raise CompanionError("'{file}' holds no match that can be shown.", file=options.file)
    stepping = options.step
    for steps, story in sound:
        match = JournalStory(story)
        for step in steps:
            if match.tell(step) and stepping:
                stepping = _turn_page(screen)
        match.end(steps[-1].after)
    return screen.complain(FAULTY, *faults) if faults else 0


def _story(game: Game[Any], options: Namespace, screen: Screen) -> Story | PlainStory:
    """Return the story that the options wish for; CompanionError if it cannot be told."""
    if not isinstance(game, ZappZerapp):
        return PlainStory(game, screen)
    if options.reader is not None and options.reader not in game.seats:
        raise CompanionError(
            "{you} does not play in this game; {seats:and} do.",
            you=options.reader,
            seats=game.seats,
        )
    return Story(game, screen, board=not options.no_board, reader=options.reader)


@dataclass
class Evening:
    """One game at a simulated table; whoever takes something back plays it again up to there."""

    game: ZappZerapp
    screen: Screen
    seed: int
    notebook: Notebook | None = None
    you: Colour | None = None
    board: bool = True

    def spend(self) -> None:
        """Play the game to its end."""
        self.screen.tell("This is game {seed}; '--seed {seed}' repeats it.", seed=self.seed)
        typed: list[str] = []
        while True:
            self.screen.muted = bool(typed)
            try:
                self._play(typed)
            except TakeBack as back:
                typed = back.typed
            else:
                return

    def _play(self, typed: list[str]) -> None:
        story = Story(self.game, self.screen, board=self.board)
        rng = Random(self.seed)  # noqa: S311 - a game and no secret
        game, settings = self.game, self.game.settings
        people: dict[Colour, Person] = {seat: Listener(settings, rng) for seat in game.seats}
        table = Table(game, people, rng)
        if self.you is not None:
            caught_up = partial(self._catch_up, story, table)
            people[self.you] = Human(self.you, settings, self.screen, typed, caught_up)
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
            story.show(Text("In round {round}", round=table.state.round), table.state)
            if self.notebook:
                self.notebook.cut(story.count)


def _turn_page(screen: Screen) -> bool:
    """Wait for the reader; at the end of input show all the rest."""
    try:
        screen.ask(screen.say(Text("Enter shows the next round; Ctrl-D all the rest. ")))
    except EOFError:
        return False
    return True
