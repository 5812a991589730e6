"""Pads, buttons, seat lights and the buzzer on the GPIO pins of the configuration.

Whoever builds it says which pins are used; a part whose pin cannot be had is told of, and the
others work on.

    seats = Seats(table, real_pins, listener=queue.put, report=print, clock_us=monotonic_us)
    seats.set_light("red", 0.5)
    seats.update_lights(now_us)
    seats.play(now_us, frequency_hz=880, for_us=200_000)
    seats.tick(now_us)          # after `wake`, when it is due, and often; never raises
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any, Final

from companion.devices import debounce, gpio
from companion.devices.pin_state import PinDevice
from companion.sensing.name_word import NameWord, WordDecoder
from companion.sensing.observations import ButtonHeld, ButtonPressed, NameRead, PadChanged
from companion.system import config
from companion.system.status import Condition, Report
from companion.system.text import SeatName, Text

LOOK_US: Final = 250_000  # how often switches are looked at without an edge, in case one was missed
EDGES: Final = 256  # of one switch that may wait for a tick


LATEST_US: Final = 1_000_000  # no edge is told later; one that seems so has another clock
STORM: Final = 100  # edges of a receiver within…
STORM_US: Final = 50_000  # …this are light, and no word: two barrels' words have 52…
QUIET_US: Final = 250_000  # …and for so long it is not listened to

SeatEvent = PadChanged | NameRead | ButtonPressed | ButtonHeld
Listener = Callable[[SeatEvent], None]


class _Switch:
    """A pad or a button: its edges, and what they come to."""

    def __init__(
        self,
        part: Text,
        pin: int,
        report: Report,
        clock_us: Callable[[], int],
        moved: Callable[[], None],
    ) -> None:
        self._clock_us, self._moved = clock_us, moved
        self.edges: deque[tuple[int, bool]] = deque(maxlen=EDGES)
        self._contact = debounce.Debouncer()
        self.wired = PinDevice(part, pin, lambda pins: gpio.Input(pins, pin, self._edge), report)

    def _edge(self, at_us: int, closed: bool) -> None:  # from a thread of the pin library
        self.edges.append((edge_us(at_us, self._clock_us()), closed))
        self._moved()

    @property
    def due_us(self) -> int | None:
        """Return when what it saw comes to count."""
        return self._contact.settles_us

    def changes(self, now_us: int) -> list[debounce.Change]:
        """Return what has come to count since the last call."""
        changes: list[debounce.Change | None] = []
        while self.edges:
            changes.append(self._contact.handle_level(*self.edges.popleft()))
        seen = list[bool]()
        self.wired.use(now_us, lambda device: seen.append(device.closed()))
        changes += [self._contact.handle_level(now_us, level) for level in seen]
        changes.append(self._contact.tick(now_us))
        return [change for change in changes if change is not None]


def edge_us(at_us: int, now_us: int) -> int:
    """Return when an edge was: when the kernel says, unless its clock is not the table's.

    >>> edge_us(4_000, 5_000), edge_us(1_700_000_000_000_000, 5_000), edge_us(6_000, 5_000)
    (4000, 5000, 5000)
    """
    return at_us if 0 <= now_us - at_us < LATEST_US else now_us


class NameReceiver:
    """The infrared receiver in a pad: its edges, the words they come to, and how good they are."""

    def __init__(
        self,
        part: Text,
        pin: int,
        report: Report,
        clock_us: Callable[[], int],
        moved: Callable[[], None],
    ) -> None:
        self.pin, self._clock_us, self._moved = pin, clock_us, moved
        self._decoder = WordDecoder()
        self._heard: deque[tuple[int, NameWord]] = deque(maxlen=EDGES)
        self._newest: deque[int] = deque(maxlen=STORM)
        self._storm = False
        self.due_us: int | None = None  # when it is listened to again
        self.words = 0
        self.wired = PinDevice(
            part, pin, lambda pins: gpio.Input(pins, pin, self._edge, falling=True), report
        )

    @property
    def damaged(self) -> int:
        """Return how many words began and were none."""
        return self._decoder.damaged

    def _edge(self, at_us: int, _: bool) -> None:  # from a thread of the pin library
        newest = self._newest
        newest.append(at_us)
        if len(newest) == STORM and 0 <= at_us - newest[0] < STORM_US:
            newest.clear()  # here, as no other thread may do so between two looks at it
            self._storm = True
            self._moved()
        elif (word := self._decoder.take(at_us)) is not None:
            self._heard.append((edge_us(at_us, self._clock_us()), word))
            self._moved()

    def words_read(self, now_us: int) -> list[tuple[int, NameWord]]:
        """Return the words since the last call; in a storm of edges it is not listened to."""
        if self._storm:
            self._storm, self.due_us = False, now_us + QUIET_US
            self.wired.use(now_us, lambda device: device.watch(False))
        elif self.due_us is not None and now_us >= self.due_us:
            self.due_us = None
            self.wired.use(now_us, lambda device: device.watch())
        read: list[tuple[int, NameWord]] = []
        while self._heard:
            read.append(self._heard.popleft())
        self.words += len(read)
        return read


class _Lamp:
    """A seat's light: what it should be, and what it was last told."""

    def __init__(self, part: Text, pin: int, report: Report) -> None:
        self.wanted = 0.0
        self._shown: float | None = None
        self.wired = PinDevice(part, pin, lambda pins: gpio.Light(pins, pin), report)

    def tick(self, now_us: int) -> None:
        if self.wired.device is None:
            self._shown = None
        elif self.wanted != self._shown and self.wired.use(
            now_us, lambda device: device.set_brightness(self.wanted)
        ):
            self._shown = self.wanted


