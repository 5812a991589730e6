"""Detects fouls of hands: too many barrels in the air, a placed one put back, a second one placed.

It cannot know whose hands hold which barrel; nobody does. So too many are known only by counting:
more in the air than two for each player who still chooses. If all players together may not hold so
many, it is TOO_MANY_IN_HAND; if only those may not who still choose, it is told as STILL_SHAKING,
and may be either. It is certain when each of those barrels said so itself at the same time.

Numbers are even; those of peeking are odd. SNATCHED names nobody: a barrel that was placed at one
seat stands at another one, and whoever carried it there may have been its owner. If it stood there
only for a moment it may have been a slip; if only people say it stood there they may have erred: a
warning. A second barrel that is then placed at another seat was such a slip, too: it is withdrawn.
And what is put on a pad, or put back from it, names its owner only where all others had chosen.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.sensing import evidence, observations, quantise, weighing
from companion.sensing.events import (
    BarrelMotion,
    BarrelMoved,
    Count,
    FoulCode,
    FoulFinding,
    Placed,
    SecondPlaced,
    Taken,
    Weight,
)
from companion.sensing.settings import Settings

IN_HAND = (BarrelMotion.LIFTED, BarrelMotion.SHAKEN, BarrelMotion.TILTED)
COUNTED = quantise.SUREST  # more than hands may hold: nothing else explains it
GUESSED = 0.5  # somebody's state is not sure


@dataclass(frozen=True, slots=True)
class InAir:
    """A barrel that is in somebody's hand."""

    since_us: int
    sure: bool
    heard_us: int  # when it last said that nothing rests on its foot


@dataclass(frozen=True, slots=True)
class Back:
    """A barrel that was placed, and is no longer there."""

    number: int
    placed: Placed
    from_us: int
    whose: str | None
    down_us: int | None = None
    doubted: bool = False  # it may stand at a seat after all
    finding: FoulFinding | None = None


@dataclass(frozen=True, slots=True)
class HandFoulState:
    """Who still chooses, what is in the air, what stands where."""

    from_us: int = observations.FOREVER_US
    to_us: int = observations.FOREVER_US
    seats: tuple[str, ...] = ()
    in_air: Mapping[int, InAir] = field(default_factory=dict)
    light: frozenset[int] = frozenset()  # without a cell: nobody knows when they are set down
    placed: Mapping[str, Placed] = field(default_factory=dict)
    asked: Mapping[str, Placed] = field(default_factory=dict)  # where people have to say which
    backs: Mapping[int, Back] = field(default_factory=dict)  # by stopper
    seconds: Mapping[int, tuple[str, FoulFinding]] = field(default_factory=dict)  # by the second's
    crowd: FoulFinding | None = None  # while too many are in the air
    now_us: int = 0
    next_number: int = 2
    counts: evidence.Counts = ()


def step(
    state: HandFoulState, seen: object, settings: Settings
) -> tuple[HandFoulState, tuple[FoulFinding, ...]]:
    """Handle what was seen or told; return what there is to tell of it."""
    findings: tuple[FoulFinding, ...] = ()
    match seen:
        case observations.ChoosingBegan():
            new = HandFoulState(
                seen.at_us, seats=seen.seats, in_air=state.in_air, now_us=seen.at_us
            )
            state = replace(new, next_number=state.next_number, light=state.light)
        case observations.ChoosingEnded():
            state, findings = _judge(_pass(state, seen.at_us), settings)
            state = replace(state, to_us=seen.at_us, crowd=None, backs={}, seconds={})
        case observations.StopperMessage():
            state = _pass(_feel(state, seen, settings), seen.heard_us)
        case BarrelMoved():
            state = _does(state, seen)
        case Placed():
            state, findings = _place(state, seen, settings)
        case SecondPlaced():
            state, findings = _second(state, seen)
        case Taken():
            state = _take(state, seen)
    state, more = _judge(state, settings)
    state = _note(state)
    return state, _shown(state, *findings, *more)


