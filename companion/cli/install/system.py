"""Calls the system's tools for an installation: apt packages, users, systemd services, names.

Each tool is a list of words and never a line for a shell.
"""

import os
import pwd
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.cli.install.places import FILES, Places
from companion.system import errors, private_files, signals

Run = Callable[[Sequence[str]], int]  # a program's exit code
Ask = Callable[[Sequence[str]], tuple[int, str]]  # the same, and what it says
MISSING: Final = 127  # the exit code where there is no such program
USER: Final = "rappelwacht"
NEEDED: Final = {  # packages, each with something that only they bring
    "python3-venv": "usr/lib/python3*/ensurepip/__init__.py",
    "avahi-daemon": "usr/sbin/avahi-daemon",
}
PINS: Final = {"python3-lgpio": "usr/lib/python3/dist-packages/lgpio.py"}  # Raspberry Pi OS's own
QUIET: Final = {"DEBIAN_FRONTEND": "noninteractive"}
OURS: Final = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PIP_USER"}  # not for other programs
# Else Python would run, as root, what lies in the folder where somebody says `install`.
SAFE: Final = {"PYTHONSAFEPATH": "1"}
PEOPLE: Final = 1000  # Debian gives numbers from here on to people, and those below to services


def run(words: Sequence[str]) -> int:
    """Run a program, and return its exit code; 127 where there is none."""
    return _run(words, stdout=sys.stderr)[0]


def run_quietly(words: Sequence[str]) -> int:
    """Run a program as well, and show what it says only if it fails."""
    code, text = _run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if code != 0:
        sys.stderr.write(text)
    return code


