"""Who can be seated at this game, the best first."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from companion.core.game import Action, Seat
from companion.core.kit import Options
from companion.games.trap_the_wizard.experience import experienced, impatient
from companion.games.trap_the_wizard.foresight import FORESIGHT
from companion.games.trap_the_wizard.player import casual
from companion.games.trap_the_wizard.rules import TrapTheWizard
from companion.players.levels import EXPERT, GOOD, levels
from companion.players.search import Effort, searching

BOLD: Final = 0.03  # how often somebody is impatient: two who only wait never meet
EFFORT: Final = Effort(playouts=24, rests=1)  # until it is one's own turn again
SEARCHING: Final = searching(TrapTheWizard, FORESIGHT, EFFORT)


def expert(settings: Any, view: Any, seat: Seat, options: Options, chance: Random) -> Action:
    """Choose what turns out best; now and then be impatient, or experts might wait for ever."""
    choose = impatient if chance.random() < BOLD else SEARCHING
    return choose(settings, view, seat, options, chance)


PLAYERS: Final = levels(casual, {EXPERT: expert, GOOD: experienced})
