"""The levels of players that games share: how each plays, and what makes one casual or a child."""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from companion.core.game import Action, Seat
from companion.core.plugin import Choose, Options, Players, at_random
from companion.system.text import Text

EXPERT, GOOD, CASUAL, CHILD, RANDOM = "expert", "good", "casual", "child", "random"
HOW: Final = {
    EXPERT: Text("plays on in its head, many times, and takes what turns out best"),
    GOOD: Text("weighs every choice, from long practice"),
    CASUAL: Text("plays like the good one, but overlooks every sixth choice"),
    CHILD: Text("plays like the casual one, but half of the time at random"),
    RANDOM: Text("leaves everything to chance"),
}
EARLIER: Final = {"greedy": CASUAL}


def levels(casual: Choose, better: Mapping[str, Choose]) -> Players:
    """Return the players of a game, the best first; the better ones as a game brings them."""
    choose = {**better, CASUAL: casual, CHILD: childlike(casual), RANDOM: at_random}
    return Players(choose, {name: HOW[name] for name in choose}, EARLIER)


OVERLOOKED: Final = 1 / 6  # of the choices, by who is casual


def careless(good: Choose) -> Choose:
    """Return somebody who plays like another, but overlooks some of the choices."""

    def choose(settings: Any, view: Any, seat: Seat, options: Options, chance: Random) -> Action:
        noticed = [option for option in options if chance.random() >= OVERLOOKED]
        return good(settings, view, seat, noticed or options, chance)

    return choose


def childlike(casual: Choose) -> Choose:
    """Return somebody who plays like another, but every other time just anything."""

    def choose(settings: Any, view: Any, seat: Seat, options: Options, chance: Random) -> Action:
        anything = chance.random() < 0.5
        return (at_random if anything else casual)(settings, view, seat, options, chance)

    return choose
