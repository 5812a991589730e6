"""The broker of a hall's own: whom tables believe, and that its certificate never ends on them."""

import errno
import os
import shutil
import signal
import ssl
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import segno

from companion.cli import doctor
from companion.cli.main import main
from companion.hall.broker import OwnBroker, kept_address
from companion.hall.server_app import HallServer
from companion.mqtt import accounts, join_code, topics
from companion.mqtt.client import Broker, Client, ConnectionStatus, Publication
from companion.mqtt.join_code import HALL_FILE, Joining, first_certificate
from companion.mqtt.signing import password
from companion.mqtt.topics import TopicKind
from companion.system import certificates, private_files
from companion.system.errors import CompanionError
from companion.system.paths import ensure_private_folder
from companion.table.outputs.mqtt import joined
from companion.web.common.server import LENT
from companion.web.common.server import free_port as product_port
from tests.mqtt.broker import LOOPBACK, UP_S, Listener, free_port, wait_until
from tests.mqtt.certificates import TlsBroker, made
from tests.programs import need

LARGEST_QR = 14  # a phone reads 73 squares a side from a screen; those of passports have more


@pytest.fixture
def own(tmp_path: Path) -> Iterator[OwnBroker]:
    need("mosquitto")
    need("openssl")
    broker = OwnBroker(tmp_path, LOOPBACK, free_port(), "a secret", free_port())
    broker.allow({"attic": "attic's secret"})
    broker.start()
    yield broker
    broker.close()


