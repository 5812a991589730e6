"""What the lights show of Via Magica: the animus, who has still to place, and opened portals.

For violet and white, who have no start, a light goes round the cities while they have to act; how
many portals they have opened is not shown.

An animus is told by its number as by its colour: as many fields of each quarter are lit as the full
bag holds of it, 6 for air, 1 for shadow. The joker is a comet that circles in all colours.
"""

from __future__ import annotations

from typing import Final

from companion.games.via_magica import light_meanings as meanings
from companion.games.via_magica.light_meanings import told_animus
from companion.games.via_magica.rules import BAG, Animus, Hue, Phase, PortalOpened, View
from companion.present.lights.contract import Lights
from companion.present.lights.patterns import comet, swirl
from companion.present.lights.picture import COLOURS, FIELDS, VIOLET, Picture, Rgb
from companion.present.lights.recent import recent
from companion.present.lights.seats import DIM, ORIGINS, QUARTER, ask, breathe, count, hold
from companion.referee.snapshot import Snapshot
from companion.text import SeatName

ANIMI: Final[dict[Animus, Rgb]] = {
    Animus.AIR: (110, 170, 190),
    Animus.WATER: (20, 70, 255),
    Animus.EARTH: (190, 90, 0),
    Animus.LIFE: (30, 210, 30),
    Animus.FIRE: (255, 30, 0),
    Animus.SHADOW: (130, 20, 210),
}
HUES: Final[dict[Hue, Rgb]] = {
    Hue.GREEN: COLOURS[SeatName.GREEN],
    Hue.YELLOW: COLOURS[SeatName.YELLOW],
    Hue.VIOLET: VIOLET,
    Hue.BLUE: COLOURS[SeatName.BLUE],
}
CALM: Final = 0.55  # an animus, but where the light passes that goes round


def draw(picture: Picture, now: Snapshot, view: View, at_us: int) -> None:
    """Draw a moment of the game."""
    animus = view.animus if view.phase is Phase.CRYSTALLIZE else told_animus(now)
    if animus is not None:
        _swirl(picture, animus, at_us)
    else:
        for zone in view.zones:
            count(picture, zone.seat, len(zone.opened), DIM)
    match view.phase:
        case Phase.CATCH:
            breathe(picture, [view.catcher], at_us)
        case Phase.KEEP | Phase.CRYSTALLIZE:
            hold(picture, [zone.seat for zone in view.zones])
            breathe(picture, view.turns, at_us)
        case Phase.CALL:
            ask(picture, view.queue, at_us)
        case _:
            breathe(picture, view.turns, at_us)
    for event in recent(now, at_us):
        if isinstance(event, PortalOpened):
            _burst(picture, event, at_us - (now.acted_us or 0))


def _swirl(picture: Picture, animus: Animus, at_us: int) -> None:
    """Light its number in each quarter, where a calm light goes round."""
    for field in range(FIELDS):
        passing = swirl(field, FIELDS, at_us)
        if animus is Animus.JOKER:
            picture.draw(field, ANIMI[Animus(field % len(ANIMI))], passing)
        elif field % QUARTER < BAG[animus]:
            picture.draw(field, ANIMI[animus], max(CALM, passing))


def _burst(picture: Picture, opened: PortalOpened, since_us: int) -> None:
    """Let light run from the seat to both sides, as far as the field opposite."""
    first = ORIGINS[opened.seat]
    for step in range(FIELDS // 2 + 1):
        brightness = comet(step, FIELDS // 2 + 1, since_us)
        for field in (first + step, first - step):
            picture.draw(field % FIELDS, HUES[opened.hue], brightness)


LIGHTS: Final = Lights(draw, meanings.tell)
