"""A second hub, which hears what hands keep from the first: both as one, with one clock.

Stoppers say each second try to everybody, so what only the second hub hears still comes. Whoever
has the keys drops what both heard. Commands go by the first hub, as long as it is there.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from typing import Self

from companion.devices import hub_discovery, hub_port, recording, serial_line
from companion.devices.hub_discovery import MergedHubs
from companion.system import config, format_names, status


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


class Hubs(AbstractContextManager["Hubs"]):
    """A table's hub, or both of them, each in a thread of its own.

    `port` is that of the first. Whoever has no thread for them calls `tick`.
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
        self._listener, self._id, self._merged = listener, settings.second, MergedHubs()
        self.second: hub_port.HubPort | None = None
        self._watched: status.StatusReporter | None = None
        if settings.second is not None:
            self._watched = status.StatusReporter(SecondHubState.STARTING, report)
            wanted = replace(settings, id=settings.second)
            hear, tell, mark = self._hear_second, self._report_second, recording.SECOND
            self.second = hub_port.HubPort(
                wanted, hear, tell, ports, recorder, mark, lambda: self.port.open_at
            )
        self.port = hub_port.HubPort(
            *(settings, self._hear_first, report, ports, recorder),
            taken=lambda: self.second.open_at if self.second else None,
        )
        self._both = [self.port] if self.second is None else [self.port, self.second]
        self._threads = [hub_port.HubThread(port, clock_us) for port in self._both]
        self._life = ExitStack()

    def __enter__(self) -> Self:
        for thread in self._threads:
            self._life.enter_context(thread)
        return self

    def __exit__(self, *_: object) -> None:
        self._life.close()

    @property
    def conditions(self) -> tuple[status.Condition, ...]:
        second = () if self._watched is None else (self._watched.condition,)
        return (self.port.condition, *second)

    def send(self, frame: bytes) -> bool:
        """Queue a frame to be sent at once, from any thread; False: there is no hub, or no room."""
        return any(thread.send(frame) for thread in self._threads)

    def tick(self, now_us: int) -> None:
        """Tick both."""
        for port in self._both:
            port.tick(now_us)

    def close(self, now_us: int) -> None:
        """Close both ports."""
        for port in self._both:
            port.close(now_us)

    def record(self, recorder: recording.Recorder, now_us: int) -> None:
        """Record what comes from now on, too."""
        for thread in self._threads:
            thread.port.record(recorder, now_us)
            thread.wake()

    def end_recording(self, recorder: recording.Recorder) -> None:
        """Write no more there."""
        for port in self._both:
            port.end_recording(recorder)

    def _hear_first(self, heard: hub_discovery.HubMessage) -> None:
        self._listener(self._merged.first(heard))

    def _hear_second(self, heard: hub_discovery.HubMessage) -> None:
        if (known := self._merged.second(heard)) is not None:
            self._listener(known)

    def _report_second(self, condition: status.Condition) -> None:
        assert self._watched is not None
        values = condition.values
        if condition.state is hub_discovery.HubState.PRESENT:
            hub, port = values["hub"], values["port"]
            self._watched.becomes(SecondHubState.PRESENT, condition.since_us, hub=hub, port=port)
        elif not condition.state.fine:
            self._watched.becomes(SecondHubState.ABSENT, condition.since_us, hub=self._id)
