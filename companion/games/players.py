"""Players that the companion can seat at a game: they see what one seat sees, never a state.

Zapp Zerapp has none: whoever plays it has to shake barrels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from companion.core.game import Action, Seat
from companion.games.blackmore import player as blackmore
from companion.games.blackmore.rules import Blackmore
from companion.games.trap_the_wizard import player as trap_the_wizard
from companion.games.trap_the_wizard.rules import TrapTheWizard
from companion.games.via_magica import player as via_magica
from companion.games.via_magica.rules import ViaMagica

Options = Sequence[Action]
Choose = Callable[[Any, Any, Seat, Options, Random], Action]  # by settings, view, seat, options


def at_random(_s: Any, _view: Any, _seat: Seat, options: Options, chance: Random) -> Action:
    """Return any of them."""
    return chance.choice(options)


def _trapping(settings: Any, view: Any, _seat: Seat, options: Options, _chance: Random) -> Action:
    return trap_the_wizard.choose(view, options, settings.board)


def _opening(_settings: Any, view: Any, seat: Seat, options: Options, _chance: Random) -> Action:
    return via_magica.choose(view, options, seat)


def _bewitching(_settings: Any, view: Any, _seat: Seat, options: Options, _c: Random) -> Action:
    return blackmore.choose(view, options)


PLAYERS: Final[dict[str, dict[str, Choose]]] = {  # by game, the best first
    TrapTheWizard.name: {"greedy": _trapping, "random": at_random},
    ViaMagica.name: {"greedy": _opening, "random": at_random},
    Blackmore.name: {"greedy": _bewitching, "random": at_random},
}
