"""Care of the table on the Workshop page, for whoever has the PIN and confirms it at the table.

Where seats have real buttons one is held, as to let a phone in; elsewhere a second tap does. What
is restored lies checked on the disk while the table still runs; then the table begins anew, and has
it put in place before it opens anything.
"""

import base64
import binascii
import os
from collections.abc import Callable, Mapping
from datetime import datetime
from math import ceil
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryFile
from typing import IO, Any, Final

from flask import Blueprint, Response, abort, jsonify, send_file

from companion.maintenance import backup as backups
from companion.maintenance import care
from companion.system import paths
from companion.system.errors import CompanionError, WrongPassphrase
from companion.system.text import Text
from companion.web import context, pairing_queue
from companion.web.common import errors, flask_app
from companion.web.common.validation import TRUTH, body_of_acting, integer, record

ACTS: Final[Mapping[str, Text]] = {  # what has to be confirmed, as the table is told of it
    "backup": Text("download a backup of all that this table keeps"),
    "restore": Text("replace what this table keeps by a backup"),
    "bundle": Text("see a report for those who help, without names"),
    "update": Text("install another version of the program"),
    "roll-back": Text("go back to the version before"),
    "restart": Text("restart this computer"),
    "shut-down": Text("shut this computer down"),
    "wifi-own": Text("leave this Wi-Fi and open one of its own"),
    "wifi-home": Text("move the table to another Wi-Fi"),
}
VERBS: Final[Mapping[str, str]] = {  # of root, by the act that the table confirms
    "update": "update",
    "roll-back": "roll_back",
    "restart": "reboot",
    "shut-down": "shut_down",
    "wifi-own": "wifi_own",
    "wifi-home": "wifi_home",
}
NOT_INSTALLED: Final = (
    "not-installed",
    Text("Only a table that is installed as a service can do that."),
)
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
LOCKED_BYTES: Final = 48_000_000  # unlocking takes three times that of the service's 300 MB
TOO_LARGE: Final = (
    "too-large",
    Text(
        "A backup with a passphrase that is so large is restored on the table's command line "
        "alone: rappelwacht restore FILE"
    ),
)
ROOM: Final = 3  # as often as the file itself, for what it is unpacked to and what was there before
SPARE_BYTES: Final = 50_000_000
TRIES: Final = 3  # passphrases
REST_S: Final = 60.0  # after them
CALLED: Final = Path("backup.zip")  # what an upload is called, where nobody reads it
WHOLE: Final = "{sentence}"  # one that is said already
CONFIRM: Final = record({"again": TRUTH}, act={"enum": [*ACTS]})
PASSPHRASE: Final = record({"passphrase": {"type": "string", "maxLength": backups.LONGEST}})
PART: Final = record(
    at=integer(0, UPLOAD_BYTES),
    size=integer(1, UPLOAD_BYTES),
    data={"type": "string", "minLength": 1, "maxLength": PART_LETTERS},
)


def pages(site: context.WebContext) -> Blueprint:
    blueprint = Blueprint("care", __name__)
    _join_confirmation(blueprint, site)
    _join_backup(blueprint, site)
    _join_upload(blueprint, site)
    _join_restore(blueprint, site)

    @blueprint.get("/workshop/fetch")
    def fetch() -> Response:
        """Give a phone what was made for it."""
        made = site.desk.fetch(_phone(site)) if flask_app.current_viewer().acts else None
        if made is None:
            abort(404)
        whole, name = made  # the answer closes it
        answer = send_file(whole, as_attachment=True, download_name=name)
        answer.cache_control.no_cache = None  # but not stored at all
        return answer

    return blueprint


def page_parts(site: context.WebContext) -> dict[str, Any]:
    """Return what the page needs to say of it."""
    folder = site.pairing.kept.folder
    holds = () if folder is None else backups.contents(folder)
    trusted = folder is not None and paths.is_there(folder / backups.AUTHORITY)
    return {"holds": holds, "trusted": trusted, "playing": is_playing(site)}


def _is_simulated(site: context.WebContext) -> bool:
    """Tell whether all that the table keeps was done with software barrels."""
    return site.hands is not None and site.first_run is None


def _phone(site: context.WebContext) -> str:
    return site.pairing.phone() or ""


def _refusal(why: CompanionError, code: str = "refused", status: int = 422) -> Response:
    """Return why something is refused; what a phone has sent goes by no name there."""
    sentence = flask_app.current_viewer().say(why).removeprefix(f"{CALLED}: ")
    nameless = Text(WHOLE, sentence=sentence[:1].upper() + sentence[1:])
    return errors.error_response(status, (code, nameless))


# --- confirming -----------------------------------------------------------------------------------


def _join_confirmation(blueprint: Blueprint, site: context.WebContext) -> None:
    @blueprint.post("/api/care/confirm")
    def confirm() -> Response:
        """Ask the table to confirm an act, or ask whether it has."""
        asked, phone, by_button = body_of_acting(CONFIRM), _phone(site), has_buttons(site)
        done = site.pairing.confirm(
            phone, asked["act"], by_button=by_button, again=asked.get("again", False)
        )
        if isinstance(done, pairing_queue.PairingRefused):
            why = Text("Another phone asks the table to confirm something; wait a moment.")
            return errors.error_response(409, ("taken", why), ceil(done.rest_s))
        left_s = ceil(site.pairing.act_left_s(phone))
        by = "button" if by_button else "tap"
        return jsonify(confirmed=done, by=by, waits_s=left_s)


