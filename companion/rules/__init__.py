"""The rules of every game, pure: no files, clocks, screens, nor chance of their own."""

from typing import Any, Final

from companion.rules.blackmore import Blackmore
from companion.rules.trap_the_wizard import TrapTheWizard
from companion.rules.via_magica import ViaMagica
from companion.rules.zapp_zerapp import ZappZerapp

GAMES: Final[dict[str, type[Any]]] = {
    kind.name: kind for kind in (ZappZerapp, TrapTheWizard, ViaMagica, Blackmore)
}
