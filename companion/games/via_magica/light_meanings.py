"""What the lights mean in Via Magica, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.games.via_magica.rules import Animus, Phase, PortalOpened, View
from companion.present.lights.contract import elsewhere
from companion.present.lights.meaning import Meaning
from companion.present.lights.recent import offered
from companion.referee.commands import Act
from companion.referee.snapshot import Snapshot
from companion.text import Text

KEEP: Final = Meaning(
    Text("Choose your portals"),
    Text(
        "The start and seat of whoever still has to choose breathe; those of the others are steady."
    ),
)
PORTALS: Final = Meaning(
    Text("Opened portals"),
    Text("Each quarter shows that many dim fields; the seventh portal is the city."),
)
ANIMUS: Final = Meaning(
    Text("The animus"),
    Text(
        "In each quarter, as many fields are lit as a full bag holds of it: 6 for air, 5 water, 4 "
        "earth, 3 life, 2 fire, 1 shadow. A calm light passes over them."
    ),
)
JOKER: Final = Meaning(
    Text("The joker"), Text("The ring is dark but for a comet that circles calmly.")
)
INCANTATUM: Final = Meaning(Text("Incantatum!"), Text("Their starts and seats blink fast."))
OPENED: Final = Meaning(
    Text("A portal opens"),
    Text("Two comets run from the start round both sides of the ring, again and again."),
)


def tell(now: Snapshot, view: View) -> Iterator[Meaning]:
    """Tell what is shown of a match."""
    if any(isinstance(event, PortalOpened) for event in now.happened):
        yield OPENED
    yield _phase(now, view)
    yield from elsewhere(view.queue if view.phase is Phase.CALL else view.turns)


def _phase(now: Snapshot, view: View) -> Meaning:
    match view.phase:
        case Phase.KEEP:
            return KEEP
        case Phase.CALL:
            return INCANTATUM
        case Phase.CRYSTALLIZE:
            animus = view.animus
        case _:
            animus = told_animus(now)
            if animus is None:
                return PORTALS
    return JOKER if animus is Animus.JOKER else ANIMUS


def told_animus(now: Snapshot) -> Animus | None:
    """Return the animus that a button offers as the one that was caught."""
    for option in offered(now):
        match option.wish:
            case Act(text) if text.startswith("catch "):
                return Animus[text.split()[-1].upper()]
    return None
