"""Tracks how barrels move and which pads are cut off, and numbers fouls that were sensed.

It must not decide what people decide, nor what a barrel means in a game.
"""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from companion.referee.claims import Senses
from companion.referee.events import SUREST, ChartPoint, FoulRaised, HandCount
from companion.referee.match import Match
from companion.referee.replay import FOUL, REMINDER
from companion.sensing.events import (
    BarrelMotion,
    BarrelMoved,
    FoulCode,
    FoulFinding,
    Placed,
    Taken,
    Weight,
)

LATE_US: Final = 3_000_000  # later no radio brings what a stopper says that was just lifted
WEIGHTS: Final = (Weight.FOUL, Weight.WARNING, Weight.WITHDRAWN)  # the gravest counts


class BarrelTracker:
    """What barrels and pads were last said to do, as far as it matters here."""

    def __init__(self, stoppers: AbstractSet[int] = frozenset()) -> None:
        self._stoppers = stoppers  # all of this table
        self.flipped: set[int] = set()
        self._felt: set[int] = set()  # those about which it is known what they do
        self._standing: set[int] = set()  # when they were last heard of…
        self._sure: set[int] = set()  # …and these for sure
        self._touched: set[int] = set()  # since barrels are being chosen
        self._turned: set[int] = set()  # likewise
        self._whole = False  # whether it was watched since then
        self._pads: dict[str, bool] = {}
        self.full: set[str] = set()  # seats where something has stood since before the choosing
        self._missed: dict[int, Taken] = {}  # barrels whose pad opened although they stand
        self._stood: dict[str, Placed] = {}  # at each seat…
        self._left: dict[str, tuple[Placed, int]] = {}  # …or until when, while others chose
        self.cut_off: dict[str, int] = {}  # seats whose pad's cable seems to be out, since when

    def handle_pad(self, colour: str, occupied: bool) -> None:
        """Note that a pad closed or opened: so it works."""
        self._pads[colour] = occupied
        if not occupied:
            self.full.discard(colour)

    def start_choosing(self, *, whole: bool) -> None:
        """Note that barrels are being chosen from now on, or were before anybody watched."""
        self._whole = whole
        self.full = {colour for colour, occupied in self._pads.items() if occupied}
        self._touched = {*self._stoppers} - self._standing
        self._turned = set()

    def senses(self) -> Senses | None:
        """Return what can contradict people now; None: not enough is known."""
        if not self._whole:
            return None
        pads = {colour: on for colour, on in self._pads.items() if colour not in self.cut_off}
        return Senses(pads, self._sure, self._touched, self._turned, self._stoppers)

    def handle_motion(self, moved: BarrelMoved) -> Taken | None:
        """Handle a barrel's motion; return what was held back, if it was lifted after all."""
        stopper, stands = moved.stopper, moved.doing is BarrelMotion.STANDING
        if moved.doing is BarrelMotion.FLIPPED:
            self.flipped.add(stopper)
            self._turned.add(stopper)
        elif moved.doing is not BarrelMotion.LOST:
            self.flipped.discard(stopper)
        felt = moved.doing not in {BarrelMotion.LOST, BarrelMotion.UNKNOWN}
        (self._felt.add if felt else self._felt.discard)(stopper)
        if not stands or (stopper in self._sure and not moved.sure):  # then something was missed
            self._touched.add(stopper)
        (self._standing.add if stands else self._standing.discard)(stopper)
        (self._sure.add if stands and moved.sure else self._sure.discard)(stopper)
        missed = self._missed.pop(stopper, None) if felt and not stands else None
        if missed is not None:
            self.cut_off.pop(missed.seat, None)
        return missed

    @property
    def upright(self) -> set[int]:
        """Return the barrels that are surely not flipped."""
        return self._felt - self.flipped

    def handle_taken(self, taken: Taken) -> bool:
        """Return whether a barrel was taken: if it surely stands, its pad's cable is out."""
        if taken.stopper is None or taken.stopper not in self._sure:
            if taken.seat in self._stood:
                self._left[taken.seat] = self._stood.pop(taken.seat), taken.moment.at_us
            return True
        self._missed[taken.stopper] = taken
        self.cut_off[taken.seat] = taken.moment.at_us
        return False

    def handle_placed(self, placed: Placed, *, certain: bool) -> Taken | None:
        """Note that a seat's pad works; return what was held back, if it stands there instead."""
        missed = self._missed.get(placed.stopper or 0)
        moved = missed if certain and missed is not None and missed.seat != placed.seat else None
        if moved is not None:
            self.forget(moved.seat)
        self.forget(placed.seat)
        self._stood[placed.seat] = placed
        return moved

    def left_after(self, at_us: int) -> tuple[Placed, ...]:
        """Return what stood at seats then, and was taken from there since."""
        return tuple(placed for placed, gone_us in self._left.values() if gone_us > at_us)

    def long_cut_off(self, now_us: int) -> dict[str, int]:
        """Return which pads are said to be cut off: a stopper that was lifted may tell it late."""
        return {
            seat: since_us
            for seat, since_us in self.cut_off.items()
            if now_us - since_us >= LATE_US
        }

    def forget(self, seat: str | None = None) -> None:
        """Forget what was held back: a barrel has been placed there since, or all start over."""
        if seat is not None:
            self.cut_off.pop(seat, None)  # the pad works
            self._left.pop(seat, None)
        else:
            self._stood.clear()
            self._left.clear()
        kept = self._missed.items() if seat is not None else ()
        self._missed = {who: taken for who, taken in kept if taken.seat != seat}


