"""The serial connection to the hub, found by its id at any port; reports how it is, never raises.

`HubThread` calls it when bytes arrive.

    port = HubPort(table.hub, listener=queue.put, report=print)
    port.tick(now_us)
    port.send(wire.say("HUB_CHANNEL", now_us, channel=6))
"""

import os
import select
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Final, Self

from companion import wire
from companion.devices.hub_discovery import (
    HubMessage,
    HubProtocol,
    HubState,
    Listener,
    PortSearch,
)
from companion.devices.recording import Recorder
from companion.devices.serial_line import LineError, LineFault, OpenPort, Ports, SerialPorts
from companion.system import config, status

ASK_US: Final = 500_000  # how often an unknown device is asked…
GIVE_UP_US: Final = 2_000_000  # …and for how long; a hub that was just plugged in must start
QUIET_US: Final = 1_000_000  # a hub that says nothing for this long is asked…
SILENT_US: Final = 2_500_000  # …then counts as silent, well within 3 s…
REOPEN_US: Final = 10_000_000  # …and is looked for again
LOOK_US: Final = 250_000  # how often the ports are listed
AFTER_FAULT_US: Final = 1_000_000  # how long a fault that nobody foresaw keeps the ports closed
READS: Final = 16  # chunks at most in one tick, so that a flood does not hold up all else
THIS_COMPUTER: Final = SerialPorts()
UNSENT: Final = 16_384  # bytes that may wait for a slow hub

_FAULTS: Final = {
    LineFault.GONE: HubState.SEARCHING,
    LineFault.BUSY: HubState.BUSY,
    LineFault.DENIED: HubState.DENIED,
    LineFault.UNFIT: HubState.UNFIT,
}
_LOST: Final = (
    HubState.SILENT,
    HubState.GARBLED,
    HubState.UNPLUGGED,
)  # more telling than strangers


@dataclass(slots=True)
class _Session:
    """One opening of a port, and when there was last something on it."""

    port: str
    line: OpenPort
    protocol: HubProtocol
    opened_us: int
    frame_us: int
    byte_us: int
    asked_us: int = 0


