"""Backs up what a table must not lose into one zip file, and restores it: whole, or not at all.

    write_backup(folder, stream, now)         # also while the table plays: its files only grow
    backup = read_backup(path)                # checked; what is in it, by kind
    restore(folder, path, now)                # what was there before is kept in before-…
    stage(folder, path, now)                  # all but that: also while the table runs
    finish_restore(folder)                    # the rest, before a table begins; by nobody else

The file holds the stoppers' keys and what people called themselves, so it is for its owner alone.
Left out are the PIN, the phones that were let in, and whatever would tell of a simulated table
which barrel holds what. What a simulated table keeps never takes the place of what a real one does.
The authority that phones trust travels along only where a passphrase locks its key.

With a passphrase it is a CMS message of openssl, which every Pi has: AES-256-GCM, to a key that
scrypt locks. What is wrong or cut is never taken for a backup, and no half file is left, for what
is unlocked has no name. Also without this program `unzip` opens it and then:

    openssl cms -decrypt -inform DER -in backup.cms -inkey key.pem -out backup.zip
"""

import errno
import fcntl
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryFile
from threading import Thread
from typing import IO, Any, Final
from unicodedata import normalize

from companion import __version__
from companion.system import certificates, codec, paths, private_files, safe_json
from companion.system.errors import CompanionError, Unreadable, WrongPassphrase
from companion.system.small_files import SmallFile, object_in, to_json
from companion.system.text import Text
from companion.system.toml_reader import read_toml

FORMAT: Final = 1  # of the file; a greater one is of a newer version
MANIFEST: Final = "backup.json"
NAMES: Final[Mapping[str, re.Pattern[str]]] = {  # what a backup may hold, by kind
    "matches": re.compile(r"journal/[0-9]{6,9}-[0-9a-z-]{1,64}\.jsonl"),
    "people": re.compile(r"people\.json"),
    "stoppers": re.compile(r"stoppers\.toml|flashed\.json|heard\.json"),
    "calibrations": re.compile(r"calibration-[0-9]{6,9}\.json"),
    "measurements": re.compile(r"measured\.(?:json|link)"),
    "hall": re.compile(r"hall\.json"),
    "settings": re.compile(r"(?:first-run|practice|cafe)\.json"),
    "authority": re.compile(r"https/authority\.pem"),
}
KINDS: Final[Mapping[str, Text]] = {  # what people read of each, by how many there are
    "matches": Text("{count} {count:#match|matches}"),
    "people": Text("people"),
    "stoppers": Text("{count} {count:#stopper and its key|stoppers and their keys}"),
    "calibrations": Text("{count} {count:#calibration|calibrations}"),
    "measurements": Text("measurements"),
    "hall": Text("its hall"),
    "settings": Text("what was chosen on the pages"),
    "authority": Text("what phones trust by https"),
}
STOPPERS: Final = "stoppers.toml"
SETUP: Final = "first-run.json"  # what is built, and what the table is called: by a real one alone
AUTHORITY: Final = "https/authority.pem"  # with its key, so only behind a passphrase
SIMULATED: Final = "simulated"  # below it a table keeps what software barrels did, by equal names
ELSEWHERE: Final = {"people.json", SETUP, "cafe.json", AUTHORITY}  # a real table's own are used
MOST_FILES: Final = 50_000
LARGEST_BYTES: Final = 64_000_000  # of one file
TOTAL_BYTES: Final = 8_000_000_000
MANIFEST_BYTES: Final = 200 * MOST_FILES
PACKINGS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others unpack all at once
LIMITS: Final = safe_json.JsonLimits(MANIFEST_BYTES, 5 * MOST_FILES, twice=False)
CODEC: Final = codec.Codec(largest=TOTAL_BYTES, longest=200, most=MOST_FILES)
STAGED: Final = "restore"  # a folder in which all is checked and on the disk before any is moved
BEFORE: Final = "before-{now:%Y%m%d-%H%M%S}"
PHONES: Final = "phone"  # how the names of those files begin: they stay as they are
BEFORE_NAME: Final = re.compile(r"before-[0-9]{8}-[0-9]{6}")
LOCK: Final = ".lock"  # in the journal's folder, and in the table's while it is restored or begins
Progress = Callable[[int, int], object]  # so many files are done, of so many