def advance(
    state: HandFoulState, now_us: int, settings: Settings
) -> tuple[HandFoulState, tuple[FoulFinding, ...]]:
    """Advance the time; return what follows from hearing nothing: nothing, while nobody chooses."""
    if state.from_us > now_us or state.to_us != observations.FOREVER_US:
        return state, ()
    state, findings = _judge(_pass(state, now_us), settings)
    return state, _shown(state, *findings)


def _note(state: HandFoulState) -> HandFoulState:
    count = Count(state.now_us, len(state.in_air), len(state.placed))
    counts = evidence.with_count(state.counts, count)
    return state if counts is state.counts else replace(state, counts=counts)


def _shown(state: HandFoulState, *findings: FoulFinding) -> tuple[FoulFinding, ...]:
    return tuple(
        quantise.quantise_finding(evidence.with_counts(finding, state.counts))
        for finding in findings
    )


def _pass(state: HandFoulState, now_us: int) -> HandFoulState:
    return replace(state, now_us=max(state.now_us, now_us))


def _is_choosing(state: HandFoulState) -> bool:
    return state.from_us <= state.now_us and state.to_us == observations.FOREVER_US


# --- what comes in ----------------------------------------------------------------------------


def _feel(
    state: HandFoulState, felt: observations.StopperMessage, settings: Settings
) -> HandFoulState:
    """Note that a barrel says itself that nothing rests on its foot, or that it cannot tell."""
    if felt.name == "HELLO":
        return _begin(state, felt.stopper, light=not felt.fields["can"] & weighing.WEIGH)
    barrel = state.in_air.get(felt.stopper)
    if barrel is None or felt.name != "FEATURES":
        return state
    if felt.fields["load_max_mg"] >= settings.fouls.airy_mg:
        return state
    heard = replace(barrel, heard_us=max(barrel.heard_us, felt.moment.at_us))
    return replace(state, in_air={**state.in_air, felt.stopper: heard})


def _begin(state: HandFoulState, stopper: int, *, light: bool) -> HandFoulState:
    """Note whether a stopper has a cell; one without is never counted as in a hand."""
    if not light:
        return replace(state, light=state.light - {stopper}) if stopper in state.light else state
    in_air = {other: held for other, held in state.in_air.items() if other != stopper}
    return replace(state, light=state.light | {stopper}, in_air=in_air)


def _does(state: HandFoulState, does: BarrelMoved) -> HandFoulState:
    at_us, stopper = does.moment.at_us, does.stopper
    state, in_air = _pass(state, at_us), dict(state.in_air)
    if does.doing in IN_HAND and stopper not in state.light:
        before = in_air.get(stopper)
        since_us = before.since_us if before else at_us
        sure = does.sure and (before is None or before.sure)
        in_air[stopper] = InAir(since_us, sure, before.heard_us if before else at_us)
    else:
        in_air.pop(stopper, None)
    backs = dict(state.backs)
    if does.doing is BarrelMotion.STANDING and stopper in backs and backs[stopper].down_us is None:
        backs[stopper] = replace(backs[stopper], down_us=at_us, doubted=not does.sure)
    return replace(state, in_air=in_air, backs=backs)


def _place(
    state: HandFoulState, placed: Placed, settings: Settings
) -> tuple[HandFoulState, tuple[FoulFinding, ...]]:
    """Note that a barrel stands at a seat: at last, or again."""
    certain = placed.confidence >= settings.certain
    state, findings = _stands(state, placed, settings, certain=certain)
    asked = {seat: standing for seat, standing in state.asked.items() if seat != placed.seat}
    if not certain:
        return replace(state, asked={**asked, placed.seat: placed}), findings
    return replace(state, asked=asked, placed={**state.placed, placed.seat: placed}), findings


