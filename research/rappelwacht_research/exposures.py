"""When labels of the simulated table could truly be read, to measure against what sensors told."""

from dataclasses import dataclass

from companion.simulator.barrel import Barrel
from companion.simulator.world import World
from companion.system.text import SeatName


@dataclass(frozen=True, slots=True)
class Exposure:
    """A span in which a barrel's label could be read, by somebody if it was held."""

    barrel: int
    from_us: int
    to_us: int
    seat: SeatName | None = None
    tilt_deg: float = 0.0  # on average

    @property
    def span_ms(self) -> float:
        """How long.

        >>> Exposure(7, 0, 600_000).span_ms
        600.0
        """
        return (self.to_us - self.from_us) / 1000.0


def exposures(world: World, from_us: int, to_us: int) -> list[Exposure]:
    """Return when labels could truly be read, by geometry: tilted enough and nearly still."""
    spans_read = []
    for number, barrel in world.barrels.items():
        for begin, end in barrel.readable(from_us, to_us, world.limit_deg(None)):
            seat = world.truth.holder(number, begin)
            spans = barrel.readable(begin, end, world.limit_deg(seat))
            spans_read += [
                Exposure(number, *span, seat, round(_mean_tilt_deg(barrel, *span), 1))
                for span in spans
            ]
    return sorted(spans_read, key=lambda exposure: exposure.from_us)


def _mean_tilt_deg(barrel: Barrel, from_us: int, to_us: int) -> float:
    steps = 8
    ats = [from_us + (2 * step + 1) * (to_us - from_us) // (2 * steps) for step in range(steps)]
    return sum(barrel.tilt_deg(at) for at in ats) / steps
