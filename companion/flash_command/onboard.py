"""What is run on a board while it is flashed: small programs for MicroPython, each prints JSON.

They must not need anything but what MicroPython brings. What they print is the last line.
"""

from __future__ import annotations

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


def clear(names: Sequence[str]) -> str:
    """Return what removes what an older firmware may have left."""
    return CLEAR.format(names=list(names))


def check(slot: str, module: str, names: Sequence[str]) -> str:
    """Return what tells which version a board runs, and what its files hold."""
    return CHECK.format(slot=slot.rstrip("/"), module=module, names=list(names))


def told(printed: str) -> dict[str, object]:
    r"""Return what a program on a board has printed; nothing, if that is not to be understood.

    >>> told("MPY: soft reboot\n{\"chip\": \"ESP32C3\"}\r\n")
    {'chip': 'ESP32C3'}
    """
    for line in reversed(printed.splitlines()):
        if line.strip():
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                return {}
            return found if isinstance(found, dict) else {}
    return {}
