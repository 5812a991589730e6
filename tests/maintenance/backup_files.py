"""Folders of tables to be backed up and restored, backups of them, and a power that goes."""

import hashlib
import json
import os
import struct
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.cli import backup
from companion.journal import Journal, NewEntry
from companion.maintenance import backup as backups
from companion.maintenance.backup import MANIFEST

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
WORDS = "Drei Fässer im Schnee"
QUICK = ("-scrypt", "-scrypt_N", "16", "-scrypt_r", "8", "-scrypt_p", "1")


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


def locked(folder: Path, file: Path, words: str = WORDS) -> Path:
    with file.open("wb") as stream:
        backups.write_backup(folder, stream, NOW, passphrase=words)
    return file


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


def typing(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Have somebody type these; return what was asked."""
    asked, waiting = list[str](), [*answers]

    def answer(question: str) -> str:
        asked.append(question)
        return waiting.pop(0)

    monkeypatch.setattr(backup, "getpass", answer)
    return asked


def naming(count: int) -> bytes:
    """Return a zip whose directory names so many empty files."""
    entry = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, *[0] * 7, 1, *[0] * 6) + b"a"
    size = count * len(entry)
    more = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, 0)
    there = struct.pack("<4sLQL", b"PK\6\7", 0, size, 1)
    return count * entry + more + there + struct.pack("<4s4H2LH", b"PK\5\6", *[0] * 7)
