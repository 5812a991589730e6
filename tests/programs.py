"""The programs and libraries that tests need beside Python, and which Debian packages bring them.

A test says `need("dot")` and is skipped where that is missing. Before all are run, the packages are
installed where that may be done; in the end it is said which are still missing.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from ctypes import CDLL
from pathlib import Path
from typing import Final

PROGRAMS: Final = {
    "certutil": ("libnss3-tools",),
    "chromium": ("chromium-headless-shell", "fonts-dejavu-core"),
    "dot": ("graphviz",),
    "espeak-ng": ("espeak-ng",),
    "faketime": ("faketime",),
    "libatomic.so.1": ("libatomic1",),  # for what drives the browser
    "mosquitto": ("mosquitto",),
    "openscad": ("openscad",),
    "openssl": ("openssl",),
    "ssh-keygen": ("openssh-client",),
    "systemd-analyze": ("systemd",),
}
IN_FULL: Final = {  # besides
    "WebKitWebDriver": ("webkit2gtk-driver",),
    "caddy": ("caddy",),
    "debootstrap": ("debootstrap",),
    "firefox-esr": ("firefox-esr",),
    "lintian": ("lintian",),
    "mcopy": ("mtools",),
    "mke2fs": ("e2fsprogs",),
    "mkfs.vfat": ("dosfstools",),
    "nginx": ("nginx-light",),
    "qemu-arm-static": ("qemu-user-static",),
    "qemu-system-aarch64": ("qemu-system-arm",),
    "qemu-system-x86_64": ("qemu-system-x86",),
    "qrencode": ("qrencode",),
    "wg": ("wireguard-tools",),
    "xvfb-run": ("xvfb", "xauth"),
}
QUICKER: Final = {  # the first does what the second does, with two thirds of its work
    "chromium": ("chromium-headless-shell", "chromium")
}
BY_ROOT: Final = "/usr/sbin"  # where Debian puts some, and not everybody's PATH leads there
BY_BENCHES: Final = {"ip": ("iproute2",)}
ALL: Final = PROGRAMS | IN_FULL | BY_BENCHES
CORPORA: Final = "RAPPELWACHT_CORPORA"  # in the environment


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
        _skip(why)


def _skip(why: str) -> None:
    import pytest  # noqa: PLC0415 - whoever boots a card needs none of it

    pytest.skip(why, allow_module_level=True)


def corpus(name: str) -> Path:
    """Return a folder of other people's recordings; skip what needs it where it is not at hand."""
    folder = Path(os.environ.get(CORPORA, os.devnull)) / name
    if not folder.is_dir():
        why = f"recordings are not part of this project: {CORPORA} names the folder with '{name}'"
        _skip(why)
    return folder


# --- installing them ------------------------------------------------------------------------------


def wanted(asked: Sequence[str]) -> list[str]:
    """Return the packages that are missing of what is asked for: all, --full, or programs."""
    match [*asked]:
        case []:
            return missing(PROGRAMS)
        case ["--full"]:
            return missing(PROGRAMS | IN_FULL)
        case names:
            return missing({name: ALL[name] for name in names})


def bring(asked: Sequence[str]) -> None:
    """Have them installed, where that may be done without a password.

    CI runs often enough for those, too, with which the same tests end sooner.
    """
    packages = wanted(asked)
    if os.environ.get("CI"):
        packages += [first for first, _ in QUICKER.values() if shutil.which(first) is None]
    packages = [*dict.fromkeys(packages)]
    if not packages or shutil.which("apt-get") is None or not _as_root("true"):
        return
    _say(f"Installing what else is needed, as Debian packages: {' '.join(packages)}.")
    _as_root("apt-get", "-qq", "update")  # old lists may do
    if not _installed(*packages):
        for package in packages:
            if not _installed(package):
                _say(f"The Debian package {package} cannot be installed here.")


def tell_lacking(what: str, asked: Sequence[str]) -> None:
    """Say in one line what nobody could install."""
    if packages := wanted(asked):
        words = " ".join(packages)
        _say(f"Some {what} are left out; to have them, run: sudo apt-get install {words}")


def _installed(*packages: str) -> bool:
    words = ("-qq", "-o", "DPkg::Lock::Timeout=120", "--no-install-recommends", "-y", "install")
    return _as_root("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", *words, *packages)


def _as_root(*words: str) -> bool:
    """Run something as root without asking for a password; whether that went well."""
    sudo = () if os.geteuid() == 0 else ("sudo", "-n")
    try:
        done = subprocess.run(
            [*sudo, *words], stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except FileNotFoundError:
        return False
    return done.returncode == 0


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
