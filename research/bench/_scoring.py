"""What sensing made of an evening, held against the truth; counts, and nothing but counts.

It must not know how a detector decides: whether a label could be read is geometry, who placed what
is in the log of what hands did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from companion.sensing.events import FoulCode, FoulFinding, Placed, SensingEvent, Weight
from companion.sensing.settings import Settings
from companion.sensing.tampering import Suspect
from companion.simulator.ground_truth import TAKING, Happening, What
from rappelwacht_research.breadboard import KINDS
from rappelwacht_research.exposures import Exposure
from research.bench._evenings import Recorded

READ_US = 100_000  # an eye needs that long for a number; a shorter sight of it excuses no foul
NEAR_US = 300_000  # by how much a finding's span may miss the exposure that it is about
OF_LABELS = (FoulCode.PEEK, FoulCode.EARLY_FLIP)  # who turns a barrel over tilts it before
TURNED_DEG = 120.0  # no barrel that was tilted less was turned over
EARLY_US = 500_000  # a pad may close before the foot is quite down
HANDLED = (
    What.SHAKEN,
    What.HEFTED,
    What.HANDED_OVER,
    What.CARRIED,
    What.DROPPED,
    What.FLIPPED,
    What.PLACED,
    What.PUT_BACK,
    What.KICKED,
)
Heard = Sequence[tuple[int, SensingEvent | Suspect]]  # each with the time at which it was told


@dataclass(frozen=True, slots=True)
class Look:
    """A label that somebody could read while it is forbidden, and what came of it."""

    span_ms: float
    warned_ms: float | None  # after it became readable; None: never
    ruled_ms: float | None
    blind: bool  # the stopper was broken on purpose
    tilt_deg: float = 90.0  # on the average
    manner: str = ""  # how somebody looked, if it was meant


@dataclass(frozen=True, slots=True)
class SetDown:
    """A chosen barrel at a seat, how close in time the next set-down was, and what was told."""

    gap_ms: float
    outcome: str  # right, asked, silent, wrong: certain and wrong, if only for a while
    blind: bool


@dataclass(frozen=True, slots=True)
class Accusation:
    """A finding, and what it was about."""

    code: str
    weight: str  # foul: as which it was told at least once; else warning
    cause: str  # peek; lying: in nobody's hand; nothing
    stands: bool  # it was not withdrawn
    seen_ms: float  # for how long the label could be read, if that is its cause


@dataclass(slots=True)
class Score:
    """All counts of one evening, or of many."""

    handlings: int = 0  # a barrel taken into a hand, until it leaves it
    acts: Counter[str] = field(default_factory=Counter)
    looks: list[Look] = field(default_factory=list)
    set_downs: list[SetDown] = field(default_factory=list)
    accusations: list[Accusation] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Count another one's as well."""
        self.handlings += other.handlings
        self.acts.update(other.acts)
        self.looks += other.looks
        self.set_downs += other.set_downs
        self.accusations += other.accusations


def total(scores: Iterable[Score]) -> Score:
    """Return many scores as one."""
    found = Score()
    for score in scores:
        found.add(score)
    return found


def score(recorded: Recorded, heard: Heard, settings: Settings) -> Score:
    """Return what sensing got right, left open, and got wrong."""
    happenings = recorded.happenings
    return Score(
        sum(one.what in TAKING for one in happenings),
        Counter(one.what.name.lower() for one in happenings if one.what in HANDLED),
        list(_looks(recorded, heard)),
        list(_set_downs(recorded, heard, settings)),
        list(_accusations(recorded, heard)),
    )


# --- peeks ------------------------------------------------------------------------------------


def forbidden(recorded: Recorded, exposures: Sequence[Exposure]) -> list[Exposure]:
    """Return those that begin while people choose."""
    return [
        one
        for one in exposures
        if any(begin <= one.from_us < end for begin, end in recorded.choosing)
    ]


def _looks(recorded: Recorded, heard: Heard) -> Iterator[Look]:
    peeks = [
        (at, one) for at, one in heard if isinstance(one, FoulFinding) and one.foul in OF_LABELS
    ]
    for exposure in forbidden(recorded, recorded.exposures):
        stopper = recorded.stopper_of[exposure.barrel]
        numbers = {one.number for _, one in peeks if _about(one, stopper, exposure)}
        about = [(at, one) for at, one in peeks if one.number in numbers]  # told before its end
        warned = [at for at, one in about if one.weight is not Weight.WITHDRAWN]
        ruled = [at for at, one in about if one.weight is Weight.FOUL]
        after = [
            max(0.0, (min(times) - exposure.from_us) / 1000) if times else None
            for times in (warned, ruled)
        ]
        blind, manner = stopper in recorded.ill, _manner(recorded, exposure)
        yield Look(exposure.span_ms, after[0], after[1], blind, exposure.tilt_deg, manner)


