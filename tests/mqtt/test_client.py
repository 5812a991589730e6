"""The connection to a broker: what it says and hears, and that it never stands in anybody's way."""

import os
import resource
import socket
import threading
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.mqtt import client, topics
from companion.mqtt.client import Client, MqttMessage, Publication
from companion.mqtt.topics import TopicKind
from tests.mqtt import broker as broker_module
from tests.mqtt import tap
from tests.mqtt.broker import LOOPBACK, UP_S, Broker, Listener, free_port, wait_until

STATE = topics.topic("attic", TopicKind.STATE)
ONLINE = topics.topic("attic", TopicKind.ONLINE)
FILES = 1_100
CONNECTED = bytes([0x20, 3, 0, 0, 0])  # what a broker says to whoever may come in
NO_LOCAL = 1 << 2


def test_what_is_said_is_heard_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    command = topics.topic("attic", TopicKind.COMMAND)
    with (
        Broker(tmp_path) as broker,
        Listener(broker.of("attic"), command, name="table") as table,
        Listener(broker.of("hall")) as hall,
    ):
        where = topics.topic("attic", TopicKind.ANSWER)
        hall.says(Publication(command, b"x", expiry_s=5, response=where, correlation=b"7"))
        wait_until(lambda: table.heard)
        assert table.heard == [MqttMessage(command, b"x", False, True, where, b"7")]


def test_nobody_hears_what_they_said_themselves(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker, Listener(broker.of("hall"), "#", name="hall") as hall:
        have = topics.topic("attic", TopicKind.HAVE)
        hall.says(Publication(have, b"mine"))
        with Listener(broker.of("hall"), name="other") as other:
            other.says(Publication(have, b"another's"))
            wait_until(lambda: hall.heard)
        assert [one.data for one in hall.heard] == [b"another's"]


def come_in(server: socket.socket) -> socket.socket:
    """Return the line of whoever comes next."""
    server.settimeout(UP_S)
    line, _ = server.accept()
    line.settimeout(UP_S)
    return line


def test_only_a_subscription_that_is_not_shared_leaves_out_what_we_say() -> None:
    """By MQTT 5 (3.8.3.1) a shared one may not; newer brokers end the connection."""
    with closing(socket.create_server((LOOPBACK, 0))) as server, ExitStack() as life:
        guest = Client(client.Broker(LOOPBACK, server.getsockname()[1]), "guest", print)
        life.callback(guest.close)
        guest.subscribe("#", "$SYS/#", "$share/g/#")
        guest.start()
        line = life.enter_context(come_in(server))
        line.recv(1000)
        line.sendall(CONNECTED)
        (packet,) = tap.packets(line.recv(1000))
    options = tap.subscribed(packet)
    assert {topic: bool(bits & NO_LOCAL) for topic, bits in options.items()} == {
        "#": True,
        "$SYS/#": True,
        "$share/g/#": False,
    }


def test_nothing_stays_open_of_whoever_does_not_come_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_module, "UP_S", 0.1)
    guest = Listener(client.Broker(LOOPBACK, free_port()))
    with pytest.raises(AssertionError, match="not within"), guest:
        pass
    assert "hall link" not in {thread.name for thread in threading.enumerate()}


def test_no_broker_stays_that_does_not_come_up(tmp_path: Path) -> None:
    broker = Broker(tmp_path, more="no_such_word 1\n")
    with pytest.raises(AssertionError, match="no_such_word"), broker:
        pass
    with pytest.raises(AssertionError):
        _ = broker.pid


