"""A seat far away and the hands that shake for it: what each phone shows, and what it may say."""

import re
from pathlib import Path

import pytest

from companion.referee.commands import Call, Command, DoAction, NewMatch
from companion.referee.events import HouseRules
from companion.sensing.events import BarrelMotion, BarrelMoved
from companion.system.config import TableWiring
from companion.table.table import Table
from companion.table.table_config import Pages, TableConfig
from companion.web.context import WebContext
from tests.referee.tables import NOW
from tests.web.playing import do, table
from tests.web.room import FakeRoom, app, client, phones

FAR, HANDS = "blue", "red"


@pytest.fixture
def whole() -> WebContext:
    made = phones(table())
    made.people.lend_hands(FAR, HANDS)
    assert isinstance(made.room, FakeRoom)
    do(made.room, "roll 9")
    return made


def ear(whole: WebContext, role: str | None) -> str:
    """Return what a phone shows of it, in words."""
    html = client(whole, role).get("/").text
    _, _, card = html.partition('id="ear-')
    return " ".join(
        re.sub(r"<[^>]*>", " ", card.partition("</section>")[0].partition(">")[2]).split()
    )


def test_each_phone_shows_what_concerns_it(whole: WebContext) -> None:
    assert "Red shakes for you. Listen on the telephone. Keep it Put it back" in ear(whole, FAR)
    assert "You shake for Blue, too" in ear(whole, HANDS)
    assert "A foul counts against you." in ear(whole, HANDS)
    assert "Red shakes for Blue, too" in ear(whole, "table")
    assert [ear(whole, role) for role in ("green", None)] == ["", ""]


def test_what_the_ear_says_is_told_to_the_hands_until_the_barrel_stands(whole: WebContext) -> None:
    far, room = client(whole, FAR), whole.room
    assert isinstance(room, FakeRoom)
    for word, said in (("back", "Blue says: put it back"), ("keep", "Blue says: keep it.")):
        assert far.post("/api/people/ear", json={"seat": FAR, "word": word}).status_code == 200
        assert said in ear(whole, HANDS)
        assert "The table knows." in ear(whole, FAR)
    do(room, "place blue")
    assert [ear(whole, role) for role in (FAR, HANDS, "table")] == [""] * 3
    refused = far.post("/api/people/ear", json={"seat": FAR, "word": "keep"})
    assert refused.status_code == 409
    assert "Nobody shakes" in refused.text
    do(room, "place red", "place green", "place yellow", "flip")
    do(room, "say red 13", "say green 12", "say blue 11", "say yellow 10", "roll 9")
    assert "Listen on the telephone" in ear(whole, FAR)  # another round
    assert "The table knows." not in ear(whole, FAR)


def test_nobody_else_names_hands_or_speaks_for_an_ear(whole: WebContext) -> None:
    served = app(whole)
    for role in ("red", None):
        other = client(served, role)
        for path, body in (("ear", {"word": "keep"}), ("hands", {"hands": "green"})):
            assert other.post(f"/api/people/{path}", json={"seat": FAR, **body}).status_code == 403
    far = client(served, FAR)
    for path, body in (
        ("ear", {"word": "peek"}),
        ("ear", {}),
        ("hands", {"hands": "cellar"}),
        ("hands", {"hands": "red", "word": "keep"}),
    ):
        assert far.post(f"/api/people/{path}", json={"seat": FAR, **body}).status_code == 400
    assert whole.people.now.hands == ((FAR, HANDS),)


def test_hands_are_named_beside_the_name_and_given_back(whole: WebContext) -> None:
    far = client(whole, FAR)
    assert '<option value="red" selected>' in far.get("/people").text
    assert far.post("/api/people/hands", json={"seat": FAR, "hands": FAR}).status_code == 200
    assert ear(whole, FAR) == ear(whole, HANDS) == ""
    assert far.post("/api/people/ear", json={"seat": FAR, "word": "keep"}).status_code == 409


def test_hands_of_somebody_who_does_not_play(whole: WebContext) -> None:
    whole.people.lend_hands(FAR, "others")
    assert "Somebody at the table shakes for you." in ear(whole, FAR)
    assert "hold the barrel to the telephone" in ear(whole, "table")
    assert ear(whole, HANDS) == ""


def test_what_barrels_do_changes_no_page_of_an_ear(whole: WebContext) -> None:
    """Not even in coarse steps: what stones sound like is heard on the telephone."""
    room = whole.room
    assert isinstance(room, FakeRoom)
    before = [client(whole, role).get("/").text for role in (FAR, HANDS)]
    for doing in (BarrelMotion.LIFTED, BarrelMotion.SHAKEN, BarrelMotion.TILTED):
        room.tell(BarrelMoved(7, doing, NOW, sure=True))
        assert [client(whole, role).get("/").text for role in (FAR, HANDS)] == before


def test_the_referee_of_a_table_asks_who_shakes(tmp_path: Path) -> None:
    plan = TableConfig(TableWiring(), tmp_path, pages=Pages(0))
    with Table(plan) as real:
        agreed = NewMatch("zapp-zerapp", {}, HouseRules())
        for wish in (agreed, DoAction("roll 9"), Call("peek", FAR)):
            real.people.lend_hands(FAR, HANDS)
            answer = real.ask(Command(repr(wish), wish, HANDS))
            assert answer is not None
            assert answer.refused is None
        assert real.snapshot.fouls[0].seat == HANDS
