"""Computes for how long a label was readable, given how its barrel was held: a sum over points.

A moment's share is 1 if the barrel was tilted far and held still, 0 if it was neither; shares times
spans add up, until one is 0: nobody reads in snatches.

Still is what eyes can follow: its speed counts, not how hard it is pushed. A stopper tells how fast
it goes up and down; one that does not yet, by how much it is pushed. Its tilt is that of 20 ms, and
as who jiggles a barrel pushes its tilt to and fro, some of them count together, and a lapse of few
ends no look. So a moment counts once those after it are known, too: with only those before it, a
swing that turns back just now looks as if it stayed.

What older ones tell is smoothed, and lags behind. Two points in a row say what their span was like
on the average before it was smoothed: that is what counts. So a look begins when it begins, and not
when a shake before it has faded; and a hand that swings a barrel sideways, which seems to tilt it,
shows by how unevenly it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp
from typing import Final

from companion.sensing.evidence import UPSIDE_DOWN_CDEG, EvidencePoint, without_doubles
from companion.sensing.rest import LONG_AGO_US, SMOOTHED_US, Rest, Span, blows, forces, resting
from companion.sensing.settings import PeekSettings

LAPSED_US: Final = 20_000  # is all that counts of a lapse: its last step


@dataclass(frozen=True, slots=True)
class LongestLook:
    """The longest look that the points make up, and how it goes on at the last of them."""

    most_us: int = 0
    now_us: int = 0
    now_share: float = 0.0
    last_us: int = 0  # time of the last point
    from_us: int = 0  # when the longest look began
    to_us: int = 0
    tilt_cdeg: int = 0  # most of it
    deviation_permille: int = 0  # mean of it
    fine: bool = True  # made of kept samples alone
    sure_us: int = 0  # the longest, up to where it is known to be in a hand


def share(point: EvidencePoint, settings: PeekSettings) -> float:
    """Return how readable a label is at a moment, from 0 to 1.

    >>> tilted, restless = EvidencePoint(0, 6800, 40, None), EvidencePoint(0, 9000, 130, None)
    >>> share(tilted, PeekSettings()), share(restless, PeekSettings())
    (0.5, 0.5)
    """
    if not point.counts:
        return 0.0
    beyond = settings.open_cdeg - settings.hidden_cdeg
    tilted = (point.tilt_cdeg - settings.hidden_cdeg) / beyond
    rest = settings.restless_permille - settings.calm_permille
    still = (settings.restless_permille - _restless(point)) / rest
    return min(max(tilted, 0.0), 1.0) * min(max(still, 0.0), 1.0)


def _restless(point: EvidencePoint) -> int:
    return point.deviation_permille if point.pace_permille is None else point.pace_permille


def longest_look(
    points: Sequence[EvidencePoint], settings: PeekSettings, rolled: Sequence[Span] = ()
) -> LongestLook:
    """Return the look that points make up, in order, given when it surely rolled."""
    best = run = _Run()
    usable = without_doubles(points, 1000 * settings.joint_ms)
    felt = forces(usable)
    cleared = without_shakes(usable, felt, settings)
    raw = unsmoothed(cleared, settings)
    points = steadied(raw, settings)
    rests = resting(raw, points, blows(usable, felt, settings), rolled, settings)
    turning = _turning(points, usable, settings)
    best_us = sure_us = 0.0
    settled_us = _settled_us(points, settings)
    for number, point in enumerate(points):
        if point.pace_permille is not None and point.at_us > settled_us:
            break
        hidden = cleared[number].deviation_permille > settings.blow_permille
        hidden = hidden or _turns_over(points, number, settings)
        lies = rests[number] is Rest.LIES
        now = 0.0 if lies or hidden else share(point, settings)
        if lies:
            run = _Run(last=point, lay=True)
        elif now:
            run = run.then(point, now, settings, turns=turning[number])
        elif run.lapses(point, settings) and not hidden:
            run = run if run.lapsed else replace(run, lapsed=True)
        else:
            run = _Run(last=point, lay=run.lay and usable[number].tilt_cdeg > settings.hidden_cdeg)
        worth_us = run.worth_us if run.sum_us > 0.0 else 0.0
        if worth_us > best_us:
            best, best_us = run, worth_us
        if worth_us > sure_us and rests[number] is Rest.HELD:
            sure_us = worth_us
    last_us = points[-1].at_us if points else 0
    return LongestLook(
        round(best.worth_us),
        round(run.worth_us),
        run.share,
        last_us,
        best.from_us,
        best.last.at_us if best.last and best.sum_us else 0,
        best.tilt_cdeg,
        best.deviations // max(1, best.count),
        best.fine,
        round(sure_us),
    )


def unsmoothed(points: Sequence[EvidencePoint], settings: PeekSettings) -> list[EvidencePoint]:
    """Return points as they were on average since the one before, where that is known.

    >>> smoothed = [EvidencePoint(0, 0, 0, None), EvidencePoint(20_000, 1120, 0, None)]
    >>> [point.tilt_cdeg for point in unsmoothed(smoothed, PeekSettings())]
    [0, 9006]
    """
    averaged = list(points[:1])
    for before, point in pairwise(points):
        span_us = point.at_us - before.at_us
        longest_ms = settings.joint_ms if point.fine else settings.features_ms
        plain = before.pace_permille is not None or point.pace_permille is not None
        if plain or span_us > 1000 * longest_ms or not (point.fine or point.joined):
            averaged.append(point)
            continue
        left = exp(-span_us / SMOOTHED_US)
        tilt = (point.tilt_cdeg - left * before.tilt_cdeg) / (1 - left)
        deviation = (point.deviation_permille - left * before.deviation_permille) / (1 - left)
        tilt = min(max(tilt, 0.0), UPSIDE_DOWN_CDEG)
        new = replace(point, tilt_cdeg=round(tilt), deviation_permille=max(0, round(deviation)))
        averaged.append(new)
    return averaged


def without_shakes(
    points: Sequence[EvidencePoint], felt: Sequence[float | None], settings: PeekSettings
) -> list[EvidencePoint]:
    """Return points without what a shake that is over has left in deviation and pace.

    What is shaken is pushed by more than 1 g whichever way it goes, so its pace says nothing of its
    speed, and takes half a second to fade: how fast it goes now is what has come since.

    >>> faded = [round(1200 * exp(-row * 20_000 / SMOOTHED_US)) for row in range(9)]
    >>> shaken = [
    ...     EvidencePoint(20_000 * row, 9000, pace + 8, None, pace_permille=pace + 8)
    ...     for row, pace in enumerate(faded)
    ... ]
    >>> [point.pace_permille for point in without_shakes(shaken, forces(shaken), PeekSettings())]
    [1208, 1059, 928, 814, 0, 2, 2, 3, 4]
    """
    cleared, left_pace = list[EvidencePoint](), 0.0
    around_us = 1000 * settings.around_ms
    at_us = shaken_us = struck_us = LONG_AGO_US  # the last time each
    for point, known in zip(points, felt, strict=True):
        span_us, at_us = point.at_us - at_us, point.at_us
        pace, deviation = point.pace_permille, point.deviation_permille
        if pace is None:
            cleared.append(point)
            continue
        if known is None:  # what is smoothed is all that is known
            shaken_us, left_pace = LONG_AGO_US, 0.0
        force = deviation if known is None else known
        if force > settings.blow_permille:
            struck_us = at_us
        if force >= settings.shaken_permille:
            shaken_us = at_us
        if at_us - shaken_us <= around_us:
            left_pace = pace if pace > settings.shaken_permille else 0.0
        elif left_pace >= 1.0:
            left_pace *= exp(-span_us / SMOOTHED_US)
            pace = min(pace, round(abs(pace - left_pace)))
        if deviation > settings.blow_permille and at_us - struck_us > around_us:
            deviation = settings.blow_permille
        same = pace == point.pace_permille and deviation == point.deviation_permille
        cleared.append(
            point if same else replace(point, deviation_permille=deviation, pace_permille=pace)
        )
    return cleared


def _tilted(point: EvidencePoint, tilt_cdeg: int) -> EvidencePoint:
    """Return a point with another tilt, which `replace` takes ten times as long for."""
    load, fine, joined, counts = point.stands, point.fine, point.joined, point.counts
    deviation, pace = point.deviation_permille, point.pace_permille
    return EvidencePoint(point.at_us, tilt_cdeg, deviation, load, fine, joined, counts, pace)


def steadied(points: Sequence[EvidencePoint], settings: PeekSettings) -> list[EvidencePoint]:
    """Return points whose tilt is not smoothed with the mean of those around them.

    >>> tilts = enumerate((6000, 9000, 6000))
    >>> swung = [EvidencePoint(20_000 * n, tilt, 0, None, pace_permille=0) for n, tilt in tilts]
    >>> [point.tilt_cdeg for point in steadied(swung, PeekSettings())]
    [7000, 7000, 7000]
    """
    steady, first, last, total = list[EvidencePoint](), 0, 0, 0
    for point in points:
        if point.pace_permille is None:
            steady.append(point)
            continue
        while last < len(points) and points[last].at_us <= point.at_us + 1000 * settings.around_ms:
            total += points[last].tilt_cdeg
            last += 1
        while points[first].at_us < point.at_us - 1000 * settings.around_ms:
            total -= points[first].tilt_cdeg
            first += 1
        steady.append(_tilted(point, total // (last - first)))
    return steady


def _turning(
    points: Sequence[EvidencePoint], usable: Sequence[EvidencePoint], settings: PeekSettings
) -> list[bool]:
    """Return at which points a barrel seems to turn that was shaken hard just before.

    A slow shake pulls it to one side for half a second, and back; whoever looks keeps holding it.
    """
    turning, shaken_us, before = list[bool](), -1 << 62, None
    for point, whole in zip(points, usable, strict=True):
        if whole.deviation_permille >= settings.shaken_permille:
            shaken_us = point.at_us
        turns = False
        if before is not None and point.at_us - shaken_us < 1000 * settings.shaking_ms:
            span_us = point.at_us - before.at_us
            turned = abs(point.tilt_cdeg - before.tilt_cdeg)
            turns = point.pace_permille is not None and turned * 10_000 > (
                settings.turning_deg_s * span_us
            )
        turning.append(turns)
        before = point
    return turning


def _turns_over(points: Sequence[EvidencePoint], number: int, settings: PeekSettings) -> bool:
    """Return whether it is turned end over end just now, too fast to be read."""
    point = points[number]
    if point.pace_permille is None or point.tilt_cdeg < settings.over_cdeg:
        return False
    before, after = points[max(0, number - 1)], points[min(number + 1, len(points) - 1)]
    turned = abs(after.tilt_cdeg - before.tilt_cdeg)
    return turned * 10_000 > settings.over_deg_s * (after.at_us - before.at_us)


def _settled_us(points: Sequence[EvidencePoint], settings: PeekSettings) -> int:
    """Return up to when the mean of those around a point can no longer change."""
    newest_us = max((point.at_us for point in points if point.pace_permille is not None), default=0)
    return newest_us - 1000 * settings.around_ms


@dataclass(frozen=True, slots=True)
class _Run:
    """A look under way."""

    sum_us: float = 0.0  # below 0: it was picked up, and that takes a while
    share: float = 0.0
    last: EvidencePoint | None = None
    from_us: int = 0
    tilt_cdeg: int = 0
    deviations: int = 0
    count: int = 0
    fine: bool = True
    lay: bool = False  # until just now, in nobody's hand
    lapsed: bool = False  # not in sight just now, for a moment
    turned_us: float = 0.0  # of the sum, while it turned after a hard shake

    @property
    def worth_us(self) -> float:
        """Return what counts of the sum: after a hard shake it is to be steady half of the time."""
        return min(self.sum_us, 2 * (self.sum_us - self.turned_us))

    def lapses(self, point: EvidencePoint, settings: PeekSettings) -> bool:
        """Return whether it may go on, although a point says otherwise."""
        if self.last is None or not self.share:
            return False
        return point.at_us - self.last.at_us <= 1000 * settings.lapse_ms

    def then(
        self, point: EvidencePoint, now: float, settings: PeekSettings, *, turns: bool
    ) -> _Run:
        """Return the look with the next point: longer, or started over."""
        span_us = point.at_us - self.last.at_us if self.last else 0
        close = span_us <= 1000 * settings.joint_ms
        if self.lapsed and not close and self.share and span_us <= 1000 * settings.after_lapse_ms:
            close, span_us = True, LAPSED_US
        linked = point.joined and span_us <= 1000 * settings.features_ms
        if not self.share or not (close or linked):
            sum_us = -1000.0 * settings.pick_up_ms if self.lay else 0.0
            more = (point.at_us, point.tilt_cdeg, _restless(point), 1)
            return _Run(sum_us, now, point, *more)
        more_us = span_us * (now if close else min(now, self.share))
        return _Run(
            self.sum_us + more_us,
            now,
            point,
            self.from_us,
            max(self.tilt_cdeg, point.tilt_cdeg),
            self.deviations + _restless(point),
            self.count + 1,
            self.fine and close,
            turned_us=self.turned_us + (more_us if turns else 0.0),
        )
