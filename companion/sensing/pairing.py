"""Which barrel closed which pad: all joint explanations, weighed by times and by who was heard.

It must not know what is told nor what people said. Chances are relative to a barrel that is in
somebody's hand; two seats never have the same one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import erf, sqrt

from companion.sensing.settings import Seating
from companion.sensing.touches import Barrel, Touch

Weights = dict[int, float]
UNFELT, NOTHING = -1, -2  # in place of a stopper: one that cannot be felt; no barrel at all
RIVAL = 1e-4  # of the best weight: who has less is no rival for another seat
LEAST_US = 1_000  # no time is known better


@dataclass(frozen=True, slots=True)
class Question:
    """A pad that closed, perhaps more than once while fingers let go, and perhaps opened again."""

    closed_us: tuple[int, ...]
    opened_us: int | None = None
    elsewhere: frozenset[int] = frozenset()  # who is known to have stood at another seat


@dataclass(frozen=True, slots=True)
class Belief:
    """Who stands at a seat, how likely each is, and whether someone may be left unheard."""

    chances: Weights
    unheard: frozenset[int]  # who is likely only because nothing was heard

    @property
    def best(self) -> int:
        """Return who is the likeliest."""
        return max(self.chances, key=lambda who: (self.chances[who], -who))


def judge(
    questions: Sequence[Question], barrels: Mapping[int, Barrel], now_us: int, settings: Seating
) -> list[Belief]:
    """Return for each pad who stands there, of all barrels that nobody settled elsewhere."""
    weighed = [_weigh(question, barrels, now_us, settings) for question in questions]
    rivals = [_rivals(weights) for weights, _ in weighed]
    shares = _joint(
        [
            [(who, weights[who]) for who in sorted(near)]
            + [(NOTHING, sum(weight for who, weight in weights.items() if who not in near))]
            for (weights, _), near in zip(weighed, rivals, strict=True)
        ]
    )
    return [
        Belief(_spread(share, weights, near), unheard)
        for share, (weights, unheard), near in zip(shares, weighed, rivals, strict=True)
    ]


def fit(touch: Touch, edge_us: int, settings: Seating) -> float:
    """Return how likely per ms the foot touches then, if it is the one that moved the pad.

    >>> near, far = Touch(-8_000, -6_000), Touch(92_000, 94_000)
    >>> round(fit(near, 0, Seating()), 3), round(fit(far, 0, Seating()), 4)
    (0.026, 0.0005)
    """
    from_us, to_us = touch.from_us, max(touch.to_us, touch.from_us + LEAST_US)
    early = settings.early_ms
    share = _until((to_us - edge_us) / 1000 + early, settings)
    share -= _until((from_us - edge_us) / 1000 + early, settings)
    return max(share, 0.0) / ((to_us - from_us) / 1000)


def _until(after_ms: float, settings: Seating) -> float:
    near, far = after_ms / settings.core_ms, after_ms / settings.tail_ms
    tail = settings.tail_share
    return 0.5 + 0.5 * ((1 - tail) * erf(near / sqrt(2)) + tail * erf(far / sqrt(2)))


# --- one seat ---------------------------------------------------------------------------------


def _weigh(
    question: Question, barrels: Mapping[int, Barrel], now_us: int, settings: Seating
) -> tuple[Weights, frozenset[int]]:
    """Return how likely each is for one pad alone, and which of them are so only by silence."""
    weights: Weights = {NOTHING: settings.nothing}
    silent, unheard = settings.barrels - len(barrels), set[int]()
    for who, barrel in barrels.items():
        if who in question.elsewhere:
            continue
        weight = _matched(question, barrel, now_us, settings)
        if not barrel.speaks(now_us, settings) and not barrel.sleeps(settings):
            silent += 1
        elif not _cleared(question, barrel, settings):
            silence = _silence(question, barrel, now_us, settings)
            if silence > weight:
                weight = silence
                unheard.add(who)
        weights[who] = weight * _leaving(question, barrel, now_us, settings)
    weights[UNFELT] = settings.unfelt * max(silent, 0)
    return weights, frozenset(unheard)


def _silence(question: Question, barrel: Barrel, now_us: int, settings: Seating) -> float:
    """Return how likely a barrel is that was not heard since the pad closed."""
    if not barrel.aloft:
        asleep = not barrel.speaks(now_us, settings)
        return settings.silent_asleep if asleep else settings.silent_standing
    early = now_us < question.closed_us[0] + settings.late_ms * 1000
    return settings.silent_aloft if early else settings.silent_long


def _matched(question: Question, barrel: Barrel, now_us: int, settings: Seating) -> float:
    """Return how likely a barrel is by the time of its last set-down."""
    down = barrel.down
    if down is None:
        return 0.0
    by_edge = [fit(down, edge_us, settings) for edge_us in question.closed_us]
    weight = sum(by_edge) / len(by_edge) / settings.down_per_ms
    return weight * (settings.stuck if left(question, barrel, now_us, settings) else 1.0)


def left(question: Question, barrel: Barrel, now_us: int, settings: Seating) -> bool:
    """Return whether it went into the air while the pad stayed closed: so it does not stand there.

    For a while that may be unknown, for the pad's edge comes when it likes.
    """
    grace_us = settings.grace_ms * 1000
    if not barrel.aloft or barrel.off_us < question.closed_us[-1] + grace_us:
        return False
    until_us = now_us if question.opened_us is None else question.opened_us
    return barrel.off_us <= until_us - grace_us


def _cleared(question: Question, barrel: Barrel, settings: Seating) -> bool:
    """Return whether it would have been heard if it had been set down on this pad."""
    first_us, last_us = question.closed_us[0], question.closed_us[-1]
    settle_us = settings.settle_ms * 1000
    air_us, until_us = barrel.aloft_us, question.opened_us
    if barrel.down is not None and barrel.down.told and barrel.down.to_us >= first_us - settle_us:
        return True  # its SET was heard, so it was not set down a second time
    in_air = air_us >= last_us + settle_us
    if in_air and (until_us is None or air_us < until_us - settings.grace_ms * 1000):
        return True
    return barrel.heard_through(first_us, settings)


def _leaving(question: Question, barrel: Barrel, now_us: int, settings: Seating) -> float:
    """Return how well a pad that opened fits a barrel that was lifted, or was not."""
    opened_us = question.opened_us
    if opened_us is None:
        return 1.0
    up = barrel.up
    if up is not None and up.to_us > question.closed_us[-1]:
        return fit(up, opened_us, settings) / settings.down_per_ms
    if barrel.aloft_us > opened_us:
        return 1.0
    return 1.0 if now_us < opened_us + settings.late_ms * 1000 else settings.lost_lift


# --- all seats --------------------------------------------------------------------------------


def _rivals(weights: Weights) -> set[int]:
    """Return the stoppers that are likely enough to be asked whether they stand elsewhere."""
    least = RIVAL * max(weights.values())
    return {who for who, weight in weights.items() if who >= 0 and weight > least}


def _joint(options: list[list[tuple[int, float]]]) -> list[Weights]:
    """Return the share of each option, over all explanations that use no stopper twice."""
    found: list[Weights] = [{} for _ in options]
    for chosen, weight in _explanations(options, frozenset()):
        for share, who in zip(found, chosen, strict=True):
            share[who] = share.get(who, 0.0) + weight
    return found


def _explanations(
    options: list[list[tuple[int, float]]], used: frozenset[int]
) -> Iterator[tuple[tuple[int, ...], float]]:
    if not options:
        yield (), 1.0
        return
    for who, weight in options[0]:
        if who in used:
            continue
        now_used = used | {who} if who >= 0 else used
        for rest, others in _explanations(options[1:], now_used):
            yield (who, *rest), weight * others


def _spread(share: Weights, weights: Weights, near: set[int]) -> Weights:
    """Return chances that add up to one, with what was lumped together taken apart again."""
    total = sum(share.values())
    lump = sum(weight for who, weight in weights.items() if who not in near)
    chances = {who: share.get(who, 0.0) / total for who in near}
    for who, weight in weights.items():
        if who not in near:
            chances[who] = share.get(NOTHING, 0.0) / total * weight / lump
    return chances
