"""Evenings on which barrels are enrolled: the cell's model, the firmware's own scale, and hands.

Nothing but weighing: no air, no accelerometer; a hand is a load over time, and warmth. It is fast
enough for thousands of enrolments; the whole table is in `tests/scenarios`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from random import Random

from companion.maintenance.known_weights import KnownWeights
from companion.sensing import enrolment, weighing
from companion.sensing.calibration import StopperCalibration
from companion.sensing.enrolment import Candidate, Enrolling, EnrolmentVerdict, Next, Read
from companion.sensing.settings import Settings
from companion.sensing.weighing import BarrelWeighed, Scales
from companion.simulator.hand_params import between
from companion.simulator.stones import SHELL_G, STEEL_G_MM3
from companion.simulator.traits import KIND, Imperfections, traits
from companion.system.chance import mixed, wobble
from research.bench._desk import STRAIGHT, Desk
from research.bench._odds import wilson

PI_6 = 0.5235987755982988
KNOWN_G = 33.9  # 91 balls of 4.5 mm: what cells are calibrated with
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 1.0)


@dataclass(frozen=True, slots=True)
class Evening:
    """How one enrolment went."""

    right: bool  # the likeliest way was the true one before anybody was asked
    certain: bool  # it came to an end without anybody being asked
    wrong: bool  # it came to an end, and is wrong
    read: int  # how many numbers people were asked for
    lifts: int
    unfit: bool  # it wanted stones to be counted
    first: EnrolmentVerdict  # what was believed after everybody had been lifted once
    truth: dict[int, int]


@dataclass(frozen=True, slots=True)
class Result:
    """How many enrolments went."""

    stone_mm: float
    spread: float
    empty: bool
    evenings: tuple[Evening, ...] = field(repr=False)

    def share(self, name: str) -> tuple[float, float, float]:
        """Return the share of evenings that are so, with a 95 % interval."""
        hits, count = sum(bool(getattr(one, name)) for one in self.evenings), len(self.evenings)
        return (hits / count, *wilson(hits, count))

    @property
    def wrong_and_certain(self) -> tuple[float, float, float]:
        """Return the share that ended without a question, and wrongly."""
        hits = sum(one.certain and one.wrong for one in self.evenings)
        return (hits / len(self.evenings), *wilson(hits, len(self.evenings)))

    def reliability(self) -> list[tuple[float, float, int, float, float]]:
        """Return for ranges of probability: how many guesses, what was said, what was true."""
        said: Counter[int] = Counter()
        true: Counter[int] = Counter()
        sums: Counter[int] = Counter()
        for one in self.evenings:
            for stopper, guesses in one.first.guesses.items():
                for guess in guesses:
                    at = sum(guess.probability >= edge for edge in BINS[1:-1])
                    said[at] += 1
                    true[at] += one.truth[stopper] == guess.number
                    sums[at] += round(1e9 * guess.probability)
        return [
            (BINS[at], BINS[at + 1], said[at], sums[at] / 1e9 / said[at], true[at] / said[at])
            for at in sorted(said)
        ]


def weigh_evenings(
    seed: int,
    how_many: int,
    stone_mm: float = 4.5,
    spread: float = 0.02,
    *,
    empty: bool = True,
    known_g: float = KNOWN_G,
    barrels: int = 13,
    lost: bool = False,
    shell_g: float = SHELL_G,
    settings: Settings | None = None,
    traits: Imperfections = KIND,
    tilts_deg: tuple[float, float] = STRAIGHT,
) -> Result:
    """Enrol so many tables, each with its own barrels, cells and hands."""
    how = settings or Settings()
    stone_g = STEEL_G_MM3 * PI_6 * stone_mm**3
    evenings = tuple(
        _Table(Random(f"{seed} {at}"), how, barrels, shell_g, known_g, traits, tilts_deg)
        .fill(stone_g, spread, empty=empty, lost=lost)
        .enrol()
        for at in range(how_many)
    )
    return Result(stone_mm, spread, empty, evenings)


class _Table:
    """One table with its barrels, and the host's ear for them."""

    def __init__(  # noqa: PLR0917 - all that a table can be like
        self,
        rng: Random,
        settings: Settings,
        barrels: int,
        shell_g: float,
        known_g: float,
        traits: Imperfections,
        tilts_deg: tuple[float, float],
    ) -> None:
        self._known_g = known_g
        self._rng, self._settings = rng, settings
        self.truth = dict(enumerate(mixed(rng, range(1, 14))[:barrels], 1))
        self._desks = {
            stopper: Desk(stopper, rng, 0.0, shell_g, traits=traits, tilts_deg=tilts_deg)
            for stopper in self.truth
        }
        self._scales = Scales()
        self._cells: dict[int, Candidate] = {}
        self._poorer = 0

    def fill(self, stone_g: float, spread: float, *, empty: bool, lost: bool) -> _Table:
        """Weigh all barrels empty, and calibrate; fill them, and let a day pass."""
        rng = self._rng
        self._poorer = 1 + int(rng.random() * len(self.truth)) if lost else 0
        for stopper, desk in self._desks.items():
            self._cells[stopper] = self._calibrated(stopper) if empty else Candidate()
            count = self.truth[stopper] - (stopper == self._poorer)
            desk.stones_g = sum(stone_g * (1 + spread * wobble(rng)) for _ in range(count))
            desk.pass_by(86_400.0, 21.0 + 3.0 * wobble(rng))
        return self

    def _calibrated(self, stopper: int) -> Candidate:
        """Weigh a barrel empty, and with a known mass in it, as often as the workshop asks for."""
        kept = StopperCalibration(stopper, "")
        for known_g in (0.0, self._known_g)[: 1 + (self._known_g > 0)]:
            self._desks[stopper].stones_g = known_g
            kept = self._known(kept, round(1000 * known_g) or None)
        return kept.candidate

    def _known(self, kept: StopperCalibration, known_mg: int | None) -> StopperCalibration:
        last: list[BarrelWeighed] = []
        known = KnownWeights(
            [kept], lambda _: last[-1] if last else None, self._settings.weighing, known_mg
        )
        while known.left:
            last += self._lift(kept.stopper)
            known.tick()
        found = known.results("")
        assert found
        return found[0]

    def enrol(self) -> Evening:
        """Do what the procedure asks for, until it is done or wants the stones counted."""
        state, lifts, read = Enrolling.start(self._cells), 0, 0
        first, right, unfit = None, False, False
        while True:
            for stopper in sorted(state.open):
                lifts += 1
                for one in self._lift(stopper):
                    state, _ = enrolment.step(state, one, self._settings)
            verdict = state.verdict
            if verdict is None:
                continue
            first = first or verdict
            right = right if read else dict(verdict.numbers) == self.truth
            done, unfit = verdict.next is Next.DONE, unfit or verdict.next is Next.UNFIT
            if done or (unfit and self._poorer in verdict.whom):
                wrong = done and (dict(verdict.numbers) != self.truth or self._poorer > 0)
                certain = done and not read
                return Evening(right, certain, wrong, read, lifts, unfit, first, self.truth)
            if verdict.next is not Next.LIFT:
                read += 1
                asked, counted = verdict.whom[0], verdict.next is Next.UNFIT
                seen = Read(asked, self.truth[asked], counted)
                state, _ = enrolment.step(state, seen, self._settings)

    def _lift(self, stopper: int) -> list[BarrelWeighed]:
        weights: list[BarrelWeighed] = []
        desk, rng = self._desks[stopper], self._rng
        desk.pass_by(between(rng, 1.0, 60.0))
        for felt in desk.lift(between(rng, 0.8, 4.0)):
            self._scales, found = weighing.step(self._scales, felt, self._settings)
            weights += found
        return weights


