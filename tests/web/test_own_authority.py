"""The table's own authority: whom it may vouch for, how long, and who can read its keys."""

import ssl
import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.system import certificates, private_files, status
from companion.system.config import WebConfig
from companion.system.errors import CompanionError
from companion.web.common.addresses import OwnAddresses
from companion.web.common.tls import Https, HttpsState, check_kept
from tests.programs import need

NOW = datetime(2026, 12, 24, 20, 0, tzinfo=UTC)
NAMES = ("zapp.local", "192.168.7.5", "fd00::7")


@pytest.fixture(autouse=True)
def openssl() -> None:
    need("openssl")


def made(folder: Path, *names: str, now: datetime = NOW) -> certificates.PagesCertificate:
    """Return a new certificate of the pages."""
    known = certificates.renew_pages(folder, names or NAMES, now)
    assert known is not None
    return known


def verifies(folder: Path, *names: str) -> bool:
    """Tell whether openssl takes what the table's key signs for these names."""
    by = folder / certificates.AUTHORITY
    with certificates.OpensslRun(*names) as desk:
        made_by_thief = desk.signed("pages", "x", "ec", NOW + timedelta(days=9), by, begins=NOW)
        (desk.folder / "leaf").write_bytes(made_by_thief)
        between, root = certificates.CERTIFICATE.findall(by.read_text("ascii"))
        (desk.folder / "between").write_text(between, "ascii")
        (desk.folder / "root").write_text(root, "ascii")
        asked = ["-purpose", "sslserver", "-no_check_time", "-CAfile", "root"]
        return desk.does("verify", *asked, "-untrusted", "between", "leaf")


def test_a_stolen_key_signs_for_homes_and_for_nothing_else(tmp_path: Path) -> None:
    made(tmp_path)
    for name in (*NAMES, "localhost", "127.0.0.1", "::1", "10.1.2.3", "100.64.3.2", "box.lan"):
        assert verifies(tmp_path, name), name
    for name in ("bank.example", "local.example", "xlocal", "8.8.8.8", "2001:db8::7", "172.32.0.1"):
        assert not verifies(tmp_path, name), name
        assert not verifies(tmp_path, "zapp.local", name), name


def test_the_key_of_the_root_is_nowhere_and_what_it_signed_signs_no_authority(
    tmp_path: Path,
) -> None:
    made(tmp_path)
    kept = (tmp_path / certificates.AUTHORITY).read_text("ascii")
    between, root = certificates.CERTIFICATE.findall(kept)
    assert kept.count("PRIVATE KEY-----") == 2  # begin and end of one

    def public(*words: str, text: str) -> bytes:
        done = subprocess.run(
            ["openssl", *words], input=text.encode(), capture_output=True, check=True
        )
        return done.stdout

    own = public("pkey", "-pubout", text=kept)
    assert own == public("x509", "-noout", "-pubkey", text=between)
    assert own != public("x509", "-noout", "-pubkey", text=root)
    for certificate in (between, root):
        words = public("x509", "-noout", "-text", text=certificate)
        assert b"X509v3 Name Constraints: critical" in words
    assert b"pathlen:0" in public("x509", "-noout", "-text", text=between)


def test_a_name_for_people_far_away_is_vouched_for_if_it_was_there_from_the_start(
    tmp_path: Path,
) -> None:
    known = made(tmp_path, *NAMES, "table.example.org")
    assert "table.example.org" in known.names
    assert verifies(tmp_path, "table.example.org")
    assert not verifies(tmp_path, "example.org")
    later = made(tmp_path, *NAMES, "table.example.org", "other.example.org")
    assert later.root == known.root
    assert "other.example.org" not in later.names


def test_only_their_owner_reads_the_keys(tmp_path: Path) -> None:
    made(tmp_path / "https")
    assert (tmp_path / "https").stat().st_mode & 0o777 == private_files.FOLDER
    files = [*(tmp_path / "https").iterdir()]
    assert len(files) == 2
    assert {file.stat().st_mode & 0o777 for file in files} == {private_files.FILE}


def test_it_lasts_no_longer_than_browsers_allow_and_a_phone_may_be_a_month_behind(
    tmp_path: Path,
) -> None:
    known = made(tmp_path)
    assert known.ends - known.begins < timedelta(days=398)
    assert known.begins <= NOW - timedelta(days=30)
    assert {"localhost", "127.0.0.1", "::1", *NAMES} == known.names
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / certificates.BROKER)


# --- it follows ----------------------------------------------------------------------------------


class Followed:
    """A table's https that nobody calls, with a clock, a name and addresses that change."""

    def __init__(self, folder: Path, now: datetime = NOW) -> None:
        self.folder, self.now, self.own = folder, now, ["192.168.7.5"]
        self.asked_s = 0.0
        self.https = self.begun("zapp")

    def begun(self, name: str, web: WebConfig | None = None) -> Https:
        here = OwnAddresses(
            8000, lambda: tuple(self.own), name, self._clock_s, lambda: True, web=web
        )
        self.https = Https(self.folder, here, "127.0.0.1", lambda: self.now)
        return self.https

    def _clock_s(self) -> float:
        self.asked_s += 10.0  # addresses are asked for again each time
        return self.asked_s

    def look(self) -> certificates.PagesCertificate:
        self.https.look()
        assert self.https.certificate is not None, self.https.condition
        assert self.https.condition.state is HttpsState.SERVED
        return self.https.certificate


