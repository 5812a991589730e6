"""The games that phones show beside Zapp Zerapp, whose pages need barrels: one entry for each."""

from __future__ import annotations

from typing import Final

from companion.games.blackmore import page as blackmore
from companion.games.blackmore.rules import Blackmore
from companion.games.trap_the_wizard import page as trap_the_wizard
from companion.games.trap_the_wizard.rules import TrapTheWizard
from companion.games.via_magica import page as via_magica
from companion.games.via_magica.rules import ViaMagica
from companion.games.zapp_zerapp.rules import ZappZerapp
from companion.present.page import GamePage
from companion.say import Text

GAME_PAGES: Final[dict[str, GamePage]] = {
    TrapTheWizard.name: trap_the_wizard.PAGE,
    ViaMagica.name: via_magica.PAGE,
    Blackmore.name: blackmore.PAGE,
}

TITLES: Final = {ZappZerapp.name: Text("Zapp Zerapp")} | {
    game: page.title for game, page in GAME_PAGES.items()
}
