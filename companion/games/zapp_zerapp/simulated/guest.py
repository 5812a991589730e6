"""One guest at the simulated table: which barrels are heard, kept, and what comes over one.

A guest must not know sensors, nor a number but by ear, by peeking, or once all is flipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from operator import mul
from random import Random
from typing import Final

from companion.games.zapp_zerapp.listening_ai.people import NUMBERS, Ear
from companion.simulator.hand_params import ScriptVigour, between
from companion.simulator.hands import seconds
from companion.simulator.script import ScriptAct, Verb
from companion.system.chance import below, mixed, pick
from companion.system.text import SeatName


@dataclass(frozen=True, slots=True)
class Temperament:
    """How somebody plays, and what may come over one with a barrel in hand."""

    vigours: tuple[ScriptVigour, ...]
    pause_s: tuple[float, float]
    shake_s: tuple[float, float]
    compares: float
    peeks: float = 0.0
    hands_on: float = 0.0
    drops: float = 0.0
    kicks: float = 0.0


GENTLE: Final = Temperament((ScriptVigour.GENTLY,), (0.8, 2.4), (1.2, 2.2), 0.6, hands_on=0.02)
SLY: Final = Temperament(
    (ScriptVigour.GENTLY, ScriptVigour.AS_USUAL), (0.6, 1.8), (0.8, 1.6), 0.4, peeks=0.05
)
CALM: Final = Temperament((ScriptVigour.AS_USUAL,), (0.6, 1.8), (0.9, 1.8), 0.5, hands_on=0.01)
LIVELY: Final = Temperament(
    (ScriptVigour.AS_USUAL, ScriptVigour.FIRMLY),
    (0.3, 1.2),
    (0.7, 1.5),
    0.3,
    0.005,
    0.03,
    0.005,
    0.005,
)
WILD: Final = Temperament(
    (ScriptVigour.FIRMLY, ScriptVigour.WILDLY), (0.2, 0.8), (0.6, 1.4), 0.2, 0.01, 0.01, 0.02, 0.02
)
TEMPERAMENTS: Final = (GENTLE, SLY, CALM, LIVELY, WILD)


GOOD: Final = 0.75  # of what is best: worth keeping at once

Curve = Sequence[float]  # what each number would be worth, from 1


def fields(magic: int) -> Curve:
    """Return how many fields each number is good for: none above the magic number.

    >>> fields(2)[:4]
    (1.0, 2.0, 0.0, 0.0)
    """
    return tuple(float(number) if number <= magic else 0.0 for number in NUMBERS)


class Guest:
    """Somebody at one seat: what the hands hold, what the ears made of it, what comes next."""

    def __init__(self, seat: SeatName, temperament: Temperament, rng: Random) -> None:
        self.seat, self.temperament = seat, temperament
        self._rng, self._ear = rng, Ear()
        self.begin(fields(0))

    def begin(self, curve: Curve) -> None:
        """Begin a round with empty hands, knowing what each number would be worth."""
        self._curve, self.tries = curve, 2 + below(self._rng, 4)
        least = min(curve)
        self._good = least + GOOD * (max(curve) - least)
        self.held: list[int] = []
        self.placed: int | None = None
        self._fallen: int | None = None
        self._compared: tuple[int, ...] = ()
        self._worth: dict[int, float] = {}  # of each barrel heard

    def hurry(self) -> None:
        """Try no other barrel: place what is in hand, or the next that is heard."""
        self.tries = min(self.tries, 0 if self.held else 1)

    def rest(self) -> None:
        """Be done with a round: all barrels are back, and what was heard is worth nothing."""
        self.held, self._fallen, self._worth = [], None, {}

    def take_over(self, held: Sequence[int], placed: int | None) -> None:
        """Go on in the middle of a round with what somebody else held and placed."""
        self.held, self.placed = list(held), placed

    def pause_us(self) -> int:
        """Return how long this time it takes until something else is done."""
        return seconds(between(self._rng, *self.temperament.pause_s))

    def welcomes(self) -> bool:
        """Whether there is a hand for one more barrel."""
        return self.placed is None and self._fallen is None and len(self.held) < 2

    def decide(self, standing: Sequence[int], takers: Sequence[Guest]) -> ScriptAct | None:
        """Return what to do now, with what stands on the plateau; None is to wait."""
        if self._fallen is not None:
            return self._take(self._fallen)
        if self.held and (whim := self._whim(takers)) is not None:
            return whim
        if unheard := [number for number in self.held if number not in self._worth]:
            return self._shake(unheard[0])
        if len(self.held) == 2:
            if self._compared != tuple(self.held) and self._feels_like(self.temperament.compares):
                return self._compare(*self.held)
            return self._put_back(min(self.held, key=self._worth.__getitem__))
        if self.held and (self.tries <= 0 or self._worth[self.held[0]] >= self._good):
            return self._place(self.held[0])
        return self._reach(standing)

    def _feels_like(self, chance: float) -> bool:
        return self._rng.random() < chance

    def _act(self, verb: Verb, *barrels: int, to: SeatName | None = None) -> ScriptAct:
        return ScriptAct(verb, self.seat, barrels, to)

    # --- what hands do ------------------------------------------------------------------------

    def _reach(self, standing: Sequence[int]) -> ScriptAct | None:
        """Take one of the barrels, or two at once to compare them, rather those not yet heard."""
        fresh = [number for number in standing if number not in self._worth]
        choice = mixed(self._rng, fresh or standing)
        if not choice:
            return None
        if len(fresh) >= 2 and not self.held and self._feels_like(self.temperament.compares / 2):
            return self._compare(*choice[:2])
        return self._take(choice[0])

    def _take(self, number: int) -> ScriptAct:
        self._fallen = None
        self.held.append(number)
        return self._act(Verb.LIFT, number)

    def _shake(self, number: int) -> ScriptAct:
        self.tries -= 1
        self._listen(number)
        vigour = pick(self._rng, self.temperament.vigours)
        span_s = between(self._rng, *self.temperament.shake_s)
        return ScriptAct(Verb.SHAKE, self.seat, (number,), vigour=vigour, for_s=span_s)

    def _compare(self, *both: int) -> ScriptAct:
        self.tries -= sum(number not in self._worth for number in both)
        self.held = list(both)
        self._compared = both
        for number in both:
            self._listen(number)
        span_s = between(self._rng, *self.temperament.shake_s)
        return ScriptAct(Verb.COMPARE, self.seat, both, for_s=1.0 + span_s)

    def _listen(self, number: int) -> None:
        """Guess what a barrel is worth; heard twice, better."""
        odds = self._ear.chances(self._ear.hear(number, self._rng))
        worth = fsum(map(mul, self._curve, odds))
        self._worth[number] = (worth + self._worth.get(number, worth)) / 2.0

    def _put_back(self, number: int) -> ScriptAct:
        self.held.remove(number)
        return self._act(Verb.PUT_BACK, number)

    def _place(self, number: int) -> ScriptAct:
        self.held.remove(number)
        self.placed = number
        return self._act(Verb.PLACE, number)

    # --- what comes over one ------------------------------------------------------------------

    def _whim(self, takers: Sequence[Guest]) -> ScriptAct | None:
        mood, number = self.temperament, pick(self._rng, self.held)
        chance = self._rng.random()
        if chance < mood.kicks:
            return ScriptAct(Verb.KICK)
        if chance < mood.kicks + mood.drops:
            self.held.remove(number)
            self._fallen = number
            return self._act(Verb.DROP, number)
        if chance < mood.kicks + mood.drops + mood.peeks:
            self._worth[number] = self._curve[number - 1]
            return ScriptAct(Verb.PEEK, self.seat, (number,), for_s=between(self._rng, 0.3, 1.0))
        if takers and chance > 1.0 - mood.hands_on:
            taker = pick(self._rng, takers)
            self.held.remove(number)
            taker.held.append(number)
            return self._act(Verb.HAND_OVER, number, to=taker.seat)
        return None
