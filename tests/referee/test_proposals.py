"""What a hall proposes is decided at the table: by phones, by the API, or by a seat's button."""

import pytest

from companion.core.codec import pack
from companion.games.trap_the_wizard.rules import Settings
from companion.mqtt.client import ConnectionStatus
from companion.present.api_snapshot import snapshot_record
from companion.present.lights.legend import FAULT
from companion.present.lights.scenes import meanings
from companion.present.to_json import plain
from companion.present.viewer import Viewer
from companion.referee.commands import Accept, Decline, GiveUp, NewMatch, Undo
from companion.referee.events import HouseRules
from companion.referee.snapshot import Proposal, ProposalVerdict, ProposeMatch
from companion.system.errors import Stale
from companion.system.status import Condition
from tests.referee.tables import Round
from tests.web.room import FakeRoom, client, phones

GAME = "trap-the-wizard"
SETTINGS = pack(Settings()) | {"seats": ["red", "green"]}
OFFER = Proposal("p1", "Grace", NewMatch(GAME, SETTINGS, HouseRules()), (("red", "Ada"),))


def asked(table: Round) -> Round:
    assert table.wish(ProposeMatch(OFFER), "hall").refused is None
    return table


def over(*seats: str) -> Round:
    """Return a table whose match was given up."""
    table = Round(*seats)
    table.wish(GiveUp())
    return table


def verdict(table: Round) -> ProposalVerdict | None:
    return None if table.now.proposal is None else table.now.proposal.verdict


def lit(table: Round, seat: str) -> object:
    (one,) = [one for one in table.now.seats if one.colour == seat]
    return None if one.lit is None else one.offers[one.lit].wish


@pytest.mark.parametrize("before", [(), ("red", "blue")])
@pytest.mark.parametrize("presses", [1, 2])
def test_by_a_button_either_answer_is_confirmed(before: tuple[str, ...], presses: int) -> None:
    table = asked(over(*before) if before else FakeRoom())
    table.press("red", long=True)  # what was not brought up is only brought up
    assert verdict(table) is ProposalVerdict.OPEN
    for _ in range(presses - 1):
        table.press("red")
    assert lit(table, "red") == (Accept("p1") if presses == 1 else Decline("p1"))
    table.press("red", long=True)
    if presses == 1:
        assert verdict(table) is ProposalVerdict.ACCEPTED
        assert (table.now.game, table.now.over) == (GAME, False)
    else:
        assert verdict(table) is ProposalVerdict.REFUSED
        assert table.now.over is bool(before)
        table.press("red")
        assert not before or lit(table, "red") not in [Accept("p1"), Decline("p1")]


def test_what_was_brought_up_before_is_not_confirmed_as_something_else() -> None:
    table = over("red", "blue")
    table.press("red")  # another match
    asked(table)
    table.press("red", long=True)
    assert verdict(table) is ProposalVerdict.OPEN
    assert table.now.over


def test_a_match_that_was_taken_up_again_is_not_ended_by_what_was_proposed() -> None:
    table = asked(over("red", "blue"))
    assert table.wish(Undo()).refused is None
    assert not table.now.over
    assert isinstance(table.wish(Accept("p1")).refused, Stale)
    assert Accept("p1") not in [offer.wish for seat in table.now.seats for offer in seat.offers]


def test_the_api_tells_what_is_proposed_and_takes_the_answer() -> None:
    room = FakeRoom()
    asked(room)
    phone = client(phones(room), "table")
    said = phone.get("/api/snapshot").get_json()["proposal"]
    assert said == {
        "request": "p1",
        "by": "Grace",
        "game": GAME,
        "settings": SETTINGS,
        "names": [{"seat": "red", "name": "Ada"}],
        "verdict": "open",
    }
    watching = client(phones(room))
    for who, status in ((watching, 403), (phone, 200)):
        wish = {"kind": "accept", "request": "p1"}
        answer = who.post("/api/commands", json={"request": "r9", "wish": wish})
        assert answer.status_code == status, answer.get_json()
    assert room.now.game == GAME
    assert phone.get("/api/snapshot").get_json()["proposal"]["verdict"] == "accepted"
    assert plain(snapshot_record(FakeRoom().now, Viewer()), Viewer())["proposal"] is None


def test_a_hall_that_is_not_there_is_told_in_words_and_by_no_light() -> None:
    table = Round("red", "blue")
    table.referee.handle_conditions(
        (Condition(ConnectionStatus.UNREACHABLE, 0, {"host": "h", "port": 1}),), 0
    )
    assert table.now.troubles
    assert FAULT not in list(meanings(table.now))
