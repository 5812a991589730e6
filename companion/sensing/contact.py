"""Tracks each barrel's contact with the table: when it stood or was in the air, what is missing.

News may arrive late: what is older changes nothing newer.
"""

import struct
from dataclasses import dataclass, field, replace

from companion import wire
from companion.sensing.evidence import PER_CHUNK
from companion.sensing.observations import (
    NEVER_US,
    StopperMessage,
)
from companion.sensing.receiver import EventSequence
from companion.sensing.settings import PlacementSettings

HEADS_KEPT = 4
MOVED = 2  # events at least: LIFT and SET
UNWEIGHED = sum(
    1 << bit
    for bit, name in enumerate(wire.FAULTS)
    if name.startswith("load") or name == "bus-stuck"
)


@dataclass(frozen=True, slots=True)
class Touch:
    """The foot touched the table, or left it, at some time in between."""

    from_us: int
    to_us: int
    told: bool = True  # False: the message was missed, and this follows from others


@dataclass(frozen=True, slots=True)
class Outage:
    """A span from which messages are missing; an event needs `wire.TRIES` of them to be lost."""

    from_us: int
    to_us: int
    missed: int


SampleHead = tuple[int, int, int]  # request, start and step of samples


@dataclass(frozen=True, slots=True)
class ContactState:
    """One barrel, as far as its stopper has told."""

    first_us: int = NEVER_US  # when it was heard first
    heard_us: int = NEVER_US  # … and last
    boot: int = -1
    down: Touch | None = None  # the newest…
    earlier: Touch | None = None  # …and the one before
    up: Touch | None = None
    stood_us: int = NEVER_US  # the newest time at which it stood on its foot
    aloft_us: int = NEVER_US  # … at which it did not
    off_us: int = NEVER_US  # … and the first such since it stood
    mute: bool = False  # it cannot weigh, so it will never say that it stands
    darks: tuple[Outage, ...] = ()
    events: EventSequence = field(default_factory=EventSequence)
    ahead_us: int | None = None  # the host's clock, less the stopper's; None: no event came yet
    asked_us: int = NEVER_US  # for samples
    heads: tuple[SampleHead, ...] = ()  # of those on their way

    @property
    def aloft(self) -> bool:
        """Whether the newest that is known is that it does not stand."""
        return self.aloft_us > self.stood_us

    @property
    def mark(self) -> tuple[int, int] | None:
        """Return its boot and its newest event; None: none came yet."""
        return None if self.events.number < 0 else (self.boot, self.events.number)

    def down_by(self, at_us: int | None) -> Touch | None:
        """Return its newest set-down that was not after a time; None: of all.

        >>> twice = ContactState(down=Touch(9_000, 9_000), earlier=Touch(5_000, 5_000))
        >>> [touch and touch.from_us for touch in map(twice.down_by, (None, 9_000, 6_000, 4_000))]
        [9000, 9000, 5000, None]
        """
        for touch in (self.down, self.earlier):
            if touch is not None and (at_us is None or touch.from_us <= at_us):
                return touch
        return None

    def speaks(self, now_us: int, settings: PlacementSettings) -> bool:
        """Return whether it would say that it was set down."""
        if self.mute or self.heard_us == NEVER_US:
            return False
        return now_us - self.heard_us <= settings.silent_ms * 1000

    def sleeps(self, settings: PlacementSettings) -> bool:
        """Return whether it stood for so long that it is silent until somebody moves it."""
        stood_us = self.heard_us - max(self.aloft_us, self.first_us)
        return not self.aloft and not self.mute and stood_us >= settings.asleep_ms * 1000

    def heard_through(self, from_us: int, to_us: int, settings: PlacementSettings) -> bool:
        """Return whether a set-down between would have been heard by now, had there been one.

        >>> all_heard = ContactState(heard_us=10_000_000, darks=(Outage(NEVER_US, 1_000_000, 3),))
        >>> all_heard.heard_through(5_000_000, 5_000_000, PlacementSettings())
        True
        >>> outage = Outage(4_000_000, 9_000_000, 3)
        >>> later = ContactState(heard_us=10_000_000, darks=(outage,))
        >>> later.heard_through(5_000_000, 5_000_000, PlacementSettings())
        False
        """
        if self.heard_us < to_us + settings.told_ms * 1000:
            return False
        if self.events.is_complete(from_us, to_us + settings.told_ms * 1000):
            return True
        late_us = to_us + settings.late_ms * 1000
        return not any(
            dark.from_us - settings.told_ms * 1000 <= late_us
            and dark.to_us >= from_us
            and (dark.missed >= wire.TRIES or dark.from_us > from_us or dark.to_us < late_us)
            for dark in self.darks
        )

    def moved_unheard_us(self, from_us: int, to_us: int, settings: PlacementSettings) -> int:
        """Return how long the span is in which it was moved unheard, if that touches a time; or 0.

        What stands says nothing but its heartbeats; what was moved says a LIFT and a SET at least.
        If none of its numbered events is missing, it was not moved.

        >>> silent, rules = Outage(4_000_000, 9_000_000, 11), PlacementSettings()
        >>> ContactState(darks=(silent,)).moved_unheard_us(5_000_000, 5_000_000, rules)
        5000000
        >>> brief = ContactState(darks=(replace(silent, missed=3),))
        >>> brief.moved_unheard_us(5_000_000, 5_000_000, rules)
        0
        >>> still = EventSequence().with_event(7, 3_000_000).with_event(8, 9_000_000)
        >>> stood = ContactState(darks=(silent,), events=still)
        >>> stood.moved_unheard_us(5_000_000, 5_000_000, rules)
        0
        """
        if self.aloft or self.events.is_complete(from_us, to_us + settings.told_ms * 1000):
            return 0
        if lost_us := self.events.gap_us(from_us, to_us, MOVED):
            return lost_us
        for dark in reversed(self.darks):
            length_us = dark.to_us - dark.from_us
            beats = length_us // (1_000_000 * wire.HEARTBEAT_S) + 1
            near = dark.from_us <= to_us and dark.to_us >= from_us
            if near and dark.missed - beats >= MOVED * wire.TRIES:
                return length_us
        return 0


