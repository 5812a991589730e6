"""Paths: the folders and files in which a table keeps what it must not lose."""

import errno
import os
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from companion.system import errors, private_files

JOURNAL: Final = "journal"  # a folder with a file for each match
OLD_JOURNAL: Final = "journal.sqlite3"  # what earlier versions had instead
OURS: Final = (
    JOURNAL,
    "cafe.json",
    "calibration-",
    "first-run.json",
    "flashed.json",
    "heard.json",
    "pads.json",
    "people.json",
    "practice.json",
    "stoppers.toml",
    "phone",
    "measured",
    "hall",
    "world.json",
)
NAMES: Final = ("table", "simulated", "hall")
CONFIG: Final = Path("/etc/rappelwacht/table.toml")  # where an installed table says how it is wired


def kept_in(wanted: str | None, name: str) -> Path:
    """Return the folder of a table: the one that somebody wants, or the one it has by its name."""
    if wanted:
        return Path(wanted)
    try:
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    except RuntimeError:
        raise errors.CompanionError(
            "Your home folder is not known; set HOME, or name a folder with --folder."
        ) from None
    return Path(state) / "rappelwacht" / name


def wiring_file(wanted: str | None) -> Path | None:
    """Return the file that says how a table is wired; None: there is no such table here."""
    return Path(wanted) if wanted else CONFIG if is_there(CONFIG) else None


def is_there(path: Path) -> bool:
    """Tell whether there is such a file or folder; what may not be looked at is there."""
    try:
        return path.exists()
    except OSError as error:
        return error.errno not in (errno.ENAMETOOLONG, errno.ELOOP)


def ensure_folder(folder: Path, mode: int = 0o777) -> Path:
    """Return a folder that is there from now on."""
    try:
        folder.mkdir(mode, parents=True, exist_ok=True)
    except OSError as error:
        raise errors.CompanionError(
            "{folder}: this folder cannot be created ({reason}); name one in which you may write, "
            "with --folder.",
            folder=folder,
            reason=error.strerror,
        ) from None
    return folder


def ensure_private_folder(folder: Path) -> Path:
    """Return a table's folder, which is there from now on; what it keeps is for its owner alone.

    A folder of somebody's own, with other things in it, stays as open as it is.
    """
    ensure_folder(folder, private_files.FOLDER)
    if folder in {kept_in(None, name) for name in NAMES}:
        private_files.tighten(folder)
    with suppress(OSError):
        for path in folder.iterdir():
            if path.name.startswith(OURS) and (path.is_file() or path.name == JOURNAL):
                private_files.tighten(path)
    return folder


PACKAGE: Final = Path(__file__).parent.parent
CARRIED: Final = "project"  # the folder of the package that only a wheel has


def project_file(name: str) -> Path:
    """Return where a file or folder of the project is, by its name in a copy of the project.

    >>> project_file("companion") == PACKAGE
    True
    """
    carried = PACKAGE / CARRIED / name
    return carried if carried.exists() else PACKAGE.parent / name


def extra_packages() -> tuple[str, ...]:
    """Return the packages that bring games or commands along; none is imported for it."""
    points = (*entry_points(group="rappelwacht.games"), *entry_points(group="rappelwacht.commands"))
    return tuple(sorted({point.module.partition(".")[0] for point in points}))
