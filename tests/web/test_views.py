"""Live parts are made once for all who read the same, and only when there is something new."""

import pytest

from companion.maintenance.view import MaintenanceSnapshot
from companion.present.viewer import Viewer
from companion.referee.commands import Command, DoAction
from companion.web.common.live import LiveViews
from companion.web.context import WebContext
from companion.web.pairing import Pairing, PairingPorts
from companion.web.pairing_queue import WINDOW_S
from companion.web.views import TableViews, fragment
from tests.web.room import PIN, FakeRoom, client, phones

RED, WATCHER = ("de", "red"), ("de", "")


class Made:
    """Two views that count how often they are made."""

    def __init__(self) -> None:
        self.room = FakeRoom("red", "blue")
        self.phones = phones(self.room)
        self.made: list[tuple[str, str | None]] = []
        views = {"table": fragment(self._table), "workshop": fragment(self._workshop)}
        self.newest = LiveViews(TableViews(self.phones, views)).newest

    def _table(self, of: WebContext, who: Viewer) -> str:
        self.made.append(("table", who.role))
        return f"<p>{of.room.snapshot.version}</p>"

    def _workshop(self, of: WebContext, who: Viewer) -> str:
        self.made.append(("workshop", who.role))
        return f"<p>{of.room.workshop.serial}</p>"


@pytest.fixture
def made() -> Made:
    return Made()


def test_whoever_reads_the_same_gets_what_was_made_once(made: Made) -> None:
    sent = [made.newest(("table", *RED)) for _ in range(48)]
    assert {one.text for one in sent} == {'{"html": "<p>0</p>"}'}
    made.newest(("table", *WATCHER))
    assert made.made == [("table", "red"), ("table", None)]


def test_a_change_of_the_table_is_shown_at_once(made: Made) -> None:
    before = made.newest(("table", *RED))
    made.room.ask(Command("p1", DoAction("roll 7"), "red"))
    after = made.newest(("table", *RED))
    assert after.text == '{"html": "<p>1</p>"}'
    assert after.mark != before.mark


def test_a_busy_workshop_does_not_make_the_table_again(made: Made) -> None:
    for serial in range(5):
        made.room.workshop = MaintenanceSnapshot(serial)
        made.room.stir()
        made.newest(("table", *RED))
        assert made.newest(("workshop", *RED)).text == f'{{"html": "<p>{serial}</p>"}}'
    assert made.made.count(("table", "red")) == 1
    assert made.made.count(("workshop", "red")) == 5


def test_only_live_parts_can_be_followed() -> None:
    phone = client(FakeRoom("red", "blue"))
    for view in ("nowhere", "snapshot", "static"):
        assert phone.get(f"/api/view/{view}").status_code == 404
    events = {"Accept": "text/event-stream"}
    assert phone.get("/api/stream?view=nowhere", headers=events).status_code == 404
    seen = phone.get("/api/view/table")
    again = phone.get("/api/view/table", headers={"If-None-Match": seen.headers["ETag"]})
    assert (seen.status_code, again.status_code, again.data) == (200, 304, b"")


def test_the_table_sees_that_a_phone_asks_for_a_seat_until_it_does_no_more() -> None:
    now_s = [0.0]
    whole = phones(FakeRoom("red", "blue"), pairing=Pairing(pin=PIN, clock_s=lambda: now_s[0]))
    watching = client(whole)
    before = watching.get("/api/view/table")
    assert client(whole).post("/api/pair", json={"seat": "red"}).status_code == 200
    asked = watching.get("/api/view/table", headers={"If-None-Match": before.headers["ETag"]})
    assert "asked-for-red" in asked.text
    assert "asked-for-blue" not in asked.text
    now_s[0] = WINDOW_S
    assert "asked-for-red" not in watching.get("/api/view/table").text


def test_a_phone_that_asks_and_one_that_is_let_in_are_news() -> None:
    rung: list[str] = []
    ports = PairingPorts(changed=lambda: rung.append(",".join(pairing.asked)))
    pairing = Pairing(pin=PIN, ports=ports)
    pairing.ask("192.168.7.9", "red", None)
    assert not pairing.held("blue")
    assert pairing.held("red")
    assert rung == ["red", ""]
