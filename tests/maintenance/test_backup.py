"""A backup holds all that a table may not lose, and nothing that betrays; a passphrase locks it."""

import errno
import io
import json
import os
import random
import re
import subprocess
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.journal import Journal, NewEntry
from companion.maintenance import backup as backups
from companion.maintenance.backup import MANIFEST, read_backup, restore
from companion.system import private_files
from companion.system.errors import CompanionError, WrongPassphrase
from tests.maintenance import backup_files
from tests.maintenance.backup_files import NOW, WORDS, backed_up, changed, kept, locked, table


def test_a_backup_restores_every_byte_into_an_empty_folder(tmp_path: Path) -> None:
    old = table(tmp_path / "old")
    file = backed_up(old, tmp_path / "backup.zip")
    assert read_backup(file).counts() == {
        "matches": 2, "people": 1, "stoppers": 2, "calibrations": 2, "measurements": 1, "hall": 1,
        "settings": 2,
    }  # fmt: skip
    (tmp_path / "new").mkdir()
    for now in (NOW, backup_files.LATER):  # twice is as good as once
        restore(tmp_path / "new", file, now)
        assert kept(tmp_path / "new") == kept(old)
    journal = Journal(tmp_path / "new/journal")
    assert [len(journal.entries(match.id)) for match in journal.matches()] == [2, 2]
    journal.close()


def test_what_software_barrels_did_is_restored_as_well(tmp_path: Path) -> None:
    """At a table of which nothing is built matches are kept in a folder of their own."""
    old = table(tmp_path / "old", matches=1)
    table(old / "simulated", matches=3)
    file = backed_up(old, tmp_path / "table.backup")
    assert read_backup(file).counts()["matches"] == 4
    new = table(tmp_path / "new")
    (new / "simulated").mkdir()
    (new / "simulated" / "practice.json").write_text("{}")
    _, before = restore(new, file, backup_files.LATER)
    assert kept(new) == kept(old)
    assert (before / "simulated" / "practice.json").read_text() == "{}"
    assert not (new / "simulated" / "world.json").exists()


def test_of_a_backup_that_does_not_say_so_nobody_knows_which_table_it_is_of(tmp_path: Path) -> None:
    """Those that were made before the kind of table was written into them are read as ever."""
    file = backed_up(table(tmp_path / "simulated"), tmp_path / "new.zip")
    said = json.loads(zipfile.ZipFile(file).read(MANIFEST))
    assert said.pop("simulated") is True
    old = changed(file, tmp_path / "old.zip", **{MANIFEST: json.dumps(said).encode()})
    assert read_backup(old).simulated is None
    for place in ("table", "anywhere"):
        (tmp_path / place).mkdir()
        restore(tmp_path / place, old, NOW)


def test_no_secret_of_phones_and_barrels_is_in_it(tmp_path: Path) -> None:
    file = backed_up(table(tmp_path / "old"), tmp_path / "backup.zip")
    with zipfile.ZipFile(file) as archive:
        held = b"".join(archive.read(name) for name in archive.namelist())
    assert b"secret of" not in held
    assert b"begun" in held


@pytest.mark.parametrize("toml", ["a = " + 100_000 * "[", "[1]\n" + 100_000 * "#"])
def test_stoppers_that_nobody_can_count_hinder_no_page_and_no_backup(
    tmp_path: Path, toml: str
) -> None:
    folder = table(tmp_path / "old", 1, **{"stoppers.toml": toml})
    assert backups.contents(folder)
    assert read_backup(backed_up(folder, tmp_path / "b.zip")).stoppers == 0


@pytest.mark.parametrize("passphrase", ["", WORDS])
def test_what_was_heard_of_stoppers_is_not_said_to_be_their_keys(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    passphrase: str,
) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old/heard.json").write_text("{}", "utf-8")
    words = ["backup", str(tmp_path / "b.zip"), "--folder", str(tmp_path / "old")]
    backup_files.typing(monkeypatch, passphrase, passphrase)
    assert main([*words, "--language", "en", *["--passphrase"][: len(passphrase)]]) == 0
    shown = capsys.readouterr().out
    assert "what was heard of stoppers" in shown
    assert "keys" not in shown


def test_links_pipes_and_strangers_are_left_out(tmp_path: Path) -> None:
    old = table(tmp_path / "old")
    (old / "calibration-000003.json").symlink_to("/etc/passwd")
    os.mkfifo(old / "calibration-000004.json")
    (old / "mine.txt").write_text("no file of ours", "utf-8")
    names = {file.name for file in read_backup(backed_up(old, tmp_path / "b.zip")).files}
    assert {*backup_files.SMALL} <= names
    assert not names & {"calibration-000003.json", "calibration-000004.json", "mine.txt"}


# --- the commands ---------------------------------------------------------------------------------


