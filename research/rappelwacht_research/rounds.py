"""Rounds that the guests of Zapp Zerapp play by themselves, without a referee.

table.go_on(rounds(Guests(table.world, Random(1)), 3))
"""

from collections.abc import Iterator
from itertools import count

from companion.games.zapp_zerapp.simulated.guests import Guests
from companion.simulator.script import ScriptLine


def rounds(guests: Guests, how_many: int | None = None) -> Iterator[Iterator[ScriptLine]]:
    """Yield round after round; arrange each before the next is asked for."""
    for number in count(1) if how_many is None else range(1, how_many + 1):
        yield _round(guests, number)


def _round(guests: Guests, number: int) -> Iterator[ScriptLine]:
    yield from guests.roll(number)
    choosing = guests.choosing(guests.magic, guests.world.now_free_us)
    while (due_us := choosing.next_us()) is not None:
        if (act := choosing.step(due_us)) is not None:
            yield ScriptLine(number, act, due_us / 1e6)
    yield from guests.flip(number)
    yield from guests.clear(number)
