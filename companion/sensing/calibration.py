"""The calibration of each stopper, kept from one evening to the next: weights, zeros, gain, number.

It must not know files: `companion.referee.calibration_store` keeps them, as `calibration_json`
writes them. It holds the numbers of the barrels, so nobody may see it before the game is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.sensing import enrolment, load_cell_faults, weighing


@dataclass(frozen=True, slots=True)
class Zeroed:
    """A cell's zero at one time: nothing takes any, but a file that holds some keeps them."""

    at: str
    raw: int
    temperature_cc: int


@dataclass(frozen=True, slots=True)
class StopperCalibration:
    stopper: int
    node: str
    empty: weighing.Mass | None = None
    barrel: int | None = None
    sure: float = 0.0
    read: bool = False
    enrolled: str | None = None
    whole: weighing.Mass | None = None
    zeros: tuple[Zeroed, ...] = ()
    gain: load_cell_faults.Gain | None = None

    @property
    def scatter(self) -> weighing.Scatter:
        """Return how far apart its set-downs were while it was calibrated."""
        loaded = self.gain.loaded if self.gain else None
        masses = (mass for mass in (self.empty, loaded) if mass is not None)
        return sum((mass.scatter for mass in masses), start=weighing.Scatter())

    @property
    def candidate(self) -> enrolment.Candidate:
        return enrolment.Candidate(empty=self.empty, gain=self.gain, before=self.scatter)


@dataclass(frozen=True, slots=True)
class Calibration:
    saved: str
    stoppers: tuple[StopperCalibration, ...] = ()
    stone_mg: float | None = None

    def for_node(self, node: str) -> StopperCalibration | None:
        """Return what is kept of a stopper by its radio's address."""
        return next((kept for kept in self.stoppers if kept.node == node), None)

    def numbers(self, certain: float) -> dict[int, int]:
        """Return the barrel's number of each stopper of which it is certain."""
        return {
            kept.stopper: kept.barrel
            for kept in self.stoppers
            if kept.barrel is not None and (kept.read or kept.sure >= certain)
        }

    def with_stoppers(self, saved: str, stoppers: Iterable[StopperCalibration]) -> Calibration:
        all_of_them = {kept.node: kept for kept in (*self.stoppers, *stoppers)}
        in_order = sorted(all_of_them.values(), key=lambda kept: kept.stopper)
        return replace(self, saved=saved, stoppers=tuple(in_order))


def with_enrolment(before: Calibration, state: enrolment.Enrolling, at: str) -> Calibration | None:
    """Return it with what an enrolment found out; None until that is finished."""
    verdict = state.verdict
    if verdict is None or verdict.next is not enrolment.Next.DONE:
        return None
    stoppers = []
    for kept in before.stoppers:
        if kept.stopper not in verdict.numbers:
            stoppers.append(replace(kept, barrel=None, sure=0.0, read=False, whole=None))
            continue
        candidate, number = state.candidates[kept.stopper], verdict.numbers[kept.stopper]
        stoppers.append(
            replace(
                kept,
                barrel=number,
                sure=verdict.sure[kept.stopper],
                read=candidate.read is not None,
                enrolled=at,
                whole=candidate.mass,
            )
        )
    return replace(before.with_stoppers(at, stoppers), stone_mg=verdict.stone_mg)
