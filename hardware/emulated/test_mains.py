"""The loops that the boards run from power-on: whatever fails is noted, and ends in a boot."""

from __future__ import annotations

import runpy
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from companion import wire
from hardware.emulated.bench import HUB, Board, Flash, Script
from hardware.emulated.source import FIRMWARE, load
from hardware.emulated.test_hub import Air, Usb


class Reset(BaseException):
    """The board starts over: nothing that comes after is run, and nothing can hold it."""


class Machine:
    """The processor, and its flash."""

    WDT_RESET = 3

    def __init__(self, flash: Flash) -> None:
        self.flash, self.fed, self.cause = flash, 0, 1
        self.loop: Any = None  # what a slot of a stopper begins with; None: the firmware's own

    def WDT(self, timeout: int) -> Machine:  # noqa: N802 - as the boards call it
        """Return itself as the watchdog."""
        assert 1000 <= timeout <= 8388
        return self

    def feed(self) -> None:
        """Count it."""
        self.fed += 1

    def reset_cause(self) -> int:
        """Return why it began."""
        return self.cause

    def reset(self) -> None:
        """Start over."""
        raise Reset


class Table:
    """The hub's hardware, which fails at some step."""

    def __init__(self, flash: Flash, fails_at: int, fault: Exception) -> None:
        self.radio, self.usb, self.flash, self.unique_id = Air(), Usb(), flash, HUB
        self.steps, self.fails_at, self.fault = 0, fails_at, fault

    def ticks_us(self) -> int:
        """Count the steps by it."""
        self.steps += 1
        if self.steps == self.fails_at:
            raise self.fault
        return self.steps * 2000


Run = Callable[[str, Machine, Callable[[], Any]], None]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return what runs a main file on a machine with a board, until it starts over."""

    def go(name: str, machine: Machine, board: Callable[[], Any]) -> None:
        load("hub.hub")
        monkeypatch.setitem(sys.modules, "machine", machine)
        monkeypatch.setitem(sys.modules, "flash", SimpleNamespace(Flash=lambda: machine.flash))
        made = SimpleNamespace(Board=lambda *_: board())
        monkeypatch.setitem(sys.modules, f"board_{name}", made)
        monkeypatch.delitem(sys.modules, "loop_stopper", raising=False)
        if machine.loop is not None:
            monkeypatch.setitem(sys.modules, "loop_stopper", SimpleNamespace(run=machine.loop))
        monkeypatch.setattr(sys, "path", [*sys.path])
        monkeypatch.setattr(time, "sleep_ms", lambda _: None, raising=False)
        with pytest.raises(Reset):
            runpy.run_path(str(FIRMWARE / f"main_{name}.py"))

    return go


def test_a_hub_that_fails_is_noted_and_boots(run: Run) -> None:
    machine = Machine(Flash())
    table = Table(machine.flash, 10, ValueError("no such thing"))
    run("hub", machine, lambda: table)
    assert machine.flash["mishap"] == b"ValueError('no such thing')"
    assert machine.fed > 3
    fed = machine.fed
    again = Table(machine.flash, 10, MemoryError("full"))
    run("hub", machine, lambda: again)
    assert again.usb.written.startswith(b"ValueError('no such thing')\0")  # for whoever looks
    assert machine.fed == 2 * fed
    line = wire.Line(wire.FROM_HUB)
    first, *_ = line.hear(again.usb.written)
    assert isinstance(first, wire.Said)
    assert first.name == "HUB_HELLO"
    assert sum(line.losses.values()) == 1
    assert machine.flash["mishap"] == b"MemoryError('full')"


def test_a_hub_without_a_mishap_says_nothing_of_one(run: Run) -> None:
    machine = Machine(Flash())
    table = Table(machine.flash, 10, OSError(5))
    run("hub", machine, lambda: table)
    assert table.usb.written[:1] == b"\0"


@pytest.mark.parametrize("name", ["hub", "stopper"])
def test_a_board_that_cannot_even_begin_is_noted_and_boots(run: Run, name: str) -> None:
    def fails() -> None:
        raise OSError(0x3001)

    machine = Machine(Flash())
    run(name, machine, fails)
    assert machine.flash["mishap"] == b"OSError(12289)"


@pytest.mark.parametrize("name", ["hub", "stopper"])
def test_flash_that_takes_nothing_more_does_not_keep_it_from_booting(run: Run, name: str) -> None:
    class Full(Flash):
        def save(self, name: str, data: bytes) -> None:
            raise OSError(28, name, data)

    def fails() -> None:
        raise ValueError

    run(name, Machine(Full()), fails)


class Barrel(Board):
    """A stopper's hardware with the waits that only the loop knows."""

    def __init__(self, flash: Flash, until_us: int) -> None:
        super().__init__(Script().stand(6).hold(2).shake(20))
        self.flash.update(flash)
        self.kept, self.until_us = flash, until_us
        self.waited: dict[str, int] = {"sleeps": 0, "rests": 0, "waits": 0}
        self.cold = False

    def _pass(self, how: str, wait_ms: int) -> None:
        self.waited[how] += wait_ms
        self.now_us += 1000 * wait_ms
        if self.now_us >= self.until_us:
            self.kept.update(self.flash)
            raise IndexError("over")

    def sleep_ms(self, sleep_ms: int) -> None:
        """Sleep lightly."""
        self._pass("sleeps", sleep_ms)

    def rest_ms(self, rest_ms: int) -> None:
        """Wait with the radio off."""
        self._pass("rests", rest_ms)

    def wait_ms(self, wait_ms: int) -> None:
        """Wait with the radio on."""
        self._pass("waits", wait_ms)


