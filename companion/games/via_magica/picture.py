"""Draws the table of Via Magica: portals and their fields, the bag, all zones; and its events.

A field is told by its sign, two letters and its colour; one that is covered bears a crystal. Signs
are drawn once, in SIGNS, and used wherever one is shown. Colours stand in game_via_magica.css.
The table is one piece of HTML, the same for its page and for the history; it must not know what may
be done, nor anything that is hidden.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any, Final

from markupsafe import Markup

from companion.core import Event, SeatName
from companion.games.via_magica import rules
from companion.games.via_magica.rules import BAG, PORTALS, Animus, Building, Hue, Portal, Power
from companion.present import icons
from companion.present.animations import AnimationKind, Animations, EventPicture
from companion.present.viewer import Viewer
from companion.system.text import seat_word

SHAPES: Final = {  # each within ten units around the middle
    Animus.AIR: "M-9-1C-5-7-1 3 3-3 5-6 8-5 9-2M-9 5C-5-1-1 9 3 3 5 0 8 1 9 4",
    Animus.WATER: "M0-9C4-3 7 1 7 4A7 6 0 0 1-7 4C-7 1-4-3 0-9Z",
    Animus.EARTH: "M-9 7-3-6 1 1 4-4 9 7Z",
    Animus.LIFE: "M-7 8C-10-3-2-9 8-8 9 2 4 10-5 6L-7 8ZM-7 8 2-2",
    Animus.FIRE: "M1-10C6-4 8 0 7 4 5 10-5 10-7 4-8 0-5-2-4-6-3-4-2-3 0-3 2-5 2-7 1-10Z",
    Animus.SHADOW: "M3-9A9 9 0 1 0 8 5 7 7 0 1 1 3-9Z",
    Animus.JOKER: "M0-10 2.6-3.4 9.6-3 4.2 1.4 6 8.2 0 4.4-6 8.2-4.2 1.4-9.6-3-2.6-3.4Z",
}
SIGNS: Final = Markup('<svg class="unseen" aria-hidden="true"><defs>{}</defs></svg>').format(
    Markup("").join(
        Markup('<path id="sign-of-{}" d="{}"/>').format(animus.name.lower(), shape)
        for animus, shape in SHAPES.items()
    )
)
CRYSTAL: Final = Markup(
    '<path class="crystal" d="M0-11 8-2.5 0 11-8-2.5Z"/>'
    '<path class="facet" d="M-8-2.5H8M-3-2.5 0 11 3-2.5"/>'
)
BAR, STEP, BASE = 26, 15, 100  # a column of the bag, one animus in it, and where they stand


@dataclass(frozen=True, slots=True)
class Slot:
    animus: Animus
    covered: bool


def slots(building: Building) -> Iterator[Slot]:
    """Yield the fields of a portal one by one: of each animus those that are covered first."""
    for animus, count in zip(Animus, PORTALS[building.portal].fields, strict=False):
        for place in range(count):
            yield Slot(animus, place < building.covered[animus])


def animus_svg(animus: Animus, reader: Viewer, *, covered: bool = False) -> Markup:
    """Return a field, or an animus alone."""
    word = animus.name.lower()
    return Markup(
        '<svg class="animus {}{}" viewBox="-15 -15 30 30" aria-hidden="true">'
        '<circle r="14"/><use href="#sign-of-{}"/>{}<text y="11.5">{}</text></svg>'
    ).format(
        word,
        " covered" if covered else "",
        word,
        CRYSTAL if covered else "",
        _short(animus, reader),
    )


def all_animi(_: Viewer) -> str:
    """Return all that can be drawn from the bag, in a ring: the picture of the game."""
    turns = [(animus, 2 * pi * animus / len(Animus) - pi / 2) for animus in Animus]
    placed = [
        f'<g class="animus {animus.name.lower()}" transform="translate({64 * cos(turn):.1f}'
        f' {64 * sin(turn):.1f}) scale(1.7)"><circle r="14"/>'
        f'<use href="#sign-of-{animus.name.lower()}"/></g>'
        for animus, turn in turns
    ]
    signs = SIGNS.partition("<defs>")[2].rpartition("</defs>")[0]
    return f'<svg viewBox="-90 -90 180 180"><defs>{signs}</defs>{"".join(placed)}</svg>'


def _short(animus: Animus, reader: Viewer) -> str:
    return "" if animus is Animus.JOKER else reader.name(animus)[:2].title()


def worth_text(portal: Portal, reader: Viewer) -> str:
    """Return how many points a portal brings, and for what."""
    match portal.per:
        case Hue():
            return reader.say(
                "{points} {points:#point|points} per portal: {hue}",
                points=portal.points,
                hue=portal.per,
            )
        case Animus():
            return reader.say(
                "{points} {points:#point|points} per field: {animus}",
                points=portal.points,
                animus=portal.per,
            )
    return reader.say("{points} {points:#point|points}", points=portal.points)


def power(portal: Portal, reader: Viewer) -> str:
    """Return what a portal does, in a few words."""
    if portal.hue is Hue.BLUE:
        return reader.say("{animus} is a joker for you", animus=portal.animus)
    match portal.power:
        case Power.PLACE if portal.animus is Animus.JOKER:
            return reader.say(
                "place {count} {count:#crystal|crystals} anywhere", count=portal.count
            )
        case Power.PLACE:
            return reader.say("place {count} on {animus}", count=portal.count, animus=portal.animus)
        case Power.GAIN:
            return reader.say("{count} more {count:#crystal|crystals}", count=portal.count)
        case Power.OPEN:
            return reader.say("open another portal")
        case Power.TAKE:
            return reader.say("take one more portal")
        case Power.REARRANGE:
            return reader.say("rearrange your crystals")
    return ""


def fields_told(building: Building, reader: Viewer) -> str:
    """Return the fields of a portal for those who do not see them."""
    lines = []
    for slot in slots(building):
        word = reader.name(slot.animus)
        lines.append(reader.say("{animus} (covered)", animus=word) if slot.covered else word)
    return ", ".join(lines)


def head(portal: int, reader: Viewer) -> Markup:
    """Return the first line of a portal: its number, colour and points, and its power."""
    kind = PORTALS[portal]
    return Markup(
        '<span class="portal-head"><b>{}</b> <span class="hue">{}</span> '
        '<span class="worth">{}</span></span>{}'
    ).format(
        portal,
        reader.name(kind.hue),
        worth_text(kind, reader),
        Markup('<span class="power">{}</span>').format(does)
        if (does := power(kind, reader))
        else "",
    )


def portal(building: Building, reader: Viewer) -> Markup:
    """Return a portal as a small card; of inline elements alone, so that it can be a button's."""
    fields = Markup("").join(
        animus_svg(slot.animus, reader, covered=slot.covered) for slot in slots(building)
    )
    return Markup(
        '<span class="portal hue-{}">{}<span class="fields">{}</span>'
        '<span class="unseen">{}</span></span>'
    ).format(
        PORTALS[building.portal].hue.name.lower(),
        head(building.portal, reader),
        fields,
        reader.say("Fields: {fields}.", fields=fields_told(building, reader)),
    )


