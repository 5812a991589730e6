"""Root's service: restarts, updates or rolls back a table as its Workshop page asks by a file.

A systemd unit starts it when that file is there; the system's own Python runs it, and no package is
needed. What it reads is hostile until it is checked: a small ordinary file of the service's own
user, opened where no link leads elsewhere, gone before anything is done, in which nothing unknown
stands. `VERBS` holds all that may be asked.

What is being done is written down first. If the power goes, the next start finds that, and either
what was begun is well, or all is as it was. A version on trial is judged by the one before.
"""

import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from re import Pattern
from typing import Any, Final, NoReturn

from companion.cli import install
from companion.cli.install import match_guard, own_wifi, payload, releases, system
from companion.cli.install.places import Places
from companion.cli.install.releases import alone
from companion.maintenance import backup, care
from companion.maintenance.care import CareState
from companion.present.terminal import TerminalScreen
from companion.system import logs, private_files, safe_json, signals
from companion.system.errors import CompanionError
from companion.system.small_files import SmallFile, object_in, to_json
from companion.system.text import Text

FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
LIMITS: Final = safe_json.JsonLimits(most_bytes=care.REQUEST_BYTES, deepest=2, twice=False)
PARTS: Final = {"request", "verb", "port", "boot", "words"}
WORK, JUDGE = "work", "judge"  # of root's folder: what only root reads; the version before
CHUNK: Final = 1 << 20
ROOM: Final = 4  # so many times a zip's size are needed to install what is in it
WITHIN_S: Final = 40.0  # a version is well by then, or the one before is used again
LOOK_S: Final = 1.0
READ_S: Final = 3.0  # a page has asked by then what becomes of it
WELL: Final = 3  # looks, one after another
CMDLINE: Final = "proc/cmdline"
IN_MEMORY: Final = re.compile(r"\b(?:overlayroot=(?!disabled)|boot=overlay\b)")  # Pi OS 12+, 11
SOURCE: Final = re.compile("file|card")


class Hostile(Exception):
    """Somebody other than our pages asks, or what they laid there is damaged."""

    @property
    def sentence(self) -> Text:
        return Text(
            "What lies where the table asks for things was not laid there by it ({why}), so "
            "nothing was done.",
            why=str(self),
        )


class WentBack(Exception):
    """What was changed is not well, and all is as it was."""

    def __init__(self, had: str, fault: Text) -> None:
        super().__init__(had, fault)
        self.sentence = Text(
            "Rappelwacht {release} is used again, as the other version is not well: {reason}. "
            "Nothing that was played is lost.",
            release=_number(had),
            reason=fault,
        )


@dataclass(frozen=True, slots=True)
class CareHealth:
    """How the table was: what was well before a change must be well after it."""

    page: bool = False
    matches: int = -1  # so many of the newest can be read; -1: the journal cannot be
    hub: bool = False


@dataclass(frozen=True, slots=True)
class CareTrial:
    """What is being done, for whoever finds it cut off."""

    request: str
    verb: str
    port: int
    had: str | None = None  # the version that was used before something else is switched to
    earlier: str | None = None
    before: CareHealth = CareHealth()


TRIAL: Final[SmallFile[CareTrial]] = SmallFile(
    "trial.json",
    lambda trial: to_json(asdict(trial)),
    lambda data: _trial(object_in(data)),
)


def _trial(data: Mapping[str, Any]) -> CareTrial:
    return CareTrial(**{**data, "before": CareHealth(**data["before"])})


@dataclass(frozen=True, slots=True)
class CareJob:
    """One thing that was asked, with all that doing it takes."""

    places: Places
    run: system.Run
    request: str
    verb: str
    port: int  # where the pages are
    words: Mapping[str, str] = field(default_factory=dict)  # what the verb's patterns let through
    clock_s: Callable[[], float] = time.monotonic
    wait: Callable[[float], None] = signals.sleep

    def say(self, template: str, **values: object) -> None:
        """Say how far it is; pages show it."""
        self.answer(CareState.DOING, Text(template, **values))

    def answer(self, state: CareState, sentence: Text) -> None:
        """Say what became of it, for everybody to read: no secret may be in it."""
        answered = care.CareAnswer(self.request, self.verb, state, sentence)
        path = self.places.care / care.ANSWER
        private_files.write(path, care.to_json(answered), 0o644)

    def note(self, trial: CareTrial) -> None:
        """Write down what is being done."""
        TRIAL.save(self.places.care, trial)