def _stands(
    state: HandFoulState, placed: Placed, settings: Settings, *, certain: bool
) -> tuple[HandFoulState, tuple[FoulFinding, ...]]:
    """Note that a barrel was only put straight, or stands where another one had chosen it."""
    backs, findings = dict(state.backs), list[FoulFinding]()
    back = backs.pop(placed.stopper) if placed.stopper in backs else None
    if back is not None and back.finding is not None:
        findings.append(replace(back.finding, weight=Weight.WITHDRAWN, confidence=0.0))
    if back is not None and certain and _is_carried_over(state, back, placed, settings):
        number, at_us, code = state.next_number, placed.moment.at_us, FoulCode.SNATCHED
        assert placed.stopper is not None
        stood_us = back.from_us - back.placed.moment.at_us
        doubted = back.placed.confidence == 1.0 or stood_us < 1000 * settings.fouls.again_ms
        weight, sure = (Weight.WARNING, GUESSED) if doubted else (Weight.FOUL, COUNTED)
        who = (placed.stopper,)
        findings.append(  # nobody knows by whom
            FoulFinding(number, code, weight, back.from_us, at_us, who, None, sure)
        )
        state = replace(state, next_number=number + 2)
    second = state.seconds.get(placed.stopper or 0)
    if second is not None and certain and second[0] != placed.seat:
        findings.append(replace(second[1], weight=Weight.WITHDRAWN, confidence=0.0))
        others = {who: it for who, it in state.seconds.items() if who != placed.stopper}
        state = replace(state, seconds=others)
    for stopper, back in backs.items():
        if placed.stopper is None:
            backs[stopper] = replace(back, doubted=True)
    return replace(state, backs=backs), tuple(findings)


def _is_carried_over(state: HandFoulState, back: Back, placed: Placed, settings: Settings) -> bool:
    """Return whether a placed barrel went from one seat to another, and stood nowhere between."""
    if back.placed.seat == placed.seat or not _is_choosing(state):
        return False
    apart_us = 0 if back.down_us is None else placed.moment.at_us - back.down_us
    return abs(apart_us) <= 1000 * settings.fouls.second_ms


def _second(
    state: HandFoulState, second: SecondPlaced
) -> tuple[HandFoulState, tuple[FoulFinding, ...]]:
    """Tell of a second barrel at a seat: the first is the chosen one."""
    if not _is_choosing(state):
        return state, ()
    number, at_us, code = state.next_number, second.moment.at_us, FoulCode.SECOND_PLACED
    both = (second.first, second.second)
    whose = _whose(state, second.seat, at_us)
    finding = FoulFinding(number, code, Weight.FOUL, at_us, at_us, both, whose, COUNTED)
    seconds = {**state.seconds, second.second: (second.seat, finding)}
    return replace(_pass(state, at_us), next_number=number + 2, seconds=seconds), (finding,)


def _whose(state: HandFoulState, seat: str, at_us: int) -> str | None:
    """Return who put a barrel on a pad then: its owner, if all others had chosen.

    Otherwise nobody knows: whoever still chooses may take another's pad for the own one.
    """
    others = [state.placed.get(other) for other in state.seats if other != seat]
    chosen = all(other is not None and other.moment.at_us < at_us for other in others)
    return seat if chosen else None


def _take(state: HandFoulState, taken: Taken) -> HandFoulState:
    """Note that a seat is empty: what stood there was chosen, and should have stayed."""
    placed = {seat: standing for seat, standing in state.placed.items() if seat != taken.seat}
    asked = {seat: standing for seat, standing in state.asked.items() if seat != taken.seat}
    before = state.placed.get(taken.seat)
    state = replace(_pass(state, taken.moment.at_us), placed=placed, asked=asked)
    if before is None or before.stopper is None or taken.stopper != before.stopper:
        return state
    if not _is_choosing(state):
        return state
    whose = _whose(state, before.seat, before.moment.at_us)
    back = Back(state.next_number, before, taken.moment.at_us, whose)
    backs = {**state.backs, before.stopper: back}
    return replace(state, backs=backs, next_number=state.next_number + 2)


