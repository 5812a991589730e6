"""The thread that waits for the hub's bytes: the outermost loop, with the only clock.

Any thread may send:

    with HubThread(port) as hub:
        hub.send(frame)     # from any thread; listener and report are called from the hub's own
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from types import TracebackType
from typing import Final, Self

from companion.devices.hub_port import HubPort

TICK_MS: Final = 250  # this often it looks for ports and silence while no bytes come


def monotonic_us() -> int:
    """Return the time in microseconds on a clock that never jumps."""
    return time.monotonic_ns() // 1000


class HubThread:
    """Pumps a hub port whenever there is something to do."""

    def __init__(self, port: HubPort, clock_us: Callable[[], int] = monotonic_us) -> None:
        self.port = port
        self._clock_us = clock_us
        self._stopping = False
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        self._thread = Thread(target=self._run, name="hub", daemon=True)

    def __enter__(self) -> Self:
        """Start."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop, and wait until the port is closed."""
        self._stopping = True
        self.wake()
        self._thread.join()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def send(self, frame: bytes) -> bool:
        """Take a frame to be sent at once, from any thread; False if there is no hub or no room."""
        taken = self.port.send(frame)
        if taken:
            self.wake()
        return taken

    def wake(self) -> None:
        """Have it pump now."""
        with suppress(BlockingIOError):  # it has enough reasons to wake already
            os.write(self._wake_write, b"\0")

    def _run(self) -> None:
        try:
            while not self._stopping:
                try:
                    self.port.pump(self._clock_us())
                    self._wait()
                except Exception as error:  # noqa: BLE001 - a dead thread would tell nobody
                    self._failed(error)
        finally:
            self.port.close(self._clock_us())

    def _failed(self, error: Exception) -> None:
        """Have the port tell of it, and go on, but never in haste."""
        with suppress(Exception):  # whoever hears the report may be what fails; the state stands
            self.port.failed(error, self._clock_us())
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