def main() -> None:
    """Say how enrolments went, as a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evenings", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stones", type=float, nargs="*", default=[3.0, 4.0, 4.5, 5.0])
    parser.add_argument("--spreads", type=float, nargs="*", default=[0.02, 0.08])
    parser.add_argument("--never-empty", action="store_true", help="what shells weigh is not known")
    parser.add_argument("--barrels", type=int, default=13)
    parser.add_argument("--known", type=float, default=KNOWN_G, help="g; 0: no calibration")
    parser.add_argument("--world", help="kind, honest, or traits such as foot,gain")
    parser.add_argument("--tilts", type=float, nargs=2, default=STRAIGHT, help="of lifts, degrees")
    parser.add_argument("--lost", action="store_true", help="one barrel lacks a stone")
    chosen = parser.parse_args()
    for stone_mm in chosen.stones:
        for spread in chosen.spreads:
            _report(chosen, stone_mm, spread)


def _report(chosen: argparse.Namespace, stone_mm: float, spread: float) -> None:
    result = weigh_evenings(
        chosen.seed, chosen.evenings, stone_mm, spread, empty=not chosen.never_empty,
        barrels=chosen.barrels, lost=chosen.lost, known_g=chosen.known,
        traits=traits(chosen.world), tilts_deg=tuple(chosen.tilts),
    )  # fmt: skip
    count = len(result.evenings)
    print(f"{stone_mm} mm, {spread:.0%}, {count} evenings:")
    for name in ("right", "certain", "read", "unfit"):
        print(f"  {name:20}" + "{:8.4f}  [{:.4f}, {:.4f}]".format(*result.share(name)))
    print(
        f"  {'wrong and certain':20}"
        + "{:8.4f}  [{:.4f}, {:.4f}]".format(*result.wrong_and_certain)
    )
    reads = sum(one.read for one in result.evenings) / count
    lifts = sum(one.lifts for one in result.evenings) / count
    print(
        f"  questions {reads:.2f}, lifts {lifts:.1f} an evening; right after the first lifts, by p:"
    )
    for low, high, said, mean, true in result.reliability():
        off = sqrt(max(mean * (1 - mean), 1e-9) / said)
        print(f"    {low:5.3f}-{high:5.3f} {said:7} said {mean:.4f} true {true:.4f} ± {off:.4f}")


if __name__ == "__main__":
    main()
