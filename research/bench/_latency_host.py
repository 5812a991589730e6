"""The Pi's side of the latency bench: a table in a process of its own, watched from within.

It must not know the simulator: bytes come over a pseudo-terminal, edges of the pins and commands
over a pipe. Only the chips behind gpiozero and smbus2 are models, and they live here.
"""

import os
import time
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from threading import enumerate as enumerate_threads
from typing import Any, Final

import smbus2.smbus2

from companion.devices import gpio
from companion.devices.debounce import LONG_US, SETTLE_US
from companion.devices.hub_discovery import HubMessage
from companion.devices.hub_port import monotonic_us
from companion.present.lights.scenes import scene
from companion.present.output import CallbackOutput
from companion.referee.snapshot import Snapshot, TableEvent
from companion.sensing.events import Placed, SensingEvent
from companion.sensing.observations import ButtonPressed, PadChanged
from companion.sensing.tampering import Suspect
from companion.simulator.cable import NAME
from companion.simulator.chips.is31fl3729 import IS31FL3729
from companion.simulator.i2c_dev import Bus, Kernel
from companion.simulator.live.parts import TimedPins
from companion.simulator.pads import SimulatedPins
from companion.system import config
from companion.system.gc_freeze import frozen
from companion.table.inbox import Message, PendingCommand
from companion.table.table import Table
from companion.table.table_config import TableConfig

TAG: Final = 8  # bytes at a packet's end by which both sides know it
BUS_HZ: Final = 400_000
WIRED: Final = config.parse(config.EVERY_PART, "config_template.toml")


@dataclass(slots=True)
class Shown:
    """Something visible that was published, and what for; times of the clock that never jumps."""

    cause: str  # frame, pad, button, command, time, part
    tag: bytes  # of the frame
    ready_us: int | None  # when it could be known, if that is not the moment of a frame
    published_us: int
    deed: bool  # the match went on; else something is lit, asked or warned of
    since_us: int | None = None  # who placed something did it then, as far as sensing knows
    lights_us: int | None = None  # the last byte was on the bus; None: nothing new to show there


@dataclass(slots=True)
class Usage:
    """What the process has used so far."""

    cpu_s: float
    threads_s: Mapping[str, float]
    rss_mb: float


class TimedBus(Bus):
    """A bus that notes for how long it was busy, and when its last transfer was over."""

    busy_us, last_us = 0.0, 0

    def write(self, address: int, data: bytes) -> None:
        super().write(address, data)
        self.busy_us += (2 + 9 * (1 + len(data))) * 1e6 / BUS_HZ  # start, stop, address, bytes
        self.last_us = monotonic_us()


class TimedTable(Table):
    """A table that notes what it published, why, and when that was on the lights."""

    def __init__(self, plan: TableConfig, bus: TimedBus) -> None:
        self.bus = bus
        self.shown: list[Shown] = []
        self.heard: list[tuple[bytes, int]] = []  # each frame, and when all of it was judged
        self.turns: deque[tuple[int, int]] = deque(maxlen=8192)  # how long each took, and worked
        self._cause: tuple[str, bytes, int | None] = ("part", b"", None)
        self._since_us: int | None = None
        self._dark: list[tuple[Shown, Snapshot, Snapshot]] = []  # not on the lights yet
        super().__init__(plan)

    def turn(self, message: Message | None = None) -> None:
        """Do one step; what no message brings comes from waiting."""
        self._cause = ("time", b"", self._due_us())
        begun_us, spent_ns = monotonic_us(), time.thread_time_ns()
        super().turn(message)
        spent_us = (time.thread_time_ns() - spent_ns) // 1000
        self.turns.append((monotonic_us() - begun_us, spent_us))
        self._note_lights()

    def _due_us(self) -> int | None:
        due: int | None = self.sensing_link.sensing.states["seating"].due_us
        return due

    def _handle(self, message: Message, now_us: int) -> None:
        self._cause = _cause(message, now_us)
        super()._handle(message, now_us)
        if self._cause[0] == "frame":
            self.heard.append((self._cause[1], monotonic_us()))
        self._cause = ("time", b"", self._due_us())

    def handle_events(self, told: Iterable[SensingEvent | Suspect], now_us: int) -> None:
        for one in told:
            self._since_us = one.moment.at_us if isinstance(one, Placed) else None
            super().handle_events([one], now_us)
        self._since_us = None

    def _publish(self, snapshot: Snapshot, events: tuple[TableEvent, ...]) -> None:
        before = self.snapshot
        super()._publish(snapshot, events)
        published_us = monotonic_us()
        if replace(before, at_us=snapshot.at_us) != snapshot:
            acted = before.acted != snapshot.acted
            shown = Shown(*self._cause, published_us, acted, self._since_us)
            self.shown.append(shown)
            self._dark.append((shown, before, snapshot))

    def _tick_outputs(self, now_us: int) -> None:
        before_us = self.bus.busy_us, self.bus.last_us
        super()._tick_outputs(now_us)
        wire_us = self.bus.busy_us - before_us[0]
        if self.bus.last_us != before_us[1]:
            for shown, _, _ in self._dark:
                shown.lights_us = shown.lights_us or self.bus.last_us + round(wire_us)

    def _note_lights(self) -> None:
        """Keep the lights' time only where there was something new to see."""
        for shown, before, after in self._dark:
            same_us = after.at_us
            if scene(before, same_us).lights == scene(after, same_us).lights:
                shown.lights_us = None
        self._dark.clear()


