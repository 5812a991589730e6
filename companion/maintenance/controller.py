"""The workshop's controller, on the table's thread: handles commands and publishes a snapshot.

While a match is played it is closed: every command is refused, nothing is tried, and what it
publishes tells nothing of any single stopper.

    controller = MaintenanceController(parts, publish)
    controller.handle_message(observation)  # and pads, buttons, and what the hub says
    controller.handle_command(command, entry, now_us)
    controller.tick(now_us, playing=False)  # often; publishes five times a second at most
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from companion.maintenance import measuring, stopper_status, view
from companion.maintenance.enrolment import Enrolment, wall_clock
from companion.maintenance.practice import KeptPractice, Practice
from companion.maintenance.updates import Updates
from companion.referee import commands, maintenance_commands
from companion.sensing import observations, pipeline
from companion.sensing.enrolment import Read
from companion.system import config
from companion.system.errors import CompanionError
from companion.system.status import Condition
from companion.wire import Said

Rgb = tuple[int, int, int]
DARK: Final[Rgb] = (0, 0, 0)
FULL, SHARED = 200, 90  # all at once draw too much current, and only dazzle
EACH_US: Final = 1_000_000  # one colour after another, so that no part of a light is left out
LASTS_US: Final = 60_000_000  # whoever forgets it finds the table as it should be
LOOK_US: Final = 200_000
QUIET_US: Final = 1_000_000  # this long without looking where nothing came in: a look costs a frame
AT_ONCE_US: Final = -QUIET_US
AWAKE_US: Final = 30_000_000  # three heartbeats
AGE_S: Final = 5  # steps of how long ago a stopper was heard: each step is a message to every phone


@dataclass(frozen=True, slots=True)
class LightTrial:
    """What is tried: lights of the board, or one seat's."""

    until_us: int
    board: frozenset[int] = frozenset()
    seat: str | None = None

    def lights(self, at_us: int) -> tuple[Rgb, ...]:
        """Return the board's lights at a time: red, green, blue, white, again and again.

        >>> trial = LightTrial(0, frozenset({2}))
        >>> trial.lights(0)[1:4], trial.lights(3_000_000)[2]
        (((0, 0, 0), (200, 0, 0), (0, 0, 0)), (200, 200, 200))
        """
        level = FULL if len(self.board) == 1 else SHARED
        part = at_us // EACH_US % 4
        shown = (
            (level,) * 3 if part == 3 else tuple(level * (part == channel) for channel in range(3))
        )
        colour = (shown[0], shown[1], shown[2])
        return tuple(colour if light in self.board else DARK for light in range(config.LIGHT_COUNT))

    def seats(self) -> dict[str, float]:
        return {colour: float(colour == self.seat) for colour in config.COLOURS}


class Halls(Protocol):
    """Where a table joins a hall, and leaves it; CompanionError: why it cannot."""

    @property
    def shown(self) -> view.HallShown:
        """Return to which hall it belongs, and how the way there is."""

    def join(self, code: str) -> None:
        """Belong to the hall of a code from now on."""

    def leave(self) -> None:
        """Leave the hall."""


@dataclass(frozen=True, slots=True)
class MaintenancePorts:
    """What the workbench may ask and do; `sound` has the buzzer sound for a moment."""

    sensing: pipeline.Sensing
    enrolment: Enrolment
    measures: measuring.MeasuringSession
    conditions: Callable[[], tuple[Condition, ...]]
    ails: Callable[[int], tuple[Condition, ...]]
    sound: Callable[[int], None]
    halls: Halls
    updates: Updates
    practice: KeptPractice


