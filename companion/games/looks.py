"""The games without barrels in the terminal: one entry for each."""

from __future__ import annotations

from typing import Final

from companion.games.blackmore import terminal as blackmore
from companion.games.blackmore.rules import Blackmore
from companion.games.trap_the_wizard import terminal as trap_the_wizard
from companion.games.trap_the_wizard.rules import TrapTheWizard
from companion.games.via_magica import terminal as via_magica
from companion.games.via_magica.rules import ViaMagica
from companion.present.look import Look

LOOKS: Final[dict[str, Look]] = {
    TrapTheWizard.name: trap_the_wizard.LOOK,
    ViaMagica.name: via_magica.LOOK,
    Blackmore.name: blackmore.LOOK,
}
