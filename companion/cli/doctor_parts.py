"""Tries the parts of a table that does not run: each with the very code by which it is played.

For one stopper on the bench it says what to do with it, what is heard of it, and draws that. The
doctor holds the hub's port, the bus and the pins for as long as it tries them, so nobody may do
this while a table runs.
"""

import queue
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import cos, radians
from pathlib import Path
from typing import Final

from companion.devices import (
    gpio,
    hub_discovery,
    hub_port,
    light_board,
    second_hub,
    serial_line,
    stopper_registry,
)
from companion.devices.hub_discovery import HubMessage, HubState
from companion.devices.seats import Seats
from companion.devices.stopper_registry import Stopper
from companion.i18n.translate import say
from companion.maintenance.checks import result, stoppers
from companion.maintenance.checks.result import CheckResult
from companion.maintenance.checks.stopper_bench import bench_test, judge
from companion.maintenance.stopper_status import StopperStatus, updated_status, version_text
from companion.maintenance.view import StopperShown
from companion.present.plots import Axis, Plot, PlotPoint, stacked
from companion.present.terminal import TerminalScreen
from companion.referee.faults import FaultBoard
from companion.sensing import events, observations
from companion.sensing.observations import Observation
from companion.sensing.pipeline import Sensing, SensingLink
from companion.sensing.receiver import Receiver
from companion.system import config, errors, signals, status, text
from companion.system.text import Text

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
    inbox: queue.SimpleQueue[HubMessage | None] = queue.SimpleQueue()
    hubs = second_hub.Hubs(wanted, inbox.put, _unheard, outside.ports, outside.clock_us)
    listener, port = _Listener(registered, folder, inbox, hubs.send), hubs.port
    with hubs:
        late_us = outside.clock_us() + outside.answers_us
        while any(map(_waits, hubs.conditions)) and outside.clock_us() < late_us:
            listener.take()
        condition = port.condition
        until_us = outside.clock_us() + round(listen_s * 1e6)
        while port.condition.state is HubState.PRESENT and outside.clock_us() < until_us:
            listener.take()
            if listener.knows_all and listen_s == LISTEN_S:  # who says how long, measures the radio
                break
        second = hubs.conditions[1:]
    yield from (result.CheckResult("hub", each) for each in (condition, *second))
    if condition.state is HubState.PRESENT:
        shown = listener.shown(outside.clock_us())
        yield from stoppers.judge_stoppers(shown, listener.hub_firmware, listener.losses)


def _waits(hub: status.Condition) -> bool:
    """Whether it is still open what is plugged in; nothing may be for as long as a hub starts."""
    return hub.state.name in {"STARTING", "SEARCHING", "ASKING"}


class _Listener:
    """What was heard of hub and stoppers."""

    def __init__(
        self,
        stoppers: tuple[stopper_registry.Stopper, ...],
        folder: Path,
        inbox: queue.SimpleQueue[HubMessage | None],
        send: Callable[[bytes], object],
    ) -> None:
        self._inbox = inbox
        self.hub_firmware: str | None = None
        self._numbers = {stopper.node: stopper.number for stopper in stoppers}
        self._statuses: dict[int, StopperStatus] = {}
        self._troubles = FaultBoard()
        keys = {stopper.node: stopper.key for stopper in stoppers}
        last = stopper_registry.load_counters(folder, stoppers)
        self._link = SensingLink(Sensing(self._numbers), keys, send, last, self._overhear)

    @property
    def knows_all(self) -> bool:
        """Whether nothing is left to wait for."""
        known = [
            status
            for status in self._statuses.values()
            if status.firmware and status.battery_percent
        ]
        return self.hub_firmware is not None and len(known) == len(self._numbers)

    @property
    def losses(self) -> dict[int, int]:
        """Return what is lost of each stopper's packets, in percent, as far as it is known."""
        lost = {number: status.lost_percent for number, status in self._statuses.items()}
        return {number: percent for number, percent in lost.items() if percent is not None}

    def take(self) -> None:
        """Wait a moment for one message, and take it."""
        message = signals.get(self._inbox, LOOK_S, None)
        if message is None:
            return
        if message.said.name == "HUB_HELLO":
            self.hub_firmware = version_text(message.said.fields.firmware)
        for event in self._link.handle_hub_message(message.at_us, message.said):
            if isinstance(event, events.FaultsChanged):
                self._troubles.handle_faults(event)

    def shown(self, now_us: int) -> tuple[StopperShown, ...]:
        return tuple(self._shown(number, now_us) for number in sorted(self._numbers.values()))

    def _shown(self, number: int, now_us: int) -> StopperShown:
        vitals, ailments = self._statuses.get(number), self._troubles.of_stopper(number)
        shown = StopperShown(number, ailments=ailments)
        return shown if vitals is None else shown.with_status(vitals, now_us)

    def _overhear(self, seen: observations.Observation) -> None:
        number = self._numbers[seen.node]
        self._statuses[number] = updated_status(self._statuses.get(number), seen, open_=False)


# --- one stopper on the bench --------------------------------------------------------------------

