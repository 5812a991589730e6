"""A restore: done or never begun, wherever the power goes, and never from what is not whole."""

import contextlib
import errno
import fcntl
import json
import os
import random
import threading
import tracemalloc
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.cli import table as table_command
from companion.cli.main import main
from companion.journal import Journal, NewEntry
from companion.maintenance import backup as backups
from companion.maintenance.backup import MANIFEST, finish_restore, read_backup, restore
from companion.simulator.live import world_store
from companion.system.errors import CompanionError
from tests.maintenance import backup_files
from tests.maintenance.backup_files import LATER, NOW, backed_up, changed, kept, manifest, table


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a backup of the table in the folder `old`."""
    return backed_up(table(tmp_path / "old"), tmp_path / "backup.zip")


def test_what_was_there_is_kept_and_phones_stay_in(tmp_path: Path, file: Path) -> None:
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
    with pytest.raises(CompanionError):
        backups.other_kind(read_backup(files[software]), backups.is_simulated(real))
    restore(real / "simulated", files[software], NOW)  # where a real one keeps them apart
    assert kept(real / "simulated") == kept(software)
    (real / "simulated").rename(tmp_path / "apart")
    restore(software, files[real], NOW)  # is only said before
    assert kept(software) == mine
    assert backups.other_kind(read_backup(files[real]), simulated=True)
    assert backups.other_kind(read_backup(files[real]), simulated=False) is None


def test_what_is_built_and_the_name_stay_if_a_backup_holds_none(tmp_path: Path) -> None:
    old = table(tmp_path / "old")
    (old / "first-run.json").unlink()
    file, here = backed_up(old, tmp_path / "backup.zip"), table(tmp_path / "here")
    _, before = restore(here, file, NOW)
    assert (here / "first-run.json").read_text("utf-8") == backup_files.SMALL["first-run.json"]
    assert not (before / "first-run.json").exists()
    (here / "first-run.json").write_text('{"done": true, "built": "game", "name": "cellar"}')
    _, before = restore(here, backed_up(table(tmp_path / "other"), tmp_path / "o.zip"), LATER)
    assert (here / "first-run.json").read_text("utf-8") == backup_files.SMALL["first-run.json"]
    assert "cellar" in (before / "first-run.json").read_text("utf-8")


# --- the power goes -------------------------------------------------------------------------------


def test_a_restore_that_is_cut_anywhere_is_done_or_never_began(tmp_path: Path, file: Path) -> None:
    new, moment, done = kept(tmp_path / "old"), 0, False
    seen = set[bool]()
    while not done:
        moment += 1
        here = table(tmp_path / f"here-{moment}", 1, **{"people.json": "mine"})
        mine = kept(here)
        with pytest.MonkeyPatch.context() as patched:
            backup_files.cut_at(patched, moment)
            try:
                restore(here, file, NOW)
                done = True
            except backup_files.PowerCut:
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


def test_finishing_may_be_cut_as_well(tmp_path: Path, file: Path) -> None:
    chance = random.Random(3)
    for turn in range(12):
        here = table(tmp_path / f"here-{turn}", 1, **{"people.json": "mine"})
        mine = kept(here)
        begins, goes_on = partial(restore, here, file, NOW), partial(finish_restore, here)
        for what in (begins, goes_on, goes_on, goes_on):
            with pytest.MonkeyPatch.context() as patched:
                backup_files.cut_at(patched, chance.randrange(1, 60))
                try:
                    what()
                except backup_files.PowerCut:
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


def test_a_restore_that_could_never_be_done_does_not_begin(tmp_path: Path, file: Path) -> None:
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
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    tmp_path: Path, file: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(*_: object, **__: object) -> None:
        raise CompanionError("It went too far.")

    monkeypatch.setattr(table_command, "Table", end)
    monkeypatch.setattr(world_store, "load", end)
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


HOSTILE = ("../people.json", "/etc/passwd", "journal/../../x", "phone.pin", "world.json", "a.txt",
           "journal/000001-x.jsonl/../../x", "calibration-1.json", "journal/.lock",
           "calibration-\u0661\u0661\u0661\u0661\u0661\u0661.json")  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_with_any_other_name_is_refused(tmp_path: Path, file: Path, name: str) -> None:
    said = manifest(file, (name, b"x"))
    bad = changed(file, tmp_path / "bad.zip", **{name: b"x", MANIFEST: said})
    refused(tmp_path, bad)


def test_what_is_damaged_swollen_or_newer_changes_nothing(tmp_path: Path, file: Path) -> None:
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


def lists() -> bytes:
    return b'{"format": [' + 500_000 * b"[]," + b"[]]}"


@pytest.mark.parametrize("bomb", ["directory", "lists", "zeros"])
def test_what_takes_more_memory_than_a_table_has_is_refused_or_taken_in_pieces(
    tmp_path: Path, bomb: str
) -> None:
    file, bad = backed_up(table(tmp_path / "old", 1), tmp_path / "b.zip"), tmp_path / "bad.zip"
    if bomb == "directory":
        bad.write_bytes(backup_files.naming(300_000))
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
def test_what_unpacks_all_at_once_is_refused(tmp_path: Path, file: Path, packing: int) -> None:
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


# --- while a table runs, or begins ----------------------------------------------------------------


def test_what_is_staged_changes_nothing_before_a_table_begins(tmp_path: Path, file: Path) -> None:
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
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    monkeypatch.setattr(table_command, "Table", Begins)
    assert main(["table", "--folder", str(here)]) == 2
    restoring.join(60)
    assert codes == [0]  # it waited, and did it then
    assert kept(here) == kept(tmp_path / "old")
