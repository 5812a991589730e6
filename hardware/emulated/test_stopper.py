"""A stopper's events from scripted movement: exactly these, at these times, whatever the noise."""

import doctest
import struct
from itertools import pairwise
from math import cos, pi, radians, sin
from statistics import fmean

import pytest

from companion import wire
from companion.simulator.chips.load_cell import Flaws
from hardware.emulated.bench import BARREL_G, Board, Script, nothing
from hardware.emulated.source import load

SEEDS = range(1, 9)


def played(script: Script, seed: int = 1) -> Board:
    """Return the board after its script."""
    return Board(script, seed).run()


def found(board: Board) -> list[tuple[str, int]]:
    """Return the events' names and their times in tenths of a second."""
    return [(name, round(at_ms / 100)) for name, at_ms, _ in board.events()]


@pytest.mark.parametrize("seed", SEEDS)
def test_standing_is_one_still(seed: int) -> None:
    board = played(Script().stand(20), seed)
    assert board.names() == ["STILL"]
    assert board.events()[0][2].still_ms >= 500


@pytest.mark.parametrize("seed", SEEDS)
def test_a_round_in_the_hand_is_told_in_order_and_on_time(seed: int) -> None:
    script = Script().stand(3).hold(1).shake(2).hold(1).stand(2)
    board = played(script, seed)
    assert board.names() == ["STILL", "LIFT", "SET", "STILL"]
    times = {name: at_ms for name, at_ms, _ in board.events()}
    assert 3000 <= times["LIFT"] <= 3060
    assert 6995 <= times["SET"] <= 7010  # the blow says it more exactly than the load
    assert 7500 <= times["STILL"] <= 8500


@pytest.mark.parametrize("seed", SEEDS)
def test_its_radio_starts_at_the_first_jolt_and_not_only_when_there_is_something_to_say(
    seed: int,
) -> None:
    board = Board(Script().stand(14).shake(1).stand(2), seed).run(13_900_000)
    board.radio.switched.clear()
    board.radio.sent.clear()
    while not board.radio.sent:
        board.run(board.now_us + 1)
    (first_us, on), *_ = board.radio.switched
    assert on
    assert first_us >= 13_900_000
    assert board.now_us - first_us >= 50_000  # of the 30 to 120 ms that it takes


@pytest.mark.parametrize("seed", SEEDS)
def test_a_barrel_that_is_set_down_softly_is_told_a_little_late(seed: int) -> None:
    script = Script().stand(3).hold(1)
    script.add(3, BARREL_G, 0.0, nothing)  # no blow
    board = played(script, seed)
    assert board.names() == ["STILL", "LIFT", "SET", "STILL"]
    assert 4000 - 25 <= next(at_ms for name, at_ms, _ in board.events() if name == "SET") <= 4080


@pytest.mark.parametrize("seed", SEEDS)
def test_a_barrel_that_is_carried_askew_is_a_tilt(seed: int) -> None:
    board = played(Script().stand(3).hold(1).hold(1, 65).hold(1).stand(2), seed)
    assert board.names() == ["STILL", "LIFT", "TILT", "UPRIGHT", "SET", "STILL"]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_lift_is_a_tare(seed: int) -> None:
    board = played(Script().stand(3).hold(1.5).stand(2), seed)
    before, after = (f.load_mg for name, _, f in board.events() if name == "STILL")
    cell = board.load_chip.cell
    own_mg = BARREL_G * 1000 * cell.span * cell.eccentric
    never_lifted_mg = own_mg + (cell.zero_g - board.foot.mass_g) * 1000
    assert before == pytest.approx(never_lifted_mg, abs=400)  # off centre otherwise
    assert after == pytest.approx(own_mg - Flaws().hysteresis_mg, abs=60)  # and creep and noise
    lift, landed = (f for name, _, f in board.events() if name in ("LIFT", "SET"))
    assert lift.load_mg == before
    assert landed.load_mg == pytest.approx(own_mg - Flaws().hysteresis_mg, abs=60)


@pytest.mark.slow(but=12)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("seconds", "held_ms"), [(0.4, 200), (0.7, 500), (1.2, 1000)])
def test_a_tilt_is_measured(seed: int, seconds: float, held_ms: int) -> None:
    board = played(Script().stand(3).hold(1).hold(seconds, 80).hold(1).stand(2), seed)
    assert board.names() == ["STILL", "LIFT", "TILT", "UPRIGHT", "SET", "STILL"]
    tilt, upright = (f for name, _, f in board.events() if name in ("TILT", "UPRIGHT"))
    assert upright.held_ms == pytest.approx(held_ms, abs=110)
    assert upright.at_us - tilt.at_us == upright.held_ms * 1000
    assert tilt.held_ms >= 100
    assert 6500 <= upright.tilt_max_cdeg <= 8400


