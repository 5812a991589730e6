"""Tells systemd that the table is ready and alive, so that a hung one is started again.

Without systemd there is nobody to tell, and nothing is said.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import suppress


class Watchdog:
    """Whoever started us, if it wants to be told."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        path = environment.get("NOTIFY_SOCKET", "")
        self._address = f"\0{path[1:]}" if path.startswith("@") else path  # "@": no file

    def ready(self) -> None:
        """Say that the table can be used."""
        self._say("READY=1")

    def pet(self) -> None:
        """Say that all goes well; to be said more often than the service's WatchdogSec."""
        self._say("WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the end is wanted."""
        self._say("STOPPING=1")

    def _say(self, word: str) -> None:
        if not self._address:
            return
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)  # nobody at the table waits for it
            line.sendto(word.encode(), self._address)
