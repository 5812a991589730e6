"""A second hub, which hears what hands keep from the first: both as one, with one clock.

Stoppers say each second try to everybody, so what only the second hub hears still comes. Whoever
has the keys drops what both heard. Commands go by the first hub, as long as it is there.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from typing import Self

from companion.devices import hub_discovery, hub_port, recording, serial_line
from companion.system import config, format_names, status

SPAN_US = 30_000_000  # the least delay of the last one or two of these counts


@format_names.format_name("SecondHub")
class SecondHubState(status.Status):
    """How the second hub is; the table plays without it, too."""

    STARTING = status.Fine("The second hub has not been looked for yet.")
    PRESENT = status.Fine("The second hub {hub} is at {port}.")
    ABSENT = (
        "The second hub, {hub}, cannot be used: it is not plugged in, does not answer, or another "
        "program uses its port. Plug it in again, or take it out of the configuration."
    )

    @property
    def quiet(self) -> bool:
        """Whether that may wait until after the evening."""
        return True


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


class _OtherPorts:
    """The ports of this computer, but for the one that the other hub has."""

    def __init__(self, ports: serial_line.Ports, taken: Callable[[], str | None]) -> None:
        self._ports, self._taken = ports, taken

    def find(self, patterns: Sequence[str]) -> Sequence[str]:
        return [port for port in self._ports.find(patterns) if port != self._taken()]

    def open(self, path: str) -> serial_line.OpenPort:
        return self._ports.open(path)


class Hubs(AbstractContextManager["Hubs"]):
    """A table's hub, or both of them, each in a thread of its own.

    `port` is that of the first; only what that hears is recorded.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - all that they need from outside
        self,
        settings: config.Hub,
        listener: hub_discovery.Listener,
        report: status.Report,
        ports: serial_line.Ports,
        clock_us: Callable[[], int],
        recorder: recording.Recorder | None = None,
    ) -> None:
        self._listener, self._id = listener, settings.second
        self._first_clock, self._second_clock = ClockOffset(), ClockOffset()
        self.second: hub_port.HubPort | None = None
        self._watched: status.StatusReporter | None = None
        if settings.second is not None:
            self._watched = status.StatusReporter(SecondHubState.STARTING, report)
            other = _OtherPorts(ports, lambda: self.port.open_at)
            wanted = replace(settings, id=settings.second)
            self.second = hub_port.HubPort(wanted, self._hear_second, self._report_second, other)
            ports = _OtherPorts(ports, lambda: self.second.open_at if self.second else None)
        self.port = hub_port.HubPort(settings, self._hear_first, report, ports, recorder)
        self._first = hub_port.HubThread(self.port, clock_us)
        self._second = None if self.second is None else hub_port.HubThread(self.second, clock_us)
        self._threads = ExitStack()

    def __enter__(self) -> Self:
        """Listen to them."""
        self._threads.enter_context(self._first)
        if self._second is not None:
            self._threads.enter_context(self._second)
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of them."""
        self._threads.close()

    @property
    def conditions(self) -> tuple[status.Condition, ...]:
        """Return how they are."""
        second = () if self._watched is None else (self._watched.condition,)
        return (self.port.condition, *second)

    def send(self, frame: bytes) -> bool:
        """Take a frame to be sent at once, from any thread; False if there is no hub or no room."""
        return self._first.send(frame) or (self._second is not None and self._second.send(frame))

    def wake(self) -> None:
        """Have the first one's port called now."""
        self._first.wake()

    def _hear_first(self, heard: hub_discovery.HubMessage) -> None:
        self._first_clock.take(heard.at_us, heard.said.time_us)
        self._listener(heard)

    def _hear_second(self, heard: hub_discovery.HubMessage) -> None:
        """Pass packets on as if the first hub had heard them; what it is itself is not news."""
        message = heard.said
        later_us = self._second_clock.take(heard.at_us, message.time_us) - self._first_clock.us
        if message.name == "RELAYED":
            message = message._replace(time_us=max(0, message.time_us + later_us))
            self._listener(hub_discovery.HubMessage(heard.at_us, message))

    def _report_second(self, condition: status.Condition) -> None:
        assert self._watched is not None
        values = condition.values
        if condition.state is hub_discovery.HubState.PRESENT:
            hub, port = values["hub"], values["port"]
            self._watched.becomes(SecondHubState.PRESENT, condition.since_us, hub=hub, port=port)
        elif not condition.state.fine:
            self._watched.becomes(SecondHubState.ABSENT, condition.since_us, hub=self._id)
