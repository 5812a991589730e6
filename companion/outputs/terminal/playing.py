"""A game in the terminal: one being played, or a saved one, told on a screen."""

from __future__ import annotations

import secrets
from argparse import Namespace
from pathlib import Path
from typing import Any, Final

from companion.core.game import Game, Seat
from companion.errors import CompanionError, RulesError
from companion.outputs.terminal.journal_story import JournalStory
from companion.outputs.terminal.plain_story import PlainStory
from companion.outputs.terminal.saved import Notebook, read_game
from companion.outputs.terminal.seating import seated
from companion.present.look import Evening, Telling, look_of
from companion.present.screen import Screen
from companion.referee.exchange import Told
from companion.referee.retold import retold
from companion.say import Text

FAULTY: Final = 1  # the exit code of a saved game that is not sound
SLOW_S: Final = 0.25
SEEDS: Final = 1_000_000


def play(options: Namespace, screen: Screen) -> int:
    """Play a game as the options say."""
    game, yours = seated(options)
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    watched = options.slow or (bool(yours) and screen.out.isatty())
    screen.pace_s = SLOW_S if watched else 0
    evening = (look_of(game.name).evening or _sitting)(game, screen, seed, yours)
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


def _sitting(game: Game[Any], screen: Screen, seed: int, people: tuple[Seat, ...]) -> Evening:
    from companion.outputs.terminal import without_barrels  # noqa: PLC0415 - its words take time

    return without_barrels.Sitting(game, screen, seed, people)


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
    story = _telling(log.game, options, screen)
    story.begin()
    stepping = options.step
    for before, action, after in zip(log.states, log.actions, log.states[1:], strict=False):
        story.step(before, action, after)
        if stepping and story.rests(after):
            stepping = _turn_page(screen)
    story.end(log.state)
    return screen.complain(FAULTY, fault) if fault else 0


def _replay_export(told: Told, options: Namespace, screen: Screen) -> int:
    """Show the matches of a journal's export, one after another."""
    matches = [retold(entries) for entries in told.matches]
    faults: list[RulesError | CompanionError] = [*told.refused]
    faults += [fault for _, fault in matches if fault is not None]
    sound = [
        (steps, _telling(steps[0].after.game, options, screen)) for steps, _ in matches if steps
    ]
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


def _telling(game: Game[Any], options: Namespace, screen: Screen) -> Telling:
    """Return what tells a game as the options wish; CompanionError if it cannot be told so."""
    tell = look_of(game.name).telling
    if tell is None:
        return PlainStory(game, screen)
    return tell(game, screen, not options.no_board, options.reader)


def _turn_page(screen: Screen) -> bool:
    """Wait for the reader; at the end of input show all the rest."""
    try:
        screen.ask(screen.say(Text("Enter shows the next round; Ctrl-D all the rest. ")))
    except EOFError:
        return False
    return True
