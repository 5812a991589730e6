"""What people are honoured for after a game of Trap the Wizard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from companion.core.game import Event
from companion.games.trap_the_wizard.rules import WizardCaptured, WizardReturned, WizardSetOut
from companion.games.trap_the_wizard.rules.events import (
    CaptivesBroughtHome,
    CaptivesFreed,
    DieCast,
    JokerCaptured,
    WizardWalked,
)
from companion.games.trap_the_wizard.rules.state import SIDES
from companion.present.awards import Award, Awards, most
from companion.text import Text


def counted(happened: Sequence[Event]) -> Iterator[Award | None]:
    """Yield the awards, the finest first."""
    trapped, home, walked, sixes, freed, jokers = (Counter[int]() for _ in range(6))
    for event in happened:
        match event:
            case WizardCaptured(seat):
                trapped[seat] += 1
            case CaptivesBroughtHome(seat, captives):
                home[seat] += len(captives)
            case WizardSetOut(seat, _, path) | WizardWalked(seat, _, _, path):
                walked[seat] += len(path)
            case WizardReturned(seat, _, path):
                walked[seat] += len(path) + 1
            case DieCast(seat, number):
                sixes[seat] += number == SIDES
            case CaptivesFreed(seat, wizards):
                freed[seat] += wizards
            case JokerCaptured(seat):
                jokers[seat] += 1
            case _:
                pass
    yield most(Text("Best catcher"), Text("trapped {count} {count:#wizard|wizards}"), trapped)
    yield most(Text("Safely home"), Text("brought {count} {count:#captive|captives} home"), home)
    yield most(Text("Luck with the die"), Text("{count} {count:#six|sixes}"), sixes)
    yield most(Text("Longest march"), Text("{count} {count:#field|fields} on foot"), walked)
    yield most(
        Text("Great liberator"), Text("freed {count} {count:#wizard|wizards} of their own"), freed
    )
    yield most(Text("Friend of the joker"), Text("caught it {count} {count:#time|times}"), jokers)


AWARDS: Final = Awards(counted)
