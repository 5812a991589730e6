"""The doctor goes the way to the hall, and says where it ends; a table joins by a code."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.cli import doctor
from companion.cli.doctor import HallCheck
from companion.mqtt import client, join_code
from companion.mqtt.client import ConnectionStatus
from companion.mqtt.join_code import FILE, HALL_FILE, Joining, first_certificate, leave, pinned
from companion.mqtt.signing import signing_key
from companion.system import config
from companion.system.errors import CompanionError
from companion.system.status import Status
from companion.table.outputs.mqtt import joined
from tests.mqtt.broker import LOOPBACK, Broker, free_port, secret, wait_until
from tests.mqtt.certificates import LONG_AGO, SOON, TlsBroker, made


def found(broker: client.Broker) -> list[tuple[str, Status]]:
    return [(one.check, one.condition.state) for one in doctor.judge(broker)]


def last_of(broker: client.Broker) -> tuple[str, Status]:
    return found(broker)[-1]


def said(broker: client.Broker) -> str:
    return str([*doctor.judge(broker)][-1].condition)


def test_it_says_how_far_the_way_goes(tmp_path: Path) -> None:
    assert found(client.Broker(LOOPBACK, free_port())) == [("hall", ConnectionStatus.UNREACHABLE)]
    with Broker(tmp_path) as broker:
        there, open_ = ("hall", HallCheck.ANSWERS), ("hall-certificate", HallCheck.OPEN)
        assert found(broker.of("attic")) == [
            there,
            open_,
            ("hall-account", ConnectionStatus.JOINED),
        ]
        wrong = replace(broker.of("attic"), account="cellar")
        assert last_of(wrong) == ("hall-account", ConnectionStatus.REFUSED)


def test_all_is_well_where_the_hall_proves_who_it_is(tmp_path: Path) -> None:
    with TlsBroker(tmp_path) as broker:
        assert found(broker.safely("attic")) == [
            ("hall", HallCheck.ANSWERS),
            ("hall-certificate", HallCheck.PROVEN),
            ("hall-clock", HallCheck.BY_THE_CLOCK),
            ("hall-account", ConnectionStatus.JOINED),
        ]


WRONG: dict[str, tuple[dict[str, Any], str, ConnectionStatus, str]] = {
    "foreign": ({}, "hall-certificate", ConnectionStatus.FOREIGN, "join it with a new code"),
    "later": (
        {"begins": SOON, "ends": SOON.replace(year=2067)},
        "hall-clock",
        ConnectionStatus.TOO_EARLY,
        "set the clock",
    ),
    "over": ({"ends": LONG_AGO}, "hall-clock", ConnectionStatus.TOO_LATE, "restart the hall"),
    "name": (
        {"called": "other.example"},
        "hall-certificate",
        ConnectionStatus.NAMED_OTHERWISE,
        "name the broker under [hall]",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_certificate_is_told(tmp_path: Path, wrong: str) -> None:
    """The table says the same, by the connection that it tries itself."""
    words, check, state, to_do = WRONG[wrong]
    made(tmp_path / "own", **words)
    with TlsBroker(tmp_path, tmp_path / "own") as broker:
        address = broker.safely("attic")
        if wrong == "foreign":
            address = replace(address, authority=made(tmp_path / "other"))
        assert last_of(address) == (check, state)
        assert to_do in said(address)
        table = client.Client(address, "x", print)
        table.start()
        wait_until(lambda: table.reach is state)
        assert not table.connected
        table.close()


def test_what_speaks_no_tls_is_told(tmp_path: Path) -> None:
    with TlsBroker(tmp_path) as broker:
        plain = replace(broker.safely("attic"), port=broker.port)
        assert last_of(plain) == ("hall-certificate", ConnectionStatus.NO_TLS)


def test_under_another_authority_the_broker_is_called_as_it_is_found(tmp_path: Path) -> None:
    made(tmp_path / "own", called=LOOPBACK, by="A firm")
    with TlsBroker(tmp_path, tmp_path / "own") as broker:
        assert last_of(broker.safely("attic")) == ("hall-account", ConnectionStatus.JOINED)
        # whoever else has a certificate of that authority is not the broker
        elsewhere = replace(broker.safely("attic"), host="127.0.0.2 127.0.0.1")
        assert pinned(broker.authority, "127.0.0.2").name == "127.0.0.2"
        assert last_of(elsewhere) == ("hall-account", ConnectionStatus.JOINED)


def test_a_table_joins_by_a_code_that_pins_the_authority(tmp_path: Path) -> None:
    with TlsBroker(tmp_path) as broker:
        authority = first_certificate(broker.authority)
        joining = Joining(LOOPBACK, broker.tls_port, "attic", secret("attic"), authority)
        HALL_FILE.save(tmp_path, join_code.read(join_code.write(joining)))
        found = joined(config.HallConfig(delay_s=7), tmp_path)
        assert found is not None
        assert (found.table, found.delay_s) == ("attic", 7)
        assert found.key == signing_key(secret("attic"))
        assert last_of(found.broker) == ("hall-account", ConnectionStatus.JOINED)
        assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
        assert leave(tmp_path)
        assert not leave(tmp_path)
        assert joined(None, tmp_path) is None


def test_what_was_joined_and_cannot_be_read_is_told(tmp_path: Path) -> None:
    for text in ("", "{}", "[]", '{"table": 1}'):
        (tmp_path / FILE).write_text(text, "utf-8")
        with pytest.raises(CompanionError):
            joined(None, tmp_path)


def test_a_broker_in_the_configuration_needs_the_table_s_name(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match="not the table"):
        joined(config.HallConfig(broker="h"), tmp_path)
    found = joined(config.HallConfig(broker="h", table="attic", account="a"), tmp_path)
    assert found is not None
    assert (found.broker, found.key) == (client.Broker("h", 1883, "a", ""), None)
    (tmp_path / "a.pem").write_text("no certificate", "ascii")
    empty = config.HallConfig(broker="h", table="attic", authority=str(tmp_path / "a.pem"))
    with pytest.raises(CompanionError, match=str(tmp_path / "a.pem")):
        joined(empty, tmp_path)
    gone = config.HallConfig(broker="h", table="attic", authority="/no/such/file")
    with pytest.raises(CompanionError, match="/no/such/file"):
        joined(gone, tmp_path)


@pytest.mark.parametrize("text", ["", "RW", "RW1-", "XX1-AAAA", "RW1-!!!!", "RW1-" + 5_000 * "A"])
def test_what_is_not_a_code_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(CompanionError):
        join_code.read(text)
    with pytest.raises(CompanionError, match="another version"):
        join_code.read("RW2-AAAA")


def test_no_single_letter_of_a_code_can_be_wrong() -> None:
    code = join_code.write(Joining("192.168.1.5", 8883, "attic", 40 * "a", bytes(range(32))))
    for place in range(4, len(code)):
        other = "B" if code[place] != "B" else "C"
        with pytest.raises(CompanionError):
            join_code.read(code[:place] + other + code[place + 1 :])
