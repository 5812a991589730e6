"""What a table tells the hall, over a real broker: how it stands, and each event exactly once."""

import threading
import time
from pathlib import Path
from statistics import median

import pytest

from companion.mqtt import client, payloads
from companion.mqtt.payloads import Have
from companion.present.mqtt_state import entry_from_line
from companion.referee.commands import DoAction, Undo
from companion.referee.snapshot import Snapshot
from companion.table.outputs.mqtt_publisher import DelayBuffer, JournalReader, OpenJournal
from tests.mqtt.broker import LOOPBACK, Broker, Listener, free_port, wait_until
from tests.mqtt.folding import Fold
from tests.table.mqtt.telling import Telling
from tests.web.room import FakeRoom


def test_a_hall_hears_how_a_table_stands_and_each_event_once(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker:
        fold = Fold(broker.of("hall"), "attic").wait()
        with Telling(broker.of("attic")) as table:
            table.begins().plays(30)
            fold.until(lambda: fold.entries == table.open_journal())
            assert fold.states[-1].match == "m0"
            fold.until(lambda: fold.states[-1].version == table.room.now.version)
            table.begins().plays(5)
            fold.until(lambda: fold.entries == table.open_journal())
            assert fold.online[-1]
        fold.until(lambda: not fold.online[-1])
        fold.close()


def test_a_hall_that_was_off_catches_up_with_all_matches(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker, Telling(broker.of("attic")) as table:
        table.begins().plays(260).begins().plays(20).begins()
        fold = Fold(broker.of("hall"), "attic").wait()
        fold.until(lambda: fold.entries == table.open_journal())
        assert len(fold.entries) == 3
        assert fold.twice == 0
        fold.close()
        again = Fold(broker.of("hall"), "attic", fold.name)  # started over, with what it had
        again.entries, again.have = fold.entries, fold.have
        again.wait()
        table.plays(3)
        again.until(lambda: again.entries == table.open_journal())
        again.close()


def test_however_often_the_broker_is_killed_each_event_arrives_once(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker, Telling(broker.of("attic")) as table:
        fold = Fold(broker.of("hall"), "attic").wait()
        table.begins()
        for _ in range(3):
            table.plays(10)
            broker.kill()
            table.plays(10)
            broker.start()
        fold.until(lambda: fold.entries == table.open_journal())
        assert len(fold.entries["m0"]) > 60
        fold.close()


def test_no_event_is_skipped_though_the_table_shows_an_older_match() -> None:
    table = Telling(client.Broker(LOOPBACK, free_port()))
    old = table.begins().plays(5).room.now
    table.begins().plays(5).begins()
    journal, have = (
        OpenJournal(JournalReader(table.room.matches, table.room.entries)),
        Have("h", None),
    )
    found: list[tuple[str, int]] = []
    for now, untold in ((old, {"m2"}), (table.room.now, ())):
        while (batch := journal.after(have, now, untold)) is not None:
            found += [(batch.match, event.number) for event in batch.deeds]
            last = batch.deeds[-1]
            have = Have("h", batch.match, last.number + 1, entry_from_line(batch.match, last).seal)
    entries = table.open_journal().items()
    assert found == [(match, one.number) for match, of in entries for one in of]
    table.hall.close()


def test_what_the_hall_has_otherwise_is_replaced_by_the_journal(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker, Telling(broker.of("attic")) as table:
        table.begins().plays(9)
        fold = Fold(broker.of("hall"), "attic").wait()
        fold.until(lambda: fold.entries == table.open_journal())
        fold.have = Have(fold.name, "m0", 5, 12345)  # a card gave back other bytes than it took
        del fold.entries["m0"][4:]
        fold.entries["m0"].append(fold.entries["m0"][0])
        fold.until(lambda: fold.entries == table.open_journal())
        fold.close()


NEGATIVE = b'{"hall": "h", "match": null, "next": -5}'


def test_a_word_that_is_none_of_a_hall_changes_nothing(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker, Telling(broker.of("attic")) as table:
        table.begins().plays(4)
        fold = Fold(broker.of("hall"), "attic").wait()
        place = fold.say(fold.have).topic
        odd = [
            client.Publication(place, data) for data in (b"", b"{}", b"\xff", 9000 * b"[", NEGATIVE)
        ]
        haves = (Have("h", "m0", 10_000), Have("h", "unknown", 3, 7), Have("h", "m0", -4))
        for say in (*odd, *map(fold.say, haves)):
            assert fold.client.publish(say)
        fold.said = None
        fold.until(lambda: fold.entries == table.open_journal())
        fold.close()


def test_before_the_flip_nothing_that_is_sealed_leaves(tmp_path: Path) -> None:
    room = FakeRoom("red", "blue")
    with Broker(tmp_path) as broker, Telling(broker.of("attic"), room=room) as table:
        fold = Fold(broker.of("hall"), "attic").wait()
        with Listener(broker.of("hall"), "#") as ear:
            room.wish(DoAction("roll 7"))
            room.place("red", 3)
            room.place("blue", 11)
            room.stir()
            fold.until(lambda: fold.states and fold.states[-1].phase == "flip")
            fold.until(lambda: len(fold.entries.get("m0", ())) > 1)  # a busy machine is slow
            time.sleep(0.3)
            kinds = [one.kind for one in fold.entries["m0"]]
            assert kinds == [one.kind for one in table.open_journal()["m0"]] == ["began", "did"]
            said = b"".join(one.data for one in ear.heard)
            assert b"stood" not in said
            room.flip(3, 11)
            room.stir()
            fold.until(lambda: fold.entries == table.open_journal())
            assert len(fold.entries["m0"]) > 4
            stood = [one.body for one in fold.entries["m0"] if one.kind == "stood"]
            assert stood
            assert {one["stopper"] for one in stood} == {None}
        fold.close()


def test_what_was_taken_back_is_told_as_well(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker, Telling(broker.of("attic")) as table:
        table.begins().plays(5)
        fold = Fold(broker.of("hall"), "attic").wait()
        table.room.wish(Undo())
        table.room.stir()
        fold.until(lambda: fold.entries == table.open_journal())
        assert fold.entries["m0"][-1].kind == "undone"
        fold.close()


def test_everybody_else_may_know_only_later(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker, Telling(broker.of("attic"), delay_s=1) as table:
        fold = Fold(broker.of("hall"), "attic").wait()
        begun_s = time.monotonic()
        table.begins().plays(8)
        fold.until(lambda: fold.entries == table.open_journal())
        assert time.monotonic() - begun_s >= 1
        assert next(one for one in fold.states if one.match is not None).delay_s == 1
        begun_s = time.monotonic()
        table.plays(3)
        fold.until(lambda: fold.states[-1].version == table.room.now.version)
        assert time.monotonic() - begun_s >= 1
        fold.close()


def test_of_a_delay_only_so_many_snapshots_wait() -> None:
    late = DelayBuffer(60)
    for number in range(20_000):
        late.put(Snapshot(number, "m"), number / 100)
        assert late.pop(number / 100) is None or number >= 6_000
    assert len(late._waiting) < 100
    found = late.pop(250)
    assert found is not None
    assert 18_800 < found.version <= 19_000
    assert DelayBuffer(0).pop(5) is None


@pytest.mark.parametrize("delay_s", [0, 5])
def test_matches_that_wait_are_known(delay_s: int) -> None:
    late = DelayBuffer(delay_s)
    for match in ("a", "b", "c"):
        late.put(Snapshot(0, match), 1.0)
    assert late.untold() == (frozenset("abc") if delay_s else frozenset("c"))


def test_without_a_broker_the_table_ends_at_once_and_never_waits() -> None:
    table = Telling(client.Broker(LOOPBACK, free_port()))
    table.begins().plays(50)
    now, lasted_s = table.room.now, list[float]()
    for _ in range(200):
        begun_s = time.perf_counter()
        table.hall.put(now)
        lasted_s.append(time.perf_counter() - begun_s)
    assert median(lasted_s) < 0.1  # a busy machine may hold up some of them
    table.hall.close()
    wait_until(lambda: "hall link" not in {thread.name for thread in threading.enumerate()})


def test_the_retained_state_is_dated_and_whole(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker, Telling(broker.of("attic")) as table:
        table.begins()
        with Listener(broker.of("home"), "rappelwacht/1/+/state") as guest:
            wait_until(lambda: guest.heard and b'"match":"m0"' in guest.heard[-1].data)
            state = payloads.read(payloads.TableState, guest.heard[-1].data)
            assert abs(state.at_ms - time.time() * 1000) < 10_000
            assert state.playing
            assert state.seats == ("red", "blue")
