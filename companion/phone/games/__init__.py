"""The games that phones show beside Zapp Zerapp, whose pages need barrels: one entry for each."""

from __future__ import annotations

from typing import Final

from companion.phone.game_page import GamePage
from companion.phone.games import blackmore, trap_the_wizard, via_magica
from companion.rules.blackmore import Blackmore
from companion.rules.trap_the_wizard import TrapTheWizard
from companion.rules.via_magica import ViaMagica
from companion.rules.zapp_zerapp import ZappZerapp
from companion.say import Text

GAME_PAGES: Final[dict[str, GamePage]] = {
    TrapTheWizard.name: trap_the_wizard.PAGE,
    ViaMagica.name: via_magica.PAGE,
    Blackmore.name: blackmore.PAGE,
}

TITLES: Final = {ZappZerapp.name: Text("Zapp Zerapp")} | {
    game: page.title for game, page in GAME_PAGES.items()
}
