"""The radio between stoppers and hub: packets arrive late, twice, out of order, or not at all.

Time is handed in as a callable, chance as a seeded source.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import log
from random import Random
from typing import Final, Protocol

from companion.system.chance import below, wobble

APART_S: Final = (10.0, 40.0)  # in a hand, on average; for one radio, and for the luckiest
OPEN: Final = 0.25  # the share of the spells that occur without a hand
LASTS_S: Final = (0.2, 2.0)  # the longer they are, the rarer


class Fading:
    """The spells of one radio, one after the other; asked for times that never go back."""

    def __init__(self, rng: Random, in_hand: Callable[[int], bool] = lambda _: False) -> None:
        self._rng, self._in_hand = rng, in_hand
        least, most = APART_S
        self._apart_us = 1e6 * (least + (most - least) * rng.random())
        self._until_us = 0
        self._next_us = self._drawn_us(0)

    def covers(self, at_us: int) -> bool:
        """Return whether a packet that is on the air at a time is lost."""
        while self._next_us <= at_us:
            begin_us = self._next_us
            near = self._in_hand(begin_us)
            if self._rng.random() < (1.0 if near else OPEN):
                least, most = LASTS_S
                self._until_us = begin_us + round(
                    1e6 * least * (most / least) ** self._rng.random()
                )
            self._next_us = self._drawn_us(max(begin_us, self._until_us))
        return at_us < self._until_us

    def _drawn_us(self, from_us: int) -> int:
        return from_us + 1 + round(-self._apart_us * log(1.0 - self._rng.random()))


BROADCAST: Final = b"\xff" * 6
PREAMBLE_US, OVERHEAD_BYTES, US_PER_BYTE = 192, 43, 8  # ESP-NOW at 1 Mbit/s
BACKOFF_US: Final = 700  # until the channel is free, at most
LATE_US: Final = (20_000, 300_000)  # how late a packet comes that is overtaken
COPY_US: Final = 4_000  # how long after the first a second copy comes, at most

Heard = tuple[bytes, bytes, int]  # sender, packet, RSSI


def airtime_us(count: int) -> int:
    """Return for how long a packet of this many bytes keeps the channel busy.

    >>> airtime_us(250)
    2536
    """
    return PREAMBLE_US + (OVERHEAD_BYTES + count) * US_PER_BYTE


@dataclass(slots=True)
class Weather:
    """What share of the packets is lost, comes twice, or is overtaken."""

    loss: float = 0.01
    duplicate: float = 0.002
    reorder: float = 0.002


@dataclass(slots=True)
class Traffic:
    """What went through the air so far."""

    sent: int = 0  # packets
    meant: int = 0  # for this many receivers: each of all others for a broadcast, from here on…
    lost: int = 0
    duplicated: int = 0
    reordered: int = 0
    unheard: int = 0  # …the receiver's radio was off; a second copy counts again
    bytes: int = 0
    airtime_us: int = 0


class RadioChannel:
    """One channel with everybody on it."""

    def __init__(
        self, rng: Random, clock_us: Callable[[], int], weather: Weather | None = None
    ) -> None:
        self._rng, self._clock_us = rng, clock_us
        self.usual = weather or Weather()
        self.weather = Weather(self.usual.loss, self.usual.duplicate, self.usual.reorder)
        self.traffic = Traffic()
        self._radios: dict[bytes, NodeRadio] = {}
        self._free_us = 0  # when the channel is free again
        self._packets = 0

    def join(
        self,
        node: bytes,
        arrived: Callable[[int], None] = lambda _: None,
        fading: Fading | None = None,
    ) -> NodeRadio:
        """Return the radio of a node; `arrived` is told when something will be there for it."""
        rssi = -48 - below(self._rng, 22)
        radio = self._radios[node] = NodeRadio(self, node, arrived, rssi, fading)
        return radio

    def clear(self) -> None:
        """Let the weather be as usual."""
        self.weather = Weather(self.usual.loss, self.usual.duplicate, self.usual.reorder)

    def carry(self, sender: NodeRadio, to: bytes, packet: bytes) -> None:
        """Take a packet from a radio to its receivers."""
        now_us, busy_us = self._clock_us(), airtime_us(len(packet))
        begin_us = max(now_us, self._free_us) + below(self._rng, BACKOFF_US)
        self._free_us = begin_us + busy_us
        self.traffic.sent += 1
        self.traffic.bytes += len(packet)
        self.traffic.airtime_us += busy_us
        for node, radio in self._radios.items():
            if radio is not sender and to in (node, BROADCAST):
                self._deliver(sender, radio, packet, self._free_us)

    def _deliver(self, sender: NodeRadio, radio: NodeRadio, packet: bytes, at_us: int) -> None:
        rng, weather = self._rng, self.weather
        self.traffic.meant += 1
        rssi = min(sender.rssi, radio.rssi) + round(2 * wobble(rng))
        faded = sender.fades() or radio.fades()
        if rng.random() < weather.loss or faded:
            self.traffic.lost += 1
            return
        if rng.random() < weather.reorder:
            self.traffic.reordered += 1
            at_us += LATE_US[0] + below(rng, LATE_US[1] - LATE_US[0])
        self._put(radio, at_us, (sender.node, packet, rssi))
        if rng.random() < weather.duplicate:
            self.traffic.duplicated += 1
            self._put(radio, at_us + 1 + below(rng, COPY_US), (sender.node, packet, rssi))

    def _put(self, radio: NodeRadio, at_us: int, heard: Heard) -> None:
        self._packets += 1
        radio.put(at_us, self._packets, heard)

    def now_us(self) -> int:
        """Return the time."""
        return self._clock_us()


class StepProgress(Protocol):
    """How far a board has come in its step."""

    def now_us(self) -> int:
        """Return the time there."""

    def send(self) -> None:
        """Come to the step's end."""


