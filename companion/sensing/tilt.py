"""Follows one tilt of one barrel: what its stopper says of it, and which samples to request."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from companion.sensing import events, evidence, readability
from companion.sensing.evidence import EvidencePoint, Window
from companion.sensing.observations import (
    FOREVER_US,
    LONG_AGO_US,
    StopperMessage,
)
from companion.sensing.settings import PeekSettings

STEP_US = 20_000  # of what a stopper keeps
LEVEL_CDEG = 9_000


@dataclass(frozen=True, slots=True)
class TiltEpisode:
    """A barrel that is tilted, or was just now, and what is known of it."""

    number: int
    window: Window
    boot: int
    from_us: int  # when it was tilted; on the host's clock, as all here
    begun_us: int  # likewise, the last time: one look may be several tilts
    heard_us: int
    to_us: int | None = None  # when it was upright again…
    over_us: int = LONG_AGO_US  # …and when that was heard
    turned: bool = False  # not upright then, but past the horizontal, and too fast to be read
    flipped_us: int | None = None
    asked_us: int = LONG_AGO_US  # for samples, last
    pending: bool = False  # and no answer came yet
    questions: int = 0
    unanswered: int = 0  # of them, since it was heard last
    prompted: bool = True  # something was heard that makes it worth asking
    torn: bool = False  # packets are missing since it began
    next_us: int = FOREVER_US  # when to ask again, or to judge again
    sight: readability.LongestLook = field(default_factory=readability.LongestLook)
    finding: events.FoulFinding | None = None  # as it was told last


def start(felt: StopperMessage, number: int, *, believed: bool) -> TiltEpisode:
    """Return a look that an event begins."""
    window, heard_us = evidence.window_at(felt, believed=believed), felt.heard_us
    at_us = began_us(felt)
    return TiltEpisode(number, window, felt.boot, at_us, at_us, heard_us, next_us=heard_us)


def goes_on(look: TiltEpisode, felt: StopperMessage, settings: PeekSettings) -> bool:
    """Return whether an event that begins a look goes on with one before it.

    That was told just now, or was on its way to being upside down. Of one that is not over, UPRIGHT
    was lost or is late: then it was tilted for as long as a sample says so.
    """
    previous, began = look.finding, began_us(felt)
    if felt.boot != look.boot or began < look.from_us:
        return False
    stands = previous is not None and previous.weight is not events.Weight.WITHDRAWN
    longest_ms = settings.same_look_ms if stands else settings.turn_ms if look.turned else 0
    to_us = _tilted_us(look, settings) if look.to_us is None else look.to_us
    return began < to_us + 1000 * longest_ms


def _tilted_us(look: TiltEpisode, settings: PeekSettings) -> int:
    """Return when it is known to have been tilted last."""
    known = look.window.points.values()
    tilted = (point.at_us for point in known if point.tilt_cdeg > settings.hidden_cdeg)
    return max(map(look.window.host_us, tilted), default=look.from_us)


def is_same(look: TiltEpisode, began_us: int, settings: PeekSettings) -> bool:
    """Return whether a tilt that began then is one that is known, told once more."""
    known_us = (look.from_us, look.begun_us)
    return min(abs(at_us - began_us) for at_us in known_us) < 1000 * settings.same_ms


def is_late(look: TiltEpisode, felt: StopperMessage) -> bool:
    """Return whether this is the end of a tilt before the one that is known."""
    return felt.name == "UPRIGHT" and felt.moment.at_us < look.begun_us


def is_turning(look: TiltEpisode, now_us: int, settings: PeekSettings) -> bool:
    """Return whether a barrel was turned over just now, so that its look may go on."""
    return look.turned and now_us < _closed_us(look) + 1000 * settings.turn_ms


def _closed_us(look: TiltEpisode) -> int:
    """Return when it became known that a tilt is over."""
    return max(look.to_us or LONG_AGO_US, look.over_us)


def reopened(look: TiltEpisode, felt: StopperMessage) -> TiltEpisode:
    """Return a look that was over, and is not."""
    heard_us, begun_us = max(look.heard_us, felt.heard_us), max(look.begun_us, began_us(felt))
    look = replace(look, to_us=None, turned=False, prompted=True, questions=0)
    return replace(look, begun_us=begun_us, heard_us=heard_us, next_us=heard_us)


def began_us(felt: StopperMessage) -> int:
    """Return when the tilt of an event began; UPRIGHT is at its end, and knows how long it was."""
    held_ms = felt.fields["held_ms"] if felt.name == "UPRIGHT" else 0
    return felt.moment.at_us - 1000 * int(held_ms)


def concerns(look: TiltEpisode, felt: StopperMessage, settings: PeekSettings) -> bool:
    """Return whether a message says anything of a look: of one that is over few do."""
    if look.to_us is None or look.unanswered or felt.gap:
        return True
    if felt.name == "RAW_HEAD":
        from_us = look.window.host_us(felt.fields["start_us"])
        return from_us < look.to_us + 1000 * settings.after_ms
    return felt.name in ("RAW", "FLIP")


def apply(look: TiltEpisode, felt: StopperMessage, settings: PeekSettings) -> TiltEpisode:
    """Return the look with what one more message says of it."""
    heard_us, torn = max(look.heard_us, felt.heard_us), look.torn or felt.gap > 0
    look = replace(look, heard_us=heard_us, torn=torn, unanswered=0)  # it can be asked again
    if felt.boot != look.boot:
        return replace(look, to_us=felt.moment.at_us if look.to_us is None else look.to_us)
    window, fields = look.window, felt.fields
    match felt.name:
        case "RAW_HEAD" | "RAW":
            window = evidence.with_samples(window, felt)
            if felt.name == "RAW" or not fields["samples"]:
                look = replace(look, pending=False)
        case "TILT" if look.to_us is None:
            window = evidence.with_points(window, *_beginning(fields))
        case "FEATURES" if look.to_us is None:
            counts = _counts(fields, settings)
            window = evidence.with_points(
                window, evidence.features_point(window, felt, counts=counts)
            )
            far = fields["tilt_max_cdeg"] > settings.hidden_cdeg
            look = replace(look, prompted=look.prompted or far)
        case "UPRIGHT" if look.to_us is None and not is_late(look, felt):
            window = evidence.with_points(window, *_end(look, felt, settings))
            to_us = max(felt.moment.at_us, look.from_us)
            turned = fields["tilt_cdeg"] > LEVEL_CDEG
            look = replace(look, to_us=to_us, turned=turned, over_us=felt.heard_us, questions=0)
        case "FLIP" if look.to_us is None or felt.moment.at_us <= look.to_us:
            first_us = felt.moment.at_us if look.flipped_us is None else look.flipped_us
            look = replace(look, flipped_us=first_us)
    return replace(look, window=window)


def points(look: TiltEpisode, from_us: int, to_us: int) -> list[EvidencePoint]:
    """Return what is known of a time on the host's clock, in order."""
    window = look.window
    known = [
        point for point in window.points.values() if from_us <= window.host_us(point.at_us) < to_us
    ]
    return sorted(known, key=_when)


