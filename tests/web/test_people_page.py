"""Names and animals on phones: who may give and erase them, and where they are never read."""

import logging

import pytest
from flask import Flask

from companion.referee.people.person import Animal
from companion.web.context import WebContext
from tests.web.room import FakeRoom, app, client, phones

PAGES = ("/", "/api/snapshot", "/api/view/table", "/history", "/api/people", "/join", "/setup")


@pytest.fixture
def whole() -> WebContext:
    return phones(FakeRoom("red", "blue"))


@pytest.fixture
def served(whole: WebContext) -> Flask:
    return app(whole)


def test_a_phone_names_who_sits_at_its_seat_and_no_other(served: Flask) -> None:
    red = client(served, "red")
    answer = red.post("/api/people", json={"seat": "red", "name": "Oma", "animal": "fox"})
    assert answer.status_code == 200
    assert answer.json is not None
    assert answer.json["people"] == [{"seat": "red", "name": "Oma", "animal": "fox"}]
    assert red.post("/api/people", json={"seat": "blue", "name": "Opa"}).status_code == 403
    assert red.post("/api/people/leave", json={"seat": "blue"}).status_code == 403
    table = client(served, "table")
    assert table.post("/api/people", json={"seat": "blue", "name": "Opa"}).status_code == 200


def test_who_watches_names_and_erases_nobody(whole: WebContext, served: Flask) -> None:
    oma = whole.people.sit("red", "Oma", Animal.FOX, kept=True)
    whole.people.leave("red")
    watcher = client(served)
    for path, body in (
        ("/api/people", {"seat": "red", "name": "x"}),
        ("/api/people/leave", {"seat": "red"}),
        ("/api/people/forget", {"person": oma.id}),
        ("/api/people/forget", {"all": True}),
    ):
        assert watcher.post(path, json=body).status_code == 403
    assert watcher.get("/api/people").json == {"people": [], "known": []}
    assert all("Oma" not in watcher.get(page).text for page in PAGES)
    assert whole.people.known == (oma,)


def test_a_seats_phone_erases_its_own_person_alone(whole: WebContext, served: Flask) -> None:
    oma = whole.people.sit("red", "Oma", kept=True)
    opa = whole.people.sit("blue", "Opa", kept=True)
    red = client(served, "red")
    assert red.post("/api/people/forget", json={"person": opa.id}).status_code == 403
    assert red.post("/api/people/forget", json={"all": True}).status_code == 403
    assert red.post("/api/people/forget", json={"person": oma.id}).status_code == 200
    assert whole.people.known == (opa,)
    client(served, "table").post("/api/people/forget", json={"all": True})
    assert not whole.people.known


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_bad_name_is_refused_in_a_sentence(served: Flask, language: str) -> None:
    red = client(served, "red", language)
    answer = red.post("/api/people", json={"seat": "red", "name": "O\u202ema"})
    assert answer.status_code == 422
    assert answer.json is not None
    sentence = answer.json["error"]["sentence"]
    assert sentence.startswith(
        {"en": "This name contains an invisible character", "de": "In diesem Namen"}[language]
    )


def test_what_is_shown_changes_with_the_names_at_once(whole: WebContext, served: Flask) -> None:
    watcher, red = client(served), client(served, "red")
    before = watcher.get("/api/view/table").text
    assert "Oma" not in before
    red.post("/api/people", json={"seat": "red", "name": "Oma", "animal": "fox"})
    named = watcher.get("/api/view/table").text
    assert "Oma" in named
    assert watcher.get("/api/view/table").text == named
    whole.people.forget_all()
    assert watcher.get("/api/view/table").text == before


def test_html_in_a_name_is_text(whole: WebContext, served: Flask) -> None:
    whole.people.sit("red", "<i>&amp;'\"")
    for page in ("/", "/api/view/table", "/join", "/setup"):
        assert "<i>&amp;'" not in client(served, "table").get(page).text
    assert "&lt;i&gt;" in client(served).get("/").text


def test_names_are_in_no_log_no_journal_no_export_and_at_no_other_table(
    whole: WebContext, served: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    red = client(served, "red")
    red.post("/api/people", json={"seat": "red", "name": "Rumpelstilz", "kept": True})
    red.post("/api/people", json={"seat": "red", "name": "Rumpel\u202estilz"})
    room = whole.room
    assert isinstance(room, FakeRoom)
    red.post(
        "/api/commands", json={"request": "roll-1234", "wish": {"kind": "act", "text": "roll 7"}}
    )
    now = room.snapshot
    assert now.match is not None
    whole.people.playing(now.match, ("red", "blue"), over=False)
    assert "Rumpelstilz" in red.get(f"/history/{now.match}").text
    assert "umpelstilz" not in red.get(f"/api/matches/{now.match}/export").text
    assert all("umpelstilz" not in str(entry) for entry in room.entries(now.match))
    assert "umpelstilz" not in caplog.text
    other = client(FakeRoom("red", "blue"), "table")
    assert all("umpelstilz" not in other.get(page).text for page in PAGES)


def test_an_erased_person_is_a_colour_in_old_matches(whole: WebContext, served: Flask) -> None:
    oma = whole.people.sit("red", "Rumpelstilz", kept=True)
    match = whole.room.snapshot.match
    assert match is not None
    whole.people.playing(match, ("red", "blue"), over=False)
    red = client(served, "red")
    assert "Rumpelstilz" in red.get("/history").text
    whole.people.forget(oma.id)
    for page in ("/history", f"/history/{match}", f"/api/matches/{match}"):
        assert "Rumpelstilz" not in red.get(page).text
    assert "Red" in red.get(f"/history/{match}").text


def test_the_api_tells_who_sits_where_and_calls_nobody(whole: WebContext, served: Flask) -> None:
    whole.people.sit("red", "Oma", Animal.FOX)
    told = [client(served, role).get("/api/snapshot").json for role in (None, "red", "table")]
    assert told[0] is not None
    assert told[0]["people"] == [{"seat": "red", "name": "Oma", "animal": "fox"}]
    assert {one["headline"] for one in told if one} == {told[0]["headline"]}
