"""An evening outlives the hall's program, and a name that is erased is nowhere any more."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import CompanionError
from companion.hall.evening.deeds import Begun, Chosen, Left, Mode, TableAdded
from companion.hall.kept_evening import KeptEvening
from companion.hall.open_hall import OpenHall


def opened(evening: KeptEvening) -> list[str]:
    people = [evening.check_in(f"Person {at}") for at in range(5)]
    evening.do(TableAdded("1"))
    evening.do(Chosen("a game", Mode.POINTS, 2, 4, 4))
    return people


def test_an_evening_is_there_again_after_a_restart(tmp_path: Path) -> None:
    with OpenHall(tmp_path) as hall:
        opened(hall.evening)
        hall.evening.propose()
        before = hall.evening.do(Begun())
    with OpenHall(tmp_path) as hall:
        assert hall.evening.now == before


def test_what_is_refused_is_not_kept(tmp_path: Path) -> None:
    with OpenHall(tmp_path) as hall:
        before = hall.evening.now
        with pytest.raises(CompanionError):
            hall.evening.do(Left("nobody"))
        with pytest.raises(CompanionError, match="Type a name"):
            hall.evening.check_in("")
    with OpenHall(tmp_path) as hall:
        assert hall.evening.now == before


def test_people_of_one_name_get_different_animals() -> None:
    with OpenHall(None) as hall:
        people = [hall.evening.check_in("Kim") for _ in range(5)]
        assert len({hall.evening.now.guests[one].animal for one in people}) == 5


def test_an_erased_name_is_nowhere_any_more(tmp_path: Path) -> None:
    with OpenHall(tmp_path) as hall:
        person, *_ = opened(hall.evening)
        hall.evening.forget(person)
        assert hall.evening.now.guests[person].name == ""
    with OpenHall(tmp_path) as hall:
        assert hall.evening.now.guests[person].name == ""
        rows = hall.store.read("SELECT deed FROM evening_deeds")
    assert not any("Person 0" in deed for (deed,) in rows)


def test_another_evening_begins_with_the_tables_alone() -> None:
    with OpenHall(None) as hall:
        opened(hall.evening)
        hall.evening.begin_anew()
        assert (hall.evening.now.here, [*hall.evening.now.tables]) == ((), ["1"])
        assert hall.evening.now.chosen
