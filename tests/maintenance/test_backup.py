"""Backup and restore: whole or not at all, wherever the power goes, and nothing that betrays."""

import contextlib
import errno
import fcntl
import hashlib
import io
import json
import os
import random
import re
import struct
import subprocess
import threading
import tracemalloc
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.journal import Journal, NewEntry
from companion.maintenance import backup as backups
from companion.maintenance.backup import MANIFEST, finish_restore, read_backup, restore
from companion.system import private_files
from companion.system.errors import CompanionError, WrongPassphrase

NOW = datetime(2026, 11, 28, 20, 15, tzinfo=UTC)
LATER = datetime(2026, 11, 29, 9, 0, tzinfo=UTC)
SECRETS = ("phone.pin", "phones.json", "world.json")  # the PIN, who is in, and where barrels lie
SMALL = {
    "people.json": '{"names": {}}',
    "stoppers.toml": "# none yet",
    "heard.json": "{}",
    "calibration-000001.json": '{"first": 1}',
    "calibration-000002.json": '{"second": 2}',
    "measured.json": "{}",
    "hall.json": '{"host": "hall"}',
    "first-run.json": '{"done": true, "built": "stoppers", "name": "attic"}',
    "cafe.json": '{"clock": true, "bell_minutes": 30}',
}


def table(folder: Path, matches: int = 2, **files: str) -> Path:
    """Make a table's folder with matches and files."""
    folder.mkdir()
    journal = Journal(folder / "journal")
    for _ in range(matches):
        match = journal.start(NewEntry("begun", {"seats": ["red", "blue"]}))
        journal.append(match, 1, NewEntry("rolled", {"magic": 7}))
    journal.close()
    for name, text in (SMALL | files).items():
        (folder / name).write_text(text, "utf-8")
    for name in SECRETS:
        (folder / name).write_text(f"secret of {name}", "utf-8")
    return folder


def backed_up(folder: Path, file: Path) -> Path:
    with file.open("wb") as stream:
        backups.write_backup(folder, stream, NOW)
    return file