def ask(words: Sequence[str]) -> tuple[int, str]:
    """Run a program, and return its exit code and what it says, in English."""
    return _run(["env", "LC_ALL=C", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def _run(words: Sequence[str], **how: Any) -> tuple[int, str]:
    """Run a program; return its exit code, and what was kept of what it said."""
    if shutil.which(words[0]) is None:
        return MISSING, ""
    env = {name: value for name, value in os.environ.items() if name not in OURS} | SAFE
    done = signals.run(words, env=env, text=True, errors="replace", **how)
    return done.returncode, done.stdout or ""


def missing(places: Places, packages: Mapping[str, str]) -> list[str]:
    """Return which packages are not there."""
    return [name for name, brings in packages.items() if not any(places.root.glob(brings))]


def provide_packages(
    places: Places, run: Run, more: Mapping[str, str], *, pins: bool, offline: bool
) -> None:
    """Install what is needed of the system; without lgpio only the pins are missed.

    Offline a table needs none: only its name is missed where there is no avahi-daemon.
    """
    wanted = missing(places, more if offline else {**NEEDED, **more})
    wired = missing(places, PINS) if pins and not offline else []
    if not places.real or not (wanted or wired):
        return
    apt = ["env", *(f"{name}={value}" for name, value in QUIET.items()), "apt-get", "-qq"]
    run([*apt, "update"])  # the lists at hand may do
    get = [*apt, "--no-install-recommends", "-y", "install"]
    if wanted and run([*get, *wanted]) != 0:
        raise errors.CompanionError(
            "{packages:and} cannot be installed; connect the Pi to the network, and see what "
            "this says: sudo apt-get install {words}",
            packages=tuple(wanted),
            words=" ".join(wanted),
        )
    if wired:
        run([*get, *wired])  # not in every Debian; then a wheel does, see `releases`


def provide_user(places: Places, run: Run) -> None:
    """Create the service's user and its groups, as sysusers.d says, and the folder it owns."""
    where = [] if places.real else [f"--root={places.root}"]
    if run(["systemd-sysusers", *where, "rappelwacht.conf"]) != 0 and places.real:
        raise errors.CompanionError(
            "The user {user} cannot be created; see what this says: sudo systemd-sysusers",
            user=USER,
        )
    places.data.mkdir(parents=True, exist_ok=True, mode=0o750)
    if places.real:
        give(places.data, pwd.getpwnam(USER).pw_uid, pwd.getpwnam(USER).pw_gid)


def give(folder: Path, user: int, group: int) -> None:
    """Change the owner of a folder and of all in it: root may have brought back a copy."""
    for _, folders, files, here in os.fwalk(folder.resolve()):
        os.chown(here, user, group)
        for name in (*folders, *files):  # a link is given away itself, never what it leads to
            with suppress(FileNotFoundError):  # a table that runs has finished with it
                os.chown(name, user, group, dir_fd=here, follow_symlinks=False)


def remove_user(places: Places, run: Run) -> None:
    """Remove the service's user, unless a person has that name."""
    accounts = places.root / "etc/passwd"
    lines = accounts.read_text("utf-8", "replace").splitlines() if accounts.exists() else []
    numbers = [line.split(":")[2] for line in lines if line.startswith(f"{USER}:")]
    if all(number.isdecimal() and int(number) < PEOPLE for number in numbers):
        run(["userdel", *([] if places.real else ["--prefix", str(places.root)]), USER])


def start(places: Places, run: Run, role: "Role", *, anew: bool) -> bool:
    """Enable a service and start it; return False if it does not come up."""
    where = [] if places.real else [f"--root={places.root}"]
    for unit in (role.service, *role.more):
        run(["systemctl", *where, "enable", "--no-reload", unit])  # that is done once, below
    if not places.live:
        return True
    run(["systemctl", "daemon-reload"])
    run(["udevadm", "control", "--reload"])
    run(["udevadm", "trigger", "--action=change"])
    run(["systemctl", "restart", "systemd-modules-load.service"])
    running = not anew and run(["systemctl", "is-active", "--quiet", role.service]) == 0
    started = running or run(["systemctl", "restart", role.service]) == 0
    run(["systemctl", "try-restart", "systemd-journald.service"])  # this can wait for the page
    for unit in role.more:
        run(["systemctl", "start", "--no-block", unit])
    return started


def stop(places: Places, run: Run, role: "Role") -> None:
    """End a service for good."""
    where = [] if places.real else [f"--root={places.root}"]
    for unit in (*role.more, role.service):
        if places.live:
            run(["systemctl", "stop", unit])
        run(["systemctl", *where, "disable", unit])


def rename(places: Places, run: Run) -> None:
    """Give the running system the name that /etc/hostname says."""
    if places.live:
        run(["hostname", "-F", "/etc/hostname"])
        run(["systemctl", "try-restart", "avahi-daemon.service"])


def python(venv: Path) -> str:
    return str(venv / "bin/python")


BEGIN, END = "# rappelwacht: begin", "# rappelwacht: end"
BLOCK: Final = re.compile(rf"^{BEGIN}\n.*?^{END}\n", re.DOTALL | re.MULTILINE)


def write(path: Path, text: str, mode: int = 0o644) -> bool:
    """Write a file; return whether that changed it."""
    with suppress(OSError, UnicodeDecodeError):
        if path.read_text("utf-8") == text and path.stat().st_mode & 0o7777 == mode:
            return False
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        private_files.write(path, text.encode(), mode)
    except OSError as error:  # such as a full disk, which has no name for the file
        raise OSError(error.errno, error.strerror, str(path)) from None
    return True


def write_block(path: Path, lines: str) -> bool:
    """Write a block of ours at the end of a file; return whether that changed it."""
    before = path.read_text("utf-8") if path.exists() else ""
    others = BLOCK.sub("", before)
    if others and not others.endswith("\n"):
        others += "\n"
    return write(path, f"{others}{BEGIN}\n{lines}\n{END}\n", _mode(path))


def remove_block(path: Path) -> None:
    """Take our block out of a file again."""
    if path.exists():
        write(path, BLOCK.sub("", path.read_text("utf-8")), _mode(path))


def _mode(path: Path) -> int:
    """Return the mode that a file keeps: a card's FAT knows only its own."""
    return path.stat().st_mode & 0o7777 if path.exists() else 0o644


SHARED: Final = ("sysusers.conf", "journald.conf", "avahi.service", "rappelwacht.sh")


@dataclass(frozen=True, slots=True)
class Role:
    """What such a computer has of the system."""

    service: str
    name: str  # as phones find the computer, with .local
    files: Mapping[str, str]  # of hardware/service, and where each goes
    packages: Mapping[str, str]  # besides those of all, each with something that only they bring
    wired: bool  # whether hub, light board and pins hang on it
    more: tuple[str, ...] = ()  # what else begins with the computer

    def there(self, places: Places) -> bool:
        """Tell whether a computer is installed as this."""
        return (places.root / self.files[self.service]).is_file()


CARE: Final = ("rappelwacht-care.path", "rappelwacht-hotspot.service")
TABLE: Final = Role("rappelwacht.service", "rappelwacht", FILES, {}, wired=True, more=CARE)
HALL: Final = Role(
    "rappelwacht-hall.service",
    "rappelwacht-hall",
    {
        "rappelwacht-hall.service": "etc/systemd/system/rappelwacht-hall.service",
        **{name: FILES[name] for name in SHARED},
    },
    {"mosquitto": "usr/sbin/mosquitto", "openssl": "usr/bin/openssl"},
    wired=False,
)
ROLES: Final = (TABLE, HALL)


def installed_role(places: Places) -> Role | None:
    """Return what a computer is installed to be; None: nothing yet."""
    return next((role for role in ROLES if role.there(places)), None)


def wanted_role(places: Places, *, hall: bool, joins: bool) -> Role:
    """Return what it is to be from now on; CompanionError: it cannot be that."""
    had = installed_role(places)
    role = HALL if hall else had or TABLE
    if role is HALL and joins:
        raise errors.CompanionError(
            "A hall cannot join a hall; leave out --join here, and use it on the table's computer."
        )
    if had is not None and had is not role:
        raise errors.CompanionError(
            "This computer is installed as a table, and a hall needs one of its own; take another, "
            "or remove the table first with: sudo rappelwacht uninstall"
        )
    return role


NAMES: Final = [role.name for role in ROLES]
NAME_BEFORE: Final = "name-before"


def take_name(places: Places, name: str, run: Run) -> None:
    """Rename the computer, so that phones find rappelwacht.local; store the name of before."""
    hostname = places.root / "etc/hostname"
    before = hostname.read_text("utf-8").strip() if hostname.exists() else ""
    if before == name:
        return
    write(places.settings / NAME_BEFORE, f"{before}\n")
    write_block(places.root / "etc/hosts", f"127.0.1.1 {name}")
    write(hostname, f"{name}\n")
    rename(places, run)


def give_name_back(places: Places, run: Run) -> None:
    """Give back the name of before, unless somebody has changed it meanwhile."""
    kept = places.settings / NAME_BEFORE
    remove_block(places.root / "etc/hosts")
    if kept.exists():
        hostname = places.root / "etc/hostname"
        ours = hostname.exists() and hostname.read_text("utf-8").strip() in NAMES
        if ours and (before := kept.read_text("utf-8").strip()):
            write(hostname, f"{before}\n")
            rename(places, run)
        kept.unlink()