@pytest.mark.parametrize("seed", SEEDS)
def test_a_short_glance_to_the_side_is_not_a_tilt(seed: int) -> None:
    board = played(Script().stand(3).hold(1).hold(0.5, 50).hold(1).stand(2), seed)
    assert board.names() == ["STILL", "LIFT", "SET", "STILL"]


@pytest.mark.slow(but=8)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("amplitude_g", [1.0, 2.0, 4.0, 8.0])
def test_shaking_is_never_a_tilt_nor_a_flip(seed: int, amplitude_g: float) -> None:
    board = played(Script().stand(3).hold(0.5).shake(4, amplitude_g).hold(0.5).stand(2), seed)
    assert board.names() == ["STILL", "LIFT", "SET", "STILL"]


@pytest.mark.parametrize("seed", SEEDS)
def test_shaken_on_its_side_it_cannot_be_read_and_is_not_tilted(seed: int) -> None:
    script = Script().stand(3).hold(1)
    script.add(1.5, 0.0, 80.0, lambda t: (2.0 * sin(2 * pi * 20 * t), 0.0, 0.0))
    assert "TILT" not in played(script.hold(1).stand(2), seed).names()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_finger_under_the_foot_is_not_a_new_zero(seed: int) -> None:
    script = Script().stand(3).hold(1)
    script.add(1.0, 7.0, 0.0, nothing)  # too little to stand, too much to have wandered
    assert played(script.stand(2), seed).last("STILL").load_mg == pytest.approx(26_500, abs=400)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_accelerometer_that_dies_in_a_shake_does_not_keep_the_load_from_settling(
    seed: int,
) -> None:
    board = Board(Script().stand(3).hold(0.5).shake(2).stand(3), seed).run(4_500_000)
    board.motion_chip.powered = False
    assert board.run().names() == ["STILL", "LIFT", "SET", "STILL"]


