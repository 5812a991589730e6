"""The command `replay`: a saved game, or a journal's export, told on a screen."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from companion.core.game import Game
from companion.core.kit import GAMES
from companion.core.log import Log, load
from companion.errors import CompanionError, RulesError
from companion.folders import kept_in
from companion.journal.exchange import Told, is_export, read
from companion.outputs.terminal.files import data_of, decoded
from companion.outputs.terminal.journal_story import JournalStory
from companion.outputs.terminal.plain_story import PlainStory
from companion.outputs.terminal.play_command import SLOW_S
from companion.people.kept_people import KeptPeople
from companion.people.seating import NOBODY, Seating
from companion.present.look import Telling, look_of
from companion.present.screen import Screen
from companion.referee.match_steps import retold
from companion.text import Text

FAULTY: Final = 1  # the exit code of a saved game that is not sound


def replay(options: Namespace, screen: Screen) -> int:
    """Show a saved game or an export; what is wrong with it is said after all that is sound."""
    try:
        found = read_file(options.file)
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
        raise CompanionError(
            "'{file}' does not contain a match that can be shown.", file=options.file
        )
    stepping = options.step
    tables = tables_here(screen)
    for steps, story in sound:
        screen.seating = seated(tables, steps[0].entry.match)
        match = JournalStory(story)
        for step in steps:
            if match.tell(step) and stepping:
                stepping = _turn_page(screen)
        match.end(steps[-1].after)
    return screen.complain(FAULTY, *faults) if faults else 0


def tables_here(screen: Screen) -> Sequence[KeptPeople]:
    """Return who is known at the tables of this computer; nobody where the words may be kept."""
    if not screen.out.isatty():
        return ()
    try:
        return [KeptPeople(kept_in(None, name)) for name in ("table", "simulated")]
    except CompanionError:  # no home, no table
        return ()


def seated(tables: Sequence[KeptPeople], match: str) -> Seating:
    """Return who sat where, if one of the tables knows it still."""
    found = (people.in_match(match) for people in tables)
    return next((seating for seating in found if seating != NOBODY), NOBODY)


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


def read_file(name: str) -> tuple[Log[Any], RulesError | None] | Told:
    """Return a saved game as far as it is sound, and what is wrong after that; or an export."""
    data = data_of(name)
    if not data.strip():
        raise CompanionError("'{file}' is empty; no game has been saved in it.", file=name)
    if is_export(data):
        return read(BytesIO(data), Path(name))
    return load(decoded(data, name), GAMES)
