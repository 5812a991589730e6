"""The bundle for a fault report: planted secrets are searched for, and nothing else is lost."""

import re
from pathlib import Path
from time import thread_time
from typing import Any

import pytest

from companion.cli.install.match_guard import RunningTable
from companion.cli.main import main
from companion.maintenance import bundle as bundles
from companion.maintenance.bundle import Anonymiser, bundle
from companion.maintenance.stopper_status import TrailPoint
from companion.maintenance.view import (
    CalibrationShown,
    MaintenanceDetails,
    MaintenanceSnapshot,
    StopperShown,
)
from companion.referee.people.person import ANIMALS, Person
from companion.referee.people.store import PEOPLE_FILE, Book
from tests.web.room import HOST, FakeRoom, client

SALT = b"salt"
PLANTED = (
    "Wilhelmine", "482913", "24:0a:c4:00:01:07", "24:0A:C4:00:01:07", "192.168.7.55",
    "fe80::1ff:fe23:4567:890a", "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "hunter2", "attic-broker",
)  # fmt: skip


def test_planted_secrets_are_marks_and_the_same_one_has_the_same_mark() -> None:
    lines = [f"x {word}, {word}: y" for word in PLANTED[:7]]
    text = bundle({"Log": "\n".join(lines)}, Anonymiser(SALT, ["Wilhelmine"]))
    for word in PLANTED[:7]:
        assert word.lower() not in text.lower(), word
    marks = re.findall(r"\[[a-z]+ [0-9a-f]{4}\]", text)
    assert len(marks) == 2 * len(lines)
    assert all(first == second for first, second in zip(marks[::2], marks[1::2], strict=True))
    assert marks[4] == marks[6]  # one board, however it is written
    plain = bundle({"Log": "24:0a:c4:00:01:07 24-0A-C4-00-01-07 240ac4000107"}, Anonymiser(SALT))
    assert len({*re.findall(r"\[board [0-9a-f]{4}\]", plain)}) == 1
    other = bundle({"Log": "\n".join(lines)}, Anonymiser(b"another", ["Wilhelmine"]))
    assert not {*marks} & {*re.findall(r"\[[a-z]+ [0-9a-f]{4}\]", other)}


def test_a_name_that_nobody_gave_stays_or_the_program_itself_had_none() -> None:
    names = ["rappelwacht", "Rappelwacht", "raspberrypi", "root", "rappelwacht-mira"]
    text = bundle(
        {"Program": "Rappelwacht 0.1.0, root, rappelwacht-mira.local"}, Anonymiser(SALT, names)
    )
    assert "Rappelwacht 0.1.0, root, [name " in text
    assert "mira" not in text


@pytest.mark.parametrize(
    "harmless",
    [
        "port 8000",
        "127.0.0.1",
        "12:30:45",
        "Stopper 7: 1.27.0",
        "120 kB in 0.35 s",
        "2026-11-28",
        "std::vec",
        "000001-c9427ed71084.jsonl",
        "12:30:45.482913",
        "journal/.000001-5f0c7be81a24.count",
        "0.000123456789",
        "1796000000000",
        "/usr/lib/python3.11/json",
    ],
)
def test_what_tells_nobody_stays(harmless: str) -> None:
    assert harmless in bundle({"Log": harmless}, Anonymiser(SALT, ["Al", "x"]))


@pytest.mark.parametrize(
    "leak",
    [
        "J%c3%bcrgen+x", "Ju%CC%88rgen", "b'J\\xc3\\xbcrgen'", "J\\\\u00fcrgen", "%20J%C3%BCrgen",
        "SsO8cmdlbg==", "%23482913", "NDgyOTEz", "rappelwacht-1=NDgyOTEz_aB3-0f1e2d3c4",
        "Jürgens Tisch", "x_JÜRGEN", "Ju\u0308rgen", "J\\xfcrgen", "J\\u00fcrgen", "J%C3%BCrgen",
        "usb-Espressif_24:0A:C4:00:01:07-if00", "node 240ac4000107", "usb-240AC4000107",
        "240AC4FFFE000107", "24-0a-c4-00-01-07", "pin_482913", "482913-",
        ".482913", "usb-CP2102N_0f1e2d3c4b5a69788796a5b4c3d2e1f0-if00",
        "0f:1e:2d:3c:4b:5a:69:78:87:96:a5:b4",
        "c2VjcmV0/2V5c2VjcmV0a2V5c2VjcmV0a2V5MTIzNA==",
        "RW1-EIYTSMROGE3DQLRRFY2SEIYTSMROGE3DQLRRFY2S",
        "2001:db8::", "from:2001:db8::7", "2001:db8:1:2::/64", "addr:192.168.7.55", "_192.168.7.55",
        "v192.168.7.55", "...192.168.7.55", "192.168.7.55x", "(2001:db8::7).", "192.168.7.55:4711",
    ],
)  # fmt: skip
def test_a_secret_is_found_however_it_is_written(leak: str) -> None:
    text = bundle({"Log": f"a {leak} b"}, Anonymiser(SALT, ["Jürgen"], ["482913"]))
    parts = ("rgen", "482913", "0a", "5a69", "c2Vj", "EIYT", "db8", "168", "cmdl", "NDgy")
    assert not [part for part in parts if part.lower() in text.lower()], text
    assert re.search(r"\[[a-z]+ [0-9a-f]{4}\]", text)


