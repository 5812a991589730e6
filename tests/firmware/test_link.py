"""A stopper among other people's hubs: it finds its own, and nothing it has to tell is lost."""

from __future__ import annotations

import importlib.util
import sys
import time
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from companion import wire
from tests.firmware.bench import HUB, KEY, NODE, Board, Script
from tests.firmware.source import FIRMWARE, load
from tests.firmware.test_hub import Bench

BROADCAST = b"\xff" * 6
OTHER = bytes.fromhex("7cdfa10000fe")
BEACON_BYTES = bytes((wire.VERSION, wire.FROM_HUB << 6))  # as little as looks like one


class Tables:
    """One stopper within reach of several hubs; the host at one of them has its key."""

    def __init__(self, script: Script) -> None:
        self.board = Board(script)
        self.board.radio.acknowledges = False
        self.hubs = [Bench(), Bench(unique_id=OTHER)]
        self.ours: Bench = self.hubs[0]
        self.gate = wire.Gate(KEY, NODE, wire.UP)
        self.seal = wire.Seal(KEY, NODE, 1)
        self.heard: list[wire.Frame] = []
        self._sent = 0

    def run(self, until_us: int) -> None:
        """Let time pass."""
        board = self.board
        if board.stopper is None:
            board.boot()
        while board.now_us < until_us:
            wait_ms = int(board.stopper.step())
            for hub in self.hubs:
                self._hub(hub, wait_ms)
            self._sent = len(board.radio.sent)
            board.now_us += 1000 * wait_ms

    def _hub(self, hub: Bench, wait_ms: int) -> None:
        for to, packet in self.board.radio.sent[self._sent :]:
            if to in (hub.unique_id, BROADCAST):
                hub.radio.inbox.append((NODE, packet, -60))
        for said in hub.run(wait_ms):
            if said.name == "RELAYED" and hub is self.ours:
                frame = self.gate.open(said.fields.packet)
                assert isinstance(frame, wire.Frame)
                self.heard.append(frame)
                if "event" in frame.fields._fields:
                    hub.relay(self.seal.packet("ACK", 0, event=frame.fields.event))
        for to, packet in hub.radio.sent:
            if to in (NODE, BROADCAST):
                self.board.radio.inbox.append((hub.unique_id, packet, -60))
        hub.radio.sent.clear()

    def names(self) -> list[str]:
        """Return the names of the events that the host heard, each once."""
        events = {f.fields.event: f.name for f in self.heard if "event" in f.fields._fields}
        return [name for _, name in sorted(events.items())]

    def unheard(self) -> int:
        """Return how many events were given up."""
        return int(self.board.stopper._link.unheard)


def test_with_a_second_table_in_the_room_no_event_is_lost() -> None:
    script = Script().stand(3)
    for _ in range(5):
        script.hold(1).hold(1, 80).hold(1).stand(2)
    tables = Tables(script)
    tables.run(script.end_us)
    assert tables.names() == ["STILL"] + ["LIFT", "TILT", "UPRIGHT", "SET", "STILL"] * 5
    assert tables.unheard() == 0
    assert not [frame for frame in tables.heard if frame.flags & wire.RESENT]


def test_a_rogue_that_only_looks_like_a_hub_takes_no_stopper_away() -> None:
    board = Board(Script().stand(3).hold(1).stand(3))
    while board.now_us < board.script.end_us:
        board.radio.inbox.append((OTHER, BEACON_BYTES, -20))
        board.run(board.now_us + 1000)
    sent = board.radio.sent
    assert {to for to, _ in sent} == {BROADCAST, HUB}
    first = next(at for at, (to, _) in enumerate(sent) if to == HUB)
    assert {to for to, _ in sent[first:]} == {HUB}
    assert board.stopper._link.rssi == -50


def test_an_event_that_its_hub_does_not_acknowledge_goes_to_everybody() -> None:
    board = Board(Script().stand(5).hold(3)).run(4_900_000)
    board.radio.acknowledges = False
    board.run()
    tries = [
        to
        for (to, _), frame in zip(board.radio.sent, board.radio.frames, strict=True)
        if frame.name == "LIFT"
    ]
    assert tries == [HUB, BROADCAST, BROADCAST]


def test_a_hub_that_takes_the_place_of_another_is_found_without_any_event() -> None:
    tables = Tables(Script().stand(100))
    tables.run(15_000_000)
    assert tables.board.radio.sent[-1][0] == HUB
    tables.hubs = [tables.hubs[1]]
    tables.ours = tables.hubs[0]
    before = len(tables.heard)
    tables.run(52_000_000)
    assert "HEARTBEAT" in {frame.name for frame in tables.heard[before:]}


def test_tries_wait_longer_each_time_and_end_within_a_second() -> None:
    board = Board(Script().stand(5))
    board.radio.acknowledges = False
    board.run(1_000_000)
    while not board.stopper._link.unheard:
        board.run(board.now_us + 1000)
    tries_ms = [f.time_us // 1000 for f in board.radio.frames if f.name == "STILL"]
    tries_ms.append(board.now_us // 1000)
    waits = [later - earlier for earlier, later in pairwise(tries_ms)]
    assert waits == [pytest.approx(wait, abs=30) for wait in (100, 250, 500)]


def test_a_flood_does_not_hold_a_step() -> None:
    board = Board(Script().stand(5)).run(1_000_000)
    board.radio.inbox = [(OTHER, BEACON_BYTES, -20), (OTHER, b"noise", -20)] * 500
    board.radio.command("BLINK", blink_ms=500)
    board.stopper.step()
    left = len(board.radio.inbox)
    assert 1001 - left == load("stopper.link").AT_ONCE
    board.run(4_000_000)
    assert not board.radio.inbox
    board.radio.command("BLINK", blink_ms=500)
    assert board.run(4_100_000).lit


class EspNow:
    """ESP-NOW with its twenty peers."""

    def __init__(self) -> None:
        self.peers: list[bytes] = []

    def active(self, on: bool) -> None:
        """Switch it."""

    def add_peer(self, peer: bytes) -> None:
        """Add one, as long as there is room."""
        if peer in self.peers or len(self.peers) >= 20:
            raise OSError(-12395)
        self.peers.append(peer)

    def del_peer(self, peer: bytes) -> None:
        """Take one out."""
        self.peers.remove(peer)

    def send(self, to: bytes, _data: bytes, _sync: bool) -> bool:
        """Send to a peer."""
        return to in self.peers


def test_the_radio_has_a_place_for_a_stopper_after_any_number_of_strangers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wlan: Any = lambda _: SimpleNamespace(active=lambda _: None, config=lambda **_: None)  # noqa: E731
    wlan.IF_STA = wlan.PM_NONE = 0
    network = SimpleNamespace(WLAN=wlan)
    monkeypatch.setitem(sys.modules, "espnow", SimpleNamespace(ESPNow=EspNow))
    monkeypatch.setitem(sys.modules, "network", network)
    monkeypatch.setattr(time, "ticks_ms", lambda: 0, raising=False)
    spec = importlib.util.spec_from_file_location("air_on_a_board", FIRMWARE / "air.py")
    assert spec is not None
    assert spec.loader is not None
    air = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(air)
    radio = air.Radio(1, wanders=False)
    for stranger in range(30):
        assert radio.send(BROADCAST, b"beacon")
        assert radio.send(bytes((stranger,)) * 6, b"beacon")
    assert radio.send(NODE, b"ACK")
    assert radio.send(NODE, b"ACK")