class Seats:
    """All that hangs on the pins of one table; all calls come from one thread."""

    def __init__(  # noqa: PLR0913 - everything that it needs from outside
        self,
        table: config.TableWiring,
        open_pins: gpio.OpenPins,
        listener: Listener,
        report: Report,
        clock_us: Callable[[], int],
        *,
        wake: Callable[[], None] = lambda: None,  # from any thread: a tick has something to do
    ) -> None:
        self._open_pins, self._wake = open_pins, wake
        self._listener = listener
        self._moved, self._look_due_us = False, 0
        self.due_us: int | None = None  # when a tick has something to do though nothing moves
        self._pins: gpio.Pins | None = None
        self.pads: dict[str, _Switch] = {}
        self.receivers: dict[str, NameReceiver] = {}
        self._buttons: list[tuple[_Switch, debounce.PressCounter]] = []
        self._lamps: dict[str, _Lamp] = {}
        self._sounder: PinDevice[gpio.Sounder] | None = None
        self._quiet_us: int | None = None  # when the buzzer falls silent
        for seat in table.seats:
            self._add(seat, report, clock_us)
        if table.buzzer is not None:
            passive = table.buzzer.kind == "passive"
            make = partial(gpio.Sounder, pin=table.buzzer.pin, passive=passive)
            self._sounder = PinDevice(Text("buzzer"), table.buzzer.pin, make, report)
        self._wired = tuple(self._parts())

    def _add(self, seat: config.SeatPins, report: Report, clock_us: Callable[[], int]) -> None:
        colour, whose = seat.colour, SeatName[seat.colour.upper()]
        wires = report, clock_us, self._edge
        if seat.pad is not None:
            self.pads[colour] = _Switch(Text("pad of {seat}", seat=whose), seat.pad, *wires)
        if seat.button is not None:
            button = _Switch(Text("button of {seat}", seat=whose), seat.button, *wires)
            self._buttons.append((button, debounce.PressCounter(colour)))
        if seat.name is not None:
            part = Text("name receiver of {seat}", seat=whose)
            self.receivers[colour] = NameReceiver(part, seat.name, *wires)
        if seat.light is not None:
            self._lamps[colour] = _Lamp(Text("light of {seat}", seat=whose), seat.light, report)

    @property
    def header(self) -> str | None:
        """Return which chip the pins are on, once they are open."""
        return None if self._pins is None else gpio.chip_name(self._pins)

    @property
    def conditions(self) -> list[Condition]:
        return [wired.condition for wired in self._wired]

    def set_light(self, colour: str, brightness: float) -> None:
        """Want a light of a seat, 0 to 1, for `update_lights`; a seat without one ignores it."""
        if colour in self._lamps:
            self._lamps[colour].wanted = min(max(brightness, 0.0), 1.0)

    def play(self, now_us: int, frequency_hz: float, for_us: int) -> None:
        """Play a sound on the buzzer; a new one ends the old one."""
        if self._sounder and self._sounder.use(now_us, lambda it: it.play(frequency_hz)):
            self._quiet_us = now_us + for_us
            self.due_us = self._due_us()

    def tick(self, now_us: int) -> None:
        """Tell what happened, and try for what is missing, if it is time."""
        due_us = self._look_due_us if self.due_us is None else min(self._look_due_us, self.due_us)
        if not self._moved and now_us < due_us:
            return
        self._moved, self._look_due_us = False, now_us + LOOK_US
        missing = [wired for wired in self._wired if wired.due(now_us)]
        if missing:
            self._attach(missing, now_us)
        for colour, pad in self.pads.items():
            for change in pad.changes(now_us):
                self._listener(PadChanged(colour, change.closed, change.at_us))
        for colour, receiver in self.receivers.items():
            for at_us, word in receiver.words_read(now_us):
                content = (word.name, word.stands, word.weighs, word.touch)
                self._listener(NameRead(colour, *content, at_us))
        for button, counter in self._buttons:
            presses = [counter.handle_change(change) for change in button.changes(now_us)]
            for press in chain(*presses, counter.tick(now_us)):
                self._listener(press)
        if self._sounder and self._quiet_us is not None and now_us >= self._quiet_us:
            self._quiet_us = None
            self._sounder.use(now_us, lambda it: it.stop())
        self.due_us = self._due_us()

    def update_lights(self, now_us: int) -> None:
        for lamp in self._lamps.values():
            lamp.tick(now_us)

    def close(self, now_us: int) -> None:
        """Make everything dark and quiet, and give the pins back."""
        for wired in self._wired:
            wired.close(now_us)
        pins, self._pins = self._pins, None
        if pins is not None:
            with suppress(gpio.PinError):
                gpio.close_pins(pins)

    def _edge(self) -> None:  # from a thread of the pin library
        self._moved = True
        self._wake()

    def _due_us(self) -> int | None:
        pads = [pad.due_us for pad in self.pads.values()]
        buttons = [part.due_us for pair in self._buttons for part in pair]
        receivers = [receiver.due_us for receiver in self.receivers.values()]
        dues = (*pads, *receivers, *buttons, self._quiet_us)
        return min((due for due in dues if due is not None), default=None)

    def _attach(self, missing: list[PinDevice[Any]], now_us: int) -> None:
        try:
            self._pins = self._pins or self._open_pins()
        except gpio.PinError as error:
            for wired in missing:
                wired.detach(error, now_us)
            return
        for wired in missing:
            wired.attach(self._pins, now_us)

    def _parts(self) -> list[PinDevice[Any]]:
        switches = [*self.pads.values(), *(button for button, _ in self._buttons)]
        parts: list[PinDevice[Any]] = [switch.wired for switch in switches]
        parts += [receiver.wired for receiver in self.receivers.values()]
        parts += [lamp.wired for lamp in self._lamps.values()]
        return parts + ([self._sounder] if self._sounder else [])
