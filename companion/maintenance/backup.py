"""Backs up what a table must not lose into one zip file, and restores it: whole, or not at all.

    write_backup(folder, stream, now)         # also while the table plays: its files only grow
    backup = read_backup(path)                # checked; what is in it, by kind
    restore(folder, path, now)                # what was there before is kept in before-…
    finish_restore(folder)                    # after a power cut the rest is done, by nobody else

The file holds the stoppers' keys and what people called themselves, so it is for its owner alone.
Left out are the PIN, the phones that were let in, and whatever would tell of a simulated table
which barrel holds what.
"""

import errno
import hashlib
import json
import os
import re
import shutil
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Final

from companion import __version__
from companion.system import codec, paths, private_files, safe_json
from companion.system.errors import CompanionError, Unreadable
from companion.system.small_files import SmallFile, object_in, to_json
from companion.system.text import Text

FORMAT: Final = 1  # of the file; a greater one is of a newer version
MANIFEST: Final = "backup.json"
NAMES: Final[Mapping[str, re.Pattern[str]]] = {  # what a backup may hold, by kind
    "matches": re.compile(r"journal/[0-9]{6,9}-[0-9a-z-]{1,64}\.jsonl"),
    "people": re.compile(r"people\.json"),
    "stoppers": re.compile(r"stoppers\.toml|flashed\.json|heard\.json"),
    "calibrations": re.compile(r"calibration-[0-9]{6,9}\.json"),
    "measurements": re.compile(r"measured\.(?:json|link)"),
    "hall": re.compile(r"hall\.json"),
}
KINDS: Final[Mapping[str, Text]] = {
    "matches": Text("matches"),
    "people": Text("people"),
    "stoppers": Text("stoppers and their keys"),
    "calibrations": Text("calibrations"),
    "measurements": Text("measurements"),
    "hall": Text("its hall"),
}
MOST_FILES: Final = 50_000
LARGEST_BYTES: Final = 64_000_000  # of one file
TOTAL_BYTES: Final = 8_000_000_000
MANIFEST_BYTES: Final = 16_000_000
PACKINGS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others unpack all at once
LIMITS: Final = safe_json.JsonLimits(most_bytes=MANIFEST_BYTES, twice=False)
CODEC: Final = codec.Codec(largest=TOTAL_BYTES, longest=200, most=MOST_FILES)
STAGED: Final = "restore"  # a folder in which all is checked and on the disk before any is moved
BEFORE: Final = "before-{now:%Y%m%d-%H%M%S}"
PHONES: Final = "phone"  # how the names of those files begin: they stay as they are
BEFORE_NAME: Final = re.compile(r"before-[0-9]{8}-[0-9]{6}")
LOCK: Final = ".lock"  # in the journal's folder


