"""What the lights show of Via Magica: the animus, who has still to place, and opened portals.

For violet and white, who have no start, a light goes round the cities while they have to act; how
many portals they have opened is not shown.

An animus is told by its number as by its colour: as many fields of each quarter are lit as the full
bag holds of it, 6 for air, 1 for shadow. The joker is a comet that circles in all colours.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final

from companion.games.via_magica import rules
from companion.present.lights import canvas, contract, patterns, scenes
from companion.present.lights.example import JUST_NOW, Example, LightExamples, played, steps
from companion.present.lights.legend import LegendEntry
from companion.referee import commands, snapshot
from companion.system.text import SeatName, Text

KEEP: Final = LegendEntry(
    Text("Choose your portals"),
    Text(
        "The start and seat of whoever still has to choose breathe; those of the others are steady."
    ),
)
PORTALS: Final = LegendEntry(
    Text("Opened portals"),
    Text("Each quarter shows that many dim fields; the seventh portal is the city."),
)
ANIMUS: Final = LegendEntry(
    Text("The animus"),
    Text(
        "In each quarter, as many fields are lit as a full bag holds of it: 6 for air, 5 water, 4 "
        "earth, 3 life, 2 fire, 1 shadow. A calm light passes over them."
    ),
)
JOKER: Final = LegendEntry(
    Text("The joker"), Text("The ring is dark but for a comet that circles calmly.")
)
INCANTATUM: Final = LegendEntry(Text("Incantatum!"), Text("Their starts and seats blink fast."))
OPENED: Final = LegendEntry(
    Text("A portal opens"),
    Text("Two comets run from the start round both sides of the ring, again and again."),
)


def tell(now: snapshot.Snapshot, view: rules.View) -> Iterator[LegendEntry]:
    if any(isinstance(event, rules.PortalOpened) for event in now.happened):
        yield OPENED
    yield _phase(now, view)
    yield from contract.elsewhere(view.queue if view.phase is rules.Phase.CALL else view.turns)


def _phase(now: snapshot.Snapshot, view: rules.View) -> LegendEntry:
    match view.phase:
        case rules.Phase.KEEP:
            return KEEP
        case rules.Phase.CALL:
            return INCANTATUM
        case rules.Phase.CRYSTALLIZE:
            animus = view.animus
        case _:
            animus = told_animus(now)
            if animus is None:
                return PORTALS
    return JOKER if animus is rules.Animus.JOKER else ANIMUS


def told_animus(now: snapshot.Snapshot) -> rules.Animus | None:
    """Return the animus that a button offers as the one that was caught."""
    for option in scenes.lit_offers(now):
        match option.wish:
            case commands.DoAction(text) if text.startswith("catch "):
                return rules.Animus[text.split()[-1].upper()]
    return None


ANIMI: Final[dict[rules.Animus, canvas.Rgb]] = {
    rules.Animus.AIR: (110, 170, 190),
    rules.Animus.WATER: (20, 70, 255),
    rules.Animus.EARTH: (190, 90, 0),
    rules.Animus.LIFE: (30, 210, 30),
    rules.Animus.FIRE: (255, 30, 0),
    rules.Animus.SHADOW: (130, 20, 210),
}
HUES: Final[dict[rules.Hue, canvas.Rgb]] = {
    rules.Hue.GREEN: canvas.COLOURS[SeatName.GREEN],
    rules.Hue.YELLOW: canvas.COLOURS[SeatName.YELLOW],
    rules.Hue.VIOLET: canvas.VIOLET,
    rules.Hue.BLUE: canvas.COLOURS[SeatName.BLUE],
}
CALM: Final = 0.55  # an animus, but where the light passes that goes round


def draw(picture: canvas.LightCanvas, now: snapshot.Snapshot, view: rules.View, at_us: int) -> None:
    animus = view.animus if view.phase is rules.Phase.CRYSTALLIZE else told_animus(now)
    if animus is not None:
        _swirl(picture, animus, at_us)
    else:
        for zone in view.zones:
            canvas.count(picture, zone.seat, len(zone.opened), canvas.DIM)
    match view.phase:
        case rules.Phase.CATCH:
            canvas.breathe(picture, [view.catcher], at_us)
        case rules.Phase.KEEP | rules.Phase.CRYSTALLIZE:
            canvas.hold(picture, [zone.seat for zone in view.zones])
            canvas.breathe(picture, view.turns, at_us)
        case rules.Phase.CALL:
            canvas.ask(picture, view.queue, at_us)
        case _:
            canvas.breathe(picture, view.turns, at_us)
    for event in scenes.recent(now, at_us):
        if isinstance(event, rules.PortalOpened):
            _burst(picture, event, at_us - (now.acted_us or 0))


def _swirl(picture: canvas.LightCanvas, animus: rules.Animus, at_us: int) -> None:
    """Light its number in each quarter, where a calm light goes round."""
    for field in range(canvas.FIELDS):
        passing = patterns.swirl(field, canvas.FIELDS, at_us)
        if animus is rules.Animus.JOKER:
            picture.draw(field, ANIMI[rules.Animus(field % len(ANIMI))], passing)
        elif field % canvas.QUARTER < rules.BAG[animus]:
            picture.draw(field, ANIMI[animus], max(CALM, passing))


def _burst(picture: canvas.LightCanvas, opened: rules.PortalOpened, since_us: int) -> None:
    """Let light run from the seat to both sides, as far as the field opposite."""
    first = canvas.ORIGINS[opened.seat]
    for step in range(canvas.FIELDS // 2 + 1):
        brightness = patterns.comet(step, canvas.FIELDS // 2 + 1, since_us)
        for field in (first + step, first - step):
            picture.draw(field % canvas.FIELDS, HUES[opened.hue], brightness)


LIGHTS: Final = contract.Lights(draw, tell)


conjuring = partial(played, rules.ViaMagica())
DEALT: Final = {
    "red": (9, 21, 33, 1, 2, 3),
    "green": (34, 35, 37, 4, 5, 6),
    "blue": (10, 22, 33, 7, 8, 11),
    "yellow": (32, 36, 38, 12, 13, 14),
}
EXAMPLE_KEEP: Final = (
    *(f"deal {seat} {portal}" for seat, portals in DEALT.items() for portal in portals),
    *steps("draw 16; draw 17; draw 18; draw 19; draw 20; turn"),
    *steps("keep green portals 34,35,37; keep yellow portals 32,36,38"),
)
CATCH: Final = (
    *EXAMPLE_KEEP,
    *steps("keep red portals 9,21,33; keep blue portals 10,22,33; unveil"),
)
WATER: Final = (
    *(*CATCH, "catch water"),
    *steps("crystallize green 34:water; crystallize yellow 32:water"),
)
CALL: Final = (
    *(*WATER, *steps("crystallize red 33:water; crystallize blue 33:water; catch air")),
    *steps("crystallize red 33:air; crystallize green 34:air; crystallize yellow 32:air"),
    "crystallize blue 33:air",
)
EXAMPLE_OPENED: Final = (*CALL, *steps("call blue; open blue 33"))
EXAMPLE_PORTALS: Final = (
    *(
        *EXAMPLE_OPENED,
        *steps("take blue 16; draw 23; turn; open red 33; take red 17; draw 24; turn"),
    ),
    *steps("catch earth; crystallize red 21:earth; crystallize blue 10:earth"),
    *steps("crystallize yellow 38:earth; catch air; crystallize red 21:air"),
    *steps("crystallize green 34:air; crystallize blue 22:air; crystallize yellow 32:air"),
    *steps("catch air; crystallize red 21:air; crystallize green 34:air"),
    *steps("crystallize blue 22:air; call red; open red 21; take red 18; draw 25; turn"),
    *steps("waive red; open green 34; take green 19; draw 26; turn"),
)
EXAMPLES: Final = (
    Example(
        "keep",
        KEEP,
        Text("Via Magica: red and blue still have to choose; green and yellow have chosen."),
        lambda: conjuring(*EXAMPLE_KEEP),
    ),
    Example(
        "portals",
        PORTALS,
        Text("Via Magica: red is the catcher. It has opened two portals, green and blue one each."),
        lambda: conjuring(*EXAMPLE_PORTALS),
    ),
    Example(
        "animus",
        ANIMUS,
        Text("Via Magica: water is caught. Red and blue still have to place a crystal."),
        lambda: conjuring(*WATER),
    ),
    Example(
        "joker",
        JOKER,
        Text("Via Magica: the joker is caught, so each may place a crystal anywhere."),
        lambda: conjuring(*CATCH, "catch joker"),
    ),
    Example(
        "incantatum",
        INCANTATUM,
        Text("Via Magica: red and blue can open a portal. Say who called first."),
        lambda: conjuring(*CALL),
    ),
    Example(
        "opened",
        OPENED,
        Text("Via Magica: blue opens a violet portal. This stays for a few seconds."),
        lambda: conjuring(*EXAMPLE_OPENED),
        acted_us=JUST_NOW,
    ),
)
LIGHT_EXAMPLES: Final = LightExamples(EXAMPLES)
