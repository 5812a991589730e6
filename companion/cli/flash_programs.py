"""Small MicroPython programs that are run on a board while it is flashed; each prints JSON.

They must not need anything but what MicroPython brings. What they print is the last line.
"""

import json
from collections.abc import Sequence
from typing import Final

LOOK: Final = """
import json, os, sys, struct
from binascii import hexlify
import machine
def kept(name):
    try:
        with open("/kept/" + name, "rb") as file:
            return file.read()
    except OSError:
        return b""
def boot(name):
    data = kept(name)
    return struct.unpack("<i", data)[0] if len(data) == 4 else 0
print(json.dumps({
    "chip": os.uname().machine, "version": list(sys.implementation[1])[:3],
    "node": hexlify(machine.unique_id()).decode(), "main": "main.py" in os.listdir("/"),
    "boot": max(boot("boot"), boot("boot-again")), "number": hexlify(kept("number")).decode(),
}))
"""
STOP: Final = """
import os
os.remove("/main.py")
print("{}")
"""
CLEAR: Final = """
import os
def clear(path):
    try:
        inside = os.listdir(path)
    except OSError:
        inside = []
    for name in inside:
        clear(path + "/" + name)
    for remove in (os.remove, os.rmdir):
        try:
            remove(path)
        except OSError:
            pass
for name in {names!r}:
    clear("/" + name)
print("{{}}")
"""
CHECK: Final = """
import hashlib, json, os
from binascii import hexlify
def hash(name):
    digest = hashlib.sha256()
    try:
        with open("/" + name, "rb") as file:
            while True:
                data = file.read(512)
                if not data:
                    return hexlify(digest.digest()).decode()
                digest.update(data)
    except OSError:
        return ""
import sys
sys.path.insert(0, "/{slot}")
from {module} import FIRMWARE
print(json.dumps({{"firmware": FIRMWARE, "hashes": {{name: hash(name) for name in {names!r}}}}}))
"""


BUS: Final = {"sda": 6, "scl": 7}  # of both boards of a stopper
TRY: Final = """
import json, sys, time
import machine
sys.path.insert(0, "/{slot}")
from drivers import chip
from drivers.lis2dw12 import Lis2dw12
from drivers.nau7802 import Nau7802
bus = machine.I2C(0, freq=400000, sda=machine.Pin({sda}), scl=machine.Pin({scl}))
parts = {{"motion": Lis2dw12(bus), "load": Nau7802(bus)}}
for turn in range({turns}):
    for part in parts.values():
        part.read(turn * {each_ms})
    time.sleep_ms({each_ms})
print(json.dumps({{name: chip.NAMES[part.state] for name, part in parts.items()}}))
"""
TURNS: Final = 125
EACH_MS: Final = 25  # so the converter has time to begin, which takes more than a second


def clear(names: Sequence[str]) -> str:
    """Return what removes what an older firmware may have left."""
    return CLEAR.format(names=list(names))


def check(slot: str, module: str, names: Sequence[str]) -> str:
    """Return what tells which version a board runs, and what its files hold."""
    return CHECK.format(slot=slot.rstrip("/"), module=module, names=list(names))


def try_out(slot: str) -> str:
    """Return what tells how a stopper's sensors are."""
    how = {"turns": TURNS, "each_ms": EACH_MS, **BUS}
    return TRY.format(slot=slot.rstrip("/"), **how)


def parse_answer(printed: str) -> dict[str, object]:
    r"""Return what a program on a board has printed; nothing, if that is not to be understood.

    >>> parse_answer("MPY: soft reboot\n{\"chip\": \"ESP32C3\"}\r\n")
    {'chip': 'ESP32C3'}
    """
    for line in reversed(printed.splitlines()):
        if line.strip():
            try:
                answer = json.loads(line)
            except (ValueError, RecursionError):
                return {}
            return answer if isinstance(answer, dict) else {}
    return {}
