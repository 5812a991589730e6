"""The whole life of a table: builds the parts, joins them, starts them in order, stops in reverse.

It must not know how any part does its work. Everything flows one way:

    hub ──> sensing ──> referee ──> journal, then snapshot ──> lights, phones
    seats, commands ───────┘

One thread owns all of it; the hub's thread and the phones' threads leave messages and read the
newest snapshot, which never changes.

    with Table(plan) as table:
        answer = table.ask(Command("1", RollForUs(), "red"))
        table.snapshot
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self

from companion import config
from companion.condition import Condition
from companion.devices import gpio
from companion.devices.hub_port import HubPort
from companion.devices.hub_talk import Heard
from companion.devices.hub_thread import HubThread, monotonic_us
from companion.devices.light_board import LightBoard
from companion.devices.seats import SeatEvent, Seats
from companion.devices.serial_line import Ports, SerialPorts
from companion.lights.scenes import scene
from companion.referee.commands import Answer, Command
from companion.referee.journal import Journal
from companion.referee.referee import Knowledge, Referee
from companion.referee.snapshot import Snapshot
from companion.sensing.seen import ButtonPressed, Seen
from companion.sensing.sensing import Ears, Sensing
from companion.sensing.tampering import Suspect
from companion.sensing.told import Told

TICK_S: Final = 0.02  # how often switches are looked at while nothing else happens
FRAME_US: Final = 33_333
TEND_US: Final = 1_000_000
ANSWER_S: Final = 5.0
JOURNAL: Final = "journal.sqlite3"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a table consists of, and where it keeps what it must not lose."""

    wiring: config.Table
    folder: Path
    keys: Mapping[bytes, bytes] = field(default_factory=dict)  # of the stoppers, by node
    names: Mapping[bytes, int] = field(default_factory=dict)  # what the host calls them
    number_of: Callable[[int], int | None] = lambda _: None  # of a stopper's barrel, if certain
    ports: Ports = field(default_factory=SerialPorts)
    open_pins: gpio.OpenPins = gpio.real_pins
    clock_us: Callable[[], int] = monotonic_us
    chance: Random = field(default_factory=SystemRandom)


@dataclass(slots=True)
class _Asked:
    """A command of another thread, and its answer as soon as there is one."""

    command: Command
    answered: Event = field(default_factory=Event)
    answer: Answer | None = None


Message = Heard | Condition | SeatEvent | Seen | _Asked


class Table(AbstractContextManager["Table"]):
    """One table with its parts and its thread."""

    def __init__(self, plan: Plan) -> None:
        self._clock_us = plan.clock_us
        self._inbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._conditions: dict[tuple[object, ...], Condition] = {}  # by part
        self._lights_due_us = self._tend_due_us = 0
        self._running = False
        self.snapshot = Snapshot(-1)
        self.watchers: list[Callable[[Snapshot], None]] = []

        take = self._inbox.put
        sensing = Sensing(plan.names)
        self.journal = Journal(plan.folder / JOURNAL, take)
        self.hub: HubThread | None = None
        if plan.wiring.hub is not None:
            self.hub = HubThread(HubPort(plan.wiring.hub, take, take, plan.ports), plan.clock_us)
        send = self.hub.send if self.hub is not None else _to_nobody
        self.ears = Ears(sensing, plan.keys, send)
        knows = Knowledge(plan.number_of, take, sensing.settings.certain)
        self.referee = Referee(self.journal, self._publish, plan.chance, knows)
        self.seats = Seats(plan.wiring, plan.open_pins, take, take, plan.clock_us)
        self.lights: LightBoard | None = None
        if plan.wiring.light_board is not None:
            self.lights = LightBoard(plan.wiring.light_board, take)
        self._thread = Thread(target=self._run, name="table", daemon=True)
        self._parts = ExitStack()

    # --- life ---------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        """Go on where the last evening was cut off, then start the parts."""
        self.resume()
        self._running = True
        self._parts.callback(self.stop)
        self._parts.callback(self._end_thread)
        self._thread.start()
        if self.hub is not None:
            self._parts.enter_context(self.hub)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the parts in reverse."""
        self._parts.close()

    def resume(self) -> None:
        """Go on where the last evening was cut off."""
        now_us = self._clock_us()
        unfinished = self.journal.unfinished()
        if unfinished:
            match = unfinished[0].id
            self.referee.resume(match, self.journal.events(match), now_us)
        else:
            self.referee.troubles((), now_us)  # shows the table before any match

    def _end_thread(self) -> None:
        self._running = False
        self._inbox.put(None)
        self._thread.join()

    def stop(self) -> None:
        """Make everything dark, and let go of the files."""
        now_us = self._clock_us()
        self.seats.close(now_us)
        if self.lights is not None:
            self.lights.close(now_us)
        self.journal.close()

    # --- from other threads -------------------------------------------------------------------

    def post(self, command: Command) -> None:
        """Have a command carried out without waiting for its answer."""
        self._inbox.put(_Asked(command))

    def ask(self, command: Command) -> Answer | None:
        """Have a command carried out; None if the table does not answer in time."""
        asked = _Asked(command)
        self._inbox.put(asked)
        asked.answered.wait(ANSWER_S)
        return asked.answer

    # --- the table's own thread ---------------------------------------------------------------

    def _run(self) -> None:
        while self._running:
            try:
                message = self._inbox.get(timeout=TICK_S)
            except queue.Empty:
                message = None
            self.turn(message)

    def turn(self, message: Message | None = None) -> None:
        """Take a message, if there is one, and all that wait; then do what is due."""
        now_us = self._clock_us()
        while message is not None:
            self._take(message, now_us)
            message = self._next()
        self.seats.pump(now_us)
        while (message := self._next()) is not None:
            self._take(message, now_us)
        self._tell(self.ears.pass_to(now_us), now_us)
        if now_us >= self._tend_due_us:
            self._tend_due_us = now_us + TEND_US
            self.journal.tend()
        self._shine(now_us)

    def _next(self) -> Message | None:
        try:
            return self._inbox.get_nowait()
        except queue.Empty:
            return None

    def _take(self, message: Message, now_us: int) -> None:
        match message:
            case Heard(at_us, said):
                self._tell(self.ears.hear(at_us, said), now_us)
            case _Asked(command):
                message.answer = self.referee.command(command, now_us)
                message.answered.set()
            case ButtonPressed():
                self.referee.pressed(message, now_us)
            case Condition():
                self._notice(message, now_us)
            case _:
                self._tell(self.ears.take(message), now_us)

    def _tell(self, told: Iterable[Told | Suspect], now_us: int) -> None:
        for one in told:
            if not isinstance(one, Suspect):
                self.referee.told(one, now_us)

    def _notice(self, condition: Condition, now_us: int) -> None:
        """Keep how each part is; what is not well is shown."""
        part = type(condition.state), condition.values.get("part")
        self._conditions[part] = condition
        ill = [one for one in self._conditions.values() if not one.state.fine]
        self.referee.troubles(tuple(ill), now_us)

    def _publish(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._lights_due_us = 0  # at once
        for watcher in self.watchers:
            watcher(snapshot)

    def _shine(self, now_us: int) -> None:
        if now_us < self._lights_due_us:
            return
        self._lights_due_us = now_us + FRAME_US
        shown = scene(self.snapshot, now_us)
        if self.lights is not None:
            self.lights.set(shown.lights)
            self.lights.pump(now_us)
        for colour, brightness in shown.seats.items():
            self.seats.light(colour, brightness)


def _to_nobody(_: bytes) -> bool:
    """Send to a hub that this table does not have."""
    return False
