"""What people are honoured for after a game of Via Magica."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from companion.core.game import Event
from companion.games.via_magica.rules.events import (
    AnimusCaught,
    CrystalPlaced,
    CrystalShifted,
    PortalOpened,
    RewardClaimed,
)
from companion.games.via_magica.rules.portals import Animus
from companion.present.awards import Award, Awards, most
from companion.text import Text


def counted(happened: Sequence[Event]) -> Iterator[Award | None]:
    """Yield the awards, the finest first."""
    opened, rewards, placed, shifted, jokers = (Counter[int]() for _ in range(5))
    for event in happened:
        match event:
            case PortalOpened(seat):
                opened[seat] += 1
            case RewardClaimed(seat):
                rewards[seat] += 1
            case CrystalPlaced(seat):
                placed[seat] += 1
            case CrystalShifted(seat):
                shifted[seat] += 1
            case AnimusCaught(seat, animus):
                jokers[seat] += animus is Animus.JOKER
            case _:
                pass
    yield most(Text("Master of portals"), Text("opened {count} {count:#portal|portals}"), opened)
    yield most(Text("Most honoured"), Text("{count} {count:#reward|rewards}"), rewards)
    yield most(
        Text("Hands full of crystals"), Text("placed {count} {count:#crystal|crystals}"), placed
    )
    yield most(Text("Lucky hand"), Text("caught the joker {count} {count:#time|times}"), jokers)
    yield most(Text("Never at rest"), Text("moved {count} {count:#crystal|crystals}"), shifted)


AWARDS: Final = Awards(counted)
