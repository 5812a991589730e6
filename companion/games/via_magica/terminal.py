"""Via Magica in the terminal: portals and their crystals, one line each, and what can be done.

It must not know the rules; portals that are hidden are only shown from the view of their seat.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from companion.core.notation import write
from companion.games.via_magica import page, rules
from companion.games.via_magica.picture import power, slots, worth_text
from companion.present import terminal, terminal_game
from companion.present.viewer import Viewer
from companion.referee.snapshot import Snapshot
from companion.system.codec import parts
from companion.system.text import seat_word

FIELDS: Final = 24  # characters: six fields, none has more


def picture(
    screen: terminal.TerminalScreen, reader: Viewer, _settings: rules.Settings, view: rules.View
) -> Iterator[str]:
    """Yield the table, then every building zone: the reader's own in full."""
    bag = ((animus, rules.BAG[animus] - view.caught.count(animus)) for animus in rules.Animus)
    left = ", ".join(reader.say("{animus} {count}", animus=a, count=count) for a, count in bag)
    yield f"  {reader.say('Bag: {animi}', animi=left)}"
    yield screen.paint(f"  {reader.say('On the table')}", terminal.BOLD)
    yield from _lines(map(rules.Building, view.display), reader)
    for zone in view.zones:
        yield from _account(zone, screen, reader)
        if seat_word(zone.seat) == reader.seat:
            yield from _lines(zone.building, reader)


def _account(zone: rules.Zone, screen: terminal.TerminalScreen, reader: Viewer) -> Iterator[str]:
    """Yield what a player has; what others build only by how many of its fields are covered."""
    lines = [
        reader.say("{points} {points:#point|points}", points=zone.points),
        reader.say("{count} {count:#crystal|crystals}", count=zone.supply),
    ]
    if zone.opened:
        lines.append(reader.say("open: {portals}", portals=zone.opened))
    name = screen.paint(f"{reader.name(zone.seat):8}", terminal.INK[zone.seat])
    yield f"  {name}{', '.join(lines)}"
    if zone.building and seat_word(zone.seat) != reader.seat:
        built = ", ".join(
            f"{placed.portal} ({sum(placed.covered)}/{sum(rules.PORTALS[placed.portal].fields)})"
            for placed in zone.building
        )
        yield f"          {reader.say('building: {portals}', portals=built)}"


def hand(reader: Viewer, view: rules.View) -> Iterator[str]:
    """Yield the portals dealt face down, or those kept of them until all are unveiled."""
    for title, numbers in (("Your portals", view.hand), ("You have kept", view.kept)):
        if numbers:
            yield f"{reader.say(title)}:"
            yield from _lines(map(rules.Building, numbers), reader)


def _lines(buildings: Iterable[rules.Building], reader: Viewer) -> Iterator[str]:
    """Yield a line for each portal: a ◆ before each field that bears a crystal."""
    for building in buildings:
        kind = rules.PORTALS[building.portal]
        fields = "".join(
            f"{'◆' if slot.covered else ' '}{reader.name(slot.animus)[:2].title()} "
            for slot in slots(building)
        )
        brings = ", ".join(filter(None, (worth_text(kind, reader), power(kind, reader))))
        yield f"  {building.portal:3} {reader.name(kind.hue):8}{fields:{FIELDS}} {brings}"


def offers(now: Snapshot, reader: Viewer) -> Iterator[terminal_game.TerminalOffer]:
    """Yield all that a seat may do; of crystals first where to, then from where."""
    view: rules.View = now.seen_by(reader.seat)
    supply = {seat_word(zone.seat): zone.supply for zone in view.zones}.get(reader.seat or "", 0)
    for action in view.choices:
        kind = type(action)
        given = {part.name: getattr(action, part.name) for part in parts(kind)}
        sentence = page.act(kind, given, reader)
        if not isinstance(action, rules.Crystallize):
            yield terminal_game.TerminalOffer(write(action), sentence)
            continue
        within = reader.say("From the supply: {count}", count=supply)
        if (source := action.source) is not None:
            within = reader.say(
                "Move the crystal from {animus} of portal {portal}",
                animus=source.animus,
                portal=source.portal,
            )
        yield terminal_game.TerminalOffer(
            write(action), sentence, page.act(kind, {"on": action.on}, reader), within
        )


LOOK: Final = terminal_game.TerminalGame(
    picture,
    page.PAGE.headline,
    offers,
    hand=hand,
    milestones=(rules.PortalOpened,),
    quiet=(rules.PortalDealt,),
)
