"""The leaves bend, bear and say what the drafts hoped for: reckoned twice, in two ways."""

import re

import numpy as np
import pytest

pytest.importorskip("hardware.tests.solids", reason="trimesh or manifold3d is not installed")

from companion.simulator.stopper_kinds import LEAVES
from hardware.tests import leaf, stopper
from hardware.tests.plan import HARDWARE
from hardware.tests.solids import FLAT, length_mm, loops, measure, measures, outline
from hardware.tests.test_stopper import FULL_G

LOAD_G = FULL_G
PIECES = 200


def numerically() -> tuple[float, float]:
    """Return stiffness and greatest stress a newton: a leaf's line is integrated, not looked up."""
    long, thick = leaf.free_mm(), measure("leaf_t")
    bends = leaf.STEEL_MPA * leaf.wide_mm() * thick**3 / 12
    x = np.linspace(0, long, PIECES + 1)
    force = 0.5  # each leaf bears half of a newton
    moment = force * (long - x)  # of a cantilever; a couple at its end keeps that end level
    steps = np.diff(x)
    slope = np.concatenate([[0], np.cumsum((moment[1:] + moment[:-1]) / 2 * steps)]) / bends
    couple = slope[-1] * bends / long
    slope -= couple * x / bends
    moment -= couple
    bent = float(((slope[1:] + slope[:-1]) / 2 * steps).sum())
    return 1 / bent, float(np.max(np.abs(moment))) * thick / 2 / (bends / leaf.STEEL_MPA)


def test_both_ways_of_reckoning_agree() -> None:
    stiffness, stress_per_n = numerically()
    assert leaf.stiffness() == pytest.approx(stiffness, rel=1e-3)
    load_n = LOAD_G * leaf.N_PER_G
    assert leaf.stress_mpa(LOAD_G) == pytest.approx(stress_per_n * load_n, rel=1e-3)


def test_the_leaves_are_as_stiff_as_the_drafts_hoped() -> None:
    assert leaf.stiffness() == pytest.approx(6.8, abs=0.05)  # N/mm
    assert leaf.bent_mm(LOAD_G) * 1000 == pytest.approx(58, abs=1)
    assert leaf.stop_g() == pytest.approx(250, abs=3)
    assert leaf.signal_mv_per_v(LOAD_G) == pytest.approx(0.28, abs=0.005)
    assert leaf.eccentric_per_mm() == pytest.approx(0.001, rel=0.1)


def test_the_simulated_cell_is_of_these_leaves() -> None:
    assert leaf.signal_mv_per_v(1) == pytest.approx(LEAVES.mv_per_v_g, rel=0.01)
    assert leaf.stop_g() == pytest.approx(LEAVES.stop_g, rel=0.01)
    assert leaf.eccentric_per_mm() == pytest.approx(LEAVES.eccentric_per_mm, rel=0.1)
    assert leaf.resonance_hz(LOAD_G) == pytest.approx(LEAVES.stands_hz, rel=0.01)
    assert leaf.resonance_hz(stopper.foot_g()) == pytest.approx(LEAVES.hangs_hz, rel=0.01)


def test_a_stopper_counts_what_the_gauge_says() -> None:
    """Its converter amplifies 128 times, and has 24 bits for the whole of its reference."""
    source = (HARDWARE.parent / "firmware/stopper/scale.py").read_text("utf-8")
    (counts,) = re.findall(r"^COUNTS_PER_G = ([\d_]+)", source, re.MULTILINE)
    per_g = leaf.signal_mv_per_v(1) / 1000 * 128 * 2**24
    assert int(counts) == pytest.approx(per_g, rel=0.01)


def test_a_leaf_bears_its_stop_also_when_the_print_is_off() -> None:
    for off in (-leaf.PLAY_OFF_MM, 0, leaf.PLAY_OFF_MM):
        stop_g = leaf.stop_g(measure("play") + off)
        assert stop_g > 3 * LOAD_G  # a full barrel never stands on the stop
        assert leaf.stress_mpa(stop_g) < leaf.YIELD_MPA / 3


def test_without_the_catch_a_fall_would_bend_the_leaves_for_good() -> None:
    """A foot that stops at 500 g pulls with 500 times its weight."""
    assert leaf.stress_mpa(500 * stopper.foot_g()) > leaf.YIELD_MPA / 2


def test_it_swings_faster_than_hands_shake() -> None:
    assert leaf.resonance_hz(LOAD_G) == pytest.approx(65, abs=1)
    assert leaf.resonance_hz(stopper.foot_g()) > 240


@pytest.mark.parametrize("name", ["stopper-leaf", "stopper-spacer"])
def test_an_outline_is_closed_and_drawn_alike_in_both_files(name: str) -> None:
    dxf = loops(FLAT / f"{name}.dxf")
    assert len(dxf) == outline(name).num_contour() == {"stopper-leaf": 5, "stopper-spacer": 3}[name]
    svg = (FLAT / f"{name}.svg").read_text("utf-8").partition('<path d="')[2].partition('"')[0]
    drawn = [
        [tuple(float(n) for n in word.split(",")) for word in path.split() if "," in word]
        for path in svg.replace("L", " ").split("M")[1:]
    ]
    lengths = [length_mm([(x, y) for x, y in path]) for path in drawn]
    assert sorted(lengths) == pytest.approx(sorted(map(length_mm, dxf)), abs=1e-3)


def test_the_tongue_of_a_leaf_is_as_the_measures_say() -> None:
    long, wide = measures()["leaf_tongue"]
    (x0, y0, x1, y1) = outline("stopper-leaf").bounds()
    assert x1 == pytest.approx(-x0, abs=1e-3)
    assert y1 - y0 >= wide
    strip = [(-long / 2, y0 - 1), (long / 2, y0 - 1), (long / 2, y1 + 1), (-long / 2, y1 + 1)]
    tongue = outline("stopper-leaf") ^ type(outline("stopper-leaf"))([strip])
    assert tongue.area() == pytest.approx(long * wide, rel=1e-3)
