"""Update, go back, restart and shut down on the Workshop page: asked of root, and what it says."""

import io
import shutil
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.maintenance import care
from companion.maintenance.care import CareState
from companion.system import private_files
from companion.system.errors import CompanionError
from companion.system.text import Text
from companion.web.care_page import VERBS
from companion.web.context import WebContext
from companion.web.update_page import OF_PROGRAM
from tests.web.playing import table as playing
from tests.web.room import HOST, FakeRoom, client, phones
from tests.web.test_wifi_page import asked, confirmed, installed

ACTS = {"update": {"source": "card"}} | {act: {} for act in OF_PROGRAM if act != "update"}


@pytest.fixture
def of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WebContext:
    """Return a table that is installed as a service."""
    return installed(tmp_path, monkeypatch)


@pytest.fixture
def phone(of: WebContext) -> FlaskClient:
    return client(of, "table")


def answered(
    of: WebContext, state: CareState, verb: str = "update", sentence: str = "Begun."
) -> None:
    """Have root answer."""
    assert of.folder is not None
    root = care.root_of(of.folder)
    assert root is not None
    said = care.CareAnswer("0" * 16, verb, state, Text(sentence))
    private_files.write(root / care.ANSWERED / care.ANSWER, care.to_json(said), 0o644)


def versions(of: WebContext, used: str, before: str | None) -> None:
    root = care.root_of(of.folder)
    assert root is not None
    for name, version in (("current", used), ("previous", before)):
        if version is not None:
            (root / care.BESIDE / "releases" / version).mkdir(parents=True, exist_ok=True)
            (root / care.BESIDE / name).symlink_to(Path("releases", version))


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["error"]["code"]


@pytest.mark.parametrize(("act", "words"), ACTS.items())
def test_root_is_asked_once_the_table_has_confirmed_it(
    of: WebContext, phone: FlaskClient, act: str, words: dict[str, str]
) -> None:
    path = f"/api/care/{act}"
    assert code(phone.post(path, json=words)) == (403, "unconfirmed")
    assert asked(of) is None
    confirmed(phone, act)
    answer = phone.post(path, json=words)
    request = asked(of)
    assert request is not None
    assert answer.get_json() == {"request": request["request"]}
    assert (request["verb"], request["words"], request["port"]) == (VERBS[act], words, 8000)
    confirmed(phone, act)
    assert code(phone.post(path, json=words)) == (409, "busy")  # one after the other
    assert client(of).post(path, json=words).status_code == 403  # who only watches


@pytest.mark.parametrize(("act", "words"), ACTS.items())
def test_nothing_is_asked_in_the_middle_of_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str, words: dict[str, str]
) -> None:
    of = installed(tmp_path, monkeypatch)
    object.__setattr__(of, "room", playing())
    phone = client(of, "table")
    confirmed(phone, act)
    assert code(phone.post(f"/api/care/{act}", json=words)) == (409, "playing")
    assert asked(of) is None


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("update", {}),
        ("update", {"source": "/etc/shadow"}),
        ("update", {"source": ["card"]}),
        ("update", {"source": "card", "unsigned": True}),
        ("restart", {"verb": "update"}),
        ("shut-down", {"now": True}),
    ],
)
def test_what_no_page_of_ours_sends_is_refused(
    of: WebContext, phone: FlaskClient, path: str, body: dict[str, object]
) -> None:
    confirmed(phone, path)
    assert code(phone.post(f"/api/care/{path}", json=body))[0] == 400
    assert asked(of) is None


def test_a_table_that_is_no_service_offers_none_of_it() -> None:
    of = phones(FakeRoom(), hands={})
    phone = client(of, "table")
    assert 'id="program"' not in phone.get("/workshop").text
    for act, words in ACTS.items():
        confirmed(phone, act)
        assert code(phone.post(f"/api/care/{act}", json=words)) == (409, "not-installed")
    assert phone.get("/api/care/answer").get_json()["state"] == "none"


