"""Care of the table on the Workshop page, for whoever has the PIN and confirms it at the table.

Where seats have real buttons one is held, as to let a phone in; elsewhere a second tap does. What
is restored lies checked on the disk while the table still runs; then the table begins anew, and has
it put in place before it opens anything.
"""

import base64
import binascii
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import ceil
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, Any, Final

from flask import Blueprint, Response, abort, jsonify, send_file

from companion.maintenance import backup as backups
from companion.system.errors import CompanionError, WrongPassphrase
from companion.system.text import Text
from companion.web import context, pairing_queue
from companion.web.common import errors, flask_app, request_guard

ACTS: Final[Mapping[str, Text]] = {  # what has to be confirmed, as the table is told of it
    "backup": Text("download a backup, with the stoppers' keys"),
    "restore": Text("replace what this table keeps by a backup"),
    "bundle": Text("see a report for those who help, without names"),
    "update": Text("install another version of the program"),
    "roll-back": Text("go back to the version before"),
    "restart": Text("restart this computer"),
    "shut-down": Text("shut this computer down"),
    "wifi-own": Text("leave this Wi-Fi and open one of its own"),
    "wifi-home": Text("move the table to another Wi-Fi"),
}
UNCONFIRMED: Final = ("unconfirmed", Text("The table has not confirmed that; tap once more."))
PLAYING: Final = ("playing", Text("A match is being played; finish it, or give it up in Set-up."))
KEEPS_NOTHING: Final = ("no-folder", Text("This table keeps nothing that could be saved."))
NO_UPLOAD: Final = ("no-upload", Text("That file is not here any more; choose it again."))
NO_BASE64: Final = ("no-base64", Text("A part of a file is sent in base64."))
BUSY: Final = ("busy", Text("The table is just doing that for somebody; wait a moment."))
NO_ROOM: Final = ("no-room", Text("There is no room for that on the disk of this table."))
PART_BYTES: Final = 36_000  # of an upload in one request
PART_LETTERS: Final = PART_BYTES * 4 // 3
UPLOAD_BYTES: Final = 1_000_000_000
ROOM: Final = 3  # as often as the file itself, for what it is unpacked to and what was there before
SPARE_BYTES: Final = 50_000_000
KEPT_S: Final = 600.0  # for so long what was made can be fetched
TRIES: Final = 3  # passphrases
REST_S: Final = 60.0  # after them
CALLED: Final = Path("backup.zip")  # what an upload is called, where nobody reads it
WHOLE: Final = "{sentence}"  # one that is said already


@dataclass(slots=True)
class _Desk:
    """What a phone is given and has sent: one thing at a time, and nothing for another phone."""

    clock_s: Callable[[], float]
    busy: Lock = field(default_factory=Lock)
    phone: str = ""
    made: IO[bytes] | None = None  # to be fetched, by its name and until then
    name: str = ""
    until_s: float = 0.0
    plain: IO[bytes] | None = None  # an upload that was unlocked
    wrong_s: list[float] = field(default_factory=list)

    def keep(self, phone: str, made: IO[bytes], name: str) -> None:
        """Have something ready for a phone."""
        before, self.made = self.made, made
        self.phone, self.name, self.until_s = phone, name, self.clock_s() + KEPT_S
        if before is not None:
            before.close()

    def __del__(self) -> None:
        """Leave no file open."""
        self.forget_plain()
        if self.made is not None:
            self.made.close()

    def forget_plain(self) -> None:
        plain, self.plain = self.plain, None
        if plain is not None:
            plain.close()

    def rest_s(self) -> float:
        """Return for how long nobody may try a passphrase: too many were wrong."""
        now_s = self.clock_s()
        self.wrong_s = [at_s for at_s in self.wrong_s if now_s < at_s + REST_S]
        return self.wrong_s[-TRIES] + REST_S - now_s if len(self.wrong_s) >= TRIES else 0.0


def pages(phones: context.WebContext) -> Blueprint:
    care = Blueprint("care", __name__)
    desk = _Desk(time.monotonic)
    _join_confirmation(care, phones)
    _join_backup(care, phones, desk)
    _join_upload(care, phones, desk)
    _join_restore(care, phones, desk)

    @care.get("/workshop/fetch")
    def fetch() -> Response:
        """Give a phone what was made for it."""
        mine = desk.made is not None and desk.phone == _phone(phones) and desk.phone
        if not flask_app.current_viewer().acts or not mine or desk.clock_s() >= desk.until_s:
            abort(404)
        assert desk.made is not None
        whole = Path(f"/proc/self/fd/{desk.made.fileno()}").open("rb")  # noqa: SIM115 - the answer closes it
        answer = send_file(whole, as_attachment=True, download_name=desk.name)
        answer.cache_control.no_cache = None  # but not stored at all
        return answer

    return care


def shown(phones: context.WebContext) -> dict[str, Any]:
    """Return what the page needs to say of it."""
    folder = phones.pairing.kept.folder
    holds = () if folder is None else backups.contents(folder)
    return {"holds": holds, "playing": is_playing(phones)}


