"""ESP-NOW as the boards use it, on modules that behave as the ESP32's do."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hardware.emulated import esp32
from hardware.emulated.bench import HUB, NODE
from hardware.emulated.esp32 import AIR
from hardware.emulated.micropython import BUILDS, run
from hardware.emulated.source import FIRMWARE

BROADCAST = b"\xff" * 6


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return `air.py` as a board would import it."""
    AIR.clear()
    monkeypatch.setitem(sys.modules, "espnow", SimpleNamespace(ESPNow=esp32.ESPNow))
    monkeypatch.setitem(sys.modules, "network", SimpleNamespace(WLAN=esp32.WLAN))
    spec = importlib.util.spec_from_file_location("air_on_a_board", FIRMWARE / "air.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    AIR.clear()


def test_there_is_a_place_for_a_stopper_after_any_number_of_strangers(air: Any) -> None:
    radio = air.Radio(12)
    for stranger in range(30):
        assert radio.send(BROADCAST, b"beacon")
        assert radio.send(bytes((stranger,)) * 6, b"beacon")
    assert radio.send(NODE, b"ACK")
    assert radio.send(NODE, b"ACK")
    assert AIR.sent[-2:] == [(NODE, b"ACK")] * 2
    assert len(AIR.peers) == esp32.PEERS
    assert BROADCAST in AIR.peers  # spoken to again and again, so it stays


def test_what_waits_to_be_read_has_room_for_a_word_of_each_stopper_and_an_end(air: Any) -> None:
    air.Radio(12)
    assert 13 * 2 * 100 < AIR.room < 10_000


def test_what_the_radio_does_not_take_is_not_an_exception(air: Any) -> None:
    radio = air.Radio(12)
    AIR.full = True
    assert radio.send(HUB, b"LIFT") is False
    AIR.full = False
    assert radio.send(HUB, b"LIFT") is True


def test_a_sleep_switches_it_off_and_a_packet_on_again_on_the_same_channel(air: Any) -> None:
    radio = air.Radio(12)
    radio.channel = 7
    radio.send(HUB, b"first")
    radio.switch(False)
    radio.switch(False)
    assert (AIR.wifi, AIR.espnow) == (False, False)
    assert radio.send(HUB, b"second")
    assert AIR.sent == [(HUB, b"first"), (HUB, b"second")]
    assert AIR.log == [
        *("wifi on", "channel 1", "12 dBm", "espnow on", "channel 7"),
        *("espnow off", "wifi off", "wifi on", "channel 7", "12 dBm", "espnow on"),
    ]


def test_a_channel_that_is_set_while_it_is_off_counts_from_the_next_packet_on(air: Any) -> None:
    radio = air.Radio(12)
    radio.switch(False)
    radio.channel = 11
    assert radio.channel == 11
    assert AIR.log[-1] == "wifi off"
    radio.send(HUB, b"LIFT")
    assert AIR.log[-3:] == ["channel 11", "12 dBm", "espnow on"]


def test_what_is_heard_comes_with_its_strength_if_that_is_known(air: Any) -> None:
    radio = air.Radio(12)
    assert radio.receive() is None
    radio.send(HUB, b"LIFT")
    AIR.inbox = [(HUB, b"ACK", -61), (NODE, b"stranger", -70), (b"", b"", 0), (HUB, b"more", -60)]
    assert radio.receive() == (HUB, b"ACK", -61)
    assert radio.receive() == (NODE, b"stranger", 0)
    assert radio.receive() is None
    radio.switch(False)
    assert radio.receive() is None
    assert len(AIR.inbox) == 1


ON_A_BOARD = """
import air, esp32
radio = air.Radio(12)
for stranger in range(30): assert radio.send(bytes((stranger,)) * 6, b"beacon")
radio.switch(False)
radio.channel = 7
print(radio.send(b"hubhub", b"LIFT"), len(esp32.AIR.peers), esp32.AIR.log[-3:])
esp32.AIR.full = True
print(radio.send(b"hubhub", b"LIFT"))
esp32.AIR.inbox.append((b"hubhub", b"ACK", -61))
print(radio.receive(), radio.receive())
"""


@pytest.mark.parametrize("version", BUILDS)
def test_it_does_the_same_under_micropython(version: str) -> None:
    files = {
        "air.py": (FIRMWARE / "air.py").read_bytes(),
        "esp32.py": Path(esp32.__file__).read_bytes(),
        "espnow.py": b"from esp32 import ESPNow",
        "network.py": b"from esp32 import WLAN",
    }
    printed = run(version, files, ON_A_BOARD).splitlines()
    assert printed == [
        "True 1 ['channel 7', '12 dBm', 'espnow on']",
        "False",
        "(b'hubhub', b'ACK', -61) None",
    ]
