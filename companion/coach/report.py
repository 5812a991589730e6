"""The report of a match: its curve, what it was made of, and which decisions were costly.

Every action changes what the match is worth to each seat. Each change belongs to one part: a source
such as dice, somebody's decision, or what was put right. So the parts add up to the result by
themselves, whatever the worths are; they are *right* as far as the worths are.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum
from typing import Any, Final

from companion.coach.evaluator import UNTOLD, Coach, Evaluator, ListeningChoice, WinChances, less
from companion.core import TABLE, Action, Game, Log, Ruling, Seat
from companion.core.plugin import PLUGINS
from companion.system import signals
from companion.system.format_names import record
from companion.system.text import SeatName

ERROR: Final = 0.02  # of the chance to win: a decision that cost more is an error…
BLUNDER: Final = 0.08  # … and a blunder…
JOKER: Final = 0.30  # luck that brought more is a joker
DEAREST: Final = 3
PUT_RIGHT: Final = "put_right"
DECIDED: Final = "decided"


@record("StandTold")
class CurvePoint:
    """What the match was worth to each seat after this many actions, in the order of the seats."""

    actions: int
    round: int
    worths: WinChances


@record("LuckTold")
class LuckShare:
    """What one source, such as the dice, brought a seat."""

    source: str
    brought: float


@record("PartsTold")
class ResultParts:
    """What a seat's result is made of: all parts together are `last` minus `first`."""

    seat: SeatName
    first: float
    last: float
    luck: tuple[LuckShare, ...]  # by source, in their order
    own_moves: float
    others_moves: float
    put_right: float  # by rulings, and what was set up again

    @property
    def balance(self) -> float:
        """Return how far the parts are from adding up; nothing but rounding."""
        parts = [*(share.brought for share in self.luck), self.own_moves, self.others_moves]
        return abs(fsum([*parts, self.put_right, self.first, -self.last]))


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice among several; `place` is its action's in the log."""

    place: int
    round: int
    seat: Seat
    action: Action
    best: Action  # what would have been worth most to whoever decides
    error: float

    @property
    def kind(self) -> str | None:
        """Return what an error of its size is called; None: it is not worth mentioning."""
        if self.error > BLUNDER:
            return "blunder"
        return "error" if self.error > ERROR else None


@record("JokerTold")
class LuckSwing:
    """Luck that brought a seat more than 0.30 at once."""

    actions: int
    round: int
    source: str
    seat: SeatName
    brought: float


@dataclass(frozen=True, slots=True)
class ByEar:
    """What was chosen by ear in a round."""

    place: int
    round: int
    heard: ListeningChoice


@dataclass(frozen=True, slots=True)
class Report:
    seats: tuple[Seat, ...]
    why: Any  # it is only an estimate, as a sentence; None: it is exact
    curve: tuple[CurvePoint, ...]
    parts: tuple[ResultParts, ...]  # of the seats, in their order
    decisions: tuple[Decision, ...]  # that were not forced
    jokers: tuple[LuckSwing, ...]
    ears: tuple[ByEar, ...]

    @property
    def exact(self) -> bool:
        """Return whether the worths are those of best play."""
        return self.why is None

    @property
    def dearest(self) -> tuple[Decision, ...]:
        """Return the decisions that cost most, those that cost anything to speak of."""
        errors = [decision for decision in self.decisions if decision.kind]
        return tuple(sorted(errors, key=lambda decision: -decision.error)[:DEAREST])

    @property
    def balance(self) -> float:
        """Return by how much the parts of any seat fail to add up."""
        return max((parts.balance for parts in self.parts), default=0.0)

    def decided_by(self, seat: Seat) -> tuple[Decision, ...]:
        return tuple(decision for decision in self.decisions if decision.seat == seat)

    def heard_by(self, seat: Seat) -> tuple[ListeningChoice, ...]:
        return tuple(choice.heard for choice in self.ears if choice.heard.seat == seat)


@dataclass(frozen=True, slots=True)
class _Change:
    place: int
    round: int
    part: str  # a source, DECIDED or PUT_RIGHT
    seat: Seat
    by: WinChances


def coach_of(game: Game[Any]) -> Coach | None:
    """Return what a game brings along to be judged; None: it has no coach."""
    return PLUGINS[game.name].part(Coach) if game.name in PLUGINS else None


