"""Who may write and read what, at a real broker with the files that the product writes for it."""

import time
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from threading import Event

import pytest

from companion.mqtt import accounts, client, topics
from companion.mqtt.client import Publication
from companion.mqtt.topics import TopicKind
from tests.mqtt.broker import LOOPBACK, UP_S, Broker, Listener, wait_until

TABLES = ("attic", "cellar")
WHO = ("hall", "home", *TABLES)
CONFIG = "homeassistant/device/rappelwacht-attic/config"
BIRTH = "homeassistant/status"
ELSEWHERE = (
    *("rappelwacht/1/attic", "rappelwacht/1/attic/state/x", "rappelwacht/2/attic/state", "x"),
    *("rappelwacht/1/hall/have", "rappelwacht/1/attic/config"),
    *(CONFIG, BIRTH, "homeassistant/device/rappelwacht-attic/set"),
    *("homeassistant/sensor/attic/config", "homeassistant/device/other/config"),
)
# what else a reader may try: everything but $, what is said of the broker, and to share a filter
FILTERS = ("#", "$SYS/#", "$share/g/rappelwacht/1/+/events", "$share/g/rappelwacht/1/+/command")
OPEN = {TopicKind.ONLINE, TopicKind.STATE}
BY_TABLES = {TopicKind.ONLINE, TopicKind.STATE, TopicKind.EVENTS, TopicKind.ANSWER}


def may_write(who: str, topic: str) -> bool:
    place = topics.read(topic)
    if place is None:
        return (who, topic) in {("attic", CONFIG), ("home", BIRTH)}
    if who == "hall":
        return place.kind not in BY_TABLES
    return who == place.table and place.kind in BY_TABLES


def may_read(who: str, topic: str) -> bool:
    place = topics.read(topic)
    if place is None:
        return (topic == CONFIG and who == "home") or (topic == BIRTH and who in {"home", *TABLES})
    if place.kind in OPEN:
        return who not in TABLES
    if place.kind in BY_TABLES:
        return who == "hall"
    return who in {"hall", place.table}


@pytest.mark.parametrize("kept", [False, True], ids=["at once", "kept"])
def test_each_account_writes_and_reads_nothing_but_its_own(tmp_path: Path, kept: bool) -> None:
    """What is kept, whoever comes late may hear: no more than whoever was there."""
    places = [topics.topic(*one) for one in product(TABLES, TopicKind)] + [*ELSEWHERE]
    with ExitStack() as life:
        broker = life.enter_context(Broker(tmp_path, TABLES))

        def ears(name: str, *filters: str) -> dict[str, Listener]:
            def come(who: str) -> Listener:
                ear = Listener(broker.of(who), *filters, name=f"{name}-{who}")
                return life.enter_context(ear)

            return {who: come(who) for who in WHO}

        listening = {} if kept else ears("ear", *FILTERS)
        for who, mouth in ears("mouth").items():
            for place in places:
                mouth.says(Publication(place, f"{who} {place}".encode(), retain=kept))
            wait_until(lambda mouth=mouth: not mouth.client.under_way)  # type: ignore[misc]
        listening = listening or ears("ear", *FILTERS)
        expected = {
            (reader, f"{writer} {place}")
            for reader, writer, place in product(WHO, WHO, places)
            if may_write(writer, place) and may_read(reader, place)
        }

        def heard() -> set[tuple[str, str]]:
            return {(who, one.data.decode()) for who, ear in listening.items() for one in ear.heard}

        wait_until(lambda: heard() >= expected)
        time.sleep(0.3)
        assert heard() == expected
        assert len(expected) > 20


@pytest.mark.parametrize("account", ["", "attic", "stranger", "hall"])
def test_without_the_right_password_nobody_comes_in(tmp_path: Path, account: str) -> None:
    with Broker(tmp_path) as broker:
        wrong = client.Client(client.Broker(LOOPBACK, broker.port, account, "no"), "x", print)
        wrong.start()
        wait_until(lambda: wrong.why)
        assert not wrong.connected
        wrong.close()


def test_whoever_comes_late_misses_none_of_2500_retained_messages(tmp_path: Path) -> None:
    """With Mosquitto's own limit of 1,000 that wait, more than half were lost."""
    many = [f"t{number}" for number in range(1_250)]
    with Broker(tmp_path, many) as broker:
        with Listener(broker.of("hall")) as hall:
            for table, kind in product(many, (TopicKind.HAVE, TopicKind.COMMAND)):
                hall.says(Publication(topics.topic(table, kind), b"x" * 200, retain=True))
            hall.settle()
        with Listener(broker.of("hall"), "rappelwacht/1/#") as late:
            wait_until(lambda: len(late.heard) >= 2_500)
            assert len({one.topic for one in late.heard}) == len(late.heard) == 2_500


def test_who_reads_nothing_ousts_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a limit a single one fills the broker's memory, and it lets tables go."""
    monkeypatch.setattr(accounts, "QUEUED_BYTES", 500_000)
    most = "memory_limit 8000000\n"
    place = topics.topic("attic", TopicKind.STATE)
    stuck = Event()

    def hear(_: client.MqttMessage) -> None:
        stuck.wait(UP_S)

    with Broker(tmp_path, TABLES, most) as broker, Listener(broker.of("attic")) as table:
        lazy = client.Client(broker.of("home"), "", hear)
        lazy.subscribe(place)
        lazy.start()
        wait_until(lambda: lazy.connected)
        for number in range(2_500):  # more than the lines take
            table.says(Publication(place, f"{number}".encode() + 10_000 * b"x"))
        wait_until(lambda: not table.client.under_way)
        assert not table.client.why
        stuck.set()
        lazy.close()


def test_no_password_stands_in_the_file_of_passwords() -> None:
    text = accounts.passwords([("attic", "a word"), ("cellar", "a word")])
    assert "a word" not in text
    first, second = (line.split(":")[1] for line in text.splitlines())
    assert first != second


@pytest.mark.parametrize("name", ["+", "a/b", "Attic", "hall", "home", "", "a\nuser hall", "a b"])
def test_no_table_is_called_so_that_it_could_do_more(name: str) -> None:
    with pytest.raises(ValueError, match="table"):
        accounts.access([name])