@dataclass(frozen=True, slots=True)
class CareVerb:
    """Something that may be asked: what does it, and the words that belong to it."""

    act: Callable[[CareJob], Text]  # returns what to say; CompanionError: nothing was changed
    words: Mapping[str, Pattern[str]] = field(default_factory=dict)  # each must be there, and fit


WIFIS: Final = {"wifi_own", "wifi_home"}
LEAVING: Final = {"reboot", "shut_down"}  # verbs that are done once nobody is left to say so


def main() -> None:
    """Do what the service's pages ask of this computer."""
    logs.begin()
    os.umask(0o022)
    places = Places()
    with signals.handled():
        finish(places)
        try:
            carry_out(places)
        except Hostile as why:
            sys.exit(f"Nothing was done: {why}")


def carry_out(
    places: Places,
    run: system.Run = system.run,
    clock_s: Callable[[], float] = time.monotonic,
    wait: Callable[[float], None] = signals.sleep,
) -> CareState | None:
    """Do what is asked, if anything is; Hostile: nothing is done, and nobody is answered."""
    data = take_request(places)
    if data is None:
        return None
    job, verb = parse_request(places, run, data)
    job = replace(job, clock_s=clock_s, wait=wait)
    job.note(CareTrial(job.request, job.verb, job.port))
    try:
        match_guard.demand_none(places.data / "table", job.port)
        job.say("Begun.")
        state, sentence = CareState.DONE, verb.act(job)
    except WentBack as fault:
        state, sentence = CareState.BACK, fault.sentence
    except Hostile as fault:
        state, sentence = CareState.REFUSED, fault.sentence
    except CompanionError as fault:
        state, sentence = CareState.REFUSED, Text(fault.template, **fault.values)
    except OSError as fault:
        state, sentence = CareState.REFUSED, _refused(fault)
    _end(job, state, sentence)
    return state


def finish(
    places: Places,
    run: system.Run = system.run,
    clock_s: Callable[[], float] = time.monotonic,
    wait: Callable[[float], None] = signals.sleep,
) -> CareState | None:
    """Bring to an end what was cut off, one way or the other; None: nothing was."""
    try:
        trial = TRIAL.read(places.care)
    except CompanionError:  # of a version that knew other things
        trial = CareTrial("", "", 1)
    if trial is None:
        return None
    job = CareJob(places, run, trial.request, trial.verb, trial.port, {}, clock_s, wait)
    if trial.had is not None:
        state, sentence = _judged(job, trial)
    elif trial.verb in LEAVING:
        state, sentence = CareState.DONE, Text("The computer was started again.")
    else:
        if trial.verb in WIFIS:
            own_wifi.clear(places)
        state, sentence = CareState.REFUSED, Text("That was cut off, and nothing was changed.")
    _end(job, state, sentence)
    return state


def _judged(job: CareJob, trial: CareTrial) -> tuple[CareState, Text]:
    """Find what was cut off well, or go back."""
    assert trial.had is not None
    used = releases.in_use(job.places)
    cut_off = Text("it was cut off in the middle")
    fault = cut_off if used == trial.had else _fault_of(job, trial.before)
    if fault is None:
        return CareState.DONE, _used(job.places)
    try:
        _go_back(job, trial, fault)
    except WentBack as back:
        return CareState.BACK, back.sentence


def _end(job: CareJob, state: CareState, sentence: Text) -> None:
    """Say what became of it, and leave nothing behind."""
    shutil.rmtree(job.places.care / WORK, ignore_errors=True)
    (job.places.care / JUDGE).unlink(missing_ok=True)
    if job.verb == "update":  # whatever became of it: the card is small
        with suppress(Hostile, OSError), open_request_folder(job.places) as folder:
            if folder is not None:
                _remove(folder, care.UPDATE)
    job.answer(state, sentence)
    TRIAL.remove(job.places.care)


def _refused(fault: OSError) -> Text:
    return Text(
        "The computer refuses that: {reason}.", reason=fault.strerror or type(fault).__name__
    )


# --- what is asked --------------------------------------------------------------------------------


def take_request(places: Places) -> bytes | None:
    """Return what was asked, which is gone from then on; None: nothing."""
    with open_request_folder(places) as folder:
        if folder is None:
            return None
        try:
            return owned(places, folder, care.REQUEST, care.REQUEST_BYTES)
        finally:
            _remove(folder, care.REQUEST)


