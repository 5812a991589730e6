"""Commands of the workshop: enrolling, measuring, updating, trying lights, joining a hall."""

from dataclasses import dataclass

from companion.referee.commands import CommandBody
from companion.system.format_names import format_name


@dataclass(frozen=True, slots=True)
class MaintenanceCommand(CommandBody):
    """What can only be had while no match is played."""


@format_name("begin-enrolling")
@dataclass(frozen=True, slots=True)
class BeginEnrolling(MaintenanceCommand):
    """Find out which stopper closes which barrel; None: of all stoppers of this table."""

    stoppers: tuple[int, ...] | None = None


@format_name("begin-weighing-empty")
@dataclass(frozen=True, slots=True)
class BeginWeighingEmpty(MaintenanceCommand):
    """Find out what each barrel weighs with its stopper and without stones; None: of all."""

    stoppers: tuple[int, ...] | None = None


@format_name("begin-weighing-known")
@dataclass(frozen=True, slots=True)
class BeginWeighingKnown(MaintenanceCommand):
    """Find out each cell's gain, with a known mass in barrels weighed empty; None: in all."""

    known_mg: int
    stoppers: tuple[int, ...] | None = None


@format_name("begin-reading")
@dataclass(frozen=True, slots=True)
class BeginReading(MaintenanceCommand):
    """Tell which stopper closes which barrel, number by number; None: of all stoppers."""

    stoppers: tuple[int, ...] | None = None


@format_name("read-number")
@dataclass(frozen=True, slots=True)
class ReadNumber(MaintenanceCommand):
    """People have read the number of a barrel, and perhaps counted its stones; None: they err."""

    stopper: int
    number: int | None
    counted: bool = False


@format_name("begin-practice")
@dataclass(frozen=True, slots=True)
class BeginPractice(MaintenanceCommand):
    """Practise a round without opponents."""


@format_name("next-mark")
@dataclass(frozen=True, slots=True)
class NextMark(MaintenanceCommand):
    """What was asked in the practice round is done, or should be skipped."""


@format_name("stop-practice")
@dataclass(frozen=True, slots=True)
class StopPractice(MaintenanceCommand):
    """Stop practising, or do not begin: let us play."""


@format_name("save-enrolling")
@dataclass(frozen=True, slots=True)
class SaveEnrolling(MaintenanceCommand):
    """All barrels are known, or weighed empty: keep it, and go by it from now on."""


@format_name("stop-enrolling")
@dataclass(frozen=True, slots=True)
class StopEnrolling(MaintenanceCommand):
    """Leave all as it was before."""


@format_name("roll-back")
@dataclass(frozen=True, slots=True)
class RollBack(MaintenanceCommand):
    """Go by an earlier calibration again."""

    version: int


@format_name("begin-measuring")
@dataclass(frozen=True, slots=True)
class BeginMeasuring(MaintenanceCommand):
    """Find out what this table can tell; None: with all of its stoppers."""

    stoppers: tuple[int, ...] | None = None


@format_name("skip-step")
@dataclass(frozen=True, slots=True)
class SkipStep(MaintenanceCommand):
    """Leave out what is asked now."""


@format_name("repeat-step")
@dataclass(frozen=True, slots=True)
class RepeatStep(MaintenanceCommand):
    """What was done last was not as asked: it does not count, and is asked again."""


@format_name("step-unnoticed")
@dataclass(frozen=True, slots=True)
class StepUnnoticed(MaintenanceCommand):
    """It was done as asked, and nothing was noticed."""


@format_name("stop-measuring")
@dataclass(frozen=True, slots=True)
class StopMeasuring(MaintenanceCommand):
    """It is enough: what was measured so far counts."""


@format_name("update-stoppers")
@dataclass(frozen=True, slots=True)
class UpdateStoppers(MaintenanceCommand):
    """Give stoppers that run an older firmware the newest, by radio; None: all of them."""

    stoppers: tuple[int, ...] | None = None


@format_name("stop-updating")
@dataclass(frozen=True, slots=True)
class StopUpdating(MaintenanceCommand):
    """Update no more of them for now."""


@format_name("try-light")
@dataclass(frozen=True, slots=True)
class TryLight(MaintenanceCommand):
    """Show one light of the board, by its index; None: all of them."""

    light: int | None


@format_name("try-seat-light")
@dataclass(frozen=True, slots=True)
class TrySeatLight(MaintenanceCommand):
    """Show the light of a seat."""

    colour: str


@format_name("try-buzzer")
@dataclass(frozen=True, slots=True)
class TryBuzzer(MaintenanceCommand):
    """Have the buzzer sound for a moment."""


@format_name("stop-trying")
@dataclass(frozen=True, slots=True)
class StopTrying(MaintenanceCommand):
    """Let the lights show again what they showed before."""


@format_name("join-hall")
@dataclass(frozen=True, slots=True)
class JoinHall(MaintenanceCommand):
    """Have the table belong to the hall of a code, which its director shows."""

    code: str


@format_name("leave-hall")
@dataclass(frozen=True, slots=True)
class LeaveHall(MaintenanceCommand):
    """Have the table leave its hall."""