def _is_simulated(phones: context.WebContext) -> bool:
    return phones.hands is not None


def _phone(phones: context.WebContext) -> str:
    return phones.pairing.phone() or ""


def _text(asked: Mapping[str, Any], name: str, most: int) -> str:
    word = asked.get(name, "")
    if not isinstance(word, str):
        raise errors.Malformed("'{where}' must be a text.", where=name)
    if len(word) > most:
        raise errors.Malformed(
            "'{where}' is longer than {count} characters.", where=name, count=most
        )
    return word


def _refusal(why: CompanionError, code: str = "refused", status: int = 422) -> Response:
    """Return why something is refused; what a phone has sent goes by no name there."""
    sentence = flask_app.current_viewer().say(why).removeprefix(f"{CALLED}: ")
    nameless = Text(WHOLE, sentence=sentence[:1].upper() + sentence[1:])
    return errors.error_response(status, (code, nameless))


# --- confirming -----------------------------------------------------------------------------------


def _join_confirmation(care: Blueprint, phones: context.WebContext) -> None:
    @care.post("/api/care/confirm")
    def confirm() -> Response:
        """Ask the table to confirm an act, or ask whether it has."""
        if not flask_app.current_viewer().acts:
            abort(403)
        asked = request_guard.body({"act", "again"})
        act, again = asked.get("act"), asked.get("again", False)
        if not isinstance(act, str) or act not in ACTS:
            raise errors.Malformed("'{where}' must be one of {words}.", where="act", words=[*ACTS])
        if not isinstance(again, bool):
            raise errors.Malformed("'{where}' must be true or false.", where="again")
        phone, by_button = phones.pairing.phone() or "", has_buttons(phones)
        done = phones.pairing.confirm(phone, act, by_button=by_button, again=again)
        if isinstance(done, pairing_queue.PairingRefused):
            why = Text("Another phone asks the table to confirm something; wait a moment.")
            return errors.error_response(409, ("taken", why), ceil(done.rest_s))
        left_s = ceil(phones.pairing.act_left_s(phone))
        by = "button" if by_button else "tap"
        return jsonify(confirmed=done, by=by, waits_s=left_s)


def has_buttons(phones: context.WebContext) -> bool:
    """Tell whether somebody at the table can hold a real button; a simulated one proves nothing."""
    return not _is_simulated(phones) and "buttons" in phones.room.snapshot.parts


def is_playing(phones: context.WebContext) -> bool:
    """Tell whether a match goes on, in which nothing is replaced and nothing ends."""
    now = phones.room.snapshot
    return now.match is not None and not now.over


def refused(phones: context.WebContext, act: str, *, in_match: bool = False) -> Response | None:
    """Return what a request for an act of care is answered with; None: it is to be done now.

    What is confirmed is done once. Unless it does no harm `in_match`, none may be played.
    """
    if not flask_app.current_viewer().acts:
        abort(403)
    if not in_match and is_playing(phones):
        return errors.error_response(409, PLAYING)
    if not phones.pairing.take_confirmed(phones.pairing.phone() or "", act):
        return errors.error_response(403, UNCONFIRMED)
    return None


# --- backing up -----------------------------------------------------------------------------------


def _join_backup(care: Blueprint, phones: context.WebContext, desk: _Desk) -> None:
    @care.post("/api/care/backup")
    def make() -> Response:
        """Make a backup, to be fetched."""
        asked = request_guard.body({"passphrase"})
        typed, folder = _text(asked, "passphrase", backups.LONGEST), phones.pairing.kept.folder
        if not flask_app.current_viewer().acts:
            abort(403)
        if folder is None:
            return errors.error_response(422, KEEPS_NOTHING)
        try:
            passphrase = backups.passphrase_of(typed) if typed else ""
        except WrongPassphrase as why:
            return _refusal(why, "bad-passphrase")
        if refusal := refused(phones, "backup", in_match=True):
            return refusal
        if not desk.busy.acquire(blocking=False):
            return errors.error_response(409, BUSY)
        try:
            return _made(phones, desk, folder, passphrase)
        finally:
            desk.busy.release()