class FoulNumbers:
    """Which foul each finding is about: whoever looks at a barrel again and again does one thing.

    So the table judges it once, as long as it has not ruled. Which barrel it was is kept here and
    told nobody.
    """

    def __init__(self) -> None:
        self._fouls: dict[int, int] = {}  # the number of a finding, as that of a foul
        self._told: dict[int, dict[int, FoulFinding]] = {}  # for each foul, as they were told last

    def knows(self, number: int) -> bool:
        """Return whether a finding was told before."""
        return number in self._fouls

    def keep_only(self, fouls: Iterable[int]) -> None:
        known = {*fouls}
        self._fouls = {number: foul for number, foul in self._fouls.items() if foul in known}
        self._told = {foul: findings for foul, findings in self._told.items() if foul in known}

    def raise_foul(self, match: Match, finding: FoulFinding) -> FoulRaised:
        """Return the event that a finding raises."""
        foul = self._fouls.setdefault(finding.number, self._same(match, finding))
        findings = self._told.setdefault(foul, {})
        findings[finding.number] = finding
        raised = foul_raised(tuple(findings.values()), foul)
        reminds = _reminds(match, foul) and all(each.listening for each in findings.values())
        return replace(raised, weight=REMINDER) if reminds and raised.weight == FOUL else raised

    def _same(self, match: Match, finding: FoulFinding) -> int:
        """Return the open foul of this round to which a new finding only adds, or a new number."""
        now = getattr(match.state, "round", 0)
        for foul in match.fouls:
            before = [*self._told.get(foul.raised.foul, {}).values()]
            open_ = before and foul.upheld is None and foul.round == now
            if open_ and finding.foul is FoulCode.PEEK and _is_same_peek(before[-1], finding):
                return foul.raised.foul
        return match.next_foul


def _reminds(match: Match, number: int) -> bool:
    """Return whether a foul may be the match's reminder, by its house rules: there is one for all.

    Nobody knows whose hand held a barrel; so it cannot be one for each.
    """
    others = (foul for foul in match.fouls if foul.raised.foul != number)
    is_first = all(foul.raised.weight != REMINDER for foul in others)
    ruled = any(foul.raised.foul == number and foul.upheld is not None for foul in match.fouls)
    return match.house.reminder and is_first and not ruled


def _is_same_peek(before: FoulFinding, finding: FoulFinding) -> bool:
    alike = before.foul is finding.foul and before.stoppers == finding.stoppers
    return alike and before.seat == finding.seat


def foul_raised(findings: Sequence[FoulFinding], number: int) -> FoulRaised:
    """Return the event of findings, without the barrel, because that might betray its number."""
    weight = next(
        candidate for candidate in WEIGHTS if candidate in {finding.weight for finding in findings}
    )
    counted = [finding for finding in findings if finding.weight is weight]
    finding = max(
        counted, key=lambda finding: (finding.confidence, finding.to_us - finding.from_us)
    )
    return FoulRaised(
        foul=number,
        code=finding.foul.value,
        weight=weight.value,
        seat=finding.seat,
        length_ms=sum((finding.to_us - finding.from_us) // 1000 for finding in counted),
        percent=min(SUREST, round(100 * finding.confidence)),
        times=len(counted),
        evidence=tuple(
            ChartPoint(
                (sample.at_us - finding.from_us) // 1000,
                round(sample.tilt_deg),
                round(1000 * sample.deviation_g),
                sample.stands,
            )
            for sample in finding.evidence
        ),
        counts=tuple(
            HandCount((count.at_us - finding.from_us) // 1000, count.in_air, count.at_seats)
            for count in finding.counts
        ),
    )
