"""A tournament outlives the hall's program, and a name that is erased is nowhere any more."""

from pathlib import Path

import pytest

from companion.hall.server_app import HallServer
from companion.hall.tournament.events import Begun, Chosen, Left, Mode, TableAdded
from companion.hall.tournament_store import TournamentStore
from companion.system.errors import CompanionError


def opened(tournament: TournamentStore) -> list[str]:
    people = [tournament.check_in(f"Person {at}") for at in range(5)]
    tournament.do(TableAdded("1"))
    tournament.do(Chosen("a game", Mode.POINTS, 2, 4, 4))
    return people


def test_an_tournament_is_there_again_after_a_restart(tmp_path: Path) -> None:
    with HallServer(tmp_path) as hall:
        opened(hall.tournament)
        hall.tournament.propose()
        before = hall.tournament.do(Begun())
    with HallServer(tmp_path) as hall:
        assert hall.tournament.now == before


def test_what_is_refused_is_not_kept(tmp_path: Path) -> None:
    with HallServer(tmp_path) as hall:
        before = hall.tournament.now
        with pytest.raises(CompanionError):
            hall.tournament.do(Left("nobody"))
        with pytest.raises(CompanionError, match="Type a name"):
            hall.tournament.check_in("")
    with HallServer(tmp_path) as hall:
        assert hall.tournament.now == before


def test_people_of_one_name_get_different_animals() -> None:
    with HallServer(None) as hall:
        people = [hall.tournament.check_in("Kim") for _ in range(5)]
        assert len({hall.tournament.now.guests[one].animal for one in people}) == 5


def test_an_erased_name_is_nowhere_any_more(tmp_path: Path) -> None:
    with HallServer(tmp_path) as hall:
        person, *_ = opened(hall.tournament)
        hall.tournament.forget(person)
        assert hall.tournament.now.guests[person].name == ""
    with HallServer(tmp_path) as hall:
        assert hall.tournament.now.guests[person].name == ""
        rows = hall.store.read("SELECT deed FROM evening_deeds")
    assert not any("Person 0" in event for (event,) in rows)


def test_another_tournament_begins_with_the_tables_alone() -> None:
    with HallServer(None) as hall:
        opened(hall.tournament)
        hall.tournament.start_anew()
        assert (hall.tournament.now.here, [*hall.tournament.now.tables]) == ((), ["1"])
        assert hall.tournament.now.chosen


@pytest.mark.parametrize(
    "bad",
    [
        *("", "[", "null", "[" * 5_000, '{"did": "danced"}'),
        '{"did": "left", "person": "\\ud800"}',
        '{"did": "left", "person": "nobody"}',
        '{"did": "tableadded", "table": %s}' % ("1" + 400 * "0"),
    ],
    ids=lambda bad: bad[:30],
)  # fmt: skip
def test_an_entry_that_cannot_be_read_keeps_no_hall_from_starting(bad: str, tmp_path: Path) -> None:
    with HallServer(tmp_path) as hall:
        opened(hall.tournament)
        rows = hall.store.read("SELECT number, deed FROM evening_deeds ORDER BY number")
        number = rows[3][0]
        order = "UPDATE evening_deeds SET deed = ? WHERE number = ?"
        hall.store.write(lambda file: file.execute(order, (bad, number)))
    for _ in range(2):
        with HallServer(tmp_path) as hall:
            assert [one.name for one in hall.tournament.now.guests.values()] == [
                "Person 0", "Person 1", "Person 2",
            ]  # fmt: skip
            (kept,) = hall.store.read("SELECT deed FROM evening_deeds_damaged_1 WHERE number = 4")
            assert kept == (bad,)
            assert len(hall.store.read("SELECT 1 FROM evening_deeds_damaged_1")) == len(rows)
    with HallServer(tmp_path) as hall:
        kim = hall.tournament.check_in("Kim")
        first = next(iter(hall.tournament.now.guests))
        hall.tournament.forget(first)
        rest = hall.store.read("SELECT deed FROM evening_deeds_damaged_1")
        assert not any("Person 0" in event for (event,) in rest)
        assert any("Person 1" in event for (event,) in rest)
    with HallServer(tmp_path) as hall:
        assert kim in hall.tournament.now.guests
        hall.tournament.start_anew()
        assert not hall.store.read("SELECT 1 FROM sqlite_master WHERE name GLOB '*damaged*'")
