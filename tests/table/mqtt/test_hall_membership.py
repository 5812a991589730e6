"""A table joins a hall while it runs, leaves it again, and says how the way there is."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.mqtt import join_code, topics
from companion.mqtt.client import ConnectionStatus
from companion.mqtt.join_code import FILE, Joining, fingerprint, first_certificate
from companion.mqtt.topics import TopicKind
from companion.system import config
from companion.system.errors import CompanionError
from companion.system.status import Condition
from companion.table.outputs import mqtt
from companion.table.outputs.mqtt import HallMembershipOutput, TableAccess
from companion.table.outputs.mqtt_publisher import JournalReader
from tests.mqtt.broker import LOOPBACK, Listener, free_port, secret, wait_until
from tests.mqtt.certificates import TlsBroker, made
from tests.web.room import FakeRoom


class Evening:
    """A table that belongs to no hall yet, with a clock that somebody sets."""

    def __init__(self, folder: Path, section: config.HallConfig | None = None) -> None:
        self.room, self.told, self.now_us = FakeRoom(), list[Condition](), 0
        journal = JournalReader(self.room.matches, self.room.entries)
        table = TableAccess(journal, None, self.told.append, lambda: self.now_us)
        self.belonging = HallMembershipOutput(section, folder, table)
        self.room.join(self.belonging)
        self.room.stir()

    @property
    def state(self) -> object:
        return self.belonging.way.condition.state

    def later(self) -> object:
        """Let time go on, and return how the way is then."""
        self.now_us += mqtt.LASTS_US
        return self.state


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    (tmp_path / "table").mkdir()
    found = Evening(tmp_path / "table")
    yield found
    found.belonging.close(0)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[TlsBroker]:
    with TlsBroker(tmp_path) as found:
        yield found


def code_of(broker: TlsBroker, table: str = "attic", **of: object) -> str:
    authority = first_certificate(broker.authority)
    joining = Joining(LOOPBACK, broker.tls_port, table, secret(table), authority)
    return join_code.write(replace(joining, **of))  # type: ignore[arg-type]


def test_it_joins_by_a_code_and_leaves_and_the_hall_sees_both(
    evening: Evening, broker: TlsBroker, tmp_path: Path
) -> None:
    assert evening.belonging.shown.table is None
    online = [topics.topic(one, TopicKind.ONLINE) for one in ("attic", "cellar")]
    with Listener(broker.of("hall"), *online) as hall:

        def last_of(topic: str) -> bytes:
            return hall.of(topic)[-1].data if hall.of(topic) else b""

        evening.belonging.join(code_of(broker))
        wait_until(lambda: evening.state is ConnectionStatus.JOINED)
        wait_until(lambda: b"true" in last_of(online[0]))
        shown = evening.belonging.shown
        assert (shown.table, shown.mark) == ("attic", fingerprint(broker.authority))
        assert (tmp_path / "table" / FILE).stat().st_mode & 0o077 == 0
        evening.belonging.join(code_of(broker, "cellar"))  # now it is another one
        wait_until(lambda: b"true" in last_of(online[1]))
        assert b"true" not in last_of(online[0])
        evening.belonging.leave()
        wait_until(lambda: b"true" not in last_of(online[1]))
        assert evening.state is ConnectionStatus.NONE
        assert evening.belonging.shown.table is None
        assert not (tmp_path / "table" / FILE).exists()


def test_what_is_not_a_code_changes_nothing(evening: Evening) -> None:
    for text in ("", "RW1-AAAA", "https://example.org"):
        with pytest.raises(CompanionError):
            evening.belonging.join(text)
    with pytest.raises(CompanionError):
        evening.belonging.leave()
    assert evening.belonging.shown.table is None
    assert not evening.told


def test_what_the_configuration_says_no_phone_changes(tmp_path: Path, broker: TlsBroker) -> None:
    section = config.HallConfig(broker=LOOPBACK, port=free_port(), table="attic")
    evening = Evening(tmp_path, section)
    assert evening.belonging.shown.fixed
    with pytest.raises(CompanionError):
        evening.belonging.join(code_of(broker))
    with pytest.raises(CompanionError):
        evening.belonging.leave()
    evening.belonging.close(0)


def test_a_trouble_is_told_once_it_lasts_and_while(evening: Evening, broker: TlsBroker) -> None:
    evening.belonging.join(code_of(broker, port=free_port()))
    hall = evening.belonging
    wait_until(lambda: hall._publisher is not None and hall._publisher.client.reach)
    assert [one.state for one in evening.told] == [ConnectionStatus.LOOKING]
    wait_until(lambda: evening.later() is ConnectionStatus.UNREACHABLE)
    assert evening.told[-1].state is ConnectionStatus.UNREACHABLE
    evening.belonging.join(code_of(broker))
    wait_until(lambda: evening.state is ConnectionStatus.JOINED)
    assert evening.told[-1].state.fine


def test_a_hall_that_was_set_up_again_is_not_believed(
    evening: Evening, broker: TlsBroker, tmp_path: Path
) -> None:
    other = first_certificate(made(tmp_path / "other"))
    evening.belonging.join(code_of(broker, authority=other))
    wait_until(lambda: evening.later() is ConnectionStatus.FOREIGN)
    assert evening.told[-1].state is ConnectionStatus.FOREIGN
