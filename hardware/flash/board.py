"""A board with MicroPython in a folder: runs what it is told on CPython, on files of its own.

It knows as much of MicroPython as flashing needs, and raises for the rest. CPython cannot run what
is compiled for a board: of that, the source is run that it was made from. `Repl` lets the real
mpremote talk to it over a pseudo-terminal.
"""

import builtins
import errno
import hashlib
import io
import json
import os
import pty
import select
import struct
import sys
import tty
from binascii import hexlify
from contextlib import redirect_stdout
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

from companion import wire
from companion.devices.firmware.image import MICROPYTHON

FIRMWARE = Path(__file__).parents[2] / "firmware"
NODE = bytes.fromhex("240ac4000105")
BUS = (6, 7)  # data and clock
WINDOW = 128  # as MicroPython has it on an ESP32
PROMPT = b"raw REPL; CTRL-B to exit\r\n>"


class Reset(Exception):
    """The board starts over."""


class Board:
    """What is plugged in; a file `board.json` beside its flash says what is special about it."""

    def __init__(self, folder: Path) -> None:
        self.flash = folder / "flash"
        self.flash.mkdir(parents=True, exist_ok=True)
        special = folder / "board.json"
        self.special: dict[str, Any] = json.loads(special.read_text()) if special.exists() else {}
        self._names: dict[str, Any] = {}
        self._now_us = 0

    def run(self, code: str) -> tuple[str, str]:
        """Return what a program prints, and with what error it ends."""
        out = io.StringIO()
        before, compiled = (sys.path[:], set(sys.modules)), _Compiled(self.flash)
        sys.path.insert(0, str(self.flash))
        sys.meta_path.insert(0, compiled)
        self._names |= {"__builtins__": self._builtins()}
        try:
            with redirect_stdout(out):
                exec(code, self._names)  # noqa: S102 - our own programs, and mpremote's
        except Reset:
            raise
        except Exception as error:  # noqa: BLE001 - a board prints any error
            return out.getvalue(), f"Traceback (most recent call last):\r\n{_told(error)}\r\n"
        finally:
            sys.path[:] = before[0]
            sys.meta_path.remove(compiled)
            for name in set(sys.modules) - before[1]:
                file = str(getattr(sys.modules[name], "__file__", ""))
                if name in compiled.found or file.startswith(str(self.flash)):
                    del sys.modules[name]
        return out.getvalue(), ""

    def _builtins(self) -> dict[str, Any]:
        return vars(builtins) | {"open": self._open, "__import__": self._import}

    def _open(self, name: str, mode: str = "r") -> Any:
        data = (self._path(name)).open(mode)
        if "w" in mode and self.special.get("worn") == name.lstrip("/"):
            return SimpleNamespace(write=lambda _: 0, close=data.close)
        return data

    def _path(self, name: str) -> Path:
        return self.flash / name.lstrip("/")

    def _import(self, name: str, *more: Any) -> Any:
        own = {"os": self._os, "machine": self._machine, "sys": self._sys, "time": self._time}
        if name in own:
            return own[name]()
        allowed = {"hashlib": hashlib, "json": json, "struct": struct, "binascii": None}
        top = name.split(".", maxsplit=1)[0]
        places = [self.flash / slot / top for slot in ("", "a")]
        if name in allowed or any(one.exists() for one in places):
            return builtins.__import__(name, *more)
        if any(one.with_suffix(".py").exists() for one in places):
            return builtins.__import__(name, *more)
        raise ImportError(f"no module named '{name}'")

    def _os(self) -> Any:
        chip = self.special.get("chip", "ESP32C3 module with ESP32C3")
        return SimpleNamespace(
            listdir=lambda name="/": sorted(one.name for one in self._path(name).iterdir()),
            remove=lambda name: self._path(name).unlink(),
            rmdir=lambda name: self._path(name).rmdir(),
            mkdir=lambda name: self._path(name).mkdir(),
            stat=lambda name: self._path(name).stat(),
            uname=lambda: SimpleNamespace(machine=chip),
        )

    def _machine(self) -> Any:
        def reset() -> None:
            raise Reset

        node = bytes.fromhex(self.special.get("node", NODE.hex()))
        return SimpleNamespace(
            unique_id=lambda: node, reset=reset, Pin=lambda number: number, I2C=self._bus
        )

    def _bus(self, _: int, freq: int, sda: int, scl: int) -> Any:
        """Return the bus of the sensors, if these are its pins."""
        from companion.simulator.chips.board_bus import BoardBus, SensorFault  # noqa: PLC0415 - seldom used
        from companion.simulator.chips.lis2dw12 import Lis2dw12  # noqa: PLC0415 - likewise
        from companion.simulator.chips.nau7802 import Nau7802  # noqa: PLC0415 - likewise

        assert (freq, sda, scl) == (400_000, *BUS)
        chips: dict[str, Any] = {
            "motion": Lis2dw12(lambda _: (0.0, 0.0, 1.0), lambda: self._now_us, 1),
            "load": Nau7802(lambda _: 0.0, lambda _: 22.0, lambda: self._now_us, 1),
        }
        for name in self.special.get("without", ()):
            chips[name].powered = False
        for name in self.special.get("stuck", ()):
            chips[name].fault = SensorFault.STUCK
        bus = BoardBus({0x19: chips["motion"], 0x2A: chips["load"]})
        bus.stuck = bool(self.special.get("shorted"))
        return bus

    def _time(self) -> Any:
        def sleep_ms(for_ms: int) -> None:
            self._now_us += 1000 * for_ms

        return SimpleNamespace(sleep_ms=sleep_ms)

    def _sys(self) -> Any:
        version = tuple(self.special.get("version", MICROPYTHON))
        path = SimpleNamespace(insert=lambda at, name: sys.path.insert(at, str(self._path(name))))
        return SimpleNamespace(implementation=("micropython", (*version, ""), "", 0), path=path)


