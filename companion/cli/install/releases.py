"""Installed versions side by side: installed whole, switched to atomically, rolled back to.

A version that was not finished has no mark, and is made again.
"""

import ctypes
import errno
import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import Final

from companion import __version__
from companion.cli.install import payload, system
from companion.cli.install.places import Places
from companion.i18n.po import compile_folder
from companion.system import errors, paths

PARTS: Final = ("companion", "firmware", "hardware/service", "requirements.lock", "LICENSE")
WHOLE: Final = ".whole"  # the mark of a version that was finished
LOOK: Final = "from importlib.util import find_spec; raise SystemExit(find_spec('lgpio') is None)"
# What the first page needs. Compiling it takes longer than the rest, and other processors wait.
GAMES_PAGES: Final = "from companion.present import page; [*page.pages_of_games()]"
TABLE: Final = "import companion.cli.table"
AT_FDCWD: Final = -100  # as linux/fcntl.h calls it
RENAME_EXCHANGE: Final = 2  # as linux/fs.h
PINS_LOCK: Final = "hardware/service/lgpio.lock"


def name() -> str:
    """Return what a version is called: its number, and what its files hold."""
    digest = hashlib.sha256()
    for part, path in _files():
        held = path.read_bytes()
        digest.update(f"{part}\0{len(held)}\0".encode())
        digest.update(held)
    return f"{__version__}-{digest.hexdigest()[:10]}"


def _files() -> Iterator[tuple[str, Path]]:
    """Yield each file of a version with its name there, which a wheel does not change."""
    for part in PARTS:
        source = paths.project_file(part)
        if source.is_file():
            yield part, source
        for folder, folders, names in os.walk(source):
            at = Path(folder)
            folders[:] = sorted({*folders} - {"__pycache__", paths.CARRIED if at == source else ""})
            within = Path(part) / at.relative_to(source)
            for name in sorted(names):
                if not name.endswith(".mo"):
                    yield f"{within}/{name}", at / name


def provide(places: Places, run: system.Run, source: Path | None = None) -> str:
    """Install this version, with packages out of a folder or the network; return its name.

    One that is used though it is not whole, such as after an upgrade of Debian, is made beside what
    runs, which stays as it is until all is there.
    """
    release = name()
    folder = places.releases / release
    if is_whole(folder):
        return release
    used = in_use(places) == release
    new = folder.with_name(f".{release}.new") if used else folder
    shutil.rmtree(new, ignore_errors=True)
    try:
        _copy(new)
        if source is not None and places.live:
            _compile_meanwhile(new, run, "python3", GAMES_PAGES)
        _fill(new, run, source, pins=places.is_pi)
        if source is not None and places.live:
            _compile_meanwhile(new, run, system.python(new / "venv"), TABLE)
        compile_folder(new / "companion/locale")
        _settle(new, run)
        system.write(new / WHOLE, _mark())
    except (OSError, errors.CompanionError, KeyboardInterrupt):
        shutil.rmtree(new, ignore_errors=True)  # half a version only fills the card
        raise
    if used:
        _take_place(new, folder)
    return release


def _take_place(new: Path, folder: Path) -> None:
    """Exchange both at one moment: by two renames, a power cut between them leaves no version."""
    if folder.exists():
        _exchange(new, folder)
        shutil.rmtree(new, ignore_errors=True)  # what is left of it, `clear` removes
    else:
        new.rename(folder)


def _exchange(new: Path, folder: Path) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    paths_of = (AT_FDCWD, os.fsencode(new), AT_FDCWD, os.fsencode(folder))
    if libc.renameat2(*paths_of, RENAME_EXCHANGE) != 0:
        number = ctypes.get_errno()
        if number in {errno.EINVAL, errno.ENOSYS}:  # such as nfs, or a very old kernel
            shutil.rmtree(new, ignore_errors=True)
            raise errors.CompanionError(
                "The disk with {folder} cannot exchange two folders, so nothing was changed. "
                "Uninstall Rappelwacht, then install it again: what was played stays.",
                folder=folder,
            )
        raise OSError(number, os.strerror(number), str(folder))


def is_whole(folder: Path) -> bool:
    """Whether a version is finished, and runs with the Python that this computer has now."""
    mark = folder / WHOLE
    return mark.is_file() and mark.read_text("utf-8") == _mark()


def _mark() -> str:
    """Return what is written into a finished version: a newer Debian's Python finds none of it."""
    return "Python {}.{}\n".format(*sys.version_info)


