"""Tries the parts of a table that does not run: each with the very code by which it is played.

It holds the hub's port, the bus and the pins for as long as it tries them, so nobody may do this
while a table runs.
"""

import queue
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from companion.devices import gpio, hub_port, light_board, second_hub, serial_line, stopper_registry
from companion.devices.hub_discovery import HubMessage, HubState
from companion.devices.seats import Seats
from companion.maintenance.checks import result, stoppers
from companion.maintenance.stopper_status import StopperStatus, updated_status, version_text
from companion.maintenance.view import StopperShown
from companion.referee.faults import FaultBoard
from companion.sensing import events, observations
from companion.sensing.pipeline import Sensing, SensingLink
from companion.system import config, signals, status, text

ANSWERS_US: Final = 3_000_000  # by then a hub has answered, or what is there is none
LISTEN_S: Final = 12  # each stopper that is awake says something every ten seconds
LOOK_S: Final = 0.1
WORDS_US: Final = 3_000_000  # a barrel that stands awake says its name each second
WORDS_LOOK_S: Final = 0.02


@dataclass(frozen=True, slots=True)
class DoctorWiring:
    """What a table is wired to; tests hand in models."""

    ports: serial_line.Ports = field(default_factory=serial_line.SerialPorts)
    open_pins: gpio.OpenPins = gpio.real_pins
    clock_us: Callable[[], int] = hub_port.monotonic_us
    answers_us: int = ANSWERS_US
    words_us: int = WORDS_US


def tried(wiring: config.TableWiring, outside: DoctorWiring) -> Iterator[result.CheckResult]:
    """Try light board, seats and buzzer, and yield how each is."""
    now_us = outside.clock_us()
    if wiring.light_board is not None:
        board = light_board.LightBoard(wiring.light_board)
        board.tick(now_us)
        yield result.CheckResult("light-board", board.condition)
        board.close(now_us)
    seats = Seats(wiring, outside.open_pins, _unheard, _unheard, outside.clock_us)
    seats.tick(now_us)
    conditions, header = seats.conditions, seats.header
    receivers = {seat: pad for seat, pad in seats.receivers.items() if pad.wired.device}
    until_us = outside.clock_us() + outside.words_us
    while receivers and outside.clock_us() < until_us:
        signals.sleep(WORDS_LOOK_S)
        seats.tick(outside.clock_us())
    seats.close(outside.clock_us())
    yield from stoppers.judge_parts(conditions, header)
    read = [
        stoppers.NamesRead(text.SeatName[seat.upper()], pad.pin, pad.words, pad.damaged)
        for seat, pad in receivers.items()
    ]
    yield from stoppers.judge_names(read, outside.words_us // 1_000_000)


def _unheard(_: object) -> None:
    """Take what nobody asked for."""


def listened(
    wanted: config.Hub,
    registered: tuple[stopper_registry.Stopper, ...],
    folder: Path,
    outside: DoctorWiring,
    listen_s: float = LISTEN_S,
) -> Iterator[result.CheckResult]:
    """Look for the hub, listen to the stoppers for a while, and yield how all of them are."""
    ear = _Ear(registered, folder)
    hubs = second_hub.Hubs(wanted, ear.inbox.put, _unheard, outside.ports, outside.clock_us)
    port = hubs.port
    with hubs:
        ear.send = hubs.send
        late_us = outside.clock_us() + outside.answers_us
        while any(map(_waits, hubs.conditions)) and outside.clock_us() < late_us:
            ear.take()
        condition = port.condition
        until_us = outside.clock_us() + round(listen_s * 1e6)
        while port.condition.state is HubState.PRESENT and outside.clock_us() < until_us:
            ear.take()
            if ear.knows_all and listen_s == LISTEN_S:  # who says how long, measures the radio
                break
        second = hubs.conditions[1:]
    yield from (result.CheckResult("hub", each) for each in (condition, *second))
    if condition.state is HubState.PRESENT:
        shown = ear.shown(outside.clock_us())
        yield from stoppers.judge_stoppers(shown, ear.hub_firmware, ear.losses)


def _waits(hub: status.Condition) -> bool:
    """Whether it is still open what is plugged in; nothing may be for as long as a hub starts."""
    return hub.state.name in {"STARTING", "SEARCHING", "ASKING"}


class _Ear:
    """What was heard of hub and stoppers."""

    def __init__(self, stoppers: tuple[stopper_registry.Stopper, ...], folder: Path) -> None:
        self.inbox: queue.SimpleQueue[HubMessage | None] = queue.SimpleQueue()
        self.send: Callable[[bytes], object] = _unheard
        self.hub_firmware: str | None = None
        self._numbers = {stopper.node: stopper.number for stopper in stoppers}
        self._vitals: dict[int, StopperStatus] = {}
        self._troubles = FaultBoard()
        keys = {stopper.node: stopper.key for stopper in stoppers}
        last = stopper_registry.load_counters(folder, stoppers)
        self._ears = SensingLink(Sensing(self._numbers), keys, self._pass_on, last, self._overhear)

    @property
    def knows_all(self) -> bool:
        """Whether nothing is left to wait for."""
        known = [
            vitals for vitals in self._vitals.values() if vitals.firmware and vitals.battery_percent
        ]
        return self.hub_firmware is not None and len(known) == len(self._numbers)

    @property
    def losses(self) -> dict[int, int]:
        """Return what is lost of each stopper's packets, in percent, as far as it is known."""
        lost = {number: status.lost_percent for number, status in self._vitals.items()}
        return {number: percent for number, percent in lost.items() if percent is not None}

    def take(self) -> None:
        """Wait a moment for one message, and take it."""
        message = signals.get(self.inbox, LOOK_S, None)
        if message is None:
            return
        if message.said.name == "HUB_HELLO":
            self.hub_firmware = version_text(message.said.fields.firmware)
        for event in self._ears.handle_hub_message(message.at_us, message.said):
            if isinstance(event, events.FaultsChanged):
                self._troubles.handle_faults(event)

    def shown(self, now_us: int) -> tuple[StopperShown, ...]:
        return tuple(self._shown(number, now_us) for number in sorted(self._numbers.values()))

    def _shown(self, number: int, now_us: int) -> StopperShown:
        vitals, ailments = self._vitals.get(number), self._troubles.of_stopper(number)
        shown = StopperShown(number, ailments=ailments)
        return shown if vitals is None else shown.with_status(vitals, now_us)

    def _pass_on(self, frame: bytes) -> None:
        self.send(frame)

    def _overhear(self, seen: observations.Observation) -> None:
        number = self._numbers[seen.node]
        self._vitals[number] = updated_status(self._vitals.get(number), seen, open_=False)
