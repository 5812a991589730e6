"""What sensing tells, as deeds of a match of Zapp Zerapp: placing, taking back, flipping, fouls.

It must not decide what people decide, and it asks for a barrel's number only once all are flipped.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Final

from companion.core.game import Illegal, Ruling
from companion.games.zapp_zerapp.rules import (
    EMPTY,
    OUT,
    UNREAD,
    Colour,
    Flip,
    Phase,
    Place,
    PutBack,
    Say,
    SitOut,
    State,
)
from companion.referee.deeds import Cost, Deed, Point, Raised, Stood, Tally
from companion.referee.match import Foul, Match, did
from companion.sensing.told import BarrelDoes, Doing, Finding, Placed, Taken

SENSORS: Final = "sensors"
SUREST: Final = 99  # percent: nothing that sensors tell is ever wholly certain
NumberOf = Callable[[int], int | None]  # of a stopper, if it is certain


def seat_of(colour: str) -> Colour:
    """Return the seat that wears a colour.

    >>> seat_of("blue")
    <Colour.BLUE: 2>
    """
    return Colour[colour.upper()]


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


def standing(match: Match | None) -> tuple[tuple[str, int], ...]:
    """Return which stopper stands at which seat, while barrels are placed and nobody has flipped.

    What stood there in an earlier round says nothing of this one.
    """
    if match is None or not isinstance(match.state, State):
        return ()
    state = match.state
    if state.phase not in {Phase.PLACE, Phase.FLIP}:
        return ()
    return tuple(
        (seat, stopper)
        for seat, stopper in match.stood
        if stopper is not None and state.barrels[seat_of(seat)] not in {EMPTY, OUT}
    )


def placed(match: Match, told: Placed, certain: float) -> tuple[Deed, ...]:
    """Return what a barrel on a seat's pad means: it is placed, whichever it is."""
    state: State = match.state
    seat = seat_of(told.seat)
    deeds: list[Deed] = []
    if state.phase is Phase.PLACE and seat in state.queue:
        deeds.append(did(Place(seat), SENSORS))
    elif state.phase not in {Phase.PLACE, Phase.FLIP} or state.barrels[seat] in {EMPTY, OUT}:
        return ()
    known = told.stopper if told.confidence >= certain else None
    if dict(match.stood).get(told.seat) != known:
        deeds.append(Stood(told.seat, known))
    return tuple(deeds)


def taken(match: Match, told: Taken) -> tuple[Deed, ...]:
    """Return what a barrel that left its pad means: while others choose, it is placed no more."""
    state: State = match.state
    seat = seat_of(told.seat)
    deeds: list[Deed] = []
    if state.phase is Phase.PLACE and state.barrels[seat] not in {EMPTY, OUT}:  # later one flips
        deeds.append(did(PutBack(seat), SENSORS))
        if dict(match.stood).get(told.seat) is not None:
            deeds.append(Stood(told.seat, None))
    return tuple(deeds)


def all_flipped(match: Match, flipped: AbstractSet[int]) -> bool:
    """Return whether every placed barrel is known and stands on its head."""
    state: State = match.state
    stood = dict(match.stood)
    there = [colour for colour in Colour if state.barrels[colour] not in {EMPTY, OUT}]
    stoppers = [stood.get(colour.name.lower()) for colour in there]
    return state.phase is Phase.FLIP and all(one in flipped for one in stoppers)


def unflipped(match: Match | None, upright: AbstractSet[int]) -> tuple[str, ...]:
    """Return the seats whose barrel is to be flipped and, as sensing knows, is not yet."""
    if match is None or not isinstance(match.state, State) or match.state.phase is not Phase.FLIP:
        return ()
    found = [seat for seat, stopper in standing(match) if stopper in upright]
    return tuple(sorted(found, key=seat_of))


def flip() -> Deed:
    """Return the deed of flipping."""
    return did(Flip(), SENSORS)


def read_numbers(match: Match, number_of: NumberOf) -> tuple[Deed, ...]:
    """Return the numbers that follow from which stoppers stand where, once all are flipped."""
    state: State = match.state
    if state.phase is not Phase.SAY:
        return ()
    stood = dict(match.stood)
    found: dict[Colour, int] = {}
    for colour in Colour:
        stopper = stood.get(colour.name.lower())
        number = None if stopper is None else number_of(stopper)
        if state.barrels[colour] == UNREAD and number is not None:
            found[colour] = number
    numbers = [*state.barrels, *found.values()]
    return tuple(  # two that claim the same number are both read by people
        did(Say(colour, number), SENSORS, follows=True)
        for colour, number in found.items()
        if numbers.count(number) == 1
    )


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


def penalty(match: Match, foul: Foul) -> tuple[Deed, ...]:
    """Return what an upheld foul costs in this house, if it can still be had."""
    seat = foul.raised.seat
    if not foul.upheld or seat is None or match.house.cost is Cost.NOTHING:
        return ()
    if foul.round != getattr(match.state, "round", 0):
        return ()  # its round is over: it is noted
    kind = SitOut if match.house.cost is Cost.SIT_OUT else PutBack
    ruling: Ruling = kind(seat_of(seat))
    try:
        match.log.play(ruling)
    except Illegal:
        return ()  # too late: it is noted
    return (did(ruling, "house", follows=True),)
