"""What an eye sees of a barrel at the simulated table: where it is, how it is held, what is open.

Before a barrel stands on its head nothing here depends on its number.
"""

from __future__ import annotations

from typing import Final

from companion.present.hands import SeenBarrel, Where
from companion.simulator.handling import Motion, Support
from companion.simulator.motions import Vector
from companion.simulator.world import World
from companion.text import SeatName

STEP_DEG: Final = 15  # an eye tells angles no finer


def seen(world: World, handle: int, at_us: int) -> SeenBarrel:
    """Return the barrel of a place as it looks at a time, wherever it is."""
    spot = world.spots[handle]
    number = next(number for number, place in world.places.items() if place == spot)
    barrel = world.barrels[number]
    motion = barrel.motion(at_us)
    where, seat = _whereabouts(world, motion, world.truth.holder(number, at_us))
    on_head = {motion.before.support, motion.after.support} == {Support.HEAD}
    tilt = barrel.tilt_deg(at_us)
    return SeenBarrel(
        handle,
        where,
        None if seat is None else seat.name.lower(),
        tilt_deg=STEP_DEG * round(tilt / STEP_DEG),
        shaken=motion.name == "shake",
        sliding=motion.name == "mix",
        flipped=on_head,
        number=number if on_head else None,
    )


def _whereabouts(
    world: World, motion: Motion, holder: SeatName | None
) -> tuple[Where, SeatName | None]:
    """Return where a barrel is, and at whose seat."""
    if holder is not None:
        return Where.HAND, holder
    before, after = motion.before, motion.after
    at_m: Vector = after.at_m if before.held else before.at_m  # it stands already, or still
    for seat, pad in world.pads.items():
        if at_m == pad:
            return Where.PAD, seat
    if at_m in world.spots and before.support is not Support.SIDE:
        return Where.PLATEAU, None
    return Where.ASIDE, None