@dataclass(slots=True)
class NodeRadio:
    """One node's radio, called as the boards' is; it is off while a stopper sleeps."""

    _air: RadioChannel
    node: bytes
    _arrived: Callable[[int], None]
    rssi: int
    fading: Fading | None = None
    channel: int = 1
    powered: bool = True
    processor: StepProgress | None = None  # of the board that it is on
    _on: bool = True
    _inbox: list[tuple[int, int, Heard]] = field(default_factory=list)

    def send(self, to: bytes, data: bytes) -> bool:
        """Send without waiting; a radio that was off is switched on."""
        if not self.powered:
            return False
        if not self._on:
            self._miss()
            self._on = True
        if self.processor is not None:
            self.processor.send()
        self._air.carry(self, to, bytes(data))
        return True

    def receive(self) -> Heard | None:
        """Return what has arrived, or None."""
        if not self._on or not self.powered:
            self._miss()
            return None
        now_us = self._air.now_us() if self.processor is None else self.processor.now_us()
        if self._inbox and self._inbox[0][0] <= now_us:
            return heappop(self._inbox)[2]
        return None

    def sleep(self) -> None:
        """Switch off until something is sent."""
        self._on = False

    def fades(self) -> bool:
        """Return whether nothing gets through to or from it just now."""
        return self.fading is not None and self.fading.covers(self._air.now_us())

    @property
    def due_us(self) -> int | None:
        """Return when the next packet is there."""
        return self._inbox[0][0] if self._inbox else None

    def put(self, at_us: int, order: int, heard: Heard) -> None:
        """Take a packet that will be there at a time; a sleeping board missed those before it."""
        if not self.powered:
            return
        if not self._on:
            self._miss()  # so that no more wait than are on the air
        heappush(self._inbox, (at_us, order, heard))
        self._arrived(at_us)

    def _miss(self) -> None:
        while self._inbox and self._inbox[0][0] <= self._air.now_us():
            heappop(self._inbox)
            self._air.traffic.unheard += 1