class _Compiled(MetaPathFinder):
    """Finds the source of what lies compiled in a board's flash."""

    def __init__(self, flash: Path) -> None:
        self._flash, self.found = flash, set[str]()

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Leave what is not compiled to those who find it."""
        place = name.replace(".", "/")
        if not any((self._flash / slot / f"{place}.mpy").exists() for slot in ("", "a")):
            return None
        self.found.add(name)
        return spec_from_file_location(
            name, wire.__file__ if name == "wire" else FIRMWARE / f"{place}.py"
        )


def _told(error: Exception) -> str:
    """Return the last line of what MicroPython says of an error."""
    number = error.errno if isinstance(error, OSError) else None
    if number is not None and number in errno.errorcode:
        return f"OSError: [Errno {number}] {errno.errorcode[number]}"
    return f"{type(error).__name__}: {error}"


class Repl:
    """The board's serial line, with MicroPython's raw mode on it."""

    def __init__(self, board: Board) -> None:
        self._board, self._ours, self._theirs = board, *pty.openpty()
        tty.setraw(self._theirs)
        self.port = os.ttyname(self._theirs)
        self._typed, self._over = b"", False
        self._window = 0  # bytes that may still come of what is pasted; 0: typed
        self._thread = Thread(target=self._run, name="board", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._over = True
        self._thread.join(5)
        os.close(self._ours)
        os.close(self._theirs)

    def _run(self) -> None:
        while not self._over:
            if select.select([self._ours], [], [], 0.05)[0]:
                for byte in os.read(self._ours, 4096):
                    self._take(bytes((byte,)))

    def _take(self, byte: bytes) -> None:
        match byte:
            case b"\x01":
                if self._typed.endswith(b"\x05A"):
                    self._window = WINDOW
                    os.write(self._ours, b"R\x01" + struct.pack("<H", WINDOW))
                else:
                    os.write(self._ours, PROMPT)
                self._typed = b""
            case b"\x02" | b"\x03":
                self._typed = b""
            case b"\x04" if self._window:
                self._window = 0
                self._execute(b"\x04")
            case b"\x04" if not self._typed:
                os.write(self._ours, b"OK\r\nMPY: soft reboot\r\n" + PROMPT)
            case b"\x04":
                self._execute(b"OK")
            case _ if self._window:
                self._typed += byte
                self._window -= 1
                if self._window == 0:  # read: as much again may come
                    self._window = WINDOW
                    os.write(self._ours, b"\x01")
            case _:
                self._typed += b"" if byte == b"\r" and not self._typed else byte

    def _execute(self, taken: bytes) -> None:
        code, self._typed = self._typed.decode(), b""
        os.write(self._ours, taken)
        try:
            out, error = self._board.run(code)
        except Reset:
            self._board = Board(self._board.flash.parent)
            return
        told = out.replace("\n", "\r\n").encode(), error.encode()
        os.write(self._ours, told[0] + b"\x04" + told[1] + b"\x04>")


def hashed(data: bytes) -> str:
    return hexlify(hashlib.sha256(data).digest()).decode()