def bag(caught: tuple[Animus, ...], reader: Viewer) -> Markup:
    """Return what is left in the bag, as columns of boxes; those that were caught are empty."""
    columns = []
    for place, animus in enumerate(Animus):
        left = BAG[animus] - caught.count(animus)
        boxes = Markup("").join(
            Markup('<rect class="{}" x="3" y="{}" width="20" height="12" rx="3"/>').format(
                "left" if box < left else "gone", BASE - STEP * (box + 1)
            )
            for box in range(BAG[animus])
        )
        columns.append(
            Markup(
                '<g class="animus {}" transform="translate({} 0)">{}<text x="13" y="{}">{}</text>'
                '<g transform="translate(13 {}) scale(.75)"><circle r="14"/>'
                '<use href="#sign-of-{}"/></g></g>'
            ).format(
                *(animus.name.lower(), BAR * place, boxes, BASE - STEP * BAG[animus] - 4, left),
                *(BASE + 14, animus.name.lower()),
            )
        )
    names = ", ".join(
        reader.say("{animus} {count}", animus=animus, count=BAG[animus] - caught.count(animus))
        for animus in Animus
    )
    return Markup(
        '<svg class="bag" viewBox="0 -6 {} 134" role="img" aria-label="{}">{}</svg>'
    ).format(
        BAR * len(Animus),
        reader.say("Still in the bag: {animi}.", animi=names),
        Markup("").join(columns),
    )


# --- what lies open on the table ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Layout:
    """What is shown elsewhere on a page, or not at first."""

    display: bool = True
    folded: bool = False  # zones and rewards, until they are tapped
    rewards: bool = True
    first: str = ""  # the seat whose zone comes first and lies open


def picture(view: Any, settings: Any, happened: Iterable[Event], reader: Viewer) -> str:
    """Return the whole table as it stood once."""
    return table(view, settings, happened, reader, Layout())


def wall(view: Any, settings: Any, happened: Iterable[Event], reader: Viewer) -> str:
    """Return what of it is worth being read from afar."""
    return table(view, settings, happened, reader, Layout(rewards=False))


def table(
    view: rules.View,
    settings: rules.Settings,
    happened: Iterable[Event],
    reader: Viewer,
    layout: Layout,
) -> Markup:
    new = {event.portal for event in happened if isinstance(event, rules.PortalTaken)}
    begun = [zone for zone in view.zones if zone.building or zone.opened]
    own = [zone for zone in begun if seat_word(zone.seat) == layout.first]
    parts = [SIGNS, *(_zone(zone, new, reader, folded=False) for zone in own)]
    if view.display and layout.display:
        parts.append(_display(view, reader))
    if view.round:
        parts.append(_bag(view, reader))
    parts += [_zone(zone, new, reader, folded=layout.folded) for zone in begun if zone not in own]
    if view.round and layout.rewards:
        parts.append(_rewards(view, reader, settings.triples, folded=layout.folded))
    return Markup('<div class="magic-table">{}</div>').format(Markup("").join(parts))


