"""What sensing tells of barrels, kept as far as it matters, and its findings as deeds.

It must not decide what people decide, nor what a barrel means in a game.
"""

from __future__ import annotations

from typing import Final

from companion.referee.deeds import Point, Raised, Tally
from companion.sensing.told import BarrelDoes, Doing, Finding, Taken

SUREST: Final = 99  # percent: nothing that sensors tell is ever wholly certain


class Doings:
    """What the barrels were last said to do, as far as it matters here."""

    def __init__(self) -> None:
        self.flipped: set[int] = set()
        self._felt: set[int] = set()  # those of which it is known what they do
        self._standing: set[int] = set()  # for sure
        self._missed: dict[int, Taken] = {}  # whose pad opened although it stands
        self.cut_off: dict[str, int] = {}  # seats whose pad's cable seems to be out, since when

    def heard(self, told: BarrelDoes) -> Taken | None:
        """Take what a barrel does; return what was held back, if it was lifted after all."""
        if told.doing is Doing.FLIPPED:
            self.flipped.add(told.stopper)
        elif told.doing is not Doing.LOST:
            self.flipped.discard(told.stopper)
        felt = told.doing not in {Doing.LOST, Doing.UNKNOWN}
        (self._felt.add if felt else self._felt.discard)(told.stopper)
        stands = told.doing is Doing.STANDING and told.sure
        (self._standing.add if stands else self._standing.discard)(told.stopper)
        lifted = told.doing not in {Doing.STANDING, Doing.LOST, Doing.UNKNOWN}
        missed = self._missed.pop(told.stopper, None) if lifted else None
        if missed is not None:
            self.cut_off.pop(missed.seat, None)
        return missed

    @property
    def upright(self) -> set[int]:
        """Return the barrels that are surely not flipped."""
        return self._felt - self.flipped

    def believes(self, told: Taken) -> bool:
        """Return whether a barrel was taken: if it surely stands, its pad's cable is out."""
        if told.stopper is None or told.stopper not in self._standing:
            return True
        self._missed[told.stopper] = told
        self.cut_off[told.seat] = told.moment.at_us
        return False

    def forget(self, seat: str | None = None) -> None:
        """Let go of what was held back: a barrel was placed there since, or all begin anew."""
        if seat is not None:
            self.cut_off.pop(seat, None)  # the pad works
        kept = self._missed.items() if seat is not None else ()
        self._missed = {who: one for who, one in kept if one.seat != seat}


def raised(finding: Finding, number: int) -> Raised:
    """Return the deed of a finding, without which barrel it was: that might betray its number."""
    return Raised(
        foul=number,
        code=finding.foul.value,
        weight=finding.weight.value,
        seat=finding.seat,
        length_ms=(finding.to_us - finding.from_us) // 1000,
        percent=min(SUREST, round(100 * finding.confidence)),
        evidence=tuple(
            Point(
                (sample.at_us - finding.from_us) // 1000,
                round(sample.tilt_deg),
                round(1000 * sample.deviation_g),
                sample.stands,
            )
            for sample in finding.evidence
        ),
        counts=tuple(
            Tally((one.at_us - finding.from_us) // 1000, one.in_air, one.at_seats)
            for one in finding.counts
        ),
    )