def kept(folder: Path) -> dict[str, bytes]:
    """Return what a table may not lose, by name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not path.relative_to(folder).parts[0].startswith(("before-", "restore"))
        and path.name not in {*SECRETS, ".lock"}
        and not path.name.endswith((".count", ".new"))
    }


def test_a_backup_restores_every_byte_into_an_empty_folder(tmp_path: Path) -> None:
    old = table(tmp_path / "old")
    file = backed_up(old, tmp_path / "backup.zip")
    assert read_backup(file).counts() == {
        "matches": 2, "people": 1, "stoppers": 2, "calibrations": 2, "measurements": 1, "hall": 1,
        "settings": 2,
    }  # fmt: skip
    (tmp_path / "new").mkdir()
    for now in (NOW, LATER):  # twice is as good as once
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
    _, before = restore(new, file, LATER)
    assert kept(new) == kept(old)
    assert (before / "simulated" / "practice.json").read_text() == "{}"
    assert not (new / "simulated" / "world.json").exists()


def test_what_was_there_is_kept_and_phones_stay_in(tmp_path: Path) -> None:
    file = backed_up(table(tmp_path / "old"), tmp_path / "backup.zip")
    here = table(tmp_path / "here", 1, **{"people.json": "mine", "pads.json": "old"})
    mine = kept(here)
    _, before = restore(here, file, NOW)
    assert kept(before) == mine
    assert (here / "phone.pin").read_text("utf-8") == "secret of phone.pin"
    assert not (here / "world.json").exists()  # of another table than the one that is here now
    assert not (here / "pads.json").exists()


def test_software_barrels_never_take_the_place_of_a_real_table(tmp_path: Path) -> None:
    software = table(tmp_path / "simulated")
    real = table(tmp_path / "table", 1)
    mine = kept(real)
    files = {
        folder: backed_up(folder, tmp_path / f"{folder.name}.zip") for folder in (software, real)
    }
    assert [read_backup(file).simulated for file in files.values()] == [True, False]
    with pytest.raises(CompanionError, match="of a simulated table"):
        backups.other_kind(read_backup(files[software]), backups.is_simulated(real))
    restore(real / "simulated", files[software], NOW)  # where a real one keeps them apart
    assert kept(real / "simulated") == kept(software)
    (real / "simulated").rename(tmp_path / "apart")
    restore(software, files[real], NOW)  # is only said before
    assert kept(software) == mine
    assert backups.other_kind(read_backup(files[real]), simulated=True)
    assert backups.other_kind(read_backup(files[real]), simulated=False) is None


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


def test_what_is_built_and_the_name_stay_if_a_backup_holds_none(tmp_path: Path) -> None:
    old = table(tmp_path / "old")
    (old / "first-run.json").unlink()
    file, here = backed_up(old, tmp_path / "backup.zip"), table(tmp_path / "here")
    _, before = restore(here, file, NOW)
    assert (here / "first-run.json").read_text("utf-8") == SMALL["first-run.json"]
    assert not (before / "first-run.json").exists()
    (here / "first-run.json").write_text('{"done": true, "built": "game", "name": "cellar"}')
    _, before = restore(here, backed_up(table(tmp_path / "other"), tmp_path / "o.zip"), LATER)
    assert (here / "first-run.json").read_text("utf-8") == SMALL["first-run.json"]
    assert "cellar" in (before / "first-run.json").read_text("utf-8")


def test_no_secret_of_phones_and_barrels_is_in_it(tmp_path: Path) -> None:
    file = backed_up(table(tmp_path / "old"), tmp_path / "backup.zip")
    with zipfile.ZipFile(file) as archive:
        held = b"".join(archive.read(name) for name in archive.namelist())
    assert b"secret of" not in held
    assert b"begun" in held


def test_links_pipes_and_strangers_are_left_out(tmp_path: Path) -> None:
    old = table(tmp_path / "old")
    (old / "calibration-000003.json").symlink_to("/etc/passwd")
    os.mkfifo(old / "calibration-000004.json")
    (old / "mine.txt").write_text("no file of ours", "utf-8")
    names = {file.name for file in read_backup(backed_up(old, tmp_path / "b.zip")).files}
    assert {*SMALL} <= names
    assert not names & {"calibration-000003.json", "calibration-000004.json", "mine.txt"}


# --- the power goes -------------------------------------------------------------------------------


class PowerCut(BaseException):
    """Nothing after this instant happens."""


def cut_at(monkeypatch: pytest.MonkeyPatch, moment: int) -> Callable[[], int]:
    """Have the power go before a write, move or removal; return how many there were."""
    steps = [0]

    def counted(real: Callable[..., object]) -> Callable[..., object]:
        def step(*words: object, **named: object) -> object:
            steps[0] += 1
            if steps[0] == moment:
                raise PowerCut
            return real(*words, **named)

        return step

    for owner, name in ((Path, "replace"), (Path, "mkdir"), (Path, "unlink"), (os, "fsync")):
        monkeypatch.setattr(owner, name, counted(getattr(owner, name)))
    return lambda: steps[0]


def test_a_restore_that_is_cut_anywhere_is_done_or_never_began(tmp_path: Path) -> None:
    file = backed_up(table(tmp_path / "old"), tmp_path / "backup.zip")
    new, moment, done = kept(tmp_path / "old"), 0, False
    seen = set[bool]()
    while not done:
        moment += 1
        here = table(tmp_path / f"here-{moment}", 1, **{"people.json": "mine"})
        mine = kept(here)
        with pytest.MonkeyPatch.context() as patched:
            cut_at(patched, moment)
            try:
                restore(here, file, NOW)
                done = True
            except PowerCut:
                pass
        finished = finish_restore(here)
        assert kept(here) in (mine, new), moment
        if kept(here) == new:
            (before,) = here.glob("before-*")
            assert kept(before) == mine, moment
        seen.add(finished)
        restore(here, file, LATER)
        assert kept(here) == new, moment
    assert moment > 30
    assert seen == {True, False}


def test_finishing_may_be_cut_as_well(tmp_path: Path) -> None:
    file = backed_up(table(tmp_path / "old"), tmp_path / "backup.zip")
    chance = random.Random(3)
    for turn in range(12):
        here = table(tmp_path / f"here-{turn}", 1, **{"people.json": "mine"})
        mine = kept(here)
        begins, goes_on = partial(restore, here, file, NOW), partial(finish_restore, here)
        for what in (begins, goes_on, goes_on, goes_on):
            with pytest.MonkeyPatch.context() as patched:
                cut_at(patched, chance.randrange(1, 60))
                try:
                    what()
                except PowerCut:
                    continue
        finish_restore(here)
        assert kept(here) in (mine, kept(tmp_path / "old")), turn


def test_nothing_is_moved_out_of_the_folder_or_in_by_another_name(tmp_path: Path) -> None:
    here = table(tmp_path / "here", 1)
    mine, begun = kept(here), here / "restoring.json"
    for before in ("../elsewhere", str(tmp_path / "elsewhere"), "journal", "", 7):
        begun.write_text(json.dumps({"before": before, "placing": False}), "utf-8")
        with pytest.raises(CompanionError):
            finish_restore(here)
    (here / "restore").mkdir()
    (here / "restore/phone.pin").write_text("000000", "ascii")
    (here / "restore/people.json").symlink_to("/etc/passwd")
    begun.write_text('{"before": "before-20261128-201500", "placing": true}', "utf-8")
    assert finish_restore(here)
    assert kept(here) == mine
    assert (here / "phone.pin").read_text("ascii") == "secret of phone.pin"


def test_a_restore_that_could_never_be_done_does_not_begin(tmp_path: Path) -> None:
    file = backed_up(table(tmp_path / "old"), tmp_path / "backup.zip")
    linked, folders = table(tmp_path / "linked", 1), table(tmp_path / "folders", 1)
    (linked / "before-20261128-201500").symlink_to(tmp_path / "nowhere")
    (folders / "people.json").unlink()
    (folders / "people.json").mkdir()
    for here in (linked, folders):
        mine = kept(here)
        with pytest.raises(CompanionError, match=r"is (there already|in the way)"):
            restore(here, file, NOW)
        assert not finish_restore(here)
        assert kept(here) == mine


def test_a_journal_on_another_disk_is_restored_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = backed_up(table(tmp_path / "old"), tmp_path / "backup.zip")
    here = table(tmp_path / "here", 1)
    mine = kept(here)
    (here / "journal").rename(tmp_path / "disk")
    (here / "journal").symlink_to(tmp_path / "disk")
    rename = Path.replace

    def replace(source: Path, target: Path) -> Path:
        disks = {tmp_path / "disk" == path.parent.resolve() for path in (source, Path(target))}
        if len(disks) > 1:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        return rename(source, target)

    monkeypatch.setattr(Path, "replace", replace)
    _, before = restore(here, file, NOW)
    assert kept(before) == mine
    journal = {f"journal/{path.name}": path.read_bytes() for path in (tmp_path / "disk").iterdir()}
    assert {name: journal.get(name) or data for name, data in kept(here).items()} == kept(here)
    assert {n: d for n, d in kept(tmp_path / "old").items() if n.startswith("journal/")} == {
        name: data for name, data in journal.items() if name.endswith(".jsonl")
    }


@pytest.mark.parametrize("command", [["table"], []])
def test_a_table_that_starts_leaves_a_restore_to_the_program_that_does_it(
    tmp_path: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(*_: object, **__: object) -> None:
        raise CompanionError("It went too far.")

    monkeypatch.setattr("companion.cli.table.Table", end)
    monkeypatch.setattr("companion.cli.simulated_table.world_store.load", end)
    file = backed_up(table(tmp_path / "old"), tmp_path / "backup.zip")
    here, words = table(tmp_path / "here", 1), ["--folder", str(tmp_path / "here")]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(backups, "_move", end)
        with pytest.raises(CompanionError):
            restore(here, file, NOW)
    mine = kept(here)
    journal = Journal(here / "journal")  # as the other program has it
    assert main([*command, *words]) == 2
    assert kept(here) == mine
    journal.close()
    assert main([*command, *words]) == 2
    assert kept(here) == kept(tmp_path / "old")


# --- what cannot be used --------------------------------------------------------------------------


def changed(file: Path, target: Path, **members: bytes | None) -> Path:
    """Copy a backup with other members: new ones, changed ones, or without some."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        whole = {name: old.read(name) for name in old.namelist()} | members
        for name, data in whole.items():
            if data is not None:
                new.writestr(name, data)
    return target