def _kind(name: str) -> str:
    for kind, names in NAMES.items():
        if names.fullmatch(name.removeprefix(f"{SIMULATED}/")):
            return kind
    raise LookupError(name)


def _counts(kinds: Iterable[str]) -> dict[str, int]:
    counted = Counter(kinds)
    return {kind: counted[kind] for kind in KINDS if kind in counted}


def _lines(files: Sequence[str], stoppers: int) -> tuple[Text, ...]:
    counts = _counts(map(_kind, files))
    says = {kind: KINDS[kind] for kind in counts}
    if "stoppers" in counts and not stoppers:
        keys = any(name.endswith(STOPPERS) for name in files)  # which nobody counted
        says["stoppers"] = Text("stoppers and their keys" if keys else "what was heard of stoppers")
    amounts = {**counts, "stoppers": stoppers}
    return tuple(Text(words.template, count=amounts[kind]) for kind, words in says.items())


def _stoppers_in(data: bytes) -> int:
    """Return how many stoppers a file names; 0: it cannot be read."""
    try:
        document = read_toml(data.decode() if len(data) < 100_000 else "")  # 13 take 2 kB
        return sum(isinstance(part, dict) for part in document.values())
    except ValueError:
        return 0


@dataclass(frozen=True, slots=True)
class BackedUpFile:
    """A file of a backup: its name below the table's folder, its size and its SHA-256."""

    name: str
    size: int
    sha256: str

    @property
    def kind(self) -> str:
        """Return the kind of file; LookupError: a backup holds no such file."""
        return _kind(self.name)


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup says of itself."""

    format: int
    version: str  # of the program that wrote it
    made: str  # when, as ISO 8601
    files: tuple[BackedUpFile, ...]
    simulated: bool | None = field(default=None, metadata=codec.LATER)  # None: nobody knows
    stoppers: int = field(default=0, metadata=codec.LATER)  # 0: none, or nobody counted them

    def counts(self) -> dict[str, int]:
        """Return how many files there are of each kind, in the order in which people read them."""
        return _counts(file.kind for file in self.files)

    @property
    def lines(self) -> tuple[Text, ...]:
        """Return what is in it, as people read it."""
        return _lines([file.name for file in self.files], self.stoppers)


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


def write_backup(  # noqa: PLR0913 - what it is of, and who may read it
    folder: Path,
    stream: IO[bytes],
    now: datetime,
    progress: Progress = lambda *_: None,
    passphrase: str = "",  # without one anybody can read it
    *,
    simulated: bool | None = None,  # None: as the folder tells
) -> Backup:
    """Write all that a folder keeps into a stream; OSError: a file or the disk fails."""
    simulated = is_simulated(folder) if simulated is None else simulated
    names = [*_names(folder, locked=bool(passphrase))]
    files, stoppers, moment = list[BackedUpFile](), 0, now.timetuple()[:6]
    with (
        _locked(stream, passphrase) if passphrase else nullcontext(stream) as inner,
        zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for name in names:
            progress(len(files), len(names))
            data = private_files.read(folder / name, LARGEST_BYTES)
            archive.writestr(zipfile.ZipInfo(name, moment), data, zipfile.ZIP_DEFLATED)
            stoppers += _stoppers_in(data) if name.endswith(STOPPERS) else 0
            files.append(BackedUpFile(name, len(data), hashlib.sha256(data).hexdigest()))
        made = now.isoformat(timespec="seconds")
        backup = Backup(FORMAT, __version__, made, tuple(files), simulated, stoppers)
        written = json.dumps(codec.pack(backup))
        archive.writestr(zipfile.ZipInfo(MANIFEST, moment), written, zipfile.ZIP_DEFLATED)
    return backup


def is_simulated(folder: Path) -> bool | None:
    """Tell whether a folder is of a simulated table; None: nothing in it tells."""
    if folder.name == SIMULATED:
        return True
    real = paths.is_there(folder / SETUP) or (folder / SIMULATED).is_dir()
    return False if real or folder.name == paths.NAMES[0] else None


def contents(folder: Path) -> tuple[Text, ...]:
    """Return what a backup without a passphrase would hold now, as people read it."""
    names = [*_names(folder, locked=False)]
    files = [folder / name for name in names if name.endswith(STOPPERS)]
    count = sum(_stoppers_in(private_files.read(file, LARGEST_BYTES)) for file in files)
    return _lines(names, count)


def _names(folder: Path, *, locked: bool = True) -> Iterator[str]:
    """Yield the names of the files that a backup holds, by a passphrase or one anybody can open."""
    places, inside = (folder, folder / SIMULATED), ("*", f"{paths.JOURNAL}/*", AUTHORITY)
    for path in sorted(path for kept in places for at in inside for path in kept.glob(at)):
        name = path.relative_to(folder).as_posix()
        with suppress(LookupError):
            if (_kind(name) != "authority" or locked) and _is_ordinary(path):
                yield name


def _is_ordinary(path: Path) -> bool:
    return stat.S_ISREG(path.lstat().st_mode)


# --- reading one ----------------------------------------------------------------------------------


def read_backup(path: Path, stream: IO[bytes] | None = None) -> Backup:
    """Return what a backup holds, every byte of it checked; CompanionError: it cannot be used.

    Of one that is open or unlocked already, `stream` is read, and the path is what it is called.
    """
    with _opened(path, stream) as archive:
        backup = _manifest(archive, path)
        for file in backup.files:
            for _ in _content(archive, file, path):
                pass
    return backup


@contextmanager
def _opened(path: Path, stream: IO[bytes] | None = None) -> Iterator[zipfile.ZipFile]:
    try:
        with ExitStack() as life:
            file = stream or life.enter_context(private_files.open_to_read(path))
            yield life.enter_context(private_files.opened_zip(file, MOST_FILES))
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise CompanionError(
            "{file}: this file is no backup, or only a part of one.", file=path
        ) from error
    except OSError as error:
        if error.filename != str(path):
            raise  # of the disk to which it is written
        raise CompanionError(
            "{file}: the file cannot be read ({reason}).", file=path, reason=error.strerror
        ) from error


def _manifest(archive: zipfile.ZipFile, path: Path) -> Backup:
    bad = CompanionError("{file}: this file is no backup, or it is damaged.", file=path)
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
    few = len(named) <= MOST_FILES and sum(sizes) <= TOTAL_BYTES
    few = few and max(sizes, default=0) <= LARGEST_BYTES
    if named != holds or len({*named}) != len(named) or not few or len(sizes) != len(named):
        raise bad
    return backup


def _content(archive: zipfile.ZipFile, file: BackedUpFile, path: Path) -> Iterator[bytes]:
    """Yield a file piece by piece; it is known to be whole once the last has come."""
    fault = CompanionError(
        "{file}: the backup is damaged at '{name}', so nothing was changed.",
        file=path,
        name=file.name,
    )
    digest, left, authority = hashlib.sha256(), file.size, b""
    try:
        with _member(archive, file.name) as content:
            while left >= 0 and (data := content.read(min(left + 1, 1 << 20))):
                left -= len(data)
                digest.update(data)
                authority += data if file.kind == "authority" else b""
                yield data
    except (OSError, zipfile.BadZipFile) as error:
        raise fault from error
    if left or digest.hexdigest() != file.sha256:
        raise fault
    if authority:
        certificates.demand_limits(authority, path)


def _bytes(archive: zipfile.ZipFile, name: str, most_bytes: int) -> bytes:
    """Return what a member holds, and never more than one byte too much of it."""
    with _member(archive, name) as content:
        return content.read(most_bytes + 1)


@contextmanager
def _member(archive: zipfile.ZipFile, name: str) -> Iterator[IO[bytes]]:
    try:
        member = archive.getinfo(name)
        if member.compress_type not in PACKINGS:
            raise zipfile.BadZipFile(name)
        with archive.open(member) as content:
            yield content
    except (EOFError, KeyError, NotImplementedError, RuntimeError, ValueError, zlib.error) as error:
        raise zipfile.BadZipFile(name) from error


# --- restoring ------------------------------------------------------------------------------------


def other_kind(backup: Backup, simulated: bool | None) -> Text | None:
    """Return what to say before a backup of the other kind is restored at a table; None: nothing.

    CompanionError: what software barrels did would take the place of what people did.
    """
    if None in (backup.simulated, simulated) or backup.simulated is simulated:
        return None
    if backup.simulated:
        raise CompanionError(
            "This is the backup of a simulated table, and this table is real, so nothing was "
            "changed. Restore it at a simulated one; what a real table does with software barrels "
            "lies apart, in its folder '{folder}'.",
            folder=SIMULATED,
        )
    return Text("This is the backup of a real table, and this table is simulated.")


def trusted_anew(backup: Backup) -> Text | None:
    """Return what to say to those whose phones trust another table than this; None: nothing."""
    if "authority" in backup.counts():
        return None
    return Text(
        "Phones that trusted another table by https have to trust this one anew: only a backup "
        "with a passphrase holds what they trust."
    )


def restore(
    folder: Path,
    path: Path,
    now: datetime,
    progress: Progress = lambda *_: None,
    stream: IO[bytes] | None = None,
) -> tuple[Backup, Path]:
    """Replace what a folder keeps by a backup; return it, and where what was there is kept.

    Whether it is of the other kind of table is asked before. Nobody else may use the folder
    meanwhile. Before all of it lies checked on this disk, nothing is changed.
    CompanionError: it cannot be used; OSError: the disk fails.
    """
    finish_restore(folder)
    staged = stage(folder, path, now, progress, stream)
    finish_restore(folder)
    return staged


def stage(  # noqa: PLR0913 - where it goes, and how
    folder: Path,
    path: Path,
    now: datetime,
    progress: Progress = lambda *_: None,
    stream: IO[bytes] | None = None,
    *,
    apart: bool = False,  # below a real table, which has people and phones of its own
) -> tuple[Backup, Path]:
    """Unpack a backup beside a table's files, and note that it is restored at the next start.

    Nothing is changed that a table uses which runs meanwhile.
    """
    if is_restoring(folder):
        raise CompanionError("A backup is being restored already; start the table again.")
    staged, before = folder / STAGED, BEFORE.format(now=now)
    shutil.rmtree(staged, ignore_errors=True)  # of an attempt that was cut off
    try:
        with _opened(path, stream) as archive:
            backup = _manifest(archive, path)
            used = tuple(f for f in backup.files if not (apart and f.name in ELSEWHERE))
            backup = replace(backup, files=used)
            for count, file in enumerate(backup.files):
                progress(count, len(backup.files))
                _made(staged / file.name)
                with open(staged / file.name, "xb", opener=private_files.opener) as written:
                    written.writelines(_content(archive, file, path))
        for file in backup.files:  # once all are written, so that the disk takes them at once
            with private_files.open_to_read(staged / file.name) as written:
                os.fsync(written.fileno())
        _settle(staged / file.name for file in backup.files)
        _demand_places(folder, backup, before)
        _RESTORING.save(folder, _Restoring(before))
    except (OSError, CompanionError):
        if not is_restoring(folder):  # a disk that is full is not to stay so
            shutil.rmtree(staged, ignore_errors=True)
        raise
    return backup, folder / before


def _demand_places(folder: Path, backup: Backup, before: str) -> None:
    """Raise what would keep a file from its place for ever: a folder there, or none above it."""
    if os.path.lexists(folder / before):
        raise CompanionError("'{folder}' is there already; try again.", folder=folder / before)
    for name in (Path(file.name) for file in backup.files):
        fit = {folder / at: (folder / at).is_dir() for at in [*name.parents][-2::-1]}
        fit[folder / name] = not (folder / name).is_dir()
        if blocked := [at for at in fit if os.path.lexists(at) and not fit[at]]:
            raise CompanionError(
                "'{file}' is in the way, so nothing was changed; put it elsewhere, then try again.",
                file=blocked[0],
            )


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Keep restores and beginning tables apart: whoever comes second waits for the first.

    A table that begins holds it until it has locked its journal, so that nothing is restored
    between the small files that it reads and the journal.
    """
    with ExitStack() as life:
        with suppress(OSError):  # where nothing can be written, nothing is restored
            lock = life.enter_context(open(folder / LOCK, "ab", opener=private_files.opener))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


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
        before = folder / begun.before
        _move({path: before / path.relative_to(folder) for path in _replaced(folder)})
        _RESTORING.save(folder, _Restoring(begun.before, placing=True))
    _move({folder / STAGED / name: folder / name for name in _names(folder / STAGED)})
    _RESTORING.remove(folder)
    shutil.rmtree(folder / STAGED, ignore_errors=True)
    return True


