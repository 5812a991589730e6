"""Detects peeking: a barrel tilted so that its label is in sight while all choose; and EARLY_FLIP.

It must not know who holds what, nor any number. It asks the stopper for what it kept of the tilt,
and sums up for how long the label was in sight; what is not known for certain counts as not seen.

- TILT opens a look; windows of samples are asked for until it is decided, and once when it is over.
- In sight for `warn_ms`: a warning. For `foul_ms`: a foul. Both need samples or messages that say
  so; where none came, it is a warning of little confidence at most.
- A barrel whose tilt does not change at all lies in nobody's hand, and may be picked up.
- One look is one finding, however long, and however often it is interrupted for a moment.
- What is known later tells the same number again: its true end, its chart, or WITHDRAWN.
- A barrel that was flipped when choosing was over shows nothing new until it stood again: whoever
  puts it back after the next roll is accused of nothing.
- FLIP makes an EARLY_FLIP of it under the same number: who turns a barrel over tilts it before.

Numbers are odd; those of the other fouls are even, so that neither must know the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.sensing import events, evidence, observations, quantise, readability, tilt
from companion.sensing.rest import Span, rolls
from companion.sensing.settings import PeekSettings, Settings

FLIPPED = quantise.SUREST  # a stopper says FLIP after 0.4 s upside down and still
ROLLED_KEPT = 40  # parts of it, of a quarter of a second each
UNHEARD = 0.2  # tilted when it was last heard
FindingsAndRequests = tuple[tuple[events.FoulFinding, ...], tuple[events.SampleRequest, ...]]


@dataclass(frozen=True, slots=True)
class PeekState:
    """All looks, and from when to when looking is forbidden."""

    from_us: int = observations.FOREVER_US
    to_us: int = observations.FOREVER_US
    looks: Mapping[int, tilt.TiltEpisode] = field(default_factory=dict)  # by number
    seats: Mapping[int, str] = field(default_factory=dict)  # where a stopper was placed
    shown: frozenset[int] = frozenset()  # stoppers that have not stood since all saw the number
    rolled: Mapping[int, tuple[Span, ...]] = field(default_factory=dict)  # of stoppers, lately
    faults: evidence.Faults = field(default_factory=dict)
    next_number: int = 1


def step(
    state: PeekState, seen: object, settings: Settings
) -> tuple[PeekState, *FindingsAndRequests]:
    """Handle what was seen; return what there is to tell, and what to ask for."""
    match seen:
        case observations.ChoosingBegan():
            state = replace(
                state, from_us=seen.at_us, to_us=observations.FOREVER_US, looks={}, seats={}
            )
        case observations.ChoosingEnded():
            state = replace(state, to_us=min(state.to_us, seen.at_us))
            return _each(state, tuple(state.looks.values()), seen.at_us, settings)
        case events.Placed(stopper=int(stopper)) if seen.confidence >= settings.certain:
            return replace(state, seats={**state.seats, stopper: seen.seat}), (), ()
        case observations.StopperMessage():
            return _feel(state, seen, settings)
    return state, (), ()


def advance(
    state: PeekState, now_us: int, settings: Settings
) -> tuple[PeekState, *FindingsAndRequests]:
    """Advance the time; return what follows from hearing nothing."""
    due = [look for look in state.looks.values() if look.next_us <= now_us]
    return _each(state, due, now_us, settings)


def _each(
    state: PeekState, looks: Sequence[tilt.TiltEpisode], now_us: int, settings: Settings
) -> tuple[PeekState, *FindingsAndRequests]:
    findings: list[events.FoulFinding] = []
    questions: list[events.SampleRequest] = []
    for look in looks:
        state, more, wanted = _judge(state, look, now_us, settings)
        findings += more
        questions += wanted
    return state, tuple(findings), tuple(questions)


# --- what a stopper says ----------------------------------------------------------------------


def _feel(
    state: PeekState, felt: observations.StopperMessage, settings: Settings
) -> tuple[PeekState, *FindingsAndRequests]:
    state = replace(
        state, faults=evidence.with_faults(state.faults, felt), shown=_shown(state, felt)
    )
    state = _rolled(_opened(state, felt, settings.peeking), felt, settings.peeking)
    findings: list[events.FoulFinding] = []
    questions: list[events.SampleRequest] = []
    for look in tuple(state.looks.values()):
        if look.window.stopper == felt.stopper and tilt.concerns(look, felt, settings.peeking):
            after = tilt.apply(look, felt, settings.peeking)
            if replace(after, heard_us=look.heard_us, window=look.window) == look and (
                after.window.points is look.window.points
            ):  # nothing to judge it by
                state = replace(state, looks={**state.looks, look.number: after})
                continue
            state, more, wanted = _judge(state, after, felt.heard_us, settings)
            findings += more
            questions += wanted
    return state, tuple(findings), tuple(questions)


def _rolled(
    state: PeekState, felt: observations.StopperMessage, settings: PeekSettings
) -> PeekState:
    """Note that a barrel rolls: so it does in looks that are open, and in those that begin soon."""
    if felt.name != "FEATURES" or not rolls(felt.fields, settings):
        return state
    end_us, kept = felt.moment.at_us, state.rolled.get(felt.stopper, ())
    span = (end_us - 1000 * felt.fields["span_ms"], end_us)
    return replace(state, rolled={**state.rolled, felt.stopper: (*kept, span)[-ROLLED_KEPT:]})


def _shown(state: PeekState, felt: observations.StopperMessage) -> frozenset[int]:
    """Return which barrels have shown their number to all and have not stood since."""
    match felt.name:
        case "SET" | "STILL":
            return state.shown - {felt.stopper}
        case "FLIP" if not state.from_us <= felt.moment.at_us < state.to_us:
            return state.shown | {felt.stopper}
    return state.shown


def _opened(
    state: PeekState, felt: observations.StopperMessage, settings: PeekSettings
) -> PeekState:
    """Open a look where one is to be opened, if its TILT was lost then by what came instead."""
    stopper = felt.stopper
    if felt.name not in ("TILT", "UPRIGHT", "FLIP") or stopper in state.shown:
        return state
    if not evidence.believed(state.faults, stopper, evidence.MOTION_FAULTS):
        return state
    began_us = tilt.began_us(felt)
    mine = [look for look in state.looks.values() if look.window.stopper == stopper]
    known = any(
        tilt.is_same(look, began_us, settings)
        or (look.to_us is None and felt.name != "TILT" and not tilt.is_late(look, felt))
        for look in mine
    )
    if known or not state.from_us <= began_us < state.to_us:
        return state
    for look in mine:
        if tilt.goes_on(look, felt, settings):
            again = tilt.reopened(look, felt)
            return replace(state, looks={**state.looks, look.number: again})
    weighs = evidence.believed(state.faults, stopper, evidence.LOAD_FAULTS)
    new = tilt.start(felt, state.next_number, believed=weighs)
    looks = {look.number: replace(look, to_us=began_us) for look in mine if look.to_us is None}
    looks = {**state.looks, **looks, new.number: new}  # of those before, UPRIGHT was lost
    for look in mine[: max(0, len(mine) + 1 - settings.looks)]:
        del looks[look.number]
    return replace(state, looks=looks, next_number=new.number + 2)


# --- what follows -----------------------------------------------------------------------------


def _judge(
    state: PeekState, look: tilt.TiltEpisode, now_us: int, settings: Settings
) -> tuple[PeekState, *FindingsAndRequests]:
    """Weigh a look again; tell what changed, and ask for what is missing."""
    rules = settings.peeking
    until_us = min(state.to_us, observations.FOREVER_US if look.to_us is None else look.to_us)
    known = tilt.points(look, state.from_us, until_us)
    ahead_us = look.window.ahead_us
    rolled = [
        (begin - ahead_us, end - ahead_us)
        for begin, end in state.rolled.get(look.window.stopper, ())
    ]
    look = replace(look, sight=readability.longest_look(known, rules, rolled))
    finding = _finding(state, look, now_us, rules)
    findings = (finding,) if finding is not None and _news(look, finding) else ()
    if findings:
        look = replace(look, finding=finding)
    look, wanted = tilt.request_samples(look, now_us, rules)
    looks = {**state.looks, look.number: look}
    if tilt.is_over(look, now_us, rules):
        del looks[look.number]
    return replace(state, looks=looks), findings, wanted


def _finding(
    state: PeekState, look: tilt.TiltEpisode, now_us: int, settings: PeekSettings
) -> events.FoulFinding | None:
    """Return what is to be told of a look, if anything is."""
    window, previous = look.window, look.finding
    flipped = look.flipped_us is not None and look.flipped_us < state.to_us
    weight, sure, from_us, to_us = _verdict(look, now_us, settings, flipped=flipped)
    if weight is events.Weight.WITHDRAWN:
        if previous is None or tilt.is_turning(look, now_us, settings):
            return None
        from_us, to_us = previous.from_us, previous.to_us
    stopper = window.stopper
    foul = events.FoulCode.EARLY_FLIP if flipped else events.FoulCode.PEEK
    if (
        previous is not None
        and (previous.weight, previous.foul) == (weight, foul)
        and look.to_us is None
    ):
        return None  # its end, and its whole chart, are told when it is over
    seat = state.seats.get(stopper) if flipped else None  # nobody knows which hand holds a barrel
    before_us, after_us = 1000 * settings.before_ms, 1000 * settings.after_ms
    known = tilt.points(look, look.from_us - before_us, to_us + after_us)
    return quantise.quantise_finding(
        events.FoulFinding(
            *(look.number, foul, weight, from_us, to_us, (stopper,), seat, sure),
            evidence=evidence.chart(known, window),
            listening=not flipped and look.sight.tilt_cdeg <= settings.ear_cdeg,
        )
    )


def _verdict(
    look: tilt.TiltEpisode, now_us: int, settings: PeekSettings, *, flipped: bool
) -> tuple[events.Weight, float, int, int]:
    """Return what a look is, how sure that is, and from when to when."""
    seen, window = look.sight, look.window
    from_us, to_us = window.host_us(seen.from_us), window.host_us(seen.to_us)
    silent = look.to_us is None and now_us >= look.heard_us + 1000 * settings.silent_ms
    if flipped:
        return events.Weight.FOUL, FLIPPED, look.from_us, look.to_us or now_us
    if seen.sure_us >= 1000 * settings.foul_ms:
        return (
            events.Weight.FOUL,
            quantise.quantise_confidence(_confidence(seen, settings)),
            from_us,
            to_us,
        )
    if seen.most_us >= 1000 * settings.warn_ms:
        return (
            events.Weight.WARNING,
            quantise.quantise_confidence(_confidence(seen, settings) / 2),
            from_us,
            to_us,
        )
    if silent and seen.now_share > 0.0 and not seen.fine:
        return events.Weight.WARNING, UNHEARD, look.from_us, now_us
    return events.Weight.WITHDRAWN, 0.0, from_us, to_us


def _confidence(seen: readability.LongestLook, settings: PeekSettings) -> float:
    """Return how sure it is: eyes differ, hands tremble, and messages are few."""
    beyond = seen.tilt_cdeg - settings.hidden_cdeg
    far = min(1.0, max(0.0, beyond / (settings.sure_cdeg - settings.hidden_cdeg)))
    long = min(1.0, seen.most_us / (1500 * settings.foul_ms))
    rest = settings.restless_permille - settings.calm_permille
    still = min(1.0, (settings.restless_permille - seen.deviation_permille) / rest)
    known = 1.0 if seen.fine else 0.9
    return round((0.6 + 0.4 * far) * (0.8 + 0.2 * long) * (0.7 + 0.3 * still) * known, 3)


def _news(look: tilt.TiltEpisode, finding: events.FoulFinding) -> bool:
    """Return whether this is worth telling again."""
    previous = look.finding
    if previous is None or (previous.weight, previous.foul) != (finding.weight, finding.foul):
        return True
    end, more = finding.to_us, len(finding.evidence) > len(previous.evidence)
    return more or replace(previous, to_us=end, evidence=()) != replace(finding, evidence=())
