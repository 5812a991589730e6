"""The program mpremote, by which MicroPython's makers talk to boards; run as lists of words.

It comes with this program and is run by the same Python, so no PATH decides which one it is. What
mpremote complains about becomes a sentence with a cure.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from serial.tools.list_ports import comports

from companion import ending
from companion.errors import CompanionError
from companion.firmware_files import tool

PROGRAM: Final = (sys.executable, "-P", "-m", "mpremote")
PATIENCE_S: Final = 120.0  # for one call: copying all takes some twenty seconds
ANSWERS_S: Final = 30.0  # a board that is there does so within a few seconds
RETURNS_S: Final = 15.0  # by then a board has its port again after a reset
AGAIN_S: Final = 0.5
UNREACHABLE: Final = ("failed to access", "no device found")
DEAF: Final = ("could not enter raw repl", "timeout waiting", "could not exec command")


class Board:
    """A board at a port."""

    def __init__(
        self, port: str, picture: str, sleep: Callable[[float], None] = ending.sleep
    ) -> None:
        self.port = port
        self._picture = picture  # of MicroPython, for who has to write it first
        self._sleep = sleep

    def run(self, code: str, patience_s: float = PATIENCE_S) -> str:
        """Run a program on the board; return what it prints."""
        return self._call(["exec", code], patience_s)

    def copy(self, paths: Sequence[Path]) -> None:
        """Copy files and folders, with all that is in them, to the board's root."""
        self._call(["fs", "cp", "-r", *map(str, paths), ":"])

    def reset(self) -> None:
        """Start over, as from power-on."""
        self._call(["reset"])

    def wait_until_back(self) -> None:
        """Wait until the board can be talked to after a reset: its port goes and comes."""
        for _ in range(round(RETURNS_S / AGAIN_S)):
            self._sleep(AGAIN_S)
            code, _, _ = self._try(["exec", "print()"], ANSWERS_S)
            if code == 0:
                return
        self.run("print()")  # says why not

    def _call(self, words: Sequence[str], patience_s: float = PATIENCE_S) -> str:
        code, out, complaint = self._try(words, patience_s)
        if code != 0:
            raise self._fault(out, complaint)
        return out

    def _try(self, words: Sequence[str], patience_s: float) -> tuple[int, str, str]:
        return tool.run([*PROGRAM, "connect", self.port, *words], patience_s)

    def _fault(self, out: str, complaint: str) -> CompanionError:
        """Return what a failure means."""
        if any(sign in complaint for sign in UNREACHABLE):
            return CompanionError(
                "{port} cannot be opened; plug the board in, and stop the table if it is running "
                "(sudo systemctl stop rappelwacht). Available ports: {ports}",
                port=self.port,
                ports=" ".join(sorted(one.device for one in comports())) or "–",
            )
        if any(sign in out + complaint for sign in DEAF):
            return CompanionError(
                "The board at {port} does not speak Python: hold its BOOT button while you plug "
                "it in, then run: esptool erase-flash – and: esptool write-flash 0 {picture} – "
                "and flash again.",
                port=self.port,
                picture=self._picture,
            )
        last = next(iter([*(complaint or out).strip().splitlines()][-1:]), "?")
        return CompanionError(
            "The board at {port} could not be flashed ({reason}); unplug it, plug it in and flash "
            "again. Until then it may not start.",
            port=self.port,
            reason=last,
        )
