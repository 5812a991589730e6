"""Whether a computer can carry a table, from facts that a test makes up."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.i18n.translate import say
from companion.maintenance.checks import computer
from companion.maintenance.checks.computer import (
    BusSpeed,
    Facts,
    Groups,
    Python,
    bus_khz,
    judge_computer,
)
from companion.maintenance.checks.result import CheckResult, severity
from companion.maintenance.checks.result import translated as in_words
from companion.maintenance.health import Readings
from companion.system import config

WELL = Readings(8_000, 1_790_000_000.0, synchronised=True, weak=False, was_weak=False, celsius=50)
ALL = frozenset({"dialout", "gpio", "i2c"})
FACTS = Facts((3, 11, 2), "mira", False, ALL, ALL, ALL, 400, WELL)
WIRED = config.parse(config.EVERY_PART, "table.toml")
BARE = config.TableWiring()


def named(check: str, facts: Facts, wiring: config.TableWiring = WIRED) -> CheckResult:
    (one,) = [one for one in judge_computer(facts, wiring) if one.check == check]
    return one


def test_nothing_is_wrong_with_a_good_computer() -> None:
    found = list(judge_computer(FACTS, WIRED))
    assert {severity(one.condition) for one in found} == {"fine"}
    assert [one.check for one in found] == [
        *("python", "groups", "i2c-speed", "disk", "clock", "voltage", "warmth")
    ]


@pytest.mark.parametrize(
    ("check", "facts", "state", "told"),
    [
        ("python", {"version": (3, 9, 2)}, Python.OLD, "Python 3.9.2 is too old"),
        ("groups", {"now": ALL - {"gpio"}}, Groups.LATER, "log in again"),
        (
            "groups",
            {"now": ALL - {"gpio", "i2c"}, "listed": ALL - {"gpio", "i2c"}},
            Groups.MISSING,
            "not in the groups gpio and i2c; run: sudo usermod -aG gpio,i2c mira –",
        ),
        (
            "groups",
            {"now": frozenset(), "listed": frozenset(), "known": ALL - {"gpio"}},
            Groups.ABSENT,
            "sudo groupadd --system gpio",
        ),
        ("i2c-speed", {"bus_khz": 100}, BusSpeed.SLOW, "i2c_arm_baudrate=400000"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(
    check: str, facts: dict[str, object], state: object, told: str
) -> None:
    one = named(check, replace(FACTS, **facts))  # type: ignore[arg-type]
    assert one.condition.state is state
    assert severity(one.condition) == "see-to"
    assert told in in_words(one, say).told


def test_a_table_of_phones_needs_no_group_and_no_bus() -> None:
    poor = replace(FACTS, now=frozenset(), known=frozenset(), bus_khz=None)
    found = list(judge_computer(poor, BARE))
    assert {severity(one.condition) for one in found} == {"fine"}
    assert "i2c-speed" not in {one.check for one in found}


def test_root_needs_no_group() -> None:
    facts = replace(FACTS, now=frozenset(), listed=frozenset(), root=True)
    assert named("groups", facts).condition.state is Groups.ALL


def test_how_fast_the_bus_is_the_kernel_tells(tmp_path: Path) -> None:
    assert bus_khz(tmp_path, 1) is None
    path = tmp_path / computer.CLOCK.format(bus=1)
    path.parent.mkdir(parents=True)
    path.write_bytes((400_000).to_bytes(4, "big"))
    assert bus_khz(tmp_path, 1) == 400
    path.write_bytes(b"??")
    assert bus_khz(tmp_path, 1) is None
    unknown = named("i2c-speed", replace(FACTS, bus_khz=None))
    assert severity(unknown.condition) == "unknown"


def test_this_computer_can_be_looked_at(tmp_path: Path) -> None:
    facts = computer.read_facts(WIRED, WELL, tmp_path)
    assert facts.version >= (3, 11)
    assert facts.user
    assert facts.bus_khz is None
