"""Assigns barrels to pads: all joint explanations, weighed by times and by who was heard.

Chances are relative to a barrel that is in somebody's hand; two seats never have the same one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.sensing.contact import ContactState
from companion.sensing.pad_likelihood import (
    NOTHING,
    PadLikelihoods,
    PadQuestion,
    Weights,
    weigh_barrels,
)
from companion.sensing.pad_model import ALIKE, Kinds, usual
from companion.sensing.settings import PlacementSettings

RIVAL = 1e-4  # of the best weight: a barrel with less is not a rival for another seat


@dataclass(frozen=True, slots=True)
class PadAssignment:
    """Which barrel stands at a seat, how likely each is, and whether one may be left unheard."""

    chances: Weights
    unheard: frozenset[int]  # those that are likely only because nothing was heard
    kinds: Kinds = ()  # how likely it is which pad, after all this

    @property
    def best(self) -> int:
        """Return which is the likeliest."""
        return max(self.chances, key=lambda who: (self.chances[who], -who))


def assign(
    questions: Sequence[PadQuestion],
    barrels: Mapping[int, ContactState],
    now_us: int,
    settings: PlacementSettings,
    settled: int = 0,
) -> list[PadAssignment]:
    """Return for each pad who stands there, of all barrels but those settled elsewhere."""
    if not questions:
        return []
    unknown = settings.barrels - len(barrels) - settled
    believed, total = list[list[PadAssignment]](), list[float]()
    for share, alike in _families(questions, settings):
        weighed = [
            weigh_barrels(question, barrels, unknown, now_us, settings) for question in alike
        ]
        beliefs, evidence = _explained(weighed)
        believed.append(beliefs)
        total.append(share * evidence)
    if len(believed) == 1:
        return believed[0]
    parts = [part / sum(total) for part in total]
    return [_mixed(beliefs, parts) for beliefs in zip(*believed, strict=True)]


def _families(
    questions: Sequence[PadQuestion], settings: PlacementSettings
) -> Iterator[tuple[float, Sequence[PadQuestion]]]:
    """Yield what pads may be together, and how likely: of one family mostly, until one is known."""
    if len(questions) < 2 or any(question.kinds != usual(settings.pads) for question in questions):
        yield 1.0, questions
        return
    yield 1 - ALIKE, questions
    for ahead in (False, True):
        kinds = [pad.usual if (pad.ahead_ms > 0) is ahead else 0.0 for pad in settings.pads]
        if share := sum(kinds):
            alone = tuple(chance / share for chance in kinds)
            yield ALIKE * share, [replace(question, kinds=alone) for question in questions]


def _mixed(beliefs: Sequence[PadAssignment], parts: Sequence[float]) -> PadAssignment:
    """Return what is believed if it is not known which of several worlds this is."""
    chances: Weights = {}
    kinds = [0.0] * len(beliefs[0].kinds)
    for belief, part in zip(beliefs, parts, strict=True):
        for who, chance in belief.chances.items():
            chances[who] = chances.get(who, 0.0) + part * chance
        for number, chance in enumerate(belief.kinds):
            kinds[number] += part * chance
    likeliest = max(range(len(parts)), key=parts.__getitem__)
    return PadAssignment(chances, beliefs[likeliest].unheard, tuple(kinds))


def _explained(weighed: Sequence[PadLikelihoods]) -> tuple[list[PadAssignment], float]:
    """Return what is believed of each pad, and how well all explanations together explain it."""
    rivals = [_rivals(likelihoods.weights) for likelihoods in weighed]
    shares, evidence = _joint(
        [
            [(who, likelihoods.weights[who]) for who in sorted(near)]
            + [
                (
                    NOTHING,
                    sum(weight for who, weight in likelihoods.weights.items() if who not in near),
                )
            ]
            for likelihoods, near in zip(weighed, rivals, strict=True)
        ]
    )
    beliefs = [
        _belief(_spread(share, likelihoods.weights, near), likelihoods)
        for share, likelihoods, near in zip(shares, weighed, rivals, strict=True)
    ]
    return beliefs, evidence


def _belief(chances: Weights, weighed: PadLikelihoods) -> PadAssignment:
    """Return what is believed, also of the pad: each explanation counts by its chance."""
    kinds = [0.0] * len(weighed.kinds)
    for who, chance in chances.items():
        by_kind = weighed.by_kind.get(who, weighed.kinds)
        total = sum(by_kind)
        for number, weight in enumerate(by_kind if total else weighed.kinds):
            kinds[number] += chance * weight / (total or 1.0)
    return PadAssignment(chances, weighed.unheard, tuple(kinds))


# --- all seats --------------------------------------------------------------------------------


def _rivals(weights: Weights) -> set[int]:
    """Return the stoppers that are likely enough to be asked whether they stand elsewhere."""
    least = RIVAL * max(weights.values())
    return {who for who, weight in weights.items() if who >= 0 and weight > least}


def _joint(options: list[list[tuple[int, float]]]) -> tuple[list[Weights], float]:
    """Return the share of each option, over all explanations that use no stopper twice."""
    ways = [[(who, _bit(who), weight) for who, weight in option] for option in options]
    levels = [{0: 1.0}]  # for each set of stoppers used so far: all its explanations together
    for way in ways[:-1]:
        longer: dict[int, float] = {}
        for used, chance in levels[-1].items():
            for _, bit, weight in way:
                if not used & bit:
                    longer[used | bit] = longer.get(used | bit, 0.0) + chance * weight
        levels.append(longer)
    after: dict[int, float] = {}  # of each such set: all that may follow; nothing after the last
    shares: list[Weights] = []
    for way, level in zip(reversed(ways), reversed(levels), strict=True):
        share, before = dict.fromkeys([who for who, _, _ in way], 0.0), {}
        for used, chance in level.items():
            rest = 0.0
            for who, bit, weight in way:
                if not used & bit:
                    follows = weight * after[used | bit] if after else weight
                    share[who] += chance * follows
                    rest += follows
            before[used] = rest
        after = before
        shares.append(share)
    return shares[::-1], after[0]


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
