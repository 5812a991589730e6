"""Where phones find us: every address of ours, the likeliest first, and none that is not ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.phone import addresses
from companion.phone.addresses import Whereabouts, own_addresses

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
    monkeypatch.setattr(addresses, "_towards", lambda _: "10.1.2.3")
    assert own_addresses() == ("10.1.2.3", "192.168.7.5", "172.17.0.1")


@pytest.mark.usefixtures("linux")
def test_without_any_way_elsewhere_the_addresses_are_still_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "_towards", lambda _: "")
    assert own_addresses() == ("192.168.7.5", "172.17.0.1")


def test_a_computer_without_that_list_knows_its_way_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "FIB", tmp_path / "none")
    monkeypatch.setattr(addresses, "_towards", lambda _: "192.168.7.5")
    assert own_addresses() == ("192.168.7.5",)
    monkeypatch.setattr(addresses, "_towards", lambda _: "")
    assert own_addresses() == ()


def test_links_end_with_the_name_and_bear_the_port() -> None:
    own = ("192.168.7.5", "fd00::5")
    here = Whereabouts(8000, lambda: own, "Zapp.home.example", named=lambda: True)
    assert here.links == (
        "http://192.168.7.5:8000",
        "http://[fd00::5]:8000",
        "http://zapp.local:8000",
    )


def test_a_name_for_which_nobody_answers_is_not_offered_but_still_ours() -> None:
    here = Whereabouts(8000, lambda: ("192.168.7.5",), "zapp", named=lambda: False)
    assert here.links == ("http://192.168.7.5:8000",)
    assert here.known("zapp.local")  # perhaps the router knows it
    assert Whereabouts(8000, tuple, "zapp", named=lambda: False).links == ("http://localhost:8000",)


def test_this_computer_has_addresses_that_it_knows_as_its_own() -> None:
    here = Whereabouts(8000)
    assert all(here.known(address) for address in own_addresses())
    assert here.known("localhost")
    assert not here.known("192.0.2.77")
    assert not here.known("")


def test_addresses_are_asked_for_anew_but_not_for_every_request() -> None:
    asked, now_s = [], [0.0]

    def own() -> tuple[str, ...]:
        asked.append(now_s[0])
        return ("192.168.7.5",)

    here = Whereabouts(8000, own, clock_s=lambda: now_s[0])
    for _ in range(100):
        here.known("evil.example")
    assert len(asked) == 1
    now_s[0] += addresses.STALE_S
    assert here.known("192.168.7.5")
    assert len(asked) == 2