def _when(point: EvidencePoint) -> int:
    return point.at_us


def _counts(fields: Mapping[str, int], settings: PeekSettings) -> bool:
    """Return whether FEATURES are of a barrel that is in a hand and not shaken.

    What turns it far enough shakes it, too: only a time in which it was far enough all along tells.
    """
    least_cdeg, shaken = fields["tilt_min_cdeg"], fields["shake_rms_permille"]
    if least_cdeg <= settings.hidden_cdeg:
        return True
    flat = not shaken and fields["tilt_max_cdeg"] - least_cdeg < settings.flat_cdeg
    return not flat and shaken < settings.shaken_permille


def _beginning(fields: Mapping[str, int]) -> tuple[EvidencePoint, ...]:
    """Return what TILT says: while it was held so far, it was half as much on the average."""
    begun_us, held_ms = fields["at_us"], fields["held_ms"]
    tilt, deviation = fields["tilt_cdeg"], fields["deviation_permille"]
    return (
        EvidencePoint(begun_us + 500 * held_ms, tilt, deviation, None, fine=False),
        EvidencePoint(begun_us + 1000 * held_ms, tilt, deviation, None, fine=False, joined=True),
    )


def _end(
    look: TiltEpisode, felt: StopperMessage, settings: PeekSettings
) -> tuple[EvidencePoint, ...]:
    """Return what UPRIGHT says: until the smoothed tilt fell, it was what it had been."""
    known = sorted(look.window.points.values(), key=_when)
    at_us = felt.fields["at_us"]
    over = EvidencePoint(at_us, felt.fields["tilt_cdeg"], 0, None, fine=False)
    falls_us = at_us - 1000 * settings.falling_ms
    if not known or felt.gap or known[-1].at_us >= falls_us:
        return (over,)
    return replace(known[-1], at_us=falls_us, fine=False, joined=True), over


# --- what is to be asked for ------------------------------------------------------------------


def request_samples(
    look: TiltEpisode, now_us: int, settings: PeekSettings
) -> tuple[TiltEpisode, tuple[events.SampleRequest, ...]]:
    """Ask for samples where they would settle something, and know when to look again."""
    if look.pending:
        answer_us = look.asked_us + 1000 * settings.answer_ms
        if now_us < answer_us:
            return replace(look, next_us=answer_us), ()
        look = replace(look, pending=False, unanswered=look.unanswered + 1, prompted=True)
    at_us = FOREVER_US if look.unanswered >= settings.asked else _due_us(look, now_us, settings)
    if now_us < at_us:
        return replace(look, next_us=min(at_us, _rest_us(look, now_us, settings))), ()
    begin_us, length_ms = _part(look, now_us, settings)
    next_us, count = now_us + 1000 * settings.answer_ms, look.questions + 1
    look = replace(look, asked_us=now_us, pending=True, prompted=False, questions=count)
    look = replace(look, next_us=next_us)
    return look, (events.SampleRequest(look.window.stopper, max(0, begin_us), length_ms),)


