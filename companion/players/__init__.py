"""Players that the companion can seat at a game: they see what one seat sees, never a state.

Zapp Zerapp has none: whoever plays it has to shake barrels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from companion.players import blackmore, trap_the_wizard, via_magica
from companion.rules.blackmore import Blackmore
from companion.rules.game import Action, Seat
from companion.rules.trap_the_wizard import TrapTheWizard
from companion.rules.via_magica import ViaMagica

Choose = Callable[[Any, Seat, Sequence[Action], Random], Action]


def at_random(_view: Any, _seat: Seat, choices: Sequence[Action], chance: Random) -> Action:
    """Return any choice."""
    return chance.choice(choices)


def _trapping(view: Any, _seat: Seat, choices: Sequence[Action], _chance: Random) -> Action:
    return trap_the_wizard.choose(view, choices)


def _opening(view: Any, seat: Seat, choices: Sequence[Action], _chance: Random) -> Action:
    return via_magica.choose(view, choices, seat)


def _bewitching(view: Any, _seat: Seat, choices: Sequence[Action], _chance: Random) -> Action:
    return blackmore.choose(view, choices)


PLAYERS: Final[dict[str, dict[str, Choose]]] = {  # by game, the best first
    TrapTheWizard.name: {"greedy": _trapping, "random": at_random},
    ViaMagica.name: {"greedy": _opening, "random": at_random},
    Blackmore.name: {"greedy": _bewitching, "random": at_random},
}