# --- what follows -----------------------------------------------------------------------------


def _judge(
    state: HandFoulState, settings: Settings
) -> tuple[HandFoulState, tuple[FoulFinding, ...]]:
    if not _is_choosing(state):
        return state, ()
    state, crowd = _count(state, settings)
    findings = list(crowd)
    for stopper, back in tuple(state.backs.items()):
        finding = _back(state, stopper, back, settings)
        if finding is not None:
            state = replace(state, backs={**state.backs, stopper: replace(back, finding=finding)})
            findings.append(finding)
    return state, tuple(findings)


def _back(state: HandFoulState, stopper: int, back: Back, settings: Settings) -> FoulFinding | None:
    """Return what is to be told of a placed barrel that was taken away, if it is news."""
    rules, previous, in_air = settings.fouls, back.finding, state.in_air.get(stopper)
    if back.down_us is not None:
        asked = _may_stand(state, stopper, back, settings)  # then people will say
        is_back = state.now_us >= back.down_us + 1000 * rules.again_ms
        is_back = is_back and not (asked and previous is None)
        weight = Weight.WARNING if back.doubted or asked else Weight.FOUL
        to_us = back.down_us
    else:
        is_back = in_air is not None and state.now_us >= back.from_us + 1000 * rules.back_ms
        weight, to_us = Weight.WARNING, state.now_us
    if not is_back or (previous is not None and previous.weight is weight):
        return None
    lifted = in_air is None or in_air.sure
    sure = min(back.placed.confidence, COUNTED if lifted and weight is Weight.FOUL else GUESSED)
    code, seat = FoulCode.PLACED_BACK, back.whose
    return FoulFinding(back.number, code, weight, back.from_us, to_us, (stopper,), seat, sure)


def _may_stand(state: HandFoulState, stopper: int, back: Back, settings: Settings) -> bool:
    """Return whether it may have been set down at a seat after it was taken away from one."""
    since_us = back.from_us - 1000 * settings.fouls.second_ms  # a pad's edge may come early
    return any(
        stopper in asked.candidates and asked.moment.at_us > since_us
        for asked in state.asked.values()
    )


def _count(
    state: HandFoulState, settings: Settings
) -> tuple[HandFoulState, tuple[FoulFinding, ...]]:
    """Return whether more are in the air than hands may hold, if it is news."""
    rules, crowd = settings.fouls, state.crowd
    may = 2 * len([seat for seat in state.seats if seat not in state.placed])
    in_air = state.in_air
    if not state.seats or len(in_air) <= may:
        return replace(state, crowd=None), ()
    since_us = sorted(max(barrel.since_us, state.from_us) for barrel in in_air.values())[may]
    since_us = max([since_us, *(placed.moment.at_us for placed in state.placed.values())])
    if state.now_us < since_us + 1000 * rules.too_many_ms:
        return state, ()
    heard = sorted((barrel.heard_us for barrel in in_air.values() if barrel.sure), reverse=True)
    is_sure = len(heard) > may and heard[may] >= since_us + 1000 * rules.too_many_ms // 2
    weight = Weight.FOUL if is_sure else Weight.WARNING
    if crowd is not None and crowd.weight in (weight, Weight.FOUL):
        return state, ()
    everybody = len(in_air) > 2 * len(state.seats)
    code = FoulCode.TOO_MANY_IN_HAND if everybody else FoulCode.STILL_SHAKING
    number = crowd.number if crowd else state.next_number
    sure = COUNTED if is_sure else GUESSED
    who = tuple(sorted(in_air))
    crowd = FoulFinding(number, code, weight, since_us, state.now_us, who, None, sure)
    return replace(state, crowd=crowd, next_number=max(state.next_number, number + 2)), (crowd,)
