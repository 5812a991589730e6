"""The games without barrels in the terminal: one entry for each."""

from __future__ import annotations

from typing import Final

from companion.rules.blackmore import Blackmore
from companion.rules.trap_the_wizard import TrapTheWizard
from companion.rules.via_magica import ViaMagica
from companion.terminal.looks import blackmore, trap_the_wizard, via_magica
from companion.terminal.looks.look import Look

LOOKS: Final[dict[str, Look]] = {
    TrapTheWizard.name: trap_the_wizard.LOOK,
    ViaMagica.name: via_magica.LOOK,
    Blackmore.name: blackmore.LOOK,
}
