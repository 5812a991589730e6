"""The table: builds all parts, joins them, starts them in order, and stops them in reverse.

Everything flows one way:

    hub ──> sensing ──> referee ──> journal, then snapshot ──> outputs: lights, web, whatever comes
    seats, commands ───────┘

One thread owns all of it; the hub's thread and the phones' threads leave messages and read the
newest snapshot, which never changes. While no match is played, the workshop takes commands, too.

    with Table(plan) as table:
        answer = table.ask(Command("1", RollForUs(), "red"))
        table.snapshot, table.workshop
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from functools import partial
from typing import Final, Self

from companion.devices import hardware, hub_discovery
from companion.journal import Journal
from companion.maintenance import controller, measuring, updates, view
from companion.maintenance.enrolment import Enrolment
from companion.maintenance.practice import KeptPractice
from companion.present.output import NEVER_US, Outputs, PluginOutput
from companion.referee import calibration_store, maintenance_commands, referee
from companion.referee.barrel_game import RefereePorts
from companion.referee.commands import Command
from companion.referee.faults import FaultBoard
from companion.referee.people.store import KeptPeople
from companion.referee.snapshot import Snapshot, TableEvent
from companion.sensing.enrolment import settings_for_empty_weight
from companion.sensing.events import SensingEvent
from companion.sensing.observations import ButtonHeld, ButtonPressed, Observation, PadChanged
from companion.sensing.pipeline import Sensing, SensingLink
from companion.sensing.tampering import Suspect
from companion.system import config, paths, signals, status
from companion.system.small_files import KeptAside
from companion.table import inbox, loop, table_config
from companion.table.outputs import lights, mqtt_commands, mqtt_publisher, voice
from companion.table.outputs.mqtt import HallMembershipOutput, TableAccess
from companion.web import context, server

TICK_US: Final = 1_000_000


class Table(AbstractContextManager["Table"]):
    """One table with its parts and its thread."""

    def __init__(self, plan: table_config.TableConfig) -> None:
        self._clock_us, self.inbox = plan.clock_us, inbox.Inbox()
        self._life, self._watchdog = ExitStack(), hardware.Watchdog()
        self.loop, self._tick_due_us = loop.Loop(self.turn, self.rest_s, self.inbox), 0
        self._has = plan.wiring.parts
        self.snapshot = Snapshot(-1, parts=self._has)  # these four for any thread
        self.workshop = view.MaintenanceSnapshot()
        self.ask, self.post = self.inbox.ask, self.inbox.post
        self._build_parts(plan)
        self._build_minds(plan)
        self._build_outputs(plan)

    def _build_parts(self, plan: table_config.TableConfig) -> None:
        """Build what touches hardware or the disk; all of it reports to the inbox."""
        take, wake = self.inbox.put, self.inbox.wake
        self._faults = FaultBoard()
        for trouble in plan.troubles:
            take(trouble)
        outside = plan.ports, plan.open_pins, plan.clock_us, take
        self.hardware = hardware.Hardware(plan.wiring, *outside, wake=wake, record=plan.record)
        self.journal = Journal(plan.folder / paths.JOURNAL, take)
        self.matches, self.entries = self.journal.matches, self.journal.entries  # for any thread

    def _build_minds(self, plan: table_config.TableConfig) -> None:
        """Build what hears, what judges, and what knows the barrels."""
        rules = settings_for_empty_weight(plan.wiring.barrels.empty_g)
        sensing = Sensing({stopper.node: stopper.number for stopper in plan.stoppers}, rules)
        self._sensor_states = table_config.SensorStateStore(plan, self.inbox.put)
        keys = {stopper.node: stopper.key for stopper in plan.stoppers}
        heard = self._sensor_states.last_heard
        self.sensing_link = SensingLink(sensing, keys, self.hardware.send, heard, self._overhear)
        self._measuring = measuring.MeasuringSession(
            sensing,
            plan.folder,
            self.hardware.hub,
            send=self.sensing_link.listening.send,
            take=self.inbox.put,
            stoppers=plan.stoppers,
            pads=tuple(seat.colour for seat in plan.wiring.seats if seat.pad is not None),
            simulated=plan.simulated,
        )
        self.recording = self._measuring.recording  # for any thread, too: what was measured last
        if self.hardware.recorder is not None:
            names = {node.hex(): number for node, number in sensing.names.items()}
            about = {"kind": "about", "simulated": plan.simulated, "stoppers": names}
            self.hardware.recorder.record_note(0, about)
        self._hall = HallMembershipOutput(plan.wiring.hall, plan.folder, self._access_of_hall(plan))
        self.maintenance = self._build_maintenance(plan, sensing)
        enrolment = self.maintenance.parts.enrolment
        certain, mine = sensing.settings.certain, frozenset(sensing.names.values())
        ports = RefereePorts(enrolment.number_of, self.inbox.put, certain, mine, self._hands_of)
        self.referee = referee.Referee(self.journal, self._publish, plan.chance, ports)
        self.hold = self.referee.hold  # for any thread
        self._guard = loop.ErrorGuard(plan.clock_us, self.inbox.put, self.referee.recover)
        self._resumer = referee.MatchResumer(self.journal, self.referee, self._guard)

    def _build_maintenance(
        self, plan: table_config.TableConfig, sensing: Sensing
    ) -> controller.MaintenanceController:
        """Build what the workshop does with the parts."""

        def conditions() -> tuple[status.Condition, ...]:
            parts = (*self.hardware.conditions, *self._measuring.conditions)
            faults = self._faults.conditions
            aside = (condition for condition in faults if isinstance(condition.state, KeptAside))
            return (*parts, self.journal.condition, *plan.troubles, *aside)

        put, store = self.inbox.put, calibration_store.CalibrationStore(plan.folder)
        ports = controller.MaintenancePorts(
            sensing,
            Enrolment(sensing, store, plan.calibration, put),
            self._measuring,
            conditions,
            ails=self._faults.of_stopper,
            sound=partial(lights.try_buzzer, self.hardware.seats),
            halls=self._hall,
            updates=updates.Updates(
                self.sensing_link.listening.send,
                {number: node for node, number in sensing.names.items()},
                simulated=plan.simulated,
            ),
            practice=KeptPractice(plan.folder, put),
        )
        return controller.MaintenanceController(ports, self._publish_workshop)

    def _access_of_hall(self, plan: table_config.TableConfig) -> TableAccess:
        """Return what a hall is told by, and asks by."""
        commands = mqtt_commands.CommandPorts(self.ask, self._sit)
        journal = mqtt_publisher.JournalReader(self.matches, self.entries)
        return TableAccess(journal, commands, self.inbox.put, plan.clock_us, plan.simulated)

    def _hands_of(self, seat: str) -> str:
        return self.people.now.hands_of(seat)

    def _sit(self, seat: str, name: str) -> None:
        self.people.sit(seat, name)

    def _build_outputs(self, plan: table_config.TableConfig) -> None:
        """Build what shows snapshots, in this order."""
        seats, board = self.hardware.seats, self.hardware.lights
        self._lights = lights.TableLights(seats, board, self.maintenance.trial)
        self.outputs = Outputs(self._guard, self._lights)
        self._web, self._pages, self._web_config = None, plan.pages, plan.wiring.web
        self.site: context.WebContext | None = None  # as long as their pages are served
        if plan.pages is not None:
            first_run = plan.pages.first_run
            folder = plan.folder if first_run is None else first_run.folder
            self._web = server.PhoneServer(self, folder, plan.pages.hands, self.inbox.put)
            self.outputs.join(self._web)
        self.button_pairing = inbox.ButtonPairing(None if self._web is None else self._web.pairing)
        self.people = people = KeptPeople() if self._web is None else self._web.people
        if plan.wiring.voice is not None:
            self.outputs.join(voice.VoiceOutput(plan.wiring.voice, people.in_match))
        self.outputs.join(self._hall)
        for name, section in plan.wiring.outputs.items():
            with self._guard:
                self.outputs.join(PluginOutput(name, section))
        self._sensors = ExitStack()
        for name, section in plan.wiring.sensors.items():
            with self._guard:
                sensor = config.installed("sensors")[name].load()
                joined = sensor(section, self.inbox.put, plan.clock_us)
                self._sensors.callback(joined.close)

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
                served = life.enter_context(self._web)
                pages = self._pages
                self.site = served.start(
                    pages.port,
                    web=self._web_config,
                    first_run=pages.first_run,
                    https=pages.https,
                )
            self._watchdog.ready()
            self._life = life.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the parts in reverse."""
        self._watchdog.stopping()
        self._life.close()

    @property
    def begins_anew(self) -> bool:
        """Whether it is to end, and to begin with what a backup holds, or with other parts."""
        if self.site is None:
            return False
        first_run = self.site.first_run
        return self.site.restored.is_set() or (first_run is not None and first_run.begins_anew)

    def resume(self) -> None:
        """Go on where the last evening was cut off."""
        self._resumer.resume(self._clock_us())

    def stop(self) -> None:
        """Make everything dark, and let go of the files."""
        now_us = self._clock_us()
        with self._guard:
            self._sensors.close()
        self.outputs.close(now_us)
        self._sensor_states.close(self.sensing_link)
        self.journal.close()
        self._measuring.close(now_us)
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

    def turn(self, message: inbox.Message | None = None) -> None:
        """Handle a message, if there is one, and all that wait; then do what is due."""
        now_us = self._clock_us()
        self._handle_all(message, now_us)
        for do in (
            self.hardware.seats.tick,
            self._sense,
            self.tick,
            self._tick_maintenance,
            self._tick_outputs,
        ):
            with self._guard:
                do(now_us)
        self._guard.end_turn()

    def _handle_all(self, message: inbox.Message | None, now_us: int) -> None:
        while message is not None:
            with self._guard:
                self._handle(message, now_us)
            message = self.inbox.next()

    def _handle(self, message: inbox.Message, now_us: int) -> None:
        """Hand a message to whom it concerns."""
        version = self.snapshot.version
        match message:
            case hub_discovery.HubMessage(at_us, content):
                self.maintenance.handle_hub_message(content)
                self.handle_events(self.sensing_link.handle_hub_message(at_us, content), now_us)
            case ButtonPressed() | ButtonHeld():
                if isinstance(message, ButtonPressed):
                    self.maintenance.handle_press(message)
                if (press := self.button_pairing.game_press(message)) is not None:
                    self.referee.handle_press(press, now_us)
            case inbox.PendingCommand(Command(wish=maintenance_commands.MaintenanceCommand())):
                do = partial(self.maintenance.handle_command, entry=version, now_us=now_us)
                message.carry_out(do, version)
            case inbox.PendingCommand():
                message.carry_out(partial(self.referee.handle_command, now_us=now_us), version)
            case status.Condition():
                self._faults.handle_condition(message)
                self._warn(now_us)
            case _:
                if isinstance(message, PadChanged):
                    self.maintenance.handle_pad(message, now_us)
                    self.referee.handle_pad(message)
                for recorded in (self.hardware.record_note, self._measuring.record_note):
                    recorded(message, now_us)
                self.handle_events(self.sensing_link.handle(message), now_us)

    def _sense(self, now_us: int) -> None:
        """Handle what seats have queued, and then tick sensing."""
        self._handle_all(self.inbox.next(), now_us)
        self.handle_events(self.sensing_link.tick(now_us), now_us)

    def handle_events(self, events: Iterable[SensingEvent | Suspect], now_us: int) -> None:
        """Pass on what barrels do to the referee, and what is wrong with stoppers to people."""
        for event in events:
            with self._guard:
                self.maintenance.handle_event(event, now_us)
                if self._faults.handle_event(event, now_us):
                    self._warn(now_us)
                else:
                    self.referee.handle_event(event, now_us)
            self._lights.handle_event(event, now_us)

    def _warn(self, now_us: int) -> None:
        self.referee.handle_conditions(self._faults.conditions, now_us)

    def tick(self, now_us: int) -> None:
        """Do periodic work, about once a second."""
        if now_us < self._tick_due_us:
            return
        self._tick_due_us = now_us + TICK_US
        self._watchdog.pet()
        self.journal.tick()
        self._resumer.tick(now_us)
        self.referee.tick(now_us)
        self._sensor_states.tick(self.sensing_link, now_us)
        well = not self.referee.playing and not self.sensing_link.sensing.suspects
        if well and self._faults.clear_suspect():  # in a match it would tell which barrel was meant
            self._warn(now_us)

    def _tick_maintenance(self, now_us: int) -> None:
        self.maintenance.tick(now_us, playing=self.referee.playing)

    def _overhear(self, seen: Observation) -> None:
        """Pass on to the workshop what a stopper of this table said."""
        self.maintenance.handle_message(seen)

    def _publish_workshop(self, shown: view.MaintenanceSnapshot) -> None:
        self.workshop = shown

    def _publish(self, snapshot: Snapshot, events: tuple[TableEvent, ...]) -> None:
        self._tick_maintenance(snapshot.at_us)  # first the workshop is closed
        self.snapshot = replace(snapshot, parts=self._has)
        self.outputs.on_update(self.snapshot, events)

    def _tick_outputs(self, now_us: int) -> None:
        """Tick each output that is due."""
        self.outputs.tick(now_us)
