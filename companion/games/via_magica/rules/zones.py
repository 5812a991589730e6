"""What one player can do in its building zone: which field takes a crystal, and from where."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from companion.core import SeatName
from companion.games.via_magica.rules import model
from companion.games.via_magica.rules.buildings import FREE, Building, Field
from companion.games.via_magica.rules.portals import SERVING, Animus

Zone = tuple[Building, ...]
JOKER: Final = Animus.JOKER
SUPPLY: Final = (None,)
MAGES: Final = tuple(SeatName)


class Ways(Sequence[model.Crystallize]):
    """Every way to place one crystal, the supply first; a way is made when it is asked for."""

    __slots__ = ("_count", "_fields", "_seat", "_sources")

    def __init__(self, seat: int, player: model.Player, animus: Animus) -> None:
        fields: tuple[Field, ...] = ()
        sources: tuple[Field | None, ...] = SUPPLY if player.supply else ()
        for building in player.building:
            fields += building.free[animus]
            sources += building.bearing
        self._seat = MAGES[seat]
        self._fields = fields
        self._sources = sources
        self._count = len(fields) * len(sources)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        """Return one of them, or several."""
        sources = self._sources
        count = len(sources)
        try:
            on = self._fields[index // count]
        except TypeError:
            return tuple(self)[index]
        return model.crystallize(self._seat, on, sources[index % count])


def good_for(player: model.Player, animus: Animus) -> Animus:
    """Return what an animus is good for: itself, or as a joker any (VM-2, VM-7)."""
    return JOKER if SERVING[animus] in player.opened else animus


def able(
    players: tuple[model.Player, ...], seats: tuple[SeatName, ...], animus: Animus
) -> tuple[SeatName, ...]:
    """Return who has a free field that matches; a crystal everybody always has (VM-1)."""
    matching, blue, mages = FREE[animus], SERVING[animus], []
    for seat in seats:
        _, _, zone, opened, _ = players[seat]
        if not matching.isdisjoint(zone) or (blue in opened and not FREE[JOKER].isdisjoint(zone)):
            mages.append(seat)
    return tuple(mages)


def ready(players: tuple[model.Player, ...], seats: tuple[SeatName, ...]) -> list[SeatName]:
    """Return who has a portal whose fields are all covered (VM-3)."""
    mages = []
    for seat in seats:
        for building in players[seat].building:
            if building.full:
                mages.append(seat)
                break
    return mages


def moved(player: model.Player, action: model.Crystallize) -> model.Player | None:
    """Return the player after a crystal came to a field; None if it cannot come, or is not free."""
    hand, supply, before, opened, rewards = player
    (portal, animus), source = action.on, action.source
    zone: list[Any] = [*before]
    for building in before:
        if building.portal == portal and (more := building.more[animus]):
            zone[before.index(building)] = more
            break
    else:
        return None
    if source is None:
        return (
            model.new(model.Player, (hand, supply - 1, tuple(zone), opened, rewards))
            if supply
            else None
        )
    portal, animus = source
    for building in before:
        if building.portal == portal and building.less[animus]:
            place = before.index(building)  # where the crystal may just have come to
            zone[place] = zone[place].less[animus]
            return model.new(model.Player, (hand, supply, tuple(zone), opened, rewards))
    return None


@lru_cache(maxsize=1024)
def shifts(seat: SeatName, zone: Zone) -> tuple[model.Crystallize, ...]:
    """Return every way to move one of the placed crystals elsewhere."""
    fields = [field for building in zone for field in building.free[JOKER]]
    sources = [field for building in zone for field in building.bearing]
    return tuple(
        [model.crystallize(seat, on, source) for on in fields for source in sources if on != source]
    )


def full(zone: Zone) -> tuple[int, ...]:
    """Return the portals whose fields are all covered (VM-3)."""
    return tuple([building.portal for building in zone if building.full])


def without(player: model.Player, number: int) -> model.Player:
    """Return the player after a portal left its zone and gave its crystals back."""
    hand, supply, zone, opened, rewards = player
    crystals = sum([sum(building.covered) for building in zone if building.portal == number])
    zone = tuple([building for building in zone if building.portal != number])
    return model.new(model.Player, (hand, supply + crystals, zone, opened, rewards))


def portals(zone: Zone) -> tuple[int, ...]:
    """Return the portals of a zone, whatever lies on them."""
    return tuple([building.portal for building in zone])


def takeable(state: model.State, player: model.Player) -> list[int]:
    """Return what a player may take from the table: no kind a second time (VM-3)."""
    own = portals(player.building)
    return sorted({*state.display}.difference(player.opened, state.opening, own))
