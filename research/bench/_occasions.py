"""What people do at the table that is measured: whole evenings, many peeks, many set-downs.

Each occasion yields round after round, as guests do; one seed, one table.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from companion.games.zapp_zerapp.rules import BARRELS
from companion.games.zapp_zerapp.simulated.guests import TEMPERAMENTS, Guests
from companion.simulator.hand_params import ScriptVigour, between
from companion.simulator.hands import seconds
from companion.simulator.run import READY_US
from companion.simulator.script import ScriptAct, ScriptLine, Verb
from companion.simulator.world import World
from companion.system.chance import die, mixed, pick
from rappelwacht_research.rounds import rounds

LEAST_DROPS = LEAST_KICKS = 0.01  # of every guest, on every occasion: rare things must be there
LEAST_HANDED_OVER = 0.04
MOODS = tuple(
    replace(
        mood,
        drops=max(mood.drops, LEAST_DROPS),
        kicks=max(mood.kicks, LEAST_KICKS),
        hands_on=max(mood.hands_on, LEAST_HANDED_OVER),
    )
    for mood in TEMPERAMENTS
)
CARRIES = 0.5  # how often one carries a flipped barrel about, upside down, before it goes back
PEEK_S = (0.2, 0.3, 0.5, 0.5, 0.6, 0.8, 1.2)  # for how long the label is to be readable
SHAKES_FIRST = 0.6
TOGETHER_S = 0.5  # within which all set down
Rounds = Iterator[Iterator[ScriptLine]]
Occasion = Callable[[World, Random, int], Rounds]


def evenings(world: World, rng: Random, how_many: int) -> Rounds:
    """Let guests from gentle to wild play; afterwards some barrels are carried upside down."""
    for part in rounds(Guests(world, rng, world.seats, MOODS), how_many):
        yield _carried(world, rng, part)


def _carried(world: World, rng: Random, part: Iterator[ScriptLine]) -> Iterator[ScriptLine]:
    for line in part:
        yield line
        if line.what.verb is not Verb.FLIP_ALL:
            continue
        at_us = world.now_free_us
        for seat in world.seats:
            flipped = world.on_pad(seat)
            if flipped is not None and rng.random() < CARRIES:
                for_s = between(rng, 1.0, 3.0)
                carry = ScriptAct(Verb.CARRY, seat, (flipped,), for_s=for_s)
                yield ScriptLine(line.number, carry, at_us / 1e6)


def peeks(world: World, rng: Random, rounds: int) -> Rounds:
    """Let all seats look at one label after another on the sly, for times of a list."""
    for number in range(1, rounds + 1):
        yield _peeking(world, rng, number)


def _peeking(world: World, rng: Random, number: int) -> Iterator[ScriptLine]:
    yield _roll(world, rng, number)
    barrels = mixed(rng, range(1, BARRELS + 1))
    begun_us = world.now_free_us
    for turn, barrel in enumerate(barrels[: 3 * len(world.seats)]):
        seat = world.seats[turn % len(world.seats)]
        at_s = (begun_us + seconds(between(rng, 0.0, 0.6))) / 1e6
        yield ScriptLine(number, ScriptAct(Verb.LIFT, seat, (barrel,)), at_s)
        if rng.random() < SHAKES_FIRST:
            vigour, for_s = pick(rng, list(ScriptVigour)), between(rng, 0.5, 1.0)
            yield ScriptLine(
                number, ScriptAct(Verb.SHAKE, seat, (barrel,), vigour=vigour, for_s=for_s), at_s
            )
        yield ScriptLine(
            number, ScriptAct(Verb.PEEK, seat, (barrel,), for_s=pick(rng, PEEK_S)), at_s
        )
        at_s = world.free_us[seat] / 1e6 + between(rng, 0.0, 0.8)
        yield ScriptLine(number, ScriptAct(Verb.PUT_BACK, seat, (barrel,)), at_s)


def set_downs(world: World, rng: Random, rounds: int) -> Rounds:
    """Let all set down their choice nearly at once, and others put back what they compared."""
    for number in range(1, rounds + 1):
        yield _setting_down(world, rng, number)


def _setting_down(world: World, rng: Random, number: int) -> Iterator[ScriptLine]:
    yield _roll(world, rng, number)
    barrels = mixed(rng, range(1, BARRELS + 1))
    chosen = dict(zip(world.seats, barrels, strict=False))
    spare = dict(zip(world.seats, barrels[len(world.seats) :], strict=False))
    for seat in world.seats:
        yield ScriptLine(number, ScriptAct(Verb.LIFT, seat, (spare[seat],)), world.table_us / 1e6)
        yield ScriptLine(
            number, ScriptAct(Verb.LIFT, seat, (chosen[seat],)), world.free_us[seat] / 1e6
        )
    ready_us = world.now_free_us + seconds(between(rng, 0.1, 0.6))
    for seat in world.seats:
        at_s = ready_us / 1e6 + between(rng, 0.0, TOGETHER_S * pick(rng, (1, 1, 4)))
        yield ScriptLine(
            number, ScriptAct(Verb.PUT_BACK, seat, (spare[seat],)), at_s
        )  # else it is a foul
        yield ScriptLine(number, ScriptAct(Verb.PLACE, seat, (chosen[seat],)), at_s)
    back_us = world.now_free_us + seconds(1.5)
    for seat in world.seats:
        at_s = back_us / 1e6 + between(rng, 0.0, 1.0)
        yield ScriptLine(number, ScriptAct(Verb.PUT_BACK, seat, (chosen[seat],)), at_s)


def _roll(world: World, rng: Random, number: int) -> ScriptLine:
    at_us = max(world.now_free_us, READY_US) + seconds(1.0)
    seat = world.seats[number % len(world.seats)]
    return ScriptLine(number, ScriptAct(Verb.ROLL, seat, magic=die(rng) + die(rng)), at_us / 1e6)


OCCASIONS: dict[str, Occasion] = {"evening": evenings, "peeks": peeks, "set-downs": set_downs}