TURN_US: Final = 20_000_000
ECHO_US: Final = 3_000_000
ASK_US: Final = 1_500_000  # windows overlap, for packets get lost
RAW_MS: Final = 3_400
LEAVE: Final = Text(
    "Lift barrel {stopper} once, put it back, and leave it alone for {s} s."
).template
TURN: Final = Text(
    "Now lift barrel {stopper}, slowly turn it upside down and back, then put it down. You have "
    "{s} s."
).template
NAMES: Final = (
    Text("Load against tilt, in the air"),
    Text("tilt in degrees"),
    Text("load in g"),
    Text("Load at rest"),
    Text("load in mg"),
    Text("seconds"),
)
DEGREES: Final = range(0, 181, 5)


class BenchTrial:
    """One stopper: what is done with it, what is heard meanwhile, and how it is."""

    def __init__(
        self,
        wanted: config.Hub,
        stopper: Stopper,
        outside: DoctorWiring,
        rest_s: float,
        screen: TerminalScreen | None,  # None: whoever does it knows what to do
    ) -> None:
        self._stopper, self._number, self._rest_s = stopper, stopper.number, rest_s
        self._outside, self._clock_us, self._screen = outside, outside.clock_us, screen
        self._heard: list[Observation] = []
        self._inbox: queue.SimpleQueue[hub_discovery.HubMessage | None] = queue.SimpleQueue()
        self._port = hub_port.HubPort(wanted, self._inbox.put, _unheard, outside.ports)
        self._hub = hub_port.HubThread(self._port, outside.clock_us)
        self._listening = Receiver({stopper.node: stopper.key}, self._hub.send)
        self._rest_us = self._asked_us = self._request = 0

    def findings(self) -> Iterator[CheckResult]:
        """Say what is to be done with it, and yield how it is."""
        with self._hub:
            self._listen(self._clock_us() + self._outside.answers_us, self._is_answered)
            yield CheckResult("hub", self._port.condition)
            if not self._is_answered():
                return
            self._tell(Text(LEAVE, stopper=self._number, s=round(self._rest_s)))
            self._rest_us = self._clock_us() + round(1e6 * self._rest_s)
            self._listen(self._rest_us)
            self._tell(Text(TURN, stopper=self._number, s=TURN_US // 1_000_000))
            self._listen(self._rest_us + TURN_US + ECHO_US)
        yield from judge(self._heard, self._rest_us, self._number)

    def _is_answered(self) -> bool:
        return self._port.condition.state is HubState.PRESENT

    def _listen(self, until_us: int, enough: Callable[[], bool] = lambda: False) -> None:
        """Listen up to a time, and have kept samples sent again and again."""
        while (now_us := self._clock_us()) < until_us and not enough():
            message = signals.get(self._inbox, LOOK_S, None)
            if message is not None:
                self._heard += self._listening.handle_hub_message(message.at_us, message.said)
            if self._heard and now_us - self._asked_us >= ASK_US:
                self._ask(now_us)

    def _ask(self, now_us: int) -> None:
        last = self._heard[-1]
        self._asked_us, self._request = now_us, (self._request + 1) % (1 << 16)
        start_us = max(0, last.sent_us + now_us - last.at_us - 1000 * RAW_MS)
        values = {"request": self._request, "start_us": start_us, "length_ms": RAW_MS}
        self._listening.send(now_us, self._stopper.node, "RAW_REQUEST", **values)

    def _tell(self, text: Text) -> None:
        if self._screen is not None:
            self._screen.lines(self._screen.say(text))

    def draw(self, file: Path, screen: TerminalScreen) -> None:
        """Write what came of it as a picture."""
        try:
            file.write_text(stacked(plots(self._heard, self._rest_us, screen)), "utf-8")
        except OSError as error:
            raise errors.CompanionError(
                "{file}: the picture cannot be written ({reason}).",
                file=file,
                reason=error.strerror,
            ) from None


def plots(heard: list[Observation], rest_us: int, screen: TerminalScreen) -> list[Plot]:
    """Return load against tilt, and what the load did at rest."""
    result, by = bench_test(heard, rest_us), screen.language
    line: list[PlotPoint] = []
    if (curve := result.curve()) is not None:
        level, slope, _ = curve
        line = [(float(deg), (level + slope * cos(radians(deg))) / 1000) for deg in DEGREES]
    dots = [(moment.tilt_deg, moment.load_mg / 1000) for moment in result.airborne]
    tilted, tilt, grams, rested, load, time = (say(text, by) for text in NAMES)
    turned = _plotted(tilted, Axis(tilt, 0, 180, DEGREES[::9]), grams, dots, line)
    if len(result.zeros) < 2:
        return [turned]
    seconds = Axis.around(time, [at_s for at_s, _ in result.zeros])
    return [turned, _plotted(rested, seconds, load, result.zeros)]


def _plotted(
    title: str, across: Axis, load: str, dots: Sequence[PlotPoint], line: Sequence[PlotPoint] = ()
) -> Plot:
    plot = Plot(title, across, Axis.around(load, [up for _, up in (*dots, *line)] or [0.0]))
    for dot in dots:
        plot.dot(dot, "a")
    if line:
        plot.line(line, "b")
    return plot
