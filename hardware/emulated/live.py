"""Stopper and hub as real MicroPython processes that ask for every access, as they need it.

`Stopper` and `Hub` are called as the firmware's own; the board that they are given stays in this
process: its chips, its radio, its line, and the time.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hardware.emulated import live_board
from hardware.emulated.live_board import heard, told
from hardware.emulated.micropython import Process

MAKE = """
import live_board
from live_board import Board, answer
from {module} import {name}
made = {name}(Board({node}))
"""
STEP = "answer('stepped', made.step(), int({at_rest}), int({sleeps}))"
Files = Mapping[str, bytes]


class Firmware:
    """One boot of one board."""

    AT_REST = SLEEPS = "False"

    def __init__(self, version: str, files: Files, module: str, board: Any) -> None:
        self._board, self.asked = board, 0
        self._stepped = (0, False, False)
        files = {**files, "live_board.py": Path(live_board.__file__).read_bytes()}
        self._process = Process(version, files, self._answer)
        name = type(self).__name__
        self._process.do(MAKE.format(module=module, name=name, node=board.unique_id))

    def step(self) -> int:
        """Let it do one step; return after how many milliseconds to call again."""
        self._process.do(STEP.format(at_rest=self.AT_REST, sleeps=self.SLEEPS))
        return self._stepped[0]

    def close(self) -> None:
        """Let go of the process."""
        self._process.close()

    def _answer(self, line: str) -> str:
        self.asked += 1
        word, *rest = line.split()
        if word == "stepped":
            self._stepped = int(rest[0]), rest[1] == "1", rest[2] == "1"
            return ""
        doing: Callable[..., object] = getattr(self, "_" + word)
        try:
            return str(doing(*rest))
        except OSError as fault:
            return f"e {fault.errno}"

    def _ticks(self) -> int:
        return int(self._board.ticks_us())

    def _get(self, address: str, register: str, count: str) -> str:
        return told(self._board.i2c.readfrom_mem(int(address), int(register), int(count)))

    def _put(self, address: str, register: str, data: str) -> str:
        self._board.i2c.writeto_mem(int(address), int(register), heard(data))
        return ""

    def _send(self, to: str, data: str) -> int:
        return int(self._board.radio.send(heard(to), heard(data)))

    def _receive(self) -> str:
        one = self._board.radio.receive()
        return f"{told(one[0])} {told(one[1])} {one[2]}" if one else ""

    def _switch(self, on: str) -> str:
        self._board.radio.switch(on == "1")
        return ""

    def _channel(self, channel: str) -> str:
        self._board.radio.channel = int(channel)
        return ""

    def _load(self, name: str) -> str:
        data = self._board.flash.load(name)
        return "" if data is None else told(data)

    def _save(self, name: str, data: str) -> str:
        self._board.flash.save(name, heard(data))
        return ""

    def _read(self) -> str:
        return told(self._board.usb.read())

    def _write(self, data: str) -> int:
        return int(self._board.usb.write(heard(data)))

    def _battery(self) -> int:
        return int(self._board.battery_mv())

    def _temperature(self) -> float:
        return float(self._board.temperature_c())

    def _led(self, on: str) -> str:
        self._board.led(on == "1")
        return ""

    def _shine(self, *pulses: str) -> str:
        self._board.shine(tuple(map(int, pulses)))
        return ""

    def _cold(self) -> int:
        return int(getattr(self._board, "cold", True))

    def _moved(self) -> int:
        return int(self._board.moved())

    def _plugged(self) -> int:
        return int(self._board.plugged())

    def _boxed(self) -> int:
        return int(self._board.boxed())

    def _charging(self) -> int:
        return int(self._board.charging())

    def _reset(self) -> str:
        self._board.reset()
        return ""

    def _sleep(self) -> str:
        self._board.deep_sleep()
        return ""


class Stopper(Firmware):
    """A stopper's firmware."""

    AT_REST, SLEEPS = "made.at_rest", "made.sleeps"

    @property
    def at_rest(self) -> bool:
        """Return what the firmware said after its last step."""
        return self._stepped[1]

    @property
    def sleeps(self) -> bool:
        """Return likewise whether it may sleep lightly."""
        return self._stepped[2]


class Hub(Firmware):
    """The hub's firmware."""