class MaintenanceController:
    """Keeps each stopper's status and what is under way: enrolling, measuring, updates, trials."""

    def __init__(
        self, parts: MaintenancePorts, publish: Callable[[view.MaintenanceSnapshot], None]
    ) -> None:
        self.parts, self._publish = parts, publish
        self._numbers = parts.sensing.names
        self._answers = commands.RecentAnswers()
        self.vitals: dict[int, stopper_status.StopperStatus] = {}
        self._seats: dict[str, view.SeatTried] = {}
        self._shown = view.MaintenanceSnapshot()
        self._trial: LightTrial | None = None
        self._practice = parts.practice.begun
        self._caught: tuple[stopper_status.TrailPoint, ...] = ()
        self._practised = False
        self._playing = False
        self._news, self._looked_us = False, AT_ONCE_US
        self._hub_firmware: str | None = None

    # --- what comes in ------------------------------------------------------------------------

    def handle_message(self, seen: observations.Observation) -> None:
        """Handle a message of a stopper of this table."""
        stopper = self._numbers[seen.node]
        before = self.vitals.get(stopper)
        self.vitals[stopper] = stopper_status.updated_status(before, seen, open_=not self._playing)
        self.parts.measures.handle_message(seen)
        self.parts.updates.handle_message(stopper, seen)
        self._news = True

    def handle_hub_message(self, message: Said) -> None:
        """Handle what the hub says; only what it says of itself matters here."""
        if message.name == "HUB_HELLO":
            self._hub_firmware = stopper_status.version_text(message.fields.firmware)
            self._news = True

    def handle_event(self, event: object, now_us: int) -> None:
        self.parts.measures.handle_event(event, now_us)
        self._practise(event)

    def handle_pad(self, change: observations.PadChanged, now_us: int) -> None:
        self.parts.measures.handle_event(change, now_us)
        self._practise(change)
        self._seats[change.colour] = replace(self._seat(change.colour), pad_closed=change.occupied)
        self._news = True

    def handle_press(self, press: observations.ButtonPressed) -> None:
        seat = self._seat(press.colour)
        short, long = seat.presses + (not press.long), seat.long_presses + press.long
        self._seats[press.colour] = replace(seat, presses=short, long_presses=long)
        self._news = True

    def handle_command(self, command: commands.Command, entry: int, now_us: int) -> commands.Answer:
        """Do what somebody wants, once, and say what became of it."""
        if (known := self._answers.answer_to(command)) is not None:
            return known
        try:
            self._demand_open()
            self._apply_command(command.wish, now_us)
        except CompanionError as refused:
            return commands.Answer(command.request, entry, refused)
        self._answers.remember(answer := commands.Answer(command.request, entry), command)
        self._looked_us = AT_ONCE_US
        return answer

    def tick(self, now_us: int, *, playing: bool) -> None:
        """Note what changed, and publish it if it is time; at once if it has to be closed."""
        self.parts.enrolment.tick()
        if playing and not self._playing:
            self._close(now_us)
        self.parts.measures.tick(now_us)
        self.parts.updates.tick(now_us)
        self._news |= playing != self._playing
        self._playing = playing
        if now_us - self._looked_us >= (LOOK_US if self._news else QUIET_US):
            self._news, self._looked_us = False, now_us
            shown = replace(self._now(now_us), serial=self._shown.serial)
            if shown != self._shown:
                self._shown = replace(shown, serial=shown.serial + 1)
                self._publish(self._shown)

    def trial(self, now_us: int) -> LightTrial | None:
        """Return what the lights are to show instead of the game, if anybody tries them."""
        if self._trial is not None and now_us >= self._trial.until_us:
            self._trial = None
        return self._trial

    # --- how ----------------------------------------------------------------------------------

    def _seat(self, colour: str) -> view.SeatTried:
        return self._seats.get(colour, view.SeatTried(colour))

    def _close(self, now_us: int) -> None:
        """End all that is under way, and forget how barrels were held: a match begins."""
        self._trial = None
        self._go_on(None)
        self.parts.enrolment.stop()
        self.parts.measures.stop(now_us)
        self.parts.updates.stop(now_us)
        self.vitals = {number: replace(vitals, trail=()) for number, vitals in self.vitals.items()}
        self._seats = {
            colour: view.SeatTried(colour, seat.pad_closed) for colour, seat in self._seats.items()
        }
        self._looked_us = AT_ONCE_US

    def _demand_open(self) -> None:
        if self._playing:
            raise CompanionError(
                "The workshop is closed while a match is being played; finish it or give "
                "it up first."
            )

    def _apply_command(self, wish: object, now_us: int) -> None:
        until_us = now_us + LASTS_US
        match wish:
            case maintenance_commands.TryLight(light):
                self._trial = LightTrial(until_us, _lights(light))
            case maintenance_commands.TrySeatLight(colour):
                self._trial = LightTrial(until_us, seat=_colour(colour))
            case maintenance_commands.TryBuzzer():
                self.parts.sound(now_us)
            case maintenance_commands.StopTrying():
                self._trial = None
            case maintenance_commands.JoinHall(code):
                self.parts.halls.join(code)
            case maintenance_commands.LeaveHall():
                self.parts.halls.leave()
            case maintenance_commands.BeginPractice():
                self._caught = ()
                self._go_on(Practice())
            case maintenance_commands.NextMark() if self._practice is not None:
                step, self._practised = self._practice.step.next, True
                self._go_on(None if step is None else Practice(step, open=self._practice.open))
            case maintenance_commands.NextMark() | maintenance_commands.StopPractice():
                self._practised = True
                self._go_on(None)
            case _:
                self._measure(wish, now_us)

    def _practise(self, seen: object) -> None:
        """Take what was done in the practice round, and show at once what comes then."""
        before = self._practice
        if before is None or (practice := before.after(seen)) == before:
            return
        if practice.step is not before.step:
            self._practised, self._looked_us, self._news = True, AT_ONCE_US, True
            vitals = self.vitals.get(practice.looked or 0)
            self._caught = () if vitals is None else vitals.trail
        self._go_on(practice)

    def _go_on(self, practice: Practice | None) -> None:
        """Have another step asked for, and keep which."""
        steps = [None if part is None else part.step for part in (self._practice, practice)]
        self._practice = practice
        if steps[0] is not steps[1]:
            self.parts.practice.keep(steps[1])

    def _measure(self, wish: object, now_us: int) -> None:
        updates, measures = self.parts.updates, self.parts.measures
        match wish:
            case maintenance_commands.UpdateStoppers(stoppers):
                due = (
                    number for number in self._outdated() if stoppers is None or number in stoppers
                )
                updates.start(tuple(due), now_us)
            case maintenance_commands.StopUpdating():
                updates.stop(now_us)
            case maintenance_commands.BeginMeasuring(stoppers):
                self.parts.enrolment.stop()
                measures.start(stoppers, wall_clock(), now_us)
            case maintenance_commands.SkipStep():
                measures.running.skip(now_us)
            case maintenance_commands.RepeatStep():
                measures.running.repeat(now_us)
            case maintenance_commands.StepUnnoticed():
                measures.running.unnoticed(now_us)
            case maintenance_commands.StopMeasuring():
                measures.stop(now_us)
            case _:
                self._enrol(wish)

    def _enrol(self, wish: object) -> None:
        enrolment = self.parts.enrolment
        match wish:
            case maintenance_commands.BeginEnrolling(stoppers):
                enrolment.start(stoppers)
            case maintenance_commands.BeginWeighingEmpty(stoppers):
                enrolment.start_weighing(stoppers)
            case maintenance_commands.BeginWeighingKnown(known_mg, stoppers):
                enrolment.start_weighing(stoppers, known_mg)
            case maintenance_commands.BeginReading(stoppers):
                enrolment.start(stoppers, by_hand=True)
            case maintenance_commands.ReadNumber(stopper, number, counted):
                enrolment.handle_number(Read(stopper, number, counted))
            case maintenance_commands.SaveEnrolling():
                enrolment.save()
            case maintenance_commands.StopEnrolling():
                enrolment.stop()
            case maintenance_commands.RollBack(saved):
                enrolment.roll_back(saved)

    def _outdated(self) -> tuple[int, ...]:
        """Return who can be updated by radio, and does not run the newest."""
        newest = self.parts.updates.newest
        return tuple(
            number
            for number, vitals in sorted(self.vitals.items())
            if vitals.updates and vitals.firmware != newest
        )

    def _now(self, now_us: int) -> view.MaintenanceSnapshot:
        charges = [status.lasting_percent for status in self.vitals.values()]
        weakest = min((percent for percent in charges if percent is not None), default=None)
        since_us = now_us - AWAKE_US
        return view.MaintenanceSnapshot(
            parts=self.parts.conditions(),
            stoppers=len(self._numbers),
            awake=sum(vitals.heard_us >= since_us for vitals in self.vitals.values()),
            weakest_percent=weakest,
            enough_tonight=None if weakest is None else weakest >= stopper_status.ENOUGH_PERCENT,
            opened=None if self._playing else self._opened(now_us),
            hub_firmware=self._hub_firmware,
            hall=self.parts.halls.shown,
        )

    def _opened(self, now_us: int) -> view.MaintenanceDetails:
        trial, trying = self.trial(now_us), None
        if trial is not None:
            trying = trial.seat or ("all" if len(trial.board) > 1 else min(trial.board))
        return view.MaintenanceDetails(
            tuple(self._stopper(number, now_us) for number in sorted(self._numbers.values())),
            tuple(self._seats[colour] for colour in config.COLOURS if colour in self._seats),
            self.parts.enrolment.active(),
            self.parts.enrolment.shown(),
            trying,
            self.parts.measures.shown(now_us),
            self.parts.measures.newest,
            None if self._practice is None else self._practice.step,
            self._practised,
            self.parts.updates.shown,
            self._outdated(),
            self.parts.updates.sends_sources,
            self._caught,
        )

    def _stopper(self, number: int, now_us: int) -> view.StopperShown:
        vitals, sensing = self.vitals.get(number), self.parts.sensing
        doing, suspect = sensing.motion(number), number in sensing.suspects
        shown = view.StopperShown(
            number,
            doing=doing,
            suspect=suspect,
            weighs=sensing.weighs(number),
            calibrated=self.parts.enrolment.calibrated(number),
            ailments=self.parts.ails(number),
        )
        if vitals is None:
            return shown
        shown = shown.with_status(vitals, now_us)
        age_s = shown.heard_ago_s or 0
        return replace(shown, heard_ago_s=age_s - age_s % AGE_S, trail=vitals.trail)


def _lights(light: int | None) -> frozenset[int]:
    if light is None:
        return frozenset(range(config.LIGHT_COUNT))
    if not 0 <= light < config.LIGHT_COUNT:
        raise CompanionError(
            "There is no light {light}; they are numbered from 0 to {last}.",
            light=light,
            last=config.LIGHT_COUNT - 1,
        )
    return frozenset({light})


def _colour(colour: str) -> str:
    if colour not in config.COLOURS:
        raise CompanionError("There is no seat '{colour}'.", colour=colour)
    return colour
