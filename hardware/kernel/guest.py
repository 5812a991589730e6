"""Inside the guest: plugs in the chips that are software, and does what the tests say.

Each line from the serial port is a wish, each line back its answer, both in JSON; the first line it
says is "ready".
"""

import grp
import json
import os
import subprocess
import termios
import time
import tty
from collections.abc import Callable
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, BinaryIO, Final
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

from companion.system import config
from hardware.kernel.cp2112 import Cp2112
from hardware.kernel.i2c_bus import ReadableLights, WholeBus
from hardware.kernel.uhid import Plugged

PORT: Final = "/dev/ttyS1"
AT: Final = 0x34
USER: Final = "rappelwacht"
DONE_S: Final = 600
OURS: Final = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}


class Guest:
    """The chips, a program that may run beside them, and a phone."""

    def __init__(self) -> None:
        self.board = ReadableLights(config.LIGHT_WIRING)
        self.chip = Cp2112(WholeBus({AT: self.board}))
        self._program: subprocess.Popen[str] | None = None
        self._phone = build_opener(ProxyHandler({}), HTTPCookieProcessor(CookieJar()))
        self.does: dict[str, Callable[..., object]] = {
            "close": self.chip.close,
            "open": self.chip.open,
            "unplug": lambda: self.chip.bus.unplug(AT),
            "plug": lambda: self.chip.bus.plug(AT),
            "look": self._look,
            "run": self._run,
            "start": self._start,
            "heard": self._heard,
            "stop": self._stop,
            "call": self._call,
            "exists": lambda path: Path(path).exists(),
            "read": self._read,
            "wait": self._wait,
        }

    def _look(self, what: str) -> object:
        return {
            "lights": self.board.lights(),
            "registers": self.board.registers.hex(),
            "resets": self.board.resets,
            "strays": list(self.board.strays),
            "levels": self.chip.levels,
            "outputs": self.chip.outputs,
        }[what]

    @staticmethod
    def _run(*line: str) -> tuple[int, str]:
        """Carry out a line as root; return its code and what it said."""
        done = subprocess.run(
            line,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=DONE_S,
        )
        return done.returncode, done.stdout

    @staticmethod
    def _read(path: str) -> str | None:
        """Return what is in a file; nothing: it is not there."""
        try:
            return Path(path).read_text("utf-8")
        except FileNotFoundError:
            return None

    @staticmethod
    def _wait(seconds: float) -> float:
        """Let time pass here; return what the clock says then."""
        time.sleep(seconds)
        return time.monotonic()

    def _start(self, *line: str) -> None:
        """Start a line as the service's user, with the groups it has."""
        groups = [group.gr_gid for group in grp.getgrall() if USER in group.gr_mem]
        self._program = subprocess.Popen(
            line,
            user=USER,
            group=USER,
            extra_groups=groups,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _heard(self) -> str:
        """Return the next line that the program says; nothing: it has ended."""
        assert self._program is not None
        assert self._program.stdout is not None
        return self._program.stdout.readline()

    def _stop(self) -> tuple[int, str]:
        assert self._program is not None
        rest, _ = self._program.communicate(timeout=DONE_S)  # closes its input: the word to end
        return self._program.returncode, rest

    def _call(self, address: str, body: object = None) -> Any:
        """Ask the table as a phone does, and with a body tell it something."""
        data = None if body is None else json.dumps(body).encode()
        with self._phone.open(Request(address, data, OURS), timeout=DONE_S) as answer:  # noqa: S310 - our own address
            return json.load(answer)


def obey(guest: Guest, port: BinaryIO) -> None:
    """Do what is said until nothing is said any more."""
    _say(port, "ready")
    for line in port:
        if not line.strip():  # it only wakes the port
            continue
        wish, *values = json.loads(line)
        try:
            said: dict[str, Any] = {"did": guest.does[wish](*values)}
        except Exception as error:  # noqa: BLE001 - reported to the test, which then fails
            said = {"failed": repr(error)}
        _say(port, said)


def _say(port: BinaryIO, said: object) -> None:
    port.write(json.dumps(said).encode() + b"\n")


def main() -> None:
    """Plug in, and obey."""
    guest = Guest()
    file = os.open(PORT, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(file)
    settings = termios.tcgetattr(file)
    settings[4] = settings[5] = termios.B115200  # QEMU is as slow as a line would be
    termios.tcsetattr(file, termios.TCSANOW, settings)
    with Plugged(guest.chip, urgent=True), os.fdopen(file, "r+b", buffering=0) as port:
        obey(guest, port)


if __name__ == "__main__":
    main()
