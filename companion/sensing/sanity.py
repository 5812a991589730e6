"""Sanity checks and rate limit of a stopper's messages: what no working stopper says is ignored.

Whoever has a stopper's key can say anything in its name: then that stopper is not believed, and all
the others play on.
"""

from dataclasses import dataclass, field
from typing import Final

from companion import wire

LAST_BOOT: Final = 1 << 31  # a stopper keeps its boots as a signed number
LATEST_US: Final = 1 << 50  # after 35 years without a boot
LATE_US, EARLY_US = 60_000_000, 1_000_000  # an event is told for a second, then given up
MOST_COMMANDS: Final = 1 << 31  # the host sends one for each event, and some more
HEAVIEST_MG: Final = 1_000_000  # twice the converter's range, for its zero may be anywhere in it
LIMITS: Final = {  # of fields, whichever message has them
    "load_mg": (-HEAVIEST_MG, HEAVIEST_MG),
    "load_min_mg": (-HEAVIEST_MG, HEAVIEST_MG),
    "load_max_mg": (-HEAVIEST_MG, HEAVIEST_MG),
    "load_raw": (-(1 << 23), (1 << 23) - 1),
    "tilt_cdeg": (0, 18_000),
    "tilt_min_cdeg": (0, 18_000),
    "tilt_max_cdeg": (0, 18_000),
    "start_us": (0, LATEST_US),
    "step_us": (1, 1_000_000),
    "chunk": (0, 255),
    "chunks": (0, 255),
}
BURST: Final = 64  # this many wait in the hub while nobody reads
USUAL_PER_S: Final = 40  # events: eight at once, each eighteen times within three seconds
MOST_PER_S: Final = {
    "HELLO": 2,
    "HEARTBEAT": 2,
    "FEATURES": 10,
    "RAW_HEAD": 50,
    "RAW": 50,
    "UPDATE": 50,
}


def is_nonsense(frame: wire.Frame, commands: int = 0) -> bool:
    """Return whether no working stopper can have said this, which was sent so many commands.

    >>> HELLO = wire.NAMED["HELLO"].named(commands_heard=0, firmware=1, dictionary=b"", can=15)
    >>> [is_nonsense(wire.Frame("HELLO", b"", 0, boot, 1, 5, HELLO)) for boot in (3, 1 << 31)]
    [False, True]
    """
    if not (frame.seq > 0 and 0 <= frame.boot < LAST_BOOT and frame.time_us < LATEST_US):
        return True
    fields = frame.fields._asdict()
    if fields.get("commands_heard", 0) > max(commands, MOST_COMMANDS):
        return True
    at_us = fields.get("at_us", frame.time_us)
    if not -EARLY_US <= frame.time_us - at_us <= LATE_US:
        return True
    return any(
        name in fields and not least <= fields[name] <= greatest
        for name, (least, greatest) in LIMITS.items()
    )


@dataclass(slots=True)
class RateMonitor:
    """How many more messages of each kind are taken from one stopper."""

    left: dict[str, float] = field(default_factory=dict)
    at_us: dict[str, int] = field(default_factory=dict)

    def exceeds(self, name: str, now_us: int) -> bool:
        """Return whether this is one too many.

        >>> flood = RateMonitor()
        >>> [flood.exceeds("HEARTBEAT", 0) for _ in range(66)].count(True)
        2
        >>> flood.exceeds("HEARTBEAT", 1_000_000)
        False
        """
        per_s = MOST_PER_S.get(name, USUAL_PER_S)
        passed_us = max(0, now_us - self.at_us.get(name, now_us))
        left = min(self.left.get(name, BURST) + passed_us * per_s / 1e6, BURST)
        self.at_us[name] = now_us
        self.left[name] = left - 1 if left >= 1 else left
        return left < 1
