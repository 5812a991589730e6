"""Sensing at a table in play, or over what was seen there: what it tells, and when.

Time passes in steps as small as those of a table in play.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from companion import wire
from companion.sensing.events import SensingEvent
from companion.sensing.observations import Seen
from companion.sensing.pipeline import Sensing, SensingLink
from companion.sensing.receiver import Send
from companion.sensing.settings import Settings
from companion.sensing.tampering import Suspect
from companion.simulator.boards import key, node

TICK_US = 20_000
STOPPERS = {node(number): number for number in range(1, 14)}
KEYS = {node(number): key(number) for number in range(1, 14)}
Heard = list[tuple[int, SensingEvent | Suspect]]


@dataclass(frozen=True, slots=True)
class HubSaid:
    """A message of the hub about itself, as plain data."""

    name: str
    time_us: int
    fields: dict[str, Any]

    def said(self) -> wire.Said:
        """Return it as the port does."""
        return wire.Said(self.name, self.time_us, wire.NAMED[self.name].named(**self.fields))


Noted = tuple[int, Seen | HubSaid]


class Hearing:
    """Sensing with its ears, and all that it saw and told, each with the time at which it did."""

    def __init__(self, settings: Settings, send: Send = lambda _: None) -> None:
        self.ears = SensingLink(Sensing(STOPPERS, settings), KEYS, send)
        self.seen: list[Noted] = []
        self.heard: Heard = []

    def hear(self, at_us: int, said: wire.Said) -> None:
        """Take what the hub says."""
        for observation in self.ears.listening.handle_hub_message(at_us, said):
            self.take(at_us, observation)
        if said.name != "RELAYED":
            self.take(at_us, HubSaid(said.name, said.time_us, said.fields._asdict()))

    def take(self, at_us: int, seen: Seen | HubSaid) -> None:
        """Take what was seen."""
        self.seen.append((at_us, seen))
        if isinstance(seen, HubSaid):
            self.ears.sensing.handle_hub_message(at_us, seen.said())
        else:
            self.heard += [(at_us, told) for told in self.ears.handle(seen)]

    def pass_to(self, now_us: int) -> None:
        """Let time pass."""
        self.heard += [(now_us, told) for told in self.ears.tick(now_us)]


def hear(noted: Iterable[Noted], end_us: int, settings: Settings) -> Heard:
    """Return what other settings would have told; stoppers answered what was asked back then."""
    hearing, tick_us = Hearing(settings), TICK_US
    for at_us, seen in noted:
        while tick_us < at_us:
            hearing.pass_to(tick_us)
            tick_us += TICK_US
        hearing.take(at_us, seen)
    for now_us in range(tick_us, end_us, TICK_US):
        hearing.pass_to(now_us)
    return hearing.heard
