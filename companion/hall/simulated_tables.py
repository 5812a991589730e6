"""Simulated tables for a hall that has no real ones yet: each is a table's whole program.

They join as real ones do: an account of their own, and a file that says where the broker is.
"""

import logging
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Final, Self

from companion.hall.hall import Hall
from companion.mqtt import client, signing
from companion.mqtt.join_code import HALL_FILE, Joining, first_certificate
from companion.system import paths, signals

LOG: Final = logging.getLogger(__name__)
ENDS_S: Final = 10.0
CALM: Final = 5  # how far they give way to the hall and the broker


class SimulatedTables(AbstractContextManager["SimulatedTables"]):
    """A number of tables that play by themselves for as long as this lasts."""

    def __init__(
        self, hall: Hall, folder: Path, broker: client.Broker, count: int, words: Sequence[str] = ()
    ) -> None:
        self._hall, self._broker = hall, broker
        self._words = words  # which each table's program is given as well
        self._folders = [folder / f"simulated-{number}" for number in range(1, count + 1)]
        self._running: dict[Path, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        """Let them join, then begin."""
        for folder in self._folders:
            name = folder.name
            if self._hall.tables.secret(name) is None:
                self._hall.join_table(name, signing.new_secret())
        for folder in self._folders:
            self._write(folder)
            self._begin(folder)
        return self

    def _write(self, folder: Path) -> None:
        secret, broker = self._hall.tables.secret(folder.name), self._broker
        assert secret is not None
        authority = None if broker.authority is None else first_certificate(broker.authority)
        paths.ensure_private_folder(folder)
        HALL_FILE.save(folder, Joining(broker.host, broker.port, folder.name, secret, authority))

    def _begin(self, folder: Path) -> None:
        words = [*signals.with_us(), sys.executable, "-P", "-m", "companion"]
        with (folder / "log").open("wb") as log:
            self._running[folder] = subprocess.Popen(  # noqa: S603 - our own program
                [*words, "--seat", "none", "--port", "0", "--folder", str(folder), *self._words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self._running[folder].pid, CALM)

    def restart_ended(self) -> None:
        """Start a table again that has ended."""
        for folder, process in self._running.items():
            if process.poll() is not None:
                LOG.warning("A simulated table ended; %s says why.", folder / "log")
                self._begin(folder)

    def __exit__(self, *_: object) -> None:
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(ENDS_S)
            process.kill()
            process.wait()
