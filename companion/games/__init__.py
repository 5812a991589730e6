"""The rules of every game, pure: no files, clocks, screens, nor chance of their own."""

from typing import Any, Final

from companion.games.blackmore.rules import Blackmore
from companion.games.trap_the_wizard.rules import TrapTheWizard
from companion.games.via_magica.rules import ViaMagica
from companion.games.zapp_zerapp.rules import ZappZerapp

GAMES: Final[dict[str, type[Any]]] = {
    kind.name: kind for kind in (ZappZerapp, TrapTheWizard, ViaMagica, Blackmore)
}
