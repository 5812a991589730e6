"""Tables of Via Magica for phones to look at, with portals and animi as a test wants them.

It must not hold tests.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.core.game import Action
from companion.core.notation import write
from companion.games.via_magica.rules import Catch, Deal, Draw, Keep, Phase
from companion.referee.commands import DoAction, NewMatch, RollForUs
from companion.referee.events import HouseRules
from companion.system.text import seat_word
from tests.web.room import FakeRoom

HANDS = ((33, 9, 21, 24, 27, 12), (34, 10, 39, 25, 13, 3), (22, 40, 31, 4, 36, 18))
DISPLAY = (26, 11, 7, 38, 23)


class Stacked(Random):
    """Chance at a table where the portals and the bag have been put in order."""

    def __init__(self, portals: Sequence[int], animi: Sequence[str]) -> None:
        super().__init__(1)
        self.portals, self.animi = [*portals], [*animi]

    def choices(  # type: ignore[override]
        self, population: Sequence[Action], *_: object
    ) -> list[Action]:
        """Return the next that is wanted; else the first that is left."""
        for one in population:
            match one:
                case Deal(portal=portal) | Draw(portal=portal) if self.portals[:1] == [portal]:
                    self.portals.pop(0)
                    return [one]
                case Catch(animus) if self.animi[:1] == [animus.name.lower()]:
                    self.animi.pop(0)
                    return [one]
        return [population[0]]


def mages(
    *hands: Sequence[int],
    display: Sequence[int] = DISPLAY,
    animi: Sequence[str] = (),
    seats: Sequence[str] = ("red", "green"),
    house: HouseRules | None = None,
    **settings: Any,
) -> FakeRoom:
    """Return a table where these hands are dealt, six portals each, and these lie on the table."""
    room = FakeRoom()
    dealt = [portal for hand in (hands or HANDS)[: len(seats)] for portal in hand]
    room.referee.chance = Stacked([*dealt, *display], animi)
    wanted = NewMatch("via-magica", {"seats": [*seats], **settings}, house or HouseRules())
    assert room.wish(wanted).refused is None
    return room


def play(room: FakeRoom, *lines: str) -> None:
    """Have everybody do what the lines say, each on the own phone; `draw` lets chance decide."""
    for line in lines:
        words = line.split()
        wish = RollForUs() if line == "draw" else DoAction(line)
        by = words[1] if words[0] in {"keep", "crystallize", "open", "take", "claim"} else "table"
        answer = room.wish(wish, by=by)
        assert answer.refused is None, answer.refused


def keep(room: FakeRoom) -> None:
    """Have everybody keep the first three of the hand as it was dealt."""
    for seat in [seat.colour for seat in room.now.seats]:
        options = [one for one in room.now.seen_by(seat).choices if isinstance(one, Keep)]
        hand = HANDS[("red", "green", "blue").index(seat)]
        wanted = tuple(sorted(hand[:3]))
        assert any(one.portals == wanted for one in options)
        play(room, f"keep {seat} portals {','.join(map(str, wanted))}")


def kept(animi: Sequence[str] = (), **table: Any) -> FakeRoom:
    """Return a table at which all have kept the first three of their hands."""
    room = mages(animi=animi, **table)
    keep(room)
    return room


def caught(*animi: str, **table: Any) -> FakeRoom:
    """Return a table at which these have been caught; before the last, all placed a crystal."""
    room = kept(animi, **table)
    for place, _ in enumerate(animi):
        play(room, "draw")
        if place < len(animi) - 1:
            crystallize(room)
    return room


def crystallize(room: FakeRoom) -> None:
    """Have everybody place a crystal on its first free field, from its supply if it can."""
    while room.now.view.phase is Phase.CRYSTALLIZE:
        seat = seat_word(room.now.view.turns[0])
        assert (
            room.wish(DoAction(write(room.now.seen_by(seat).choices[0])), by=seat).refused is None
        )


def by_hand(**table: Any) -> FakeRoom:
    """Return a table with real portals, before anything is told."""
    return mages(by_hand=True, **table)


def told(room: FakeRoom) -> FakeRoom:
    """Tell of real portals which lie on the table, and which each has kept."""
    play(room, *(f"draw {number}" for number in DISPLAY))
    for seat, hand in zip([seat.colour for seat in room.now.seats], HANDS, strict=False):
        for portal in hand[:3]:
            assert room.wish(DoAction(f"keep {seat} portals {portal}"), by="table").refused is None
    return room


def to_open() -> FakeRoom:
    """Return a table at which Red and Green can open portal 33."""
    hands = (HANDS[0], (33, 10, 39, 25, 13, 3))
    room = mages(*hands, animi=("water", "air"))
    play(room, "keep red portals 9,21,33", "keep green portals 10,33,39", "draw")
    play(room, "crystallize red 33:water", "crystallize green 33:water", "draw")
    play(room, "crystallize red 33:air", "crystallize green 33:air")
    return room


def taking() -> FakeRoom:
    """Return a table at which Red takes a portal from the table."""
    room = to_open()
    play(room, "call red", "open red 33")
    return room
