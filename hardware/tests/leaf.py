"""What beam theory says of the two leaves: how far they bend, what they bear, what the gauge says.

Both are clamped at one end and guided at the other, so that each bends like an S and bears half of
the load. Forces are in newtons, lengths in millimetres, stresses in N/mm² (MPa).
"""

from math import pi, sqrt
from typing import Final

from hardware.tests.solids import measure, measures

STEEL_MPA: Final = 195_000  # Young's modulus of stainless 1.4310, cold rolled
YIELD_MPA: Final = 900  # it bears at least that much, rolled to 1300 MPa
N_PER_G: Final = 9.81e-3
GAUGE_FACTOR: Final = 2.0
PLAY_OFF_MM: Final = 0.1  # by which a printed gap may be another one
GLUED_OFF_MM: Final = 0.2  # by which a gauge may sit beside the middle of its leaf


def free_mm() -> float:
    """Return the tongue's length."""
    return measures()["leaf_tongue"][0]


def wide_mm() -> float:
    """Return the tongue's width."""
    return measures()["leaf_tongue"][1]


def stiffness() -> float:
    """Return what both leaves need for a millimetre."""
    return 2 * 12 * STEEL_MPA * _moment(wide_mm(), measure("leaf_t")) / free_mm() ** 3


def bent_mm(load_g: float) -> float:
    """Return how far the foot moves under a load."""
    return load_g * N_PER_G / stiffness()


def stress_mpa(load_g: float) -> float:
    """Return the greatest stress in a leaf, at its ends."""
    moment = load_g * N_PER_G / 2 * free_mm() / 2
    return moment * measure("leaf_t") / 2 / _moment(wide_mm(), measure("leaf_t"))


def stop_g(play_mm: float | None = None) -> float:
    """Return the load at which the foot stops."""
    return (measure("play") if play_mm is None else play_mm) * stiffness() / N_PER_G


def signal_mv_per_v(load_g: float) -> float:
    """Return what a full bridge says, two of its grids at each end of the tongue."""
    there = measure("gauge_at") / (free_mm() / 2)
    return 1000 * GAUGE_FACTOR * there * stress_mpa(load_g) / STEEL_MPA


def eccentric_per_mm() -> float:
    """Return by what share the reading changes when the load moves a millimetre sideways.

    The leaves bend in their own plane, too, one to each side; a gauge that sits off the middle of
    its leaf feels that. A load that moves along the leaves only pulls and pushes them, alike at
    both ends, which a full bridge does not feel.
    """
    arm = measure("leaf_apart") + measure("leaf_t")
    beside = 1 / arm * GLUED_OFF_MM / _moment(measure("leaf_t"), wide_mm())
    along = 1 / 2 * measure("leaf_t") / 2 / _moment(wide_mm(), measure("leaf_t"))
    return beside / along


def resonance_hz(mass_g: float) -> float:
    """Return at which frequency a mass swings on the leaves."""
    return sqrt(stiffness() * 1000 / (mass_g / 1000)) / 2 / pi


def _moment(wide: float, thick: float) -> float:
    """Return the second moment of area of a rectangle."""
    return wide * thick**3 / 12
