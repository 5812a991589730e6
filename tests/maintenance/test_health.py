"""How the computer is, read from files of the system that a test writes, and said in sentences."""

from pathlib import Path

import pytest

from companion.i18n.translate import say
from companion.maintenance import health
from companion.maintenance.health import Card, Clock, PowerSupply, Readings, Warmth, judge, read
from companion.system.text import Text

WELL = Readings(8_000, 1_790_000_000.0, synchronised=True, weak=False, was_weak=False, celsius=50)
NOW_S = 1_790_000_000.0


def write(system: Path, name: str, text: str) -> None:
    path = system / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "ascii")


def look(system: Path, told: str = "", wall_s: float = NOW_S) -> Readings:
    return read(system, system, lambda: told, lambda: wall_s)


def test_a_raspberry_pi_tells_all_of_it(tmp_path: Path) -> None:
    write(tmp_path, health.SYNCHRONISED, "")
    write(tmp_path, health.ZONE, "48312\n")
    found = look(tmp_path, "throttled=0x0\n")
    assert (found.weak, found.was_weak, found.celsius, found.synchronised) == (
        False,
        False,
        48,
        True,
    )
    assert found.free_mb is not None


def test_where_nothing_can_be_read_nothing_is_claimed(tmp_path: Path) -> None:
    found = read(tmp_path / "gone", tmp_path, lambda: "", lambda: NOW_S)
    assert found == Readings(
        None, NOW_S, synchronised=False, weak=None, was_weak=None, celsius=None
    )
    states = [one.state for one in judge(found)]
    assert states == [Card.UNKNOWN, Clock.ALONE, PowerSupply.UNKNOWN, Warmth.UNKNOWN]
    assert all(one.state.fine for one in judge(found))


@pytest.mark.parametrize(
    ("told", "power"),
    [
        ("throttled=0x0", PowerSupply.GOOD),
        ("throttled=0x50005", PowerSupply.WEAK),
        ("throttled=0x50000", PowerSupply.WAS_WEAK),
        ("throttled=0x20000", PowerSupply.GOOD),  # only the processor was capped, for its warmth
        ("error=1", PowerSupply.UNKNOWN),
    ],
)
def test_what_firmware_says_of_the_supply(tmp_path: Path, told: str, power: PowerSupply) -> None:
    assert judge(look(tmp_path, told))[2].state is power


@pytest.mark.parametrize(("alarm", "power"), [("1\n", PowerSupply.WEAK), ("0\n", PowerSupply.GOOD)])
def test_without_its_tool_the_kernel_knows(tmp_path: Path, alarm: str, power: PowerSupply) -> None:
    write(tmp_path, "sys/class/hwmon/hwmon2/in0_lcrit_alarm", alarm)
    assert judge(look(tmp_path))[2].state is power


def test_files_with_nonsense_are_as_good_as_none(tmp_path: Path) -> None:
    write(tmp_path, health.ZONE, "warm\n")
    write(tmp_path, "sys/class/hwmon/hwmon0/in0_lcrit_alarm", "")
    found = look(tmp_path)
    assert (found.celsius, found.weak) == (None, None)


@pytest.mark.parametrize(
    ("free_mb", "card"), [(8_000, Card.ENOUGH), (499, Card.LITTLE), (49, Card.FULL)]
)
def test_how_much_room_is_enough(free_mb: int, card: Card) -> None:
    assert judge(Readings(free_mb, NOW_S, True, False, False, 50))[0].state is card


@pytest.mark.parametrize(
    ("celsius", "warmth"), [(50, Warmth.COOL), (70, Warmth.WARM), (80, Warmth.HOT)]
)
def test_how_warm_is_too_warm(celsius: int, warmth: Warmth) -> None:
    assert judge(Readings(8_000, NOW_S, True, False, False, celsius))[3].state is warmth


def test_a_clock_from_before_this_program_is_wrong(tmp_path: Path) -> None:
    assert judge(look(tmp_path, wall_s=0.0))[1].state is Clock.WRONG
    assert judge(look(tmp_path))[1].state is Clock.ALONE
    assert judge(WELL)[1].state is Clock.RIGHT


@pytest.mark.parametrize("kind", [Card, Clock, PowerSupply, Warmth])
def test_every_state_can_be_said_in_both_languages(kind: type[Card]) -> None:
    for state in kind:
        text = Text(state.template, mb=40, celsius=82)
        assert say(text, "de") != say(text, "en")


def test_a_tool_that_is_not_there_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "THROTTLED", ("/nowhere/vcgencmd", "get_throttled"))
    assert health.throttled() == ""
