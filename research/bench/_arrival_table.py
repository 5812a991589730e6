"""A table that is installed in a folder, and runs as its service would: for `arrival`."""

import socket
import subprocess
import time
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from companion.cli.install import system
from companion.cli.install.places import Places

HERE: Final = "127.0.0.1"
WAIT_S: Final = 120.0


class InstalledTable:
    """Begun when the block is entered, and anew whenever systemd would do so."""

    def __init__(self, root: Path, port: int = 0) -> None:
        self.places = Places(root)
        self.folder = self.places.data / "table"
        self.port = port or _free_port()
        self._running: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._begin()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def run(self, words: Sequence[str]) -> int:
        """Do what the system is asked for; what would start the service starts the table."""
        code = system.run(words)
        installs = "companion" in words and "install" in words
        starts = words[0] == "systemctl" and {"enable", system.TABLE.service} <= {*words}
        if (code == 0 and installs) or starts:
            self._end()
            self._begin()
        return code

    def status(self) -> int:
        """Return how its first page is answered, once it is."""
        until_s = time.monotonic() + WAIT_S
        while time.monotonic() < until_s:
            line = HTTPConnection(HERE, self.port, timeout=WAIT_S)
            try:
                line.request("GET", "/")
                return line.getresponse().status
            except (OSError, HTTPException):
                time.sleep(0.1)
            finally:
                line.close()
        return 0

    def _begin(self) -> None:
        line = [system.python(self.places.current / "venv"), "-P", "-m", "companion", "table"]
        line += ["--config", str(self.places.config), "--folder", str(self.folder)]
        line += ["--port", str(self.port)]
        quiet = subprocess.DEVNULL
        self._running = subprocess.Popen(line, stdin=quiet, stdout=quiet, stderr=quiet)

    def _end(self) -> None:
        if self._running is not None:
            self._running.terminate()
            self._running.wait()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind((HERE, 0))
        return int(one.getsockname()[1])
