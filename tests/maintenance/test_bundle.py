"""The bundle for a fault report: planted secrets are searched for, and nothing else is lost."""

import re
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.maintenance import bundle as bundles
from companion.maintenance.bundle import Anonymiser, bundle
from companion.referee.people.person import ANIMALS, Person
from companion.referee.people.store import PEOPLE_FILE, Book

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
    other = bundle({"Log": "\n".join(lines)}, Anonymiser(b"another", ["Wilhelmine"]))
    assert not {*marks} & {*re.findall(r"\[[a-z]+ [0-9a-f]{4}\]", other)}


@pytest.mark.parametrize(
    "harmless",
    ["port 8000", "127.0.0.1", "12:30:45", "Stopper 7: 1.27.0", "120 kB in 0.35 s", "2026-11-28"],
)
def test_what_tells_nobody_stays(harmless: str) -> None:
    assert harmless in bundle({"Log": harmless}, Anonymiser(SALT, ["Al", "x"]))


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
        f'key = "hunter2"\n[stoppers]\nnodes = ["{PLANTED[2]}"]\n',
        "utf-8",
    )
    words = ["doctor", "--folder", str(folder), "--config", str(wiring), "--listen", "0"]
    assert main([*words, "--bundle", str(file), "--language", "en"]) in {0, 1}
    assert "Read it before you send it" in " ".join(capsys.readouterr().out.split())
    text = file.read_text("utf-8")
    assert not [word for word in PLANTED if word.lower() in text.lower()]
    for title in ("Program", "Doctor", "Configuration", "Files", "Log"):
        assert f"## {title}\n" in text
    assert "calibration-000001.json" in text
    assert '"7": 13' not in text
    assert main([*words, "--bundle", str(file), "--language", "en"]) == 2  # it is there already
