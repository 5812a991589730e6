"""A hall that runs by itself seats people as they come, and only where a director wants that."""

from pathlib import Path

from companion.hall.server_app import HallServer
from companion.hall.tournament.events import Chosen, Left, Mode, ResultEntered, TableAdded
from companion.hall.tournament.tournament import TournamentMatch


def opened(folder: Path, mode: Mode = Mode.CASUAL) -> HallServer:
    """Return a hall of two tables for three each, where all has been chosen."""
    hall = HallServer(folder)
    for number in ("1", "2"):
        hall.tournament.do(TableAdded(number))
    hall.tournament.do(Chosen("blackmore", mode, 2, 6, 3, 1))
    return hall


def running(hall: HallServer) -> tuple[TournamentMatch, ...]:
    return hall.tournament.now.running


def test_nobody_is_seated_before_a_director_wants_it(tmp_path: Path) -> None:
    with opened(tmp_path) as hall:
        for name in ("Ida", "Ali", "Jo", "Max"):
            hall.tournament.check_in(name)
        assert running(hall) == ()
        hall.walk_up.switch(on=True)
        assert len(running(hall)) == 1
    with HallServer(tmp_path) as again:
        assert again.walk_up.on


def test_a_table_begins_as_soon_as_it_is_full_and_again_when_it_is_free(tmp_path: Path) -> None:
    with opened(tmp_path) as hall:
        hall.walk_up.switch(on=True)
        people = [hall.tournament.check_in(name) for name in ("Ida", "Ali")]
        assert running(hall) == ()
        people.append(hall.tournament.check_in("Jo"))
        (first,) = running(hall)
        assert {*first.players} == {*people}
        later = [hall.tournament.check_in(name) for name in ("Max", "Oma", "Opa", "Zoe")]
        assert len(running(hall)) == 2
        waits = hall.tournament.now.free
        assert waits == (later[-1],)
        hall.tournament.do(Left(people[0]))
        hall.tournament.do(ResultEntered(first.id, ((people[1],), (people[2],), (people[0],))))
        again = running(hall)[-1]
        assert {*again.players} == {*people[1:], later[-1]}


def test_a_round_that_a_director_proposed_is_left_to_the_director(tmp_path: Path) -> None:
    with opened(tmp_path) as hall:
        for name in ("Ida", "Ali", "Jo"):
            hall.tournament.check_in(name)
        hall.tournament.propose()
        hall.walk_up.switch(on=True)
        assert running(hall) == ()


def test_rounds_with_points_wait_for_their_director(tmp_path: Path) -> None:
    with opened(tmp_path, Mode.POINTS) as hall:
        hall.walk_up.switch(on=True)
        for name in ("Ida", "Ali", "Jo", "Max"):
            hall.tournament.check_in(name)
        assert running(hall) == ()
