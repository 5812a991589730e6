"""For how long a label was in sight, out of how its barrel was held; a pure sum over points.

It must not know messages or phases. A moment's share is 1 if the barrel was tilted far and held
still, 0 if it was neither; shares times spans add up, until one is 0: nobody reads in snatches.

What a stopper tells is smoothed, and lags behind. Two points in a row say what their span was like
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

from companion.sensing.evidence import UPSIDE_DOWN_CDEG, Point, worth
from companion.sensing.settings import Peeking

SMOOTHED_US: Final = 150_600.0  # by the stopper: 17/1024 of each difference, 400 times a second


@dataclass(frozen=True, slots=True)
class Sight:
    """The longest look that the points make up, and how it goes on at the last of them."""

    most_us: int = 0
    now_us: int = 0
    now_share: float = 0.0
    last_us: int = 0  # time of the last point
    from_us: int = 0  # when the longest look began
    to_us: int = 0
    tilt_cdeg: int = 0  # most of it
    deviation_permille: int = 0  # mean of it
    lying_us: int = 0  # for how long it lay in nobody's hand, in sight
    fine: bool = True  # made of kept samples alone


def share(point: Point, settings: Peeking) -> float:
    """Return how readable a label is at a moment, from 0 to 1.

    >>> share(Point(0, 6900, 40, None), Peeking()), share(Point(0, 9000, 130, None), Peeking())
    (0.5, 0.5)
    """
    if not point.counts:
        return 0.0
    beyond = settings.open_cdeg - settings.hidden_cdeg
    tilted = (point.tilt_cdeg - settings.hidden_cdeg) / beyond
    rest = settings.restless_permille - settings.calm_permille
    still = (settings.restless_permille - point.deviation_permille) / rest
    return min(max(tilted, 0.0), 1.0) * min(max(still, 0.0), 1.0)


def sight(points: Sequence[Point], settings: Peeking) -> Sight:
    """Return the look that points make up; they are in order."""
    best, run = Sight(), _Run()
    told = worth(points, 1000 * settings.joint_ms)
    points = unsmoothed(told, settings)
    flat = _flat(points, settings)
    lying_us = 0
    for number, point in enumerate(points):
        struck = told[number].deviation_permille > settings.blow_permille
        now = 0.0 if flat[number] or struck else share(point, settings)
        if flat[number] and number:
            lying_us += point.at_us - points[number - 1].at_us
        if flat[number]:
            run = _Run(last=point, lay=True)
        elif now:
            run = run.then(point, now, settings)
        else:
            run = _Run(last=point, lay=run.lay and told[number].tilt_cdeg > settings.hidden_cdeg)
        if run.sum_us > best.most_us:
            best = run.sight()
    last_us = points[-1].at_us if points else 0
    return Sight(
        best.most_us,
        round(run.sum_us),
        run.share,
        last_us,
        best.from_us,
        best.to_us,
        best.tilt_cdeg,
        best.deviation_permille,
        lying_us,
        best.fine,
    )


def unsmoothed(points: Sequence[Point], settings: Peeking) -> list[Point]:
    """Return points as they were on the average since the one before, where that is known.

    >>> told = [Point(0, 0, 0, None), Point(20_000, 1120, 0, None)]
    >>> [point.tilt_cdeg for point in unsmoothed(told, Peeking())]
    [0, 9006]
    """
    found = list(points[:1])
    for before, point in pairwise(points):
        span_us = point.at_us - before.at_us
        longest_ms = settings.joint_ms if point.fine else settings.features_ms
        if span_us > 1000 * longest_ms or not (point.fine or point.joined):
            found.append(point)
            continue
        left = exp(-span_us / SMOOTHED_US)
        tilt = (point.tilt_cdeg - left * before.tilt_cdeg) / (1 - left)
        deviation = (point.deviation_permille - left * before.deviation_permille) / (1 - left)
        tilt = min(max(tilt, 0.0), UPSIDE_DOWN_CDEG)
        new = replace(point, tilt_cdeg=round(tilt), deviation_permille=max(0, round(deviation)))
        found.append(new)
    return found


@dataclass(frozen=True, slots=True)
class _Run:
    """A look under way."""

    sum_us: float = 0.0  # below 0: it was picked up, and that takes a while
    share: float = 0.0
    last: Point | None = None
    from_us: int = 0
    tilt_cdeg: int = 0
    deviations: int = 0
    count: int = 0
    fine: bool = True
    lay: bool = False  # until just now, in nobody's hand

    def then(self, point: Point, now: float, settings: Peeking) -> _Run:
        """Return the look with the next point: longer, or begun anew."""
        span_us = point.at_us - self.last.at_us if self.last else 0
        close = span_us <= 1000 * settings.joint_ms
        told = point.joined and span_us <= 1000 * settings.features_ms
        if not self.share or not (close or told):
            sum_us = -1000.0 * settings.pick_up_ms if self.lay else 0.0
            more = (point.at_us, point.tilt_cdeg, point.deviation_permille, 1)
            return _Run(sum_us, now, point, *more)
        return _Run(
            self.sum_us + span_us * (now if close else min(now, self.share)),
            now,
            point,
            self.from_us,
            max(self.tilt_cdeg, point.tilt_cdeg),
            self.deviations + point.deviation_permille,
            self.count + 1,
            self.fine and close,
        )

    def sight(self) -> Sight:
        """Return it as the longest so far."""
        assert self.last is not None
        return Sight(
            round(self.sum_us),
            from_us=self.from_us,
            to_us=self.last.at_us,
            tilt_cdeg=self.tilt_cdeg,
            deviation_permille=self.deviations // max(1, self.count),
            fine=self.fine,
        )


def _flat(points: Sequence[Point], settings: Peeking) -> list[bool]:
    """Return at which points the tilt has not changed at all for a while: it is in no hand."""
    span_us, found, first = 1000 * settings.flat_ms, [], 0
    for number, point in enumerate(points):
        while points[first].at_us < point.at_us - span_us:
            first += 1
        part = [one.tilt_cdeg for one in points[first : number + 1]]
        whole = len(part) * 1000 * settings.joint_ms > span_us
        long = point.at_us - points[first].at_us > span_us - 1000 * settings.joint_ms
        same = max(part) - min(part) < settings.flat_cdeg and min(part) > settings.hidden_cdeg
        found.append(whole and long and same)
    return found
