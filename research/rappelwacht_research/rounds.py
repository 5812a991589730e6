"""Rounds that the guests of Zapp Zerapp play by themselves, without a referee.

table.go_on(rounds(Guests(table.world, Random(1)), 3))
"""

from collections.abc import Iterator
from itertools import count
from typing import Final

from companion.games.zapp_zerapp.simulated.guests import Guests
from companion.simulator import hands
from companion.simulator.hand_params import between
from companion.simulator.script import ScriptAct, ScriptLine, Verb

LOOK_S: Final = (1.5, 3.0)  # all look at what was flipped
MOVE_S: Final = (2.0, 5.0)  # one moves a pawn, the others watch


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
    yield from _cleared(guests, number)


def _cleared(guests: Guests, number: int) -> Iterator[ScriptLine]:
    """Put back at once what fails, and the others one after another, each after a move."""
    rng, magic = guests.rng, guests.magic
    at_us = guests.world.now_free_us + hands.seconds(between(rng, *LOOK_S))
    placed = [(guest, guest.placed) for guest in guests.playing if guest.placed is not None]
    for guest, barrel in sorted(placed, key=lambda pair: pair[1] <= magic):
        fails = barrel > magic
        at_us += hands.seconds(between(rng, 0.1, 0.6) if fails else between(rng, *MOVE_S))
        yield ScriptLine(number, ScriptAct(Verb.PUT_BACK, guest.seat, (barrel,)), at_us / 1e6)
    for guest in guests.guests.values():
        guest.rest()
