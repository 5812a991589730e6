"""The stopper's board on modules that behave as the ESP32-C3's do, under real MicroPython."""

from itertools import accumulate
from pathlib import Path

import pytest

from companion.sensing.name_word import NameWord, WordDecoder
from hardware.emulated import esp32, machine
from hardware.emulated.micropython import BUILDS, run
from hardware.emulated.source import FIRMWARE

ON_A_BOARD = """
import os
os.uname = lambda: type("Uname", (), {"machine": "ESP32C3 module"})
import machine
from board_stopper import Board
from name_light import pulses
board = Board("a", False)
board.shine(pulses(0xABC, True, True, 2))
board.sleep_ms(40)
board.sleep_ms(40)
print("\\n".join(machine.LOG))
"""


@pytest.mark.parametrize("version", BUILDS)
def test_a_word_leaves_by_rmt_and_is_over_before_a_light_sleep(version: str) -> None:
    files = {
        **{name: (FIRMWARE / name).read_bytes() for name in ("air.py", "flash.py")},
        "board_stopper.py": (FIRMWARE / "board_stopper.py").read_bytes(),
        **{path.name: path.read_bytes() for path in (FIRMWARE / "stopper").glob("*.py")},
        "esp32_air.py": Path(esp32.__file__).read_bytes(),
        "espnow.py": b"from esp32_air import ESPNow",
        "network.py": b"from esp32_air import WLAN",
        "machine.py": Path(machine.__file__).read_bytes(),
        "esp32.py": b"from machine import RMT",
    }
    files = {name: data.replace(b"from stopper.", b"from ") for name, data in files.items()}
    begun, sent, *rest = run(version, files, ON_A_BOARD).splitlines()
    assert begun == "RMT 0 GPIO 5 80 (38000, 33, True)"  # ticks of 1 µs
    assert rest == ["waits 30", "sleeps", "idle", "sleeps"]
    level, *lengths = sent.removeprefix("pulses ").split()
    assert level == "True"  # it begins with light
    times = [0, *accumulate(map(int, lengths))]
    decoder = WordDecoder()
    words = [decoder.take(at_us) for at_us in times[:-1:2]]
    assert words[-1] == NameWord(0xABC, True, True, 2)