def _cause(message: Message, now_us: int) -> tuple[str, bytes, int | None]:
    """Return what a message is, and when it could be known at the earliest."""
    match message:
        case HubMessage(_, said) if said.name == "RELAYED":
            return "frame", bytes(said.fields.packet[-TAG:]), None
        case PadChanged():
            return "pad", b"", message.at_us + SETTLE_US
        case ButtonPressed(long=long):
            late_us = LONG_US if long else message.held_us + SETTLE_US
            return "button", b"", message.at_us + late_us
        case PendingCommand():
            return "command", b"", now_us
    return "part", b"", now_us


def usage() -> Usage:
    """Return what this process has used so far, by thread."""
    names = {}
    for thread in enumerate_threads():
        spent_ns = Path(f"/proc/self/task/{thread.native_id}/schedstat").read_text().split()[0]
        names[thread.name] = int(spent_ns) / 1e9
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Usage(time.process_time(), names, pages * os.sysconf("SC_PAGE_SIZE") / 1e6)


def serve(line: Connection, plan: TableConfig, bus: TimedBus, factory: TimedPins) -> None:
    """Run a table and do what the other process says, until it has heard enough."""
    pins, told = SimulatedPins(factory), SimpleQueue[Any]()
    begun_us = monotonic_us()
    table = TimedTable(plan, bus)
    table.outputs.join(CallbackOutput(told.put))
    Thread(target=_send, args=(line, told), daemon=True).start()
    with table, frozen():
        told.put(("begun", monotonic_us(), monotonic_us() - begun_us))
        while True:
            match line.recv():
                case "pin", int(pin), bool(closed):
                    pins.bounce(pin, closed)
                case "burst", int(pin), int(at_us):
                    with factory.edges_at(at_us):
                        pins.close(pin)
                        pins.open(pin)
                case "command", command:
                    table.post(command)
                case "usage":
                    told.put(usage())
                case "end":
                    break
    told.put((table.shown, table.heard, list(table.turns), usage()))
    told.put(None)
    assert line.recv() == "bye"


def _send(line: Connection, told: SimpleQueue[Any]) -> None:
    for one in iter(told.get, None):  # guests need no troubles, and not all can be sent
        line.send(replace(one, troubles=()) if isinstance(one, Snapshot) else one)


def main(descriptor: int, ports: str, folder: str) -> None:
    """Build the table upon models of chips and pins."""
    assert WIRED.light_board is not None
    line = Connection(descriptor)
    stoppers, calibration = line.recv()
    bus = TimedBus({WIRED.light_board.address: IS31FL3729(config.LIGHT_WIRING)})
    factory = TimedPins(monotonic_us)
    plan = TableConfig(
        replace(WIRED, hub=config.Hub(None, (f"{ports}/{NAME.format('*')}",))),
        Path(folder),
        stoppers,
        calibration,
        open_pins=lambda: gpio.Pins(factory),
    )
    with ExitStack() as stack:
        stack.enter_context(Kernel({WIRED.light_board.bus: bus}).below(smbus2.smbus2))
        serve(line, plan, bus, factory)