def _replaced(folder: Path) -> Iterator[Path]:
    """Yield the files that a backup takes the place of."""
    for kept in (folder, folder / SIMULATED):
        for path in kept.glob("*"):
            ours = path.name.startswith(paths.OURS) and not path.name.startswith(PHONES)
            kept_on = path == folder / SETUP and not paths.is_there(folder / STAGED / SETUP)
            if ours and not kept_on and _is_ordinary(path):
                yield path
        if paths.is_there(folder / STAGED / kept.relative_to(folder) / AUTHORITY):
            yield from filter(_is_ordinary, kept.glob(AUTHORITY))
        for path in (kept / paths.JOURNAL).glob("*"):
            if path.name != LOCK and _is_ordinary(path):
                yield path


def _move(targets: Mapping[Path, Path]) -> None:
    """Move files for good, if the journal is a link to another disk, too."""
    for source, target in targets.items():
        _made(target)
        try:
            source.replace(target)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            private_files.write(target, private_files.read(source, source.stat().st_size))
            source.unlink()
    _settle([*targets.values(), *targets])


def _settle(files: Iterable[Path]) -> None:
    """Wait until the names in these files' folders are on the disk."""
    for file in {file.parent: file for file in files}.values():
        private_files.sync_folder(file)


def _made(file: Path) -> None:
    """Create the folder of a file, for its owner alone."""
    file.parent.mkdir(private_files.FOLDER, parents=True, exist_ok=True)


