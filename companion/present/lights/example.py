"""An example of a scene: a table that is made up, and what is said of it.

Every example is a match as its events left it, so nothing is shown that no real table could show.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar, Final

from companion.core import Game, read
from companion.core.plugin import GAMES, PLUGINS
from companion.present.lights import canvas, legend
from companion.present.lights.patterns import STEP_US
from companion.present.lights.scenes import scene
from companion.referee import commands, events, match_snapshot, snapshot
from companion.referee.match import Match, apply, start_match, started_event
from companion.system.text import Text

FIRST_US: Final = 8 * STEP_US  # where an example begins, so that its first picture says much
JUST_NOW: Final = FIRST_US - 200_000  # when something was done that is shown for a while
AGAIN_US: Final = 6_000_000  # this often an example repeats what happens once


@dataclass(frozen=True, slots=True)
class Example:
    """A scene with its name, what it means, and what it tells of the table that is made up."""

    name: str
    meaning: legend.LegendEntry
    about: Text
    shown: Callable[[], snapshot.Snapshot]
    warned_us: int | None = None  # when, of each AGAIN_US, what happens once is seen
    acted_us: int | None = None

    def scenes(self) -> Iterator[canvas.LightScene]:
        """Yield what is seen, 20 times a second, without an end."""
        shown, at_us = self.shown(), FIRST_US
        while True:
            yield self.at(shown, at_us)
            at_us += STEP_US

    def at(self, shown: snapshot.Snapshot, at_us: int) -> canvas.LightScene:
        def newest(due_us: int | None) -> int | None:
            return None if due_us is None else at_us - (at_us - due_us) % AGAIN_US

        once = replace(shown, warned_us=newest(self.warned_us), acted_us=newest(self.acted_us))
        return scene(once, at_us)


@dataclass(frozen=True, slots=True)
class LightExamples:
    """An example of whatever the lights show of a game, for manual and terminal."""

    part: ClassVar[str] = "light_examples"

    examples: tuple[Example, ...]


def played(
    game: Game[Any],
    *new_events: str | events.MatchEvent,
    lit: tuple[str, commands.CommandBody] | None = None,
    asked: tuple[str, ...] = (),
) -> snapshot.Snapshot:
    """Return a table after events; of the seat that is named a button has lit a wish."""
    match: Match = start_match(started_event(game, events.HouseRules()), GAMES)
    for event in new_events:
        if isinstance(event, str):
            event = events.ActionDone(read(match.game, match.state, event), "red")  # noqa: PLW2901 - text becomes the event that it stands for
        match = apply(match, event)
    shown = match_snapshot.for_match("example", match, {}, asked)
    if lit is None:
        return shown
    colour, wish = lit
    (offers,) = (seat.offers for seat in shown.seats if seat.colour == colour)
    places = {offer.wish: place for place, offer in enumerate(offers)}
    return match_snapshot.for_match("example", match, {colour: places[wish]}, asked)


def steps(text: str) -> tuple[str, ...]:
    """Return what is done, one after another.

    >>> steps("roll 5; move red start 9")
    ('roll 5', 'move red start 9')
    """
    return tuple(text.split("; "))


@cache
def examples() -> tuple[Example, ...]:
    """Return all examples, each game's own among them; games are loaded when this is called."""
    set_up = Example(
        "set-up",
        legend.SET_UP,
        Text("Red and blue have joined; two are enough to begin. Hold a button to begin."),
        lambda: match_snapshot.without_match(("red", "blue")),
    )
    parts = [plugin.part(LightExamples) for plugin in PLUGINS.values()]
    return (set_up, *(example for part in parts if part is not None for example in part.examples))
