"""The matches of a journal are listed."""

import sys
from pathlib import Path

import pytest

from companion.journal import Journal, NewEntry
from companion.referee.people.store import KeptPeople
from companion.system.paths import JOURNAL
from tests.cli.journal.matches import Told


def test_the_list_says_what_came_of_each_match(evening: Path, told: Told) -> None:
    code, out, err = told("journal", "list", "--folder", evening)
    assert (code, err) == (0, "")
    assert out == (
        "match  begun             game         players                   rounds  winner\n"
        "ccc    2025-11-21 20:00  zapp-zerapp  Red, Blue                 2       unfinished\n"
        "bbb    2025-11-21 20:00  zapp-zerapp  Red, Green, Blue, Yellow  1       given up\n"
        "aaa    2025-11-21 20:00  zapp-zerapp  Red, Blue                 2       Red\n"
    )
    _, out, _ = told("journal", "list", "--folder", evening, "--language", "de")
    assert out.splitlines()[1].split() == [
        "ccc", "2025-11-21", "20:00", "zapp-zerapp", "Rot,", "Blau", "2", "nicht", "zu", "Ende",
    ]  # fmt: skip


def test_people_are_called_by_name_on_a_screen_and_by_colour_where_it_may_be_kept(
    evening: Path, told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "state" / "rappelwacht"
    home.mkdir(parents=True)
    evening.rename(home / "simulated")
    monkeypatch.setenv("XDG_STATE_HOME", str(home.parent))
    people = KeptPeople(home / "simulated")
    people.sit("red", "Oma", kept=True)
    people.playing("aaa", ("red", "blue"), over=False)
    people.keep()
    saved = tmp_path / "saved.jsonl"
    commands = ("journal", "list", "--simulated"), ("replay", saved, "--no-board")
    told("journal", "export", "aaa", saved, "--simulated")
    assert not any("Oma" in told(*words)[1] for words in commands)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    listed, replayed = (told(*words)[1] for words in commands)
    assert listed.splitlines()[3].split()[4:] == ["Oma,", "Blue", "2", "Oma"]
    assert "\n  Oma has " in replayed


def test_a_match_of_a_newer_version_is_listed_as_such(tmp_path: Path, told: Told) -> None:
    journal = Journal(tmp_path / JOURNAL)
    journal.start(NewEntry("began", {"game": "chess"}))
    journal.close()
    code, out, _ = told("journal", "list", "--folder", tmp_path)
    assert code == 0
    assert len(out.splitlines()) == 2


@pytest.mark.parametrize("what", [("list",), ("export", "new.jsonl")])
def test_where_no_journal_is_none_comes(what: tuple[str, ...], tmp_path: Path, told: Told) -> None:
    code, out, err = told("journal", *what, "--folder", tmp_path)
    assert (code, out) == (2, "")
    assert f"'{tmp_path}'" in err
    assert list(tmp_path.iterdir()) == []


def test_each_table_has_its_own_journal(
    evening: Path, told: Told, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "rappelwacht").mkdir()
    evening.rename(tmp_path / "rappelwacht" / "simulated")
    assert told("journal", "list", "--simulated")[0] == 0
    code, _, err = told("journal", "list")
    assert (code, "rappelwacht/table'" in err) == (2, True)


@pytest.mark.parametrize("what", [("list",), ("export", "new.jsonl"), ("import", "some.jsonl")])
def test_a_journal_in_use_is_left_alone(what: tuple[str, ...], evening: Path, told: Told) -> None:
    running = Journal(evening / JOURNAL)
    code, out, err = told("journal", *what, "--folder", evening)
    assert (code, out) == (2, "")
    assert f"'{evening / JOURNAL}'" in err
    running.close()
    assert told("journal", "list", "--folder", evening)[0] == 0


def test_a_file_of_another_program_is_left_alone(tmp_path: Path, told: Told) -> None:
    (tmp_path / JOURNAL).write_text("dear diary")
    code, out, err = told("journal", "list", "--folder", tmp_path)
    assert (code, out) == (2, "")
    assert str(tmp_path / JOURNAL) in err