@contextmanager
def open_request_folder(places: Places) -> Iterator[int | None]:
    """Open the folder in which the service asks, itself and not what a link leads to."""
    try:
        above = os.open(places.data, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)  # root's link
    except FileNotFoundError:
        yield None
        return
    try:
        folder = os.open(care.ASKED, FOLDER, dir_fd=above)
    except FileNotFoundError:
        yield None
        return
    except OSError as fault:
        raise Hostile(f"{care.ASKED}: {fault.strerror}") from fault
    finally:
        os.close(above)
    try:
        yield folder
    finally:
        os.close(folder)


def owned(places: Places, folder: int, name: str, most_bytes: int) -> bytes | None:
    """Return what a file of the service's own holds; None: there is none."""
    try:
        with open_own_file(places, folder, name) as descriptor:
            data = os.read(descriptor, most_bytes + 1)
    except FileNotFoundError:
        return None
    if len(data) > most_bytes:
        raise Hostile(f"{name}: too large")
    return data


@contextmanager
def open_own_file(places: Places, folder: int, name: str) -> Iterator[int]:
    """Open an ordinary file that is the service's own, under one name only."""
    try:
        descriptor = os.open(name, FILE, dir_fd=folder)
    except FileNotFoundError:
        raise
    except OSError as fault:
        raise Hostile(f"{name}: {fault.strerror}") from fault
    try:
        there = os.fstat(descriptor)
        if not stat.S_ISREG(there.st_mode):
            raise Hostile(f"{name}: not an ordinary file")
        if there.st_uid != places.data.stat().st_uid:
            raise Hostile(f"{name}: another user's")
        if there.st_nlink != 1:
            raise Hostile(f"{name}: has other names")
        yield descriptor
    finally:
        os.close(descriptor)


def _remove(folder: int, name: str) -> None:
    """Remove what has that name, whatever it is, so that nothing is asked for ever."""
    with suppress(FileNotFoundError):
        try:
            os.unlink(name, dir_fd=folder)
        except (IsADirectoryError, PermissionError):
            aside = f"refused-{secrets.token_hex(8)}"
            os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=folder)


def parse_request(places: Places, run: system.Run, data: bytes) -> tuple[CareJob, CareVerb]:
    """Return what was asked; Hostile: nothing that our pages would ask."""
    try:
        given: Any = safe_json.load_json(data, LIMITS)
    except safe_json.BadJson as fault:
        raise Hostile(f"{care.REQUEST}: {fault}") from fault
    if not isinstance(given, dict) or given.keys() != PARTS:
        raise Hostile(f"{care.REQUEST}: other parts than a request has")
    request, port, words = given["request"], given["port"], given["words"]
    verb = VERBS.get(given["verb"]) if isinstance(given["verb"], str) else None
    if verb is None:
        raise Hostile(f"{care.REQUEST}: no verb of ours")
    if not (isinstance(request, str) and len(request) == 16 and request.isalnum()):
        raise Hostile(f"{care.REQUEST}: no name of a request")
    if type(port) is not int or not 0 < port < 1 << 16:
        raise Hostile(f"{care.REQUEST}: no port")
    if given["boot"] != care.boot():
        raise Hostile(f"{care.REQUEST}: asked before the computer was started")
    if not isinstance(words, dict) or words.keys() != verb.words.keys():
        raise Hostile(f"{care.REQUEST}: other words than the verb has")
    for name, pattern in verb.words.items():
        if not isinstance(words[name], str) or not pattern.fullmatch(words[name]):
            raise Hostile(f"{care.REQUEST}: '{name}' does not fit")
    return CareJob(places, run, request, given["verb"], port, words), verb


# --- the plainest verbs ---------------------------------------------------------------------------


def restart(job: CareJob) -> Text:
    """Begin the service anew."""
    job.say("The table is being restarted.")
    with alone(job.places):
        if job.places.live and job.run(["systemctl", "restart", system.TABLE.service]) != 0:
            raise CompanionError(
                "This version does not start; see why with: journalctl -u {service}",
                service=system.TABLE.service.removesuffix(".service"),
            )
    return Text("The table was restarted.")


def reboot(job: CareJob) -> Text:
    """Begin the computer anew."""
    return _leave(job, "reboot", Text("The computer is being restarted."))


def shut_down(job: CareJob) -> Text:
    """Switch the computer off."""
    sentence = Text("The computer is being shut down; wait ten seconds before you unplug it.")
    return _leave(job, "poweroff", sentence)


