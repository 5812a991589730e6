"""Looking at a barrel's label on the sly: how far one tilts it, how long, in the hand or standing.

It must not know a number, nor by what rule anybody may notice.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, radians
from typing import Final

from companion.simulator.habits import between
from companion.simulator.handling import Contact, Motion, Pose
from companion.simulator.hands import Hand, seconds
from companion.simulator.motions import Glide, Piece

STEP_US: Final = 2_000
SHORT_S: Final = 0.25  # who looks more briefly than this tilts it only just far enough
SHORT_MARGIN_DEG: Final = 2.0


@dataclass(frozen=True, slots=True)
class Look:
    """How long one wants to see the label, from which tilt on one can, how far one tilts it."""

    for_s: float
    limit_deg: float
    to_deg: float | None = None


def peek(hand: Hand, at_us: int, pose: Pose, look: Look) -> Motion:
    """Tilt a held barrel until its label could be read for so long, then tilt it back."""
    habits, rng = hand.habits, hand.rng
    margin = habits.peek_margin_deg.draw(rng) if look.for_s > SHORT_S else SHORT_MARGIN_DEG
    turn = radians(look.limit_deg + margin if look.to_deg is None else look.to_deg) - pose.tilt_rad
    there, back = habits.peek_turn_s.draw(rng), habits.peek_turn_s.draw(rng)

    def holding(hold_s: float) -> Motion:
        pieces: list[Piece] = [pose.grip.during(at_us)] if pose.grip else []
        pieces.append(Glide(0.0, there, turn_rad=turn))
        pieces.append(Glide(there + hold_s, back, turn_rad=-turn))
        end_us = at_us + seconds(there + hold_s + back)
        return Motion("peek", at_us, end_us, pose, pose, tuple(pieces))

    quick = holding(0.0)  # part of the way there and back one can read it already
    steps = range(quick.start_us, quick.end_us, STEP_US)
    seen_us = STEP_US * sum(quick.readable(at, look.limit_deg) for at in steps)
    return holding(max(0.0, look.for_s - seen_us * 1e-6))


def tip(hand: Hand, at_us: int, pose: Pose, tilt_rad: float, hold_s: float) -> Motion:
    """Tilt a standing barrel on the edge of its foot, hold it so, and let it back."""
    span, lean = hand.habits.peek_turn_s.draw(hand.rng), between(hand.rng, -pi, pi)
    end = 2.0 * span + hold_s
    pieces = (
        Glide(0.0, span, turn_rad=tilt_rad),
        Glide(span + hold_s, span, turn_rad=-tilt_rad),
        hand.touch(end),
    )
    carried = between(hand.rng, 0.3, 0.7)  # what the hand takes over while it leans
    ramps = ((0.0, span, -carried), (span + hold_s, span, carried))
    end_us = at_us + seconds(end + 0.15)
    contact = Contact(ramps, share=1.0)
    return Motion("tip", at_us, end_us, pose, pose, pieces, contact, leans=lean)
