"""Barrels that roll, rock and lie: none is taken for one that somebody looks at."""

from research.bench import rolling
from research.bench._accidents import ACCIDENTS
from research.bench.rolling import SHOWN_S


def test_no_barrel_that_rolls_rocks_or_lies_is_accused() -> None:
    """A hand that lays one down may show its label, which is a look; what nobody reads is none."""
    played = {kind: rolling.played((kind, 10, 3)) for kind in ACCIDENTS}
    by_itself = (*played["knocked over"], *played["dropped"])
    hidden = [one for outcomes in played.values() for one in outcomes if one.readable_s < SHOWN_S]
    assert len(by_itself) < len(hidden)
    assert all(one.fouls == 0 for one in (*by_itself, *hidden))


def test_at_the_ear_upright_or_up_to_60_degrees_nobody_is_accused() -> None:
    outcomes = rolling.played(("listened 55", 6, 3)) + rolling.played(("listened 90", 6, 3))
    found = rolling.report(outcomes)
    assert found["listened_55"] == 0.0
    assert found["listened_90"] > 0.5  # which looks the same to any sensor


def test_who_pours_it_end_over_end_shows_nothing_that_can_be_read() -> None:
    outcomes = rolling.played(("poured", 10, 1000))
    assert all(one.readable_s < rolling.READ_S for one in outcomes)
    assert all(one.fouls == 0 for one in outcomes)