def manifest(file: Path, *files: tuple[str, bytes], **parts: object) -> bytes:
    with zipfile.ZipFile(file) as archive:
        said = json.loads(archive.read(MANIFEST))
    more = [
        {"name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in files
    ]
    return json.dumps(said | {"files": said["files"] + more} | parts).encode()


HOSTILE = ("../people.json", "/etc/passwd", "journal/../../x", "phone.pin", "world.json", "a.txt",
           "journal/000001-x.jsonl/../../x", "calibration-1.json", "journal/.lock",
           "calibration-\u0661\u0661\u0661\u0661\u0661\u0661.json")  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_with_any_other_name_is_refused(tmp_path: Path, name: str) -> None:
    file = backed_up(table(tmp_path / "old"), tmp_path / "backup.zip")
    said = manifest(file, (name, b"x"))
    bad = changed(file, tmp_path / "bad.zip", **{name: b"x", MANIFEST: said})
    refused(tmp_path, bad)


def test_what_is_damaged_swollen_or_newer_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    file = backed_up(table(tmp_path / "old"), tmp_path / "backup.zip")
    whole, bomb = file.read_bytes(), 200_000_000 * b"\0"
    (tmp_path / "half.zip").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.zip").write_text("no zip", "utf-8")
    bent = bytearray(whole)
    bent[60] ^= 255
    (tmp_path / "bent.zip").write_bytes(bent)
    twice = manifest(file, ("people.json", b"x"))
    for bad in (
        tmp_path / "half.zip",
        tmp_path / "text.zip",
        tmp_path / "bent.zip",
        tmp_path / "missing.zip",
        tmp_path,
        changed(file, tmp_path / "1.zip", **{"people.json": b"changed"}),
        changed(file, tmp_path / "2.zip", **{"people.json": None}),
        changed(file, tmp_path / "3.zip", **{"heard.json": bomb}),
        changed(file, tmp_path / "4.zip", **{MANIFEST: b"[]"}),
        changed(file, tmp_path / "5.zip", **{MANIFEST: b"\xff"}),
        changed(file, tmp_path / "6.zip", **{MANIFEST: None}),
        changed(file, tmp_path / "7.zip", **{MANIFEST: manifest(file, files=[])}),
        changed(file, tmp_path / "8.zip", **{MANIFEST: twice}),
        changed(file, tmp_path / "9.zip", **{MANIFEST: manifest(file, made=7)}),
    ):
        refused(tmp_path, bad)
    newer = changed(file, tmp_path / "n.zip", **{MANIFEST: manifest(file, format=2, new="part")})
    assert "newer version" in refused(tmp_path, newer)


def naming(count: int) -> bytes:
    """Return a zip whose directory names so many empty files."""
    entry = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, *[0] * 7, 1, *[0] * 6) + b"a"
    size = count * len(entry)
    more = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, 0)
    there = struct.pack("<4sLQL", b"PK\6\7", 0, size, 1)
    return count * entry + more + there + struct.pack("<4s4H2LH", b"PK\5\6", *[0] * 7)


