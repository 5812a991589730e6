"""Calls a person's hands from other threads: each call is carried out by the table's own thread.

A table may live faster than a clock; people hear by the clock.
"""

from dataclasses import replace
from functools import partial
from math import ceil

from companion.present.simulated_hands import (
    HandActRequest,
    HandActResult,
    Hands,
    HeardKnock,
    Peeked,
    PhoneFelt,
    PhoneSamples,
    SightOfTable,
)
from companion.simulator.live.live import Live


class ThreadProxy:
    """`Hands` that may be called from any thread."""

    def __init__(self, live: Live, hands: Hands) -> None:
        self._carry_out, self._hands, self._speed = live.carry_out, hands, live.speed

    def table(self) -> SightOfTable:
        sight = self._carry_out(self._hands.table)
        return replace(sight, busy_ms=self._clock_ms(sight.busy_ms))

    def stay(self) -> None:
        self._carry_out(self._hands.stay)

    def do(self, asked: HandActRequest) -> HandActResult:
        """Do something with the hands."""
        felt = self._carry_out(partial(self._hands.do, asked))
        heard = tuple(replace(of, knocks=self._knocks(of.knocks)) for of in felt.heard)
        read = None if felt.read is None else self._read(felt.read)
        return HandActResult(self._clock_ms(felt.lasts_ms), heard, read)

    def follow(self, handle: int, samples: PhoneSamples) -> PhoneFelt:
        """Move a barrel as a phone is moved."""
        at_ms = tuple(self._speed * at for at in samples.at_ms)
        by_table = replace(samples, at_ms=at_ms)
        felt = self._carry_out(partial(self._hands.follow, handle, by_table))
        return replace(felt, knocks=self._knocks(felt.knocks))

    def _read(self, read: Peeked) -> Peeked:
        times = (read.lasts_ms, read.from_ms, read.until_ms)
        lasts_ms, from_ms, until_ms = map(self._clock_ms, times)
        return Peeked(lasts_ms, read.number, from_ms, until_ms)

    def _knocks(self, knocks: tuple[HeardKnock, ...]) -> tuple[HeardKnock, ...]:
        return tuple(replace(knock, at_ms=self._clock_ms(knock.at_ms)) for knock in knocks)

    def _clock_ms(self, table_ms: int) -> int:
        return ceil(table_ms / self._speed)
