"""The best bot by ear: which barrel is worth most after what it heard, and which move.

It hears no better than anybody, and has no more time; but it knows which barrel to shake next.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from companion.core import Action, Text
from companion.core.players.levels import CASUAL, CHILD, EXPERT, GOOD, RANDOM
from companion.games.zapp_zerapp.listening_ai import people
from companion.games.zapp_zerapp.rules import BARRELS, EMPTY, Colour, Move, Settings, View
from companion.games.zapp_zerapp.rules.model import ALL_AT_START, Barrels, Camps
from companion.games.zapp_zerapp.solution import Values, Worth, worth
from companion.system.chance import below

LOUD, TOO_LOUD = 2, 0.45  # how much rather people keep what is high, and what is too much
SEVERAL = 6  # this many cases of what several others show


class Judge:
    """Somebody who knows what every moment is worth: from a table, or by an estimate.

    Others hear as people do, so what they will show is not sure: all of it is weighed.
    """

    def __init__(self, settings: Settings) -> None:
        self._seats = settings.seats
        self._worth: Worth = worth(settings)

    def curve(self, view: View, seat: Colour) -> tuple[float, ...]:
        """Return the seat's chances to win."""
        pawns, at = camps(view), self._seats.index(seat)
        others = [other for other in self._seats if other != seat and other not in view.out]
        shown = _shown(len(others), view.magic)

        def chance(number: int) -> float:
            """Return what it is to have a number, whatever the others show."""
            chance_of = total = 0.0
            for numbers, odds in shown:
                theirs = zip(others, _beside(number, numbers), strict=True)
                chance_of += (
                    odds * self._moving(pawns, {seat: number, **dict(theirs)}, view.magic)[at]
                )
                total += odds
            return chance_of / total

        works = [chance(number) for number in range(1, view.magic + 1)]
        return (*works, *[chance(EMPTY)] * (BARRELS - view.magic))

    def _moving(self, pawns: Camps, has: Mapping[Colour, int], magic: int) -> Values:
        queue = [seat for seat, number in has.items() if EMPTY < number <= magic]
        queue.sort(key=lambda seat: -has[seat])
        red, green, blue, yellow = (has.get(seat, EMPTY) for seat in Colour)
        return self._worth.moving(pawns, (red, green, blue, yellow), tuple(queue))

    def best(self, view: View) -> Move:
        """Return what wins most often."""
        mover = view.order[0]
        at = self._seats.index(mover)
        moves = self._worth.moves(camps(view), barrels(view), view.order)
        return max(_offered(view), key=lambda move: moves[move][at])


@lru_cache(maxsize=64)
def _shown(others: int, magic: int) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Return what so many others may show, each with its odds: of one all, of several some."""
    weights = [
        number**LOUD if number <= magic else magic**LOUD * TOO_LOUD ** (number - magic)
        for number in range(1, BARRELS + 1)
    ]
    if others == 1:
        return tuple(((number,), odds) for number, odds in enumerate(weights, 1))
    worlds: list[tuple[tuple[int, ...], float]] = []
    chance = Random(magic)  # noqa: S311 - a game and no secret
    while len(worlds) < SEVERAL:
        numbers = tuple(chance.choices(range(1, BARRELS + 1), weights, k=others))
        if len({*numbers}) == others:
            worlds.append((numbers, 1.0))
    return tuple(worlds)


def _beside(mine: int, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return what others show where one of them cannot have what I have, but the next lower.

    >>> _beside(7, (3, 7)), _beside(7, (6, 7)), _beside(1, (1,))
    ((3, 6), (6, 5), (0,))
    """
    if mine not in numbers:
        return numbers
    lower = next(n for n in range(mine - 1, EMPTY - 1, -1) if n not in numbers)
    return tuple(lower if number == mine else number for number in numbers)


def camps(view: View) -> Camps:
    """Return all pawns as the rules write them."""
    known = dict(view.pawns)
    red, green, blue, yellow = (known.get(seat, ALL_AT_START) for seat in Colour)
    return red, green, blue, yellow


def barrels(view: View) -> Barrels:
    """Return the numbers that lie open, as the rules write them."""
    known = dict(view.numbers)
    red, green, blue, yellow = (known.get(seat, EMPTY) for seat in Colour)
    return red, green, blue, yellow


def _offered(view: View) -> list[Move]:
    return [choice for choice in view.choices if isinstance(choice, Move)]


