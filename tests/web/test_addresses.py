"""Where phones find us: every address of ours, the likeliest first, and none that is not ours."""

from pathlib import Path

import pytest

from companion.web.common import addresses
from companion.web.common.addresses import OwnAddresses, caller, neighbourhood, own_addresses
from tests.web.room import app, client, phones

FIB = """Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     +-- 127.0.0.0/8 2 0 2
        |-- 127.0.0.1
           /32 host LOCAL
     +-- 172.17.0.0/16 2 0 2
        |-- 172.17.0.1
           /32 host LOCAL
        |-- 172.17.255.255
           /32 link BROADCAST
     +-- 192.168.7.0/24 2 0 2
        |-- 192.168.7.0
           /24 link UNICAST
        |-- 192.168.7.5
           /32 host LOCAL
"""

SIX = """\
20010db8000000000000000000000099 02 40 00 01     eth0
fe8000000000000000fc00fffe000001 02 40 20 80     eth0
00000000000000000000000000000001 01 80 10 80       lo
fd000000000000000000000000000002 02 40 00 80     eth0
20010db8000000000000000000000005 02 40 00 00     eth0
"""


@pytest.fixture(autouse=True)
def without_six(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "if_inet6"
    monkeypatch.setattr(addresses, "SIX", file)
    return file


@pytest.fixture
def linux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "fib_trie"
    file.write_text(FIB + FIB)  # Linux lists all of it twice
    monkeypatch.setattr(addresses, "FIB", file)
    return file


@pytest.mark.usefixtures("linux")
def test_the_address_towards_elsewhere_comes_first_then_homes_then_containers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "address_towards", lambda _: "10.1.2.3")
    assert own_addresses() == ("10.1.2.3", "192.168.7.5", "172.17.0.1")


@pytest.mark.usefixtures("linux")
def test_without_any_way_elsewhere_the_addresses_are_still_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "address_towards", lambda _: "")
    assert own_addresses() == ("192.168.7.5", "172.17.0.1")


def test_a_computer_without_that_list_knows_its_way_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "FIB", tmp_path / "none")
    monkeypatch.setattr(addresses, "address_towards", lambda _: "192.168.7.5")
    assert own_addresses() == ("192.168.7.5",)
    monkeypatch.setattr(addresses, "address_towards", lambda _: "")
    assert own_addresses() == ()


def test_links_end_with_the_name_and_bear_the_port() -> None:
    own = ["192.168.7.5", "10.0.0.5", "fd00::5", "fe80::5"]
    here = OwnAddresses(8000, lambda: tuple(own), "Zapp.home.example", named=lambda: True)
    four = ("http://192.168.7.5:8000", "http://10.0.0.5:8000")
    assert here.links == (*four, "http://zapp.local:8000")
    only_six = OwnAddresses(8000, lambda: tuple(own[2:]), "zapp", named=lambda: True)
    assert only_six.links == ("http://[fd00::5]:8000", "http://zapp.local:8000")


@pytest.mark.usefixtures("linux")
def test_every_address_of_version_6_is_ours_and_those_that_pass_come_last(
    without_six: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "address_towards", lambda _: "192.168.7.5")
    without_six.write_text(SIX)
    assert own_addresses() == (
        "192.168.7.5",
        "172.17.0.1",
        "fe80::fc:ff:fe00:1",
        "fd00::2",
        "2001:db8::5",
        "2001:db8::99",
    )
    here = OwnAddresses(8000, name="zapp")
    for host in ("fe80::fc:ff:fe00:1%25eth0", "FD00:0::2", "2001:db8::99", "::ffff:172.17.0.1"):
        assert here.known(host), host
    for host in ("fd00::3", "2001:db8::", "::ffff:172.17.0.2", "fd00::2.evil.example"):
        assert not here.known(host), host


def test_the_second_of_two_tables_in_a_house_knows_what_avahi_makes_of_its_name() -> None:
    here = OwnAddresses(8000, tuple, "zapp")
    for host in ("zapp.local", "zapp-2.local", "ZAPP-11.local.", "localhost"):
        assert here.known(host), host
    for host in ("zapp-1.local", "zapp-02.local", "zapp-2.example", "zapp-2.local.evil.example",
                 "evil-zapp-2.local", "zapp-2-2.local", "zapp-100.local", "localhost-2.local",
                 "zapp-\u0662.local"):  # fmt: skip
        assert not here.known(host), host


def test_a_phone_that_calls_us_by_an_address_of_version_6_is_answered() -> None:
    own = ("192.168.7.5", "fe80::5", "fd00::5")
    whole = phones(here=OwnAddresses(8000, lambda: own, "zapp", named=lambda: True))
    made = app(whole)
    for host in ("[fe80::5%25wlan0]:8000", "[fe80::5%wlan0]:8000", "[fd00::5]", "[FD00:0:0::5]:1"):
        sent = {"Host": host, "Origin": f"http://{host}"}
        answer = client(made).post("/api/pair", json={"pin": whole.pairing.pin}, headers=sent)
        assert answer.status_code == 200, host
        foreign = sent | {"Origin": "http://[fe80::6]:8000"}
        assert client(made).post("/api/pair", json={}, headers=foreign).status_code == 403


def test_whoever_calls_is_the_same_however_the_address_is_written() -> None:
    assert caller("::ffff:192.168.7.20") == caller("192.168.7.20") == "192.168.7.20"
    assert caller("FE80::1%eth0") == "fe80::1"
    assert caller("") == ""
    assert neighbourhood("2001:db8::1") == neighbourhood("2001:db8::ffff:1%eth0")
    assert neighbourhood("2001:db8::1") != neighbourhood("2001:db8:0:1::1")
    assert neighbourhood("::ffff:192.168.7.20") != neighbourhood("::ffff:192.168.7.21")


def test_a_name_for_which_nobody_answers_is_not_offered_but_still_ours() -> None:
    here = OwnAddresses(8000, lambda: ("192.168.7.5",), "zapp", named=lambda: False)
    assert here.links == ("http://192.168.7.5:8000",)
    assert here.known("zapp.local")  # perhaps the router knows it
    assert OwnAddresses(8000, tuple, "zapp", named=lambda: False).links == (
        "http://localhost:8000",
    )


def test_this_computer_has_addresses_that_it_knows_as_its_own() -> None:
    here = OwnAddresses(8000)
    assert all(here.known(address) for address in own_addresses())
    assert here.known("localhost")
    assert not here.known("192.0.2.77")
    assert not here.known("")


def test_addresses_are_asked_for_again_but_not_for_every_request() -> None:
    asked, now_s = [], [0.0]

    def own() -> tuple[str, ...]:
        asked.append(now_s[0])
        return ("192.168.7.5",)

    here = OwnAddresses(8000, own, clock_s=lambda: now_s[0])
    for _ in range(100):
        here.known("192.0.2.77")
    assert len(asked) == 1
    now_s[0] += addresses.STALE_S
    assert here.known("192.168.7.5")
    assert len(asked) == 2