def _display(view: rules.View, reader: Viewer) -> Markup:
    return Markup('<section class="lies"><h2>{}</h2><ul class="portals">{}</ul></section>').format(
        reader.say("On the table"),
        Markup("").join(
            Markup("<li>{}</li>").format(portal(rules.Building(number), reader))
            for number in view.display
        ),
    )


def _bag(view: rules.View, reader: Viewer) -> Markup:
    heading = reader.say("In the bag; {seat:@{seat} catches|you catch}", seat=view.catcher)
    left = bag(view.caught, reader)
    return Markup('<section class="drawn"><h2>{}</h2>{}</section>').format(heading, left)


def _zone(zone: rules.Zone, new: set[int], reader: Viewer, *, folded: bool) -> Markup:
    word = seat_word(zone.seat)
    lines = [
        reader.say("{points} {points:#point|points}", points=zone.points),
        reader.say("{count} in the supply", count=zone.supply),
    ]
    return Markup(
        '<details class="mage seat-{}" id="zone-{}"{}><summary>{}<b>{}</b> '
        '<span class="stands">{}</span></summary>{}</details>'
    ).format(
        *(word, word, "" if folded else Markup(" open")),
        *(icons.sign_svg(word), reader.name(zone.seat), " · ".join(lines)),
        Markup("").join(_within(zone, new, reader)),
    )


def _within(zone: rules.Zone, new: set[int], reader: Viewer) -> Iterator[Markup]:
    yield Markup('<ul class="portals">{}</ul>').format(
        Markup("").join(
            Markup("<li{}>{}</li>").format(
                Markup(' class="new"') if building.portal in new else "",
                portal(building, reader),
            )
            for building in zone.building
        )
    )
    if zone.opened:
        yield Markup('<h2>{}</h2><ul class="opened">{}</ul>').format(
            reader.say("Opened"),
            Markup("").join(
                Markup('<li class="portal hue-{}">{}</li>').format(
                    rules.PORTALS[number].hue.name.lower(), head(number, reader)
                )
                for number in zone.opened
            ),
        )


def _rewards(view: rules.View, reader: Viewer, most: int, *, folded: bool) -> Markup:
    """Return who has which reward; those for a number of portals everybody can have."""
    rows = Markup("").join(
        Markup('<tr{}><th scope="row">{}</th><td>{}</td><td>{}</td></tr>').format(
            Markup(' class="gone"') if holders and reward not in rules.COUNTED.values() else "",
            reader.say("for {reward}", reward=reward),
            rules.WORTH[reward],
            Markup(" ").join(
                Markup('<span class="seat-name">{}{}</span>').format(
                    icons.sign_svg(seat_word(seat)), reader.name(seat)
                )
                for seat in holders
            ),
        )
        for reward in rules.Reward
        for holders in [_holders(view, reward)]
    )
    note = Markup('<p class="soft">{}</p>').format(
        reader.say(
            "There is only one of each reward for three of a colour, and nobody may have more "
            "than {count} of them.",
            count=most,
        )
        if most
        else reader.say(
            "There is only one of each reward for colours; the others are there for everybody."
        )
    )
    return Markup(
        '<details class="mage" id="rewards"{}><summary><b>{}</b></summary>'
        '<table class="rewards"><tbody>{}</tbody></table>{}</details>'
    ).format("" if folded else Markup(" open"), reader.say("Rewards"), rows, note)


def _holders(view: rules.View, reward: rules.Reward) -> list[SeatName]:
    return [zone.seat for zone in view.zones if reward in zone.rewards]


# --- how events look while they are told --------------------------------------------------------


def event_picture(
    event: Event, _before: Any, _settings: Any, reader: Viewer
) -> EventPicture | None:
    """Return how an event looks; None: it is told, and that is all."""
    match event:
        case rules.AnimusCaught(_, animus):
            return EventPicture(AnimationKind.CARD, drawings=(animus_svg(animus, reader),))
        case rules.CrystalPlaced(seat, _, animus) | rules.CrystalShifted(seat, _, _, animus):
            token = animus_svg(animus, reader, covered=True)
            return EventPicture(
                AnimationKind.MOVE, drawings=(token,), goes_to=f"zone-{seat_word(seat)}"
            )
        case rules.PortalOpened(seat, portal):
            return EventPicture(
                AnimationKind.TRICK,
                drawings=(_portal(portal, reader),),
                goes_to=f"zone-{seat_word(seat)}",
            )
        case rules.PortalTaken(seat, portal):
            return EventPicture(
                AnimationKind.CARD,
                drawings=(_portal(portal, reader),),
                goes_to=f"zone-{seat_word(seat)}",
            )
        case rules.RewardClaimed():
            return EventPicture(AnimationKind.TRICK)
        case rules.PortalsWon(seats):
            return EventPicture(AnimationKind.WIN, order=tuple(map(seat_word, seats)))
    return None


def _portal(number: int, reader: Viewer) -> Markup:
    return portal(rules.Building(number), reader)


MOMENTS: Final = Animations(event_picture)
