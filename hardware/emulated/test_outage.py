"""What a stopper tells when it cannot weigh for a while: no phantom, and no time that is false."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from companion import wire
from companion.simulator.chips.board_bus import SensorFault
from hardware.emulated.bench import Board, Script, nothing
from hardware.emulated.source import load

FROM_MS = 6_000
REGULAR_MS = 1016  # the first of the heartbeats that come every ten seconds
LOAD_ILLS = {"load-silent", "load-stuck", "load-saturated", "bus-stuck"}
Act = Callable[[Script], Script]


def stuck(board: Board, broken: bool) -> None:
    board.load_chip.fault = SensorFault.STUCK if broken else None


def saturated(board: Board, broken: bool) -> None:
    board.load_chip.fault = SensorFault.SATURATED if broken else None


def deaf(board: Board, broken: bool) -> None:
    board.load_chip.fault = SensorFault.DEAF if broken else None


def gone(board: Board, broken: bool) -> None:
    board.load_chip.powered = not broken
    if not broken:
        board.load_chip.power_on()


def bus(board: Board, broken: bool) -> None:
    board.i2c.stuck = broken


KINDS = [stuck, saturated, deaf, gone, bus]
STANDING = Script().stand(8)
WHAT: dict[str, tuple[Act, Act]] = {  # what came before the outage, and from half a second into it
    "stays": (lambda s: s.stand(6.5), lambda s: s.stand(9)),
    "is lifted": (lambda s: s.stand(6.5), lambda s: s.hold(9)),
    "is lifted and shaken": (lambda s: s.stand(6.5), lambda s: s.shake(9)),
    "is lifted and put back": (lambda s: s.stand(6.5), lambda s: s.hold(0.4).stand(9)),
    "is held": (lambda s: s.stand(4).hold(2.5), lambda s: s.hold(9)),
    "is shaken": (lambda s: s.stand(4).shake(2.5), lambda s: s.shake(9)),
    "is set down": (lambda s: s.stand(4).hold(2.5), lambda s: s.stand(9)),
    "is shaken and set down": (lambda s: s.stand(4).shake(2.5), lambda s: s.stand(9)),
    "is set down and lifted": (lambda s: s.stand(4).hold(2.5), lambda s: s.stand(0.4).hold(9)),
}


def foot(board: Board, from_ms: int = FROM_MS) -> list[tuple[str, int, Any]]:
    """Return what was told of the foot since a time."""
    return [
        (name, at_ms, fields)
        for name, at_ms, fields in board.events()
        if at_ms >= from_ms and name in ("LIFT", "SET", "STILL")
    ]


def broken(script: Script, kind: Callable[[Board, bool], None], seconds: float, seed: int) -> Board:
    """Play a script whose load cell cannot be read for a while from `FROM_MS` on."""
    board = Board(script, seed).run(1000 * FROM_MS)
    kind(board, True)
    board.run(1000 * FROM_MS + round(seconds * 1e6))
    kind(board, False)
    return board.run()


@pytest.mark.slow(but=12)
@pytest.mark.parametrize("seconds", [1.3, 4.0])
@pytest.mark.parametrize("what", WHAT)
@pytest.mark.parametrize("kind", KINDS)
def test_after_an_outage_no_time_is_false(
    kind: Callable[[Board, bool], None], what: str, seconds: float, full: bool
) -> None:
    before, meanwhile = WHAT[what]
    script = meanwhile(before(Script()))
    for seed in (1, 2) if full else (1 if seconds < 2 else 2,):
        board = broken(script, kind, seconds, seed)
        events = foot(board)
        stood, stands = script.load_g(1000 * FROM_MS) > 0, script.load_g(script.end_us) > 0
        changes = [name for name, _, _ in events if name != "STILL"]
        assert changes == ([] if stood == stands else ["SET"] if stands else ["LIFT"])
        for _, at_ms, fields in events:
            if stood != stands and fields is events[0][2]:
                assert at_ms - fields.blind_ms <= FROM_MS + 500 <= at_ms
                assert fields.blind_ms <= 1000 * seconds + 4000
        if stands:
            (still,) = (one for one in events if one[0] == "STILL")
            hidden = stood  # perhaps it was lifted and set down: who knows
            assert (still[2].blind_ms > 0) == hidden
            assert not hidden or still[1] - still[2].blind_ms <= FROM_MS + 500


@pytest.mark.slow(but=12)
@pytest.mark.parametrize("what", ["is lifted", "is set down"])
@pytest.mark.parametrize("kind", [stuck, saturated, deaf])
@pytest.mark.parametrize("after_ms", range(0, 200, 25))
def test_an_outage_that_begins_or_ends_with_the_very_hand_is_covered_too(
    kind: Callable[[Board, bool], None], what: str, after_ms: int
) -> None:
    before, meanwhile = WHAT[what]
    board = Board(meanwhile(before(Script()))).run(6_400_000 + 1000 * after_ms)
    kind(board, True)
    board.run(board.now_us + 400_000)
    kind(board, False)
    board.run()
    name, at_ms, fields = foot(board)[0]
    assert name == ("LIFT" if what == "is lifted" else "SET")
    assert at_ms - fields.blind_ms - 60 <= 6500 <= at_ms + 10  # as without any outage


def test_an_outage_of_a_moment_is_none() -> None:
    script = Script().stand(6.5).hold(3).stand(3)
    board = Board(script).run(6_400_000)
    while board.now_us < 9_600_000:
        board.i2c.failing = 1  # the first transfer of every fourth step
        board.run(board.now_us + 100_000)
    board.run()
    assert [name for name, _, _ in foot(board)] == ["LIFT", "SET", "STILL"]
    assert [fields.blind_ms for _, _, fields in foot(board)] == [0, 0, 0]
    assert not any(f.fields.faults for f in board.radio.frames if f.name == "HEARTBEAT")


@pytest.mark.parametrize("seed", range(1, 9))
def test_in_the_normal_case_nothing_is_blind(seed: int) -> None:
    board = Board(Script().stand(4).hold(1).shake(2).hold(1).stand(3).hold(1).stand(3), seed).run()
    assert board.names() == ["STILL", "LIFT", "SET", "STILL", "LIFT", "SET", "STILL"]
    (first, *rest) = (fields.blind_ms for _, _, fields in board.events())
    assert first >= 1000  # since the boot, for before its first reading it may have been anywhere
    assert set(rest) == {0}


@pytest.mark.parametrize("seed", range(1, 4))
def test_what_is_found_lifted_at_a_boot_may_have_been_so_since_then(seed: int) -> None:
    board = Board(Script().stand(3).hold(6).stand(3), seed).run(5_000_000)
    board.boot(powered=True)
    board.run(board.now_us + 3_000_000)
    lift = board.last("LIFT")
    assert (lift.load_mg, lift.at_us) == (0, 1000 * lift.blind_ms)  # it reaches back to the boot
    assert 0 < lift.blind_ms < 2000
    board.run()
    assert board.last("SET").blind_ms == 0


def beats(board: Board) -> list[tuple[int, set[str]]]:
    """Return when which faults were told."""
    return [
        (f.time_us // 1000, {n for bit, n in enumerate(wire.FAULTS) if f.fields.faults >> bit & 1})
        for f in board.radio.frames
        if f.name == "HEARTBEAT"
    ]


@pytest.mark.parametrize(
    ("kind", "within_ms"), [(stuck, 250), (saturated, 60), (deaf, 600), (gone, 120), (bus, 120)]
)
def test_a_fault_is_told_at_once_and_so_is_its_end(
    kind: Callable[[Board, bool], None], within_ms: int
) -> None:
    board = broken(Script().stand(19), kind, 3.0, 1)
    told = [at_ms for at_ms, ills in beats(board) if ills & LOAD_ILLS]
    assert FROM_MS < told[0] <= FROM_MS + within_ms
    well = next(at_ms for at_ms, ills in beats(board) if at_ms > told[0] and not ills)
    assert FROM_MS + 3000 < well < FROM_MS + 3000 + 2500  # it is started and calibrated again
    assert len(beats(board)) == 4  # and the two that come every ten seconds


def test_a_fault_that_comes_and_goes_is_told_once_a_second() -> None:
    board = Board(Script().stand(60)).run(30_500_000)
    board.radio.frames.clear()
    for number in range(100):
        saturated(board, number % 2 == 0)
        board.run(board.now_us + 150_000)
    times = [at_ms for at_ms, _ in beats(board) if (at_ms - REGULAR_MS) % 10_000 > 50]
    assert all(later - earlier >= 1000 for earlier, later in pairwise(times))
    assert 8 <= len(times) <= 15


def test_a_fault_between_two_heartbeats_that_is_over_is_told_nevertheless() -> None:
    after_ms = 30_000 + REGULAR_MS + 100
    board = Board(Script().stand(60)).run(1000 * after_ms)
    for on in (True, False):  # over before a second has passed since the last heartbeat
        saturated(board, on)
        board.run(board.now_us + 200_000)
    board.run(40_000_000)
    told = [(at_ms, ills) for at_ms, ills in beats(board) if at_ms > after_ms]
    assert [ills for _, ills in told] == [{"load-saturated"}, set()]
    assert told[1][0] < after_ms + 2100


@pytest.mark.slow
def test_a_healthy_converter_is_not_taken_for_a_stuck_one() -> None:
    driver = load("drivers.nau7802")
    board = Board(Script().stand(400)).run(390_000_000)  # some fifty readings repeat themselves
    assert not any(ills for _, ills in beats(board))
    assert board.names() == ["STILL"]
    assert driver.STUCK_READINGS * 25 <= 200


def test_a_chip_at_the_rail_is_believed_only_when_its_filter_has_settled() -> None:
    board = Board(Script().stand(4).hold(6)).run(6_000_000)
    saturated(board, True)
    board.run(6_500_000)
    saturated(board, False)
    driver, waited_ms = board.weighs, 0
    while driver.state == load("drivers.chip").SATURATED:
        waited_ms += 25
        board.run(board.now_us + 25_000)
    assert 100 <= waited_ms <= 175


@pytest.mark.parametrize("fault", [SensorFault.STUCK, SensorFault.SATURATED, SensorFault.DEAF])
@pytest.mark.parametrize("seconds", [1.0, 5.0])
def test_a_tilt_lasts_no_longer_than_it_is_felt(fault: SensorFault, seconds: float) -> None:
    board = Board(Script().stand(4).hold(1).hold(0.6, 80).hold(9)).run(5_500_000)
    board.motion_chip.fault = fault
    board.run(5_500_000 + round(seconds * 1e6))
    board.motion_chip.fault = None
    board.run()
    assert board.names() == ["STILL", "LIFT", "TILT", "UPRIGHT"]
    tilt, upright = (fields for name, _, fields in board.events() if name in ("TILT", "UPRIGHT"))
    assert upright.at_us == tilt.at_us + 1000 * upright.held_ms
    assert upright.held_ms <= 550  # it was 0.6 s over 60 degrees
    assert upright.tilt_max_cdeg > 6000


def test_what_is_tilted_still_when_it_is_felt_again_is_a_new_tilt() -> None:
    board = Board(Script().stand(4).hold(1).hold(8, 80)).run(6_000_000)
    board.motion_chip.fault = SensorFault.SATURATED
    board.run(7_000_000)
    board.motion_chip.fault = None
    board.run()
    assert board.names() == ["STILL", "LIFT", "TILT", "UPRIGHT", "TILT"]
    again = board.last("TILT")
    assert 7_000_000 <= again.at_us <= 7_500_000


def test_lying_on_its_side_with_nothing_read_is_not_a_set_down() -> None:
    script = Script().stand(4).hold(1).rest(1.5, 90)
    script.add(6, 0.0, 90.0, nothing)
    board = broken(script, deaf, 2.0, 1)
    assert [name for name, _, _ in foot(board)] == []