class HubPort:
    """The connection to one hub. `tick` and `close` belong to one thread, `send` to any."""

    def __init__(  # noqa: PLR0913, PLR0917 - what it listens to, and whom it tells
        self,
        settings: config.Hub,
        listener: Listener,
        report: status.Report = lambda _: None,
        ports: Ports = THIS_COMPUTER,
        recorder: Recorder | None = None,
        mark: str = "",  # of its words in a recording
        taken: Callable[[], str | None] = lambda: None,  # the port that another hub has
    ) -> None:
        self._wanted, self._channel, self._mark = settings.id, settings.channel, mark
        self._listener = listener
        self._ports = ports
        self._recorders: tuple[Recorder, ...] = () if recorder is None else (recorder,)
        self._search = PortSearch(settings.ports, ports, taken)
        self._look_due_us = 0
        self._watched = status.StatusReporter(HubState.STARTING, report)
        self._session: _Session | None = None
        self._unsent: deque[bytes] = deque()
        self._lock = Lock()
        self._past_losses: Counter[str] = Counter()

    @property
    def condition(self) -> status.Condition:
        return self._watched.condition

    @property
    def losses(self) -> Counter[str]:
        """Return how many frames were lost since the start, and to what."""
        return self._past_losses + Counter(self._session.protocol.losses if self._session else {})

    def fileno(self) -> int | None:
        """Return the descriptor to wait for, while a port is open."""
        return self._session.line.fileno() if self._session else None

    @property
    def open_at(self) -> str | None:
        """Return which port it has open."""
        session = self._session
        return session.port if session else None

    def wants_to_write(self) -> bool:
        """Return whether bytes wait for room."""
        return bool(self._unsent)

    def send(self, frame: bytes) -> bool:
        """Queue a frame to be sent; False if there is no hub to take it, or it is too slow."""
        with self._lock:  # else a frame could wait for a hub that goes just now, and reach the next
            session = self._session
            taken = session is not None and session.protocol.hub is not None and self._room(frame)
            if taken:
                self._unsent.append(frame)
        return taken

    def record(self, recorder: Recorder, now_us: int) -> None:
        """Record what comes from now on, too; any thread may call this.

        The hub is asked for its id, without which a recording cannot be played.
        """
        session = self._session
        if session is not None:
            recorder.record_open(now_us, self._wanted, session.port, self._mark)
        self._recorders = (*self._recorders, recorder)
        if session is not None:
            self._ask(session, now_us)

    def end_recording(self, recorder: Recorder) -> None:
        """Write no more there, from any thread."""
        self._recorders = tuple(other for other in self._recorders if other != recorder)

    def tick(self, now_us: int) -> None:
        """Look for the hub, read, write, and judge how it is."""
        if self._session is None and now_us >= self._look_due_us:
            self._search_ports(now_us)
        session = self._session
        if session is None:
            return
        try:
            self._read(session, now_us)
            self._check_session(session, now_us)
            self._write(session, now_us)
        except LineError as error:
            self._handle_line_error(session, error, now_us)

    def close(self, now_us: int) -> None:
        try:
            self._close_session(now_us)
        finally:
            self._watched.becomes(HubState.OFF, now_us)

    def handle_error(self, error: Exception, now_us: int) -> None:
        """Tell of an error that nobody foresaw, let go of the port, and look again later."""
        with suppress(Exception):  # the port may be what fails
            self._close_session(now_us)
        self._look_due_us = now_us + AFTER_FAULT_US
        reason = f"{type(error).__name__}: {error}"
        self._watched.becomes(HubState.FAULTY, now_us, reason=reason)

    def _search_ports(self, now_us: int) -> None:
        self._look_due_us = now_us + LOOK_US
        for port in self._search.due(now_us):
            try:
                line = self._ports.open(port)
            except LineError as error:
                self._search.failed(port, now_us, _FAULTS[error.fault], reason=error.reason)
                continue
            self._session = _Session(port, line, HubProtocol(self._wanted), now_us, now_us, now_us)
            for recorder in self._recorders:
                recorder.record_open(now_us, self._wanted, port, self._mark)
            if self.condition.state in (HubState.STARTING, HubState.SEARCHING):
                self._watched.becomes(HubState.ASKING, now_us, port=port)
            self._ask(self._session, now_us)
            return
        self._report_search(now_us)

    def _report_search(self, now_us: int) -> None:
        verdict = self._search.best_status()
        lost = self.condition.state in _LOST
        if verdict is not None and not (lost and verdict[0] is HubState.STRANGER):
            self._watched.becomes(verdict[0], now_us, **verdict[1])
        elif verdict is None and not lost:
            self._watched.becomes(HubState.SEARCHING, now_us)

    def _read(self, session: _Session, now_us: int) -> None:
        for _ in range(READS):
            data = session.line.read()
            if not data:
                return
            for recorder in self._recorders:
                recorder.record_in(now_us, data, self._mark)
            heard, frames = session.protocol.feed(now_us, data)
            session.byte_us = now_us
            if frames:
                session.frame_us = now_us
            for message in heard:
                self._tune(message, now_us)
                self._listener(message)

    def _check_session(self, session: _Session, now_us: int) -> None:
        protocol = session.protocol
        if protocol.other is not None:
            self._give_up(session, now_us, HubState.OTHER, found=protocol.other, hub=self._wanted)
        elif protocol.hub is not None:
            self._check_hub(session, now_us)
        elif protocol.foreign is not None:
            versions = {"version": protocol.foreign, "ours": wire.VERSION}
            self._give_up(session, now_us, HubState.FOREIGN, **versions)
        elif now_us - session.opened_us >= GIVE_UP_US:
            self._give_up(session, now_us, HubState.STRANGER)
        elif now_us - session.asked_us >= ASK_US:
            self._ask(session, now_us)

    def _check_hub(self, session: _Session, now_us: int) -> None:
        quiet_us = now_us - session.frame_us
        if quiet_us < SILENT_US:
            self._search.favourite = session.port
            self._watched.becomes(
                HubState.PRESENT, now_us, hub=session.protocol.hub, port=session.port
            )
        elif now_us - session.byte_us < QUIET_US:
            self._watched.becomes(HubState.GARBLED, now_us, port=session.port)
        else:
            self._watched.becomes(HubState.SILENT, now_us, port=session.port)
        if quiet_us >= REOPEN_US:
            self._give_up(session, now_us, HubState.STRANGER)
        elif quiet_us >= QUIET_US and now_us - session.asked_us >= QUIET_US:
            self._ask(session, now_us)

    def _give_up(self, session: _Session, now_us: int, state: HubState, **values: object) -> None:
        self._search.failed(session.port, now_us, state, **values)
        self._close_session(now_us)
        self._report_search(now_us)

    def _handle_line_error(self, session: _Session, error: LineError, now_us: int) -> None:
        self._close_session(now_us)
        self._look_due_us = now_us
        if session.protocol.hub is not None:
            self._search.forget(session.port)
            self._watched.becomes(HubState.UNPLUGGED, now_us, port=session.port)
        else:
            fault = _FAULTS[error.fault]
            self._search.failed(session.port, now_us, fault, reason=error.reason)
            self._report_search(now_us)

    def _close_session(self, now_us: int) -> None:
        with self._lock:
            session, self._session = self._session, None
            self._unsent.clear()
        if session is not None:
            session.line.close()
            self._past_losses += Counter(session.protocol.losses)
            for recorder in self._recorders:
                recorder.record_close(now_us, self._mark)

    def _ask(self, session: _Session, now_us: int) -> None:
        session.asked_us = now_us
        frame = b"\0" + wire.say("HUB_HELLO_REQUEST", now_us)  # the 0x00 ends what was cut off
        with self._lock:
            if self._room(frame):
                self._unsent.append(frame)

    def _tune(self, message: HubMessage, now_us: int) -> None:
        """Tell the hub to change to the wanted channel, if it says that it is on another."""
        channel = getattr(message.said.fields, "channel", self._channel)
        if self._channel is not None and channel != self._channel:
            self.send(wire.say("HUB_CHANNEL", now_us, channel=self._channel))

    def _room(self, frame: bytes) -> bool:
        return sum(map(len, self._unsent)) + len(frame) <= UNSENT

    def _write(self, session: _Session, now_us: int) -> None:
        while self._session is session and self._unsent:
            frame = self._unsent[0]
            count = session.line.write(frame)
            for recorder in self._recorders if count else ():
                recorder.record_out(now_us, frame[:count], self._mark)
            with self._lock:
                self._unsent[0] = frame[count:]
                if count < len(frame):
                    return
                self._unsent.popleft()


