"""What the system's own tools do for an installation: packages, users, services.

It must not know files. Each tool is a list of words and never a line for a shell.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.errors import CompanionError
from companion.install_command.places import Places

Run = Callable[[Sequence[str]], int]  # a program's exit code
SERVICE: Final = "rappelwacht.service"
USER: Final = "rappelwacht"
NEEDED: Final = {  # packages, each with something that only they bring
    "python3-venv": "usr/lib/python3*/ensurepip/__init__.py",
    "avahi-daemon": "usr/sbin/avahi-daemon",
}
PINS: Final = {"python3-lgpio": "usr/lib/python3/dist-packages/lgpio.py"}  # Raspberry Pi OS's own
QUIET: Final = {"DEBIAN_FRONTEND": "noninteractive"}


def run(words: Sequence[str]) -> int:
    """Run a program, and return its exit code; 127 where there is none."""
    if shutil.which(words[0]) is None:
        return 127
    done = subprocess.run(  # noqa: S603 - a list of words, and no shell
        words, check=False, stdin=subprocess.DEVNULL, stdout=sys.stderr
    )
    return done.returncode


def missing(places: Places, packages: Mapping[str, str]) -> list[str]:
    """Return which packages are not there."""
    return [name for name, brings in packages.items() if not any(places.root.glob(brings))]


def provide_packages(places: Places, run: Run) -> None:
    """Install what the table needs of the system; without lgpio only the pins are missed."""
    wanted = missing(places, NEEDED)
    pins = missing(places, PINS)
    if not places.real or not (wanted or pins):
        return
    apt = ["env", *(f"{name}={value}" for name, value in QUIET.items()), "apt-get", "-qq"]
    run([*apt, "update"])  # the lists at hand may do
    get = [*apt, "--no-install-recommends", "-y", "install"]
    if wanted and run([*get, *wanted]) != 0:
        raise CompanionError(
            "{packages:and} cannot be installed; connect the Pi to the network, and look what "
            "this says: sudo apt-get install {words}",
            packages=tuple(wanted),
            words=" ".join(wanted),
        )
    if pins:
        run([*get, *pins])  # not in every Debian; then a wheel does, see `releases`


def provide_user(places: Places, run: Run) -> None:
    """Have the service's user and its groups, as sysusers.d says, and the folder it owns."""
    where = [] if places.real else [f"--root={places.root}"]
    if run(["systemd-sysusers", *where, "rappelwacht.conf"]) != 0 and places.real:
        raise CompanionError(
            "The user {user} cannot be made; look what this says: sudo systemd-sysusers", user=USER
        )
    places.data.mkdir(parents=True, exist_ok=True, mode=0o750)
    if places.real:
        shutil.chown(places.data, USER, USER)


def start(places: Places, run: Run, *, anew: bool) -> bool:
    """Have the service begin with the Pi, and now; return False if it does not come up."""
    where = [] if places.real else [f"--root={places.root}"]
    run(["systemctl", *where, "enable", SERVICE])
    if not places.live:
        return True
    run(["systemctl", "daemon-reload"])
    run(["udevadm", "control", "--reload"])
    run(["udevadm", "trigger", "--action=change"])
    run(["systemctl", "restart", "systemd-modules-load.service"])
    run(["systemctl", "try-restart", "systemd-journald.service"])
    if not anew and run(["systemctl", "is-active", "--quiet", SERVICE]) == 0:
        return True
    return run(["systemctl", "restart", SERVICE]) == 0


def stop(places: Places, run: Run) -> None:
    """End the service for good."""
    if places.live:
        run(["systemctl", "stop", SERVICE])
    where = [] if places.real else [f"--root={places.root}"]
    run(["systemctl", *where, "disable", SERVICE])


def rename(places: Places, run: Run) -> None:
    """Let the running system know the name that /etc/hostname says."""
    if places.live:
        run(["hostname", "-F", "/etc/hostname"])
        run(["systemctl", "try-restart", "avahi-daemon.service"])


def python(venv: Path) -> str:
    """Return the Python of a virtual environment."""
    return str(venv / "bin/python")
