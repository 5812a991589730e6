"""Root does what the Workshop page asks by a file, and nothing that others ask there."""

import json
import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from companion.cli.install import care as root_care
from companion.cli.install import match_guard
from companion.cli.install.care import Hostile
from companion.cli.install.places import Places
from companion.journal import Journal, NewEntry
from companion.maintenance import care
from companion.maintenance.care import CareState
from companion.system import private_files
from companion.system.errors import CompanionError
from companion.system.paths import JOURNAL
from companion.system.text import Text

PORT = 8000
WORDS = {  # that fit, by verb, for those that take some
    "update": {"source": "card"},
    "wifi_home": {"ssid": "486f6d65", "key": "geheim-12"},
}
Seed = Callable[[Path], object]


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Return a computer on which a table is installed."""
    there = Places(tmp_path / "root")
    there.care.mkdir(parents=True)
    (there.data / "table").mkdir(parents=True)
    return there


def table(places: Places) -> Path:
    return places.data / "table"


def asked(places: Places, **changed: object) -> dict[str, object]:
    """Have a request lie there, with something changed; return it."""
    care.ask(table(places), "restart", PORT)
    file = request(places)
    parts: dict[str, object] = json.loads(file.read_bytes()) | changed
    file.write_text(json.dumps({name: part for name, part in parts.items() if part is not None}))
    return parts


def request(places: Places) -> Path:
    return care.request_folder(table(places)) / care.REQUEST


def no_tools(words: Sequence[str]) -> int:
    raise AssertionError(words)


def test_what_the_page_asks_is_done_once_and_answered_for_everybody(places: Places) -> None:
    folder = table(places)
    assert care.is_there(folder)
    assert care.answer(folder) is None
    name = care.ask(folder, "restart", PORT)
    assert care.is_busy(folder)
    assert request(places).stat().st_mode & 0o777 == 0o600
    assert root_care.carry_out(places, no_tools) is CareState.DONE
    answered = care.answer(folder)
    assert answered is not None
    assert (answered.request, answered.verb) == (name, "restart")
    assert answered.state is CareState.DONE
    assert (places.care / care.ANSWER).stat().st_mode & 0o777 == 0o644
    assert not care.is_busy(folder)
    assert root_care.carry_out(places, no_tools) is None


def test_a_table_of_somebodys_own_has_nobody_who_cares_for_it(tmp_path: Path) -> None:
    assert not care.is_there(None)
    assert not care.is_there(tmp_path / "table")
    assert not care.is_there(tmp_path / "var/lib/rappelwacht/table")  # not installed
    assert care.answer(tmp_path / "table") is None


def test_two_things_are_never_asked_at_once(places: Places) -> None:
    care.ask(table(places), "reboot", PORT)
    with pytest.raises(CompanionError):
        care.ask(table(places), "shut_down", PORT)
    assert root_care.carry_out(places, no_tools) is CareState.DONE
    care.ask(table(places), "shut_down", PORT)


@pytest.mark.parametrize(("verb", "how"), [("reboot", "reboot"), ("shut_down", "poweroff")])
def test_pages_can_read_that_the_computer_goes_before_it_does(
    places: Places, monkeypatch: pytest.MonkeyPatch, verb: str, how: str
) -> None:
    done: list[object] = []

    def wait(seconds: float) -> None:
        answered = care.answer(table(places))
        assert answered is not None
        assert answered.state is CareState.DONE
        done.append(seconds)

    def run(words: Sequence[str]) -> int:
        done.append([*words])
        return 0

    monkeypatch.setattr(Places, "live", True)
    care.ask(table(places), verb, PORT)
    assert root_care.carry_out(places, run, wait=wait) is CareState.DONE
    assert done == [root_care.READ_S, ["systemctl", how]]


def test_a_disk_that_takes_nothing_is_said(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(private_files, "write", full)
    with pytest.raises(CompanionError, match="No space left on device"):
        care.ask(table(places), "restart", PORT)


@pytest.mark.parametrize("verb", root_care.VERBS)
def test_nothing_is_done_in_the_middle_of_a_match(places: Places, verb: str) -> None:
    journal = Journal(table(places) / JOURNAL)
    journal.start(NewEntry("begun", {}))
    journal.close()
    care.ask(table(places), verb, PORT, **WORDS.get(verb, {}))
    assert root_care.carry_out(places, no_tools) is CareState.REFUSED
    assert care.answer(table(places)) is not None


# --- hostile files --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changed",
    [
        {"verb": "format"},
        {"verb": "__class__"},
        {"verb": ["restart"]},
        {"verb": None},
        {"request": None},
        {"request": "../../etc/passwd"},
        {"request": 7},
        {"port": "8000"},
        {"port": True},
        {"port": 0},
        {"port": 65536},
        {"boot": "another"},
        {"boot": None},
        {"words": {"file": "/etc/shadow"}},
        {"verb": "update"},
        {"verb": "update", "words": {"source": "../card"}},
        {"verb": "update", "words": {"source": ["card"]}},
        {"words": []},
        {"more": 1},
    ],
)
def test_a_request_with_unknown_parts_fails(places: Places, changed: dict[str, object]) -> None:
    asked(places, **changed)
    with pytest.raises(Hostile):
        root_care.carry_out(places, no_tools)
    assert not request(places).exists()
    assert care.answer(table(places)) is None
    assert not care.is_busy(table(places))


def _replaced(make: Seed) -> Seed:
    def replace(file: Path) -> None:
        file.unlink()
        make(file)

    return replace


def _linked(file: Path) -> None:
    other = file.with_name("other.json")
    file.rename(other)
    file.symlink_to(other)


def _named_twice(file: Path) -> None:
    file.with_name("other.json").hardlink_to(file)


def _folder_with_something(file: Path) -> None:
    file.mkdir()
    (file / "in").touch()


HOSTILE: dict[str, Seed] = {
    "a link": _linked,
    "a link to nothing": _replaced(lambda file: file.symlink_to("/nowhere")),
    "two names": _named_twice,
    "a pipe": _replaced(os.mkfifo),
    "a folder": _replaced(_folder_with_something),
    "too large": lambda file: file.write_bytes(file.read_bytes() + b" " * care.REQUEST_BYTES),
    "cut off": lambda file: file.write_bytes(file.read_bytes()[:-1]),
    "empty": lambda file: file.write_bytes(b""),
    "deep": lambda file: file.write_bytes(1_000 * b"[" + 1_000 * b"]"),
    "a name twice": lambda file: file.write_bytes(
        file.read_bytes().replace(b'"verb"', b'"verb": "shut_down", "verb"')
    ),
    "a device": _replaced(lambda file: file.symlink_to("/dev/zero")),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_no_request_of_our_pages_is_refused_and_removed(places: Places, what: str) -> None:
    asked(places)
    HOSTILE[what](request(places))
    with pytest.raises(Hostile):
        root_care.carry_out(places, no_tools)
    assert not os.path.lexists(request(places))
    assert root_care.carry_out(places, no_tools) is None
    care.ask(table(places), "restart", PORT)
    if what == "two names":
        (request(places).parent / "other.json").unlink()
    assert root_care.carry_out(places, no_tools) is CareState.DONE


def test_no_link_leads_root_to_another_folder(places: Places, tmp_path: Path) -> None:
    asked(places)
    elsewhere = tmp_path / "elsewhere"
    request(places).parent.rename(elsewhere)
    request(places).parent.symlink_to(elsewhere)
    with pytest.raises(Hostile):
        root_care.carry_out(places, no_tools)
    assert (elsewhere / care.REQUEST).exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who gives files away")
def test_no_link_has_root_look_for_a_match_as_root(places: Places, tmp_path: Path) -> None:
    """Where the service may write, it may also lay a link to what is root's."""
    (tmp_path / "roots" / JOURNAL).mkdir(parents=True)
    table(places).rmdir()
    table(places).symlink_to(tmp_path / "roots")
    os.chown(places.data, 4321, 4321)
    with pytest.raises(OSError, match="Permission"):
        match_guard.demand_none(table(places), PORT)
    assert [*(tmp_path / "roots" / JOURNAL).iterdir()] == []


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who gives files away")
def test_another_users_request_is_refused(places: Places) -> None:
    asked(places)
    os.chown(request(places), 4321, 4321)
    with pytest.raises(Hostile, match="another user's"):
        root_care.carry_out(places, no_tools)