def test_it_is_kept_renewed_in_time_and_follows_name_and_addresses(tmp_path: Path) -> None:
    table = Followed(tmp_path)
    first = table.look()
    assert first.names >= {"zapp.local", "192.168.7.5", "localhost"}
    assert table.look() is first
    table.begun("zapp")
    assert table.look() == first  # after a restart, too
    table.own.append("10.0.0.3")
    second = table.look()
    assert "10.0.0.3" in second.names
    table.own = ["192.0.2.9"]  # no address of a home: it is left out, and nothing made for it
    assert table.look() is second
    table.begun("other")
    assert "other.local" in table.look().names
    table.now = NOW + timedelta(days=364 - 90)
    before = table.look()
    table.now += timedelta(days=3)
    later = table.look()
    assert later.ends > before.ends
    assert {first.root, second.root, before.root} == {later.root}


def test_a_name_that_it_may_not_vouch_for_is_not_tried_again_and_again(tmp_path: Path) -> None:
    table = Followed(tmp_path)
    table.look()
    table.begun("zapp", WebConfig(names=("table.example.org:8443",)))
    first = table.look()
    assert "table.example.org" not in first.names
    assert table.look() is first


@pytest.mark.parametrize("year", [1970, 2025, 2060])
def test_a_clock_that_is_wrong_makes_nothing_until_it_is_right(tmp_path: Path, year: int) -> None:
    table = Followed(tmp_path, datetime(year, 1, 1, tzinfo=UTC))
    table.https.look()
    assert table.https.certificate is None
    assert table.https.condition.state is HttpsState.CLOCK
    assert str(year) in str(table.https.condition)
    assert not (tmp_path / "https").exists()
    table.now = NOW
    whole = table.look()
    table.now = datetime(year, 1, 1, tzinfo=UTC)
    table.begun("zapp")
    assert table.look() == whole  # what was made at a better time is still shown


def test_a_certificate_of_a_clock_that_ran_ahead_is_made_anew(tmp_path: Path) -> None:
    table = Followed(tmp_path, NOW + timedelta(days=4000))
    ahead = table.look()
    table.now = NOW
    mended = table.look()
    assert mended.begins <= NOW < mended.ends
    assert mended.root == ahead.root


def test_without_openssl_it_says_what_to_do_and_tries_again_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Followed(tmp_path)
    with monkeypatch.context() as bare:
        bare.setenv("PATH", str(tmp_path))
        table.https.look()
    assert table.https.condition.state is HttpsState.FAULT
    assert "apt-get install openssl" in str(table.https.condition)
    table.https.look()
    assert table.https.condition.state is HttpsState.FAULT  # for a while it is left in peace


@pytest.mark.parametrize("name", [certificates.AUTHORITY, certificates.BROKER])
def test_a_spoilt_file_is_kept_aside_and_another_made(tmp_path: Path, name: str) -> None:
    heard = list[status.Condition]()
    before = made(tmp_path)
    (tmp_path / name).write_bytes(b"spoilt")
    assert certificates.read_pages(tmp_path) is None
    after = certificates.renew_pages(tmp_path, NAMES, NOW, heard.append)
    assert after is not None
    assert (after.root == before.root) is (name == certificates.BROKER)
    assert (tmp_path / f"{name}.damaged-1").read_bytes() == b"spoilt"


def test_an_authority_that_cannot_be_read_now_is_never_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = made(tmp_path)

    def failing(*_: object) -> bytes:
        raise OSError(5, "broken")

    with monkeypatch.context() as disk:
        disk.setattr(private_files, "read", failing)
        with pytest.raises(CompanionError, match="It stays where it is"):
            certificates.renew_pages(tmp_path, NAMES, NOW)
    assert made(tmp_path).root == before.root


def test_a_certificate_of_another_authority_is_not_shown(tmp_path: Path) -> None:
    made(tmp_path)
    made(tmp_path / "other")
    (tmp_path / certificates.BROKER).write_bytes(
        (tmp_path / "other" / certificates.BROKER).read_bytes()
    )
    assert certificates.read_pages(tmp_path) is None


def test_it_lasts_only_for_names_that_stand_in_it() -> None:
    known = certificates.PagesCertificate(
        b"", "", frozenset({"a.local"}), NOW, NOW + timedelta(days=100)
    )
    assert known.lasts({"a.local"}, NOW)
    assert not known.lasts({"a.local", "b.local"}, NOW)
    assert not known.lasts({"a.local"}, NOW - timedelta(days=1))
    assert not replace(known, ends=NOW + timedelta(days=80)).lasts({"a.local"}, NOW)


def test_the_doctor_says_how_it_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def state(now: datetime = NOW) -> status.Status:
        return check_kept(tmp_path, now).condition.state

    assert state() is HttpsState.NONE
    made(tmp_path / certificates.FOLDER)
    assert state() is HttpsState.KEPT
    assert state(datetime(1970, 1, 1, tzinfo=UTC)) is HttpsState.CLOCK
    key = tmp_path / certificates.FOLDER / certificates.AUTHORITY
    key.chmod(0o640)
    assert state() is HttpsState.OPEN
    assert str(key) in str(check_kept(tmp_path, NOW).condition)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert state() is HttpsState.FAULT
