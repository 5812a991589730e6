"""Enrolment in figures: thirteen barrels weighed together, for every kind of stones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from companion.sensing import weighing
from companion.sensing.settings import Settings
from companion.sensing.weighing import BarrelWeighed, Scales, combined
from companion.simulator.stones import Stones
from companion.simulator.traits import traits
from companion.system.chance import wobble
from research.bench import _drawings
from research.bench._desk import Desk
from research.bench._figures import Figures, share
from research.bench._weighing import KNOWN_G, weigh_evenings

USUAL = Stones.BALLS_4_5_MM
DRAWN = {"weights": Stones.BALLS_4_5_MM, "weights-light": Stones.BALLS_3_MM}
CONFUSED = Stones.BALLS_3_MM
KINDS = tuple(Stones)
QUICK, QUICK_OTHERS, QUICK_DRAWN = 8, 1, 10  # tables
FULL, FULL_OTHERS, FULL_DRAWN = 3000, 300, 60
CHUNK = 25


@dataclass(frozen=True, slots=True)
class Desks:
    """Some tables on which all barrels are weighed."""

    stones: Stones
    seed: int
    tables: int
    drawn: str = ""  # only weighed, for a drawing
    world: str | None = None  # as on the command line

    @property
    def name(self) -> str:
        """How it is called."""
        return f"enrolment {self.stones.name.lower()} {self.seed} x{self.tables}"


@dataclass(slots=True)
class Enrolled:
    """How it went, as counts."""

    stones: Stones
    counts: Counter[str] = field(default_factory=Counter)
    taken_for: Counter[tuple[int, int]] = field(default_factory=Counter)
    drawn: str = ""
    grams: dict[int, list[float]] = field(default_factory=dict)

    def add(self, other: Enrolled) -> None:
        """Count another one's as well."""
        self.counts.update(other.counts)
        self.taken_for.update(other.taken_for)
        for number, found in other.grams.items():
            self.grams.setdefault(number, []).extend(found)