@pytest.mark.parametrize("weighed", [False, True])
def test_a_stopper_that_never_had_a_load_cell_says_so(*, weighed: bool) -> None:
    board = Board(Script().stand(40), 1)
    board.load_chip.powered = False
    if weighed:
        board.flash.save("zero", bytes(4))
    board.run()
    can = [frame.fields.can for frame in board.radio.frames if frame.name == "HELLO"]
    assert can[0] == 0b1111
    assert can[-1] == (0b1111 if weighed else 0b1110)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_kick_against_the_table_is_nothing(seed: int) -> None:
    board = played(Script().stand(3).kicked(2).kicked(2).stand(2), seed)
    assert board.names() == ["STILL"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_flip_is_upside_down_and_still(seed: int) -> None:
    board = played(Script().stand(3).hold(1).rest(2, 180).hold(1).stand(2), seed)
    assert board.names() == ["STILL", "LIFT", "TILT", "FLIP", "UPRIGHT", "SET", "STILL"]
    flip = next(fields for name, _, fields in board.events() if name == "FLIP")
    assert flip.tilt_cdeg > 17000
    waved = played(Script().stand(3).hold(1).hold(0.4, 180).hold(1).stand(2), seed)
    assert "FLIP" not in waved.names()


def test_a_barrel_that_is_moved_upside_down_is_flipped_once() -> None:
    script = Script().stand(3).hold(1).rest(2, 180)
    script.add(1.0, 0.0, 180.0, lambda t: (1.5 * sin(2 * pi * 4 * t), 0.0, 0.0))
    assert played(script.rest(2, 180)).names().count("FLIP") == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_around_60_degrees_it_is_one_tilt(seed: int) -> None:
    script = Script().stand(3).hold(1).hold(0.6, 66)
    for degrees in (58, 62, 58, 62, 58):
        script.hold(0.5, degrees)
    assert played(script.hold(1), seed).names() == ["STILL", "LIFT", "TILT", "UPRIGHT"]


def test_each_tilt_has_an_end_of_its_own() -> None:
    board = played(Script().stand(3).hold(1).hold(1, 90).hold(1).hold(1, 66).hold(1))
    most = [fields.tilt_max_cdeg for name, _, fields in board.events() if name == "UPRIGHT"]
    assert most == [pytest.approx(9000, abs=400), pytest.approx(6600, abs=400)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_barrel_that_spins_on_its_side_cannot_be_read_and_is_not_tilted(seed: int) -> None:
    script = Script().stand(3).hold(1)
    script.add(1.5, 0.0, 90.0, lambda t: (cos(10 * pi * t) - 1, sin(10 * pi * t), 0.0))
    assert "TILT" not in played(script.hold(1), seed).names()


def test_features_come_four_times_a_second_and_only_while_it_moves() -> None:
    board = played(Script().stand(5).hold(0.5).shake(4, 2.0, 5.0).hold(0.5).stand(5))
    times = [f.time_us for f in board.radio.frames if f.name == "FEATURES"]
    assert all(later - earlier >= 245_000 for earlier, later in pairwise(times))
    assert 5_000_000 <= times[0] <= 6_000_000
    assert times[-1] <= 12_000_000
    middle = [
        f.fields
        for f in board.radio.frames
        if f.name == "FEATURES" and 6_500_000 < f.time_us < 9_000_000
    ]
    assert {f.samples for f in middle} <= set(range(96, 108))
    assert sum(f.shake_dhz for f in middle) / len(middle) == pytest.approx(50, abs=8)
    assert all(1000 < f.shake_rms_permille < 2000 for f in middle)
    assert abs(fmean(f.load_mg for f in middle)) < 2000  # nothing but a foot that swings


def test_a_heartbeat_every_ten_seconds_says_how_it_is() -> None:
    board = Board(Script().stand(65))
    board.battery = 3400
    board.run()
    beats = [f for f in board.radio.frames if f.name == "HEARTBEAT"]
    assert len(beats) == 7
    last = beats[-1].fields
    assert last.battery_mv == 3400
    assert last.faults == 1 << wire.FAULTS.index("battery-low")
    assert last.uptime_s in range(60, 66)
    assert last.rssi == -50
    assert last.unheard == last.drops == 0


def test_hello_says_what_it_is_and_comes_again_until_somebody_answers() -> None:
    board = Board(Script().stand(40))
    board.radio.acknowledges = False
    board.run(25_000_000)
    hellos = [f for f in board.radio.frames if f.name == "HELLO"]
    assert len(hellos) == 4  # at the boot, and before each heartbeat
    assert hellos[0].fields.dictionary == wire.DICTIONARY_HASH
    board.radio.command("HELLO_REQUEST")
    board.run(40_000_000)
    assert len([f for f in board.radio.frames if f.name == "HELLO"]) == 5


def test_an_event_is_tried_for_nearly_three_seconds_and_then_counted() -> None:
    board = Board(Script().stand(20))
    board.radio.acknowledges = False
    board.run()
    tries = [f for f in board.radio.frames if f.name == "STILL"]
    assert [f.flags for f in tries] == [0] + [wire.RESENT] * (len(tries) - 1)
    assert len(tries) in (15, 16, 17)
    assert len({f.fields.event for f in tries}) == 1
    assert len({f.fields.at_us for f in tries}) == 1
    assert board.last("HEARTBEAT").unheard == 1


def test_forged_and_repeated_commands_are_refused_and_counted() -> None:
    board = Board(Script().stand(30)).run(3_000_000)
    board.radio.command("BLINK", blink_ms=500)
    sender, packet, rssi = board.radio.inbox[-1]
    board.radio.inbox += [(sender, packet, rssi), (sender, packet[:-1] + b"\0", rssi)]
    board.radio.inbox += [(sender, b"", rssi), (sender, packet[:9], rssi)]
    lit = [board.run(3_100_000).lit, board.run(4_000_000).lit]
    assert lit == [True, False]
    board.run(15_000_000)
    assert board.last("HEARTBEAT").drops == 4


def test_the_boot_is_counted_before_anything_is_sent() -> None:
    board = Board(Script().stand(20)).run(1_000_000)
    assert struct.unpack("<i", board.flash["boot"]) == (1,)
    board.boot()
    assert struct.unpack("<i", board.flash["boot"]) == (2,)
    board.run(5_000_000)
    assert board.radio.frames[-1].boot == 2
    board.flash["boot"] = b"torn"[:3]
    board.boot()  # nothing in flash can stop a boot


def test_a_boot_in_the_hand_tells_that_it_is_lifted_and_one_on_the_table_that_it_stands() -> None:
    assert played(Script().hold(4)).names() == ["LIFT"]
    assert played(Script().stand(4)).names() == ["STILL"]


def test_a_cell_far_off_its_zero_finds_it_lying_on_its_side() -> None:
    board = Board(Script().hold(3).rest(2, 90).hold(1).stand(3))
    board.load_chip.cell.zero_g = 30.0
    board.run()
    assert sorted(board.names()) == ["LIFT", "SET", "STILL", "STILL", "TILT", "UPRIGHT"]
    assert board.last("STILL").load_mg == pytest.approx(BARREL_G * 1000, abs=400)


def test_evidence_is_what_happened_around_a_tilt() -> None:
    board = Board(Script().stand(3).hold(1).hold(1, 80).hold(1).stand(10)).run(6_000_000)
    tilt = next(fields for name, _, fields in board.events() if name == "TILT")
    board.radio.command("RAW_REQUEST", request=7, start_us=tilt.at_us - 500_000, length_ms=2000)
    board.run(8_000_000)
    head = board.last("RAW_HEAD")
    chunks = [f.fields for f in board.radio.frames if f.name == "RAW"]
    assert (head.request, head.samples, head.step_us) == (7, 100, 20_000)
    assert [chunk.chunk for chunk in chunks] == list(range(head.chunks))
    raw = b"".join(chunk.samples for chunk in chunks)
    samples = list(struct.iter_unpack(wire.SAMPLE.format, raw))
    assert len(samples) == head.samples
    tilts = [sample[0] for sample in samples]
    assert max(tilts) > 7500
    assert tilts[0] < 2000
    crossed_us = head.start_us + next(i for i, t in enumerate(tilts) if t > 6000) * head.step_us
    assert tilt.at_us - 200_000 < crossed_us < tilt.at_us  # what is kept does not lag behind
    board.radio.command("RAW_REQUEST", request=8, start_us=10**12, length_ms=500)
    board.run(9_000_000)
    assert (board.last("RAW_HEAD").samples, board.last("RAW_HEAD").chunks) == (0, 0)


def test_after_five_idle_minutes_it_sleeps_until_it_is_moved() -> None:
    board = Board(Script().stand(3).hold(1).stand(320).shake(2))
    board.run(322_000_000)
    assert board.slept == 1
    assert "zero" in board.flash
    before = board.motion_chip.int1
    board.now_us = 324_400_000
    assert (before, board.motion_chip.int1) == (False, True)
    seen = len(board.radio.frames)
    board.boot()
    board.script.pieces[-1:] = Script().hold(1000).pieces
    board.run(329_000_000)
    assert [f.name for f in board.radio.frames[seen:] if "event" in f.fields._fields] == ["LIFT"]


def test_without_an_accelerometer_to_wake_it_it_does_not_sleep() -> None:
    board = Board(Script().stand(800)).run(5_000_000)
    board.motion_chip.powered = False
    board.run(320_000_000)
    assert board.slept == 0


def test_it_rests_between_steps_while_it_stands_and_not_while_it_moves_or_waits() -> None:
    board = Board(Script().stand(5).hold(1).shake(3)).run(4_500_000)
    assert board.stopper.at_rest
    board.run(8_000_000)
    assert not board.stopper.at_rest


def test_the_clock_goes_on_when_the_ticks_start_over() -> None:
    board = played(Script().stand(12))  # the ticks wrap after five seconds
    times = [f.time_us for f in board.radio.frames]
    assert times == sorted(times)
    assert 11_000_000 < times[-1] < 12_000_000


@pytest.mark.parametrize("name", ["drivers.chip", "stopper.angles", "stopper.stopper"])
def test_what_the_docstrings_show_is_so(name: str) -> None:
    found = doctest.testmod(load(name))
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tare_needs_no_quiet_hand(seed: int) -> None:
    board = played(Script().stand(3).shake(2).stand(2), seed)
    cell = board.load_chip.cell
    own_mg = BARREL_G * 1000 * cell.span * cell.eccentric
    assert board.last("STILL").load_mg == pytest.approx(own_mg - Flaws().hysteresis_mg, abs=60)


def test_whole_numbers_find_roots_and_angles() -> None:
    angles = load("stopper.angles")
    assert [angles.root(n) for n in (0, 1, 2, 3, 4, 8, 9, 10**9)] == [0, 1, 1, 1, 2, 2, 3, 31622]
    for degrees in range(0, 181, 3):
        x, z = round(2048 * sin(radians(degrees))), round(2048 * cos(radians(degrees)))
        assert angles.tilt_cdeg(x, 0, z) == pytest.approx(degrees * 100, abs=6)