def test_a_file_that_a_phone_sent_lies_where_root_looks(of: WebContext, phone: FlaskClient) -> None:
    assert of.folder is not None
    confirmed(phone, "update")
    assert code(phone.post("/api/care/update", json={"source": "file"})) == (409, "no-upload")
    name = phone.get_cookie(of.pairing.cookie, HOST.partition(":")[0])
    assert name is not None
    of.uploads.add(name.value, 0, 3, b"zip")
    assert phone.post("/api/care/update", json={"source": "file"}).status_code == 200
    file = care.request_folder(of.folder) / care.UPDATE
    assert file.read_bytes() == b"zip"
    assert file.stat().st_mode & 0o777 == 0o600
    assert of.uploads.whole(name.value) is None


def test_a_full_disk_is_said_at_once(of: WebContext, monkeypatch: pytest.MonkeyPatch) -> None:
    assert of.folder is not None

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", full)
    with pytest.raises(CompanionError, match=r"update\.zip cannot be written \(No space left"):
        care.keep_update(of.folder, io.BytesIO(b"zip"))


def test_the_page_says_which_version_is_used_and_was(of: WebContext, phone: FlaskClient) -> None:
    shown = phone.get("/workshop").text
    assert "Before, it was" not in shown
    assert 'data-care="roll-back"' not in shown
    versions(of, "0.1.0-aaaaaaaaaa", "0.0.9-bbbbbbbbbb")
    shown = phone.get("/workshop").text
    assert "Before, it was 0.0.9." in shown
    assert 'data-care="roll-back"' in shown
    for act in ("restart", "shut-down"):
        assert f'data-care="{act}"' in shown
    assert 'id="program"' not in client(of).get("/workshop").text


def test_two_builds_of_one_version_are_told_apart(of: WebContext, phone: FlaskClient) -> None:
    versions(of, "0.1.0-aaaaaaaaaa", "0.1.0-bbbbbbbbbb")
    assert "Before, it was 0.1.0-bbbbbbbbbb." in phone.get("/workshop").text


def test_a_file_on_the_card_is_one_tap_away(phone: FlaskClient, tmp_path: Path) -> None:
    assert "from the card" not in phone.get("/workshop").text
    card = tmp_path / "boot/firmware"
    card.mkdir(parents=True)
    for name in ("rappelwacht-0.9-card.zip", "rappelwacht-0.10-card.zip", "other.zip"):
        (card / name).touch()
    shown = phone.get("/workshop").text
    assert "Install rappelwacht-0.10-card.zip from the card" in shown
    assert "other.zip" not in shown


def test_what_became_of_it_is_said_until_the_next(of: WebContext, phone: FlaskClient) -> None:
    answered(of, CareState.BACK, sentence="it does not start")
    shown = phone.get("/workshop").text
    assert 'class="note bad">it does not start</p>' in shown
    answer = phone.get("/api/care/answer")
    assert answer.get_json() == {
        "busy": False,
        "request": "0" * 16,
        "state": "back",
        "sentence": "it does not start",
    }
    assert phone.get("/api/care/answer", headers={"Accept-Language": "de"}).get_json()[
        "sentence"
    ] == ("sie startet nicht")
    assert client(of).get("/api/care/answer").status_code == 403
    answered(of, CareState.DONE, "reboot", "The computer is being restarted.")
    assert "The computer is being restarted." not in phone.get("/workshop").text
    answered(of, CareState.DONE, "wifi_home")
    assert "Begun." not in phone.get("/workshop").text.partition('id="wifi"')[0]


def test_while_root_is_at_it_the_page_follows(of: WebContext, phone: FlaskClient) -> None:
    answered(of, CareState.DOING)
    assert "data-busy" in phone.get("/workshop").text
    assert phone.get("/api/care/answer").get_json()["busy"]


def test_before_anything_was_asked_there_is_no_answer(phone: FlaskClient) -> None:
    assert phone.get("/api/care/answer").get_json()["state"] == "none"