def _leave(job: CareJob, how: str, sentence: Text) -> Text:
    with alone(job.places):  # in the middle of an installation the power must not go
        job.answer(CareState.DONE, sentence)  # afterwards nobody is left to say it
        if job.places.live:
            job.wait(READ_S)
            if job.run(["systemctl", how]) != 0:
                raise CompanionError("The system does not do that; see why with: journalctl -b")
    return sentence


# --- going to another version ---------------------------------------------------------------------


def update(job: CareJob) -> Text:
    """Go on to the version in a zip that lies in the fixed place, or on the card."""
    _demand_lasting(job.places)
    job.say("The file is being checked.")
    with _payload(job) as folder:
        payload.demand_signed(folder, job.places.settings)
        version = _demand_newer(job, payload.check(folder), folder)
        job.say("A backup is being made.")
        _back_up(job)
        job.say("Rappelwacht {release} is being installed.", release=version)
        code = _tried(job, lambda: _install(job, folder))
    if code != 0:
        raise CompanionError(
            "Rappelwacht {release} could not be installed, so nothing was changed; why, says: "
            "journalctl -u rappelwacht-care",
            release=version,
        )
    return _used(job.places)


def roll_back(job: CareJob) -> Text:
    """Go back to the version before."""
    _demand_lasting(job.places)
    job.say("The version before is being started.")
    _tried(job, lambda: install.roll_back(_options(job, "roll-back"), _screen(), job.run))
    return _used(job.places)


def _used(places: Places) -> Text:
    """Return which version is used now, as people call it."""
    return Text("Rappelwacht {release} is used now.", release=_number(releases.in_use(places)))


def _number(release: str | None) -> str:
    """Return a version without what tells its files from others of the same number."""
    return (release or "").partition("-")[0]


def _tried(job: CareJob, change: Callable[[], int]) -> int:
    """Go to another version, and back if it is not well; return what the change returned."""
    places, had = job.places, releases.in_use(job.places)
    if had is None:
        raise CompanionError("Rappelwacht is not installed here.")
    before = _health(job.port)
    trial = CareTrial(job.request, job.verb, job.port, had, releases.before(places), before)
    judge = places.care / JUDGE
    judge.unlink(missing_ok=True)
    judge.symlink_to(Path("..", "releases", had))
    job.note(trial)
    code: int | None = None
    try:
        code = change()
    finally:
        if code != 0 and releases.in_use(places) == had:  # else it is watched
            install.write_files(places, had, system.installed_role(places) or system.TABLE)
    if code == install.FAILED:
        raise WentBack(had, Text("it does not start"))
    if code != 0:
        return code
    job.say("It is being watched for a moment.")
    if (fault := _fault_of(job, trial.before)) is not None:
        _go_back(job, trial, fault)
    return 0


def _demand_lasting(places: Places) -> None:
    """Raise, if what is installed were gone after the next start, but not what it has written."""
    try:
        words = (places.root / CMDLINE).read_text("utf-8")
    except OSError:
        return
    if IN_MEMORY.search(words):
        raise CompanionError(
            "This computer forgets what is installed when it is switched off; before, switch that "
            "off: sudo raspi-config, Performance, Overlay File System."
        )


def _go_back(job: CareJob, trial: CareTrial, fault: Text) -> NoReturn:
    """Use what was used before; WentBack: it is used."""
    assert trial.had is not None
    role = system.installed_role(job.places) or system.TABLE
    with alone(job.places), signals.postponed():
        install.use_again(job.places, role, trial.had, trial.earlier, job.run)
    raise WentBack(trial.had, fault)


# --- what is installed ----------------------------------------------------------------------------


@contextmanager
def _payload(job: CareJob) -> Iterator[Path]:
    """Lend the folder to install from; no other user can have changed it since it was checked."""
    work = job.places.care / WORK
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(0o700)
    kept = work / care.UPDATE
    with _source(job) as descriptor:
        _copy(descriptor, kept)
    before, tempfile.tempdir = tempfile.tempdir, str(work)  # /tmp may be memory
    try:
        with payload.open_payload(kept) as folder:
            yield folder
    finally:
        tempfile.tempdir = before


