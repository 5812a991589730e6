"""Care of an installed table: what its pages ask of root by a file, and what root answers.

    if care.is_there(folder):                # a table that is installed as a service
        care.ask(folder, "restart", port)    # a systemd unit of root's sees the file, and acts
        answered = care.answer(folder)       # what became of the last that was asked

The folder is the table's own, such as /var/lib/rappelwacht/table. What is asked lies beside it and
belongs to the service; what is answered lies where only root can write, and everybody may read it.
`companion.cli.install.care` is root's part.
"""

import re
import secrets
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import IO, Any, Final

from companion.system import private_files, small_files
from companion.system.errors import CompanionError
from companion.system.text import Text

TABLE: Final = ("var", "lib", "rappelwacht", "table")  # where an installed table keeps its own
ASKED: Final = "care"  # beside it: the folder of what is asked …
REQUEST: Final = "request.json"
UPDATE: Final = "update.zip"  # … of what is to be installed …
BEFORE: Final = "before-update-table.zip"  # … and of the backup that is made before
UPDATE_BYTES: Final = 96_000_000
CARDS: Final = ("boot/firmware", "boot")  # where every computer can lay a file onto the card
VERSION: Final = re.compile(r"([0-9.]{0,40})([a-z]*)([0-9]{0,9})")
STAGES: Final = {"dev": 0, "a": 1, "b": 2, "rc": 3, "": 4}
ZIP: Final = re.compile(r"rappelwacht-([0-9][0-9A-Za-z.]*)-card\.zip")
BESIDE: Final = "opt/rappelwacht"  # where the versions lie …
ANSWERED: Final = f"{BESIDE}/care"  # … and root's folder
ANSWER: Final = "answer.json"
BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
REQUEST_BYTES: Final = 4096
WIFI_SEEN: Final = "wifi-seen"  # what root saw before the table opened its own Wi-Fi, as …
WIFI_LIST: Final = (  # … this says it
    *("nmcli", "-t", "-f", "IN-USE,SSID-HEX,SIGNAL,SECURITY"),
    *("device", "wifi", "list", "--rescan"),
)
WIFI_WORDS: Final = {  # a Wi-Fi's name in bytes, and its password by WPA2, if it has one
    "ssid": re.compile("(?:[0-9a-f]{2}){1,32}"),
    "key": re.compile("[ -~]{8,63}|[0-9A-Fa-f]{64}|"),
}


class CareState(Enum):
    """How far root is with what was asked."""

    DOING = "doing"
    DONE = "done"
    REFUSED = "refused"  # nothing was changed
    BACK = "back"  # what was changed does not work, and all is as it was


@dataclass(frozen=True, slots=True)
class CareAnswer:
    """What root says of the last that was asked; there is no secret in it."""

    request: str
    verb: str
    state: CareState
    sentence: Text


def root_of(folder: Path | None) -> Path | None:
    """Return below which root a table is installed that keeps its own here; None: it is not."""
    if folder is not None and folder.name == "simulated":  # what has software barrels lies apart
        folder = folder.parent
    if folder is None or folder.parts[-len(TABLE) :] != TABLE:
        return None
    return folder.parents[len(TABLE) - 1]


def is_there(folder: Path | None) -> bool:
    """Tell whether root cares for a table that keeps its own in this folder."""
    root = root_of(folder)
    return root is not None and (root / ANSWERED).is_dir()


def request_folder(folder: Path) -> Path:
    """Return the folder in which a table asks."""
    return folder.parent.parent / ASKED if folder.name == "simulated" else folder.parent / ASKED


def boot() -> str:
    """Return what tells one start of the computer from all others."""
    return BOOT.read_text("utf-8").strip()


def ask(folder: Path, verb: str, port: int, **words: str) -> str:
    """Ask root to do something; return the id by which its answer calls that.

    `port` is where the pages are: root asks there whether a match is played, and how the table is
    after it. CompanionError: something else is being done, or the disk does not take it.
    """
    place, request = request_folder(folder), secrets.token_hex(8)
    if is_busy(folder):
        raise CompanionError("Something else is being done just now; wait until that is over.")
    asked = {"request": request, "verb": verb, "port": port, "boot": boot(), "words": words}
    try:
        place.mkdir(private_files.FOLDER, exist_ok=True)
        private_files.write(place / REQUEST, small_files.to_json(asked))
    except OSError as error:
        raise _unwritable(place / REQUEST, error) from error
    return request


