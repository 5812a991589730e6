"""What lies open on the table of Via Magica: the display, the bag, all zones, the rewards.

It must not know what may be done, nor anything that is hidden. It is one piece of HTML, the same
for the page of the table and for the history.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from companion.core import SeatName
from companion.core.game import Event
from companion.games.via_magica import cards, rules
from companion.games.via_magica.rules.portals import COUNTED
from companion.present import icons, viewer
from companion.system.text import seat_word


@dataclass(frozen=True, slots=True)
class Layout:
    """What is shown elsewhere on a page, or not at first."""

    display: bool = True
    folded: bool = False  # zones and rewards, until they are tapped
    rewards: bool = True
    first: str = ""  # the seat whose zone comes first and lies open


def picture(view: Any, settings: Any, happened: Iterable[Event], reader: viewer.Viewer) -> str:
    """Return the whole table as it stood once."""
    return table(view, settings, happened, reader, Layout())


def wall(view: Any, settings: Any, happened: Iterable[Event], reader: viewer.Viewer) -> str:
    """Return what of it is worth being read from afar."""
    return table(view, settings, happened, reader, Layout(rewards=False))


def table(
    view: rules.View,
    settings: rules.Settings,
    happened: Iterable[Event],
    reader: viewer.Viewer,
    layout: Layout,
) -> Markup:
    new = {event.portal for event in happened if isinstance(event, rules.PortalTaken)}
    begun = [zone for zone in view.zones if zone.building or zone.opened]
    own = [zone for zone in begun if seat_word(zone.seat) == layout.first]
    parts = [cards.SIGNS, *(_zone(zone, new, reader, folded=False) for zone in own)]
    if view.display and layout.display:
        parts.append(_display(view, reader))
    if view.round:
        parts.append(_bag(view, reader))
    parts += [_zone(zone, new, reader, folded=layout.folded) for zone in begun if zone not in own]
    if view.round and layout.rewards:
        parts.append(_rewards(view, reader, settings.triples, folded=layout.folded))
    return Markup('<div class="magic-table">{}</div>').format(Markup("").join(parts))


def _display(view: rules.View, reader: viewer.Viewer) -> Markup:
    return Markup('<section class="lies"><h2>{}</h2><ul class="portals">{}</ul></section>').format(
        reader.say("On the table"),
        Markup("").join(
            Markup("<li>{}</li>").format(cards.portal(rules.Building(number), reader))
            for number in view.display
        ),
    )


def _bag(view: rules.View, reader: viewer.Viewer) -> Markup:
    heading = reader.say("In the bag; {seat:@{seat} catches|you catch}", seat=view.catcher)
    bag = cards.bag(view.caught, reader)
    return Markup('<section class="drawn"><h2>{}</h2>{}</section>').format(heading, bag)


def _zone(zone: rules.Zone, new: set[int], reader: viewer.Viewer, *, folded: bool) -> Markup:
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


def _within(zone: rules.Zone, new: set[int], reader: viewer.Viewer) -> Iterator[Markup]:
    yield Markup('<ul class="portals">{}</ul>').format(
        Markup("").join(
            Markup("<li{}>{}</li>").format(
                Markup(' class="new"') if building.portal in new else "",
                cards.portal(building, reader),
            )
            for building in zone.building
        )
    )
    if zone.opened:
        yield Markup('<h2>{}</h2><ul class="opened">{}</ul>').format(
            reader.say("Opened"),
            Markup("").join(
                Markup('<li class="portal hue-{}">{}</li>').format(
                    rules.PORTALS[number].hue.name.lower(), cards.head(number, reader)
                )
                for number in zone.opened
            ),
        )


def _rewards(view: rules.View, reader: viewer.Viewer, most: int, *, folded: bool) -> Markup:
    """Return who has which reward; those for a number of portals everybody can have."""
    rows = Markup("").join(
        Markup('<tr{}><th scope="row">{}</th><td>{}</td><td>{}</td></tr>').format(
            Markup(' class="gone"') if holders and reward not in COUNTED.values() else "",
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