def test_the_commands_show_what_is_in_it_before_and_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, file = table(tmp_path / "old"), tmp_path / "backup.zip"
    assert main(["backup", str(file), "--folder", str(old), "--language", "en"]) == 0
    shown = capsys.readouterr().out
    assert "  2 matches\n" in shown
    assert "Whoever has it can read all of that" in " ".join(shown.split())
    assert file.stat().st_mode & private_files.OTHERS == 0
    assert main(["backup", str(file), "--folder", str(old), "--language", "en"]) == 2  # is there
    here = table(tmp_path / "here", 1)
    mine = kept(here)
    words = ["restore", str(file), "--folder", str(here), "--language", "en"]
    assert main(words) == 0
    assert "Nothing was changed" in capsys.readouterr().out
    assert kept(here) == mine
    (here / "simulated").mkdir()
    for running in (here, here / "simulated"):  # the latter, while nothing of it is built
        journal = Journal(running / "journal")  # as a table does that runs
        assert main([*words, "--yes"]) == 2
        assert "stop it first" in capsys.readouterr().err
        assert kept(here) == mine
        journal.close()
    assert main([*words, "--yes"]) == 0
    assert "before-" in capsys.readouterr().out
    assert kept(here) == kept(old)


def test_the_commands_say_first_that_a_backup_is_of_the_other_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, real = tmp_path / "real.zip", table(tmp_path / "table")
    here, software = table(tmp_path / "here"), tmp_path / "software.zip"
    words = ["--language", "en", "--folder"]
    assert main(["backup", str(file), *words, str(real)]) == 0
    assert main(["backup", str(software), "--simulated", *words, str(here)]) == 0
    assert main(["restore", str(file), "--simulated", *words, str(here)]) == 0
    assert str(backups.other_kind(read_backup(file), simulated=True)) in " ".join(
        capsys.readouterr().out.split()
    )
    mine = kept(real)
    for more in ([], ["--yes"]):
        assert main(["restore", str(software), *words, str(real), *more]) == 2
        assert "of a simulated table" in capsys.readouterr().err
    assert kept(real) == mine


def test_a_table_that_plays_is_backed_up_as_it_stands(tmp_path: Path) -> None:
    old = table(tmp_path / "old", 0)
    journal = Journal(old / "journal")
    match = journal.start(NewEntry("begun", {"seats": ["red", "blue"]}))
    stream = io.BytesIO()
    backups.write_backup(old, stream, NOW)
    journal.append(match, 1, NewEntry("rolled", {"magic": 7}))
    journal.close()
    (tmp_path / "b.zip").write_bytes(stream.getvalue())
    (tmp_path / "new").mkdir()
    restore(tmp_path / "new", tmp_path / "b.zip", NOW)
    again = Journal(tmp_path / "new/journal")
    assert [entry.kind for entry in again.entries(match)] == ["begun"]
    again.close()


# --- with a passphrase ----------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a passphrase cost those who guess it nothing."""
    monkeypatch.setattr(backups, "SCRYPT", backup_files.QUICK)


def test_a_passphrase_hides_all_and_opens_it_again(tmp_path: Path) -> None:
    old = table(tmp_path / "old")
    file = locked(old, tmp_path / "b.zip")
    assert backups.is_locked(file)
    assert not backups.is_locked(backed_up(old, tmp_path / "plain.zip"))
    for word in (b"people.json", b"begun", b"first", b"hall"):
        assert word not in file.read_bytes()
    with pytest.raises(CompanionError):
        read_backup(file)
    with backups.unlocked(file, WORDS) as plain:
        assert read_backup(file, plain).counts()["matches"] == 2
        restore(tmp_path / "old", file, backup_files.LATER, stream=plain)
        (tmp_path / "new").mkdir()
        restore(tmp_path / "new", file, NOW, stream=plain)
    assert kept(tmp_path / "new") == kept(old)


@pytest.mark.usefixtures("quick")
def test_openssl_opens_it_without_this_program(tmp_path: Path) -> None:
    old = table(tmp_path / "old")
    with zipfile.ZipFile(locked(old, tmp_path / "b.zip")) as archive:
        archive.extractall(tmp_path / "open")
    assert backups.__doc__ is not None
    (line,) = re.findall(r"^    (openssl cms .*)$", backups.__doc__, re.MULTILINE)
    words = [*line.split(), "-passin", "stdin"]
    subprocess.run(words, cwd=tmp_path / "open", input=WORDS.encode(), check=True)
    assert read_backup(tmp_path / "open/backup.zip").counts()["matches"] == 2


@pytest.mark.parametrize("words", ["Drei Fässer im schnee", "Drei Fässer im Schnee ", "x" * 30])
@pytest.mark.usefixtures("quick")
def test_a_wrong_passphrase_is_said_to_be_one(tmp_path: Path, words: str) -> None:
    file = locked(table(tmp_path / "old"), tmp_path / "b.zip")
    with pytest.raises(WrongPassphrase):
        backups.unlocked(file, words)


