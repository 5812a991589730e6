"""Carries out what a script or a bot has people do at the simulated table, act after act.

It must not judge: whatever hands can do is done, and written down as the truth.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from math import hypot, pi
from random import Random
from types import MappingProxyType
from typing import Final

from companion.simulator import accidents, hand_params, hands, motions, peeking, poses, shaking
from companion.simulator.barrel import UPSIDE_DOWN_RAD, Barrel
from companion.simulator.ground_truth import Happening, What
from companion.simulator.people import Manner
from companion.simulator.script import ScriptAct, Verb
from companion.simulator.world import World, mix
from companion.system.errors import OutOfReach

Doing = Callable[[World, ScriptAct, int], int]
NO_MORE: Final[Mapping[Enum, Doing]] = MappingProxyType({})
USUAL_S: Final[Mapping[Enum, float]] = {  # how long, unless a script says otherwise
    Verb.SHAKE: 1.2,
    Verb.COMPARE: 1.6,
    Verb.PEEK: 0.6,
    Verb.CARRY: 1.5,
    Verb.PRESS: 0.15,
}
ROLL_S: Final = 1.2
LEAST_DROP_M: Final = 0.03
BESIDE_M: Final = 0.036  # from middle to middle: barrels are 34 mm thick


def do(world: World, act: ScriptAct, at_us: int, more: Mapping[Enum, Doing] = NO_MORE) -> int:
    """Do one thing, as soon as the hands and the barrels are free; return when it is done.

    `more` is what can be done besides.
    """
    if act.verb is Verb.KICK:
        return _kick(world, at_us)
    if act.verb is Verb.FLIP_ALL:
        return _flip_all(world, at_us)
    if act.verb is Verb.MIX:
        return mix(world, at_us)
    seat = world.seats[0] if act.seat is None else act.seat
    begin = max([at_us, world.free_us[seat], *(world.barrels[n].free_us for n in act.barrels)])
    for number in act.barrels:
        holder = world.truth.holder(number, begin)
        if holder is not None and holder is not seat:
            raise OutOfReach(
                "{seat} cannot reach barrel {number} at {at} s: {holder} holds it; "
                "let {holder} hand it over or put it back before.",
                seat=seat,
                number=number,
                at=begin / 1e6,
                holder=holder,
            )
    doing = DOING[act.verb] if isinstance(act.verb, Verb) else more[act.verb]
    end = max(doing(world, replace(act, seat=seat), begin), begin)
    world.free_us[seat] = end
    if act.to is not None and act.verb is Verb.HAND_OVER:
        world.free_us[act.to] = max(world.free_us[act.to], end)
    return end


def for_s(act: ScriptAct) -> float:
    """Return how long something is done."""
    return USUAL_S[act.verb] if act.for_s is None else act.for_s


def move(  # noqa: PLR0913 - all that there is to write down
    world: World,
    act: ScriptAct,
    what: What,
    motion: poses.Motion,
    at_us: int | None = None,
    *,
    manner: str = "",
) -> int:
    """Move a barrel, write down what was done with it, and return when it is done."""
    at, number = motion.start_us if at_us is None else at_us, act.barrels[0]
    world.barrels[number].add(motion)
    done = Happening(what, at, motion.end_us, number, act.seat, act.to, manner=manner)
    world.truth.add(done)
    return motion.end_us


def _touch_us(motion: poses.Motion) -> int:
    """Return when the table lets go of a barrel, or carries it."""
    return motion.start_us + hands.seconds(motion.contact.ramps[-1][0])


def lifted(world: World, act: ScriptAct, at_us: int) -> tuple[Barrel, int]:
    """Return the first barrel, in hand, and from when on."""
    barrel = world.barrels[act.barrels[0]]
    if not barrel.pose.held:
        at_us = max(at_us, world.table_us)
        motion = world.hand_of(act.seat).lift(at_us, barrel.pose)
        at_us = move(world, act, What.LIFTED, motion, _touch_us(motion))
    return barrel, at_us


def _lift(world: World, act: ScriptAct, at_us: int) -> int:
    return lifted(world, act, at_us)[1]


def _shake(world: World, act: ScriptAct, at_us: int) -> int:
    barrel, at_us = lifted(world, act, at_us)
    how = shaking.Shaking(barrel.stones_g, barrel.shell_g, act.vigour, for_s(act))
    hand, people = world.hand_of(act.seat), world.people
    if people is not None and people.swirls():
        motion = shaking.swirl(hand, at_us, barrel.pose, how, people.turns(how.for_s))
    else:
        motion = shaking.shake(hand, at_us, barrel.pose, how)
    return move(world, act, What.SHAKEN, motion)


def _compare(world: World, act: ScriptAct, at_us: int) -> int:
    """Weigh two in both hands, then shake both."""
    span, both = for_s(act), [replace(act, barrels=(n,)) for n in act.barrels]
    ready = max(_lift(world, single, at_us) for single in both)
    for single in both:
        barrel = world.barrels[single.barrels[0]]
        motion = shaking.heft(world.hand, ready, barrel.pose, span / 2.0)
        move(world, single, What.HEFTED, motion)
    return max(_shake(world, replace(single, for_s=span / 2.0), motion.end_us) for single in both)


def _hand_over(world: World, act: ScriptAct, at_us: int) -> int:
    barrel, at_us = lifted(world, act, at_us)
    if act.to is not None and act.to in world.pads and act.seat in world.pads:
        (x, y, _), (ox, oy, _) = world.pads[act.to], world.pads[act.seat]
        by = (0.7 * (x - ox), 0.7 * (y - oy), 0.0)
        motion = world.hand_of(act.seat).hand_over(at_us, barrel.pose, by)
        return move(world, act, What.HANDED_OVER, motion, motion.end_us)
    return at_us


def _stand(world: World, act: ScriptAct, at_us: int, spot: motions.Vector, what: What) -> int:
    barrel, at_us = lifted(world, act, at_us)
    motion = world.hand.put_down(at_us, barrel.pose, spot, name=act.verb.name.lower())
    return move(world, act, what, motion, _touch_us(motion))


def put_back(world: World, act: ScriptAct, at_us: int) -> int:
    """Stand it on its foot where it belongs; one that is upside down is turned over first."""
    barrel, at_us = lifted(world, act, at_us)
    if barrel.pose.tilt_rad > UPSIDE_DOWN_RAD:
        motion = world.hand.turn_over(at_us, barrel.pose, 0.0, barrel.stones_g)
        barrel.add(motion)
        at_us = motion.end_us
    return _stand(world, act, at_us, world.places[act.barrels[0]], What.PUT_BACK)


def _place(world: World, act: ScriptAct, at_us: int) -> int:
    seat = act.seat if act.to is None else act.to
    assert seat is not None
    x, y, z = world.pads[seat]
    there = world.on_pad(seat)
    if there is not None and there != act.barrels[0]:  # a second one stands beside the first
        off = 1 + BESIDE_M / hypot(x, y)
        x, y = x * off, y * off
    return _stand(world, replace(act, to=seat), at_us, (x, y, z), What.PLACED)


def peek(world: World, act: ScriptAct, at_us: int) -> int:
    """Tilt it far and long enough for its label to be readable for as long as is asked for."""
    barrel, at_us = lifted(world, act, at_us)
    look = peeking.PeekPlan(for_s(act), world.limit_deg(act.seat), act.to_deg)
    hand, people, called = world.hand_of(act.seat), world.people, ""
    if people is not None:
        hand = replace(hand, rng=people.rng)
        manner = Manner.PLAINLY if act.to_deg is not None else people.manner(act.seat)
        look, called = replace(look, manner=manner), people.called(manner, act.seat)
    motion = peeking.peek(hand, at_us, barrel.pose, look)
    return move(world, act, What.PEEKED, motion, manner=called)


def _flip(world: World, act: ScriptAct, at_us: int) -> int:
    """Turn it over and stand it on its head where it stood, or at the seat's pad."""
    stood: poses.Pose = world.barrels[act.barrels[0]].pose
    barrel, at_us = lifted(world, act, at_us)
    spot = world.pads[act.seat] if stood.held and act.seat is not None else stood.at_m
    spot = (spot[0], spot[1], 0.0)
    motion = world.hand.turn_over(at_us, barrel.pose, pi, barrel.stones_g)
    barrel.add(motion)
    return _stand(world, act, motion.end_us, spot, What.FLIPPED)