def test_a_stopper_sleeps_while_it_stands_waits_while_it_moves_and_notes_its_mishap(
    run: Run,
) -> None:
    machine = Machine(Flash())
    still = Barrel(machine.flash, 5_900_000)
    run("stopper", machine, lambda: still)
    assert still.waited["sleeps"] > 4 * still.waited["waits"] > 0
    assert machine.fed > 200
    assert machine.flash["mishap"] == b"IndexError('over')"
    moved = Barrel(machine.flash, 20_000_000)
    run("stopper", machine, lambda: moved)
    assert moved.waited["waits"] > moved.waited["sleeps"]
    assert moved.last("HEARTBEAT").faults == 1 << wire.FAULTS.index("watchdog")


@pytest.mark.parametrize(("cold", "usb"), [(True, False), (False, True)])
def test_just_powered_or_at_a_computer_it_does_not_sleep_and_can_be_flashed(
    run: Run, cold: bool, usb: bool
) -> None:
    machine = Machine(Flash())
    board = Barrel(machine.flash, 5_900_000)
    board.cold, board.usb = cold, usb
    run("stopper", machine, lambda: board)
    assert board.waited["sleeps"] == 0
    assert board.waited["rests"] > 3_000


def test_a_stopper_that_the_watchdog_woke_tells_it(run: Run) -> None:
    machine = Machine(Flash())
    machine.cause = machine.WDT_RESET
    made = list[Barrel]()

    def board() -> Barrel:
        made.append(Barrel(machine.flash, 3_000_000))
        return made[-1]

    run("stopper", machine, board)
    assert made[-1].last("HEARTBEAT").faults == 1 << wire.FAULTS.index("watchdog")


def test_the_selector_runs_the_slot_on_trial_and_goes_back_to_the_old_one(run: Run) -> None:
    ran = list[tuple[str, bool]]()

    def fails(_watchdog: object, slot: str, trial: bool) -> None:
        ran.append((slot, trial))
        assert sys.path[0] == f"/{slot}"
        raise ValueError("not yet")

    machine = Machine(Flash(slot=b"a", trial=b"b\3"))
    machine.loop = fails
    for _ in range(5):
        run("stopper", machine, Reset)
    assert ran == [("b", True)] * 3 + [("a", False)] * 2
    assert machine.flash["mishap"] == b"ValueError('not yet')"
