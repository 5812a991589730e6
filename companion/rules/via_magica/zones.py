"""What one player can do in its building zone: which field takes a crystal, and from where.

It must not know rounds, nor the other players.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from companion.rules.via_magica.buildings import FIELDS, FREE, Building, Field
from companion.rules.via_magica.portals import PORTALS, Animus, Hue
from companion.rules.via_magica.state import Crystallize, Mage, Player, new

Zone = tuple[Building, ...]
JOKER: Final = Animus.JOKER
SOURCES: Final = (*FIELDS, None)  # the supply last
SUPPLY: Final = (len(FIELDS),)


class _Row(dict[int, Crystallize]):
    """The ways of a seat to cover one field, by index of the source, each made when asked for."""

    def __init__(self, seat: Mage, on: Field) -> None:
        super().__init__()
        self.seat = seat
        self.on = on

    def __missing__(self, source: int) -> Crystallize:
        """Make what nobody has asked for yet."""
        way = self[source] = Crystallize(self.seat, self.on, SOURCES[source])
        return way


class Ways(Sequence[Crystallize]):
    """Every way to place one crystal, field by field; a way is looked up when it is asked for."""

    __slots__ = ("_fields", "_rows", "_sources")

    def __init__(
        self, rows: tuple[_Row, ...], fields: tuple[int, ...], sources: tuple[int, ...]
    ) -> None:
        self._rows = rows
        self._fields = fields
        self._sources = sources

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._fields) * len(self._sources)

    def __getitem__(self, index: Any) -> Any:
        """Return one of them, or several."""
        sources = self._sources
        count = len(sources)
        try:
            row = self._rows[self._fields[index // count]]
        except TypeError:
            return tuple(self)[index]
        return row[sources[index % count]]


ROWS: Final = tuple(tuple(_Row(seat, on) for on in FIELDS) for seat in Mage)


@lru_cache(maxsize=4096)
def matches(opened: tuple[int, ...]) -> tuple[Animus, ...]:
    """Return, to who has opened these, what each animus is good for: itself or any (VM-2, VM-7)."""
    blue = [PORTALS[number].animus for number in opened if PORTALS[number].hue is Hue.BLUE]
    return tuple([JOKER if animus in blue else animus for animus in Animus])


def able(players: tuple[Player, ...], seats: tuple[Mage, ...], animus: Animus) -> tuple[Mage, ...]:
    """Return who has a free field that matches; a crystal everybody always has (VM-1)."""
    return tuple(
        [
            seat
            for seat in seats
            for _, _, zone, opened, _ in (players[seat],)
            if not FREE[matches(opened)[animus]].isdisjoint(zone)
        ]
    )


def placements(player: Player, seat: int, match: Animus) -> Ways:
    """Return every way to place one crystal: the supply first, then each own field (VM-2)."""
    _, supply, zone, _, _ = player
    fields: tuple[int, ...] = ()
    sources: tuple[int, ...] = SUPPLY if supply else ()
    for building in zone:
        fields += building.free[match]
        sources += building.bearing
    return Ways(ROWS[seat], fields, sources)


def crystallized(player: Player, match: Animus, action: Crystallize) -> Player | None:
    """Return the player after placing a crystal; None if it may not be placed so (VM-2)."""
    hand, supply, before, opened, rewards = player
    (portal, animus), source = action.on, action.source
    zone: list[Building | None] = [*before]
    if match is not animus and match is not JOKER:
        return None
    for place, building in enumerate(before):
        if building.portal == portal and building.more[animus]:
            zone[place] = building.more[animus]
            break
    else:
        return None
    if source is None:
        return new(Player, (hand, supply - 1, tuple(zone), opened, rewards)) if supply else None
    portal, animus = source
    for place, building in enumerate(before):
        if building.portal == portal and building.less[animus]:
            covered = zone[place]  # or the same field, covered just now
            zone[place] = covered and covered.less[animus]
            return new(Player, (hand, supply, tuple(zone), opened, rewards))
    return None


@lru_cache(maxsize=1024)
def shifts(seat: Mage, zone: Zone) -> tuple[Crystallize, ...]:
    """Return every way to move one of the placed crystals elsewhere."""
    fields = [field for building in zone for field in building.free[JOKER]]
    sources = [field for building in zone for field in building.bearing]
    return tuple([ROWS[seat][on][source] for on in fields for source in sources if on != source])


def full(zone: Zone) -> tuple[int, ...]:
    """Return the portals whose fields are all covered (VM-3)."""
    return tuple([building.portal for building in zone if building.full])


def without(player: Player, number: int) -> Player:
    """Return the player after a portal left its zone and gave its crystals back."""
    hand, supply, zone, opened, rewards = player
    crystals = sum([sum(building.covered) for building in zone if building.portal == number])
    zone = tuple([building for building in zone if building.portal != number])
    return new(Player, (hand, supply + crystals, zone, opened, rewards))


def portals(zone: Zone) -> tuple[int, ...]:
    """Return the portals of a zone, whatever lies on them."""
    return tuple([building.portal for building in zone])


def takeable(player: Player, opening: tuple[int, ...], display: tuple[int, ...]) -> tuple[int, ...]:
    """Return what a player may take from the table: no kind a second time (VM-3)."""
    own = (*player.opened, *opening, *portals(player.building))
    return tuple(sorted({*display}.difference(own)))