def _carry(world: World, act: ScriptAct, at_us: int) -> int:
    barrel, at_us = lifted(world, act, at_us)
    people, tilt = world.people, None
    if people is not None and barrel.pose.tilt_rad < UPSIDE_DOWN_RAD:
        tilt = people.carries_rad()
    motion = world.hand_of(act.seat).carry(at_us, barrel.pose, for_s(act), tilt)
    return move(world, act, What.CARRIED, motion)


def _drop(world: World, act: ScriptAct, at_us: int) -> int:
    barrel, at_us = lifted(world, act, at_us)
    height = max(LEAST_DROP_M, barrel.pose.at_m[2])
    if act.from_cm is not None:
        height = act.from_cm / 100.0
    motion = world.hand.drop(at_us, barrel.pose, height)
    fallen_us = move(world, act, What.DROPPED, motion)
    rng = Random(f"rolls {fallen_us} {act.barrels[0]}")  # noqa: S311 - no other hand moves by it
    barrel.add(accidents.roll_away(fallen_us, barrel.pose, rng))
    return fallen_us


def _press(world: World, act: ScriptAct, at_us: int) -> int:
    end = at_us + hands.seconds(for_s(act))
    world.truth.add(Happening(What.PRESSED, at_us, end, seat=act.seat))
    return end


def _roll(world: World, act: ScriptAct, at_us: int) -> int:
    end = at_us + hands.seconds(ROLL_S)
    world.truth.add(Happening(What.ROLLED, at_us, end, seat=act.seat, magic=act.magic))
    return end


def _kick(world: World, at_us: int) -> int:
    """Jolt all barrels on the table; those being set down just then are left alone."""
    table = world.hand.kick()
    end = at_us + hands.seconds(table.end_s)
    for barrel in world.barrels.values():
        if barrel.free_us <= at_us and not barrel.pose.held:
            barrel.add(world.hand.jolt(at_us, barrel.pose, table))
    world.table_us = max(world.table_us, end)
    world.truth.add(Happening(What.KICKED, at_us, end))
    return end


def _flip_all(world: World, at_us: int) -> int:
    """Let everybody flip the barrel on their own pad, nearly at once."""
    end = at_us
    for seat in world.seats:
        if (number := world.on_pad(seat)) is not None:
            late = at_us + hands.seconds(hand_params.between(world.rng, 0.0, 0.4))
            end = max(end, do(world, ScriptAct(Verb.FLIP, seat, (number,)), late))
    return end


DOING: Final[dict[Verb, Doing]] = {
    Verb.LIFT: _lift,
    Verb.SHAKE: _shake,
    Verb.COMPARE: _compare,
    Verb.HAND_OVER: _hand_over,
    Verb.PUT_BACK: put_back,
    Verb.PLACE: _place,
    Verb.PEEK: peek,
    Verb.FLIP: _flip,
    Verb.CARRY: _carry,
    Verb.DROP: _drop,
    Verb.PRESS: _press,
    Verb.ROLL: _roll,
}