@pytest.mark.parametrize(
    "leak",
    [
        "O'Neil & Co", "O&#39;Neil &amp; Co", "O&#x27;Neil &amp; Co", "name=O%27Neil+%26+Co",
        "/O%27Neil%20%26%20Co", "'O\\\\'Neil & Co'",
    ],
)  # fmt: skip
def test_no_quoting_hides_a_name(leak: str) -> None:
    assert "Neil" not in bundle({"Log": leak}, Anonymiser(SALT, ["O'Neil & Co"]))


@pytest.mark.parametrize(
    "toml",
    [
        'hall.password = "hunter2"', 'hall = {port = 1, password = "hunter2"}', '"Key" = "hunter2"',
        'key = """\nhunter2\n"""', "key = '''\nhunter2", '[web]\nnames = [\n"hunter2",\n]',
    ],
)  # fmt: skip
def test_no_way_to_write_a_configuration_shows_its_secrets(toml: str) -> None:
    assert "hunter2" not in bundles.without_secrets(toml)


@pytest.mark.parametrize(
    "line",
    [
        "a" * 60_000,
        ":" * 60_000,
        ":" * 60_000 + "x",
        "aB1-" * 20_000,
        "a1:" * 20_000,
        "A=" * 30_000,
    ],
)
def test_no_line_of_the_log_keeps_the_doctor_busy(line: str) -> None:
    before_s = thread_time()
    Anonymiser(SALT, ["Jürgen"], ["482913"]).apply(line)
    assert thread_time() - before_s < 2  # 20,000 colons took 5 s


def test_of_a_long_log_the_newest_is_kept() -> None:
    lines = [f"line {n}" for n in range(bundles.LOG_LINES + 5)]
    text = bundle({"Log": "\n".join(lines)}, Anonymiser(SALT))
    assert "(5 lines before)" in text
    assert "line 4\n" not in text
    assert text.endswith(f"line {bundles.LOG_LINES + 4}\n")


def test_the_doctor_writes_one_without_pin_key_name_address_or_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, file, wiring = tmp_path / "table", tmp_path / "bundle.txt", tmp_path / "table.toml"
    folder.mkdir()
    people = Book((Person("p1", next(iter(ANIMALS.values())), "Wilhelmine", kept=True),))
    PEOPLE_FILE.save(folder, (people, 0.0))
    (folder / "phone.pin").write_text("482913\n", "ascii")
    (folder / "stoppers.toml").write_text(f'key = "{PLANTED[6]}"\n', "utf-8")
    (folder / "calibration-000001.json").write_text('{"7": 13}', "utf-8")
    wiring.write_text(
        f'[hall]\nbroker = "attic-broker"\naccount = "hunter2"\npassword = "hunter2"\n'
        'key = "hunter2"\n[web]\nnames = ["hunter2.example"]\n'
        f'[stoppers]\nnodes = ["{PLANTED[2]}"]\n',
        "utf-8",
    )
    words = ["doctor", "--folder", str(folder), "--config", str(wiring), "--listen", "0"]
    assert main([*words, "--bundle", str(file), "--language", "en"]) in {0, 1}
    assert file.name in capsys.readouterr().out
    text = file.read_text("utf-8")
    assert not [word for word in PLANTED if word.lower() in text.lower()]
    for title in ("Program", "Doctor", "Link", "Configuration", "Files", "Log"):
        assert f"## {title}\n" in text
    assert "calibration-000001.json" in text
    assert '"7": 13' not in text
    assert main([*words, "--bundle", str(file), "--language", "en"]) == 2  # it is there already


def test_of_a_table_that_runs_it_says_how_well_stoppers_are_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = FakeRoom()
    heard = StopperShown(7, 5, 90, -55, "0.2.0", trail=(TrailPoint(1, 2, 3, True),), lost_percent=2)
    nothing = CalibrationShown(0, 0, None, (), ())
    room.workshop = MaintenanceSnapshot(1, opened=MaintenanceDetails((heard,), (), nothing))
    table = client(room)
    asked = list[str]()

    def answered(_: RunningTable, path: str) -> Any:
        asked.append(path)
        return table.get(path, headers={"Accept-Language": "en", "Host": HOST}).json

    monkeypatch.setattr(RunningTable, "facts", answered)
    file = tmp_path / "bundle.txt"
    words = ["doctor", "--folder", str(tmp_path / "table"), "--bundle", str(file)]
    assert main([*words, "--listen", "0"]) in {0, 1}
    told = file.read_text("utf-8")
    assert "stopper 7: heard 5 s ago, -55 dBm, 2 % lost, battery 90 %, firmware 0.2.0" in told
    assert "/api/workshop" in asked
    assert "trail" not in told
