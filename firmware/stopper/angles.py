"""Roots and angles of whole numbers, for a processor without floating point."""

import math

STEPS = 64
ARC_CDEG = [round(math.atan(step / STEPS) * 18000 / math.pi) for step in range(STEPS + 2)]


def root(square):
    """Return the whole part of a square root.

    >>> root(262143), root(262144)
    (511, 512)
    """
    if square < 2:
        return square
    guess = 1
    rest = square
    while rest > 3:
        rest >>= 2
        guess <<= 1
    guess <<= 1  # never too small, so that it only falls
    while True:
        better = (guess + square // guess) >> 1
        if better >= guess:
            return guess
        guess = better


def _arc_cdeg(opposite, adjacent):
    ratio = (opposite << 12) // adjacent  # at most 1
    low = ARC_CDEG[ratio >> 6]
    return low + ((ARC_CDEG[(ratio >> 6) + 1] - low) * (ratio & 63) >> 6)


def tilt_cdeg(x, y, z):
    """Return by how many hundredths of a degree a vector is off upright.

    >>> tilt_cdeg(0, 0, 512), tilt_cdeg(300, 400, 500), tilt_cdeg(0, 512, 0), tilt_cdeg(0, 1, -512)
    (0, 4500, 9000, 17989)
    """
    across = root(x * x + y * y)
    up = abs(z)
    sharp = _arc_cdeg(across, up or 1) if across <= up else 9000 - _arc_cdeg(up, across)
    return sharp if z >= 0 else 18000 - sharp
