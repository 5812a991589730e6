"""The programs and libraries that tests need beside Python, and which Debian packages bring them.

A test says `need("dot")` and is skipped where that is missing. The door asks before it tests which
packages to install, and in the end which were still missing:

    python -m tests.programs [--full | PROGRAMS]   # the packages that are missing, one a line
    python -m tests.programs --quicker [the same]  # and those with which the same tests end sooner
"""

from __future__ import annotations

import os
import shutil
import sys
from ctypes import CDLL
from typing import Final

import pytest

PROGRAMS: Final = {
    "chromium": ("chromium-headless-shell", "fonts-dejavu-core"),
    "dot": ("graphviz",),
    "espeak-ng": ("espeak-ng",),
    "faketime": ("faketime",),
    "libatomic.so.1": ("libatomic1",),  # for what drives the browser
    "mosquitto": ("mosquitto",),
    "openscad": ("openscad",),
    "openssl": ("openssl",),
    "systemd-analyze": ("systemd",),
}
IN_FULL: Final = {  # besides
    "debootstrap": ("debootstrap",),
    "qemu-arm-static": ("qemu-user-static",),
    "qemu-system-x86_64": ("qemu-system-x86",),
    "xvfb-run": ("xvfb", "xauth"),
}
QUICKER: Final = {  # the first does what the second does, with two thirds of its work
    "chromium": ("chromium-headless-shell", "chromium"),
}
BY_ROOT: Final = "/usr/sbin"  # where Debian puts some, and not everybody's PATH leads there
BY_BENCHES: Final = {"ip": ("iproute2",)}
ALL: Final = PROGRAMS | IN_FULL | BY_BENCHES


def missing(programs: dict[str, tuple[str, ...]]) -> list[str]:
    """Return the packages of those programs that are not here.

    >>> missing({"sh": ("dash",), "no such program": ("one", "another"), "libno.so.1": ("libno1",)})
    ['one', 'another', 'libno1']
    """
    lacking = [name for name in programs if not _is_here(name)]
    return [package for name in lacking for package in programs[name]]


def _is_here(name: str) -> bool:
    if ".so" not in name:
        return path(name) is not None
    try:
        CDLL(name)
    except OSError:
        return False
    return True


def path(name: str) -> str | None:
    """Return where a program is, if it is here.

    >>> path("no such program")
    """
    where = f"{os.environ.get('PATH', os.defpath)}:{BY_ROOT}"
    found = (shutil.which(one, path=where) for one in QUICKER.get(name, (name,)))
    return next((one for one in found if one is not None), None)


def lacking(*programs: str) -> str:
    """Return what is to be done before these can be used, or nothing."""
    packages = missing({name: ALL[name] for name in programs})
    return f"needs: sudo apt-get install {' '.join(packages)}" if packages else ""


def need(*programs: str) -> None:
    """Skip the test that needs them if one is missing."""
    if why := lacking(*programs):
        pytest.skip(why)


def asked(arguments: list[str]) -> list[str]:
    """Return the packages that somebody asks for who types these arguments."""
    match arguments:
        case ["--quicker", *others]:
            sooner = [first for first, _ in QUICKER.values() if shutil.which(first) is None]
            return [*dict.fromkeys((*asked(others), *sooner))]
        case []:
            return missing(PROGRAMS)
        case ["--full", *_]:
            return missing(PROGRAMS | IN_FULL)
        case names:
            return missing({name: ALL[name] for name in names})


if __name__ == "__main__":
    for package in asked(sys.argv[1:]):
        print(package)  # noqa: T201 - ./run reads it