def apply(barrel: ContactState, felt: StopperMessage, settings: PlacementSettings) -> ContactState:
    """Return what is known of a barrel after one more of its messages."""
    barrel = _count(barrel, felt, settings)
    at_us, doubt_us = felt.moment.at_us, felt.moment.doubt_us
    blind_us = 1000 * int(felt.fields.get("blind_ms", 0))
    touch = Touch(at_us - doubt_us - blind_us, at_us + doubt_us)
    if "at_us" in felt.fields:
        barrel = replace(barrel, ahead_us=at_us - int(felt.fields["at_us"]))
    if "event" in felt.fields:
        events = barrel.events.with_event(felt.fields["event"], at_us, blind=blind_us > 0)
        barrel = replace(barrel, events=events)
    match felt.name:
        case "SET":
            return _stand(barrel, at_us, touch, at_us)
        case "LIFT":
            return _lift(barrel, at_us, touch, settings)
        case "FLIP":
            return _float(barrel, at_us)
        case "STILL":
            return _stand(barrel, at_us, None, at_us)
        case "FEATURES" if not barrel.mute and not felt.unread:
            load_mg, old_us = int(felt.fields["load_mg"]), at_us - settings.load_old_ms * 1000
            most_mg = int(felt.fields.get("load_max_mg", load_mg))  # a kicked table makes it hop
            if load_mg < settings.floats_mg:
                return barrel if most_mg > settings.stands_mg else _float(barrel, old_us)
            return _stand(barrel, old_us, None, at_us) if load_mg > settings.stands_mg else barrel
        case "RAW_HEAD":
            fields = felt.fields
            head = (fields["request"], fields["start_us"], fields["step_us"])
            return replace(barrel, heads=(*barrel.heads, head)[-HEADS_KEPT:])
        case "RAW" if not barrel.mute:
            return _sampled(barrel, felt, settings)
        case "HEARTBEAT":
            return replace(barrel, mute=bool(int(felt.fields["faults"]) & UNWEIGHED))
    return barrel