def _copy(folder: Path) -> None:
    """Copy what belongs to a version, for everybody to read, whoever it belonged to."""
    for part, path in _files():
        copy = folder / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        copy.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)


def _settle(folder: Path, run: system.Run) -> None:
    """Flush all of it to the card before its mark, which a power cut must not leave alone."""
    if run(["sync", "--file-system", str(folder)]) != 0:
        raise errors.CompanionError("The card does not keep what is written to it; use another.")


def _fill(folder: Path, run: system.Run, source: Path | None, *, pins: bool) -> None:
    """Make the virtual environment of a version."""
    venv = folder / "venv"
    lock = folder / "requirements.lock"
    make = ["python3", "-m", "venv", "--system-site-packages"]
    if source is not None:
        made = run([*make, "--without-pip", str(venv)]) == 0
    else:
        install = [system.python(venv), "-m", "pip", "--disable-pip-version-check", "install"]
        install += ["--quiet", "--no-input", "--require-hashes"]
        made = run([*make, str(venv)]) == 0 and run([*install, "-r", str(lock)]) == 0
    if not made:
        raise errors.CompanionError(
            "The packages of this version cannot be installed, so nothing was changed; the lines "
            "above say why. Connect the Pi to the network, and try again."
        )
    if source is None and pins and run([system.python(venv), "-c", LOOK]) != 0:
        run([*install, "--only-binary", ":all:", "-r", str(folder / PINS_LOCK)])  # as a wheel
    for packages in (venv / "lib").glob("python3*/site-packages"):
        system.write(packages / "rappelwacht.pth", "../../../..\n")  # relative: a root can be moved
        if source is not None:
            payload.lay_packages(source, lock.read_text("utf-8"), packages)


def _compile_meanwhile(folder: Path, run: system.Run, python: str, code: str) -> None:
    """Compile all that some code imports, while an installation goes on."""
    line = ["systemd-run", "--quiet", "--no-block", "--collect", f"--setenv=PYTHONPATH={folder}"]
    run([*line, python, "-P", "-c", code])


def complete(places: Places, run: system.Run) -> None:
    """Finish what can wait: compile this version, so that it starts sooner, and add pip."""
    folder = places.releases / name()
    python = ("nice", "-n", "19", system.python(folder / "venv"), "-m")  # the table goes first
    run([*python, "compileall", "-q", str(folder / "companion"), str(folder / "venv/lib")])
    run([*python, "ensurepip", "--default-pip"])


def in_use(places: Places) -> str | None:
    """Return the version that is used; None: none was installed."""
    return _target(places.current)


def before(places: Places) -> str | None:
    """Return the version that was used before, if it is still there, and another one."""
    version = _target(places.previous)
    if version is None or version == in_use(places):  # the same: a switch was cut off in the middle
        return None
    return version if is_whole(places.releases / version) else None


def switch(places: Places, release: str) -> None:
    """Use a version from now on, and keep the one before for going back."""
    last = in_use(places)
    if last == release:
        return
    if last is not None:
        _link(places.previous, last)
    _link(places.current, release)


def restore(places: Places, used: str, earlier: str | None) -> None:
    """Point both links again to where they led before a switch."""
    _link(places.current, used)
    if earlier is None:
        places.previous.unlink(missing_ok=True)
    else:
        _link(places.previous, earlier)


def clear(places: Places) -> None:
    """Remove all versions but the one that is used and the one before: cards are small."""
    kept = {in_use(places), _target(places.previous)}
    for folder in places.releases.iterdir():
        if folder.name not in kept:
            shutil.rmtree(folder, ignore_errors=True)


def _target(link: Path) -> str | None:
    return link.readlink().name if link.is_symlink() else None


def _link(link: Path, release: str) -> None:
    """Replace a link atomically."""
    new = link.with_name(f".{link.name}.new")
    new.unlink(missing_ok=True)
    new.symlink_to(Path("releases") / release)
    new.replace(link)


@contextmanager
def alone(places: Places) -> Iterator[None]:
    """Lock an installation against another run."""
    try:
        folder = os.open(places.run, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:  # nothing was ever installed there
        yield
        return
    try:
        _lock(folder)
        yield
    finally:
        os.close(folder)


def _lock(folder: int) -> None:
    try:
        flock(folder, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        raise errors.CompanionError(
            "Rappelwacht is being installed or removed right now, so nothing was changed; wait "
            "until that is done."
        ) from None