@dataclass(frozen=True, slots=True)
class BackedUpFile:
    """A file of a backup: its name below the table's folder, its size and its SHA-256."""

    name: str
    size: int
    sha256: str

    @property
    def kind(self) -> str:
        """Return the kind of file; LookupError: a backup holds no such file."""
        for kind, names in NAMES.items():
            if names.fullmatch(self.name):
                return kind
        raise LookupError(self.name)


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup says of itself."""

    format: int
    version: str  # of the program that wrote it
    made: str  # when, as ISO 8601
    files: tuple[BackedUpFile, ...]

    def counts(self) -> dict[str, int]:
        """Return how many files there are of each kind, in the order in which people read them."""
        kinds = [file.kind for file in self.files]
        return {kind: kinds.count(kind) for kind in KINDS if kind in kinds}


@dataclass(frozen=True, slots=True)
class _Restoring:
    """How far a restore is: what was there is moved aside first, then the new is put in place."""

    before: str
    placing: bool = False

    def __post_init__(self) -> None:
        """ValueError: no restore keeps anything there."""
        if not BEFORE_NAME.fullmatch(self.before):
            raise ValueError(self.before)


_RESTORING: Final[SmallFile[_Restoring]] = SmallFile(
    "restoring.json",
    lambda value: to_json(asdict(value)),
    lambda data: _Restoring(**object_in(data)),
)


# --- backing up -----------------------------------------------------------------------------------


Progress = Callable[[int, int], object]  # so many files are done, of so many


def write_backup(
    folder: Path, stream: IO[bytes], now: datetime, progress: Progress = lambda *_: None
) -> Backup:
    """Write all that a folder keeps into a stream; OSError: a file or the disk fails."""
    names, files = [*_names(folder)], list[BackedUpFile]()
    moment = now.timetuple()[:6]
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            progress(len(files), len(names))
            data = private_files.read(folder / name, LARGEST_BYTES)
            archive.writestr(zipfile.ZipInfo(name, moment), data, zipfile.ZIP_DEFLATED)
            files.append(BackedUpFile(name, len(data), hashlib.sha256(data).hexdigest()))
        backup = Backup(FORMAT, __version__, now.isoformat(timespec="seconds"), tuple(files))
        written = json.dumps(codec.pack(backup))
        archive.writestr(zipfile.ZipInfo(MANIFEST, moment), written, zipfile.ZIP_DEFLATED)
    return backup


def _names(folder: Path) -> Iterator[str]:
    """Yield the names of the files that a backup holds."""
    candidates = [*folder.glob("*"), *(folder / paths.JOURNAL).glob("*")]
    for path in sorted(candidates):
        name = path.relative_to(folder).as_posix()
        if any(known.fullmatch(name) for known in NAMES.values()) and _is_ordinary(path):
            yield name


def _is_ordinary(path: Path) -> bool:
    return stat.S_ISREG(path.lstat().st_mode)


# --- reading one ----------------------------------------------------------------------------------


def read_backup(path: Path) -> Backup:
    """Return what a backup holds, every byte of it checked; CompanionError: it cannot be used."""
    with _opened(path) as archive:
        backup = _manifest(archive, path)
        for file in backup.files:
            _content(archive, file, path)
    return backup


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with private_files.opened(path) as stream, zipfile.ZipFile(stream) as archive:
            yield archive
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise CompanionError(
            "{file}: this is no backup, or only a part of one.", file=path
        ) from error
    except OSError as error:
        if error.filename != str(path):
            raise  # of the disk to which it is written
        raise CompanionError(
            "{file}: the file cannot be read ({reason}).", file=path, reason=error.strerror
        ) from error


def _manifest(archive: zipfile.ZipFile, path: Path) -> Backup:
    bad = CompanionError("{file}: this is no backup, or it is damaged.", file=path)
    try:
        data: Any = safe_json.load_json(_bytes(archive, MANIFEST, MANIFEST_BYTES), LIMITS)
    except (ValueError, TypeError, OSError, zipfile.BadZipFile) as error:
        raise bad from error
    if isinstance(data, dict) and isinstance(data.get("format"), int) and data["format"] > FORMAT:
        raise CompanionError(
            "{file}: a newer version wrote this backup ({version}); update this table first.",
            file=path,
            version=data.get("version"),
        )
    try:
        backup = CODEC.read(Backup, data, "backup")
        sizes = [file.size for file in backup.files if file.kind and file.size >= 0]
    except (Unreadable, LookupError) as error:
        raise bad from error
    named = sorted(file.name for file in backup.files)
    holds = sorted(name for name in archive.namelist() if name != MANIFEST)
    few = (
        len(named) <= MOST_FILES
        and sum(sizes) <= TOTAL_BYTES
        and max(sizes, default=0) <= (LARGEST_BYTES)
    )
    if named != holds or len({*named}) != len(named) or not few or len(sizes) != len(named):
        raise bad
    return backup


def _content(archive: zipfile.ZipFile, file: BackedUpFile, path: Path) -> bytes:
    """Return a file as it was backed up."""
    fault = CompanionError(
        "{file}: the backup is damaged at '{name}', so nothing was changed.",
        file=path,
        name=file.name,
    )
    try:
        data = _bytes(archive, file.name, file.size)
    except (OSError, zipfile.BadZipFile) as error:
        raise fault from error
    if len(data) != file.size or hashlib.sha256(data).hexdigest() != file.sha256:
        raise fault
    return data


def _bytes(archive: zipfile.ZipFile, name: str, most_bytes: int) -> bytes:
    """Return what a member holds, and never more than one byte too much of it."""
    try:
        member = archive.getinfo(name)
        if member.compress_type not in PACKINGS:
            raise zipfile.BadZipFile(name)
        with archive.open(member) as content:
            return content.read(most_bytes + 1)
    except (EOFError, KeyError, NotImplementedError, RuntimeError, ValueError, zlib.error) as error:
        raise zipfile.BadZipFile(name) from error


# --- restoring ------------------------------------------------------------------------------------


def restore(
    folder: Path, path: Path, now: datetime, progress: Progress = lambda *_: None
) -> tuple[Backup, Path]:
    """Replace what a folder keeps by a backup; return it, and where what was there is kept.

    Nobody else may use the folder meanwhile. Before all of it lies checked on this disk, nothing
    is changed. CompanionError: it cannot be used; OSError: the disk fails.
    """
    finish_restore(folder)
    staged, before = folder / STAGED, BEFORE.format(now=now)
    shutil.rmtree(staged, ignore_errors=True)  # of an attempt that was cut off
    with _opened(path) as archive:
        backup = _manifest(archive, path)
        for count, file in enumerate(backup.files):
            progress(count, len(backup.files))
            data = _content(archive, file, path)
            _made(staged / file.name)
            private_files.write(staged / file.name, data)
    blocked = [folder / file.name for file in backup.files if (folder / file.name).is_dir()]
    if os.path.lexists(folder / before):
        blocked.append(folder / before)
    if blocked:  # else what was begun could never be done
        raise CompanionError("'{folder}' is there already; try again.", folder=blocked[0])
    _RESTORING.save(folder, _Restoring(before))
    finish_restore(folder)
    return backup, folder / before


def is_restoring(folder: Path) -> bool:
    """Tell whether a restore has begun that is not done."""
    return paths.is_there(folder / _RESTORING.name)


def finish_restore(folder: Path) -> bool:
    """Do what is left of a restore that was cut off; tell whether there was one.

    Nobody else may use the folder meanwhile.
    """
    begun = _RESTORING.read(folder)
    if begun is None:
        return False
    if not begun.placing:
        for path in _replaced(folder):
            _move(path, folder / begun.before / path.relative_to(folder))
        _RESTORING.save(folder, _Restoring(begun.before, placing=True))
    for name in [*_names(folder / STAGED)]:
        _move(folder / STAGED / name, folder / name)
    _RESTORING.remove(folder)
    shutil.rmtree(folder / STAGED, ignore_errors=True)
    return True


def _replaced(folder: Path) -> Sequence[Path]:
    """Return the files that a backup takes the place of."""
    own = [
        path
        for path in folder.glob("*")
        if path.name.startswith(paths.OURS) and not path.name.startswith(PHONES)
    ]
    journal = [path for path in (folder / paths.JOURNAL).glob("*") if path.name != LOCK]
    return [path for path in (*own, *journal) if _is_ordinary(path)]


def _move(source: Path, target: Path) -> None:
    """Move a file for good, if the journal is a link to another disk, too."""
    _made(target)
    try:
        source.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        private_files.write(target, private_files.read(source, source.stat().st_size))
        source.unlink()
    private_files.sync_folder(target)
    private_files.sync_folder(source)


def _made(file: Path) -> None:
    """Have the folder of a file there, for its owner alone."""
    file.parent.mkdir(private_files.FOLDER, parents=True, exist_ok=True)
