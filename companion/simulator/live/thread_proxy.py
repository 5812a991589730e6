"""A person's hands for threads of others: each call is carried out by the table's own thread.

A table may live faster than a clock; people hear by the clock.
"""

from dataclasses import replace
from functools import partial
from math import ceil

from companion.present.simulated_hands import (
    Hands,
    HeardKnock,
    Peeked,
    PhoneFelt,
    PhoneSamples,
    RattleHeard,
    ShakeVigour,
    SightOfTable,
)
from companion.simulator.live.live import Live


class ThreadProxy:
    """`Hands` that may be called from any thread."""

    def __init__(self, live: Live, hands: Hands) -> None:
        self._do, self._hands, self._speed = live.carry_out, hands, live.speed

    def table(self) -> SightOfTable:
        sight = self._do(self._hands.table)
        return replace(sight, busy_ms=self._clock_ms(sight.busy_ms))

    def stay(self) -> None:
        self._do(self._hands.stay)

    def sit(self) -> None:
        self._do(self._hands.sit)

    def leave(self) -> None:
        self._do(self._hands.leave)

    def lift(self, handle: int) -> RattleHeard:
        return self._heard(self._do(partial(self._hands.lift, handle)))

    def put_back(self, handle: int) -> RattleHeard:
        """Stand a barrel on its place again."""
        return self._heard(self._do(partial(self._hands.put_back, handle)))

    def shake(
        self, handle: int, for_s: float, vigour: ShakeVigour = ShakeVigour.AS_USUAL
    ) -> RattleHeard:
        return self._heard(self._do(partial(self._hands.shake, handle, for_s, vigour)))

    def compare(self, first: int, second: int) -> tuple[RattleHeard, RattleHeard]:
        """Weigh two barrels, and shake both."""
        left, right = self._do(partial(self._hands.compare, first, second))
        return self._heard(left), self._heard(right)

    def place(self, handle: int) -> RattleHeard:
        """Stand a barrel on the own pad."""
        return self._heard(self._do(partial(self._hands.place, handle)))

    def peek(self, handle: int, for_s: float) -> Peeked:
        """Tilt a barrel to read its label."""
        seen = self._do(partial(self._hands.peek, handle, for_s))
        lasts_ms, from_ms, until_ms = map(
            self._clock_ms, (seen.lasts_ms, seen.from_ms, seen.until_ms)
        )
        return Peeked(lasts_ms, seen.number, from_ms, until_ms)

    def flip(self, handle: int) -> RattleHeard:
        return self._heard(self._do(partial(self._hands.flip, handle)))

    def press(self, for_s: float) -> None:
        self._do(partial(self._hands.press, for_s))

    def follow(self, handle: int, samples: PhoneSamples) -> PhoneFelt:
        """Move a barrel as a phone is moved."""
        at_ms = tuple(self._speed * at for at in samples.at_ms)
        by_table = replace(samples, at_ms=at_ms)
        felt = self._do(partial(self._hands.follow, handle, by_table))
        return replace(felt, knocks=self._knocks(felt.knocks))

    def _heard(self, heard: RattleHeard) -> RattleHeard:
        return RattleHeard(self._clock_ms(heard.lasts_ms), self._knocks(heard.knocks))

    def _knocks(self, knocks: tuple[HeardKnock, ...]) -> tuple[HeardKnock, ...]:
        return tuple(replace(knock, at_ms=self._clock_ms(knock.at_ms)) for knock in knocks)

    def _clock_ms(self, table_ms: int) -> int:
        return ceil(table_ms / self._speed)
