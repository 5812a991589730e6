"""The hall has every journal's open part, whatever is lost, repeated, put right or forged."""

import json
import os
import re
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.hall import journal_replica as folding
from companion.hall import tables as knowing
from companion.hall.accounts import COOKIE, DIRECTOR
from companion.hall.journal_replica import JournalReplica
from companion.hall.server_app import HallServer, create_app
from companion.hall.store import Store
from companion.journal import ListedMatch
from companion.mqtt import join_code, payloads
from companion.mqtt.client import Publication
from companion.mqtt.join_code import HALL_FILE
from companion.mqtt.payloads import Events, Have, JournalLine
from companion.mqtt.topics import TopicKind, topic
from companion.present.mqtt_state import entry_from_line
from companion.system.errors import Unreadable
from companion.system.paths import ensure_private_folder
from companion.table.outputs import mqtt
from companion.table.outputs.mqtt_publisher import JournalReader, OpenJournal
from tests.hall.matches import Moment
from tests.hall.tables import Table, equal, journal_lines, played
from tests.mqtt.broker import LOOPBACK, Broker, wait_until
from tests.programs import need

Played = list[Moment]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "hall.sqlite3", folding.SCHEMA, knowing.SCHEMA)
    yield store
    store.close()


def take(replica: JournalReplica, match: str, *some: JournalLine) -> Have:
    replica.handle_events("attic", Events(match, some[0].number, some, "here"))
    replica.store.write(lambda _: None)  # all before it is on the disk
    return replica.have("attic")


def test_what_is_lost_is_asked_for_again_and_what_is_repeated_counts_once(store: Store) -> None:
    replica, some = JournalReplica(store, "here"), journal_lines(played(6))
    assert replica.have("attic") == Have("here", None)
    assert take(replica, "m", *some[2:4]) == Have("here", None)  # the beginning is missing
    first = take(replica, "m", *some[:2])
    assert first == Have("here", "m", 2, entry_from_line("m", some[1]).seal)
    assert take(replica, "m", *some[3:]) == first
    assert take(replica, "m", *some[1:5]).next == 5
    assert take(replica, "m", *some[1:5]).next == 5
    assert take(replica, "m", some[5]).next == 6
    assert replica.entries("attic", "m") == tuple(entry_from_line("m", one) for one in some)


def test_a_journal_that_was_put_right_is_what_is_true(store: Store) -> None:
    replica, some, others = (
        JournalReplica(store, "here"),
        journal_lines(played(5)),
        journal_lines(played(5, seed=2)),
    )
    take(replica, "m", *some)
    right = next(n for n in range(5) if some[n].body != others[n].body)
    assert take(replica, "m", *others[right:4]).next == 4
    assert replica.entries("attic", "m")[right:] == tuple(
        entry_from_line("m", one) for one in others[right:4]
    )


def test_whoever_starts_over_wants_what_is_not_on_the_disk_yet(tmp_path: Path) -> None:
    some = journal_lines(played(3))
    for count in (1, 2, 3):
        store = Store(tmp_path / "hall.sqlite3", folding.SCHEMA)
        assert take(JournalReplica(store, "here"), "m", *some[:count]).next == count
        store.close()


def test_of_two_halls_the_one_that_lacks_more_has_the_last_word(store: Store) -> None:
    replica, some = JournalReplica(store, "here"), journal_lines(played(3))
    take(replica, "m", *some[:2])
    words = {("m", 2): False, ("m", 3): True, ("n", 1): True, (None, 0): False}
    for (match, next_), lacks in words.items():
        assert replica.lacks("attic", Have("there", match, next_)) == lacks


