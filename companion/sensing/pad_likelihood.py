"""How likely each barrel closed one pad: by times, by silence and by kinds of pads.

Weights are relative to a barrel that is in somebody's hand.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.sensing.contact import ContactState
from companion.sensing.pad_model import FAR, Kinds, Pad, usual
from companion.sensing.settings import PlacementSettings

Weights = dict[int, float]
UNFELT, NOTHING = -1, -2  # in place of a stopper: one that cannot be felt; no barrel at all
HARDLY_ANY = 1e-5  # kinds of pads that are less likely are left out


@dataclass(frozen=True, slots=True)
class PadQuestion:
    """A pad that closed, perhaps more than once while fingers let go, and perhaps opened again."""

    closed_us: tuple[int, ...]
    opened_us: int | None = None
    elsewhere: frozenset[int] = frozenset()  # those known to have stood at another seat
    kinds: Kinds = ()  # how likely it is which pad; empty: as usual

    def pads(self, settings: PlacementSettings) -> Iterator[tuple[Pad, float]]:
        """Yield each kind of pad with its chance."""
        yield from zip(settings.pads, self.kinds or usual(settings.pads), strict=True)


@dataclass(frozen=True, slots=True)
class PadLikelihoods:
    """How likely each is for one pad alone, which of them only because of silence, and by kind."""

    weights: Weights
    unheard: frozenset[int]
    kinds: Kinds  # as they were believed before
    by_kind: dict[int, Kinds]  # each barrel's weight, split up


def weigh_barrels(
    question: PadQuestion,
    barrels: Mapping[int, ContactState],
    silent: int,
    now_us: int,
    settings: PlacementSettings,
) -> PadLikelihoods:
    """Return how likely each is; `silent` is how many barrels were never heard."""
    kinds = tuple(chance for _, chance in question.pads(settings))
    pads = [
        (at, pad, chance)
        for at, (pad, chance) in enumerate(question.pads(settings))
        if chance > HARDLY_ANY
    ]
    aheads: dict[float, float] = {}  # how early the pads' edges come, and how likely that is
    for _, pad, chance in pads:
        aheads[pad.ahead_ms] = aheads.get(pad.ahead_ms, 0.0) + chance
    reach_us = max(1000 * (pad.ahead_ms + FAR * pad.tail_ms) for _, pad, _ in pads)
    weights: Weights = {NOTHING: settings.nothing + _hand(question, now_us, settings)}
    unheard, by_kind = set[int](), dict[int, Kinds]()
    for who, barrel in barrels.items():
        if who in question.elsewhere:
            continue
        mute = not barrel.speaks(now_us, settings) and not barrel.sleeps(settings)
        silent += mute
        dark = {
            ahead_ms: chance
            for ahead_ms, chance in aheads.items()
            if not mute and not _cleared(ahead_ms, question, barrel, settings)
        }
        near = _near(question, barrel, reach_us)
        if not near and question.opened_us is None and not in_hand(question, barrel, settings):
            weights[who] = _standing(question, barrel, now_us, settings) * sum(dark.values())
            unheard.update([who] if dark else [])
            continue
        matched, silence = [0.0] * len(kinds), [0.0] * len(kinds)
        gone = settings.stuck if has_left(question, barrel, now_us, settings) else 1.0
        for at, pad, chance in pads:
            fits = _matched(pad, question, barrel, settings) if near else 0.0
            quiet = 0.0
            if pad.ahead_ms in dark:
                quiet = _silence(pad, question, barrel, now_us, settings)
            if fits or quiet:
                share = chance * _leaving(pad, question, barrel, now_us, settings)
                matched[at], silence[at] = gone * share * fits, share * quiet
        if sum(silence) > sum(matched):
            unheard.add(who)
            matched = silence
        weights[who], by_kind[who] = sum(matched), tuple(matched)
    weights[UNFELT] = settings.unfelt * max(silent, 0)
    return PadLikelihoods(weights, frozenset(unheard), kinds, by_kind)


def _near(question: PadQuestion, barrel: ContactState, reach_us: float) -> bool:
    """Return whether it was set down at a time that would fit any pad at all."""
    down = barrel.down_by(question.opened_us)
    return down is not None and (
        down.to_us > question.closed_us[0] - reach_us
        and down.from_us < question.closed_us[-1] + reach_us
    )


def in_hand(question: PadQuestion, barrel: ContactState, settings: PlacementSettings) -> bool:
    """Return whether it may have been in the air when the pad closed, and ever since."""
    latest_us = question.closed_us[-1] + settings.settle_ms * 1000
    return barrel.aloft and barrel.off_us <= latest_us


def may_come(question: PadQuestion, barrel: ContactState, settings: PlacementSettings) -> float:
    """Return how likely what closed the pad touched only after this barrel was in the air last."""
    return sum(
        chance * pad.later(barrel.aloft_us, question.closed_us[-1])
        for pad, chance in question.pads(settings)
        if chance > HARDLY_ANY
    )


def _standing(
    question: PadQuestion, barrel: ContactState, now_us: int, settings: PlacementSettings
) -> float:
    """Return how likely a barrel is that stood, and was not heard since.

    If so much of it is missing that it was moved, it was set down at any time in that span.
    """
    span_us = barrel.moved_unheard_us(question.closed_us[0], question.closed_us[-1], settings)
    if span_us:
        return min(settings.silent_aloft, 1000 / (span_us * settings.down_per_ms))
    asleep = not barrel.speaks(now_us, settings)
    return settings.silent_asleep if asleep else settings.silent_standing


def _hand(question: PadQuestion, now_us: int, settings: PlacementSettings) -> float:
    """Return how likely it is that only a hand is there, which does not stay for long."""
    until_us = now_us if question.opened_us is None else question.opened_us
    if until_us >= question.closed_us[-1] + settings.hand_ms * 1000:
        return 0.0
    return sum(chance * pad.hand for pad, chance in question.pads(settings))


def _silence(
    pad: Pad, question: PadQuestion, barrel: ContactState, now_us: int, settings: PlacementSettings
) -> float:
    """Return how likely a barrel is that was not heard since the pad closed."""
    if not in_hand(question, barrel, settings):
        return _standing(question, barrel, now_us, settings)
    muted_us = settings.muted_ms * 1000
    muted = now_us < question.closed_us[0] + round(1000 * pad.ahead_ms) + muted_us
    silent = settings.silent_aloft if muted else settings.silent_long
    if muted and question.closed_us[0] - barrel.heard_us > muted_us:
        silent = settings.silent_resting
    return silent * pad.later(barrel.aloft_us, question.closed_us[-1])


def _matched(
    pad: Pad, question: PadQuestion, barrel: ContactState, settings: PlacementSettings
) -> float:
    """Return how likely a barrel is by the time of its last set-down before the pad opened."""
    return set_down_fit(pad, question, barrel) / settings.down_per_ms


def set_down_fit(pad: Pad, question: PadQuestion, barrel: ContactState) -> float:
    """Return how well the time of its last set-down fits the pad's edges."""
    down = barrel.down_by(question.opened_us)
    if down is None:
        return 0.0
    by_edge = [pad.fit(down.from_us, down.to_us, edge_us) for edge_us in question.closed_us]
    return sum(by_edge) / len(by_edge)


def has_left(
    question: PadQuestion, barrel: ContactState, now_us: int, settings: PlacementSettings
) -> bool:
    """Return whether it went into the air while the pad stayed closed: so it does not stand there.

    For a while that may be unknown, because the pad's edge can come at any time.
    """
    grace_us = settings.grace_ms * 1000
    if not barrel.aloft or barrel.off_us < question.closed_us[-1] + grace_us:
        return False
    until_us = now_us if question.opened_us is None else question.opened_us
    return barrel.off_us <= until_us - grace_us


def _cleared(
    ahead_ms: float, question: PadQuestion, barrel: ContactState, settings: PlacementSettings
) -> bool:
    """Return whether it would have been heard if it had been set down on such a pad."""
    settle_us = settings.settle_ms * 1000
    first_us, last_us = question.closed_us[0] - settle_us, question.closed_us[-1]
    if barrel.down is not None and barrel.down.told and barrel.down.to_us >= first_us:
        return True  # its SET was heard, so it was not set down a second time
    return barrel.heard_through(first_us, last_us + round(1000 * ahead_ms), settings)


def _leaving(
    pad: Pad, question: PadQuestion, barrel: ContactState, now_us: int, settings: PlacementSettings
) -> float:
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
