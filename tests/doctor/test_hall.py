"""The doctor goes the way to the hall, and says where it ends; a table joins by a code."""

from __future__ import annotations

import ssl
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from companion import config
from companion.condition import State
from companion.doctor import hall
from companion.doctor.hall import Hall
from companion.errors import CompanionError
from companion.hall_link import client, join_code
from companion.hall_link.join_code import Joining
from companion.hall_link.signing import signing_key
from companion.outputs.hall.joined import FILE, join, joined, leave
from tests.hall_link.broker import LOOPBACK, Broker, free_port, secret
from tests.hall_link.certificates import TlsBroker, certificate


def state_of(broker: client.Broker) -> State:
    return hall.judge(broker).condition.state


def test_it_says_how_far_the_way_goes(tmp_path: Path) -> None:
    assert state_of(client.Broker(LOOPBACK, free_port())) is Hall.UNREACHABLE
    with Broker(tmp_path) as broker:
        assert state_of(broker.of("attic")) is Hall.JOINED
        assert state_of(replace(broker.of("attic"), account="cellar")) is Hall.REFUSED


def test_it_knows_a_foreign_certificate(tmp_path: Path) -> None:
    with TlsBroker(tmp_path) as broker:
        ours = replace(broker.of("attic"), port=broker.tls_port, authority=broker.authority)
        assert state_of(ours) is Hall.JOINED
        other, _ = certificate(tmp_path, "other")
        assert state_of(replace(ours, authority=other.read_text("ascii"))) is Hall.OTHER


def test_a_certificate_that_is_over_by_this_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Late:
        def wrap_socket(self, _: object) -> None:
            error = ssl.SSLCertVerificationError("certificate has expired")
            error.verify_code = hall.NO_LONGER
            raise error

    monkeypatch.setattr(hall, "pinned", lambda _: Late())
    with Broker(tmp_path) as broker:
        assert state_of(replace(broker.of("attic"), authority="…")) is Hall.CLOCK


def test_a_table_joins_by_a_code_that_pins_the_certificate(tmp_path: Path) -> None:
    with TlsBroker(tmp_path) as broker:
        mark = sha256(ssl.PEM_cert_to_DER_cert(broker.authority)).digest()
        joining = Joining(LOOPBACK, broker.tls_port, "attic", secret("attic"), mark)
        join(tmp_path, join_code.read(join_code.write(joining)))
        found = joined(config.Hall(delay_s=7), tmp_path)
        assert found is not None
        assert (found.table, found.delay_s) == ("attic", 7)
        assert found.key == signing_key(secret("attic"))
        assert state_of(found.broker) is Hall.JOINED
        assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
        with pytest.raises(CompanionError, match="is not the one that gave this code"):
            join(tmp_path, replace(joining, mark=bytes(32)))
        assert leave(tmp_path)
        assert not leave(tmp_path)
        assert joined(None, tmp_path) is None


def test_what_was_joined_and_cannot_be_read_is_told(tmp_path: Path) -> None:
    for text in ("", "{}", "[]", '{"table": 1}'):
        (tmp_path / FILE).write_text(text, "utf-8")
        with pytest.raises(CompanionError, match="join the hall again"):
            joined(None, tmp_path)


def test_a_broker_in_the_configuration_needs_the_table_s_name(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match="not the table"):
        joined(config.Hall(broker="h"), tmp_path)
    found = joined(config.Hall(broker="h", table="attic", account="a"), tmp_path)
    assert found is not None
    assert (found.broker, found.key) == (client.Broker("h", 1883, "a", ""), None)
    gone = config.Hall(broker="h", table="attic", authority="/no/such/file")
    with pytest.raises(CompanionError, match="/no/such/file: the file cannot be read"):
        joined(gone, tmp_path)


@pytest.mark.parametrize("text", ["", "RW", "RW1-", "XX1-AAAA", "RW1-!!!!", "RW1-" + 900 * "A"])
def test_what_is_no_code_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(CompanionError, match=r"no code of a hall|not read or typed"):
        join_code.read(text)
    with pytest.raises(CompanionError, match="another version"):
        join_code.read("RW2-AAAA")


def test_no_single_letter_of_a_code_can_be_wrong() -> None:
    code = join_code.write(Joining("192.168.1.5", 8883, "attic", 40 * "a", bytes(range(32))))
    assert len(code) < 220
    for place in range(4, len(code)):
        other = "B" if code[place] != "B" else "C"
        with pytest.raises(CompanionError):
            join_code.read(code[:place] + other + code[place + 1 :])