def has_buttons(site: context.WebContext) -> bool:
    """Tell whether somebody at the table can hold a real button; a simulated one proves nothing."""
    return site.hands is None and "buttons" in site.room.snapshot.parts


def is_playing(site: context.WebContext) -> bool:
    """Tell whether a match goes on, in which nothing is replaced and nothing ends."""
    now = site.room.snapshot
    return now.match is not None and not now.over


def demand_confirmed(site: context.WebContext, act: str, *, in_match: bool = False) -> None:
    """Refuse an act of care unless the table has confirmed that it is done now, once.

    Unless it does no harm `in_match`, none may be played.
    """
    if not flask_app.current_viewer().acts:
        abort(403)
    if not in_match and is_playing(site):
        raise errors.RequestError(409, *PLAYING)
    if not site.pairing.take_confirmed(_phone(site), act):
        raise errors.RequestError(403, *UNCONFIRMED)


def service_folder(site: context.WebContext) -> Path:
    """Return the folder of a table that root looks after; refuse what needs that elsewhere."""
    if site.folder is None or not care.is_there(site.folder):
        raise errors.RequestError(409, *NOT_INSTALLED)
    return site.folder


def ask_root(
    site: context.WebContext, act: str, words: Mapping[str, str], sent: IO[bytes] | None = None
) -> str:
    """Ask root to do something with a file that was sent; return the mark of the request."""
    folder = service_folder(site)
    demand_confirmed(site, act)
    try:
        if sent is not None:
            care.keep_update(folder, sent)
            site.uploads.forget()
        return care.ask(folder, VERBS[act], site.here.port, **words)
    except CompanionError as why:
        raise errors.RequestError(409, "busy", why) from why


# --- backing up -----------------------------------------------------------------------------------


def _join_backup(blueprint: Blueprint, site: context.WebContext) -> None:
    @blueprint.post("/api/care/backup")
    def make() -> Response:
        """Make a backup, to be fetched."""
        typed = body_of_acting(PASSPHRASE).get("passphrase", "")
        folder = site.pairing.kept.folder
        if folder is None:
            return errors.error_response(422, KEEPS_NOTHING)
        try:
            passphrase = backups.passphrase_of(typed) if typed else ""
        except WrongPassphrase as why:
            return _refusal(why, "bad-passphrase")
        demand_confirmed(site, "backup", in_match=True)
        if not site.desk.busy.acquire(blocking=False):
            return errors.error_response(409, BUSY)
        try:
            return _made(site, folder, passphrase)
        finally:
            site.desk.busy.release()


