"""Tracks each barrel's contact with the table, by its stopper: when it stood or was lifted.

News may arrive late: what is older changes nothing newer.
"""

from dataclasses import dataclass, replace

from companion.sensing.name_word import TOUCHES
from companion.sensing.observations import LONG_AGO_US, MeasuredTime, StopperMessage
from companion.sensing.settings import PlacementSettings


@dataclass(frozen=True, slots=True)
class ContactState:
    """One barrel, as far as its stopper has told."""

    heard_us: int = LONG_AGO_US  # when it was heard last
    mark: tuple[int, int] | None = None  # its boot and its newest event; None: none came yet
    down: MeasuredTime | None = None  # its newest SET…
    touch: int = -1  # …and what its words say of that since then
    up_us: int = LONG_AGO_US  # its newest LIFT, at the earliest
    stood_us: int = LONG_AGO_US  # the newest time at which it stood on its foot
    aloft_us: int = LONG_AGO_US  # … at which it did not
    off_us: int = LONG_AGO_US  # … and the first such since it stood

    @property
    def aloft(self) -> bool:
        """Whether the newest that is known is that it does not stand."""
        return self.aloft_us > self.stood_us

    def speaks(self, now_us: int, settings: PlacementSettings) -> bool:
        """Return whether it was heard lately, so that it would say what is done to it."""
        return now_us - self.heard_us <= settings.silent_ms * 1000


def apply(barrel: ContactState, felt: StopperMessage, settings: PlacementSettings) -> ContactState:
    """Return what is known of a barrel after one more of its messages."""
    at_us, doubt_us = felt.moment.at_us, felt.moment.doubt_us
    doubt_us += 500 * int(felt.fields.get("blind_ms", 0))
    barrel = replace(barrel, heard_us=max(barrel.heard_us, felt.heard_us))
    if "event" in felt.fields:
        event = (felt.boot, int(felt.fields["event"]))
        newest = max(barrel.mark or event, event)
        barrel = replace(barrel, mark=newest)
    match felt.name:
        case "SET":
            if barrel.down is None or at_us > barrel.down.at_us:
                blind_us = 500 * int(felt.fields.get("blind_ms", 0))
                touch = int(felt.fields.get("event", -1)) % TOUCHES
                down = MeasuredTime(at_us - blind_us, doubt_us)
                barrel = replace(barrel, down=down, touch=touch)
            return stand(barrel, at_us)
        case "LIFT":
            up_us = max(barrel.up_us, at_us - doubt_us)
            return _float(replace(barrel, up_us=up_us), at_us)
        case "FLIP":
            return _float(barrel, at_us)
        case "STILL":
            return stand(barrel, at_us)
        case "FEATURES" if not felt.unread:
            load_mg, old_us = int(felt.fields["load_mg"]), at_us - settings.load_old_ms * 1000
            most_mg = int(felt.fields.get("load_max_mg", load_mg))  # a kicked table makes it hop
            if load_mg < settings.floats_mg:
                return barrel if most_mg > settings.stands_mg else _float(barrel, old_us)
            return stand(barrel, old_us) if load_mg > settings.stands_mg else barrel
    return barrel


def stand(barrel: ContactState, at_us: int) -> ContactState:
    """Let it stand on its foot at a time."""
    return replace(barrel, stood_us=max(barrel.stood_us, at_us))


def _float(barrel: ContactState, at_us: int) -> ContactState:
    """Let it be off its foot at a time."""
    if at_us <= barrel.stood_us:
        return replace(barrel, aloft_us=max(barrel.aloft_us, at_us))
    off_us = min(barrel.off_us, at_us) if barrel.aloft else at_us
    return replace(barrel, aloft_us=max(barrel.aloft_us, at_us), off_us=off_us)
