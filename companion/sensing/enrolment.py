"""Enrolment: finds each barrel's number by weighing all of them, and at last by asking.

It is used before play; what it says is not for the table's eyes later.

    lift each once ──> sure? ──> DONE
                         │ no
                         ├── weighing again can help ──> LIFT these again ──┐
                         ├── some fit no number, twice ──> UNFIT            ├──> sure? …
                         ├── nearly all fit none, nor were empty ──> SHELLS │
                         └── else ──> READ the number of this one ──────────┘
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from math import hypot, sqrt
from typing import Final

from companion.sensing import load_cell_faults, weighing
from companion.sensing.number_inference import BarrelRow, Chance, infer_numbers
from companion.sensing.settings import EnrolmentSettings, Settings
from companion.sensing.weighing import BarrelWeighed, Mass, Scatter, combined
from companion.system.format_names import record

UNWEIGHED_MG: Final = 100_000.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """One stopper on its barrel: set-downs, what is known of its cell, what people have read."""

    weights: tuple[BarrelWeighed, ...] = ()
    empty: Mass | None = None
    read: int | None = None
    counted: bool = False
    gain: load_cell_faults.Gain | None = None
    before: Scatter = field(default=Scatter())  # of what it weighed at other times
    weighs: bool = True

    @property
    def mass(self) -> Mass | None:
        """Return what all its set-downs say."""
        return combined(weighing.without_outliers(self.weights))

    @property
    def times(self) -> int:
        """Return how often it was set down."""
        return mass.times if (mass := self.mass) else 0

    @property
    def scatter(self) -> Scatter:
        """Return how far apart its set-downs have ever been."""
        return self.before + (mass.scatter if (mass := self.mass) else Scatter())


def error_factors(candidates: Mapping[int, Candidate], settings: Settings) -> Mapping[int, float]:
    """Return by how much each one's errors are wider than they are said to be.

    How wide is known from so few set-downs that a bell would be too narrow: what it lacks in its
    tails it gets as width.
    """
    worth = settings.weighing.believed
    usual = weighing.error_factor((candidate.scatter for candidate in candidates.values()), worth)
    wider = {}
    for stopper, candidate in candidates.items():
        freedom = worth + candidate.scatter.freedom
        wider[stopper] = candidate.scatter.error_factor(usual, worth) * sqrt(
            freedom / (freedom - 2)
        )
    return wider


def barrel_row(candidate: Candidate, wider: float, settings: Settings) -> BarrelRow:
    """Return what its stones weigh, as far as that can be known."""
    enrolment, gain = settings.enrolment, candidate.gain
    shows, doubt = (gain.shows, gain.doubt) if gain else (1.0, settings.weighing.gain)
    mass, empty = candidate.mass, candidate.empty
    read, counted = candidate.read, candidate.counted
    full_mg = mass.mg if mass else enrolment.shell_mg
    sd_mg = wider * max(mass.sd_mg, enrolment.least_sd_mg) if mass else UNWEIGHED_MG
    if empty is not None:
        sd_mg = hypot(sd_mg, wider * empty.sd_mg) / shows
        return BarrelRow((full_mg - empty.mg) / shows, sd_mg**2, True, read, counted, doubt)
    full_mg /= shows  # the gain's doubt is one of the whole barrel
    sd_mg = hypot(sd_mg / shows, enrolment.shell_own_mg, doubt * full_mg)
    return BarrelRow(full_mg - enrolment.shell_mg, sd_mg**2, False, read, counted)


def worth_weighing_again(
    candidates: Mapping[int, Candidate], stone_mg: float, settings: Settings
) -> frozenset[int]:
    """Return which ones would differ clearly from their neighbours if weighed often enough."""
    wider = error_factors(candidates, settings)
    return frozenset(
        stopper
        for stopper, candidate in candidates.items()
        if _can_help(candidate, wider[stopper], stone_mg, settings)
    )


def _can_help(candidate: Candidate, wider: float, stone_mg: float, settings: Settings) -> bool:
    enrolment, most = settings.enrolment, settings.enrolment.most_set_downs
    mass = candidate.mass
    if not candidate.weighs or candidate.read is not None or (mass and mass.times >= most):
        return False
    if mass is None or mass.sd_mg > enrolment.usable_mg:
        return True
    now = barrel_row(candidate, wider, settings)
    anew = (wider * mass.sd_mg) ** 2 * (1 - mass.times / most)  # what more of it can remove
    at_best = hypot(sqrt(max(0.0, now.variance - anew)), now.share * now.mg)
    return stone_mg >= enrolment.worth_sd * sqrt(2) * at_best


def settings_for_empty_weight(empty_g: float) -> Settings:
    """Return the settings for barrels that weigh this much with their stopper and without stones.

    >>> settings_for_empty_weight(36.0).enrolment.shell_mg
    36000.0
    """
    return Settings(enrolment=EnrolmentSettings(shell_mg=1000.0 * empty_g))


class Next(Enum):
    LIFT = "Lift these barrels for a second, one by one, and set them down again."
    ENTER = "Lift a barrel, look under it and enter its number; then the next one."
    READ = "The weights do not tell these barrels apart: enter the number under the first of them."
    UNFIT = (
        "These barrels fit no number: count their stones, and check that each has its own "
        "stopper; then lift them again, or enter their numbers if everything is as it should be."
    )
    SHELLS = (
        "Nearly all of these barrels fit no number, as if empty ones weighed something else: stop, "
        "and weigh them empty first, or write what one weighs as empty_g under [barrels] in "
        "table.toml."
    )
    DONE = "All barrels are known."


@dataclass(frozen=True, slots=True)
class Read:
    """People have read the number of a barrel, and perhaps counted its stones; None: they err."""

    stopper: int
    number: int | None
    counted: bool = False


@record("Guess")
class Guess:
    """A number that a barrel may bear, and how likely that is."""

    number: int
    probability: float


@dataclass(frozen=True, slots=True)
class EnrolmentVerdict:
    next: Next
    whom: tuple[int, ...]  # the stoppers concerned, the most urgent first
    numbers: Mapping[int, int]  # the likeliest assignment, by stopper
    probability: float  # that all of it is right
    guesses: Mapping[int, tuple[Guess, ...]]  # of each, the likeliest first
    sure: Mapping[int, float]  # how likely each one's number in it is
    odd: Mapping[int, float]  # how likely each one lacks a stone, or is something else
    stone_mg: float

    def certain(self, settings: Settings) -> Mapping[int, int]:
        """Return the barrels that need not be asked, whatever is open about others."""
        return {
            stopper: number
            for stopper, number in self.numbers.items()
            if self.sure[stopper] * (1 - self.odd[stopper]) >= settings.certain
        }


@dataclass(frozen=True, slots=True)
class Enrolling:
    candidates: Mapping[int, Candidate]
    open: frozenset[int]  # to be lifted before anything is concluded
    verdict: EnrolmentVerdict | None = field(default=None)
    by_hand: bool = False  # people enter every number, and weights only check

    @classmethod
    def start(cls, candidates: Mapping[int, Candidate], *, by_hand: bool = False) -> Enrolling:
        """Begin with these stoppers, and what is known of them."""
        weigh = frozenset(stopper for stopper, candidate in candidates.items() if candidate.weighs)
        if by_hand or not weigh:
            return cls(candidates, frozenset(), _entering(candidates), by_hand=True)
        return cls(candidates, weigh)


def step(
    state: Enrolling, seen: BarrelWeighed | Read, settings: Settings
) -> tuple[Enrolling, tuple[EnrolmentVerdict, ...]]:
    """Handle a weight, or a number that was read; return what follows as soon as something does."""
    candidate = state.candidates.get(seen.stopper)
    if candidate is None:
        return state, ()
    if isinstance(seen, Read):
        candidates, waiting = _read(state.candidates, seen), state.open - {seen.stopper}
    elif state.verdict and state.verdict.next is Next.DONE:
        return state, ()  # they begin to play
    else:
        was_unfit = (
            state.verdict and state.verdict.next is Next.UNFIT and seen.stopper in state.open
        )
        before = () if was_unfit else candidate.weights  # it has been repaired since
        candidate = replace(candidate, weights=(*before, seen))
        candidates, waiting = {**state.candidates, seen.stopper: candidate}, state.open
        if seen.sd_mg <= settings.enrolment.usable_mg and _often(candidate, settings):
            waiting -= {seen.stopper}
    if waiting:
        return replace(state, candidates=candidates, open=waiting), ()
    if state.by_hand and any(candidate.read is None for candidate in candidates.values()):
        verdict = _entering(candidates)
        verdicts = (verdict,) if isinstance(seen, Read) else ()
        return replace(state, candidates=candidates, verdict=verdict), verdicts
    verdict = evaluate(candidates, settings)
    again = verdict.whom if verdict.next in (Next.LIFT, Next.UNFIT) else ()
    return replace(state, candidates=candidates, open=frozenset(again), verdict=verdict), (verdict,)


def _entering(candidates: Mapping[int, Candidate]) -> EnrolmentVerdict:
    """Return what is known while people enter numbers."""
    read = {
        stopper: candidate.read
        for stopper, candidate in candidates.items()
        if candidate.read is not None
    }
    unread = tuple(sorted(candidates.keys() - read.keys()))
    sure = dict.fromkeys(read, 1.0)
    return EnrolmentVerdict(Next.ENTER, unread, read, 0.0, {}, sure, dict.fromkeys(read, 0.0), 0.0)


def _read(candidates: Mapping[int, Candidate], seen: Read) -> dict[int, Candidate]:
    """Return them with the number that was read; whichever had it before was misread."""
    after = dict(candidates)
    for stopper, candidate in candidates.items():
        if stopper == seen.stopper:
            after[stopper] = replace(candidate, read=seen.number, counted=seen.counted)
        elif candidate.read == seen.number:
            after[stopper] = replace(candidate, read=None, counted=False)
    return after


def _often(candidate: Candidate, settings: Settings) -> bool:
    return candidate.times >= settings.enrolment.set_downs


def evaluate(candidates: Mapping[int, Candidate], settings: Settings) -> EnrolmentVerdict:
    """Return what follows from all that was weighed and read."""
    stoppers = sorted(candidates)
    wider = error_factors(candidates, settings)
    rows = [barrel_row(candidates[stopper], wider[stopper], settings) for stopper in stoppers]
    chance = infer_numbers(rows, settings.enrolment)
    guesses = {}
    for stopper, likely in zip(stoppers, chance.likely, strict=True):
        ranked = sorted(likely.items(), key=lambda pair: (-pair[1], pair[0]))
        guesses[stopper] = tuple(Guess(number, part) for number, part in ranked)
    numbers = dict(zip(stoppers, chance.best, strict=True))
    sure = {
        stopper: chance.likely[at].get(numbers[stopper], 0.0) for at, stopper in enumerate(stoppers)
    }
    weighed = (candidates[stopper].times > 0 for stopper in stoppers)  # else nothing can be odd
    odd = {
        stopper: part * known
        for stopper, part, known in zip(stoppers, chance.odd, weighed, strict=True)
    }
    then, whom = _next(candidates, chance, sure, odd, settings)
    return EnrolmentVerdict(
        then, whom, numbers, chance.probability, guesses, sure, odd, chance.stone_mg
    )


def _next(
    candidates: Mapping[int, Candidate],
    chance: Chance,
    sure: Mapping[int, float],
    odd: Mapping[int, float],
    settings: Settings,
) -> tuple[Next, tuple[int, ...]]:
    enrolment, oddness = settings.enrolment, sum(odd.values())
    expected = len(candidates) * (enrolment.lost + enrolment.strange)
    if oddness > enrolment.against * expected:  # the weights speak for it that something is odd
        unknown = not any(candidate.empty for candidate in candidates.values())
        if unknown and oddness > enrolment.nearly_all * len(candidates):
            return Next.SHELLS, ()
        whom = sorted(odd, key=lambda stopper: -odd[stopper])
        whom = [stopper for stopper in whom if odd[stopper] >= enrolment.told * oddness] or whom[:1]
        patient = 2 if oddness >= enrolment.odd else enrolment.most_set_downs
        again = [stopper for stopper in whom if candidates[stopper].times < patient]
        return (Next.LIFT, tuple(again)) if again else (Next.UNFIT, tuple(whom))
    if chance.probability >= enrolment.enrolled:
        return Next.DONE, ()
    each = 1 - (1 - enrolment.enrolled) / len(candidates)
    whom = [
        stopper
        for stopper in sorted(sure, key=lambda stopper: sure[stopper])
        if sure[stopper] < each
    ]
    worth = worth_weighing_again(candidates, chance.stone_mg, settings)
    again = [stopper for stopper in whom if stopper in worth]
    if again:
        return Next.LIFT, tuple(again)
    return Next.READ, tuple(stopper for stopper in whom if candidates[stopper].read is None)
