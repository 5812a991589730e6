"""Tells a barrel that lies, rolls or rocks on a table from one in a hand, by its tilt and by blows.

A barrel on its side rolls with its tilt hardly changing, however it bumps; it rocks only after a
blow, until that has faded; and in the end it lies still. A hand wavers, and turns it on. So near
the angle at which barrels lie nothing is known at once: where it stays still it lies, and has lain
since it came there; where it wavers as a hand does, or turns on, it was held. What falls or topples
comes there with a blow: if none was felt, a hand brought it, and less wavering tells. After a blow,
and of one that lay still before, nothing but the end tells.
"""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from itertools import pairwise
from math import exp
from typing import Final

from companion.sensing.evidence import EvidencePoint
from companion.sensing.settings import PeekSettings

SMOOTHED_US: Final = 150_600.0  # by the stopper: 17/1024 of each difference, 400 times a second
LONG_AGO_US: Final = -(1 << 62)
Span = tuple[int, int]  # from when to when, on the stopper's clock


class Rest(Enum):
    """What is known of a barrel at a moment."""

    HELD = auto()
    UNSURE = auto()  # it may lie, but not for long enough to know; or it was struck, and may roll
    LIES = auto()


def resting(
    raw: Sequence[EvidencePoint],
    steady: Sequence[EvidencePoint],
    struck: Sequence[bool],
    rolled: Sequence[Span],
    settings: PeekSettings,
) -> list[Rest]:
    """Return what is known at each point: not smoothed, steadied, and if it was just struck."""
    known = list[Rest]()
    open_from = wavered_us = 0  # not decided from here on; and how long it has wavered there
    seen_us = struck_us = LONG_AGO_US  # there, and a blow: each time the last
    near = lay = brought = False  # brought by a hand: what falls or topples is struck when it comes
    for number, point in enumerate(raw):
        at_us, tilt = point.at_us, steady[number].tilt_cdeg
        if struck[number]:
            struck_us, brought = at_us, False
        if abs(tilt - settings.lies_cdeg) <= settings.near_cdeg:
            if not near:
                calm_us = 1000 * settings.calm_ms
                brought = min(at_us - struck_us, at_us - raw[0].at_us) >= calm_us
                lay = not number  # perhaps for long: nobody knows how it came there
            seen_us, near = at_us, True
        elif near and at_us - seen_us > 1000 * settings.leaves_ms:
            near = lay = False
            wavered_us = 0
        if near:
            still_us = still_for_us(raw, number, settings)
            lay = lay or at_us - rolled_us(rolled, at_us) < 1000 * settings.rocks_ms
            wavers = number > 0 and still_us < 1000 * settings.wavers_ms
            if wavers and (brought or at_us - struck_us > 1000 * settings.rocks_ms):
                wavered_us += min(at_us - raw[number - 1].at_us, 1000 * settings.joint_ms)
            wavers_ms = settings.brought_ms if brought else settings.hand_ms
            held = wavers and not lay and wavered_us >= 1000 * wavers_ms
            smoothed = point.pace_permille is None
            lies = still_us >= 1000 * (settings.flat_ms if smoothed else settings.lies_ms)
            rest = Rest.LIES if lies else Rest.HELD if held else Rest.UNSURE
        else:
            rest = _elsewhere(raw, number, settings)
        known.append(rest)
        if rest is not Rest.UNSURE:
            known[open_from:] = [rest] * (number + 1 - open_from)
            open_from = number + 1
        if rest is Rest.LIES:
            lay, wavered_us = near, 0
    return known


def _elsewhere(raw: Sequence[EvidencePoint], number: int, settings: PeekSettings) -> Rest:
    """Return what is known at any other angle: it may lean on something, quite still."""
    point = raw[number]
    if not settings.hidden_cdeg < point.tilt_cdeg < settings.head_cdeg:
        return Rest.HELD
    smoothed = point.pace_permille is None
    most_cdeg = settings.flat_cdeg if smoothed else settings.still_cdeg
    still_us = _still_us(raw, number, most_cdeg, settings)
    if still_us >= 1000 * (settings.flat_ms if smoothed else settings.leans_ms):
        return Rest.LIES
    return Rest.UNSURE if still_us >= 1000 * settings.flat_ms else Rest.HELD


def still_for_us(raw: Sequence[EvidencePoint], number: int, settings: PeekSettings) -> int:
    """Return for how long it has been as still as what rolls, near the angle of what lies."""
    smoothed = raw[number].pace_permille is None
    most_cdeg = settings.flat_cdeg if smoothed else settings.rolls_cdeg
    return _still_us(raw, number, most_cdeg, settings)


def _still_us(
    raw: Sequence[EvidencePoint], number: int, most_cdeg: int, settings: PeekSettings
) -> int:
    """Return for how long its tilt has not changed by more; no longer than it takes to know."""
    low = high = raw[number].tilt_cdeg
    since_us = end_us = raw[number].at_us
    for at in range(number - 1, -1, -1):
        tilt, at_us = raw[at].tilt_cdeg, raw[at].at_us
        low, high = min(low, tilt), max(high, tilt)
        if high - low >= most_cdeg or since_us - at_us > 1000 * settings.joint_ms:
            break
        since_us = at_us
        if end_us - at_us >= 1000 * settings.leans_ms:
            break
    return end_us - since_us


def rolls(fields: Mapping[str, int], settings: PeekSettings) -> bool:
    """Return whether FEATURES are of a barrel that turns about its own axis while it lies.

    Then what it feels goes round, but is always 1 g, and its tilt stays what it is.
    """
    most, least = fields["tilt_max_cdeg"], fields["tilt_min_cdeg"]
    near = abs((most + least) // 2 - settings.lies_cdeg) <= settings.near_cdeg
    turns = fields["shake_rms_permille"] >= settings.rolls_permille
    even = fields["deviation_permille"] <= settings.even_permille
    return near and turns and even and most - least <= settings.near_cdeg


def rolled_us(rolled: Sequence[Span], at_us: int) -> int:
    """Return when it rolled last, up to a time."""
    return max((min(end, at_us) for begin, end in rolled if begin <= at_us), default=LONG_AGO_US)


def forces(points: Sequence[EvidencePoint]) -> list[float | None]:
    """Return by how much |a| was off 1 g, in thousandths, on average since the point before.

    Of the first it is not known, nor after a gap, nor of what messages say.
    """
    deviations = list[float | None]((None,) * min(1, len(points)))
    for before, point in pairwise(points):
        span_us = point.at_us - before.at_us
        if not (before.fine and point.fine) or not 0 < span_us <= SMOOTHED_US:
            deviations.append(None)
            continue
        left = exp(-span_us / SMOOTHED_US)
        off = (point.deviation_permille - left * before.deviation_permille) / (1 - left)
        deviations.append(off)
    return deviations


def blows(
    points: Sequence[EvidencePoint], felt: Sequence[float | None], settings: PeekSettings
) -> list[bool]:
    """Return at which points a barrel was struck since the one before, or fell, given its force."""
    struck, shaken = list[bool](), 0
    for point, force in zip(points, felt, strict=True):
        hard = min(settings.falls_permille, settings.knock_permille + 2 * shaken)
        struck.append(force is not None and force > hard)
        shaken = point.deviation_permille
    return struck
