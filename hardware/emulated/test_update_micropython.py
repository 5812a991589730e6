"""Selector and writer of an update under real MicroPython, on its own files and folders."""

from pathlib import Path

import pytest

from hardware.emulated.micropython import BUILDS, run
from hardware.emulated.source import FIRMWARE

STEPS = """
import os
os.mkdir("/stopper")
for name in ("__init__", "update"):
    os.rename("/" + name + ".py", "/stopper/" + name + ".py")
import updated_board
updated_board.each("/kept")
"""
IN_A_SLOT = """
import os, sys
import slots, flash
kept = flash.Flash("/kept")
for slot in ("a", "b"):
    os.mkdir("/" + slot)
    with open("/" + slot + "/loop.py", "w") as file:
        file.write("VERSION = '" + slot + "'" if slot == "a" else "raise ValueError('not yet')")
slots.try_out(kept, "b")
for boot in range(5):
    slot, trial = slots.chosen(kept)
    sys.path.insert(0, "/" + slot)
    try:
        import loop
        print(slot, trial, loop.VERSION)
    except ValueError as fault:
        print(slot, trial, fault)
    sys.path.pop(0)
    sys.modules.pop("loop", None)
"""


def files() -> dict[str, bytes]:
    sources = {
        "updated_board.py": Path(__file__).parent / "updated_board.py",
        "slots.py": FIRMWARE / "slots.py",
        "flash.py": FIRMWARE / "flash.py",
        "update.py": FIRMWARE / "stopper/update.py",
        "__init__.py": FIRMWARE / "stopper/__init__.py",
    }
    return {name: path.read_bytes() for name, path in sources.items()}


@pytest.mark.parametrize("version", BUILDS)
def test_power_cut_at_each_moment_leaves_the_old_or_the_new_whole(version: str) -> None:
    ends = [line.split() for line in run(version, files(), STEPS).splitlines()]
    assert len(ends) > 15
    assert {whole for _, _, whole in ends} == {"whole"}
    assert [slot for _, slot, _ in ends] == sorted(slot for _, slot, _ in ends)
    assert {slot for _, slot, _ in ends} == {"a", "b"}


@pytest.mark.parametrize("version", BUILDS)
def test_a_new_firmware_that_fails_is_tried_three_times(version: str) -> None:
    assert run(version, files(), IN_A_SLOT).splitlines() == [
        *["b True not yet"] * 3,
        *["a False a"] * 2,
    ]