# --- with a passphrase ----------------------------------------------------------------------------

KEY, MESSAGE = "key.pem", "backup.cms"
SCRYPT: Final = ("-scrypt", "-scrypt_N", "16384", "-scrypt_r", "8", "-scrypt_p", "5")  # 16 MB
SHORTEST, LONGEST = 8, 200  # characters of a passphrase
KEY_BYTES, LOCKED_BYTES = 4096, 256_000_000  # openssl has all of it in memory
OPENSSL_S: Final = 60.0
OPENSSL_ENV: Final = {"LC_ALL": "C", "OPENSSL_CONF": os.devnull, "PATH": "/usr/bin:/bin"}


def passphrase_of(typed: str) -> str:
    """Return a passphrase as any keyboard types it; WrongPassphrase: it is none.

    >>> passphrase_of("pa\u0308sse, bitte") == "p\u00e4sse, bitte"
    True
    """
    text = normalize("NFC", typed)
    if not SHORTEST <= len(text) <= LONGEST or not text.isprintable():
        raise WrongPassphrase(
            "A passphrase has {least} to {most} characters, and all of them can be seen.",
            least=SHORTEST,
            most=LONGEST,
        )
    return text


def is_locked(path: Path, stream: IO[bytes] | None = None) -> bool:
    """Tell whether a backup has a passphrase; CompanionError: it is no backup."""
    with _opened(path, stream) as archive:
        return {*archive.namelist()} == {KEY, MESSAGE}


