"""How Zapp Zerapp looks in the terminal, and the options by which it is played there."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final

from companion.core.game import Seat
from companion.core.plugin import USUAL
from companion.games.zapp_zerapp.listening_ai.listener import somebody
from companion.games.zapp_zerapp.listening_ai.people import Person
from companion.games.zapp_zerapp.listening_ai.table import Table
from companion.games.zapp_zerapp.rules import (
    PRESETS,
    Board,
    Colour,
    Phase,
    RoundOver,
    Settings,
    View,
    Won,
    ZappZerapp,
    read_board,
)
from companion.games.zapp_zerapp.terminal.human import Human, TakenBack
from companion.games.zapp_zerapp.terminal.picture import ring
from companion.games.zapp_zerapp.terminal.story import Story, show
from companion.present.terminal import TerminalScreen
from companion.present.terminal_game import PLAIN, SavedGame, Switch, TerminalGame
from companion.present.viewer import Viewer
from companion.system.errors import CompanionError
from companion.system.text import Text
from companion.system.toml_reader import read_toml

ROUND_OVER: Final = frozenset({Phase.ROLL, Phase.OVER})


@dataclass
class Evening:
    """One game at a simulated table; whoever takes something back plays it again up to there."""

    game: ZappZerapp
    screen: TerminalScreen
    seed: int
    people: tuple[Colour, ...] = ()
    board: bool = True
    notebook: SavedGame | None = None
    level: str = USUAL  # of all others

    def __post_init__(self) -> None:
        """Refuse several people."""
        if len(self.people) > 1:
            raise CompanionError(
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


Read = Callable[[str], str]  # what a file says
SWITCHES: Final = (
    Switch("profi", Text("Profi version, with taking along")),
    Switch("no-shuffle", Text("barrels go back to their places unshuffled")),
    Switch("overlook", Text("banishments may be overlooked")),
    Switch(
        "board",
        Text("{names}, or a TOML file of your own", names=tuple(PRESETS)),
        value=Text("NAME"),
    ),
)


def settings(seats: tuple[Colour, ...], given: Mapping[str, Any], read: Read) -> Settings:
    board = _board(given["board"] or next(iter(PRESETS)), read)
    return Settings(seats, given["profi"], given["overlook"], not given["no_shuffle"], board)


def _board(name: str, read: Read) -> Board:
    """Return a preset by name, or the board that a TOML file describes."""
    if name in PRESETS:
        return PRESETS[name]
    if not name.endswith(".toml"):
        raise CompanionError(
            "There is no board '{name}'; name one of {names}, or a TOML file.",
            name=name,
            names=tuple(PRESETS),
        )
    try:
        return read_board(read_toml(read(name)))
    except tomllib.TOMLDecodeError as error:
        raise CompanionError(
            "'{file}' is not valid TOML: {reason}.", file=name, reason=error
        ) from error


def picture(screen: TerminalScreen, _reader: Viewer, agreed: Settings, view: View) -> Iterable[str]:
    """Return the ring in the middle of a round."""
    title = screen.say(Text("In round {round}", round=view.round))
    return ring(screen, agreed.board, view, title)


def telling(game: ZappZerapp, screen: TerminalScreen, board: bool, reader: Seat | None) -> Story:
    """Return the story of a game, with the choices of a reader."""
    if reader is not None and reader not in game.seats:
        raise CompanionError(
            "{you} does not play in this game; {seats:and} do.",
            you=Colour(reader) if reader in set(Colour) else reader,
            seats=game.seats,
        )
    return Story(game, screen, board=board, reader=None if reader is None else Colour(reader))


LOOK: Final = TerminalGame(
    picture=picture,
    headline=PLAIN.headline,  # nobody chooses from a list: hands do
    offers=PLAIN.offers,
    milestones=(RoundOver, Won),
    switches=SWITCHES,
    settings=settings,
    evening=Evening,
    telling=telling,
    sums=show,
)
