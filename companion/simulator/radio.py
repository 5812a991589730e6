"""The radio between stoppers and hub: packets arrive late, twice, out of order, or not at all.

Time is handed in as a callable, chance as a seeded source. A packet for one radio is tried four
times until that has it, one for all only once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from random import Random
from typing import Final

from companion.simulator import link_budget
from companion.simulator.processor import Processor
from companion.system.chance import below, wobble

BROADCAST: Final = b"\xff" * 6
PREAMBLE_US, OVERHEAD_BYTES, US_PER_BYTE = 192, 43, 8  # ESP-NOW at 1 Mbit/s
BACKOFF_US: Final = 700  # until the channel is free, at most
TRIES, AGAIN_US = 4, 2_500  # of a packet for one radio; in between, at least
LATE_US: Final = (20_000, 300_000)  # how late a packet comes that is overtaken
COPY_US: Final = 4_000  # how long after the first a second copy comes, at most
LOUDEST, FAINTEST = -1, -99  # what a radio says of a packet, in dBm

Heard = tuple[bytes, bytes, int]  # sender, packet, RSSI


def airtime_us(count: int) -> int:
    """Return for how long a packet of this many bytes keeps the channel busy.

    >>> airtime_us(250)
    2536
    """
    return PREAMBLE_US + (OVERHEAD_BYTES + count) * US_PER_BYTE


@dataclass(slots=True)
class Weather:
    """What share of the packets is lost, comes twice, or is overtaken, whatever the cause."""

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
        self,
        rng: Random,
        clock_us: Callable[[], int],
        weather: Weather | None = None,
        shared: link_budget.SharedAir | None = None,  # has losses of its own
    ) -> None:
        self._rng, self._clock_us, self._shared = rng, clock_us, shared
        self.usual = weather or (Weather() if shared is None else Weather(loss=0.0))
        self.weather = Weather(self.usual.loss, self.usual.duplicate, self.usual.reorder)
        self.traffic = Traffic()
        self._radios: dict[bytes, NodeRadio] = {}
        self._free_us = 0  # when the channel is free again
        self._packets = 0

    def join(
        self,
        node: bytes,
        arrived: Callable[[int], None] = lambda _: None,
        air: link_budget.StopperAir | link_budget.HubAir | None = None,
        starts: Random | None = None,
        processor: Processor | None = None,
    ) -> NodeRadio:
        """Return the radio of a node; `arrived` is told when something will be there for it.

        `air` is what makes it weak, and `starts` what its times until it is on are drawn from.
        What the radio does keeps the processor of its board busy.
        """
        rssi = -38 - below(self._rng, 16)
        radio = self._radios[node] = NodeRadio(self, node, arrived, rssi, air, starts, processor)
        return radio

    def clear(self) -> None:
        """Let the weather be as usual."""
        self.weather = Weather(self.usual.loss, self.usual.duplicate, self.usual.reorder)

    def carry(self, sender: NodeRadio, to: bytes, packet: bytes) -> None:
        """Take a packet from a radio to its receivers, as soon as that is on."""
        busy_us = airtime_us(len(packet))
        begin_us = max(self._clock_us(), sender.ready_us, self._free_us)
        begin_us += below(self._rng, BACKOFF_US)
        if self._shared is not None:
            begin_us += self._shared.wait_us(begin_us)
        self.traffic.sent += 1
        self.traffic.bytes += len(packet)
        others = (radio for radio in self._radios.values() if radio is not sender)
        receivers = [radio for radio in others if to in (radio.node, BROADCAST)]
        tries = 1 if to == BROADCAST or sender.air is None else TRIES
        while True:
            tries -= 1
            self._free_us = begin_us + busy_us
            self.traffic.airtime_us += busy_us
            spoiled = self._shared is not None and self._shared.spoils(begin_us)
            strengths = [
                None if spoiled else self._rssi(sender, radio, begin_us) for radio in receivers
            ]
            if tries <= 0 or strengths != [None]:
                break
            begin_us = self._free_us + AGAIN_US + below(self._rng, BACKOFF_US)
        for radio, rssi in zip(receivers, strengths, strict=True):
            self._deliver(sender, radio, packet, self._free_us, rssi)

    def _rssi(self, sender: NodeRadio, radio: NodeRadio, at_us: int) -> int | None:
        """Return how strong a try arrives, if it can be understood."""
        up = isinstance(radio.air, link_budget.HubAir)
        hub, stopper = (radio.air, sender.air) if up else (sender.air, radio.air)
        if not (
            isinstance(hub, link_budget.HubAir) and isinstance(stopper, link_budget.StopperAir)
        ):
            return min(sender.rssi, radio.rssi) + round(2 * wobble(self._rng))
        here = stopper.where(at_us)
        node = sender.node if up else radio.node
        level_dbm = link_budget.STOPPER_DBM if up else link_budget.HUB_DBM
        level_dbm += stopper.gain_db(at_us, here) + hub.path_db(node, at_us, here)
        if level_dbm <= (hub.needs_dbm if up else link_budget.STOPPER_NEEDS_DBM):
            return None
        if up and hub.is_drowned(at_us):
            return None
        return max(FAINTEST, min(LOUDEST, round(level_dbm)))

    def _deliver(
        self, sender: NodeRadio, radio: NodeRadio, packet: bytes, at_us: int, rssi: int | None
    ) -> None:
        rng, weather = self._rng, self.weather
        self.traffic.meant += 1
        if rng.random() < weather.loss or rssi is None:
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
        return self._clock_us()


@dataclass(slots=True)
class NodeRadio:
    """One node's radio, called as the boards' is; it is off while a stopper sleeps."""

    _air: RadioChannel
    node: bytes
    _arrived: Callable[[int], None]
    rssi: int
    air: link_budget.StopperAir | link_budget.HubAir | None = None
    _starts: Random | None = None
    _processor: Processor | None = None  # of the board that it is on
    channel: int = 1
    powered: bool = True
    _on: bool = True
    ready_us: int = 0  # when it is on
    _inbox: list[tuple[int, int, Heard]] = field(default_factory=list)

    def switch(self, on: bool) -> None:
        """Switch it; its board waits until it is on."""
        if on and not self._on:
            self._miss()
            if self._starts is not None:
                least_us, most_us = link_budget.STARTS_US
                start_us = least_us + below(self._starts, most_us - least_us)
                self.ready_us = self._air.now_us() + start_us
                if self._processor is not None:
                    self._processor.wait(start_us)
        self._on = on

    def send(self, to: bytes, data: bytes) -> bool:
        """Send without waiting; a radio that was off is switched on."""
        if not self.powered:
            return False
        self.switch(True)
        if self._processor is not None:
            self._processor.send()
        self._air.carry(self, to, bytes(data))
        return True

    def receive(self) -> Heard | None:
        """Return what has arrived, or None."""
        if not self._on or not self.powered:
            self._miss()
            return None
        now_us = self._air.now_us() if self._processor is None else self._processor.now_us()
        if self._inbox and self._inbox[0][0] <= now_us:
            return heappop(self._inbox)[2]
        return None

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