def test_nobody_throws_a_table_out_by_coming_under_its_name(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker, Listener(broker.of("attic"), name="attic") as table:
        for account in ("cellar", "home", "hall"):
            with Listener(broker.of(account), name="attic"):
                assert table.client.connected
        with Listener(broker.of("attic"), name="attic"):  # its own account does, as it must
            wait_until(lambda: not table.client.connected)


def test_whoever_comes_late_hears_what_is_kept(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker:
        with Listener(broker.of("attic")) as table:
            table.says(Publication(STATE, b"one", retain=True))
            table.says(Publication(STATE, b"two", retain=True))
            table.settle()
        with Listener(broker.of("home"), topics.of_all(TopicKind.STATE)) as guest:
            wait_until(lambda: guest.heard)
            assert [(one.data, one.retained) for one in guest.heard] == [(b"two", True)]


def test_the_last_will_says_that_it_is_gone(tmp_path: Path) -> None:
    will = Publication(ONLINE, b"false", retain=True)
    with Broker(tmp_path) as broker, Listener(broker.of("home"), ONLINE) as guest:
        table = Client(broker.of("attic"), "table", guest.heard.append, will=will)
        table.start()
        wait_until(lambda: table.connected)
        assert table._paho is not None
        line = table._paho.socket()
        assert isinstance(line, socket.socket)
        line.shutdown(socket.SHUT_RDWR)  # pulled out
        wait_until(lambda: guest.heard)
        table.close()
        assert guest.heard[0].data == b"false"


def test_nothing_of_a_lost_connection_is_said_in_the_next(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker, Listener(broker.of("attic"), name="table") as table:
        broker.kill()
        wait_until(lambda: not table.client.connected)
        assert not table.client.publish(Publication(STATE, b"old"))
        broker.start()
        with Listener(broker.of("home"), STATE) as guest:
            wait_until(lambda: table.client.connected)
            table.says(Publication(STATE, b"new"))
            wait_until(lambda: guest.heard)
            assert [one.data for one in guest.heard] == [b"new"]


def test_whoever_listens_may_fail(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[bytes] = []

    def hear(one: MqttMessage) -> None:
        heard.append(one.data)
        raise RuntimeError("a mistake of ours")

    def changed() -> None:
        raise RuntimeError("another")

    with Broker(tmp_path) as broker, Listener(broker.of("attic")) as table:
        guest = Client(broker.of("home"), "", hear, changed)
        guest.subscribe(STATE)
        guest.start()
        wait_until(lambda: guest.connected)
        for data in (b"1", b"2", b"3"):
            table.says(Publication(STATE, data, retain=True))
        wait_until(lambda: b"3" in heard)
        guest.close()
    assert "a mistake of ours" in caplog.text


def test_it_hands_over_only_so_much_at_once() -> None:
    with closing(socket.create_server((LOOPBACK, 0))) as server:
        table = Client(client.Broker(LOOPBACK, server.getsockname()[1]), "table", print)
        table.start()
        line = come_in(server)
        line.recv(1000)
        line.sendall(CONNECTED)  # it says yes, and never anything again
        wait_until(lambda: table.connected)
        said = [table.publish(Publication(STATE, b"x")) for _ in range(100)]
        assert said == [True] * client.WINDOW + [False] * (100 - client.WINDOW)
        line.close()
        begun_s = time.monotonic()
        table.close()
        assert time.monotonic() - begun_s < 2


def test_without_a_broker_it_ends_at_once() -> None:
    table = Client(client.Broker(LOOPBACK, free_port()), "table", print)
    table.start()
    wait_until(lambda: table.why)
    begun_s = time.monotonic()
    table.close(Publication(ONLINE, b"false"))
    assert time.monotonic() - begun_s < 1
    assert "hall link" not in {thread.name for thread in threading.enumerate()}


def test_it_comes_back_however_many_watch(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < FILES + 100:
        pytest.skip(f"at most {hard} files may be open here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, FILES + 100), hard))
    with ExitStack() as life:
        life.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        broker = life.enter_context(Broker(tmp_path))
        hall = life.enter_context(Listener(broker.of("hall"), STATE))
        broker.kill()
        wait_until(lambda: not hall.client.connected)
        for _ in range(FILES):  # `select` knows no more than 1,024
            life.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        broker.start()
        wait_until(lambda: hall.client.connected)
        table = life.enter_context(Listener(broker.of("attic"), name="table"))
        table.says(Publication(STATE, b"new"))
        wait_until(lambda: hall.heard)


def test_a_wrong_password_is_told(tmp_path: Path) -> None:
    with Broker(tmp_path) as broker:
        wrong = client.Broker(LOOPBACK, broker.port, "attic", "wrong")
        table = Client(wrong, "table", print)
        table.start()
        wait_until(lambda: table.why)
        assert "uthori" in table.why
        table.close()
