"""No byte from the air, nor from the hub, ends a table or wedges it: not even an authentic one."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion import wire
from companion.devices import stopper_registry
from companion.referee.commands import GiveUp
from companion.referee.maintenance_commands import BeginEnrolling
from companion.sensing.events import BarrelMotion
from hardware.physics.bad_air import (
    HONEST,
    STOLEN,
    Board,
    Listener,
    S,
    Thief,
    anything,
    every_extreme,
    plausible,
    sealed,
)
from tests.web.room import app, phones

NONSENSE = "reports impossible values"
STEPS_US = (0, 0, 1_000, 20_000, 250_000, S, 30 * S)


@pytest.fixture
def air(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Iterator[Listener]:
    air = Listener(tmp_path)
    yield air
    air.end()
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def still_counts(board: Board) -> None:
    """A stopper is heard: what it tells becomes a foul with its number in the match."""
    before = early_flips(board)
    board.is_turned_over()
    assert board.air.table.sensing_link.sensing.motion(board.stopper.number) is BarrelMotion.FLIPPED
    assert early_flips(board) == before + 1  # of its own, or what a look at the barrel became


def early_flips(board: Board) -> int:
    return [foul.raised.code for foul in board.air.table.snapshot.fouls].count("early-flip")


def troubles(air: Listener) -> list[str]:
    return [str(condition) for condition in air.table.snapshot.troubles]


def test_the_packet_that_once_ended_a_table(air: Listener) -> None:
    honest, stolen = Board(air, HONEST), Board(air, STOLEN)
    air.chooses()
    thief = Thief(air, stolen, Random(1))
    thief.boot = stolen.boot + 1
    hello = plausible("HELLO", 0) | {"commands_heard": 0xFFFFFFFF}
    air.hears(wire.Seal(STOLEN.key, STOLEN.node, thief.boot).packet("HELLO", 5, **hello))
    lift = plausible("LIFT", stolen.clock_us) | {"event": 1}
    lift.pop("commands_heard")
    seal = wire.Seal(STOLEN.key, STOLEN.node, thief.boot, 1)
    air.hears(seal.packet("LIFT", stolen.clock_us, **lift))
    assert any(NONSENSE in condition for condition in troubles(air))
    still_counts(honest)
    stolen.lives(100)
    assert not any(NONSENSE in condition for condition in troubles(air))
    still_counts(stolen)


@pytest.mark.parametrize("playing", [True, False])
def test_every_field_of_every_message_at_every_extreme(air: Listener, *, playing: bool) -> None:
    rng, honest, stolen = Random(7), Board(air, HONEST), Board(air, STOLEN)
    air.chooses() if playing else air.says(BeginEnrolling())
    thief, frames = Thief(air, stolen, rng), list(every_extreme(rng))
    rng.shuffle(frames)
    for name, fields in frames:
        thief.says(name, fields)
        air.pass_by(rng.choice(STEPS_US[:-1]))
    assert len(frames) > 500
    if not playing:
        air.chooses()
    both_count(honest, stolen)


def test_whoever_used_up_a_counter_locks_nobody_out_for_good(air: Listener) -> None:
    """Not even where that was written down, and the computer is switched on again."""
    honest, stolen = Board(air, HONEST), Board(air, STOLEN)
    packets = [
        sealed((STOLEN.node, 6, 0, boot, 0xFFFFFFFF, stolen.clock_us), bytes(12), STOLEN.key)
        for boot in (1, 2, 0x7FFFFFFF, 0xFFFFFFFF)
    ]
    for packet in packets:
        air.hears(packet)
        air.end()
        air.begin()
        stolen.lives(50)
        assert air.table.sensing_link.newest[STOLEN.node][0] == stolen.boot
        air.chooses()
        still_counts(stolen)
        still_counts(honest)
        air.hears(packet)  # it can be said again; and then it takes as long again
        stolen.lives(50)
        still_counts(stolen)
        air.says(GiveUp())


def test_a_stopper_that_is_flashed_again_counts_from_new(tmp_path: Path) -> None:
    stopper_registry.save_counters(tmp_path, [STOLEN], {STOLEN.node: (0xFFFFFFFF, 7)})
    assert stopper_registry.load_counters(tmp_path, [STOLEN]) == {STOLEN.node: (0xFFFFFFFF, 7)}
    assert stopper_registry.load_counters(tmp_path, [replace(STOLEN, key=bytes(16))]) == {}


@pytest.mark.parametrize(
    "written",
    ["[]", "{}", "[" * 9_999, '{"7cdfa1000002": [%s]}']
    + [f'{{"7cdfa1000002": [{pair}]}}' for pair in ("1e999, 1", "-1, 0", "true, 2", '"1", 2')]
    + [f'{{"7cdfa1000002": [{pair}]}}' for pair in ("1", "1, 2, 3", f"{1 << 32}, 1", "NaN, 1")],
)
def test_what_was_heard_is_read_as_nothing_where_it_is_not_sound(
    written: str, tmp_path: Path
) -> None:
    (tmp_path / stopper_registry.HEARD).write_text(written)
    assert stopper_registry.load_counters(tmp_path, [HONEST, STOLEN]) == {}


def test_a_flood_of_one_stopper_is_bounded(air: Listener) -> None:
    rng, honest, stolen = Random(3), Board(air, HONEST), Board(air, STOLEN)
    air.chooses()
    thief = Thief(air, stolen, rng)
    before = len(air.table.sensing_link.listening.losses)
    thief.says("RAW_HEAD", {"request": 0})
    for number in range(1_000):
        thief.says("TILT", {"event": number, "at_us": stolen.clock_us - number % 50 * 1_000})
        thief.says("RAW", {"chunk": number % 256})
        air.now_us += 1_000
    peeking = air.table.sensing_link.sensing.states["peeking"]
    assert len(peeking.looks) <= 12
    assert max(len(look.window.points) for look in peeking.looks.values()) <= 1_500
    assert len(air.table.snapshot.fouls) < 50
    assert air.table.sensing_link.listening.absurd > 1_500
    assert len(air.table.sensing_link.listening.losses) == before
    still_counts(honest)


def both_count(honest: Board, stolen: Board) -> None:
    """Who was never stolen counts at once; who was, once it is switched off and on."""
    assert isinstance(honest.air.now_us, int)
    still_counts(honest)
    stolen.begins()
    stolen.lives(100)
    still_counts(stolen)
    assert not any(NONSENSE in condition for condition in troubles(honest.air))


def test_whatever_comes_in_whatever_order(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, full: bool
) -> None:
    """Some 600 frames, and 120,000 with --full."""
    count = 0
    for seed in range(200 if full else 2):
        folder = tmp_path / f"{seed}"
        folder.mkdir()
        count += one_storm(folder, seed, 600 if full else 300)
    assert count >= (120_000 if full else 600)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def one_storm(folder: Path, seed: int, frames: int) -> int:
    """Let a thief and an honest stopper speak in turn; return how many frames there were."""
    rng, air = Random(seed), Listener(folder)
    honest, stolen = Board(air, HONEST), Board(air, STOLEN)
    air.chooses() if seed % 3 else air.says(BeginEnrolling())
    thief = Thief(air, stolen, rng, leaps=0.004)
    for _ in range(frames):
        match rng.randrange(12):
            case 0:
                honest.says(rng.choice(("FEATURES", "HEARTBEAT", "SET", "LIFT")))
            case 1:
                thief.replays()
            case 2:
                air.comes(rng.randbytes(rng.randrange(1, 80)) + b"\0")
            case _:
                thief.says(*anything(rng))
        air.pass_by(rng.choice(STEPS_US))
    if not seed % 3:
        air.chooses()
    both_count(honest, stolen)
    assert_pages_are_served(air)
    air.end()
    return frames


def assert_pages_are_served(air: Listener) -> None:
    client = app(phones(room=air.table)).test_client()
    for path in ("/", "/workshop", "/api/snapshot", "/api/workshop"):
        assert client.get(path).status_code == 200, path
