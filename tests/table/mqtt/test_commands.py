"""A hall may propose the next match, and nothing else: people at the table decide."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.core.codec import pack
from companion.games.trap_the_wizard.rules import Settings
from companion.mqtt import payloads, topics
from companion.mqtt.client import Publication
from companion.mqtt.payloads import CommandAnswer, HallCommand, HallProposal, Seated
from companion.mqtt.signing import RefusalReason, signed, signing_key
from companion.mqtt.topics import TopicKind
from companion.referee.commands import Accept, Decline
from companion.referee.snapshot import ProposalVerdict
from companion.table.outputs.mqtt_commands import WAITING
from tests.mqtt.broker import Broker, Listener, wait_until
from tests.mqtt.folding import Fold
from tests.table.mqtt.telling import GAME, Telling
from tests.web.room import client, phones

KEY = signing_key("a secret")
PLACE, ANSWERS = topics.topic("attic", TopicKind.COMMAND), topics.topic("attic", TopicKind.ANSWER)
WISH = HallProposal(
    GAME, pack(Settings()) | {"seats": ["red", "green"]}, (Seated("red", "Ada"), Seated("x", "y"))
)


class Desk:
    """A director and a table that joined."""

    def __init__(self, broker: Broker) -> None:
        self.table = Telling(broker.of("attic"), key=KEY)
        self._asked = 0
        self.hall = Listener(broker.of("hall"), ANSWERS)
        self.hall.__enter__()
        wait_until(lambda: self.table.hall.client.connected)

    def command(self, request: str = "r1", **of: Any) -> HallCommand:
        now_ms = time.time_ns() // 1_000_000
        return signed(replace(HallCommand(request, "attic", "Grace", now_ms, WISH), **of), KEY)

    def asks(
        self, command: HallCommand | bytes, *, retain: bool = False, where: str = ANSWERS
    ) -> Any:
        """Send a command; return the answer's code, None if it is shown to people."""
        self._asked += 1
        mark = b"c%d" % self._asked
        data = command if isinstance(command, bytes) else payloads.write(command)
        self.hall.says(Publication(PLACE, data, retain, 5, where, mark))
        wait_until(lambda: mark in {one.correlation for one in self.hall.heard})
        (heard,) = (one for one in self.hall.heard if one.correlation == mark)
        answer = payloads.read(CommandAnswer, heard.data)
        assert abs(answer.at_ms - time.time() * 1000) < 5_000
        return answer.refused

    def close(self) -> None:
        self.table.hall.close()
        self.hall.client.close()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with Broker(tmp_path) as found:
        yield found


@pytest.fixture
def desk(broker: Broker) -> Iterator[Desk]:
    found = Desk(broker)
    yield found
    found.close()


def test_people_are_asked_see_who_asks_and_play_if_they_like(broker: Broker, desk: Desk) -> None:
    fold = Fold(broker.of("hall"), "attic").wait()
    room = desk.table.room
    assert desk.asks(desk.command()) is None
    phone = client(phones(room), "table")
    page = phone.get("/").get_data(as_text=True)
    assert "Grace, " in page
    fold.until(lambda: fold.states[-1].proposal == payloads.ProposalState("r1", "open"))
    assert room.wish(Accept("other")).refused is not None
    assert room.wish(Accept("r1")).refused is None
    room.stir()
    assert room.now.match is not None
    assert [one.colour for one in room.now.seats] == ["red", "green"]
    fold.until(lambda: fold.states[-1].proposal == payloads.ProposalState("r1", "accepted"))
    wait_until(lambda: desk.table.sat)
    assert desk.table.sat == [("red", "Ada")]
    assert "Grace, " not in phone.get("/").get_data(as_text=True)
    assert desk.asks(desk.command("r2")) == RefusalReason.PLAYING.name
    fold.close()


def test_people_may_refuse_or_play_something_else(desk: Desk) -> None:
    room = desk.table.room
    assert desk.asks(desk.command()) is None
    assert room.wish(Decline("r1")).refused is None
    assert room.now.proposal is not None
    assert room.now.proposal.verdict is ProposalVerdict.REFUSED
    assert room.wish(Accept("r1")).refused is not None
    assert desk.asks(desk.command("r2")) is None
    desk.table.begins()
    assert room.now.proposal.verdict is ProposalVerdict.REFUSED
    assert desk.table.sat == []


def test_retained_late_replayed_forged_and_foreign_commands_are_refused(desk: Desk) -> None:
    now_ms = time.time_ns() // 1_000_000
    good = desk.command()
    refused = [
        desk.asks(desk.command("late", at_ms=now_ms - 60_000)),
        desk.asks(desk.command("early", at_ms=now_ms + 60_000)),
        desk.asks(replace(good, by="Somebody else")),
        desk.asks(signed(good, signing_key("another"))),
        desk.asks(desk.command("foreign", table="cellar")),
        desk.asks(desk.command("elsewhere"), where="rappelwacht/1/cellar/state"),
        desk.asks(b'{"wish": "GiveUp"}'),
        desk.asks(b"\xff"),
        desk.asks(desk.command("stale", match="m7", version=3)),
        desk.asks(desk.command("game", wish=replace(WISH, game="chess"))),
        desk.asks(desk.command("seats", wish=replace(WISH, settings={"seats": ["red"]}))),
    ]
    assert desk.table.room.now.proposal is None
    assert desk.asks(good) is None
    refused.append(desk.asks(good))
    assert refused == [
        *("LATE", "LATE", "FORGED", "FORGED", "FOREIGN", "NO_ANSWER", "UNREADABLE", "UNREADABLE"),
        *("STALE", "NO_SUCH_MATCH", "NO_SUCH_MATCH", "REPEATED"),
    ]


def test_a_command_that_the_broker_keeps_is_refused(broker: Broker) -> None:
    with Listener(broker.of("hall"), ANSWERS) as hall:
        now_ms = time.time_ns() // 1_000_000
        data = payloads.write(signed(HallCommand("r1", "attic", "Grace", now_ms, WISH), KEY))
        hall.says(Publication(PLACE, data, retain=True, response=ANSWERS))
        hall.settle()
        with Telling(broker.of("attic"), key=KEY) as table:
            wait_until(lambda: hall.heard)
            assert payloads.read(CommandAnswer, hall.heard[0].data).refused == "RETAINED"
            assert table.room.now.proposal is None


def test_a_flood_is_cut_off_and_the_table_goes_on(desk: Desk) -> None:
    for number in range(10 * WAITING):
        desk.hall.says(Publication(PLACE, b"flood %d" % number, response=ANSWERS))
    wait_until(lambda: desk.hall.heard)
    assert desk.asks(desk.command()) is None


def test_without_a_key_nobody_is_obeyed(broker: Broker) -> None:
    with Telling(broker.of("attic")) as table, Listener(broker.of("hall"), ANSWERS) as hall:
        now_ms = time.time_ns() // 1_000_000
        wait_until(lambda: table.hall.client.connected)
        data = payloads.write(signed(HallCommand("r1", "attic", "Grace", now_ms, WISH), b""))
        hall.says(Publication(PLACE, data, response=ANSWERS))
        time.sleep(0.3)
        assert hall.heard == []
        assert table.room.now.proposal is None