def lists() -> bytes:
    return b'{"format": [' + 500_000 * b"[]," + b"[]]}"


@pytest.mark.parametrize("bomb", ["directory", "lists", "zeros"])
def test_what_takes_more_memory_than_a_table_has_is_refused_or_taken_in_pieces(
    tmp_path: Path, bomb: str
) -> None:
    file, bad = backed_up(table(tmp_path / "old", 1), tmp_path / "b.zip"), tmp_path / "bad.zip"
    if bomb == "directory":
        bad.write_bytes(naming(300_000))
    elif bomb == "lists":
        changed(file, bad, **{MANIFEST: lists()})
    else:
        zeros = bytes(40_000_000)
        said = manifest(file, ("measured.link", zeros))
        changed(file, bad, **{MANIFEST: said, "measured.link": zeros})
        del zeros
    tracemalloc.start()
    try:
        if bomb == "zeros":
            backups.stage(table(tmp_path / "here", 1), bad, NOW)
        else:
            with pytest.raises(CompanionError, match="no backup"):
                read_backup(bad)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_no_bent_byte_is_a_mistake_of_the_program(tmp_path: Path) -> None:
    whole = backed_up(table(tmp_path / "old"), tmp_path / "backup.zip").read_bytes()
    chance, bent = random.Random(36), tmp_path / "bent.zip"
    for _ in range(600):  # one of them is enough to change nothing
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        bent.write_bytes(data)
        with contextlib.suppress(CompanionError):
            read_backup(bent)


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_unpacks_all_at_once_is_refused(tmp_path: Path, packing: int) -> None:
    file = backed_up(table(tmp_path / "old"), tmp_path / "backup.zip")
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(bad, "w", packing) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    refused(tmp_path, bad)


def refused(tmp_path: Path, bad: Path) -> str:
    """Restore what cannot be; return why not."""
    here = table(tmp_path / f"here-{bad.stem}", 1)
    mine = kept(here)
    with pytest.raises(CompanionError) as why:
        restore(here, bad, NOW)
    assert kept(here) == mine
    assert not [*here.glob("before-*")]
    with pytest.raises(CompanionError):
        read_backup(bad)
    return str(why.value)


# --- the commands ---------------------------------------------------------------------------------