def test_random_bytes_are_refused(places: Places, full: bool) -> None:
    source = random.Random(36)
    whole = json.dumps(asked(places)).encode()
    for _ in range(4_000 if full else 200):
        data = bytearray(whole)
        for _ in range(source.randrange(1, 4)):
            data[source.randrange(len(data))] = source.randrange(256)
        try:
            job, _ = root_care.parse_request(places, no_tools, bytes(data))
        except Hostile:
            continue
        assert job.verb in root_care.VERBS


def test_a_file_that_is_no_update_does_not_stay_on_the_card(places: Places) -> None:
    care.ask(table(places), "update", PORT, source="file")
    file = care.request_folder(table(places)) / care.UPDATE
    file.write_bytes(b"no zip")
    assert root_care.carry_out(places, no_tools) is CareState.REFUSED
    assert not file.exists()


# --- answers --------------------------------------------------------------------------------------


def test_a_sentence_keeps_what_fills_it() -> None:
    inner = Text("pad of {seat}", seat="red")
    said = Text(
        "{inner}: {names:and} {count:#is|are}, {file}",
        inner=inner,
        names=("a", "b"),
        count=2,
        file=Path("/x"),
    )
    answered = care.CareAnswer("0" * 16, "restart", CareState.BACK, said)
    back = care.from_json(care.to_json(answered))
    assert str(back.sentence) == str(said) == "pad of red: a and b are, /x"
    assert (back.request, back.verb, back.state) == ("0" * 16, "restart", CareState.BACK)


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"request": 1}', 99_000 * b" "])
def test_an_answer_that_makes_no_sense_is_none(places: Places, data: bytes) -> None:
    (places.care / care.ANSWER).write_bytes(data)
    assert care.answer(table(places)) is None
