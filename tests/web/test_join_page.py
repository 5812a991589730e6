"""Joining: for those outside and inside, the PIN that only these see, buttons, letting go."""

from pathlib import Path

import pytest
from flask import Flask

from companion.system import private_files
from companion.web import pairing_store
from companion.web.context import WebContext
from companion.web.join_page import invitation_to
from companion.web.pairing import Pairing
from tests.web.attacking import plant, stolen
from tests.web.room import PIN, FakeRoom, app, client, phones


@pytest.fixture
def whole() -> WebContext:
    return phones(FakeRoom("red", "blue"))


@pytest.fixture
def served(whole: WebContext) -> Flask:
    return app(whole)


@pytest.mark.parametrize("role", ["red", "green", "table"])
def test_the_pin_lets_a_phone_in_for_whom_it_says(served: Flask, role: str) -> None:
    phone = client(served)
    assert phone.get("/api/pair").json == {"role": None, "waits_s": 0}
    asked = {"pin": PIN} if role == "table" else {"pin": PIN, "seat": role}
    assert phone.post("/api/pair", json=asked).json == {"role": role, "waits_s": 0}
    assert phone.get("/api/pair").json == {"role": role, "waits_s": 0}


def test_a_wrong_pin_is_told_and_after_five_a_minute_has_to_pass(served: Flask) -> None:
    phone = client(served, language="de")
    for _ in range(5):
        wrong = phone.post("/api/pair", json={"pin": "000000"})
        assert wrong.status_code == 403
        assert wrong.json is not None
        assert wrong.json["error"]["sentence"].startswith("Das ist nicht die PIN.")
    often = phone.post("/api/pair", json={"pin": PIN})
    assert often.status_code == 429
    assert 0 < int(often.headers["Retry-After"]) <= 60


def test_where_the_table_s_card_says_its_pin_phones_are_led_there(tmp_path: Path) -> None:
    private_files.write(tmp_path / pairing_store.CARD_PIN, b"314159\n")
    phone = client(phones(FakeRoom(), pairing=Pairing(tmp_path)))
    page = phone.get("/join").text
    assert "on the table&#39;s card, in the file rappelwacht/installed.txt" in page
    assert "314159" not in page
    wrong = phone.post("/api/pair", json={"pin": "000000"}).json
    assert wrong is not None
    assert "rappelwacht/installed.txt" in wrong["error"]["sentence"]
    assert phone.post("/api/pair", json={"pin": "314159"}).status_code == 200


def test_a_press_of_the_button_lets_in_who_asked(whole: WebContext, served: Flask) -> None:
    phone, watcher = client(served), client(served)
    assert phone.post("/api/pair", json={"seat": "red"}).json == {"role": None, "waits_s": 30}
    taken = watcher.post("/api/pair", json={"seat": "red"})
    assert taken.status_code == 409
    assert taken.json is not None
    assert taken.json["error"]["code"] == "taken"
    assert whole.pairing.held("red")
    assert phone.get("/api/pair").json == {"role": "red", "waits_s": 0}
    assert watcher.get("/api/pair").json == {"role": None, "waits_s": 0}


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"seat": "king"},
        {"seat": None},
        {"pin": None},
        {"pin": None, "seat": "red"},
        {"pin": PIN, "seat": None},
        {"pin": "12345"},
        {"pin": "1234567"},
        {"pin": "２７１８２８"},
        {"pin": f"{PIN}\n"},
        {"pin": 271828},
        {"pin": PIN, "seat": ["red"]},
        {"a": 1},
    ],
)
def test_what_makes_no_sense_lets_nobody_in(served: Flask, asked: dict[str, object]) -> None:
    phone = client(served)
    assert phone.post("/api/pair", json=asked).status_code == 400
    assert phone.get("/api/pair").json == {"role": None, "waits_s": 0}


def test_a_kept_cookie_opens_nothing_once_let_go(whole: WebContext, served: Flask) -> None:
    phone = client(served, "table")
    kept = stolen(phone, whole)
    assert phone.post("/api/unpair", json={}).json == {"role": None, "waits_s": 0}
    thief = client(served)
    plant(thief, whole, kept)
    assert thief.get("/api/pair").json == {"role": None, "waits_s": 0}


def test_entering_again_makes_the_name_before_worthless(whole: WebContext, served: Flask) -> None:
    phone = client(served, "table")
    kept = stolen(phone, whole)
    phone.post("/api/pair", json={"pin": PIN, "seat": "red"})
    thief = client(served)
    plant(thief, whole, kept)
    assert thief.get("/api/pair").json == {"role": None, "waits_s": 0}


def test_only_the_phone_of_the_whole_table_lets_all_go(served: Flask) -> None:
    red, table = client(served, "red"), client(served, "table")
    assert client(served).post("/api/unpair", json={"all": True}).status_code == 403
    assert red.post("/api/unpair", json={"all": True}).status_code == 403
    assert red.post("/api/unpair", json={"all": 1}).status_code == 400
    assert table.post("/api/unpair", json={"all": True}).status_code == 200
    for phone in (red, table):
        assert phone.get("/api/pair").json == {"role": None, "waits_s": 0}


@pytest.mark.parametrize("language", ["de", "en"])
def test_nobody_who_only_watches_ever_gets_the_pin(served: Flask, language: str) -> None:
    watcher = client(served, language=language)
    for path in ("/join", "/join/qr.svg", "/api/pair"):
        assert PIN not in watcher.get(path).text
    assert watcher.get("/join/invite.svg").status_code == 403
    for role in ("red", "table"):
        phone = client(served, role, language)
        assert PIN in phone.get("/join").text
        assert phone.get("/join/invite.svg").mimetype == "image/svg+xml"


def test_the_page_offers_the_seats_that_play(served: Flask) -> None:
    page = client(served).get("/join").text
    assert 'value="red"' in page
    assert 'value="green"' not in page
    before = client(app(FakeRoom())).get("/join").text
    assert 'value="green"' in before


def test_the_picture_of_an_invitation_bears_the_pin_where_no_log_sees_it(whole: WebContext) -> None:
    assert invitation_to(whole, whole.here.links[0]) == f"http://192.168.7.5:8000/join#{PIN}"