def report(log: Log[Any]) -> Report | None:
    """Return the report of a match that is over; None: it is not, or its game has no coach."""
    coach = coach_of(log.game)
    if coach is None or log.game.outcome(log.state) is None:
        return None
    return reported(log, coach, coach.judge(log.game))


def reported(log: Log[Any], coach: Coach, judge: Evaluator) -> Report:
    """Return the report that a judge gives of a match, over or not."""
    seats = tuple(log.game.seats)
    worths, ears = [judge.worths(log.states[0])], list[ByEar]()
    for number, (state, action) in enumerate(zip(log.states, log.actions, strict=False)):
        signals.check()
        heard = judge.heard(state, action)  # at once, while the judge remembers the round
        ears += (ByEar(number, _round(state), choice) for choice in heard)
        worths.append(judge.worths(log.states[number + 1]))
    changes = [*_changes(log, judge, worths)]
    curve = tuple(
        CurvePoint(number, _round(state), worth)
        for number, (state, worth) in enumerate(zip(log.states, worths, strict=True))
    )
    return Report(
        seats=seats,
        why=judge.why,
        curve=curve,
        parts=tuple(
            _parts(seat, place, coach, changes, worths) for place, seat in enumerate(seats)
        ),
        decisions=tuple(_decisions(log, judge, changes)),
        jokers=tuple(_jokers(seats, changes)),
        ears=tuple(ears),
    )


def _round(state: Any) -> int:
    return int(getattr(state, "round", 0))


def _changes(log: Log[Any], judge: Evaluator, worths: Sequence[WinChances]) -> Iterable[_Change]:
    steps = zip(log.states, log.actions, worths, worths[1:], strict=False)
    for place, (before, action, old, new) in enumerate(steps):
        part = DECIDED
        if isinstance(action, Ruling):
            part = PUT_RIGHT
        elif (source := judge.source(action)) is not None:
            part = source
        if old is new and part != DECIDED:  # as while barrels are chosen: nothing is known yet
            continue
        by, round_ = less(new, old), _round(before)
        own = None if part == PUT_RIGHT else judge.changed(before, action, log.states[place + 1])
        if own is not None:
            yield _Change(place, round_, UNTOLD, action.seat, less(by, own))
        yield _Change(place, round_, part, action.seat, by if own is None else own)


def _parts(
    seat: Seat, at: int, coach: Coach, changes: Sequence[_Change], worths: Sequence[WinChances]
) -> ResultParts:
    def total(part: str, whose: bool | None = None) -> float:
        return fsum(
            change.by[at]
            for change in changes
            if change.part == part and whose in {None, change.seat == seat}
        )

    return ResultParts(
        SeatName(seat),
        worths[0][at],
        worths[-1][at],
        tuple(LuckShare(source.name, total(source.name)) for source in coach.sources),
        total(DECIDED, whose=True),
        total(DECIDED, whose=False),
        total(PUT_RIGHT),
    )


def _decisions(log: Log[Any], judge: Evaluator, changes: Sequence[_Change]) -> Iterable[Decision]:
    for change in changes:
        signals.check()
        if change.part != DECIDED or change.seat == TABLE:
            continue
        action, worths = log.actions[change.place], judge.options(log.states[change.place])
        ways = [way for way in worths if way.seat == change.seat]
        if len(ways) < 2:
            continue
        best = max(ways, key=lambda way: (worths[way], way == action))
        error = worths[best] - worths[action]
        yield Decision(change.place, change.round, change.seat, action, best, error)


def _jokers(seats: Sequence[Seat], changes: Sequence[_Change]) -> Iterable[LuckSwing]:
    """Yield what chance brought at once: what is read aloud one by one counts together."""
    lucky = [change for change in changes if change.part not in {DECIDED, PUT_RIGHT, UNTOLD}]
    for (round_, source), same in groupby(lucky, key=lambda change: (change.round, change.part)):
        turns = [*same]
        brought = [fsum(column) for column in zip(*(turn.by for turn in turns), strict=True)]
        most = max(brought)
        if most > JOKER:
            seat = seats[brought.index(most)]
            yield LuckSwing(turns[-1].place, round_, source, SeatName(seat), most)
