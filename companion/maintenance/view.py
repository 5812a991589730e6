"""Snapshot of the workshop at one moment: what everybody may know of it.

It must not hold a load, a mass, or which barrel holds which number. While a match is played
`opened` is None: then nothing here depends on any single stopper but how many of them are awake.
"""

from dataclasses import replace

from companion.maintenance import measurement, stopper_status
from companion.maintenance.practice import PracticeStep
from companion.maintenance.updates import UpdateShown
from companion.referee.calibration_store import CalibrationFault
from companion.sensing import enrolment, events
from companion.system import format_names, status


@format_names.format_name("Taring")
class Taring(status.Status):
    """What people are to do while empty barrels and known masses are weighed, as a sentence."""

    LIFT = (
        "Lift these empty barrels for a second and set them down again, several times, until each "
        "is ready."
    )
    DONE = "All empty barrels are weighed: save it, and then weigh a known mass in them."
    LOAD = (
        "Put the known mass into one of these barrels, close it, lift it for a second and set it "
        "down again, several times, until it is ready; then do the same with the next one."
    )
    CRUMB = (
        "What these barrels weigh changes each time, as if there were a crumb between foot and "
        "stopper: blow it out, then lift them for a second and set them down again, several times."
    )
    LOADED = "All load cells are calibrated: save it, fill the barrels, and then enrol them."


@format_names.record("StopperShown")
class StopperShown:
    """One stopper, by the number on its shell."""

    number: int
    heard_ago_s: int | None = None  # in steps of five; None: never
    battery_percent: int | None = None
    rssi_dbm: int | None = None
    firmware: str | None = None
    doing: events.BarrelMotion = events.BarrelMotion.UNKNOWN
    suspect: bool = False  # it did not weigh what it should in the match before
    weighs: bool = True  # it has a load cell
    calibrated: bool = True  # whose gain is known
    ailments: tuple[status.Condition, ...] = ()
    trail: tuple[stopper_status.TrailPoint, ...] = ()
    charge: stopper_status.ChargeStage | None = None  # None: it is not in the box
    lost_percent: int | None = None  # of what it sent lately

    def with_status(self, known: stopper_status.StopperStatus, now_us: int) -> "StopperShown":
        """Return it with what is known of it, heard so many whole seconds ago."""
        return replace(
            self,
            heard_ago_s=max(0, now_us - known.heard_us) // 1_000_000,
            battery_percent=known.battery_percent,
            charge=known.charge,
            rssi_dbm=known.rssi_dbm,
            lost_percent=known.lost_percent,
            firmware=known.firmware,
        )


@format_names.record("SeatTried")
class SeatTried:
    """What a seat's pad and button have said since the workshop was opened."""

    colour: str
    pad_closed: bool = False
    presses: int = 0
    long_presses: int = 0


@format_names.record("EnrolmentShown")
class EnrolmentShown:
    """How far enrolling has come, or the weighing of empty barrels and known masses."""

    empty: bool  # whether those are weighed
    stoppers: int  # so many take part
    left: tuple[int, ...]  # that are still to be lifted
    next: enrolment.Next | Taring
    whom: tuple[int, ...]  # whom that is about, the most urgent first
    guesses: tuple[enrolment.Guess, ...] = ()  # of the first of them, if its number is asked for

    @property
    def weighed(self) -> int:
        """Return how many need not be lifted now."""
        return self.stoppers - len(self.left)


@format_names.record("MeasuringShown")
class MeasuringShown:
    """What is asked now, and how far measuring has come."""

    asked: status.Condition  # a sentence
    number: int  # of this step, from 1
    of: int
    up: bool  # the barrel is in the hand, as it should be
    rested_percent: int | None = None  # where all is to rest: for how much of the time it did
    hint: status.Condition | None = None  # what was done otherwise than asked
    last: status.Condition | None = None  # the step before, which can be repeated


@format_names.record("Version")
class Version:
    """A calibration to which the table can go back."""

    number: int
    saved: str  # when, by the host's clock


@format_names.record("CalibrationShown")
class CalibrationShown:
    """The calibration that is used."""

    known: int  # barrels whose number is certain
    weighed_empty: int
    version: int | None  # None: none was saved here
    versions: tuple[Version, ...]  # the newest first
    facts: tuple[CalibrationFault, ...]  # what is wrong with newer ones
    calibrated: int = 0  # load cells whose gain is known


@format_names.record("Opened")
class MaintenanceDetails:
    """What is shown only while no match is being played."""

    stoppers: tuple[StopperShown, ...]
    seats: tuple[SeatTried, ...]
    calibration: CalibrationShown
    enrolment: EnrolmentShown | None = None
    trying: int | str | None = None  # a light's index, "all", or a seat's colour
    measuring: MeasuringShown | None = None
    measured: measurement.MeasuredTable | None = None  # what came of it last
    practice: PracticeStep | None = None  # what is to be done in the practice round
    practised: bool = False  # whether somebody did since the table began, or did not want to
    updates: tuple[UpdateShown, ...] = ()  # how far each has come, in the last updating
    outdated: tuple[int, ...] = ()  # who can be updated by radio, and is to be
    sends_sources: bool = False  # nothing here compiles them, so that takes far longer
    caught: tuple[stopper_status.TrailPoint, ...] = ()  # how a barrel was held, at a peek

    @property
    def updating(self) -> bool:
        return any(not update.stage.over for update in self.updates)


@format_names.record("HallShown")
class HallShown:
    """The hall to which the table belongs, and how good the connection to it is."""

    table: str | None = None  # its name there; None: it belongs to none
    way: status.Condition | None = None
    mark: str | None = None  # of the authority that it believes; None: nothing is encrypted
    fixed: bool = False  # whether the table's configuration says so, and no phone can change it


@format_names.record("WorkshopShown")
class MaintenanceSnapshot:
    """The workshop at one moment."""

    serial: int = 0  # rises whenever anything else changes
    parts: tuple[status.Condition, ...] = ()  # hub, light board, seats, journal: the well ones, too
    stoppers: int = 0  # that belong to this table
    awake: int = 0  # of them, that were heard in the last half a minute
    weakest_percent: int | None = None  # of all batteries that were heard of; None: of none
    enough_tonight: bool | None = None  # whether the weakest lasts for an evening
    opened: MaintenanceDetails | None = None  # None: a match is being played
    hub_firmware: str | None = None  # None: no hub has said which it runs
    hall: HallShown = HallShown()
