"""A hall and its tables need not be of one version: what is not known is left unread, or told."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import __version__
from companion.cli import doctor
from companion.hall.server_app import HallServer, create_app
from companion.hall.table_parts import update
from companion.mqtt import payloads, topics
from companion.mqtt.client import ConnectionStatus, Publication
from companion.mqtt.payloads import Events, HallProposal, Have, Online, TableState
from companion.mqtt.topics import PROTOCOL, TopicKind
from companion.present.mqtt_state import entry_from_line
from companion.system.errors import CompanionError
from companion.table.outputs import mqtt
from tests.hall.tables import had
from tests.mqtt.broker import Broker, Listener, wait_until
from tests.table.mqtt.telling import Telling

OLDER = Path(__file__).with_name("older_table.json")  # all that a table of 0.1.0 said of a match
NEWS = {"news": {"that": ["nobody", {"knows": 1}]}}


class Other:
    """A table of another version: it says what was recorded, as its hall wants it."""

    def __init__(self, broker: Broker, hall: HallServer, **online: Any) -> None:
        self.said = json.loads(OLDER.read_text("utf-8"))
        self._hall, self._online = hall, online
        self.listener = Listener(
            broker.of("attic"), topics.topic("attic", TopicKind.HAVE), name="attic"
        )

    def says(self) -> None:
        """Say all of it, but that the table is gone."""
        for one in self.said[:-1]:
            kind = TopicKind(one["kind"])
            parts = one["said"]
            parts |= {"hall": self._hall.replica.hall} if kind is TopicKind.EVENTS else {}
            parts |= self._online if kind is TopicKind.ONLINE else {}
            data = json.dumps(parts).encode()
            self.listener.says(
                Publication(topics.topic("attic", kind), data, kind is not TopicKind.EVENTS)
            )

    def entries(self) -> list[Any]:
        """Return what is in its journal."""
        batches = [one["said"] for one in self.said if one["kind"] == "events"]
        read = [payloads.read(Events, json.dumps(one).encode()) for one in batches]
        return [entry_from_line(one.match, event) for one in read for event in one.deeds]

    def haves(self) -> list[dict[str, Any]]:
        return [json.loads(one.data) for one in self.listener.heard]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with Broker(tmp_path) as broker:
        yield broker


@pytest.fixture
def hall(tmp_path: Path, broker: Broker) -> Iterator[HallServer]:
    with HallServer(tmp_path / "hall") as hall:
        hall.join_table("attic", "a secret")
        hall.follow(broker.of("hall"))
        wait_until(lambda: hall.link_is_up)
        yield hall


def page(hall: HallServer, path: str) -> str:
    """Return a page as the director sees it, in English."""
    app = create_app(hall, hall.views).test_client()
    app.set_cookie("rappelwacht-hall", hall.accounts.sign_in("director"))
    return app.get(path, headers={"Accept-Language": "en"}).text


def test_a_hall_understands_a_table_that_is_older(broker: Broker, hall: HallServer) -> None:
    older = Other(broker, hall)
    with older.listener:
        older.says()
        wait_until(lambda: had(hall, "attic") == older.entries() != [])
        table = hall.tables.named("attic")
        assert table is not None
        assert table.snapshot is not None
        assert table.snapshot.over
        assert not table.refused
        assert update(table) is None
        wait_until(lambda: older.haves()[-1:] and older.haves()[-1]["next"] == len(older.entries()))
    known = {"hall", "match", "next", "seal", "refused"}  # it took no other part
    assert {*map(frozenset, older.haves())} == {frozenset(known)}


def more(data: Any) -> Any:
    """Return the same as a newer table says it: with parts that nobody knows, everywhere."""
    if isinstance(data, dict):
        return {name: more(one) for name, one in data.items()} | NEWS
    return [more(one) for one in data] if isinstance(data, list) else data


def test_a_hall_leaves_unread_what_newer_tables_add(broker: Broker, hall: HallServer) -> None:
    newer = Other(broker, hall, protocol="1.97", program="0.9.0")
    for one in newer.said:
        events = one["said"].get("deeds", [])  # what happened is kept as it was said
        one["said"] = more(one["said"] | {"deeds": []}) | {"deeds": events}
    with newer.listener:
        newer.says()
        wait_until(lambda: had(hall, "attic") == newer.entries() != [])
        table = hall.tables.named("attic")
        assert table is not None
        assert table.snapshot is not None
        assert table.snapshot.outcome is not None
        assert update(table) is None
        wait_until(lambda: newer.haves()[-1].get("protocol") == PROTOCOL)


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("97.0.0", f"97.0.0 is newer than the hall&#39;s {__version__}"),
        ("0.0.1", f"0.0.1 is older than the hall&#39;s {__version__}"),
    ],
)
def test_what_cannot_be_understood_is_told_with_what_to_do(
    broker: Broker, hall: HallServer, program: str, told: str
) -> None:
    other = Other(broker, hall, protocol="2.0", program=program)
    with other.listener:
        other.says()
        wait_until(lambda: other.haves()[-1:] and other.haves()[-1].get("protocol") == PROTOCOL)
        wait_until(lambda: (one := hall.tables.named("attic")) and one.online.online and one.unread)
        assert had(hall, "attic") == []
        for path in ("/joining", "/tables/1"):
            assert told in page(hall, path)
            assert "sudo ./run install" in page(hall, path)
        assert "another version" in page(hall, "/")
        assert hall.link is not None
        with pytest.raises(CompanionError):
            hall.link.propose("attic", HallProposal("blackmore", {}), "hall")


def test_a_state_that_cannot_be_read_is_told_until_it_can(broker: Broker, hall: HallServer) -> None:
    other = Other(broker, hall)
    with other.listener:
        place = topics.topic("attic", TopicKind.STATE)
        other.listener.says(Publication(place, b'{"at_ms": "noon"}', True))
        wait_until(lambda: (one := hall.tables.named("attic")) and one.unread)
        assert "run the same version" in page(hall, "/joining")
        other.says()
        wait_until(lambda: (one := hall.tables.named("attic")) and not one.unread)
        assert "run the same version" not in page(hall, "/joining")


def test_a_table_tells_of_a_hall_that_is_of_another_version(broker: Broker) -> None:
    place = topics.topic("attic", TopicKind.HAVE)

    def says(ear: Listener, have: Any) -> None:
        ear.says(Publication(place, json.dumps(have).encode(), retain=True))

    with Listener(broker.of("hall"), "rappelwacht/1/attic/+", name="ear") as ear:
        says(ear, {"hall": 7, "protocol": "2.0"})
        table = Telling(broker.of("attic"))
        client = table.hall.client
        try:
            wait_until(lambda: client.reach is ConnectionStatus.OTHER_VERSION)
            table.begins()
            time.sleep(0.5)
            assert not ear.of(topics.topic("attic", TopicKind.EVENTS))
            *_, found = doctor.judge(broker.of("attic"))
            assert (found.check, found.condition.state) == (
                "hall-version",
                ConnectionStatus.OTHER_VERSION,
            )
            assert "sudo ./run install" in str(found.condition)
            looking = mqtt.HallConnection(lambda _: None, lambda: 0)
            looking.set_broker(broker.of("attic"))
            looking.check(client)
            assert looking.condition.state is ConnectionStatus.LOOKING  # that may pass
            says(ear, {"hall": "h", "match": None, "next": 0, "seal": 0} | NEWS)
            wait_until(lambda: ear.of(topics.topic("attic", TopicKind.EVENTS)))
            assert client.reach is ConnectionStatus.JOINED
        finally:
            table.hall.close()
    online = [
        payloads.read(Online, one.data) for one in ear.of(topics.topic("attic", TopicKind.ONLINE))
    ]
    assert {one.protocol for one in online} == {PROTOCOL}
    states = [
        payloads.read(TableState, one.data)
        for one in ear.of(topics.topic("attic", TopicKind.STATE))
    ]
    assert states
    assert payloads.read(Have, b'{"hall": "h", "match": null}').protocol == ""
