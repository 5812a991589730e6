"""How Zapp Zerapp looks in the terminal, and the options by which it is played there."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final

from companion.core.game import Seat
from companion.core.plugin import USUAL
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.listening_ai.listener import somebody
from companion.games.zapp_zerapp.listening_ai.people import Person
from companion.games.zapp_zerapp.listening_ai.table import Table
from companion.games.zapp_zerapp.terminal.human import Human, TakenBack
from companion.games.zapp_zerapp.terminal.story import Story, ring, show
from companion.present import terminal_game, viewer
from companion.present.terminal import TerminalScreen
from companion.system import errors, text, toml_reader

ROUND_OVER: Final = frozenset({rules.Phase.ROLL, rules.Phase.OVER})


@dataclass
class Evening:
    """One game at a simulated table; whoever takes something back plays it again up to there."""

    game: rules.ZappZerapp
    screen: TerminalScreen
    seed: int
    people: tuple[rules.Colour, ...] = ()
    board: bool = True
    notebook: terminal_game.SavedGame | None = None
    level: str = USUAL  # of all others

    def __post_init__(self) -> None:
        """Refuse several people."""
        if len(self.people) > 1:
            raise errors.CompanionError(
                "Only one person can play Zapp Zerapp at a keyboard: only whoever shakes "
                "a barrel may hear it."
            )

    def spend(self) -> None:
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
        people: dict[rules.Colour, Person] = {
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


Read = Callable[[str], str]  # what a file says
SWITCHES: Final = (
    terminal_game.Switch("profi", text.Text("Profi version, with taking along")),
    terminal_game.Switch("no-shuffle", text.Text("barrels go back to their places unshuffled")),
    terminal_game.Switch("overlook", text.Text("banishments may be overlooked")),
    terminal_game.Switch(
        "board",
        text.Text("{names}, or a TOML file of your own", names=tuple(rules.PRESETS)),
        value=text.Text("NAME"),
    ),
)


def settings(
    seats: tuple[rules.Colour, ...], given: Mapping[str, Any], read: Read
) -> rules.Settings:
    board = _board(given["board"] or next(iter(rules.PRESETS)), read)
    return rules.Settings(seats, given["profi"], given["overlook"], not given["no_shuffle"], board)


def _board(name: str, read: Read) -> rules.Board:
    """Return a preset by name, or the board that a TOML file describes."""
    if name in rules.PRESETS:
        return rules.PRESETS[name]
    if not name.endswith(".toml"):
        raise errors.CompanionError(
            "There is no board '{name}'; name one of {names}, or a TOML file.",
            name=name,
            names=tuple(rules.PRESETS),
        )
    try:
        return rules.read_board(toml_reader.read_toml(read(name)))
    except tomllib.TOMLDecodeError as error:
        raise errors.CompanionError(
            "'{file}' is not valid TOML: {reason}.", file=name, reason=error
        ) from error


def picture(
    screen: TerminalScreen, _reader: viewer.Viewer, agreed: rules.Settings, view: rules.View
) -> Iterable[str]:
    """Return the ring in the middle of a round."""
    title = screen.say(text.Text("In round {round}", round=view.round))
    return ring(screen, agreed.board, view, title)


def telling(
    game: rules.ZappZerapp, screen: TerminalScreen, board: bool, reader: Seat | None
) -> Story:
    """Return the story of a game, with the choices of a reader."""
    if reader is not None and reader not in game.seats:
        raise errors.CompanionError(
            "{you} does not play in this game; {seats:and} do.",
            you=rules.Colour(reader) if reader in set(rules.Colour) else reader,
            seats=game.seats,
        )
    return Story(game, screen, board=board, reader=None if reader is None else rules.Colour(reader))


LOOK: Final = terminal_game.TerminalGame(
    picture=picture,
    headline=terminal_game.PLAIN.headline,  # nobody chooses from a list: hands do
    offers=terminal_game.PLAIN.offers,
    milestones=(rules.RoundOver, rules.Won),
    switches=SWITCHES,
    settings=settings,
    evening=Evening,
    telling=telling,
    sums=show,
)
