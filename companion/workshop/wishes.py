"""What people want of the workshop, as data."""

from __future__ import annotations

from dataclasses import dataclass

from companion.referee.commands import Wish


@dataclass(frozen=True, slots=True)
class WorkshopWish(Wish):
    """What can only be had while no match is played."""


@dataclass(frozen=True, slots=True)
class BeginEnrolling(WorkshopWish):
    """Find out which stopper closes which barrel; None: of all stoppers of this table."""

    stoppers: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class BeginWeighingEmpty(WorkshopWish):
    """Find out what each barrel weighs with its stopper and without stones; None: of all."""

    stoppers: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class BeginWeighingKnown(WorkshopWish):
    """Find out each cell's gain, with a known mass in barrels weighed empty; None: in all."""

    known_mg: int
    stoppers: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class BeginReading(WorkshopWish):
    """Tell which stopper closes which barrel, number by number; None: of all stoppers."""

    stoppers: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class ReadNumber(WorkshopWish):
    """People have read the number of a barrel, and perhaps counted its stones; None: they err."""

    stopper: int
    number: int | None
    counted: bool = False


@dataclass(frozen=True, slots=True)
class BeginPractice(WorkshopWish):
    """Practise a round without opponents."""


@dataclass(frozen=True, slots=True)
class NextMark(WorkshopWish):
    """What was asked in the practice round is done, or should be skipped."""


@dataclass(frozen=True, slots=True)
class StopPractice(WorkshopWish):
    """Stop practising, or do not begin: let us play."""


@dataclass(frozen=True, slots=True)
class SaveEnrolling(WorkshopWish):
    """All barrels are known, or weighed empty: keep it, and go by it from now on."""


@dataclass(frozen=True, slots=True)
class StopEnrolling(WorkshopWish):
    """Leave all as it was before."""


@dataclass(frozen=True, slots=True)
class RollBack(WorkshopWish):
    """Go by an earlier calibration again."""

    version: int


@dataclass(frozen=True, slots=True)
class BeginMeasuring(WorkshopWish):
    """Find out what this table can tell; None: with all of its stoppers."""

    stoppers: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class SkipStep(WorkshopWish):
    """Leave out what is asked now."""


@dataclass(frozen=True, slots=True)
class RepeatStep(WorkshopWish):
    """What was done last was not as asked: it does not count, and is asked again."""


@dataclass(frozen=True, slots=True)
class StepUnnoticed(WorkshopWish):
    """It was done as asked, and nothing was noticed."""


@dataclass(frozen=True, slots=True)
class StopMeasuring(WorkshopWish):
    """It is enough: what was measured so far counts."""


@dataclass(frozen=True, slots=True)
class UpdateStoppers(WorkshopWish):
    """Give stoppers that run an older firmware the newest, by radio; None: all of them."""

    stoppers: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class StopUpdating(WorkshopWish):
    """Update no more of them for now."""


@dataclass(frozen=True, slots=True)
class TryLight(WorkshopWish):
    """Show one light of the board, by its index; None: all of them."""

    light: int | None


@dataclass(frozen=True, slots=True)
class TrySeatLight(WorkshopWish):
    """Show the light of a seat."""

    colour: str


@dataclass(frozen=True, slots=True)
class TryBuzzer(WorkshopWish):
    """Have the buzzer sound for a moment."""


@dataclass(frozen=True, slots=True)
class StopTrying(WorkshopWish):
    """Let the lights show again what they showed before."""


@dataclass(frozen=True, slots=True)
class JoinHall(WorkshopWish):
    """Have the table belong to the hall of a code, which its director shows."""

    code: str


@dataclass(frozen=True, slots=True)
class LeaveHall(WorkshopWish):
    """Have the table leave its hall."""
