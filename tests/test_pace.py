"""How often a table does something: seldom while nobody is there, and at once when somebody is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest
import smbus2.smbus2
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.devices import gpio
from companion.devices.debounce import LONG_US, SETTLE_US
from companion.present.lights import patterns
from companion.present.output import CallbackOutput
from companion.sensing.events import BarrelMotion, BarrelMoved
from companion.sensing.observations import MeasuredTime
from companion.simulator.chips.is31fl3729 import IS31FL3729
from companion.simulator.i2c_dev import Bus, Kernel
from companion.simulator.live.parts import WIRED
from companion.simulator.pads import SimulatedPins
from companion.system import config
from companion.table.outputs.lights import CALM_US
from companion.table.table import Table
from companion.table.table_config import TableConfig

WRITES_A_SECOND: Final = 12  # one a frame, and two to look whether the board is still set up
ADDRESS, BUTTON = 0x34, next(seat.button for seat in WIRED.seats if seat.button is not None)


@dataclass
class Paced:
    """A table whose thread is the test's: it rests for just as long as the thread would."""

    table: Table
    pins: SimulatedPins
    clock: list[int]
    bus: Bus
    turns: int = 0

    def passes(self, for_us: int) -> Paced:
        end_us = self.clock[0] + for_us
        while (next_us := self.clock[0] + round(1e6 * self.table.rest_s())) < end_us:
            self.clock[0] = max(next_us, self.clock[0] + 1)
            self.table.turn()
            self.turns += 1
        self.clock[0] = end_us
        return self

    def tells(self, told: BarrelMoved) -> None:
        """Have sensing tell something."""
        self.table.handle_events([told], self.clock[0])

    def turns_in(self, for_us: int) -> int:
        before = self.turns
        return self.passes(for_us).turns - before


@pytest.fixture
def paced(tmp_path: Path) -> Iterator[Paced]:
    with _paced(tmp_path) as found:
        yield found


@contextmanager
def _paced(folder: Path) -> Iterator[Paced]:
    factory, clock = MockFactory(pin_class=MockPWMPin), [1_000_000]
    bus = Bus({ADDRESS: IS31FL3729(config.LIGHT_WIRING)})
    assert WIRED.light_board is not None
    with Kernel({WIRED.light_board.bus: bus}).below(smbus2.smbus2):
        plan = TableConfig(
            replace(WIRED, hub=None),
            folder,
            open_pins=lambda: gpio.Pins(factory),
            clock_us=lambda: clock[0],
        )
        table = Table(plan)
        table.resume()
        table.turn()  # finds its parts
        yield Paced(table, SimulatedPins(factory), clock, bus)
        table.stop()


def test_while_something_happens_there_are_thirty_frames_a_second(paced: Paced) -> None:
    assert 30 <= paced.turns_in(1_000_000) <= 32


def test_a_table_that_nobody_touches_does_something_ten_times_a_second(paced: Paced) -> None:
    assert 9 <= paced.passes(CALM_US).turns_in(1_000_000) <= 11


def test_whoever_presses_a_button_wakes_a_calm_table_at_once(paced: Paced) -> None:
    paced.passes(CALM_US + 1_000_000)
    assert not paced.table.snapshot.joining
    for closed in (True, False):
        paced.pins.bounce(BUTTON, closed)
        paced.table.turn()  # as the thread does, whom the edge has woken
        paced.passes(SETTLE_US + 2_000)
    assert paced.table.snapshot.joining, "within two milliseconds after the switch has settled"


def test_a_long_press_is_told_in_time_though_no_edge_says_so(paced: Paced) -> None:
    paced.passes(CALM_US)
    told: list[int] = []
    paced.table.outputs.join(CallbackOutput(lambda snapshot: told.append(snapshot.at_us)))
    begun_us = paced.clock[0]
    paced.pins.close(BUTTON)
    paced.table.turn()
    paced.passes(2 * LONG_US)
    assert told
    assert told[0] - begun_us - LONG_US <= 2_000


def test_edges_of_bouncing_switches_do_not_keep_other_messages_waiting(paced: Paced) -> None:
    paced.pins.bounce(BUTTON, True, times=50)
    paced.table.inbox.wake()
    paced.table.turn()
    assert paced.table.inbox.empty


def test_all_that_jumps_does_so_on_the_coarse_frames_or_half_of_one_later() -> None:
    for jump_us in (patterns.BLINK_US // 2, patterns.COMET_US, patterns.SWIRL_US):
        assert jump_us % 50_000 == 0


def test_a_switch_has_no_thread_of_its_own() -> None:
    """Buttons of gpiozero have one: eight of them would wake eighty times a second."""
    pins, before = gpio.Pins(MockFactory(pin_class=MockPWMPin)), threading.active_count()
    switch = gpio.Input(pins, 17, lambda *_: None)
    assert threading.active_count() == before
    switch.release()


def test_a_barrel_that_only_stands_or_is_not_heard_quickens_no_lights(paced: Paced) -> None:
    """A heartbeat that is lost in the air is told, too: nobody is at the table for that."""
    paced.passes(CALM_US)
    for doing in (BarrelMotion.STANDING, BarrelMotion.LOST, BarrelMotion.STANDING):
        paced.tells(BarrelMoved(7, doing, MeasuredTime(paced.clock[0], 0), sure=False))
        assert paced.turns_in(1_000_000) <= 11
    paced.tells(BarrelMoved(7, BarrelMotion.LIFTED, MeasuredTime(paced.clock[0], 0), sure=True))
    assert paced.turns_in(1_000_000) >= 30


def test_a_table_that_nobody_touches_hardly_writes_to_its_lights(paced: Paced) -> None:
    paced.passes(CALM_US)
    writes, seconds = paced.bus.transfers, 10
    paced.passes(1_000_000 * seconds)
    assert (paced.bus.transfers - writes) / seconds <= WRITES_A_SECOND
