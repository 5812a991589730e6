"""The hub's board: the firmware's own source between its radio and its cable."""

from typing import Any

from companion.simulator import boards, flash
from companion.simulator.cable import Cable
from companion.simulator.chips.board_bus import Clock
from companion.simulator.processor import HUB_STEP_US, NOTHING_US, Oscillator, Processor
from companion.simulator.radio import NodeRadio
from companion.simulator.traits import KIND, Imperfections, Trait


class HubBoard:
    """The hub's hardware between its radio and its cable."""

    def __init__(  # noqa: PLR0913 - what it is connected with, and how it is
        self,
        radio: NodeRadio,
        usb: Cable,
        clock_us: Clock,
        ppm: float,
        *,
        seed: str,
        traits: Imperfections = KIND,
    ) -> None:
        self.unique_id, self.radio, self.usb = radio.node, radio, usb
        works = boards.chance(Trait.STEPS, traits, seed)
        self.processor = Processor(clock_us, HUB_STEP_US, NOTHING_US, works)
        radio.processor = self.processor
        self.oscillator = Oscillator(self.processor.now_us, ppm)
        self.flash = flash.Flash()
        self.compiled = True
        self._clock_us = clock_us
        self._begins_us = 0
        self._hub: Any = None
        self._resets = False

    def power_on(self) -> None:
        """Begin a new boot."""
        self.oscillator.restart()
        boot_us = self.processor.boot(compiled=self.compiled)
        self._begins_us = self._clock_us() + boot_us
        self._hub = None
        if not boot_us:
            self._begin()

    def step(self) -> int:
        """Let the firmware do a step that ends now; return in how many µs the next one ends."""
        if self._hub is None:
            if self._clock_us() < self._begins_us:
                return self._begins_us - self._clock_us()
            self._begin()
        self.processor.begin()
        wait_us = self.oscillator.true_us(1000 * self._hub.step())
        if self._resets:
            self._resets = False
            self.power_on()
            return max(self._begins_us - self._clock_us(), 0)
        return wait_us + self.processor.end()

    def reset(self) -> None:
        """Start over when this step is over."""
        self._resets = True

    def ticks_us(self) -> int:
        """Return the ticks, which start over every 18 minutes."""
        self.processor.look()
        return self.oscillator.us() & boards.TICKS

    @property
    def listens(self) -> bool:
        """Whether its firmware runs: nobody hears what is sent before that."""
        return self._hub is not None

    @property
    def waiting_us(self) -> int | None:
        """Return when the step that finds the next packet ends."""
        due_us = self.radio.due_us
        return None if due_us is None else due_us + self.processor.takes_us

    def _begin(self) -> None:
        self._hub = boards.load("hub.hub").Hub(self)
        self.processor.end()
