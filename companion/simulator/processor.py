"""A board's processor: its clock, and the time that MicroPython takes for a boot and each step.

A step is carried out at its end, and told then how the time passed since its beginning: chips are
read in the past, packets go off now.

    begins       samples are read      load is read, clock is read again      sends
    |            |── are judged ─────> |── is judged ───> |── seals a packet ─> |
    now - lag    now - lag             less and less of it                      now
"""

from random import Random
from typing import Final

from companion.simulator.chips.board_bus import BoardBus, Chip, Clock
from companion.system.chance import wobble

STOPPER_STEP_US: Final = (10_000, 25_000)  # 160 MHz, 10 to 20 samples, one packet at most
HUB_STEP_US: Final = (1_000, 5_000)  # 240 MHz: framing a packet for the line, or finding none
SEALING_US: Final = (2_000, 4_000)  # of a step: from the clock's last reading to the radio
NOTHING_US: Final = (0, 0)  # the hub is not the one that seals
COLLECTS: Final = 1 / 60  # of all steps: garbage is collected in it…
COLLECTING_US: Final = (5_000, 15_000)  # …for this long
LOADING_US: Final = (350_000, 600_000)  # from a reset until main.py begins
COMPILING_US: Final = (650_000, 2_400_000)  # of all source files
IMPORTING_US: Final = (100_000, 300_000)  # of the same files, compiled beforehand
RC_PPM: Final = (300.0, 3_300.0)  # by how much a board's clock is off in sleep…
RC_JUMP_PPM: Final = 340.0  # …and differently each time: ten of its ticks are measured in 1/40 µs
CLOCK_PPM: Final = 20.0  # a crystal's deviation; never more than twice that


def crystal_ppm(rng: Random) -> float:
    """Return by how much a board's crystal is off."""
    return min(max(CLOCK_PPM * wobble(rng), -2 * CLOCK_PPM), 2 * CLOCK_PPM)


class Oscillator:
    """A board's own clock, some millionths too fast or too slow, and more so in a light sleep."""

    def __init__(self, clock_us: Clock, ppm: float) -> None:
        self._clock_us, self.ppm = clock_us, ppm
        self.asleep_ppm = 0.0
        self.since_us, self.shown_us = clock_us(), 0
        self._read_us = 0

    def us(self) -> int:
        """Return what it shows: never less than before, though steps begin in the past."""
        passed_us = self._clock_us() - self.since_us
        off_us = round(passed_us * (self.ppm + self.asleep_ppm) / 1e6)
        self._read_us = max(self._read_us, self.shown_us + passed_us + off_us)
        return self._read_us

    def drift(self, ppm: float) -> None:
        """Change the speed from now on, without a jump."""
        self.shown_us, self.since_us, self.ppm = self.us(), self._clock_us(), ppm

    def sleep(self, ppm: float) -> None:
        """Be off by this much more from now on, until that is 0 again."""
        if ppm != self.asleep_ppm:
            self.drift(self.ppm)
            self.asleep_ppm = ppm

    def restart(self) -> None:
        """Begin at 0."""
        self.shown_us, self.since_us, self.asleep_ppm = 0, self._clock_us(), 0.0
        self._read_us = 0

    def true_us(self, own_us: int) -> int:
        """Return how long a span on this clock really is."""
        return round(own_us / (1 + self.ppm / 1e6))


class Processor:
    """How long everything takes on a board; without chance it takes no time."""

    def __init__(
        self,
        clock_us: Clock,
        step_us: tuple[int, int],
        sealing_us: tuple[int, int],
        rng: Random | None,
    ) -> None:
        self._clock_us, self._rng = clock_us, rng
        self._spans_us = step_us, sealing_us
        self._lag_us = self._sealing_us = 0  # left of a step, and what a packet needs of it
        self._ended_us = clock_us()
        self._looked = False  # at the clock, in this step
        self._waited_us = 0  # in this step, for its radio
        self.takes_us = 0  # the next step

    def now_us(self) -> int:
        """Return the time of what a step is doing right now."""
        return self._clock_us() - self._lag_us + self._waited_us

    def boot(self, *, compiled: bool) -> int:
        """Return how long it takes until the firmware runs."""
        self._ended_us = self._clock_us()
        self.takes_us = self._lag_us = self._waited_us = 0
        if self._rng is None:
            return 0
        rest_us = IMPORTING_US if compiled else COMPILING_US
        return self._between(LOADING_US) + self._between(rest_us)

    def begin(self) -> None:
        """Go back to where the step began that ends now."""
        self._lag_us = max(min(self.takes_us, self._clock_us() - self._ended_us), 0)
        self._looked = False

    def judge(self) -> None:
        """Let most of a step pass in which what was read is made sense of."""
        rest_us = self._lag_us - self._sealing_us
        if rest_us > 0:
            self._lag_us -= rest_us - rest_us // 4

    def look(self) -> None:
        """Let all of it pass but what a packet needs, if it looks at the clock once more."""
        if self._looked:
            self._lag_us = min(self._lag_us, self._sealing_us)
        self._looked = True

    def send(self) -> None:
        """Let all of it pass, because a packet is sent."""
        self._lag_us = 0

    def wait(self, span_us: int) -> None:
        """Do nothing else for a while: all that comes after it in this step is later by that."""
        self._waited_us += span_us

    def end(self) -> int:
        """Return in how long the next step ends at the soonest: without a packet this one did."""
        spared_us = min(self._lag_us, self._sealing_us) - self._waited_us
        self._waited_us = 0
        self._lag_us, self._ended_us = 0, self._clock_us() - spared_us
        if self._rng is not None:
            step_us, sealing_us = self._spans_us
            self._sealing_us = self._between(sealing_us)
            self.takes_us = self._between(step_us)
            if self._rng.random() < COLLECTS:
                self.takes_us += self._between(COLLECTING_US)
        return self.takes_us - spared_us

    def _between(self, span_us: tuple[int, int]) -> int:
        assert self._rng is not None
        low_us, high_us = span_us
        return low_us + int(self._rng.random() * (high_us - low_us))


class TimedBus(BoardBus):
    """A board's bus: what is read off a chip's queue is judged before anything else is done."""

    def __init__(self, chips: dict[int, Chip], processor: Processor) -> None:
        super().__init__(chips)
        self._processor = processor

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        """Return the bytes from a register on; a register alone tells nothing to be judged."""
        data = super().readfrom_mem(address, register, count)
        if count > 1:
            self._processor.judge()
        return data


class SlowClock:
    """The clock of a light sleep, an RC oscillator that is measured before each: this board's."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        low, high = RC_PPM
        self._ppm = (low + rng.random() * (high - low)) * (1 if rng.random() < 0.5 else -1)

    def ppm(self) -> float:
        """Return by how much it is off in the next sleep."""
        off = abs(self._ppm) + RC_JUMP_PPM * (2 * self._rng.random() - 1)
        low, high = RC_PPM
        return min(max(off, low), high) * (1 if self._ppm > 0 else -1)
