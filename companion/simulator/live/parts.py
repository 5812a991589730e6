"""Pads, buttons, lights and the light board of a simulated table: real devices on models.

The pins are gpiozero's own mock pins, chosen here on purpose; the light board's bus lies below
smbus2.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import smbus2.smbus2
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.devices import gpio
from companion.simulator import ground_truth, i2c_dev, light_path, pads, run, traits
from companion.simulator.chips.is31fl3729 import IS31FL3729
from companion.simulator.i2c_dev import Bus
from companion.system import config, text

PUMP_US: Final = 20_000
EDGE_US: Final = 4_000  # pins tell of an edge at once; a few ms are as good
WIRED: Final = config.parse(config.EVERY_PART, "config_template.toml")
RECEIVERS: Final = {text.SeatName[seat.colour.upper()]: seat.name for seat in WIRED.seats}


class TimedPin(MockPWMPin):  # type: ignore[misc] # gpiozero has no types
    """A mock pin whose edges have the time of the table's kernel, and which keeps no history.

    Lights change thirty times a second, for a whole evening.
    """

    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))
        self._last_change = self.factory.edge_us() / 1e6
        del self.states[:-1]
        return changed

    def _call_when_changed(self) -> None:
        """Tell an edge if anybody still listens: devices close their pins in another thread."""
        with self._when_changed_lock:
            if self._when_changed is not None:
                super()._call_when_changed()


class TimedPins(MockFactory):  # type: ignore[misc] # likewise
    """Mock pins on a clock."""

    def __init__(self, clock_us: Callable[[], int]) -> None:
        self._clock_us = clock_us
        self._edge_us: int | None = None
        super().__init__(pin_class=TimedPin)

    def edge_us(self) -> int:
        """Return when the edge is that is told now."""
        return self._clock_us() if self._edge_us is None else self._edge_us

    @contextmanager
    def edges_at(self, at_us: int) -> Iterator[None]:
        """Have all edges that are told within this be ones of an earlier time."""
        self._edge_us = at_us
        try:
            yield
        finally:
            self._edge_us = None


class SimulatedWiring:
    """What people do to pads and buttons, and who takes out cables; `pins` is what devices open."""

    def __init__(self, table: run.SimulatedTable, bus: Bus) -> None:
        self._table, self.bus = table, bus
        self.factory = TimedPins(table.clock_us)
        self._pins = pads.SimulatedPins(self.factory)
        self.pads_absent = False  # the seats' cables are taken out
        self._closed: dict[int, bool] = {}
        if traits.Trait.PADS in table.traits:
            self._look()

    def _look(self) -> None:
        """Let switches follow at once, as pins do, not only when somebody looks."""
        self.pump(self._table.now_us)
        self._table.at(self._table.now_us + EDGE_US, self._look)

    def open_pins(self) -> gpio.Pins:
        return gpio.Pins(self.factory)

    def pump(self, now_us: int) -> None:
        """Let switches follow what stands and presses on them."""
        pressed = {
            happening.seat
            for happening in self._table.world.truth.of(ground_truth.What.PRESSED)
            if happening.at_us <= now_us < happening.until_us
        }
        for seat in WIRED.seats:
            colour = text.SeatName[seat.colour.upper()]
            if seat.pad is not None:
                self._switch(seat.pad, self._table.world.pad_closed(colour, now_us))
            if seat.button is not None:
                self._switch(seat.button, colour in pressed)
        for edge in self._table.light_path.edges(now_us):
            self._flash(edge)

    def drive_anew(self) -> None:
        """Close again what is closed: pins that are opened again have forgotten it."""
        self._closed.clear()

    def _flash(self, edge: light_path.BurstEdge) -> None:
        """Let a receiver see one burst."""
        pin = RECEIVERS.get(edge.seat)
        if pin is not None and not self.pads_absent:
            with self.factory.edges_at(edge.at_us):
                self._pins.close(pin)
                self._pins.open(pin)

    def _switch(self, pin: int, closed: bool) -> None:
        closed = closed and not self.pads_absent
        if closed == self._closed.get(pin, False):
            return
        self._closed[pin] = closed
        self._pins.bounce(pin, closed)


@contextmanager
def outside_of(table: run.SimulatedTable) -> Iterator[SimulatedWiring]:
    """Provide pins and a bus model where gpiozero and smbus2 look for them."""
    chip = IS31FL3729(config.LIGHT_WIRING)
    assert WIRED.light_board is not None
    bus = Bus({WIRED.light_board.address: chip})
    with i2c_dev.Kernel({WIRED.light_board.bus: bus}).below(smbus2.smbus2):
        yield SimulatedWiring(table, bus)