def test_a_match_that_another_hall_asked_for_is_not_begun_by_it(store: Store) -> None:
    replica, some = JournalReplica(store, "here"), journal_lines(played(3))
    replica.handle_events(
        "attic", Events("n", 0, tuple(some), "there")
    )  # who has what was before it
    assert take(replica, "m", *some[:2]).next == 2  # else this would be missing for good
    replica.handle_events("attic", Events("m", 2, tuple(some[2:]), "there"))
    assert take(replica, "n", *some) == Have("here", "n", 3, entry_from_line("n", some[-1]).seal)
    assert [len(replica.entries("attic", match)) for match in "mn"] == [3, 3]


def test_a_journal_that_comes_back_after_another_is_told_to_its_end(store: Store) -> None:
    replica = JournalReplica(store, "here")

    def told(*journal: Played) -> None:
        matches = {one[0].entry.match: [each.entry for each in one] for one in journal}
        listed = [ListedMatch(one[0], one[-1]) for one in matches.values()]
        table = OpenJournal(JournalReader(lambda: listed[::-1], matches.__getitem__))
        for _ in range(2 * len(journal)):
            if found := table.after(replica.have("attic"), journal[-1][-1].snapshot):
                replica.handle_events("attic", found)
                replica.store.write(lambda _: None)

    first, second, third = (played(6, name) for name in ("m1", "m2", "m3"))
    told(first, second[:3])
    told(played(9, "another"))  # such as of a table that came by the same code
    told(first, second, third)
    for one in (first, second, third):
        assert replica.entries("attic", one[0].entry.match) == tuple(each.entry for each in one)


@pytest.mark.parametrize(
    ("match", "change"),
    [
        ("../m", {}),
        ("m", {"number": 7}),
        ("m", {"number": -1}),
        ("m", {"kind": "ä"}),
        ("m", {"body": {"x": float("nan")}}),
        ("m", {"request": "x" * 300}),
    ],
)
def test_what_no_journal_could_hold_is_refused(
    store: Store, match: str, change: dict[str, object]
) -> None:
    one = replace(journal_lines(played(1))[0], **change)  # type: ignore[arg-type]
    with pytest.raises(Unreadable):
        JournalReplica(store, "here").handle_events("attic", Events(match, 0, (one,), "here"))


# --- with a real broker ---------------------------------------------------------------------------


