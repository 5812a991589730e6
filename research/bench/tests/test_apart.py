"""How close two set-downs can be told apart: hardly at all at once, and surely far apart."""

from random import Random

from research.bench.apart import CERTAIN, Pad, bound, drawn, told_apart


def test_the_closer_they_are_the_less_is_known_and_hardly_any_is_known_wrong() -> None:
    shares = {gap_ms: (known, wrong) for gap_ms, known, wrong in bound(150)}
    assert shares[0][0] < 0.05
    assert shares[30][0] < 0.5
    assert shares[120][0] > 0.95
    assert all(wrong < 0.03 for _, wrong in shares.values())


def test_one_pad_more_likely_closes_when_it_usually_does() -> None:
    pad = Pad(Random(3))
    assert pad.fits(pad.late_ms + 4) > 3 * pad.fits(pad.late_ms + 120)
    assert told_apart(140, Random(2)) > CERTAIN


def test_the_drawing_bears_the_bound_alone_where_nothing_was_measured() -> None:
    assert "measured" not in drawn([(0, 0.0, 0.0), (150, 1.0, 0.0)], [])