def unlocked(
    path: Path, passphrase: str, stream: IO[bytes] | None = None, folder: Path | None = None
) -> IO[bytes]:
    """Return a backup without its passphrase, in a file of the folder that has no name.

    WrongPassphrase: it does not fit. CompanionError: the file is damaged, or somebody changed it.
    """
    plain = TemporaryFile(dir=folder)  # noqa: SIM115 - whoever asks closes it
    try:
        with _opened(path, stream) as archive:
            try:
                locked = _bytes(archive, KEY, KEY_BYTES)
                with _fd(passphrase) as words:
                    key = _openssl("pkey", "-passin", f"fd:{words}", given=locked, fds=(words,))
                if key is None:
                    raise WrongPassphrase("{file}: this passphrase does not fit.", file=path)
                _decrypt(archive, key, plain)
            except (OSError, zipfile.BadZipFile, subprocess.SubprocessError) as error:
                raise CompanionError(
                    "{file}: the backup is damaged, or somebody has changed it.", file=path
                ) from error
    except BaseException:
        plain.close()
        raise
    plain.seek(0)
    return plain


def _decrypt(archive: zipfile.ZipFile, key: bytes, plain: IO[bytes]) -> None:
    """Write what a message says; BadZipFile: it is not whole."""
    member = archive.getinfo(MESSAGE)
    if member.compress_type != zipfile.ZIP_STORED or member.file_size > LOCKED_BYTES:
        raise zipfile.BadZipFile(MESSAGE)
    with _fd(key.decode("ascii")) as keys:
        words = ("cms", "-decrypt", "-binary", "-inform", "DER", "-inkey", f"/dev/fd/{keys}")
        with _started(words, plain, (keys,)) as running, archive.open(MESSAGE) as m:
            assert running.stdin is not None
            with suppress(BrokenPipeError):  # then it says that it failed
                shutil.copyfileobj(m, running.stdin)
                running.stdin.close()
            running.wait(OPENSSL_S)
    if running.returncode:
        raise zipfile.BadZipFile(MESSAGE)