def _due_us(look: TiltEpisode, now_us: int, settings: PeekSettings) -> int:
    """Return when to ask for samples."""
    seen, again_us = look.sight, look.asked_us + 1000 * settings.again_ms
    if look.to_us is not None:
        unsure = look.torn or not seen.fine
        wants = look.finding is not None or (seen.most_us > 0 and unsure)
        wants = wants or _unknown_us(look, look.to_us) >= 1000 * settings.warn_ms
        due_us = max(look.to_us + 1000 * settings.after_ms, again_us)
        wants = wants and look.questions < settings.questions
        if not wants or hole_us(look, max(now_us, due_us), settings) is None:
            return FOREVER_US
        return due_us
    if seen.sure_us >= 1000 * settings.foul_ms:
        return FOREVER_US  # it is decided; the rest when it is over
    if look.prompted:
        return max(now_us, again_us)
    in_sight = seen.now_share > 0.0 and look.questions < settings.questions
    return max(_decided_us(look, settings), again_us) if in_sight else FOREVER_US


def _unknown_us(look: TiltEpisode, to_us: int) -> int:
    """Return the longest part of a tilt of which no sample came: somebody may have looked in it."""
    known = [
        look.window.host_us(point.at_us) for point in look.window.points.values() if point.fine
    ]
    marks = sorted({look.from_us, to_us, *(at for at in known if look.from_us < at < to_us)})
    return max((later - at for at, later in pairwise(marks)), default=0)


def _decided_us(look: TiltEpisode, settings: PeekSettings) -> int:
    """Return when it is worth asking for what may make a warning or a foul of it."""
    seen = look.sight
    mark_ms = settings.warn_ms if look.finding is None else settings.foul_ms
    missing_us = max(0, 1000 * mark_ms - seen.now_us)
    if not missing_us:  # it may lie: nothing but what comes tells
        missing_us = 1000 * settings.joint_ms
    return look.window.host_us(seen.last_us) + missing_us - 1000 * settings.ahead_ms


def _rest_us(look: TiltEpisode, now_us: int, settings: PeekSettings) -> int:
    """Return when to look again, if nothing is heard."""
    marks = [look.heard_us + 1000 * settings.silent_ms, look.heard_us + 1000 * settings.over_ms]
    if look.to_us is not None:
        marks += [_closed_us(look) + 1000 * ms for ms in (settings.turn_ms, settings.kept_ms)]
    return min((mark for mark in marks if mark > now_us), default=FOREVER_US)


def hole_us(look: TiltEpisode, now_us: int, settings: PeekSettings) -> int | None:
    """Return from when on samples are missing that the stopper may still hold, on its clock."""
    first_us = look.from_us - look.window.ahead_us - 1000 * settings.before_ms
    last_us = first_us + 1000 * settings.longest_ms
    first_us = max(first_us, now_us - look.window.ahead_us - 1000 * settings.held_ms)
    if look.to_us is not None:
        end_us = look.to_us - look.window.ahead_us + 1000 * settings.after_ms
        last_us = min(last_us, end_us)
    step_us = 1000 * settings.joint_ms
    for point in points(look, LONG_AGO_US, FOREVER_US):
        if point.fine and point.at_us > first_us:
            if point.at_us - first_us > step_us:
                break
            first_us = point.at_us
    return None if last_us - first_us < step_us else first_us


def _part(look: TiltEpisode, now_us: int, settings: PeekSettings) -> tuple[int, int]:
    """Return which time to ask for: what is new, or what is missing of a look that is over."""
    window = look.window
    first_us = look.from_us - window.ahead_us - 1000 * settings.before_ms
    if look.to_us is None:
        last_us = window.last_us  # from within it, so that rounding leaves none out
        return (first_us if last_us is None else last_us + STEP_US // 2), settings.part_ms
    begin_us = hole_us(look, now_us, settings)
    assert begin_us is not None
    end_us = look.to_us - window.ahead_us + 1000 * settings.after_ms
    return begin_us, min(max(1, (end_us - begin_us) // 1000), settings.longest_ms)


def is_over(look: TiltEpisode, now_us: int, settings: PeekSettings) -> bool:
    """Return whether nothing more is to be expected."""
    if look.to_us is None:
        return now_us >= look.heard_us + 1000 * settings.over_ms
    return now_us >= _closed_us(look) + 1000 * settings.kept_ms
