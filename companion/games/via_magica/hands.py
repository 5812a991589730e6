"""What is chosen or told before the rounds of Via Magica: hidden hands, or portals of paper.

What a seat chooses from its hidden hand stands on its own phone alone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from companion.games.via_magica import cards, choices
from companion.games.via_magica.rules import PORTALS, Building, Hue, Keep, Phase, View
from companion.games.via_magica.rules.portals import COPIES, NUMBERS
from companion.present.viewer import Viewer
from companion.referee.snapshot import Snapshot
from companion.system.text import seat_word


@dataclass(frozen=True, slots=True)
class Shelf:
    """All kinds of one colour, to be told apart by people who hold real portals."""

    id: str
    hue: Hue
    keys: tuple[choices.Key, ...]


def hand(now: Snapshot, reader: Viewer) -> tuple[tuple[int, Markup], ...]:
    """Return the kinds among the six portals of whoever reads, who has still to choose three."""
    view: View = now.seen_by(reader.seat)
    if (
        now.over
        or not any(isinstance(choice, Keep) for choice in view.choices)
        or now.settings.by_hand
    ):
        return ()
    return tuple((kind, cards.portal(Building(kind), reader)) for kind in sorted({*view.hand}))


def kept(now: Snapshot, reader: Viewer) -> tuple[Markup, ...]:
    """Return what whoever reads has kept, as long as the others do not see it."""
    view: View = now.seen_by(reader.seat)
    if now.settings.by_hand:
        return ()
    return tuple(cards.portal(Building(kind), reader) for kind in view.kept)


def shelves(now: Snapshot, reader: Viewer) -> tuple[tuple[str | None, tuple[Shelf, ...]], ...]:
    """Return for whom a real portal can be told (None: for the table), and all that it can be.

    Whoever tells it for several tells it for one after another.
    """
    view: View = now.view
    if now.over or not now.settings.by_hand or not reader.acts:
        return ()
    if view.phase is Phase.DRAW:
        return ((None, tuple(_shelves(now, "draw", (), reader))),)
    if view.phase is not Phase.KEEP:
        return ()
    for zone in view.zones:
        seat = seat_word(zone.seat)
        if zone.seat in view.turns and reader.may_act_for(seat):
            own = [building.portal for building in zone.building]
            return ((seat, tuple(_shelves(now, f"keep {seat} portals", own, reader))),)
    return ()


def _shelves(now: Snapshot, verb: str, own: Iterable[int], reader: Viewer) -> Iterator[Shelf]:
    left = unseen(now.view)
    for hue in Hue:
        kinds = [n for n in NUMBERS if PORTALS[n].hue is hue and left[n] and n not in own]
        keys = (
            choices.Key(f"{verb} {kind}", str(kind), cards.portal(Building(kind), reader))
            for kind in kinds
        )
        name = f"shelf{now.acted}-{verb.replace(' ', '-')}-{hue.name.lower()}"
        yield Shelf(name, hue, tuple(keys))


def unseen(view: View) -> dict[int, int]:
    """Return how many of each kind lie nowhere in sight."""
    seen = [*view.display, *view.opening]
    for zone in view.zones:
        seen += [*zone.opened, *(building.portal for building in zone.building)]
    return {number: COPIES - seen.count(number) for number in NUMBERS}
