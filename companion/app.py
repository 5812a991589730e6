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
from collections.abc import Callable, Iterable
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
from companion.lights.tones import Tone
from companion.referee.commands import Answer, Command
from companion.referee.journal import Journal
from companion.referee.referee import Knowledge, Referee
from companion.referee.shelf import Shelf
from companion.referee.snapshot import Snapshot
from companion.referee.troubles import Troubles
from companion.sensing.calibration import Calibration
from companion.sensing.seen import ButtonPressed, Seen
from companion.sensing.sensing import Ears, Sensing
from companion.sensing.tampering import Suspect
from companion.sensing.told import Ails, Told
from companion.stoppers import Stopper, keep_heard, last_heard

FRAME_US: Final = 33_333
CALM_US: Final = 10_000_000  # for so long nothing has happened: nobody is at the table…
CALM_FRAME_US: Final = 100_000  # …and every frame costs, so the lights breathe more coarsely
TEND_US: Final = 1_000_000
ANSWER_S: Final = 5.0
JOURNAL: Final = "journal.sqlite3"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a table consists of, and where it keeps what it must not lose."""

    wiring: config.Table
    folder: Path
    stoppers: tuple[Stopper, ...] = ()
    calibration: Calibration | None = None  # None: the newest that lies in the folder
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
        self._troubles = Troubles()
        self._lights_due_us = self._tend_due_us = self._stirred_us = 0
        self._running = False
        self.snapshot = Snapshot(-1)
        self._tone: Tone | None = None
        self.watchers: list[Callable[[Snapshot], None]] = []

        take = self._inbox.put
        self._folder = plan.folder
        sensing = Sensing({stopper.node: stopper.number for stopper in plan.stoppers})
        self.journal = Journal(plan.folder / JOURNAL, take)
        self.hub: HubThread | None = None
        if plan.wiring.hub is not None:
            self.hub = HubThread(HubPort(plan.wiring.hub, take, take, plan.ports), plan.clock_us)
        send = self.hub.send if self.hub is not None else _to_nobody
        keys = {stopper.node: stopper.key for stopper in plan.stoppers}
        self.ears = Ears(sensing, keys, send, last_heard(plan.folder))
        certain = sensing.settings.certain
        calibration = plan.calibration or Shelf(plan.folder).newest().calibration
        numbers = {} if calibration is None else calibration.numbers(certain)
        knows = Knowledge(numbers.get, take, certain)
        self.referee = Referee(self.journal, self._publish, plan.chance, knows)
        self.seats = Seats(plan.wiring, plan.open_pins, take, take, plan.clock_us, wake=self._wake)
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
        self._wake()
        self._thread.join()

    def stop(self) -> None:
        """Make everything dark, and let go of the files."""
        now_us = self._clock_us()
        self.seats.close(now_us)
        if self.lights is not None:
            self.lights.close(now_us)
        keep_heard(self._folder, self.ears.newest)
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

    def _wake(self) -> None:
        self._inbox.put(None)

    # --- the table's own thread ---------------------------------------------------------------

    def _run(self) -> None:
        while self._running:
            try:
                message = self._inbox.get(timeout=self._rest_s())
            except queue.Empty:
                message = None
            self.turn(message)

    def _rest_s(self) -> float:
        """Return for how long there is nothing to do if nothing comes."""
        seats_us = self.seats.due_us
        due_us = self._lights_due_us if seats_us is None else min(seats_us, self._lights_due_us)
        return max(0.0, (due_us - self._clock_us()) / 1e6)

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
            while (message := self._inbox.get_nowait()) is None:
                pass  # that only woke us
        except queue.Empty:
            return None
        return message

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
                self._troubles.notice(message)
                self.referee.troubles(self._troubles.now, now_us)
            case _:
                self._tell(self.ears.take(message), now_us)

    def _tell(self, told: Iterable[Told | Suspect], now_us: int) -> None:
        for one in told:
            self._stirred_us = now_us
            if isinstance(one, Ails):
                self._troubles.ails(one)
                self.referee.troubles(self._troubles.now, now_us)
            elif not isinstance(one, Suspect):
                self.referee.told(one, now_us)

    def _publish(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._stirred_us = snapshot.at_us
        self._lights_due_us = 0  # at once
        for watcher in self.watchers:
            watcher(snapshot)

    def _shine(self, now_us: int) -> None:
        if now_us < self._lights_due_us:
            return
        frame_us = FRAME_US if now_us - self._stirred_us < CALM_US else CALM_FRAME_US
        self._lights_due_us = now_us - now_us % frame_us + frame_us
        shown = scene(self.snapshot, now_us)
        if self.lights is not None:
            self.lights.set(shown.lights)
            self.lights.pump(now_us)
        for colour, brightness in shown.seats.items():
            self.seats.light(colour, brightness)
        self.seats.shine(now_us)
        if shown.tone is not None and shown.tone != self._tone:
            self.seats.sound(now_us, shown.tone.frequency_hz, shown.tone.until_us - now_us)
        self._tone = shown.tone


def _to_nobody(_: bytes) -> bool:
    """Send to a hub that this table does not have."""
    return False