@contextmanager
def _locked(stream: IO[bytes], passphrase: str) -> Iterator[IO[bytes]]:
    """Yield what takes a backup that only a passphrase opens, and writes it into a stream."""
    key = _openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
    named = ("-subj", "/CN=backup", "-days", "36500")
    card = key and _openssl("x509", "-new", "-key", "/dev/stdin", *named, given=key)
    with _fd(passphrase) as words:
        locks = ("pkcs8", "-topk8", *SCRYPT, "-passout", f"fd:{words}")
        locked = key and _openssl(*locks, given=key, fds=(words,))
    if not card or not locked:
        raise CompanionError("The program openssl fails; see what this says: openssl version")
    with zipfile.ZipFile(stream, "w") as outer, _fd(card.decode("ascii")) as cards:
        outer.writestr(zipfile.ZipInfo(KEY), locked)
        to = ("-recip", f"/dev/fd/{cards}", "-keyopt", "ecdh_kdf_md:sha256")
        words_ = ("cms", "-encrypt", "-binary", "-stream", "-outform", "DER", "-aes-256-gcm", *to)
        with (
            outer.open(zipfile.ZipInfo(MESSAGE), "w", force_zip64=True) as message,
            _started(words_, subprocess.PIPE, (cards,)) as running,
        ):
            assert running.stdin is not None
            assert running.stdout is not None
            with _copying(running.stdout, message), running.stdin:
                yield running.stdin
            running.wait(OPENSSL_S)
        if running.returncode:
            raise OSError(errno.EIO, "openssl fails")


@contextmanager
def _copying(source: IO[bytes], target: IO[bytes]) -> Iterator[None]:
    """Copy meanwhile, for whoever writes what comes of it; raise why it could not be."""
    faults = list[Exception]()

    def copy() -> None:
        size = 0
        try:
            while not faults and (data := source.read(1 << 20)):
                if (size := size + len(data)) <= LOCKED_BYTES:
                    target.write(data)
                    continue
                why = CompanionError(
                    "With a passphrase a backup may have {mb} MB, and this one has more, so "
                    "nothing was saved; make it without one, and keep it to yourself.",
                    mb=LOCKED_BYTES // 1_000_000,
                )
                faults.append(why)
        except OSError as fault:  # such as a full disk
            faults.append(fault)
        finally:  # whoever still writes gets no further, and does not wait
            source.close()

    thread = Thread(target=copy, name="backup", daemon=True)
    thread.start()
    try:
        yield
    finally:
        thread.join()
        for fault in faults:
            raise fault


@contextmanager
def _started(
    words: Sequence[str], out: int | IO[bytes], fds: tuple[int, ...]
) -> Iterator[subprocess.Popen[bytes]]:
    """Start openssl; it ends with what needs it."""
    running = subprocess.Popen(  # noqa: S603 - a program that we looked for, and no shell
        [certificates.program(), *words],
        stdin=subprocess.PIPE,
        stdout=out,
        stderr=subprocess.DEVNULL,
        pass_fds=fds,
        env=OPENSSL_ENV,
    )
    try:
        yield running
    finally:
        running.kill()
        for end in filter(None, (running.stdin, running.stdout)):
            with suppress(OSError):
                end.close()
        running.wait()


def _openssl(*words: str, given: bytes = b"", fds: tuple[int, ...] = ()) -> bytes | None:
    """Return what openssl writes; None: it refuses."""
    with _started(words, subprocess.PIPE, fds) as running:
        written, _ = running.communicate(given, OPENSSL_S)
    return written if running.returncode == 0 else None


@contextmanager
def _fd(text: str) -> Iterator[int]:
    """Yield what a program reads a text from, once; no file holds it, and no list of programs."""
    reading, writing = os.pipe()
    try:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(f"{text}\n".encode())  # so short that it waits for nobody
        yield reading
    finally:
        os.close(reading)
