"""Every threshold of sensing, in one frozen value, so that a recording can be heard with others.

It must not decide anything. Each section belongs to the module of its name.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Clocks:
    """How a stopper's clock becomes the host's."""


@dataclass(frozen=True, slots=True)
class Tracking:
    """When a barrel counts as what."""

    lost_s: float = 25.0  # without a word: two heartbeats and a half


@dataclass(frozen=True, slots=True)
class Weighing:
    """When a weight counts, and for how much."""


@dataclass(frozen=True, slots=True)
class Seating:
    """When a pad and a barrel belong together."""


@dataclass(frozen=True, slots=True)
class Peeking:
    """When a label counts as read."""


@dataclass(frozen=True, slots=True)
class Fouls:
    """When the other fouls count."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All of them.

    >>> Settings().certain
    0.99
    """

    certain: float = 0.99  # what is surer than this is not asked
    clocks: Clocks = field(default_factory=Clocks)
    tracking: Tracking = field(default_factory=Tracking)
    weighing: Weighing = field(default_factory=Weighing)
    seating: Seating = field(default_factory=Seating)
    peeking: Peeking = field(default_factory=Peeking)
    fouls: Fouls = field(default_factory=Fouls)
