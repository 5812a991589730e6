"""Finds the hub: which serial port to try next, with a backoff, and whether the hub is there.

A port that is not the hub's is tried ever more rarely, for some devices start over each time they
are opened; one that was taken out and put in is new.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion import wire
from companion.devices.serial_line import Ports
from companion.system.format_names import format_name
from companion.system.status import Backoff, Fine, Status


@format_name("HubState")
class HubState(Status):
    STARTING = Fine("The hub has not been looked for yet.")
    SEARCHING = "No hub is plugged in; connect it to any USB port."
    ASKING = Fine("Something is plugged in at {port}; it is being asked whether it is the hub.")
    PRESENT = Fine("The hub {hub} is at {port}.")
    SILENT = "The hub at {port} has gone silent; unplug it and plug it in again."
    GARBLED = "Data from the hub at {port} arrives damaged; use another cable or USB port."
    UNPLUGGED = "The hub was unplugged from {port}; plug it in again, at any USB port."
    BUSY = "Another program uses {port}, where the hub may be; close that program."
    DENIED = "This user may not use {port}; add the user to the group dialout and log in again."
    UNFIT = "{port} cannot be used ({reason}); unplug what is there and plug it in again."
    STRANGER = (
        "What is plugged in at {port} does not answer as a hub; if it is one, flash it; otherwise "
        "unplug it."
    )
    OTHER = (
        "The hub at {port} is {found}, and this table's is {hub}; plug that one in, or change the "
        "id in the configuration."
    )
    FOREIGN = (
        "The hub at {port} speaks version {version} of the link, and this program version "
        "{ours}; flash the hub again."
    )
    FAULTY = (
        "The connection to the hub has failed in an unexpected way ({reason}); it will be tried "
        "again. If it keeps failing, restart this program and report it."
    )
    OFF = Fine("The connection to the hub is closed.")


TELLING: Final = (  # which of several ports is worth a sentence, best first
    HubState.OTHER,
    HubState.FOREIGN,
    HubState.BUSY,
    HubState.DENIED,
    HubState.UNFIT,
    HubState.STRANGER,
)


@dataclass(slots=True)
class _Trial:
    state: HubState = HubState.SEARCHING
    values: Mapping[str, object] = field(default_factory=dict)
    backoff: Backoff = field(default_factory=lambda: Backoff(500_000, 8_000_000))


class PortSearch:
    """The serial ports that are there, and what those that were tried turned out to be."""

    def __init__(
        self, patterns: Sequence[str], ports: Ports, taken: Callable[[], str | None]
    ) -> None:
        self._patterns, self._source = patterns, ports
        self._taken = taken  # the port that another hub has
        self._trials: dict[str, _Trial] = {}
        self.favourite = ""  # where the hub was last

    def due(self, now_us: int) -> Iterator[str]:
        taken = self._taken()
        ports = [port for port in self._source.find(self._patterns) if port != taken]
        self._trials = {port: self._trials.get(port, _Trial()) for port in ports}
        for port in sorted(ports, key=lambda port: port != self.favourite):
            if now_us >= self._trials[port].backoff.due_us:
                yield port

    def failed(self, port: str, now_us: int, state: HubState, **values: object) -> None:
        """Keep what a port turned out to be."""
        trial = self._trials.setdefault(port, _Trial())
        trial.state, trial.values = state, {**values, "port": port}
        trial.backoff.failed(now_us)

    def forget(self, port: str) -> None:
        self._trials.pop(port, None)

    def best_status(self) -> tuple[HubState, Mapping[str, object]] | None:
        """Return what is most worth saying about the ports that are there, if anything is."""
        verdicts = {trial.state: trial.values for trial in reversed(self._trials.values())}
        return next(((state, verdicts[state]) for state in TELLING if state in verdicts), None)


@dataclass(frozen=True, slots=True)
class HubMessage:
    """A message of the hub, and when its last byte arrived on the host's clock."""

    at_us: int
    said: wire.Said


Listener = Callable[[HubMessage], None]


class HubProtocol:
    """Decodes bytes into messages, as soon as the right hub has told its id.

    `wanted` is that id, such as "24:0a:c4:00:00:01"; None takes any hub.
    """

    def __init__(self, wanted: str | None) -> None:
        self._line = wire.Line(wire.FROM_HUB)
        self._wanted = wanted.lower() if wanted else None
        self.hub: str | None = None  # the id, once it is the right one
        self.other: str | None = None  # the id of a wrong one
        self.foreign: int | None = None  # the version of a language that we do not speak

    @property
    def losses(self) -> Mapping[str, int]:
        """Return how many frames were lost, and to what."""
        return self._line.losses

    def feed(self, at_us: int, data: bytes) -> tuple[list[HubMessage], int]:
        """Return the messages for us, and how many whole frames there were at all."""
        messages = self._line.hear(data)
        heard: list[HubMessage] = []
        for message in messages:
            if isinstance(message, wire.Foreign):
                self.foreign = message.version
            elif self._is_ours(message):
                heard.append(HubMessage(at_us, message))
        return heard, len(messages)

    def _is_ours(self, message: wire.Said) -> bool:
        address = getattr(message.fields, "hub", None)
        if address is not None:
            self._check_hub_id(bytes(address).hex(":"))
        return self.hub is not None

    def _check_hub_id(self, hub_id: str) -> None:
        if self._wanted in (None, hub_id):
            self.hub, self.other = hub_id, None
        else:
            self.hub, self.other = None, hub_id


# --- two hubs as one -----------------------------------------------------------------------------

SPAN_US: Final = 30_000_000  # the least delay of the last one or two of these counts


class ClockOffset:
    """How much later than a hub's clock the host's is, by the least delayed of its messages.

    >>> offset = ClockOffset()
    >>> offset.take(5_000, 1_000), offset.take(6_900, 3_000), offset.take(9_500, 5_000)
    (4000, 3900, 3900)
    >>> offset.take(10_000, 20)  # it started over
    9980
    """

    def __init__(self) -> None:
        self._hub_us = self._since_us = 0
        self._least: tuple[int, ...] = ()  # of this span and the one before

    def take(self, at_us: int, hub_us: int) -> int:
        """Take a time on both clocks; return how far they are apart."""
        if hub_us < self._hub_us:
            self._least = ()
        if not self._least or at_us - self._since_us > SPAN_US:
            self._since_us, self._least = at_us, (at_us - hub_us, *self._least[:1])
        self._hub_us = hub_us
        self._least = (min(self._least[0], at_us - hub_us), *self._least[1:])
        return self.us

    @property
    def us(self) -> int:
        """Return how far they are apart."""
        return min(self._least, default=0)


class MergedHubs:
    """Two hubs as one: all of it by the clock of the first, live and in a recording alike.

    A table with one hub never asks for the second.
    """

    def __init__(self) -> None:
        self._first, self._second = ClockOffset(), ClockOffset()

    def first(self, heard: HubMessage) -> HubMessage:
        """Return what the first hub says, as it is."""
        self._first.take(heard.at_us, heard.said.time_us)
        return heard

    def second(self, heard: HubMessage) -> HubMessage | None:
        """Return what the second heard as if the first had; None: it speaks of itself, no news."""
        message = heard.said
        later_us = self._second.take(heard.at_us, message.time_us) - self._first.us
        if message.name != "RELAYED":
            return None
        time_us = max(0, message.time_us + later_us)
        return HubMessage(heard.at_us, message._replace(time_us=time_us))