def tasks(part: float, *, draws: bool, world: str | None = None) -> Iterator[Desks]:
    """Yield what is to be weighed; part is the share of all that --full does, or 0."""
    for stones in KINDS:
        quick, full = (QUICK, FULL) if stones is USUAL else (QUICK_OTHERS, FULL_OTHERS)
        left = max(2, round(full * part)) if part else quick
        for seed in range(1, 1 + -(-left // CHUNK)):
            yield Desks(stones, seed, min(CHUNK, left - CHUNK * (seed - 1)), world=world)
    if draws:
        for drawn, stones in DRAWN.items():
            yield Desks(stones, 1, max(QUICK_DRAWN, round(FULL_DRAWN * part)), drawn, world)


def weigh(desks: Desks) -> Enrolled:
    """Do one task."""
    if desks.drawn:
        return Enrolled(desks.stones, drawn=desks.drawn, grams=weights(desks))
    diameter_mm, spread = desks.stones.value
    done = weigh_evenings(desks.seed, desks.tables, diameter_mm, spread, traits=traits(desks.world))
    found = Enrolled(desks.stones)
    for evening in done.evenings:
        found.counts["tables"] += 1
        found.counts["right"] += evening.right
        found.counts["known"] += evening.certain and not evening.wrong
        found.counts["wrong"] += evening.certain and evening.wrong
        found.counts["asked"] += not evening.certain
        found.counts["lifts"] += evening.lifts
        for stopper, number in evening.first.numbers.items():
            found.taken_for[evening.truth[stopper], number] += 1
    return found


def weights(desks: Desks) -> dict[int, list[float]]:
    """Return what the stones of many barrels of each number weigh, as a calibrated cell has it."""
    settings, found = Settings(), dict[int, list[float]]()
    for table in range(desks.tables):
        rng = Random(f"weights {desks.seed} {table}")
        for number in range(1, 14):
            desk = Desk(number, rng, 0.0, traits=traits(desks.world))
            scales, empty = _weighed(Scales(), desk, settings, times=3)
            desk.stones_g = KNOWN_G
            scales, loaded = _weighed(scales, desk, settings, times=3)
            desk.stones_g = sum(desks.stones.draw(number, rng))
            desk.pass_by(86_400.0, 21.0 + 3.0 * wobble(rng))
            _, full = _weighed(scales, desk, settings, times=1)
            if empty is not None and loaded is not None and full is not None:
                stones_g = KNOWN_G * (full - empty) / (loaded - empty)
                found.setdefault(number, []).append(stones_g)
    return found


def _weighed(
    scales: Scales, desk: Desk, settings: Settings, times: int
) -> tuple[Scales, float | None]:
    weighed: list[BarrelWeighed] = []
    for _ in range(times):
        desk.pass_by(10.0)
        for felt in desk.lift(1.5):
            scales, found = weighing.step(scales, felt, settings)
            weighed += found
    mass = combined(weighed)
    return scales, mass.mg if mass else None


def summed(found: Sequence[Enrolled]) -> dict[Stones, Enrolled]:
    """Return the counts of each kind of stones."""
    kinds: dict[Stones, Enrolled] = {}
    for one in found:
        if not one.drawn:
            kinds.setdefault(one.stones, Enrolled(one.stones)).add(one)
    return kinds


def report(found: Sequence[Enrolled]) -> Figures:
    """Return the figures of all; those without a kind in their names are of the usual stones."""
    sums = summed(found)
    kinds = {stones: _figures(sums[stones].counts) for stones in Stones if stones in sums}
    usual = kinds.get(USUAL, _figures(Counter()))
    by_kind = {stones.name.lower(): figures for stones, figures in kinds.items()}
    return usual | {"enrolment": by_kind}


def _figures(counts: Counter[str]) -> Figures:
    of = counts["tables"]
    return {
        **share("enrol_all13_right", counts["right"], of),
        **share("enrol_known", counts["known"], of),
        **share("enrol_wrong_and_certain", counts["wrong"], of),
        **share("enrol_asked_the_table", counts["asked"], of),
        "enrol_lifts": round(counts["lifts"] / of, 1) if of else None,
    }


def table(found: Figures) -> str:
    """Return the figures as a table."""
    rows = ["| stones | all 13 right | asked the table | wrong, and certain | lifts | tables |"]
    rows.append("|---|---|---|---|---|---|")
    for name, one in found["enrolment"].items():
        cells = [
            f"{100 * one[key]:.4g} % ({_reach(one[key + '_ci95'])})"
            for key in ("enrol_all13_right", "enrol_asked_the_table", "enrol_wrong_and_certain")
        ]
        cells += [f"{one['enrol_lifts']}", f"{one['enrol_known_of']:,}"]
        rows.append(f"| {words(Stones[name.upper()])} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _reach(ends: tuple[float, float]) -> str:
    return f"{100 * ends[0]:.3g} to {100 * ends[1]:.3g}"


def words(stones: Stones) -> str:
    """Return how people call a kind of stones.

    >>> words(Stones.STAMPED_4_5_MM)
    'stamped, as heavy as 4.5 mm, 8 %'
    """
    diameter_mm, spread = stones.value
    kind = "balls of" if stones.name.startswith("BALLS") else "stamped, as heavy as"
    return f"{kind} {diameter_mm:g} mm, {spread:.0%}".replace("%", " %")


def plots(found: Sequence[Enrolled]) -> dict[str, str]:
    """Return the drawings by name."""
    drawings = {
        one.drawn: _drawings.weights(one.grams, f"What the stones weigh: {words(one.stones)}")
        for one in found
        if one.drawn
    }
    confused = summed(found).get(CONFUSED)
    if confused:
        title = f"First guess, in %: {words(CONFUSED)}"
        drawings["numbers"] = _drawings.confusion(confused.taken_for, title)
    return drawings
