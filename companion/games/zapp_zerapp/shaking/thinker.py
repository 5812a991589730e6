"""Somebody who asks a judge: which barrel is worth most after what was heard, and which move.

It hears no better than anybody, and has no more time; but it knows which barrel to shake next.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final

from companion.chance import below
from companion.core.game import Action
from companion.games.zapp_zerapp.rules import Colour, Settings, View
from companion.games.zapp_zerapp.shaking.judging import judge
from companion.games.zapp_zerapp.shaking.people import NUMBERS, Ear, Listener, Memory, Turn
from companion.games.zapp_zerapp.shaking.plateau import Hands

SOUNDS: Final = tuple(half / 2 for half in range(40))  # what barrels may sound like, in stones
LITTLE: Final = 0.0001  # of what there is to gain: not worth another try

Odds = Sequence[float]  # how probable each number is


class Mover(Listener):
    """Somebody who listens as people do, for as many stones as possible, and moves best."""

    def move(self, turn: Turn) -> Action:
        """Make the best move."""
        return judge(self._settings).best(turn.view)


class Thinker:
    """Somebody who asks for barrels, too."""

    def __init__(
        self, seat: Colour, settings: Settings, rng: Random, ear: Ear | None = None
    ) -> None:
        self._seat, self._settings, self._rng = seat, settings, rng
        self._judge = judge(settings)
        self._ear = ear or Ear()
        self._memory = Memory(rng)
        self._round = 0
        self._tries = 0  # that are left in this round
        self._curve: tuple[float, ...] = ()
        self._odds: dict[str, Odds] = {}  # of every barrel shaken in this round

    def shake(self, hands: Hands, view: View) -> None:
        """Shake what promises most; keep the best in hand once nothing promises more."""
        if view.round != self._round:
            self._round, self._tries, self._odds = view.round, 3 + below(self._rng, 4), {}
            self._curve = self._judge.curve(view, self._seat)
            self._memory.fade()
        best = max(hands.held, key=self._worth, default=None)
        hopes = {place: self._hope(place, hands) for place in (*hands.free, *hands.held)}
        place = max(hopes, key=hopes.__getitem__)
        if best is not None:
            gain = hopes[place] - self._worth(best)
            if self._tries <= 0 or gain < LITTLE * (max(self._curve) - min(self._curve)):
                hands.keep(best)
                return
        if len(hands.held) == 2 and place not in hands.held:
            hands.put_back(min(hands.held, key=self._worth))
        heard = self._ear.chances(hands.shake(place))
        self._odds[place] = _sure([a * b for a, b in zip(heard, self._known(place), strict=True)])
        self._tries -= 1

    def _known(self, place: str) -> Odds:
        return self._odds.get(place) or self._memory.odds(place)

    def _worth(self, place: str) -> float:
        return math.fsum(a * b for a, b in zip(self._known(place), self._curve, strict=True))

    def _hope(self, place: str, hands: Hands) -> float:
        """Return what the best in hand will be worth on average, once this one was shaken."""
        odds = self._known(place)
        rest = [self._worth(held) for held in hands.held if held != place]
        floor = max(rest, default=min(self._curve))
        worths = [a * b for a, b in zip(odds, self._curve, strict=True)]
        found = 0.0
        for sound in _sounds(self._ear):
            share = sum([p * s for p, s in zip(odds, sound, strict=True)])
            value = sum([w * s for w, s in zip(worths, sound, strict=True)])
            found += max(value, floor * share)
        return found

    def move(self, turn: Turn) -> Action:
        """Make the best move."""
        return self._judge.best(turn.view)

    def see(self, player: Colour, place: str, number: int) -> None:  # noqa: ARG002 - the contract has it
        """Try to remember where the barrel stands now, unless it will be shuffled anyway."""
        if not self._settings.shuffle:
            self._memory.see(place, number)


@lru_cache(maxsize=8)
def _sounds(ear: Ear) -> tuple[tuple[float, ...], ...]:
    """Return for each sound how probably each number makes it."""
    columns = []
    for number in NUMBERS:
        spread = ear.deviation(number)
        column = [math.exp(-(((sound - number) / spread) ** 2) / 2) for sound in SOUNDS]
        columns.append([one / math.fsum(column) for one in column])
    return tuple(zip(*columns, strict=True))


def _sure(odds: Odds) -> Odds:
    total = math.fsum(odds)
    return [one / total for one in odds]