def _made(site: context.WebContext, folder: Path, passphrase: str) -> Response:
    now, say = datetime.now().astimezone(), flask_app.current_viewer().say
    made = TemporaryFile(dir=folder)  # noqa: SIM115 - it is there until it was fetched
    try:
        kept = backups.write_backup(
            folder, made, now, passphrase=passphrase, simulated=_is_simulated(site)
        )
    except CompanionError as why:
        made.close()
        return _refusal(why)
    except OSError:
        made.close()
        return errors.error_response(422, NO_ROOM)
    size, name = made.tell(), f"rappelwacht-{now:%Y-%m-%d}.zip"
    site.desk.keep(_phone(site), made, name)
    note = say(TOO_LARGE[1]) if passphrase and size > LOCKED_BYTES else ""
    holds = [say(line) for line in kept.lines]
    return jsonify(name=name, kb=-(-size // 1000), holds=holds, note=note)


# --- restoring ------------------------------------------------------------------------------------


def _join_upload(blueprint: Blueprint, site: context.WebContext) -> None:
    @blueprint.post("/api/care/upload")
    def upload() -> Response:
        """Receive a part of a file."""
        asked = body_of_acting(PART)
        at, size = asked["at"], asked["size"]
        try:
            data = base64.b64decode(asked["data"], validate=True)
        except (binascii.Error, ValueError):
            return errors.error_response(422, NO_BASE64)
        if at + len(data) > size:
            return errors.error_response(409, NO_UPLOAD)
        folder = site.pairing.kept.folder
        if folder is not None and disk_usage(folder).free < ROOM * size + SPARE_BYTES:
            return errors.error_response(422, NO_ROOM)
        try:
            return jsonify(at=site.uploads.add(_phone(site), at, size, data, folder))
        except LookupError:
            return errors.error_response(409, NO_UPLOAD)
        except OSError:
            site.uploads.forget()
            return errors.error_response(422, NO_ROOM)


def _join_restore(blueprint: Blueprint, site: context.WebContext) -> None:
    @blueprint.post("/api/care/look")
    def look() -> Response:
        """Say what is in the backup that was sent."""
        typed = body_of_acting(PASSPHRASE).get("passphrase", "")
        return _alone(site, lambda sent: _looked(site, sent, typed))

    @blueprint.post("/api/care/restore")
    def restore() -> Response:
        """Put the backup that was sent in the place of what the table keeps."""
        body_of_acting(record())
        return _alone(site, lambda sent: _restored(site, sent))


def _alone(site: context.WebContext, do: Callable[[IO[bytes]], Response]) -> Response:
    """Do something with what a phone has sent, and only one such thing at a time."""
    if not site.desk.busy.acquire(blocking=False):
        return errors.error_response(409, BUSY)
    try:
        sent = site.uploads.whole(_phone(site))
        return errors.error_response(409, NO_UPLOAD) if sent is None else do(sent)
    except CompanionError as why:
        return _refusal(why)
    finally:
        site.desk.busy.release()


def _looked(site: context.WebContext, sent: IO[bytes], typed: str) -> Response:
    say, desk = flask_app.current_viewer().say, site.desk
    plain = desk.unlocked(sent)
    if plain is None and backups.is_locked(CALLED, sent):
        if os.fstat(sent.fileno()).st_size > LOCKED_BYTES:
            return errors.error_response(422, TOO_LARGE)
        if not typed:
            return jsonify(locked=True, made="", version="", holds=[], other="")
        if rest_s := _rest_s(desk):
            why = Text("Three times wrong; wait {seconds} s, then try again.", seconds=ceil(rest_s))
            return errors.error_response(429, ("too-many", why), ceil(rest_s))
        try:
            words = backups.passphrase_of(typed)
            plain = backups.unlocked(CALLED, words, sent, site.pairing.kept.folder)
        except WrongPassphrase as why:
            desk.wrong_s.append(desk.clock_s())
            return _refusal(why, "wrong-passphrase", 403)
        desk.unlock(sent, plain)
        desk.wrong_s.clear()
    kept = backups.read_backup(CALLED, plain or sent)
    place, note, _ = _place(site, kept)
    apart = place != site.pairing.kept.folder
    notes = [note, None if apart else backups.trusted_anew(kept)]
    made = kept.made.replace("T", " ")[:16]
    lines = [say(line) for line in kept.lines]
    return jsonify(
        locked=False,
        made=made,
        version=kept.version,
        holds=lines,
        other=" ".join(say(note) for note in notes if note is not None),
    )


def _rest_s(desk: context.CareDesk) -> float:
    """Return for how long nobody may try a passphrase: too many were wrong."""
    now_s = desk.clock_s()
    desk.wrong_s = [at_s for at_s in desk.wrong_s if now_s < at_s + REST_S]
    return desk.wrong_s[-TRIES] + REST_S - now_s if len(desk.wrong_s) >= TRIES else 0.0


def _place(site: context.WebContext, kept: backups.Backup) -> tuple[Path | None, Text | None, str]:
    """Return where a backup is restored, what to say before, and on which page to go on after it.

    A real table of which nothing is built yet plays with software barrels in a folder of its own.
    CompanionError: nowhere.
    """
    folder = site.pairing.kept.folder
    if site.first_run is None or site.hands is None or kept.simulated is None:
        return folder, backups.other_kind(kept, _is_simulated(site)), ""
    if kept.simulated:
        apart = Text(
            "This is the backup of a simulated table: its matches take the place of those that "
            "were played here with software barrels. People, what was chosen here and what phones "
            "trust stay as they are."
        )
        return folder and folder / backups.SIMULATED, apart, ""
    if backups.SETUP in {file.name for file in kept.files}:
        known = Text("This is the backup of a real table: what is built and the name come with it.")
        return folder, known, ""
    unknown = Text(
        "This is the backup of a real table, and nothing of this one is built. Say what is built "
        "afterwards: its matches are shown then."
    )
    return folder, unknown, "/welcome?step=built"


def _restored(site: context.WebContext, sent: IO[bytes]) -> Response:
    plain = site.desk.unlocked(sent) or sent
    kept = backups.read_backup(CALLED, plain)  # before the table is asked for what cannot be done
    place, _, then = _place(site, kept)
    if place is None:
        return errors.error_response(422, KEEPS_NOTHING)
    needed = SPARE_BYTES + sum(file.size for file in kept.files)  # zeros are small until unpacked
    if disk_usage(place if place.is_dir() else place.parent).free < needed:
        return errors.error_response(422, NO_ROOM)
    demand_confirmed(site, "restore")
    if not site.room.hold(on=True):  # one has begun since it was asked for, and comes first
        return errors.error_response(409, PLAYING)
    try:
        now = datetime.now().astimezone()
        apart = place != site.pairing.kept.folder
        made = paths.ensure_private_folder(place)
        _, before = backups.stage(made, CALLED, now, stream=plain, apart=apart)
    except (OSError, CompanionError) as why:
        site.room.hold(on=backups.is_restoring(place))
        if isinstance(why, CompanionError):
            raise
        return errors.error_response(422, NO_ROOM)
    site.forget_files()
    answer = jsonify(before=before.name, then=then)
    answer.call_on_close(site.restored.set)
    return answer
