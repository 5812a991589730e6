"""However many come: people, screens, and names of views that a stranger makes up."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.hall import screens
from companion.hall.accounts import Visitor
from companion.hall.screens import MOST, SILENT_S, Screens
from companion.hall.server_app import HallServer
from companion.hall.store import Store
from companion.hall.tournament import refusals
from companion.hall.tournament.events import Begun, Chosen, Mode, ResultEntered, TableAdded
from companion.hall.tournament_page import NEWCOMERS
from companion.present.icons import SHAPES
from companion.present.viewer import Viewer
from companion.referee.people.person import Animal
from companion.system.errors import CompanionError
from companion.web.common.rate_limit import ADDRESSES, RateLimit
from tests.hall.test_server_app import HERE, Watcher, asked

JSON = "application/json"


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallServer]:
    with HallServer(tmp_path) as hall:
        hall.tables.get_or_add("attic")
        hall.serve(0, HERE)
        yield hall


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def cookie(headers: str) -> str:
    found = re.match("[^;]+", headers)
    assert found
    return found[0]


# --- names that strangers make up ---------------------------------------------------------------

NINES = "9" * 5_000  # Python refuses to read so long a number


@pytest.mark.parametrize(
    "path",
    [
        "/tables/2",
        "/tables/01",
        "/tables/٣",
        "/api/view/table-2",
        "/api/view/table-",
        "/api/view/hall-1",
        "/api/view/hall-",
        "/api/view/evening-7",
        "/api/view/screen-x",
        pytest.param(f"/tables/{NINES}", id="/tables/9..."),
        pytest.param(f"/api/view/table-{NINES}", id="/api/view/table-9..."),
        pytest.param(f"/api/view/screen-{NINES}", id="/api/view/screen-9..."),
    ],
)
def test_what_is_not_there_is_not_found(hall: HallServer, path: str) -> None:
    path = path.replace("٣", "%D9%A3")
    assert asked(hall, "GET", path)[0].status == 404


def test_what_is_there_is_found(hall: HallServer) -> None:
    for path in ("/tables/1", "/api/view/table-1", "/api/view/hall", "/api/view/screen-7"):
        assert asked(hall, "GET", path)[0].status == 200


def test_a_screen_of_odd_numbers_shows_the_tables_that_there_are(hall: HallServer) -> None:
    shown = hall.pictures["table"].make(hall, Visitor(Viewer()), f"{NINES} 1 ٣ x")
    assert shown.count("<article") == 1
    assert "wall-table-1" in shown


# --- screens ------------------------------------------------------------------------------------


def full(store: Store, clock: Clock) -> Screens:
    """Return as many screens as there may be; the first two show something."""
    found = Screens(store, lambda _: None, clock)
    for _ in range(MOST):
        found.open()
    for one in [*found][:2]:
        found.show(one.id, "hall")
    return found


def test_a_screen_that_shows_something_or_is_looked_at_makes_room_for_nobody() -> None:
    clock, store = Clock(), Store(None, screens.SCHEMA)
    found = full(store, clock)
    with pytest.raises(CompanionError):
        found.open()
    clock.now_s += SILENT_S
    first, second, third, fourth, fifth, *_ = [one.id for one in found]
    assert found.seen(str(third))
    found.open({fourth})
    left = {one.id for one in found}
    assert (left & {first, second, third, fourth, fifth}) == {first, second, third, fourth}
    assert len(left) == MOST
    again = Screens(store, lambda _: None, clock)
    assert {one.id for one in again} == left
    with pytest.raises(CompanionError):  # after a start nobody has been silent for long yet
        again.open()
    again.remove(first)
    assert again.open()
    store.close()


def test_a_browser_is_one_screen_and_can_be_none_again(hall: HallServer) -> None:
    opened, _ = asked(hall, "POST", "/screen")
    mine = cookie(opened.headers["Set-Cookie"])
    asked(hall, "POST", "/screen", Cookie=mine)
    (one,) = hall.screens
    director = f"rappelwacht-hall={hall.accounts.sign_in('director')}"
    hall.screens.show(one.id, "hall")
    assert one.code in asked(hall, "GET", "/screens", Cookie=director)[1]
    wall = Watcher(hall, f"screen-{one.id}")
    wall.until(b"}\n\n")
    removed, _ = asked(hall, "POST", "/screens", f"code={one.code}&remove=", Cookie=director)
    assert (removed.status, [*hall.screens]) == (303, [])
    wall.until(b"The director has removed this screen.")
    assert "Use this as a screen" in asked(hall, "GET", "/screen", Cookie=mine)[1]


def test_one_address_opens_a_few_screens_at_once(hall: HallServer) -> None:
    found = [asked(hall, "POST", "/screen")[0].status for _ in range(9)]
    assert found == [303] * 8 + [429]


# --- people -------------------------------------------------------------------------------------


def checks_in(hall: HallServer, name: str, **headers: str) -> tuple[int, str, str]:
    """Return the answer's status, its sentence, and what the phone keeps."""
    said = json.dumps({"name": name, "animal": "owl"})
    answer, told = asked(hall, "POST", "/api/check-in", said, Content_Type=JSON, **headers)
    sentence = json.loads(told).get("error", {}).get("sentence", "")
    return answer.status, sentence, answer.headers.get("Set-Cookie", "")