def test_the_commands_show_what_is_in_it_before_and_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, file = table(tmp_path / "old"), tmp_path / "backup.zip"
    assert main(["backup", str(file), "--folder", str(old), "--language", "en"]) == 0
    shown = capsys.readouterr().out
    assert "  2 matches\n" in shown
    assert "keys of the stoppers" in " ".join(shown.split())
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
    assert "What was there before is kept" in " ".join(capsys.readouterr().out.split())
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
    assert "of a real table, and this table is simulated" in " ".join(
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

WORDS = "Drei Fässer im Schnee"
QUICK = ("-scrypt", "-scrypt_N", "16", "-scrypt_r", "8", "-scrypt_p", "1")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a passphrase cost those who guess it nothing."""
    monkeypatch.setattr(backups, "SCRYPT", QUICK)


def locked(folder: Path, file: Path, words: str = WORDS) -> Path:
    with file.open("wb") as stream:
        backups.write_backup(folder, stream, NOW, passphrase=words)
    return file


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
        restore(tmp_path / "old", file, LATER, stream=plain)
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


def typing(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Have somebody type these; return what was asked."""
    asked, waiting = list[str](), [*answers]

    def answer(question: str) -> str:
        asked.append(question)
        return waiting.pop(0)

    monkeypatch.setattr("companion.cli.backup.getpass", answer)
    return asked


@pytest.mark.usefixtures("quick")
def test_the_command_line_asks_for_it_three_times_at_most(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    old, here, file = table(tmp_path / "old"), tmp_path / "here", tmp_path / "b.zip"
    saves = ["backup", str(file), "--folder", str(old), "--passphrase", "--language", "en"]
    typing(monkeypatch, WORDS, "Vier Fässer im Schnee")
    assert main(saves) == 2
    assert not file.exists()
    typing(monkeypatch, WORDS, WORDS)
    assert main(saves) == 0
    assert "write it down" in " ".join(capsys.readouterr().out.split())
    restores = ["restore", str(file), "--folder", str(here), "--language", "en", "--yes"]
    asked = typing(monkeypatch, "falsch, falsch", "kurz", "noch einmal falsch", WORDS)
    assert main(restores) == 2
    assert len(asked) == 3
    assert not here.exists()
    typing(monkeypatch, "falsch, falsch", WORDS)
    assert main(restores) == 0
    assert kept(here) == kept(old)


# --- while a table runs, or begins ----------------------------------------------------------------


def test_what_is_staged_changes_nothing_before_a_table_begins(tmp_path: Path) -> None:
    file = backed_up(table(tmp_path / "old"), tmp_path / "backup.zip")
    here = table(tmp_path / "here", 1, **{"people.json": "mine"})
    mine, journal = kept(here), Journal(here / "journal")
    _, before = backups.stage(here, file, NOW)
    assert {name: data for name, data in kept(here).items() if name in mine} == mine
    journal.start(NewEntry("begun", {"seats": ["red", "blue"]}))  # it plays on until it ends
    with pytest.raises(CompanionError, match="already"):
        backups.stage(here, file, LATER)
    journal.close()
    mine = kept(here) | {"restoring.json": b""}
    assert finish_restore(here)
    assert kept(here) == kept(tmp_path / "old")
    assert {*kept(before)} == {*mine} - {"restoring.json"}


def test_nothing_is_restored_between_the_small_files_a_table_reads_and_its_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = backed_up(table(tmp_path / "old"), tmp_path / "backup.zip")
    here = table(tmp_path / "here", 1, **{"people.json": "mine"})
    mine, codes, ends = kept(here), list[int](), threading.Event()
    words = ["restore", str(file), "--folder", str(here), "--yes"]
    restoring = threading.Thread(target=lambda: codes.append(main(words)), daemon=True)
    waits = fcntl.flock

    def flock(lock: Any, how: int) -> None:
        if threading.current_thread() is restoring:
            ends.set()  # it is about to wait for the table
        waits(lock, how)

    class Begins:
        """A table that reads small files, and then has its journal."""

        def __init__(self, _: object) -> None:
            restoring.start()
            assert ends.wait(60)
            assert kept(here) == mine
            Journal(here / "journal").close()
            raise CompanionError("It went far enough.")

    monkeypatch.setattr(fcntl, "flock", flock)
    monkeypatch.setattr("companion.cli.table.Table", Begins)
    assert main(["table", "--folder", str(here)]) == 2
    restoring.join(60)
    assert codes == [0]  # it waited, and did it then
    assert kept(here) == kept(tmp_path / "old")