def _unwritable(file: Path, error: OSError) -> CompanionError:
    return CompanionError(
        "{file} cannot be written ({reason}); make room or repair the disk.",
        file=file.name,
        reason=error.strerror or type(error).__name__,
    )


def is_busy(folder: Path) -> bool:
    """Tell whether root has not yet done what was asked last."""
    answered = answer(folder)
    doing = answered is not None and answered.state is CareState.DOING
    return doing or (request_folder(folder) / REQUEST).exists()


def answer(folder: Path) -> CareAnswer | None:
    """Return what root said last; None: nothing, or nothing that this version understands."""
    root = root_of(folder)
    if root is None:
        return None
    try:
        return from_json(private_files.read(root / ANSWERED / ANSWER, 16 * REQUEST_BYTES))
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return None


def keep_update(folder: Path, stream: IO[bytes]) -> None:
    """Lay a file where root looks for what is to be installed; CompanionError: the disk fails."""
    place = request_folder(folder)
    try:
        place.mkdir(private_files.FOLDER, exist_ok=True)
        with private_files.replacing(place / UPDATE) as copy:
            shutil.copyfileobj(stream, copy)
    except OSError as error:
        raise _unwritable(place / UPDATE, error) from error


def version_before(root: Path) -> str | None:
    """Return the version that one can go back to, by its whole name; None: there is none."""
    used, before = (root / BESIDE / name for name in ("current", "previous"))
    try:
        version = before.readlink().name
        return version if before.exists() and version != used.readlink().name else None
    except OSError:
        return None


def newest_on_card(root: Path) -> Path | None:
    """Return the newest zip to update from that somebody laid onto the card; None: none is there.

    Which version is in it, only what it holds says.
    """
    for folder in CARDS:
        with suppress(OSError):
            names = [path.name for path in (root / folder).iterdir() if ZIP.fullmatch(path.name)]
            if names:
                return root / folder / max(names, key=lambda name: version_order(name[12:-9]))
    return None


def version_order(version: str) -> tuple[tuple[int, ...], tuple[int, int]]:
    """Return what sorts versions: 0.9 < 0.10, and one that is tried out comes before its release.

    >>> names = ["0.10.1", "0.9", "0.10", "0.10rc2", "0.10.dev7", "0.10rc1"]
    >>> sorted(names, key=version_order)
    ['0.9', '0.10.dev7', '0.10rc1', '0.10rc2', '0.10', '0.10.1']
    """
    match = VERSION.match(version)
    assert match is not None  # it may be empty
    steps = [int(step) for step in match[1].split(".") if step]
    while steps and not steps[-1]:
        steps.pop()
    return tuple(steps), (STAGES.get(match[2], len(STAGES)), int(match[3] or 0))


# --- its file -------------------------------------------------------------------------------------


def to_json(answered: CareAnswer) -> bytes:
    return small_files.to_json(
        {
            "request": answered.request,
            "verb": answered.verb,
            "state": answered.state.value,
            "sentence": _packed(answered.sentence),
        }
    )


def from_json(data: bytes) -> CareAnswer:
    """Return an answer; ValueError, TypeError, LookupError, AttributeError: it is none."""
    given = small_files.object_in(data)
    sentence = _unpacked(given["sentence"])
    if not isinstance(sentence, Text):
        raise TypeError("it is no sentence")
    return CareAnswer(
        str(given["request"]), str(given["verb"]), CareState(given["state"]), sentence
    )


def _packed(value: object) -> object:
    match value:
        case Text() | CompanionError():
            values: Mapping[str, object] = value.values
            return {
                "template": value.template,
                "values": {name: _packed(part) for name, part in values.items()},
            }
        case tuple():
            return [_packed(part) for part in value]
        case bool() | int() | None:
            return value
    return str(value)


def _unpacked(value: Any) -> object:
    if isinstance(value, dict):
        values = {str(name): _unpacked(part) for name, part in value["values"].items()}
        return Text(str(value["template"]), **values)
    return tuple(map(_unpacked, value)) if isinstance(value, list) else value