TICK_MS: Final = 250  # this often it looks for ports and silence while no bytes come


def monotonic_us() -> int:
    """Return the time in microseconds on a clock that never jumps."""
    return time.monotonic_ns() // 1000


class HubThread:
    """Calls a hub port in a thread of its own, whenever there is something to do."""

    def __init__(self, port: HubPort, clock_us: Callable[[], int] = monotonic_us) -> None:
        self.port = port
        self._clock_us = clock_us
        self._stopping = False
        self._wake_read = self._wake_write = -1  # a pipe, while it runs
        self._thread = Thread(target=self._run, name="hub", daemon=True)

    def __enter__(self) -> Self:
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop, and wait until the port is closed."""
        self._stopping = True
        self.wake()
        self._thread.join()
        wake_read, wake_write = self._wake_read, self._wake_write
        self._wake_read = self._wake_write = -1
        os.close(wake_read)
        os.close(wake_write)

    def send(self, frame: bytes) -> bool:
        """Queue a frame to be sent at once, from any thread; False: there is no hub, or no room."""
        taken = self.port.send(frame)
        if taken:
            self.wake()
        return taken

    def wake(self) -> None:
        """Wake the thread of the port, if it runs."""
        with suppress(BlockingIOError):  # it has enough reasons to wake already
            if self._wake_write >= 0:
                os.write(self._wake_write, b"\0")

    def _run(self) -> None:
        try:
            while not self._stopping:
                try:
                    self.port.tick(self._clock_us())
                    self._wait()
                except Exception as error:  # noqa: BLE001 - a dead thread would tell nobody
                    self._failed(error)
        finally:
            self.port.close(self._clock_us())

    def _failed(self, error: Exception) -> None:
        """Have the port report a failure, and go on after a pause."""
        with suppress(Exception):  # whoever hears the report may be what fails; the state stands
            self.port.handle_error(error, self._clock_us())
        time.sleep(TICK_MS / 1000)

    def _wait(self) -> None:
        poll = select.poll()
        poll.register(self._wake_read, select.POLLIN)
        line = self.port.fileno()
        if line is not None:
            writes = select.POLLOUT if self.port.wants_to_write() else 0
            poll.register(line, select.POLLIN | writes)
        ready = poll.poll(TICK_MS)
        if any(descriptor == self._wake_read for descriptor, _ in ready):
            os.read(self._wake_read, 4096)
