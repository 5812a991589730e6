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
    guess <<= 1  # never too small, so it can only fall
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
    """Return how far a vector is from upright, in hundredths of a degree.

    >>> tilt_cdeg(0, 0, 512), tilt_cdeg(300, 400, 500), tilt_cdeg(0, 512, 0), tilt_cdeg(0, 1, -512)
    (0, 4500, 9000, 17989)
    """
    return lean_cdeg(root(x * x + y * y), z)


def lean_cdeg(across, up):
    """Return the same for a vector with this level part and this upright part.

    >>> lean_cdeg(512, 512), lean_cdeg(0, -512)
    (4500, 18000)
    """
    far = abs(up)
    sharp = _arc_cdeg(across, far or 1) if across <= far else 9000 - _arc_cdeg(far, across)
    return sharp if up >= 0 else 18000 - sharp