def _manner(recorded: Recorded, exposure: Exposure) -> str:
    """Return how somebody looked, or what else was done with a barrel when it could be read."""
    done = [
        one.manner or one.what.name.lower()
        for one in recorded.happenings
        if one.barrel == exposure.barrel
        and one.at_us < exposure.to_us
        and exposure.from_us < one.until_us
    ]
    return done[-1] if done else "held"


def _about(finding: FoulFinding, stopper: int, exposure: Exposure) -> bool:
    return (
        stopper in finding.stoppers
        and finding.from_us - NEAR_US < exposure.to_us
        and finding.to_us + NEAR_US > exposure.from_us
    )


def _accusations(recorded: Recorded, heard: Heard) -> Iterator[Accusation]:
    findings: dict[int, list[FoulFinding]] = {}
    for _, one in heard:
        if isinstance(one, FoulFinding):
            findings.setdefault(one.number, []).append(one)
    for told in findings.values():
        last, weights = told[-1], {one.weight for one in told}
        seen_ms = lying_ms = 0.0
        if last.foul in OF_LABELS:
            seen_ms = _readable_ms(recorded, recorded.exposures, last)
            lying_ms = _readable_ms(recorded, recorded.accidents, last)
        cause = "peek" if seen_ms else "lying" if lying_ms else "nothing"
        weight = "foul" if Weight.FOUL in weights else "warning"
        stands = last.weight is not Weight.WITHDRAWN
        yield Accusation(last.foul.value, weight, cause, stands, max(seen_ms, lying_ms))


def _readable_ms(recorded: Recorded, exposures: Sequence[Exposure], about: FoulFinding) -> float:
    spans = [
        one.span_ms
        for one in forbidden(recorded, exposures)
        if one.to_us - one.from_us >= READ_US
        and (about.foul is FoulCode.PEEK or one.tilt_deg >= TURNED_DEG)
        and any(_about(about, stopper, one) for stopper in [recorded.stopper_of[one.barrel]])
    ]
    return max(spans, default=0.0)


# --- seats ------------------------------------------------------------------------------------


def _set_downs(recorded: Recorded, heard: Heard, settings: Settings) -> Iterator[SetDown]:
    touches = [one for one in recorded.happenings if one.what in (What.PLACED, What.PUT_BACK)]
    for one in touches:
        if one.what is not What.PLACED or one.other is None or one.barrel is None:
            continue
        others = [abs(touch.at_us - one.at_us) for touch in touches if touch is not one]
        stopper = recorded.stopper_of[one.barrel]
        outcome = _outcome(_told_of(recorded, heard, one), stopper, recorded, settings)
        yield SetDown(min(others) / 1000, outcome, stopper in recorded.ill)


def taken_us(recorded: Recorded, placed: Happening) -> int:
    """Return when a barrel that was placed is taken again, or the evening's end."""
    return min(
        (
            one.at_us
            for one in recorded.happenings
            if one.at_us > placed.at_us
            and one.barrel == placed.barrel
            and one.what in (What.LIFTED, What.FLIPPED)
        ),
        default=recorded.end_us,
    )


def _told_of(recorded: Recorded, heard: Heard, placed: Happening) -> list[Placed]:
    """Return what was told of a seat from the set-down until the barrel is taken again."""
    until_us = taken_us(recorded, placed)
    assert placed.other is not None
    seat = placed.other.name.lower()
    return [
        one
        for at, one in heard
        if isinstance(one, Placed)
        and one.seat == seat
        and placed.at_us - EARLY_US < at < until_us
        and one.moment.at_us > placed.at_us - EARLY_US
    ]


def _outcome(told: Sequence[Placed], stopper: int, recorded: Recorded, settings: Settings) -> str:
    if not told:
        return "silent"

    def certain(one: Placed) -> bool:
        return one.confidence >= settings.certain and len(one.candidates) < 2

    if KINDS[recorded.session.kind].cell is None:  # its pad tells when, and people tap who
        told = [one for one in told if one.stopper is not None]
        if not told:
            return "asked"

    def right(one: Placed) -> bool:
        return one.stopper == stopper or (one.stopper is None and stopper in recorded.ill)

    if any(certain(one) and not right(one) for one in told):
        return "wrong"
    return "right" if certain(told[-1]) else "asked"
