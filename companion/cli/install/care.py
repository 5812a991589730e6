"""Root's part of care: does what the Workshop page asks for by a file, and nothing else.

A systemd unit starts it when that file is there; the system's own Python runs it, and no package is
needed. What it reads is hostile until it is checked: a small ordinary file of the service's own
user, opened where no link leads elsewhere, gone before anything is done, in which nothing unknown
stands. `VERBS` holds all that may be asked.
"""

import os
import secrets
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from re import Pattern
from typing import Any, Final

from companion.cli.install import match_guard, system
from companion.cli.install.places import Places
from companion.cli.install.releases import alone
from companion.maintenance import care
from companion.maintenance.care import CareState
from companion.system import logs, private_files, safe_json, signals
from companion.system.errors import CompanionError
from companion.system.text import Text

FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
LIMITS: Final = safe_json.JsonLimits(most_bytes=care.REQUEST_BYTES, deepest=2, twice=False)
PARTS: Final = {"request", "verb", "port", "boot", "words"}
HERE: Final = "companion.cli.install.care"


@dataclass(frozen=True, slots=True)
class CareJob:
    """One thing that was asked, with all that doing it takes."""

    places: Places
    run: system.Run
    request: str
    verb: str
    port: int  # where the pages are
    words: Mapping[str, str]  # what the verb's own patterns let through

    def say(self, template: str, **values: object) -> None:
        """Say how far it is; pages show it."""
        self.answer(CareState.DOING, Text(template, **values))

    def answer(self, state: CareState, sentence: Text) -> None:
        """Say what became of it, for everybody to read: no secret may be in it."""
        answered = care.CareAnswer(self.request, self.verb, state, sentence)
        path = self.places.care / care.ANSWER
        private_files.write(path, care.to_json(answered), 0o644)


@dataclass(frozen=True, slots=True)
class CareVerb:
    """Something that may be asked: which function does it, and the words that belong to it."""

    module: str
    function: str  # takes a CareJob, returns what to say; CompanionError: nothing was changed
    words: Mapping[str, Pattern[str]] = field(default_factory=dict)  # each must be there, and fit


VERBS: Final[Mapping[str, CareVerb]] = {
    "restart": CareVerb(HERE, "restart"),
    "reboot": CareVerb(HERE, "reboot"),
    "shut_down": CareVerb(HERE, "shut_down"),
}


class Hostile(Exception):
    """Somebody other than our pages asks, or they are damaged: nobody has to be told more."""


def main() -> None:
    """Do what the service's pages ask of this computer."""
    logs.begin()
    os.umask(0o022)
    try:
        with signals.handled():
            carry_out(Places())
    except Hostile as why:
        sys.exit(f"Refused: {why}")


def carry_out(places: Places, run: system.Run = system.run) -> CareState | None:
    """Do what is asked, if anything is; Hostile: nothing is done, and nobody is answered."""
    data = take(places)
    if data is None:
        return None
    job, verb = read(places, run, data)
    try:
        with alone(places):
            match_guard.demand_none(places.data / "table", job.port)
            job.say("Begun.")
            act: Callable[[CareJob], Text] = getattr(import_module(verb.module), verb.function)
            state, sentence = CareState.DONE, act(job)
    except CompanionError as fault:
        state, sentence = CareState.REFUSED, Text(fault.template, **fault.values)
    except OSError as fault:
        state = CareState.REFUSED
        sentence = Text(
            "The computer refuses that: {reason}.", reason=fault.strerror or type(fault).__name__
        )
    job.answer(state, sentence)
    return state


# --- what is asked --------------------------------------------------------------------------------


def take(places: Places) -> bytes | None:
    """Return what was asked, which is gone from then on; None: nothing."""
    with asked_in(places) as folder:
        if folder is None:
            return None
        try:
            return owned(places, folder, care.REQUEST, care.REQUEST_BYTES)
        finally:
            _remove(folder, care.REQUEST)


@contextmanager
def asked_in(places: Places) -> Iterator[int | None]:
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
        with opened(places, folder, name) as descriptor:
            data = os.read(descriptor, most_bytes + 1)
    except FileNotFoundError:
        return None
    if len(data) > most_bytes:
        raise Hostile(f"{name}: too large")
    return data


@contextmanager
def opened(places: Places, folder: int, name: str) -> Iterator[int]:
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
    """Have nothing there by that name, whatever it is, so that nothing is asked for ever."""
    with suppress(FileNotFoundError):
        try:
            os.unlink(name, dir_fd=folder)
        except (IsADirectoryError, PermissionError):
            aside = f"refused-{secrets.token_hex(8)}"
            os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=folder)


def read(places: Places, run: system.Run, data: bytes) -> tuple[CareJob, CareVerb]:
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
    job.answer(CareState.DONE, sentence)  # afterwards nobody is left to say it
    if job.places.live and job.run(["systemctl", how]) != 0:
        raise CompanionError("The system does not do that; see why with: journalctl -b")
    return sentence
