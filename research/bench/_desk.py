"""One barrel on a desk: foot and cell as modelled, the firmware's scale, a hand that lifts it."""

from collections.abc import Iterator
from math import cos, exp, pi, radians, sin
from random import Random
from typing import Any

from companion.sensing.observations import MeasuredTime, StopperMessage
from companion.simulator.boards import load
from companion.simulator.chips import nau7802 as chip
from companion.simulator.chips.load_cell import flaws
from companion.simulator.chips.nau7802 import Nau7802
from companion.simulator.hand_params import HABITS, between
from companion.simulator.stones import SHELL_G
from companion.simulator.tabletop import RoomClimate
from companion.simulator.traits import KIND, Imperfections, Trait
from companion.simulator.weighing import Foot
from companion.system.chance import wobble

READING_US = 25_000
WARM_C, WARMING_S = 4.0, 600.0
SHELL_SPREAD_G = 0.3
ONE_G, AGITATION = 512, 12  # as the firmware has it; of a hand, a little below its threshold
TILTING_US, SWAY_DEG, SWAY_HZ = 300_000, 3.0, 1.3
FELT_G = 0.01  # by how much a sensor errs along its axis, and a hand trembles
STRAIGHT = (5.0, 25.0)  # how people hold what they lift, in degrees


class Desk:
    """One barrel with its stopper, and what a hand does to it."""

    def __init__(
        self,
        stopper: int,
        rng: Random,
        stones_g: float,
        empty_g: float = SHELL_G,
        *,
        traits: Imperfections = KIND,
        tilts_deg: tuple[float, float] = STRAIGHT,
    ) -> None:
        self.stopper, self._rng, self.stones_g = stopper, rng, stones_g
        self.shell_g = empty_g + SHELL_SPREAD_G * wobble(rng)
        self._now_us, self._press_g, self._press_until_us = 0, 0.0, 0
        self._stands, self._warm_c, self._aim_c = True, 0.0, WARM_C * wobble(rng)
        self._room_c, self._first = 21.0, True
        seed = f"{stopper} {rng.random()}"
        self._hand = Random(f"hand {seed}")
        self._tilts_deg, self._tilt_deg, self._lifted_us = tilts_deg, 0.0, 0
        self._room = RoomClimate(seed) if Trait.CREEP in traits else None
        self._evening_us = 0
        self._foot = Foot(
            lambda _: self._load_g(), self._push_g, seed, traits, held=lambda _: self._held()
        )
        self._chip = Nau7802(
            self._foot.force_g, lambda _: self._celsius(), lambda: self._now_us, seed,
            flaws=flaws(seed, traits),
        )  # fmt: skip
        self._start()
        scale: Any = load("stopper.scale")
        self._scale = scale.Scale(round(self._chip.cell.zero_g * scale.COUNTS_PER_G))
        self._milligrams = scale.milligrams
        self._event = 0

    def _start(self) -> None:
        on = chip.DIGITAL_ON | chip.ANALOG_ON | chip.INTERNAL_LDO
        self._chip.write(chip.PU_CTRL, bytes((on,)))
        self._chip.write(chip.CTRL1, bytes((5 << 3 | 7,)))
        self._chip.write(chip.CTRL2, bytes((2 << 4 | chip.CALIBRATE,)))
        self._now_us += chip.CALIBRATION_US + READING_US
        self._chip.read(chip.CTRL2, 1)
        self._chip.write(chip.PU_CTRL, bytes((on | chip.CYCLE_START,)))

    def _celsius(self) -> float:
        warmer_c = 0.0
        if self._room:
            warmer_c = self._room.above_usual_c(self._now_us - self._evening_us)
        return self._room_c + self._warm_c + warmer_c

    def _push_g(self, at_us: int) -> float:
        """Return the force along the barrel's axis: held, it leans, and sways a little."""
        if self._stands or at_us < self._lifted_us:
            return 1.0
        passed_us = at_us - self._lifted_us
        lean_deg = self._tilt_deg * min(1.0, passed_us / TILTING_US)
        sway_deg = SWAY_DEG * sin(2 * pi * SWAY_HZ * passed_us / 1e6)
        return cos(radians(lean_deg + sway_deg))

    def _held(self) -> bool:
        return not self._stands or self._now_us < self._press_until_us

    def _load_g(self) -> float:
        if not self._stands:
            return 0.0
        pressed = self._press_g if self._now_us < self._press_until_us else 0.0
        return self.shell_g + self.stones_g + pressed

    def pass_by(self, seconds: float, room_c: float | None = None) -> None:
        """Let time pass unread, as between two evenings."""
        self._warm_c *= exp(-seconds / WARMING_S)
        self._room_c = self._room_c if room_c is None else room_c
        self._now_us += round(seconds * 1e6)
        if room_c is not None:  # another evening
            self._evening_us = self._now_us
        self._chip.read(chip.ADCO_B2, 3)

    def lift(self, seconds: float) -> Iterator[StopperMessage]:
        """Lift it, hold it for a while, set it down, and wait until it is weighed."""
        self._stands, self._lifted_us = False, self._now_us
        self._tilt_deg = between(self._hand, *self._tilts_deg)
        yield from self._run(seconds, held=True)
        self._stands = True
        self._press_g = HABITS.press_g.at(wobble(self._rng))
        self._press_until_us = self._now_us + round(between(self._rng, 0.1, 0.3) * 1e6)
        yield from self._run(2.0, held=False)

    def _run(self, seconds: float, *, held: bool) -> Iterator[StopperMessage]:
        end_us = self._now_us + round(seconds * 1e6)
        fade = exp(-READING_US / 1e6 / WARMING_S)
        aim_c = self._aim_c if held else 0.0
        while self._now_us < end_us:
            self._now_us += READING_US
            self._warm_c = aim_c + (self._warm_c - aim_c) * fade
            value = int.from_bytes(self._chip.read(chip.ADCO_B2, 3), "big")
            raw = value - (1 << 24 if value & 0x800000 else 0)
            at_ms, scale = self._now_us // 1000, self._scale
            quiet = not held and self._now_us > self._press_until_us
            felt_g = self._push_g(self._now_us) + FELT_G * wobble(self._hand) * held
            up, agitation = round(ONE_G * felt_g), AGITATION * held
            if scale.take(raw, at_ms, quiet, False, -1000, up, agitation):
                yield self._felt("SET" if scale.standing.on else "LIFT", load_mg=0)
            if scale.fresh:
                scale.fresh = False
                load_mg = self._milligrams(scale.settled)
                spread_mg = self._milligrams(scale.spread)
                doubt_mg = self._milligrams(scale.empty.zero_doubt())
                foot_mg = self._milligrams(scale.empty.known_foot())
                yield self._felt(
                    "STILL",
                    load_mg=load_mg,
                    spread_mg=spread_mg,
                    zero_doubt_mg=doubt_mg,
                    foot_mg=foot_mg,
                )

    def _felt(self, name: str, **fields: int) -> StopperMessage:
        self._event += 1
        fields |= {"event": self._event, "tilt_cdeg": 0, "still_ms": 700}
        fields["temperature_cc"] = round(100 * self._celsius())
        moment = MeasuredTime(self._now_us, 1000)
        return StopperMessage(self.stopper, name, moment, self._now_us, 1, 0, fields)