def _made(phones: context.WebContext, desk: _Desk, folder: Path, passphrase: str) -> Response:
    now, say = datetime.now().astimezone(), flask_app.current_viewer().say
    made = TemporaryFile(dir=folder)  # noqa: SIM115 - it is there until it was fetched
    try:
        kept = backups.write_backup(
            folder, made, now, passphrase=passphrase, simulated=_is_simulated(phones)
        )
    except CompanionError as why:
        made.close()
        return _refusal(why)
    except OSError:
        made.close()
        return errors.error_response(422, NO_ROOM)
    kb = -(-made.tell() // 1000)
    name = f"rappelwacht-{now:%Y-%m-%d}.zip"
    desk.keep(_phone(phones), made, name)
    return jsonify(name=name, kb=kb, holds=[say(line) for line in kept.lines])


# --- restoring ------------------------------------------------------------------------------------


def _join_upload(care: Blueprint, phones: context.WebContext, desk: _Desk) -> None:
    @care.post("/api/care/upload")
    def upload() -> Response:
        """Take a part of a file."""
        if not flask_app.current_viewer().acts:
            abort(403)
        asked = request_guard.body({"at", "size", "data"})
        at, size = _number(asked, "at", 0), _number(asked, "size", 1)
        letters = _text(asked, "data", PART_LETTERS)
        if not letters:
            raise errors.Malformed("'{where}' must be a text.", where="data")
        try:
            data = base64.b64decode(letters, validate=True)
        except (binascii.Error, ValueError):
            return errors.error_response(422, NO_BASE64)
        if at + len(data) > size:
            return errors.error_response(409, NO_UPLOAD)
        folder = phones.pairing.kept.folder
        if folder is not None and disk_usage(folder).free < ROOM * size + SPARE_BYTES:
            return errors.error_response(422, NO_ROOM)
        if not at:
            desk.forget_plain()
        try:
            return jsonify(at=phones.uploads.add(_phone(phones), at, size, data, folder))
        except LookupError:
            return errors.error_response(409, NO_UPLOAD)
        except OSError:
            phones.uploads.forget()
            return errors.error_response(422, NO_ROOM)


def _join_restore(care: Blueprint, phones: context.WebContext, desk: _Desk) -> None:
    @care.post("/api/care/look")
    def look() -> Response:
        """Say what is in the backup that was sent."""
        if not flask_app.current_viewer().acts:
            abort(403)
        typed = _text(request_guard.body({"passphrase"}), "passphrase", backups.LONGEST)
        return _alone(phones, desk, lambda sent: _looked(phones, desk, sent, typed))

    @care.post("/api/care/restore")
    def restore() -> Response:
        """Put the backup that was sent in the place of what the table keeps."""
        if not flask_app.current_viewer().acts:
            abort(403)
        request_guard.body(())
        return _alone(phones, desk, lambda sent: _restored(phones, desk, sent))


def _number(asked: Mapping[str, Any], name: str, least: int) -> int:
    number: Any = asked.get(name)
    if type(number) is not int or not least <= number <= UPLOAD_BYTES:
        raise errors.Malformed(
            "'{where}' must be a whole number from {least} to {most}.",
            where=name,
            least=least,
            most=UPLOAD_BYTES,
        )
    return number


def _alone(
    phones: context.WebContext, desk: _Desk, do: Callable[[IO[bytes]], Response]
) -> Response:
    """Do something with what a phone has sent, and only one such thing at a time."""
    if not desk.busy.acquire(blocking=False):
        return errors.error_response(409, BUSY)
    try:
        sent = phones.uploads.whole(_phone(phones))
        return errors.error_response(409, NO_UPLOAD) if sent is None else do(sent)
    except CompanionError as why:
        return _refusal(why)
    finally:
        desk.busy.release()


def _looked(phones: context.WebContext, desk: _Desk, sent: IO[bytes], typed: str) -> Response:
    say = flask_app.current_viewer().say
    if backups.is_locked(CALLED, sent) and desk.plain is None:
        if not typed:
            return jsonify(locked=True, made="", version="", holds=[], other="")
        if rest_s := desk.rest_s():
            why = Text("Three times wrong; wait {seconds} s, then try again.", seconds=ceil(rest_s))
            return errors.error_response(429, ("too-many", why), ceil(rest_s))
        try:
            words = backups.passphrase_of(typed)
            plain = backups.unlocked(CALLED, words, sent, phones.pairing.kept.folder)
        except WrongPassphrase as why:
            desk.wrong_s.append(desk.clock_s())
            return _refusal(why, "wrong-passphrase", 403)
        desk.plain, desk.wrong_s = plain, []
    kept = backups.read_backup(CALLED, desk.plain or sent)
    other = backups.other_kind(kept, _is_simulated(phones))
    made = kept.made.replace("T", " ")[:16]
    lines = [say(line) for line in kept.lines]
    return jsonify(
        locked=False,
        made=made,
        version=kept.version,
        holds=lines,
        other="" if other is None else say(other),
    )


def _restored(phones: context.WebContext, desk: _Desk, sent: IO[bytes]) -> Response:
    folder = phones.pairing.kept.folder
    if folder is None:
        return errors.error_response(422, KEEPS_NOTHING)
    plain = desk.plain or sent
    kept = backups.read_backup(CALLED, plain)  # before the table is asked for what cannot be done
    backups.other_kind(kept, _is_simulated(phones))
    if refusal := refused(phones, "restore"):
        return refusal
    try:
        _, before = backups.stage(folder, CALLED, datetime.now().astimezone(), stream=plain)
    except OSError:
        return errors.error_response(422, NO_ROOM)
    if is_playing(phones):  # since it was asked for: that match comes first
        backups.unstage(folder)
        return errors.error_response(409, PLAYING)
    desk.forget_plain()
    phones.uploads.forget()
    answer = jsonify(before=before.name)
    answer.call_on_close(phones.restored.set)
    return answer