def test_a_phone_checks_one_person_in(hall: HallServer) -> None:
    status, _, kept = checks_in(hall, "Ada")
    assert status == 200
    status, sentence, _ = checks_in(hall, "Eve", Cookie=cookie(kept))
    assert (status, sentence.split()[0]) == (409, "Ada")
    director = f"rappelwacht-hall={hall.accounts.sign_in('director')}"
    status, _, kept = checks_in(hall, "Eve", Cookie=director)
    assert (status, kept) == (409, "")
    assert len(hall.tournament.now.guests) == 1


def test_one_address_lets_many_in_but_not_any_number(hall: HallServer) -> None:
    most, _ = NEWCOMERS
    for count in range(most):
        assert checks_in(hall, f"P{count}")[0] == 200
    assert checks_in(hall, "Late")[0] == 429
    hall.tournament.check_in("Late")  # the director may


def test_an_tournament_takes_no_more_people_than_can_be_seated(
    hall: HallServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "GUESTS", 2)
    hall.tournament.check_in("One")
    hall.tournament.check_in("Two")
    with pytest.raises(CompanionError, match="2 "):
        hall.tournament.check_in("Three")


def test_a_page_with_many_faces_draws_each_animal_once(hall: HallServer) -> None:
    for count in range(33):
        hall.tournament.check_in(f"Person {count}")
    for number in range(8):
        hall.tournament.do(TableAdded(str(number + 1)))
    hall.tournament.do(Chosen("zapp-zerapp", Mode.POINTS, 2, 4, 4))
    for _ in range(3):
        hall.tournament.propose()
        for match in hall.tournament.do(Begun()).running:
            hall.tournament.do(ResultEntered(match.id, tuple((one,) for one in match.players)))
    director = f"rappelwacht-hall={hall.accounts.sign_in('director')}"
    for path in ("/director", "/evening"):
        page = asked(hall, "GET", path, Cookie=director)[1]
        assert page.count(SHAPES[Animal.OWL]) == 1
        assert page.count('href="#animal-owl"') > 1
        assert len(page) < 80_000


def test_a_pace_takes_some_at_once_and_then_one_in_a_while() -> None:
    clock = Clock()
    pace = RateLimit(3, 10.0, clock)
    assert [pace.rest_s("192.168.7.5") for _ in range(4)] == [0, 0, 0, 10]
    assert pace.rest_s("192.168.7.6") == 0
    clock.now_s += 10
    assert [pace.rest_s("192.168.7.5") for _ in range(2)] == [0, 10]
    assert pace.rest_s("2001:db8::1") == pace.rest_s("2001:db8::2") == pace.rest_s("2001:db8::3")
    assert pace.rest_s("2001:db8::4") > 0  # they are one neighbourhood
    for count in range(ADDRESSES + 9):
        pace.rest_s(f"10.1.{count // 250}.{count % 250}")
    assert [pace.rest_s("10.9.9.1") for _ in range(2)] == [10, 10]  # they share what is left
    clock.now_s += 1_000
    assert pace.rest_s("10.9.9.1") == 0