judge: Final = lru_cache(maxsize=8)(Judge)


SOUNDS: Final = tuple(half / 2 for half in range(40))  # what barrels may sound like, in stones
LITTLE: Final = 0.0001  # of what there is to gain: not worth another try

Odds = Sequence[float]  # how probable each number is


class Mover(people.Listener):
    """Somebody who listens as people do, for as many stones as possible, and moves best."""

    def move(self, turn: people.Turn) -> Action:
        return judge(self._settings).best(turn.view)


class Thinker(Mover):
    """Somebody who asks for barrels, too."""

    def __init__(
        self, seat: Colour, settings: Settings, rng: Random, ear: people.Ear | None = None
    ) -> None:
        super().__init__(settings, rng, ear=ear)
        self._seat, self._judge = seat, judge(settings)
        self._curve: tuple[float, ...] = ()
        self._odds: dict[str, Odds] = {}  # of every barrel shaken in this round

    def shake(self, hands: people.Hands, view: View) -> None:
        """Shake what promises most; keep the best in hand once nothing promises more."""
        if view.round != self._round:
            self._round, self._tries, self._odds = view.round, 3 + below(self._rng, 4), {}
            self._curve = self._judge.curve(view, self._seat)
            self.memory.fade()
        best = max(hands.held, key=self._value, default=None)
        hopes = {place: self._hope(place, hands) for place in (*hands.free, *hands.held)}
        place = max(hopes, key=hopes.__getitem__)
        if best is not None:
            gain = hopes[place] - self._value(best)
            if self._tries <= 0 or gain < LITTLE * (max(self._curve) - min(self._curve)):
                hands.keep(best)
                return
        if len(hands.held) == 2 and place not in hands.held:
            hands.put_back(min(hands.held, key=self._value))
        heard = self._ear.chances(hands.shake(place))
        self._odds[place] = _sure([a * b for a, b in zip(heard, self._known(place), strict=True)])
        self._tries -= 1

    def _known(self, place: str) -> Odds:
        return self._odds.get(place) or self.memory.odds(place)

    def _value(self, place: str) -> float:
        return math.fsum(a * b for a, b in zip(self._known(place), self._curve, strict=True))

    def _hope(self, place: str, hands: people.Hands) -> float:
        """Return what the best in hand will be worth on average, once this one was shaken."""
        odds = self._known(place)
        rest = [self._value(held) for held in hands.held if held != place]
        floor = max(rest, default=min(self._curve))
        worths = [a * b for a, b in zip(odds, self._curve, strict=True)]
        total = 0.0
        for sound in _sounds(self._ear):
            share = sum([p * s for p, s in zip(odds, sound, strict=True)])
            value = sum([w * s for w, s in zip(worths, sound, strict=True)])
            total += max(value, floor * share)
        return total


@lru_cache(maxsize=8)
def _sounds(ear: people.Ear) -> tuple[tuple[float, ...], ...]:
    columns = []
    for number in people.NUMBERS:
        spread = ear.deviation(number)
        column = [math.exp(-(((sound - number) / spread) ** 2) / 2) for sound in SOUNDS]
        columns.append([weight / math.fsum(column) for weight in column])
    return tuple(zip(*columns, strict=True))


def _sure(odds: Odds) -> Odds:
    total = math.fsum(odds)
    return [weight / total for weight in odds]


Comes = Callable[[Colour, Settings, Random], people.Person]
COME: Final[Mapping[str, Comes]] = {
    EXPERT: Thinker,
    GOOD: lambda _seat, settings, rng: Mover(settings, rng),
    CASUAL: lambda _seat, settings, rng: people.Listener(settings, rng),
    CHILD: lambda _seat, settings, rng: people.Child(settings, rng),
    RANDOM: lambda _seat, _settings, rng: people.Gambler(rng),
}
HOW: Final[Mapping[str, Text]] = {
    EXPERT: Text("knows what each barrel and each move is worth, but hears no better than you"),
    GOOD: Text("listens like a casual player, but always makes the best move"),
    CASUAL: Text("listens, remembers, and looks one move ahead"),
    CHILD: Text(
        "keeps the first barrel that sounds right, and moves a random pawn every other time"
    ),
    RANDOM: Text("leaves everything to chance"),
}
EARLIER: Final = {"listener": CASUAL}


def somebody(level: str, seat: Colour, settings: Settings, rng: Random) -> people.Person:
    return COME[level](seat, settings, rng)