@contextmanager
def _source(job: CareJob) -> Iterator[int]:
    """Open the zip: the one that the pages laid there, or the newest on the card."""
    if job.words["source"] == "file":
        with open_request_folder(job.places) as folder:
            if folder is None:
                raise CompanionError("There is no file to install from; send it once more.")
            try:
                with open_own_file(job.places, folder, care.UPDATE) as descriptor:
                    yield descriptor
            except FileNotFoundError:
                raise CompanionError(
                    "There is no file to install from; send it once more."
                ) from None
        return
    newest = care.newest_on_card(job.places.root)
    if newest is None:
        raise CompanionError("No file to install from lies on the card.")
    with private_files.open_to_read(newest, os.O_NOFOLLOW) as file:
        yield file.fileno()


def _copy(descriptor: int, file: Path) -> None:
    """Copy what is open into a file that only root reads, if there is room for what is in it."""
    size = os.fstat(descriptor).st_size
    if size > care.UPDATE_BYTES:
        raise CompanionError("This file is too large to be an update.")
    if shutil.disk_usage(file.parent).free < ROOM * size:
        raise CompanionError(
            "There is too little room to install that; {mb} MB have to be free.",
            mb=-(-ROOM * size // 1_000_000),
        )
    with file.open("xb") as copy:
        left = size
        while left and (data := os.read(descriptor, min(left, CHUNK))):
            left -= len(data)
            copy.write(data)


def _demand_newer(job: CareJob, version: str, folder: Path) -> str:
    """Return the version; CompanionError: it is older, or the one that is used."""
    used = _number(releases.in_use(job.places))
    if payload.runs(folder):
        raise CompanionError("Rappelwacht {release} is used already.", release=version)
    if care.version_order(version) < care.version_order(used):
        raise CompanionError(
            "Rappelwacht {release} is older than {used}, which is used; to go back to the version "
            "before there is a key of its own.",
            release=version,
            used=used,
        )
    return version


def _back_up(job: CareJob) -> None:
    """Keep what the table must not lose, as its own user, beside what is asked."""
    folder = job.places.data / "table"
    with match_guard.as_owner_of(job.places.data):
        care.request_folder(folder).mkdir(private_files.FOLDER, exist_ok=True)
        if folder.is_dir():
            with private_files.replacing(care.request_folder(folder) / care.BEFORE) as stream:
                backup.write_backup(folder, stream, datetime.now().astimezone())


def _install(job: CareJob, folder: Path) -> int:
    """Run the installer of the new version, which knows what it needs."""
    options = _options(job, "install")
    options.source, options.unsigned, options.keep_name = str(folder), True, True
    return install.install(options, _screen(), job.run)


def _options(job: CareJob, command: str) -> Namespace:
    off = dict.fromkeys(("anyway", "hall", "hotspot", "verbose"), False)
    where = {"root": str(job.places.root), "port": job.port}
    return Namespace(command=command, join=None, **off, **where)


def _screen() -> TerminalScreen:
    return TerminalScreen(sys.stderr)


# --- is it well? ----------------------------------------------------------------------------------


def _fault_of(job: CareJob, before: CareHealth) -> Text | None:
    """Return what is not as well as before, once there was time to start; None: all is."""
    until_s, well, fault = job.clock_s() + WITHIN_S, 0, None
    while well < WELL:
        fault = _fault(before, _health(job.port))
        well = 0 if fault else well + 1
        if fault and job.clock_s() > until_s:
            return fault
        job.wait(LOOK_S)
    return None


def _fault(before: CareHealth, now: CareHealth) -> Text | None:
    if before.page and not now.page:
        return Text("its page does not open")
    if before.matches > now.matches:
        return Text("it cannot read what was played")
    if before.hub and not now.hub:
        return Text("it does not hear the hub")
    return None


def _health(port: int) -> CareHealth:
    """Ask the table how it is, as a phone does."""
    table = match_guard.RunningTable(port)
    if table.page("/") is None:
        return CareHealth()
    matches = table.facts("/api/matches?limit=500").get("matches")
    hub = table.facts("/api/workshop").get("hub_firmware") is not None
    return CareHealth(True, len(matches) if isinstance(matches, list) else -1, hub)


# --- what may be asked ----------------------------------------------------------------------------

VERBS: Final[Mapping[str, CareVerb]] = {
    "restart": CareVerb(restart),
    "reboot": CareVerb(reboot),
    "shut_down": CareVerb(shut_down),
    "update": CareVerb(update, {"source": SOURCE}),
    "roll_back": CareVerb(roll_back),
    "wifi_own": CareVerb(own_wifi.open_own),
    "wifi_home": CareVerb(own_wifi.go_home, care.WIFI_WORDS),
}