@pytest.mark.parametrize("words", ["", "kurz", "x" * 201, "ein\nUmbruch", "ein\0 Ende da"])
def test_what_cannot_be_typed_again_is_no_passphrase(words: str) -> None:
    with pytest.raises(WrongPassphrase):
        backups.passphrase_of(words)


@pytest.mark.usefixtures("quick")
def test_a_locked_backup_that_was_cut_or_changed_opens_nowhere(tmp_path: Path) -> None:
    file = locked(table(tmp_path / "old"), tmp_path / "b.zip")
    whole, bad, chance = file.read_bytes(), tmp_path / "bad.zip", random.Random(36)
    with zipfile.ZipFile(file) as archive:
        key, message = archive.read("key.pem"), archive.read("backup.cms")
    for count in range(10):
        bent = bytearray(message)
        bent[chance.randrange(len(bent))] ^= 1 << chance.randrange(8)
        parts = bytes(bent) if count < 6 else message[: chance.randrange(len(message))]
        with zipfile.ZipFile(bad, "w") as archive:
            archive.writestr("key.pem", key)
            archive.writestr("backup.cms", parts)
        with pytest.raises(CompanionError, match="damaged"):
            backups.unlocked(bad, WORDS)
    bad.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CompanionError):
        backups.is_locked(bad)
    for key in (b"", b"-----BEGIN", b"x" * 5000):
        with zipfile.ZipFile(bad, "w") as archive:
            archive.writestr("key.pem", key)
            archive.writestr("backup.cms", message)
        with pytest.raises(CompanionError):
            backups.unlocked(bad, WORDS)


@pytest.mark.usefixtures("quick")
def test_the_passphrase_is_in_no_list_of_programs_and_in_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = list[str]()
    for name in ("run", "Popen"):
        real = getattr(subprocess, name)

        def start(words: list[str], *more: object, real: Any = real, **named: Any) -> object:
            started.extend([*words, *named["env"], *named["env"].values()])
            return real(words, *more, **named)

        monkeypatch.setattr(subprocess, name, start)
    file = locked(table(tmp_path / "old"), tmp_path / "b.zip")
    backups.unlocked(file, WORDS).close()
    assert "cms" in started
    assert not [word for word in started if "Schnee" in word or "-----BEGIN" in word]
    assert b"Schnee" not in b"".join(p.read_bytes() for p in tmp_path.rglob("*.*"))


@pytest.mark.usefixtures("quick")
def test_a_passphrase_locks_no_more_than_it_opens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    old, file = table(tmp_path / "old"), tmp_path / "b.zip"
    (old / "measured.link").write_bytes(random.Random(1).randbytes(3_000_000))
    monkeypatch.setattr(backups, "LOCKED_BYTES", 2_000_000)
    saves = ["backup", str(file), "--folder", str(old), "--language", "en"]
    backup_files.typing(monkeypatch, WORDS, WORDS)
    assert main([*saves, "--passphrase"]) == 2
    assert "a backup may have 2 MB" in capsys.readouterr().err
    assert not file.exists()
    assert main(saves) == 0
    (old / "measured.link").write_bytes(random.Random(1).randbytes(1_900_000))
    backups.unlocked(locked(old, file), WORDS).close()


@pytest.mark.usefixtures("quick")
def test_a_disk_that_is_full_leaves_no_program_and_no_thread(tmp_path: Path) -> None:
    old = table(tmp_path / "old")
    (old / "measured.link").write_bytes(random.Random(1).randbytes(3_000_000))

    class Full(io.BytesIO):
        def write(self, data: Any) -> int:
            if self.tell() > 1500:
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(data)

    with pytest.raises(OSError, match="space"):
        backups.write_backup(old, Full(), NOW, passphrase=WORDS)
    assert not [thread for thread in threading.enumerate() if thread.name == "backup"]


@pytest.mark.usefixtures("quick")
def test_the_command_line_asks_for_it_three_times_at_most(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    old, here, file = table(tmp_path / "old"), tmp_path / "here", tmp_path / "b.zip"
    saves = ["backup", str(file), "--folder", str(old), "--passphrase", "--language", "en"]
    backup_files.typing(monkeypatch, WORDS, "Vier Fässer im Schnee")
    assert main(saves) == 2
    assert not file.exists()
    backup_files.typing(monkeypatch, WORDS, WORDS)
    assert main(saves) == 0
    assert "write it down" in " ".join(capsys.readouterr().out.split())
    restores = ["restore", str(file), "--folder", str(here), "--language", "en", "--yes"]
    asked = backup_files.typing(monkeypatch, "falsch, falsch", "kurz", "noch einmal falsch", WORDS)
    assert main(restores) == 2
    assert len(asked) == 3
    assert not here.exists()
    backup_files.typing(monkeypatch, "falsch, falsch", WORDS)
    assert main(restores) == 0
    assert kept(here) == kept(old)
