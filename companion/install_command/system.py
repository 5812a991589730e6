"""What the system's own tools do for an installation: packages, users, services.

Each tool is a list of words and never a line for a shell.
"""

from __future__ import annotations

import os
import pwd
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion import ending
from companion.errors import CompanionError
from companion.install_command.places import Places

Run = Callable[[Sequence[str]], int]  # a program's exit code
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
    if shutil.which(words[0]) is None:
        return 127
    env = {name: value for name, value in os.environ.items() if name not in OURS} | SAFE
    done = ending.run(words, stdout=sys.stderr, env=env)
    code: int = done.returncode
    return code


def missing(places: Places, packages: Mapping[str, str]) -> list[str]:
    """Return which packages are not there."""
    return [name for name, brings in packages.items() if not any(places.root.glob(brings))]


def provide_packages(
    places: Places, run: Run, more: Mapping[str, str] = {}, *, pins: bool = True
) -> None:
    """Install what is needed of the system; without lgpio only the pins are missed."""
    wanted = missing(places, {**NEEDED, **more})
    wired = missing(places, PINS) if pins else []
    if not places.real or not (wanted or wired):
        return
    apt = ["env", *(f"{name}={value}" for name, value in QUIET.items()), "apt-get", "-qq"]
    run([*apt, "update"])  # the lists at hand may do
    get = [*apt, "--no-install-recommends", "-y", "install"]
    if wanted and run([*get, *wanted]) != 0:
        raise CompanionError(
            "{packages:and} cannot be installed; connect the Pi to the network, and see what "
            "this says: sudo apt-get install {words}",
            packages=tuple(wanted),
            words=" ".join(wanted),
        )
    if wired:
        run([*get, *wired])  # not in every Debian; then a wheel does, see `releases`


def provide_user(places: Places, run: Run) -> None:
    """Have the service's user and its groups, as sysusers.d says, and the folder it owns."""
    where = [] if places.real else [f"--root={places.root}"]
    if run(["systemd-sysusers", *where, "rappelwacht.conf"]) != 0 and places.real:
        raise CompanionError(
            "The user {user} cannot be created; see what this says: sudo systemd-sysusers",
            user=USER,
        )
    places.data.mkdir(parents=True, exist_ok=True, mode=0o750)
    if places.real:
        give(places.data, pwd.getpwnam(USER).pw_uid, pwd.getpwnam(USER).pw_gid)


def give(folder: Path, user: int, group: int) -> None:
    """Give a folder with all that is in it to a user: root may have brought back a copy of it."""
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


def start(places: Places, run: Run, service: str, *, anew: bool) -> bool:
    """Have a service begin with the Pi, and now; return False if it does not come up."""
    where = [] if places.real else [f"--root={places.root}"]
    run(["systemctl", *where, "enable", service])
    if not places.live:
        return True
    run(["systemctl", "daemon-reload"])
    run(["udevadm", "control", "--reload"])
    run(["udevadm", "trigger", "--action=change"])
    run(["systemctl", "restart", "systemd-modules-load.service"])
    run(["systemctl", "try-restart", "systemd-journald.service"])
    if not anew and run(["systemctl", "is-active", "--quiet", service]) == 0:
        return True
    return run(["systemctl", "restart", service]) == 0


def stop(places: Places, run: Run, service: str) -> None:
    """End a service for good."""
    if places.live:
        run(["systemctl", "stop", service])
    where = [] if places.real else [f"--root={places.root}"]
    run(["systemctl", *where, "disable", service])


def rename(places: Places, run: Run) -> None:
    """Let the running system know the name that /etc/hostname says."""
    if places.live:
        run(["hostname", "-F", "/etc/hostname"])
        run(["systemctl", "try-restart", "avahi-daemon.service"])


def python(venv: Path) -> str:
    """Return the Python of a virtual environment."""
    return str(venv / "bin/python")
