"""Which barrel closed which pad: all joint explanations, weighed by times and by who was heard.

It must not know what is told nor what people said. Chances are relative to a barrel that is in
somebody's hand; two seats never have the same one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.sensing.pads import Kinds, Pad, usual
from companion.sensing.settings import Seating
from companion.sensing.touches import Barrel

Weights = dict[int, float]
UNFELT, NOTHING = -1, -2  # in place of a stopper: one that cannot be felt; no barrel at all
RIVAL = 1e-4  # of the best weight: who has less is no rival for another seat


@dataclass(frozen=True, slots=True)
class Question:
    """A pad that closed, perhaps more than once while fingers let go, and perhaps opened again."""

    closed_us: tuple[int, ...]
    opened_us: int | None = None
    elsewhere: frozenset[int] = frozenset()  # who is known to have stood at another seat
    kinds: Kinds = ()  # how likely it is which pad; empty: as usual

    def pads(self, settings: Seating) -> Iterator[tuple[Pad, float]]:
        """Yield each kind of pad with its chance."""
        yield from zip(settings.pads, self.kinds or usual(settings.pads), strict=True)


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


# --- one seat ---------------------------------------------------------------------------------


def _weigh(
    question: Question, barrels: Mapping[int, Barrel], now_us: int, settings: Seating
) -> tuple[Weights, frozenset[int]]:
    """Return how likely each is for one pad alone, and which of them are so only by silence."""
    pads = list(question.pads(settings))
    weights: Weights = {NOTHING: settings.nothing + _hand(question, now_us, settings)}
    silent, unheard = settings.barrels - len(barrels), set[int]()
    for who, barrel in barrels.items():
        if who in question.elsewhere:
            continue
        mute = not barrel.speaks(now_us, settings) and not barrel.sleeps(settings)
        silent += mute
        matched = silence = 0.0
        for pad, chance in pads:
            share = chance * _leaving(pad, question, barrel, now_us, settings)
            matched += share * _matched(pad, question, barrel, settings)
            if not mute and not _cleared(pad, question, barrel, settings):
                silence += share * _silence(pad, question, barrel, now_us, settings)
        if left(question, barrel, now_us, settings):
            matched *= settings.stuck
        if silence > matched:
            unheard.add(who)
        weights[who] = max(matched, silence)
    weights[UNFELT] = settings.unfelt * max(silent, 0)
    return weights, frozenset(unheard)


def _hand(question: Question, now_us: int, settings: Seating) -> float:
    """Return how likely it is that only a hand is there, which does not stay for long."""
    until_us = now_us if question.opened_us is None else question.opened_us
    if until_us >= question.closed_us[-1] + settings.hand_ms * 1000:
        return 0.0
    return sum(chance * pad.hand for pad, chance in question.pads(settings))


def _silence(pad: Pad, question: Question, barrel: Barrel, now_us: int, settings: Seating) -> float:
    """Return how likely a barrel is that was not heard since the pad closed."""
    if not barrel.aloft:
        asleep = not barrel.speaks(now_us, settings)
        return settings.silent_asleep if asleep else settings.silent_standing
    late_ms = pad.ahead_ms + settings.late_ms
    early = now_us < question.closed_us[0] + late_ms * 1000
    return settings.silent_aloft if early else settings.silent_long


def _matched(pad: Pad, question: Question, barrel: Barrel, settings: Seating) -> float:
    """Return how likely a barrel is by the time of its last set-down before the pad opened."""
    return set_down(pad, question, barrel) / settings.down_per_ms


def set_down(pad: Pad, question: Question, barrel: Barrel) -> float:
    """Return how well the time of its last set-down fits the pad's edges."""
    down = barrel.down_by(question.opened_us)
    if down is None:
        return 0.0
    by_edge = [pad.fit(down.from_us, down.to_us, edge_us) for edge_us in question.closed_us]
    return sum(by_edge) / len(by_edge)


def left(question: Question, barrel: Barrel, now_us: int, settings: Seating) -> bool:
    """Return whether it went into the air while the pad stayed closed: so it does not stand there.

    For a while that may be unknown, for the pad's edge comes when it likes.
    """
    grace_us = settings.grace_ms * 1000
    if not barrel.aloft or barrel.off_us < question.closed_us[-1] + grace_us:
        return False
    until_us = now_us if question.opened_us is None else question.opened_us
    return barrel.off_us <= until_us - grace_us


def _cleared(pad: Pad, question: Question, barrel: Barrel, settings: Seating) -> bool:
    """Return whether it would have been heard if it had been set down on this pad."""
    first_us, last_us = question.closed_us[0], question.closed_us[-1]
    ahead_us = round(1000 * pad.ahead_ms)
    settle_us = settings.settle_ms * 1000
    air_us, until_us = barrel.aloft_us, question.opened_us
    if barrel.down is not None and barrel.down.told and barrel.down.to_us >= first_us - settle_us:
        return True  # its SET was heard, so it was not set down a second time
    in_air = air_us >= last_us + ahead_us + settle_us
    if in_air and (until_us is None or air_us < until_us - settings.grace_ms * 1000):
        return True
    return barrel.heard_through(first_us, last_us + ahead_us, settings)


def _leaving(pad: Pad, question: Question, barrel: Barrel, now_us: int, settings: Seating) -> float:
    """Return how well a pad that opened fits a barrel that was lifted, or was not."""
    opened_us = question.opened_us
    if opened_us is None:
        return 1.0
    up = barrel.up
    if up is not None and up.to_us > question.closed_us[-1]:
        fit = pad.fit(up.from_us, up.to_us, opened_us, opens=True)
        return fit / settings.down_per_ms
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
    levels = [{0: 1.0}]  # of each set of stoppers used so far: all its explanations together
    for option in options:
        longer: dict[int, float] = {}
        for used, chance in levels[-1].items():
            for who, weight in option:
                if not used & (bit := _bit(who)):
                    longer[used | bit] = longer.get(used | bit, 0.0) + chance * weight
        levels.append(longer)
    after = dict.fromkeys(levels.pop(), 1.0)
    found: list[Weights] = []
    for option, level in zip(reversed(options), reversed(levels), strict=True):
        share, before = {who: 0.0 for who, _ in option}, {}
        for used, chance in level.items():
            rest = 0.0
            for who, weight in option:
                if not used & (bit := _bit(who)):
                    way = weight * after[used | bit]
                    share[who] += chance * way
                    rest += way
            before[used] = rest
        after = before
        found.append(share)
    return found[::-1]


def _bit(who: int) -> int:
    return 1 << who if who >= 0 else 0


def _spread(share: Weights, weights: Weights, near: set[int]) -> Weights:
    """Return chances that add up to one, with what was lumped together taken apart again."""
    total = sum(share.values())
    lump = sum(weight for who, weight in weights.items() if who not in near)
    chances = {who: share.get(who, 0.0) / total for who in near}
    for who, weight in weights.items():
        if who not in near:
            chances[who] = share.get(NOTHING, 0.0) / total * weight / lump
    return chances
