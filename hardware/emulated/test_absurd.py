"""No byte from air, line or flash ends a board's loop, not even an authentic one."""

import struct
from random import Random

import pytest

from companion import wire
from hardware.emulated.bench import KEY, NODE, Board, Flash, Script
from hardware.emulated.test_hub import Bench
from hardware.physics.bad_air import DECLARED, every_extreme, plausible, sealed

OTHER = bytes.fromhex("7cdfa10000fe")


def packets(boot: int, seq: int, rng: Random) -> list[bytes]:
    """Return every message with every extreme, authentic, in any order, counted from a number."""
    found = list(every_extreme(rng))
    rng.shuffle(found)
    made: list[bytes] = []
    for name, fields in found:
        usual = {one: plausible(name, 5)[one] for one in DECLARED[name]} | fields
        body = wire.NAMED[name].pack(usual)
        body = rng.choice((body, body, body[: rng.randrange(len(body) + 1)], body + b"more"))
        head = (NODE, wire.NAMED[name].number, 0, boot, seq + len(made), 5)
        made.append(sealed(head, body[: wire.MAX_PACKET - wire.PACKET_SIZE - 8], KEY))
    return made


@pytest.mark.parametrize("seed", [1, 2])
def test_a_stopper_outlives_every_authentic_command(seed: int) -> None:
    rng, board = Random(seed), Board(Script().stand(60).hold(1).hold(1, 80).hold(1).stand(2))
    board.run(3_000_000)
    for boot, seq in ((1, 1000), (2, 1), (0xFFFFFFFF, 1), (0, 0xFFFFF000)):
        for packet in packets(boot, seq, rng):
            board.radio.inbox.append((rng.choice((OTHER, NODE)), packet, -50))
            if len(board.radio.inbox) > 8:
                board.run(board.now_us + 50_000)
    assert board.now_us < 59_000_000
    board.radio.seal = wire.Seal(KEY, NODE, 1, board.link.commands_heard)
    unheard = board.link.unheard
    board.run()
    assert board.names()[-5:] == ["LIFT", "TILT", "UPRIGHT", "SET", "STILL"]
    assert board.link.unheard == unheard  # its host is still heard


def test_a_stopper_whose_counter_of_commands_is_used_up_plays_on_and_heals_by_a_boot() -> None:
    board = Board(Script().stand(30).hold(1).hold(1, 80).hold(1).stand(2))
    board.run(3_000_000)
    last = sealed((NODE, wire.NAMED["BLINK"].number, 0, 1, 0xFFFFFFFF, 5), b"\1\0", KEY)
    board.radio.inbox.append((OTHER, last, -50))
    board.run()
    assert board.names()[-5:] == ["LIFT", "TILT", "UPRIGHT", "SET", "STILL"]
    assert board.link.unheard > 0
    board.boot()
    board.run(board.now_us + 5_000_000)
    assert board.link.unheard == 0


@pytest.mark.parametrize("kept", [0, -1, -(1 << 31), (1 << 31) - 1, (1 << 31) - 2])
def test_no_counter_in_flash_stops_a_boot(kept: int) -> None:
    board = Board(Script().stand(3))
    board.flash = Flash({"key": KEY, "boot": struct.pack("<i", kept)})
    board.radio.acknowledges = False
    board.run()
    assert 1 <= board.memory.boot < 1 << 31


def test_a_hub_outlives_all_that_comes_by_air_and_line() -> None:
    rng, hub = Random(5), Bench()
    heard = 0
    for packet in packets(1, 1, rng):
        hub.radio.inbox.append((rng.choice((OTHER, NODE)), packet, rng.randrange(-128, 128)))
        hub.radio.inbox.append((OTHER, rng.randbytes(rng.randrange(260)), -50))
        heard += sum(said.name == "RELAYED" for said in hub.run(4))
    for name, fields in every_extreme(rng):
        usual = {one: plausible(name, 5)[one] for one in DECLARED[name]} | fields
        frame = wire.say(name, rng.choice((0, 5, (1 << 64) - 1)), **usual)
        hub.usb.to_hub += rng.randbytes(5) + b"\0" + frame
        hub.run(4)
    assert heard > 500
    assert 1 <= hub.hub._channel <= 13
    hub.radio.inbox.append((NODE, packets(1, 1, rng)[0], -50))
    assert "RELAYED" in {said.name for said in hub.run(4)}


def test_a_hub_sends_nothing_that_is_longer_than_the_air_carries() -> None:
    """The radio raises for it, which would restart the hub."""
    hub = Bench()
    hub.usb.to_hub = wire.say("RELAY", 0, packet=NODE + bytes(wire.MAX_PACKET - len(NODE) + 1))
    hub.run(10)
    assert max(len(packet) for _, packet in hub.radio.sent) <= wire.MAX_PACKET


@pytest.mark.parametrize(
    ("name", "kept"), [("boot", b"\xff" * 4), ("channel", b"\0"), ("channel", b"\xff")]
)
def test_nothing_in_flash_stops_a_hub(name: str, kept: bytes) -> None:
    hub = Bench(Flash({name: kept}))
    assert 1 <= hub.radio.channel <= 13
    assert "BEACON" in {said.name for said in hub.run(1100)}
