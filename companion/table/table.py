"""The whole life of a table: builds the parts, joins them, starts them in order, stops in reverse.

Everything flows one way:

    hub ──> sensing ──> referee ──> journal, then snapshot ──> outputs: lights, web, whatever comes
    seats, commands ───────┘

One thread owns all of it; the hub's thread and the phones' threads leave messages and read the
newest snapshot, which never changes. While no match is played, the workshop takes commands, too.

    with Table(plan) as table:
        answer = table.ask(Command("1", RollForUs(), "red"))
        table.snapshot, table.workshop
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from functools import partial
from typing import Final, Self

from companion.devices.hardware import Hardware, Watchdog
from companion.devices.hub_discovery import HubMessage
from companion.journal import Journal
from companion.maintenance.controller import MaintenanceController, MaintenancePorts
from companion.maintenance.enrolment import Enrolment
from companion.maintenance.measuring_session import MeasuringSession
from companion.maintenance.updates import Updates
from companion.maintenance.view import MaintenanceSnapshot
from companion.present.output import NEVER_US, Outputs, PluginOutput
from companion.referee.calibration_store import CalibrationStore
from companion.referee.commands import Command
from companion.referee.faults import FaultBoard
from companion.referee.maintenance_commands import MaintenanceCommand
from companion.referee.people.store import KeptPeople
from companion.referee.ports import RefereePorts
from companion.referee.referee import Referee
from companion.referee.resume import MatchResumer
from companion.referee.snapshot import Snapshot, TableEvent
from companion.sensing.enrolment import settings_for_empty_weight
from companion.sensing.events import SensingEvent
from companion.sensing.observations import ButtonHeld, ButtonPressed, PadChanged
from companion.sensing.pipeline import Sensing, SensingLink
from companion.sensing.tampering import Suspect
from companion.system import signals
from companion.system.paths import JOURNAL
from companion.system.small_files import KeptAside
from companion.system.status import Condition
from companion.table.inbox import ButtonPairing, Inbox, Message, PendingCommand
from companion.table.loop import ErrorGuard, Loop
from companion.table.measurement_io import MeasurementIO
from companion.table.outputs.lights import TableLights
from companion.table.outputs.mqtt import HallMembershipOutput
from companion.table.outputs.mqtt import TableAccess as OfTable
from companion.table.outputs.mqtt_commands import CommandPorts
from companion.table.outputs.mqtt_publisher import JournalReader as OpenTo
from companion.table.outputs.voice import VoiceOutput
from companion.table.table_config import SensorStateStore, TableConfig
from companion.web.context import WebContext
from companion.web.server import PhoneServer

TEND_US: Final = 1_000_000


class Table(AbstractContextManager["Table"]):
    """One table with its parts and its thread."""

    def __init__(self, plan: TableConfig) -> None:
        self._clock_us, self.inbox = plan.clock_us, Inbox()
        self._life, self._watchdog = ExitStack(), Watchdog()
        self.loop, self._tend_due_us = Loop(self, self.inbox), 0
        self._has = plan.wiring.parts
        self.snapshot = Snapshot(-1, parts=self._has)  # these four for any thread
        self.workshop = MaintenanceSnapshot()
        self.ask, self.post = self.inbox.ask, self.inbox.post
        self._build_parts(plan)
        self._build_minds(plan)
        self._build_outputs(plan)

    def _build_parts(self, plan: TableConfig) -> None:
        """Build what touches hardware or the disk; all of it reports to the inbox."""
        take, wake = self.inbox.put, self.inbox.wake
        self._troubles = FaultBoard()
        for trouble in plan.troubles:
            take(trouble)
        outside = plan.ports, plan.open_pins, plan.clock_us, take
        self.hardware = Hardware(plan.wiring, *outside, wake=wake, record=plan.record)
        self._lights = TableLights(self.hardware.seats, self.hardware.lights)
        self.journal = Journal(plan.folder / JOURNAL, take)
        self.matches, self.entries = self.journal.matches, self.journal.entries  # for any thread

    def _build_minds(self, plan: TableConfig) -> None:
        """Build what hears, what judges, and what knows the barrels."""
        rules = settings_for_empty_weight(plan.wiring.barrels.empty_g)
        sensing = Sensing({stopper.node: stopper.number for stopper in plan.stoppers}, rules)
        self._memory = SensorStateStore(plan, sensing, self.inbox.put)
        enrolment = Enrolment(
            sensing, CalibrationStore(plan.folder), plan.calibration, self.inbox.put
        )
        self.rig = MeasurementIO(plan, self.inbox, self.hardware)
        self.recording = self.rig.given  # for any thread, too: what was measured last

        def conditions() -> tuple[Condition, ...]:
            parts = (*self.hardware.conditions, *self.rig.conditions)
            aside = (one for one in self._troubles.conditions if isinstance(one.state, KeptAside))
            return (*parts, self.journal.condition, *plan.troubles, *aside)

        ails, sound = self._troubles.of_stopper, self._lights.sound_once
        self._hall = HallMembershipOutput(plan.wiring.hall, plan.folder, self._of_this_table(plan))
        measures = MeasuringSession(sensing, self.rig, self.inbox.put)
        updates = Updates(self.rig, {number: node for node, number in sensing.names.items()})
        parts = MaintenancePorts(
            sensing, enrolment, measures, conditions, ails, sound, self._hall, updates
        )
        self.workbench = MaintenanceController(parts, partial(setattr, self, "workshop"))
        self._lights.trial = self.workbench.trial
        certain, mine = sensing.settings.certain, frozenset(sensing.names.values())
        knows = RefereePorts(enrolment.number_of, self.inbox.put, certain, lambda: mine)
        self.referee = Referee(self.journal, self._publish, plan.chance, knows)
        self._guard = ErrorGuard(plan.clock_us, self.inbox.put, self.referee.recover)
        self._last = MatchResumer(self.journal, self.referee, self._guard)
        keys = {stopper.node: stopper.key for stopper in plan.stoppers}
        send, overhear = self.hardware.send, self.workbench.handle_message
        self.ears = SensingLink(sensing, keys, send, self._memory.last_heard, overhear)
        self.rig.tell = self.ears.listening.send

    def _of_this_table(self, plan: TableConfig) -> OfTable:
        """Return what a hall is told by, and asks by."""
        room = CommandPorts(self.ask, self._sit)
        told = OpenTo(self.matches, self.entries)
        return OfTable(told, room, self.inbox.put, plan.clock_us, plan.simulated)

    def _sit(self, seat: str, name: str) -> None:
        self.people.sit(seat, name)

    def _build_outputs(self, plan: TableConfig) -> None:
        """Build what shows snapshots, in this order."""
        self.outputs = Outputs(self._guard, self._lights)
        self.door, self._web, self._pages = ButtonPairing(), None, plan.pages
        self.phones: WebContext | None = None  # as long as their pages are served
        if plan.pages is not None:
            self._web = PhoneServer(self, plan.folder, plan.pages.hands, self.inbox.put)
            self.door = ButtonPairing(self._web.pairing)
            self.outputs.join(self._web)
        self.people = people = KeptPeople() if self._web is None else self._web.people
        if plan.wiring.voice is not None:
            self.outputs.join(VoiceOutput(plan.wiring.voice, people.in_match))
        self.outputs.join(self._hall)
        for name, section in plan.wiring.outputs.items():
            with self._guard:
                self.outputs.join(PluginOutput(name, section))

    # --- life ---------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        """Go on where the last evening was cut off, then start the parts; all of them or none."""
        with ExitStack() as life:
            life.callback(self.stop)
            self.resume()
            signals.check()
            life.enter_context(self.loop)
            life.enter_context(self.hardware)
            signals.check()
            if self._web is not None and self._pages is not None:
                self.phones = life.enter_context(self._web).start(self._pages.port)
            self._watchdog.ready()
            self._life = life.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the parts in reverse."""
        self._watchdog.stopping()
        self._life.close()

    def resume(self) -> None:
        """Go on where the last evening was cut off."""
        self._last.resume(self._clock_us())

    def stop(self) -> None:
        """Make everything dark, and let go of the files."""
        now_us = self._clock_us()
        self.outputs.close(now_us)
        self._memory.close(self.ears)
        self.journal.close()
        self.rig.end_recording(None, now_us)
        self.hardware.close(now_us)

    @property
    def recorded(self) -> bool:
        """Whether all that is felt is being written to a file, which people must know."""
        return self.hardware.is_recording

    # --- the table's own thread ---------------------------------------------------------------

    def rest_s(self) -> float:
        """Return for how long there is nothing to do if nothing comes."""
        seats_us = self.hardware.seats.due_us
        due_us = min(self.outputs.due_us, NEVER_US if seats_us is None else seats_us)
        return max(self._guard.pause_s, (due_us - self._clock_us()) / 1e6)

    def turn(self, message: Message | None = None) -> None:
        """Take a message, if there is one, and all that wait; then do what is due."""
        now_us = self._clock_us()
        self._take_all(message, now_us)
        for do in (self.hardware.seats.tick, self._hear, self.tend, self._look, self._tick):
            with self._guard:
                do(now_us)
        self._guard.turned()

    def _take_all(self, message: Message | None, now_us: int) -> None:
        while message is not None:
            with self._guard:
                self._take(message, now_us)
            message = self.inbox.next()

    def _take(self, message: Message, now_us: int) -> None:
        """Hand a message to whom it concerns."""
        version = self.snapshot.version
        match message:
            case HubMessage(at_us, said):
                self.workbench.handle_hub_message(said)
                self.tell(self.ears.handle_hub_message(at_us, said), now_us)
            case ButtonPressed() | ButtonHeld():
                if isinstance(message, ButtonPressed):
                    self.workbench.handle_press(message)
                if (press := self.door.press_of_the_game(message)) is not None:
                    self.referee.handle_press(press, now_us)
            case PendingCommand(Command(wish=MaintenanceCommand())):
                do = partial(self.workbench.handle_command, entry=version, now_us=now_us)
                message.carry_out(do, version)
            case PendingCommand():
                message.carry_out(partial(self.referee.handle_command, now_us=now_us), version)
            case Condition():
                self._troubles.handle_condition(message)
                self._warn(now_us)
            case _:
                if isinstance(message, PadChanged):
                    self.workbench.handle_pad(message, now_us)
                    self.referee.handle_pad(message)
                for recorded in (self.hardware.record_note, self.rig.seen):
                    recorded(message, now_us)
                self.tell(self.ears.handle(message), now_us)

    def _hear(self, now_us: int) -> None:
        """Take what the seats have told, and what sensing makes of it that time goes on."""
        self._take_all(self.inbox.next(), now_us)
        self.tell(self.ears.tick(now_us), now_us)

    def tell(self, told: Iterable[SensingEvent | Suspect], now_us: int) -> None:
        """Have the referee know what barrels do, and people what ails them."""
        for one in told:
            with self._guard:
                self.workbench.handle_event(one, now_us)
                if self._troubles.handle_event(one, now_us):
                    self._warn(now_us)
                else:
                    self.referee.handle_event(one, now_us)
            self._lights.hear(one, now_us)

    def _warn(self, now_us: int) -> None:
        self.referee.handle_conditions(self._troubles.conditions, now_us)

    def tend(self, now_us: int) -> None:
        """Do now and then what nobody waits for."""
        if now_us < self._tend_due_us:
            return
        self._tend_due_us = now_us + TEND_US
        self._watchdog.pet()
        self.journal.tick()
        self._last.tick(now_us)
        self._memory.tend(self.ears, now_us)
        well = not self.referee.playing and not self.ears.sensing.suspects
        if (
            well and self._troubles.clear_suspect()
        ):  # in a match it would tell which barrel was meant
            self._warn(now_us)

    def _look(self, now_us: int) -> None:
        self.workbench.tick(now_us, playing=self.referee.playing)

    def _publish(self, snapshot: Snapshot, events: tuple[TableEvent, ...]) -> None:
        self._look(snapshot.at_us)  # first the workshop is closed
        self.snapshot = replace(snapshot, parts=self._has)
        self.outputs.on_update(self.snapshot, events)

    def _tick(self, now_us: int) -> None:
        """Let every output go on whose time has come."""
        self.outputs.tick(now_us)
