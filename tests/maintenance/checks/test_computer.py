"""Whether a computer can carry a table, from facts that a test makes up."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.i18n.translate import say
from companion.maintenance.checks import computer
from companion.maintenance.checks.computer import (
    BusSpeed,
    Groups,
    Python,
    UserGroups,
    check_bus,
    check_computer,
    check_groups,
    check_python,
)
from companion.maintenance.checks.result import severity
from companion.maintenance.checks.result import translated as in_words
from companion.system import config

WANTED = ("dialout", "gpio", "i2c")
ALL = frozenset(WANTED)
MIRA = UserGroups("mira", root=False, now=ALL, listed=ALL, known=ALL)
WIRED = config.parse(config.EVERY_PART, "table.toml")


def bus(root: Path, written: bytes) -> Path:
    """Return a system whose kernel tells how fast the bus is."""
    path = root / computer.CLOCK.format(bus=1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(written)
    return root


def test_nothing_is_wrong_with_a_good_computer(tmp_path: Path) -> None:
    found = (check_python((3, 11, 2)), check_groups(WANTED, MIRA))
    assert {severity(one.condition) for one in found} == {"fine"}
    assert [one.check for one in check_computer(WIRED, tmp_path)] == [
        *("python", "groups", "i2c-speed", "disk", "clock", "voltage", "warmth")
    ]


def test_an_old_python_is_said_with_what_to_do() -> None:
    old = check_python((3, 9, 2))
    assert (old.condition.state, severity(old.condition)) == (Python.OLD, "see-to")
    assert "Python 3.9.2 is too old" in in_words(old, say).told


@pytest.mark.parametrize(
    ("user", "state", "told"),
    [
        (replace(MIRA, now=ALL - {"gpio"}), Groups.LATER, "log in again"),
        (
            replace(MIRA, now=ALL - {"gpio", "i2c"}, listed=ALL - {"gpio", "i2c"}),
            Groups.MISSING,
            "not in the groups gpio and i2c; run: sudo usermod -aG gpio,i2c mira –",
        ),
        (
            replace(MIRA, now=frozenset(), listed=frozenset(), known=ALL - {"gpio"}),
            Groups.ABSENT,
            "sudo groupadd --system gpio",
        ),
    ],
)
def test_what_a_user_may_not_is_said_with_what_to_do(
    user: UserGroups, state: Groups, told: str
) -> None:
    found = check_groups(WANTED, user)
    assert (found.condition.state, severity(found.condition)) == (state, "see-to")
    assert told in in_words(found, say).told


def test_a_table_of_phones_needs_no_group_and_no_bus(tmp_path: Path) -> None:
    poor = replace(MIRA, now=frozenset(), known=frozenset())
    assert computer.wanted_groups(config.TableWiring()) == ()
    assert check_groups((), poor).condition.state is Groups.ALL
    found = check_computer(config.TableWiring(), tmp_path)
    assert "i2c-speed" not in {one.check for one in found}


def test_root_needs_no_group() -> None:
    root = replace(MIRA, root=True, now=frozenset(), listed=frozenset())
    assert check_groups(WANTED, root).condition.state is Groups.ALL


def test_how_fast_the_bus_is_the_kernel_tells(tmp_path: Path) -> None:
    assert severity(check_bus(1, tmp_path).condition) == "unknown"
    assert severity(check_bus(1, bus(tmp_path, b"??")).condition) == "unknown"
    fast = check_bus(1, bus(tmp_path, (400_000).to_bytes(4, "big")))
    assert (fast.condition.state, fast.condition.values["khz"]) == (BusSpeed.FAST, 400)
    slow = check_bus(1, bus(tmp_path, (100_000).to_bytes(4, "big")))
    assert (slow.condition.state, severity(slow.condition)) == (BusSpeed.SLOW, "see-to")
    assert "i2c_arm_baudrate=400000" in in_words(slow, say).told


def test_this_computer_can_be_looked_at() -> None:
    assert computer.groups_here().user
