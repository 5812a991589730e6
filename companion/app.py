"""The whole life of a table: builds the parts, joins them, starts them in order, stops in reverse.

It must not know how any part does its work. Everything flows one way:

    hub ──> sensing ──> referee ──> journal, then snapshot ──> lights, phones
    seats, commands ───────┘

One thread owns all of it; the hub's thread and the phones' threads leave messages and read the
newest snapshot, which never changes. While no match is played, the workshop takes commands, too.

    with Table(plan) as table:
        answer = table.ask(Command("1", RollForUs(), "red"))
        table.snapshot, table.workshop
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import partial
from threading import Thread
from typing import Final, Protocol, Self

from companion.condition import Condition
from companion.devices.hub_port import HubPort
from companion.devices.hub_talk import Heard
from companion.devices.hub_thread import HubThread
from companion.devices.light_board import LightBoard
from companion.devices.recording import RecordingState, begun
from companion.devices.seats import Seats
from companion.devices.watchdog import Watchdog
from companion.folders import JOURNAL
from companion.guard import Guard
from companion.inbox import Asked, Errand, Inbox, Message
from companion.outputs.lights.table_lights import TableLights
from companion.outputs.output import Joined, Output
from companion.outputs.web.phones import Phones
from companion.outputs.web.server import PhoneServer
from companion.plan import Pages, Plan
from companion.referee.archive import Archive
from companion.referee.commands import Answer, Command
from companion.referee.journal import Journal
from companion.referee.referee import Referee
from companion.referee.shelf import Shelf
from companion.referee.snapshot import Snapshot
from companion.referee.surroundings import Knowledge
from companion.referee.troubles import Troubles
from companion.sensing.enrolment import of_barrels
from companion.sensing.notes import as_note
from companion.sensing.seen import ButtonHeld, ButtonPressed, PadChanged, Seen
from companion.sensing.sensing import Ears, Sensing
from companion.sensing.tampering import Suspect
from companion.sensing.told import BarrelDoes, Doing, Told
from companion.stoppers import HeardKeeper, last_heard
from companion.workshop.enrolling import Enrolment
from companion.workshop.shown import WorkshopShown
from companion.workshop.wishes import WorkshopWish
from companion.workshop.workbench import Parts, Workbench

__all__ = ["Pages", "Plan", "Table"]

TEND_US: Final = 1_000_000
AT_REST: Final = {Doing.STANDING, Doing.LOST}


class Door(Protocol):
    """Where phones ask for seats, to be let in by a button that is held."""

    @property
    def asked(self) -> Collection[str]:
        """Return the seats that phones ask for now."""

    def held(self, colour: str) -> bool:
        """Let in who asks for a seat; whether somebody did."""


class Table(AbstractContextManager["Table"]):
    """One table with its parts and its thread."""

    def __init__(self, plan: Plan) -> None:
        self._clock_us = plan.clock_us
        self._inbox = Inbox()
        self._troubles = Troubles()
        self.snapshot = Snapshot(-1)
        self.watchers: list[Callable[[Snapshot], None]] = []
        self.workshop = WorkshopShown()
        self.workshop_watchers: list[Callable[[WorkshopShown], None]] = []
        self.door: Door | None = None
        self._undecided: dict[str, ButtonPressed] = {}  # for the game, or to let a phone in
        self._thread = Thread(target=self._run, name="table", daemon=True)
        self._running, self._tend_due_us = False, 0
        self._resumes_later = False  # nothing was resumed, and the journal could not be written
        self.fault: BaseException | None = None  # what ended the thread before its time
        self._watchdog = Watchdog()
        self._life = ExitStack()
        self._pages, self._folder = plan.pages, plan.folder
        self.phones: Phones | None = None
        self._build_parts(plan)
        self._build_minds(plan)

    def _build_parts(self, plan: Plan) -> None:
        """Build what touches hardware or the disk; all of it reports to the inbox."""
        take, wake, wiring = self._inbox.put, self._inbox.wake, plan.wiring
        self._recorder = None if plan.record is None else begun(plan.record, take)
        self._found = plan.troubles
        for trouble in self._found:
            take(trouble)
        self.journal = Journal(plan.folder / JOURNAL, take)
        self._archive = Archive(self.journal, self._inbox.look_up)
        self.matches, self.entries = self._archive.matches, self._archive.entries  # for any thread
        self._heard = HeardKeeper(plan.folder, plan.stoppers)
        self.hub: HubThread | None = None
        if wiring.hub is not None:
            port = HubPort(wiring.hub, take, take, plan.ports, self._recorder)
            self.hub = HubThread(port, plan.clock_us)
        self.seats = Seats(wiring, plan.open_pins, take, take, plan.clock_us, wake=wake)
        self.lights: LightBoard | None = None
        if wiring.light_board is not None:
            self.lights = LightBoard(wiring.light_board, take)
        self._table_lights = TableLights(self.seats, self.lights)
        self._outputs: list[Output] = [self._table_lights]

    def _build_minds(self, plan: Plan) -> None:
        """Build what hears, what judges, and what knows the barrels."""
        take, sound, ails = self._inbox.put, self._table_lights.sound_once, self._troubles.of
        rules = of_barrels(plan.wiring.barrels.empty_g)
        sensing = Sensing({stopper.node: stopper.number for stopper in plan.stoppers}, rules)
        enrolment = Enrolment(sensing, Shelf(plan.folder), plan.calibration)
        parts = Parts(sensing, enrolment, self._conditions, ails, sound)
        self._workbench = Workbench(parts, self._publish_workshop)
        self._table_lights.trial = self._workbench.trial
        knows = Knowledge(enrolment.number_of, take, sensing.settings.certain)
        self.referee = Referee(self._archive, self._publish, plan.chance, knows)
        self._guard = Guard(plan.clock_us, take, self.referee.heal)
        keys = {stopper.node: stopper.key for stopper in plan.stoppers}
        send = self.hub.send if self.hub is not None else lambda _: False
        last = last_heard(plan.folder, plan.stoppers)
        self.ears = Ears(sensing, keys, send, last, overhear=self._workbench.heard)
        for name, section in plan.wiring.outputs.items():
            with self._guard:
                self._outputs.append(Joined(name, section))

    # --- life ---------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        """Go on where the last evening was cut off, then start the parts; all of them or none."""
        with ExitStack() as life:
            life.callback(self.stop)
            self.resume()
            self._running = True
            self._thread.start()
            life.callback(self._end_thread)
            if self.hub is not None:
                life.enter_context(self.hub)
            if self._pages is not None:
                take = self._inbox.put
                server = PhoneServer(self, self._folder, self._pages.hands, take)
                self.door = server.pairing
                self.phones = life.enter_context(server).start(self._pages.port)
            self._watchdog.ready()
            self._life = life.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the parts in reverse."""
        self._watchdog.stopping()
        self._life.close()

    def resume(self) -> None:
        """Go on where the last evening was cut off; a match that was over can be taken back."""
        now_us = self._clock_us()
        last = {one: self.journal.resume(one.id) for one in self._archive.to_go_on()}
        for match, entries in last.items():
            with self._guard, suppress(ValueError, RecursionError):  # a newer version wrote it
                if entries:  # else the disk failed since it told which matches there are
                    self.referee.resume(match.id, entries, now_us)
                    return
        self._resumes_later = not self.journal.writable
        unread = all(entries and not match.last.ends for match, entries in last.items())
        self.referee.wait(now_us, unread=len(last) == 1 and unread)

    def _end_thread(self) -> None:
        self._running = False
        self._inbox.wake()
        self._thread.join()

    def stop(self) -> None:
        """Make everything dark, and let go of the files."""
        now_us = self._clock_us()
        for output in reversed(self._outputs):
            output.close(now_us)
        self._heard.close(self.ears.newest)
        self.journal.close()
        if self._recorder is not None:
            self._recorder.close(now_us)

    @property
    def recorded(self) -> bool:
        """Whether all that is felt is being written to a file, which people must know."""
        recorder = self._recorder
        return recorder is not None and recorder.condition.state is RecordingState.RUNNING

    # --- from other threads -------------------------------------------------------------------

    def post(self, command: Command) -> None:
        """Have a command carried out without waiting for its answer."""
        self._inbox.put(Asked(command))

    def ask(self, command: Command) -> Answer | None:
        """Have a command carried out; None if the table does not answer in time."""
        return self._inbox.ask(command)

    def watch(self, changed: Callable[[], None]) -> None:
        """Have it called whenever there is a new snapshot, or the workshop shows something new."""
        self.watchers.append(lambda _: changed())
        self.workshop_watchers.append(lambda _: changed())

    # --- the table's own thread ---------------------------------------------------------------

    def _run(self) -> None:
        try:
            while self._running:
                self.turn(self._inbox.wait(self._rest_s()))
        except BaseException as fault:  # noqa: BLE001 - raised by whoever waits for this table
            self.fault = fault

    def _rest_s(self) -> float:
        """Return for how long there is nothing to do if nothing comes."""
        due_us = min(output.due_us for output in self._outputs)
        if self.seats.due_us is not None:
            due_us = min(due_us, self.seats.due_us)
        return max(self._guard.pause_s, (due_us - self._clock_us()) / 1e6)

    def turn(self, message: Message | None = None) -> None:
        """Take a message, if there is one, and all that wait; then do what is due."""
        now_us = self._clock_us()
        self._take_all(message, now_us)
        for do in (self.seats.pump, self._hear, self._tend, self._look, self._show):
            with self._guard:
                do(now_us)
        self._guard.turned()

    def _take_all(self, message: Message | None, now_us: int) -> None:
        while message is not None:
            with self._guard:
                self._take(message, now_us)
            message = self._inbox.next()

    def _take(self, message: Message, now_us: int) -> None:
        version = self.snapshot.version
        match message:
            case Heard(at_us, said):
                self._workbench.hub(said)
                self._tell(self.ears.hear(at_us, said), now_us)
            case Asked(Command(wish=WorkshopWish())):
                message.carry_out(
                    partial(self._workbench.command, entry=version, now_us=now_us), version
                )
            case Errand():
                message.run()
            case Asked():
                message.carry_out(partial(self.referee.command, now_us=now_us), version)
            case ButtonPressed():
                self._workbench.pressed(message)
                if message.long and self.door is not None and message.colour in self.door.asked:
                    self._undecided[message.colour] = message
                else:
                    self.referee.pressed(message, now_us)
            case ButtonHeld():
                self._decide(message, now_us)
            case Condition():
                self._troubles.notice(message)
                self._warn(now_us)
            case _:
                if isinstance(message, PadChanged):
                    self._workbench.pad(message)
                self._note(message, now_us)
                self._tell(self.ears.take(message), now_us)

    def _note(self, seen: Seen, now_us: int) -> None:
        """Write beside the link what came in elsewhere, if this evening is recorded."""
        if self._recorder is not None and (what := as_note(seen)) is not None:
            self._recorder.noted(now_us, what)

    def _decide(self, held: ButtonHeld, now_us: int) -> None:
        """Let in the phone that asks for a seat whose button is held on; else it is the game's."""
        press = self._undecided.pop(held.colour, None)
        if press is None or (held.on and self.door is not None and self.door.held(held.colour)):
            return
        self.referee.pressed(press, now_us)

    def _hear(self, now_us: int) -> None:
        """Take what the seats have told, and what sensing makes of it that time goes on."""
        self._take_all(self._inbox.next(), now_us)
        self._tell(self.ears.pass_to(now_us), now_us)

    def _tell(self, told: Iterable[Told | Suspect], now_us: int) -> None:
        for one in told:
            with self._guard:
                if self._troubles.told(one, now_us):
                    self._warn(now_us)
                else:
                    self.referee.told(one, now_us)
            if isinstance(one, BarrelDoes) and one.doing not in AT_REST:
                self._table_lights.stir(
                    now_us
                )  # else only what is published shows that people are here

    def _warn(self, now_us: int) -> None:
        self.referee.troubles(self._troubles.now, now_us)

    def _tend(self, now_us: int) -> None:
        """Do now and then what nobody waits for."""
        if now_us < self._tend_due_us:
            return
        self._tend_due_us = now_us + TEND_US
        self._watchdog.pet()
        self._archive.tend()
        if self._resumes_later and (self.journal.writable or self.referee.match is not None):
            self._resumes_later = False
            if self.referee.match is None:  # its disk came later than the table started
                self.resume()
        self._heard.tend(self.ears.newest, now_us)
        well = not self.referee.playing and not self.ears.sensing.suspects
        if well and self._troubles.clear():  # in a match it would tell which barrel was meant
            self._warn(now_us)

    def _conditions(self) -> tuple[Condition, ...]:
        """Return how each part of the table is."""
        parts = (self.hub and self.hub.port, self.lights, self._recorder)
        found = [part.condition for part in parts if part]
        return (*found, *self.seats.conditions, self.journal.condition, *self._found)

    def _publish(self, snapshot: Snapshot) -> None:
        self._look(snapshot.at_us)  # first it is closed
        self.snapshot = snapshot
        for output in self._outputs:
            with self._guard:
                output.show(snapshot, snapshot.at_us)
        for watcher in self.watchers:
            with self._guard:
                watcher(snapshot)

    def _publish_workshop(self, shown: WorkshopShown) -> None:
        self.workshop = shown
        for watcher in self.workshop_watchers:
            with self._guard:
                watcher(shown)

    def _look(self, now_us: int) -> None:
        self._workbench.look(now_us, playing=self.referee.playing)

    def _show(self, now_us: int) -> None:
        """Let every output go on whose time has come."""
        for output in self._outputs:
            if now_us >= output.due_us:
                with self._guard:
                    output.show(self.snapshot, now_us)