def test_it_begins_where_a_service_may_not_ask_for_privileges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As systemd has it: what ends the broker with its hall is refused there."""
    need("mosquitto")
    (tmp_path / "bin").mkdir()
    refusing = tmp_path / "bin" / "setpriv"
    refusing.write_text("#!/bin/sh\necho 'setpriv: Operation not permitted' >&2\nexit 127\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", f"{refusing.parent}:{os.environ['PATH']}")
    broker = OwnBroker(tmp_path, LOOPBACK, free_port(), "a secret")
    broker.allow({})
    broker.start()
    assert broker.pid is not None
    broker.close()


def as_table(own: OwnBroker, authority: str | None = None) -> Broker:
    assert own.tls_port is not None
    word = password("attic's secret")
    return Broker(LOOPBACK, own.tls_port, "attic", word, authority or own.authority)


def reach(broker: Broker) -> object:
    return [*doctor.judge(broker)][-1].condition.state


def shown_by(own: OwnBroker) -> str:
    assert own.tls_port is not None
    return ssl.get_server_certificate((LOOPBACK, own.tls_port), timeout=UP_S)


def test_tables_come_in_by_tls_alone_and_only_its_owner_reads_its_keys(own: OwnBroker) -> None:
    assert reach(as_table(own)) is ConnectionStatus.JOINED
    assert reach(own.address) is ConnectionStatus.JOINED
    files = [one for one in own.folder.iterdir() if one.suffix in {".pem", ".conf"}]
    assert len(files) == 3
    assert all(one.stat().st_mode & 0o077 == 0 for one in files)
    listeners = (own.folder / "mosquitto.conf").read_text("utf-8")
    assert f"listener {own.port} 127.0.0.1\n" in listeners


def test_a_certificate_that_ends_soon_is_renewed_while_the_broker_runs(own: OwnBroker) -> None:
    before, authority = shown_by(own), own.authority
    table = Client(as_table(own), "table", print)
    table.start()
    wait_until(lambda: table.connected)
    own.renew()
    assert shown_by(own) == before  # it lasts
    soon = datetime.now(UTC) + certificates.LEFT - timedelta(days=1)
    with certificates.OpensslRun() as desk:
        by = own.folder / certificates.AUTHORITY
        ends = desk.signed("broker", "hall.rappelwacht", "ec", soon, by)
    (own.folder / certificates.BROKER).write_bytes(ends)
    own.renew()
    wait_until(lambda: shown_by(own) != before)
    assert own.authority == authority
    assert reach(as_table(own)) is ConnectionStatus.JOINED  # and nobody had to be told
    assert table.connected
    table.close()


def test_a_certificate_of_another_authority_is_not_used(tmp_path: Path) -> None:
    made(tmp_path)
    kept = certificates.authority(tmp_path)
    made(tmp_path / "other")
    shutil.copy(tmp_path / "other" / certificates.BROKER, tmp_path)
    assert certificates.renew(tmp_path)
    assert certificates.authority(tmp_path) == kept
    assert not certificates.renew(tmp_path)


@pytest.mark.parametrize("year", [1970, 2026, 2060])
def test_whatever_its_clock_says_it_makes_a_certificate(tmp_path: Path, year: int) -> None:
    need("openssl")
    assert certificates.renew(tmp_path, lambda: datetime(year, 1, 2, tzinfo=UTC))


def spoilt(whole: bytes) -> dict[str, bytes]:
    """Return a file with key and certificate as it may have become."""
    half = whole.index(b"-----BEGIN CERTIFICATE")
    flipped = bytearray(whole)
    flipped[60] ^= 1  # in the key
    return {
        "empty": b"",
        "text": b"spoilt",
        "binary": bytes(range(256)),
        "half a certificate": whole[: half + 60],
        "no certificate": whole[:half],
        "no key": whole[half:],
        "another key": bytes(flipped),
        "long": whole + 30_000 * b" ",
    }


@pytest.mark.parametrize("name", [certificates.AUTHORITY, certificates.BROKER])
def test_a_spoilt_file_is_kept_aside_and_the_hall_begins(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    need("openssl")
    certificates.renew(tmp_path)
    before, whole = certificates.authority(tmp_path), (tmp_path / name).read_bytes()
    for number, (how, data) in enumerate(spoilt(whole).items(), 1):
        (tmp_path / name).write_bytes(data)
        caplog.clear()
        assert certificates.renew(tmp_path), how
        assert (tmp_path / f"{name}.damaged-{number}").read_bytes() == data
        anew = name == certificates.AUTHORITY
        assert (certificates.authority(tmp_path) != before) is anew
        assert (certificates.NO_TABLE_TRUSTS.template[:60] in caplog.text) is anew
        assert not certificates.renew(tmp_path)
    (tmp_path / name).unlink()
    (tmp_path / name).mkdir()
    assert certificates.renew(tmp_path)


def test_an_authority_that_cannot_be_read_now_is_never_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("openssl")
    before = certificates.authority(tmp_path)

    def failing(*_: object) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as disk:
        disk.setattr(private_files, "read", failing)
        with pytest.raises(CompanionError):
            certificates.renew(tmp_path)
    assert certificates.authority(tmp_path) == before


def test_without_openssl_it_says_how_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CompanionError, match="openssl"):
        certificates.renew(tmp_path)


def test_a_code_has_all_that_a_table_needs_and_a_phone_can_read_it(tmp_path: Path) -> None:
    need("openssl")
    authority = first_certificate(certificates.authority(tmp_path))
    hosts = "192.168.178.105 rappelwacht-hall.local"
    code = join_code.write(Joining(hosts, 8883, 32 * "a", 40 * "b", authority))
    assert join_code.read(code) == Joining(hosts, 8883, 32 * "a", 40 * "b", authority)
    picture = segno.make(code, error="l")
    assert picture.mode == "alphanumeric"
    assert int(picture.version) <= LARGEST_QR


def test_a_hall_that_has_another_address_is_found_by_the_next_of_its_names(own: OwnBroker) -> None:
    moved = replace(as_table(own), host=f"127.0.0.2 {LOOPBACK}")
    table = Client(moved, "table", print)
    table.start()
    wait_until(lambda: table.connected)
    table.close()
    assert reach(moved) is ConnectionStatus.JOINED


def test_no_more_come_in_than_a_listener_takes(tmp_path: Path) -> None:
    need("mosquitto")
    listener = accounts.Listener(free_port(), LOOPBACK, connections=2)
    text = accounts.configuration([listener], tmp_path)
    assert f"listener {listener.port} {LOOPBACK}\nmax_connections 2\n" in text


def test_a_hall_keeps_its_authority_and_its_ports(tmp_path: Path) -> None:
    need("mosquitto")
    need("openssl")
    seen = []
    for _ in range(2):
        with HallServer(tmp_path) as hall:
            own = hall.own_broker(tmp_path, LOOPBACK)
            hall.join_table("attic", "a secret")
            seen.append((own.port, own.tls_port, own.authority, hall.code("attic")))
    assert seen[0] == seen[1]
    assert seen[0][3] is not None
    assert hall.code("nobody") is None


def test_a_hall_that_runs_already_is_told(tmp_path: Path) -> None:
    need("mosquitto")
    with HallServer(tmp_path) as hall:
        hall.own_broker(tmp_path, LOOPBACK)
        with (
            HallServer(tmp_path) as other,
            pytest.raises(CompanionError, match="is already running"),
        ):
            other.own_broker(tmp_path, LOOPBACK)


def test_home_assistant_comes_in_by_the_account_that_the_director_sees(own: OwnBroker) -> None:
    home = replace(as_table(own), account=accounts.HOME, password=own.home_password)
    table = topics.topic("attic", TopicKind.STATE)
    config = f"homeassistant/device/{accounts.device('attic')}/config"
    with Listener(home, "homeassistant/#", table) as ear, Listener(as_table(own)) as speaks:
        speaks.says(Publication(table, b"state", retain=True))
        speaks.says(Publication(config, b"config", retain=True))
        wait_until(lambda: {one.data for one in ear.heard} == {b"state", b"config"})


def test_a_broker_that_is_there_lets_tables_in_by_the_files_that_the_hall_writes(
    tmp_path: Path,
) -> None:
    (tmp_path / "there").mkdir()
    with TlsBroker(tmp_path / "there") as there, HallServer(tmp_path / "hall") as hall:
        address = there.safely("hall")
        found = hall.other_broker(tmp_path / "hall", address)
        hall.join_table("loft", "loft's own secret")
        code = hall.code("loft")
        assert code is not None
        HALL_FILE.save(tmp_path, join_code.read(code))
        member = joined(None, tmp_path)
        assert member is not None
        assert (
            reach(member.broker) is ConnectionStatus.REFUSED
        )  # whoever runs it has not heard of it yet
        for file in ("passwords", "access"):
            assert (found.folder / file).stat().st_mode & 0o077 == 0
            shutil.copy(found.folder / file, there.folder / file)
        os.kill(there.pid, signal.SIGHUP)
        wait_until(lambda: reach(member.broker) is ConnectionStatus.JOINED)
        hall.follow(address)
        wait_until(lambda: hall.link_is_up)


def test_the_doctor_looks_at_the_hall_of_its_own_computer(tmp_path: Path) -> None:
    need("mosquitto")
    assert kept_address(tmp_path) is None
    with HallServer(tmp_path) as hall:
        own = hall.own_broker(tmp_path, LOOPBACK)
        found = kept_address(tmp_path)
        assert found is not None
        assert found.port == own.tls_port
        assert doctor.this_hall(found).condition.state is doctor.Here.SERVES
        foreign = replace(found, authority=made(tmp_path / "other"))
        assert doctor.this_hall(foreign).condition.state is doctor.Here.UNPROVEN
    stopped = kept_address(tmp_path)
    assert stopped is not None
    assert doctor.this_hall(stopped).condition.state is doctor.Here.STOPPED
    (tmp_path / "broker" / certificates.AUTHORITY).write_text("spoilt", "ascii")
    assert kept_address(tmp_path) is None


def test_the_doctor_says_it_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    need("mosquitto")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = ensure_private_folder(tmp_path / "rappelwacht" / "hall")
    with HallServer(folder) as hall:
        hall.own_broker(folder, LOOPBACK)
        main(["--language", "en", "doctor", "--listen=0"])
    said = " ".join(capsys.readouterr().out.split())
    assert "This computer is a hall, and its broker lets tables in" in said


def test_a_port_that_is_kept_is_none_that_the_kernel_lends() -> None:
    begins, ends = map(int, LENT.read_text("ascii").split())
    found = {product_port(LOOPBACK) for _ in range(20)}
    assert len(found) > 1
    assert not found & {*range(begins, ends + 1)}
