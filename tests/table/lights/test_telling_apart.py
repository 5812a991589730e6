"""Whoever sees no colours tells every pattern and every scene from all others."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations

import pytest

from companion.present.lights.canvas import COUNT, GAMMA
from companion.present.lights.example import FIRST_US, examples
from companion.present.lights.patterns import (
    blink,
    comet,
    double,
    pulse,
    sparkle,
    steady,
    swell,
    swirl,
)

FRAMES, FRAME_US = 120, 33_333  # 4 s at 30 frames a second
PATTERNS: dict[str, Callable[[int], float]] = {
    "steady": steady,
    "slow pulse, as if breathing": pulse,
    "one swell": lambda at_us: swell(at_us - 1_000_000, 2_000_000),
    "fast blink": blink,
    "double blink": double,
    "comet": lambda at_us: comet(2, 8, at_us),
    "swirl": lambda at_us: swirl(2, 15, at_us),
}
LONG = 270  # frames, 9 s: a fault is hinted at no more often
NOTICED = 8  # frames: a quarter of a second
CLEAR = 0.12  # mean difference in brightness, at the moment where both look most alike


def frames(pattern: Callable[[int], float]) -> list[float]:
    return [pattern(frame * FRAME_US) for frame in range(FRAMES)]


def difference(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) / len(one)


def noticed(one: Sequence[float], other: Sequence[float]) -> int:
    """Count the frames in which one light differs by a quarter of what a light can."""
    return sum(abs(a - b) > 0.25 for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("pair", [*combinations(PATTERNS, 2)], ids=" and ".join)
def test_two_patterns_differ_whenever_one_begins_to_look(pair: tuple[str, str]) -> None:
    one, other = (frames(PATTERNS[name]) for name in pair)
    shifted = (one[shift:] + one[:shift] for shift in range(FRAMES))
    assert min(difference(moved, other) for moved in shifted) > CLEAR


def test_neighbours_in_a_sparkle_do_not_blink_as_one() -> None:
    for place in range(24):
        pair = (frames(partial(sparkle, at)) for at in (place, place + 1))
        assert difference(*pair) > 0.4


@pytest.mark.usefixtures("colourless")
def test_two_scenes_differ_without_their_colours() -> None:
    seen = {}
    for example in examples():
        shown = example.shown()
        scene_at = [example.at(shown, FIRST_US + n * FRAME_US) for n in range(LONG)]
        assert all(len(set(light)) == 1 for one in scene_at for light in one.lights)
        seen[example.name] = [
            [(one.lights[light][0] / 150) ** (1 / GAMMA) for one in scene_at]
            for light in range(COUNT)
        ]
    for one, other in combinations(seen, 2):
        pairs = zip(seen[one], seen[other], strict=True)
        assert any(noticed(*pair) >= NOTICED for pair in pairs), (one, other)