def _sampled(
    barrel: ContactState, felt: StopperMessage, settings: PlacementSettings
) -> ContactState:
    """Let it be in the air when a sample last says so; a barrel that stands says so by its SET."""
    fields = felt.fields
    begun = [(at, step) for request, at, step in barrel.heads if request == fields["request"]]
    if not begun or barrel.ahead_us is None:
        return barrel
    start_us, step_us = begun[-1]
    whole = len(fields["samples"]) - len(fields["samples"]) % wire.SAMPLE.size
    loads = [load for *_, load in struct.iter_unpack(wire.SAMPLE.format, fields["samples"][:whole])]
    floats = [row for row, load_mg in enumerate(loads) if load_mg and load_mg < settings.floats_mg]
    if not floats:
        return barrel
    row = fields["chunk"] * PER_CHUNK + floats[-1]
    at_us = start_us + row * step_us + barrel.ahead_us
    return _float(barrel, at_us - settings.load_old_ms * 1000)


def _count(barrel: ContactState, felt: StopperMessage, settings: PlacementSettings) -> ContactState:
    """Note that it lives, and what of it was missed."""
    new = felt.boot != barrel.boot
    darks = barrel.darks
    if new or felt.gap > 0:
        missed = wire.TRIES if new else felt.gap
        darks = (*darks, Outage(barrel.heard_us, felt.heard_us, missed))
        if len(darks) > max(settings.darks_kept, 1):  # the oldest become one, all between dark
            first, second, *others = darks
            darks = (Outage(first.from_us, second.to_us, wire.TRIES), *others)
    first_us = felt.heard_us if barrel.first_us == NEVER_US else barrel.first_us
    heard_us = max(barrel.heard_us, felt.heard_us)
    barrel = replace(barrel, first_us=first_us, heard_us=heard_us, boot=felt.boot, darks=darks)
    return replace(barrel, events=EventSequence()) if new else barrel


def _lift(
    barrel: ContactState, at_us: int, touch: Touch, settings: PlacementSettings
) -> ContactState:
    """Let it be lifted at a time; if it was in the air before, a SET was missed in between."""
    stood_us = touch.from_us - 1
    if barrel.aloft_us + settings.settle_ms * 1000 < stood_us:
        barrel = _stand(barrel, stood_us, None, stood_us)
    if barrel.up is None or touch.to_us > barrel.up.to_us:
        barrel = replace(barrel, up=touch)
    return _float(barrel, at_us)


def _float(barrel: ContactState, at_us: int) -> ContactState:
    """Let it be off its foot at a time."""
    if at_us <= barrel.stood_us:
        return replace(barrel, aloft_us=max(barrel.aloft_us, at_us))
    off_us = min(barrel.off_us, at_us) if barrel.aloft else at_us
    return replace(barrel, aloft_us=max(barrel.aloft_us, at_us), off_us=off_us)


def _stand(barrel: ContactState, at_us: int, touch: Touch | None, until_us: int) -> ContactState:
    """Let it stand at a time; without a SET it was set down since it was in the air, until then."""
    last, aloft_us = barrel.down, barrel.aloft_us
    if touch is not None:
        aloft_us = max(aloft_us, touch.from_us - 1)
    elif NEVER_US < aloft_us < at_us and (last is None or last.to_us < aloft_us):
        touch = Touch(aloft_us, until_us, told=False)
    stood_us, earlier = max(barrel.stood_us, at_us), barrel.earlier
    if touch is not None and (last is None or _better(touch, last)):
        if last is not None and last.to_us < touch.from_us:
            earlier = last
        last = touch
    return replace(barrel, down=last, earlier=earlier, stood_us=stood_us, aloft_us=aloft_us)


def _better(touch: Touch, last: Touch) -> bool:
    """Return whether a touch is newer, or the same one known more exactly."""
    if touch.told and not last.told and touch.to_us >= last.from_us:
        return True
    return touch.to_us > last.to_us
