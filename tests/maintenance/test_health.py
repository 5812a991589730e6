"""How the computer is, read from files of the system that a test writes, and said in sentences."""

from pathlib import Path

import pytest

from companion.i18n.translate import say
from companion.maintenance import health
from companion.maintenance.health import Card, Clock, PowerSupply, Warmth, conditions
from companion.system.status import Condition
from companion.system.text import Text

NOW_S = 1_790_000_000.0


def write(system: Path, name: str, text: str) -> None:
    path = system / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "ascii")


def look(system: Path, told: str = "", wall_s: float = NOW_S) -> tuple[Condition, ...]:
    return conditions(system, system, lambda: told, lambda: wall_s)


def test_a_raspberry_pi_tells_all_of_it(tmp_path: Path) -> None:
    write(tmp_path, health.SYNCHRONISED, "")
    write(tmp_path, health.ZONE, "48312\n")
    found, *others = look(tmp_path, "throttled=0x0\n")
    assert found.state is not Card.UNKNOWN
    assert [one.state for one in others] == [Clock.RIGHT, PowerSupply.GOOD, Warmth.COOL]


def test_where_nothing_can_be_read_nothing_is_claimed(tmp_path: Path) -> None:
    found = conditions(tmp_path / "gone", tmp_path, lambda: "", lambda: NOW_S)
    states = [one.state for one in found]
    assert states == [Card.UNKNOWN, Clock.ALONE, PowerSupply.UNKNOWN, Warmth.UNKNOWN]
    assert all(one.fine for one in states)


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
    assert look(tmp_path, told)[2].state is power


@pytest.mark.parametrize(("alarm", "power"), [("1\n", PowerSupply.WEAK), ("0\n", PowerSupply.GOOD)])
def test_without_its_tool_the_kernel_knows(tmp_path: Path, alarm: str, power: PowerSupply) -> None:
    write(tmp_path, "sys/class/hwmon/hwmon2/in0_lcrit_alarm", alarm)
    assert look(tmp_path)[2].state is power


def test_files_with_nonsense_are_as_good_as_none(tmp_path: Path) -> None:
    write(tmp_path, health.ZONE, "warm\n")
    write(tmp_path, "sys/class/hwmon/hwmon0/in0_lcrit_alarm", "")
    assert [one.state for one in look(tmp_path)[2:]] == [PowerSupply.UNKNOWN, Warmth.UNKNOWN]


@pytest.mark.parametrize(
    ("free_mb", "card"), [(8_000, Card.ENOUGH), (499, Card.LITTLE), (49, Card.FULL)]
)
def test_how_much_room_is_enough(free_mb: int, card: Card) -> None:
    assert health.card(free_mb).state is card


@pytest.mark.parametrize(
    ("celsius", "warmth"), [(50, Warmth.COOL), (70, Warmth.WARM), (80, Warmth.HOT)]
)
def test_how_warm_is_too_warm(celsius: int, warmth: Warmth) -> None:
    assert health.warmth(celsius).state is warmth


def test_a_clock_from_before_this_program_is_wrong(tmp_path: Path) -> None:
    assert look(tmp_path, wall_s=0.0)[1].state is Clock.WRONG
    assert look(tmp_path)[1].state is Clock.ALONE


@pytest.mark.parametrize("kind", [Card, Clock, PowerSupply, Warmth])
def test_every_state_can_be_said_in_both_languages(kind: type[Card]) -> None:
    for state in kind:
        text = Text(state.template, mb=40, celsius=82)
        assert say(text, "de") != say(text, "en")


def test_a_tool_that_is_not_there_says_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(health, "THROTTLED", ("/nowhere/vcgencmd", "get_throttled"))
    assert conditions(tmp_path, tmp_path)[2].state is PowerSupply.UNKNOWN