def test_a_hall_catches_up_with_an_tournament_and_from_nothing(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker:
        attic, cellar = (Table(name, broker.of(name)) for name in ("attic", "cellar"))
        for moment in played(8):
            attic.do("m", moment)
        with HallServer(tmp_path / "one") as one, HallServer(tmp_path / "two") as two:
            one.follow(broker.of("hall"))
            equal(one, attic)
            two.follow(broker.of("hall"))  # the same tables were given to two
            for moment in played(5, "n"):
                attic.do("n", moment)
                cellar.do("n", moment)
            equal(one, attic, cellar)
            equal(two, attic, cellar)
            wait_until(lambda: one.other_halls and two.other_halls)
            state = one.tables.named("attic")
            assert state is not None
            wait_until(lambda: _version(one, "attic") == 4)
        cellar.cut()  # while no hall is there
        for moment in played(4, "o"):
            attic.do("o", moment)
        with HallServer(tmp_path / "one") as one:
            one.follow(broker.of("hall"))
            equal(one, attic, cellar)
        for table in (attic, cellar):
            table.speaker.close()


def _version(hall: HallServer, name: str) -> int:
    found = hall.tables.named(name)
    return -1 if found is None or found.state is None else found.state.version


def test_what_is_hostile_is_counted_and_harms_nobody(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker, HallServer(tmp_path / "hall") as hall:
        attic, cellar = (Table(name, broker.of(name)) for name in ("attic", "cellar"))
        hall.follow(broker.of("hall"))
        evil: list[bytes] = [b"{", b"[" * 50_000, b'{"match":1}', b"\xff" * 300, b"null", b"{}"]
        state = json.loads(payloads.write(payloads.TableState(0, 0, simulated=True, version=1)))
        evil.append(
            json.dumps(state | {"troubles": [{"code": "x", "values": {}}], "x": 1}).encode()
        )
        wait_until(lambda: cellar.speaker.client.connected)
        for kind in (TopicKind.STATE, TopicKind.EVENTS, TopicKind.ONLINE, TopicKind.ANSWER):
            for data in evil:
                said = said_by_cellar(kind, data)
                wait_until(lambda said=said: cellar.speaker.client.publish(said))  # type: ignore[misc]
        for moment in played(6):
            attic.do("m", moment)
        equal(hall, attic)
        wait_until(lambda: _refused(hall, "cellar") >= len(evil))
        assert _refused(hall, "attic") == 0
        strange = payloads.TableState(
            0, 0, simulated=True, version=2, match="m", game="none", view={}
        )
        said = said_by_cellar(TopicKind.STATE, payloads.write(strange))
        wait_until(lambda: cellar.speaker.client.publish(said))
        wait_until(lambda: _version(hall, "cellar") == 2)  # one of the evil ones said version 1
        found = hall.tables.named("cellar")
        assert found is not None
        assert found.snapshot is None  # the pages say so, and go on
        for table in (attic, cellar):
            table.speaker.close()


def said_by_cellar(kind: TopicKind, data: bytes) -> Publication:
    return Publication(topic("cellar", kind), data)


def _refused(hall: HallServer, name: str) -> int:
    found = hall.tables.named(name)
    return 0 if found is None else found.refused


def test_after_kills_in_mixed_order_nothing_is_lost_and_nothing_is_there_twice(
    tmp_path: Path,
) -> None:
    chance = Random(5)
    with Broker(tmp_path) as broker:
        tables = [Table(name, broker.of(name)) for name in ("attic", "cellar")]
        hall = HallServer(tmp_path / "hall")
        hall.follow(broker.of("hall"))
        for number in range(6):
            for moment in played(6, f"m{number}", number):
                for table in tables:
                    table.do(f"m{number}", moment)
                time.sleep(0.02)
            match number % 3:
                case 0:
                    broker.kill()
                    broker.start()
                case 1:
                    hall.__exit__()
                    hall = HallServer(tmp_path / "hall")
                    hall.follow(broker.of("hall"))
                case 2:
                    chance.choice(tables).cut()
        equal(hall, *tables)
        hall.__exit__()
        for table in tables:
            table.speaker.close()


def test_a_table_joins_by_the_code_that_the_director_sees(tmp_path: Path) -> None:
    need("mosquitto")
    with HallServer(tmp_path / "hall") as hall:
        own = hall.own_broker(tmp_path / "hall", LOOPBACK)
        hall.follow(own.address)
        hall.serve(0, LOOPBACK)
        phone = hall.accounts.sign_in(DIRECTOR)
        browser = create_app(hall, hall.views).test_client()
        browser.set_cookie(COOKIE, phone, domain=LOOPBACK)
        home = f"http://{LOOPBACK}:{hall.here.port}"
        refused = browser.post("/joining", base_url=home, data={"name": "attic"})
        assert refused.status_code == 403  # no page of ours sent it
        mine = {"Origin": home}
        for name, status in (("no name!", 400), ("hall", 400), ("attic", 303)):
            told = browser.post("/joining", base_url=home, data={"name": name}, headers=mine)
            assert told.status_code == status
        page = browser.get("/joining/attic", base_url=home).text
        code = re.search(r"join (RW[\w-]+)<", page)
        assert code
        joining = replace(join_code.read(code[1]), host=LOOPBACK)
        HALL_FILE.save(ensure_private_folder(tmp_path / "table"), joining)
        member = mqtt.membership(None, tmp_path / "table")
        assert member is not None
        table = Table(member.table, member.broker)
        for moment in played(3):
            table.do("m", moment)
        equal(hall, table)
        broker = own.pid
        assert broker is not None
        os.kill(broker, signal.SIGKILL)  # it is begun again
        for moment in played(4, "n"):
            table.do("n", moment)
        equal(hall, table)
        table.speaker.close()
    assert own.pid is None
