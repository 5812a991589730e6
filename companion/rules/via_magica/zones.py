"""What one player can do in its building zone: which field takes a crystal, and from where.

It must not know rounds, nor the other players.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from companion.rules.via_magica.portals import ANIMI, PORTALS, Animus, Counts, Hue
from companion.rules.via_magica.state import Building, Crystallize, Field, Mage, Player

Zone = tuple[Building, ...]
NO_CRYSTALS: Final[Counts] = (0, 0, 0, 0, 0, 0)


def matching(player: Player, animus: Animus) -> tuple[Animus, ...]:
    """Return the fields that an animus is good for: its own, or any (VM-2, VM-7)."""
    if animus is Animus.JOKER or any(
        PORTALS[number].animus is animus and PORTALS[number].hue is Hue.BLUE
        for number in player.opened
    ):
        return ANIMI
    return (animus,)


def placements(player: Player, seat: Mage, matches: tuple[Animus, ...]) -> tuple[Crystallize, ...]:
    """Return every way to place one crystal: the supply first, then each own field (VM-2)."""
    return _placements(seat, player.building, player.supply > 0, matches)


@lru_cache(maxsize=16384)
def _placements(
    seat: Mage, zone: Zone, supply: bool, matches: tuple[Animus, ...]
) -> tuple[Crystallize, ...]:
    sources: list[Field | None] = [None] if supply else []
    sources += _crystals(zone)
    free = (field for field in _free(zone) if field.animus in matches)
    return tuple(Crystallize(seat, field, source) for field in free for source in sources)


@lru_cache(maxsize=4096)
def shifts(seat: Mage, zone: Zone) -> tuple[Crystallize, ...]:
    """Return every way to move one of the placed crystals elsewhere."""
    return tuple(
        Crystallize(seat, field, source)
        for field in _free(zone)
        for source in _crystals(zone)
        if field != source
    )


def placed(zone: Zone) -> int:
    """Return how many crystals are placed."""
    return sum(sum(building.covered) for building in zone)


@lru_cache(maxsize=16384)
def full(zone: Zone) -> tuple[int, ...]:
    """Return the portals whose fields are all covered (VM-3)."""
    return tuple(number for number, covered in zone if covered == PORTALS[number].fields)


def crystallized(player: Player, action: Crystallize) -> Player:
    """Return the player after placing a crystal."""
    zone, supply = player.building, player.supply
    if action.source is None:
        supply -= 1
    else:
        zone = _changed(zone, action.source, -1)
    return player._replace(supply=supply, building=_changed(zone, action.on, 1))


def without(player: Player, number: int) -> Player:
    """Return the player after a portal left its zone and gave its crystals back."""
    gone = next(building for building in player.building if building.portal == number)
    zone = tuple(building for building in player.building if building is not gone)
    return player._replace(supply=player.supply + sum(gone.covered), building=zone)


def takeable(player: Player, opening: tuple[int, ...], display: tuple[int, ...]) -> tuple[int, ...]:
    """Return what a player may take from the table: no kind a second time (VM-3)."""
    own = {*player.opened, *opening, *(building.portal for building in player.building)}
    return tuple(sorted({*display} - own))


def _crystals(zone: Zone) -> list[Field]:
    return [Field(number, a) for number, covered in zone for a in ANIMI if covered[a]]


def _free(zone: Zone) -> list[Field]:
    return [
        Field(number, animus)
        for number, covered in zone
        for animus in ANIMI
        if covered[animus] < PORTALS[number].fields[animus]
    ]


def _changed(zone: Zone, field: Field, by: int) -> Zone:
    return tuple(
        Building(number, _counted(covered, field.animus, by))
        if number == field.portal
        else Building(number, covered)
        for number, covered in zone
    )


def _counted(covered: Counts, animus: Animus, by: int) -> Counts:
    counts = list(covered)
    counts[animus] += by
    air, water, earth, life, fire, shadow = counts
    return air, water, earth, life, fire, shadow
