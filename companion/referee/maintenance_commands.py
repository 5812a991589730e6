"""Commands of the workshop: enrolling, measuring, updating, trying lights, joining a hall."""

from dataclasses import dataclass

from companion.referee.commands import CommandBody
from companion.system.format_names import record


@dataclass(frozen=True, slots=True)
class MaintenanceCommand(CommandBody):
    """What can only be had while no match is played."""


@record("begin-enrolling")
class BeginEnrolling(MaintenanceCommand):
    """Find out which stopper closes which barrel; None: of all stoppers of this table."""

    stoppers: tuple[int, ...] | None = None


@record("begin-weighing-empty")
class BeginWeighingEmpty(MaintenanceCommand):
    """Find out what each barrel weighs with its stopper and without stones; None: of all."""

    stoppers: tuple[int, ...] | None = None


@record("begin-weighing-known")
class BeginWeighingKnown(MaintenanceCommand):
    """Find out each cell's gain, with a known mass in barrels weighed empty; None: in all."""

    known_mg: int
    stoppers: tuple[int, ...] | None = None


@record("begin-reading")
class BeginReading(MaintenanceCommand):
    """Tell which stopper closes which barrel, number by number; None: of all stoppers."""

    stoppers: tuple[int, ...] | None = None


@record("read-number")
class ReadNumber(MaintenanceCommand):
    """People have read the number of a barrel, and perhaps counted its stones; None: they err."""

    stopper: int
    number: int | None
    counted: bool = False


@record("begin-practice")
class BeginPractice(MaintenanceCommand):
    """Practise a round without opponents."""


@record("next-mark")
class NextMark(MaintenanceCommand):
    """What was asked in the practice round is done, or should be skipped."""


@record("stop-practice")
class StopPractice(MaintenanceCommand):
    """Stop practising, or do not begin: let us play."""


@record("save-enrolling")
class SaveEnrolling(MaintenanceCommand):
    """All barrels are known, or weighed empty: keep it, and go by it from now on."""


@record("stop-enrolling")
class StopEnrolling(MaintenanceCommand):
    """Leave all as it was before."""


@record("roll-back")
class RollBack(MaintenanceCommand):
    """Go by an earlier calibration again."""

    version: int


@record("begin-measuring")
class BeginMeasuring(MaintenanceCommand):
    """Find out what this table can tell; None: with all of its stoppers."""

    stoppers: tuple[int, ...] | None = None


@record("skip-step")
class SkipStep(MaintenanceCommand):
    """Leave out what is asked now."""


@record("repeat-step")
class RepeatStep(MaintenanceCommand):
    """What was done last was not as asked: it does not count, and is asked again."""


@record("step-unnoticed")
class StepUnnoticed(MaintenanceCommand):
    """It was done as asked, and nothing was noticed."""


@record("stop-measuring")
class StopMeasuring(MaintenanceCommand):
    """It is enough: what was measured so far counts."""


@record("update-stoppers")
class UpdateStoppers(MaintenanceCommand):
    """Give stoppers that run an older firmware the newest, by radio; None: all of them."""

    stoppers: tuple[int, ...] | None = None


@record("stop-updating")
class StopUpdating(MaintenanceCommand):
    """Update no more of them for now."""


@record("try-light")
class TryLight(MaintenanceCommand):
    """Show one light of the board, by its index; None: all of them."""

    light: int | None


@record("try-seat-light")
class TrySeatLight(MaintenanceCommand):
    """Show the light of a seat."""

    colour: str


@record("try-buzzer")
class TryBuzzer(MaintenanceCommand):
    """Have the buzzer sound for a moment."""


@record("stop-trying")
class StopTrying(MaintenanceCommand):
    """Let the lights show again what they showed before."""


@record("join-hall")
class JoinHall(MaintenanceCommand):
    """Have the table belong to the hall of a code, which its director shows."""

    code: str


@record("leave-hall")
class LeaveHall(MaintenanceCommand):
    """Have the table leave its hall."""
