"""The command `replay`: shows a saved game, or a match exported from a journal, step by step."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.cli import files, journal, play
from companion.core import GAMES, Action, Game, Log, Seat, load
from companion.journal.export import ReadExport, is_export, read_export
from companion.present.page import title_of
from companion.present.terminal import BOLD, INK, TerminalScreen
from companion.present.terminal_game import PLAIN, Telling, look_of
from companion.referee.people import person, store
from companion.referee.replay import replay_steps
from companion.system import errors, paths
from companion.system.text import SeatName, Text

if TYPE_CHECKING:
    from companion.present.terminal_game import TerminalGame


@dataclass
class PlainStory:
    game: Game[Any]
    screen: TerminalScreen
    look: TerminalGame | None = None  # None: events only, and each of them
    board: bool = True  # whether pictures are drawn
    watched: bool = True  # by people who do not play, and see no picture at their turns

    def begin(self) -> None:
        self.screen.line(self.screen.say(title_of(self.game.name)).upper(), BOLD)
        self.screen.tell("{seats:and} play.", seats=tuple(map(SeatName, self.game.seats)))
        self.screen.line()

    def step(self, before: Any, action: Action, after: Any) -> None:
        explained = self.game.explain(before, action, after)
        for event in explained:
            if self.look and isinstance(event, self.look.quiet):
                continue
            ink = INK.get(getattr(event, "seat", -1), "") if self.screen.colour else ""
            mark = self.screen.paint("▌ ", ink) if ink else "  "
            self.screen.line(f"{mark}{self.screen.say(event)}")
        if not (self.look and self.watched) or self.game.outcome(after) is not None:
            return
        if any(isinstance(event, self.look.milestones) for event in explained):
            self.draw(after)

    def stand(self, state: Any) -> None:
        """Show nothing: what follows says where all stand."""

    def rests(self, _state: Any) -> bool:
        """Return that anything that happened is worth a rest."""
        return True

    def leave(self, state: Any, *, over: bool) -> None:  # noqa: ARG002 - the contract has it
        self.end(state)

    def draw(self, state: Any, seat: Seat | None = None) -> None:
        """Draw where all stand, as one seat may see it."""
        self.screen.line(pause=0)
        if self.look and self.board:
            for line in self.look.drawn(self.screen, self.game, state, seat):
                self.screen.line(line, pause=0)
            self.screen.line()

    def end(self, state: Any) -> None:
        outcome = self.game.outcome(state)
        if outcome is None:
            self.screen.tell("The match stops here.")
            return
        self.draw(state)
        if look_of(self.game.name) is PLAIN:  # the events of our own games say it
            winners = tuple(map(SeatName, outcome.winners))
            self.screen.tell("{seats:@{seats:and} {seats:#wins|win}|You win}!", seats=winners)
        for seat, points in sorted(outcome.scores, key=lambda score: -score[1]):
            self.screen.line(f"{self.screen.name(SeatName(seat)):10}{points:5}", INK.get(seat, ""))


FAULTY: Final = 1  # the exit code of a saved game that is not sound


def replay(options: Namespace, screen: TerminalScreen) -> int:
    """Show a saved game or an export; what is wrong with it is said after all that is sound."""
    try:
        source = read_file(options.file)
    except errors.RulesError as nothing_sound:
        return screen.complain(FAULTY, nothing_sound)
    screen.pace_s = play.SLOW_S if options.slow else 0
    if isinstance(source, ReadExport):
        return _replay_export(source, options, screen)
    log, fault = source
    story = _telling(log.game, options, screen)
    story.begin()
    stepping = options.step
    for before, action, after in log.steps():
        story.step(before, action, after)
        if stepping and story.rests(after):
            stepping = _turn_page(screen)
    story.end(log.state)
    return screen.complain(FAULTY, fault) if fault else 0


def _replay_export(export: ReadExport, options: Namespace, screen: TerminalScreen) -> int:
    """Show the matches of a journal's export, one after another."""
    matches = [replay_steps(entries) for entries in export.matches]
    faults: list[errors.RulesError | errors.CompanionError] = [*export.refused]
    faults += [fault for _, fault in matches if fault is not None]
    sound = [
        (steps, _telling(steps[0].after.game, options, screen)) for steps, _ in matches if steps
    ]
    if not sound:
        screen.complain(FAULTY, *faults)
        raise errors.CompanionError(
            "'{file}' does not contain a match that can be shown.", file=options.file
        )
    stepping = options.step
    tables = tables_here(screen)
    for steps, story in sound:
        screen.seating = seated(tables, steps[0].entry.match)
        match = journal.JournalStory(story)
        for step in steps:
            if match.tell(step) and stepping:
                stepping = _turn_page(screen)
        match.end(steps[-1].after)
    return screen.complain(FAULTY, *faults) if faults else 0


def tables_here(screen: TerminalScreen) -> Sequence[store.KeptPeople]:
    """Return who is known at the tables of this computer; nobody where the words may be kept."""
    if not screen.out.isatty():
        return ()
    try:
        return [store.KeptPeople(paths.kept_in(None, name)) for name in ("table", "simulated")]
    except errors.CompanionError:  # no home, no table
        return ()


def seated(tables: Sequence[store.KeptPeople], match: str) -> person.Seating:
    """Return who sat where, if one of the tables knows it still."""
    seatings = (people.in_match(match) for people in tables)
    return next((seating for seating in seatings if seating != person.NOBODY), person.NOBODY)


def _telling(game: Game[Any], options: Namespace, screen: TerminalScreen) -> Telling:
    """Return what tells a game as the options wish; CompanionError if it cannot be told so."""
    tell = look_of(game.name).telling
    if tell is None:
        return PlainStory(game, screen)
    return tell(game, screen, not options.no_board, options.reader)


def _turn_page(screen: TerminalScreen) -> bool:
    """Wait for the reader; at the end of input show all the rest."""
    try:
        screen.ask(screen.say(Text("Enter shows the next round; Ctrl-D all the rest. ")))
    except EOFError:
        return False
    return True


def read_file(name: str) -> tuple[Log[Any], errors.RulesError | None] | ReadExport:
    """Return a saved game as far as it is sound, and what is wrong after that; or an export."""
    data = files.data_of(name)
    if not data.strip():
        raise errors.CompanionError("'{file}' is empty; no game has been saved in it.", file=name)
    if is_export(data):
        return read_export(BytesIO(data), Path(name))
    return load(files.decoded(data, name), GAMES)
